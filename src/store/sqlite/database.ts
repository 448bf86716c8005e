/**
 * Opens one SQLite file so that several processes can share it: with a write-ahead log, full sync and waits for locks,
 * and every write in one immediate transaction. In this order: the port to the file, how it is opened, its tables and
 * their migration, and copies of it.
 */
import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { ClerkError } from '../../core/errors.ts';
import { DAY_MS } from '../../core/times.ts';
import { assertOwn, openOwn, ownFolder } from '../../files/own-files.ts';
import type { Database, Row, Transaction, TransactOptions, Value } from '../database.ts';
import { sqliteEventTriggers } from '../event-triggers.ts';
import { forceFolder } from '../journal/second-record.ts';
import { migration } from '../migrations.ts';
import { assertSameAirline, checkVersion, ofThisUser, StateRefusal, type StoreName } from '../opening.ts';
import { assertAlone, earlierPrograms } from '../programs.ts';
import { SCHEMA_VERSION } from '../tables.ts';
import { inWords, isLocked, SQLITE_BUSY, sqliteCode } from './errors.ts';
import { DIALECT, META, SYNTAX, TABLES } from './schema.ts';

/** SQL: writes a row without meaning, to see whether writing works. */
const PROBE = "insert into meta(key, value) values ('probe', ?) on conflict do update set value = excluded.value";

/** How often `writeInBackground` tries while the file is locked. */
const BACKGROUND_TRIES = 40;
/** The pause between two tries, milliseconds. */
const BETWEEN_TRIES_MS = 25;

/** How long a write waits for another process by default, milliseconds. */
const BUSY_MS = 5_000;

/** Delay between a write and emptying the log, milliseconds. */
const EMPTY_AFTER_MS = 1_000;
/** Delay between a write that may be lost, which erases nothing, and emptying the log, milliseconds. */
const EMPTY_LATER_MS = 10_000;

/** How often changing to the write-ahead log is tried. */
const WAL_TRIES = 20;

/** The store's name in errors. It does not have the path, because a model may read these words. */
export const NAME: StoreName = {
  what: 'The state file',
  useAnother: 'sets FARECLERK_STATE_DIR to another folder; `fareclerk doctor` names the present file',
  moveAirline: 'docs/guides/running.md says how to write it into the file',
};

/** How long a copy is kept for a way back, milliseconds. It has names and documents. */
const KEEP_COPY_MS = 7 * DAY_MS;

export class SqliteDatabase implements Database {
  readonly dialect = DIALECT;
  readonly beforeSending: Database = this;
  readonly #db: DatabaseSync;
  readonly #busyMs: number;
  readonly #statements = new Map<string, StatementSync>();
  #emptying: NodeJS.Timeout | undefined;
  /** When the log is emptied next, by `performance.now()`. */
  #emptyAt = Number.POSITIVE_INFINITY;
  /** How soon after a write the log is emptied, milliseconds. `writesThatMayBeLost` changes it for its writes. */
  #emptyAfterMs = EMPTY_AFTER_MS;
  /** Receives how long a transaction waited for other processes, seconds. */
  waited: ((seconds: number) => void) | undefined;

  constructor(db: DatabaseSync, busyMs: number) {
    this.#db = db;
    this.#busyMs = busyMs;
  }

  withConnectionsFor(): Database {
    return this;
  }

