/**
 * What was done here and a reading does not show yet: for each act the reading as it was before, the one that shows it, and those that lag
 * in a part; in the shapes of both dialects. Then acts that follow each other, equal people, and what earlier versions entered.
 */
import { describe, expect, test } from 'vitest';
import { deedsDoneHere, doneHereText } from '../../src/domain/booking/as-known.ts';
import { type Booking, type UnshownDeed, unshownOf } from '../../src/domain/booking/booking.ts';
import { bookingState } from '../../src/domain/booking/booking-state.ts';
import { isPaid } from '../../src/domain/booking/paid-and-refunded.ts';
import { knownBooking, knownByStore, shownBy } from '../../src/journal/as-known.ts';
import type { Operation } from '../../src/journal/operation.ts';
import { expectAssignedSeats } from '../../src/tools/acts/assign-seats.ts';
import { expectCancelledPassengers, expectCancelledSegments } from '../../src/tools/acts/cancellation-evidence.ts';
import { expectPayment } from '../../src/tools/acts/payment-evidence.ts';
import {
  expectChangedNames,
  expectUpdatedContact,
  expectUpdatedPassengers,
} from '../../src/tools/acts/people-evidence.ts';
import { expectRebookedSegment } from '../../src/tools/acts/rebook-segment.ts';
import { expectAddedService } from '../../src/tools/acts/service-evidence.ts';
import { expectSplitBooking } from '../../src/tools/acts/split-booking.ts';
import {
  BACK,
  coupons,
  type Fields,
  gone,
  held,
  NOW,
  OUT,
  option,
  reread,
  sar,
  segment,
  ticketed,
} from '../support/bookings.ts';
import { bareTraveler, contactNamed, personName, traveler } from '../support/people.ts';
import { ACTS } from '../support/rules.ts';
import { operation } from './answers.ts';

const digest = (text: string) => `#${text}`;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const SUM = sar(69000);
const TICKETS = [{ number: '1' }, { number: '2' }];

type Subject = Operation['subject'];

/** An operation that succeeded so many minutes before NOW. */
function done(tool: string, subject: Subject, minutesAgo = 5, over: Partial<Operation> = {}): Operation {
  const updatedAt = NOW - minutesAgo * MINUTE;
  return operation(subject, { id: tool, tool, state: 'succeeded', updatedAt, amount: SUM, ...over });
}

/** @param operations newest first */
async function known(reading: Booking, operations: readonly Operation[], seen: readonly string[] = [], now = NOW) {
  return await knownBooking(reading, operations, { acts: ACTS, digest, now, seen: async () => seen });
}

async function unshown(...args: Parameters<typeof known>): Promise<readonly UnshownDeed[]> {
  return unshownOf(await known(...args));
}

const part = ({ kind, segmentRefs, travelerRefs }: UnshownDeed) => ({ kind, segmentRefs, travelerRefs });

// The shapes of the dialects.

const [AMAL, BILAL] = [traveler('1', 'Amal', 'Haddad'), traveler('2', 'Bilal', 'Haddad')];
const SEATED = { seat: '31', coach: '4' };

interface Dialect {
  readonly name: string;
  /** What its readings are like. */
  as(booking: Booking): Booking;
}

const RAIL: Dialect = { name: 'rail', as: (booking) => booking };

/** No contact, no birth date, other pointers. */
const AIRLINE: Dialect = {
  name: 'airline',
  as: (booking) =>
    reread(booking, {
      contact: undefined,
      travelers: booking.reading.travelers.map(({ birthDate: _, ...one }) => one),
    } as Fields),
};

const party = (over: Fields = {}) => ticketed({ travelers: [AMAL, BILAL], ...over });
const hold = () => held({ travelers: [AMAL, BILAL], orders: [pending()] });
const pending = (): Booking['orders'][number] => ({ id: 'o1', direction: 'PAYMENT', status: 'PENDING', amount: SUM });

