/**
 * Quotes of the whole product at the independent sandbox: one request each, nothing in the journal, and the sum that the
 * airline then refunds.
 */
import { afterEach, describe, expect, test } from 'vitest';
import { ok } from '../../e2e/trip.ts';
import { CONTACT } from '../../support/people.ts';
import { deviations } from '../../support/sandbox/deviations.ts';
import {
  type Counter,
  cents,
  DIALECTS,
  held,
  type Json,
  moved,
  offersOf,
  openCounter,
  people,
  type Trip,
} from './counter.ts';

let counter: Counter;
afterEach(() => counter.close());

const TWO_BOTH_WAYS: Trip = { adults: 2, legs: 2, classes: ['C'] };

/** Each leg in its first offer, where legs are offered by themselves. */
function wholeTrip(offers: readonly Json[]): string[] {
  const legs = [...new Set(offers.map(({ leg }) => leg))];
  return legs.map((leg) => offers.find((offer) => offer.leg === leg).offer_id);
}

async function soldBothWays(): Promise<string> {
  const offer_ids = wholeTrip(await offersOf(counter, TWO_BOTH_WAYS));
  const made = await ok(counter.client, 'create_booking', { offer_ids, contact: CONTACT, passengers: people(2) });
  const { locator } = made.structuredContent.booking;
  await ok(counter.client, 'pay_booking', { locator, payment: { type: 'invoice' } });
  return locator;
}

async function operations(): Promise<number> {
  const { state } = await counter.client.composed.clerk.runtime();
  const { tenant } = counter.client.composed.caller;
  return (await state.operations.list({ tenant, limit: 200 })).length;
}

describe.each(DIALECTS)('a quote in the %s dialect', (dialect) => {
  const options = { sandbox: { rewrite: dialect === 'airline' ? deviations('structuredRules') : deviations() } };
  const quoted = async (args: object) =>
    (await ok(counter.client, 'quote_cancellation', { ...args })).structuredContent;

  test('sends one request, the reading, writes no operation and asks nobody', async () => {
    counter = await openCounter(dialect, options);
    const locator = await soldBothWays();
    const [kept, asked] = [await operations(), counter.client.dialogs.length];
    for (const part of [{}, { segment_refs: ['2'] }, { passenger_refs: ['1'] }]) {
      const [all, read] = [counter.requests(), counter.sent('OTA_ReadRQ').length];
      await quoted({ locator, ...part });
      expect([counter.requests(), counter.sent('OTA_ReadRQ').length]).toEqual([all + 1, read + 1]);
    }
    const before = counter.requests();
    await counter.client.call('quote_cancellation', { locator, segment_refs: ['1'], passenger_refs: ['1'] });
    expect([counter.requests(), await operations(), counter.client.dialogs.length]).toEqual([before, kept, asked]);
  });

  test.each([
    ['one passenger', 'cancel_passenger', { passenger_refs: ['2'] }],
    ['one flight', 'cancel_segment', { segment_refs: ['2'] }],
    ['the whole booking', 'cancel_booking', {}],
  ])('of %s names the sum of the question and of the airline’s refund', async (_, tool, part) => {
    counter = await openCounter(dialect, options);
    const locator = await soldBothWays();
    const of = { locator, ...part };
    const one = await quoted(of);
    expect(one.refund_now).toMatch(/^\d+\.\d\d$/);
    const { refund } = (await ok(counter.client, tool, of)).structuredContent;
    expect(refund.estimate).toMatchObject({ back: one.refund_now, kept: one.kept_now });
    expect(refund.stated.back).toBe(one.refund_now);
    expect(counter.client.dialogs.at(-1)?.message).toContain(Number(one.refund_now).toLocaleString('en-US'));
    expect(moved(counter, 'refunded', locator)).toEqual([cents(one.refund_now)]);
  });

  test('shows the airline’s words beside the sum, although they only repeat it, in the question too', async () => {
    counter = await openCounter(dialect, options);
    const locator = await soldBothWays();
    const quote = await quoted({ locator });
    const said = quote.refund_condition.map(({ says }: { says: string }) => says);
    expect(said).toContainEqual(
      expect.stringMatching(/^Refund for a fee of [A-Z]{3} \d+\.\d\d per passenger and segment$/),
    );
    expect(quote.summary).toContain(`The airline's condition: “${said[0]}”`);
    await ok(counter.client, 'cancel_booking', { locator });
    expect(counter.client.dialogs.at(-1)?.message).toContain(`The airline's condition: “${said[0]}”`);
  });

  test('of a hold names what would come back after payment', async () => {
    counter = await openCounter(dialect, options);
    const [offer] = await offersOf(counter, { classes: ['C'] });
    const { booking } = await held(counter, offer, people(1));
    const { locator, currency } = booking;
    const { state, refund_now, kept_now, later, ...before } = await quoted({ locator });
    expect([state, before.currency]).toEqual(['held', currency]);
    await ok(counter.client, 'pay_booking', { locator, payment: { type: 'invoice' } });
    expect(await quoted({ locator })).toMatchObject({
      state: 'ticketed',
      refund_now,
      kept_now,
      ...(later && { later }),
    });
  });
});

test('quotes the airline’s own words where it sends rules as text only', async () => {
  counter = await openCounter('airline');
  const locator = await soldBothWays();
  const { structuredContent: quote } = await ok(counter.client, 'quote_cancellation', { locator });
  expect(quote.refund_now).toBeUndefined();
  expect(quote.lines).toBeUndefined();
  expect(quote.note).toMatch(/The airline sent the refund rule.* as text only\./);
  expect(quote.refund_condition[0].says).not.toBe('');
  const asked = counter.client.dialogs.length;
  await counter.client.call('cancel_booking', { locator });
  const question = JSON.stringify(counter.client.dialogs[asked]);
  expect(question).toMatch(
    /Between AED 0\.00 and AED .*The airline's condition: “.*as text only\. Estimated; the airline decides/,
  );
  expect(question).toMatch(/refund AED 0\.00 to AED [\d,]+\.\d\d, on a condition"/);
});
