/**
 * Shows the demo: who speaks, which tool is called, and its result. At most 80 columns, coloured on a terminal.
 */
import { createInterface } from 'node:readline/promises';
import { styleText } from 'node:util';
import type { Terminal } from '../commands/command.ts';
import { wrap } from '../terminal/window.ts';
import type { Dialog } from './host.ts';

const WIDTH = 80;
type Style = Parameters<typeof styleText>[0];

/** Lines of at most `width`; cuts a word that is longer. */
const fitted = (text: string, width: number): string[] =>
  wrap(text, width).map((line) => (line.length > width ? `${line.slice(0, width - 1)}…` : line));

/** A line of a table, broken at spaces if it is too long, with a deeper indent for the rest. */
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

  note(text: string): void {
    for (const line of fitted(text, WIDTH - 2)) this.#print(`  ${line}`, 'dim');
  }

  #speech(who: string, text: string, style: Style): void {
    fitted(text, WIDTH - 13).forEach((line, i) => {
      this.#print(`${(i === 0 ? who : '').padEnd(11)}  ${line}`, style);
    });
  }

  traveller(text: string): void {
    this.#print('');
    this.#speech('traveller', text, 'cyan');
  }

  assistant(text: string): void {
    this.#speech('assistant', text, 'green');
  }

  /** The call as the model makes it. */
  call(tool: string, args: Readonly<Record<string, unknown>>): void {
    const [first = '', ...rest] = fitted(JSON.stringify(args).replaceAll(',"', ', "'), WIDTH - 13);
    this.#print(`${'calls'.padEnd(11)}  ${tool}`, 'yellow');
    for (const line of [first, ...rest]) this.#print(`${''.padEnd(13)}${line}`, 'dim');
  }

  /** The first lines of the result as the model reads it. */
  result(text: string, most: number): void {
    const lines = text.split('\n');
    for (const line of lines.slice(0, most).flatMap((each) => indented(each, WIDTH - 4))) this.#print(`  │ ${line}`);
    if (lines.length > most) this.#print(`  │ … ${lines.length - most} more lines`, 'dim');
  }

  right(text: string): void {
    this.#verdict('✔', text, 'green');
  }

  wrong(text: string): void {
    this.#verdict('✘', text, 'red');
  }

  #verdict(mark: string, text: string, style: Style): void {
    for (const [i, line] of fitted(text, WIDTH - 4).entries()) this.#print(`  ${i === 0 ? mark : ' '} ${line}`, style);
  }

  /** The host's dialog. Without a person at the keyboard the demo answers yes, and says so. */
  async dialog({ message, choices }: Dialog): Promise<string | undefined> {
    this.#print(`  ┌─ the host asks the person ${'─'.repeat(WIDTH - 30)}`, 'magenta');
    for (const line of message.split('\n').flatMap((each) => indented(each, WIDTH - 4))) this.#print(`  │ ${line}`);
    choices.forEach((choice, i) => {
      this.#print(`  │   ${i + 1}) ${choice}`, 'bold');
    });
    this.#print(`  └${'─'.repeat(WIDTH - 3)}`, 'magenta');
    if (this.attended) return this.#typed(choices);
    const yes = choices.find((choice) => choice !== 'no');
    this.note(`(nobody is at the keyboard: the demo answers "${yes ?? ''}" itself)`);
    return yes;
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
        reader.prompt();
      }
      return undefined;
    } finally {
      reader.close();
    }
  }
}
