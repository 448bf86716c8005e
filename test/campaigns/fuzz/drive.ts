/**
 * Runs of a fuzzer: counts how they end, keeps what is wrong, and looks at memory.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { print } from '../support/report.ts';
import { type Random, randomOf } from './random.ts';
import type { Seen } from './verdict.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
/** What the heap may grow by between the first tenth of a run and its end, MB. */
const MOST_GROWTH = 24;
const ENOUGH_FAILURES = 20;

export interface Run {
  readonly tool: string;
  failures(): readonly unknown[];
  input(): string;
  play(): Promise<Seen>;
}

export interface Fuzzer {
  draw(random: Random, run: number): Run;
  close(): Promise<void>;
}

interface Runs {
  readonly first: number;
  readonly count: number;
  readonly seed: number;
  /** A bench is given up after so many runs: its store remembers every booking that it saw. */
  readonly benchRuns?: number;
  /** How some of a thousand runs must end: else they prove nothing. */
  readonly due: readonly RegExp[];
}

export async function fuzz(
  name: string,
  { first, count, seed, benchRuns = Infinity, due }: Runs,
  open: () => Promise<Fuzzer>,
) {
  if (count === 0) return;
  const ends = new Map<string, number>();
  const heap: number[] = [];
  const failures: string[] = [];
  let fuzzer = await open();
  for (let run = first; run < first + count && failures.length < ENOUGH_FAILURES; run++) {
    if ((run - first) % benchRuns === benchRuns - 1) {
      await fuzzer.close();
      fuzzer = await open();
    }
    const drawn = fuzzer.draw(randomOf(Math.imul(seed, 1_000_003) + run), run);
    const { outcome, wrong } = await drawn.play().catch((error) => ({ outcome: 'thrown', wrong: told(error) }));
    ends.set(outcome, (ends.get(outcome) ?? 0) + 1);
    if (wrong !== undefined) {
      const inside = drawn.failures().slice(0, 1).map(told).join('');
      failures.push(`FAILED run ${run}, ${drawn.tool}: ${wrong}\n${inside}\n${drawn.input().slice(0, 1_500)}`);
    }
    if ((run - first) % Math.ceil(count / 10) === 0) {
      collect();
      heap.push(process.memoryUsage().heapUsed / (1 << 20));
    }
  }
  await fuzzer.close();
  // A few runs repeat a failure, and have no tenth to compare with.
  const growth = heap[1] === undefined ? 0 : (heap.at(-1) ?? 0) - heap[1];
  if (growth > MOST_GROWTH) failures.push(`the heap grew by ${growth.toFixed(1)} MB`);
  const words = [...ends.keys()];
  const missing = count < 1_000 ? [] : due.filter((end) => !words.some((word) => end.test(word)));
  failures.push(...missing.map((end) => `no run came to ${end}`));
  if (({} as { polluted?: unknown }).polluted !== undefined) failures.push('Object.prototype was changed');
  print(`${name}: ${count}, ${failures.length} failures; the heap in MB: ${heap.map(Math.round).join(' ')}`);
  for (const [end, times] of [...ends].sort(([, a], [, b]) => b - a)) print(`  ${String(times).padStart(8)}  ${end}`);
  for (const failure of failures) print(failure);
  if (failures.length > 0) process.exitCode = 1;
}

const told = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));
