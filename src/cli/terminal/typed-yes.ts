/**
 * A person's yes, typed in the terminal: the terms are shown, and the booking's own locator is the yes.
 */
import { createInterface } from 'node:readline/promises';
import { styleText } from 'node:util';
import type { Terminal } from '../commands/command.ts';

export interface TypedQuestion {
  /** What the person reads; written by the server from its own reading. */
  readonly lines: readonly string[];
  /** The words of the yes: `Pay SAR 1,725.00`. */
  readonly act: string;
  /** Typed for a yes; without a booking the word `yes` is. */
  readonly locator?: string;
}

/** Whether somebody can be asked: keyboard and screen, whatever stdout is. */
export function isInteractive({ stdin, stderr }: Terminal): boolean {
  return stdin.isTTY === true && stderr.isTTY === true;
}

/** What is told of a question that the person left. */
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
      `\`fareclerk approve ${operationId}\` asks again, until the question lapses.`,
    ],
  };
}

/** What a terminal would act on is not printed, whatever let it through so far. */
function printable(line: string): string {
  return line.replace(/\p{Cc}/gu, ' ');
}

/** Anything typed but the locator is a no. Undefined: the person left (Ctrl-C, Ctrl-D, a lost terminal), no answer. */
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
