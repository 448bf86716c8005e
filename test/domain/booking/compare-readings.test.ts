import { describe, expect, it } from 'vitest';
import { compareReadings } from '../../../src/domain/booking/compare-readings.ts';
import type { ExpectedChange } from '../../../src/domain/booking/expected-change.ts';
import { type KeptReading, keptReading, sameReading } from '../../../src/domain/booking/kept-reading.ts';
import {
  BACK,
  type Booking,
  type Coupon,
  fare,
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
} from '../../support/bookings.ts';

const HOUR = 3_600_000;
const digest = (text: string) => `<${text}>`.padEnd(12, '.').slice(-12);
const keep = (booking: Booking, at = NOW): KeptReading => keptReading(booking, at, digest);
const LATER = NOW + 5 * 60_000;

const coupon = (segmentRef: string, over: Partial<Coupon> = {}): Coupon => ({
  ...{
    segmentRef,
    number: segmentRef,
    statusCode: 'O',
    coach: '4',
    seat: `1${segmentRef}`,
    providerTicket: `p${segmentRef}`,
  },
  ...over,
});
const ticket = (number: string, coupons: readonly Coupon[]): Ticket => ({
  ...{ number, travelerRefs: ['1'], segmentRefs: ['1', '2'], coupons, links: [] },
});
const TICKETS = [ticket('T1', [coupon('1'), coupon('2')])];
const paid = (over: Partial<Booking> = {}): Booking => held({ tickets: TICKETS, options: [OUT, BACK], ...over });
const out = (over: Partial<Segment>) => option(segment('1', over));

function changes(after: Booking, before: Booking = paid(), at = LATER) {
  return compareReadings(keep(before), keep(after, at)).differences;
}
const kinds = (after: Booking, before?: Booking, at?: number) => changes(after, before, at).map(({ kind }) => kind);

