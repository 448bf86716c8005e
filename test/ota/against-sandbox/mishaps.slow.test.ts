/** Bookings that the airline disturbed, through the whole product: what a reading shows, and what can still be done. */
import { afterAll, describe, expect, test } from 'vitest';
import { ok } from '../../e2e/trip.ts';
import { permissionsOf } from '../../support/permissions.ts';
import type { MishapKind } from '../../support/sandbox/mishaps.ts';
import { cents, DIALECTS, held, type Json, moved, offersOf, openCounter, people, readBack, sold } from './counter.ts';

const COUNTERS = {
  // Rebooking is an assumed operation in rail.
  rail: await openCounter('rail', { env: { FARECLERK_ASSUMED_OPERATIONS: 'true' } }),
  airline: await openCounter('airline'),
} as const;
afterAll(() => Promise.all(Object.values(COUNTERS).map((counter) => counter.close())));

const PAID: readonly MishapKind[] = [
  ...(['delay', 'retime', 'renumber', 'cancel', 'equipment', 'class-lost'] as const),
  ...(['coupon-closed', 'no-show', 'passenger-gone', 'deadline'] as const),
];

/** What the mishap is seen by, in the booking as the tools show it. */
const SEEN: Readonly<Record<string, (booking: Json) => unknown>> = {
  delay: ({ segments }) => [segments[0].departs, segments[0].status],
  retime: ({ segments }) => [segments[0].departs, segments[0].status_code],
  renumber: ({ segments }) => [segments[0].flight, segments[0].status_code],
  cancel: ({ segments, state_basis }) => [segments[0].status, state_basis],
  equipment: ({ passengers }) => JSON.stringify(passengers.map(({ tickets }: Json) => tickets)),
  'class-lost': (booking) => booking.segments[0].class ?? booking.class,
  'coupon-closed': ({ passengers }) => JSON.stringify(passengers.map(({ tickets }: Json) => tickets)),
  'no-show': ({ segments }) => segments[0].status_code,
  'passenger-gone': ({ passengers }) => passengers.length,
  deadline: ({ deadlines }) => JSON.stringify(deadlines),
};

describe.each(DIALECTS)('in the %s dialect', (dialect) => {
  const counter = COUNTERS[dialect];
  const classes = dialect === 'rail' ? ['C'] : ['D'];
  const paid = async (count = 2, day = 20) => {
    const [offer] = await offersOf(counter, { adults: count, classes, day });
    return sold(counter, offer, people(count));
  };

  test.each(PAID)('reads a booking after the mishap: %s', async (kind) => {
    const locator = await paid();
    const before = await readBack(counter, locator);
    counter.sandbox.disturb({ kind, locator });
    const after = await readBack(counter, locator);
    // The airline dialect shows deadlines as words only.
    if (kind !== 'deadline' || dialect === 'rail') expect(SEEN[kind]?.(after)).not.toEqual(SEEN[kind]?.(before));
    expect(after.locator).toBe(locator);
  });

  test('refunds a cancelled train in whole, and says that the airline has not refunded it yet', async () => {
    const locator = await paid(2, 22);
    const [price] = moved(counter, 'paid', locator);
    counter.sandbox.disturb({ kind: 'cancel', locator });
    const booking = await readBack(counter, locator);
    expect(booking).toMatchObject({ state: 'ticketed', segments: [{ status: 'cancelled' }] });
    expect(booking.state_basis).toBe('the airline cancelled segment 1 and has not refunded it');
    expect(permissionsOf(booking).cancel_booking).toEqual({ ok: true });
    const answer = (await ok(counter.client, 'cancel_booking', { locator })).structuredContent;
    expect(answer).toMatchObject({ status: 'done', cancelled_refs: ['1'] });
    expect(moved(counter, 'refunded', locator)).toEqual([price]);
    expect(cents(answer.refund.stated.back)).toBe(price);
    expect((await readBack(counter, locator)).state).toBe('cancelled');
  });

  test.each(['16', '31', 'UN', 'HX', 'XX'])('can act on a train that the airline cancelled with %s', async (status) => {
    const locator = await paid(1, 24);
    counter.sandbox.disturb({ kind: 'cancel', locator, status });
    const answer = await ok(counter.client, 'cancel_segment', { locator, all: true });
    expect(answer.structuredContent.status).toBe('done');
    expect(moved(counter, 'refunded', locator)).toHaveLength(1);
  });

  test('does not take a cancelled train for its own cancellation that the airline never got', async () => {
    const locator = await paid(1, 26);
    counter.sandbox.disturb({ kind: 'cancel', locator });
    counter.sandbox.order({ message: 'OTA_AirBookModifyRQ', kind: 'lose-before' });
    const { structuredContent } = await counter.client.call('cancel_booking', { locator });
    expect(structuredContent.status ?? structuredContent.error.effect).not.toBe('done');
    expect(moved(counter, 'refunded', locator)).toEqual([]);
    expect((await readBack(counter, locator)).state).toBe('ticketed');
  });

  test('cancels a booking with another time and another number', async () => {
    const locator = await paid(1, 28);
    counter.sandbox.disturb({ kind: 'retime', locator, minutes: 200 });
    counter.sandbox.disturb({ kind: 'renumber', locator });
    const answer = await ok(counter.client, 'cancel_booking', { locator });
    expect(answer.structuredContent.status).toBe('done');
    expect(moved(counter, 'refunded', locator)).toHaveLength(1);
  });

  test('rebooks a cancelled train onto another one, for nothing', async () => {
    const [offer] = await offersOf(counter, { classes, day: 30 });
    const locator = await sold(counter, offer, people(1));
    counter.sandbox.disturb({ kind: 'cancel', locator });
    const [other] = await offersOf(counter, { classes, day: 30 });
    expect(other.legs[0].segments[0].flight).not.toBe(offer.legs[0].segments[0].flight);
    const args = { locator, segment_ref: '1', offer_id: other.offer_id };
    const answer = await ok(counter.client, 'rebook_segment', args);
    expect(answer.structuredContent.status).toBe('done');
    const after = await readBack(counter, locator);
    expect(after.segments).toMatchObject([{ flight: other.legs[0].segments[0].flight }]);
    expect(after.segments[0]?.status).toBeUndefined();
    expect(moved(counter, 'paid', locator)).toHaveLength(1);
  });

  test('refuses to pay for a cancelled train', async () => {
    const [offer] = await offersOf(counter, { classes, day: 32 });
    const { locator } = (await held(counter, offer, people(1))).booking;
    counter.sandbox.disturb({ kind: 'cancel', locator });
    const args = { locator, payment: { type: 'invoice' } };
    const { structuredContent } = await counter.client.call('pay_booking', args);
    expect(structuredContent.error).toMatchObject({ effect: 'none' });
    expect(moved(counter, 'paid', locator)).toEqual([]);
  });
});
