/** Reads what a caller or the whole tenant did in a period: the rows for questions in SQL (ledger/views.ts). */
import type { DeskEntry } from '../domain/booking/booking-ledger.ts';
import type { Finding } from '../domain/booking/finding.ts';
import type {
  KeptQuestion,
  LedgerOperation,
  LedgerReader,
  LedgerRows,
  LedgerRowsQuery,
  LedgerSource,
  OperationField,
} from '../ledger/ports.ts';
import { failureCounts } from './call-records.ts';
import type { StoredCustomers } from './customers.ts';
import { type Columns, type Database, OPEN, type Row, type SqlDialect, toFields, type Value } from './database.ts';
import { OPERATION_COLUMNS } from './journal/hash-chain.ts';
import { LEDGERS, QUESTION } from './tables.ts';
import { toFinding } from './watching.ts';

export const NO_LEDGER_ROWS: LedgerRows = {
  operations: [],
  sales: [],
  makings: [],
  bookings: [],
  findings: [],
  questions: [],
  failures: [],
};

/** How many operations a question reads that names no first day: all views begin at the month from which there are not more. */
const MOST_OPERATIONS = 100_000;

/** More rows of counts than thirty days have. */
const MOST_COUNTS = 1_000_000;

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

/** The rows of a state that was opened only to read them. */
export interface OpenRows {
  readonly rows: StoredLedgerRows;
  close(): Promise<void>;
}

export class StoredLedgerRows implements LedgerReader {
  readonly #db: Database;
  readonly #customers: StoredCustomers;

  constructor(db: Database, customers: StoredCustomers) {
    this.#db = db;
    this.#customers = customers;
  }