/** Each with a seat, the one on segment 1 of passenger 1 as given. */
function seated(seat: Partial<typeof SEATED>): Booking {
  const booking = party();
  const place = (at: number, of: number) => (at === 0 && of === 0 ? seat : SEATED);
  return reread(booking, { tickets: coupons(booking, (_, of, at) => place(at, of)) });
}

const LATER = segment('7', { flightNumber: '105', departs: '2026-12-01T12:00:00.000+03:00' });
const RENAMED = { ...AMAL, name: personName('Amira', 'Haddad') };
const MALE = { ...AMAL, gender: 'Male' };
const contact = (email: string) => contactNamed('Amal', 'Haddad', { emails: [email] });
const WHEELCHAIR = { code: 'WCHS', quantity: 1, status: '30', travelerRefs: ['1'], segmentRefs: ['1', '2'] };

const withMoney = (booking: Booking, { tickets, orders }: Partial<Booking>) =>
  reread(booking, { ...(tickets && { tickets }), ...(orders && { orders }) });

/** What a reading leaves out of a booking that is over. */
const NOTHING = {
  options: [],
  travelers: [],
  tickets: [],
  orders: [],
  contact: undefined,
  pricing: undefined,
} as Fields;

/** Names and points as signs. */
function masked(booking: Booking): Booking {
  const signs = <One extends { readonly name?: unknown }>(one: One) => ({
    ...one,
    ...(one.name !== undefined && { name: personName('A***', 'H*****') }),
    document: { number: 'P****567' },
    emails: ['a***@example.com'],
    phones: [{ number: '55****67' }],
  });
  const { travelers, contact: of } = booking.reading;
  return reread(booking, { travelers: travelers.map(signs), ...(of && { contact: signs(of) }) } as Fields);
}

// The acts.

interface Row {
  readonly tool: string;
  readonly before: Booking;
  readonly after: Booking;
  subject(before: Booking): Subject;
  /** What a reading as it was before does not show. */
  readonly missing: readonly Partial<UnshownDeed>[];
  /** The lags that show it nevertheless not: `tickets`, `masked`. */
  readonly alsoMissing?: readonly string[];
  readonly only?: Dialect;
}

const all = { segmentRefs: [], travelerRefs: [] };
const ofSegments = (...segmentRefs: string[]) => ({ ...all, segmentRefs });
const ofPeople = (...travelerRefs: string[]) => ({ ...all, travelerRefs });

