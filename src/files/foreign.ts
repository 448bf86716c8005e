/**
 * Judges by owner and mode whether another user could have written a file or replaced it. Windows has neither, so there
 * nothing counts as foreign.
 *
 * One rule holds for everything that is read or written: it and the folders and links that lead to it belong to this
 * user or root, and nobody else can write them. A folder above may be open to all if its sticky bit keeps others from
 * renaming our files (/tmp, or a folder of secrets in Kubernetes).
 *
 * In a user namespace that does not map root, its folders look like those of anybody else. There the folders from `/` down to the
 * first one that is ours may have an unmapped owner, as long as only their owner can write them.
 */
import { existsSync, lstatSync, readFileSync, readlinkSync, realpathSync, type Stats } from 'node:fs';
import { dirname, isAbsolute, join, parse, resolve, sep } from 'node:path';
import { isOwnedByUs, mayBeUnmapped } from './user-namespace.ts';

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
  /** It is not what was asked for, but a folder above it. */
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

/** Where a path leads, with every link followed, and the first foreign folder or link on it. */
interface FollowedPath {
  readonly real: string;
  readonly foreign?: Foreign;
}

/**
 * Follows a path as the system does, and judges every folder and link on it. Does not judge a file at the end: its
 * descriptor is judged later ({@link whyForeign}).
 * @param isAbove whether the path is a folder in which one file is opened, which may then be sticky
 */
export function followPath(path: string, { isAbove = false } = {}): FollowedPath {
  if (process.geteuid === undefined) return { real: existsSync(path) ? realpathSync(path) : resolve(path) };
  const { root } = parse(resolve(path));
  // Does not use `resolve`: after a link, `..` means the folder above the link's target.
  const remainingNames = [...(isAbsolute(path) ? [] : namesIn(process.cwd())), ...namesIn(path)];
  let current = root;
  let linkCount = 0;
  const rootStat = lstatSync(current);
  let foreign = foreignAt(current, rootStat, { isAbove: true, isFromSystem: true });
  /** The folders of the system that were passed: only their owner can put something into them. */
  const fromSystem = new Set(isClosedAndUnmapped(rootStat) ? [root] : []);
  while (remainingNames.length > 0 && foreign === undefined) {
    const name = remainingNames.shift() ?? '';
    const next = name === '..' ? dirname(current) : join(current, name);
    const stat = statIfReachable(next);
    // Nothing is there or below it yet, or this user cannot get there.
    if (stat === undefined) return { real: join(next, ...remainingNames) };
    const isFolderAbove = isAbove || remainingNames.length > 0;
    const isFromSystem = fromSystem.has(dirname(next)) && (isFolderAbove || stat.isSymbolicLink());
    foreign = foreignAt(next, stat, { isAbove: isFolderAbove, isFromSystem });
    if (isFromSystem && isClosedAndUnmapped(stat)) fromSystem.add(next);
    if (stat.isSymbolicLink()) {
      const target = readlinkSync(next);
      remainingNames.unshift(...namesIn(target));
      if (isAbsolute(target)) current = root;
      linkCount += 1;
    } else current = next;
    if (linkCount > MOST_LINKS) foreign ??= { path: next, by: 'link', why: 'leads nowhere', isAbove: false };
  }
  return { real: current, foreign };
}

