/**
 * One SQLite file, opened so that several processes can share it: write-ahead log, full sync, waiting for locks, every
 * write in one immediate transaction.
 */
import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { ClerkError } from '../../errors.ts';
import { inWords, sqliteCode } from './errors.ts';
import { META, MIGRATIONS, SCHEMA_VERSION } from './schema.ts';

export type Row = Record<string, SQLOutputValue>;
export type Value = SQLInputValue;

/** How long after a write the log is emptied, milliseconds; after light ones, which erase nothing. */
const EMPTY_AFTER_MS = 1_000;
const EMPTY_LATER_MS = 10_000;

export class SqliteDatabase {
  readonly #db: DatabaseSync;
  readonly #busyMs: number;
  readonly #statements = new Map<string, StatementSync>();
  #emptying: NodeJS.Timeout | undefined;
  #emptyAt = Number.POSITIVE_INFINITY;
  #emptyAfterMs = EMPTY_AFTER_MS;
  /** Writes what was put off (light-writes.ts), for a reading that goes by it. Throws where that cannot be done. */
  catchUp: () => void = () => undefined;

  constructor(db: DatabaseSync, busyMs: number) {
    this.#db = db;
    this.#busyMs = busyMs;
  }

  get(sql: string, ...values: Value[]): Row | undefined {
    return worded(() => this.#prepared(sql).get(...values));
  }

  all(sql: string, ...values: Value[]): Row[] {
    return worded(() => this.#prepared(sql).all(...values));
  }

  rows(sql: string, ...values: Value[]): Iterable<Row> {
    return this.#prepared(sql).iterate(...values);
  }

  /** Returns the number of rows changed. */
  run(sql: string, ...values: Value[]): number {
    this.#emptyLogIn(this.#emptyAfterMs);
    return worded(() => Number(this.#prepared(sql).run(...values).changes));
  }

  exec(sql: string): void {
    this.#db.exec(sql);
  }

  /** All or nothing. `undo` inside it takes everything back and is its result. */
  transaction<T>(work: (undo: (result: T) => never) => T): T {
    worded(() => this.exec('begin immediate'));
    try {
      const result = work((value) => {
        throw new Undone(value);
      });
      this.exec('commit');
      return result;
    } catch (error) {
      if (this.#db.isTransaction) this.exec('rollback');
      if (error instanceof Undone) return error.result as T;
      throw inWords(error);
    }
  }

  /**
   * Writes that a power failure may undo until the next durable one: at once there for every process, and after its
   * death, but not forced to the disk. For what can be had again, or what means nothing without the write that follows.
   */
  lightly<T>(work: () => T): T {
    this.exec('pragma synchronous = normal');
    this.#emptyAfterMs = EMPTY_LATER_MS;
    try {
      return work();
    } finally {
      this.#emptyAfterMs = EMPTY_AFTER_MS;
      this.exec('pragma synchronous = full');
    }
  }

  close(): void {
    clearTimeout(this.#emptying);
    this.#statements.clear();
    if (this.#db.isOpen) this.#db.close();
  }

  /** What was erased lies in the write-ahead log until the log is emptied: personal data must not wait for the end. */
  #emptyLogIn(ms: number): void {
    const at = performance.now() + ms;
    if (at >= this.#emptyAt) return;
    clearTimeout(this.#emptying);
    this.#emptyAt = at;
    this.#emptying = setTimeout(() => {
      this.#emptyAt = Number.POSITIVE_INFINITY;
      if (!this.#emptyLog()) this.#emptyLogIn(EMPTY_AFTER_MS);
    }, ms).unref();
  }

  /** False where another process, or a reading of our own, is in the way: nobody waits for it. */
  #emptyLog(): boolean {
    try {
      this.#db.exec('pragma busy_timeout = 0');
      return this.#db.prepare('pragma wal_checkpoint(truncate)').get()?.busy === 0;
    } catch {
      return false;
    } finally {
      this.#db.exec(`pragma busy_timeout = ${this.#busyMs}`);
    }
  }

  #prepared(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const fresh = this.#db.prepare(sql);
    this.#statements.set(sql, fresh);
    return fresh;
  }
}

function worded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw inWords(error);
  }
}

class Undone {
  readonly result: unknown;

  constructor(result: unknown) {
    this.result = result;
  }
}

export interface OpenOptions {
  /** How long a write waits for another process's, in milliseconds: 5000. */
  readonly busyMs?: number;
}

/** Opens or makes the file (mode 0600, its folder 0700) and brings its tables up to date. Throws E_CONFIG. */
export async function openDatabase(file: string, options: OpenOptions = {}): Promise<SqliteDatabase> {
  const { DatabaseSync } = await importSqlite();
  let db: SqliteDatabase | undefined;
  try {
    if (file !== ':memory:') makePrivate(file);
    const busyMs = options.busyMs ?? 5000;
    db = new SqliteDatabase(new DatabaseSync(file, { timeout: busyMs }), busyMs);
    await writeAhead(db);
    db.exec('pragma synchronous = full; pragma foreign_keys = on; pragma secure_delete = on');
    // SQLite's own figure: the log starts over instead of growing. Forcing a file that grows to the disk takes longer.
    db.exec('pragma wal_autocheckpoint = 1000');
    migrate(db, file);
    return db;
  } catch (error) {
    db?.close();
    if (!(error instanceof ClerkError)) throw unusable(file, error);
    throw error.code === 'E_CONFIG' ? error : unusable(file, error.cause);
  }
}

/** Node 22 and 24 warn that node:sqlite is experimental; what we use of it has been stable since 22.13. */
async function importSqlite(): Promise<typeof import('node:sqlite')> {
  const emit = process.emitWarning;
  const quiet = (warning: string | Error, ...rest: unknown[]) => {
    if (rest[0] === 'ExperimentalWarning' && String(warning).includes('SQLite')) return;
    Reflect.apply(emit, process, [warning, ...rest]);
  };
  process.emitWarning = quiet as typeof process.emitWarning;
  try {
    return await import('node:sqlite');
  } finally {
    process.emitWarning = emit;
  }
}

/** SQLite gives its side files (-wal, -shm) the mode of the file itself. */
function makePrivate(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
}

/** Changing to the write-ahead log does not wait for a lock by itself when several processes open a new file at once. */
async function writeAhead(db: SqliteDatabase): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      db.exec('pragma journal_mode = wal');
      return;
    } catch (error) {
      if (!isBusy(error) || tried === 20) throw error;
      await wait(25);
    }
  }
}