const ROWS: readonly Row[] = [
  {
    tool: 'pay_booking',
    before: hold(),
    after: party(),
    subject: (before) => expectPayment(before, SUM),
    missing: [{ kind: 'payment', ...all, sum: SUM, tickets: 2 }],
    alsoMissing: ['masked'],
  },
  {
    tool: 'cancel_booking',
    before: hold(),
    after: gone(hold(), ['1', '2']),
    subject: () => ({ kind: 'cancel_booking' }),
    missing: [{ kind: 'cancellation', ...ofSegments('1', '2') }],
    alsoMissing: ['masked'],
  },
  {
    tool: 'cancel_segment',
    before: party(),
    after: gone(party(), ['1']),
    subject: (before) => expectCancelledSegments(before, ['1']),
    missing: [{ kind: 'cancellation', ...ofSegments('1') }],
    alsoMissing: ['masked'],
  },
  {
    tool: 'cancel_passenger',
    before: party(),
    after: ticketed({ travelers: [AMAL] }),
    subject: (before) => expectCancelledPassengers(before, ['2'], digest),
    missing: [{ kind: 'cancellation', ...ofPeople('2') }],
  },
  {
    tool: 'split_booking',
    before: party(),
    after: ticketed({ travelers: [AMAL] }),
    subject: (before) => expectSplitBooking(before, ['2'], digest),
    missing: [{ kind: 'split', ...ofPeople('2') }],
  },
  {
    tool: 'change_names',
    before: party(),
    after: party({ travelers: [RENAMED, BILAL] }),
    subject: (before) => expectChangedNames(before, [{ ...one(before), name: RENAMED.name }], digest),
    missing: [{ kind: 'details', ...ofPeople('1'), what: 'name' }],
  },
  {
    tool: 'update_passenger',
    before: party(),
    after: party({ travelers: [MALE, BILAL] }),
    subject: (before) => expectUpdatedPassengers(before, [{ ...one(before), gender: 'Male' }], digest),
    missing: [{ kind: 'details', ...ofPeople('1'), what: 'gender' }],
    // Signs stand for the name alone.
    alsoMissing: ['masked'],
  },
  {
    tool: 'update_contact',
    only: RAIL,
    before: party({ contact: contact('old@example.com') }),
    after: party({ contact: contact('new@example.com') }),
    subject: (before) => expectUpdatedContact(before, contact('new@example.com'), digest),
    missing: [{ kind: 'details', ...all, isContact: true, what: 'e-mail' }],
  },
  {
    tool: 'assign_seats',
    before: seated({ seat: '31', coach: '4' }),
    after: seated({ seat: '52', coach: '4' }),
    subject: (before) => expectAssignedSeats(before, [{ segmentRef: '1', travelerRef: '1', seat: '52' }], digest),
    missing: [{ kind: 'seat', segmentRefs: ['1'], travelerRefs: ['1'] }],
    alsoMissing: ['tickets'],
  },
  {
    tool: 'request_service',
    before: party(),
    after: party({ services: [WHEELCHAIR] }),
    subject(before) {
      const asked = { travelerRef: '1', segmentRefs: ['1', '2'], code: 'WCHS' };
      return { kind: 'request_service', ...expectAddedService(before, asked, digest) };
    },
    missing: [{ kind: 'service', segmentRefs: ['1', '2'], travelerRefs: ['1'], what: 'WCHS' }],
  },
  {
    tool: 'rebook_segment',
    before: party(),
    after: party({ options: [option(LATER), BACK] }),
    subject: (before) => expectRebookedSegment(before, segment('1'), LATER),
    missing: [{ kind: 'rebooking', ...ofSegments('1') }],
    alsoMissing: ['masked'],
  },
];

/** Passenger 1 as they are read. */
function one(booking: Booking) {
  return booking.reading.travelers[0] as Booking['travelers'][number];
}

test('each act but the one that makes a booking says what it did', () => {
  const acts = ACTS.all.map(({ name }) => name).filter((name) => name !== 'create_booking');
  expect(ROWS.map(({ tool }) => tool).toSorted()).toEqual(acts.toSorted());
});

const CASES = ROWS.flatMap((row) =>
  [RAIL, AIRLINE].flatMap((dialect) =>
    (row.only ?? dialect) === dialect ? [[row.tool, dialect.name, row, dialect] as const] : [],
  ),
);

describe.each(CASES)('%s at an airline of the dialect %s', (tool, _name, row, dialect) => {
  const [before, after] = [dialect.as(row.before), dialect.as(row.after)];
  const act = done(tool, row.subject(before), 5, { outcome: { tickets: TICKETS } });

  test('is not shown by the reading as it was before, and shown by the next', async () => {
    const facts = { operationId: tool, tool, at: NOW - 5 * MINUTE };
    const found = await unshown(before, [act]);
    expect(found).toHaveLength(row.missing.length);
    expect(found).toMatchObject(row.missing.map((deed) => ({ ...deed, ...facts })));
    expect(await unshown(after, [act])).toEqual([]);
    expect(shownBy(before, [act], { acts: ACTS, digest })).toEqual([]);
    expect(shownBy(after, [act], { acts: ACTS, digest })).toEqual([tool]);
  });

  test.each([
    ['tickets', withMoney(after, { tickets: before.tickets })],
    ['orders', withMoney(after, { orders: before.orders })],
    ['masked', masked(before)],
  ])('of readings that lag in a part, or hide it: %s', async (lag, reading) => {
    const isMissing = row.alsoMissing?.includes(lag) === true;
    expect((await unshown(reading, [act])).length > 0).toBe(isMissing);
  });

  test('counts only if it succeeded, and nothing of it is in a booking that shows nothing', async () => {
    expect(await unshown(before, [{ ...act, state: 'needs_person' }])).toEqual([]);
    // Of what was cancelled as a whole only we know it.
    const missing = tool === 'cancel_booking' ? [{ kind: 'cancellation', ...all }] : [];
    expect((await unshown(reread(after, NOTHING), [act])).map(part)).toEqual(missing);
  });
});

