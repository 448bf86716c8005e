/** Gives an archive its name, without ever replacing a file that the journal may record. */
import { randomUUID } from 'node:crypto';
import { link, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ClerkError } from '../../errors.ts';
import type { Database } from '../database.ts';
import { lastArchive } from './archives.ts';
import { sha256Of } from './file.ts';

export interface Published {
  /** The file that was there before, under another name. */
  readonly old: string | undefined;
}

/**
 * Names the draft. `replaced` is the digest of a file that may be moved aside.
 * @throws ClerkError E_CONFIG if another file has the name: the draft is then gone
 */
export async function publish(draft: string, file: string, replaced: string | undefined): Promise<Published> {
  const old = replaced === undefined ? undefined : `${file}.${randomUUID()}.old`;
  try {
    if (old !== undefined) await rename(file, old);
    const isReplaceable = old === undefined || (await sha256Of(old)) === replaced;
    if (!isReplaceable) throw new Error('the file was changed meanwhile');
    await link(draft, file);
  } catch (cause) {
    if (old !== undefined) await putBack(old, file);
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST')
      throw refused(`${file} exists already.`, 'Name another file.', cause);
    throw refused(`Cannot name the archive ${file}.`, 'Choose a folder on a disk that allows hard links.', cause);
  } finally {
    await rm(draft, { force: true });
  }
  await forceFolder(dirname(file));
  return { old };
}

/**
 * Deletes the file, unless the journal records one like it or another process has the name now, and gives the one before it
 * its name again.
 */
export async function withdraw(db: Database, file: string, sha256: string, { old }: Published): Promise<void> {
  const isRecorded = (await lastArchive(db))?.file.sha256 === sha256;
  if (!isRecorded && (await sha256Of(file)) === sha256) await rm(file);
  if (old === undefined) return;
  if (isRecorded) await rm(old, { force: true });
  else await putBack(old, file);
}

/** If the name is taken meanwhile, the file keeps the other one. */
async function putBack(old: string, file: string): Promise<void> {
  try {
    await link(old, file);
    await rm(old);
  } catch {
    // Another process has the name now.
  }
}

export function refused(what: string, next: string, cause?: unknown): ClerkError {
  return new ClerkError('E_CONFIG', `${what} Nothing was archived.`, { next, ...(cause !== undefined && { cause }) });
}

/** Windows cannot open a folder, and does not need it. */
async function forceFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}