/** SQLITE_BUSY, the primary result code. */
function isBusy(error: unknown): boolean {
  return sqliteCode(error) === 5;
}

function migrate(db: SqliteDatabase, file: string): void {
  db.transaction(() => {
    db.exec(META);
    const version = Number(db.get("select value from meta where key = 'schema_version'")?.value ?? 0);
    if (version > SCHEMA_VERSION) throw fromNewer(file, version);
    for (const step of MIGRATIONS.slice(version)) db.exec(step);
    if (version < SCHEMA_VERSION) {
      db.run("insert or replace into meta(key, value) values('schema_version', ?)", String(SCHEMA_VERSION));
    }
  });
}

function fromNewer(file: string, version: number): ClerkError {
  return new ClerkError(
    'E_CONFIG',
    `The state file ${file} was written by a newer fareclerk (its version is ${version}, this program knows ${SCHEMA_VERSION}). It was not touched.`,
    { next: 'The operator installs the newer fareclerk, or sets FARECLERK_STATE_DIR to another folder.' },
  );
}

function unusable(file: string, cause: unknown): ClerkError {
  return new ClerkError('E_CONFIG', `The state file ${file} cannot be opened and written as a SQLite file.`, {
    next: 'The operator makes the folder writable, or sets FARECLERK_STATE_DIR to another one; fareclerk doctor shows more.',
    cause,
  });
}
