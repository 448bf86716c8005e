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
    const asksFor = (kind: keyof LedgerRows) => query.kinds?.has(kind) ?? true;
    const operations = asksFor('operations') ? await operationRows(db, query) : [];
    const bookings = asksFor('bookings') ? await bookingRows(db, query) : [];
    const findings = asksFor('findings') ? await findingRows(db, query) : [];
    const questions = asksFor('questions') ? await questionRows(db, query) : [];
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
  const valuesOfPeriod = [tenant, ...ofCaller.values, from, to];
  const valuesOfOpen = [tenant, ...ofCaller.values, from];
  const rows = await db.all(sql, ...valuesOfPeriod, ...valuesOfOpen);
  return rows.map(toOperation);
}

/**
 * The bookings that were seen in the period, or depart in it or later: each once, as it was last read by any caller.
 *
 * A booking has an entry for each caller who read it, in one of two tables ({@link LEDGERS}): of present bookings, or
 * of `past` ones, which are long over. The SQL reads both tables alike.
 */
async function bookingRows(db: Database, query: LedgerRowsQuery): Promise<LedgerRows['bookings']> {
  const { tenant, from } = query;
  const { prefix: s, unindexed } = db.dialect;
  const columns = 'tenant, caller, locator, made_here, seen_at';
  const ofCaller = callerFilter(query, 'kept.caller = ?');
  // The entries of the period.
  const entries = LEDGERS.map(
    (table) => `select ${columns}, body, ${table === 'booking' ? 0 : 1} as past from ${s}${table} kept
      where kept.tenant = ? ${ofCaller.sql} and (kept.seen_at >= ? or kept.over_at >= ?)`,
  ).join(' union all ');
  // All entries of the booking of one `entry`, whoever has them and whenever they were seen.
  const sameBooking = LEDGERS.map(
    (table) => `select ${columns} from ${s}${table} kept
      where ${unindexed}kept.tenant = entry.tenant and kept.locator = entry.locator`,
  ).join(' union all ');
  // Of the callers who made the booking here, the one who saw it first.
  const maker = `select made.caller from (${sameBooking}) made where made.made_here = 1 order by made.seen_at limit 1`;
  const sql = `select entry.*, (${maker}) as made_by from (${entries}) entry
    order by entry.locator, entry.seen_at desc, entry.caller desc, entry.past limit ${MOST_ROWS}`;
  // The same values for each table. `from` is for `seen_at` and for `over_at`.
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
  const ofCaller = callerFilter(query, isFindingOfCaller(db.dialect));
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
  const valuesOfPeriod = [tenant, from, to, ...ofCaller.values];
  const bookingCondition = about === undefined ? '' : 'where locator = ?';
  const bookingValues = about === undefined ? [] : [about];
  const sharedColumns =
    'operation_id, caller, plan, expires_at, decision, decided_at, assurance, approver, amount_minor, currency, direction';
  const recentQuestions = `select ${sharedColumns}, created_at as asked_at,
      coalesce(tool, ${text('body', ['tool'])}) as tool, ${text('body', ['locator'])} as locator
    from ${s}approval where ${inPeriod('created_at')} and ${QUESTION}`;
  const pastQuestions = `select ${sharedColumns}, asked_at, tool, locator from ${s}past_question
    where ${inPeriod('asked_at')}`;
  const sql = `select * from (${recentQuestions} union all ${pastQuestions}) as kept ${bookingCondition}
    order by asked_at, operation_id limit ${MOST_ROWS}`;
  // The period's values come twice, because each half of the union has its own `?`.
  const rows = await db.all(sql, ...valuesOfPeriod, ...valuesOfPeriod, ...bookingValues);
  return rows.map((row) => toFields(COLUMNS, row) as KeptQuestion);
}
