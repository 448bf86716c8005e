/**
 * Texts that a caller sends to hold the server up, and the processor time that reading them takes. `HOSTILE=all` plays all of them;
 * without it each entry gets two, chosen by `HOSTILE_SEED` (default 1).
 */
import { createHash } from 'node:crypto';

const UNITS: Readonly<Record<string, string>> = {
  angle: '<',
  dashes: '-',
  'digits and dashes': '1-',
  blanks: ' ',
  letters: 'a',
  parentheses: '(',
  'marks out of order': '\u0301\u0316',
  newlines: '\n',
  'quotes and backslashes': '"\\',
  digits: '1',
};

export const LONG = 100_000;

/** Seconds of processor time that one text may take, with everything that belongs to its request. */
const MOST_SECONDS = 0.2;

const { HOSTILE, HOSTILE_SEED = '1' } = process.env;

/** The kinds for one entry. */
export function kindsFor(entry: string): readonly string[] {
  const names = Object.keys(UNITS);
  if (HOSTILE === 'all') return names;
  const first = createHash('sha256').update(`${HOSTILE_SEED} ${entry}`).digest().readUInt32BE(0) % names.length;
  return [names[first] ?? '', names[(first + 1 + (first % 7)) % names.length] ?? ''];
}

/** So many characters of a kind, with one behind them that ends every repetition. */
export function hostile(kind: string, length = LONG): string {
  const unit = UNITS[kind] ?? '';
  return `${unit.repeat(Math.ceil(length / unit.length)).slice(0, length - 1)}\u0416`;
}

/** Processor time of this process, in seconds. */
export async function processorTime(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

/**
 * Plays each kind at each entry. Returns those that took too long three times: the first pays for what is compiled or collected, and a
 * processor that other programs share is slower for a while.
 * @param send sends a text to an entry; whatever it answers or throws
 */
export async function slowEntries(
  entries: readonly string[],
  send: (entry: string, text: string) => unknown,
  length = LONG,
): Promise<readonly string[]> {
  const slow: string[] = [];
  for (const entry of entries) {
    for (const kind of kindsFor(entry)) {
      const text = hostile(kind, length);
      const once = async () => {
        try {
          await send(entry, text);
        } catch {
          // A refusal is an answer.
        }
      };
      let seconds = await processorTime(once);
      for (let again = 0; again < 2 && seconds > MOST_SECONDS; again++) seconds = await processorTime(once);
      if (seconds > MOST_SECONDS) slow.push(`${entry}: ${length} of ${kind} take ${seconds.toFixed(2)} s`);
    }
  }
  return slow;
}
