/** What is reported after an operation of our own: everything that the operation did not ask for, at any time, once. */

import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqliteState } from '../../src/store/sqlite/state.ts';
import { expectAssignedSeats } from '../../src/tools/acts/assign-seats.ts';
import { expectCancelledPassengers, expectCancelledSegments } from '../../src/tools/acts/cancellation-evidence.ts';
import { expectPayment } from '../../src/tools/acts/payment-evidence.ts';
import { expectRebookedSegment } from '../../src/tools/acts/rebook-segment.ts';
import { noteSettled } from '../../src/tools/index.ts';
import { compareReading, readSoon } from '../../src/watching/store-findings.ts';
import { newOperation } from '../store/support/new-operation.ts';
import {
  asRead,
  BACK,
  coupons,
  fare,
  faresOf,
  gone,
  held,
  inStatus,
  NOW,
  OUT,
  option,
  price,
  pricing,
  rule,
  sar,
  segment,
  ticketed,
} from '../support/bookings.ts';
import { traveler } from '../support/people.ts';
import { ACTS } from '../support/rules.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const digest = (text: string) => createHash('sha256').update(text).digest('base64url');
type State = Awaited<ReturnType<typeof openSqliteState>>;
type Booking = ReturnType<typeof ticketed>;
type Subject = Parameters<State['operations']['insert']>[0]['subject'];
type Outcome = NonNullable<Parameters<State['operations']['transition']>[1]['patch']['outcome']>;

let state: State;
beforeEach(async () => {
  state = await openSqliteState(':memory:', { now: () => NOW });
});
afterEach(() => state.close());

/** The kinds that the reading tells. */
async function told(booking: Booking, at: number): Promise<readonly string[]> {
  const comparer = { acts: ACTS, state, digest };
  return (await compareReading(comparer, { tenant: 't', id: 'ann' }, asRead(booking), { begunAt: at })).found.map(
    ({ kind }) => kind,
  );
}

async function dispatch(subject: Subject, at: number, id = 'op'): Promise<void> {
  const own = { tenant: 't', locator: 'ABC123', subject };
  await state.operations.insert(newOperation(id, own), { now: at, owner: 'p', leaseUntil: at + MINUTE });
  await state.operations.transition(
    id,
    { from: ['intent'], to: 'dispatched', patch: { dispatchedAt: at } },
    { now: at, actor: 'p' },
  );
}

const settle = (at: number, outcome: Outcome = {}, id = 'op') =>
  state.operations.transition(
    id,
    { from: ['dispatched'], to: 'succeeded', patch: { outcome } },
    { now: at, actor: 'p' },
  );

async function succeed(subject: Subject, at: number, outcome: Outcome = {}, id = 'op'): Promise<void> {
  await dispatch(subject, at, id);
  await settle(at, outcome, id);
}

const PAIR = [traveler('1', 'Amal', 'Haddad'), traveler('2', 'Noor', 'Haddad')];
const couple = (over: Partial<Booking> = {}) => ticketed({ travelers: PAIR, ...over });

