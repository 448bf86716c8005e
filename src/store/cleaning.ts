/**
 * Removes rows that are no longer needed, in small pieces, so that the state does not grow without end. First when it
 * does so, then how. cleaning-rules.ts has the rules.
 */

import { setTimeout as pause } from 'node:timers/promises';
import { HOUR_MS, MINUTE_MS } from '../core/times.ts';
import { type LedgerEntry, pastEntry } from '../domain/booking/booking-ledger.ts';
import {
  type CleaningRule,
  hourlyRules,
  isOver,
  KEEP_PERSONAL_MS,
  KEEP_QUESTIONS_MS,
  offerRule,
  rulesOfNames,
} from './cleaning-rules.ts';
import type { StoredCustomers } from './customers.ts';
import {
  ask,
  type Database,
  finish,
  OPEN,
  type Row,
  type Statement,
  type Transaction,
  type Value,
} from './database.ts';
import { questionColumns } from './ledger-rows.ts';
import { QUESTION } from './tables.ts';

/** How many rows one statement changes. */
const PIECE = 200;
/** The pause between two pieces, milliseconds, in which calls and other processes run. */
const PAUSE_MS = 5;
/** When the first cleaning starts after the state was opened, milliseconds. */
const FIRST_MS = 2_000;

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
    for (const rule of rulesOfNames(this.#db.dialect, this.#now())) await this.#applyRule(rule).catch(() => undefined);

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

    for (const rule of hourlyRules(this.#db.dialect, this.#now())) await this.#applyRule(rule);
    this.#alsoHourly();
  }

  async #cleanEachMinute(): Promise<void> {
    await this.#blankNames();
    await this.#applyRule(offerRule(this.#now()));
  }

  async #blankNames(): Promise<void> {
    for (const rule of rulesOfNames(this.#db.dialect, this.#now())) await this.#applyRule(rule);
  }

  /**
   * Moves what figures need of old questions to a separate table, where it stays as long as the journal. A question
   * stays where it is while its operation is open, because its caller still asks for the outcome.
   */
  #archiveQuestions(): Promise<void> {
    const { dialect } = this.#db;
    const { prefix: s, elements } = dialect;
    const columns = { ...questionColumns(dialect), tenant: 'tenant', asked_by: 'asked_by' };

    const find = `select operation_id from ${s}approval
      where ${isOver(s)} and ${QUESTION}
      limit ${PIECE}`;

    const enter = `insert into ${s}past_question(${Object.keys(columns).join()})
      select ${Object.values(columns).join()} from ${s}approval
      where operation_id in (select value from ${elements})
      on conflict (operation_id) do nothing`;

    const remove = `delete from ${s}approval
      where operation_id in (select value from ${elements})`;

    return this.#move([find, this.#now() - KEEP_QUESTIONS_MS], (rows) => {
      const ids = JSON.stringify(rows.map(({ operation_id: id }) => id));
      return [
        [enter, ids],
        [remove, ids],
      ];
    });
  }

  /** Moves what figures need of old bookings to a separate table, where it stays as long as the journal. */
  #archiveBookings(): Promise<void> {
    const { prefix: s } = this.#db.dialect;
    const find = `select tenant, caller, locator, made_here, seen_at, state, pay_by_at, over_at, body from ${s}booking
      where over_at < ?
      limit ${PIECE}`;

    // The booking may be there already, if it was read again after it was over.
    const enter = `insert into ${s}past_booking as kept
        (tenant, caller, locator, made_here, seen_at, state, pay_by_at, over_at, body)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?)
      on conflict (tenant, caller, locator) do update set
        made_here = case when excluded.made_here = 1 then 1 else kept.made_here end,
        seen_at = excluded.seen_at,
        state = excluded.state,
        pay_by_at = excluded.pay_by_at,
        over_at = excluded.over_at,
        body = excluded.body`;

    const remove = `delete from ${s}booking
      where tenant = ? and caller = ? and locator = ?`;

    return this.#move([find, this.#now() - KEEP_PERSONAL_MS], (rows) =>
      rows.flatMap((row): Statement[] => {
        const key = [row.tenant, row.caller, row.locator] as Value[];
        const kept = [row.made_here, row.seen_at, row.state, row.pay_by_at, row.over_at] as Value[];
        const past = JSON.stringify(pastEntry(JSON.parse(String(row.body)) as LedgerEntry));

        return [
          [enter, ...key, ...kept, past],
          [remove, ...key],
        ];
      }),
    );
  }

  /**
   * Moves rows piece by piece, each in one transaction. Looks first, as for a rule.
   * @param find finds a piece of the rows
   * @param move the statements that enter and remove these rows
   */
  async #move([find, ...values]: Statement, move: (rows: readonly Row[]) => readonly Statement[]): Promise<void> {
    const { forUpdate } = this.#db.dialect;

    const steps = function* (): Transaction<number> {
      const [rows = []] = yield* ask([`${find} ${forUpdate}`, ...values]);
      yield* finish(...move(rows));
      return rows.length;
    };

    while ((await this.#db.get(find, ...values)) !== undefined) {
      const moved = await this.#db.transact(steps, { turn: 'cleaning' });
      if (moved < PIECE) return;
      await pause(PAUSE_MS);
    }
  }

  /**
   * Applies a rule piece by piece. Looks first, because a write on SQLite waits for the lock even if it changes
   * nothing.
   */
  async #applyRule({ table, key, set, condition, before, piece = PIECE }: CleaningRule): Promise<void> {
    const { prefix: s, limitedRows } = this.#db.dialect;
    const find = `select 1 from ${s}${table} where ${condition} limit 1`;
    const change = set === undefined ? `delete from ${s}${table}` : `update ${s}${table} set ${set}`;
    const changePiece = `${change} where ${limitedRows(`${s}${table}`, key, condition, piece)}`;

    while ((await this.#db.get(find, before)) !== undefined) {
      const changed = await this.#db.write(changePiece, before);
      if (changed < piece) return;
      await pause(PAUSE_MS);
    }
  }
}
