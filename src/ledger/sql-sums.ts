/**
 * Sums, averages and totals whose decimals are those of amounts. SQLite adds binary fractions: 0.1 and 0.2 make 0.30000000000000004, which
 * is not 0.3 in a condition.
 */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';

/** More decimals than any currency has, so that a sum of amounts loses nothing. */
const DECIMALS = 1e6;

/** What is added up so far: whole numbers, which stay whole, and decimals. */
interface Added {
  count: number;
  decimals: number;
  whole: bigint;
  sum: number;
}

const none = (): Added => ({ count: 0, decimals: 0, whole: 0n, sum: 0 });

/** @param sign -1: takes away what was added, where a window moves on */
function add(added: Added, value: SQLInputValue, sign: 1 | -1): Added {
  if (value === null) return added;
  added.count += sign;

  if (typeof value === 'bigint') added.whole += BigInt(sign) * value;
  else {
    added.decimals += sign;
    added.sum += sign * numberIn(value);
  }

  return added;
}

/** The number that a value begins with, as SQLite adds it. */
function numberIn(value: SQLInputValue): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? Number.parseFloat(value) || 0 : 0;
}

function rounded(number: number): number {
  const scaled = number * DECIMALS;
  // Beyond that, no decimal is left to round.
  return Math.abs(scaled) < Number.MAX_SAFE_INTEGER ? Math.round(scaled) / DECIMALS : number;
}

const total = ({ whole, sum }: Added): number => rounded(Number(whole) + sum);

/** Replaces SQLite's own functions of these names. */
export function addSums(database: DatabaseSync): void {
  const replace = (name: string, result: (added: Added) => number | bigint | null) =>
    database.aggregate(name, {
      start: none,
      step: (added: Added, value: SQLInputValue) => add(added, value, 1),
      inverse: (added: Added, value: SQLInputValue) => add(added, value, -1),
      result,
      useBigIntArguments: true,
      deterministic: true,
    } as never);

  replace('sum', (added) => {
    if (added.count === 0) return null;
    if (added.decimals > 0) return total(added);
    // Beyond 64 bits SQLite has no whole numbers.
    return BigInt.asIntN(64, added.whole) === added.whole ? added.whole : Number(added.whole);
  });

  replace('total', total);
  replace('avg', (added) => (added.count === 0 ? null : rounded(total(added) / added.count)));
}
