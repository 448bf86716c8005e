/**
 * Asks for a person's yes in the terminal: shows the terms, and takes the booking's locator as the yes.
 */
import { createInterface } from 'node:readline/promises';
import { styleText } from 'node:util';
import type { Terminal } from '../commands/command.ts';

export interface TypedQuestion {
  /** The terms, which the server wrote from its own reading. */
  readonly lines: readonly string[];
  /** The words of the yes: `Pay SAR 1,725.00`. */
  readonly act: string;
  /** Must be typed for a yes. Without a booking the word is `yes`. */
  readonly locator?: string;
}

/** Whether a person can answer here: there is a keyboard and a screen. stdout may be a file. */
export function isInteractive({ stdin, stderr }: Terminal): boolean {
  return stdin.isTTY === true && stderr.isTTY === true;
}

/** The outcome of a question that the person did not answer. */
export interface Unanswered {
  readonly kind: 'unanswered';
  readonly title: string;
  readonly lines: readonly string[];
}

export function unanswered(operationId: string): Unanswered {
  return {
    kind: 'unanswered',
    title: 'Not answered',
    lines: [
      'Nothing was decided, and nothing was sent.',
      `\`fareclerk approve ${operationId}\` asks again, until the question expires.`,
    ],
  };
}

/** Replaces control characters, which a terminal would obey. */
export function printable(line: string): string {
  return line.replace(/\p{Cc}/gu, ' ');
}

/** Anything typed but the locator is a no. Undefined is no answer: Ctrl-C, Ctrl-D or a lost terminal. */
export async function askTyped(terminal: Terminal, question: TypedQuestion): Promise<boolean | undefined> {
  const { stdin, stderr } = terminal;
  const word = question.locator ?? 'yes';
  const bold = (text: string): string => styleText('bold', text, { stream: stderr });
  const lines = question.lines.map((line) => `  ${printable(line)}`);
  stderr.write(`\n${bold(printable(question.act))}?\n${lines.join('\n')}\n\n`);
  const reader = createInterface({ input: stdin, output: stderr });
  const closed = new Promise<undefined>((resolve) => reader.once('close', () => resolve(undefined)));
  try {
    // Ctrl-C closes first, then fails the question.
    const typed = await Promise.race([closed, reader.question(`Type ${bold(word)} for yes, anything else for no: `)]);
    if (typed !== undefined) return typed.trim().toUpperCase() === word.toUpperCase();
    stderr.write('\n');
    return undefined;
  } finally {
    reader.close();
  }
}