describe('a segment', () => {
  it('that the airline cancelled is found by any of its codes, and by its absence', () => {
    for (const statusCode of ['16', 'XX', '31', 'HX', 'UN', 'UC', 'NO', '46', '34']) {
      expect(kinds(paid({ options: [out({ statusCode }), BACK] }))).toEqual(['segment_cancelled']);
    }
    const [gone] = changes(paid({ options: [BACK] }));
    expect(gone).toMatchObject({
      kind: 'segment_cancelled',
      segment: { from: 'MED', to: 'JED', number: '101' },
      after: { status: 'no longer in the booking' },
      departsAt: Date.parse('2026-12-01T05:00:00Z'),
    });
  });

  it('with an unknown code, or without one, is as it was', () => {
    for (const statusCode of ['ZZ', '80', undefined]) {
      const { statusCode: _, ...plain } = segment('1');
      const options = [option({ ...plain, ...(statusCode !== undefined && { statusCode }) }), BACK];
      expect(kinds(paid({ options }))).toEqual([]);
    }
  });

  it('that moved is found with both times; one second or another form of the time is no move', () => {
    const moved = out({ departs: '2026-12-01T09:30:00.000+03:00', arrives: '2026-12-01T11:40:00.000+03:00' });
    expect(changes(paid({ options: [moved, BACK] }))[0]).toMatchObject({
      kind: 'retimed',
      before: { departs: '2026-12-01T08:00:00.000+03:00' },
      after: { departs: '2026-12-01T09:30:00.000+03:00', arrives: '2026-12-01T11:40:00.000+03:00' },
      departsAt: Date.parse('2026-12-01T06:30:00Z'),
    });
    const late = out({ arrives: '2026-12-01T10:40:00.000+03:00' });
    expect(changes(paid({ options: [late, BACK] }))[0]).toMatchObject({
      ...{ kind: 'retimed', before: { arrives: '2026-12-01T10:10:00.000+03:00' } },
      after: { arrives: '2026-12-01T10:40:00.000+03:00' },
    });
    expect(kinds(paid({ options: [out({ departs: '2026-12-01T05:00:00Z' }), BACK] }))).toEqual([]);
    expect(kinds(paid({ options: [out({ departs: '2026-12-01T05:00:01Z' }), BACK] }))).toEqual([]);
  });

  it('without a time that can be read is compared by its text', () => {
    const vague = paid({ options: [out({ departs: '2026-12-01T08:00', arrives: 'soon' }), BACK] });
    expect(kinds(vague, vague)).toEqual([]);
    expect(kinds(paid({ options: [out({ departs: '2026-12-01T09:00', arrives: 'soon' }), BACK] }), vague)).toEqual([
      'retimed',
    ]);
  });

  it('marked as a schedule change is found once, and not beside its new time', () => {
    const marked = paid({ options: [out({ statusCode: '51' }), BACK] });
    expect(kinds(marked)).toEqual(['schedule_change']);
    expect(kinds(marked, marked)).toEqual([]);
    const moved = { departs: '2026-12-01T09:30:00.000+03:00' };
    expect(kinds(paid({ options: [out({ ...moved, statusCode: '51' }), BACK] }))).toEqual(['retimed']);
    // The first reading of the new time had no code.
    const { statusCode: _, ...plain } = segment('1', moved);
    const first = compareReadings(keep(paid()), keep(paid({ options: [option(plain), BACK] }), LATER));
    const next = keep(paid({ options: [out({ ...moved, statusCode: '51' }), BACK] }), LATER + HOUR);
    expect(compareReadings(first.after, next).differences).toEqual([]);
  });

  it('under another number is found, also if another segment replaces it', () => {
    expect(changes(paid({ options: [out({ flightNumber: '119' }), BACK] }))[0]).toMatchObject({
      ...{ kind: 'number_changed', before: { number: '101' }, after: { number: '119' } },
    });
    expect(kinds(paid({ options: [out({ flightNumber: 'HHR0101' }), BACK] }))).toEqual([]);
    const other = segment('9', {
      flightNumber: '119',
      departs: '2026-12-01T12:00:00.000+03:00',
      arrives: '2026-12-01T14:00:00.000+03:00',
    });
    const [replaced] = changes(paid({ options: [option(segment('1', { statusCode: '16' })), option(other), BACK] }));
    expect(replaced).toMatchObject({ kind: 'number_changed', after: { number: '119', departs: other.departs } });
  });

  it('in another class is found; without a class it is as it was', () => {
    expect(changes(paid({ options: [out({ bookingClass: 'B' }), BACK] }))[0]).toMatchObject({
      ...{ kind: 'class_changed', before: { class: 'Y' }, after: { class: 'B' } },
    });
    const { bookingClass: _, ...plain } = segment('1');
    expect(kinds(paid({ options: [option(plain), BACK] }))).toEqual([]);
  });

  it('marked as not travelled is found, and matters for the later segments', () => {
    const [found] = changes(paid({ options: [out({ statusCode: '83' }), BACK] }), paid(), NOW + 60 * HOUR);
    expect(found).toMatchObject({ kind: 'no_show', departsAt: Date.parse('2026-12-05T15:00:00Z') });
    const before = paid({ options: [out({ statusCode: '83' }), BACK] });
    expect(kinds(before, before)).toEqual([]);
  });

  it('that has left, or was cancelled before and still is, is not compared', () => {
    const late = NOW + 60 * HOUR;
    expect(kinds(paid({ options: [out({ departs: '2026-12-01T09:30:00.000+03:00' }), BACK] }), paid(), late)).toEqual(
      [],
    );
    expect(kinds(paid({ options: [BACK] }), paid(), late)).toEqual([]);
    const cancelled = paid({ options: [out({ statusCode: '16' }), BACK] });
    expect(kinds(paid({ options: [BACK] }), cancelled)).toEqual([]);
    expect(kinds(paid(), cancelled)).toEqual(['segment_restored']);
  });

  it('keeps its identity under other pointers, in another order, twice a day and on another day', () => {
    const second = segment('3', { departs: '2026-12-02T08:00:00.000+03:00', arrives: '2026-12-02T10:10:00.000+03:00' });
    const before = paid({ options: [OUT, option(second), BACK], tickets: [] });
    const moved = { ...second, ref: '7', departs: '2026-12-02T08:20:00.000+03:00' };
    const after = paid({
      options: [
        option({ ...moved, optionRef: '7' }),
        option(segment('8')),
        option({ ...(BACK.segments[0] as Segment), ref: '9' }),
      ],
      tickets: [],
    });
    expect(changes(after, before).map(({ kind, segment: of }) => [kind, of?.departs])).toEqual([
      ['retimed', second.departs],
    ]);
    expect(kinds(paid({ options: [BACK, OUT] }))).toEqual([]);
  });
});

