/** Asks at the keyboard, line by line, and reads secrets without echo. */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { styleText } from 'node:util';
import type { Terminal } from '../terminal/command.ts';

/** Thrown once the person has left: by Ctrl-C, Ctrl-D or closing the window. */
export class PromptCancelled extends Error {
  override readonly name = 'PromptCancelled';
}

/**
 * Makes what asks at the keyboard. It writes everything to stderr: stdout carries the result. Text typed ahead answers
 * the next question, except for a secret, which is never echoed.
 */
export function createPrompter({ stdin, stderr }: Terminal) {
  const input = createLines(stdin, stderr);
  const bold = (text: string): string => styleText('bold', text, { stream: stderr });
  const say = (text: string): void => void stderr.write(`${text}\n`);

  /** Enter takes the default, if there is one. */
  async function ask(question: string, fallback = ''): Promise<string> {
    const defaultText = fallback === '' ? '' : ` [${fallback}]`;
    return (await input.line(`${bold(question)}${defaultText}: `)) || fallback;
  }

  return {
    say,
    ask,

    /** Enter keeps a secret that is set: the answer is empty then. */
    secret(question: string, isSet: boolean): Promise<string> {
      const prompt = `${bold(question)} (not shown)${isSet ? ' [keep the one that is set]' : ''}: `;
      return input.hidden(prompt);
    },

    /** @param preselected the value that Enter takes; by default that of the first choice */
    async choose<T>(
      question: string,
      choices: readonly { readonly value: T; readonly label: string }[],
      preselected: T | undefined = choices[0]?.value,
    ): Promise<T> {
      const defaultNumber = choices.findIndex(({ value }) => value === preselected) + 1;
      say([bold(question), ...choices.map(({ label }, i) => `  ${i + 1}) ${label}`)].join('\n'));

      for (;;) {
        const typed = await ask(`1-${choices.length}`, String(defaultNumber));
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

/** Reads lines from the keyboard, trimmed. Each reading throws {@link PromptCancelled} once the person has left. */
function createLines(stdin: Terminal['stdin'], stderr: Terminal['stderr']) {
  let isMuted = false;
  const echo = new Writable({
    write(chunk, _encoding, done) {
      if (!isMuted) stderr.write(chunk);
      done();
    },
  });

  // The line editor needs the width of the real window.
  Object.defineProperty(echo, 'columns', { get: () => stderr.columns });

  // Keeps no history: the arrow key must not bring a secret back.
  const reader = createInterface({ input: stdin, output: echo, terminal: true, historySize: 0 });
  const linesAhead: string[] = [];
  let waiting: PromiseWithResolvers<string> | undefined;
  let hasLeft = false;

  reader.on('line', (line) => {
    if (waiting === undefined) linesAhead.push(line);
    else waiting.resolve(line);
  });

  reader.once('SIGINT', () => reader.close());
  reader.once('close', () => {
    hasLeft = true;
    waiting?.reject(new PromptCancelled());
  });

  async function line(prompt: string): Promise<string> {
    if (hasLeft) throw new PromptCancelled();
    const typedAhead = linesAhead.shift();

    reader.setPrompt(prompt);
    reader.prompt();

    if (typedAhead !== undefined) {
      echo.write(`${typedAhead}\n`);
      return typedAhead.trim();
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
    /** Reads a line without echo. Ignores what was typed before the prompt. */
    async hidden(prompt: string): Promise<string> {
      linesAhead.length = 0;
      stderr.write(prompt);
      isMuted = true;

      try {
        return await line('');
      } finally {
        isMuted = false;
        stderr.write('\n');
      }
    },
    close: () => reader.close(),
  };
}
