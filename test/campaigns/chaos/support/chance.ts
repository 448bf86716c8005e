/**
 * Chance from a seed: the same seed gives the same run.
 */
export interface Chance {
  /** In [0, 1). */
  next(): number;
  /** In [0, below). */
  below(below: number): number;
  pick<T>(items: readonly T[]): T;
  /** A copy in another order. */
  shuffled<T>(items: readonly T[]): T[];
}

/** mulberry32 (public domain). */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const below = (most: number) => Math.floor(next() * most);
  return {
    next,
    below,
    pick(items) {
      const item = items[below(items.length)];
      if (item === undefined) throw new RangeError('nothing to pick from');
      return item;
    },
    shuffled(items) {
      const left = [...items];
      for (let i = left.length - 1; i > 0; i--) {
        const j = below(i + 1);
        [left[i], left[j]] = [left[j] as (typeof left)[number], left[i] as (typeof left)[number]];
      }
      return left;
    },
  };
}
