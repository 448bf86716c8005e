/** What changed from one reading of a booking to the next, which operation deals with it, and when it is read again. */

import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/config/load.ts';
import { NO_REFUNDS, newOperation } from '../../store/support/new-operation.ts';
import {
  BACK,
  type Booking,
  type Coupon,
  fare,
  gone,
  held,
  NOW,
  type Order,
  OUT,
  option,
  price,
  type Segment,
  sar,
  segment,
  type Ticket,
  ticketed,
} from '../../support/bookings.ts';
import { readingDesk } from '../../support/reading-desk.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const desk = readingDesk(readConfig({}).watching.paces);
const { see } = desk;

let bookings = 0;
const newLocator = () => `L${++bookings}`;

/** Five minutes after the reading before, or at its time. */
type Reading = Booking | readonly [booking: Booking, at: number];

/** What each reading but the first finds. */
async function found(...readings: readonly Reading[]) {
  const locator = newLocator();
  const all: Awaited<ReturnType<typeof see>>['found'][] = [];
  let last = NOW - 5 * MINUTE;
  for (const one of readings) {
    const [booking, at] = 'locator' in one ? ([one, last + 5 * MINUTE] as const) : one;
    last = at;
    all.push((await see(locator, booking, at)).found);
  }
  return all.slice(1);
}
/** The only or the first thing that the second reading finds. */
const first = async (before: Reading, after: Reading) => (await found(before, after))[0]?.[0];

/** The kinds that each reading but the first finds. */
async function tells(readings: readonly Reading[], ...kinds: string[]) {
  const all = await found(...readings);
  expect(all.map((one) => one.map(({ kind }) => kind).join(' '))).toEqual(kinds);
}

const coupon = (segmentRef: string, over: Partial<Coupon> = {}): Coupon => ({
  ...{ segmentRef, number: segmentRef, statusCode: 'O', coach: '4', seat: `1${segmentRef}` },
  ...{ providerTicket: `p${segmentRef}`, ...over },
});
const ticket = (number: string, ...coupons: Coupon[]): Ticket => ({
  ...{ number, travelerRefs: ['1'], segmentRefs: ['1', '2'], coupons, links: [] },
});
const TICKETS = [ticket('T1', coupon('1'), coupon('2'))];
const paid = (over: Partial<Booking> = {}): Booking => held({ tickets: TICKETS, options: [OUT, BACK], ...over });
const PAID = paid();
const out = (over: Partial<Segment>) => option(segment('1', over));
/** Paid, with another first train. */
const now = (over: Partial<Segment>, more: Partial<Booking> = {}) => paid({ options: [out(over), BACK], ...more });
const without = (...fields: (keyof Segment)[]) => {
  const bare: Partial<Segment> = segment('1');
  for (const field of fields) delete bare[field];
  return paid({ options: [option(bare as Segment), BACK] });
};
const back = BACK.segments[0] as Segment;
const pricing = held().pricing as NonNullable<Booking['pricing']>;
const dearer = { pricing: { ...pricing, total: price(sar(75000)) } };

const LATER = { departs: '2026-12-01T09:30:00.000+03:00', arrives: '2026-12-01T11:40:00.000+03:00' };
const NOON = { departs: '2026-12-01T12:00:00.000+03:00', arrives: '2026-12-01T14:00:00.000+03:00' };
const NEXT_DAY = { departs: '2026-12-02T08:00:00.000+03:00', arrives: '2026-12-02T10:10:00.000+03:00' };
const DEPARTED = Date.parse('2026-12-01T05:30:00Z');
const OVER = NOW + 60 * HOUR;
const LIMIT = '2026-11-29T12:00:00Z';
const ONE_GONE = paid({ options: [BACK] });
const CANCELLED = now({ statusCode: '16' });

