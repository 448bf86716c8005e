/** A booking that was made or paid here, while the airline's readings do not show it yet, or fail. */
import { describe, expect, test } from 'vitest';
import { ClerkError } from '../../src/core/errors.ts';
import { asRead, held, ticketed } from '../support/bookings.ts';
import { CONTACT, passenger } from '../support/people.ts';
import { openDesk, shelved } from './support/desk.ts';

const BOOKED = { locator: 'ABC123' };
const PAY = { ...BOOKED, payment: { type: 'invoice' } };
const items = ticketed().tickets.map(({ number }) => ({ ticketNumber: number, conjunctive: [], links: [] }));
const receipt = async () => ({ locator: 'ABC123', references: [], items });

describe('a booking that was made here and the airline does not know yet', () => {
  const ARGS = { offer_ids: ['o000001'], contact: CONTACT, passengers: [passenger('P1000001')] };
  const unknown = () => {
    throw new ClerkError('E_NOT_FOUND', 'The airline knows no booking with this locator.', {
      next: 'Check the locator.',
      noSuchBooking: true,
    });
  };

  const deskAfter = async () => {
    const desk = await openDesk({
      offers: [shelved()],
      airline: { create: async ({ options, travelers }) => held({ options, travelers }), read: unknown },
    });
    await desk.say('create_booking', ARGS);
    return desk;
  };

  test('is said to have been made, and when the airline is to be asked', async () => {
    const { structured } = await (await deskAfter()).result('read_booking', BOOKED);
    expect(structured.error).toMatchObject({
      code: 'E_NOT_FOUND',
      message:
        'Booking ABC123 was made here on Sun 29 Nov 2026 05:00 (UTC); the airline does not show it yet. Nothing was changed.',
      next: 'Call read_booking in a few minutes. If it says the same after 06:00 (UTC), tell the person to ask the airline.',
    });
  });

  test('is said after an hour to be unknown to the airline', async () => {
    const desk = await deskAfter();
    desk.moveTo('2026-11-29T06:01:00Z');
    const { structured } = await desk.result('read_booking', BOOKED);
    expect(structured.error).toMatchObject({
      message:
        'Booking ABC123 was made here on Sun 29 Nov 2026 05:00 (UTC); the airline knows no booking with this locator. Nothing was changed.',
      next: 'Tell the person to ask the airline.',
    });
  });
});

describe('a booking that was paid here', () => {
  test('is listed as paid, though it cannot be read afterwards', async () => {
    let isDown = false;
    const read = async () => {
      if (isDown) throw new ClerkError('E_AIRLINE_DOWN', 'The airline is down.', { next: 'Wait.' });
      return asRead(held());
    };
    const pay = async () => {
      isDown = true;
      return receipt();
    };
    const desk = await openDesk({ bookings: [held()], airline: { pay, read } });
    await desk.say('pay_booking', PAY);

    const { state, paid, payBy, sums } = await desk.ledger('ABC123');
    expect([state, paid, payBy, sums.paid]).toEqual([
      'ticketed',
      '690.00',
      undefined,
      { minor: 69000, currency: 'SAR' },
    ]);
  });

  test('is said to be paid by the call that paid it, while its readings show it as held', async () => {
    const desk = await openDesk({ bookings: [held()], airline: { pay: receipt, read: async () => asRead(held()) } });
    const { view } = await desk.say('pay_booking', PAY);
    expect([view.status, view.booking.state]).toEqual(['done', 'ticketed']);
  });

  test('is known as paid in every list while its readings show it as held', async () => {
    const desk = await openDesk({ bookings: [held()], airline: { pay: receipt, read: async () => asRead(held()) } });
    await desk.say('pay_booking', PAY);
    const { view } = await desk.read('read_booking', BOOKED);
    const { view: list } = await desk.read('list_bookings', {});
    expect([view.booking.state, list.bookings[0].state]).toEqual(['ticketed', 'ticketed']);
    expect((await desk.ledger('ABC123')).sums.paid).toEqual({ minor: 69000, currency: 'SAR' });
  });
});
