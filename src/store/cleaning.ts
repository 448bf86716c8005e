/** Removes rows that are no longer needed, in small pieces, so that the state does not grow without end. */

import { setTimeout as pause } from 'node:timers/promises';
import { TRIES_MS } from '../access/booking-access.ts';
import { KEEP_NAMES_MS } from '../approvals/expiry.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../core/times.ts';
import { type LedgerEntry, pastEntry } from '../domain/booking/booking-ledger.ts';
import { LOCATOR_OF_CLAIM } from './access.ts';
import type { StoredCustomers } from './customers.ts';
import {
  ask,
  type Database,
  finish,
  OPEN,
  type Row,
  type SqlDialect,
  type Statement,
  type Transaction,
  type Value,
} from './database.ts';
import { questionColumns } from './ledger-rows.ts';
import { OFFER_LIFE_MS } from './offers.ts';
import { QUESTION } from './tables.ts';

/** How long its caller can find an expired question, without names and documents, milliseconds. */
const KEEP_QUESTIONS_MS = 7 * DAY_MS;
/** How long an event is kept, milliseconds. */
const KEEP_EVENTS_MS = 7 * DAY_MS;
/** How long an event is kept that an address has not received, milliseconds. */
const KEEP_UNDELIVERED_MS = 30 * DAY_MS;
/** How long a booking stays listed with names after the last departure, milliseconds. */
const KEEP_PERSONAL_MS = 30 * DAY_MS;

/** How long counts of failed calls, and of requests to the airline, are kept, milliseconds. */
const KEEP_COUNTS_MS = 30 * DAY_MS;

/** How many rows one statement changes. */
const PIECE = 200;
/** The same for offers: a page of them is large. */
const OFFERS_PIECE = 50;
/** The pause between two pieces, milliseconds, in which calls and other processes run. */
const PAUSE_MS = 5;
/** When the first cleaning starts after the state was opened, milliseconds. */
const FIRST_MS = 2_000;

/** Which rows of a table are no longer needed, and what to do with them. */
interface CleaningRule {
  readonly table: string;
  /** The columns of its primary key, with commas. */
  readonly key: string;
  /** SQL that sets columns of the rows. Default: the rows are deleted. */
  readonly set?: string;
  /** SQL with one `?`, for `before`. */
  readonly condition: string;
  /** Milliseconds since 1970. */
  readonly before: number;
  /** How many rows one statement changes. Default: {@link PIECE}. */
  readonly piece?: number;
}

export class Cleaning {
  readonly #db: Database;
  readonly #customers: StoredCustomers;
  readonly #now: () => number;
  readonly #alsoHourly: () => void;
  /** The last cleaning that was begun. */
  #last: Promise<void> = Promise.resolve();

  constructor(
    { db, customers }: { readonly db: Database; readonly customers: StoredCustomers },
    now: () => number,
    alsoHourly = () => {},
  ) {
    this.#db = db.beforeSending;
    this.#customers = customers;
    this.#now = now;
    this.#alsoHourly = alsoHourly;
  }

  /** Blanks names now, and does the rest soon and then every minute or hour. Returns a function that stops it. */
  async start(): Promise<() => void> {
    for (const rule of this.#rulesOfNames()) await this.#applyRule(rule).catch(() => undefined);
    let hourlyAt = 0;
    let isRunning = false;

    const cleanWhatIsDue = async () => {
      if (isRunning) return;
      isRunning = true;

      try {
        if (this.#now() >= hourlyAt) {
          await this.clean();
          hourlyAt = this.#now() + HOUR_MS;
        } else {
          await this.#cleanEachMinute();
        }
      } catch {
        // Tries again in the next minute.
      }

      isRunning = false;
    };

    const first = setTimeout(cleanWhatIsDue, FIRST_MS);
    const timer = setInterval(cleanWhatIsDue, MINUTE_MS);

    first.unref();
    timer.unref();

    return () => {
      clearTimeout(first);
      clearInterval(timer);
    };
  }

  /** Removes everything that is due. Of two at once, the second begins once the first has ended. */
  clean(): Promise<void> {
    const all = this.#last.then(() => this.#cleanAll());
    this.#last = all.catch(() => {});
    return all;
  }

  async #cleanAll(): Promise<void> {
    await this.#cleanEachMinute();
    await this.#archiveQuestions();
    await this.#archiveBookings();

    await this.#customers.keepLeft(
      `not (${OPEN}) and (state <> 'succeeded' or updated_at < ${this.#now() - KEEP_PERSONAL_MS})`,
    );

    for (const rule of this.#hourlyRules()) await this.#applyRule(rule);
    this.#alsoHourly();
  }

