/** Writes what commands print: a record as JSON, words and hints, as wide as the window. */
import type { Config } from '../../config/load.ts';
import type { Terminal } from './command.ts';
import { typedCommands } from './this-program.ts';

/** Where and how a command prints. */
export interface OutputOptions {
  readonly terminal: Terminal;
  readonly json: boolean;
  /** The settings that the commands in the words must read. */
  readonly config?: Config;
}

/** Prints the record as JSON for programs, or the words for people. */
export function print({ terminal, json, config }: OutputOptions, record: unknown, words: string): void {
  if (json) terminal.stdout.write(`${JSON.stringify(record, undefined, 2)}\n`);
  else terminal.stdout.write(typedCommands(terminal, config)(words));
}

/** Says on stderr what else the person can do. */
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

/**
 * Writes rows of a label and a text. A long text goes on below its beginning.
 * @param margin columns before the texts; default: as many as the longest label needs
 */
export function labelledRows(
  rows: readonly (readonly [label: string, text: string])[],
  width: number,
  margin = marginOf(rows.map(([label]) => label)),
): string[] {
  return rows.flatMap(([label, text]) =>
    wrap(text, width - margin).map((line, i) => (i === 0 ? label : '').padEnd(margin) + line),
  );
}

/** The columns that labels take, two spaces included. */
export function marginOf(labels: readonly string[]): number {
  return Math.max(...labels.map((label) => label.length)) + 2;
}
