/** Medians of rounds in turns, so that a busy machine disturbs all contenders alike. */
import { inParallel } from '../../test/campaigns/support/pace.ts';
import { quantile } from '../../test/campaigns/support/report.ts';

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
}

/** The median of how long the work takes, milliseconds. A time before the first fills caches. */
export async function medianMs(work: () => Promise<unknown>, times: number): Promise<number> {
  const took: number[] = [];
  await work();
  while (took.length < times) {
    const began = performance.now();
    await work();
    took.push(performance.now() - began);
  }
  return median(took);
}

/** What a contender takes in one round, by figure. */
export type Seen<F extends string> = Readonly<Record<F, number | readonly number[]>>;

/**
 * What the contenders take, round by round. Each round runs every contender once; every other round in the opposite order.
 * @param warm rounds before them, which warm up code and sockets
 */
export async function roundsOf<N extends string, S>(
  rounds: number,
  contenders: Readonly<Record<N, () => Promise<S>>>,
  warm: number,
): Promise<Record<N, S>[]> {
  const names = Object.keys(contenders) as N[];
  const all: Record<N, S>[] = [];
  for (let round = -warm; round < rounds; round++) {
    const seen = {} as Record<N, S>;
    for (const name of round % 2 === 0 ? names : names.toReversed()) seen[name] = await contenders[name]();
    if (round >= 0) all.push(seen);
  }
  return all;
}

/** Medians of those rounds, by contender and figure. */
export async function inTurns<N extends string, F extends string>(
  rounds: number,
  contenders: Readonly<Record<N, () => Promise<Seen<F>>>>,
  warm: number,
): Promise<Record<N, Record<F, number>>> {
  const all = await roundsOf(rounds, contenders, warm);
  const medians = (name: N) => {
    const figures = Object.keys(all[0]?.[name] ?? {}) as F[];
    return [
      name,
      Object.fromEntries(figures.map((figure) => [figure, median(all.flatMap((seen) => seen[name][figure]))])),
    ];
  };
  return Object.fromEntries((Object.keys(contenders) as N[]).map(medians));
}

/** So many calls, of which the next begins when one of those under way is answered. */
export async function inFlight(atOnce: number, total: number, call: (n: number) => Promise<unknown>) {
  const began = performance.now();
  const ms = await inParallel(Array.from({ length: total }), atOnce, async (_, n) => {
    const sent = performance.now();
    await call(n);
    return performance.now() - sent;
  });
  return { perSecond: (1000 * total) / (performance.now() - began), p99: quantile(ms, 0.99) };
}
