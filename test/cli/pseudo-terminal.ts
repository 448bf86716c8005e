/** Runs a command in a pseudo-terminal of its own, made by util-linux' \`script\`. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';

export interface PseudoTerminal {
  /** What the screen shows: stdout and stderr together, without control sequences. */
  screen(): string;
  /** Resolves when the screen shows it. */
  shows(pattern: RegExp): Promise<void>;
  type(keys: string): void;
  /** The exit code. */
  ended: Promise<number>;
}

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

export function inTerminal(words: readonly string[], env: Readonly<Record<string, string>>): PseudoTerminal {
  // `exec`: a shell in between would take Ctrl-C too, and answer for the command.
  const command = `exec ${words.map(quoted).join(' ')}`;
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
    async shows(pattern) {
      while (!pattern.test(screen())) await once(child.stdout, 'data');
    },
    type: (keys) => child.stdin.write(keys),
    ended: once(child, 'close').then(([code]) => Number(code)),
  };
}
