/** The program on stdio goes on while nobody takes its log. test/campaigns/hosts/die.ts has the deaths of its host. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { startMs } from '../campaigns/chaos/support/program.ts';
import { newFolder } from '../campaigns/support/folders.ts';
import { StdioClient } from '../campaigns/support/stdio-client.ts';
import { BIN } from './clients.ts';

const oneStartMs = await startMs();

describe('a process on stdio', () => {
  /** Serves with this as its stderr; the reader of what it says gets it by `next`. */
  function serving(redirected: string) {
    const folder = newFolder('stderr');
    const env = { PATH: process.env.PATH ?? '', HOME: folder, XDG_STATE_HOME: join(folder, 'state') };
    const child = spawn('bash', ['-c', redirected, process.execPath, BIN, 'serve', '--sandbox'], {
      env: { ...env, FARECLERK_LOG_LEVEL: 'debug' },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    return { client: new StdioClient(child), log: join(folder, 'log') };
  }
  const call = (client: StdioClient, name = 'list_routes') =>
    client.request('tools/call', { name, arguments: {} }).reply.then(({ result }) => result.isError !== true);
  async function endsWithStdin(client: StdioClient): Promise<void> {
    const begun = performance.now();
    await client.close();
    expect(performance.now() - begun).toBeLessThan(Math.max(5_000, 12 * oneStartMs));
  }
  // Pipes with room for 64 KiB, full; the second is read after a while.
  const FULL = `mkfifo "$HOME/log"; exec 9<>"$HOME/log"; dd if=/dev/zero bs=4096 count=16 status=none >&9; exec "$0" "$@" 2>&9`;

  test('answers while nobody reads its stderr, counts the lines it drops, and ends with stdin', async () => {
    const { client, log } = serving(FULL);
    try {
      expect(await call(client)).toBe(true);
      for (let line = 0; line < 900; line++) await call(client, 'read_booking');
      const reader = spawn('cat', [log], { stdio: ['ignore', 'pipe', 'ignore'] });
      let read = '';
      reader.stdout.on('data', (chunk) => {
        read += chunk;
      });
      await expect.poll(() => read.length).toBeGreaterThan(130_000);
      await call(client);
      await expect.poll(() => read).toMatch(/"dropped":\d+,"msg":"lines of the log were dropped: nobody read them"/);
      reader.kill('SIGKILL');
      await once(reader, 'exit');
      for (let line = 0; line < 900; line++) await call(client, 'read_booking');
      await endsWithStdin(client);
    } finally {
      client.kill();
    }
  });

  test('answers while its log cannot be written because a disk is full', async () => {
    const { client } = serving('exec "$0" "$@" 2>/dev/full');
    try {
      expect(await call(client)).toBe(true);
      await pause(250);
      expect(await call(client)).toBe(true);
      await endsWithStdin(client);
    } finally {
      client.kill();
    }
  });
});
