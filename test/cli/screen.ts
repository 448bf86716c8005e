/**
 * A terminal for commands that run in this process: what was written, and a person who types.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { expect } from 'vitest';
import { main } from '../../src/main.ts';

type Terminal = Parameters<typeof main>[1];

/** A config folder without profiles: not that of the person who runs the tests. */
const NOBODYS = { XDG_CONFIG_HOME: process.env.XDG_CONFIG_HOME };

/** The program, as one of the PATH: the commands that it prints begin with `fareclerk`. */
const PROGRAM = '/opt/fareclerk/bin/fareclerk';

/** The PATH of a person who types `fareclerk`. */
const withProgram = (path: string | undefined): string =>
  [...(path === undefined ? [] : [path]), dirname(PROGRAM)].join(delimiter);

export function temporary(purpose: string): string {
  return mkdtempSync(join(tmpdir(), `fareclerk-${purpose}-`));
}

/** A folder for the state of one test. */
export function freshState() {
  const folder = temporary('cli');
  return { FARECLERK_STATE_DIR: folder, XDG_STATE_HOME: folder };
}

/** The file of the embedded sandbox's state. */
export const stateFile = (env: Readonly<Record<string, string>>): string =>
  join(env.FARECLERK_STATE_DIR ?? '', 'sandbox', 'fareclerk.sqlite');

/** The last line on the screen, and what the person types then. `undefined` closes the input. */
export type Reply = readonly [question: RegExp, typed: string | undefined];

export interface Person {
  /** Answers to `… no for no:`, in order. */
  readonly types?: readonly string[];
  /** Answers to any question. After an unexpected one the person leaves. */
  readonly replies?: readonly Reply[];
  /** Somebody sits here, who types only with `type`. */
  readonly keyboard?: boolean;
  /** Whether results go to a screen or a pipe. */
  readonly stdoutIsTerminal?: boolean;
  readonly columns?: number;
}

/** @param program the `main` that runs a command line */
export function screen(env: Readonly<Record<string, string>>, person: Person = {}, program = main) {
  const { types, replies, stdoutIsTerminal = false, columns = 100 } = person;
  const keyboard = person.keyboard ?? (types ?? replies) !== undefined;
  const stream = (isTTY: boolean) => Object.assign(new PassThrough(), { isTTY, columns });
  const streams = { stdin: stream(keyboard), stdout: stream(stdoutIsTerminal), stderr: stream(keyboard) };
  const written = { stdout: '', stderr: '' };
  const left = [
    ...(replies ?? types?.map((typed) => [/(?:no to decline|Type yes or no):$/, `${typed}\n`] as const) ?? []),
  ];
  let since = '';
  streams.stdout.on('data', (chunk) => {
    written.stdout += chunk;
  });
  streams.stderr.on('data', (chunk) => {
    written.stderr += chunk;
    since += stripVTControlCharacters(String(chunk));
    const [next] = left;
    if (next === undefined || !next[0].test(since.trimEnd())) {
      if (replies && /: $/.test(since)) setImmediate(() => streams.stdin.end());
      return;
    }
    left.shift();
    since = '';
    // After the prompt is whole and the answer is waited for.
    setImmediate(() => (next[1] === undefined ? streams.stdin.end() : streams.stdin.write(next[1])));
  });
  // A copy: reading settings takes the secrets out of it.
  const terminal = {
    env: { ...NOBODYS, ...env, PATH: withProgram(env.PATH) },
    execPath: process.execPath,
    argv: [process.execPath, PROGRAM],
    ...streams,
  } as unknown as Terminal;
  const shown = (): string => stripVTControlCharacters(written.stderr + written.stdout);
  return {
    terminal,
    stdout: (): string => written.stdout,
    stderr: (): string => written.stderr,
    /** All of it without colours and cursor movements. */
    shown,
    /** Questions that were never asked. */
    unasked: (): readonly RegExp[] => left.map(([question]) => question),
    sees: (words: string) => expect.poll(shown).toContain(words),
    type: (keys: string): void => void streams.stdin.write(keys),
    /** The terminal is closed. */
    hangUp: (): void => void streams.stdin.end(),
    /** The reader of stdout has enough. */
    leave: () => streams.stdout.emit('error', Object.assign(new Error('gone'), { code: 'EPIPE' })),
    /** Runs a command line here. */
    run: (...argv: readonly string[]): Promise<number> => program(argv, terminal),
  };
}

/** Runs a command line to its end. */
export async function ran(
  env: Readonly<Record<string, string>>,
  argv: readonly string[],
  person?: Person,
  program = main,
) {
  const seen = screen(env, person, program);
  const code = await seen.run(...argv);
  const [stdout, stderr] = [seen.stdout(), seen.stderr()];
  return { code, stdout, stderr, shown: seen.shown(), unasked: seen.unasked(), json: () => JSON.parse(stdout) };
}

/** Refuses a command line: exit code 2, the reason on stderr, nothing on stdout. */
export async function expectRefused(env: Readonly<Record<string, string>>, argv: readonly string[], words: RegExp) {
  const { code, stdout, stderr } = await ran(env, argv);
  expect([argv, code, stdout, stderr]).toEqual([argv, 2, '', expect.stringMatching(words)]);
}
