/** Whose connection it is, from the socket tables of Linux. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, promises, readFileSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createPeerCheck, ownerIn, readTables } from '../../src/http/peer.ts';
import { pageOf, testDesk } from '../pages/approval/support/desk-of.ts';
import { enter } from '../pages/approval/support/page-client.ts';
import { goodHeaders, LIST, open, raw } from './support/raw.ts';
import { serve } from './support/serve.ts';

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
const ownerOf = async (ends: Parameters<typeof ownerIn>[1], user = me, files?: string[]) =>
  ownerIn(await readTables(files), ends, user);

/** Half of them send no byte, the others begin a request. */
async function crowdOf(port: number) {
  const crowd = await Promise.all(Array.from({ length: 1_200 }, () => open(port)));
  for (const [n, socket] of crowd.entries()) {
    socket.on('error', () => undefined);
    if (n % 2 === 1) socket.write('GET /approve/x HTTP/1.1\r\nhost: 127');
  }
  return crowd;
}

/** A closed socket forgets them. */
const endsOf = ({ localAddress = '', localPort = 0, remoteAddress = '', remotePort = 0 }: Socket) => ({
  ...{ localAddress, localPort, remoteAddress, remotePort },
});

beforeAll(async () => {
  server = createServer({ allowHalfOpen: true });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as { port: number });
  near = (await connected()).socket;
});
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});
afterAll(() => {
  near.destroy();
  server.close();
});

describe.runIf(process.platform === 'linux')('whose connection it is', () => {
  test('recognises our own user, and no other one as us, not even root', async () => {
    expect([await ownerOf(near), await ownerOf(near, me + 4711)]).toEqual(['own', 'other']);
    // Only root can start a process as somebody else.
    if (me !== 0) return;
    const bash = ['-c', 'exec 3<>/dev/tcp/127.0.0.1/$0; cat <&3', String(port)];
    const { far, socket } = await accepted(() => spawn('bash', bash, { uid: NOBODY, cwd: '/', stdio: 'ignore' }));
    const gone = new Promise((resolve) => far.once('exit', resolve));
    const owners = await Promise.all([1000, NOBODY, 0].map((uid) => ownerOf(socket, uid)));
    expect(owners).toEqual(['other', 'own', 'other']);
    socket.destroy();
    await gone;
  });

  test('counts a row once that comes twice because the table changed while it was read', async () => {
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
    expect(await ownerOf(near, me, [table])).toBe('own');
    const other = row.replace(` ${row.trim().split(/\s+/)[9]} `, ' 4711 ');
    writeFileSync(table, [...lines, other].join('\n'));
    expect(await ownerOf(near, me, [table])).toBe('other');
  });

  test('does not accept a connection that its owner has closed, not even as root', async () => {
    const { far, socket } = await connected();
    const ends = endsOf(socket);
    far.destroy();
    // The row of a closed connection has user 0.
    await expect.poll(async () => [await ownerOf(ends), await ownerOf(ends, 0)]).toEqual(['other', 'other']);
    socket.destroy();
  });

  test('recognises our own user who has said all and waits for the answer', async () => {
    const { far, socket } = await connected();
    const half = once(socket.resume(), 'end');
    far.end();
    await half;
    expect(await ownerOf(socket)).toBe('own');
    socket.destroy();
  });

  test('reports a connection as unknown if the tables do not list it or cannot be read', async () => {
    const ends = endsOf(near);
    const unknown = [
      ownerOf({ ...ends, remotePort: 1 }),
      ownerOf(near, me, ['/proc/net/none', '/proc/net/tcp6']),
      ownerOf({ ...ends, remoteAddress: '192.0.2.1' }),
      ownerOf({ remoteAddress: undefined, remotePort: undefined } as never),
    ];
    expect(new Set(await Promise.all(unknown))).toEqual(new Set(['unknown']));
  });

  test('looks again at a connection of unknown owner, refuses it meanwhile, and remembers what it found', async () => {
    const now = await readTables();
    const readings = [undefined, '', undefined, undefined, undefined, now];
    const isOwn = createPeerCheck(async () => readings.shift());
    expect([await isOwn(near), await isOwn(near), await isOwn(near)]).toEqual([false, true, true]);
    expect(readings).toEqual([]);
  });

  test('reads the tables once for all who ask at the same time, and not with a reading that began before', async () => {
    let readings = 0;
    const { promise: first, resolve: endFirst } = Promise.withResolvers<string>();
    const isOwn = createPeerCheck(() => (++readings === 1 ? first : readTables()));
    const early = isOwn(near);
    const before = await readTables();
    const sockets = [(await connected()).socket, (await connected()).socket, (await connected()).socket];
    const late = sockets.map(isOwn);
    endFirst(before ?? '');
    expect(await Promise.all([early, ...late])).toEqual([true, true, true, true]);
    expect(readings).toBe(2);
    for (const socket of sockets) socket.destroy();
  });
});

describe.runIf(process.platform === 'linux')('beside 1,200 connections that send no byte or half a request', () => {
  test('a person reaches the page, and the tables are read for the requests of that person alone', async () => {
    const desk = await testDesk();
    const page = await pageOf(desk);
    const approval = await desk.ask();
    const spy = vi.spyOn(promises, 'readFile');
    syncBuiltinESMExports();
    const crowd = await crowdOf(Number(new URL(page.origin).port));
    expect(spy.mock.calls).toEqual([]);
    const { page: shown } = await enter(page.addressFor(approval));
    expect(shown.status).toBe(200);
    const files = spy.mock.calls.map(([file]) => file);
    expect(new Set(files)).toEqual(new Set(['/proc/net/tcp', '/proc/net/tcp6']));
    expect(files.length).toBeLessThanOrEqual(2 * 4);
    for (const socket of crowd) socket.destroy();
    await page.close();
    await desk.close();
  });

  test('a server over HTTP answers, and reads the tables for calls alone', async () => {
    const at = await serve();
    const spy = vi.spyOn(promises, 'readFile');
    syncBuiltinESMExports();
    const crowd = await crowdOf(at.port);
    const health = await fetch(`http://127.0.0.1:${at.port}/healthz`);
    expect([health.status, spy.mock.calls]).toEqual([200, []]);
    const called = await raw(at.port, { headers: goodHeaders(at.port), body: LIST });
    expect([called.status, spy.mock.calls.length > 0]).toEqual([200, true]);
    for (const socket of crowd) socket.destroy();
    await at.close();
  });
});
