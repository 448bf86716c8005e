/** Commands that run until they are stopped: servers that are measured, and airlines. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Command } from './speaker.ts';

export interface Running {
  readonly child: ChildProcess;
  readonly said: string;
}

/** Starts a command, and waits until it has said `word`. */
export async function startRunning({ args, env }: Command, more: readonly string[], word: RegExp): Promise<Running> {
  const child = spawn(process.execPath, [...args, ...more], { env: { PATH: process.env.PATH ?? '', ...env } });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  while (!word.test(said)) {
    if (child.exitCode !== null) throw new Error(`did not start: ${said}`);
    await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data'), once(child, 'exit')]);
  }
  return { child, said };
}

export async function stopRunning({ child }: Running): Promise<void> {
  const over = once(child, 'exit');
  child.kill('SIGTERM');
  await over;
}
