/**
 * Judges by owner and mode whether another user could have written a file or replaced it. Windows has neither, so there
 * nothing counts as foreign.
 *
 * One rule holds for everything that is read or written: it and the folder in which it lies belong to this user or root, and nobody
 * else can write them. A group may, if this user is in it. A folder may be open to all if its sticky bit keeps others from renaming our
 * files (/tmp, or a folder of secrets in Kubernetes). A link is judged in the same way, and then what it leads to.
 */
import { existsSync, lstatSync, readlinkSync, realpathSync, type Stats } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path';

/** The user id of root. */
const ROOT = 0;
/** Bits of a file's mode. */
const STICKY = 0o1000;
const GROUP_WRITES = 0o020;
const OTHERS_WRITE = 0o002;
/** A path with more links is rejected, as on Linux. */
const MOST_LINKS = 40;

/** Something that another user could have written or replaced. */
export interface Foreign {
  readonly path: string;
  readonly by: 'owner' | 'mode' | 'link';
  /** The end of a sentence: `belongs to another user`, `can be written by other users (mode 666)`. */
  readonly why: string;
  /** The command with which its owner corrects the mode. */
  readonly command?: string;
  /** It is not what was asked for, but the folder in which that lies. */
  readonly isAbove: boolean;
}

/** Thrown for a foreign file or folder, which was left as it is. */
export class ForeignError extends Error {
  override readonly name = 'ForeignError';
  readonly foreign: Foreign;

  constructor(foreign: Foreign) {
    super(`${foreign.path} ${foreign.why}`);
    this.foreign = foreign;
  }

  /** Without the path: `belongs to another user`. */
  get brief(): string {
    return this.foreign.isAbove ? `is below a folder that ${this.foreign.why}` : this.foreign.why;
  }
}

/** Where a path leads, without links, and what is foreign there. */
interface FollowedPath {
  readonly real: string;
  readonly foreign?: Foreign | undefined;
}

/**
 * Follows a path, and judges the folder or link that it names, the folder in which that lies, and the same of what a link leads to. Does
 * not judge a file at the end: its descriptor is judged later ({@link whyForeign}). Of a path that is not there yet, judges the nearest
 * folder above that is.
 * @param isAbove whether the path is a folder in which one file is opened, which may then be sticky
 */
export function followPath(path: string, { isAbove = false } = {}): FollowedPath {
  if (process.geteuid === undefined) return { real: existsSync(path) ? realpathSync(path) : resolve(path) };

  // Does not use `resolve`: after a link, `..` means the folder above the link's target.
  let current = isAbsolute(path) ? path : `${process.cwd()}${sep}${path}`;
  for (let links = 0; links <= MOST_LINKS; links += 1) {
    const stat = statIfReachable(current);
    if (stat === undefined) return nearestFolder(current);

    const folder = realpathSync.native(dirname(current));
    const real = join(folder, basename(current));
    const foreign = whyForeign(folder, lstatSync(folder), { isAbove: true }) ?? foreignAt(real, stat, isAbove);
    if (foreign !== undefined || !stat.isSymbolicLink()) return { real, foreign };

    const target = readlinkSync(current);
    current = isAbsolute(target) ? target : `${folder}${sep}${target}`;
  }

  return { real: current, foreign: { path, by: 'link', why: 'leads nowhere', isAbove: false } };
}

/** Judges the nearest folder that is there, in which all others of the path can be made. */
function nearestFolder(path: string): FollowedPath {
  const above = dirname(path);
  if (above === path) return { real: path };
  const { real, foreign } =
    statIfReachable(above) === undefined ? nearestFolder(above) : followPath(above, { isAbove: true });
  return { real: join(real, basename(path)), foreign: foreign && { ...foreign, isAbove: true } };
}

/** The stat of a path, without following its last link. Undefined if nothing is there, or this user cannot get there. */
function statIfReachable(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

/** Judges a folder or link. A file is judged once it is open: until then another may take its place. */
function foreignAt(path: string, stat: Stats, isAbove: boolean): Foreign | undefined {
  if (!stat.isDirectory() && !stat.isSymbolicLink()) return undefined;
  return whyForeign(path, stat, { isAbove });
}

/**
 * Judges a file or folder. Undefined if it is ours.
 * @param stat of its descriptor, or of a stat that follows no link
 * @param isAbove whether it is the folder in which something of ours lies
 */
export function whyForeign(path: string, stat: Stats, { isAbove = false } = {}): Foreign | undefined {
  if (process.geteuid === undefined) return undefined;

  const { uid, gid, mode } = stat;
  if (uid !== process.geteuid() && uid !== ROOT) return { path, by: 'owner', why: 'belongs to another user', isAbove };
  if (stat.isSymbolicLink()) return undefined;
  if (isAbove && (mode & STICKY) !== 0) return undefined;

  const canOthersWrite = (mode & OTHERS_WRITE) !== 0 || ((mode & GROUP_WRITES) !== 0 && !isOurGroup(gid));
  if (!canOthersWrite) return undefined;

  const command = stat.isDirectory() ? `chmod go-w ${path}` : `chmod 600 ${path}`;
  const why = `can be written by other users (mode ${(mode & 0o7777).toString(8)})`;
  return { path, by: 'mode', why, command, isAbove };
}

/** Whether this user is in the group: their own where files get mode 664, or the one of a volume (`fsGroup` in Kubernetes). */
function isOurGroup(gid: number): boolean {
  return process.getegid?.() === gid || process.getgroups?.().includes(gid) === true;
}
