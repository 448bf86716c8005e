/** Runs a command in a pseudo-terminal of its own, made by util-linux' \`script\`. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';

export interface PseudoTerminal {
  /** What the screen shows: stdout and stderr together, without control sequences. */
  screen(): string;
  /** The same with its colours, and with nothing else that controls a screen. */
  coloured(): string;
  /** Resolves when the screen shows it. */
  shows(pattern: RegExp): Promise<void>;
  type(keys: string): void;
  /** The exit code. */
  ended: Promise<number>;
}

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

const NOT_A_COLOUR = new RegExp(`${String.fromCharCode(27)}\\[[\\d;?]*[A-Za-ln-z]|\\r`, 'g');

/** @param columns of its window; default: it does not say how wide it is */
export function inTerminal(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  columns?: number,
): PseudoTerminal {
  const sized = columns === undefined ? '' : `stty cols ${columns} && `;
  // `exec`: a shell in between would take Ctrl-C too, and answer for the command.
  const command = `${sized}exec ${words.map(quoted).join(' ')}`;
  const child: ChildProcessWithoutNullStreams = spawn(
    'script',
    ['--quiet', '--return', '--command', command, '/dev/null'],
    {
      env: { ...env, SHELL: '/bin/sh', TERM: 'xterm' },
    },
  );
  let raw = '';
  child.stdout.on('data', (chunk) => {
    raw += chunk;
  });
  const screen = (): string => stripVTControlCharacters(raw).replaceAll('\r', '');
  return {
    screen,
    coloured: () => raw.replaceAll(NOT_A_COLOUR, ''),
    async shows(pattern) {
      while (!pattern.test(screen())) await once(child.stdout, 'data');
    },
    type: (keys) => child.stdin.write(keys),
    ended: once(child, 'close').then(([code]) => Number(code)),
  };
}
