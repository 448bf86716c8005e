/**
 * Remembers how far the journal was checked, so that the next check begins there; after some days it reads everything.
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
   * The check begins here at the latest, if the journal has this link, which proves that the head continues from it.
   */
  readonly expected?: Link | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnProgress | undefined;
}

export interface Checked extends Verification {
  /** When everything was last checked; absent after a failed check of everything. */
  readonly completeAt?: number;
}

/**
 * Checks what was added since the last check, or everything, and remembers how far it came.
 * @throws the signal's reason
 */
export async function check(db: Database, { now, all, expected, signal, onProgress }: CheckRequest): Promise<Checked> {
  const known = all === true ? undefined : await readCheckpoint(db, now);
  const isOlder = expected !== undefined && known !== undefined && expected.n < known.link.n;
  const since = isOlder && (await isInJournal(db, expected)) ? expected : known?.link;
  const found = await verify(db, { since, signal, onProgress });
  const completeAt = found.complete ? now : known?.completeAt;
  if (db.earlier !== undefined) return { ...found, completeAt };
  // A failed check is not forgotten: the next one reads everything.
  if (found.misfit !== undefined) await db.run(`delete from ${db.dialect.prefix}meta where key = 'verified'`);
  if (found.misfit !== undefined || completeAt === undefined) return found;
  const sql = `insert into ${db.dialect.prefix}meta(key, value) values ('verified', ?)
    on conflict (key) do update set value = excluded.value`;
  await db.run(sql, JSON.stringify({ link: found.head, completeAt }));
  return { ...found, completeAt };
}

/** Checks the newest events and the operations that they moved: quick at any size. Remembers nothing. */
export async function checkNewest(db: Database, count: number): Promise<Verification> {
  const { prefix: s } = db.dialect;
  const row = await db.get(`select n, hash from ${s}event where n = (select n from ${s}chain) - ?`, count);
  return verify(db, { since: row && { n: Number(row.n), hash: String(row.hash) } });
}

interface Checkpoint {
  readonly link: Link;
  /** The last check of everything, milliseconds since 1970. */
  readonly completeAt: number;
}

/** When everything was last checked, from what `check` remembers. */
export function lastCompleteCheck(verified: string): number {
  return (JSON.parse(verified) as Checkpoint).completeAt;
}

/**
 * After so many days everything is checked again: whoever can change the database can change the checkpoint too, so
 * that what was checked is not trusted for long.
 */
const COMPLETE_DAYS = 7;

/** Returns undefined if everything must be checked. */
async function readCheckpoint(db: Database, now: number): Promise<Checkpoint | undefined> {
  const row = await db.get(`select value from ${db.dialect.prefix}meta where key = 'verified'`);
  const known = row && (JSON.parse(String(row.value)) as Checkpoint);
  const age = now - (known?.completeAt ?? 0);
  return age >= 0 && age < COMPLETE_DAYS * DAY_MS ? known : undefined;
}
