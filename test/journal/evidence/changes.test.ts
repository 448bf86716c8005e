import { describe, expect, test } from 'vitest';
import type { Booking } from '../../../src/domain/booking/booking.ts';
import type { ExpectedChange } from '../../../src/domain/booking/expected-change.ts';
import {
  expectAssignedSeats,
  expectRebookedSegment,
  expectSplitBooking,
  expectUpdatedContact,
  expectUpdatedPassengers,
} from '../../../src/domain/booking/expected-details.ts';
import type { Segment } from '../../../src/domain/booking/itinerary.ts';
import type { Contact, Traveler } from '../../../src/domain/people/traveler.ts';
import { evidenceRules, judge } from '../../../src/journal/evidence/evidence.ts';
import type { Of, Verdict } from '../../../src/journal/evidence/verdict.ts';
import { learned, statedCharge } from '../../../src/journal/outcome.ts';
import { SAR } from '../../store/new-operation.ts';
import { booking, operation, option, receipt, ticket, traveler } from '../harness.ts';

const digest = (text: string) => `#${text}`;
const judged = (subject: ExpectedChange, read: Booking) => judge(subject, read, digest);
const NOBODY = { emails: [], phones: [], addresses: [], comments: [] };

describe("passengers' information", () => {
  const ann = traveler('1', 'ANN', { gender: 'Female' });
  const wanted = { ...ann, gender: 'Male', emails: ['ann@example.com'] };
  const subject = expectUpdatedPassengers(booking({ travelers: [ann] }), [wanted], digest);

  test.each<[string, Traveler[], Verdict]>([
    ['as wanted', [wanted], 'done'],
    ['as wanted, in what is shown', [{ ...wanted, emails: [] }], 'done'],
    ['as before', [ann], 'not_done'],
    ['only what was not shown before', [{ ...ann, emails: wanted.emails }], 'partial'],
    ['something else', [{ ...ann, gender: 'Unknown' }], 'partial'],
    ['somebody else', [traveler('2', 'BOB')], 'partial'],
    ['nobody', [], 'void'],
  ])('judges passengers read %s', (_what, travelers, verdict) =>
    expect(judged(subject, booking({ travelers }))).toBe(verdict),
  );

  test('proves nothing about passenger details that the airline never shows', () => {
    const mail = expectUpdatedPassengers(booking({ travelers: [ann] }), [{ ...ann, emails: ['a@b.cd'] }], digest);
    expect(judged(mail, booking({ travelers: [ann] }))).toBe('void');
  });
});

describe('replacing one of several e-mails and phones', () => {
  const phone = (number: string) => ({ countryCode: '966', number });
  const points = (emails: string[], numbers: string[]) => ({ emails, phones: numbers.map(phone) });
  const before = points(['a@x.com', 'b@x.com'], ['551', '552']);
  const after = points(['new@x.com', 'b@x.com'], ['559', '552']);

  const READINGS: [string, ReturnType<typeof points>, Verdict][] = [
    ['as sent', after, 'done'],
    ['in another order', points(['b@x.com', 'new@x.com'], ['552', '559']), 'done'],
    ['one of them twice', points(['b@x.com', 'new@x.com', 'New@x.com'], ['552', '559', '559']), 'done'],
    ['as before', before, 'not_done'],
    ['as before, in another order', points(['B@x.com', 'a@x.com'], ['552', '551']), 'not_done'],
    ['one done, the other not', { ...before, emails: after.emails }, 'partial'],
    ['the old one still there', points(['new@x.com', 'a@x.com', 'b@x.com'], ['559', '551', '552']), 'partial'],
    // A point that should have stayed is gone, so a person must check.
    ['the new one alone', points(['new@x.com'], ['559']), 'partial'],
    ['another', points(['x@x.com', 'b@x.com'], ['550', '552']), 'partial'],
  ];

  test.each(READINGS)('judges the e-mails and phones of the contact: %s', (_what, read, verdict) => {
    const subject = expectUpdatedContact(
      booking({ contact: { ...NOBODY, ...before } }),
      { ...NOBODY, ...after },
      digest,
    );
    expect(judged(subject, booking({ contact: { ...NOBODY, ...read } }))).toBe(verdict);
  });

  test.each(READINGS)('judges the e-mails and phones of a passenger: %s', (_what, read, verdict) => {
    const subject = expectUpdatedPassengers(
      booking({ travelers: [traveler('1', 'ANN', before)] }),
      [traveler('1', 'ANN', after)],
      digest,
    );
    expect(judged(subject, booking({ travelers: [traveler('1', 'ANN', read)] }))).toBe(verdict);
  });
});

describe('the contact', () => {
  const before: Contact = { ...NOBODY, emails: ['old@example.com'] };
  const after: Contact = { ...NOBODY, emails: ['new@example.com'], phones: [{ countryCode: '966', number: '5512' }] };
  const subject = expectUpdatedContact(booking({ contact: before }), after, digest);

  test.each<[string, Contact | undefined, Verdict]>([
    ['as wanted', after, 'done'],
    ['as wanted, in what is shown', { ...after, phones: [] }, 'done'],
    ['as before', before, 'not_done'],
    ['a part', { ...after, emails: before.emails }, 'partial'],
    ['something else', { ...after, emails: ['x@example.com'] }, 'partial'],
    ['none in the reply', undefined, 'void'],
  ])('judges a contact read %s', (_what, contact, verdict) => {
    expect(judged(subject, booking({ ...(contact && { contact }) }))).toBe(verdict);
  });
});

