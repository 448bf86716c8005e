/** Counts what is open in the whole state, for monitoring. */
import { HOUR_MS } from '../core/times.ts';
import type { Acts } from '../journal/act.ts';
import { toolIn } from './activity.ts';
import { ACTIVE, type Database, numberOrNone } from './database.ts';
import { lastCompleteCheck } from './journal/checkpoint.ts';
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
  /** When the whole journal last passed a check, milliseconds since 1970. Absent: never, or the last check failed. */
  readonly journalCheckedAt?: number;
  /** Sending is held, because the journal lost events. */
  readonly held?: true;
  /** The operator paused sending. */
  readonly paused?: true;
}

/** Connections of one pool, and statements that run or wait for a connection. */
export interface PoolLoad {
  readonly pool: string;
  readonly connections: number;
  readonly running: number;
  readonly waiting: number;
}

/** Counts what is open. @param now milliseconds since 1970, by which approvals expire and readings are due */
export async function openCounts(db: Database, now: number, acts: Acts): Promise<OpenCounts> {
  const { prefix: s } = db.dialect;
  const lapsed = `${WAITING} and expires_at > ? and expires_at <= ?`;
  const row = await db.brief(
    `select (select count(*) from ${s}operation where ${ACTIVE} and state = 'in_doubt') as in_doubt,
     (select count(*) from ${s}operation where state = 'needs_person') as needs_person,
     (select count(*) from ${s}operation where state = 'needs_person' and tool ${toolIn(acts, 'hold')}) as holds,
     (select min(updated_at) from ${s}operation where state = 'needs_person') as since,
     (select count(*) from ${s}approval where ${WAITING} and expires_at > ?) as waiting,
     (select count(*) from ${s}approval where ${lapsed} and asked_by in ('elicit', 'either')) as lapsed_dialog,
     (select count(*) from ${s}approval where ${lapsed} and asked_by = 'page') as lapsed_page,
     (select count(*) from ${s}finding where closed_at is null and (departs_at is null or departs_at > ?)) as findings,
     (select min(next_at) from ${s}watch where next_at <= ?) as due_since,
     (select value from ${s}meta where key = 'verified') as verified,
     (select count(*) from ${s}meta where key = 'hold') as held,
     (select count(*) from ${s}meta where key = 'pause') as paused`,
    ...[now, now - HOUR_MS, now, now - HOUR_MS, now, now, now],
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
    journalCheckedAt: row.verified === null ? undefined : lastCompleteCheck(String(row.verified)),
    held: Number(row.held) > 0 || undefined,
    paused: Number(row.paused) > 0 || undefined,
  };
}
