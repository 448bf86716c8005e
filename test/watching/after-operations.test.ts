/** What is reported after an operation of our own: everything that the operation did not ask for, at any time, once. */
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Booking, Coupon } from '../../src/domain/booking/booking.ts';
import { expectCancelledPassengers, expectCancelledSegments } from '../../src/domain/booking/expected-change.ts';
import { expectAssignedSeats, expectRebookedSegment } from '../../src/domain/booking/expected-details.ts';
import type { ExpectedChange, Outcome } from '../../src/journal/operation.ts';
import { openSqliteState } from '../../src/store/sqlite/state.ts';
import type { State } from '../../src/store/state.ts';
import { seeReading } from '../../src/watching/see-reading.ts';
import { newOperation } from '../store/new-operation.ts';
import { BACK, fare, fiveAdults, held, NOW, option, sar, segment, ticketed } from '../support/bookings.ts';
import { traveler } from '../support/people.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const digest = (text: string) => createHash('sha256').update(text).digest('base64url');

let state: State;
beforeEach(async () => {
  state = await openSqliteState(':memory:', { now: () => NOW });
});
afterEach(() => state.close());

/** The kinds that the reading tells. */
async function told(booking: Booking, at: number): Promise<readonly string[]> {
  const seer = { state, rules: {}, digest };
  return (await seeReading(seer, { tenant: 't', id: 'ann' }, booking, at)).found.map(({ kind }) => kind);
}

async function dispatch(subject: ExpectedChange, at: number, id = 'op'): Promise<void> {
  const own = { tenant: 't', locator: 'ABC123', subject };
  await state.operations.insert(newOperation(id, own), { now: at, owner: 'p', leaseUntil: at + MINUTE });
  await state.operations.transition(id, ['intent'], 'dispatched', { dispatchedAt: at }, { now: at, actor: 'p' });
}

const settle = (at: number, outcome: Outcome = {}, id = 'op') =>
  state.operations.transition(id, ['dispatched'], 'succeeded', { outcome }, { now: at, actor: 'p' });

async function succeed(subject: ExpectedChange, at: number, outcome: Outcome = {}, id = 'op'): Promise<void> {
  await dispatch(subject, at, id);
  await settle(at, outcome, id);
}

const PAIR = [traveler('1', 'Amal', 'Haddad'), traveler('2', 'Noor', 'Haddad')];
const couple = (over: Partial<Booking> = {}) => ticketed({ travelers: PAIR, ...over });

/** Changes the coupons of one passenger on one segment. */
function coupon(booking: Booking, who: string, ref: string, change: Partial<Coupon>): Booking {
  const tickets = booking.tickets.map((ticket) => ({
    ...ticket,
    coupons: ticket.coupons.map((one) =>
      ticket.travelerRefs.includes(who) && one.segmentRef === ref ? { ...one, ...change } : one,
    ),
  }));
  return { ...booking, tickets };
}

const seats = (first: string, second: string) =>
  coupon(coupon(couple(), '1', '1', { coach: '4', seat: first }), '2', '1', { coach: '4', seat: second });

function withRefunds(booking: Booking, ...amounts: number[]): Booking {
  const refunds = amounts.map((minor, i) => ({
    ...{ id: `r${i}`, direction: 'REFUND', status: 'PAID', amount: sar(minor) },
  }));
  return { ...booking, orders: [...booking.orders, ...refunds] };
}

/** The coupons of both passengers on one segment refunded. */
const closed = (booking: Booking, ref: string) =>
  ['1', '2'].reduce((so, who) => coupon(so, who, ref, { statusCode: 'R' }), booking);

/** The first train cancelled and refunded in its coupons. */
function withoutFirst(booking = couple()): Booking {
  const options = [option(segment('1', { statusCode: '16' })), BACK];
  return closed({ ...booking, options }, '1');
}

const RENAME: ExpectedChange = { kind: 'change_names', changes: [{ ref: '1', was: 'a', wanted: 'b' }] };

