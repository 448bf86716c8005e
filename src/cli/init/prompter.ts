/**
 * Questions to the person at the keyboard, one after the other. What is typed ahead is the next answer; a secret is
 * never echoed, and never taken from what was typed before it was asked for.
 */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { styleText } from 'node:util';
import type { Terminal } from '../commands/command.ts';

/** The person left: Ctrl-C, Ctrl-D or a closed window. */
export class PromptCancelled extends Error {
  override readonly name = 'Left';
}

export interface Choice<T> {
  readonly value: T;
  readonly label: string;
}

export interface Prompter {
  say(text: string): void;
  /** Enter takes `otherwise`, where there is one. */
  ask(question: string, otherwise?: string): Promise<string>;
  /** Typed without echo. Enter keeps what is known, if something is: then the answer is empty. */
  secret(question: string, known: boolean): Promise<string>;
  choose<T>(question: string, choices: readonly Choice<T>[], first?: number): Promise<T>;
  yes(question: string): Promise<boolean>;
  close(): void;
}

/** Everything goes to stderr: stdout is the result's. */
export function createPrompter({ stdin, stderr }: Terminal): Prompter {
  let muted = false;
  const echo = new Writable({
    write(chunk, _encoding, done) {
      if (!muted) stderr.write(chunk);
      done();
    },
  });
  // Lines are edited in the real window.
  Object.defineProperty(echo, 'columns', { get: () => stderr.columns });
  // Without a history: the arrow key must not bring a secret back.
  const reader = createInterface({ input: stdin, output: echo, terminal: true, historySize: 0 });
  const early: string[] = [];
  let waiting: PromiseWithResolvers<string> | undefined;
  let left = false;
  const leave = (): void => {
    left = true;
    waiting?.reject(new PromptCancelled());
  };
  reader.on('line', (line) => {
    if (waiting === undefined) early.push(line);
    else waiting.resolve(line);
  });
  reader.once('SIGINT', () => reader.close());
  reader.once('close', leave);

  async function line(prompt: string): Promise<string> {
    if (left) throw new PromptCancelled();
    const ready = early.shift();
    reader.setPrompt(prompt);
    reader.prompt();
    if (ready !== undefined) {
      echo.write(`${ready}\n`);
      return ready.trim();
    }
    waiting = Promise.withResolvers();
    try {
      return (await waiting.promise).trim();
    } finally {
      waiting = undefined;
    }
  }

  const bold = (text: string): string => styleText('bold', text, { stream: stderr });
  const say = (text: string): void => void stderr.write(`${text}\n`);

  async function ask(question: string, otherwise?: string): Promise<string> {
    const shown = otherwise === undefined || otherwise === '' ? '' : ` [${otherwise}]`;
    const typed = await line(`${bold(question)}${shown}: `);
    return typed === '' ? (otherwise ?? '') : typed;
  }

  return {
    say,
    ask,
    async secret(question, known) {
      early.length = 0;
      stderr.write(`${bold(question)} (not shown)${known ? ' [keep the one that is set]' : ''}: `);
      muted = true;
      try {
        return await line('');
      } finally {
        muted = false;
        stderr.write('\n');
      }
    },
    async choose(question, choices, first = 0) {
      say(bold(question));
      choices.forEach(({ label }, i) => {
        say(`  ${i + 1}) ${label}`);
      });
      for (;;) {
        const typed = await ask(`1-${choices.length}`, String(first + 1));
        const chosen = /^\d+$/.test(typed) ? choices[Number(typed) - 1] : undefined;
        if (chosen !== undefined) return chosen.value;
        say(`Type a number from 1 to ${choices.length}.`);
      }
    },
    async yes(question) {
      for (;;) {
        const typed = (await ask(`${question} (yes/no)`)).toLowerCase();
        if (typed === 'yes' || typed === 'y') return true;
        if (typed === 'no' || typed === 'n') return false;
      }
    },
    close: () => reader.close(),
  };
}