describe('a segment whose departure is past', () => {
  const leftAt = Date.parse('2026-12-01T05:30:00Z');
  const all = (...after: Segment[]) => changes(paid({ options: [option(...after)] }), paid(), leftAt);
  const back = BACK.segments[0] as Segment;

  it('is judged if it now departs later', () => {
    const departs = '2026-12-01T10:00:00.000+03:00';
    expect(all(segment('1', { departs }), back)).toMatchObject([
      { kind: 'retimed', departsAt: Date.parse('2026-12-01T07:00:00Z') },
    ]);
    expect(all(segment('1', { departs: '2026-12-01T08:20:00.000+03:00' }), back)).toEqual([]);
    expect(all(segment('3', { departs, flightNumber: '7' }), back)).toMatchObject([{ kind: 'number_changed' }]);
    expect(all(back)).toEqual([]);
  });

  it('that was cancelled is found, and no departure closes that', () => {
    const found = all(segment('1', { statusCode: '16' }), back);
    expect(found).toMatchObject([{ kind: 'segment_cancelled', after: { status: 'cancelled' } }]);
    expect(found[0]?.departsAt).toBeUndefined();
  });
});

describe('a connection', () => {
  const first = (over: Partial<Segment> = {}) => segment('1', over);
  const next = (over: Partial<Segment> = {}) =>
    segment('2', {
      ...{ from: 'JED', to: 'RUH', flightNumber: '300' },
      ...{ departs: '2026-12-01T11:00:00.000+03:00', arrives: '2026-12-01T13:00:00.000+03:00', ...over },
    });
  const trip = (...segments: Segment[]) => paid({ options: [option(...segments)], tickets: [] });
  const missed = (after: Booking) =>
    changes(after, trip(first(), next())).map(({ kind, missed: of }) => [kind, of?.map(({ number }) => number)]);

  it('is missed if the first segment arrives after the second leaves', () => {
    expect(missed(trip(first({ arrives: '2026-12-01T11:05:00.000+03:00' }), next()))).toEqual([['retimed', ['300']]]);
    expect(missed(trip(first({ arrives: '2026-12-01T10:55:00.000+03:00' }), next()))).toEqual([['retimed', undefined]]);
  });

  it('is missed if the second leaves earlier, once', () => {
    expect(missed(trip(first(), next({ departs: '2026-12-01T09:00:00.000+03:00' })))).toEqual([['retimed', ['300']]]);
    expect(
      missed(
        trip(first({ arrives: '2026-12-01T11:05:00.000+03:00' }), next({ departs: '2026-12-01T10:50:00.000+03:00' })),
      ),
    ).toEqual([
      ['retimed', ['300']],
      ['retimed', undefined],
    ]);
  });

  it('is missed if the first does not run, unless the second does not run either', () => {
    expect(missed(trip(first({ statusCode: '31' }), next()))).toEqual([['segment_cancelled', ['300']]]);
    expect(missed(trip(next()))).toEqual([['segment_cancelled', ['300']]]);
    expect(missed(trip(first({ statusCode: '31' }), next({ statusCode: '31' })))).toEqual([
      ['segment_cancelled', undefined],
      ['segment_cancelled', undefined],
    ]);
  });

  it('is judged by the segment that replaces a cancelled one', () => {
    const other = segment('4', {
      flightNumber: '119',
      departs: '2026-12-01T08:30:00.000+03:00',
      arrives: '2026-12-01T10:40:00.000+03:00',
    });
    expect(missed(trip(first({ statusCode: '31' }), other, next()))).toEqual([['number_changed', undefined]]);
  });

  it('is judged after the first departure too, as long as the second is ahead', () => {
    const leftAt = Date.parse('2026-12-01T05:30:00Z');
    const flying = (...segments: Segment[]) => paid({ options: [option(...segments)] });
    const later = (one: Segment, at = leftAt) => changes(flying(one, next()), flying(first(), next()), at);
    const late = first({ arrives: '2026-12-01T11:05:00.000+03:00' });
    expect(later(late)).toMatchObject([
      { kind: 'retimed', missed: [{ number: '300' }], departsAt: Date.parse('2026-12-01T08:00:00Z') },
    ]);
    expect(later(first({ arrives: '2026-12-01T10:55:00.000+03:00' }))).toEqual([]);
    expect(later(late, Date.parse('2026-12-01T08:00:00Z'))).toEqual([]);
    // The flown segment is left out: nothing is missed by that.
    const flown = flying(next({ departs: '2026-12-01T11:20:00.000+03:00' }));
    expect(changes(flown, flying(first(), next()), leftAt)).toEqual([
      expect.not.objectContaining({ missed: expect.anything() }),
    ]);
  });

  it('is none to a journey days later, or without a time', () => {
    expect(
      changes(paid({ options: [out({ arrives: '2026-12-05T19:00:00.000+03:00' }), BACK] }))[0]?.missed,
    ).toBeUndefined();
    expect(missed(trip(first({ arrives: 'late' }), next()))).toEqual([['retimed', undefined]]);
  });
});

