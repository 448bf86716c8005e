/** Another user of the machine: root becomes one, and anybody else plays one, who knows no secret. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

const NOBODY = 65_534;
const identity = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

const PROGRAM = `
const [port, hold] = process.argv.slice(1);
const chunks = [];
process.stdin.on('data', (chunk) => chunks.push(chunk)).on('end', () => {
  const socket = require('node:net').connect({ port: Number(port), host: '127.0.0.1' });
  socket.on('error', () => {});
  socket.on('connect', () => {
    socket.write(Buffer.concat(chunks), () => { if (hold === 'close') socket.destroy(); });
  });
  let reply = '';
  socket.on('data', (data) => { reply += data; });
  socket.on('close', () => process.stdout.write(reply));
});`;

/**
 * Connects, writes and closes while this process, and so the server in it, is busy: the server accepts a connection that is closed.
 */
export function blindlyAsAnother(port: number, bytes: string): void {
  spawnSync(process.execPath, ['-e', PROGRAM, String(port), 'close'], { cwd: '/', env: {}, input: bytes, ...identity });
}

/** Connects, writes, and waits for the answer. */
export async function asAnother(port: number, bytes: string): Promise<string> {
  const child = spawn(process.execPath, ['-e', PROGRAM, String(port), 'read'], {
    cwd: '/',
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
    ...identity,
  });
  let reply = '';
  child.stdout.on('data', (chunk) => {
    reply += chunk;
  });
  child.stdin.end(bytes);
  await once(child, 'close');
  return reply;
}
