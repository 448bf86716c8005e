/** The stage of the demo: prints who speaks and what a person is asked, as wide as the window. */
import { setTimeout as sleep } from 'node:timers/promises';
import { styleText } from 'node:util';
import { type BrowserOpener, systemBrowser } from '../../pages/approval/browser.ts';
import type { Terminal } from '../commands/command.ts';
import { questionWidth, wrapped } from '../terminal/question-text.ts';
import { table } from '../terminal/table.ts';
import { askLine, isNo, type LineReading } from '../terminal/typed-yes.ts';
import type { Dialog } from './host.ts';

/** Time that a dialog stays open at least, milliseconds: one answered faster than a person can read would not count. */
const READING_MS = 1_600;
/** Lines of a question that are shown at once: the act, what comes back, and what it is about. */
const SHOWN_LINES = 6;

const NEXT =
  'Connect your assistant, and ask it for a trip. This adds the sandbox to Claude, VS Code or Cursor, and asks you first:';

export const NOTHING_SENT = 'You did not approve, so nothing was sent. That is the point.';

/** A result that is not the expected one: it ends the demo with exit code 1. */
export class StoryFailure extends Error {}

/** @throws StoryFailure unless the condition holds */
export function must(holds: boolean, problem: string): asserts holds {
  if (!holds) throw new StoryFailure(problem);
}

/** Who speaks, and in which colour. */
const SPEAKERS = {
  traveller: 'cyan',
  clerk: 'cyan',
  assistant: 'green',
  airline: 'magenta',
  desk: 'yellow',
  page: 'yellow',
} as const;

type Speaker = keyof typeof SPEAKERS;

/** Whoever asks the assistant for something: a blank line comes before it. */
const ASKING: ReadonlySet<Speaker> = new Set(['traveller', 'clerk']);

type Style = Parameters<typeof styleText>[0];

export class Stage {
  readonly #terminal: Pick<Terminal, 'stdin' | 'stdout'>;
  readonly #isVerbose: boolean;
  /** A person at the keyboard answers. */
  readonly attended: boolean;

  constructor(terminal: Pick<Terminal, 'stdin' | 'stdout'>, isVerbose: boolean) {
    this.#terminal = terminal;
    this.#isVerbose = isVerbose;
    this.attended = terminal.stdin.isTTY === true && terminal.stdout.isTTY === true;
  }

  /** Columns of the window as it is now. */
  get #width(): number {
    return questionWidth(this.#terminal.stdout);
  }

