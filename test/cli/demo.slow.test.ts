/**
 * The demo as a person sees it, word for word: in windows of three widths, in colour, through a pipe, with a yes, with a no,
 * and with the page in a browser. Its clock is set to one day. Then what the airline's own ledger has of a trip.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { userInfo } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { beforeAll, describe, expect, it } from 'vitest';
import { Stage } from '../../src/cli/demo/stage.ts';
import { performTrip } from '../../src/cli/demo/trip.ts';
import { showMoney } from '../../src/core/money.ts';
import { VERSION } from '../../src/core/version.ts';
import { readLedger } from '../../src/sandbox/ledger.ts';
import { inStateFile } from '../../src/sandbox/state.ts';
import { expectGolden } from '../support/golden.ts';
import { browserThatTicks } from './browser-that-ticks.ts';
import { buildProgram, ended, type Program } from './program.ts';
import { inTerminal } from './pseudo-terminal.ts';
import { temporary } from './screen.ts';

const DAY = Date.parse('2026-12-01T06:00:00Z');
const CLOCK = new URL('../support/moved-clock.ts', import.meta.url).href;
const MOST_LINES = 80;
const QUESTION = 'your choice|Shall the demo|Open the page|Press Enter';

let program: Program;
/** The program as one of the PATH: what it prints begins with `fareclerk`, in any folder. */
let started: string;
beforeAll(async () => {
  program = await buildProgram();
  started = join(program.folder, 'programs', 'fareclerk');
  mkdirSync(dirname(started));
  symlinkSync(program.bin, started);
});

const onThatDay = (more = {}) => ({
  ...program.env,
  PATH: [program.env.PATH, dirname(started)].join(delimiter),
  CLOCK_AHEAD_MS: String(DAY - Date.now()),
  ...more,
});
const wordsOf = (flags: readonly string[]) => [`--import=${CLOCK}`, started, 'demo', ...flags];

interface Played {
  readonly text: string;
  readonly coloured: string;
}

/** A person answers each question, and the demo ends well. */
async function inWindow(columns: number, flags: string, answers: readonly string[], more = {}): Promise<Played> {
  const words = [process.execPath, ...wordsOf(flags.split(' ').filter(Boolean))];
  const terminal = inTerminal(words, onThatDay(more), columns);
  for (const [i, answer] of answers.entries()) {
    await terminal.shows(new RegExp(`(?:(?:${QUESTION})[^:]*: [\\s\\S]*){${i + 1}}$`));
    terminal.type(`${answer}\r`);
  }
  const code = await terminal.ended;
  const text = terminal.screen();
  expect(code, text).toBe(0);
  return { text, coloured: terminal.coloured() };
}

/** Nobody is at the keyboard. */
async function piped(flags: string, more = {}): Promise<string> {
  const child = spawn(process.execPath, wordsOf(flags.split(' ').filter(Boolean)), { env: onThatDay(more) });
  child.stdin.end();
  const { code, stdout, stderr } = await ended(child);
  expect([code, stderr], stdout).toEqual([0, '']);
  return stdout;
}

/** Scenes by their titles, which say how wide the window was, unless it was as wide as a pipe's lines. */
async function expectScenes(name: string, scenes: Readonly<Record<string, string>>): Promise<void> {
  for (const [title, text] of Object.entries(scenes)) {
    const lines = text.trimEnd().split('\n');
    const columns = Number(/(\d+) columns/.exec(title)?.[1] ?? 80);
    expect(lines.length, title).toBeLessThanOrEqual(MOST_LINES);
    expect(lines.filter((line) => line.length > columns)).toEqual([]);
  }
  // Whatever the version, and whoever plays it.
  const who = `${VERSION} for ${userInfo().username}.`;
  const kept = Object.entries(scenes).map(([title, text]) => [title, text.replaceAll(who, 'X.Y.Z for ann.')]);
  await expectGolden(`demo/${name}`, Object.fromEntries(kept));
}