describe('a segment', () => {
  it('that the airline cancelled is found by any of its codes, and by its absence; one may run again', async () => {
    const words = {
      ...{ 16: 'cancelled', XX: 'cancelled', 31: 'have cancelled', HX: 'have cancelled', UN: 'unable' },
      ...{ 34: 'merely offered', UC: 'unable, waitlist closed', NO: 'no action', 46: 'waitlisted' },
    };
    for (const [statusCode, status] of Object.entries(words))
      expect(await first(PAID, now({ statusCode }))).toMatchObject({
        ...{ kind: 'segment_cancelled', before: { status: 'confirmed' }, after: { status } },
      });
    await tells([PAID, ONE_GONE], 'segment_cancelled');
    await tells([CANCELLED, ONE_GONE], '');
    await tells([CANCELLED, PAID], 'segment_restored');
    expect(await first(PAID, ONE_GONE)).toMatchObject({
      segment: { from: 'MED', to: 'JED', number: '101' },
      after: { status: 'no longer in the booking' },
    });
  });

  it('that waits is lost if it was confirmed, and is no finding if it only waits or is confirmed at last', async () => {
    const [waiting, requested] = [now({ statusCode: 'HL' }), now({ statusCode: 'NN' })];
    await tells([requested, waiting, now({ statusCode: 'KK' }), now({ statusCode: 'HK' })], '', '', '');
    await tells([requested, now({ statusCode: 'UC' }), now({ statusCode: '16' })], 'segment_cancelled', '');
    await tells([PAID, waiting, requested, PAID], 'segment_cancelled', '', 'segment_restored');
    await tells([CANCELLED, waiting, PAID, PAID], '', 'segment_restored', '');
    await tells([PAID, waiting, CANCELLED], 'segment_cancelled', 'segment_cancelled');
    await tells([requested, now({ statusCode: 'TL', ...LATER })], 'retimed');
    await tells([waiting, now({ statusCode: 'KL', ...LATER })], 'retimed');
    expect(await first(waiting, now({ statusCode: 'TK' }))).toMatchObject({
      ...{ kind: 'schedule_change', before: { status: 'waitlisted' }, after: { status: 'schedule change' } },
    });
    const other = option(segment('9', { flightNumber: '119', ...NOON, statusCode: 'HL' }));
    await tells([PAID, paid({ options: [CANCELLED.options[0] as never, other, BACK] })], 'segment_cancelled');
  });

  it('that did not run, or waited, still does not under another number, until a code says so', async () => {
    const { statusCode: _, ...renumbered } = segment('1', { flightNumber: '119' });
    const uncoded = paid({ options: [option(renumbered), BACK] });
    const again = now({ flightNumber: '119', statusCode: '51' });
    await tells([PAID, now({ statusCode: '83' }), uncoded, again], 'no_show', '', 'segment_restored');
    // Another class of a flight that nobody took explains its baggage, and is nobody's concern.
    const baggage = (allowance: string) => ({
      pricing: { ...pricing, total: { ...price(sar(69000)), baggage: [allowance] } },
    });
    const downgraded = now({ statusCode: '83', bookingClass: 'L' }, baggage('1 PC'));
    await tells([now({}, baggage('2 PC')), now({ statusCode: '83' }, baggage('2 PC')), downgraded], 'no_show', '');
    const lost = now({ statusCode: 'UN' });
    await tells([PAID, lost, uncoded, again], 'segment_cancelled', '', 'segment_restored');
    const confirmed = 'segment_restored schedule_change';
    await tells([PAID, now({ statusCode: 'HL' }), uncoded, again], 'segment_cancelled', 'number_changed', confirmed);
    // What ran may have any code under its new number.
    await tells([PAID, uncoded, again], 'number_changed', '');
  });

  it('that is listed anew after a schedule change is found with its times, and with the connection that it breaks', async () => {
    const onward = option(
      segment('3', {
        ...{ from: 'JED', to: 'RUH', flightNumber: '7', departs: '2026-12-01T11:00:00.000+03:00' },
        arrives: '2026-12-01T12:30:00.000+03:00',
      }),
    );
    const before = paid({ options: [OUT, onward, BACK] });
    for (const old of ['WK', 'UN']) {
      const again = option(segment('9', { ...NOON, statusCode: 'TK' }));
      const moved = paid({ options: [out({ statusCode: old }), again, onward, BACK] });
      expect(await first(before, moved)).toMatchObject({
        ...{ kind: 'retimed', before: { departs: segment('1').departs }, after: NOON, missed: [{ number: '7' }] },
      });
    }
    await tells([before, paid({ options: [out({ statusCode: 'TK', ...NOON }), onward, BACK] })], 'retimed');
    const sameTimes = option(segment('9', { statusCode: 'TK', bookingClass: 'B' }));
    await tells([before, paid({ options: [out({ statusCode: 'UN' }), sameTimes, onward, BACK] })], 'schedule_change');
  });

  it('without code and class, or in another order is as it was; an unknown code in place of a confirmed one is found', async () => {
    await tells([PAID, now({ statusCode: 'ZZ' }), now({ statusCode: '80' })], 'schedule_change', '');
    await tells([PAID, without('statusCode', 'bookingClass'), paid({ options: [BACK, OUT] })], '', '');
  });

  it('that moved is found with both times; one second or another form of the time is no move', async () => {
    await tells([PAID, now({ departs: '2026-12-01T05:00:00Z' }), now({ departs: '2026-12-01T05:00:01Z' })], '', '');
    expect(await first(PAID, now(LATER))).toMatchObject({
      ...{ kind: 'retimed', before: { departs: '2026-12-01T08:00:00.000+03:00' }, after: LATER },
      departsAt: Date.parse('2026-12-01T06:30:00Z'),
    });
    const [was, is] = [{ arrives: '2026-12-01T10:10:00.000+03:00' }, { arrives: '2026-12-01T10:40:00.000+03:00' }];
    expect(await first(PAID, now(is))).toMatchObject({ kind: 'retimed', before: was, after: is });
    // Times that cannot be read are compared as text.
    const vague = { departs: '2026-12-01T08:00', arrives: 'soon' };
    await tells([now(vague), now(vague), now({ ...vague, departs: '2026-12-01T09:00' })], '', 'retimed');
  });

  it('marked as a schedule change is found once, and not beside its new time', async () => {
    await tells([PAID, now({ statusCode: '51' }), now({ statusCode: '51' })], 'schedule_change', '');
    await tells([PAID, now({ ...LATER, statusCode: '51' })], 'retimed');
    const { statusCode: _, ...uncoded } = segment('1', LATER);
    await tells([PAID, paid({ options: [option(uncoded), BACK] }), now({ ...LATER, statusCode: '51' })], 'retimed', '');
  });

  it('under another number or in another class is found, also if another segment replaces it', async () => {
    await tells([PAID, now({ flightNumber: 'HHR0101' })], '');
    expect(await first(PAID, now({ flightNumber: '119' }))).toMatchObject({
      ...{ kind: 'number_changed', before: { number: '101' }, after: { number: '119' } },
    });
    const other = option(segment('9', { flightNumber: '119', ...NOON }));
    expect(await first(PAID, paid({ options: [out({ statusCode: '16' }), other, BACK] }))).toMatchObject({
      ...{ kind: 'number_changed', after: { number: '119', departs: NOON.departs } },
    });
    expect(await first(PAID, now({ bookingClass: 'B' }))).toMatchObject({
      ...{ kind: 'class_changed', before: { class: 'Y' }, after: { class: 'B' } },
    });
  });

  it('that has left is compared only if it leaves later now, was cancelled or was not travelled', async () => {
    await tells([PAID, [now(LATER), OVER]], '');
    await tells([PAID, [ONE_GONE, OVER]], '');
    const later = { departs: '2026-12-01T10:00:00.000+03:00' };
    await tells([PAID, [now(later), DEPARTED]], 'retimed');
    await tells([PAID, [now({ departs: '2026-12-01T08:20:00.000+03:00' }), DEPARTED]], '');
    const other = option(segment('3', { ...later, flightNumber: '7' }), back);
    await tells([PAID, [paid({ options: [other] }), DEPARTED]], 'number_changed');
    await tells([PAID, [ONE_GONE, DEPARTED]], '');
    const lost = await first(PAID, [CANCELLED, DEPARTED]);
    expect(lost).toMatchObject({ kind: 'segment_cancelled', after: { status: 'cancelled' } });
    expect(lost).toMatchObject({ departsAt: undefined });
    await tells([PAID, now({ statusCode: '83' }), now({ statusCode: '83' })], 'no_show', '');
    // It matters for the later segments.
    expect(await first(PAID, [now({ statusCode: '83' }), OVER])).toMatchObject({
      ...{ kind: 'no_show', departsAt: Date.parse('2026-12-05T15:00:00Z') },
    });
  });

  it('keeps its identity under other pointers, in another order, twice a day and on another day', async () => {
    const second = segment('3', NEXT_DAY);
    const before = paid({ options: [OUT, option(second), BACK], tickets: [] });
    const moved = option({ ...second, ref: '7', optionRef: '7', departs: '2026-12-02T08:20:00.000+03:00' });
    const after = paid({ options: [moved, option(segment('8')), option({ ...back, ref: '9' })], tickets: [] });
    const all = (await found(before, after)).flat();
    expect(all).toMatchObject([{ kind: 'retimed', segment: { departs: second.departs } }]);
  });
});

