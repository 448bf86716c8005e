/**
 * Who else could have written a file, or put another in its place, by owner and mode. Windows has neither: nobody.
 *
 * There is one rule for everything that is read or written. It belongs to this user or root, and nobody else can write
 * it; so do the folders and links that lead to it. A folder above may be open to all if its sticky bit keeps others
 * from renaming what is ours (/tmp, or a folder of secrets in Kubernetes).
 */
import { existsSync, lstatSync, readFileSync, readlinkSync, realpathSync, type Stats } from 'node:fs';
import { dirname, isAbsolute, join, parse, resolve, sep } from 'node:path';

/** The user id of root. */
const ROOT = 0;
/** Bits of a file's mode. */
const STICKY = 0o1000;
const GROUP_WRITES = 0o020;
const OTHERS_WRITE = 0o002;
/** As Linux: a path with more links is no path. */
const MOST_LINKS = 40;

/** What another user could have written or replaced. */
export interface Foreign {
  readonly path: string;
  readonly by: 'owner' | 'mode' | 'link';
  /** The end of a sentence: `belongs to another user`, `can be written by other users (mode 666)`. */
  readonly why: string;
  /** What its owner does about the mode. */
  readonly command?: string;
  /** It is a folder above what was asked for. */
  readonly isAbove: boolean;
}

/** A file or folder that is not believed, and was left as it is. */
export class ForeignError extends Error {
  override readonly name = 'ForeignError';
  readonly foreign: Foreign;

  constructor(foreign: Foreign) {
    super(`${foreign.path} ${foreign.why}`);
    this.foreign = foreign;
  }

  /** For those who need not know the path: `belongs to another user`. */
  get brief(): string {
    return this.foreign.isAbove ? `is below a folder that ${this.foreign.why}` : this.foreign.why;
  }
}

/** Where a path leads, with every link followed, and the first thing on the way that is foreign. */
interface FollowedPath {
  readonly real: string;
  readonly foreign?: Foreign;
}

/**
 * Follows a path as the system does, and looks at every folder and link on the way. A file at its end is judged by its
 * descriptor ({@link whyForeign}); a folder may be sticky only if `isAbove`: one file is opened in it, and not all that
 * is there.
 */
export function wayTo(path: string, isAbove = false): FollowedPath {
  if (process.geteuid === undefined) return { real: existsSync(path) ? realpathSync(path) : resolve(path) };
  const { root } = parse(resolve(path));
  // Not `resolve`: after a link, `..` is the folder that it leads into, and not the one that it is in.
  const rest = [...(isAbsolute(path) ? [] : namesIn(process.cwd())), ...namesIn(path)];
  let at = root;
  let links = 0;
  let found = foreignAt(at, lstatSync(at), true);
  while (rest.length > 0 && found === undefined) {
    const name = rest.shift() ?? '';
    const next = name === '..' ? dirname(at) : join(at, name);
    const stat = lookAt(next);
    // Nothing is there yet, nor below it; or this user cannot get there.
    if (stat === undefined) return { real: join(next, ...rest) };
    found = foreignAt(next, stat, isAbove || rest.length > 0);
    if (stat.isSymbolicLink()) {
      const target = readlinkSync(next);
      rest.unshift(...namesIn(target));
      if (isAbsolute(target)) at = root;
      links += 1;
    } else at = next;
    if (links > MOST_LINKS) found ??= { path: next, by: 'link', why: 'leads nowhere', isAbove: false };
  }
  return { real: at, foreign: found };
}

/** Undefined where nothing is, or this user cannot get there. */
function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

function namesIn(path: string): string[] {
  return path.split(sep).filter((name) => name !== '' && name !== '.');
}

/** Judges a folder or link on the way. A file is judged when it is open: what a name means may change until then. */
function foreignAt(path: string, stat: Stats, isAbove: boolean): Foreign | undefined {
  if (!stat.isDirectory() && !stat.isSymbolicLink()) return undefined;
  return whyForeign(path, stat, isAbove);
}

/**
 * Judges by what a descriptor, or a look that follows no link, says of it. `isAbove`: of what we use, it is a folder
 * above.
 */
export function whyForeign(path: string, stat: Stats, isAbove = false): Foreign | undefined {
  if (process.geteuid === undefined) return undefined;
  if (!isOfUs(stat)) return { path, by: 'owner', why: 'belongs to another user', isAbove };
  if (stat.isSymbolicLink()) return undefined;
  const { mode } = stat;
  if (isAbove && (mode & STICKY) !== 0) return undefined;
  // Whose a group is stands in files of the system: they are read only where it may write.
  const isGroupOurs = () =>
    stat.uid === process.geteuid?.() ? hasOwnGroup(stat) : stat.isDirectory() && hasGivenGroup(stat);
  if ((mode & OTHERS_WRITE) === 0 && ((mode & GROUP_WRITES) === 0 || isGroupOurs())) return undefined;
  const command = stat.isDirectory() ? `chmod go-w ${path}` : `chmod 600 ${path}`;
  const why = `can be written by other users (mode ${(mode & 0o7777).toString(8)})`;
  return { path, by: 'mode', why, command, isAbove };
}

/** A user namespace may show root as another id; whoever owns / can replace everything. */
function isOfUs({ uid }: Stats): boolean {
  return uid === process.geteuid?.() || uid === ROOT || uid === lstatSync('/').uid;
}

/**
 * The group that many systems make for each user, so that with a umask of 002 nobody else can write: it has the user's
 * number or name.
 */
function hasOwnGroup({ uid, gid }: Stats): boolean {
  if (uid === ROOT) return false;
  const user = userName(uid);
  const { group, people } = peopleIn(gid);
  const isOwn = (gid === uid && isGroupOfProcess(gid)) || (group !== undefined && group === user);
  return isOwn && people.every((name) => name === user);
}

/**
 * A group that root gave this user: of a volume of Kubernetes. Whoever else is in it could write. In a container this
 * user may have no name, and the volume's group be that of a user of the image, who runs nothing.
 */
function hasGivenGroup({ gid }: Stats): boolean {
  const us = process.geteuid?.();
  if (us === undefined || us === ROOT || !isGroupOfProcess(gid)) return false;
  const user = userName(us);
  const { people, members } = peopleIn(gid);
  return (user === undefined ? members : people).every((name) => name === user || name === userName(ROOT));
}

function isGroupOfProcess(gid: number): boolean {
  return process.getegid?.() === gid || process.getgroups?.().includes(gid) === true;
}

/** The name of a group, and who is in it, as far as this machine's own lists know. */
function peopleIn(gid: number) {
  const [group, , , named = ''] = tableRows('/etc/group').find(([, , id]) => Number(id) === gid) ?? [];
  const ofOwnGroup = tableRows('/etc/passwd').flatMap(([name = '', , , id]) => (Number(id) === gid ? [name] : []));
  const members = named.split(',').filter((name) => name !== '');
  return { group, members, people: [...ofOwnGroup, ...members] };
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
