import { describe, expect, test } from 'vitest';
import { linesOf } from '../../src/approvals/terms.ts';
import { cancelBooking } from '../../src/tools/cancel-booking.ts';
import { fiveAdults, held, NOW, partlyCancelled, sar, ticketed } from '../support/bookings.ts';
import { carryOut, openDesk, parsed, refusedWith } from './support/tool-context.ts';

const ARGS = { locator: 'ABC123' };
const preview = (booking: ReturnType<typeof held>, now = NOW) =>
  cancelBooking.preview(parsed(cancelBooking, ARGS), openDesk({ bookings: [booking], now }).ctx);

describe('cancel_booking', () => {
  test('asks a person before it releases an unpaid hold, and moves no money', async () => {
    const desk = openDesk({
      bookings: [held()],
      airline: { cancel: async () => ({ locator: 'ABC123', status: 'CANCELLED' }) },
    });
    const { terms, output, text } = await carryOut(cancelBooking, ARGS, desk);
    expect(terms).toMatchObject({
      act: 'Release hold ABC123',
      ask: true,
      subject: { kind: 'cancel_booking' },
      send: { cancellation: { locator: 'ABC123' } },
    });
    expect(terms.money).toBeUndefined();
    expect(linesOf(terms.sections)[0]).toBe(
      'Release the unpaid hold ABC123. No money moves; the seats and the price are given up.',
    );
    expect(output).toEqual({ cancelled_refs: ['1', '2'] });
    expect(text).toBe('Hold ABC123 is released. Nothing was paid, nothing is refunded.');
    expect(desk.asked.map(([method]) => method)).toEqual(['read', 'cancel']);
  });

  test('cancels every segment of a paid booking through the documented request', async () => {
    const desk = openDesk({ bookings: [fiveAdults()], airline: { modify: async () => fiveAdults() } });
    const { terms, output } = await carryOut(cancelBooking, ARGS, desk);
    expect(terms).toMatchObject({
      act: 'Cancel every train of ABC123, refund about SAR 1,725.00',
      money: { direction: 'refund', amount: sar(172500) },
      subject: { kind: 'cancel_segments', segmentRefs: ['1', '2'] },
    });
    expect(output.cancelled_refs).toEqual(['1', '2']);
    expect(desk.asked.map(([method]) => method)).toEqual(['read', 'modify']);
  });

  test('cancels only the active segments of a partly cancelled booking', async () => {
    expect((await preview(partlyCancelled())).subject).toMatchObject({ segmentRefs: ['1'] });
  });

  test('refuses to release a hold whose payment status is unknown', async () => {
    const booking = held();
    const pricing = {
      refunds: [],
      perType: [],
      fares: [],
      ...(booking.pricing?.total && { total: booking.pricing.total }),
    };
    const paying = (status?: string) => ({ direction: 'PAYMENT', amount: sar(69000), ...(status && { status }) });
    const told = [
      held({ pricing, orders: [] }),
      held({ orders: [paying('CONFIRMED')] }),
      held({ orders: [paying('PENDING'), paying()] }),
    ];
    const lapsed = Date.parse('2026-11-29T06:00:00Z');
    for (const asked of [...told.map((unclear) => preview(unclear)), preview(held({ orders: [paying()] }), lapsed)]) {
      const error = await refusedWith(asked, 'E_NOT_PERMITTED');
      expect(error.message).toBe('Booking ABC123: the airline does not say whether it is paid. Nothing was sent.');
      expect(error.next).toMatch(/^A person must ask the airline/);
    }
    expect((await preview(held({ pricing, orders: [paying('PENDING')] }))).act).toBe('Release hold ABC123');
    expect((await preview(held({ orders: [] }))).act).toBe('Release hold ABC123');
  });

  test('refuses a booking that is cancelled, expired or departed', async () => {
    await refusedWith(preview(held({ cancelled: true })), 'E_ALREADY_DONE');
    await refusedWith(preview(ticketed({ cancelled: true })), 'E_ALREADY_DONE');
    await refusedWith(preview(held(), Date.parse('2026-11-29T06:00:00Z')), 'E_ALREADY_DONE');
    await refusedWith(preview(ticketed(), Date.parse('2026-12-02T00:00:00Z')), 'E_TOO_LATE');
  });
});