describe('a connection', () => {
  const start = (over: Partial<Segment> = {}) => segment('1', over);
  const next = (over: Partial<Segment> = {}) =>
    segment('2', {
      ...{ from: 'JED', to: 'RUH', flightNumber: '300' },
      ...{ departs: '2026-12-01T11:00:00.000+03:00', arrives: '2026-12-01T13:00:00.000+03:00', ...over },
    });
  const trip = (...segments: Segment[]) => paid({ options: [option(...segments)] });
  const BEFORE = trip(start(), next());
  const lost = { statusCode: '31' };
  const late = start({ arrives: '2026-12-01T11:05:00.000+03:00' });
  const inTime = start({ arrives: '2026-12-01T10:55:00.000+03:00' });
  /** Each finding, with the number of the train that is missed. */
  const missed = async (...after: Segment[]) =>
    (await found(BEFORE, trip(...after)))[0]?.map(({ kind, missed: of = [] }) =>
      [kind, ...of.map((one) => one.number)].join(),
    );

  it('that the loss of its first segment broke is missed still if that one runs again too late', async () => {
    const restored = async (...after: Segment[]) =>
      (await found(trip(start(lost), next()), trip(...after)))[0]?.map(({ kind, missed: of = [] }) => [
        kind,
        ...of.map(({ number }) => number),
      ]);
    expect(await restored(late, next())).toEqual([['segment_restored', '300']]);
    expect(await restored(inTime, next())).toEqual([['segment_restored']]);
    // One that is lost still breaks nothing anew.
    expect(await restored(start(lost), next({ departs: '2026-12-01T10:45:00.000+03:00' }))).toEqual([['retimed']]);
  });

  it('is missed if the first segment arrives late or does not run, or the second leaves earlier', async () => {
    expect(await missed(late, next())).toEqual(['retimed,300']);
    expect(await missed(inTime, next())).toEqual(['retimed']);
    expect(await missed(start(), next({ departs: '2026-12-01T09:00:00.000+03:00' }))).toEqual(['retimed,300']);
    const both = await missed(late, next({ departs: '2026-12-01T10:50:00.000+03:00' }));
    expect(both).toEqual(['retimed,300', 'retimed']);
    expect(await missed(start(lost), next())).toEqual(['segment_cancelled,300']);
    expect(await missed(next())).toEqual(['segment_cancelled,300']);
    expect(await missed(start(lost), next(lost))).toEqual(['segment_cancelled', 'segment_cancelled']);
    expect(await missed(start({ arrives: 'late' }), next())).toEqual(['retimed']);
    const departs = '2026-12-01T08:30:00.000+03:00';
    const other = segment('4', { flightNumber: '119', departs, arrives: '2026-12-01T10:40:00.000+03:00' });
    expect(await missed(start(lost), other, next())).toEqual(['number_changed']);
  });

  it('is judged after the first departure too, while the second is ahead; days later is none', async () => {
    const at = (one: Segment, time = DEPARTED) => first(BEFORE, [trip(one, next()), time]);
    expect(await at(late)).toMatchObject({
      ...{ kind: 'retimed', missed: [{ number: '300' }], departsAt: Date.parse('2026-12-01T08:00:00Z') },
    });
    expect(await at(inTime)).toBeUndefined();
    expect(await at(late, Date.parse('2026-12-01T08:00:00Z'))).toBeUndefined();
    // The flown segment is left out: nothing is missed by that.
    const flown = await first(BEFORE, [trip(next({ departs: '2026-12-01T11:20:00.000+03:00' })), DEPARTED]);
    const days = await first(PAID, now({ arrives: '2026-12-05T19:00:00.000+03:00' }));
    for (const one of [flown, days]) expect([one?.kind, one?.missed]).toEqual(['retimed', undefined]);
  });
});

