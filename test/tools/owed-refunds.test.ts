/** The refund of a train that the airline cancelled is asked for once, however slowly the airline shows it. */
import { expect, test } from 'vitest';
import type { Terms } from '../../src/approvals/terms.ts';
import { type Booking, segmentsOf } from '../../src/domain/booking/booking.ts';
import { withOwed } from '../../src/domain/booking/owed-segments.ts';
import { assignSeats } from '../../src/tools/assign-seats.ts';
import { cancelBooking } from '../../src/tools/cancel-booking.ts';
import { cancelSegment } from '../../src/tools/cancel-segment.ts';
import { readBooking } from '../../src/tools/read-booking.ts';
import { whyNotRebook } from '../../src/tools/rules/permissions.ts';
import { BACK, NOW, OUT, option, sar, ticketed } from '../support/bookings.ts';
import { openDesk, operationOf, parsed, refusedWith } from './support/tool-context.ts';

const lost = option(...OUT.segments.map((one) => ({ ...one, statusCode: '16' })));
const REFUND = { action: 'REFUND', direction: 'REFUND', status: 'PENDING', amount: sar(34500) };

/** The train out is cancelled, its coupon is open. */
function disturbed(options = [lost, BACK], refunds: Booking['orders'] = []): Booking {
  const paid = ticketed({ options });
  return withOwed({ ...paid, orders: [...paid.orders, ...refunds] });
}

const cancelOut = (desk: ReturnType<typeof openDesk>) =>
  cancelSegment.preview(parsed(cancelSegment, { locator: 'ABC123', segment_refs: ['1'] }), desk.ctx);
const cancelAll = (desk: ReturnType<typeof openDesk>) =>
  cancelBooking.preview(parsed(cancelBooking, { locator: 'ABC123' }), desk.ctx);

test('refuses a second refund after an own cancellation that the coupons do not show yet', async () => {
  const desk = openDesk({ bookings: [disturbed()] });
  const terms = await cancelOut(desk);
  expect(terms.subject).toMatchObject({ segmentRefs: ['1'], owedRefs: ['1'] });
  desk.operations.push(operationOf('cancel_segment', terms));
  expect((await refusedWith(cancelOut(desk), 'E_ALREADY_DONE')).message).toContain('Segment 1 is cancelled already.');
  const { booking } = await readBooking.run(parsed(readBooking, { locator: 'ABC123' }), desk.ctx);
  expect(booking.state_basis).toBe('1 of 2 segments cancelled');
});

test('marks in the terms a train that the airline cancelled, and no other', async () => {
  const trip = ({ sections }: Pick<Terms, 'sections'>) =>
    sections.flatMap(({ kind, lines }) => (kind === 'trip' ? lines : []));
  const gone = 'Train HHR101: MED → JED, Tue 1 Dec 08:00-10:10 (UTC+3), class Y, fare YOW; cancelled by the airline';
  const terms = await cancelAll(openDesk({ bookings: [disturbed()] }));
  expect(trip(terms)).toEqual([gone, 'Train HHR202: JED → MED, Sat 5 Dec 18:00-20:10 (UTC+3), class Y, fare YOW']);
  const named = await cancelOut(
    openDesk({ bookings: [disturbed()], airline: { placeName: (code) => `${code} City` } }),
  );
  expect(named.sections.flatMap(({ kind, named: lines = [] }) => (kind === 'trip' ? lines : []))[0]).toMatch(
    /; cancelled by the airline$/,
  );
});

test('leaves a cancelled train to a person if a recorded refund may be for it', async () => {
  const one = openDesk({ bookings: [disturbed([lost, BACK], [REFUND])] });
  const error = await refusedWith(cancelOut(one), 'E_NOT_PERMITTED');
  expect(error.message).toBe(
    'Booking ABC123: the airline cancelled segment 1, and a recorded refund may be for it. Nothing was sent.',
  );
  expect(error.next).toBe('A person must ask the airline whether it has refunded this segment.');
  const whole = openDesk({ bookings: [disturbed([lost], [REFUND])] });
  expect((await refusedWith(cancelAll(whole), 'E_NOT_PERMITTED')).message).toBe(error.message);
  const read = disturbed([lost, BACK], [REFUND]);
  expect(whyNotRebook(read, NOW, segmentsOf(read)[0])?.why).toContain('a recorded refund may be for it');
});

test('chooses no seat on a train that the airline cancelled', async () => {
  const seats = (booking: Booking) => {
    const args = { locator: 'ABC123', seats: [{ segment_ref: '1', passenger_ref: '1', seat: '1-11' }] };
    return assignSeats.preview(parsed(assignSeats, args), openDesk({ bookings: [booking] }).ctx);
  };
  const error = await refusedWith(seats(disturbed()), 'E_NOT_PERMITTED');
  expect(error.message).toContain('segment 1 is cancelled');
  expect((await refusedWith(seats(disturbed([lost])), 'E_NOT_PERMITTED')).message).toContain('no active segment');
});
