/** What differs of flights from one reading of a booking to the next, by the rows that compare a hold with its offer too. */
import { describe, expect, it } from 'vitest';
import { BACK, type Booking, held, NOW, OUT, option, type Segment, segment } from '../../support/bookings.ts';
import { readingDesk } from '../../support/reading-desk.ts';

const { see } = readingDesk();
let bookings = 0;

/** What the readings after the first find, five minutes after each other. */
async function found(...readings: readonly Booking[]) {
  const locator = `F${++bookings}`;
  const all: Awaited<ReturnType<typeof see>>['found'][] = [];
  for (const [i, booking] of readings.entries()) all.push((await see(locator, booking, NOW + i * 300_000)).found);
  return all.slice(1).flat();
}
const facts = async (...readings: readonly Booking[]) =>
  (await found(...readings)).map(({ kind, before, after }) => ({ kind, before, after }));
const kinds = async (...readings: readonly Booking[]) => (await found(...readings)).map(({ kind }) => kind);

const trip = (...segments: Segment[]) => held({ options: [...segments.map((one) => option(one)), BACK] });
const flight = (over: Partial<Segment>) => trip(segment('1', over));
const WAS = flight({});
const operating = (carrier: string, number: string) => ({ operating: { carrier, number } });

describe('a flight', () => {
  it('to or from another place is found, with its times', async () => {
    expect(await facts(WAS, flight({ to: 'RUH' }))).toEqual([
      { kind: 'route_changed', before: { to: 'JED' }, after: { to: 'RUH' } },
    ]);
    const earlier = { from: 'RUH', departs: '2026-12-01T07:00:00.000+03:00' };
    expect(await facts(WAS, flight(earlier))).toEqual([
      { kind: 'route_changed', before: { from: 'MED', departs: segment('1').departs }, after: earlier },
    ]);
  });

  it('with more stops, or in a fare of another name, is found', async () => {
    expect(await facts(flight({ stops: 0 }), flight({ stops: 1 }))).toEqual([
      { kind: 'stops_changed', before: { stops: '0' }, after: { stops: '1' } },
    ]);
    expect(await facts(flight({ fareName: 'Flex' }), flight({ fareName: 'Basic' }))).toEqual([
      { kind: 'fare_changed', before: { fare: 'Flex', detail: 'name' }, after: { fare: 'Basic', detail: 'name' } },
    ]);
    // An earlier version kept neither.
    expect(await kinds(WAS, flight({ stops: 1, fareName: 'Basic' }))).toEqual([]);
  });

  it('of another number tells its carrier and its times with it', async () => {
    const now = { flightNumber: '119', ...operating('XY', '119'), departs: '2026-12-01T09:00:00.000+03:00' };
    expect(await facts(WAS, flight(now))).toEqual([
      {
        kind: 'number_changed',
        before: { number: '101', carrier: 'HHR', departs: segment('1').departs },
        after: { number: '119', carrier: 'XY', departs: now.departs },
      },
    ]);
  });

  it('of another class tells its fare with it', async () => {
    expect(await facts(WAS, flight({ bookingClass: 'B', fareBasis: 'BOW' }))).toEqual([
      { kind: 'class_changed', before: { class: 'Y', fare: 'YOW' }, after: { class: 'B', fare: 'BOW' } },
    ]);
  });

  it('of another class is told once, also where the first reading that shows its fare leaves the class out', async () => {
    const fare = { fareBasis: 'BOW', fareName: 'Basic' };
    const { bookingClass: _, ...first } = segment('1', fare);
    const readings = [flight({ fareName: 'Flex' }), trip(first), flight({ bookingClass: 'B', ...fare })];
    expect(await facts(...readings)).toEqual([
      { kind: 'class_changed', before: { class: 'Y', fare: 'YOW' }, after: { class: 'B', fare: 'BOW' } },
    ]);
  });

  it('that nobody booked is found, unless a reading left it out; one that is listed twice is one', async () => {
    const more = segment('3', { from: 'JED', to: 'RUH', flightNumber: '7', departs: '2026-12-02T08:00:00.000+03:00' });
    const one = await found(WAS, trip(segment('1'), more), trip(segment('1'), more));
    expect(one).toMatchObject([{ kind: 'flight_added', segment: { from: 'JED', to: 'RUH', number: '7' } }]);
    expect(await kinds(WAS, trip(segment('1'), segment('8')))).toEqual([]);
    expect(await kinds(WAS, trip(segment('1'), { ...more, statusCode: '16' }))).toEqual([]);
    expect(await kinds(WAS, held({ options: [OUT] }), WAS)).toEqual(['segment_cancelled', 'segment_restored']);
    expect(await kinds(held({ options: [] }), WAS)).toEqual([]);
  });

  it.each<[string, Partial<Segment>, Partial<Segment>?]>([
    ['at the same clock of the station in another zone', { departs: '2026-12-01T08:00:00.000+02:00' }],
    ['at the clock of the station as UTC', { departs: '2026-12-01T08:00:00.000Z' }],
    ['at the clock of the station without a zone', { departs: '2026-12-01T08:00:00' }],
    ['half a minute later', { departs: '2026-12-01T08:00:30.000+03:00' }],
    ['with zeros before its number', { flightNumber: '0101' }],
    ['in a class with a blank, and a fare in small letters', { bookingClass: 'Y ', fareBasis: 'yow' }],
    ['of a carrier in small letters', operating('hhr', '101')],
    ['under its marketing number', { flightNumber: '5101', marketing: { carrier: 'SV', number: '5101' } }],
    [
      'under its operating number',
      { marketing: { carrier: 'SV', number: '5101' } },
      { flightNumber: '5101', marketing: { carrier: 'SV', number: '5101' } },
    ],
    ['in the fare of its name in capitals', { fareName: 'ECO-FLEX' }, { fareName: 'Eco Flex' }],
  ])('%s is as it was', async (_title, now, was = {}) => {
    expect(await kinds(flight(was), flight(now), flight(was))).toEqual([]);
  });

  it('that is cancelled beside the one that runs is as it was', async () => {
    const cancelled = segment('8', { statusCode: '16' });
    for (const both of [trip(cancelled, segment('1')), trip(segment('1'), cancelled)])
      expect(await kinds(WAS, both, both, WAS)).toEqual([]);
  });
});
