/**
 * A person at a terminal who answers each question as it appears, and what the screen showed.
 */
import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import type { Terminal } from '../../../src/cli/commands/command.ts';
import { main } from '../../../src/main.ts';
import { NOBODYS } from '../screen.ts';

/** A question, by its end, and what is typed. `undefined` closes the input. */
export type Reply = readonly [question: RegExp, typed: string | undefined];

export interface Session {
  readonly code: number;
  /** Without colours and cursor movements. */
  readonly screen: string;
  /** Everything that reached the terminal, byte for byte. */
  readonly raw: string;
  readonly stdout: string;
  /** Questions that were never asked. */
  readonly unasked: readonly RegExp[];
}

/** Runs a command line. Without replies there is no keyboard. */
export async function session(
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
  replies?: readonly Reply[],
): Promise<Session> {
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
  const left = [...(replies ?? [])];
  let [raw, stdout, since] = ['', '', ''];
  streams.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  streams.stderr.on('data', (chunk) => {
    raw += chunk;
    since += chunk;
    const [next] = left;
    const shown = stripVTControlCharacters(since);
    if (next === undefined || !next[0].test(shown.trimEnd())) {
      // An unexpected question: the person leaves, and the test shows the screen.
      if (/: $/.test(shown)) setImmediate(() => streams.stdin.end());
      return;
    }
    left.shift();
    since = '';
    // After the prompt is whole and the answer is waited for.
    setImmediate(() => (next[1] === undefined ? streams.stdin.end() : streams.stdin.write(`${next[1]}\r`)));
  });
  Object.assign(streams.stdin, { isTTY: replies !== undefined });
  Object.assign(streams.stderr, { isTTY: replies !== undefined, columns: 100 });
  Object.assign(streams.stdout, { isTTY: false });
  const terminal = {
    env: { ...NOBODYS, ...env },
    execPath: '/opt/node/bin/node',
    argv: ['/opt/node/bin/node', '/opt/fareclerk/bin/fareclerk.js'],
    ...streams,
  } as unknown as Terminal;
  const code = await main(argv, terminal);
  return { code, screen: stripVTControlCharacters(raw), raw, stdout, unasked: left.map(([question]) => question) };
}