describe('a ticket', () => {
  const withCoupons = (...coupons: Coupon[]) => paid({ tickets: [ticket('T1', coupons)] });

  it('whose coupon closed is found; flown or checked in is the way of every ticket', () => {
    for (const statusCode of ['S', 'U', 'V', 'R', 'Z']) {
      expect(kinds(withCoupons(coupon('1', { statusCode }), coupon('2')))).toEqual(
        // A refunded coupon is a refund of the booking too.
        statusCode === 'R' ? expect.arrayContaining(['coupon_closed']) : ['coupon_closed'],
      );
    }
    for (const statusCode of ['C', 'L', 'F', 'A', 'Q'])
      expect(kinds(withCoupons(coupon('1', { statusCode }), coupon('2')))).toEqual([]);
  });

  it('that was issued again is as good as the old one', () => {
    const again = paid({
      tickets: [ticket('T1', [coupon('1', { statusCode: 'E' }), coupon('2')]), ticket('T2', [coupon('1')])],
    });
    expect(kinds(again)).toEqual([]);
  });

  it('of a segment that does not run is not told beside it', () => {
    const after = withCoupons(coupon('1', { statusCode: 'S' }), coupon('2'));
    expect(kinds({ ...after, options: [out({ statusCode: '31' }), BACK] })).toEqual(['segment_cancelled']);
  });

  it('with another seat, or with none, is found; a stripped one is as it was', () => {
    expect(changes(withCoupons(coupon('1', { coach: '5', seat: '9' }), coupon('2')))[0]).toMatchObject({
      ...{ kind: 'seat_changed', before: { seat: '4/11' }, after: { seat: '5/9' } },
    });
    const { seat: _s, coach: _c, ...none } = coupon('1');
    expect(changes(withCoupons(none, coupon('2')))[0]).toMatchObject({ kind: 'seat_changed', after: { seat: '' } });
    const { providerTicket: _p, ...bare } = none;
    expect(kinds(withCoupons(bare, coupon('2')))).toEqual([]);
    const { coach: _, ...onPlane } = coupon('1', { seat: '12A' });
    expect(changes(withCoupons(onPlane, coupon('2')))[0]).toMatchObject({ after: { seat: '12A' } });
    expect(kinds(withCoupons(coupon('1'), coupon('2')), withCoupons(none, coupon('2')))).toEqual([]);
  });

  it('without coupon numbers is known by its segment, and one without a number at all is not compared', () => {
    const numberless = (ref: string, statusCode: string): Coupon => ({ segmentRef: ref, statusCode });
    const before = paid({ tickets: [ticket('T1', [numberless('1', 'O'), numberless('9', 'O')])] });
    const after = paid({ tickets: [ticket('T1', [numberless('1', 'S'), numberless('9', 'S')])] });
    expect(kinds(after, before)).toEqual(['coupon_closed']);
    const limits = paid({ tickets: [ticket('', [coupon('1', { statusCode: 'S' })]), ...TICKETS] });
    expect(kinds(limits, limits)).toEqual([]);
  });
});

