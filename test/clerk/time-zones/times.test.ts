/**
 * Times in search_fares, read_booking and create_booking, in both forms of reply. Local times stay local. A record's UTC
 * times become local if its stations were seen before; if not, they are marked as UTC and cannot be booked. Durations are
 * true, and ages and documents count by the station's own day (docs/wire/notes.md, Availability record).
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localMinute, showMinutes } from '../../../src/core/times.ts';
import { CONTACT, newPassenger } from '../../support/people.ts';
import { type Form, type Leg, openTimesDesk, type TimesDesk } from './clerk.ts';
import { JOURNEYS, type Journey } from './journeys.ts';

let desk: TimesDesk;
beforeAll(async () => {
  desk = await openTimesDesk();
});
afterAll(() => desk.close());

const FORMS: readonly Form[] = ['itineraries', 'availability'];

/** Gives each journey its own stations, so that their time zones are not known from another journey. */
function stationsOf(journey: Journey, seen: boolean) {
  const letter = 'ABCDEFGHIJK'[JOURNEYS.indexOf(journey)];
  return seen ? { from: `S${letter}A`, to: `S${letter}B` } : { from: `N${letter}A`, to: `N${letter}B` };
}

function legOf(journey: Journey, form: Form, seen = true): Leg {
  const { departs, arrives, utc, localDate } = journey;
  const stations = stationsOf(journey, seen);
  if (form === 'itineraries') return { ...stations, departs, arrives };
  return { ...stations, departs: utc[0], arrives: utc[1], journeyDate: localDate };
}

async function search(leg: Leg, form: Form, date: string) {
  desk.sells([leg], form);
  return desk.call('search_fares', {
    legs: [{ from: leg.from, to: leg.to, date }],
    passengers: { adults: 1 },
  });
}

/** The journey in that form; before a record comes, an itinerary has shown the local times of the stations. */
async function found(journey: Journey, form: Form) {
  if (form === 'availability') await search(legOf(journey, 'itineraries'), 'itineraries', journey.localDate);
  return search(legOf(journey, form), form, journey.localDate);
}

/** A search that returns a record of stations never seen before. */
const unseen = (journey: Journey) => search(legOf(journey, 'availability', false), 'availability', journey.localDate);

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever fields the contract names
const data = (result: { structured: unknown }): any => result.structured;

function book(result: { structured: unknown }, over: Parameters<typeof newPassenger>[0] = {}) {
  const offer_ids = [data(result).offers[0].offer_id];
  return desk.call('create_booking', { offer_ids, contact: CONTACT, passengers: [newPassenger(over)] });
}

it.each(JOURNEYS)('a journey $name is shown and booked in local times, from either form of reply', async (journey) => {
  const { departs, arrives, minutes, shown } = journey;
  for (const form of FORMS) {
    const result = await found(journey, form);
    const [told] = data(result).offers[0].legs;
    expect(told).toMatchObject({ departs: localMinute(departs), arrives: localMinute(arrives) });
    expect(result.text).toContain(shown);
    expect(result.text).toContain(`(${showMinutes(minutes)})`);
    const made = await book(result);
    expect(made.isError, made.text).toBe(false);
    const sent = JSON.stringify(desk.booked.at(-1)?.airItinerary);
    expect(sent).toContain(`"departureDateTime":"${departs}"`);
    expect(sent).toContain(`"arrivalDateTime":"${arrives}"`);
  }
  desk.sells([legOf(journey, 'itineraries')], 'itineraries');
  const read = await desk.call('read_booking', { locator: 'ABC123' });
  const minute = (time: string) => time.replace(/:\d\d\.\d{3}/, '').replace(/\+00:00$/, 'Z');
  expect(data(read).booking.segments[0]).toMatchObject({ departs: minute(departs), arrives: minute(arrives) });
  const [leaves, comes] = [departs, arrives].map((time) => time.slice(11, 16));
  const day = new Date(`${departs.slice(0, 10)}T00:00:00Z`).getUTCDate();
  const written = ` [A-Z][a-z]{2} ${day} [A-Z][a-z]{2} ${leaves}( \\(UTC\\S+\\))?-${comes}[ (]`;
  expect(read.text).toMatch(new RegExp(written));
});

