import { describe, expect, test } from 'vitest';
import { bookingState } from '../../../src/domain/booking/booking-state.ts';
import { expectCancelledSegments } from '../../../src/domain/booking/expected-change.ts';
import { afterOwnRefunds, withOwed } from '../../../src/domain/booking/owed-segments.ts';
import { type Booking, coupons, NOW, option, sar, segment, ticketed } from '../../support/bookings.ts';

const REFUND = { action: 'REFUND', direction: 'REFUND', status: 'PENDING', amount: sar(34500) };

/** A booking whose segments have these statuses and coupons, with a number of refund orders. */
function booking(statuses: readonly string[], statusCodes: string, refunds = 0, over: Partial<Booking> = {}): Booking {
  const options = statuses.map((statusCode, i) => option(segment(String(i + 1), { statusCode })));
  const paid = ticketed({ options });
  return {
    ...paid,
    tickets: coupons(paid, (_coupon, _ticket, i) => ({ statusCode: statusCodes[i] ?? 'O' })),
    orders: [...paid.orders, ...Array.from({ length: refunds }, () => REFUND)],
    ...over,
  };
}

const owed = (read: Booking) => read.options.flatMap(({ segments }) => segments).map((one) => one.owed);

describe('a segment that the airline cancelled', () => {
  test.each<[string, Booking, ReturnType<typeof owed>]>([
    ['is owed while its coupon is open', booking(['31', '30'], 'OO'), [true, undefined]],
    ['is not owed once its coupon is refunded', booking(['16', '30'], 'RO', 1), [undefined, undefined]],
    ['is not owed in a cancelled booking', booking(['31'], 'O', 0, { cancelled: true }), [undefined]],
    ['may be refunded if a refund is recorded', booking(['16', '30'], 'OO', 1), ['unclear', undefined]],
    ['is owed if another segment explains the refund', booking(['16', '31'], 'RO', 1), [undefined, true]],
    ['may be refunded if there is a second refund', booking(['16', '16'], 'RO', 2), [undefined, 'unclear']],
    ['may be refunded if either of two is', booking(['31', '16'], 'OO', 1), ['unclear', 'unclear']],
  ])('%s', (_what, read, expected) => expect(owed(withOwed(read))).toEqual(expected));

  test('says in the state that a person must ask whether it was refunded', () => {
    const basis = (read: Booking) => bookingState(withOwed(read), NOW).basis;
    const doubt = '; the airline may have refunded segment 1: a person must ask it';
    expect(basis(booking(['16'], 'O', 1))).toBe(`every segment is cancelled${doubt}`);
    expect(basis(booking(['16', '30'], 'OO', 1))).toBe(`1 of 2 segments cancelled${doubt}`);
  });
});

describe('after own cancellations', () => {
  const before = booking(['31', '30'], 'OO');
  const own = expectCancelledSegments(withOwed(before), ['1']);

  test('does not owe what one of them refunded, whatever coupons and orders show', () => {
    expect(owed(afterOwnRefunds(withOwed(booking(['16', '30'], 'OO')), [own]))).toEqual([undefined, undefined]);
  });

  test('owes what none of them named', () => {
    const other = expectCancelledSegments(before, ['2']);
    const release = { kind: 'cancel_booking' } as const;
    expect(owed(afterOwnRefunds(withOwed(before), [other, release]))).toEqual([true, undefined]);
  });

  test('leaves it to a person where pointers may have moved to other trains', () => {
    expect(owed(afterOwnRefunds(withOwed(booking(['31'], 'O')), [own]))).toEqual(['unclear']);
  });
});
