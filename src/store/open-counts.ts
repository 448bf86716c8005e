/** Counts for monitoring: what is open in the whole state. */
import { HOUR_MS } from '../core/times.ts';
import { type Acts, actNames, type CountedAs } from '../journal/act.ts';
import { ACTIVE, type Database, numberOrNone } from './database.ts';
import { WAITING } from './tables.ts';

/** What is open for all callers together. */
export interface OpenCounts {
  readonly inDoubt: number;
  readonly needsPerson: number;
  /** How many of these are unpaid holds, which lapse by themselves. */
  readonly needsPersonHolds: number;
  /** When the first of these was handed to a person, milliseconds since 1970. Absent if there is none. */
  readonly needsPersonSince?: number;
  readonly approvalsWaiting: number;
  /** Questions that expired unanswered within the last hour, by whether a dialog or the page asked. */
  readonly approvalsLapsed: { readonly dialog: number; readonly page: number };
  readonly findingsOpen: number;
  /** Since when the longest overdue reading of a booking is due, milliseconds since 1970. Absent if none is due. */
  readonly readingDueSince?: number;
  /** Sending is held, because the journal lost events. */
  readonly held?: true;
  /** The operator paused sending. */
  readonly paused?: true;
}

/** How many statements wait for a connection of a pool. It stands here, because the server imports no other file of the store. */
export interface PoolLoad {
  readonly pool: string;
  readonly waiting: number;
}

/** One count: the name of its column, its query, and the values of the query. */
interface Count {
  readonly name: string;
  readonly sql: string;
  readonly values?: readonly number[];
}

/** Counts what is open. @param now milliseconds since 1970, by which approvals expire and readings are due */
export async function openCounts(db: Database, now: number, acts: Acts): Promise<OpenCounts> {
  const { prefix: s } = db.dialect;
  const needsPerson = `from ${s}operation where state = 'needs_person'`;
  const lapsed = `from ${s}approval where ${WAITING} and expires_at > ? and expires_at <= ?`;
  const lastHour = [now - HOUR_MS, now];

  const counts: readonly Count[] = [
    { name: 'in_doubt', sql: `select count(*) from ${s}operation where ${ACTIVE} and state = 'in_doubt'` },
    { name: 'needs_person', sql: `select count(*) ${needsPerson}` },
    { name: 'holds', sql: `select count(*) ${needsPerson} and tool ${toolIn(acts, 'hold')}` },
    { name: 'since', sql: `select min(updated_at) ${needsPerson}` },
    { name: 'waiting', sql: `select count(*) from ${s}approval where ${WAITING} and expires_at > ?`, values: [now] },
    { name: 'lapsed_dialog', sql: `select count(*) ${lapsed} and asked_by = 'elicit'`, values: lastHour },
    { name: 'lapsed_page', sql: `select count(*) ${lapsed} and asked_by = 'page'`, values: lastHour },
    {
      name: 'findings',
      sql: `select count(*) from ${s}finding where closed_at is null and (departs_at is null or departs_at > ?)`,
      values: [now],
    },
    { name: 'due_since', sql: `select min(next_at) from ${s}watch where next_at <= ?`, values: [now] },
    { name: 'held', sql: `select count(*) from ${s}meta where key = 'hold'` },
    { name: 'paused', sql: `select count(*) from ${s}meta where key = 'pause'` },
  ];

  const row = await db.getWithTimeout(
    `select ${counts.map(({ name, sql }) => `(${sql}) as ${name}`).join(',\n')}`,
    ...counts.flatMap(({ values = [] }) => values),
  );
  if (row === undefined) throw new Error('the database returned no counts');

  return {
    inDoubt: Number(row.in_doubt),
    needsPerson: Number(row.needs_person),
    needsPersonHolds: Number(row.holds),
    needsPersonSince: numberOrNone(row.since),
    approvalsWaiting: Number(row.waiting),
    approvalsLapsed: { dialog: Number(row.lapsed_dialog), page: Number(row.lapsed_page) },
    findingsOpen: Number(row.findings),
    readingDueSince: numberOrNone(row.due_since),
    held: trueIfAny(row.held),
    paused: trueIfAny(row.paused),
  };
}

function trueIfAny(count: unknown): true | undefined {
  return Number(count) > 0 ? true : undefined;
}

/** SQL: `in (…)` with the tools of acts that count as one of these. Their names need no escaping: letters and `_`. */
function toolIn(acts: Acts, ...counted: readonly CountedAs[]): string {
  return `in (${actNames(acts, ...counted)
    .map((tool) => `'${tool}'`)
    .join(', ')})`;
}
