/**
 * Chance from a seed: the same seed, the same run.
 */

/** mulberry32: a whole number from 0 to below `limit`. */
export type Random = (limit: number) => number;

export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) % Math.max(1, limit);
  };
}

export function pick<T>(items: readonly T[], random: Random): T {
  return items[random(items.length)] as T;
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** A booking reference as reservation systems give them. */
export function locatorOf(random: Random): string {
  return Array.from({ length: 6 }, () => LETTERS[random(36)]).join('');
}
