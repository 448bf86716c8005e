/** Changes the JSON file in which a host lists its servers, where the host has no command that does it. */
import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { ClerkError } from '../../core/errors.ts';
import { utcText } from '../../core/times.ts';
import { followPath } from '../../files/foreign.ts';
import { ownFolder } from '../../files/own-files.ts';
import { entryOf, type Host, SERVER_NAME, type StartedServer } from './hosts.ts';
import { otherEntries, withEntry } from './json-entry.ts';

const BOM = '\uFEFF';

/** A file that is new is for this user alone. */
const NEW_FILE_MODE = 0o600;

/** How the file of a host would change. */
export interface HostFileChange {
  readonly path: string;
  readonly isSame: boolean;
  /** The change as a person sees it. What else is in the file is counted, and not shown: it may have secrets. */
  readonly lines: readonly string[];
  /**
   * Writes the whole file, or nothing. Returns the path of the copy; undefined if there was no file.
   * @throws ClerkError E_CONFIG if the file has another text now
   */
  write(now: number): string | undefined;
}

/**
 * Reads the file and writes nothing.
 * @returns why its text takes no entry, where a person must decide how
 * @throws ClerkError E_CONFIG if another user could lead us to another file
 */
export function hostFileChange(
  file: string,
  host: Host,
  server: StartedServer,
): HostFileChange | { readonly why: string } {
  const { real: path, foreign } = followPath(file);
  // A folder that a team shares is fine: the entry has no secret.
  if (foreign !== undefined && foreign.by !== 'mode') {
    throw new ClerkError('E_CONFIG', `${foreign.path} ${foreign.why}. Nothing was written.`, {
      next: 'Run `fareclerk init` as that user, or `fareclerk init --host generic` and merge the lines yourself.',
    });
  }

  const read = readIfThere(path);
  if ('why' in read) return read;

  const before = read.text;
  const hasBom = before?.startsWith(BOM) === true;
  const json = hasBom ? before.slice(1) : (before ?? '');
  const after = withEntry(json, host.field, SERVER_NAME, entryOf(host, server));
  if (after === undefined)
    return { why: `${path} has comments, or is not plain JSON with one list "${host.field}". It was not changed.` };

  return {
    path,
    isSame: after === json,
    lines: shownChange(path, { json, isNew: before === undefined }, host, server),
    write: (now) => replaceFile(path, { before, after: hasBom ? BOM + after : after }, now),
  };
}

/** Reads a file that may be missing, or may be for others. */
function readIfThere(path: string): { readonly text: string | undefined } | { readonly why: string } {
  try {
    return { text: existsSync(path) ? readFileSync(path, 'utf8') : undefined };
  } catch (error) {
    return { why: `${path} cannot be read (${systemCode(error)}). It was not changed.` };
  }
}

/** The operating system's code of a failure: `EACCES`. Throws what is no such failure. */
export function systemCode(error: unknown): string {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) throw error;
  return code;
}

function shownChange(
  path: string,
  { json, isNew }: { readonly json: string; readonly isNew: boolean },
  host: Host,
  server: StartedServer,
): readonly string[] {
  const others = otherEntries(json, host.field, SERVER_NAME);
  const entry = JSON.stringify(entryOf(host, server), undefined, 2).split('\n');

  return [
    `+++ ${path}${isNew ? ' (a new file)' : ''}`,
    ` "${host.field}": {`,
    ...(others === 0 ? [] : [`   … ${others === 1 ? '1 other entry' : `${others} other entries`}, not touched`]),
    ...entry.map((line, i) => `+  ${i === 0 ? `"${SERVER_NAME}": ` : ''}${line}`),
    ' }',
  ];
}

function replaceFile(
  path: string,
  { before, after }: { readonly before: string | undefined; readonly after: string },
  now: number,
): string | undefined {
  const folder = dirname(path);
  if (!existsSync(folder)) ownFolder(folder);

  const current = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  if (current !== before) {
    throw new ClerkError('E_CONFIG', `${path} was changed by something else meanwhile. It was not written.`, {
      next: 'Run `fareclerk init` again.',
    });
  }

  const mode = current === undefined ? NEW_FILE_MODE : statSync(path).mode & 0o777;
  return replaceWithBackup(path, after, { now, mode });
}

/**
 * Replaces a file at once, and keeps a copy of it beside it.
 * @param options.mode of the file and its copy
 * @returns the path of the copy; undefined if there was no file
 */
export function replaceWithBackup(
  path: string,
  text: string,
  { now, mode }: { readonly now: number; readonly mode: number },
): string | undefined {
  const whole = { flag: 'wx', mode } as const;
  const backup = existsSync(path) ? `${path}.before-fareclerk-${utcText(now).replace(/[-:]/g, '')}` : undefined;
  if (backup !== undefined) writeFileSync(backup, readFileSync(path), whole);
  const newFile = `${path}.${process.pid}.new`;

  try {
    writeFileSync(newFile, text, whole);
    renameSync(newFile, path);
  } catch (error) {
    rmSync(newFile, { force: true });
    throw error;
  }

  return backup;
}
