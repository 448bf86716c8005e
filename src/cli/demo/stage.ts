/** The stage of the demo: prints who speaks and what a person is asked, as wide as the window. */
import { setTimeout as sleep } from 'node:timers/promises';
import { styleText } from 'node:util';
import { type BrowserOpener, systemBrowser } from '../../pages/approval/browser.ts';
import type { Terminal } from '../terminal/command.ts';
import { questionWidth, wrapped } from '../terminal/question-text.ts';
import { table } from '../terminal/table.ts';
import { askLine, isNo } from '../terminal/typed-yes.ts';

/** Time that a dialog stays open at least, milliseconds: one answered faster than a person can read would not count. */
const READING_MS = 1_600;
/** Lines of a question that are shown at once: the act, what comes back, and what it is about. */
const SHOWN_LINES = 6;

const NEXT =
  'Connect your assistant, and ask it for a trip. This adds the sandbox to Claude, VS Code or Cursor, and asks you first:';

export const NOTHING_SENT = 'You did not approve, so nothing was sent. That is the point.';

/** Error codes of a call, and states of a plan, that mean that nobody said yes. */
export const WITHOUT_YES: ReadonlySet<string | undefined> = new Set([
  'E_APPROVAL_DECLINED',
  'E_APPROVAL_EXPIRED',
  'declined',
  'lapsed',
]);

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

type Style = Parameters<typeof styleText>[0];

export class Stage {
  readonly #terminal: Pick<Terminal, 'stdin' | 'stdout'>;
  /** A person at the keyboard answers. */
  readonly attended: boolean;

  constructor(terminal: Pick<Terminal, 'stdin' | 'stdout'>) {
    this.#terminal = terminal;
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

  title(text: string, note: string): void {
    this.#print(['', text], 'bold');
    this.#print(['─'.repeat(text.length)], 'dim');
    this.note(note);
  }

  note(text: string): void {
    this.#printWrapped('  ', text, 'dim');
  }

  /** Prints what somebody says, or does without being asked. A blank line comes before whoever asks the assistant for something. */
  says(who: keyof typeof SPEAKERS, text: string): void {
    if (who === 'traveller' || who === 'clerk') this.#print(['']);
    this.#printWrapped(who.padEnd(11), text, SPEAKERS[who]);
  }

  rows(cells: readonly (readonly string[])[]): void {
    const lines = table(cells).trimEnd().split('\n');
    this.#print(lines.map((line) => `  ${line}`));
  }

  /** Prints what was found to be right. */
  confirms(text: string): void {
    this.#printWrapped('  ✔ ', text, 'green');
  }

  fails({ message }: StoryFailure): void {
    this.#printWrapped('  ✘ ', `The story goes no further: ${message}. The demo ends here.`, 'red');
  }

  /** Shows a dialog, and returns the choice. Without a person at the keyboard the demo answers yes, and says so. */
  async dialog(message: string, choices: readonly string[]): Promise<string | undefined> {
    const lines = message.split('\n');
    const shown = lines.length === SHOWN_LINES + 1 ? lines.length : SHOWN_LINES;
    const hidden = lines.slice(shown);
    const more = hidden.length > 0 ? [`${hidden.length} more lines of terms`] : [];

    this.#print([`  ${'┌─ you are asked '.padEnd(this.#width - 3, '─')}`], 'magenta');
    this.#boxed(lines.slice(0, shown));
    if (!this.attended) this.#boxed(more.map((words) => `(${words})`));
    const options = this.attended ? [...choices, ...more.map((words) => `show ${words}`)] : choices;
    this.#boxed(
      options.map((option, i) => `${i + 1}) ${option}`),
      'bold',
    );

    this.#print([`  ${'└'.padEnd(this.#width - 3, '─')}`], 'magenta');
    const [choice] = await Promise.all([this.#choose(choices, hidden), sleep(READING_MS)]);
    return choice;
  }

  #boxed(lines: readonly string[], style?: Style): void {
    for (const [first = '', ...further] of lines.map((line) => wrapped(line, this.#width - 6)))
      this.#print([`  │ ${first}`, ...further.map((line) => `  │   ${line}`)], style);
  }

  /** Asks for a choice. @param hidden lines that the person can choose to see; then it asks again */
  async #choose(choices: readonly string[], hidden: readonly string[]): Promise<string | undefined> {
    if (!this.attended) {
      this.note('(nobody is at the keyboard, so the demo approves)');
      return choices.find((choice) => choice !== 'no');
    }

    const numbers = [...choices, ...hidden.slice(0, 1)].map((_, i) => String(i + 1));
    const most = numbers.length;
    const typed = await this.#ask(`your choice (1-${most}):`, numbers, `no number from 1 to ${most}`);
    if (typed === undefined) return undefined;

    const choice = choices[Number(typed) - 1];
    if (choice !== undefined) return choice;

    this.#boxed(hidden);
    return this.#choose(choices, []);
  }

  /** The browser of this machine, if it has one and the person at the keyboard wants the page there. */
  async browser(env: Terminal['env']): Promise<BrowserOpener | undefined> {
    const browser = systemBrowser({ env, platform: process.platform });
    if (!this.attended || !browser.available()) return undefined;
    return (await this.agrees('Open the page in your browser?')) ? browser : undefined;
  }

  /** Asks the person at the keyboard. */
  async agrees(question: string): Promise<boolean> {
    const words = ['yes', 'y', 'no', 'n'];
    const typed = await this.#ask(`${question} Type yes or no:`, words, 'neither yes nor no');
    return typed !== undefined && !isNo(typed);
  }

  /** Waits for Enter, with the page servers running. */
  async untilSeen(): Promise<void> {
    await this.#ask('Look at the page too. Press Enter to end the demo and its servers:');
  }

  /**
   * Says what a person can do after a demo that ended well.
   * @param program this program, as they type it
   */
  next(program: string): void {
    this.#print(['']);
    this.#printWrapped('next       ', NEXT);
    this.#print([`           ${program} init`], 'bold');
  }

  /** Asks for one of these words; by default for any. Undefined if the person left, or typed something else three times. */
  #ask(prompt: string, words?: readonly string[], mistakeText = ''): Promise<string | undefined> {
    const { stdin, stdout } = this.#terminal;
    const question = `${wrapped(prompt, this.#width, '  ').join('\n')} `;
    const read = (typed: string) => (words?.includes(typed) === false ? undefined : typed);
    return askLine({ stdin, stderr: stdout }, question, { read, mistakeText });
  }
}
