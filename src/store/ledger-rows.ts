/**
 * Reads what a caller or the whole tenant did in a period: the rows for reports and for questions in SQL
 * (ledger/views.ts).
 */
import type { DeskEntry } from '../domain/booking/booking-ledger.ts';
import { asksForCounts } from '../ledger/call-counter.ts';
import type { KeptQuestion, LedgerReader, LedgerRows, LedgerRowsQuery } from '../ledger/ports.ts';
import { isFindingOfCaller } from './activity.ts';
import { airlineHours, failureCounts } from './call-records.ts';
import { type Columns, type Database, OPEN, type Row, toFields } from './database.ts';
import { toOperation } from './journal/hash-chain.ts';
import { LEDGERS, QUESTION } from './tables.ts';
import { toFinding } from './watching.ts';

/** More rows than a desk makes in a year. */
const MOST_ROWS = 200_000;

/** The columns of a question. The port's types of two fields are narrower than text. */
const COLUMNS: Columns<Omit<KeptQuestion, 'assurance' | 'direction'> & { assurance: string; direction: string }> = {
  operationId: ['operation_id', 'text'],
  caller: ['caller', 'text'],
  tool: ['tool', 'text'],
  locator: ['locator', 'text'],
  plan: ['plan', 'text'],
  askedAt: ['asked_at', 'number'],
  expiresAt: ['expires_at', 'number'],
  decision: ['decision', 'text'],
  decidedAt: ['decided_at', 'number'],
  assurance: ['assurance', 'text'],
  approver: ['approver', 'text'],
  amountMinor: ['amount_minor', 'number'],
  currency: ['currency', 'text'],
  direction: ['direction', 'text'],
};

export class StoredLedgerRows implements LedgerReader {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async rows(query: LedgerRowsQuery): Promise<LedgerRows> {
    const db = this.#db.aside(query.caller === undefined ? 'desk_reports' : 'reports');
    db.catchUp();
    const operations = await operationRows(db, query);
    const bookings = await bookingRows(db, query);
    const findings = await findingRows(db, query);
    const questions = await questionRows(db, query);
    const withCounts = asksForCounts(query);
    const failures = withCounts ? await failureCounts(db, query, MOST_ROWS) : [];
    const hours = withCounts ? await airlineHours(db, query, MOST_ROWS) : [];
    return { operations, bookings, findings, questions, failures, airlineHours: hours };
  }

