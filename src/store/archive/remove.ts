/** Deletes what is in the last archive from the journal, while its file is there. */
import { setTimeout as wait } from 'node:timers/promises';
import { ClerkError } from '../../errors.ts';
import type { Database } from '../database.ts';
import type { Watch } from '../verify/pages.ts';
import { type ArchiveNote, lastArchive, leaves } from './archives.ts';
import { sha256Of } from './file.ts';

/** Operations deleted in one transaction, and how long others then have, milliseconds. */
const AT_ONCE = 500;
const PAUSE_MS = 10;

export interface RemoveParts {
  readonly db: Database;
  /** In one transaction. */
  remove(ids: readonly string[]): Promise<void>;
}

/** @throws ClerkError E_CONFIG if something is left to delete and this is not the file that the journal records */
export async function removeArchived(
  { db, remove }: RemoveParts,
  file: string,
  { signal, onProgress }: Watch,
): Promise<void> {
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
    // Nothing but this file will have them.
    if (done === 0 && (await sha256Of(file)) !== last.file.sha256) throw notFinished(last);
    await remove(rows.map(({ id }) => String(id)));
    after = Number(rows.at(-1)?.place);
    done += rows.length;
    onProgress?.(done, last.operations, 'operations moved');
    await wait(PAUSE_MS);
  }
}

function notFinished({ file: { name, sha256 } }: ArchiveNote): ClerkError {
  const what = `The archive ${name} (SHA-256 ${sha256}) is recorded but not finished. Nothing was deleted now.`;
  return new ClerkError('E_CONFIG', what, { next: 'Run `fareclerk journal archive` with that file.' });
}
