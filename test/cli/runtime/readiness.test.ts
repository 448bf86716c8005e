/**
 * A server whose disk is full. The limit on the size of files does that to a process that is running: what it writes
 * fails, and works again when the limit is lifted.
 */
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { buildProgram, ended, folderFor } from '../program.ts';

const folder = folderFor('readiness');
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

it.runIf(process.platform === 'linux')(
  'is not ready while the disk is full, and recovers by itself',
  async () => {
    const program = await buildProgram();
    const child = program.start(['serve', '--http', '--port', '0'], { FARECLERK_STATE_DIR: join(folder, 'state') });
    const over = ended(child);
    let said = '';
    child.stderr?.on('data', (chunk) => {
      said += chunk;
    });
    await expect.poll(() => said, { timeout: 10_000 }).toMatch(/:\d+\/mcp/);
    const [, port] = /:(\d+)\/mcp/.exec(said) ?? [];
    const probe = async () => {
      const reply = await fetch(`http://127.0.0.1:${port}/readyz`);
      return [reply.status, ((await reply.json()) as { reasons?: string[] }).reasons];
    };
    const limit = (bytes: string) => execFileSync('prlimit', ['--pid', String(child.pid), `--fsize=${bytes}:`]);
    // Opens the state.
    await fetch(`http://127.0.0.1:${port}/metrics`);
    limit('1024');
    expect(await probe()).toEqual([
      503,
      [
        'The state store cannot be written: it is full or read-only.',
        'The second record of the journal cannot be written: its disk is full or read-only.',
      ],
    ]);
    limit('unlimited');
    await expect.poll(probe, { timeout: 15_000, interval: 250 }).toEqual([200, undefined]);
    child.kill('SIGTERM');
    expect((await over).code).toBe(0);
    rmSync(program.folder, { recursive: true, force: true, maxRetries: 5 });
  },
  60_000,
);
