/**
 * Stores the bookings that each caller made or read. A row, `entry` in SQL, is one booking in the list of one caller.
 * After the class: the columns of an entry, then a search in SQL.
 */

import { normalized } from '../core/clean-text.ts';
import { DAY_MS, latestPossibleInstant } from '../core/times.ts';
import { isSameEntry } from '../domain/booking/booking-identity.ts';
import type {
  BookingSigns,
  DeskEntry,
  Found,
  LedgerEntry,
  LedgerQuery,
  LegQuery,
  RenewedLedger,
} from '../domain/booking/booking-ledger.ts';
import type { Caller } from '../domain/people/caller.ts';
import type { StoredCustomers } from './customers.ts';
import { type Database, insertParts, type SqlDialect, type Value, where } from './database.ts';
import { toDeskEntry } from './ledger-rows.ts';

/** How many characters of a text can be searched: an index entry on PostgreSQL has at most 2,700 bytes. */
const MOST_SEARCHED = 400;

/** How far ahead an airline sells at most, milliseconds. */
const FURTHEST_MS = 400 * DAY_MS;

/**
 * Both searches ask for one row more than the limit, so that `total` tells whether there are more. Their inner query,
 * `page`, finds the rows in an index, and the outer one reads only those.
 * They read from `beforeSending`, so that an error says that nothing was sent.
 */
export class StoredLedger implements RenewedLedger {
  readonly #db: Database;
  readonly #table: string;
  readonly #customers: StoredCustomers;

  constructor(db: Database, customers: StoredCustomers) {
    this.#db = db;
    this.#customers = customers;
    this.#table = `${db.dialect.prefix}booking`;
  }

  /** A newer reading replaces the one before; `madeHere` stays true. */
  async record({ tenant, id }: Caller, entry: LedgerEntry): Promise<void> {
    const { locator, madeHere, seenAt } = entry;
    const reading = { seen_at: seenAt, ...toReadingRow(entry) };
    const row = { tenant, caller: id, locator, made_here: madeHere ? 1 : 0, ...reading };
    const { columns, marks, values } = insertParts(row);
    const replacements = Object.keys(reading).map((column) => `${column} = excluded.${column}`);

    const sql = `insert into ${this.#table} as kept (${columns})
      select ${marks} where ${this.#db.dialect.mayBeLost}
      on conflict (tenant, caller, locator) do update set
      made_here = case when excluded.made_here = 1 then 1 else kept.made_here end,
      ${replacements.join()}`;
    await this.#db.writeThatMayBeLost(sql, ...values);
  }

  async renew(tenant: string, entry: LedgerEntry): Promise<void> {
    const { locator, seenAt } = entry;
    const ofBooking = 'where tenant = ? and locator = ? and seen_at <= ?';
    const lists = await this.#db.all(`select caller, body from ${this.#table} ${ofBooking}`, tenant, locator, seenAt);
    const callers = lists
      .filter(({ body }) => isSameEntry(JSON.parse(String(body)) as LedgerEntry, entry) !== false)
      .map(({ caller }) => String(caller));
    if (callers.length === 0) return;

    const row = toReadingRow(entry);
    const changes = Object.keys(row).map((column) => `${column} = ?`);
    const { elements, mayBeLost } = this.#db.dialect;
    const sql = `update ${this.#table} set ${changes.join()} ${ofBooking}
      and caller in (select value from ${elements}) and ${mayBeLost}`;
    const values = [...Object.values(row), tenant, locator, seenAt, JSON.stringify(callers)];
    await this.#db.writeThatMayBeLost(sql, ...values);
  }

