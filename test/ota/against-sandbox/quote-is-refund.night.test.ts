/**
 * A quote is what the terms of the cancelling tools say and what the independent sandbox refunds, to the minor unit, now
 * and in every later window: for random tariffs, parties, trips and moments, in both dialects. No rebooking is charged above
 * what was approved at most, and a search that says what a change costs says the same before.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { emptyQuoteTally, quoteWorld } from '../../campaigns/estimates/quoted.ts';
import { world } from './worlds.ts';

test.each(['rail', 'airline'] as const)(
  'quotes what the %s sandbox refunds for about 30 bookings',
  async (dialect) => {
    const tally = emptyQuoteTally();
    const property = fc.asyncProperty(world(8), async (one) => {
      await quoteWorld(tally, { ...one, dialect });
      expect(tally.differences).toEqual([]);
    });
    await fc.assert(property, { numRuns: 4, endOnFailure: true });
    expect(tally.bookings).toBeGreaterThan(20);
    expect(tally.quotes).toBeGreaterThan(120);
    expect(tally.refused).toBeGreaterThan(0);
    expect(tally.exact).toBeGreaterThan(10);
    expect(tally.windows).toBeGreaterThan(10);
    expect(tally.split).toBeGreaterThan(5);
    expect(tally.cancelled).toBeGreaterThan(3);
    expect(tally.rebooked).toBeGreaterThan(0);
    expect(tally.told).toBeGreaterThan(0);
  },
  60_000,
);
