/**
 * The chain of the journal's events: checks whether the journal still has what was last seen of it, and holds or pauses
 * sending ({@link JournalChain}). Then how a program opens it ({@link openChain}).
 *
 * The words of this file:
 *
 * - The head is the last link of the journal; the top is the highest link that a second record here has.
 * - Lost links are those that a second record has and the journal lacks. They are in the table `lost`, and sending is
 *   held, until a person says that the journal was restored as far as it can be. They are then marked as recovered.
 *   Where the second records are lost too, a person who says that an older copy was put back holds sending.
 */
import { randomUUID } from 'node:crypto';
import type {
  Chain,
  ChainStatus,
  JournalPlace,
  Link,
  Lost,
  LostAct,
  Pause,
  Release,
  Released,
  Resumed,
  SendingHold,
} from '../../journal/ports.ts';
import {
  ask,
  type Database,
  finish,
  type Row,
  type SqlDialect,
  type Statement,
  storeFirst,
  type Transaction,
} from '../database.ts';
import { ofThisUser } from '../opening.ts';
import { appendEvent, type JournalStep, NO_LINK_YET, noteContent, OF_JOURNAL } from './hash-chain.ts';
import { ensureFolder, type RecordedLink, readMark, SecondRecord, writeMark } from './second-record.ts';

export interface ChainOptions {
  /** The folder for the second record of each act. Absent: memory only. */
  readonly secondRecords?: string | undefined;
  /** Called when the journal lost events that were seen before. */
  readonly noticed?: ((hold: SendingHold) => void) | undefined;
  /** Receives how long a write to the journal waited for its turn, seconds. */
  readonly waited?: ((seconds: number) => void) | undefined;
}

interface OpeningOptions extends Pick<ChainOptions, 'secondRecords' | 'noticed'> {
  /** Where the journal is: the path of its file, or the address of its database. */
  readonly place: string;
  readonly now: () => number;
}

/** What a chain works with; {@link openChain} makes it. */
export interface ChainDependencies {
  readonly record: SecondRecord;
  readonly now: () => number;
  readonly noticed: ((hold: SendingHold) => void) | undefined;
}

/** A hold or a pause that begins or ends. */
interface JournalChange {
  readonly step: JournalStep;
  readonly by: string;
  readonly at: number;
  /** The hold or pause as JSON. Absent to resume. */
  readonly body?: string;
  readonly release?: Release;
  /** A person holds sending: no link needs to be lost. */
  readonly isForced?: true;
}

/**
 * The result of a {@link JournalChange}:
 *
 * | step     | is done if                                            | else                                      |
 * | -------- | ----------------------------------------------------- | ----------------------------------------- |
 * | held     | a link is lost or a person says so, and no hold is on | `known`: nobody says so, or `unchanged`   |
 * | restored | a hold is on, and the links of `release` are lost     | `unchanged`, or `planned` before its time |
 * | paused   | always: it replaces an earlier pause                  |                                           |
 * | resumed  | a pause is on                                         | `unchanged`                               |
 */
type Changed = 'done' | 'planned' | 'known' | 'unchanged';

interface ChainReading extends ChainStatus {
  /** The journal still has the highest link that was seen. */
  readonly fits: boolean;
  /** The version of the tables. */
  readonly version: unknown;
}

/**
 * SQL: adds the body of an act (JSON: what is known of it) to a link that was entered without one, as one that only tells how
 * far the journal was, even after that link was recovered. A recovered act leaves an empty body, a link without an act leaves null.
 */
const LATER_BODY = `on conflict (n, hash) do update set body = excluded.body, recovered_at = null
  where lost.body is null and excluded.body is not null`;

/** Changes of the journal as a whole queue. */
const TURN = { turn: 'journal' };

/** How many lost links are written in one transaction. */
const LOST_AT_ONCE = 500;

export class JournalChain<D extends Database> implements Chain {
  protected readonly db: D;
  readonly #dependencies: ChainDependencies;
  /** The link whose loss this process has recorded. */
  #recordedLoss: Link | undefined;
  /** The number of the last head that this process recorded. */
  #recordedHead = 0;

  constructor(db: D, dependencies: ChainDependencies) {
    this.db = db;
    this.#dependencies = dependencies;
  }

