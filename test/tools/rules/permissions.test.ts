import { describe, expect, test } from 'vitest';
import type { Booking } from '../../../src/domain/booking/booking.ts';
import { readBooking } from '../../../src/tools/read-booking.ts';
import {
  whyNotCancel,
  whyNotChangeNames,
  whyNotRebook,
  whyNotSeat,
  whyNotSeats,
  whyNotUpdate,
} from '../../../src/tools/rules/permissions.ts';
import { BACK, held, NOW, OUT, option, partlyCancelled, segment, ticketed } from '../../support/bookings.ts';
import { traveler } from '../../support/people.ts';
import { openDesk, parsed } from '../support/tool-context.ts';

/** Operations that the airline offers on the first and the second flight. */
function offering(first: readonly string[] | undefined, second = first): Booking {
  const permitting = (types: readonly string[] | undefined) => ({
    ...(types && { permitted: types.map((modificationType) => ({ modificationType })) }),
  });
  return ticketed({
    travelers: [traveler('1', 'Amal', 'Haddad'), traveler('2', 'Noor', 'Haddad')],
    options: [
      option(...OUT.segments.map((one) => ({ ...one, ...permitting(first) }))),
      option(...BACK.segments.map((one) => ({ ...one, ...permitting(second) }))),
    ],
  });
}

async function allowed(booking: Booking, assumedOperations = true) {
  const desk = openDesk({ bookings: [booking], settings: { assumedOperations } });
  const args = parsed(readBooking, { locator: 'ABC123' });
  const { booking: view } = readBooking.output().parse(await readBooking.run(args, desk.ctx));
  return view.allowed;
}

describe('what the airline permits on a segment', () => {
  const names = 'the airline does not permit a change of names on segment 1';
  const cancel = 'the airline does not permit cancelling segment 1';
  const rebook = 'the airline does not permit another flight for segment 1';

  test.each<[readonly string[] | undefined, string | undefined, string | undefined, string | undefined]>([
    [undefined, undefined, undefined, undefined],
    [['3', '10', '20'], undefined, undefined, undefined],
    [['3', '10', '30'], undefined, undefined, undefined],
    [['3'], undefined, cancel, rebook],
    [['10'], names, undefined, rebook],
    [['30'], names, cancel, undefined],
    [['2', '5', '7', '9', '40'], names, cancel, rebook],
    [[], names, cancel, rebook],
  ])('allows what the airline permits on a segment: %j', async (offered, why3, why10, why20) => {
    const told = (why: string | undefined) => (why === undefined ? { ok: true } : { ok: false, why });
    expect(await allowed(offering(offered))).toMatchObject({
      change_names: told(why3),
      cancel_segment: told(why10),
      rebook_segment: told(why20),
      // The list of permitted changes does not cover these.
      cancel_passenger: { ok: true },
      seat_map: { ok: true },
      assign_seats: { ok: true },
    });
  });

  test('allows changes per segment, but a change of names only if every segment permits it', async () => {
    expect(await allowed(offering(['3'], ['10', '30']))).toMatchObject({
      change_names: { ok: false, why: 'the airline does not permit a change of names on segment 2' },
      cancel_segment: { ok: true },
      rebook_segment: { ok: true },
    });
    const [first, second] = offering(['3'], ['10', '30']).options;
    const booking = offering(['3'], ['10', '30']);
    expect(whyNotRebook(booking, NOW, first?.segments[0])?.why).toBe(rebook);
    expect(whyNotRebook(booking, NOW, second?.segments[0])).toBeUndefined();
    expect(whyNotCancel(booking, NOW, first ? [first] : [])?.why).toBe(cancel);
  });

  test('says what to do instead of rebooking where its tool is not offered', async () => {
    expect(await allowed(ticketed(), false)).toMatchObject({
      rebook_segment: { ok: false, why: 'not offered; hold and pay the new one, then cancel the old one' },
    });
  });
});

describe('seats', () => {
  test.each<[string, Booking, number, string | undefined]>([
    ['of a paid booking', ticketed(), NOW, undefined],
    ['of a hold', held(), NOW, 'E_NOT_PAID'],
    ['of a cancelled booking', ticketed({ cancelled: true }), NOW, 'E_NOT_PERMITTED'],
    ['of an expired hold', held(), Date.parse('2026-11-29T06:00:00Z'), 'E_TOO_LATE'],
    ['after their time limit', ticketed(), Date.parse('2026-11-30T00:00:00Z'), 'E_TOO_LATE'],
  ])('decides whether seats can be changed: %s', (_what, booking, now, code) =>
    expect(whyNotSeats(booking, now)?.code).toBe(code),
  );

  test('names the time limit for seats that has passed', () => {
    expect(whyNotSeats(ticketed(), Date.parse('2026-11-30T00:00:00Z'))?.why).toBe(
      'the time limit for seats passed on Mon 30 Nov 03:00 (UTC+3)',
    );
  });

  test('refuses a seat on a departed flight, with a used coupon or with an ambiguous segment ref', () => {
    const booking = ticketed();
    const [first = segment('1')] = OUT.segments;
    expect(whyNotSeat(booking, first, '1', NOW)).toBeUndefined();
    expect(whyNotSeat(booking, first, '1', Date.parse('2026-12-01T05:00:00Z'))?.why).toBe('segment 1 has departed');
    const flown = {
      ...booking,
      tickets: booking.tickets.map((ticket) => ({
        ...ticket,
        coupons: ticket.coupons.map((coupon) => ({ ...coupon, statusCode: 'F' })),
      })),
    };
    expect(whyNotSeat(flown, first, '1', NOW)?.why).toBe('the coupon of segment 1 is not open but flown');
    expect(whyNotSeat(flown, first, '2', NOW)).toBeUndefined();
    const shared = { ...booking, options: [...booking.options, option(segment('1'))] };
    expect(whyNotSeat(shared, first, '1', NOW)?.why).toContain(
      'two segments have the pointer 1, so a request cannot say which one is meant',
    );
  });
});

describe('another flight', () => {
  test.each<[string, Booking, number, string | undefined]>([
    ['of a paid booking', ticketed(), NOW, undefined],
    ['of a partly cancelled booking', partlyCancelled(), NOW, undefined],
    ['of a hold', held(), NOW, 'E_NOT_PAID'],
    ['of a cancelled booking', ticketed({ cancelled: true }), NOW, 'E_NOT_PERMITTED'],
    ['after all flights have departed', ticketed(), Date.parse('2026-12-06T00:00:00Z'), 'E_TOO_LATE'],
    ['after one of two flights has departed', ticketed(), Date.parse('2026-12-02T00:00:00Z'), undefined],
    ['after a schedule change', ticketed({ options: [option(segment('1', { statusCode: '51' }))] }), NOW, undefined],
    [
      'of a flight that the airline cancelled and owes',
      ticketed({ options: [option(segment('1', { statusCode: 'UN', owed: true }))] }),
      NOW,
      undefined,
    ],
    [
      'where none is active',
      ticketed({ options: [option(segment('1', { statusCode: '83' }))] }),
      NOW,
      'E_NOT_PERMITTED',
    ],
  ])('decides whether a flight can be changed: %s', (_what, booking, now, code) =>
    expect(whyNotRebook(booking, now)?.code).toBe(code),
  );
});

test('refuses a change of names after its time limit, whatever the airline permits', () => {
  expect(whyNotChangeNames(offering(['3']), Date.parse('2026-11-30T00:00:00Z'))?.code).toBe('E_TOO_LATE');
  expect(whyNotUpdate(ticketed(), Date.parse('2026-11-30T00:00:00Z'))).toBeUndefined();
});
