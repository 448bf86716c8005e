/** Asks for a person's yes in the terminal: shows the terms, and takes the booking's locator as the yes. */
import { createInterface } from 'node:readline/promises';
import { styleText } from 'node:util';
import type { Approval } from '../../approvals/ports.ts';
import { linesOf } from '../../approvals/terms.ts';
import type { Terminal } from '../commands/command.ts';

/** Whether a person can answer here: there is a keyboard and a screen. stdout may be a file. */
export function isInteractive({ stdin, stderr }: Terminal): boolean {
  return stdin.isTTY === true && stderr.isTTY === true;
}

/** The outcome of a question that the person did not answer. */
export function unanswered(operationId: string) {
  return {
    kind: 'unanswered' as const,
    title: 'Not answered',
    lines: [
      'Nothing was decided, and nothing was sent.',
      `\`fareclerk approve ${operationId}\` asks again, until the question expires.`,
    ],
  };
}

/** Replaces control characters, because a terminal would obey them. */
export function printable(line: string): string {
  return line.replace(/\p{Cc}/gu, ' ');
}

/**
 * The word for yes is the locator, or `yes` without a booking; anything else typed is a no. Undefined is no answer:
 * Ctrl-C, Ctrl-D or a lost terminal.
 */
export async function askTyped(
  { stdin, stderr }: Terminal,
  { locator: word = 'yes', act, sections }: Pick<Approval, 'sections' | 'act' | 'locator'>,
): Promise<boolean | undefined> {
  const bold = (text: string): string => styleText('bold', text, { stream: stderr });
  const lines = linesOf(sections).map((line) => `  ${printable(line)}`);
  stderr.write(`\n${bold(printable(act))}?\n${lines.join('\n')}\n\n`);
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
