/**
 * The estimate before a cancellation is what the airline refunds and states after it (docs/wire/notes.md, money and rules).
 */
import { afterEach, describe, expect, test } from 'vitest';
import { ok } from '../../e2e/trip.ts';
import { deviations, OWN } from '../../support/sandbox/deviations.ts';
import {
  type Counter,
  cents,
  DIALECTS,
  inFare,
  type Json,
  moved,
  offersOf,
  openCounter,
  people,
  sold,
} from './counter.ts';

let counter: Counter;
afterEach(() => counter.close());

/** Fares with a penalty twenty days before the departure. */
const PENALISED = {
  rail: { classes: ['C'], fare: 'CSAVE' },
  airline: { classes: ['D'], fare: 'CSAVE' },
} as const;

/** A return trip of two adults and a child, sold; airlines send their rules in structure on request only. */
async function trip(dialect: (typeof DIALECTS)[number]): Promise<string> {
  const rewrite = dialect === 'airline' ? deviations(...OWN.airline, 'structuredRules') : deviations();
  counter = await openCounter(dialect, { sandbox: { rewrite } });
  const { classes, fare } = PENALISED[dialect];
  const offer = inFare(await offersOf(counter, { legs: 2, adults: 2, children: 1, classes }), fare);
  return sold(counter, offer, people(2, 1));
}

/** The refund of an answer; the airline's ledger has the same amount, once. */
function told(
  locator: string,
  answer: Json,
  nth = 0,
): { estimate: number; stated: number; ledger: number | undefined } {
  const { estimate, stated } = answer.refund;
  const refunds = moved(counter, 'refunded', locator);
  expect(refunds).toHaveLength(nth + 1);
  return { estimate: cents(estimate.back), stated: cents(stated.back), ledger: refunds[nth] };
}

function expectSame({ estimate, stated, ledger }: ReturnType<typeof told>): void {
  expect(ledger).toBeGreaterThan(0);
  expect([estimate, stated]).toEqual([ledger, ledger]);
}

describe.each(DIALECTS)('in the %s dialect', (dialect) => {
  test('estimates the refund of one of two flights, and bounds that of the other', async () => {
    const locator = await trip(dialect);
    const paid = moved(counter, 'paid', locator)[0] ?? 0;
    const first = await ok(counter.client, 'cancel_segment', { locator, segment_refs: ['2'] });
    const one = told(locator, first.structuredContent);
    expectSame(one);
    expect(one.stated).toBeLessThan(paid);
    const rest = await ok(counter.client, 'cancel_segment', { locator, all: true });
    const refunds = moved(counter, 'refunded', locator);
    expect(refunds).toHaveLength(2);
    const { stated, estimate } = rest.structuredContent.refund;
    expect(cents(stated.back)).toBe(refunds[1]);
    const { at_least: least = estimate.back, at_most: most = estimate.back } = estimate.between ?? {};
    expect(cents(least)).toBeLessThanOrEqual(refunds[1] ?? -1);
    expect(cents(most)).toBeGreaterThanOrEqual(refunds[1] ?? 0);
    expect(counter.sandbox.unknownFields()).toEqual([]);
  });

  test('estimates the refund of one passenger', async () => {
    const locator = await trip(dialect);
    const answer = await ok(counter.client, 'cancel_passenger', { locator, passenger_refs: ['2'] });
    expectSame(told(locator, answer.structuredContent));
    expect(counter.sandbox.unknownFields()).toEqual([]);
  });

  test('estimates the refund of the whole booking', async () => {
    const locator = await trip(dialect);
    const answer = await ok(counter.client, 'cancel_segment', { locator, all: true });
    expectSame(told(locator, answer.structuredContent));
    expect(counter.sandbox.unknownFields()).toEqual([]);
  });
});

test("states the refund from the airline's order if the rules are only words", async () => {
  counter = await openCounter('airline');
  const offer = inFare(await offersOf(counter, { adults: 2, classes: ['D'] }), 'CSAVE');
  const locator = await sold(counter, offer, people(2));
  const { refund } = (await ok(counter.client, 'cancel_segment', { locator, all: true })).structuredContent;
  expect(refund.estimate?.back).toBeUndefined();
  expect([cents(refund.stated.back)]).toEqual(moved(counter, 'refunded', locator));
});
