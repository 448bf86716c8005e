/**
 * Sold-out trains: one priced search, which lists what can be booked, and one availability record, which lists the rest
 * (docs/wire/notes.md, where the pieces meet). Replies are written by hand.
 */
import { describe, expect, it } from 'vitest';
import { at, failureOf, serve } from './support/harness.ts';
import type { FareQuery } from './support/port.ts';
import { fareQuery } from './support/samples.ts';
import { between, fare, flight, itinerary, option, searchOf } from './support/wire.ts';
import { reply } from './support/wire-server.ts';

const QUERY: FareQuery = { ...fareQuery, includeSoldOut: true };
const departureDateTime = '2026-12-01T08:00:00.000+03:00';

/** A priced itinerary, which shows carrier and offset of the station. */
const priced = (from = 'MKX', code = 'RR', flightNumber = '0417') => {
  const segment = { ...between(from, 'JED'), operatingAirline: { code, flightNumber }, departureDateTime, rph: '1' };
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

async function searching(found: unknown, other: unknown = RECORD, options = {}, status = 200) {
  const server = await serve((request, socket) => {
    const isRecord = request.body.availableFlightsOnly === false;
    socket.write(isRecord ? reply(200, other) : reply(status, found));
  });
  return { server, airline: at(server.origin, options) };
}

describe('a search with sold-out trains', () => {
  it('for one leg lists no way back that the record has beside it', async () => {
    const [there] = RECORD.availability.segments;
    const back = JSON.parse(JSON.stringify(there).replaceAll('05429', '05430'));
    const both = { availability: { ...RECORD.availability, segments: [there, back] } };
    const { airline } = await searching(PRICED, both);
    const found = await airline.searchFares(QUERY);
    expect(QUERY.legs).toHaveLength(1);
    expect(found.soldOut.map(({ segment: { flightNumber } }) => flightNumber)).toEqual(['5429']);
  });

  it('sends a priced search and an availability search, and adds the sold-out trains of the second', async () => {
    const { airline, server } = await searching(PRICED);
    const found = await airline.searchFares(QUERY);
    expect(server.received.map(({ body }) => body.availableFlightsOnly)).toEqual([undefined, false]);
    expect(found.form).toBe('itineraries');
    expect(found.offers.map(({ pricing }) => pricing.total?.total.minor)).toEqual([10000]);
    expect(found.soldOut).toEqual([
      {
        bookingClass: 'Y',
        segment: {
          ref: '1',
          optionRef: '1',
          flightNumber: '5429',
          operating: { carrier: 'RR', number: '5429' },
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

  it('finds the sold-out trains if nothing can be booked', async () => {
    const { airline } = await searching({ status: 400, code: '322', title: 'no availability' }, RECORD, {}, 400);
    expect(await airline.searchFares(QUERY)).toMatchObject({ offers: [], soldOut: [{ bookingClass: 'Y' }] });
  });

  it('reports an error for a search with sold-out trains if the airline fails', async () => {
    const { airline } = await searching({ status: 500, title: 'down' }, RECORD, {}, 500);
    expect(await failureOf(airline.searchFares(QUERY))).toMatchObject({ code: 'E_AIRLINE_DOWN' });
  });

  it.each([
    ['no itinerary shows the station’s offset', searchOf()],
    ['the offset is of another station', searchOf(priced('RUH'))],
  ])('leaves the times of a sold-out train in UTC if %s', async (_, body) => {
    const { airline } = await searching(body);
    const { segment } = (await airline.searchFares(QUERY)).soldOut[0] ?? {};
    expect(segment).toMatchObject({ departs: '2026-11-30T22:35:00.000Z', journeyDate: '2026-12-01' });
  });

  it('leaves the times of a sold-out train in UTC if the local date would not match the record', async () => {
    const { airline } = await searching(PRICED, record('2026-11-30'));
    expect((await airline.searchFares(QUERY)).soldOut[0]?.segment.departs).toBe('2026-11-30T22:35:00.000Z');
  });

  it('prefers the carrier of the setting to the one learnt, and names none if several were seen', async () => {
    const set = await searching(PRICED, RECORD, { carrier: 'ZZ' });
    expect((await set.airline.searchFares(QUERY)).soldOut[0]?.segment.operating?.carrier).toBe('ZZ');
    const several = await searching(searchOf(priced(), priced('MKX', 'QQ', '0999')));
    expect((await several.airline.searchFares(QUERY)).soldOut[0]?.segment).not.toHaveProperty('operating');
  });

  it('uses the offset and carrier learnt from an earlier search', async () => {
    const answers = [PRICED, RECORD];
    const server = await serve(({ index }, socket) => socket.write(reply(200, answers[Math.min(index, 1)] as object)));
    const airline = at(server.origin);
    await airline.searchFares(fareQuery);
    const found = await airline.searchFares(fareQuery);
    const segment = { departs: '2026-12-01T01:35:00.000+03:00', operating: { carrier: 'RR', number: '5429' } };
    const fare = { fareBasis: 'BFLEX1', fareName: 'Business' };
    expect(found).toMatchObject({
      form: 'availability',
      // For the two that the record names.
      offers: [
        {
          options: [{ segments: [{ ...segment, ...fare }] }],
          pricing: { total: { total: { minor: 23000 } }, perType: [{ count: 2 }] },
        },
      ],
    });
  });
});
