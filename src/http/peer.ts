/** Tells which OS user is at the other end of a loopback connection, from the socket tables of Linux (proc(5)). */
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { mayBeUnmapped } from '../files/user-namespace.ts';

const TABLES = ['/proc/net/tcp', '/proc/net/tcp6'];

/** Pauses before the next readings, milliseconds: a table that changes while it is read can miss a row. */
const RETRY_PAUSES_MS = [0, 15, 100];

/**
 * False on systems without such tables, and in a user namespace where this user has the number of all whom the namespace does not map:
 * callers need a secret there.
 */
export const knowsPeers = process.platform === 'linux' && !mayBeUnmapped('uid', process.getuid?.() ?? 0);

/**
 * `unknown`: the tables cannot be read now, or do not list the connection. A connection that its owner has closed has a
 * row without owner and counts as `other`.
 */
type Owner = 'own' | 'other' | 'unknown';

type SocketEnds = Pick<Socket, 'localAddress' | 'localPort' | 'remoteAddress' | 'remotePort'>;

/** Reads the tables. Undefined if they cannot be read now. */
export async function readTables(files = TABLES): Promise<string | undefined> {
  const texts = await Promise.all(files.map((file) => readFile(file, 'latin1').catch(() => undefined)));
  // An unreadable table may be the one that lists a second owner. Without IPv6 there is no second table.
  return texts[0] === undefined ? undefined : texts.join('');
}

/** Finds the owner of the other end in the tables. @param user id of the user we run as */
export function ownerIn(tables: string | undefined, ends: SocketEnds, user = process.getuid?.()): Owner {
  const theirs = entries(ends.remoteAddress, ends.remotePort);
  const ours = entries(ends.localAddress, ends.localPort);
  if (tables === undefined || user === undefined) return 'unknown';
  const [row, ...more] = socketRows(tables, theirs, ours);
  if (row === undefined) return 'unknown';
  // A socket that its process has closed has no inode.
  return more.length === 0 && row.inode !== '0' && row.uid === String(user) ? 'own' : 'other';
}

/**
 * Returns a function that tells whether our own user is at the other end. The tables are read when it is asked and not
 * when a connection is made, so that idle connections of other users cost nothing; all who ask meanwhile share the next
 * reading. The answer is remembered with the connection, unless it is `unknown`.
 */
export function createPeerCheck(read: () => Promise<string | undefined> = readTables) {
  const knownOwners = new WeakMap<Socket, Owner>();
  const tables = nextReading(read);
  const findOwner = async (socket: Socket): Promise<Owner> => {
    const owner = ownerIn(await tables(), socket);
    if (owner !== 'unknown') knownOwners.set(socket, owner);
    return owner;
  };
  return async (socket: Socket): Promise<boolean> => {
    let owner = knownOwners.get(socket) ?? (await findOwner(socket));
    for (const ms of RETRY_PAUSES_MS) {
      if (owner !== 'unknown') break;
      await wait(ms);
      owner = await findOwner(socket);
    }
    return owner === 'own';
  };
}

/**
 * Reads once at a time. A reading under way may have passed a connection's row already, so all who wait share the next one:
 * two who ask during reading 1 both get reading 2, which begins once 1 has ended. Who asks during reading 2 gets reading 3.
 */
function nextReading<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  let next: Promise<T> | undefined;
  const begin = (): Promise<T> => {
    next = undefined;
    const reading = read().finally(() => {
      if (running === reading) running = undefined;
    });
    running = reading;
    return reading;
  };
  return () => {
    if (running === undefined) return begin();
    next ??= running.then(begin, begin);
    return next;
  };
}

interface SocketRow {
  readonly uid: string;
  readonly inode: string;
}

/**
 * Finds the sockets between these two ends, each once: a table that changes while it is read can repeat a row. Another owner has
 * another inode.
 */
function socketRows(tables: string, theirs: readonly string[], ours: readonly string[]): SocketRow[] {
  const rows = new Map<string, SocketRow>();
  // `entries` writes both ends in the form of the v4 table first, then in that of the v6 table.
  for (const [nth, from] of theirs.entries()) {
    const ends = ` ${from} ${ours[nth]} `;
    // Not line by line: tables can have many thousands of rows.
    for (let at = tables.indexOf(ends); at >= 0; at = tables.indexOf(ends, at + 1)) {
      const rest = tables.slice(at + ends.length, tables.indexOf('\n', at));
      const [_state, _queues, _timer, _retransmits, uid, _timeout, inode] = rest.trim().split(/\s+/);
      if (uid && inode) rows.set(`${uid} ${inode}`, { uid, inode });
    }
  }
  return [...rows.values()];
}

/** Writes an end of a connection as the two tables do: the v6 table may list a v4 address. Empty if no table can list it. */
function entries(address: string | undefined, port: number | undefined): readonly string[] {
  if (address === undefined || port === undefined) return [];
  const at = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  if (address === '::1') return [`00000000000000000000000001000000${at}`];
  const v4 = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1];
  if (v4 === undefined) return [];
  // The kernel prints each 32-bit word in the byte order of a little-endian machine.
  const hex = v4
    .split('.')
    .toReversed()
    .map((part) => Number(part).toString(16).toUpperCase().padStart(2, '0'))
    .join('');
  return [hex + at, `0000000000000000FFFF0000${hex}${at}`];
}