  #print(lines: readonly string[], style?: Style): void {
    const { stdout } = this.#terminal;
    for (const line of lines) stdout.write(`${style ? styleText(style, line, { stream: stdout }) : line}\n`);
  }

  /** Prints text behind a head, wrapped. */
  #printWrapped(head: string, text: string, style?: Style): void {
    // Keeps currency and amount in one line.
    const lines = wrapped(text.replace(/([A-Z]{3}) (?=\d)/g, '$1\u00a0'), this.#width, head);
    this.#print(
      lines.map((line) => line.replaceAll('\u00a0', ' ')),
      style,
    );
  }

  title(text: string): void {
    this.#print(['', text], 'bold');
    this.#print(['─'.repeat(text.length)], 'dim');
  }

  note(text: string): void {
    this.#printWrapped('  ', text, 'dim');
  }

  /** Prints what somebody says, or does without being asked. */
  says(who: Speaker, text: string): void {
    if (ASKING.has(who)) this.#print(['']);
    this.#printWrapped(who.padEnd(11), text, SPEAKERS[who]);
  }

  rows(cells: readonly (readonly string[])[]): void {
    const lines = table(cells, this.#width - 3)
      .trimEnd()
      .split('\n');
    this.#print(lines.map((line) => `  ${line}`));
  }

  /** With `--verbose`, prints the call as the model makes it. */
  call(tool: string, args: Readonly<Record<string, unknown>>): void {
    if (!this.#isVerbose) return;
    this.#printWrapped('calls      ', `${tool} ${JSON.stringify(args).replaceAll(',"', ', "')}`, 'dim');
  }

  /** With `--verbose`, prints the result as the model reads it. */
  result(text: string): void {
    if (this.#isVerbose) this.#print(text.split('\n').map((line) => `  │ ${line}`));
  }

  /** Prints what was found to be right. */
  confirms(text: string): void {
    this.#printWrapped('  ✔ ', text, 'green');
  }

  /** Prints what was not right. */
  fails(text: string): void {
    this.#printWrapped('  ✘ ', text, 'red');
  }

  /** Shows the host's dialog, and returns the choice. Without a person at the keyboard the demo answers yes, and says so. */
  async dialog({ message, choices }: Dialog): Promise<string | undefined> {
    const lines = message.split('\n');
    const showsAll = this.#isVerbose || lines.length <= SHOWN_LINES + 1;
    const hiddenLines = showsAll ? [] : lines.slice(SHOWN_LINES);
    this.#frame('┌─ you are asked ');
    this.#boxed(lines.slice(0, lines.length - hiddenLines.length));
    const moreLines = hiddenLines.length > 0 ? [`show ${hiddenLines.length} more lines of terms`] : [];
    if (!this.attended) this.#boxed(moreLines.map((words) => `(--verbose: ${words})`));
    const options = this.attended ? [...choices, ...moreLines] : choices;
    this.#boxed(
      options.map((option, i) => `${i + 1}) ${option}`),
      'bold',
    );
    this.#frame('└');
    const [choice] = await Promise.all([this.#choose(choices, hiddenLines), sleep(READING_MS)]);
    if (!this.attended) this.note('(nobody is at the keyboard, so the demo approves)');
    return choice;
  }

  #frame(beginning: string): void {
    this.#print([`  ${beginning.padEnd(this.#width - 3, '─')}`], 'magenta');
  }

  #boxed(lines: readonly string[], style?: Style): void {
    for (const [first = '', ...further] of lines.map((line) => wrapped(line, this.#width - 6)))
      this.#print([`  │ ${first}`, ...further.map((line) => `  │   ${line}`)], style);
  }

  /** Asks for a choice. @param hiddenLines lines that the person can choose to see; then it asks again */
  async #choose(choices: readonly string[], hiddenLines: readonly string[]): Promise<string | undefined> {
    if (!this.attended) return choices.find((choice) => choice !== 'no');
    const most = hiddenLines.length > 0 ? choices.length + 1 : choices.length;
    const read = (typed: string) => (/^[1-9]$/.test(typed) && Number(typed) <= most ? Number(typed) : undefined);
    const number = await this.ask(`your choice (1-${most}):`, { read, mistakeText: `no number from 1 to ${most}` });
    if (number === undefined) return undefined;
    if (number <= choices.length) return choices[number - 1];
    this.#boxed(hiddenLines);
    return this.#choose(choices, []);
  }

  /** The browser of this machine, if it has one and the person at the keyboard wants the pages there. */
  async browser(env: Terminal['env'], pages: string): Promise<BrowserOpener | undefined> {
    const browser = systemBrowser({ env, platform: process.platform });
    if (!this.attended || !browser.available()) return undefined;
    const read = (typed: string) => {
      if (isNo(typed)) return 'no';
      return ['', 'y', 'yes'].includes(typed) ? 'yes' : undefined;
    };
    const reading = { read, mistakeText: 'neither yes nor no' };
    const answer = await this.ask(`Open the ${pages} in your browser? Type yes or no:`, reading);
    return answer === 'yes' ? browser : undefined;
  }

  /** Waits for Enter, with the page servers running. */
  async untilSeen(): Promise<void> {
    const prompt = 'Look at the page too. Press Enter to end the demo and its servers:';
    await this.ask(prompt, { read: () => true, mistakeText: '' });
  }

  /** Says what a person can do after a demo that ended well. */
  next(): void {
    this.#print(['']);
    this.#printWrapped('next       ', NEXT);
    this.#print(['           fareclerk init'], 'bold');
  }

  /** Asks for a line. Undefined if the person left, or typed something else three times. */
  ask<T>(prompt: string, reading: LineReading<T>): Promise<T | undefined> {
    const { stdin, stdout } = this.#terminal;
    const question = `${wrapped(prompt, this.#width, '  ').join('\n')} `;
    return askLine({ stdin, stderr: stdout }, question, reading);
  }
}