describe('a ticket', () => {
  const withCoupons = (...coupons: Coupon[]) => paid({ tickets: [ticket('T1', ...coupons)] });
  const status = (statusCode: string) => withCoupons(coupon('1', { statusCode }), coupon('2'));
  const { seat: _s, coach: _c, ...seatless } = coupon('1');
  const seats = [ticket('T1', coupon('1', { seat: '77' }), coupon('2'))];

  it('whose coupon closed is found; checked in, issued again or stripped is no difference', async () => {
    for (const code of ['S', 'U', 'V', 'R', 'Z', 'Q']) await tells([PAID, status(code)], 'coupon_closed');
    for (const code of ['C', 'L', 'A']) await tells([PAID, status(code)], '');
    const again = ticket('T1', coupon('1', { statusCode: 'E' }), coupon('2'));
    await tells([PAID, paid({ tickets: [again, ticket('T2', coupon('1'))] })], '');
    // It goes with its segment.
    await tells([PAID, { ...status('S'), options: [out({ statusCode: '31' }), BACK] }], 'segment_cancelled');
  });

  it('without coupon numbers is known by its segment; without a number it is not compared', async () => {
    const numberless = (statusCode: string) =>
      withCoupons({ segmentRef: '1', statusCode }, { segmentRef: '9', statusCode });
    await tells([numberless('O'), numberless('S')], 'coupon_closed');
    const limits = paid({ tickets: [ticket('', coupon('1', { statusCode: 'S' })), ...TICKETS] });
    await tells([limits, limits], '');
  });

  it('with another seat, or with none, is found; a seat shown first, or left out, is no difference', async () => {
    const { coach: _, ...onPlane } = coupon('1', { seat: '12A' });
    const others = { '5/9': coupon('1', { coach: '5', seat: '9' }), '': seatless, '12A': onPlane };
    for (const [seat, one] of Object.entries(others))
      expect(await first(PAID, withCoupons(one, coupon('2')))).toMatchObject({
        ...{ kind: 'seat_changed', before: { seat: '4/11' }, after: { seat } },
      });
    const { providerTicket: _p, ...stripped } = seatless;
    await tells([PAID, withCoupons(stripped, coupon('2'))], '');
    await tells([withCoupons(seatless, coupon('2')), PAID], '');
  });

  it('has no seats of another flight or class, also if the first reply about it shows none', async () => {
    const bare = [ticket('T1', { segmentRef: '1', number: '1' }, { segmentRef: '2', number: '2' })];
    const later = async (over: Partial<Segment>) => {
      const all = [[], bare].map((tickets) => found(PAID, now(over, { tickets }), now(over, { tickets: seats })));
      return (await Promise.all(all)).map(([, last]) => last?.map(({ kind }) => kind).join());
    };
    const farAway = { departs: '2026-12-03T12:00:00.000+03:00', arrives: '2026-12-03T14:00:00.000+03:00' };
    const number = { flightNumber: '119' };
    for (const other of [{ bookingClass: 'C' }, { ...number, ...NOON }, NEXT_DAY, { ...number, ...farAway }])
      expect(await later(other)).toEqual(['', '']);
    for (const same of [{}, NOON, number]) expect(await later(same)).toEqual(['seat_changed', 'seat_changed']);
    const classless = { ...without('bookingClass'), tickets: [] };
    await tells([PAID, classless, paid({ tickets: seats })], '', 'seat_changed');
    await tells([classless, PAID, paid({ tickets: seats })], '', 'seat_changed');
  });
});

describe('money', () => {
  const refund = (status: string, id = 'r1'): Order => ({ id, direction: 'REFUND', status, amount: sar(5000) });
  const payment: Order = { id: 'p1', direction: 'PAYMENT', status: 'PAID', amount: sar(69000) };
  const { id: _, ...plain } = refund('PENDING');
  const paidOut = { ...plain, status: 'PAID' };
  const orders = (...all: Order[]) => paid({ orders: [payment, ...all] });
  const stated = { ...pricing, refunds: [{ amount: sar(5000) }] };

  it('finds a refund, that it does not arrive, and its arrival, with the amount', async () => {
    const waits = orders(refund('PENDING'));
    const late = [waits, NOW + 14 * DAY + HOUR] as const;
    const all = await found(orders(), waits, waits, late, orders(refund('PAID')));
    const kinds = all.map(([one]) => one?.kind);
    expect(kinds).toEqual(['refunded', undefined, 'refund_pending', 'refund_arrived']);
    expect(all[0]).toMatchObject([{ after: { amount: '50.00', currency: 'SAR', status: 'pending' } }]);
    expect(all[3]?.[0]?.departsAt).toBeUndefined();
  });

  it('knows an order without an id by its amount, and a refund that only the price shows', async () => {
    await tells([orders(plain), orders(plain), orders(paidOut)], '', 'refund_arrived');
    for (const one of [paid({ pricing: stated }), paid({ orders: [{ direction: 'REFUND' }] })])
      expect(await first(PAID, one)).toMatchObject({ kind: 'refunded', after: {} });
    // Equal ones differ by their status, in any order.
    await tells([orders(plain, paidOut), orders(paidOut, plain)], '');
    await tells([orders(plain, paidOut), orders(paidOut, paidOut)], 'refund_arrived');
    const late = [orders(plain, paidOut), NOW + 14 * DAY] as const;
    await tells([orders(plain, paidOut), orders(paidOut, plain), late], '', 'refund_pending');
  });

  it('tells a refund once, whichever of price and orders a reading left out', async () => {
    const all = paid({ pricing: stated, orders: [payment, refund('PAID')] });
    const twice = { ...all, orders: [...all.orders, refund('PAID', 'r2')] };
    const [priceOnly, ordersOnly] = [{ ...all, orders: [] }, orders(refund('PAID'))];
    for (const part of [priceOnly, ordersOnly]) {
      await tells([orders(), part, all, twice], 'refunded', '', 'refunded');
      await tells([orders(), all, part, all, twice], 'refunded', '', '', 'refunded');
    }
  });

  it('knows a payment of a partly cancelled booking, although a reading leaves out the status of its order', async () => {
    const cancelled = (order: Order, more: Partial<Booking> = {}) =>
      now({ statusCode: '16' }, { tickets: [], orders: [order], ...more });
    const { status: __, ...silent } = payment;
    await tells([cancelled({ ...payment, status: 'PENDING' }), cancelled(silent, dearer)], 'price_changed');
    await tells([cancelled(payment), cancelled(silent, dearer)], '');
    await tells([cancelled(payment), cancelled(silent), cancelled(silent, dearer)], '', '');
  });

  it('finds another price of a hold, also after the airline cancelled a segment, and of a whole paid booking', async () => {
    expect(await first(held(), held(dearer))).toMatchObject({
      ...{ kind: 'price_changed', before: { amount: '690.00', currency: 'SAR' }, after: { amount: '750.00' } },
    });
    await tells([PAID, paid(dearer)], 'price_changed');
    const options = [out({ statusCode: 'UN' }), BACK];
    const hold = (over: Partial<Booking> = {}) => held({ options, ...over });
    await tells([hold(), hold(dearer)], 'price_changed');
    // The price of what is left, told by the cancellation.
    await tells([held(), hold(dearer)], 'segment_cancelled');
    await tells([hold(), [hold({ cancelled: true }), NOW + HOUR]], '');
    for (const before of [hold(), hold({ orders: [payment] })])
      await tells([before, hold({ ...dearer, orders: [payment] })], '');
    for (const before of [hold(), paid({ options })]) await tells([before, paid({ ...dearer, options })], '');
  });
});

