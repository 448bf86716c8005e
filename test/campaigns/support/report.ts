/**
 * What a campaign says, and its exit code. A proof tells what it saw and what must not be; a measurement tells figures with
 * their bounds. What is counted must hold everywhere; timed figures are reported and marked, and fail only with `--strict`:
 * a busy machine is not a defect.
 */
import { parseArgs } from 'node:util';

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
export async function command(
  name: string,
  defaults: ProofOptions,
  prove: (options: ProofOptions) => Promise<Proved>,
): Promise<void> {
  const { values } = parseArgs({ options: { runs: { type: 'string' }, seed: { type: 'string' } } });
  const options = { runs: whole('runs', values.runs, defaults.runs), seed: whole('seed', values.seed, defaults.seed) };
  const { seen, problems, seconds } = await timed(() => prove(options));
  tell(name, { seen: `${seen}; seed ${options.seed}`, problems, seconds });
}

/** Measures how long a proof takes. */
export async function timed<T>(prove: () => Promise<T>): Promise<T & { readonly seconds: number }> {
  const begun = performance.now();
  const proved = await prove();
  return { ...proved, seconds: (performance.now() - begun) / 1000 };
}

/** Prints one summary line, and the first things that went wrong below it. Exit 1 when anything did. */
export function tell(name: string, { seen, problems, seconds }: Proved & { readonly seconds: number }): void {
  const verdict = problems.length === 0 ? 'ok' : `${problems.length} PROBLEMS`;
  process.stdout.write(`${name}: ${verdict}; ${seen}; ${seconds.toFixed(1)} s\n`);
  for (const problem of problems.slice(0, SHOWN)) process.stdout.write(`  ${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
}

function whole(name: string, given: string | undefined, fallback: number): number {
  if (given === undefined) return fallback;
  const value = Number(given);
  if (!Number.isSafeInteger(value) || value < 1) throw new RangeError(`--${name} takes a whole number from 1`);
  return value;
}

export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit?: string;
  readonly atMost?: number;
  readonly atLeast?: number;
  /** Depends on how busy the machine is. */
  readonly timed?: true;
  /** Likewise, but beyond this it is a defect on any machine. */
  readonly evenBusy?: { readonly atMost?: number; readonly atLeast?: number };
}

type Bounds = Pick<Figure, 'value' | 'atMost' | 'atLeast'>;

const isWithin = ({ value, atMost, atLeast }: Bounds): boolean =>
  (atMost === undefined || value <= atMost) && (atLeast === undefined || value >= atLeast);

/** Whether it ends the proof. */
function isMissed(figure: Figure, strict: boolean): boolean {
  if (strict) return !isWithin(figure);
  if (figure.timed) return false;
  return !isWithin({ ...figure, ...figure.evenBusy });
}

/** Prints the figures and sets the exit code. */
export function conclude(name: string, figures: readonly Figure[], strict: boolean): void {
  process.stdout.write(`${name}\n`);
  for (const figure of figures) {
    const { what, value, unit = '', atMost, atLeast } = figure;
    const bounds = [
      ...(atMost === undefined ? [] : [`≤ ${shown(atMost)}`]),
      ...(atLeast === undefined ? [] : [`≥ ${shown(atLeast)}`]),
    ].join(', ');
    const missed = isMissed(figure, strict) ? 'MISSED' : 'missed (timed)';
    const word = bounds === '' ? '' : isWithin(figure) ? 'ok' : missed;
    process.stdout.write(
      `  ${what.padEnd(62)} ${shown(value).padStart(9)} ${unit.padEnd(7)} ${bounds.padEnd(12)} ${word}\n`,
    );
  }
  const missed = figures.filter((figure) => isMissed(figure, strict)).length;
  process.stdout.write(`${missed === 0 ? 'proved' : `${missed} MISSED`}\n`);
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
