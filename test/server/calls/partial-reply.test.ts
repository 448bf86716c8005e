/**
 * An answer with only a part of the booking is not shown; the booking is read first (docs/wire/notes.md, replies).
 */

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Airline } from '../../../src/domain/airline.ts';
import type { Booking } from '../../../src/domain/booking/booking.ts';
import type { BookingView } from '../../../src/tools/views/booking-schema.ts';
import { CONTACT, passenger } from '../../support/people.ts';
import { refundableTrip } from './bookings.ts';
import { accept, type Desk, failures, openDesk } from './desk.ts';

let desk: Desk;

beforeEach(async () => {
  desk = await openDesk();
});

afterEach(async () => {
  await desk.close();
  expect(failures).toEqual([]);
});

const viewOf = (structured: Readonly<Record<string, unknown>>) => structured.booking as BookingView;

/** Replaces some answers of the airline. */
function answering(over: (airline: Airline) => Partial<Airline>): void {
  const { airline } = desk.parts;
  Object.assign(desk.parts, { airline: { ...airline, ...over(airline) } });
}

const noReading = () => Promise.reject(new Error('no reading now'));

async function hold() {
  const { offer_id } = await refundableTrip(desk, 1);
  const contact = { ...CONTACT, phone: { country_code: '966', number: '551234567' } };
  return await desk.result('create_booking', {
    offer_ids: [offer_id],
    contact,
    passengers: [passenger('P7000009', {}, desk.sandbox.now())],
  });
}

describe('an answer with one of two segments and its price', () => {
  const firstOnly = (made: Booking): Booking => {
    const total = made.pricing?.total;
    const half = total && { ...total, total: { ...total.total, minor: Math.floor(total.total.minor / 2) } };
    return {
      ...made,
      options: made.options.slice(0, 1),
      ...(made.pricing && half && { pricing: { ...made.pricing, total: half } }),
    };
  };
  const part = (airline: Airline): Partial<Airline> => ({
    create: async (booking, dispatch) => firstOnly(await airline.create(booking, dispatch)),
  });

  test('reads a hold after a partial answer, and reports no change of price', async () => {
    answering(part);
    const { structured, text } = await hold();
    const view = viewOf(structured);
    const read = await desk.parts.airline.read(view.locator);
    expect(text).not.toContain('THE PRICE CHANGED');
    expect(structured).not.toHaveProperty('price_changed');
    expect(view.segments).toHaveLength(2);
    expect(Math.round(Number(view.price?.total) * 100)).toBe(read.pricing?.total?.total.minor);
  });

  test('shows no total after a partial answer if the hold cannot be read', async () => {
    answering((airline) => ({ ...part(airline), read: noReading }));
    const { structured, text } = await hold();
    expect(structured).toMatchObject({ status: 'done' });
    expect(viewOf(structured)).not.toHaveProperty('price');
    expect(structured).not.toHaveProperty('price_changed');
    expect(text).not.toContain('THE PRICE CHANGED');
  });
});

describe('the answer to a change of details, in the rail dialect without price and orders', () => {
  const remembered = async (locator: string) => {
    const { structured } = await desk.result('list_bookings', { query: locator });
    return (structured.bookings as readonly Readonly<Record<string, unknown>>[])[0];
  };
  const changes = [
    ['update_contact', { email: 'noor@example.com' }],
    ['update_passenger', { changes: [{ passenger_ref: '1', email: 'noor@example.com' }] }],
    ['change_names', { changes: [{ passenger_ref: '1', surname: 'Hadad' }] }],
  ] as const;

  /** Changing names of an unpaid hold needs no question. */
  const change = (tool: string, args: object) =>
    tool === 'change_names' ? desk.result(tool, args) : desk.say(tool, args, accept);

  test.each(changes)('keeps the total and time limit in the ledger by a reading after %s', async (tool, args) => {
    const { locator } = viewOf((await hold()).structured);
    const before = await remembered(locator);
    expect(before).toMatchObject({ total: expect.any(String) });
    const { structured, text } = await change(tool, { locator, ...args });
    expect(structured, text).toMatchObject({ status: 'done', booking: { total: before?.total, state: 'held' } });
    expect(await remembered(locator)).toMatchObject({ total: before?.total, next_deadline: before?.next_deadline });
  });

  test.each(changes)('leaves the ledger unchanged after %s if the booking cannot be read', async (tool, args) => {
    const { locator } = viewOf((await hold()).structured);
    const before = await remembered(locator);
    answering((airline) => ({
      modify: async (confirmed) => {
        const answer = await airline.modify(confirmed);
        answering(() => ({ read: noReading }));
        return answer;
      },
    }));
    const { structured, text } = await change(tool, { locator, ...args });
    expect(structured, text).toMatchObject({ status: 'done', booking: { locator } });
    // The reading before the change counts as seeing it.
    expect({ ...(await remembered(locator)), seen_at: '' }).toEqual({ ...before, seen_at: '' });
  });
});
