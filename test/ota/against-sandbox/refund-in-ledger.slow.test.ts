/** The refund that the airline stated, as questions about the ledger find it. Their process starts late on a busy machine. */
import { afterEach, expect, test } from 'vitest';
import { ok } from '../../e2e/trip.ts';
import { type Counter, cents, inFare, moved, offersOf, openCounter, people, sold } from './counter.ts';

let counter: Counter;
afterEach(() => counter.close());

test('query_ledger has the refund that the result of the cancellation states', async () => {
  counter = await openCounter('airline');
  const offer = inFare(await offersOf(counter, { adults: 2, classes: ['D'] }), 'CSAVE');
  const locator = await sold(counter, offer, people(2));
  const { refund } = (await ok(counter.client, 'cancel_segment', { locator, all: true })).structuredContent;
  expect(moved(counter, 'refunded', locator)).toEqual([cents(refund.stated.back)]);
  const sql = "select locator, refunded from operation where act = 'refund' and outcome = 'done'";
  const { rows } = (await ok(counter.client, 'query_ledger', { sql })).structuredContent;
  expect(rows).toEqual([[locator, Number(refund.stated.back)]]);
});
