/** Chance from a seed, as spoilt replies and inputs draw it. */
import { Chance } from '../support/chance.ts';

/** A whole number from 0 to below `limit`. */
export type Random = (limit: number) => number;

export function randomOf(seed: number): Random {
  const chance = new Chance(seed);
  return (limit) => chance.bits() % Math.max(1, limit);
}

export function pick<T>(items: readonly T[], random: Random): T {
  return items[random(items.length)] as T;
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** A booking reference as reservation systems give them. */
export function locatorOf(random: Random): string {
  return Array.from({ length: 6 }, () => LETTERS[random(36)]).join('');
}