describe('limits', () => {
  const withFares = (over: Parameters<typeof fare>[3]) => ({
    pricing: { ...pricing, fares: [fare('1', 'MED', 'JED', over)] },
  });
  const usual = withFares({});
  const until = (cancelUntil: string) => withFares({ cancelUntil });

  it('that moved by themselves are found; those that moved with a departure belong to its finding', async () => {
    const names = withFares({ namesUntil: '2026-11-29T12:00:00Z' });
    const moved = { what: 'names_until', before: '2026-11-30T00:00:00Z', after: '2026-11-29T12:00:00Z' };
    const alone = (await found(paid(usual), paid(names))).flat();
    expect(alone).toMatchObject([{ kind: 'deadline_moved', deadlines: [moved] }]);
    const together = (await found(paid(usual), now({ departs: '2026-12-01T06:00:00.000+03:00' }, names))).flat();
    expect(together).toMatchObject([{ kind: 'retimed', deadlines: [moved] }]);
    const sooner = withFares({ payBy: '2026-11-29T05:15:00Z' });
    await tells([held(usual), held(sooner)], 'deadline_moved');
    const options = [out({ statusCode: 'UN' }), BACK];
    await tells([held({ options, ...usual }), held({ options, ...sooner })], 'deadline_moved');
  });

  it('that have passed, are missing, or belong to another state are ignored', async () => {
    const later = paid(withFares({ namesUntil: '2026-12-01T00:00:00Z' }));
    await tells([paid(withFares({ namesUntil: '2026-11-29T05:01:00Z' })), later], '');
    await tells([held(usual), later], '');
    const { pricing: _, ...bare } = paid();
    await tells([paid(usual), bare], '');
  });

  it('are compared only where segments show why they move, and not with those of before the move', async () => {
    const before = paid(until('2026-11-30T05:00:00Z'));
    const moved = now(LATER, until('2026-11-30T06:30:00Z'));
    const { pricing: _, ...bare } = moved;
    await tells([before, bare, moved], 'retimed', '');
    await tells([before, { ...moved, options: [] }, moved], '', 'retimed');
    await tells([before, moved, now(LATER, until('2026-11-30T02:00:00Z'))], 'retimed', 'deadline_moved');
    const later = until('2026-12-04T05:00:00Z');
    const [uncoded, classless] = [without('statusCode'), without('bookingClass')];
    await tells([before, { ...uncoded, ...later }, now({ statusCode: '16' }, later)], '', 'segment_cancelled');
    await tells([before, { ...classless, ...later }, now({ bookingClass: 'C' }, later)], '', 'class_changed');
    // Where no reading shows codes, limits are compared.
    const { options } = uncoded;
    await tells(
      [
        { ...before, options },
        { ...uncoded, ...later },
      ],
      'deadline_moved',
    );
  });

  it('that move with a segment that is cancelled or runs again belong to its finding, unless money moved too', async () => {
    const names = withFares({ namesUntil: '2026-11-29T12:00:00Z' });
    const moved = { what: 'names_until', before: '2026-11-30T00:00:00Z', after: '2026-11-29T12:00:00Z' };
    const options = [out({ statusCode: 'UN' }), BACK];
    const deadlinesOf = async (...readings: [Reading, Reading]) =>
      (await found(...readings)).flat().map(({ kind, deadlines }) => [kind, deadlines]);
    expect(await deadlinesOf(paid(usual), paid({ options, ...names }))).toEqual([['segment_cancelled', [moved]]]);
    expect(await deadlinesOf(paid({ options, ...usual }), paid(names))).toEqual([['segment_restored', [moved]]]);
    const sooner = withFares({ payBy: '2026-11-29T05:15:00Z' });
    const pay = { what: 'pay_by', before: '2026-11-29T05:25:00Z', after: '2026-11-29T05:15:00Z' };
    expect(await deadlinesOf(held(usual), held({ options, ...sooner }))).toEqual([['segment_cancelled', [pay]]]);
    // Paid, or refunded, meanwhile.
    const ofMoney = [
      deadlinesOf(held({ options, ...usual }), paid(names)),
      deadlinesOf(paid(usual), paid({ options, ...names, orders: [{ direction: 'REFUND', amount: sar(5000) }] })),
    ];
    for (const all of await Promise.all(ofMoney)) expect(all[0]?.[1]).toBeUndefined();
    // All of a hold, of which the limit to pay is known still.
    const [alone, gone] = [{ options: [OUT] }, { options: [out({ statusCode: 'UN' })] }];
    const whole = [held({ ...gone, ...usual }), held({ ...alone, ...sooner })] as const;
    expect(await deadlinesOf(...whole)).toEqual([['segment_restored', [pay]]]);
    expect(await deadlinesOf(whole[0], paid({ ...alone, ...names }))).toEqual([['segment_restored', undefined]]);
  });

  it('end a hold as announced, which is no finding; before, the airline cancelled it', async () => {
    const lapsed = held({ cancelled: true, options: [out({ statusCode: '16' }), BACK] });
    const hour = NOW + HOUR;
    await tells([held(), [lapsed, hour]], '');
    await tells([held(), [held(), hour], [lapsed, hour + HOUR]], '', '');
    // Also what the airline left of it, whatever becomes of its trains.
    const left = (over: Partial<Segment>) =>
      held({ options: [out({ statusCode: 'UN' }), option({ ...back, ...over })] });
    await tells(
      [held(), left({}), [left({ statusCode: '51' }), hour], [left({ statusCode: 'UN' }), hour + HOUR]],
      'segment_cancelled',
      '',
      '',
    );
    expect(await first(held(), held({ cancelled: true, options: [] }))).toMatchObject({
      ...{ kind: 'booking_cancelled', before: { status: 'held' } },
    });
    const never = withFares({ payBy: 'never' });
    await tells([held(never), held({ ...never, cancelled: true, options: [] })], 'booking_cancelled');
  });
});

