/**
 * Whose process is at the other end of a loopback connection. The secret passes through the argument list of a browser,
 * which other users of the machine can read: where the system tells, they are turned away with it.
 */
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';

/** Linux, proc(5): one row per socket, with the user it belongs to. A v4 connection may stand in either file. */
const TABLES = ['/proc/net/tcp', '/proc/net/tcp6'];

const ROOT = 0;

/** False only where the system says that another user's process is there. `own` is the user's number. */
export async function isOwnUser(
  { localPort, remotePort }: Pick<Socket, 'localPort' | 'remotePort'>,
  own: number | undefined = process.getuid?.(),
): Promise<boolean> {
  if (process.platform !== 'linux' || own === undefined || localPort === undefined || remotePort === undefined) {
    return true;
  }
  const tables = await Promise.all(TABLES.map((file) => readFile(file, 'latin1').catch(() => '')));
  const owners = tables.flatMap((table) => ownersOf(table, remotePort, localPort));
  // Root needs no secret of ours; port forwarders run as root too.
  return owners.every((uid) => uid === own || uid === ROOT);
}

/** Users of the sockets that go from one local port to another. */
function ownersOf(table: string, from: number, to: number): number[] {
  return table.split('\n').flatMap((row) => {
    const [, local, remote, , , , , uid] = row.trim().split(/\s+/);
    return portOf(local) === from && portOf(remote) === to ? [Number(uid)] : [];
  });
}

/** `0100007F:1F90` → 8080. */
function portOf(address: string | undefined): number | undefined {
  const hex = address?.split(':')[1];
  return hex === undefined ? undefined : Number.parseInt(hex, 16);
}
