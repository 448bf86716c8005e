/** What a yes binds of a booking: what changed, what the reading before the send leaves out, and what airlines write otherwise each time. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Booking, Reading } from '../../../src/domain/booking/booking.ts';
import {
  boundBooking,
  changedSinceAsked,
  hasPointers,
  pointedAnew,
  unordered,
} from '../../../src/domain/facts/bound.ts';
import type { Traveler } from '../../../src/domain/people/traveler.ts';
import { held, reread, ticketed } from '../../support/bookings.ts';
import { traveler } from '../../support/people.ts';

const NOW = Date.parse('2026-11-29T12:00:00Z');
const digest = (text: string) => createHash('sha256').update(text).digest('base64url');
const TWO = [traveler('1', 'Amal', 'Haddad Farouk'), traveler('2', 'Bilal', 'Haddad Farouk')] as const;
const asked = withChangeRules(ticketed({ travelers: TWO }));

function withChangeRules(booking: Booking): Booking {
  const { pricing } = booking.reading;
  const fares = pricing?.fares.map((fare) => ({ ...fare, changeRules: fare.refundRules }));
  return reread(booking, { pricing: pricing && { ...pricing, fares: fares ?? [] } });
}

function changed(now: Booking, was = asked, isBound = (_kind: string) => true) {
  return changedSinceAsked(boundBooking(was, NOW, digest), boundBooking(now, NOW + 60_000, digest), isBound);
}

const NOTHING = {
  ...{ differences: [], leftOut: [], state: undefined },
  ...{ isNameOther: false, areServicesOther: false },
};

const inSegments = (change: (segment: Reading['options'][number]['segments'][number]) => object) => ({
  options: asked.reading.options.map((option) => ({
    ...option,
    segments: option.segments.map((segment) => ({ ...segment, ...change(segment) })),
  })),
});

describe('what airlines write otherwise each time', () => {
  const { pricing } = asked.reading;
  test.each<[string, Partial<Reading>]>(
    [
      ['nothing', {}],
      ['the order of passengers', { travelers: TWO.toReversed() }],
      ['the order of flights', { options: asked.reading.options.toReversed() }],
      ['the order of rules and rows', pricing && { pricing: { ...pricing, fares: pricing.fares.toReversed() } }],
      ['a remark', { remarks: ['CALLED AT 12:01'] }],
      ['seat counters', inSegments(() => ({ availability: [{ bookingClass: 'Y', quantity: '3' }] }))],
      ['names in capitals', { travelers: TWO.map((one) => ({ ...one, name: capitals(one) })) }],
      [
        'a class with a blank',
        inSegments(({ bookingClass }) => ({ bookingClass: bookingClass && `${bookingClass} ` })),
      ],
    ].map(([name, over]) => [name as string, (over ?? {}) as Partial<Reading>]),
  )('is no change: %s', (_, over) => {
    expect(changed(reread(asked, over))).toEqual(NOTHING);
  });
});

const capitals = ({ name }: Pick<Traveler, 'name'>) =>
  name && { ...name, given: name.given.map((one) => one.toUpperCase()), surname: name.surname.toUpperCase() };

describe('what the question said, and the reading before the send leaves out', () => {
  const { pricing } = asked.reading;
  const withoutIn = (field: string) =>
    pricing && {
      pricing: {
        ...pricing,
        fares: pricing.fares.map((fare) => ({ ...fare, [field]: field.endsWith('Rules') ? [] : undefined })),
      },
    };
  test.each<[string, string, Partial<Reading> | undefined]>([
    ['flights', 'retimed', { options: [] }],
    ['passengers', 'passenger_gone', { travelers: [] }],
    ['total', 'price_changed', { pricing: undefined }],
    ['time limit for names', 'deadline_moved', withoutIn('namesUntil')],
    ['time limit for cancelling', 'deadline_moved', withoutIn('cancelUntil')],
    ['refund rule', 'refund_rule_changed', withoutIn('refundRules')],
    ['change rule', 'change_rule_changed', withoutIn('changeRules')],
  ])('%s', (what, kind, over) => {
    const now = reread(asked, over ?? {});
    expect(changed(now).leftOut).toContain(what);
    expect(changed(now, asked, (each) => each !== kind).leftOut).not.toContain(what);
  });
});

test('a limit that moved later is no change, and one that moved sooner is', () => {
  const { pricing } = asked.reading;
  const until = (namesUntil: string) => {
    const fares = pricing?.fares.map((fare) => ({ ...fare, namesUntil })) ?? [];
    return reread(asked, pricing ? { pricing: { ...pricing, fares } } : {});
  };
  const [was, later] = [until('2026-11-30T12:00:00Z'), until('2026-11-30T18:00:00Z')];
  expect(changed(later, was)).toEqual(NOTHING);
  expect(changed(was, later).differences).toMatchObject([{ kind: 'deadline_moved' }]);
});

test('an address that an act would send back, and the reading before the send leaves out', () => {
  const phone = { countryCode: '966', number: '551234567' };
  const [first, second] = TWO;
  const withAddresses = (emails: readonly string[], phones = [phone]) =>
    reread(asked, { travelers: [{ ...first, emails, phones }, second] });
  const was = withAddresses(['a@example.com', 'b@example.com']);
  const lost = (now: Booking, sendsBack = true) =>
    changedSinceAsked(boundBooking(was, NOW, digest), boundBooking(now, NOW, digest), () => false, sendsBack).leftOut;
  expect(lost(was)).toEqual([]);
  expect(lost(withAddresses(['B@example.com', 'a@example.com', 'a@example.com']))).toEqual([]);
  expect(lost(withAddresses(['a@example.com'], []))).toEqual(['e-mail', 'telephone']);
  expect(lost(withAddresses(['a***@example.com']))).toEqual(['e-mail']);
  expect(lost(withAddresses([]), false)).toEqual([]);
});

test('a part of a name that changed is another name, and a masked one is none', () => {
  const named = (surname: string) => reread(asked, { travelers: [TWO[0], traveler('2', 'Bilal', surname)] });
  expect(changed(named('H***** F****k'))).toMatchObject({ differences: [], isNameOther: false });
});

describe('pointers of arguments', () => {
  const hold = held({ travelers: TWO });
  const readingOf = (booking: Booking) => boundBooking(booking, NOW, digest).reading;
  const anew = (args: object, over: Partial<Reading>) =>
    pointedAnew(args, readingOf(hold), readingOf(reread(hold, over)));
  const [first, second] = TWO;
  const as = (one: Traveler, ref: string) => ({ ...one, ref });

  test('point to the same people, whoever has them now', () => {
    const exchanged = { travelers: [as(second, '1'), as(first, '2')] };
    expect(anew({ passenger_refs: ['2'], all: '1' }, exchanged)).toEqual({ passenger_refs: ['1'], all: '1' });
    const numbered = { travelers: [as(first, '61'), as(second, '62')] };
    const seat = (passenger_ref: string) => ({ seats: [{ passenger_ref, segment_ref: '1', seat: '9A' }] });
    expect(anew(seat('2'), numbered)).toEqual(seat('62'));
  });

  test('point to the same flights', () => {
    const options = hold.reading.options.map((option) => ({
      ...option,
      segments: option.segments.map((segment) => ({ ...segment, ref: segment.ref === '1' ? '2' : '1' })),
    }));
    expect(anew({ segment_ref: '1' }, { options })).toEqual({ segment_ref: '2' });
    expect(anew({ segment_refs: ['1'] }, { options: options.slice(1) })).toEqual({ segment_refs: ['?'] });
  });

  test('point to nobody who cannot be told from others', () => {
    const nameless = ({ name: _, document: __, ...one }: Traveler) => one;
    const masked = [nameless(as(first, '1')), nameless(as(second, '62'))];
    expect(anew({ passenger_refs: ['1', '2'] }, { travelers: masked })).toEqual({ passenger_refs: ['1', '?'] });
    const twins = [as(first, '61'), as({ ...first, birthDate: first.birthDate }, '62')];
    expect(anew({ passenger_ref: '1' }, { travelers: twins })).toEqual({ passenger_ref: '?' });
  });

  test('are found in lists and in what is inside them', () => {
    expect(hasPointers({ changes: [{ passenger_ref: '1' }] })).toBe(true);
    expect(hasPointers({ locator: 'ABC123', all: true, payment: { type: 'cash' } })).toBe(false);
  });
});

test('a service is of the same passenger and flight, however these are written', () => {
  const wheelchair = { code: 'WCHR', status: 'HK', travelerRefs: ['1'], segmentRefs: ['1'] };
  const hold = held({ travelers: TWO, services: [wheelchair] });
  const { options } = hold.reading;
  const zone = (time: string) => time.replace('+03:00', '+04:00');
  const written = options.map((option) => ({
    ...option,
    segments: option.segments.map((one) => ({ ...one, departs: zone(one.departs), arrives: zone(one.arrives) })),
  }));
  const [first, second] = TWO.map(({ birthDate: _, ...one }) => ({ ...one, name: capitals(one) }));
  if (first === undefined || second === undefined) throw new Error('nobody');
  expect(changed(reread(hold, { options: written, travelers: [second, first] }), hold)).toEqual(NOTHING);
  for (const other of [
    { travelerRefs: ['2'] },
    { segmentRefs: ['2'] },
    { code: 'WCHS' },
    { status: 'UN' },
    { quantity: 2 },
  ])
    expect(changed(reread(hold, { services: [{ ...wheelchair, ...other }] }), hold).areServicesOther).toBe(true);
});

test('lists count in any order, and times to the nearest minute in UTC', () => {
  expect(unordered({ b: ['2', '1'], a: '2026-12-01T08:00:20+03:00', id: 'o1' })).toEqual({
    a: '2026-12-01T05:00:00Z',
    b: ['1', '2'],
  });
});
