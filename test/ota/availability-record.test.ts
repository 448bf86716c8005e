/**
 * The availability record, which an airline may send in place of priced itineraries (docs/wire/notes.md, Availability record): what earlier
 * itineraries add to it. Replies are written by hand.
 */
import { describe, expect, it } from 'vitest';
import { at, serve } from './support/harness.ts';
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
