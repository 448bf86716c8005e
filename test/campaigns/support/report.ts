/** Flags of a campaign, its printed result, and its exit code. */
import { execFileSync } from 'node:child_process';
import { relative } from 'node:path';
import { parseArgs } from 'node:util';

type Default = number | string | boolean | (() => number);

type Given<T> = {
  readonly [K in keyof T]: T[K] extends number | (() => number) ? number : T[K] extends boolean ? boolean : string;
};

/**
 * Flags by name, each with its default: a number (or how to come by one), a word or `false`. Fails on any other flag. A run says its
 * seed, and if it fails, the command that plays it again.
 */
export function flags<T extends Readonly<Record<string, Default>>>(defaults: T): Given<T> {
  const all = Object.entries(defaults);
  const typed = all.map(([name, one]) => [name, { type: typeof one === 'boolean' ? 'boolean' : 'string' }] as const);
  const { values } = parseArgs({ options: Object.fromEntries(typed) });
  const given = all.map(([name, one]) => {
    if (typeof one === 'number') return [name, numberOf(name, values[name] ?? one)];
    if (typeof one === 'function') return [name, values[name] === undefined ? one() : numberOf(name, values[name])];
    return [name, values[name] ?? one];
  });
  const flagsGiven = Object.fromEntries(given) as Given<T>;
  if ('seed' in flagsGiven) print(`seed ${flagsGiven.seed}`);
  process.once('exit', (code) => code !== 0 && print(`again: ${commandOf(flagsGiven)}`));
  return flagsGiven;
}

/**
 * The seed of a run that is given none: that of the files of the commit. A clone plays the same, and the next commit plays new
 * ground. Below 2^28, so that seeds counted up from it stay whole numbers of 32 bits.
 */
export function treeSeed(): number {
  try {
    const tree = execFileSync('git', ['rev-parse', 'HEAD^{tree}'], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return Number.parseInt(tree.slice(0, 7), 16);
  } catch {
    throw new Error('There is no commit to take a seed from: name one with --seed.');
  }
}

function commandOf(given: Readonly<Record<string, number | string | boolean>>): string {
  const words = Object.entries(given).flatMap(([name, value]) => {
    if (value === false || value === '') return [];
    return value === true ? [`--${name}`] : [`--${name}`, String(value)];
  });
  return ['node', relative(process.cwd(), process.argv[1] ?? ''), ...words].join(' ');
}

function numberOf(name: string, given: unknown): number {
  const value = Number(given);
  if (!(value >= 0)) throw new RangeError(`--${name} takes a number`);
  return value;
}

export interface ProofOptions {
  readonly runs: number;
  readonly seed: number;
}

export interface Proved {
  /** What was seen, in figures. */
  readonly seen: string;
  /** One line for each thing that must not be. */
  readonly problems: readonly string[];
}

const SHOWN = 60;

/** Runs a proof as the command line wants it: `[--runs N] [--seed S]`. */
export async function command(name: string, runs: number, prove: (options: ProofOptions) => Promise<Proved>) {
  const options = flags({ runs, seed: treeSeed });
  await tell(name, () => prove(options));
}

/** Prints one summary line, and the first things that went wrong below it. Exit 1 when anything did. */
export async function tell(name: string, prove: () => Promise<Proved>): Promise<void> {
  const begun = performance.now();
  const { seen, problems } = await prove();
  const verdict = problems.length === 0 ? 'ok' : `${problems.length} PROBLEMS`;
  print(`${name}: ${verdict}; ${seen}; ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  for (const problem of problems.slice(0, SHOWN)) print(`  ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
}

export const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** How many there are of each: `ok 12, pending 3`. */
export function counted(words: readonly string[]): string {
  return [...Map.groupBy(words, (word) => word)].map(([word, of]) => `${word} ${of.length}`).join(', ');
}

/** What, how much, of which unit, and from where to where it must be. */
type Figure = readonly [what: string, value: number, unit: string, from: number, to: number];

export const told = (what: string, value: number, unit = ''): Figure => [what, value, unit, -Infinity, Infinity];
export const most = (what: string, value: number, to: number, unit = ''): Figure => [what, value, unit, -Infinity, to];
export const least = (what: string, value: number, from: number, unit = ''): Figure => [
  what,
  value,
  unit,
  from,
  Infinity,
];
export const exactly = (what: string, value: number, due: number): Figure => [what, value, '', due, due];
export const none = (what: string, value: number): Figure => most(what, value, 0);

/** Prints the figures. Exit 1 if one is not within its bounds. */
export function conclude(name: string, figures: readonly Figure[]): void {
  print(name);
  const isMissed = ([, value, , from, to]: Figure) => !(value >= from && value <= to);
  for (const figure of figures) {
    const [what, value, unit, from, to] = figure;
    const bounds = [...(from > -Infinity ? [`≥ ${shown(from)}`] : []), ...(to < Infinity ? [`≤ ${shown(to)}`] : [])];
    const word = bounds.length === 0 ? '' : isMissed(figure) ? 'MISSED' : 'ok';
    print(`  ${what.padEnd(62)} ${shown(value).padStart(9)} ${unit.padEnd(7)} ${bounds.join(', ').padEnd(12)} ${word}`);
  }
  const missed = figures.filter(isMissed).length;
  print(missed === 0 ? 'proved' : `${missed} MISSED`);
  if (missed > 0) process.exitCode = 1;
}

function shown(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(value < 10 ? 2 : 1);
}

/** `q` in [0, 1] of the sorted values; 0 of none. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? 0;
}
