/**
 * The availability record, which an airline may send in place of priced itineraries (docs/wire/notes.md, Availability record): what earlier
 * itineraries add to it, and the sold-out trains that only it lists. Replies are written by hand.
 */
import { describe, expect, it } from 'vitest';
import { at, failureOf, serve } from './support/harness.ts';
import type { FareQuery } from './support/port.ts';
import { fareQuery } from './support/samples.ts';
import { between, fare, flight, itinerary, option, searchOf } from './support/wire.ts';
import { reply } from './support/wire-server.ts';

const departureDateTime = '2026-12-01T08:00:00.000+03:00';

/** A priced itinerary, which shows the offset of the station. */
const priced = (from = 'MKX') => {
  const segment = { ...between(from, 'JED'), departureDateTime, rph: '1' };
  return [itinerary(option('1', flight(segment))), { itinTotalFare: [fare(100)] }] as const;
};
const PRICED = searchOf(priced());

/** Train 05429 leaves at 22:35 UTC on the day before its local date, and is full in economy. */
function record(journeyDate = '2026-12-01') {
  const [price, sum] = [
    { base: 200, tax: 30, total: 230 },
    { class: 'P', currency: 'SAR' },
  ];
  const profiles = [{ id: 1, quantity: 2, ...price }];
  const transport = {
    code: '05429',
    journeyDate,
    departureStation: 'MKX',
    arrivalStation: 'JED',
    departureTime: '2026-11-30T22:35:00Z',
    arrivalTime: '2026-11-30T23:22:00Z',
    categories: [
      { class: 'T', availableQty: 0 },
      { class: 'P', availableQty: 9 },
    ],
  };
  const fares = [{ id: 'BFLEX1', description: 'Business', ...price, profiles }];
  const segments = [{ offers: [{ transport, pricing: [{ ...sum, fares }] }] }];
  return { availability: { travellers: [{ profileId: 1, quantity: 2 }], segments } };
}
const RECORD = record();

/** The flight of a record that comes after this reply. */
async function recorded(earlier: object, later: object = RECORD) {
  const answers = [earlier, later];
  const server = await serve(({ index }, socket) => socket.write(reply(200, answers[Math.min(index, 1)] as object)));
  const airline = at(server.origin);
  await airline.searchFares(fareQuery);
  const found = await airline.searchFares(fareQuery);
  return { found, segment: found.offers[0]?.options[0]?.segments[0] };
}

describe('an availability record', () => {
  it('for one leg lists no way back that the record has beside it', async () => {
    const [there] = RECORD.availability.segments;
    const back = JSON.parse(JSON.stringify(there).replaceAll('05429', '05430'));
    const { found } = await recorded(PRICED, { availability: { ...RECORD.availability, segments: [there, back] } });
    expect(fareQuery.legs).toHaveLength(1);
    expect(found.offers.map(({ options }) => options[0]?.segments[0]?.flightNumber)).toEqual(['5429']);
  });

  it.each([
    ['no itinerary shows the station’s offset', searchOf()],
    ['the offset is of another station', searchOf(priced('RUH'))],
  ])('leaves the times in UTC if %s', async (_, body) => {
    const { segment } = await recorded(body);
    expect(segment).toMatchObject({ departs: '2026-11-30T22:35:00.000Z', journeyDate: '2026-12-01' });
  });

  it('leaves the times in UTC if the local date would not match the record', async () => {
    expect((await recorded(PRICED, record('2026-11-30'))).segment?.departs).toBe('2026-11-30T22:35:00.000Z');
  });

  it('uses the offset learnt from an earlier search', async () => {
    const { found } = await recorded(PRICED);
    const segment = { departs: '2026-12-01T01:35:00.000+03:00' };
    const onSale = { fareBasis: 'BFLEX1', fareName: 'Business' };
    expect(found).toMatchObject({
      form: 'availability',
      // For the two that the record names.
      offers: [
        {
          options: [{ segments: [{ ...segment, ...onSale }] }],
          pricing: { total: { total: { minor: 23000 } }, perType: [{ count: 2 }] },
        },
      ],
    });
  });
});

