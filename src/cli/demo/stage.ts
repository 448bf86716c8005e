/**
 * What the audience sees: who speaks, which tool is called, what comes back. At most 80 columns, coloured on a terminal.
 */
import { createInterface } from 'node:readline/promises';
import { styleText } from 'node:util';
import type { Terminal } from '../commands/command.ts';
import type { Dialog } from './host.ts';

const WIDTH = 80;
type Style = Parameters<typeof styleText>[0];

/** Breaks text at spaces into lines of at most `width`; what has no space is cut. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/[ \n]+/)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (longer.length <= width) line = longer;
    else {
      if (line !== '') lines.push(line);
      line = word.length > width ? `${word.slice(0, width - 1)}…` : word;
    }
  }
  return line === '' ? lines : [...lines, line];
}

/** A line of a table as it is, or broken at spaces with what follows set further in. */
function indented(line: string, width: number): string[] {
  const margin = /^ */.exec(line)?.[0] ?? '';
  if (line.length <= width) return [line];
  const further = `${margin}    `;
  const [first = '', ...rest] = wrap(line.trim().replaceAll('  ', ' \u00a0'), width - further.length);
  return [margin + first, ...rest.map((each) => further + each)].map((each) => each.replaceAll('\u00a0', ' '));
}

export class Stage {
  readonly #terminal: Terminal;
  /** Somebody sits at the keyboard and answers the dialogs. */
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
    for (const line of wrap(text, WIDTH - 2)) this.#print(`  ${line}`, 'dim');
  }

  #speech(who: string, text: string, style: Style): void {
    wrap(text, WIDTH - 13).forEach((line, i) => {
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

  /** The call as the model makes it, and the result as the model reads it, its beginning. */
  call(tool: string, args: Readonly<Record<string, unknown>>): void {
    const [first = '', ...rest] = wrap(JSON.stringify(args).replaceAll(',"', ', "'), WIDTH - 13);
    this.#print(`${'calls'.padEnd(11)}  ${tool}`, 'yellow');
    for (const line of [first, ...rest]) this.#print(`${''.padEnd(13)}${line}`, 'dim');
  }

  result(text: string, most: number): void {
    const lines = text.split('\n');
    for (const line of lines.slice(0, most).flatMap((each) => indented(each, WIDTH - 4))) this.#print(`  │ ${line}`);
    if (lines.length > most) this.#print(`  │ … ${lines.length - most} more lines`, 'dim');
  }

  right(text: string): void {
    for (const [i, line] of wrap(text, WIDTH - 4).entries())
      this.#print(`${i === 0 ? '  ✔ ' : '    '}${line}`, 'green');
  }

  wrong(text: string): void {
    for (const [i, line] of wrap(text, WIDTH - 4).entries()) this.#print(`${i === 0 ? '  ✘ ' : '    '}${line}`, 'red');
  }

  /** The host's dialog. The person at the keyboard answers; with nobody there, the demo says yes and says so. */
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

  /** Asked until one of the choices is typed; the end of input closes the dialog. */
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
