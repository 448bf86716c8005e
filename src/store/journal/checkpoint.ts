/**
 * Checks the journal from where the last check ended, and remembers how far it came. After some days it checks
 * everything.
 */
import { DAY_MS } from '../../core/times.ts';
import type { Link } from '../../journal/ports.ts';
import type { Database } from '../database.ts';
import { isInJournal, type OnProgress, type Verification, verify } from './verify.ts';

export interface CheckRequest {
  readonly now: number;
  /** Checks everything, from the beginning. */
  readonly all?: boolean | undefined;
  /**
   * The check begins here at the latest, if the journal has this link. It then proves that the head continues from it.
   */
  readonly expected?: Link | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnProgress | undefined;
}

export interface Checked extends Verification {
  /** When everything was last checked. Absent if the checkpoint was deleted, because this check found a misfit. */
  readonly completeAt?: number;
}

/** How far checks came. */
interface Checkpoint {
  readonly link: Link;
  /** The last check of everything, milliseconds since 1970. */
  readonly completeAt: number;
}

/** The key of the checkpoint in the table `meta`. */
export const CHECKPOINT_KEY = 'verified';

/**
 * How many days a checkpoint is trusted. Whoever can change the database can change the checkpoint too, so everything
 * is checked again afterwards.
 */
const COMPLETE_DAYS = 7;

/**
 * Checks what was added since the last check, or everything, and remembers how far it came.
 * @throws the signal's reason
 */
export async function check(db: Database, { now, all, expected, signal, onProgress }: CheckRequest): Promise<Checked> {
  const checkpoint = all === true ? undefined : await readCheckpoint(db, now);
  const since = await whereToBegin(db, checkpoint, expected);
  const verification = await verify(db, { since, signal, onProgress });
  // Without a checkpoint, everything was checked.
  const completeAt = checkpoint === undefined || verification.complete ? now : checkpoint.completeAt;
  // Remembers nothing in the tables of an earlier program, which are only read.
  if (db.earlierVersion !== undefined) return { ...verification, completeAt };
  if (verification.misfit !== undefined) {
    await deleteCheckpoint(db);
    return verification;
  }
  await keepCheckpoint(db, { link: verification.head, completeAt });
  return { ...verification, completeAt };
}

/**
 * Where the check begins: at the checkpoint, or at an earlier expected link. Undefined: at the start of the journal.
 */
async function whereToBegin(
  db: Database,
  checkpoint: Checkpoint | undefined,
  expected: Link | undefined,
): Promise<Link | undefined> {
  const isEarlier = expected !== undefined && checkpoint !== undefined && expected.n < checkpoint.link.n;
  return isEarlier && (await isInJournal(db, expected)) ? expected : checkpoint?.link;
}

/** Checks the newest events and the operations that they moved, which is quick at any size. Remembers nothing. */
export async function checkNewest(db: Database, count: number): Promise<Verification> {
  const { prefix: s } = db.dialect;
  const row = await db.get(`select n, hash from ${s}event where n = (select n from ${s}chain) - ?`, count);
  return verify(db, { since: row && { n: Number(row.n), hash: String(row.hash) } });
}

/** When everything was last checked, from what `check` remembers. */
export function lastCompleteCheck(verified: string): number {
  return (JSON.parse(verified) as Checkpoint).completeAt;
}

/** The checkpoint. Undefined if there is none or it is too old: everything must be checked. */
async function readCheckpoint(db: Database, now: number): Promise<Checkpoint | undefined> {
  const row = await db.get(`select value from ${db.dialect.prefix}meta where key = '${CHECKPOINT_KEY}'`);
  if (row === undefined) return undefined;
  const checkpoint = JSON.parse(String(row.value)) as Checkpoint;
  // A negative age means that the clock was set back, or somebody wrote a future time.
  const age = now - checkpoint.completeAt;
  return age >= 0 && age < COMPLETE_DAYS * DAY_MS ? checkpoint : undefined;
}

async function keepCheckpoint(db: Database, checkpoint: Checkpoint): Promise<void> {
  const sql = `insert into ${db.dialect.prefix}meta(key, value) values ('${CHECKPOINT_KEY}', ?)
    on conflict (key) do update set value = excluded.value`;
  await db.run(sql, JSON.stringify(checkpoint));
}

/** Deletes the checkpoint, so that the next check reads everything. */
async function deleteCheckpoint(db: Database): Promise<void> {
  await db.run(`delete from ${db.dialect.prefix}meta where key = '${CHECKPOINT_KEY}'`);
}
