/**
 * Records `fareclerk demo` in a terminal; answers yes to every dialog.
 */
import { PassThrough } from 'node:stream';
import type { Terminal } from '../../src/cli/commands/command.ts';
import { demo } from '../../src/cli/commands/demo.ts';

const PROGRAM = new URL('../../bin/fareclerk.js', import.meta.url).pathname;
/** The second of the two choices is the yes. */
const YES = '2\n';

/** Plays the demo of the built program, with `--disruption` another one; returns the terminal output with colours. */
export async function recordDemo(...flags: readonly string[]): Promise<string> {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const stdout = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
  let written = '';
  let asked = 0;
  stdout.on('data', (chunk) => {
    written += chunk;
    const questions = written.split('your choice (').length - 1;
    // Answers after the program has started to listen.
    if (questions > asked) setImmediate(() => stdin.write(YES));
    asked = questions;
  });
  const { execPath, env } = process;
  const streams = { stdin, stdout, stderr: process.stderr };
  const terminal = { execPath, env, argv: [execPath, PROGRAM], ...streams } as unknown as Terminal;
  if ((await demo.run(flags, terminal)) !== 0) throw new Error(`the demo went wrong:\n${written}`);
  return written;
}

export interface Span {
  readonly text: string;
  /** `bold`, `dim` or a colour; empty: as the rest. */
  readonly style: string;
}

const STYLES: Readonly<Record<string, string>> = {
  1: 'bold',
  2: 'dim',
  31: 'red',
  32: 'green',
  33: 'yellow',
  35: 'magenta',
  36: 'cyan',
};

const ESCAPE = String.fromCharCode(27);
const COLOUR = new RegExp(`${ESCAPE}\\[(\\d+)m`);
/** Sequences of the line editor: moving the cursor, clearing the line. */
const MOVES = new RegExp(`${ESCAPE}\\[\\d*[A-HJK]|\\r`, 'g');

/** A terminal's text as lines of equally styled pieces. */
export function linesOf(written: string): readonly (readonly Span[])[] {
  const lines = written.replaceAll(MOVES, '').split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => {
    const [first = '', ...rest] = line.split(COLOUR);
    const spans: Span[] = [{ text: first, style: '' }];
    for (let i = 0; i < rest.length; i += 2)
      spans.push({ text: rest[i + 1] ?? '', style: STYLES[rest[i] ?? ''] ?? '' });
    return spans.filter(({ text }) => text !== '');
  });
}

export const plain = (line: readonly Span[]): string => line.map(({ text }) => text).join('');

/** A demo without its heading, and without the arguments and results of its calls. */
export function outlineOf(lines: readonly (readonly Span[])[]): readonly (readonly Span[])[] {
  const begins = lines.findIndex((line) => plain(line).startsWith('airline '));
  return lines.slice(begins).filter((line) => !/^ +│/.test(plain(line)) && line[0]?.style !== 'dim');
}
