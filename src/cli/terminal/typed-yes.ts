/** Asks a person for an answer in the terminal: a yes, which is the locator of the booking, or a no. */
import { createInterface } from 'node:readline/promises';
import { styleText } from 'node:util';
import type { Approval } from '../../approvals/approval.ts';
import type { PageText } from '../../approvals/outcome-words.ts';
import type { Terminal } from './command.ts';
import { askingLine, questionText } from './question-text.ts';

/** How many answers are read until one is understood. */
const MOST_TRIES = 3;

/** Whether a person can answer here: there is a keyboard and a screen. stdout may be a file. */
export function isInteractive({ stdin, stderr }: Terminal): boolean {
  return stdin.isTTY === true && stderr.isTTY === true;
}

/** `none`: the person pressed Ctrl-C or Ctrl-D, lost the terminal, or typed something else three times. */
export type TypedAnswer = 'yes' | 'no' | 'none';

/**
 * Asks for a yes or a no. The yes is the locator, or `yes` if there is no booking.
 * @param now milliseconds since 1970, by the clock of the approvals
 */
export async function askTyped(terminal: Terminal, question: Approval, now: number): Promise<TypedAnswer> {
  const { stderr } = terminal;
  const { locator: yesWord = 'yes' } = question;

  stderr.write(questionText(question, stderr, now));
  const yes = yesWord.toLowerCase();

  const read = (answer: string) => {
    if (answer === yes) return 'yes';
    return isNo(answer) ? 'no' : undefined;
  };

  const mistakeText = `neither ${yesWord} nor no`;
  return (await askLine(terminal, askingLine(question, stderr), { read, mistakeText })) ?? 'none';
}

/** Makes the outcome of a question that the person did not answer. */
export function unanswered(operationId: string): PageText & { readonly kind: 'unanswered' } {
  return {
    kind: 'unanswered',
    title: 'Not answered',
    lines: [
      'Nothing was decided, and nothing was sent.',
      `\`fareclerk approve ${operationId}\` asks again, until the question expires.`,
    ],
  };
}

// What every question in the terminal needs.

export function isNo(answer: string): boolean {
  return answer === 'no' || answer === 'n';
}

/** How the answer to one line is read. */
export interface LineReading<T> {
  /** Gets the answer in small letters. Returns undefined if it does not understand it. */
  read(answer: string): T | undefined;
  /** Describes every answer that is not understood, after "That is". */
  readonly mistakeText: string;
}

/** Asks with one line until the answer is understood, or three times. Undefined without an answer. */
export async function askLine<T>(
  { stdin, stderr }: Pick<Terminal, 'stdin' | 'stderr'>,
  prompt: string,
  { read, mistakeText }: LineReading<T>,
): Promise<T | undefined> {
  const boldPrompt = styleText('bold', prompt, { stream: stderr });
  const reader = createInterface({ input: stdin, output: stderr });
  const closed = new Promise<undefined>((resolve) => reader.once('close', () => resolve(undefined)));

  try {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      // Ctrl-C closes first, then fails the question.
      const line = await Promise.race([closed, reader.question(boldPrompt)]);
      if (line === undefined) break;
      const answer = read(line.trim().toLowerCase());
      if (answer !== undefined) return answer;
      stderr.write(`That is ${mistakeText}. Nothing was decided.\n`);
    }

    stderr.write('\n');
    return undefined;
  } finally {
    reader.close();
  }
}