describe('the whole booking', () => {
  const over = paid({ cancelled: true, options: [] });
  const refunds = [{ id: 'r', direction: 'REFUND', status: 'PAID', amount: sar(1) }];
  const [amal] = PAID.travelers as Booking['travelers'] & { 0: Booking['travelers'][number] };
  const two = paid({ travelers: [amal, { ...amal, ref: '2' }] });

  /** After these readings, an hour apart. */
  const kept = async (...readings: readonly Booking[]) => {
    const locator = newLocator();
    let outcome = '';
    for (const [i, one] of readings.entries()) ({ outcome } = await see(locator, one, NOW + i * HOUR));
    return { outcome, ...(await desk.state.watches.get('t', locator))?.kept };
  };

  it('that was cancelled matters until its last departure, or for good once that is past', async () => {
    expect((await first(PAID, over))?.departsAt).toBe(Date.parse('2026-12-05T15:00:00Z'));
    const late = await first(PAID, [over, Date.parse('2026-12-06T15:00:00Z')]);
    const vague = await first(paid({ options: [] }), over);
    for (const one of [late, vague]) expect([one?.kind, one?.departsAt]).toEqual(['booking_cancelled', undefined]);
    expect((await kept(PAID, over, over)).cancelledAt).toBe(NOW + HOUR);
    expect((await kept(PAID, over, PAID)).cancelledAt).toBeUndefined();
  });

  it('of which a passenger is gone is found, unless the reply names none', async () => {
    const gone = { kind: 'passenger_gone', before: { passengers: 2 }, after: { passengers: 1 } };
    expect(await first(two, PAID)).toMatchObject(gone);
    await tells([two, paid({ travelers: [] })], '');
  });

  it('stays known while replies leave it out, until one shows otherwise', async () => {
    const { pricing: _, contact: _c, ...bare } = paid({ tickets: [], travelers: [], orders: [], options: [] });
    expect((await kept(PAID, bare)).outcome).toBe('same');
    expect((await kept(PAID, two)).outcome).toBe('changed');
    await tells([PAID, bare, paid({ tickets: [] }), PAID], '', '', '');
    expect((await kept(PAID, paid({ tickets: [] }))).state).toBe('ticketed');
    const bareCode = ({ statusCode: _, ...one }: Segment) => one;
    const ended = (code: Partial<Segment>) => {
      const options = [OUT, BACK].map((one) => option(...one.segments.map((it) => ({ ...bareCode(it), ...code }))));
      return paid({ options, orders: refunds });
    };
    const [gone, runs] = [ended({ statusCode: '16' }), ended({ statusCode: '30' })];
    await tells([gone, ended({}), gone], '', '');
    expect((await kept(gone, ended({}))).state).toBe('cancelled');
    expect((await kept(gone, runs)).state).toBe('partly_cancelled');
    // Only the airline's own word says that a booking without segments is cancelled.
    expect((await kept(paid({ options: [], tickets: [], orders: refunds }))).state).toBe('unknown');
    expect((await kept(over)).state).toBe('cancelled');
  });

  it('that is a hold goes on as one if the airline restores what it had cancelled, all of it or a part', async () => {
    const [lost, uncoded] = [out({ statusCode: 'UN' }), option({ ...segment('1'), statusCode: undefined as never })];
    const hold = (...options: Booking['options']) => held({ options });
    await tells([hold(OUT), hold(lost), hold(OUT)], 'segment_cancelled', 'segment_restored');
    expect((await kept(hold(OUT), hold(lost))).state).toBe('cancelled');
    expect((await kept(hold(lost), hold(uncoded))).state).toBe('cancelled');
    expect((await kept(hold(lost), hold())).state).toBe('cancelled');
    // Its limit is 25 minutes after the first reading.
    const early = held({ options: [OUT], pricing: { ...pricing, fares: [fare('1', 'MED', 'JED', { payBy: LIMIT })] } });
    const part = (...options: Booking['options']) => ({ ...early, options });
    expect((await kept(part(lost), part(OUT))).state).toBe('held');
    expect((await kept(part(lost, BACK), part(OUT, BACK))).state).toBe('held');
    expect((await kept(part(lost, BACK), part(uncoded, BACK))).state).toBe('partly_cancelled');
    // A paid one only looks like a hold where tickets and orders are left out.
    const payment: Order = { direction: 'PAYMENT', status: 'PAID', amount: sar(69000) };
    expect((await kept({ ...part(lost), orders: [payment] }, part(OUT))).state).toBe('cancelled');
    expect((await kept({ ...part(lost, BACK), tickets: TICKETS }, part(OUT, BACK))).state).toBe('partly_cancelled');
    // Restored when nobody can pay any more, it is no news.
    await tells([hold(lost), [hold(OUT), NOW + HOUR]], '');
  });

  it('has coupons in the order of the segments that the last reply showed, and names nobody', async () => {
    const places = async (options: Booking['options']) =>
      (await kept(PAID, paid({ options, tickets: [] }))).coupons?.map(({ segment: place }) => place);
    expect(await places([BACK, OUT])).toEqual([1, 0]);
    expect(await places([BACK])).toEqual([undefined, 0]);
    // A coupon of no segment stays as it was.
    const loose = await kept(paid({ tickets: [ticket('T1', coupon('9'))] }), paid({ tickets: [] }));
    expect(loose.coupons).toMatchObject([{ status: 'O', seat: '4/19' }]);
    const text = JSON.stringify(await kept(PAID));
    for (const secret of [amal.name?.surname, amal.document?.number]) expect(text).not.toContain(secret);
  });
});

