/**
 * Who takes part in a journal: the machines that have second records of it ({@link RecordingMachines}), and the files
 * that say which journal is in a place ({@link JournalMarker}).
 *
 * The journal names each machine that sends. A machine passes these states:
 *
 * | state   | event                                                | next state                                       |
 * | ------- | ---------------------------------------------------- | ------------------------------------------------ |
 * | new     | it keeps up or sends, and the journal names nobody   | joined: it records the head of the journal       |
 * | new     | it keeps up or sends, and the journal names machines | waiting: the journal has since when; no send     |
 * | waiting | a named machine keeps up                             | waiting: that machine confirms                   |
 * | waiting | it keeps up or sends, and each named one confirmed   | joined                                           |
 * | waiting | five minutes pass                                    | waiting from now on: old confirmations end       |
 * | waiting | a person says on any machine that records are lost   | waiting from now on: the journal names nobody    |
 * | joined  | it sends the first time                              | sender: the journal names it                     |
 * | joined  | its process starts anew                              | joined; new if it has no disk for its records    |
 * | sender  | its process starts anew                              | sender: its first send confirms once more        |
 * | sender  | a person says elsewhere that records are lost        | sender: it is named again as it next keeps up    |
 *
 * While sending is held, no machine joins or confirms: links may be missing. A machine without a disk stays joined,
 * because the journal never names it.
 */
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, linkSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeOwn } from '../../files/own-files.ts';
import type { ChainStatus, Link } from '../../journal/ports.ts';
import type { Database, Row } from '../database.ts';
import type { SecondRecord } from './second-record.ts';

/**
 * Prefix of a sender's id among the keys of the table `meta`: the journal names this machine. The value is when the
 * machine last confirmed that its records fit, milliseconds since 1970.
 */
const SENDER = 'second_record ';
/** Prefix of the id of a machine that waits to join. The value is since when, milliseconds since 1970. */
const JOINING = 'joining ';
/** Prefix of the id of a process that has no disk for second records. */
const NO_DISK = 'no disk ';
/** A machine that waited this long to join asks again, milliseconds: a confirmation must not be old. */
const ASK_AGAIN_MS = 5 * 60_000;

/** A journal's id in a marker: a UUID. */
const JOURNAL_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The machines in the table `meta`. Times are milliseconds since 1970. */
interface Machines {
  /** When each machine that the journal names last confirmed. */
  readonly senders: ReadonlyMap<string, number>;
  /** Since when each machine without second records waits to join. */
  readonly joining: ReadonlyMap<string, number>;
}

/**
 * Decides whether this machine may send. The table at the top of this file has its states: `#hasRecords` is false while
 * it is new or waiting, and `#mustEnterName` is true until it is a sender.
 *
 * A machine without second records may be new, or may have lost them when an older copy was restored. It sends nothing
 * until each machine that the journal names has confirmed that its own records still fit, or a person says so.
 */
export class RecordingMachines {
  readonly #db: Database;
  readonly #record: SecondRecord;
  readonly #now: () => number;
  readonly #path: string;
  #knownId: string | undefined;
  /** Whether this process joined. Its second records are empty all the same if it has no disk for them. */
  #hasJoined = false;
  /** Whether this process has entered its machine in the journal as a sender. */
  #isSender = false;
  /** The number of the last head that this machine recorded. */
  #recordedHead = 0;

  /** @param path the file in the folder of second records that shows that this machine has some of this journal */
  constructor(db: Database, record: SecondRecord, path: string, now: () => number) {
    this.#db = db;
    this.#record = record;
    this.#now = now;
    this.#path = path;
  }

  /** Whether this machine is new or waiting, and may not join yet. */
  async mustWait(): Promise<boolean> {
    return !this.#hasRecords && !(await this.#request()).isConfirmed;
  }