  async find({ tenant, id }: Caller, query: LedgerQuery): Promise<Found<LedgerEntry>> {
    const { conditions, values, orderColumn, order, unindexed } = searchSql(this.#db.dialect, tenant, query);
    const page = `select locator, ${orderColumn} from ${this.#table}
      where ${['tenant = ?', 'caller = ?', ...conditions].join(' and ')}
      order by ${unindexed}${order}, locator limit ${query.limit + 1}`;

    const sql = `select entry.made_here, entry.body from (${page}) as page
      join ${this.#table} entry on entry.tenant = ? and entry.caller = ? and entry.locator = page.locator
      order by page.${order}, page.locator`;

    const pageValues = [tenant, id, ...values];
    const rows = await this.#db.beforeSending.all(sql, ...pageValues, tenant, id);

    const entries = rows.slice(0, query.limit).map(({ made_here, body }) => {
      return { ...(JSON.parse(String(body)) as LedgerEntry), madeHere: Number(made_here) === 1 };
    });

    return this.#withCustomers(tenant, query, { entries, total: rows.length });
  }

  async findOfTenant(tenant: string, query: LedgerQuery): Promise<Found<DeskEntry>> {
    const { conditions, values, orderColumn, order, unindexed } = searchSql(this.#db.dialect, tenant, query);

    // The caller whose entry of the booking is the newest.
    const lastReader = `select newest.caller from ${this.#table} newest
      where newest.tenant = entry.tenant and newest.locator = entry.locator
      order by newest.seen_at desc, newest.caller desc limit 1`;

    // Of the callers who made the booking here, the one whose entry is the oldest.
    const maker = `select made.caller from ${this.#table} made
      where made.tenant = entry.tenant and made.locator = entry.locator and made.made_here = 1
      order by made.seen_at limit 1`;

    const page = `select tenant, caller, locator, ${orderColumn} from ${this.#table} entry
      where ${[`${unindexed}tenant = ?`, ...conditions, `caller = (${lastReader})`].join(' and ')}
      order by ${unindexed}${order}, locator limit ${query.limit + 1}`;

    const sql = `select entry.caller, entry.body, (${maker}) as made_by from (${page}) as page
      join ${this.#table} entry
        on entry.tenant = page.tenant and entry.caller = page.caller and entry.locator = page.locator
      order by page.${order}, page.locator`;

    const rows = await this.#db.beforeSending.all(sql, tenant, ...values);
    const entries: readonly DeskEntry[] = rows.slice(0, query.limit).map(toDeskEntry);
    return this.#withCustomers(tenant, query, { entries, total: rows.length });
  }

  setCustomer(caller: Caller, entry: LedgerEntry, customer: string): Promise<void> {
    return this.#customers.set(caller, entry, customer);
  }

  async customerOf(tenant: string, signs: BookingSigns): Promise<string | undefined> {
    const unknown: BookingSigns & Pick<LedgerEntry, 'customer'> = signs;
    return (await this.#customers.withCustomers(tenant, [unknown], this.#db.beforeSending))[0]?.customer;
  }

  keepCustomer(operationId: string, entry: LedgerEntry): Promise<void> {
    return this.#customers.keep(operationId, entry);
  }

  /** Adds the customers. A search for one leaves out a booking that only has a locator which that customer's had. */
  async #withCustomers<E extends LedgerEntry>(
    tenant: string,
    { customer }: LedgerQuery,
    found: Found<E>,
  ): Promise<Found<E>> {
    const all = await this.#customers.withCustomers(tenant, found.entries);
    const entries = customer === undefined ? all : all.filter((entry) => entry.customer === customer);
    return { entries, total: found.total - (all.length - entries.length) };
  }
}

/** The columns that each reading renews. */
function toReadingRow(entry: LedgerEntry): Readonly<Record<string, Value>> {
  const { state, nextDeadline, payBy, namesUntil, travelers = [] } = entry;
  return {
    state,
    deadline_at: instantOrNull(nextDeadline?.at),
    pay_by_at: instantOrNull(payBy),
    names_until_at: instantOrNull(namesUntil),
    over_at: overAt(entry),
    search: searchText(entry),
    people: searchable(travelers.join('\n')),
    body: JSON.stringify({ ...entry, customer: undefined }),
  };
}

function searchText({ locator, contactName, route }: LedgerEntry): string {
  return searchable([locator, contactName ?? '', route ?? ''].join('\n')).slice(0, MOST_SEARCHED);
}

/**
 * Folds a text for searching: lower case without diacritics, so that `koln` finds `Köln`, and without U+0000, which
 * PostgreSQL cannot store.
 */
function searchable(text: string): string {
  return normalized(text, 'NFKD')
    .replace(/[\p{M}\0]/gu, '')
    .toLowerCase();
}

/** A time as milliseconds since 1970. Null if it is absent or invalid. */
function instantOrNull(time: string | undefined): number | null {
  const at = Date.parse(time ?? '');
  return Number.isNaN(at) ? null : at;
}

/** The last departure, milliseconds since 1970. If none is known, when the booking was seen. */
function overAt({ departs, lastDeparts = departs, seenAt }: LedgerEntry): number {
  return Math.min(latestPossibleInstant(lastDeparts) ?? seenAt, seenAt + FURTHEST_MS);
}

/** A search in SQL, without the condition of whose bookings are meant. */
interface SearchSql {
  readonly conditions: readonly string[];
  /** Values of the conditions, in their order. */
  readonly values: readonly Value[];
  /** The column that orders the answer. */
  readonly orderColumn: 'seen_at' | 'deadline_at';
  /** That column and its direction: `seen_at desc`. */
  readonly order: string;
  /**
   * `+` on SQLite if locators or a customer are given, else empty. It precedes columns, as in `+seen_at`, so that SQLite uses the
   * index of locators. It would otherwise read all bookings in the order of the answer.
   */
  readonly unindexed: string;
}

function searchSql(
  dialect: SqlDialect,
  tenant: string,
  { query, customer, state, deadlineAfter, deadlineBefore, locators, leg }: LedgerQuery,
): SearchSql {
  const textPart = query === undefined ? undefined : searchable(query.trim());
  const [conditions, values] = where([
    [`${dialect.position}(search || '\n' || people, ?) > 0`, textPart],
    ['state = ?', state],
    ['deadline_at > ?', deadlineAfter],
    ['deadline_at < ?', deadlineBefore],
    [`locator in (select value from ${dialect.elements})`, locators && JSON.stringify(locators)],
  ]);

  const [legConditions, legValues] = legSql(dialect, leg);
  const keyed = `locator in (select locator from ${dialect.prefix}customer where tenant = ? and key = ?)`;
  const isByDeadline = deadlineAfter !== undefined;

  return {
    conditions: [...conditions, ...legConditions, ...(customer === undefined ? [] : [keyed])],
    values: [...values, ...legValues, ...(customer === undefined ? [] : [tenant, customer])],
    orderColumn: isByDeadline ? 'deadline_at' : 'seen_at',
    order: isByDeadline ? 'deadline_at' : 'seen_at desc',
    unindexed: locators === undefined && customer === undefined ? '' : dialect.unindexed,
  };
}

/**
 * SQL: the conditions of a booking with one leg that has both the day and the train, and their values. A leg's time is
 * local, so bookings that ended up to a day earlier are searched too.
 */
function legSql({ elementsIn, position, text }: SqlDialect, leg: LegQuery | undefined): [string[], Value[]] {
  if (leg === undefined) return [[], []];

  const legs = text('body', ['legs']);
  const day = `substr(coalesce(${text('value', ['day'])}, ${text('value', ['departs'])}), 1, 10)`;
  const [conditions, values] = where([
    [`${day} >= ?`, leg.from],
    [`${day} <= ?`, leg.to],
    [`${position}(${text('value', ['train'])}, ?) > 0`, leg.train],
  ]);

  const fittingLegs = `select 1 from ${elementsIn(legs)} where ${conditions.join(' and ')}`;

  const earliestEnd = leg.from === undefined ? undefined : Date.parse(`${leg.from}T00:00:00Z`) - DAY_MS;
  const [endConditions, endValues] = where([['over_at >= ?', earliestEnd]]);

  return [
    [...endConditions, `(${legs} is null or exists (${fittingLegs}))`],
    [...endValues, ...values],
  ];
}