  get record(): SecondRecord {
    return this.#dependencies.record;
  }

  async keepUp(): Promise<void> {
    const { head, hold } = await this.status();
    if (hold !== undefined || head.n <= this.#recordedHead) return;
    this.record.recordIfPossible(head);
    this.#recordedHead = head.n;
  }

  /**
   * Compares the journal with what was seen of it. If links are missing, records the loss and holds sending, unless
   * that was done before or the tables are only read. Ends a hold whose release is due.
   */
  async status(): Promise<ChainStatus> {
    const { head, hold, pause } = await this.#compare();
    const { release } = hold ?? {};
    const now = this.#dependencies.now();
    if (release === undefined || now < release.at) return { head, hold, pause };
    await this.release(release, now);
    const { fits: _, version: __, ...released } = await this.#readHead();
    return released;
  }

  async #compare(): Promise<ChainReading> {
    const reading = await this.#readHead();
    if (reading.fits) {
      this.record.raiseTop(reading.head);
      return reading;
    }
    if (reading.hold !== undefined && this.#isLossRecorded) return reading;

    await this.recordLoss();
    return this.#readHead();
  }

  /** Whether this process recorded the loss of the highest link that was seen. */
  get #isLossRecorded(): boolean {
    return this.#recordedLoss !== undefined && this.#recordedLoss === this.record.top;
  }

  async has(link: Link): Promise<boolean> {
    const { n, hash } = link;
    const row = await this.db.get(`select ${hasLink(this.db.dialect.prefix, '?', '?')} as fits`, n, hash);
    return n === 0 || Boolean(row?.fits);
  }

  /**
   * Enters the lost links, and holds all sending. If all of them were recovered before, continues the journal from where
   * it is.
   */
  async recordLoss(): Promise<void> {
    const seenTop = this.record.top;
    const { head } = await this.#readHead();
    const hold = this.#newHold(head);

    await this.#enterAll(this.record.records());
    if (seenTop !== undefined) await this.#enterAll([seenTop]);
    const body = JSON.stringify(hold);
    const result = await this.#change({ step: 'held', by: 'fareclerk', at: hold.since, body });

    this.#recordedLoss = seenTop;
    if (result === 'known') await this.#continueFromHead();
    if (result === 'done') this.#dependencies.noticed?.(hold);
  }

  async lost(): Promise<Lost> {
    await this.status();
    const { prefix: s, place } = this.db.dialect;
    return groupLost(await this.db.all(`select body from ${s}lost where recovered_at is null order by ${place}`));
  }