  /** Asks to join, if this machine has no second records. Returns whether it has some or may join now. */
  async askToJoin(): Promise<boolean> {
    if (this.#hasRecords) return true;
    const { since, isWritten, isConfirmed } = await this.#request();
    if (!isConfirmed && !isWritten) await this.#putTime(JOINING, since);
    return isConfirmed;
  }

  /**
   * Joins if possible, confirms for machines that wait to join, and records how far the journal is. Call it only if a
   * comparison has just found no hold: the journal then has every link that these records have, which is what a
   * confirmation says.
   * @param head the head of the journal that was compared
   */
  async keepUp(head: Link): Promise<void> {
    if (!this.#hasRecords) {
      await this.#join(head);
      return;
    }
    if (head.n > this.#recordedHead) this.#record.recordIfPossible(head);
    this.#recordedHead = head.n;
    if (await this.#mustConfirm()) await this.#putTime(SENDER);
  }

  /**
   * Called before each send. False: this machine may not send.
   * @param compare compares the journal with these records
   */
  async beforeSend(compare: () => Promise<ChainStatus>): Promise<boolean> {
    if (this.#hasRecords && !this.#mustEnterName) return true;
    const { head, hold } = await compare();
    // Entering the name also confirms for other machines, which would be wrong while the journal lacks links.
    if (hold !== undefined) return false;
    if (!this.#hasRecords && !(await this.#join(head))) return false;
    if (!this.#mustEnterName) return true;
    await this.#putTime(SENDER);
    this.#isSender = true;
    return true;
  }

  /**
   * Removes all senders from the journal, so that the next machines join at once. Machines that wait to join ask from
   * now on, so that the first one that sends has confirmed for them, however soon it sends.
   */
  async forgetAll(): Promise<void> {
    await this.#db.run(`update ${this.#meta} set value = ? where key like '${JOINING}%'`, String(this.#now()));
    await this.#db.run(`delete from ${this.#meta} where key like '${SENDER}%'`);
    this.#isSender = false;
  }

  /** Whether this machine has second records, or joined without a disk for them. */
  get #hasRecords(): boolean {
    return this.#hasJoined || !this.#record.isEmpty;
  }

  /** Whether this process must enter its machine as a sender before it sends. One without a disk never does. */
  get #mustEnterName(): boolean {
    return !this.#isSender && !this.#id.startsWith(NO_DISK);
  }

  /** The id of this machine. A process without a disk has an id of its own. */
  get #id(): string {
    this.#knownId ??= machineIdIn(this.#path) ?? `${NO_DISK}${randomUUID()}`;
    return this.#knownId;
  }

  get #meta(): string {
    return `${this.#db.dialect.prefix}meta`;
  }

  /** Joins at this head if every named machine has confirmed. Returns whether it did. */
  async #join(head: Link): Promise<boolean> {
    if (!(await this.askToJoin())) return false;
    this.#hasJoined = true;
    this.#record.continueFrom(head);
    await this.#db.run(`delete from ${this.#meta} where key = ?`, JOINING + this.#id);
    return true;
  }

  /** Whether a machine waits for this one to confirm, or the journal no longer names this sender. */
  async #mustConfirm(): Promise<boolean> {
    const { senders, joining } = await this.#machines();
    const confirmedAt = senders.get(this.#id);
    // Another machine's `forgetAll` removed the name of a machine that goes on sending.
    if (confirmedAt === undefined) return this.#isSender;
    return [...joining.values()].some((since) => since >= confirmedAt);
  }

  /**
   * Since when this machine waits to join, whether the journal has that, and whether each machine that the journal names
   * has confirmed since.
   */
  async #request(): Promise<{ since: number; isWritten: boolean; isConfirmed: boolean }> {
    const { senders, joining } = await this.#machines();
    const now = this.#now();
    const askedAt = joining.get(this.#id) ?? Number.NEGATIVE_INFINITY;
    const isWritten = askedAt >= now - ASK_AGAIN_MS;
    const since = isWritten ? askedAt : now;
    return { since, isWritten, isConfirmed: [...senders.values()].every((confirmed) => confirmed > since) };
  }

  /** Stores a time of this machine under a prefix: {@link SENDER} or {@link JOINING}. */
  async #putTime(prefix: string, at = this.#now()): Promise<void> {
    const sql = `insert into ${this.#meta}(key, value) values (?, ?) on conflict (key) do update set value = excluded.value`;
    await this.#db.run(sql, prefix + this.#id, String(at));
  }

  async #machines(): Promise<Machines> {
    const sql = `select key, value from ${this.#meta} where key like '${SENDER}%' or key like '${JOINING}%'`;
    const rows = await this.#db.all(sql);
    return { senders: timesByMachine(rows, SENDER), joining: timesByMachine(rows, JOINING) };
  }
}

/** The times that the table `meta` has under a prefix, by machine. */
function timesByMachine(rows: readonly Row[], prefix: string): ReadonlyMap<string, number> {
  const matching = rows.filter(({ key }) => String(key).startsWith(prefix));
  return new Map(matching.map(({ key, value }) => [String(key).slice(prefix.length), Number(value)]));
}

/** The id of this machine, which is made once. Undefined if it has no disk for second records. */
function machineIdIn(path: string): string | undefined {
  const draft = `${path}.${process.pid}`;
  try {
    if (!existsSync(path)) {
      writeOwn(draft, randomUUID());
      // Unlike a renamed file, a link never replaces what another process has just made.
      linkSync(draft, path);
    }
  } catch {
    // Another process was first, or there is no disk.
  }
  try {
    rmSync(draft, { force: true });
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/**
 * Files outside the database that have the id of the journal of a place, so that a lost journal does not seem new. All
 * have the same id, unless a write failed.
 */
export class JournalMarker {
  readonly #paths: readonly string[];

  constructor(paths: readonly string[]) {
    this.#paths = paths;
  }

  /** The ids in these files, without this one. */
  others(except?: string): readonly string[] {
    return [...new Set(this.#paths.flatMap((path) => journalIdIn(path) ?? []))].filter((id) => id !== except);
  }

  /** The id for a new journal: that of the journal before it, or a random one. */
  idOfNew(): string {
    return this.others()[0] ?? randomUUID();
  }

  /** Ignores failures: a journal that is lost later may then seem new. */
  write(id: string): void {
    for (const path of this.#paths) {
      if (journalIdIn(path) === id) continue;
      const draft = `${path}.${process.pid}`;
      try {
        writeOwn(draft, `${id}\n`);
        renameSync(draft, path);
      } catch {
        // If the disk is full, acts cannot be recorded or sent either.
      }
    }
  }
}

/** The id in a marker. Undefined if there is no such file, or it has no id. */
function journalIdIn(path: string): string | undefined {
  try {
    const id = readFileSync(path, 'utf8').trim();
    return JOURNAL_ID.test(id) ? id : undefined;
  } catch {
    return undefined;
  }
}

/** The file that shows that this machine has second records of a journal. */
export function recordedHere(folder: string, journal: string): string {
  return join(folder, `${journal}.here`);
}

/** The path of a place's marker in the folder of second records. */
export function markerFor(folder: string, place: string): string {
  const name = createHash('sha256').update(place).digest('hex').slice(0, 24);
  return join(folder, `at-${name}.id`);
}
