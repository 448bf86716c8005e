/**
 * Changes of paid bookings: exchanged tickets, titles, seats and documents.
 */
import { afterEach, describe, expect, test } from 'vitest';
import { ok } from '../../e2e/trip.ts';
import { permissionsOf } from '../../support/permissions.ts';
import {
  type Counter,
  DIALECTS,
  held,
  type Json,
  moved,
  offersOf,
  openCounter,
  people,
  readBack,
  sold,
} from './counter.ts';

let counter: Counter;
afterEach(() => counter.close());

describe.each(DIALECTS)('in the %s dialect', (dialect) => {
  test('cancels a flight after a change of name, in spite of the exchanged ticket', async () => {
    counter = await openCounter(dialect);
    const [offer] = await offersOf(counter, { adults: 2 });
    const locator = await sold(counter, offer, people(2));
    await ok(counter.client, 'change_names', { locator, changes: [{ passenger_ref: '1', given_name: 'Amalia' }] });
    if (dialect === 'airline') {
      const coupons = counter.record(locator).tickets.flatMap((ticket) => ticket.coupons.map(({ status }) => status));
      expect(coupons).toContain('E');
    }
    expect(permissionsOf(await readBack(counter, locator)).cancel_segment).toEqual({ ok: true });
    const answer = await ok(counter.client, 'cancel_segment', { locator, all: true });
    expect(answer.structuredContent.status).toBe('done');
    expect(counter.record(locator).state).toBe('cancelled');
    expect(moved(counter, 'refunded', locator)).toHaveLength(1);
  });

  test('sends a title that the airline keeps as a prefix of the name', async () => {
    counter = await openCounter(dialect);
    const [offer] = await offersOf(counter);
    const [one] = people(1);
    const { booking } = await held(counter, offer, [{ ...one, title: 'MRS' }]);
    expect(counter.record(booking.locator).travelers[0]?.name?.prefix).toEqual(['MRS']);
  });

  test('assigns the requested seat in another coach, even with a number over a hundred', async () => {
    counter = await openCounter(dialect);
    const classes = ['Y'];
    const [offer] = await offersOf(counter, { adults: 2, classes });
    const locator = await sold(counter, offer, people(2));
    const map = await ok(counter.client, 'get_seat_map', { locator, detail: 'full' });
    const free: { coach: string; seat: string }[] = map.structuredContent.segments[0].cabins.flatMap(
      ({ coach = '', seats }: Json) =>
        seats.filter(({ status }: Json) => status === 'free').map(({ seat }: Json) => ({ coach, seat })),
    );
    const coupons = counter.record(locator).tickets.map((ticket) => ticket.coupons[0]);
    const aim = free.findLast(({ coach }) => coach !== coupons[0]?.coach) ?? free.at(-1);
    if (dialect === 'rail') expect(Number(aim?.seat)).toBeGreaterThan(100);
    const wish = dialect === 'rail' ? `${aim?.coach}-${aim?.seat}` : aim?.seat;
    const seats = [{ segment_ref: '1', passenger_ref: '2', seat: wish }];
    const answer = await ok(counter.client, 'assign_seats', { locator, seats });
    expect(answer.structuredContent.status).toBe('done');
    const [first, second] = counter.record(locator).tickets.map((ticket) => ticket.coupons[0]);
    expect([first?.seat, first?.coach]).toEqual([coupons[0]?.seat, coupons[0]?.coach]);
    expect(second?.seat).toBe(aim?.seat);
  });
});

test('masks the document number in a special service', async () => {
  counter = await openCounter('airline');
  const [offer] = await offersOf(counter);
  const [one] = people(1);
  const locator = await sold(counter, offer, [one]);
  const answer = await ok(counter.client, 'read_booking', { locator, detail: 'full' });
  const [service] = answer.structuredContent.booking.special_services;
  expect(service).toMatch(/^FOID form of identification, confirmed: PP ••• /);
  const { number } = one.document;
  expect(answer.content[0]?.text).not.toContain(number);
  expect(JSON.stringify(answer.structuredContent)).not.toContain(number);
});
