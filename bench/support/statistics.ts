/**
 * Medians of rounds that are run in turns, so that a noisy machine disturbs every contender alike.
 */

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  if (low === undefined || high === undefined) throw new Error('a median of nothing');
  return (low + high) / 2;
}

/** Medians by contender. Each round runs every contender once; every other round in the opposite order. */
export async function interleaved<N extends string>(
  rounds: number,
  contenders: Readonly<Record<N, () => Promise<number>>>,
): Promise<Record<N, number>> {
  const names = Object.keys(contenders) as N[];
  const seen = new Map<N, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) seen.get(name)?.push(await contenders[name]());
  }
  return Object.fromEntries([...seen].map(([name, values]) => [name, median(values)])) as Record<N, number>;
}
