/** What the airline remembers, in memory or one SQLite file that several processes can share; and its clock. */
import { closeSync, constants, openSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';

const SCHEMA_VERSION = 6;
const SCHEMA = `
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE bookings (
  locator TEXT PRIMARY KEY, operator_locator TEXT NOT NULL UNIQUE, record TEXT NOT NULL) STRICT;
CREATE TABLE claims (
  number TEXT NOT NULL, service_date TEXT NOT NULL, leg INTEGER NOT NULL, coach TEXT NOT NULL, seat TEXT NOT NULL,
  cabin TEXT NOT NULL, locator TEXT NOT NULL, segment TEXT NOT NULL, traveler TEXT NOT NULL, expires INTEGER,
  PRIMARY KEY (number, service_date, leg, coach, seat)) STRICT;
CREATE INDEX claims_of_booking ON claims (locator);
CREATE TABLE ledger (
  seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, event TEXT NOT NULL, locator TEXT NOT NULL,
  minor INTEGER, currency TEXT, about TEXT NOT NULL, message TEXT) STRICT;
CREATE TABLE sessions (
  id TEXT PRIMARY KEY, refresh_token TEXT NOT NULL, refresh_until INTEGER NOT NULL) STRICT;
CREATE TABLE access_tokens (token TEXT PRIMARY KEY, until INTEGER NOT NULL) STRICT;
CREATE TABLE faults (
  id INTEGER PRIMARY KEY, message TEXT NOT NULL, name TEXT NOT NULL, times INTEGER NOT NULL) STRICT;
CREATE TABLE runs (
  number TEXT NOT NULL, service_date TEXT NOT NULL, change TEXT NOT NULL, PRIMARY KEY (number, service_date)) STRICT;
CREATE INDEX ledger_of_message ON ledger (message);
`;
const BUSY_WAIT_MS = 10_000;
/** How many times to try to change a new file to the write-ahead log. */
const MOST_TRIES = 20;
/** SQLite's result code for a file that another process locks. */
const SQLITE_BUSY = 5;
/** Opens or creates a file, but follows no link. Windows has no such flag. */
const OPEN_FLAGS = constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);

export class CarrierState {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  #isOpen = true;

  /** Opens or makes the file, readable by its owner only. */
  constructor(file: string) {
    if (file !== ':memory:') closeSync(openSync(file, OPEN_FLAGS, 0o600));
    this.#db = new DatabaseSync(file, { timeout: BUSY_WAIT_MS });
    this.#writeAhead();
    this.#db.exec('PRAGMA synchronous = NORMAL;');
    this.change(() => this.#prepareSchema());
  }

  /**
   * Changes the file to the write-ahead log. SQLite does not wait here for another process that does the same, so that
   * an empty transaction waits instead.
   */
  #writeAhead(): void {
    for (let attempt = 1; ; attempt++) {
      try {
        this.#db.exec('PRAGMA journal_mode = WAL');
        return;
      } catch (error) {
        const isBusy = error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
        if (!isBusy || attempt === MOST_TRIES) throw error;
        this.change(() => undefined);
      }
    }
  }

  #prepareSchema(): void {
    const version = Number(this.#db.prepare('PRAGMA user_version').get()?.user_version);
    if (version === SCHEMA_VERSION) return;
    if (version !== 0) throw new Error(`The sandbox state is of another version (${version}): remove it.`);
    this.#db.exec(`${SCHEMA} PRAGMA user_version = ${SCHEMA_VERSION};`);
  }

  #prepare(sql: string): StatementSync {
    const cached = this.#statements.get(sql);
    if (cached !== undefined) return cached;
    const statement = this.#db.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  /** Returns the rows of a query. The caller names their type: the tables are STRICT. */
  rows<Row = Record<string, unknown>>(sql: string, ...values: SQLInputValue[]): readonly Row[] {
    return this.#prepare(sql).all(...values) as Row[];
  }

  row(sql: string, ...values: SQLInputValue[]): Record<string, unknown> | undefined {
    return this.#prepare(sql).get(...values);
  }

  /** Returns how many rows changed. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#prepare(sql).run(...values).changes);
  }

  /** Runs `work` in one write transaction, and undoes all of it if `work` throws. */
  change<T>(work: () => T): T {
    return this.#within('BEGIN IMMEDIATE', work);
  }

  /** Runs `work` on one unchanging view of the state. */
  view<T>(work: () => T): T {
    return this.#within('BEGIN', work);
  }

  #within<T>(begin: string, work: () => T): T {
    this.#db.exec(begin);

    try {
      const result = work();
      this.#db.exec('COMMIT');
      return result;
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw error;
    }
  }

  meta(name: string): string | undefined {
    const value = this.row('SELECT value FROM meta WHERE name = ?', name)?.value;
    return typeof value === 'string' ? value : undefined;
  }

  setMeta(name: string, value: string): void {
    this.run('INSERT INTO meta VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value', name, value);
  }

  /** Returns the next number of a series, from 1. Only within {@link change}. */
  next(series: string): number {
    const number = Number(this.meta(series) ?? '0') + 1;
    this.setMeta(series, String(number));
    return number;
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#statements.clear();
    this.#db.close();
  }
}

/** Opens the state of an airline that another process runs, and closes it after use. */
export function inStateFile<T>(stateFile: string, use: (state: CarrierState) => T): T {
  const state = new CarrierState(stateFile);
  try {
    return use(state);
  } finally {
    state.close();
  }
}

const CLOCK_OFFSET = 'clock_offset_ms';

/** The airline's clock: the system clock plus an offset stored in the state, which restarts and processes share. */
export class Clock {
  readonly #state: CarrierState;
  readonly #system: () => number;

  constructor(state: CarrierState, system: () => number) {
    this.#state = state;
    this.#system = system;
  }

  /** ms epoch. */
  now(): number {
    return this.#system() + this.#offset();
  }

  /** Sets the clock to `at` (ms epoch); it runs on from there. */
  set(at: number): void {
    this.#state.setMeta(CLOCK_OFFSET, String(at - this.#system()));
  }

  advance(ms: number): void {
    this.#state.change(() => this.#state.setMeta(CLOCK_OFFSET, String(this.#offset() + ms)));
  }

  #offset(): number {
    return Number(this.#state.meta(CLOCK_OFFSET) ?? '0');
  }
}
