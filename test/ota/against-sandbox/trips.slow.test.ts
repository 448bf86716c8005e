/**
 * Whole trips at the independent sandbox: everything that is sent is known to the airline, and goes out in the local time
 * of its station.
 */
import { afterEach, expect, test } from 'vitest';
import { wholeTrip } from '../../e2e/trip.ts';
import { cancelledTrip, groupTrip } from '../dialects/trips.ts';
import { type Counter, DIALECTS, type Json, openCounter } from './counter.ts';

let counter: Counter;
afterEach(() => counter.close());

/** Every date-time of a request that has one. */
function timesIn(value: Json): string[] {
  if (typeof value === 'string') return /^\d{4}-\d\d-\d\dT/.test(value) ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(timesIn) : [];
}

test.each(DIALECTS)('sends only known fields during a whole trip in the %s dialect', async (dialect) => {
  counter = await openCounter(dialect);
  await wholeTrip(counter.client);
  await cancelledTrip(counter.client);
  await groupTrip(counter.client);
  expect(counter.client.errors).toEqual([]);
  const itineraries = ['OTA_AirBookRQ', 'OTA_AirPriceRQ'].flatMap((message) =>
    counter.sent(message).map(({ airItinerary }) => airItinerary),
  );
  const times = timesIn(itineraries);
  expect(times.length).toBeGreaterThan(4);
  for (const time of times) expect(time).toMatch(/T\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d$/);
});
