/** Tells which OS user is at the other end of a loopback connection, from the socket tables of Linux (proc(5)). */
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

const TABLES = ['/proc/net/tcp', '/proc/net/tcp6'];
const ESTABLISHED = '01';

/** False on systems without such tables: callers need a secret there. */
export const knowsPeers = process.platform === 'linux';

/**
 * `unknown`: the tables cannot be read now, or do not list the connection. A connection that its owner has closed has a
 * row without owner and counts as `other`.
 */
type Owner = 'own' | 'other' | 'unknown';

type SocketEnds = Pick<Socket, 'localAddress' | 'localPort' | 'remoteAddress' | 'remotePort'>;

/** @param user id of the user we run as */
export function ownerOf(ends: SocketEnds, user = process.getuid?.(), tables = TABLES): Owner {
  const [theirs, ours] = [entry(ends.remoteAddress, ends.remotePort), entry(ends.localAddress, ends.localPort)];
  if (theirs === undefined || ours === undefined || user === undefined) return 'unknown';
  let text = '';
  for (const file of tables) {
    const table = readTable(file);
    // An unreadable table may be the one that lists a second owner. Without IPv6 there is no second table.
    if (table === undefined && file === tables[0]) return 'unknown';
    text += table ?? '';
  }
  const [row, ...more] = sockets(text, theirs, ours);
  if (row === undefined) return 'unknown';
  const isReadable = more.length === 0 && row.state === ESTABLISHED && row.inode !== '0';
  return isReadable && row.uid === String(user) ? 'own' : 'other';
}

/** Pauses before the next looks: a table that changes while it is read can miss a row. */
const AGAIN_MS = [0, 15, 100];

/**
 * Looks at each connection when the server accepts it, before its owner can close it. Resolves to whether our own user
 * is at the other end. `unknown` is not remembered.
 */
export function watchPeers(
  server: { on(event: 'connection', listener: (socket: Socket) => void): unknown },
  look: (socket: Socket) => Owner = (socket) => ownerOf(socket),
): (socket: Socket) => Promise<boolean> {
  const found = new WeakMap<Socket, Owner>();
  const lookAt = (socket: Socket): Owner => {
    const owner = look(socket);
    if (owner !== 'unknown') found.set(socket, owner);
    return owner;
  };
  server.on('connection', lookAt);
  return async (socket) => {
    let owner = found.get(socket) ?? 'unknown';
    for (const ms of AGAIN_MS) {
      if (owner !== 'unknown') break;
      await wait(ms);
      owner = lookAt(socket);
    }
    return owner === 'own';
  };
}

function readTable(file: string): string | undefined {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return undefined;
  }
}

interface SocketRow {
  readonly state: string;
  readonly uid: string;
  readonly inode: string;
}

/**
 * Sockets between these two ends, each once: a table that changes while it is read can repeat a row. Another owner has
 * another inode.
 */
function sockets(text: string, theirs: ReadonlySet<string>, ours: ReadonlySet<string>): SocketRow[] {
  const rows = new Map<string, SocketRow>();
  for (const line of text.split('\n')) {
    const [, local, remote, state, , , , uid, , inode] = line.trim().split(/\s+/);
    if (!local || !remote || !state || !uid || !inode || !theirs.has(local) || !ours.has(remote)) continue;
    rows.set(`${uid} ${inode}`, { state, uid, inode });
  }
  return [...rows.values()];
}

/** How tables write an end of a connection; the v6 table may list a v4 address. */
function entry(address: string | undefined, port: number | undefined): ReadonlySet<string> | undefined {
  if (address === undefined || port === undefined) return undefined;
  const at = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  if (address === '::1') return new Set([`00000000000000000000000001000000${at}`]);
  const v4 = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1];
  if (v4 === undefined) return undefined;
  // The kernel prints each 32-bit word in the byte order of a little-endian machine.
  const hex = v4
    .split('.')
    .toReversed()
    .map((part) => Number(part).toString(16).toUpperCase().padStart(2, '0'))
    .join('');
  return new Set([hex + at, `0000000000000000FFFF0000${hex}${at}`]);
}
