import { spawn } from 'node:child_process';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isOwnUser } from '../../../src/server/approval-page/peer.ts';

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
  expect(await isOwnUser(socket, 1000)).toBe(false);
  expect(await isOwnUser(socket, NOBODY)).toBe(true);
  socket.destroy();
  await gone;
}

describe.runIf(process.platform === 'linux')('whose connection it is', () => {
  test('our own', async () => {
    expect(await isOwnUser(near)).toBe(true);
  });

  test('another user’s is not ours', async () => {
    // Only root can start a process as somebody else; anybody can ask in the name of somebody else.
    if (process.getuid?.() === 0) await asNobody();
    else expect(await isOwnUser(near, (process.getuid?.() ?? 0) + 1)).toBe(false);
  });

  test('root may look at anything', async () => {
    const isRoot = process.getuid?.() === 0;
    expect(await isOwnUser(near, 4711)).toBe(isRoot);
  });

  test('one that the system does not know is not turned away', async () => {
    expect(await isOwnUser({ localPort: near.localPort, remotePort: 1 } as Socket, 4711)).toBe(true);
  });
});