  async questionsAbout(tenant: string, locator: string): Promise<readonly KeptQuestion[]> {
    this.#db.catchUp();
    return questionRows(this.#db, { tenant, from: 0, to: Number.MAX_SAFE_INTEGER }, locator);
  }
}

/** A condition with its values. Empty if nothing is left out. */
interface RowFilter {
  /** SQL that begins with `and`. */
  readonly sql: string;
  readonly values: readonly string[];
}

/** The rows of one caller, if the query names one. @param condition SQL with one `?`, for the caller */
function callerFilter({ caller }: LedgerRowsQuery, condition: string): RowFilter {
  return caller === undefined ? { sql: '', values: [] } : { sql: `and ${condition}`, values: [caller] };
}

/** The operations of the period, and older ones that are still open. */
async function operationRows(db: Database, query: LedgerRowsQuery) {
  const { tenant, from, to } = query;
  const { prefix: s } = db.dialect;
  const ofCaller = callerFilter(query, 'caller = ?');
  const sql = `select * from ${s}operation where tenant = ? ${ofCaller.sql} and created_at >= ? and created_at < ?
    union all select * from ${s}operation where ${OPEN} and tenant = ? ${ofCaller.sql} and created_at < ?
    order by created_at, id limit ${MOST_ROWS}`;
  const rows = await db.all(sql, tenant, ...ofCaller.values, from, to, tenant, ...ofCaller.values, from);
  return rows.map(toOperation);
}

/**
 * The bookings that were seen in the period, or depart in it or later: each once, as it was last read by any caller.
 * `made_by` is, of the callers who made the booking here, the one who saw it first.
 */
async function bookingRows(db: Database, query: LedgerRowsQuery): Promise<LedgerRows['bookings']> {
  const { tenant, from } = query;
  const { prefix: s, unindexed } = db.dialect;
  const columns = 'tenant, caller, locator, made_here, seen_at';
  const ofCaller = callerFilter(query, 'r.caller = ?');
  // Entries of the period, from the ledger of present bookings and the one of past ones.
  const entries = LEDGERS.map(
    (table) => `select ${columns}, body, ${table === 'booking' ? 0 : 1} as past from ${s}${table} r
      where r.tenant = ? ${ofCaller.sql} and (r.seen_at >= ? or r.over_at >= ?)`,
  ).join(' union all ');
  // All entries of the same booking, whoever has them and whenever they were seen.
  const sameBooking = LEDGERS.map(
    (table) => `select ${columns} from ${s}${table} r
      where ${unindexed}r.tenant = b.tenant and r.locator = b.locator`,
  ).join(' union all ');
  const sql = `select b.*, (select m.caller from (${sameBooking}) m where m.made_here = 1 order by m.seen_at limit 1) as made_by
    from (${entries}) b
    order by b.locator, b.seen_at desc, b.caller desc, b.past limit ${MOST_ROWS}`;
  const values = LEDGERS.flatMap(() => [tenant, ...ofCaller.values, from, from]);
  const rows = await db.all(sql, ...values);
  // The first row of each booking is the newest.
  return rows.filter(({ locator }, i) => locator !== rows[i - 1]?.locator).map(toDeskEntry);
}

function toDeskEntry({ caller, body, past, made_by: madeBy }: Row): LedgerRows['bookings'][number] {
  const entry = JSON.parse(String(body)) as DeskEntry;
  const made = madeBy === null ? { madeHere: false } : { madeHere: true, madeBy: String(madeBy) };
  return { ...entry, ...made, readBy: String(caller), isPast: Number(past) === 1 || undefined };
}

/**
 * The findings of the period, and older open ones. For one caller only those of bookings that the caller made or read.
 */
async function findingRows(db: Database, query: LedgerRowsQuery) {
  const { tenant, from, to } = query;
  const { prefix: s } = db.dialect;
  const ofCaller = callerFilter(query, isFindingOfCaller(s));
  const sql = `select f.* from ${s}finding f where f.tenant = ? and f.seen_at < ? and (f.seen_at >= ? or f.closed_at is null)
    ${ofCaller.sql} order by f.seen_at, f.id limit ${MOST_ROWS}`;
  const rows = await db.all(sql, tenant, to, from, ...ofCaller.values);
  return rows.map(toFinding);
}

/**
 * The questions of the period. Leaves out steps of plans that the plan's question decides.
 * @param about locator of the only booking whose questions are wanted
 */
async function questionRows(db: Database, query: LedgerRowsQuery, about?: string): Promise<KeptQuestion[]> {
  const { tenant, from, to } = query;
  const { prefix: s, text } = db.dialect;
  const ofCaller = callerFilter(query, 'caller = ?');
  const inPeriod = (column: string) => `tenant = ? and ${column} >= ? and ${column} < ? ${ofCaller.sql}`;
  const sharedColumns =
    'operation_id, caller, plan, expires_at, decision, decided_at, assurance, approver, amount_minor, currency, direction';
  const recentQuestions = `select ${sharedColumns}, created_at as asked_at,
      coalesce(tool, ${text('body', ['tool'])}) as tool, ${text('body', ['locator'])} as locator
    from ${s}approval where ${inPeriod('created_at')} and ${QUESTION}`;
  const pastQuestions = `select ${sharedColumns}, asked_at, tool, locator from ${s}past_question
    where ${inPeriod('asked_at')}`;
  const bookingCondition = about === undefined ? '' : 'where locator = ?';
  const sql = `select * from (${recentQuestions} union all ${pastQuestions}) as q ${bookingCondition}
    order by asked_at, operation_id limit ${MOST_ROWS}`;
  const values = [tenant, from, to, ...ofCaller.values];
  const rows = await db.all(sql, ...values, ...values, ...(about === undefined ? [] : [about]));
  return rows.map((row) => toFields(COLUMNS, row) as KeptQuestion);
}