describe('money and limits', () => {
  const refund = (status: string, id = 'r1'): Order => ({ id, direction: 'REFUND', status, amount: sar(5000) });
  const payment: Order = { id: 'p1', direction: 'PAYMENT', status: 'PAID', amount: sar(69000) };

  it('finds a refund, its arrival, and that it does not arrive', () => {
    const before = paid({ orders: [payment] });
    const pending = paid({ orders: [payment, refund('PENDING')] });
    expect(changes(pending, before)[0]).toMatchObject({
      kind: 'refunded',
      after: { amount: '50.00', currency: 'SAR', status: 'pending' },
    });
    const first = compareReadings(keep(before), keep(pending, LATER)).after;
    const soon = compareReadings(first, keep(pending, LATER + HOUR));
    expect(soon.differences).toEqual([]);
    const late = keep(pending, LATER + 14 * 24 * HOUR);
    expect(compareReadings(soon.after, late).differences.map(({ kind }) => kind)).toEqual(['refund_pending']);
    const arrived = keep(paid({ orders: [payment, refund('PAID')] }), LATER + HOUR);
    expect(compareReadings(soon.after, arrived).differences.map(({ kind, departsAt }) => [kind, departsAt])).toEqual([
      ['refund_arrived', undefined],
    ]);
  });

  it('finds once that a train runs again after we cancelled the whole booking', () => {
    const own = { id: 'op', change: { kind: 'cancel_booking' } as ExpectedChange, doneAt: NOW };
    const cancelled = paid({
      options: [out({ statusCode: '16' }), option({ ...BACK.segments[0], statusCode: '16' } as never)],
    });
    const again = paid({ options: [out({}), ...cancelled.options.slice(1)] });
    let known = keep(paid());
    const found = [cancelled, again, again, again, again].map((booking, i) => {
      const { after, differences } = compareReadings(known, keep(booking, NOW + (i + 2) * HOUR), undefined, [own]);
      known = after;
      return differences.map(({ kind }) => kind);
    });
    expect(found).toEqual([[], ['segment_restored'], [], [], []]);
  });

  it('knows an order without an id by its amount, and a refund that only the price shows', () => {
    const { id: _, ...plain } = refund('PENDING');
    const before = paid({ orders: [payment, plain] });
    expect(kinds(before, before)).toEqual([]);
    expect(kinds(paid({ orders: [payment, { ...plain, status: 'PAID' }] }), before)).toEqual(['refund_arrived']);
    const stated = held().pricing;
    const refunds = [{ amount: sar(100) }];
    const after = paid({ ...(stated && { pricing: { ...stated, refunds } }) } as Partial<Booking>);
    expect(changes(after)[0]).toMatchObject({ kind: 'refunded', after: {} });
    const unknown = paid({ orders: [{ direction: 'REFUND' }] });
    expect(changes(unknown, paid({ orders: [payment] }))[0]).toMatchObject({ kind: 'refunded', after: {} });
  });

  it('tells a refund once, whichever of price and orders a reading left out', () => {
    const stated = held().pricing;
    const pricing = stated && { ...stated, refunds: [{ amount: sar(5000) }] };
    const all = { ...(pricing && { pricing }), orders: [payment, refund('PAID')] };
    const sequences: Partial<Booking>[][] = [
      [{ ...all, orders: [] }, all],
      [{ orders: all.orders }, all],
      [all, { ...all, orders: [] }, all],
      [all, { orders: all.orders }, all],
    ];
    for (const readings of sequences) {
      const told: string[] = [];
      let known = keep(paid({ ...(stated && { pricing: stated }), orders: [payment] }));
      readings.forEach((reading, i) => {
        const { after, differences } = compareReadings(known, keep(paid(reading), LATER + i));
        told.push(...differences.map(({ kind }) => kind));
        known = after;
      });
      expect(told).toEqual(['refunded']);
      const second = keep(paid({ ...all, orders: [...all.orders, refund('PAID', 'r2')] }), LATER + HOUR);
      expect(compareReadings(known, second).differences.map(({ kind }) => kind)).toEqual(['refunded']);
    }
  });

  it('tells equal refunds without an id apart by their status', () => {
    const { id: _, ...plain } = refund('PENDING');
    const paidOut = { ...plain, status: 'PAID' };
    const first = keep(paid({ orders: [plain, paidOut] }));
    for (const orders of [
      [plain, paidOut],
      [paidOut, plain],
    ]) {
      const { after, differences } = compareReadings(first, keep(paid({ orders }), LATER));
      expect(differences).toEqual([]);
      expect(after.orders.map(({ pendingSince }) => pendingSince).filter(Boolean)).toEqual([NOW]);
    }
    expect(kinds(paid({ orders: [paidOut, paidOut] }), paid({ orders: [plain, paidOut] }))).toEqual(['refund_arrived']);
  });

  it('finds another price of a hold, and no other price', () => {
    const { pricing } = held();
    const dearer = { pricing: { ...pricing, total: price(sar(75000)) } } as Partial<Booking>;
    expect(changes(held(dearer), held())[0]).toMatchObject({
      ...{ kind: 'price_changed', before: { amount: '690.00', currency: 'SAR' }, after: { amount: '750.00' } },
    });
    expect(kinds(paid(dearer))).toEqual([]);
  });

  const withFares = (over: Parameters<typeof fare>[3]): Partial<Booking> =>
    ({ pricing: { ...held().pricing, fares: [fare('1', 'MED', 'JED', over)] } }) as Partial<Booking>;

  it('finds a limit that moved by itself, and tells one that moved with its departure there', () => {
    const before = paid(withFares({}));
    const after = withFares({ namesUntil: '2026-11-29T12:00:00Z' });
    expect(changes(paid(after), before)).toEqual([
      expect.objectContaining({
        kind: 'deadline_moved',
        deadlines: [{ what: 'names_until', before: '2026-11-30T00:00:00Z', after: '2026-11-29T12:00:00Z' }],
      }),
    ]);
    const moved = paid({ ...after, options: [out({ departs: '2026-12-01T06:00:00.000+03:00' }), BACK] });
    expect(changes(moved, before).map(({ kind, deadlines }) => [kind, deadlines?.length])).toEqual([['retimed', 1]]);
    expect(kinds(held(withFares({ payBy: '2026-11-29T05:15:00Z' })), held(withFares({})))).toEqual(['deadline_moved']);
  });

  it('finds price and limit of a hold also after the airline cancelled a segment, and none of a paid booking', () => {
    const options = [out({ statusCode: 'UN' }), BACK];
    const hold = (over: Partial<Booking> = {}) => held({ options, ...over });
    const dearer = { pricing: { ...held().pricing, total: price(sar(75000)) } } as Partial<Booking>;
    expect(kinds(hold(dearer), hold())).toEqual(['price_changed']);
    const sooner = withFares({ payBy: '2026-11-29T05:15:00Z' });
    expect(kinds(hold(sooner), hold(withFares({})))).toEqual(['deadline_moved']);
    // The price of what is left, told by the cancellation.
    expect(kinds(hold(dearer), held())).toEqual(['segment_cancelled']);
    expect(kinds(hold({ cancelled: true }), hold(), NOW + HOUR)).toEqual([]);
    const orders = [{ direction: 'PAYMENT', status: 'PAID', amount: sar(69000) }];
    expect(kinds(hold({ ...dearer, orders }), hold({ orders }))).toEqual([]);
    const paidHold = keep(hold({ orders }));
    const limit = '2026-11-29T05:25:00Z';
    const before = { ...paidHold, payBy: limit };
    expect(compareReadings(before, keep(hold({ ...dearer, orders }), LATER)).differences).toEqual([]);
    expect(kinds(paid({ ...dearer, options }), paid({ options }))).toEqual([]);
    const withTickets = { ...keep(paid({ options })), payBy: limit };
    expect(compareReadings(withTickets, keep(paid({ ...dearer, options }), LATER)).differences).toEqual([]);
  });

  it('ignores a limit that has passed, is missing, or belongs to another state', () => {
    const before = paid(withFares({ namesUntil: '2026-11-29T05:01:00Z' }));
    expect(kinds(paid(withFares({ namesUntil: '2026-12-01T00:00:00Z' })), before)).toEqual([]);
    const { pricing: _, ...bare } = paid();
    expect(kinds(bare, before)).toEqual([]);
    expect(kinds(paid(withFares({ namesUntil: '2026-12-01T00:00:00Z' })), held(withFares({})))).toEqual([]);
  });

  it('finds a whole booking that the airline cancelled, and nothing if a hold lapsed as announced', () => {
    expect(changes(held({ cancelled: true, options: [] }), held())[0]).toMatchObject({
      ...{ kind: 'booking_cancelled', before: { status: 'held' } },
    });
    const lapsed = held({ cancelled: true, options: [out({ statusCode: '16' }), BACK] });
    expect(kinds(lapsed, held(), NOW + HOUR)).toEqual([]);
    expect(kinds(held(), held(), NOW + HOUR)).toEqual([]);
    const expired = keep(held(), NOW + HOUR);
    expect(compareReadings(expired, keep(lapsed, NOW + 2 * HOUR)).differences).toEqual([]);
    expect(
      kinds(
        held({ ...withFares({ payBy: 'never' }), cancelled: true, options: [] }),
        held(withFares({ payBy: 'never' })),
      ),
    ).toEqual(['booking_cancelled']);
  });

  it('tells of a cancelled booking until its last departure, or for good once that is past', () => {
    const over = paid({ cancelled: true, options: [] });
    expect(changes(over)).toMatchObject([{ kind: 'booking_cancelled', departsAt: Date.parse('2026-12-05T15:00:00Z') }]);
    const [late] = changes(over, paid(), Date.parse('2026-12-06T15:00:00Z'));
    expect([late?.kind, late?.departsAt]).toEqual(['booking_cancelled', undefined]);
    const [vague] = changes(over, paid({ options: [] }));
    expect([vague?.kind, vague?.departsAt]).toEqual(['booking_cancelled', undefined]);
  });

  it('finds that a passenger is gone', () => {
    const [first] = held().travelers;
    const two = paid({ travelers: [first, { ...first, ref: '2' }] as Booking['travelers'] });
    expect(changes(paid(), two)[0]).toMatchObject({
      kind: 'passenger_gone',
      before: { passengers: 2 },
      after: { passengers: 1 },
    });
    expect(kinds(paid({ travelers: [] }), two)).toEqual([]);
  });
});

