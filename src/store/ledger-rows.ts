/** Reads the rows of which questions in SQL are answered (ledger/views.ts): what a caller, or the whole tenant, did in a period. */
import type { DeskEntry } from '../domain/booking/booking-ledger.ts';
import type { Assurance } from '../journal/operation.ts';
import { asksForCounts } from '../ledger/call-counter.ts';
import type { KeptQuestion, LedgerReader, LedgerRows, LedgerRowsQuery } from '../ledger/ports.ts';
import { airlineHours, failureCounts } from './call-records.ts';
import { type Columns, type Database, OPEN, type Row, toFields, where } from './database.ts';
import { toOperation } from './journal/hash-chain.ts';
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

/** Each booking once, as it was read last by whomever: those that were seen in the period, or depart in it or later. */
async function bookingRows(db: Database, { tenant, caller, from }: LedgerRowsQuery) {
  const { prefix: s } = db.dialect;
  const [conditions, values] = where([
    ['b.tenant = ?', tenant],
    ['b.caller = ?', caller],
  ]);
  const ofBooking = (name: string) =>
    `select ${name}.caller from ${s}booking ${name} where ${name}.tenant = b.tenant and ${name}.locator = b.locator`;
  const newest = `b.caller = (${ofBooking('n')} order by n.seen_at desc, n.caller desc limit 1)`;
  const madeBy = `(${ofBooking('m')} and m.made_here = 1 order by m.seen_at limit 1) as made_by`;
  const once = caller === undefined ? [newest] : [];
  const sql = `select b.caller, b.body, ${madeBy} from ${s}booking b
    where ${[...conditions, ...once, '(b.seen_at >= ? or b.over_at >= ?)'].join(' and ')} order by b.locator limit ${MOST_ROWS}`;
  return (await db.all(sql, ...values, from, from)).map(toDeskEntry);
}

function toDeskEntry({ caller, body, made_by: madeBy }: Row): DeskEntry {
  const entry = JSON.parse(String(body)) as DeskEntry;
  const made = madeBy === null ? { madeHere: false } : { madeHere: true, madeBy: String(madeBy) };
  return { ...entry, ...made, readBy: String(caller) };
}

/** Of a caller those of bookings that the caller made or read. */
async function findingRows(db: Database, { tenant, caller, from, to }: LedgerRowsQuery) {
  const { prefix: s } = db.dialect;
  const ofCaller = `and exists (select 1 from ${s}booking b where b.tenant = f.tenant and b.caller = ? and b.locator = f.locator)`;
  const sql = `select f.* from ${s}finding f where f.tenant = ? and f.seen_at < ? and (f.seen_at >= ? or f.closed_at is null)
    ${caller === undefined ? '' : ofCaller} order by f.seen_at, f.id limit ${MOST_ROWS}`;
  const rows = await db.all(sql, tenant, to, from, ...(caller === undefined ? [] : [caller]));
  return rows.map(toFinding);
}

type KeptColumn = Omit<KeptQuestion, 'tool' | 'locator' | 'assurance'>;

const COLUMNS: Columns<
  Pick<KeptColumn, 'operationId' | 'caller' | 'plan' | 'expiresAt' | 'decision' | 'decidedAt' | 'approver'>
> = {
  operationId: ['operation_id', 'text'],
  caller: ['caller', 'text'],
  plan: ['plan', 'text'],
  expiresAt: ['expires_at', 'number'],
  decision: ['decision', 'text'],
  decidedAt: ['decided_at', 'number'],
  approver: ['approver', 'text'],
};

/** Steps of plans that the plan's question decides are no questions of their own. */
async function questionRows(db: Database, { tenant, caller, from, to }: LedgerRowsQuery): Promise<KeptQuestion[]> {
  const { prefix: s, text } = db.dialect;
  const [conditions, values] = where([
    ['tenant = ?', tenant],
    ['created_at >= ?', from],
    ['created_at < ?', to],
    ['caller = ?', caller],
  ]);
  const sql = `select operation_id, caller, plan, expires_at, created_at, decision, decided_at, approver, assurance,
      coalesce(tool, ${text('body', ['tool'])}) as tool, ${text('body', ['locator'])} as locator
    from ${s}approval where ${conditions.join(' and ')} and (plan is null or plan_alone = 1 or plan_line = 0)
    order by created_at, operation_id limit ${MOST_ROWS}`;
  return (await db.all(sql, ...values)).map((row): KeptQuestion => {
    const { created_at: askedAt, tool, locator, assurance } = row;
    return {
      ...(toFields(COLUMNS, row) as KeptColumn),
      askedAt: Number(askedAt),
      tool: String(tool),
      locator: locator === null ? undefined : String(locator),
      assurance: assurance === null ? undefined : (String(assurance) as Assurance),
    };
  });
}