/** The stat of a path, without following links. Undefined if nothing is there, or this user cannot get there. */
function statIfReachable(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

function namesIn(path: string): string[] {
  return path.split(sep).filter((name) => name !== '' && name !== '.');
}

/** Judges a folder or link on a path. A file is judged once it is open: until then another may take its place. */
function foreignAt(path: string, stat: Stats, options: Parameters<typeof whyForeign>[2]): Foreign | undefined {
  if (!stat.isDirectory() && !stat.isSymbolicLink()) return undefined;
  return whyForeign(path, stat, options);
}

/** Whether it is a folder of a user that this user namespace does not map, and only that user can write it. */
function isClosedAndUnmapped(stat: Stats): boolean {
  return stat.isDirectory() && mayBeUnmapped('uid', stat.uid) && (stat.mode & (GROUP_WRITES | OTHERS_WRITE)) === 0;
}

/**
 * Judges a file or folder. Undefined if it is ours.
 * @param stat of its descriptor, or of a stat that follows no link
 * @param isAbove whether it is a folder above the one that is used
 * @param isFromSystem whether only the owner of `/` can have put it there
 */
export function whyForeign(
  path: string,
  stat: Stats,
  { isAbove = false, isFromSystem = false } = {},
): Foreign | undefined {
  if (process.geteuid === undefined) return undefined;
  const isUnmapped = mayBeUnmapped('uid', stat.uid);
  const isOurs = isUnmapped ? isFromSystem || isOwnedByUs(path, stat) : isOursOrRoots(stat);
  if (!isOurs) {
    const why = isUnmapped
      ? 'may belong to another user: this user namespace does not map its owner'
      : 'belongs to another user';
    return { path, by: 'owner', why, isAbove };
  }
  if (stat.isSymbolicLink()) return undefined;
  const { mode } = stat;
  if (isAbove && (mode & STICKY) !== 0) return undefined;
  const canOthersWrite = (mode & OTHERS_WRITE) !== 0 || ((mode & GROUP_WRITES) !== 0 && !isGroupOurs(stat));
  if (!canOthersWrite) return undefined;
  const command = stat.isDirectory() ? `chmod go-w ${path}` : `chmod 600 ${path}`;
  const why = `can be written by other users (mode ${(mode & 0o7777).toString(8)})`;
  return { path, by: 'mode', why, command, isAbove };
}

function isOursOrRoots({ uid }: Stats): boolean {
  return uid === process.geteuid?.() || uid === ROOT;
}

/** Whether nobody but this user is in the group. Reads files of the system: only ask where the group may write. */
function isGroupOurs(stat: Stats): boolean {
  if (mayBeUnmapped('gid', stat.gid)) return false;
  if (stat.uid === process.geteuid?.()) return isGroupOfOneUser(stat);
  return stat.isDirectory() && isGroupFromRoot(stat);
}

/**
 * Whether the group is the one that many systems make for each user, so that with a umask of 002 nobody else can write.
 * It has the user's number or name.
 */
function isGroupOfOneUser({ uid, gid }: Stats): boolean {
  if (uid === ROOT) return false;
  const user = userName(uid);
  const { group, people } = peopleIn(gid);
  const isOwn = (gid === uid && isGroupOfProcess(gid)) || (group !== undefined && group === user);
  return isOwn && people.every((name) => name === user);
}

/**
 * Whether the group is one that root gave this user, as for a volume of Kubernetes, and nobody else is in it. In a
 * container this user may have no name, and the group may be that of a user of the image, who runs nothing.
 */
function isGroupFromRoot({ gid }: Stats): boolean {
  const us = process.geteuid?.();
  if (us === undefined || us === ROOT || !isGroupOfProcess(gid)) return false;
  const user = userName(us);
  const { people, members } = peopleIn(gid);
  return (user === undefined ? members : people).every((name) => name === user || name === userName(ROOT));
}

function isGroupOfProcess(gid: number): boolean {
  return process.getegid?.() === gid || process.getgroups?.().includes(gid) === true;
}

/**
 * The name of a group and who is in it, as far as this machine's lists know. `members` are those that the group names;
 * `people` are they and the users whose own group it is.
 */
function peopleIn(gid: number) {
  const [group, , , memberList = ''] = tableRows('/etc/group').find(([, , id]) => Number(id) === gid) ?? [];
  const usersOfGroup = tableRows('/etc/passwd').flatMap(([name = '', , , id]) => (Number(id) === gid ? [name] : []));
  const members = memberList.split(',').filter((name) => name !== '');
  return { group, members, people: [...usersOfGroup, ...members] };
}

function userName(uid: number): string | undefined {
  return tableRows('/etc/passwd').find(([, , id]) => Number(id) === uid)?.[0];
}

/** The rows of a list of users or groups: name, password, number and more. None where the system has no such list. */
function tableRows(list: string): readonly (readonly string[])[] {
  try {
    const rows = readFileSync(list, 'utf8').split('\n');
    return rows.map((row) => row.trim().split(':')).filter(({ length }) => length > 3);
  } catch {
    return [];
  }
}