describe('an operation', () => {
  type Change = NonNullable<NonNullable<Parameters<typeof newOperation>[1]>['subject']>;

  async function succeed(locator: string, subject: Change, at: number) {
    const by = { now: at, actor: 'p' };
    const lease = { ...by, owner: 'p', leaseUntil: at + HOUR };
    await desk.state.operations.insert(newOperation(locator, { locator, subject }), lease);
    await desk.state.operations.transition(
      locator,
      { from: ['intent'], to: 'dispatched', patch: { dispatchedAt: at } },
      by,
    );
    await desk.state.operations.transition(locator, { from: ['dispatched'], to: 'succeeded', patch: {} }, by);
  }

  /** Whether an operation after the second reading closes what that one found, when the third comes. */
  async function closes(subject: Change, ...readings: [Booking, Booking, Booking]) {
    const locator = newLocator();
    for (const [i, one] of readings.entries()) {
      if (i === 2) await succeed(locator, subject, NOW + 2 * MINUTE - 1);
      await see(locator, one, NOW + i * MINUTE);
    }
    const all = await desk.state.findings.list('t', { locators: [locator], limit: 9 });
    const [one] = all.filter(({ seenAt }) => seenAt === NOW + MINUTE);
    if (one === undefined) throw new Error('nothing was found');
    return one.closedBy === `operation ${locator}`;
  }

  const lost = (...refs: string[]) =>
    [OUT, BACK].map((one) =>
      option(...one.segments.map((it) => (refs.includes(it.ref) ? { ...it, statusCode: '16' } : it))),
    );
  const owed = ticketed({ options: lost('1') });
  const over = gone(ticketed(), ['1', '2']);
  const moved = ticketed({ options: [out(LATER), BACK] });
  const seat = paid({ tickets: [ticket('T1', coupon('1', { seat: '77' }), coupon('2'))] });
  const cancel = (ref: string, over = {}): Change => ({
    ...{ kind: 'cancel_segments', segmentRefs: [ref], keptRefs: [], ...NO_REFUNDS, ...over },
  });
  const leave = (...kept: string[]): Change => ({ kind: 'cancel_passengers', gone: ['a'], ...NO_REFUNDS, kept });
  const train = (departs: string, over = {}) => ({ from: 'MED', to: 'JED', departs, number: '101', ...over });
  const rebook = (departs: string, over = {}): Change => ({
    ...{ kind: 'rebook_segment', replaced: train(departs, over), wanted: train(NOON.departs, { number: '119' }) },
    ...{ kept: [], earlierPayments: [], ...NO_REFUNDS },
  });
  const pay: Change = { kind: 'pay', amount: sar(75000), coupons: 2 };

  it('closes what it deals with', async () => {
    expect(await closes({ kind: 'cancel_booking' }, ticketed(), moved, moved)).toBe(true);
    expect(await closes(pay, held(), held(dearer), held(dearer))).toBe(true);
    expect(await closes({ kind: 'assign_seats', seats: [] }, PAID, seat, seat)).toBe(true);
    expect(await closes(cancel('1'), ticketed(), moved, gone(moved, ['1']))).toBe(true);
    expect(await closes(cancel('1'), PAID, now(LATER), paid({ options: [BACK], tickets: [] }))).toBe(true);
    expect(await closes(leave(), ticketed(), owed, over)).toBe(true);
    // As it was, and as it became.
    for (const departs of ['2026-12-01T05:00:00Z', '2026-12-01T06:30:00Z'])
      expect(await closes(rebook(departs), ticketed(), moved, moved)).toBe(true);
    // Its refund was asked for, though the coupon is still open.
    expect(await closes(cancel('1', { owedRefs: ['1'] }), ticketed(), owed, owed)).toBe(true);
  });

  it('closes nothing else, and nothing about a segment that it did not cancel or whose ticket is still valid', async () => {
    for (const subject of [pay, cancel('1'), { kind: 'update_contact', changes: [] } as const])
      expect(await closes(subject, ticketed(), moved, moved)).toBe(false);
    for (const subject of [cancel('2'), leave('b')]) expect(await closes(subject, ticketed(), owed, over)).toBe(false);
    expect(await closes(cancel('1', { owedRefs: ['2'] }), ticketed(), owed, owed)).toBe(false);
    const elsewhere = rebook('2026-12-05T15:00:00Z', { from: 'JED', to: 'MED', number: '202' });
    expect(await closes(elsewhere, ticketed(), moved, moved)).toBe(false);
    const refunded = ticketed({ orders: [{ id: 'r', direction: 'REFUND', status: 'PAID', amount: sar(5000) }] });
    for (const subject of [cancel('1'), rebook('2026-12-01T05:00:00Z')])
      expect(await closes(subject, ticketed(), refunded, refunded)).toBe(false);
  });

  it('that cancels all is no news of the airline in any reading, with or without status codes', async () => {
    const locator = newLocator();
    const over = gone(PAID, ['1', '2'], {
      orders: [{ id: 'r', direction: 'REFUND', status: 'PAID', amount: sar(5000) }],
    });
    const uncoded = [OUT, BACK].map(({ segments }) => option(...segments.map(({ statusCode: _, ...one }) => one)));
    await see(locator, PAID, NOW);
    await succeed(locator, { kind: 'cancel_booking' }, NOW + MINUTE);
    await see(locator, { ...over, options: uncoded }, NOW + 2 * MINUTE);
    expect((await see(locator, over, NOW + 3 * MINUTE)).found).toEqual([]);
  });

  it('closes nothing that was found after it', async () => {
    const locator = newLocator();
    await see(locator, PAID, NOW);
    await succeed(locator, { kind: 'assign_seats', seats: [] }, NOW + 1);
    for (const hours of [1, 2, 3]) await see(locator, seat, NOW + hours * HOUR);
    expect(await desk.state.findings.open('t', NOW, [locator])).toMatchObject([{ kind: 'seat_changed' }]);
  });
});

