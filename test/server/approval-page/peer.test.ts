import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Owner, ownerOf, watchPeers } from '../../../src/server/approval-page/peer.ts';

let server: Server;
let near: Socket;
let far: Socket;

beforeAll(async () => {
  server = createServer();
  const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  far = connect(port, '127.0.0.1');
  near = await accepted;
});

afterAll(() => {
  far.destroy();
  near.destroy();
  server.close();
});

const NOBODY = 65_534;

async function asNobody(): Promise<void> {
  const { port } = server.address() as { port: number };
  const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve));
  const other = spawn('bash', ['-c', 'exec 3<>/dev/tcp/127.0.0.1/$0; cat <&3', String(port)], {
    uid: NOBODY,
    cwd: '/',
    stdio: 'ignore',
  });
  const gone = new Promise((resolve) => other.once('exit', resolve));
  const socket = await accepted;
  expect(ownerOf(socket, 1000)).toBe('other');
  expect(ownerOf(socket, NOBODY)).toBe('own');
  expect(ownerOf(socket, 0)).toBe('other');
  socket.destroy();
  await gone;
}

describe.runIf(process.platform === 'linux')('whose connection it is', () => {
  const me = process.getuid?.() ?? 0;

  test('recognises our own user', async () => {
    expect(ownerOf(near)).toBe('own');
  });

  test('recognises another user', async () => {
    // Only root can start a process as somebody else; anybody can ask in the name of somebody else.
    if (me === 0) await asNobody();
    else expect(ownerOf(near, me + 1)).toBe('other');
  });

  test('does not accept root as our own user', async () => {
    expect(ownerOf(near, me + 4711)).toBe('other');
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

  test('does not accept a connection that its owner has closed', async () => {
    const { port } = server.address() as { port: number };
    const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve));
    const leaving = connect(port, '127.0.0.1');
    const socket = await accepted;
    leaving.destroy();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(ownerOf(socket)).not.toBe('own');
    socket.destroy();
  });

  test('reports a connection as unknown if the tables do not list it or cannot be read', async () => {
    expect(ownerOf({ ...ends(near), remotePort: 1 })).toBe('unknown');
    expect(ownerOf(near, me, ['/proc/net/none', '/proc/net/tcp6'])).toBe('unknown');
    expect(ownerOf({ ...ends(near), remoteAddress: '192.0.2.1' })).toBe('unknown');
    expect(ownerOf({ remoteAddress: undefined, remotePort: undefined })).toBe('unknown');
  });

  test('looks again at a connection of unknown owner, and refuses it meanwhile', async () => {
    const answers: Owner[] = [...Array<Owner>(3).fill('unknown'), 'own', 'other'];
    const isOwn = watchPeers(server, () => answers.shift() ?? 'other');
    expect(await isOwn(near)).toBe(false);
    expect(await isOwn(near)).toBe(true);
    expect(await isOwn(near)).toBe(true);
    expect(answers).toEqual(['other']);
  });
});

function ends(socket: Socket) {
  const { localAddress = '', localPort = 0, remoteAddress = '', remotePort = 0 } = socket;
  return { localAddress, localPort, remoteAddress, remotePort };
}