describe('acts that follow each other', () => {
  const people = (given: string) => ticketed({ travelers: [traveler('1', given, 'Haddad')] });
  const rename = (from: string, to: string, minutesAgo: number) => {
    const wanted = traveler('1', to, 'Haddad');
    return done(`${from} to ${to}`, expectChangedNames(people(from), [wanted], digest), minutesAgo);
  };
  const twice = [rename('Bea', 'Cyra', 5), rename('Amal', 'Bea', 10)];

  test.each<[string, string, string[]]>([
    ['the first name', 'Amal', ['Bea to Cyra']],
    ['the second', 'Bea', ['Bea to Cyra']],
    ['the third', 'Cyra', []],
    ['one that the airline gave', 'Dana', []],
  ])('of two changes of a name the reading shows %s', async (_, given, missing) => {
    expect((await unshown(people(given), twice)).map(({ tool }) => tool)).toEqual(missing);
  });

  test('of a name that was changed and changed back, each name', async () => {
    const back = [rename('Bea', 'Amal', 5), rename('Amal', 'Bea', 10)];
    expect(await unshown(people('Amal'), back)).toEqual([]);
    expect((await unshown(people('Bea'), back)).map(({ tool }) => tool)).toEqual(['Bea to Amal']);
  });

  test('a payment, and the cancellation of what was paid: both are known, whatever the reading shows', async () => {
    const paid = done('pay_booking', expectPayment(hold(), SUM), 10);
    const cancelled = done('cancel_segment', expectCancelledSegments(party(), ['1', '2']), 5);
    const booking = await known(hold(), [cancelled, paid]);
    expect(booking.notShown.map(part)).toEqual([
      { kind: 'payment', ...all },
      { kind: 'cancellation', ...ofSegments('1', '2') },
    ]);
    expect(booking.orders).toEqual([{ ...pending(), status: 'PAID' }]);
    expect(bookingState(booking, NOW).state).toBe('cancelled');
    expect(await unshown(gone(party(), ['1', '2']), [cancelled, paid])).toEqual([]);
    expect((await unshown(party(), [cancelled, paid])).map(part)).toEqual([
      { kind: 'cancellation', ...ofSegments('1', '2') },
    ]);
  });

  test('a passenger removed after a segment was cancelled takes over nothing of it', async () => {
    const segments = done('cancel_segment', expectCancelledSegments(party(), ['1']), 10);
    const people = done('cancel_passenger', expectCancelledPassengers(gone(party(), ['1']), ['2'], digest), 5);
    const booking = await known(party(), [people, segments]);
    expect(booking.notShown.map(part)).toEqual([
      { kind: 'cancellation', ...ofSegments('1') },
      { kind: 'cancellation', ...ofPeople('2') },
    ]);
    expect(booking.travelers.map(({ ref }) => ref)).toEqual(['1']);
    // Only the later one is shown.
    expect((await unshown(ticketed({ travelers: [AMAL] }), [people, segments])).map(part)).toEqual([
      { kind: 'cancellation', ...ofSegments('1') },
    ]);
  });

  test('a passenger who was removed again leaves the other one to the act before', async () => {
    const both = done('both', expectCancelledPassengers(party(), ['1', '2'], digest), 70);
    const again = done('again', expectCancelledPassengers(party(), ['1'], digest), 5);
    expect((await unshown(party(), [again, both])).map((deed) => [deed.tool, deed.travelerRefs])).toEqual([
      ['both', ['2']],
      ['again', ['1']],
    ]);
  });

  test('a segment that was cancelled again leaves the others to the act before', async () => {
    const both = done('both', expectCancelledSegments(party(), ['1', '2']), 70);
    const again = done('again', expectCancelledSegments(party(), ['1']), 5);
    expect((await unshown(party(), [again, both])).map((deed) => [deed.tool, deed.segmentRefs])).toEqual([
      ['both', ['2']],
      ['again', ['1']],
    ]);
  });

  test('of two services of a passenger each, and of two payments the later', async () => {
    const service = (code: string) => {
      const asked = { travelerRef: '1', segmentRefs: ['1'], code };
      return done(code, { kind: 'request_service', ...expectAddedService(party(), asked, digest) });
    };
    const services = await unshown(party(), [service('VGML'), service('WCHS')]);
    expect(services.map(({ what }) => what).toSorted()).toEqual(['VGML', 'WCHS']);
    const pay = (id: string) => done(id, expectPayment(hold(), SUM));
    expect((await unshown(hold(), [pay('second'), pay('first')])).map(({ tool }) => tool)).toEqual(['second']);
  });

  test('two flights after one another: the reading that shows the first one, and the one between', async () => {
    const third = segment('9', { flightNumber: '109', departs: '2026-12-01T20:00:00.000+03:00' });
    const between = party({ options: [option(LATER), BACK] });
    const rebookings = [
      done('second', expectRebookedSegment(between, LATER, third), 5),
      done('first', expectRebookedSegment(party(), segment('1'), LATER), 10),
    ];
    const tools = async (booking: Booking) => (await unshown(booking, rebookings)).map(({ tool }) => tool);
    expect(await tools(party())).toEqual(['first']);
    expect(await tools(between)).toEqual(['second']);
    expect(await tools(party({ options: [option(third), BACK] }))).toEqual([]);
  });

  test('a change of flight to the first one again is shown by it', async () => {
    const between = party({ options: [option(LATER), BACK] });
    const rebookings = [
      done('back', expectRebookedSegment(between, LATER, segment('1')), 5),
      done('there', expectRebookedSegment(party(), segment('1'), LATER), 10),
    ];
    expect(await unshown(party(), rebookings)).toEqual([]);
    expect((await unshown(between, rebookings)).map(({ tool }) => tool)).toEqual(['back']);
  });
});

