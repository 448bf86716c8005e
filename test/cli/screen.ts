/**
 * A terminal for commands that run in this process: what was written, and a person who types.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { Terminal } from '../../src/cli/commands/command.ts';
import { main } from '../../src/main.ts';

export interface Screen {
  readonly terminal: Terminal;
  stdout(): string;
  stderr(): string;
  /** Runs a command line here. */
  run(...argv: readonly string[]): Promise<number>;
}

/** A config folder without profiles: not that of the person who runs the tests. */
export const NOBODYS = { XDG_CONFIG_HOME: process.env.XDG_CONFIG_HOME };

/** A folder for the state of one test. */
export function freshState(): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'fareclerk-cli-'));
  return { FARECLERK_STATE_DIR: folder, XDG_STATE_HOME: folder };
}

/**
 * `types`: what the person answers to each question, in order; without it nobody is at the keyboard. `stdoutIsTerminal`:
 * whether results go to a screen or a pipe.
 */
export function screen(
  env: Readonly<Record<string, string>>,
  { types, stdoutIsTerminal = false }: { types?: readonly string[]; stdoutIsTerminal?: boolean } = {},
): Screen {
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
  const written = { stdout: '', stderr: '' };
  const answers = [...(types ?? [])];
  streams.stdout.on('data', (chunk) => {
    written.stdout += chunk;
  });
  streams.stderr.on('data', (chunk) => {
    written.stderr += chunk;
    const answer = String(chunk).includes('for yes, no for no: ') ? answers.shift() : undefined;
    if (answer !== undefined) streams.stdin.write(`${answer}\n`);
  });
  Object.assign(streams.stdin, { isTTY: types !== undefined });
  Object.assign(streams.stderr, { isTTY: types !== undefined });
  Object.assign(streams.stdout, { isTTY: stdoutIsTerminal });
  // A copy: reading settings takes the secrets out of it.
  const terminal = {
    env: { ...NOBODYS, ...env },
    execPath: process.execPath,
    argv: process.argv,
    ...streams,
  } as unknown as Terminal;
  return {
    terminal,
    stdout: () => written.stdout,
    stderr: () => written.stderr,
    run: (...argv) => main(argv, terminal),
  };
}