describe('seats', () => {
  const people = [traveler('1', 'ANN'), traveler('2', 'BOB')];
  const seated = (...seats: (string | undefined)[]) =>
    booking({
      travelers: people,
      tickets: seats.map((seat, i) => {
        const own = ticket(`9${i}`);
        const coupons = own.coupons.map((coupon) => ({ ...coupon, ...(seat && { seat, coach: '4' }) }));
        return { ...own, travelerRefs: [String(i + 1)], coupons };
      }),
    });
  const choices = [
    { segmentRef: '1', travelerRef: '1', seat: '5A' },
    { segmentRef: '1', travelerRef: '2', seat: '5B' },
  ];
  const subject = expectAssignedSeats(seated('1A', '1B'), choices, digest);

  test.each<[string, Booking, Verdict]>([
    ['as wanted', seated('5A', '5B'), 'done'],
    ['as wanted, in another spelling', seated('05a', '5b'), 'done'],
    ['as before', seated('1A', '1B'), 'not_done'],
    ['one of two', seated('5A', '1B'), 'partial'],
    ['other seats', seated('7A', '7B'), 'partial'],
    ['no seats shown any more', seated(undefined, undefined), 'partial'],
    ['no travellers in the reply', booking(), 'void'],
  ])('judges seats read: %s', (_what, read, verdict) => expect(judged(subject, read)).toBe(verdict));

  test('judges seats by the identity of passengers, whose pointers may have changed', () => {
    const [ann, bob] = people as [Traveler, Traveler];
    const swapped = {
      ...seated('5B', '5A'),
      travelers: [
        { ...ann, ref: '2' },
        { ...bob, ref: '1' },
      ],
    };
    expect(judged(subject, swapped)).toBe('done');
    expect(judged(subject, { ...seated('5A', '5B'), travelers: [ann] })).toBe('partial');
  });

  test('distinguishes passengers without a name only by pointer', () => {
    const unnamed = [traveler('1'), traveler('2')];
    const group = (...seats: string[]) => ({ ...seated(...seats), travelers: unnamed });
    const aim = expectAssignedSeats(group('1A', '1B'), choices, digest);
    expect(judged(aim, group('5A', '5B'))).toBe('done');
    expect(
      judged(aim, { ...group('5A', '5B'), travelers: unnamed.map((one) => ({ ...one, ref: `${one.ref}0` })) }),
    ).toBe('partial');
  });

  test('proves nothing if the airline shows no seats before and after', () => {
    const aim = expectAssignedSeats(seated(undefined, undefined), choices, digest);
    expect(judged(aim, seated(undefined, undefined))).toBe('void');
    expect(judged(aim, seated('5A', '5B'))).toBe('done');
    expect(judged(aim, seated('6A', '6B'))).toBe('partial');
  });
});