describe('after a change of names', () => {
  it.each([HOUR, 25 * HOUR])('a coupon that the airline voids is reported, read %s ms later', async (later) => {
    await told(couple(), NOW);
    await succeed(RENAME, NOW + MINUTE);
    expect(await told(couple(), NOW + MINUTE + 1)).toEqual([]);
    const void1 = coupon(couple(), '1', '1', { statusCode: 'V' });
    expect(await told(void1, NOW + MINUTE + later)).toEqual(['coupon_closed']);
    expect(await told(void1, NOW + MINUTE + later + 1)).toEqual([]);
  });

  it('a coupon that was suspended before any reading is reported', async () => {
    await told(couple(), NOW);
    await succeed(RENAME, NOW + MINUTE);
    expect(await told(coupon(couple(), '2', '2', { statusCode: 'S' }), NOW + MINUTE + 1)).toEqual(['coupon_closed']);
  });

  it('an exchanged ticket waits for the new one, and is reported if none comes', async () => {
    await told(couple(), NOW);
    await succeed(RENAME, NOW + MINUTE);
    const half = coupon(couple(), '1', '1', { statusCode: 'E' });
    expect(await told(half, NOW + 2 * MINUTE)).toEqual([]);
    expect(await told(half, NOW + 2 * HOUR)).toEqual(['coupon_closed']);
  });
});

describe('a reissue', () => {
  const [first, ...others] = seats('12A', '12B').tickets;
  const reissued = (seat: string): Booking => ({
    ...couple(),
    tickets: [
      ...(first === undefined
        ? []
        : [
            { ...first, travelerRefs: [], coupons: first.coupons.map((one) => ({ ...one, statusCode: 'E' })) },
            {
              ...first,
              number: '9999999999999',
              coupons: first.coupons.map((one) => (one.seat === undefined ? one : { ...one, seat })),
            },
          ]),
      ...others,
    ],
  });

  it('with other seats is reported', async () => {
    await told(seats('12A', '12B'), NOW);
    expect(await told(reissued('20F'), NOW + HOUR)).toEqual(['seat_changed']);
    const [finding] = await state.findings.open('t', NOW);
    expect([finding?.before, finding?.after]).toEqual([{ seat: '4/12A' }, { seat: '4/20F' }]);
  });

  it('with the same seats is none, whatever the new ticket is called', async () => {
    await told(seats('12A', '12B'), NOW);
    expect(await told(reissued('12A'), NOW + HOUR)).toEqual([]);
  });
});

describe('after seats were chosen', () => {
  const aim = (seat: string) => [{ segmentRef: '1', travelerRef: '1', seat }];
  const choose = (seat: string, at: number, id?: string) =>
    succeed(expectAssignedSeats(seats('12A', '12B'), aim(seat), digest), at, {}, id);

  it('the chosen one is none, and a seat that the airline moves then is reported at any time', async () => {
    await told(seats('12A', '12B'), NOW);
    await choose('14C', NOW + MINUTE);
    expect(await told(seats('14C', '12B'), NOW + MINUTE + 1)).toEqual([]);
    expect(await told(seats('1A', '12B'), NOW + DAY)).toEqual(['seat_changed']);
    expect(await told(seats('14C', '12B'), NOW + 30 * HOUR)).toEqual(['seat_changed']);
  });

  it('the seat of another passenger is reported alone, with the one that was chosen before it was moved', async () => {
    await told(seats('12A', '12B'), NOW);
    await choose('14C', NOW + MINUTE);
    expect(await told(seats('14C', '3D'), NOW + MINUTE + 1)).toEqual(['seat_changed']);
    const [other] = await state.findings.open('t', NOW);
    expect([other?.before, other?.after]).toEqual([{ seat: '4/12B' }, { seat: '4/3D' }]);
    await choose('15C', NOW + HOUR, 'again');
    expect(await told(seats('20F', '3D'), NOW + HOUR + 1)).toEqual(['seat_changed']);
    const [moved] = await state.findings.open('t', NOW);
    expect([moved?.before, moved?.after]).toEqual([{ seat: '4/15C' }, { seat: '4/20F' }]);
  });

  it('a reading that still shows the old seat waits, and is reported once it must have shown the new one', async () => {
    await told(seats('12A', '12B'), NOW);
    await choose('14C', NOW + MINUTE);
    expect(await told(seats('12A', '12B'), NOW + 2 * MINUTE)).toEqual([]);
    expect(await told(seats('12A', '12B'), NOW + DAY)).toEqual(['seat_changed']);
    expect(await told(seats('12A', '12B'), NOW + 30 * HOUR)).toEqual([]);
  });
});

