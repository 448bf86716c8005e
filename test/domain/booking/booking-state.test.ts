import { describe, expect, test } from 'vitest';
import { bookingState } from '../../../src/domain/booking/booking-state.ts';
import { bookingDeadlines, nextDeadline } from '../../../src/domain/booking/deadlines.ts';
import { isPaid, paidByOrders } from '../../../src/domain/booking/payment-state.ts';
import { BACK, held, NOW, OUT, option, partlyCancelled, sar, ticketed } from '../../support/bookings.ts';

const HOUR = 3_600_000;
const cancelledOption = (of: typeof OUT) => option(...of.segments.map((each) => ({ ...each, statusCode: '16' })));
const state = (booking: ReturnType<typeof held>, at = NOW) => bookingState(booking, at).state;

describe('state of a booking', () => {
  test('reports a booking as held until its time limit and as expired from then on', () => {
    expect(state(held())).toBe('held');
    expect(state(held(), Date.parse('2026-11-29T05:25:00Z') - 1)).toBe('held');
    expect(state(held(), Date.parse('2026-11-29T05:25:00Z'))).toBe('expired');
  });

  test('ignores a ticket row with only a time limit', () => {
    const row = {
      number: '',
      travelerRefs: [],
      segmentRefs: [],
      coupons: [],
      links: [],
      timeLimit: '2026-11-29T05:10:00Z',
    };
    const booking = held({ tickets: [row] });
    expect(isPaid(booking)).toBe(false);
    expect(bookingDeadlines(booking).payBy).toBe('2026-11-29T05:10:00Z');
  });

  test('reports a booking with tickets or a PAID order as ticketed at any time', () => {
    expect(state(ticketed(), NOW + HOUR)).toBe('ticketed');
    expect(state(ticketed({ tickets: [] }))).toBe('ticketed');
    expect(state(ticketed({ orders: [] }))).toBe('ticketed');
  });

  test('names what the airline cancelled and owes, and does not call such a booking cancelled', () => {
    const owed = option(...OUT.segments.map((each) => ({ ...each, statusCode: 'UN', owed: true as const })));
    const { state: is, basis } = bookingState(ticketed({ options: [owed, BACK] }), NOW);
    expect([is, basis]).toEqual([
      'ticketed',
      `the airline cancelled segment ${owed.segments[0]?.ref} and has not refunded it`,
    ]);
    const given = ticketed({ options: [cancelledOption(OUT)] });
    expect(bookingState(given, NOW).state).toBe('cancelled');
  });

  test('does not count a paid refund order as a payment', () => {
    const booking = held({ orders: [{ direction: 'REFUND', status: 'PAID', amount: sar(1) }] });
    expect(isPaid(booking)).toBe(false);
    expect(paidByOrders(booking)).toBeUndefined();
  });

  test('reports one cancelled segment as partly cancelled, and all as cancelled', () => {
    expect(state(partlyCancelled())).toBe('partly_cancelled');
    expect(state(held({ options: [cancelledOption(OUT), cancelledOption(BACK)] }))).toBe('cancelled');
  });

  test('does not call a booking cancelled for a segment that was not travelled', () => {
    const missed = option(...BACK.segments.map((each) => ({ ...each, statusCode: '83' })));
    const { state: is, basis } = bookingState(ticketed({ options: [cancelledOption(OUT), missed] }), NOW);
    expect([is, basis]).toEqual(['partly_cancelled', '1 of 2 segments cancelled']);
  });

  test('reports a removed passenger only through the refund', () => {
    const pricing = { refunds: [{ amount: sar(100) }], fares: [], perType: [] };
    expect(state(ticketed({ pricing }))).toBe('partly_cancelled');
  });

  test('reports CANCELLED by the airline first, and a booking with a refund and no segment as cancelled', () => {
    expect(state(held({ cancelled: true }))).toBe('cancelled');
    const gone = held({ options: [], travelers: [], orders: [{ direction: 'REFUND', status: 'PENDING' }] });
    expect(state({ ...gone, pricing: { refunds: [], fares: [], perType: [] } })).toBe('cancelled');
  });

  test('reports a state despite an unknown segment code', () => {
    const odd = held({ options: [option(...OUT.segments.map((each) => ({ ...each, statusCode: 'QQ' })))] });
    expect(state(odd)).toBe('held');
  });

  test('reports a booking without any evidence as unknown', () => {
    const { pricing: _, ...bare } = held();
    expect(bookingState(bare, NOW)).toEqual({
      state: 'unknown',
      basis: 'no ticket, paid order or time limit is recorded',
    });
    expect(state({ ...bare, orders: [{ status: 'PENDING' }] })).toBe('held');
  });
});

describe('deadlines', () => {
  test('uses the earliest time limit of several fares, and names the next one', () => {
    const deadlines = bookingDeadlines(held());
    expect(deadlines).toEqual({
      payBy: '2026-11-29T05:25:00Z',
      namesUntil: '2026-11-30T00:00:00Z',
      cancelUntil: '2026-12-01T02:00:00Z',
    });
    expect(nextDeadline(deadlines, 'held', NOW)).toEqual({
      what: 'pay_by',
      at: '2026-11-29T05:25:00Z',
      inMinutes: 25,
    });
    expect(nextDeadline(deadlines, 'cancelled', NOW)).toBeUndefined();
  });

  test('shows no time limit for payment of a paid booking', () => {
    expect(bookingDeadlines(ticketed()).payBy).toBeUndefined();
  });
});