  /** Blanks names, and removes offers, which are large. */
  async #cleanEachMinute(): Promise<void> {
    for (const rule of this.#rulesOfNames()) await this.#applyRule(rule);
    const before = this.#now() - OFFER_LIFE_MS;

    await this.#applyRule({
      table: 'offer',
      key: 'tenant, handle',
      condition: 'shown_at < ?',
      before,
      piece: OFFERS_PIECE,
    });
  }

  /** Rules of personal data, which must be gone a minute after its time. */
  #rulesOfNames(): readonly CleaningRule[] {
    const now = this.#now();
    const before = now - KEEP_NAMES_MS;

    return [
      {
        table: 'approval',
        key: 'handle_hash',
        set: 'carried = null, terms = null, void_lines = null',
        condition: 'expires_at < ? and (carried is not null or terms is not null)',
        before,
      },
      { table: 'plan', key: 'id', set: 'body = null', condition: 'expires_at < ? and body is not null', before },
      // Nobody was asked about it: it was a quote.
      {
        table: 'plan',
        key: 'id',
        set: 'body = null',
        condition: 'expires_at <= ? and body is not null and question is null',
        before: now,
      },
      { table: 'details', key: 'id_hash', condition: 'expires_at <= ?', before: now },
      // Cards of a process that died after it used their form.
      {
        table: 'card',
        key: 'id_hash, place',
        condition: `exists (select 1 from ${this.#db.dialect.prefix}details f
          where f.id_hash = card.id_hash and f.operation_id is not null and f.created_at <= ?)`,
        before: now,
      },
    ];
  }

  /**
   * Moves what figures need of old questions to a separate table, where it stays as long as the journal. A question
   * stays where it is while its operation is open, because its caller still asks for the outcome.
   */
  #archiveQuestions(): Promise<void> {
    const { dialect } = this.#db;
    const { prefix: s, elements, forUpdate } = dialect;
    const columns = { ...questionColumns(dialect), tenant: 'tenant', asked_by: 'asked_by' };
    const due = `select operation_id from ${s}approval where ${overQuestions(s)} and ${QUESTION} limit ${PIECE}`;
    const ofThem = `where operation_id in (select value from ${elements})`;
    const enter = `insert into ${s}past_question(${Object.keys(columns).join()})
      select ${Object.values(columns).join()} from ${s}approval ${ofThem} on conflict (operation_id) do nothing`;

    return this.#move([due, this.#now() - KEEP_QUESTIONS_MS], forUpdate, (rows) => {
      const ids = JSON.stringify(rows.map(({ operation_id: id }) => id));
      return [
        [enter, ids],
        [`delete from ${s}approval ${ofThem}`, ids],
      ];
    });
  }

  /** Moves what figures need of old bookings to a separate table, where it stays as long as the journal. */
  #archiveBookings(): Promise<void> {
    const { prefix: s, forUpdate } = this.#db.dialect;
    const columns = ['tenant', 'caller', 'locator', 'made_here', 'seen_at', 'state', 'pay_by_at', 'over_at'];
    const renewedColumns = ['seen_at', 'state', 'pay_by_at', 'over_at', 'body'];
    const due = `select ${columns.join()}, body from ${s}booking where over_at < ? limit ${PIECE}`;

    // The booking may be there already, if it was read again after it was over.
    const enter = `insert into ${s}past_booking as kept(${columns.join()}, body)
      values (${columns.map(() => '?').join()}, ?) on conflict (tenant, caller, locator) do update set
      made_here = case when excluded.made_here = 1 then 1 else kept.made_here end,
      ${renewedColumns.map((column) => `${column} = excluded.${column}`).join()}`;
    const remove = `delete from ${s}booking where tenant = ? and caller = ? and locator = ?`;

    return this.#move([due, this.#now() - KEEP_PERSONAL_MS], forUpdate, (rows) =>
      rows.flatMap((row): Statement[] => {
        const values = columns.map((column) => row[column] as Value);
        const past = JSON.stringify(pastEntry(JSON.parse(String(row.body)) as LedgerEntry));
        return [
          [enter, ...values, past],
          [remove, ...values.slice(0, 3)],
        ];
      }),
    );
  }

  /**
   * Moves rows piece by piece, each in one transaction. Looks first, as for a rule.
   * @param due finds a piece of the rows
   * @param move the statements that enter and remove these rows
   */
  async #move(
    [due, ...values]: Statement,
    forUpdate: string,
    move: (rows: readonly Row[]) => readonly Statement[],
  ): Promise<void> {
    const steps = function* (): Transaction<number> {
      const [rows = []] = yield* ask([`${due} ${forUpdate}`, ...values]);
      yield* finish(...move(rows));
      return rows.length;
    };

    while ((await this.#db.get(due, ...values)) !== undefined) {
      if ((await this.#db.transact(steps, { turn: 'cleaning' })) < PIECE) return;
      await pause(PAUSE_MS);
    }
  }

  /** Rules that run every hour. A claim stays while the ledger has its booking. */
  #hourlyRules(): readonly CleaningRule[] {
    const { prefix: s } = this.#db.dialect;
    const now = this.#now();
    const claimed = `select 1 from ${s}booking b
      where b.tenant = claim.tenant and b.caller = claim.caller and b.locator = ${LOCATOR_OF_CLAIM.replaceAll('locator', 'claim.locator')}`;
    const undelivered = `select 1 from ${s}delivery d where d.n = outbox.n and d.state <> 'delivered'`;

    const inLedger = (of: string) =>
      `select 1 from ${s}booking b where b.tenant = ${of}.tenant and b.locator = ${of}.locator`;
    const inPast = `select 1 from ${s}past_booking b where b.tenant = customer.tenant and b.locator = customer.locator`;

    return [
      {
        table: 'approval',
        key: 'handle_hash',
        condition: `${overQuestions(s)} and not ${QUESTION}`,
        before: now - KEEP_QUESTIONS_MS,
      },
      { table: 'plan', key: 'id', condition: 'expires_at < ?', before: now - KEEP_QUESTIONS_MS },
      {
        table: 'claim',
        key: 'tenant, caller, locator',
        condition: `at < ? and not exists (${claimed})`,
        before: now - KEEP_PERSONAL_MS,
      },
      {
        table: 'outbox',
        key: 'n',
        condition: `at < ? and (at < ${now - KEEP_UNDELIVERED_MS} or not exists (${undelivered}))`,
        before: now - KEEP_EVENTS_MS,
      },
      {
        table: 'finding',
        key: 'id',
        set: "closed_at = departs_at, closed_by = 'departed'",
        condition: 'closed_at is null and departs_at <= ?',
        before: now,
      },
      // Findings without a departure, whose bookings are over.
      {
        table: 'finding',
        key: 'id',
        set: "closed_at = seen_at, closed_by = 'departed'",
        condition: `closed_at is null and departs_at is null and seen_at < ? and not exists (${inLedger('finding')})`,
        before: now - KEEP_PERSONAL_MS,
      },
      // One that is just read, or wanted for the first time, may not be in the ledger yet: its row there is written a little later.
      {
        table: 'watch',
        key: 'tenant, locator',
        condition: `read_at <= ? and (read_at > 0 or coalesce(next_at, 0) <= ${now - HOUR_MS}) and not exists (${inLedger('watch')})`,
        before: now - HOUR_MS,
      },
      // People of holds that are paid, lapsed or forgotten. One that was just made may not be in the ledger yet.
      {
        table: 'operation',
        key: 'id',
        set: 'asked = null',
        condition: `asked is not null and updated_at < ? and not (${OPEN}) and ${isHeld(this.#db.dialect, now)} = 0`,
        before: now - HOUR_MS,
      },
      // Why customers cancelled, once nobody's list has the booking.
      {
        table: 'operation',
        key: 'id',
        set: 'reason = null',
        condition: `reason is not null and updated_at < ? and not (${OPEN}) and not exists (${inLedger('operation')})`,
        before: now - HOUR_MS,
      },
      // Keys of bookings that no list has any more, not even that of past ones.
      {
        table: 'customer',
        key: 'tenant, locator, booking',
        condition: `at < ? and not exists (${inLedger('customer')}) and not exists (${inPast})`,
        before: now - KEEP_PERSONAL_MS,
      },
      {
        table: 'failure',
        key: 'tenant, caller, tool, code, hour',
        condition: 'hour < ?',
        before: now - KEEP_COUNTS_MS,
      },
      { table: 'claim_try', key: 'id', condition: 'at < ?', before: now - TRIES_MS },
      // Leases of killed programs.
      { table: 'lease', key: 'name', condition: 'lease_until < ?', before: now - HOUR_MS },
      { table: 'ticket_key', key: 'hash', condition: 'expires_at < ?', before: now },
    ];
  }

  /**
   * Applies a rule piece by piece. Looks first, because a write on SQLite waits for the lock even if it changes
   * nothing.
   */
  async #applyRule({ table, key, set, condition, before, piece = PIECE }: CleaningRule): Promise<void> {
    const name = `${this.#db.dialect.prefix}${table}`;
    const rows = this.#db.dialect.limitedRows(name, key, condition, piece);
    const sql = set === undefined ? `delete from ${name} where ${rows}` : `update ${name} set ${set} where ${rows}`;
    const due = `select 1 from ${name} where ${condition} limit 1`;

    while ((await this.#db.get(due, before)) !== undefined) {
      if ((await this.#db.write(sql, before)) < piece) return;
      await pause(PAUSE_MS);
    }
  }
}

/**
 * SQL: 1 if the last reading of an operation's booking shows a hold that can still be paid, and nobody has paid it. A
 * locator has few rows.
 */
function isHeld({ prefix: s, unindexed }: Pick<SqlDialect, 'prefix' | 'unindexed'>, now: number): string {
  return `coalesce((
    select case when b.state in ('held', 'unknown', 'partly_cancelled') and coalesce(b.pay_by_at, ${now}) >= ${now}
      and not exists (select 1 from ${s}operation p where p.tenant = b.tenant and p.locator = b.locator
        and p.state = 'succeeded' and p.direction = 'payment') then 1 else 0 end
    from ${s}booking b where b.locator = operation.locator and ${unindexed}b.tenant = operation.tenant
    order by b.seen_at desc limit 1), 0)`;
}

/** SQL: the condition of questions and steps of plans that expired before a time (`?`) and have no open operation. */
function overQuestions(s: string): string {
  return `expires_at < ?
  and not exists (select 1 from ${s}operation o where o.id = operation_id and o.${OPEN})`;
}