  get(sql: string, ...values: Value[]): Row | undefined {
    return withOurErrors(() => this.#prepared(sql).get(...values));
  }

  getWithTimeout(sql: string, ...values: number[]): Row | undefined {
    return this.get(sql, ...values);
  }

  all(sql: string, ...values: Value[]): Row[] {
    return withOurErrors(() => this.#prepared(sql).all(...values));
  }

  write(sql: string, ...values: Value[]): number {
    const changes = withOurErrors(() => Number(this.#prepared(sql).run(...values).changes));
    this.#emptyLogIn(this.#emptyAfterMs);
    return changes;
  }

  writeThatMayBeLost(sql: string, ...values: Value[]): number {
    return this.writesThatMayBeLost(() => this.write(sql, ...values));
  }

  async writeInBackground(sql: string, ...values: Value[]): Promise<number> {
    for (let tried = 1; ; tried++) {
      try {
        return this.#atOnce(() => this.writeThatMayBeLost(sql, ...values));
      } catch (error) {
        if (!isLockedOut(error) || tried === BACKGROUND_TRIES) throw error;
      }
      await pause(BETWEEN_TRIES_MS);
    }
  }

  transact<T>(steps: () => Transaction<T>, { mayBeLost = false }: TransactOptions): T {
    const work = () => this.transaction(() => this.#runAll(steps()));
    const result = mayBeLost ? this.writesThatMayBeLost(work) : work();

    this.#emptyLogIn(mayBeLost ? EMPTY_LATER_MS : EMPTY_AFTER_MS);
    return result;
  }

  /** Runs the statements of a transaction one after the other. */
  #runAll<T>(steps: Transaction<T>): T {
    let next = steps.next([]);
    while (!next.done) next = steps.next(next.value.statements.map((statement) => this.all(...statement)));
    return next.value;
  }

  /** Runs work in one transaction, which locks the file from its beginning. */
  transaction<T>(work: () => T): T {
    const began = performance.now();
    withOurErrors(() => this.exec('begin immediate'));
    this.waited?.((performance.now() - began) / 1000);

    try {
      const result = work();
      this.exec('commit');
      return result;
    } catch (error) {
      if (this.#db.isTransaction) this.exec('rollback');
      throw inWords(error);
    }
  }

  /**
   * Runs writes that a power failure may undo until the next durable one: other processes see them at once, but they
   * are not forced to the disk. Use it for what can be read again, or has no effect without a later write.
   */
  writesThatMayBeLost<T>(work: () => T): T {
    this.exec('pragma synchronous = normal');
    this.#emptyAfterMs = EMPTY_LATER_MS;

    try {
      return work();
    } finally {
      this.#emptyAfterMs = EMPTY_AFTER_MS;
      this.exec('pragma synchronous = full');
    }
  }

  /** Runs work without waiting for a lock, because this process could do nothing else meanwhile. */
  #atOnce<T>(work: () => T): T {
    this.exec('pragma busy_timeout = 0');
    try {
      return work();
    } finally {
      this.exec(`pragma busy_timeout = ${this.#busyMs}`);
    }
  }

  /** Writes a few bytes. Another process that holds the lock shows that writing works. @throws ClerkError */
  assertWritable(): void {
    try {
      this.#atOnce(() => this.writeThatMayBeLost(PROBE, String(Date.now())));
    } catch (error) {
      if (!isLockedOut(error)) throw error;
    }
  }

  /** Empties the write-ahead log. Returns false, without waiting, if another process or a read of ours prevents it. */
  emptyLog(): boolean {
    try {
      return this.#atOnce(() => this.#db.prepare('pragma wal_checkpoint(truncate)').get()?.busy === 0);
    } catch {
      return false;
    }
  }

  /** Plans to empty the write-ahead log, which has erased personal data until then. */
  #emptyLogIn(ms: number): void {
    const at = performance.now() + ms;
    if (at >= this.#emptyAt) return;

    clearTimeout(this.#emptying);
    this.#emptyAt = at;

    this.#emptying = setTimeout(() => {
      this.#emptyAt = Number.POSITIVE_INFINITY;
      if (!this.emptyLog()) this.#emptyLogIn(EMPTY_AFTER_MS);
    }, ms).unref();
  }

  exec(sql: string): void {
    this.#db.exec(sql);
  }

  #prepared(sql: string): StatementSync {
    const earlier = this.#statements.get(sql);
    if (earlier !== undefined) return earlier;
    const statement = this.#db.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  close(): void {
    clearTimeout(this.#emptying);
    this.#statements.clear();
    if (this.#db.isOpen) this.#db.close();
  }
}

/** Whether a statement failed because another process has the file locked. */
function isLockedOut(error: unknown): boolean {
  return error instanceof ClerkError && isLocked(error.cause);
}

/** Runs work, and throws errors of SQLite as ClerkErrors. */
function withOurErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw inWords(error);
  }
}

export interface OpenOptions {
  /** How long a write waits for another process, milliseconds: 5000. */
  readonly busyMs?: number;
  /** Only reads, so that a state of an earlier version is refused. */
  readonly reads?: boolean;
  /** The airline and agency of the journal: a file of another one is refused. */
  readonly airline?: string;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Called when a state of this earlier version has become one of the present version. */
  readonly tookOver?: ((from: number) => void) | undefined;
}

/** Opens or makes the file (mode 0600, its folder 0700). Throws ClerkError E_CONFIG. */
export async function openDatabase(file: string, options: OpenOptions = {}): Promise<SqliteDatabase> {
  let db: SqliteDatabase | undefined;
  try {
    if (file !== ':memory:') makePrivate(file);
    const busyMs = options.busyMs ?? BUSY_MS;
    db = new SqliteDatabase(new DatabaseSync(file, { timeout: busyMs }), busyMs);
    writeAhead(db);
    db.exec('pragma synchronous = full; pragma foreign_keys = on; pragma secure_delete = on');

    // SQLite's own figure: the log starts over instead of growing. Forcing a file that grows to the disk takes longer.
    db.exec('pragma wal_autocheckpoint = 1000');
    makeTables(db, file, options);

    return db;
  } catch (error) {
    db?.close();
    if (!(error instanceof ClerkError)) throw unusable(error);
    throw error.code === 'E_CONFIG' ? error : unusable(error.cause);
  }
}

/** Makes the file and its folder private. Checks side files too, because SQLite trusts existing ones. */
function makePrivate(file: string): void {
  const setting = 'FARECLERK_STATE_DIR';
  const folder = ofThisUser('The state folder', setting, () => ownFolder(dirname(file)));
  const own = join(folder, basename(file));
  ofThisUser(NAME.what, setting, () => {
    closeSync(openOwn(own, 'append'));
    for (const side of ['-wal', '-shm', '-journal']) assertOwn(own + side);
  });
}

/**
 * Changes the file to the write-ahead log. SQLite does not wait for another process that does the same, so this waits
 * by a transaction.
 */
function writeAhead(db: SqliteDatabase): void {
  for (let tried = 1; ; tried++) {
    try {
      db.exec('pragma journal_mode = wal');
      return;
    } catch (error) {
      if (sqliteCode(error) !== SQLITE_BUSY || tried === WAL_TRIES) throw error;
      db.transaction(() => undefined);
    }
  }
}

/** Makes the tables if there are none. Migrates tables of an earlier version. */
function makeTables(db: SqliteDatabase, file: string, options: OpenOptions): void {
  const earlierVersion = db.transaction<number | undefined>(() => bringUpToDate(db, file, options));
  if (earlierVersion === undefined) return;
  // Keys of details forms, up to version 24.
  rmSync(`${file}.keys`, { recursive: true, force: true });
  options.tookOver?.(earlierVersion);
}

/** Returns the earlier version that the tables had. Undefined if they were of this version, or are new. */
function bringUpToDate(db: SqliteDatabase, file: string, options: OpenOptions): number | undefined {
  db.exec(META);
  const stored = db.get("select value from meta where key = 'schema_version'")?.value;
  if (stored === undefined) {
    db.exec(TABLES);
    db.write("insert into meta(key, value) values('schema_version', ?)", String(SCHEMA_VERSION));
    return undefined;
  }
  if (checkVersion(NAME, stored, options.reads) === 'current') return undefined;

  const version = Number(stored);
  migrate(db, file, version, options);

  return version;
}

/** Migrates the tables, in a transaction that locks the file: nobody writes between the copy and the change. */
function migrate(db: SqliteDatabase, file: string, version: number, { airline, now = Date.now }: OpenOptions): void {
  const stored = db.get("select value from meta where key = 'airline'")?.value;
  if (airline !== undefined && stored !== undefined) assertSameAirline(NAME, String(stored), airline);
  assertAlone(NAME, Number(db.get(`select ${earlierPrograms('', String(now()))} as n`)?.n));

  try {
    copyBeside(file, version);
  } catch (cause) {
    const next = 'The operator makes room on its disk, then starts this program again.';
    throw new StateRefusal(NAME.what, 'cannot be copied, which is done before its tables change.', next, { cause });
  }

  // A trigger of 0.3.0, which would keep the columns that it reads.
  db.exec(
    `drop trigger if exists question_moved_event;\n${migration(version, SYNTAX, String(now()))}\n${sqliteEventTriggers(DIALECT)}`,
  );
}

function unusable(cause: unknown): ClerkError {
  if (isLocked(cause)) {
    const next =
      'Try again in a minute: a newer fareclerk may be taking the file over. Then the operator ends what locks it; `fareclerk doctor` names the file.';
    return new StateRefusal(NAME.what, 'is locked by another program.', next, { cause });
  }

  return new StateRefusal(
    NAME.what,
    'cannot be opened and written as a SQLite file.',
    'The operator makes the folder writable, or sets FARECLERK_STATE_DIR to another one; `fareclerk doctor` names the file.',
    { cause },
  );
}

/**
 * Copies a state file before its tables change, for a way back: `fareclerk.sqlite.v17`. The copy is on the disk when
 * this returns. Replaces an older copy of the same version.
 * @throws Error
 */
function copyBeside(file: string, version: number): void {
  const copy = `${file}.v${version}`;
  const draft = `${copy}.part`;
  rmSync(draft, { force: true });
  closeSync(openSync(draft, 'wx', 0o600));

  try {
    copyInto(draft, file);
    renameSync(draft, copy);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }

  forceFolder(dirname(file));
}

/** Writes a copy of a state file into a draft, and forces it to the disk. */
function copyInto(draft: string, file: string): void {
  const source = new DatabaseSync(file, { readOnly: true });
  try {
    source.prepare('vacuum into ?').run(draft);
  } finally {
    source.close();
  }

  const fd = openSync(draft, 'r+');
  fsyncSync(fd);
  closeSync(fd);
}

/** Removes the copies of a state file that are old, or all, and nothing else that begins with its name. */
export function removeCopies(file: string, which: 'old' | 'all'): void {
  const folder = dirname(file);
  const prefix = `${basename(file)}.v`;
  const since = Date.now() - KEEP_COPY_MS;

  for (const name of readdirSync(folder)) {
    if (!name.startsWith(prefix) || !/^\d+(?:\.part)?$/.test(name.slice(prefix.length))) continue;
    const copy = join(folder, name);
    const madeAt = statSync(copy, { throwIfNoEntry: false })?.mtimeMs ?? since;
    if (which === 'all' || madeAt < since) rmSync(copy, { force: true });
  }
}
