/**
 * A proof as a command: `node test/campaigns/chaos/<name>.ts [--runs N] [--seed S]` prints one summary line, and the first things
 * that went wrong below it. Exit 1 when anything did.
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

/** Runs the proof as the command line wants it. */
export async function command(
  name: string,
  defaults: ProofOptions,
  prove: (options: ProofOptions) => Promise<Proved>,
): Promise<void> {
  const { values } = parseArgs({ options: { runs: { type: 'string' }, seed: { type: 'string' } } });
  const options = { runs: whole('runs', values.runs, defaults.runs), seed: whole('seed', values.seed, defaults.seed) };
  const begun = performance.now();
  const { seen, problems } = await prove(options);
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  const verdict = problems.length === 0 ? 'ok' : `${problems.length} PROBLEMS`;
  process.stdout.write(`${name}: ${verdict}; ${seen}; seed ${options.seed}; ${seconds} s\n`);
  for (const problem of problems.slice(0, SHOWN)) process.stdout.write(`  ${problem}\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}

function whole(name: string, given: string | undefined, fallback: number): number {
  if (given === undefined) return fallback;
  const value = Number(given);
  if (!Number.isSafeInteger(value) || value < 1) throw new RangeError(`--${name} takes a whole number from 1`);
  return value;
}

/** Runs `work` on every item, `width` at a time; the order of results is that of the items. */
export async function inParallel<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = new Array(items.length);
  let next = 0;
  const lane = async () => {
    for (let at = next++; at < items.length; at = next++) results[at] = await work(items[at] as T, at);
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, lane));
  return results;
}

/** `p99` of some milliseconds, and the like. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? 0;
}