it.each(JOURNEYS)(
  'a record of a journey $name at stations never seen is in UTC with the local date, and not booked',
  async (journey) => {
    const result = await unseen(journey);
    const [departs, arrives] = journey.utc;
    expect(data(result).offers[0].legs[0]).toMatchObject({
      ...{ departs: localMinute(departs ?? ''), arrives: localMinute(arrives ?? '') },
      journey_date: journey.localDate,
    });
    expect(result.text).toContain('Times are in UTC');
    expect(result.text).toContain(`(${showMinutes(journey.minutes)})`);
    const before = desk.booked.length;
    const made = await book(result);
    expect([made.isError, made.text]).toEqual([true, expect.stringMatching(/UTC alone.*Nothing was sent/s)]);
    expect(desk.booked).toHaveLength(before);
  },
);

/** 00:30 on 2 December at the station; by UTC it is still the 1st. */
const [MIDNIGHT] = JOURNEYS as [Journey];
const [LINE_WEST, LINE_EAST] = JOURNEYS.slice(5) as [Journey, Journey];

describe('legs across the date line', () => {
  const east = [
    { from: 'AAA', to: 'BBB', departs: '2026-12-02T01:00:00.000+13:00', arrives: '2026-12-01T11:00:00.000-10:00' },
    { from: 'BBB', to: 'CCC', departs: '2026-12-01T15:00:00.000-10:00', arrives: '2026-12-01T16:00:00.000-10:00' },
  ];
  const asked = (date: string) => ({
    legs: [
      { from: 'AAA', to: 'BBB', date: '2026-12-02' },
      { from: 'BBB', to: 'CCC', date },
    ],
    passengers: { adults: 1 },
  });

  it('accepts a next leg on the day before across the date line, but not two days before', async () => {
    desk.sells(east, 'itineraries');
    const offered = await desk.call('search_fares', asked('2026-12-01'));
    expect(offered.text).toMatch(/\(9h00\)[\s\S]*\(1h00\)/);
    const refused = await desk.call('search_fares', asked('2026-11-30'));
    expect(refused.text).toMatch(/legs\[1\]\.date: expected a date not before the leg before it/);
  });
});

let documents = 0;

describe('documents that must be valid after the local day of the last arrival', () => {
  it.each<{ journey: Journey; expires: string; good: boolean; form?: Form }>([
    // Arrives on 3 December there, 2 December by UTC and where it left.
    { journey: LINE_WEST, expires: '2026-12-03', good: false },
    { journey: LINE_WEST, expires: '2026-12-04', good: true },
    // Leaves on 2 December and arrives on the 1st.
    { journey: LINE_EAST, expires: '2026-12-01', good: false },
    { journey: LINE_EAST, expires: '2026-12-03', good: true },
    // Arrives at 02:45 on the 2nd; by UTC, as an availability record has it, it is 23:45 on the 1st.
    { journey: MIDNIGHT, expires: '2026-12-02', good: false },
    { journey: MIDNIGHT, expires: '2026-12-02', good: false, form: 'availability' },
    { journey: MIDNIGHT, expires: '2026-12-03', good: true, form: 'availability' },
  ])(
    'checks the expiry of a document: $journey.name, expires $expires: $good $form',
    async ({ journey, expires, good, form = 'itineraries' }) => {
      const offered = await found(journey, form);
      documents += 1;
      const made = await book(offered, {
        document: { type: 'passport', number: `Q10000${documents}`, nationality: 'SA', expires },
      });
      expect(made.isError && /expires/.test(made.text), made.text).toBe(!good);
    },
  );
});
