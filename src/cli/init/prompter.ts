/**
 * Asks the person at the keyboard one question after another. Text typed ahead answers the next question, except for a
 * secret, which is never echoed.
 */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { styleText } from 'node:util';
import type { Terminal } from '../commands/command.ts';

/** The person left: Ctrl-C, Ctrl-D or a closed window. */
export class PromptCancelled extends Error {
  override readonly name = 'PromptCancelled';
}

/** Everything is written to stderr: stdout carries the result. */
export function createPrompter({ stdin, stderr }: Terminal) {
  const input = createLines(stdin, stderr);
  const bold = (text: string): string => styleText('bold', text, { stream: stderr });
  const say = (text: string): void => void stderr.write(`${text}\n`);

  /** Enter takes the default, if there is one. */
  async function ask(question: string, fallback = ''): Promise<string> {
    const shown = fallback === '' ? '' : ` [${fallback}]`;
    return (await input.line(`${bold(question)}${shown}: `)) || fallback;
  }

  return {
    say,
    ask,
    /** Enter keeps a known secret: the answer is empty then. */
    secret(question: string, known: boolean): Promise<string> {
      const prompt = `${bold(question)} (not shown)${known ? ' [keep the one that is set]' : ''}: `;
      return input.hidden(prompt);
    },
    async choose<T>(question: string, choices: readonly { value: T; label: string }[], first = 0): Promise<T> {
      say([bold(question), ...choices.map(({ label }, i) => `  ${i + 1}) ${label}`)].join('\n'));
      for (;;) {
        const typed = await ask(`1-${choices.length}`, String(first + 1));
        const chosen = /^\d+$/.test(typed) ? choices[Number(typed) - 1] : undefined;
        if (chosen !== undefined) return chosen.value;
        say(`Type a number from 1 to ${choices.length}.`);
      }
    },
    async yes(question: string): Promise<boolean> {
      for (;;) {
        const typed = (await ask(`${question} (yes/no)`)).toLowerCase();
        if (/^y(?:es)?$/.test(typed)) return true;
        if (/^no?$/.test(typed)) return false;
      }
    },
    close: input.close,
  };
}

export type Prompter = ReturnType<typeof createPrompter>;

/** Lines from the keyboard, trimmed. Each throws {@link PromptCancelled} once the person has left. */
function createLines(stdin: Terminal['stdin'], stderr: Terminal['stderr']) {
  let muted = false;
  const echo = new Writable({
    write(chunk, _encoding, done) {
      if (!muted) stderr.write(chunk);
      done();
    },
  });
  // The line editor needs the width of the real window.
  Object.defineProperty(echo, 'columns', { get: () => stderr.columns });
  // Without a history: the arrow key must not bring a secret back.
  const reader = createInterface({ input: stdin, output: echo, terminal: true, historySize: 0 });
  const early: string[] = [];
  let waiting: PromiseWithResolvers<string> | undefined;
  let left = false;
  reader.on('line', (line) => {
    if (waiting === undefined) early.push(line);
    else waiting.resolve(line);
  });
  reader.once('SIGINT', () => reader.close());
  reader.once('close', () => {
    left = true;
    waiting?.reject(new PromptCancelled());
  });

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

  return {
    line,
    /** Without echo, and only what is typed after the prompt. */
    async hidden(prompt: string): Promise<string> {
      early.length = 0;
      stderr.write(prompt);
      muted = true;
      try {
        return await line('');
      } finally {
        muted = false;
        stderr.write('\n');
      }
    },
    close: () => reader.close(),
  };
}
