/** Shows the demo: who speaks, which tool is called, and its result. At most 80 columns, coloured on a terminal. */
import { createInterface } from 'node:readline/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { styleText } from 'node:util';
import type { Terminal } from '../commands/command.ts';
import { wrap } from '../terminal/window.ts';
import type { Dialog } from './host.ts';

const WIDTH = 80;
/** A dialog answered faster than a person can read would not count (FARECLERK_DIALOG_FLOOR_MS). */
const READS_MS = 1_600;
type Style = Parameters<typeof styleText>[0];

/** Lines of at most `width`; cuts a word that is longer. */
const fitted = (text: string, width: number): string[] =>
  wrap(text, width).map((line) => (line.length > width ? `${line.slice(0, width - 1)}…` : line));

/** Breaks a long line of a table at spaces and indents the rest further. */
function indented(line: string, width: number): string[] {
  const margin = /^ */.exec(line)?.[0] ?? '';
  if (line.length <= width) return [line];
  const further = `${margin}    `;
  const [first = '', ...rest] = fitted(line.trim().replaceAll('  ', ' \u00a0'), width - further.length);
  return [margin + first, ...rest.map((each) => further + each)].map((each) => each.replaceAll('\u00a0', ' '));
}

export class Stage {
  readonly #terminal: Terminal;
  /** A person at the keyboard answers the dialogs. */
  readonly attended: boolean;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    this.attended = terminal.stdin.isTTY === true && terminal.stdout.isTTY === true;
  }

  #print(line: string, style?: Style): void {
    const { stdout } = this.#terminal;
    stdout.write(`${style === undefined ? line : styleText(style, line, { stream: stdout })}\n`);
  }

  title(text: string): void {
    this.#print(`\n${text}`, 'bold');
    this.#print('─'.repeat(Math.min(WIDTH, text.length)), 'dim');
  }

  /** Text broken into lines, the first behind `head` and the others behind as many spaces. */
  #lines(head: string, text: string, style: Style): void {
    for (const [i, line] of fitted(text, WIDTH - head.length).entries())
      this.#print((i === 0 ? head : ' '.repeat(head.length)) + line, style);
  }

  #boxed(lines: readonly string[]): void {
    for (const line of lines.flatMap((each) => indented(each, WIDTH - 4))) this.#print(`  │ ${line}`);
  }

  note(text: string): void {
    this.#lines('  ', text, 'dim');
  }

  traveller(text: string): void {
    this.#print('');
    this.#lines('traveller    ', text, 'cyan');
  }

  assistant(text: string): void {
    this.#lines('assistant    ', text, 'green');
  }

  /** Somebody of the desk: the clerk at the keyboard, or the person at the page. */
  clerk(text: string): void {
    this.#print('');
    this.#lines('clerk        ', text, 'cyan');
  }

  /** What happens without anybody asking: at the airline, or in the desk itself. */
  happens(who: 'airline' | 'desk' | 'page', text: string): void {
    this.#lines(`${who.padEnd(13)}`, text, who === 'airline' ? 'magenta' : 'blue');
  }

  /** The call as the model makes it. */
  call(tool: string, args: Readonly<Record<string, unknown>>): void {
    this.#print(`calls        ${tool}`, 'yellow');
    this.#lines(' '.repeat(13), JSON.stringify(args).replaceAll(',"', ', "'), 'dim');
  }

  /** The first lines of the result as the model reads it. */
  result(text: string, most: number): void {
    const lines = text.split('\n');
    this.#boxed(lines.slice(0, most));
    if (lines.length > most) this.#print(`  │ … ${lines.length - most} more lines`, 'dim');
  }

  right(text: string): void {
    this.#lines('  ✔ ', text, 'green');
  }

  wrong(text: string): void {
    this.#lines('  ✘ ', text, 'red');
  }

  /** The host's dialog. Without a person at the keyboard the demo answers yes, and says so. */
  async dialog({ message, choices }: Dialog): Promise<string | undefined> {
    this.#print(`  ┌─ the host asks the person ${'─'.repeat(WIDTH - 30)}`, 'magenta');
    this.#boxed(message.split('\n'));
    choices.forEach((choice, i) => {
      this.#print(`  │   ${i + 1}) ${choice}`, 'bold');
    });
    this.#print(`  └${'─'.repeat(WIDTH - 3)}`, 'magenta');
    const read = sleep(READS_MS);
    const choice = this.attended ? await this.#typed(choices) : choices.find((each) => each !== 'no');
    await read;
    if (!this.attended) this.note(`(nobody is at the keyboard: the demo answers "${choice ?? ''}" itself)`);
    return choice;
  }

  /** Asks until a choice is typed. The end of input closes the dialog. */
  async #typed(choices: readonly string[]): Promise<string | undefined> {
    const reader = createInterface({ input: this.#terminal.stdin, output: this.#terminal.stdout });
    reader.setPrompt(`  your choice (1-${choices.length}): `);
    reader.prompt();
    try {
      for await (const line of reader) {
        const choice = choices[Number(line.trim()) - 1];
        if (choice !== undefined) return choice;
        this.note(`Type a number from 1 to ${choices.length}.`);
        reader.prompt();
      }
      return undefined;
    } finally {
      reader.close();
    }
  }
}
