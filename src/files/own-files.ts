/**
 * Reads, opens and makes files and folders by the rule of foreign.ts. Leaves alone what another user could have
 * written.
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
import { ForeignError, followPath, whyForeign } from './foreign.ts';

/** Windows lacks O_NOFOLLOW and O_DIRECTORY, so both are 0 there. */
const { O_NOFOLLOW = 0, O_DIRECTORY = 0, O_RDONLY, O_RDWR, O_CREAT, O_APPEND } = constants;
const READABLE_BY_ALL = 0o004;
const WRITABLE_BY_ALL = 0o002;

/** `isAbove`: the path is a folder in which one file is opened. */
type PathPlace = Parameters<typeof followPath>[1];

interface BelievedText {
  readonly text: string;
  /** Whether every user of this machine can read the file. */
  readonly isOpen: boolean;
}

/**
 * Reads a file. Follows links that nobody else could have made.
 * @throws ForeignError, or the file system's error
 */
export function readBelieved(path: string): BelievedText {
  assertPath(path);
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
 * Reads a file in a folder that was made by {@link closedFolder}: compiled code. Refuses a link.
 * @throws ForeignError, or the file system's error
 */
export function readOwn(path: string): Buffer {
  const file = openJudged(path, O_RDONLY);
  try {
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/**
 * Makes a folder for this user alone, or uses the one that is there. Returns its path without links.
 * @throws ForeignError, or the file system's error
 */
export function ownFolder(path: string): string {
  const folder = makeFolder(path);
  // Windows cannot open folders.
  if (O_DIRECTORY !== 0) closeSync(openJudged(folder, O_RDONLY | O_DIRECTORY));
  return folder;
}

/** Like {@link ownFolder}, for a folder in such a folder. It must be no link, and is closed to all other users. */
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
 * Opens a file, or makes it with its folders, and lets only this user read it. Refuses a link. `keep`: what is written replaces what is at
 * its place.
 * @throws ForeignError, or the file system's error
 */
export function openOwn(path: string, mode: 'append' | 'rewrite' | 'keep'): number {
  const folder = makeFolder(dirname(path), { isAbove: true });
  const realPath = join(folder, basename(path));
  const file = openJudged(realPath, O_RDWR | O_CREAT | (mode === 'append' ? O_APPEND : 0));

  try {
    if (allowsLinksByOthers(folder) && fstatSync(file).nlink > 1)
      throw linkRefused(realPath, 'is a link to a file elsewhere');
    restrict(file, 0o600);
    if (mode === 'rewrite') ftruncateSync(file);
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/** Writes a complete file, which it opens like {@link openOwn}. */
export function writeOwn(path: string, text: string | Uint8Array): void {
  const file = openOwn(path, 'rewrite');
  try {
    writeFileSync(file, text);
  } finally {
    closeSync(file);
  }
}

/** @throws ForeignError if there is a link, or a file or folder that another user could have written */
export function assertOwn(path: string): void {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return;
  if (stat.isSymbolicLink()) throw linkRefused(path);
  assertOurs(path, stat);
}

/**
 * Makes a folder, if there is none, and returns its path without links. Judges the path again afterwards: until the
 * folder is there, others could put something in its place in /tmp.
 */
function makeFolder(path: string, place: PathPlace = {}): string {
  mkdirSync(assertPath(path, place), { recursive: true, mode: 0o700 });
  return assertPath(path, place);
}

/** Whether others may be able to make hard links to our files in this folder, because all can write to it. */
function allowsLinksByOthers(folder: string): boolean {
  return process.geteuid !== undefined && (statSync(folder).mode & WRITABLE_BY_ALL) !== 0;
}

/** Returns the path without links. @throws ForeignError if a folder or link on the path is foreign */
function assertPath(path: string, place: PathPlace = {}): string {
  const { real, foreign } = followPath(path, place);
  if (foreign !== undefined) throw new ForeignError(foreign);
  return real;
}

/** @throws ForeignError if another user could have written it */
function assertOurs(path: string, stat: Stats): void {
  const foreign = whyForeign(path, stat);
  if (foreign !== undefined) throw new ForeignError(foreign);
}

/** The error for a link where none is allowed. */
function linkRefused(path: string, why = 'is a link'): ForeignError {
  return new ForeignError({ path, by: 'link', why, isAbove: false });
}

/** Opens a file or folder that is no link. @throws ForeignError if it is not ours */
function openJudged(path: string, flags: number): number {
  const file = openUnlessLink(path, flags);
  try {
    assertOurs(path, fstatSync(file));
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/** Opens a file or folder. @throws ForeignError if it is a link */
function openUnlessLink(path: string, flags: number): number {
  try {
    return openSync(path, flags | O_NOFOLLOW, 0o600);
  } catch (error) {
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) throw linkRefused(path);
    throw error;
  }
}

/**
 * Gives a file or folder of this user the mode, which closes it to all others. One that belongs to root keeps the mode
 * that root chose.
 */
function restrict(file: number, mode: number): void {
  const { uid, mode: present } = fstatSync(file);
  if (uid === process.geteuid?.() && (present & 0o777) !== mode) fchmodSync(file, mode);
}