describe('after a train was cancelled', () => {
  const cancel = (outcome?: Outcome) => succeed(expectCancelledSegments(couple(), ['1']), NOW + MINUTE, outcome);
  const REFUND: Outcome = { refund: { amount: sar(30_000) } };

  it('its refund is none, also a day later, and a second one is reported', async () => {
    await told(couple(), NOW);
    await cancel(REFUND);
    expect(await told(withoutFirst(), NOW + MINUTE + 1)).toEqual([]);
    expect(await told(withRefunds(withoutFirst(), 30_000), NOW + 30 * HOUR)).toEqual([]);
    expect(await told(withRefunds(withoutFirst(), 30_000, 30_000), NOW + 60 * HOUR)).toEqual(['refunded']);
    expect(await told(withRefunds(withoutFirst(), 30_000, 30_000), NOW + 61 * HOUR)).toEqual([]);
  });

  it('a refund of another sum is reported, and its own is none when it comes', async () => {
    await told(couple(), NOW);
    await cancel(REFUND);
    expect(await told(withRefunds(withoutFirst(), 500), NOW + HOUR)).toEqual(['refunded']);
    expect(await told(withRefunds(withoutFirst(), 500, 30_000), NOW + DAY)).toEqual([]);
  });

  it('two refunds at once are one of ours and one of the airline', async () => {
    await told(couple(), NOW);
    await cancel(REFUND);
    expect(await told(withRefunds(withoutFirst(), 500, 30_000), NOW + HOUR)).toEqual(['refunded']);
    expect((await state.findings.open('t', NOW))[0]?.after).toMatchObject({ amount: '5.00' });
  });

  it.each(['V', 'S', 'Z'])('the other train keeps its coupons: one in status %s is reported', async (statusCode) => {
    await told(couple(), NOW);
    await cancel();
    expect(await told(withoutFirst(), NOW + MINUTE + 1)).toEqual([]);
    expect(await told(coupon(withoutFirst(), '1', '2', { statusCode }), NOW + 25 * HOUR)).toEqual(['coupon_closed']);
  });

  it('is recognized by its refunded tickets if the reading leaves its status out', async () => {
    await told(couple(), NOW);
    await cancel();
    const { statusCode: _, ...plain } = segment('1');
    const without = { ...withoutFirst(), options: [option(plain), BACK] };
    expect(await told(without, NOW + MINUTE + 1)).toEqual([]);
    expect(await told(withoutFirst(), NOW + DAY)).toEqual([]);
  });

  it('the other train is reported when the airline cancels it, and the cancelled one when it runs again', async () => {
    await told(couple(), NOW);
    await cancel();
    const none = { ...withoutFirst(), options: [...withoutFirst().options.slice(0, 1), cancelledBack()] };
    expect(await told(none, NOW + MINUTE + 1)).toEqual(['segment_cancelled']);
    const back = { ...couple(), options: [option(segment('1')), cancelledBack()] };
    expect(await told(back, NOW + DAY)).toEqual(['segment_restored']);
  });

  it('is recognized under other pointers', async () => {
    await told(couple(), NOW);
    await cancel();
    const [one, two] = [segment('7', { statusCode: '16' }), { ...BACK.segments[0], ref: '1' }];
    const options = [option(one), option(two as never)];
    expect(await told({ ...couple(), tickets: [], options }, NOW + MINUTE + 1)).toEqual([]);
  });
});

function cancelledBack() {
  return option(...BACK.segments.map((one) => ({ ...one, statusCode: '16' })));
}

describe('while a booking whose trains the airline cancelled is being refunded', () => {
  const trains = [option(segment('1', { statusCode: '16' })), cancelledBack()];
  const owed = trains.map((one) => option(...one.segments.map((each) => ({ ...each, owed: true as const }))));
  const lost = { ...couple(), options: owed };
  const over: Booking = closed(closed({ ...couple(), options: trains }, '1'), '2');
  const EVERYBODY = PAIR.map(({ ref }) => ref);

  it.each([
    ['train by train', expectCancelledSegments(lost, ['1', '2'])],
    ['with all its passengers', expectCancelledPassengers(lost, EVERYBODY, digest)],
  ])('%s, a reading that does not show it yet does not make its end the airline’s', async (_, subject) => {
    await told(couple(), NOW);
    expect(await told(lost, NOW + MINUTE)).toEqual(['segment_cancelled', 'segment_cancelled']);
    await dispatch(subject, NOW + 2 * MINUTE);
    expect(await told(lost, NOW + 2 * MINUTE + 1)).toEqual([]);
    await settle(NOW + 3 * MINUTE);
    expect(await told(over, NOW + 3 * MINUTE + 1)).toEqual([]);
    expect(await told(over, NOW + DAY)).toEqual([]);
    expect(await state.findings.open('t', NOW)).toEqual([]);
  });
});

