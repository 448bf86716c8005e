/**
 * What is booked is the fare that was chosen, in the airline's own record (docs/wire/notes.md, fares and prices).
 */
import { afterEach, describe, expect, test } from 'vitest';
import type { Rule } from '../../cli/doctor/front.ts';
import { ok } from '../../e2e/trip.ts';
import { deviations } from '../../support/sandbox/deviations.ts';
import {
  type Counter,
  type CounterOptions,
  type Dialect,
  fareOf,
  held,
  heldGroup,
  inFare,
  type Json,
  offersOf,
  openCounter,
  people,
} from './counter.ts';

let counter: Counter;
afterEach(() => counter.close());

async function open(dialect: Dialect, options?: CounterOptions): Promise<void> {
  counter = await openCounter(dialect, options);
}

const flightsOf = (offer: Json): string =>
  offer.legs.flatMap((leg: Json) => leg.segments.map((one: Json) => `${one.flight} ${one.departs}`)).join();

/** A flight or journey that is offered in both fares. */
function inBothFares(offers: readonly Json[], one: string, other: string): [Json, Json] {
  for (const first of offers.filter((offer) => fareOf(offer) === one)) {
    const second = offers.find((offer) => fareOf(offer) === other && flightsOf(offer) === flightsOf(first));
    if (second !== undefined) return [first, second];
  }
  throw new Error(`nothing is offered both in ${one} and ${other}`);
}

const basesOf = (locator: string): string[] =>
  counter.record(locator).options.flatMap(({ segments }) => segments.map(({ basis }) => basis));

const segmentsSent = (message: string): Json[] =>
  counter
    .sent(message)
    .flatMap(({ airItinerary }) => airItinerary.originDestinationOptions.originDestinationOption)
    .flatMap((option: Json) => option.flightSegment);

const BOTH = {
  rail: { fares: ['YSAVE', 'YFLEX'], classes: ['Y'] },
  airline: { fares: ['YLSAVE', 'YFLEX'], classes: ['L', 'Y'] },
} as const;

describe.each(['rail', 'airline'] as const)('in the %s dialect', (dialect) => {
  const { fares, classes } = BOTH[dialect];
  const [one, other] = fares;

  test('books two offers of the same flights in two fares, each in its own fare', async () => {
    await open(dialect);
    const offers = inBothFares(await offersOf(counter, { adults: 2, classes }), one, other);
    for (const offer of offers) {
      const { booking, not_as_offered: changed, warnings } = await held(counter, offer, people(2));
      expect(basesOf(booking.locator)).toEqual([fareOf(offer)]);
      expect([changed, warnings]).toEqual([undefined, undefined]);
      expect(booking.total).toBe(offer.total);
    }
    expect(segmentsSent('OTA_AirBookRQ').map(({ fareBasisCode }) => fareBasisCode)).toEqual([one, other]);
  });

  test('books two groups from counts in two fares, each in its own fare', async () => {
    await open(dialect);
    for (const offer of inBothFares(await offersOf(counter, { adults: 3, classes }), one, other)) {
      const { booking, warnings } = await heldGroup(counter, offer, 3);
      expect(basesOf(booking.locator)).toEqual([fareOf(offer)]);
      expect([booking.total, warnings]).toEqual([offer.total, undefined]);
    }
    expect(segmentsSent('OTA_AirPriceRQ').map(({ fareBasisCode }) => fareBasisCode)).toEqual([one, other]);
  });
});

/** An airline that books the cheapest fare of the class if none is named. */
const cheapestIfUnnamed: Rule = ({ headers, body }) => {
  if (!['OTA_AirBookRQ', 'OTA_AirPriceRQ'].includes(String(headers['local-name']))) return undefined;
  const sent: Json = JSON.parse(body);
  for (const option of sent.airItinerary.originDestinationOptions.originDestinationOption) {
    for (const segment of option.flightSegment) segment.fareBasisCode ??= `${segment.resBookDesigCode}SAVE`;
  }
  return { pass: { body: JSON.stringify(sent) } };
};

test('books the chosen fare with an airline that books the cheapest if none is named', async () => {
  await open('rail', { rule: cheapestIfUnnamed });
  const offer = inFare(await offersOf(counter, { classes: ['Y'] }), 'YFLEX');
  const named = await held(counter, offer, people(1));
  const group = await heldGroup(counter, offer, 1);
  expect([named, group].flatMap(({ booking }) => basesOf(booking.locator))).toEqual(['YFLEX', 'YFLEX']);
});

test('reports a fare that was lost on the way before any payment', async () => {
  await open('rail', {
    rule: (call) =>
      call.headers['local-name'] === 'OTA_AirBookRQ'
        ? cheapestIfUnnamed({ ...call, body: call.body.replaceAll(/"fareBasisCode":"\w+",?/g, '') })
        : undefined,
  });
  const offer = inFare(await offersOf(counter, { classes: ['Y'] }), 'YFLEX');
  const { booking, summary, next, not_as_offered: differs } = await held(counter, offer, people(1));
  expect(basesOf(booking.locator)).toEqual(['YSAVE']);
  expect(summary).toMatch(/^NOT AS OFFERED: train HHR\d+ is in fare YSAVE, offered YFLEX; the total is /);
  expect(differs.map(({ what }: Json) => what)).toEqual([expect.stringMatching(/^fare of train/), 'total', 'baggage']);
  expect(next).toMatch(/^Tell the person what differs\./);
  const total = differs.find(({ what }: Json) => what === 'total');
  expect(total.asked).toContain(offer.total);
  expect(Number(booking.total)).toBeLessThan(Number(offer.total));
});

test('books the chosen fare if the search of a rail airline has no pointers', async () => {
  await open('rail', { sandbox: { rewrite: deviations('searchWithoutPointers') } });
  const offer = inFare(await offersOf(counter, { legs: 2, classes: ['C'] }), 'CSAVE');
  const { booking } = await held(counter, offer, people(1));
  expect(basesOf(booking.locator)).toEqual(['CSAVE', 'CSAVE']);
  const { total } = (await ok(counter.client, 'read_booking', { locator: booking.locator })).structuredContent.booking;
  expect(total).toBe(offer.total);
});