  #dbFor({ caller }: LedgerRowsQuery): Database {
    return this.#db.withConnectionsFor(caller === undefined ? 'desk_questions' : 'questions');
  }

  async reach(query: LedgerRowsQuery): Promise<number> {
    const { months, from, to } = query;
    if (months === undefined) return from;

    const db = this.#dbFor(query);
    const { sql, values } = operationsOf(db, query, 'created_at');

    // The newest operation that is one too many.
    const [beyond] = await db.all(
      `${sql} and created_at >= ? order by created_at desc limit 1 offset ${MOST_OPERATIONS}`,
      ...values,
      to,
      months[0] ?? from,
    );
    const first = beyond === undefined ? months[0] : months.find((month) => month > Number(beyond.created_at));
    return first ?? months.at(-1) ?? from;
  }

  async *batches(query: LedgerRowsQuery, source: LedgerSource): AsyncGenerator<LedgerRows> {
    const db = this.#dbFor(query);

    switch (source.each) {
      case 'operations':
        yield* operationBatches(db, query, source);
        return;
      case 'bookings':
        yield* this.#bookingBatches(db, query, source);
        return;
      case 'findings':
        yield* findingBatches(db, query, source);
        return;
      case 'questions':
        for await (const questions of questionPages(db, query)) yield { ...NO_LEDGER_ROWS, questions };
        return;
      case 'failures':
        if (query.caller !== undefined) return;
        yield { ...NO_LEDGER_ROWS, failures: await failureCounts(db, query, MOST_COUNTS) };
    }
  }

  async *#bookingBatches(db: Database, query: LedgerRowsQuery, { beside }: LedgerSource): AsyncGenerator<LedgerRows> {
    const operations = beside.has('operations') ? await openOperations(db, query) : [];

    for await (const page of bookingPages(db, query)) {
      const bookings = await this.#customers.withCustomers(query.tenant, page, db);
      const locators = bookings.map(({ locator }) => locator);
      const makings = beside.has('makings') ? await makingsOf(db, query.tenant, bookings) : [];
      const sales = beside.has('sales') ? await salesOf(db, query.tenant, locators) : [];
      yield { ...NO_LEDGER_ROWS, bookings, operations, makings, sales };
    }
  }

  async questionsAbout(tenant: string, locator: string): Promise<readonly KeptQuestion[]> {
    return keptQuestions(this.#db, 'and tenant = ?', [tenant], { sql: 'where locator = ?', values: [locator] });
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

/** Two columns that order the rows of a query: a time, or a locator alone, and a key. */
type OrderedBy = readonly [time: string, key: string];

async function* operationBatches(
  db: Database,
  query: LedgerRowsQuery,
  { beside, fields }: LedgerSource,
): AsyncGenerator<LedgerRows> {
  for await (const operations of operationPages(db, query, fields)) {
    const ids = operations.map(({ id }) => id);
    const questions = beside.has('questions') ? await questionsOf(db, query, ids) : [];
    const sales = beside.has('sales') ? await salesOf(db, query.tenant, ofSoldTrips(operations)) : [];
    yield { ...NO_LEDGER_ROWS, operations, questions, sales };
  }
}

async function* findingBatches(
  db: Database,
  query: LedgerRowsQuery,
  { beside }: LedgerSource,
): AsyncGenerator<LedgerRows> {
  for await (const findings of findingPages(db, query)) {
    const locators = [...new Set(findings.map(({ locator }) => locator))];
    const bookings = beside.has('bookings') ? await bookingsNamed(db, query, locators) : [];
    yield { ...NO_LEDGER_ROWS, findings, bookings };
  }
}

/**
 * Reads a query page by page, each after the last row of the page before: nothing stays open between two of them. Each page begins
 * at the time of that row: with `from` as a second bound, SQLite would read all rows since `from` again for each page.
 * `sql`: a select whose conditions come last.
 */
async function* pages(
  db: Database,
  { sql, values }: { readonly sql: string; readonly values: readonly Value[] },
  [time, key]: OrderedBy,
  from: number,
): AsyncGenerator<readonly Row[]> {
  let after: readonly Value[] = [from];

  for (;;) {
    const beyond = after.length === 1 ? '' : `and (${time} > ? or ${key} > ?)`;
    const page = await db.all(
      `${sql} and ${time} >= ? ${beyond} order by ${time}, ${key} limit ${db.dialect.batchRows}`,
      ...values,
      ...after,
    );
    if (page.length > 0) yield page;

    const last = page.at(-1);
    if (last === undefined || page.length < db.dialect.batchRows) return;
    after = [Number(last[time]), Number(last[time]), String(last[key])];
  }
}

/** The columns of an operation, without its amount, which has two. */
const VIEWED_COLUMNS: Columns<Omit<LedgerOperation, 'amount'>> = { ...OPERATION_COLUMNS, reason: ['reason', 'text'] };

/** What pages are ordered by, and what tells which operations are not settled: read for every statement. */
const ALWAYS_READ: readonly OperationField[] = ['id', 'state', 'createdAt'];

/** What is read of operations: their JSON columns are most of their bytes, and few statements need them. */
interface OperationReading {
  /** SQL of the columns. */
  readonly columns: string;
  toOperation(row: Row): LedgerOperation;
}

/** @param fields default: all */
function readingOf(fields?: LedgerSource['fields']): OperationReading {
  const isRead = (field: OperationField) => fields === undefined || ALWAYS_READ.includes(field) || fields.has(field);
  const entries = Object.entries(VIEWED_COLUMNS).filter(([field]) => isRead(field as OperationField));
  const read = Object.fromEntries(entries) as typeof VIEWED_COLUMNS;

  return {
    columns: [...entries.map(([, [column]]) => column), 'amount_minor', 'currency'].join(', '),
    toOperation(row) {
      const { amount_minor: minor, currency } = row;
      const amount = minor === null ? undefined : { minor: Number(minor), currency: String(currency) };
      return Object.assign(toFields(read, row), { amount }) as LedgerOperation;
    },
  };
}

/** The operations of the period, and older ones that are still open. */
async function* operationPages(
  db: Database,
  query: LedgerRowsQuery,
  fields: LedgerSource['fields'],
): AsyncGenerator<LedgerRows['operations']> {
  const { tenant, from, to } = query;
  const { prefix: s, unindexed } = db.dialect;
  const ofCaller = callerFilter(query, 'caller = ?');
  const order: OrderedBy = ['created_at', 'id'];
  const { columns, toOperation } = readingOf(fields);
  const operations = `select ${columns} from ${s}operation`;

  // By the tenant SQLite would read its whole journal: open ones have an index of their own.
  const openSql = `${operations} where ${OPEN} and created_at < ? and ${unindexed}tenant = ? ${ofCaller.sql}`;
  for await (const page of pages(db, { sql: openSql, values: [from, tenant, ...ofCaller.values] }, order, 0))
    yield page.map(toOperation);

  const { sql, values } = operationsOf(db, query, columns);
  for await (const page of pages(db, { sql, values: [...values, to] }, order, from)) yield page.map(toOperation);
}

/** SQL and values of a select of the caller's or the whole desk's operations. Its last condition is of the time until when. */
function operationsOf({ dialect }: Database, query: LedgerRowsQuery, columns: string) {
  const ofCaller = callerFilter(query, 'caller = ?');
  // For the whole desk SQLite must find the rows by their time: by the tenant it would read its whole journal.
  const ofTenant = query.caller === undefined ? `${dialect.unindexed}tenant = ?` : 'tenant = ?';
  const sql = `select ${columns} from ${dialect.prefix}operation where ${ofTenant} ${ofCaller.sql} and created_at < ?`;
  return { sql, values: [query.tenant, ...ofCaller.values] };
}

/** What a refund, a change or a booking needs of the payment of its trip. */
const SALE = readingOf(new Set(['locator', 'outcome', 'facts']));

/** The locators of those operations that move money and are no payment of a booking themselves. */
function ofSoldTrips(operations: LedgerRows['operations']): readonly string[] {
  const ofMoney = operations.filter(
    ({ direction, facts }) => direction !== undefined && facts?.paymentType === undefined,
  );
  return [...new Set(ofMoney.flatMap((operation) => operation.locator ?? []))];
}

/** The payments of these bookings, the oldest first, whoever made them. */
async function salesOf(db: Database, tenant: string, locators: readonly string[]) {
  const { prefix: s, elements, text, unindexed } = db.dialect;
  if (locators.length === 0) return [];

  const sql = `select ${SALE.columns} from ${s}operation
    where ${unindexed}state = 'succeeded' and tenant = ? and locator in (select value from ${elements})
      and ${text('facts', ['paymentType'])} is not null
    order by created_at, id`;
  const rows = await db.all(sql, tenant, JSON.stringify(locators));
  return rows.map(SALE.toOperation);
}

/** All open operations until the end of the period: they are few. */
async function openOperations(db: Database, query: LedgerRowsQuery): Promise<LedgerRows['operations']> {
  const ofCaller = callerFilter(query, 'caller = ?');
  const { columns, toOperation } = readingOf();
  const sql = `select ${columns} from ${db.dialect.prefix}operation
    where ${OPEN} and created_at < ? and ${db.dialect.unindexed}tenant = ? ${ofCaller.sql} order by created_at, id`;
  const rows = await db.all(sql, query.to, query.tenant, ...ofCaller.values);
  return rows.map(toOperation);
}

/**
 * The bookings that were seen in the period, or depart in it or later: each once, as it was last read by any caller, in
 * the order of their locators.
 */
async function* bookingPages(db: Database, query: LedgerRowsQuery): AsyncGenerator<LedgerRows['bookings']> {
  const { unindexed } = db.dialect;
  // For the whole desk SQLite must go along the locators: by the tenant it would sort all bookings for each page.
  const tenantColumn = query.caller === undefined ? unindexed : '';
  let last = '';

  for (;;) {
    const condition = `and ${tenantColumn}kept.tenant = ? and kept.locator > ?`;
    const rows = await bookingEntries(db, query, { sql: condition, values: [query.tenant, last] });
    if (rows.length > 0) yield newestOfEach(rows).map(toDeskEntry);
    if (rows.length < db.dialect.batchRows) return;
    // The newest entry of the last booking comes first: further entries of it are not needed.
    last = String(rows.at(-1)?.locator);
  }
}

/** What a booking needs of the operation that made it. */
const MAKING = readingOf(new Set(['locator', 'outcome']));

/** The operations that made these bookings here, where the airline has not said when. Only they have a fingerprint. */
async function makingsOf(db: Database, tenant: string, bookings: LedgerRows['bookings']) {
  const undated = bookings.filter(({ createdAt, madeHere }) => createdAt === undefined && madeHere);
  if (undated.length === 0) return [];
  const sql = `select ${MAKING.columns} from ${db.dialect.prefix}operation
    where tenant = ? and locator in (select value from ${db.dialect.elements}) and ${db.dialect.unindexed}fingerprint is not null and state = 'succeeded'
    order by created_at, id`;
  const rows = await db.all(sql, tenant, JSON.stringify(undated.map(({ locator }) => locator)));
  return rows.map(MAKING.toOperation);
}

/** The bookings of the period that are among these locators. */
async function bookingsNamed(db: Database, query: LedgerRowsQuery, locators: readonly string[]) {
  const list = `select value from ${db.dialect.elements}`;
  const sql = `and kept.tenant = ? and kept.locator in (${list})`;
  const rows = await bookingEntries(db, query, { sql, values: [query.tenant, JSON.stringify(locators)] }, '');
  return newestOfEach(rows).map(toDeskEntry);
}

/**
 * Entries of bookings in the period, by locator, the newest first.
 *
 * A booking has an entry for each caller who read it, in one of two tables ({@link LEDGERS}): of present bookings, or
 * of `past` ones, which are long over. The SQL reads both tables alike.
 */
async function bookingEntries(
  db: Database,
  query: LedgerRowsQuery,
  condition: RowFilter,
  limit = `limit ${db.dialect.batchRows}`,
): Promise<readonly Row[]> {
  const { from } = query;
  const { prefix: s, unindexed } = db.dialect;
  const columns = 'tenant, caller, locator, made_here, seen_at';
  const ofCaller = callerFilter(query, 'kept.caller = ?');

  // Each table gives its first entries, so that it stops reading there.
  const entries = LEDGERS.map(
    (table) => `select * from (select ${columns}, body, ${table === 'booking' ? 0 : 1} as past from ${s}${table} kept
      where (kept.seen_at >= ? or kept.over_at >= ?) ${condition.sql} ${ofCaller.sql}
      order by kept.locator, kept.seen_at desc, kept.caller desc ${limit}) ${table}_entries`,
  ).join(' union all ');

  // All entries of the booking of one `entry`, whoever has them and whenever they were seen.
  const sameBooking = LEDGERS.map(
    (table) => `select ${columns} from ${s}${table} kept
      where ${unindexed}kept.tenant = entry.tenant and kept.locator = entry.locator`,
  ).join(' union all ');

  // Of the callers who made the booking here, the one who saw it first.
  const maker = `select made.caller from (${sameBooking}) made where made.made_here = 1 order by made.seen_at limit 1`;
  const sql = `select entry.*, (${maker}) as made_by from (${entries}) entry
    order by entry.locator, entry.seen_at desc, entry.caller desc, entry.past ${limit}`;

  // The same values for each table. `from` is for `seen_at` and for `over_at`.
  const values = LEDGERS.flatMap(() => [from, from, ...condition.values, ...ofCaller.values]);
  return db.all(sql, ...values);
}

/** The first row of each booking, which is the newest. */
function newestOfEach(rows: readonly Row[]): readonly Row[] {
  return rows.filter(({ locator }, i) => locator !== rows[i - 1]?.locator);
}

export function toDeskEntry({ caller, body, past, made_by: madeBy }: Row): LedgerRows['bookings'][number] {
  const entry = JSON.parse(String(body)) as DeskEntry;
  const made = madeBy === null ? { madeHere: false } : { madeHere: true, madeBy: String(madeBy) };
  return { ...entry, ...made, readBy: String(caller), isPast: Number(past) === 1 || undefined };
}

/**
 * The findings of the period, and older open ones. For one caller only those of bookings that the caller made or read.
 */
async function* findingPages(db: Database, query: LedgerRowsQuery): AsyncGenerator<readonly Finding[]> {
  const { tenant, from, to } = query;
  const ofCaller = callerFilter(query, isFindingOfCaller(db.dialect));
  const order: OrderedBy = ['seen_at', 'id'];

  const findings = `select f.* from ${db.dialect.prefix}finding f where f.tenant = ? and f.seen_at < ?`;
  const openSql = `${findings} and f.closed_at is null ${ofCaller.sql}`;
  const open = { sql: openSql, values: [tenant, from, ...ofCaller.values] };
  const ofPeriod = { sql: `${findings} ${ofCaller.sql}`, values: [tenant, to, ...ofCaller.values] };
  for await (const page of pages(db, open, order, 0)) yield page.map(toFinding);
  for await (const page of pages(db, ofPeriod, order, from)) yield page.map(toFinding);
}

/** SQL: the condition of findings `f` of bookings in the ledger of one caller, which is its one value ({@link isAbout}). */
function isFindingOfCaller({ prefix: s, text }: SqlDialect): string {
  const [of, made] = [text('f.body', ['bookedAt']), text('b.body', ['createdAt'])];
  const isInLedger = LEDGERS.map(
    (
      table,
    ) => `exists (select 1 from ${s}${table} b where b.tenant = f.tenant and b.caller = c.id and b.locator = f.locator
      and coalesce(${of} = ${made}, true))`,
  );
  return `exists (select 1 from (select ? as id) c where ${isInLedger.join(' or ')})`;
}

/** SQL of each column of a question, over its row in `approval`. A past question has columns of these names. */
export function questionColumns({ text }: Pick<SqlDialect, 'text'>): Readonly<Record<string, string>> {
  const unchanged = [
    'operation_id',
    'caller',
    'plan',
    'expires_at',
    'decision',
    'decided_at',
    'assurance',
    'approver',
    'amount_minor',
    'currency',
    'direction',
  ];

  return {
    ...Object.fromEntries(unchanged.map((column) => [column, column])),
    asked_at: 'created_at',
    tool: `coalesce(tool, ${text('body', ['tool'])})`,
    locator: text('body', ['locator']),
  };
}

/** Questions of the last weeks. Leaves out steps of plans that the plan's question decides. @param more further columns */
export function recentQuestions(dialect: SqlDialect, ...more: readonly string[]): string {
  const columns = Object.entries(questionColumns(dialect)).map(([column, sql]) => `${sql} as ${column}`);
  return `select ${[...columns, ...more].join(', ')} from ${dialect.prefix}approval where ${QUESTION}`;
}

export const pastQuestions = (dialect: SqlDialect, ...more: readonly string[]) =>
  `select ${[...Object.keys(questionColumns(dialect)), ...more].join(', ')} from ${dialect.prefix}past_question where true`;

export const toQuestion = (row: Row) => toFields(COLUMNS, row) as KeptQuestion;

/** The questions of the period: first those long over, in the order of time, then those of the last weeks, in any. */
async function* questionPages(db: Database, query: LedgerRowsQuery): AsyncGenerator<readonly KeptQuestion[]> {
  const { tenant, from, to } = query;
  const { dialect } = db;
  const ofCaller = callerFilter(query, 'caller = ?');

  const pastSql = `${pastQuestions(dialect)} and tenant = ? and asked_at < ? ${ofCaller.sql}`;
  const values = [tenant, to, ...ofCaller.values];
  const past = pages(db, { sql: pastSql, values }, ['asked_at', 'operation_id'], from);
  for await (const page of past) yield page.map(toQuestion);

  const recentSql = `${recentQuestions(dialect)} and ${dialect.unindexed}tenant = ? and created_at < ? ${ofCaller.sql}
    and created_at >= ? and operation_id > ? order by operation_id limit ${db.dialect.batchRows}`;
  let last = '';

  for (;;) {
    const page = await db.all(recentSql, ...values, from, last);
    if (page.length > 0) yield page.map(toQuestion);
    if (page.length < db.dialect.batchRows) return;
    last = String(page.at(-1)?.operation_id);
  }
}

/** The questions of these operations, whenever they were asked. */
async function questionsOf(db: Database, query: LedgerRowsQuery, ids: readonly string[]) {
  const { dialect } = db;
  const ofCaller = callerFilter(query, 'caller = ?');
  const condition = `and operation_id in (select value from ${dialect.elements})
    and ${dialect.unindexed}tenant = ? ${ofCaller.sql}`;
  return keptQuestions(db, condition, [JSON.stringify(ids), query.tenant, ...ofCaller.values]);
}

/**
 * Few questions, from both of their tables, the oldest first.
 * @param condition of each table
 * @param filter of the rows of both
 */
async function keptQuestions(
  db: Database,
  condition: string,
  values: readonly string[],
  filter: { readonly sql: string; readonly values: readonly string[] } = { sql: '', values: [] },
) {
  const halves = [pastQuestions(db.dialect), recentQuestions(db.dialect)].map((half) => `${half} ${condition}`);
  const sql = `select * from (${halves.join(' union all ')}) as kept ${filter.sql} order by asked_at, operation_id`;
  // The values come twice, because each half of the union has its own `?`.
  return (await db.all(sql, ...values, ...values, ...filter.values)).map(toQuestion);
}
