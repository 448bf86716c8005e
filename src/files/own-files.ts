/**
 * Reads, opens and makes files and folders by the rule of foreign.ts. What another user could have written is left as
 * it is.
 */
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ForeignError, wayTo, whyForeign } from './foreign.ts';

/** Windows lacks O_NOFOLLOW and O_DIRECTORY: there both are 0. */
const { O_NOFOLLOW = 0, O_DIRECTORY = 0, O_RDONLY, O_RDWR, O_CREAT, O_APPEND } = constants;
const READABLE_BY_ALL = 0o004;
const WRITABLE_BY_ALL = 0o002;

interface BelievedText {
  readonly text: string;
  /** Every user of this machine can read it. */
  readonly isOpen: boolean;
}

/**
 * Reads a file. Links are followed where nobody else could have put them.
 * @throws ForeignError, or the file system's error
 */
export function readBelieved(path: string): BelievedText {
  assertWay(path);
  const file = openSync(path, O_RDONLY);
  try {
    const stat = fstatSync(file);
    assertOurs(path, stat);
    const isOpen = process.geteuid !== undefined && (stat.mode & READABLE_BY_ALL) !== 0;
    return { text: readFileSync(file, 'utf8'), isOpen };
  } finally {
    closeSync(file);
  }
}

/**
 * Makes a folder for this user alone, or takes the one that is there. Returns where it is, without links.
 * @throws ForeignError, or the file system's error
 */
export function ownFolder(path: string): string {
  const folder = madeFolder(path);
  // Windows opens no folders.
  if (O_DIRECTORY !== 0) closeSync(openJudged(folder, O_RDONLY | O_DIRECTORY));
  return folder;
}

/** Like {@link ownFolder} for a folder in that one, which is no link, and is closed to all others. */
export function closedFolder(folder: string, name: string): string {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true, mode: 0o700 });
  if (O_DIRECTORY === 0) return path;
  const file = openJudged(path, O_RDONLY | O_DIRECTORY);
  try {
    restrict(file, 0o700);
  } finally {
    closeSync(file);
  }
  return path;
}

/**
 * Opens a file that only this user can read then, or makes it with its folders. A link is refused.
 * @throws ForeignError, or the file system's error
 */
export function openOwn(path: string, how: 'append' | 'rewrite'): number {
  const folder = madeFolder(dirname(path), true);
  const place = join(folder, basename(path));
  const file = openJudged(place, O_RDWR | O_CREAT | (how === 'append' ? O_APPEND : 0));
  try {
    if (isOpenToLinks(folder) && fstatSync(file).nlink > 1) throw linkRefused(place, 'is a link to a file elsewhere');
    restrict(file, 0o600);
    if (how === 'rewrite') ftruncateSync(file);
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/** Writes a whole file like {@link openOwn}. */
export function writeOwn(path: string, text: string | Uint8Array): void {
  const file = openOwn(path, 'rewrite');
  try {
    writeFileSync(file, text);
  } finally {
    closeSync(file);
  }
}

/** What is at a path, if anything, is no link and nobody else's. @throws ForeignError */
export function assertOwn(path: string): void {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return;
  if (stat.isSymbolicLink()) throw linkRefused(path);
  assertOurs(path, stat);
}

/**
 * Makes a folder, if there is none, and returns where it is. Looks at the way again when it is there: until then others
 * could put something in its place in /tmp.
 */
function madeFolder(path: string, isAbove = false): string {
  mkdirSync(assertWay(path, isAbove), { recursive: true, mode: 0o700 });
  return assertWay(path, isAbove);
}

/** Not every system keeps others from making hard links to our files where all can write. */
function isOpenToLinks(folder: string): boolean {
  return process.geteuid !== undefined && (statSync(folder).mode & WRITABLE_BY_ALL) !== 0;
}

/** Returns where the path leads. */
function assertWay(path: string, isAbove = false): string {
  const { real, foreign } = wayTo(path, isAbove);
  if (foreign !== undefined) throw new ForeignError(foreign);
  return real;
}

/** @throws ForeignError if another user could have written it */
function assertOurs(path: string, stat: Stats): void {
  const foreign = whyForeign(path, stat);
  if (foreign !== undefined) throw new ForeignError(foreign);
}

/** The error for a link where none may be. */
const linkRefused = (path: string, why = 'is a link') => new ForeignError({ path, by: 'link', why, isAbove: false });

/** Opens a file or folder that is no link, and believes it only if it is ours. */
function openJudged(path: string, flags: number): number {
  const file = openUnlinked(path, flags);
  try {
    assertOurs(path, fstatSync(file));
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/** Opens what is at a path unless it is a link. */
function openUnlinked(path: string, flags: number): number {
  try {
    return openSync(path, flags | O_NOFOLLOW, 0o600);
  } catch (error) {
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) throw linkRefused(path);
    throw error;
  }
}

/** Closes a file or folder of ours to all others. One that root gave us keeps the mode that root chose. */
function restrict(file: number, mode: number): void {
  const { uid, mode: present } = fstatSync(file);
  if (uid === process.geteuid?.() && (present & 0o777) !== mode) fchmodSync(file, mode);
}