describe('what a reading can show in another way', () => {
  const paid = done('pay_booking', expectPayment(hold(), SUM));
  const ticket = party().tickets[0] as Booking['tickets'][number];

  test.each<[string, Booking, boolean]>([
    ['a ticket', withMoney(hold(), { tickets: party().tickets }), true],
    ['a coupon without a ticket number', withMoney(hold(), { tickets: [{ ...ticket, number: '' }] }), true],
    ['a paid order', withMoney(hold(), { orders: party().orders }), true],
    ['a refund', withMoney(hold(), { orders: [{ direction: 'REFUND', status: 'PENDING' }] }), true],
    ['a row with a time limit', withMoney(hold(), { tickets: [{ ...ticket, number: '', coupons: [] }] }), false],
    ['an order that waits', hold(), false],
    ['no order', withMoney(hold(), { orders: [] }), false],
  ])('a payment: %s', async (_, reading, isShown) => {
    expect(await unshown(reading, [paid])).toHaveLength(isShown ? 0 : 1);
  });

  test('segments are known by their flights; one that the airline leaves out is cancelled', async () => {
    const cancelled = done('cancel_segment', expectCancelledSegments(party(), ['1']));
    const renumbered = party({
      options: [option(segment('2')), option(...BACK.segments.map((each) => ({ ...each, ref: '1' })))],
    });
    expect((await unshown(renumbered, [cancelled])).map(part)).toEqual([{ kind: 'cancellation', ...ofSegments('2') }]);
    const leftOut = party({ options: [BACK] });
    expect(shownBy(leftOut, [cancelled], { acts: ACTS, digest })).toEqual(['cancel_segment']);
    const listed = (statusCode: string) => party({ options: [option(segment('1', { statusCode })), BACK] });
    expect(await unshown(listed('HL'), [cancelled])).toHaveLength(1);
    expect(await unshown(listed('80'), [cancelled])).toEqual([]);
  });

  test('of a released hold each segment that still runs, but none once the airline says that it is cancelled', async () => {
    const released = done('cancel_booking', { kind: 'cancel_booking' });
    expect((await unshown(gone(hold(), ['1']), [released])).map(part)).toEqual([
      { kind: 'cancellation', ...ofSegments('2') },
    ]);
    expect(await unshown(reread(hold(), { cancelled: true }), [released])).toEqual([]);
  });

  test('a booking that was cancelled as a whole is cancelled, whatever is left of it in a reading', async () => {
    const released = done('cancel_booking', { kind: 'cancel_booking' });
    const cancelled = done('cancel_segment', expectCancelledSegments(party(), ['1', '2']));
    const { tickets } = held({ tickets: [{ ...ticket, number: '', coupons: [] }] });
    for (const [act, left] of [
      [released, {}],
      [released, { tickets }],
      [released, { orders: [pending()] }],
      [cancelled, {}],
      [cancelled, { orders: party().orders }],
    ] as const) {
      const booking = await known(reread(hold(), { ...NOTHING, ...left }), [act], [], NOW + 9 * HOUR);
      expect(bookingState(booking, NOW)).toEqual({ state: 'cancelled', basis: 'cancelled here' });
      expect(doneHereText(booking)).toMatch(
        /^Booking ABC123 was cancelled here on .*; the airline shows no segment of it any more\.$/,
      );
      expect(deedsDoneHere(booking, booking.notShown)).toMatch(/^it was cancelled here on/);
    }

    const refund: Booking['orders'] = [{ direction: 'REFUND', status: 'PAID', amount: SUM }];
    expect(await unshown(reread(hold(), { ...NOTHING, orders: refund }), [cancelled])).toEqual([]);
    // The other segment was to stay: a reading without any proves nothing.
    const one = done('cancel_segment', expectCancelledSegments(party(), ['1']));
    expect(await unshown(reread(hold(), NOTHING), [one])).toEqual([]);
  });

  test('of removed passengers as many equal ones as were not to stay, while a flight of theirs runs', async () => {
    const twins = [traveler('1', 'Amal', 'Haddad'), traveler('2', 'Amal', 'Haddad'), traveler('3', 'Bilal', 'Haddad')];
    const booking = ticketed({ travelers: twins });
    for (const ref of ['1', '2']) {
      for (const subject of [
        expectCancelledPassengers(booking, [ref], digest),
        expectSplitBooking(booking, [ref], digest),
      ]) {
        const removed = [done('removed', subject)];
        expect((await unshown(booking, removed)).map(({ travelerRefs }) => travelerRefs)).toEqual([[ref]]);
        expect(
          await unshown(reread(booking, { travelers: twins.filter((each) => each.ref !== ref) }), removed),
        ).toEqual([]);
        const renamed = twins.with(1, traveler('2', 'Cyra', 'Nasser'));
        expect(await unshown(reread(booking, { travelers: renamed }), removed)).toEqual([]);
        expect(await unshown(gone(booking, ['1', '2']), removed)).toEqual([]);
      }
    }

    // An earlier version did not note which of equal ones it was.
    const { goneRefs: _, ...earlier } = expectCancelledPassengers(booking, ['1'], digest);
    expect((await unshown(booking, [done('removed', earlier)])).map(({ travelerRefs }) => travelerRefs)).toEqual([
      ['2'],
    ]);
  });

  test('people of a booking whose flights the airline cancelled itself are there until it shows them gone', async () => {
    const owed = party({
      options: [OUT, BACK].map(({ segments }) =>
        option(...segments.map((each) => ({ ...each, statusCode: '31', owed: true as const }))),
      ),
    });
    const removed = done('cancel_passenger', expectCancelledPassengers(owed, ['2'], digest));
    expect((await unshown(owed, [removed])).map(({ travelerRefs }) => travelerRefs)).toEqual([['2']]);
  });

  test('a seat that the airline changed since, or does not show of anybody, is not waited for', async () => {
    const [, , , , , , , , row] = ROWS as unknown as Row[];
    const seats = [done('assign_seats', (row as Row).subject(seated(SEATED)))];
    expect(await unshown(seated({ seat: '7', coach: '9' }), seats)).toEqual([]);
    expect(await unshown(seated({ seat: undefined, coach: undefined } as object), seats)).toEqual([]);
    // For an hour the airline may show none yet.
    expect(await unshown(party(), seats)).toHaveLength(1);
    expect(await unshown(party(), seats, [], NOW + HOUR)).toEqual([]);
    const cancelled = gone(seated(SEATED), ['1']);
    expect(await unshown(cancelled, seats)).toEqual([]);
  });

  test('a service that the airline answered, or shows without saying how many there are, is not waited for', async () => {
    const asked = { travelerRef: '1', segmentRefs: ['1', '2'], code: 'WCHS' };
    const requested = [
      done('request_service', { kind: 'request_service', ...expectAddedService(party(), asked, digest) }),
    ];
    const read = (over: object) =>
      unshown(party({ services: [{ ...WHEELCHAIR, ...over }] }), requested, [], NOW + 9 * HOUR);
    expect(await read({ status: 'UN' })).toEqual([]);
    expect(await read({ quantity: undefined })).toEqual([]);
    expect(await read({ quantity: 2 })).toEqual([]);
    expect((await read({ segmentRefs: ['1'] })).map(({ segmentRefs }) => segmentRefs)).toEqual([['2']]);
    expect(await read({ code: 'VGML' })).toHaveLength(1);
    expect(await unshown(party(), requested, [], NOW + 9 * HOUR)).toHaveLength(1);
    // Nothing is waited for on a flight that is cancelled.
    const cancelled = await unshown(gone(party(), ['1']), requested, [], NOW + 9 * HOUR);
    expect(cancelled.map(({ segmentRefs }) => segmentRefs)).toEqual([['2']]);
  });

  test('a booking that is known already is not asked for again', async () => {
    const list = async () => [done('pay_booking', expectPayment(hold(), SUM))];
    const from = { acts: ACTS, digest, now: NOW };
    const first = await knownByStore(hold(), { list }, 't', from);
    expect(isPaid(first)).toBe(true);

    const never = () => Promise.reject(new Error('listed again'));
    expect(await knownByStore(first, { list: never }, 't', from)).toBe(first);
  });

  test('without another reading nothing is known to have been shown', async () => {
    const from = { acts: ACTS, digest, now: NOW + 9 * HOUR };
    const paid = done('pay_booking', expectPayment(hold(), SUM));
    expect(isPaid(await knownBooking(hold(), [paid], from))).toBe(true);
  });

  test('a detail that nobody saw before is waited for, but not where another of the same act is shown', async () => {
    const bare = ticketed({ travelers: [bareTraveler('1', { name: AMAL.name as object as never })] });
    const update = (over: object) => [
      done('update_passenger', expectUpdatedPassengers(bare, [{ ...one(bare), ...over }], digest)),
    ];
    const email = { emails: ['amal@example.com'] };
    expect((await unshown(bare, update(email))).map(({ what }) => what)).toEqual(['e-mail']);
    expect(await unshown(bare, update(email), [], NOW + HOUR)).toEqual([]);
    const both = update({ ...email, gender: 'Male' });
    const half = reread(bare, { travelers: [{ ...one(bare), gender: 'Male' }] });
    expect(await unshown(half, both)).toEqual([]);
  });

  test('names of a group are waited for, for an hour if the airline shows no name at all', async () => {
    const group = held({ travelers: [bareTraveler('1'), bareTraveler('2')] });
    const named = [done('change_names', expectChangedNames(group, [AMAL], digest))];
    const [deed] = await unshown(group, named);
    expect(deed).toMatchObject({ travelerRefs: ['1'], what: 'name, gender, birth date and document' });
    expect(await unshown(group, named, [], NOW + HOUR)).toEqual([]);
    const other = held({ travelers: [bareTraveler('1'), BILAL] });
    expect(await unshown(other, named, [], NOW + HOUR)).toHaveLength(1);
  });
});