describe('the demo', () => {
  it('tells the story of a trip in a window of any width, in colour, and through a pipe', {
    timeout: 120_000,
  }, async () => {
    const [narrow, usual, wide, pipe] = await Promise.all([
      inWindow(60, '', ['2', '2']),
      inWindow(80, '', ['2', '2']),
      inWindow(120, '', ['2', '2']),
      piped('', { FARECLERK_BASE_URL: 'https://never.example' }),
    ]);
    const scenes = {
      'In a window of 60 columns': narrow.text,
      'Of 80 columns': usual.text,
      'Of 120 columns': wide.text,
      'Through a pipe': pipe,
    };
    await expectScenes('trip', scenes);
    await expectColours('trip', usual);
  });

  it('ends well with a no and a closed question; it shows all terms on request', {
    timeout: 120_000,
  }, async () => {
    const [no, closed] = await Promise.all([inWindow(80, '', ['y', '3', '1']), inWindow(80, '', ['2', '\u0004'])]);
    const scenes = {
      'A key that is no choice, more terms, and a no to the payment': no.text,
      'A closed question about the cancellation': closed.text,
    };
    await expectScenes('answers', scenes);
    for (const { text } of [no, closed])
      expect(text).toMatch(/so nothing was sent\. That is the point\.\s+next +Connect your assistant/);
  });

  it('lets the person decide about a cancelled train, on the page or in the terminal', {
    timeout: 180_000,
  }, async () => {
    const [narrow, usual, pipe, page] = await Promise.all([
      inWindow(60, '--disruption', ['no']),
      inWindow(80, '--disruption', ['yes']),
      piped('--disruption'),
      inWindow(120, '--disruption', ['yes', ''], { BROWSER: browserThatTicks([1, 12]) }),
    ]);
    const scenes = {
      'A no, in a window of 60 columns': narrow.text,
      'Ten of twelve, in a window of 80 columns': usual.text,
      'Two of twelve on the page in the browser, in a window of 120 columns': page.text,
      'Through a pipe': pipe,
    };
    await expectScenes('disruption', scenes);
    await expectColours('disruption', usual);
  });
});

const NOTHING = { minor: 0, currency: 'SAR' };

describe("the airline's ledger after the demo", () => {
  /** Plays the trip; `types` are the answers of a person, and without them nobody is at the keyboard. */
  async function ledgerAfter(types?: string) {
    const stateDir = temporary('trip');
    const stream = () => Object.assign(new PassThrough(), { isTTY: types !== undefined, columns: 80 });
    const streams = { stdin: stream(), stdout: stream() };
    let text = '';
    streams.stdout.on('data', (chunk) => {
      text += chunk;
      if (/your choice/.test(String(chunk))) setImmediate(() => streams.stdin.write(`${types}\n`));
    });
    const terminal = {
      execPath: process.execPath,
      argv: ['node', program.bin],
      env: { ...program.env, BROWSER: 'none' },
    };
    await performTrip(new Stage(streams as never), terminal, stateDir);
    return { text, ledger: inStateFile(join(stateDir, 'sandbox', 'airline.sqlite'), readLedger) };
  }

  it('has one payment and one refund, less than was paid, and no money after a no', { timeout: 120_000 }, async () => {
    const [played, declined] = await Promise.all([ledgerAfter(), ledgerAfter('1')]);
    const moved = ({ ledger }: typeof played) => ledger.filter(({ event }) => /paid|refunded/.test(event));
    const [paid, refunded, ...others] = moved(played);
    expect([paid?.event, refunded?.event, others]).toEqual(['paid', 'refunded', []]);
    const [taken = NOTHING, returned = NOTHING] = [paid?.amount, refunded?.amount];
    expect(played.text).toContain(`${showMoney(taken)} for both of you.`);
    expect(played.text).toContain(`${showMoney(returned)} comes back, as estimated.`);
    expect(returned.minor).toBeLessThan(taken.minor);
    expect(declined.text).toContain('so nothing was sent.');
    expect(moved(declined)).toEqual([]);
  });
});

/** The pictures of the docs are drawn from these. */
async function expectColours(name: string, { coloured }: Played): Promise<void> {
  const visible = coloured.replaceAll('\u001b', '␛');
  await expect(visible).toMatchFileSnapshot(new URL(`../golden/demo/${name}-in-colour.txt`, import.meta.url).pathname);
}