describe('a search with sold-out trains', () => {
  const QUERY: FareQuery = { ...fareQuery, includeSoldOut: true };

  /** Answers the priced search and the search for the record. */
  async function searching(priced: unknown, recordReply: unknown = RECORD, status = 200) {
    const server = await serve((request, socket) => {
      const isForRecord = request.body.availableFlightsOnly === false;
      socket.write(isForRecord ? reply(200, recordReply as object) : reply(status, priced as object));
    });
    return { server, airline: at(server.origin) };
  }

  it('sends a priced search and a search for the record, and adds the trains that the record has without seats', async () => {
    const { airline, server } = await searching(PRICED);
    const found = await airline.searchFares(QUERY);
    expect(server.received.map(({ body }) => body.availableFlightsOnly)).toEqual([undefined, false]);
    expect(found.form).toBe('itineraries');
    expect(found.offers.map(({ pricing }) => pricing.total?.total.minor)).toEqual([10000]);
    expect(found.soldOut).toEqual([
      {
        leg: 0,
        segment: {
          ref: '1',
          optionRef: '1',
          flightNumber: '5429',
          from: 'MKX',
          departs: '2026-12-01T01:35:00.000+03:00',
          to: 'JED',
          arrives: '2026-12-01T02:22:00.000+03:00',
          bookingClass: 'Y',
          availability: [{ bookingClass: 'Y', quantity: '0' }],
        },
      },
    ]);
  });

  it('finds the sold-out trains if nothing is on sale', async () => {
    const { airline } = await searching({ status: 400, code: '322', title: 'no availability' }, RECORD, 400);
    expect(await airline.searchFares(QUERY)).toMatchObject({
      offers: [],
      soldOut: [{ segment: { bookingClass: 'Y', journeyDate: '2026-12-01' } }],
    });
  });

  it('lists none, which is not the same as not knowing, if the record has seats in all classes', async () => {
    const full = JSON.parse(JSON.stringify(RECORD).replace('"availableQty":0', '"availableQty":4'));
    expect((await (await searching(PRICED, full)).airline.searchFares(QUERY)).soldOut).toEqual([]);
    // The airline ignores the wish, and answers with priced itineraries again.
    expect((await (await searching(PRICED, PRICED)).airline.searchFares(QUERY)).soldOut).toBeUndefined();
  });

  it('fails if the airline fails', async () => {
    const { airline } = await searching({ status: 500, title: 'down' }, RECORD, 500);
    expect(await failureOf(airline.searchFares(QUERY))).toMatchObject({ code: 'E_AIRLINE_DOWN' });
  });
});

it('adds up the sums for each type of passenger where a record has none for the fare', async () => {
  const {
    base: _,
    tax: __,
    total: ___,
    ...fare
  } = RECORD.availability.segments[0]?.offers[0]?.pricing[0]?.fares[0] ?? {};
  const profiles = [
    { id: 1, quantity: 1, base: 100, tax: 15, total: 120 },
    { id: 2, quantity: 1, base: 50, tax: 7.5, total: 57.5 },
  ];
  const withFare = (change: object) => {
    const copy = structuredClone(RECORD);
    Object.assign(copy.availability.segments[0]?.offers[0]?.pricing[0] ?? {}, { fares: [{ ...fare, ...change }] });
    return recorded(PRICED, copy);
  };
  const { found } = await withFare({ profiles });
  const [base, taxes, fees, total] = [15000, 2250, 500, 17750].map((minor) => ({ minor, currency: 'SAR' }));
  expect(found.offers[0]?.pricing.total).toMatchObject({ base, taxes, fees, total });
  // A type without sums: what the party pays is not known.
  await expect(withFare({ profiles: [...profiles, { id: 3, quantity: 1 }] })).rejects.toMatchObject({
    code: 'E_AIRLINE_REPLY',
  });
});