  async holdSince(since: number, by: string, now: number): Promise<SendingHold | undefined> {
    const { head } = await this.#readHead();
    const hold: SendingHold = { since, head, seen: NO_LINK_YET };
    await this.#change({ step: 'held', by, at: now, body: JSON.stringify(hold), isForced: true });
    return (await this.#readHead()).hold;
  }

  async release(release: Release, now: number): Promise<Released> {
    const { hold } = await this.#readHead();
    const body = JSON.stringify({ ...hold, release });
    const result = await this.#change({ step: 'restored', by: release.by, at: now, body, release });
    if (result === 'planned') return 'planned';
    if (result === 'done') await this.#continueFromHead();
    const isStillHeld = (await this.#readHead()).hold !== undefined;
    return isStillHeld ? 'more_lost' : 'released';
  }

  async pause(why: string, by: string, now: number): Promise<void> {
    const pause: Pause = { since: now, by, why };
    await this.#change({ step: 'paused', by, at: now, body: JSON.stringify(pause) });
  }

  async resume(by: string, now: number): Promise<Resumed> {
    // A hold that begins just after this stops sending by itself.
    const { hold } = await this.status();
    if (hold !== undefined) return { kind: 'held', hold };
    const result = await this.#change({ step: 'resumed', by, at: now });
    return { kind: result === 'done' ? 'resumed' : 'not_paused' };
  }

  /** Tries to write to the database and to the second record. Returns those that take no writes. */
  async unwritable(writeDatabase: () => unknown): Promise<readonly JournalPlace[]> {
    const places = { state: writeDatabase, second_record: () => this.record.assertWritable() };
    const failedPlace = async (place: JournalPlace) => {
      try {
        await places[place]();
        return [];
      } catch {
        return [place];
      }
    };

    return [...(await failedPlace('state')), ...(await failedPlace('second_record'))];
  }

  close(): void {
    this.record.close();
  }

  /** Prepares for reading the journal. @throws ClerkError if its file is gone */
  protected refresh(): void {
    this.record.look();
  }

  /** The query whose row {@link toReading} reads. */
  protected get headQuery(): [sql: string, ...values: (number | string)[]] {
    const { prefix: s } = this.db.dialect;
    const meta = (key: string) => `(select value from ${s}meta where key = '${key}')`;
    const { n, hash } = this.record.top ?? NO_LINK_YET;
    const sql = `select c.n, c.hash, ${hasLink(s, '?', '?')} as fits,
      ${meta('hold')} as hold, ${meta('pause')} as pause, ${meta('schema_version')} as version from ${s}chain c`;
    return [sql, n, hash];
  }

  /** Reads the row of {@link headQuery}. @param top the highest link that was seen when the query was made */
  protected toReading(row: Row = {}, top = this.record.top): ChainReading {
    const { hold, pause, version } = row;
    return {
      version,
      head: { n: Number(row.n), hash: String(row.hash) },
      fits: (top?.n ?? 0) === 0 || Boolean(row.fits),
      // A hold of version 24 may name no link that was seen.
      hold: hold == null ? undefined : ({ seen: NO_LINK_YET, ...JSON.parse(String(hold)) } as SendingHold),
      pause: pause == null ? undefined : (JSON.parse(String(pause)) as Pause),
    };
  }

  /** Reads the head of the journal, and whether it still has what was seen. */
  async #readHead(): Promise<ChainReading> {
    this.refresh();
    const top = this.record.top;
    return this.toReading(await this.db.get(...this.headQuery), top);
  }

  /** Accepts the journal as it is now: the second record continues from its head. */
  async #continueFromHead(): Promise<void> {
    const { head } = await this.#readHead();
    this.record.continueFrom(head);
  }

  #newHold(head: Link): SendingHold {
    return { since: this.#dependencies.now(), head, seen: this.record.top ?? NO_LINK_YET };
  }

  /** Enters what the journal lacks of these records. */
  async #enterAll(records: Iterable<RecordedLink>): Promise<void> {
    const { prefix: s } = this.db.dialect;
    const now = this.#dependencies.now();
    const sql = `insert into ${s}lost as lost(n, hash, body, noticed_at) select ?, ?, ?, ?
      where not exists (select 1 from ${s}event where n = ? and hash = ?) ${LATER_BODY}`;
    let statements: Statement[] = [];

    for (const { n, hash, sent, end } of records) {
      if (n === 0) continue;
      const body = sent === undefined && end === undefined ? null : JSON.stringify({ sent, end });
      statements.push([sql, n, hash, body, now, n, hash]);
      if (statements.length < LOST_AT_ONCE) continue;
      await this.#enter(statements);
      statements = [];
    }

    await this.#enter(statements);
  }

  async #enter(statements: readonly Statement[]): Promise<void> {
    if (statements.length > 0) await this.db.transact(() => finish(...statements), TURN);
  }

  /** Sets or ends a hold or pause, and adds an event with its note. */
  async #change(change: JournalChange): Promise<Changed> {
    return this.db.transact(() => changeSteps(this.db.dialect, change), TURN);
  }
}

