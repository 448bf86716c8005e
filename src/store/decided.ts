/**
 * Finds questions that nobody can answer any more, newest first and a page at a time: for the page "Decided". Those of the last days
 * are in the table `approval`, found by when they end; older ones in `past_question`, found by when they were asked. No index has the
 * caller, so that a page looks at some of the questions only, however many there are.
 */
import { APPROVAL_MS, LONGEST_MS } from '../approvals/expiry.ts';
import { MINUTE_MS } from '../core/times.ts';
import type {
  DecidedPage,
  DecidedPlace,
  DecidedQuery,
  DecidedQuestion,
  DecidedQuestions,
  DecidedSteps,
} from '../ledger/ports.ts';
import type { Database, Row } from './database.ts';
import { pastQuestions, recentQuestions, toQuestion } from './ledger-rows.ts';

/** How many questions of each table a page looks at, whoever asked them. */
const MOST_LOOKED_AT = 5_000;

/** SQL: nobody can answer it any more. Its one value is now. Leaves out what nobody was asked: a hold needs no yes. */
const DECIDED = `(decision <> 'pending' or expires_at <= ?)
  and (decision not in ('granted', 'void') or coalesce(assurance, 'none') <> 'none')`;

/** A table of questions, and how its rows are ordered. */
interface Source {
  readonly table: string;
  /** The order of its index. */
  readonly time: string;
  /** What is added to the time to compare it with the other table, milliseconds. */
  readonly later: number;
  /** SQL that selects the columns, and ends with a condition. */
  readonly select: string;
  /** SQL: how the rows of a tenant are found. Its one value is the tenant. */
  readonly ofTenant: string;
}

function sourcesOf({ dialect }: Database): readonly Source[] {
  const { prefix: s, text, unindexed } = dialect;
  const about = (field: string) => `${text('terms', ['about', field])} as ${field}`;
  const stale = 'case when stale_lines is null then 0 else 1 end as stale';
  return [
    {
      table: `${s}approval`,
      time: 'expires_at',
      later: 0,
      select: recentQuestions(dialect, about('route'), about('departs'), stale, '1 as recent'),
      // No index begins with the tenant.
      ofTenant: `${unindexed}tenant = ?`,
    },
    {
      table: `${s}past_question`,
      time: 'asked_at',
      later: APPROVAL_MS,
      select: pastQuestions(dialect, 'null as route', 'null as departs', '0 as stale', '0 as recent'),
      ofTenant: 'tenant = ?',
    },
  ];
}

export class StoredDecidedQuestions implements DecidedQuestions {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async page(query: DecidedQuery): Promise<DecidedPage> {
    this.#db.catchUp();
    return decidedPage(this.#db, query);
  }
}

async function decidedPage(db: Database, query: DecidedQuery): Promise<DecidedPage> {
  const { tenant, since, now, limit, before = { at: now + LONGEST_MS, id: '' } } = query;
  const sources = sourcesOf(db);
  const ends = await Promise.all(sources.map((source) => endOfLook(db, source, tenant, before.at)));
  // Both tables are read to the same time, so that nothing of either is passed over.
  const floor = Math.max(since, endOfMinute(Math.max(...ends), before.at));
  const lists = await Promise.all(sources.map((source) => rowsOf(db, source, { query, before, floor })));
  const found = lists.flat().sort(newestFirst);
  const page = found.slice(0, limit);
  const last = page.at(-1);
  const rows = await withSteps(
    db,
    page.map(({ question }) => question),
  );
  if (found.length > limit && last !== undefined) return { rows, earlier: last.place };
  return floor > since ? { rows, earlier: { at: floor, id: '' } } : { rows };
}

/** The minute in place of the time itself, which may be that of another tenant's question. It stays before where the page begins. */
function endOfMinute(time: number, before: number): number {
  const end = Math.ceil(time / MINUTE_MS) * MINUTE_MS;
  return end < before ? end : time;
}

interface Placed {
  readonly place: DecidedPlace;
  readonly question: DecidedQuestion;
}

function newestFirst({ place: a }: Placed, { place: b }: Placed): number {
  if (a.at !== b.at) return b.at - a.at;
  return a.id < b.id ? 1 : -1;
}

/** The time of the last question that a page looks at. Zero if it looks at all there are. */
async function endOfLook(db: Database, { table, time, later, ofTenant }: Source, tenant: string, at: number) {
  const isPast = later > 0;
  const sql = `select ${time} as at from ${table} where ${time} <= ?${isPast ? ` and ${ofTenant}` : ''}
    order by ${time} desc limit 1 offset ${MOST_LOOKED_AT - 1}`;
  const row = await db.get(sql, at - later, ...(isPast ? [tenant] : []));
  return row === undefined ? 0 : Number(row.at) + later;
}

interface Stretch {
  readonly query: DecidedQuery;
  readonly before: DecidedPlace;
  readonly floor: number;
}

async function rowsOf(
  db: Database,
  { time, later, select, ofTenant }: Source,
  { query, before, floor }: Stretch,
): Promise<readonly Placed[]> {
  const { tenant, person, now, limit } = query;
  const isOf = person === undefined ? '' : `and (caller = ? or ${db.dialect.position}(caller, ?) = 1)`;
  const sql = `${select} and ${ofTenant} ${isOf} and ${DECIDED}
    and ${time} >= ? and ${time} <= ? and (${time} < ? or operation_id < ?)
    order by ${time} desc, operation_id desc limit ${limit + 1}`;
  const persons = person === undefined ? [] : [person, `${person}:`];
  const [from, to] = [floor - later, before.at - later];
  const rows = await db.all(sql, tenant, ...persons, now, from, to, to, before.id);
  return rows.map((row) => ({
    place: { at: Number(row[time]) + later, id: String(row.operation_id) },
    question: toDecided(row),
  }));
}

function toDecided({ route, departs, stale, recent, ...row }: Row): DecidedQuestion {
  return {
    ...toQuestion(row),
    ...(route !== null && { route: String(route) }),
    ...(departs !== null && { departs: String(departs) }),
    isStale: Number(stale) === 1,
    isRecent: Number(recent) === 1,
  };
}

/** Adds to questions about plans what became of their acts, while the acts are kept. */
async function withSteps(db: Database, rows: readonly DecidedQuestion[]): Promise<readonly DecidedQuestion[]> {
  const asked = rows.filter((row) => row.plan !== undefined && row.decision === 'granted');
  if (asked.length === 0) return rows;
  const { prefix: s, elements } = db.dialect;
  const list = `(select value from ${elements})`;
  const sql = `select step.plan_question as question, step.decision, o.state, count(*) as count
    from ${s}approval step left join ${s}operation o on o.id = step.operation_id
    where step.plan in ${list} and step.plan_line > 0 and step.plan_alone is null and step.plan_question in ${list}
    group by step.plan_question, step.decision, o.state order by 1, 2, coalesce(o.state, '')`;
  const lists = [asked.map(({ plan = '' }) => plan), asked.map(({ operationId }) => operationId)];
  const counts = Map.groupBy(
    await db.all(sql, ...lists.map((each) => JSON.stringify(each))),
    ({ question }) => question,
  );
  return rows.map((row) => {
    const steps = counts.get(row.operationId)?.map(toSteps);
    return steps === undefined ? row : { ...row, steps };
  });
}

function toSteps({ decision, state, count }: Row): DecidedSteps {
  const known = state === null ? {} : { state: state as NonNullable<DecidedSteps['state']> };
  return { decision: String(decision), ...known, count: Number(count) };
}
