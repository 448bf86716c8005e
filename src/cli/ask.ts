/**
 * A person's yes, typed in the terminal: the terms are shown, and the booking's own locator is the yes.
 */
import { createInterface } from 'node:readline/promises';
import { styleText } from 'node:util';
import type { Terminal } from './command.ts';

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

/** What a terminal would act on is not printed, whatever let it through so far. */
function printable(line: string): string {
  return line.replace(/\p{Cc}/gu, ' ');
}

/** Anything but the locator is a no. */
export async function askTyped(terminal: Terminal, question: TypedQuestion): Promise<boolean> {
  const { stdin, stderr } = terminal;
  const word = question.locator ?? 'yes';
  const bold = (text: string): string => styleText('bold', text, { stream: stderr });
  const lines = question.lines.map((line) => `  ${printable(line)}`);
  stderr.write(`\n${bold(printable(question.act))}?\n${lines.join('\n')}\n\n`);
  const reader = createInterface({ input: stdin, output: stderr });
  const closed = new Promise<string>((resolve) => reader.once('close', () => resolve('')));
  try {
    const typed = await Promise.race([reader.question(`Type ${bold(word)} for yes, anything else for no: `), closed]);
    return typed.trim().toUpperCase() === word.toUpperCase();
  } finally {
    reader.close();
  }
}