function* changeSteps(
  { prefix: s, forUpdate }: SqlDialect,
  { step, by, at, body, release, isForced }: JournalChange,
): Transaction<Changed> {
  const key = step === 'held' || step === 'restored' ? 'hold' : 'pause';
  const [[head] = [], [before] = [], [counted] = [], [last] = []] = yield* ask(
    [`select n, hash from ${s}chain ${forUpdate}`],
    [`select value from ${s}meta where key = ?`, key],
    [`select count(*) as lost from ${s}lost where recovered_at is null`],
    [`select seq, to_state from ${s}event where operation_id = ? order by seq desc limit 1`, OF_JOURNAL],
  );
  const lost = Number(counted?.lost);

  if (step === 'held' && lost === 0 && !isForced) return 'known';
  if (step === 'held' && before !== undefined) return yield* holdAgain(s, String(before.value), lost);
  if (step === 'restored' && lost !== release?.links) return 'unchanged';
  if ((step === 'restored' || step === 'resumed') && before === undefined) return 'unchanged';

  const note = body ?? String(before?.value);
  if (release !== undefined && at < release.at) {
    yield* finish(setHold(s, note));
    return 'planned';
  }

  const from = String(last?.to_state ?? '') as JournalStep | '';
  const event = { operationId: OF_JOURNAL, seq: Number(last?.seq ?? 0) + 1, at, from, to: step, actor: by };
  const { link, statements } = appendEvent(s, head, { ...event, content: noteContent(note) });

  const keep: Statement = [`insert into ${s}meta(key, value) values (?, ?)`, key, note];
  yield* finish(
    ...(step === 'held' ? [forgetDetails(s)] : []),
    ...(step === 'restored' ? [recoverLost(s, at)] : []),
    [`delete from ${s}meta where key = ?`, key],
    ...(step === 'held' || step === 'paused' ? [keep] : []),
    ...statements,
    [`insert into ${s}note(n, body) values (?, ?)`, link.n, note],
  );

  return 'done';
}

/** Sending is held already. A planned release that counted fewer lost links ends. */
function* holdAgain(s: string, held: string, lost: number): Transaction<Changed> {
  const { release: planned, ...hold } = JSON.parse(held) as SendingHold;
  const isStale = planned !== undefined && planned.links !== lost;
  yield* finish(forgetDetails(s), ...(isStale ? [setHold(s, JSON.stringify(hold))] : []));
  return 'unchanged';
}

function setHold(s: string, hold: string): Statement {
  return [`update ${s}meta set value = ? where key = 'hold'`, hold];
}

/** Details of an older copy may have been used, erased or forgotten meanwhile, even if sending is held already. */
function forgetDetails(s: string): Statement {
  return [`delete from ${s}details`];
}

/** Marks lost links as recovered, and erases the bodies of their acts. */
function recoverLost(s: string, at: number): Statement {
  const body = `case when body is null then null else '' end`;
  return [`update ${s}lost set recovered_at = ?, body = ${body} where recovered_at is null`, at];
}

/** SQL: whether the journal has this link. `n` and `hash` are SQL expressions. */
export function hasLink(s: string, n: string, hash: string): string {
  return `exists (select 1 from ${s}event where n = ${n} and hash = ${hash})`;
}

/** Groups records by act. The last record of each kind counts. A link without a body only adds to the number. */
function groupLost(rows: readonly Row[]): Lost {
  const acts = new Map<string, LostAct>();
  for (const { body } of rows) {
    const act = body === null ? undefined : (JSON.parse(String(body)) as LostAct);
    const id = act?.sent?.id ?? act?.end?.id;
    if (id !== undefined) acts.set(id, { ...acts.get(id), ...act });
  }
  return { links: rows.length, acts: [...acts.values()] };
}

/**
 * Opens the journal and compares it with what was last seen.
 *
 * A second record has the name of the journal that was first in this place: `6f1c….log`. A journal that was lost, or
 * replaced by another one, is therefore compared with what was seen of the first.
 */
export async function openChain<C extends JournalChain<Database>>(
  db: Database,
  { secondRecords, noticed, place, now }: OpeningOptions,
  make: (dependencies: ChainDependencies) => C,
): Promise<C> {
  const checkFolder = <T>(work: () => T): T =>
    ofThisUser('The folder of second records', 'FARECLERK_WITNESS_DIR', work);

  // Makes the folder before anything is stored, so that another user's folder is refused first.
  const folder = checkFolder(() => (secondRecords && ensureFolder(secondRecords) ? secondRecords : undefined));
  const marked = folder && readMark(folder, place);
  const id = await storeFirst(db, 'journal_id', marked ?? randomUUID());

  const record = checkFolder(() => new SecondRecord(secondRecords, marked ?? id));
  const chain = make({ record, now, noticed });

  try {
    await chain.status();
  } catch (error) {
    chain.close();
    throw error;
  }

  if (folder !== undefined && marked === undefined) writeMark(folder, place, id);
  return chain;
}
