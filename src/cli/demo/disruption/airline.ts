/** The airline of the story: the sandbox over HTTP, and the sums of its own ledger. */
import { type Money, sumMoney } from '../../../core/money.ts';
import type { LedgerEntry, Sandbox } from '../../../sandbox/start.ts';
import { must } from '../scenes.ts';

/** What moved after one entry of the airline's ledger. */
interface LedgerMovements {
  readonly paid: readonly LedgerEntry[];
  readonly refunded: readonly LedgerEntry[];
}

export function movedSince(sandbox: Sandbox, seq: number): LedgerMovements {
  const later = sandbox.ledger().filter((entry) => entry.seq > seq);
  return {
    paid: later.filter(({ event }) => event === 'paid'),
    refunded: later.filter(({ event }) => event === 'refunded'),
  };
}

export const lastLedgerEntry = (sandbox: Sandbox): number => sandbox.ledger().at(-1)?.seq ?? 0;

/** @throws StoryFailure if nothing moved, or in two currencies */
export function sumAmounts(entries: readonly LedgerEntry[]): Money {
  const sum = sumMoney(entries.flatMap(({ amount }) => amount ?? []));
  must(sum !== undefined, 'the ledger has no sum in one currency');
  return sum;
}

/** Bookings of these entries. @throws StoryFailure if one stands twice */
export function bookingsOnce(entries: readonly LedgerEntry[], what: string): ReadonlySet<string> {
  const locators = new Set(entries.map(({ locator }) => locator));
  must(locators.size === entries.length, `a booking was ${what} twice`);
  return locators;
}