/** Changes the coupons of one passenger on one segment. */
function coupon(
  booking: Booking,
  who: string,
  ref: string,
  change: ReturnType<Parameters<typeof coupons>[1]>,
): Booking {
  const isTheirs = (ticket: number) => booking.tickets[ticket]?.travelerRefs.includes(who) === true;
  const tickets = coupons(booking, ({ segmentRef }, ticket) => (isTheirs(ticket) && segmentRef === ref ? change : {}));
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

interface Promised {
  readonly baggage?: string;
  /** Of a cancellation of the second flight. */
  readonly fee?: number;
  /** When it ends that the second flight can be cancelled. */
  readonly until?: string;
}

const costs = (minor: number, of: Promised = {}): Partial<Booking> => {
  const { baggage = '1 PC', fee = 4000, until = '2026-12-04T02:00:00Z' } = of;
  const refundRules = [rule({ base: sar(fee), until: '2026-12-05T15:00:00Z' })];
  const fares = faresOf({}, { refundRules, cancelUntil: until });
  return { pricing: { ...pricing(minor, { fares }), total: price(sar(minor), { baggage: [baggage] }) } };
};
const OTHER_LIMIT = '2026-12-03T02:00:00Z';

/** The first train cancelled and refunded in its coupons. */
const withoutFirst = () => gone(couple(), ['1']);

type Reading = readonly [booking: Booking, later: number, ...kinds: string[]];

/** Reads, carries the operation out a minute later, and says of each reading what it tells, so long after the first one. */
async function story(before: Booking, did: Subject, readings: readonly Reading[], outcome?: Outcome) {
  await told(before, NOW);
  await succeed(did, NOW + MINUTE, outcome);
  const tells: string[][] = [];
  for (const [booking, later] of readings) tells.push([...(await told(booking, NOW + later))]);
  expect(tells).toEqual(readings.map(([, , ...kinds]) => kinds));
}
const JUST = MINUTE + 1;
const newest = async () => {
  const [finding] = await state.findings.open('t', NOW);
  return [finding?.before, finding?.after];
};

describe('after a change of names', () => {
  it('an exchanged ticket waits for the new one, and is reported if none comes', () => {
    const travelers = [traveler('1', 'Sara', 'Haddad'), PAIR[1] as (typeof PAIR)[1]];
    const exchanged = coupon(couple({ travelers }), '1', '1', { statusCode: 'E' });
    return story(
      couple(),
      { kind: 'change_names', changes: [{ ref: '1', details: ['name'], was: 'a', wanted: 'b' }] },
      [
        [exchanged, 2 * MINUTE],
        [exchanged, 2 * HOUR, 'coupon_closed'],
      ],
    );
  });
});

describe('after seats were chosen', () => {
  const choice = (seat: string) =>
    expectAssignedSeats(seats('12A', '12B'), [{ segmentRef: '1', travelerRef: '1', seat }], digest);

  it('the seat of another passenger is reported alone, with the one that was chosen before it was moved', async () => {
    await story(seats('12A', '12B'), choice('14C'), [[seats('14C', '3D'), JUST, 'seat_changed']]);
    expect(await newest()).toEqual([{ seat: '4/12B' }, { seat: '4/3D' }]);
    await succeed(choice('15C'), NOW + HOUR, {}, 'again');
    expect(await told(seats('20F', '3D'), NOW + HOUR + 1)).toEqual(['seat_changed']);
    expect(await newest()).toEqual([{ seat: '4/15C' }, { seat: '4/20F' }]);
  });

  it('a reading that still shows the old seat waits, and is reported once it must have shown the new one', () =>
    story(seats('12A', '12B'), choice('14C'), [
      [seats('12A', '12B'), 2 * MINUTE],
      [seats('12A', '12B'), DAY, 'seat_changed'],
      [seats('12A', '12B'), 30 * HOUR],
    ]));
});

const EUROS = { id: 'r0', direction: 'REFUND', amount: { minor: 7_500, currency: 'EUR' } };

describe('after a train was cancelled', () => {
  const FIRST = expectCancelledSegments(couple(), ['1']);
  const REFUND: Outcome = { refund: { amount: sar(30_000) } };
  const refunded = (...amounts: number[]) => withRefunds(withoutFirst(), ...amounts);
  const reads = (readings: readonly Reading[], outcome?: Outcome) => story(couple(), FIRST, readings, outcome);

  it('its refund is none, also a day later, and a second one is reported', () =>
    reads(
      [
        [withoutFirst(), JUST],
        [refunded(30_000), 30 * HOUR],
        [refunded(30_000, 30_000), 60 * HOUR, 'refunded'],
        [refunded(30_000, 30_000), 61 * HOUR],
      ],
      REFUND,
    ));

  it('a refund of another sum is reported, and its own is none when it comes', () =>
    reads(
      [
        [refunded(500), HOUR, 'refunded'],
        [refunded(500, 30_000), DAY],
      ],
      REFUND,
    ));

  it('a refund in another currency than was approved is reported, where the airline first states none', async () => {
    const euros = { ...withoutFirst(), orders: [...withoutFirst().orders, { ...EUROS, status: 'PAID' }] };
    await reads(
      [
        [withoutFirst(), JUST],
        [euros, 2 * HOUR, 'refunded'],
        [euros, DAY],
      ],
      { estimate: { amount: sar(30_000), rule: 'By its rules.' } },
    );
    expect((await newest())[1]).toMatchObject({ amount: '75.00', currency: 'EUR' });
  });

  it('a refund is the airline’s where nothing was to come back', () =>
    reads([[refunded(500), HOUR, 'refunded']], { estimate: { amount: sar(0), rule: 'Not refundable.' } }));

  it('two refunds at once are one of ours and one of the airline', async () => {
    await reads([[refunded(500, 30_000), HOUR, 'refunded']], REFUND);
    expect((await newest())[1]).toMatchObject({ amount: '5.00' });
  });

  it('a refund in two orders of its sum is none', () =>
    reads(
      [
        [refunded(20_000, 10_000), HOUR],
        [refunded(20_000, 10_000, 500), DAY, 'refunded'],
      ],
      REFUND,
    ));

  it('is recognized by its refunded tickets if the reading leaves its status out', () => {
    const { statusCode: _, ...plain } = segment('1');
    return reads([
      [{ ...withoutFirst(), options: [option(plain), BACK] }, JUST],
      [withoutFirst(), DAY],
    ]);
  });

  it('is recognized under other pointers', () => {
    const [one, two] = [segment('7', { statusCode: '16' }), { ...BACK.segments[0], ref: '1' }];
    return reads([[{ ...couple(), tickets: [], options: [option(one), option(two as never)] }, JUST]]);
  });
});

describe('while a booking whose trains the airline cancelled is being refunded', () => {
  const lost = couple({ options: [OUT, BACK].map((one) => inStatus(one, '16', { owed: true })) });
  const over = gone(couple(), ['1', '2']);
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
  const gone = segment('1', { flightNumber: '101', statusCode: '16' });
  const rows = (old: Partial<typeof gone>, runs: Partial<typeof gone>) =>
    couple({
      options: [option({ ...gone, ...old }), option({ ...segment('2', { flightNumber: '105' }), ...runs })],
      tickets: [],
    });
  const OTHER_CLASS = { flightNumber: '105', bookingClass: 'Y' };

  it.each([
    ['whichever row comes first', {}, {}],
    ['in its class', OTHER_CLASS, { bookingClass: 'C', statusCode: '30' }],
  ])('was cancelled, it is none, %s', (_title, old, runs) =>
    story(rows(old, runs), expectCancelledSegments(rows(old, runs), ['2']), [
      [rows(old, { ...runs, statusCode: '16' }), JUST],
    ]),
  );
});

describe('after a train was rebooked', () => {
  const fresh = segment('1', {
    ...{ flightNumber: '119', departs: '2026-12-01T10:00:00.000+03:00', arrives: '2026-12-01T12:10:00.000+03:00' },
  });
  const rebooked = (over: Partial<typeof fresh> = {}) => couple({ options: [option({ ...fresh, ...over }), BACK] });
  const old = couple().options[0]?.segments[0] as typeof fresh;
  const REBOOK = expectRebookedSegment(couple(), old, fresh);
  const LATE = { departs: '2026-12-01T10:45:00.000+03:00', arrives: '2026-12-01T12:55:00.000+03:00' };

  it('limits that the first reading of it leaves out are compared with none of the old train', () => {
    const until = (namesUntil: string, booking: Booking) => ({
      ...booking,
      pricing: pricing(69000, { fares: [fare('1', 'MED', 'JED', { namesUntil })] }),
    });
    const { pricing: _, ...unpriced } = rebooked();
    return story(until('2026-11-30T12:00:00Z', couple()), REBOOK, [
      [unpriced, JUST],
      [until('2026-11-30T06:00:00Z', rebooked()), HOUR],
      [until('2026-11-30T03:00:00Z', rebooked()), 2 * HOUR, 'deadline_moved'],
    ]);
  });

  it('the limit for cancelling a connection goes by its first departure', async () => {
    const onward = segment('2', {
      ...{ flightNumber: '301', from: 'JED', to: 'RUH' },
      ...{ departs: '2026-12-01T15:00:00.000+03:00', arrives: '2026-12-01T16:40:00.000+03:00' },
    });
    const connection = (first: typeof fresh, cancelUntil: string): Booking => ({
      ...couple({ tickets: [], options: [option(first, onward)] }),
      pricing: pricing(69000, { fares: [fare('1', 'MED', 'RUH', { cancelUntil })] }),
    });
    const was = connection(segment('1'), '2026-12-01T04:00:00Z');
    const flight = was.options[0]?.segments[0] as typeof fresh;
    const did = expectRebookedSegment(was, flight, fresh, { byOffer: { totals: [sar(69000)] } });
    await story(was, did, [
      [connection(fresh, '2026-12-01T06:00:00Z'), JUST],
      [connection(fresh, '2026-12-01T05:00:00Z'), HOUR, 'deadline_moved'],
    ]);
  });

  it('what the airline did to it before any reading is reported as well', async () => {
    await story(couple(), REBOOK, [[rebooked(LATE), JUST, 'retimed']]);
    expect((await state.findings.open('t', NOW))[0]?.segment?.number).toBe('119');
  });

  describe('what the offer comes to', () => {
    const paid = (minor: number) => ({ id: `o${minor}`, direction: 'PAYMENT', status: 'PAID', amount: sar(minor) });
    const BEFORE = { ...couple(costs(69000)), orders: [paid(69000)] };
    const BY_OFFER = { totals: [sar(70000), sar(74600)], baggage: ['2 PC'] };
    const subject = expectRebookedSegment(BEFORE, old, fresh, { byOffer: BY_OFFER });
    const shown = (...of: Parameters<typeof costs>) => ({
      ...rebooked(),
      ...costs(...of),
      orders: [paid(69000), paid(5600)],
    });

    it.each([
      ['that of the offer', 70000],
      ['with the fee', 74600],
      ['as before', 69000],
      ['what was paid in all', 74600],
    ])('is no change as a total: %s', (_title, minor) => story(BEFORE, subject, [[shown(minor), JUST]]));

    it('is a change with another total', async () => {
      await story(BEFORE, subject, [
        [shown(71000), JUST, 'price_changed'],
        [shown(71000), HOUR],
      ]);
      expect(await newest()).toEqual([
        { amount: '700.00', currency: 'SAR' },
        { amount: '710.00', currency: 'SAR', detail: 'offer' },
      ]);
    });

    it.each([
      [[], { baggage: '2 pc, 1 pc' }],
      [['fare_changed'], { baggage: '0 PC' }],
      [['refund_rule_changed'], { fee: 5000 }],
      [['deadline_moved'], { until: OTHER_LIMIT }],
    ])('of what stays is compared: %j', (kinds, of) =>
      story(BEFORE, subject, [
        [shown(70000, of), JUST, ...kinds],
        [shown(70000, of), HOUR],
      ]),
    );

    it('is not the total of fewer passengers', () => {
      const alone = { ...shown(35000), travelers: PAIR.slice(0, 1) };
      return story(BEFORE, subject, [
        [alone, JUST, 'passenger_gone'],
        [alone, HOUR],
      ]);
    });

    it('is not known of an operation of an earlier version, nor after another one of ours', async () => {
      const earlier = expectRebookedSegment(BEFORE, old, fresh);
      await told(BEFORE, NOW);
      await succeed(earlier, NOW + MINUTE);
      expect(await told(shown(71000, { baggage: '0 PC' }), NOW + JUST)).toEqual([]);
    });
  });

  describe('that was offered with its arrival, carriers and fare', () => {
    const carriers = { operating: { carrier: 'HHR', number: '119' }, marketing: { carrier: 'HHR', number: '119' } };
    const offered = { ...fresh, ...carriers, fareBasis: 'YSAVE' };
    const AS_OFFERED = expectRebookedSegment(couple(), old, fresh, { offered });

    it('nothing is reported of one that is so, and of a reading that leaves them out', () =>
      story(couple(), AS_OFFERED, [
        [rebooked(offered), JUST],
        [rebooked({ ...offered, arrives: '', operating: undefined, marketing: undefined, fareBasis: undefined }), HOUR],
      ]));

    it.each([
      ['retimed', { arrives: '2026-12-01T14:10:00.000+03:00' }],
      ['carrier_changed', { operating: { carrier: 'XY', number: '119' } }],
      ['carrier_changed', { marketing: { carrier: 'XY', number: '119' } }],
      ['fare_changed', { fareBasis: 'YLITE' }],
    ] as const)('another one is reported: %s', (kind, booked) =>
      story(couple(), AS_OFFERED, [[rebooked({ ...offered, ...booked }), JUST, kind]]),
    );

    it('a value that the offer did not state is the first that counts', () => {
      const { fareBasis: _, ...unsaid } = offered;
      const subject = expectRebookedSegment(couple(), old, fresh, { offered: unsaid });
      return story(couple(), subject, [
        [rebooked(offered), JUST],
        [rebooked({ ...offered, fareBasis: 'YLITE' }), HOUR, 'fare_changed'],
      ]);
    });
  });
});

describe('where documents come and go between readings', () => {
  /** The people of a booking without what else tells who they are. */
  const bare = (booking: Booking): Booking => ({
    ...booking,
    travelers: booking.travelers.map(({ birthDate: _, document: __, ...person }) => person),
  });
  const issued = (number: string): Booking => {
    const [first, ...others] = PAIR;
    return couple({ travelers: [{ ...(first as (typeof PAIR)[0]), document: { number } }, ...others] });
  };

  it('a seat that was chosen is none of the airline', () => {
    const seat = [{ segmentRef: '1', travelerRef: '1', seat: '14C' }];
    return story(bare(seats('12A', '12B')), expectAssignedSeats(seats('12A', '12B'), seat, digest), [
      [seats('14C', '12B'), JUST],
      [seats('14C', '3D'), HOUR, 'seat_changed'],
    ]);
  });

  it('neither is a name or a document, also where it is shown late', async () => {
    const change = (detail: string) =>
      ({ kind: 'update_passengers', changes: [{ ref: '1', details: [detail], was: 'a', wanted: 'b' }] }) as never;
    await story(issued('X1'), change('document'), [
      [bare(issued('X1')), 2 * HOUR],
      [issued('Y2'), 3 * HOUR],
      [issued('Z3'), 4 * HOUR, 'document_changed'],
    ]);
  });

  it('neither is a passenger who was removed', async () => {
    const left = (booking: Booking): Booking => ({
      ...booking,
      ...{ travelers: booking.travelers.slice(0, 1), tickets: booking.tickets.slice(0, 1) },
    });
    const removed = expectCancelledPassengers(couple(), ['2'], digest);
    await story(bare(couple()), removed, [
      [bare(couple()), JUST],
      [left(bare(couple())), HOUR],
      [couple(), 2 * HOUR, 'passenger_added'],
    ]);
  });
});

describe('an order to pay', () => {
  const order = (id: string, minor: number, status = 'PAID') => ({
    ...{ id, direction: 'PAYMENT', status, amount: sar(minor) },
  });
  const OWN = order('o1', 69000);
  const paid = (...more: Orders): Booking => couple({ orders: [OWN, ...more] });
  type Orders = readonly ReturnType<typeof order>[];
  const hold = (...more: Orders): Booking =>
    held({ travelers: PAIR, orders: [order('o1', 69000, 'PENDING'), ...more] });
  const PAYMENT = expectPayment(asRead(hold()), sar(69000));
  const [out, wanted] = [segment('1'), segment('1', { flightNumber: '119' })];
  const REBOOK = expectRebookedSegment(asRead(paid()), out, wanted, { atMost: sar(5600) });
  const moved = (...more: Orders) => ({ ...paid(...more), options: [option(wanted), BACK] });
  const SEATS = expectAssignedSeats(couple(), [{ segmentRef: '1', travelerRef: '1', seat: '14C' }], digest);
  const RENAMED = { kind: 'change_names', changes: [{ ref: '1', details: ['name'], was: 'a', wanted: 'b' }] } as const;
  const DETAILS = { kind: 'update_passengers', changes: [{ ref: '1', details: ['email'], was: 'a', wanted: 'b' }] };
  const CONTACT = { kind: 'update_contact', changes: [{ detail: 'email', was: 'a', wanted: 'b' }] };
  const SERVICE = { kind: 'add_service', travelerRef: '1', segmentRefs: ['1'], code: 'WCHC', had: 0 };

  it.each<[string, Booking, Subject | undefined, Booking, ...string[]]>([
    ['is pending', paid(), undefined, paid(order('o2', 5000, 'PENDING')), 'order_added'],
    ['is paid', paid(), undefined, paid(order('o2', 5000)), 'order_added'],
    ['is there twice', paid(), undefined, paid(order('o1', 69000)), 'order_added'],
    ['was a refund', withRefunds(paid(), 300), undefined, paid(order('r0', 300)), 'order_added'],
    ['is on a hold', hold(), undefined, hold(order('o2', 5000, 'PENDING')), 'order_added'],
    ['is of nothing', paid(), undefined, paid(order('o2', 0, 'PENDING'))],
    ['is divided into two', paid(), undefined, couple({ orders: [order('o3', 60000), order('o4', 9000)] })],
    ['has another number', paid(), undefined, couple({ orders: [order('o9', 69000)] })],
    ['is ours after a payment', hold(), PAYMENT, couple({ orders: [order('o1', 69000)] })],
    ['is ours beside the pending one', hold(), PAYMENT, couple({ orders: [...hold().orders, order('p1', 69000)] })],
    ['is beside our payment', hold(), PAYMENT, paid(order('o2', 5000)), 'order_added'],
    ['pays a second time', hold(), PAYMENT, paid(order('o2', 69000)), 'order_added'],
    ['is ours after a rebooking', paid(), REBOOK, moved(order('o2', 5600))],
    ['is of more than a rebooking may cost', paid(), REBOOK, moved(order('o2', 5700)), 'order_added'],
    ['is beside our rebooking', paid(), REBOOK, moved(order('o2', 5600), order('o3', 700)), 'order_added'],
    ['comes with seats', paid(), SEATS, paid(order('o2', 5000)), 'order_added'],
    ['comes with names', paid(), RENAMED as never, paid(order('o2', 5000)), 'order_added'],
    ['comes with details', paid(), DETAILS as never, paid(order('o2', 5000)), 'order_added'],
    ['comes with a contact', paid(), CONTACT as never, paid(order('o2', 5000)), 'order_added'],
    ['comes with a service', paid(), SERVICE as never, paid(order('o2', 5000)), 'order_added'],
    [
      'comes with a cancellation',
      paid(),
      expectCancelledSegments(couple(), ['1']),
      gone(paid(order('o2', 5000)), ['1']),
      'order_added',
    ],
  ])('%s', async (_title, before, did, shown, ...kinds) => {
    await told(before, NOW);
    if (did !== undefined) await succeed(did, NOW + MINUTE);
    const orders = async (later: number) =>
      (await told(shown, NOW + later)).filter((kind) => kind === 'order_added' || kind === 'payment_changed');
    expect([await orders(JUST), await orders(HOUR)]).toEqual([kinds, []]);
  });

  it('that comes once ours is shown is not ours', async () => {
    await told(hold(), NOW);
    await succeed(PAYMENT, NOW + MINUTE);
    expect(await told(paid(), NOW + JUST)).toEqual([]);
    expect(await told(paid(order('o2', 5000)), NOW + 2 * JUST)).toEqual(['order_added']);
    expect(await newest()).toEqual([{}, { amount: '50.00', currency: 'SAR', status: 'paid' }]);
  });
});

describe('what stays after a cancellation', () => {
  const of = (promised: Promised = {}) => couple(costs(69000, promised));
  const ofFlight = (promised: Promised = {}) => gone(of(promised), ['1']);
  const ofPerson = (promised: Promised = {}): Booking => {
    const { tickets, ...booking } = of(promised);
    return { ...booking, travelers: PAIR.slice(0, 1), tickets: tickets.slice(0, 1) };
  };
  const FLIGHT = expectCancelledSegments(couple(), ['1']);
  const PERSON = expectCancelledPassengers(couple(), ['2'], digest);

  it.each<[string, Booking, Subject, ...string[]]>([
    ['of a flight, as it was', ofFlight(), FLIGHT],
    ['of a flight, another rule', ofFlight({ fee: 5000 }), FLIGHT, 'refund_rule_changed'],
    ['of a flight, another limit', ofFlight({ until: OTHER_LIMIT }), FLIGHT, 'deadline_moved'],
    ['of a flight, other baggage', ofFlight({ baggage: '0 PC' }), FLIGHT, 'fare_changed'],
    ['of a passenger, as it was', ofPerson({ baggage: '0 PC' }), PERSON],
    ['of a passenger, another rule', ofPerson({ fee: 5000 }), PERSON, 'refund_rule_changed'],
    ['of a passenger, another limit', ofPerson({ until: OTHER_LIMIT }), PERSON, 'deadline_moved'],
  ])('is compared: %s', (_title, shown, did, ...kinds) => story(of(), did, [[shown, JUST, ...kinds]]));
});

describe('the first reply of a hold', () => {
  const hold = (over: Partial<Booking> = {}) => held({ travelers: PAIR, ...over });
  const renamed = hold({ travelers: [traveler('1', 'Zaid', 'Harbi', { document: {} }), PAIR[1] as (typeof PAIR)[1]] });

  /** Settles a create by this reply; returns what a reading a minute later tells, and whether the booking was to be read soon. */
  async function toldAfter(reply: Booking, reading: Booking) {
    const clock = { now: () => NOW };
    const comparer = { acts: ACTS, state, digest };
    const settled = noteSettled({
      ...{ acts: ACTS, state: { ...state, digestKey: new Uint8Array(32) }, clock },
      readerFor: () => ({ read: async () => reading }),
      compareReading: (caller, booking, begunAt = NOW, operations) =>
        compareReading(comparer, caller, booking, { begunAt, operations }),
      async readSoon(caller, booking, hold) {
        await readSoon(comparer, caller, { booking, hold }, NOW + 1);
      },
      failed(error) {
        throw error;
      },
    });
    const offer = { segments: [OUT, BACK].map(({ ref }) => ({ ref })), party: { ADT: 2 } };
    const subject = { kind: 'create', offer } as never as Subject;
    await dispatch(subject, NOW - 1);
    await settle(NOW, { basis: 'reply' });
    const operation = await state.operations.get('op');
    await settled(operation as NonNullable<typeof operation>, reply);
    const wanted = (await state.watches.get('t', 'ABC123'))?.nextAt;
    return [await told(reading, NOW + MINUTE), wanted];
  }

  it('that lists all is its first reading', async () => {
    expect(await toldAfter(hold(), renamed)).toEqual([['name_changed'], expect.any(Number)]);
  });

  it('that lists a part is none: the reading that follows is', async () => {
    const [first] = PAIR;
    expect(await toldAfter(hold({ travelers: [first as NonNullable<typeof first>] }), renamed)).toEqual([
      [],
      expect.any(Number),
    ]);
  });
});