describe('a rebooking', () => {
  const flight = (ref: string, over: Partial<Segment> = {}): Segment => {
    const [own] = option(ref).segments;
    if (own === undefined) throw new Error('no segment');
    return { ...own, bookingClass: 'Y', ...over };
  };
  const [old, back] = [flight('1'), flight('2', { from: 'JED', to: 'RUH' })];
  const fresh = flight('3', { bookingClass: 'C' });
  const read = (...segments: Segment[]) =>
    booking({ options: segments.map((one) => ({ ref: one.ref, segments: [one] })) });
  const subject = expectRebookedSegment(read(old, back), old, fresh);
  const unsold = ({ bookingClass: _, ...rest }: Segment): Segment => rest;
  const cancelled = (one: Segment) => ({ ...one, statusCode: '16' });

  test.each<[string, Booking, Verdict]>([
    ['the new flight in place of the old one', read(fresh, back), 'done'],
    ['under the old pointer', read({ ...fresh, ref: '1' }, back), 'done'],
    ['beside the old one, cancelled', read(cancelled(old), back, fresh), 'done'],
    ['as before', read(old, back), 'not_done'],
    ['both', read(old, back, fresh), 'partial'],
    ['neither yet', read(cancelled(old), back), 'partial'],
    ['twice', read(fresh, back, { ...fresh, ref: '4' }), 'partial'],
    ['a flight nobody asked for', read(back, flight('4', { flightNumber: '999' })), 'contradicted'],
    ['the other one gone too', read(fresh, cancelled(back)), 'contradicted'],
    ['the new flight in a class nobody asked for', read({ ...fresh, bookingClass: 'L' }, back), 'done'],
    ['beside the old one, in a class nobody asked for', read(old, back, { ...fresh, bookingClass: 'L' }), 'partial'],
    ['no itinerary', read(), 'void'],
    ['flights without a class are not mistaken', read(unsold(fresh), back), 'done'],
  ])('judges a rebooking read: %s', (_what, seen, verdict) => expect(judged(subject, seen)).toBe(verdict));

  test('judges a change of class only if the class is shown', () => {
    const upgrade = expectRebookedSegment(read(old, back), old, { ...old, ref: '3', bookingClass: 'C' });
    expect(judged(upgrade, read(unsold(old), back))).toBe('void');
    expect(judged(upgrade, read({ ...old, bookingClass: 'C' }, back))).toBe('done');
    expect(judged(upgrade, read(old, back))).toBe('not_done');
    expect(judged(upgrade, read({ ...old, bookingClass: 'L' }, back))).toBe('done');
  });

  test('reports the charge of a rebooking from the new payment', () => {
    const paid = (minor: number, status?: string) => ({
      direction: 'PAYMENT',
      ...(status !== undefined && { status }),
      amount: SAR(minor),
    });
    const orders = [paid(17250, 'PAID'), { direction: 'REFUND', amount: SAR(1) }, paid(4600, 'PENDING')];
    const aim = expectRebookedSegment({ ...read(old, back), orders: orders.slice(0, 1) }, old, fresh);
    const seen = { ...read(fresh, back), orders };
    expect(statedCharge(aim, seen)).toEqual({ amount: SAR(4600), orderStatus: 'PENDING' });
    expect(statedCharge(aim, { ...seen, orders: orders.slice(0, 2) })).toBeUndefined();
    expect(statedCharge(aim, { ...seen, orders: [...orders.slice(0, 1), paid(5)] })).toEqual({ amount: SAR(5) });
    expect(statedCharge(aim, { ...seen, orders: [...orders, { direction: 'PAYMENT' }] })).toEqual({
      amount: SAR(4600),
    });
    const reversed = { ...seen, orders: orders.toReversed() };
    expect(statedCharge(aim, reversed)).toEqual({ amount: SAR(4600), orderStatus: 'PENDING' });
    expect(statedCharge(aim, { ...seen, orders: [paid(21850, 'PAID')] })).toBeUndefined();
    const { earlierPayments: _, ...counted } = aim as Of<'rebook_segment'>;
    expect(statedCharge(counted, seen)).toEqual({ amount: SAR(4600), orderStatus: 'PENDING' });
    expect(statedCharge({ kind: 'cancel_booking' }, seen)).toBeUndefined();
    expect(learned(operation(aim), 'reply', { booking: seen })).toEqual({
      basis: 'reply',
      charge: { amount: SAR(4600), orderStatus: 'PENDING' },
      refund: { amount: SAR(1) },
    });
  });
});

describe('a split', () => {
  const [ann, bob, cid] = [traveler('1', 'ANN'), traveler('2', 'BOB'), traveler('3', 'CID')] as const;
  const whole = booking({ travelers: [ann, bob, cid] });
  const subject = expectSplitBooking(whole, ['2'], digest);
  const moved = (changes: Partial<Booking> = {}) =>
    booking({ locator: 'NEW456', references: [{ id: 'NEW456', segmentRefs: [] }], travelers: [bob], ...changes });
  const reply = (read: Booking) => evidenceRules.reply(operation(subject), { booking: read }, digest);

  test.each<[string, Booking, Verdict]>([
    ['all still there', whole, 'not_done'],
    ['they have left, but where to is not shown', booking({ travelers: [ann, cid] }), 'partial'],
    [
      'renumbered',
      booking({
        travelers: [
          { ...cid, ref: '1' },
          { ...ann, ref: '2' },
        ],
      }),
      'partial',
    ],
    ['another one gone', booking({ travelers: [ann, bob] }), 'contradicted'],
    ['nobody', booking(), 'void'],
  ])('judges a split by a reading: %s', (_what, read, verdict) => expect(judged(subject, read)).toBe(verdict));

  test.each<[string, Booking, Verdict]>([
    ['the new booking', moved(), 'done'],
    ['the old one, without them', booking({ travelers: [ann, cid] }), 'partial'],
    ['the old one, unchanged', whole, 'not_done'],
    ["somebody else's", moved({ travelers: [cid] }), 'void'],
    ['one with more people', moved({ travelers: [bob, cid] }), 'void'],
    ['one of other flights', moved({ options: [option('1')] }), 'void'],
    ['one of more flights', moved({ options: [option('1'), option('2'), option('3')] }), 'void'],
    ['nobody', moved({ travelers: [] }), 'void'],
  ])('judges a split by a reply: %s', (_what, read, verdict) => expect(reply(read)).toBe(verdict));

  test('does not accept a receipt as proof of a split', () => {
    expect(evidenceRules.reply(operation(subject), receipt(), digest)).toBe('void');
    expect(evidenceRules.reply(operation(subject), {}, digest)).toBe('void');
  });

  test('learns the new locator of a split from the reply', () => {
    expect(learned(operation(subject), 'reply', { booking: moved() })).toEqual({
      basis: 'reply',
      newLocator: 'NEW456',
    });
    expect(learned(operation(subject), 'reply', {})).toEqual({ basis: 'reply' });
  });
});
