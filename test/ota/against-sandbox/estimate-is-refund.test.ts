/**
 * The estimate is the refund of the independent sandbox, to the minor unit: for random tariffs, parties, trips and moments,
 * in its own arithmetic and in its ledger after real cancellations. More of them: node test/campaigns/estimates/run.ts.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { emptyTally, runWorld } from '../../campaigns/estimates/judged.ts';
import { world } from './worlds.ts';

test('estimates what the airline refunds for about 80 bookings', async () => {
  const tally = emptyTally();
  const property = fc.asyncProperty(world(10), async (one) => {
    await runWorld(tally, one);
    expect(tally.differences).toEqual([]);
  });
  await fc.assert(property, { numRuns: 8, endOnFailure: true });
  expect(tally.bookings).toBeGreaterThan(50);
  expect(tally.estimates).toBeGreaterThan(300);
  expect(tally.cancelled).toBeGreaterThan(50);
  expect(tally.estimates - tally.bounded).toBeGreaterThan(100);
}, 60_000);