describe('after one of two rows of the same stations and time', () => {
  const [gone, runs] = [segment('1', { flightNumber: '101', statusCode: '16' }), segment('2', { flightNumber: '105' })];
  const both = (over: Partial<typeof runs> = {}) =>
    couple({ options: [option(gone), option({ ...runs, ...over })], tickets: [] });

  it('was cancelled, it is none, whichever row comes first', async () => {
    await told(both(), NOW);
    await succeed(expectCancelledSegments(both(), ['2']), NOW + MINUTE);
    expect(await told(both({ statusCode: '16' }), NOW + MINUTE + 1)).toEqual([]);
  });

  it('was cancelled in its class, it is none', async () => {
    const classes = (status: string) => {
      const old = { ...gone, flightNumber: '105', bookingClass: 'Y' };
      return couple({
        options: [option(old), option({ ...runs, bookingClass: 'C', statusCode: status })],
        tickets: [],
      });
    };
    await told(classes('30'), NOW);
    await succeed(expectCancelledSegments(classes('30'), ['2']), NOW + MINUTE);
    expect(await told(classes('16'), NOW + MINUTE + 1)).toEqual([]);
  });
});

describe('after a passenger left', () => {
  it('another one who is gone is reported, and a refund of both is reported once', async () => {
    const five = fiveAdults();
    const without = (...refs: string[]) => ({
      ...five,
      travelers: five.travelers.filter(({ ref }) => !refs.includes(ref)),
      tickets: five.tickets.filter((one) => !one.travelerRefs.some((ref) => refs.includes(ref))),
    });
    await told(five, NOW);
    await succeed(expectCancelledPassengers(five, ['2'], digest), NOW + MINUTE);
    expect(await told(without('3'), NOW + MINUTE + 1)).toEqual(['passenger_gone']);
    expect(await told(without('2', '3'), NOW + 2 * MINUTE)).toEqual([]);
    expect(await told(without('2', '3', '4'), NOW + DAY)).toEqual(['passenger_gone']);
  });
});

describe('after a train was rebooked', () => {
  const fresh = segment('1', {
    ...{ flightNumber: '119', departs: '2026-12-01T10:00:00.000+03:00', arrives: '2026-12-01T12:10:00.000+03:00' },
  });
  const rebooked = (over: Partial<typeof fresh> = {}) => couple({ options: [option({ ...fresh, ...over }), BACK] });
  const rebook = () =>
    succeed(expectRebookedSegment(couple(), couple().options[0]?.segments[0] as never, fresh), NOW + MINUTE);

  it('the new train is none, and what the airline does to it is reported', async () => {
    await told(couple(), NOW);
    await rebook();
    expect(await told(rebooked(), NOW + MINUTE + 1)).toEqual([]);
    expect(await told(rebooked({ departs: '2026-12-01T10:45:00.000+03:00' }), NOW + DAY)).toEqual(['retimed']);
  });

  it('limits that the first reading of it leaves out are compared with none of the old train', async () => {
    const until = (namesUntil: string, booking: Booking) => ({
      ...booking,
      pricing: { ...held().pricing, fares: [fare('1', 'MED', 'JED', { namesUntil })] } as NonNullable<
        Booking['pricing']
      >,
    });
    await told(until('2026-11-30T12:00:00Z', couple()), NOW);
    await rebook();
    const { pricing: _, ...unpriced } = rebooked();
    expect(await told(unpriced, NOW + MINUTE + 1)).toEqual([]);
    expect(await told(until('2026-11-30T06:00:00Z', rebooked()), NOW + HOUR)).toEqual([]);
    expect(await told(until('2026-11-30T03:00:00Z', rebooked()), NOW + 2 * HOUR)).toEqual(['deadline_moved']);
  });

  it('what the airline did to it before any reading is reported as well', async () => {
    await told(couple(), NOW);
    await rebook();
    const later = { departs: '2026-12-01T10:45:00.000+03:00', arrives: '2026-12-01T12:55:00.000+03:00' };
    expect(await told(rebooked(later), NOW + MINUTE + 1)).toEqual(['retimed']);
    expect((await state.findings.open('t', NOW))[0]?.segment?.number).toBe('119');
  });
});
