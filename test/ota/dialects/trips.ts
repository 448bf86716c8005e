/**
 * Trips besides the whole one: a group that is named later, a passenger who stays at home, and a booking that is
 * cancelled entirely, after which the airline sends almost nothing of it.
 */
import { expect } from 'vitest';
import type { TestClient } from '../../e2e/clients.ts';
import { ok, sellable } from '../../e2e/trip.ts';
import { CONTACT, passengerNamed } from '../../support/people.ts';

/** Two adults and an infant; one adult with the infant stays at home, then everything is cancelled. */
export async function cancelledTrip(client: TestClient): Promise<void> {
  const { from, to, out } = await sellable(client);
  const found = (
    await ok(client, 'search_fares', {
      legs: [{ from, to, date: out }],
      passengers: { adults: 2, infants: 1 },
    })
  ).structuredContent;
  const made = (
    await ok(client, 'create_booking', {
      offer_ids: [found.offers.find((one: { notes?: string[] }) => one.notes === undefined)?.offer_id],
      contact: CONTACT,
      passengers: [
        passengerNamed('Noor', 'Qadir', 'P200001'),
        passengerNamed('Sami', 'Qadir', 'P200002', { gender: 'Male' }),
        passengerNamed('Lina', 'Qadir', 'P200003', { type: 'INF', birth_date: `${Number(out.slice(0, 4)) - 1}-06-01` }),
      ],
    })
  ).structuredContent;
  const { locator, passengers } = made.booking;
  expect(passengers).toHaveLength(3);
  const infant = passengers.find((one: { type: string }) => one.type === 'INF');
  expect(infant.with_adult_ref).toBe('1');
  await ok(client, 'pay_booking', { locator, payment: { type: 'cash' } });
  const left = (await ok(client, 'cancel_passenger', { locator, passenger_refs: [infant.with_adult_ref, infant.ref] }))
    .structuredContent;
  expect(left.status).toBe('done');
  const one = (await ok(client, 'read_booking', { locator })).structuredContent.booking;
  expect(one.passengers.map((each: { name: string }) => each.name)).toEqual(['Sami Qadir']);
  const cancelled = (await ok(client, 'cancel_segment', { locator, all: true })).structuredContent;
  expect(cancelled.status).toBe('done');
  expect(cancelled.refund.stated ?? cancelled.refund.estimate).toBeDefined();
  const end = (await ok(client, 'read_booking', { locator })).structuredContent.booking;
  expect(end.state).toBe('cancelled');
}

/** Three seats without names; two are named before they are paid for. */
export async function groupTrip(client: TestClient): Promise<void> {
  const { from, to, out } = await sellable(client);
  const found = await ok(client, 'search_fares', { legs: [{ from, to, date: out }], passengers: { adults: 3 } });
  const made = (
    await ok(client, 'create_booking', {
      offer_ids: [found.structuredContent.offers[0].offer_id],
      contact: CONTACT,
      passenger_counts: { adults: 3 },
      group_name: 'CHOIR',
    })
  ).structuredContent;
  const { locator } = made.booking;
  const before = (await ok(client, 'read_booking', { locator })).structuredContent.booking;
  expect(before.passengers.filter((one: { unnamed?: boolean }) => one.unnamed)).toHaveLength(3);
  const { birth_date, document, gender } = passengerNamed('x', 'y', 'P300001');
  const changes = before.passengers.slice(0, 2).map(({ ref }: { ref: string }, i: number) => ({
    ...{ passenger_ref: ref, given_name: ['Aya', 'Huda'][i], surname: 'Karim', gender, birth_date },
    document: { ...document, number: `P30000${i + 1}` },
  }));
  await ok(client, 'change_names', { locator, changes });
  const paid = (await ok(client, 'pay_booking', { locator, payment: { type: 'external' } })).structuredContent;
  expect(paid.tickets).toHaveLength(3);
  const end = (await ok(client, 'read_booking', { locator })).structuredContent.booking;
  expect(end.passengers.filter((one: { unnamed?: boolean }) => one.unnamed)).toHaveLength(1);
  expect(end.state).toBe('ticketed');
}
