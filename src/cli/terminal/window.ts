/** Writes to a terminal, and fits text to its window. */
import type { Config } from '../../config/load.ts';
import type { Terminal } from '../commands/command.ts';
import { typedCommands } from './this-program.ts';

/** What a command prints, and how. */
export interface OutputOptions {
  readonly terminal: Terminal;
  readonly json: boolean;
  /** What commands in the words are about. */
  readonly config?: Config;
}

/** Prints the record as JSON for programs, or the words for people. */
export function print({ terminal, json, config }: OutputOptions, record: unknown, words: string): void {
  const text = () => (config === undefined ? words : typedCommands(terminal, config)(words));
  terminal.stdout.write(json ? `${JSON.stringify(record, undefined, 2)}\n` : text());
}

/** Says on stderr what else can be done. */
export function hint({ terminal, config }: Pick<OutputOptions, 'terminal' | 'config'>, words: string): void {
  terminal.stderr.write(typedCommands(terminal, config)(words));
}

/** Columns of the window; undefined for a pipe or a file. */
export function windowWidth({ isTTY, columns }: Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>): number | undefined {
  return isTTY && columns > 0 ? columns : undefined;
}

/** Breaks text at spaces into lines of at most `width` characters. A longer word has a line of its own. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/[ \n]+/)) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
