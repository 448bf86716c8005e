/**
 * Moves old operations of the journal into a file. The file is on the disk and was read again before the journal records it,
 * in one small transaction. Only then are operations deleted, a few at a time. After a crash the journal has everything, or
 * the record; the next archive deletes what is left over.
 */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { ClerkError } from '../../errors.ts';
import type { Link } from '../../journal/ports.ts';
import { NO_LINK_YET } from '../chain.ts';
import type { Database } from '../database.ts';
import type { OnProgress } from '../verify/pages.ts';
import { isThere, verify } from '../verify/verify.ts';
import { type ArchiveNote, KeptDigest, lastArchive } from './archives.ts';
import { type CheckedFile, checkFile } from './check-file.ts';
import { publish, refused, withdraw } from './publish.ts';
import { type RemoveParts, removeArchived } from './remove.ts';
import { type Plan, writeFile } from './write.ts';

const DAY_MS = 86_400_000;
/** Younger operations stay: settling, late effects, limits, approvals and cautions may ask for them. */
export const LEAST_DAYS = 30;
/** Creations stay until their trip is over, at most so long: they keep a trip from being booked twice. */
export const CREATION_DAYS = 400;

export interface ArchiveRequest {
  /** A file that does not exist yet. */
  readonly file: string;
  /** Takes what happened before this time, milliseconds since 1970: at least {@link LEAST_DAYS} ago. */
  readonly before: number;
  readonly by: string;
  readonly now: number;
  /** Stops between two steps: nothing is archived, or what is archived is deleted later. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnProgress | undefined;
}

export interface Archived {
  /** Operations that were moved. 0: nothing is old enough, and no file was made. */
  readonly operations: number;
  readonly from: Link;
  readonly to: Link;
  readonly sha256?: string;
}

/** What differs by database. */
export interface ArchiveParts extends RemoveParts {
  readonly journal: string;
  enter(archive: ArchiveNote, seen: Link, by: string, at: number): Promise<Link | undefined>;
}

/** @throws ClerkError E_INPUT, E_CONFIG; the signal's reason, if it aborts */
export async function archive(parts: ArchiveParts, request: ArchiveRequest): Promise<Archived> {
  const { before, now, signal, onProgress } = request;
  const { db } = parts;
  const file = resolve(request.file);
  if (before > now - LEAST_DAYS * DAY_MS)
    throw new ClerkError('E_INPUT', `The last ${LEAST_DAYS} days cannot be archived. Nothing was changed.`, {
      next: `Choose a day at least ${LEAST_DAYS} days ago.`,
    });
  await removeArchived(parts, file, request);
  const known = await lastArchive(db);
  const there = existsSync(file) ? await fileThere(db, file, known, request) : undefined;
  if (there !== undefined && 'operations' in there) return there;
  const plan = await planOf(parts, before, now, known);
  const nothing = { operations: 0, from: plan.from, to: plan.from };
  if (plan.to.n <= plan.from.n) return nothing;
  const seen = await headOf(db);
  // What is archived is no longer compared with the rest: a change must be found before.
  if ((await verify(db, { signal, onProgress })).misfit !== undefined) throw changed();
  const draft = `${file}.${randomUUID()}.part`;
  const written = await writeDraft(db, draft, plan, request);
  if (written === undefined) return nothing;
  try {
    if (!isDeepStrictEqual(written.older, known?.kept ?? new KeptDigest().kept)) throw changed();
    if ((await lastArchive(db))?.to.n !== known?.to.n) throw meanwhile();
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  const published = await publish(draft, file, there?.replaced);
  const { journal: _, ...note } = plan;
  const { operations, kept, sha256 } = written;
  const record = { ...note, operations, kept, file: { name: basename(file), sha256 } };
  if ((await parts.enter(record, seen, request.by, now)) === undefined) {
    await withdraw(db, file, sha256, published);
    throw refused(
      'The journal changed meanwhile, or sending is held.',
      'Run `fareclerk journal verify`, then try again.',
    );
  }
  if (published.old !== undefined) await rm(published.old, { force: true });
  await removeArchived(parts, file, request);
  return { operations, from: plan.from, to: plan.to, sha256 };
}

/** Ends before the first event that is too young. */
async function planOf(
  { db, journal }: ArchiveParts,
  before: number,
  now: number,
  known: ArchiveNote | undefined,
): Promise<Plan> {
  const { prefix: s } = db.dialect;
  const from = known?.to ?? NO_LINK_YET;
  const young = await db.get(`select n from ${s}event where n > ? and at >= ? order by n limit 1`, from.n, before);
  const end = young === undefined ? (await headOf(db)).n : Number(young.n) - 1;
  const row = end <= from.n ? undefined : await db.get(`select n, hash from ${s}event where n = ?`, end);
  const to = row === undefined ? from : { n: Number(row.n), hash: String(row.hash) };
  return { journal, from, to, before, creationsSince: now - CREATION_DAYS * DAY_MS };
}

async function headOf(db: Database): Promise<Link> {
  const row = await db.get(`select n, hash from ${db.dialect.prefix}chain`);
  return { n: Number(row?.n), hash: String(row?.hash) };
}

/** Writes the file and reads it again. Undefined: no operation leaves. */
async function writeDraft(db: Database, draft: string, plan: Plan, { signal, onProgress }: ArchiveRequest) {
  try {
    const written = await writeFile(db, draft, plan, { signal, onProgress });
    const total = plan.to.n - plan.from.n;
    const onEvents = (events: number) => onProgress?.(events, total, 'events read again');
    const { sha256, operations } = await checkFile(draft, { signal, onEvents });
    if (operations !== written.operations) throw new Error('the file has other operations than were written');
    if (operations > 0) return { ...written, sha256 };
  } catch (cause) {
    await rm(draft, { force: true });
    if (signal?.aborted) throw cause;
    throw refused(
      `Cannot write the archive ${draft}.`,
      'Check the folder, its free space, and `fareclerk journal verify`.',
      cause,
    );
  }
  await rm(draft, { force: true });
  return undefined;
}

/** A file that is there: what an earlier run wrote and did not record can be replaced, because the journal has it all. */
async function fileThere(
  db: Database,
  file: string,
  known: ArchiveNote | undefined,
  { before, signal }: ArchiveRequest,
): Promise<Archived | { readonly replaced: string }> {
  const there = await checkFile(file, { signal }).catch((): CheckedFile | undefined => undefined);
  signal?.throwIfAborted();
  if ((await lastArchive(db))?.to.n !== known?.to.n) throw meanwhile();
  if (known !== undefined && there?.sha256 === known.file.sha256) {
    if (before !== known.before) throw refused(`${file} is the last archive.`, 'Name another file.');
    return { operations: known.operations, from: known.from, to: known.to, sha256: there.sha256 };
  }
  const isOurs = there !== undefined && there.header.from.n === (known?.to.n ?? 0);
  if (isOurs && (await isThere(db, there.header.to))) return { replaced: there.sha256 };
  throw refused(`${file} exists already.`, 'Name another file.');
}

const changed = () => refused('The journal was changed from outside.', 'Run `fareclerk journal verify --all`.');

const meanwhile = () =>
  refused('Another archive was made meanwhile.', 'Run `fareclerk journal verify`, then try again.');
