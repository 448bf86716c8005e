/**
 * Owners in a user namespace (user_namespaces(7)). The kernel shows every owner that the namespace does not map as one and the same
 * user, so that a stranger's file looks like one of root's, or like ours if we are not mapped either.
 */
import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';

/** Only Linux has it: the owner of a file, or a process that may act for the owner, may open it so (open(2)). */
const { O_NOATIME = 0, O_NONBLOCK = 0, O_RDONLY } = constants;

/** The kernel's own number for it, where /proc does not say. */
const USUAL_OVERFLOW = 65_534;
/** How many ids the map of a process lists that is in no namespace, or in one that maps all. */
const ALL_IDS = 2 ** 32 - 1;

type Kind = 'uid' | 'gid';

/** The ids that stand for all that this namespace does not map. Read once: a process stays in its namespace. */
const unmapped = new Map<Kind, number | undefined>();

/** Whether this may be the number of a user, or a group, that this namespace does not map. */
export function mayBeUnmapped(kind: Kind, id: number): boolean {
  if (!unmapped.has(kind)) unmapped.set(kind, unmappedId(kind));
  return id === unmapped.get(kind);
}

/** Undefined if the namespace maps all. */
function unmappedId(kind: Kind): number | undefined {
  const map = textOf(`/proc/self/${kind}_map`);
  if (map === undefined) return undefined;
  const counts = map.split('\n').map((row) => Number(row.trim().split(/\s+/)[2] ?? 0));
  if (counts.reduce((sum, count) => sum + count, 0) >= ALL_IDS) return undefined;
  return Number(textOf(`/proc/sys/kernel/overflow${kind}`) ?? USUAL_OVERFLOW);
}

/** Whether a file or folder is this user's, by what the kernel permits: its number does not tell. A link counts as a stranger's. */
export function isOwnedByUs(path: string, { dev, ino, uid }: Stats): boolean {
  if (uid !== process.geteuid?.()) return false;
  let file: number;
  try {
    file = openSync(path, O_RDONLY | O_NOATIME | O_NONBLOCK);
  } catch {
    return false;
  }
  try {
    const opened = fstatSync(file);
    return opened.dev === dev && opened.ino === ino;
  } finally {
    closeSync(file);
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
