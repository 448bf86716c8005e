/**
 * Options and segments are copied into a request from their places in the reading: pointers can be shared, and another
 * flight than the one approved must never be sent.
 */
import { describe, expect, test } from 'vitest';
import { ClerkError } from '../../../src/core/errors.ts';
import { bodyOf } from '../support/asked.ts';
import type { Reading, SegmentOption } from '../support/port.ts';
import { confirmed, watchedDispatch } from '../support/samples.ts';
import { between, bookingOf, flight, itinerary, option, person, type Wire } from '../support/wire.ts';

const leg = (from: string, to: string, day: string, rph: string): Wire =>
  flight({ ...between(from, to), departureDateTime: `2031-05-${day}T08:10:00.000+03:00`, rph });

const reading = (...options: Wire[]): Reading =>
  bookingOf({ airItinerary: itinerary(...options), travelerInfo: { airTraveler: [person('1', 'JO')] } }).reading;

const sharedOptions = reading(option('1', leg('AAA', 'BBB', '04', '1')), option('1', leg('BBB', 'AAA', '07', '2')));
const sharedSegments = reading(option('1', leg('AAA', 'BBB', '04', '1')), option('2', leg('BBB', 'AAA', '07', '1')));

interface SentOption {
  readonly flightSegment: readonly { departureAirport: { locationCode: string }; departureDateTime: string }[];
}

async function cancelled(booking: Reading, options: readonly SegmentOption[]): Promise<string[]> {
  const modification = { kind: 'cancel_segments', booking, options } as const;
  const body = await bodyOf((airline) => airline.modify(confirmed({ modification }, watchedDispatch())));
  const { airBookModifyRQ } = body as {
    airBookModifyRQ: { airItinerary: { originDestinationOptions: { originDestinationOption: SentOption[] } } };
  };
  const sent = airBookModifyRQ.airItinerary.originDestinationOptions.originDestinationOption;
  return sent.flatMap(({ flightSegment }) =>
    flightSegment.map((one) => `${one.departureAirport.locationCode} ${one.departureDateTime.slice(8, 10)}`),
  );
}

const chosen = (booking: Reading, place: number): SegmentOption => booking.options[place] as SegmentOption;

describe('cancelling with shared pointers', () => {
  test.each([
    ['options', sharedOptions],
    ['segments', sharedSegments],
  ])('cancels the chosen option if two %s have the same pointer', async (_what, booking) => {
    expect(await cancelled(booking, [chosen(booking, 0)])).toEqual(['AAA 04']);
    expect(await cancelled(booking, [chosen(booking, 1)])).toEqual(['BBB 07']);
    expect(await cancelled(booking, structuredClone([chosen(booking, 1)]))).toEqual(['BBB 07']);
  });

  test('sends no cancellation if a pointer fits two options', async () => {
    const twice = option('1', leg('AAA', 'BBB', '04', '1'));
    const booking = reading(twice, twice);
    await expect(cancelled(booking, structuredClone([chosen(booking, 0)]))).rejects.toThrow('no option 1');
  });

  test('sends no cancellation if the place of the chosen option has another flight', async () => {
    const other = reading(option('1', leg('AAA', 'BBB', '05', '1')), option('1', leg('BBB', 'AAA', '07', '2')));
    const mixed = { ...sharedOptions, source: other.source };
    await expect(cancelled(mixed, [chosen(mixed, 0)])).rejects.toThrow(ClerkError);
    expect(await cancelled(mixed, [chosen(mixed, 1)])).toEqual(['BBB 07']);
  });
});

describe('a seat map with shared pointers', () => {
  const asked = async (booking: Reading, source: unknown, place: number) => {
    const segment = booking.options[place]?.segments[0];
    const requests = segment === undefined ? [] : [{ segment, travelerRefs: ['1'] }];
    const { travelers } = booking;
    const query = { locator: 'K7PL2M', requests, travelers, source };
    const { seatMapRequests } = (await bodyOf((airline) => airline.seatMap(query))) as {
      seatMapRequests: { seatMapRequest: { flightSegmentInfo: SentOption['flightSegment'][number] }[] };
    };
    return seatMapRequests.seatMapRequest.map(({ flightSegmentInfo: one }) => one.departureAirport.locationCode);
  };

  test.each([
    ['options', sharedOptions],
    ['segments', sharedSegments],
  ])('asks for the seat map of the chosen segment if two %s have the same pointer', async (_what, booking) => {
    expect(await asked(booking, booking.source, 0)).toEqual(['AAA']);
    expect(await asked(booking, booking.source, 1)).toEqual(['BBB']);
  });

  test('asks for no seat map of a segment that the booking does not have', async () => {
    const other = reading(option('1', leg('AAA', 'BBB', '05', '1')));
    await expect(asked(sharedOptions, other.source, 0)).rejects.toThrow(ClerkError);
  });
});
