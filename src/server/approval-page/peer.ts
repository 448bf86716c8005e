/**
 * Tells which OS user is at the other end of a loopback connection, from the socket tables of Linux (proc(5)).
 */
import { closeSync, openSync, readSync } from 'node:fs';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

const TABLES = ['/proc/net/tcp', '/proc/net/tcp6'];
const ESTABLISHED = '01';

/** False on systems without such tables: there a secret has to stand in. */
export const knowsPeers = process.platform === 'linux';

/**
 * `unknown`: the tables cannot be read now, or do not list the connection. A connection that its owner has closed is
 * `other`: its row belongs to nobody.
 */
export type Owner = 'own' | 'other' | 'unknown';

type Ends = Pick<Socket, 'localAddress' | 'localPort' | 'remoteAddress' | 'remotePort'>;

/** @param own number of the user we run as */
export function ownerOf(ends: Ends, own = process.getuid?.(), tables = TABLES): Owner {
  const [theirs, ours] = [entry(ends.remoteAddress, ends.remotePort), entry(ends.localAddress, ends.localPort)];
  if (theirs === undefined || ours === undefined || own === undefined) return 'unknown';
  const rows: Row[] = [];
  for (const file of tables) {
    const table = readTable(file);
    // A table that cannot be read may be the one that lists a second owner. Without IPv6 there is no second table.
    if (table === undefined && file === tables[0]) return 'unknown';
    rows.push(...rowsOf(table ?? '').filter(({ local, remote }) => theirs.has(local) && ours.has(remote)));
  }
  const [row, ...more] = rows;
  if (row === undefined) return 'unknown';
  const whole = more.length === 0 && row.state === ESTABLISHED && row.inode !== '0';
  return whole && row.uid === String(own) ? 'own' : 'other';
}

/** Looks again at what could not be told, milliseconds apart: a table that changes while it is read can miss a row. */
const AGAIN_MS = [0, 10, 40];

/**
 * Looks at each connection when the server accepts it, before its owner can close it and leave an orphan. Resolves to
 * whether our own user is at the other end. What could not be told is not remembered.
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

/** Read at once, in large pieces: read bit by bit, the table changes meanwhile and rows are missed. */
function readTable(file: string): string | undefined {
  try {
    const descriptor = openSync(file, 'r');
    try {
      const pieces: Buffer[] = [];
      for (;;) {
        const piece = Buffer.allocUnsafe(65_536);
        const length = readSync(descriptor, piece);
        if (length === 0) return Buffer.concat(pieces).toString('latin1');
        pieces.push(piece.subarray(0, length));
      }
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return undefined;
  }
}

interface Row {
  /** `0100007F:1F90`, as the table writes them. */
  readonly local: string;
  readonly remote: string;
  readonly state: string;
  readonly uid: string;
  readonly inode: string;
}

function rowsOf(table: string): Row[] {
  return table.split('\n').flatMap((line) => {
    const [, local, remote, state, , , , uid, , inode] = line.trim().split(/\s+/);
    return local && remote && state && uid && inode ? [{ local, remote, state, uid, inode }] : [];
  });
}

/** The entries under which a table can list an end of a connection; a v4 address may stand in the v6 table. */
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
