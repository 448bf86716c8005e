/** Reads the rows of which questions in SQL are answered (ledger/views.ts): what a caller, or the whole tenant, did in a period. */
import type { DeskEntry } from '../domain/booking/booking-ledger.ts';
import { asksForCounts } from '../ledger/call-counter.ts';
import type { KeptQuestion, LedgerReader, LedgerRows, LedgerRowsQuery } from '../ledger/ports.ts';
import { LEDGERS } from './activity.ts';
import { airlineHours, failureCounts } from './call-records.ts';
import { type Columns, type Database, OPEN, type Row, toFields } from './database.ts';
import { toOperation } from './journal/hash-chain.ts';
import { QUESTION } from './tables.ts';
import { toFinding } from './watching.ts';

/** More rows than a desk makes in a year. */
const MOST_ROWS = 200_000;

export class StoredLedgerRows implements LedgerReader {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async rows(query: LedgerRowsQuery): Promise<LedgerRows> {
    const db = this.#db.aside(query.caller === undefined ? 'desk_reports' : 'reports');
    db.catchUp();
    const [operations, bookings, findings, questions] = [
      await operationRows(db, query),
      await bookingRows(db, query),
      await findingRows(db, query),
      await questionRows(db, query),
    ];
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

/** Those of the period, and older ones that are still open. */
async function operationRows(db: Database, { tenant, caller, from, to }: LedgerRowsQuery) {
  const { prefix: s } = db.dialect;
  const ofCaller = caller === undefined ? [] : [caller];
  const whose = `tenant = ? ${caller === undefined ? '' : 'and caller = ?'}`;
  const sql = `select * from ${s}operation where ${whose} and created_at >= ? and created_at < ?
    union all select * from ${s}operation where ${OPEN} and ${whose} and created_at < ? order by created_at, id limit ${MOST_ROWS}`;
  const rows = await db.all(sql, tenant, ...ofCaller, from, to, tenant, ...ofCaller, from);
  return rows.map(toOperation);
}

/**
 * Each booking once, as it was read last by whomever: those that were seen in the period, or depart in it or later. Who
 * made it is the one who read it first of those who made it here.
 */
async function bookingRows(db: Database, { tenant, caller, from }: LedgerRowsQuery): Promise<LedgerRows['bookings']> {
  const { prefix: s, unindexed } = db.dialect;
  const columns = 'tenant, caller, locator, made_here, seen_at';
  const all = (condition: string, also: (table: string) => string = () => '') =>
    LEDGERS.map((table) => `select ${columns}${also(table)} from ${s}${table} r where ${condition}`).join(
      ' union all ',
    );
  const wanted = ['r.tenant = ?', ...(caller === undefined ? [] : ['r.caller = ?'])];
  const values = LEDGERS.flatMap(() => [...[tenant, ...(caller === undefined ? [] : [caller])], ...[from, from]]);
  const ofBooking = all(`${unindexed}r.tenant = b.tenant and r.locator = b.locator`);
  const also = (table: string) => `, body, ${table === 'booking' ? 0 : 1} as past`;
  const sql = `select b.*, (select m.caller from (${ofBooking}) m where m.made_here = 1 order by m.seen_at limit 1) as made_by
    from (${all([...wanted, '(r.seen_at >= ? or r.over_at >= ?)'].join(' and '), also)}) b
    order by b.locator, b.seen_at desc, b.caller desc, b.past limit ${MOST_ROWS}`;
  const rows = await db.all(sql, ...values);
  // The first row of each booking is the newest.
  return rows.filter(({ locator }, i) => locator !== rows[i - 1]?.locator).map(toDeskEntry);
}

function toDeskEntry({ caller, body, past, made_by: madeBy }: Row): LedgerRows['bookings'][number] {
  const entry = JSON.parse(String(body)) as DeskEntry;
  const made = madeBy === null ? { madeHere: false } : { madeHere: true, madeBy: String(madeBy) };
  return { ...entry, ...made, readBy: String(caller), isPast: Number(past) === 1 || undefined };
}

/** Of a caller those of bookings that the caller made or read. */
async function findingRows(db: Database, { tenant, caller, from, to }: LedgerRowsQuery) {
  const { prefix: s } = db.dialect;
  const knows = LEDGERS.map(
    (table) =>
      `exists (select 1 from ${s}${table} b where b.tenant = f.tenant and b.caller = c.id and b.locator = f.locator)`,
  );
  const ofCaller = `and exists (select 1 from (select ? as id) c where ${knows.join(' or ')})`;
  const sql = `select f.* from ${s}finding f where f.tenant = ? and f.seen_at < ? and (f.seen_at >= ? or f.closed_at is null)
    ${caller === undefined ? '' : ofCaller} order by f.seen_at, f.id limit ${MOST_ROWS}`;
  const rows = await db.all(sql, tenant, to, from, ...(caller === undefined ? [] : [caller]));
  return rows.map(toFinding);
}

type KeptColumns = Omit<KeptQuestion, 'assurance' | 'direction'>;

const COLUMNS: Columns<KeptColumns & { assurance: string; direction: string }> = {
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

/** Steps of plans that the plan's question decides are no questions of their own. */
async function questionRows(
  db: Database,
  { tenant, caller, from, to }: LedgerRowsQuery,
  about?: string,
): Promise<KeptQuestion[]> {
  const { prefix: s, text } = db.dialect;
  const ofCaller = caller === undefined ? [] : [caller];
  const whose = (asked: string) =>
    `tenant = ? and ${asked} >= ? and ${asked} < ? ${caller === undefined ? '' : 'and caller = ?'}`;
  const same =
    'operation_id, caller, plan, expires_at, decision, decided_at, assurance, approver, amount_minor, currency, direction';
  const asked = `select ${same}, created_at as asked_at,
      coalesce(tool, ${text('body', ['tool'])}) as tool, ${text('body', ['locator'])} as locator
    from ${s}approval where ${whose('created_at')} and ${QUESTION}`;
  const past = `select ${same}, asked_at, tool, locator from ${s}past_question where ${whose('asked_at')}`;
  const ofBooking = about === undefined ? '' : 'where locator = ?';
  const sql = `select * from (${asked} union all ${past}) as q ${ofBooking} order by asked_at, operation_id limit ${MOST_ROWS}`;
  const values = [tenant, from, to, ...ofCaller];
  return (await db.all(sql, ...values, ...values, ...(about === undefined ? [] : [about]))).map(
    (row) => toFields(COLUMNS, row) as KeptQuestion,
  );
}