describe('the hour, and after it', () => {
  const paid = done('pay_booking', expectPayment(hold(), SUM), 0);

  test.each<[string, number, string[], boolean]>([
    ['within the hour, seen before', HOUR - 1, ['pay_booking'], true],
    ['after it, never seen', HOUR, [], true],
    ['after it, another act was seen', 30 * HOUR, ['other'], true],
    ['after it, seen before: the airline undid it', HOUR, ['pay_booking'], false],
  ])('%s', async (_, after, seen, isKnown) => {
    expect(isPaid(await known(hold(), [paid], seen, NOW + after))).toBe(isKnown);
  });

  test('a payment that was seen is still told after it, of a hold alone; a cancelled flight is not', async () => {
    const seen = ['pay_booking', 'cancel_segment'];
    expect(await unshown(hold(), [paid], seen, NOW + HOUR)).toMatchObject([{ kind: 'payment', isUndone: true }]);
    expect(doneHereText(await known(hold(), [paid], seen, NOW + HOUR))).toMatch(
      /^It was paid here on .*, SAR 690\.00; the airline's reading does not show it any more\.$/,
    );
    const over = reread(hold(), { cancelled: true });
    expect(await unshown(over, [paid], seen, NOW + HOUR)).toEqual([]);
    const cancelled = done('cancel_segment', expectCancelledSegments(party(), ['1']));
    expect(await unshown(party(), [cancelled], seen, NOW + HOUR)).toEqual([]);
  });

  test('only a payment has a sum and tickets', async () => {
    const outcome = { tickets: TICKETS };
    const rebooked = done('rebook_segment', expectRebookedSegment(party(), segment('1'), LATER), 5, { outcome });
    const [deed] = await unshown(party(), [rebooked]);
    expect(deed).not.toHaveProperty('sum');
    expect(deed).not.toHaveProperty('tickets');
  });

  test.each<[string, Booking, Subject]>([
    ['segments without their flights', party(), { ...expectCancelledSegments(party(), ['1']), flights: undefined }],
    [
      'a name without who it was',
      party(),
      { kind: 'change_names', changes: [{ ref: '1', details: ['name'], was: '#name=AMAL/HADDAD', wanted: '#x' }] },
    ],
    [
      'a seat without its flight',
      seated(SEATED),
      {
        kind: 'assign_seats',
        seats: expectAssignedSeats(
          seated(SEATED),
          [{ segmentRef: '1', travelerRef: '1', seat: '52' }],
          digest,
        ).seats.map(({ flight: _, ...aim }) => aim),
      },
    ],
  ])('an act of an earlier version is left out: %s', async (_, reading, subject) => {
    expect(await unshown(reading, [done('earlier', subject)])).toEqual([]);
  });

  test('says what was done, when, and that the reading does not show it', async () => {
    const changes = [done('change_names', expectChangedNames(party(), [RENAMED], digest))];
    const booking = await known(party(), changes);
    expect(deedsDoneHere(booking, booking.notShown)).toMatch(
      /^details of 1 passenger \(name\) were changed here on .*; the airline/,
    );
  });
});
