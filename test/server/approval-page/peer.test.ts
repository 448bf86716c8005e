/** Whose connection it is, from the socket tables of Linux. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ownerOf, watchPeers } from '../../../src/server/approval-page/peer.ts';

const NOBODY = 65_534;
const me = process.getuid?.() ?? 0;
let server: Server;
let port: number;
let near: Socket;

/** The server's end of a connection that is made. */
async function accepted<T>(make: () => T) {
  const { promise, resolve } = Promise.withResolvers<Socket>();
  server.once('connection', resolve);
  const far = make();
  return { far, socket: await promise };
}
const connected = () => accepted(() => connect(port, '127.0.0.1'));
/** A closed socket forgets them. */
const endsOf = ({ localAddress = '', localPort = 0, remoteAddress = '', remotePort = 0 }: Socket) => ({
  ...{ localAddress, localPort, remoteAddress, remotePort },
});

beforeAll(async () => {
  server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as { port: number });
  near = (await connected()).socket;
});
afterAll(() => {
  near.destroy();
  server.close();
});

describe.runIf(process.platform === 'linux')('whose connection it is', () => {
  test('recognises our own user, and no other one as us, not even root', async () => {
    expect([ownerOf(near), ownerOf(near, me + 4711)]).toEqual(['own', 'other']);
    // Only root can start a process as somebody else.
    if (me !== 0) return;
    const bash = ['-c', 'exec 3<>/dev/tcp/127.0.0.1/$0; cat <&3', String(port)];
    const { far, socket } = await accepted(() => spawn('bash', bash, { uid: NOBODY, cwd: '/', stdio: 'ignore' }));
    const gone = new Promise((resolve) => far.once('exit', resolve));
    expect([1000, NOBODY, 0].map((uid) => ownerOf(socket, uid))).toEqual(['other', 'own', 'other']);
    socket.destroy();
    await gone;
  });

  test('counts a row once that comes twice because the table changed while it was read', () => {
    const lines = readFileSync('/proc/net/tcp', 'latin1').split('\n');
    const hex = (port = 0) => `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
    // Other connections may have one of the two ports.
    const row = lines.find((line) => {
      const [, from, to] = line.trim().split(/\s+/);
      return from?.endsWith(hex(near.remotePort)) && to?.endsWith(hex(near.localPort));
    });
    if (row === undefined) throw new Error('the table does not list the connection');
    const table = join(mkdtempSync(join(tmpdir(), 'peer-')), 'tcp');
    writeFileSync(table, [...lines, row].join('\n'));
    expect(ownerOf(near, me, [table])).toBe('own');
    const other = row.replace(` ${row.trim().split(/\s+/)[9]} `, ' 4711 ');
    writeFileSync(table, [...lines, other].join('\n'));
    expect(ownerOf(near, me, [table])).toBe('other');
  });

  test('does not accept a connection that its owner has closed, not even as root', async () => {
    const { far, socket } = await connected();
    const ends = endsOf(socket);
    far.destroy();
    // The row of a closed connection has user 0.
    await expect.poll(() => [ownerOf(ends), ownerOf(ends, 0)]).toEqual(['other', 'other']);
    socket.destroy();
  });

  test('reports a connection as unknown if the tables do not list it or cannot be read', () => {
    const ends = endsOf(near);
    expect(ownerOf({ ...ends, remotePort: 1 })).toBe('unknown');
    expect(ownerOf(near, me, ['/proc/net/none', '/proc/net/tcp6'])).toBe('unknown');
    expect(ownerOf({ ...ends, remoteAddress: '192.0.2.1' })).toBe('unknown');
    expect(ownerOf({ remoteAddress: undefined, remotePort: undefined })).toBe('unknown');
  });

  test('looks again at a connection of unknown owner, and refuses it meanwhile', async () => {
    const answers = ['unknown', 'unknown', 'unknown', 'own', 'other'] as ('unknown' | 'own' | 'other')[];
    const isOwn = watchPeers(server, () => answers.shift() ?? 'other');
    expect([await isOwn(near), await isOwn(near), await isOwn(near)]).toEqual([false, true, true]);
    expect(answers).toEqual(['other']);
  });
});