describe('what is kept', () => {
  it('stays known while replies leave it out', () => {
    const before = keep(paid({ orders: [{ id: 'p1', direction: 'PAYMENT', status: 'PAID', amount: sar(1) }] }));
    const { pricing: _, contact: _c, ...bare } = paid({ tickets: [], travelers: [], orders: [], options: [] });
    const { after, differences } = compareReadings(before, keep(bare, LATER));
    expect(differences).toEqual([]);
    expect(sameReading(before, after)).toBe(true);
    const noTickets = compareReadings(before, keep(paid({ tickets: [] }), LATER));
    expect(noTickets.differences).toEqual([]);
    expect(compareReadings(noTickets.after, keep(paid(), LATER)).differences).toEqual([]);
    expect(noTickets.after.state).toBe('ticketed');
  });

  /** The kinds that each reading after the first one shows. */
  const kindsOf = (...bookings: readonly Booking[]) => {
    const [first, ...later] = bookings.map((booking, i) => keep(booking, NOW + i * HOUR));
    let known = first as KeptReading;
    return later.map((reading) => {
      const { after, differences } = compareReadings(known, reading);
      known = after;
      return differences.map(({ kind }) => kind);
    });
  };

  it('has no limits of a segment before it moved, and compares limits only where segments show why they move', () => {
    const { pricing } = held();
    const until = (cancelUntil: string) =>
      ({ pricing: { ...pricing, fares: [fare('1', 'MED', 'JED', { cancelUntil })] } }) as Partial<Booking>;
    const before = paid(until('2026-11-30T05:00:00Z'));
    const moved = [out({ departs: '2026-12-01T09:30:00.000+03:00' }), BACK];
    const { pricing: _, ...bare } = paid({ options: moved });
    const after = paid({ options: moved, ...until('2026-11-30T06:30:00Z') });
    expect(kindsOf(before, bare, after)).toEqual([['retimed'], []]);
    expect(kindsOf(before, { ...after, options: [] }, after)).toEqual([[], ['retimed']]);
    // Neither segments without codes nor those without classes show why.
    const later = until('2026-12-04T05:00:00Z');
    const { statusCode: _s, ...uncoded } = segment('1');
    const { bookingClass: _c, ...classless } = segment('1');
    for (const [part, over, kind] of [
      [uncoded, { statusCode: '16' }, 'segment_cancelled'],
      [classless, { bookingClass: 'C' }, 'class_changed'],
    ] as const) {
      const first = paid({ options: [option(part), BACK], ...later });
      expect(kindsOf(before, first, paid({ options: [out(over), BACK], ...later }))).toEqual([[], [kind]]);
    }
    // Where no reading shows codes, limits are compared.
    const codeless = { options: [option(uncoded), BACK] };
    expect(kindsOf({ ...before, ...codeless }, paid({ ...codeless, ...later }))).toEqual([['deadline_moved']]);
    // The limit that came with the new time is compared.
    const again = paid({ options: moved, ...until('2026-11-30T02:00:00Z') });
    expect(kindsOf(before, after, again)).toEqual([['retimed'], ['deadline_moved']]);
  });

  it('stays cancelled while a reply leaves out the codes of its segments, until one of them runs', () => {
    const gone = (statusCode?: string) => {
      const options = [OUT, BACK].map((one) =>
        option(
          ...one.segments.map(({ statusCode: _, ...it }) => ({
            ...it,
            ...(statusCode !== undefined && { statusCode }),
          })),
        ),
      );
      return paid({ options, orders: [{ id: 'r', direction: 'REFUND', status: 'PAID', amount: sar(1) }] });
    };
    expect(kindsOf(gone('16'), gone(), gone('16'))).toEqual([[], []]);
    const { after } = compareReadings(keep(gone('16')), keep(gone('30'), LATER));
    expect(after.state).toBe('partly_cancelled');
  });

  it('has the time since when it is cancelled', () => {
    const over = paid({ cancelled: true, options: [] });
    const first = compareReadings(keep(paid()), keep(over, LATER)).after;
    expect(first.cancelledAt).toBe(LATER);
    expect(compareReadings(first, keep(over, LATER + HOUR)).after.cancelledAt).toBe(LATER);
    expect(compareReadings(first, keep(paid(), LATER + HOUR)).after.cancelledAt).toBeUndefined();
  });

  it('has no seats of another flight or class, also if the first reply about it shows none', () => {
    const bare = [
      ticket('T1', [
        { segmentRef: '1', number: '1' },
        { segmentRef: '2', number: '2' },
      ]),
    ];
    const seats = [ticket('T1', [coupon('1', { seat: '77' }), coupon('2')])];
    const later = (over: Partial<Segment>) =>
      [[], bare].map((tickets) => {
        const options = [out(over), BACK];
        return kindsOf(paid(), paid({ options, tickets }), paid({ options, tickets: seats }))[1];
      });
    const [departs, arrives] = ['2026-12-01T12:00:00.000+03:00', '2026-12-01T14:00:00.000+03:00'];
    const nextDay = { departs: '2026-12-02T08:00:00.000+03:00', arrives: '2026-12-02T10:10:00.000+03:00' };
    for (const other of [{ bookingClass: 'C' }, { flightNumber: '119', departs, arrives }, nextDay])
      expect(later(other)).toEqual([[], []]);
    const farAway = { departs: '2026-12-03T12:00:00.000+03:00', arrives: '2026-12-03T14:00:00.000+03:00' };
    expect(later({ flightNumber: '119', ...farAway })).toEqual([[], []]);
    // The same flight: its seats changed.
    for (const same of [{}, { departs, arrives }, { flightNumber: '119' }])
      expect(later(same)).toEqual([['seat_changed'], ['seat_changed']]);
    const { bookingClass: _, ...plain } = segment('1');
    const stripped = paid({ options: [option(plain), BACK], tickets: [] });
    expect(kindsOf(paid(), stripped, paid({ tickets: seats }))).toEqual([[], ['seat_changed']]);
    expect(kindsOf(stripped, paid(), paid({ tickets: seats }))).toEqual([[], ['seat_changed']]);
  });

  it('has coupons in the order of the segments that the last reply showed', () => {
    const again = compareReadings(keep(paid()), keep(paid({ options: [BACK, OUT], tickets: [] }), LATER)).after;
    expect(again.coupons.map(({ segment: place }) => place)).toEqual([1, 0]);
    const without = compareReadings(keep(paid()), keep(paid({ options: [BACK], tickets: [] }), LATER)).after;
    expect(without.coupons.map(({ segment: place }) => place)).toEqual([undefined, 0]);
    // A coupon of no segment stays as it was.
    const loose = keep(paid({ tickets: [ticket('T1', [coupon('9')])] }));
    expect(compareReadings(loose, keep(paid({ tickets: [] }), LATER)).after.coupons).toEqual(loose.coupons);
  });

  it('is the same for the same booking later, and another after a change', () => {
    expect(sameReading(keep(paid()), keep(paid(), LATER))).toBe(true);
    expect(sameReading(keep(paid()), keep(paid({ travelers: [] }), LATER))).toBe(false);
  });

  it('names nobody', () => {
    const text = JSON.stringify(keep(paid()));
    for (const { name, document } of paid().travelers) {
      for (const secret of [name?.surname, document?.number]) if (secret) expect(text).not.toContain(secret);
    }
  });

  it('takes a reply without segments for cancelled only by the airline’s own word', () => {
    const refunds = [{ id: 'r', direction: 'REFUND', status: 'PAID', amount: sar(1) }];
    expect(keep(paid({ options: [], tickets: [], orders: refunds })).state).toBe('unknown');
    expect(keep(paid({ options: [], cancelled: true })).state).toBe('cancelled');
  });
});
