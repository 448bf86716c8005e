/**
 * Moves old operations of the journal into a file. The file is on the disk and was read again before the journal records it,
 * in one small transaction. Only then are operations deleted, a few at a time. After a crash the journal has everything, or
 * the record; the next archive deletes what is left over.
 */
import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ClerkError } from '../../errors.ts';
import type { Link } from '../../journal/ports.ts';
import { NO_LINK_YET } from '../chain.ts';
import type { Database } from '../database.ts';
import type { OnProgress } from '../verify/pages.ts';
import { type ArchiveNote, lastArchive, leaves } from './archives.ts';
import { type CheckedFile, checkFile } from './check-file.ts';
import { type Plan, writeFile } from './write.ts';

const DAY_MS = 86_400_000;
/** Younger operations stay: settling, late effects, limits, approvals and cautions may ask for them. */
export const LEAST_DAYS = 30;
/** Creations stay until their trip is over, at most so long: they keep a trip from being booked twice. */
export const CREATION_DAYS = 400;

/** Operations deleted in one transaction, and how long others then have, milliseconds. */
const AT_ONCE = 500;
const PAUSE_MS = 10;

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
export interface ArchiveParts {
  readonly db: Database;
  readonly journal: string;
  enter(archive: ArchiveNote, seen: Link, by: string, at: number): Promise<Link | undefined>;
  /** In one transaction. */
  remove(ids: readonly string[]): Promise<void>;
}

/** @throws ClerkError E_INPUT, E_CONFIG; the signal's reason, if it aborts */
export async function archive(parts: ArchiveParts, request: ArchiveRequest): Promise<Archived> {
  const { before, now } = request;
  const file = resolve(request.file);
  if (before > now - LEAST_DAYS * DAY_MS)
    throw new ClerkError('E_INPUT', `The last ${LEAST_DAYS} days cannot be archived. Nothing was changed.`, {
      next: `Choose a day at least ${LEAST_DAYS} days ago.`,
    });
  await removeArchived(parts, request);
  const known = await lastArchive(parts.db);
  if (existsSync(file)) {
    const there = await replaceable(parts.db, file, known);
    if (there !== 'replaceable') return there;
  }
  const plan = await planOf(parts, before, now, known);
  const nothing = { operations: 0, from: plan.from, to: plan.from };
  if (plan.to.n <= plan.from.n) return nothing;
  const seen = await headOf(parts.db);
  const draft = `${file}.part`;
  const written = await writeDraft(parts.db, draft, plan, request);
  if (written === undefined) return nothing;
  await rename(draft, file);
  await forceFolder(dirname(file));
  const { journal: _, ...note } = plan;
  const { operations, kept, sha256 } = written;
  const record = { ...note, operations, kept, file: { name: basename(file), sha256 } };
  const link = await parts.enter(record, seen, request.by, now);
  if (link === undefined) {
    await rm(file);
    throw refused(
      'The journal changed meanwhile, or sending is held.',
      'Run `fareclerk journal verify`, then try again.',
    );
  }
  await removeArchived(parts, request);
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
  await rm(draft, { force: true });
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
async function replaceable(db: Database, file: string, known: ArchiveNote | undefined) {
  const there = await checkFile(file).catch((): CheckedFile | undefined => undefined);
  if (there !== undefined && there.sha256 === known?.file.sha256)
    return { operations: known.operations, from: known.from, to: known.to, sha256: there.sha256 };
  const sql = `select 1 from ${db.dialect.prefix}event where n = ? and hash = ?`;
  const isOurs = there !== undefined && there.header.from.n === (known?.to.n ?? 0);
  if (isOurs && (await db.get(sql, there.header.to.n, there.header.to.hash)) !== undefined) {
    await rm(file);
    return 'replaceable';
  }
  throw refused(`${file} exists already.`, 'Name another file.');
}

/** Deletes the operations of the last archive that are still there. */
async function removeArchived({ db, remove }: ArchiveParts, { signal, onProgress }: ArchiveRequest): Promise<void> {
  const last = await lastArchive(db);
  if (last === undefined) return;
  const { prefix: s, place } = db.dialect;
  const sql = `select o.id, o.${place} as place from ${s}operation o where o.${place} > ? and ${leaves(db, last)}
    order by o.${place} limit ${AT_ONCE}`;
  let after = -1;
  for (let done = 0; ; ) {
    signal?.throwIfAborted();
    const rows = await db.all(sql, after);
    if (rows.length === 0) return;
    await remove(rows.map(({ id }) => String(id)));
    after = Number(rows.at(-1)?.place);
    done += rows.length;
    onProgress?.(done, last.operations, 'operations moved');
    await wait(PAUSE_MS);
  }
}

function refused(what: string, next: string, cause?: unknown): ClerkError {
  return new ClerkError('E_CONFIG', `${what} Nothing was archived.`, { next, ...(cause !== undefined && { cause }) });
}

/** Windows cannot open a folder, and does not need it. */
async function forceFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}
