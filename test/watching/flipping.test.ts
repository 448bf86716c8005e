/** Two nodes of an airline in turn after an act of ours: one shows what it did, the other still shows the booking as it was. */

import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Outcome } from '../../src/journal/operation.ts';
import { openSqliteState } from '../../src/store/sqlite/state.ts';
import { expectAssignedSeats } from '../../src/tools/acts/assign-seats.ts';
import { expectCancelledPassengers, expectCancelledSegments } from '../../src/tools/acts/cancellation-evidence.ts';
import { expectPayment } from '../../src/tools/acts/payment-evidence.ts';
import { expectChangedNames, expectUpdatedContact } from '../../src/tools/acts/people-evidence.ts';
import { expectRebookedSegment } from '../../src/tools/acts/rebook-segment.ts';
import { expectSplitBooking } from '../../src/tools/acts/split-booking.ts';
import { compareReading } from '../../src/watching/store-findings.ts';
import { newOperation } from '../store/support/new-operation.ts';
import {
  asRead,
  BACK,
  coupons,
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
import { contactNamed, traveler } from '../support/people.ts';
import { ACTS } from '../support/rules.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const ME = { tenant: 't', id: 'ann' };
const digest = (text: string) => createHash('sha256').update(text).digest('base64url');

type State = Awaited<ReturnType<typeof openSqliteState>>;
type Booking = ReturnType<typeof ticketed>;
type Subject = Parameters<State['operations']['insert']>[0]['subject'];

let state: State;
beforeEach(async () => {
  state = await openSqliteState(':memory:', { now: () => NOW });
});
afterEach(() => state.close());

const see = (booking: Booking, at: number) =>
  compareReading({ acts: ACTS, state, digest }, ME, asRead(booking), { begunAt: at });

/** The kinds that the reading tells. */
const told = async (booking: Booking, at: number) => (await see(booking, at)).found.map(({ kind }) => kind);

async function succeed(subject: Subject, at: number, id = 'op', outcome: Outcome = {}): Promise<void> {
  const own = { tenant: 't', locator: 'ABC123', subject };
  await state.operations.insert(newOperation(id, own), { now: at, owner: 'p', leaseUntil: at + MINUTE });
  const dispatched = { from: ['intent'], to: 'dispatched', patch: { dispatchedAt: at } } as const;
  await state.operations.transition(id, dispatched, { now: at, actor: 'p' });
  const done = { from: ['dispatched'], to: 'succeeded', patch: { outcome } } as const;
  await state.operations.transition(id, done, { now: at, actor: 'p' });
}

/** Reads every five minutes what the nodes show in turn, the first a minute after the act. Returns what is told. */
async function flip(
  before: Booking,
  did: Subject,
  nodes: readonly Booking[],
  times = 6,
  outcome: Outcome = {},
): Promise<readonly string[]> {
  await told(before, NOW);
  await succeed(did, NOW + MINUTE, 'op', outcome);
  const all: string[] = [];
  for (let i = 0; i < times; i++) {
    const shown = nodes[i % nodes.length] ?? before;
    all.push(...(await told(shown, NOW + (2 + 5 * i) * MINUTE)));
  }
  return all;
}

const PAIR = [traveler('1', 'Amal', 'Haddad'), traveler('2', 'Noor', 'Haddad')];
const couple = (over: Partial<Booking> = {}) => ticketed({ travelers: PAIR, ...over });
const order = (status: string, minor = 69000) => ({
  ...{ id: 'o1', action: 'CREATE_BOOKING', direction: 'PAYMENT', status, amount: sar(minor) },
});
const refund = { id: 'r1', direction: 'REFUND', status: 'PAID', amount: sar(30_000) };

const HALVES = [
  { ...refund, id: 'r1a', amount: sar(10_000) },
  { ...refund, id: 'r1b', amount: sar(20_000) },
];

/** The booking with other numbers on its tickets. */
const numbered = (booking: Booking, numberOf: (number: string) => string): Booking => ({
  ...booking,
  tickets: booking.tickets.map((ticket) => ({ ...ticket, number: numberOf(ticket.number) })),
});
const hyphened = (number: string) => `${number.slice(0, 3)}-${number.slice(3)}`;
const reissued = (number: string) => number.replace(/^123/, '999');

const seated = (seat: string) => {
  const booking = couple();
  const tickets = coupons(booking, ({ segmentRef }, ticket) => {
    const isFirst = ticket === 0 && segmentRef === '1';
    return segmentRef === '1' ? { coach: '4', seat: isFirst ? seat : '12B' } : {};
  });
  return { ...booking, tickets };
};

/** The first train and its coupons are no longer listed. */
const onlyBack = (over: Partial<Booking>) => {
  const tickets = couple().tickets.map((ticket) => ({ ...ticket, coupons: ticket.coupons.slice(1) }));
  return couple({ options: [BACK], tickets, ...over });
};

/** Prices and rules as they are with this total. */
const costs = (minor: number, fee: number, until: string): Partial<Booking> => {
  const refundRules = [rule({ base: sar(fee), until: '2026-12-05T15:00:00Z' })];
  const fares = faresOf({}, { refundRules, cancelUntil: until });
  return { pricing: { ...pricing(minor, { fares }), total: price(sar(minor), { baggage: ['1 PC'] }) } };
};

const FRESH = segment('1', {
  ...{ flightNumber: '119', operating: { carrier: 'HHR', number: '119' } },
  ...{ departs: '2026-12-01T12:00:00.000+03:00', arrives: '2026-12-01T14:10:00.000+03:00' },
});

describe('a node that lags and one that does not tell nothing', () => {
  const HELD = held({ orders: [order('PENDING')] });
  const PAID = ticketed({ orders: [order('PAID')] });
  const pay = expectPayment(HELD, sar(69000));

  it.each([
    ['whole', HELD],
    ['only in tickets', { ...PAID, tickets: [] }],
    ['only in orders', { ...PAID, orders: [order('PENDING')] }],
  ])('after a payment that one shows late: %s', async (_, lagging) => {
    expect(await flip(HELD, pay, [PAID, lagging])).toEqual([]);
    expect(await state.findings.open('t', NOW)).toEqual([]);
  });

  it('after a payment that both show late at first', async () => {
    expect(await flip(HELD, pay, [HELD, HELD, PAID, HELD], 11)).toEqual([]);
  });

  it('after a payment that came with other rules and limits, beside these', async () => {
    const paid = { ...PAID, ...costs(69000, 5000, '2026-12-03T02:00:00Z') };
    const asHeld = { ...HELD, ...costs(69000, 4000, '2026-12-04T02:00:00Z') };
    expect(await flip(asHeld, pay, [paid, asHeld])).toEqual(['refund_rule_changed', 'deadline_moved']);
  });

  it.each([
    ['which the airline writes in two ways', hyphened],
    ['which the airline issues anew', reissued],
  ])('after a payment for two people, with numbers of tickets %s', async (_, numberOf) => {
    const before = held({ travelers: PAIR, orders: [order('PENDING')] });
    const paid = couple({ orders: [order('PAID')] });
    const nodes = [paid, numbered(paid, numberOf), paid, before, numbered(paid, numberOf)];
    expect(await flip(before, expectPayment(before, sar(69000)), nodes, 10)).toEqual([]);
  });

  it('after a payment that the airline shows in one order or in two', async () => {
    const halves = [order('PAID', 23_000), { ...order('PAID', 46_000), id: 'o2' }].map((one, i) => ({
      ...one,
      id: `p${i}`,
    }));
    const before = held({ orders: [] });
    const nodes = [PAID, { ...PAID, orders: halves }, PAID, before, { ...PAID, orders: halves }];
    expect(await flip(before, pay, nodes, 10)).toEqual([]);
  });

  it('after a change of names, with new tickets for it', async () => {
    const sara = traveler('1', 'Sara', 'Haddad');
    const did = expectChangedNames(couple(), [sara], digest);
    const renamed = couple({ travelers: [sara, PAIR[1] as (typeof PAIR)[1]] });
    const [first, ...others] = renamed.tickets;
    const exchanged = {
      ...renamed,
      tickets: [
        ...coupons(renamed, (_c, ticket) => (ticket === 0 ? { statusCode: 'E' } : {})),
        { ...(first as NonNullable<typeof first>), number: '1234567890199' },
      ],
    };
    expect(others).toHaveLength(1);
    expect(await flip(couple(), did, [renamed, couple()])).toEqual([]);
    expect(await told(exchanged, NOW + 40 * MINUTE)).toEqual([]);
    expect(await told(couple(), NOW + 41 * MINUTE)).toEqual([]);
    expect(await told(exchanged, NOW + 42 * MINUTE)).toEqual([]);
  });

  it('after the names of all were changed, at an airline that does not say when it made the booking', async () => {
    const before = ticketed({ createdAt: undefined });
    const sara = traveler('1', 'Sara', 'Qasim');
    const renamed = ticketed({ createdAt: undefined, travelers: [sara] });
    expect(await flip(before, expectChangedNames(before, [sara], digest), [renamed, before])).toEqual([]);
  });

  it('after seats were chosen', async () => {
    const did = expectAssignedSeats(seated('12A'), [{ segmentRef: '1', travelerRef: '1', seat: '14C' }], digest);
    expect(await flip(seated('12A'), did, [seated('14C'), seated('12A')])).toEqual([]);
  });

  it('after another train was booked, whatever comes with it', async () => {
    const before = { ...couple(costs(69000, 4000, '2026-12-04T02:00:00Z')), orders: [order('PAID')] };
    const did = expectRebookedSegment(before, segment('1'), FRESH);
    const charge = { ...order('PAID', 5600), id: 'o2' };
    const rebooked = {
      ...couple({ ...costs(74600, 5000, '2026-12-03T02:00:00Z'), options: [option(FRESH), BACK] }),
      orders: [order('PAID'), charge],
    };
    const beside = { ...rebooked, options: [inStatus(OUT, '16'), BACK, option({ ...FRESH, ref: '3' })] };
    const onNew = coupons(rebooked, ({ segmentRef }) => (segmentRef === '1' ? { segmentRef: '3' } : {}));
    expect(await flip(before, did, [rebooked, before])).toEqual(['refund_rule_changed', 'deadline_moved']);

    await state.close();
    state = await openSqliteState(':memory:', { now: () => NOW });
    const travelers = PAIR.map((person) => ({ ...person, segmentRefs: ['3', '2'] }));
    const nodes = [{ ...beside, travelers, tickets: onNew }, before];
    expect(await flip(before, did, nodes)).toEqual(['refund_rule_changed', 'deadline_moved']);
  });

  it('after another train was booked, where only the flights or only the tickets are as before', async () => {
    const before = { ...couple(costs(69000, 4000, '2026-12-04T02:00:00Z')), orders: [order('PAID')] };
    const did = expectRebookedSegment(before, segment('1'), FRESH);
    const fresh = option({ ...FRESH, ref: '3' });
    const travelers = PAIR.map((person) => ({ ...person, segmentRefs: ['3', '2'] }));
    const limits = faresOf({ cancelUntil: '2026-12-01T06:00:00Z' }, before.pricing?.fares[1]);
    const rebooked = couple({
      ...{ travelers, options: [fresh, BACK], orders: [order('PAID')] },
      pricing: { ...(before.pricing as NonNullable<typeof before.pricing>), fares: limits },
    });
    const lateFlights = { ...rebooked, options: before.options, travelers: before.travelers };
    const lateTickets = { ...rebooked, tickets: before.tickets };
    expect(await flip(before, did, [rebooked, lateTickets, rebooked, lateFlights, lateTickets])).toEqual([]);
  });

  it.each([
    ['lists it', gone(couple({ orders: [order('PAID'), refund] }), ['1'])],
    ['no longer lists it', onlyBack({ orders: [order('PAID'), refund] })],
  ])('after a train was cancelled, and the airline %s', async (_, cancelled) => {
    const before = couple({ orders: [order('PAID')] });
    expect(await flip(before, expectCancelledSegments(before, ['1']), [cancelled, before])).toEqual([]);
  });

  it.each([
    ['in one order or in two', [refund], HALVES],
    ['in two orders or in one', HALVES, [refund]],
  ])('after a train was cancelled, and the airline shows its refund %s', async (_, first, second) => {
    const before = couple({ orders: [order('PAID')] });
    const cancelled = (refunds: readonly (typeof refund)[]) =>
      gone(couple({ orders: [order('PAID'), ...refunds] }), ['1']);
    const stated = { refund: { amount: sar(30_000) } };
    const nodes = [cancelled(first), cancelled(second), before, cancelled(first), before, cancelled(second)];
    expect(await flip(before, expectCancelledSegments(before, ['1']), nodes, 12, stated)).toEqual([]);
  });

  it('after a second train was cancelled, and the airline shows what was refunded in more orders', async () => {
    const later = { ...refund, id: 'r2', amount: sar(12_000) };
    const second = [
      { ...later, id: 'r2a', amount: sar(5000) },
      { ...later, id: 'r2b', amount: sar(7000) },
    ];
    const shows = (...refunds: readonly (typeof refund)[]) =>
      gone(
        couple({ orders: [order('PAID'), ...refunds] }),
        refunds.includes(refund) && refunds.length === 1 ? ['1'] : ['1', '2'],
      );
    const before = couple({ orders: [order('PAID')] });
    expect(await flip(before, expectCancelledSegments(before, ['1']), [shows(refund), before])).toEqual([]);

    await succeed(expectCancelledSegments(shows(refund), ['2']), NOW + 40 * MINUTE, 'again');
    const nodes = [shows(refund, later), shows(...HALVES, ...second), shows(refund, ...second), shows(refund, later)];
    const tells = [];
    for (const [i, booking] of nodes.entries()) tells.push(await told(booking, NOW + (41 + i) * MINUTE));
    expect(tells.flat()).toEqual([]);
  });

  it('after a hold was released', async () => {
    const released = { ...HELD, options: [inStatus(OUT, '16'), inStatus(BACK, '16')], cancelled: true };
    expect(await flip(HELD, { kind: 'cancel_booking' }, [released, HELD], 4)).toEqual([]);
  });

  it('after a passenger was removed, or moved to another booking', async () => {
    const before = couple({ ...costs(69000, 4000, '2026-12-04T02:00:00Z'), orders: [order('PAID')] });
    const alone = { travelers: PAIR.slice(0, 1) };
    const removed = couple({
      ...alone,
      ...costs(34500, 4000, '2026-12-04T02:00:00Z'),
      orders: [order('PAID'), refund],
    });
    expect(await flip(before, expectCancelledPassengers(before, ['2'], digest), [removed, before])).toEqual([]);

    await state.close();
    state = await openSqliteState(':memory:', { now: () => NOW });
    const split = { ...removed, orders: [order('PAID', 34500)] };
    const lateOrders = { ...split, orders: before.orders };
    const { pricing: ofOne, tickets } = split;
    const lateState = couple({ pricing: ofOne, tickets, orders: split.orders });
    const nodes = [lateOrders, split, lateOrders, lateState, before];
    expect(await flip(before, expectSplitBooking(before, ['2'], digest), nodes, 10)).toEqual([]);
  });

  it('after one of two people of one name was removed', async () => {
    const [first] = PAIR as [(typeof PAIR)[0]];
    const twins = [first, { ...first, ref: '2' }];
    const fares = costs(69000, 4000, '2026-12-04T02:00:00Z');
    const before = couple({ ...fares, travelers: twins, orders: [order('PAID')] });
    const removed = couple({ ...fares, travelers: twins.slice(0, 1), orders: [order('PAID'), refund] });
    expect(await flip(before, expectCancelledPassengers(before, ['2'], digest), [removed, before])).toEqual([]);
    expect((await state.watches.get('t', 'ABC123'))?.kept?.persons).toHaveLength(1);
  });

  it('after the contact was changed', async () => {
    const other = contactNamed('Amal', 'Haddad', { phones: [{ countryCode: '966', number: '559876543' }] });
    const did = expectUpdatedContact(couple(), other, digest);
    expect(await flip(couple(), did, [couple({ contact: other }), couple()])).toEqual([]);
  });

  it('after two acts in turn, whichever of them it shows', async () => {
    const choose = (was: string, seat: string) =>
      expectAssignedSeats(seated(was), [{ segmentRef: '1', travelerRef: '1', seat }], digest);
    expect(await flip(seated('12A'), choose('12A', '14C'), [seated('14C'), seated('12A')])).toEqual([]);
    await succeed(choose('14C', '15D'), NOW + 40 * MINUTE, 'again');
    const shown = ['14C', '12A', '15D', '14C', '15D', '12A', '15D'].map(seated);
    const tells = [];
    for (const [i, booking] of shown.entries()) tells.push(await told(booking, NOW + (41 + i) * MINUTE));
    expect(tells.flat()).toEqual([]);
  });
});

describe('what is told all the same', () => {
  const HELD = held({ orders: [order('PENDING')] });
  const PAID = ticketed({ orders: [order('PAID')] });

  it('is a payment that the airline still shows as it was an hour later', async () => {
    expect(await flip(HELD, expectPayment(HELD, sar(69000)), [PAID, HELD])).toEqual([]);
    expect(await told(HELD, NOW + HOUR)).toEqual([]);
    expect(await told(HELD, NOW + HOUR + MINUTE)).toEqual(['payment_changed']);
  });

  it('is a train that the airline cancels, reinstates and cancels within the hour of an act on something else', async () => {
    const paid = (statusCode: string) => ({ ...PAID, options: [inStatus(OUT, statusCode), BACK] });
    const nodes = ['30', '16', '30', '16'].map(paid);
    expect(await flip(HELD, expectPayment(HELD, sar(69000)), nodes, 4)).toEqual([
      'segment_cancelled',
      'segment_restored',
      'segment_cancelled',
    ]);
  });

  it('is such a train also where the first reading that shows the act shows it cancelled', async () => {
    const at = (seat: string, statusCode: string) => ({
      ...seated(seat),
      options: [inStatus(OUT, '30'), inStatus(BACK, statusCode)],
    });
    const did = expectAssignedSeats(seated('12A'), [{ segmentRef: '1', travelerRef: '1', seat: '14C' }], digest);
    const nodes = [at('14C', '16'), at('12A', '30'), at('14C', '16')];
    expect(await flip(seated('12A'), did, nodes, 3)).toEqual([
      'segment_cancelled',
      'segment_restored',
      'segment_cancelled',
    ]);
  });

  it('is what the airline makes of what an act left, once, while the other node lags', async () => {
    const did = expectAssignedSeats(seated('12A'), [{ segmentRef: '1', travelerRef: '1', seat: '14C' }], digest);
    const nodes = ['14C', '20F', '12A', '20F', '12A', '20F'].map(seated);
    expect(await flip(seated('12A'), did, nodes)).toEqual(['seat_changed']);
  });

  it('is a second ticket of a passenger for the same train, however its number is written', async () => {
    const both = held({ travelers: PAIR, orders: [order('PENDING')] });
    const paid = couple({ orders: [order('PAID')] });
    const [first] = paid.tickets as [(typeof paid.tickets)[0]];
    const twice = { ...paid, tickets: [...paid.tickets, { ...first, number: '9990000000001' }] };
    const nodes = [paid, numbered(paid, hyphened), numbered(twice, hyphened), twice];
    const told = ['ticket_twice', 'ticket_twice'];
    expect(await flip(both, expectPayment(both, sar(69000)), nodes, 4)).toEqual(told);
  });

  it.each([
    ['as one order', [refund]],
    ['as two orders', HALVES],
  ])('is another refund of the airline, once, beside that of an act that it shows %s', async (_, refunds) => {
    const before = couple({ orders: [order('PAID')] });
    const more = { ...refund, id: 'r7', amount: sar(4000) };
    const shows = (...shown: readonly (typeof refund)[]) => gone(couple({ orders: [order('PAID'), ...shown] }), ['1']);
    const nodes = [shows(refund), shows(...refunds), shows(refund, more), before, shows(refund, more)];
    expect(await flip(before, expectCancelledSegments(before, ['1']), nodes, 5)).toEqual(['refunded']);
  });

  it('is the ticket of one passenger that is gone again', async () => {
    const both = held({ travelers: PAIR, orders: [order('PENDING')] });
    const paid = couple({ orders: [order('PAID')] });
    const without = { ...paid, tickets: paid.tickets.slice(0, 1) };
    const nodes = [paid, without, both, without];
    expect(await flip(both, expectPayment(both, sar(69000)), nodes, 4)).toEqual(['ticket_gone', 'ticket_gone']);
  });
});

describe('the operations that a reading showed', () => {
  const BEFORE = couple({ orders: [order('PAID')] });
  const CANCELLED = gone(couple({ orders: [order('PAID'), refund] }), ['1']);
  const cancel = (...refs: string[]) => expectCancelledSegments(BEFORE, refs);
  const watch = async () => (await state.watches.get('t', 'ABC123')) ?? expect.fail('not watched');
  const stored = async () => (await watch()).kept?.seen;
  const seen = async (booking: Booking, minutes: number) => (await see(booking, NOW + minutes * MINUTE)).seen;

  it('are remembered from the first that does, whatever later ones show', async () => {
    await see(BEFORE, NOW);
    await succeed(cancel('1'), NOW + MINUTE);
    expect(await seen(BEFORE, 2)).toEqual([]);
    expect(await seen(CANCELLED, 3)).toEqual(['op']);
    expect(await stored()).toEqual(['op']);
    expect(await seen(BEFORE, 4)).toEqual(['op']);
    expect(await seen(BEFORE, 3 * 60)).toEqual(['op']);
    expect(await stored()).toEqual(['op']);
  });

  it('are stored where nothing else changed', async () => {
    await see(CANCELLED, NOW);
    const { kept } = await watch();
    await succeed(cancel('1'), NOW + MINUTE);
    expect((await see(CANCELLED, NOW + 2 * MINUTE)).found).toEqual([]);
    expect(await stored()).toEqual(['op']);
    expect((await watch()).kept).toMatchObject({ ...kept, at: NOW + 2 * MINUTE, seen: ['op'] });
    expect((await see(CANCELLED, NOW + 3 * MINUTE)).outcome).toBe('same');
  });

  it('are known of a first reading, and of one that is older than the stored one', async () => {
    await succeed(cancel('1'), NOW - MINUTE);
    const { outcome, seen: first } = await see(CANCELLED, NOW);
    expect([outcome, first]).toEqual(['first', ['op']]);
    const { outcome: older, seen: then } = await see(BEFORE, NOW - 1);
    expect([older, then]).toEqual(['stale', ['op']]);
  });

  it('are none of what no reading showed, also long after', async () => {
    await see(BEFORE, NOW);
    await succeed(cancel('1'), NOW + MINUTE);
    expect(await told(BEFORE, NOW + 3 * HOUR)).toEqual(['segment_restored']);
    expect(await seen(BEFORE, 4 * 60)).toEqual([]);
  });

  it('are, after a reading that an earlier version stored, those that were explained in it', async () => {
    await see(BEFORE, NOW);
    await succeed(cancel('1'), NOW + MINUTE);
    await see(CANCELLED, NOW + 2 * MINUTE);
    await succeed(cancel('2'), NOW + 3 * MINUTE, 'other');

    const { kept: now, ...rest } = await watch();
    const { seen: _seen, flips: _flips, ...earlier } = now ?? expect.fail('not kept');
    await state.watches.keep({ ...rest, kept: { ...earlier, at: NOW + 1 } }, now);
    expect(await stored()).toBeUndefined();
    expect(await seen(BEFORE, 10)).toEqual(['op']);
    expect(await stored()).toEqual(['op']);
  });
});