describe('the next reading', () => {
  const START = Date.parse('2026-12-01T00:00:00Z');
  const at = (hours: number) => new Date(START + hours * HOUR).toISOString();
  const train = (hours: number, over = {}) =>
    option(segment(`${hours}`, { departs: at(hours), arrives: at(hours + 2), ...over }));
  const { payBy: _p, namesUntil: _n, cancelUntil: _c, ...unlimited } = fare('1', 'MED', 'JED');
  const limited = (limits: Parameters<typeof fare>[3], of = ticketed, ...options: Booking['options']) => {
    const fares = [{ ...unlimited, ...limits }];
    return of({ options: options.length > 0 ? options : [train(200)], pricing: { refunds: [], fares, perType: [] } });
  };
  const of = (...options: Booking['options']) => limited({}, ticketed, ...options);
  const trains = (...hours: number[]) => of(...hours.map((one) => train(one)));

  /** Hours from the last of these readings until it. */
  const next = async (...readings: readonly (Booking | readonly [Booking, hours: number])[]) => {
    const locator = newLocator();
    for (const one of readings) {
      const [booking, hours] = 'locator' in one ? ([one, 0] as const) : one;
      await see(locator, booking, START + hours * HOUR);
    }
    const { nextAt, readAt = 0 } = (await desk.state.watches.get('t', locator)) ?? {};
    return nextAt === undefined ? undefined : Math.round((nextAt - readAt) / (HOUR / 100)) / 100;
  };

  it('is sooner the nearer a departure, a tenth before its interval ends, and in time for a shorter one', async () => {
    const hours = { 200: 21.6, 60: 10.8, 20: 0.9, 80: 18.8, 25: 1.9, 0.75: 0.5, 0.25: 0.9 };
    for (const [departs, wait] of Object.entries(hours))
      expect([departs, await next(trains(+departs))]).toEqual([departs, wait]);
    expect(await next(trains(-2, 20, 300))).toBe(0.9);
    expect(await next(of(train(20, { statusCode: '16' }), train(300)))).toBe(0.9);
    const refunded = of(train(20, { statusCode: '16' }), train(300));
    expect(await next({ ...refunded, tickets: [], orders: [{ direction: 'PAYMENT', status: 'PAID' }] })).toBe(21.6);
  });

  it('follows the nearest limit, that of the payment only while it is unpaid', async () => {
    const expected: [number, Booking][] = [
      [0.9, limited({ cancelUntil: at(20) })],
      [10.8, limited({ namesUntil: at(60), payBy: at(20) })],
      [0.9, limited({ payBy: at(20) }, held)],
      [0.9, limited({ payBy: at(0.75) }, held)],
      [0.9, limited({ payBy: at(20) }, held, train(200), train(300, { statusCode: '16' }))],
    ];
    for (const [hours, booking] of expected) expect(await next(booking)).toBe(hours);
  });

  it('comes until the limit to pay of a hold whose trains the airline cancelled: they may run again', async () => {
    const limits = { payBy: at(20) };
    const lost = limited(limits, held, train(200, { statusCode: 'UN' }));
    expect(await next(lost)).toBe(0.9);
    expect(await next(lost, [lost, 20])).toBeUndefined();
    expect(await next(limited(limits, ticketed, train(200, { statusCode: 'UN' })), lost)).toBe(21.6);
    // Nobody takes back a cancellation of ours.
    expect(await next(limited(limits, held, train(200, { statusCode: '16' })))).toBeUndefined();
  });

  it('comes also where a departure has no zone, until its day is over everywhere', async () => {
    const departs = (text: string) => next(of(train(10, { departs: text })));
    expect(await departs('2026-12-01T08:00:00')).toBe(10.8);
    expect(await departs('2026-11-30T08:00:00')).toBe(0.9);
    expect(await departs('2026-11-29T08:00:00')).toBeUndefined();
  });

  it('confirms a reading that may have left out what shows that the booking is not over', async () => {
    const ended = limited({ payBy: at(-1) }, held);
    const left = limited({ payBy: at(-1) }, held, train(200), train(300, { statusCode: '16' }));
    const bare = { ...of(), options: [] };
    for (const one of [ended, left, bare]) {
      expect(await next(one)).toBe(0.9);
      expect(await next(one, [one, 0.9])).toBeUndefined();
      expect(await next(one, [of(), 0.9])).toBe(21.6);
    }
    const unpaid = limited({ payBy: at(1) }, held);
    expect(await next(unpaid, [unpaid, 2])).toBe(0.9);
    expect(await next(unpaid, [unpaid, 2], [unpaid, 3])).toBeUndefined();
  });

  it('is none once the booking is over, unless a refund is still awaited', async () => {
    const over = (orders: Booking['orders'] = []): Booking => ({ ...of(), cancelled: true, tickets: [], orders });
    for (const one of [trains(-1), over(), { ...over(), options: [] }, of(train(1, { departs: 'soon' }))])
      expect(await next(one)).toBeUndefined();
    const waiting = over([{ direction: 'REFUND', status: 'PENDING' }]);
    expect(await next(waiting, [waiting, 59 * 24])).toBe(21.6);
    expect(await next(waiting, [waiting, 60 * 24])).toBeUndefined();
    // Eight days after a paid booking was cancelled, by order or by ticket.
    const [paidFor, pending] = ['PAID', 'PENDING'].map((status) => [{ direction: 'PAYMENT', status }]);
    const byOrder = { ...of(), tickets: [], orders: paidFor ?? [] };
    const byTicket = { ...of(), orders: [] };
    for (const one of [byOrder, byTicket]) expect(await next(one, [{ ...one, cancelled: true }, 1])).toBe(21.6);
    expect(await next(byOrder, [over(paidFor), 1], [over(paidFor), 7.9 * 24])).toBe(21.6);
    expect(await next(byOrder, [over(paidFor), 1], [over(paidFor), 8 * 24 + 1])).toBeUndefined();
    expect(await next({ ...byOrder, orders: pending ?? [] }, [over(pending), 1])).toBeUndefined();
    expect(await next(over(paidFor))).toBeUndefined();
  });
});
