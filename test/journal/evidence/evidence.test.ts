/** What a reading of the booking proves about a payment, a cancellation or changed names. */
import { describe, expect, test } from 'vitest';
import { expectCancelledPassengers, expectCancelledSegments } from '../../../src/tools/acts/cancellation-evidence.ts';
import { expectBooking } from '../../../src/tools/acts/create-booking.ts';
import { expectPayment } from '../../../src/tools/acts/payment-evidence.ts';
import { expectChangedNames } from '../../../src/tools/acts/people-evidence.ts';
import { NO_REFUNDS, SAR } from '../../store/support/new-operation.ts';
import { RULES } from '../../support/rules.ts';
import { type Booking, booking, operation, option, order, paidBooking, ticket, traveler } from '../answers.ts';

type Subject = Parameters<typeof operation>[0];
const digest = (text: string) => `#${text}`;
const judged = (subject: Subject, read: Booking) => RULES.reading(operation(subject), read, digest);
const people = (...travelers: ReturnType<typeof traveler>[]) => booking({ travelers });
/** Without an itinerary. */
const bare = (...tickets: ReturnType<typeof ticket>[]) => booking({ options: [], tickets });
const REFUND = order(100, 'PENDING', 'REFUND');

describe('a payment', () => {
  const subject: Subject = { kind: 'pay', amount: SAR(17250), coupons: 2 };

  test.each<[string, Partial<Booking>, string]>([
    ['PAID with every ticket', {}, 'done'],
    ['PAID, amount not stated', { orders: [order()] }, 'done'],
    ['every ticket, no order at all', { orders: [] }, 'done'],
    ['every ticket, the order still PENDING', { orders: [order(17250, 'PENDING')] }, 'done'],
    ['nothing', { orders: [], tickets: [] }, 'not_done'],
    ['PENDING, and a time limit only', { orders: [order(17250, 'PENDING')], tickets: [ticket('')] }, 'not_done'],
    ['only a refund paid', { orders: [order(17250, 'PAID', 'REFUND')], tickets: [] }, 'not_done'],
    ['PAID without tickets', { tickets: [] }, 'partial'],
    ['PAID with one coupon of two', { tickets: [ticket('9', ['O'])] }, 'partial'],
    ['one coupon of two, no order at all', { orders: [], tickets: [ticket('9', ['O'])] }, 'partial'],
    ['tickets made void, no order at all', { orders: [], tickets: [ticket('9', ['V', 'V'])] }, 'partial'],
    ['tickets made void', { tickets: [ticket('9', ['V', 'V'])] }, 'partial'],
    ['exchanged tickets alone', { tickets: [ticket('9', ['E', 'E'])] }, 'partial'],
    ['an exchanged ticket beside the new one', { tickets: [ticket('9', ['E', 'E']), ticket('5')] }, 'done'],
    ['tickets refunded', { tickets: [ticket('9', ['R', 'O'])] }, 'partial'],
    ['coupons of a kind not known', { tickets: [ticket('9', [undefined, 'Q'])] }, 'done'],
    ['PAID with another amount', { orders: [order(18000)] }, 'contradicted'],
    ['nothing shown at all', { options: [], orders: [], tickets: [] }, 'void'],
    ['PAID twice', { orders: [order(17250), order(17250)] }, 'contradicted'],
    ['PAID beside another amount', { orders: [order(5000), order(17250)] }, 'contradicted'],
    ['PAID in two parts', { orders: [order(5000), order(12250)] }, 'done'],
    ['PAID once, the amount stated once', { orders: [order(), order(17250)] }, 'done'],
    ['PAID in euros', { orders: [{ ...order(), amount: { minor: 17250, currency: 'EUR' } }] }, 'contradicted'],
  ])('judges a payment read back as %s: %s', (_what, changes, verdict) => {
    expect(judged(subject, paidBooking(changes))).toBe(verdict);
  });

  test('never judges a payment done by its coupons if none are due', () => {
    const none: Subject = { ...subject, coupons: 0 };
    const reads = [booking(), paidBooking({ tickets: [ticket('9', ['V'])] }), paidBooking()];
    expect(reads.map((read) => judged(none, read))).toEqual(['not_done', 'partial', 'partial']);
  });

  test.each([
    [{}, 'done'],
    [{ segmentRefs: ['1'], travelerRefs: ['1', '2'] }, 'done'],
    [{ travelerRefs: [] }, 'done'],
    [{ segmentRefs: [] }, 'partial'],
  ])('counts a ticket without coupons by its pointers: %j', (pointers, verdict) => {
    expect(judged(subject, paidBooking({ tickets: [{ ...ticket('9'), coupons: [], ...pointers }] }))).toBe(verdict);
  });

  test('expects a coupon for each passenger on each active segment', () => {
    const travelers = [traveler('1', 'ANN'), traveler('2', 'BOB', { segmentRefs: ['1', '3'] })];
    const read = booking({ travelers, options: [option('1'), option('2', '16'), option('3')] });
    expect(expectPayment(read, SAR(1))).toEqual({ kind: 'pay', amount: SAR(1), coupons: 4, tickets: 2 });
  });

  test('expects a coupon for a status that is not known only if no segment is known to be active', () => {
    const couponsOf = (...statuses: string[]) => {
      const options = statuses.map((status, i) => option(`${i + 1}`, status));
      return expectPayment(booking({ travelers: [traveler('1', 'ANN')], options }), SAR(1)).coupons;
    };
    expect([couponsOf('ZZ', 'ZZ'), couponsOf('30', 'ZZ'), couponsOf('HL', 'ZZ')]).toEqual([2, 1, 1]);
  });

  const READINGS: [string, { stated?: ReturnType<typeof SAR> }, Booking, string][] = [
    ['no sum, and it is paid', {}, paidBooking(), 'done'],
    ['the approved sum, and it is paid', { stated: SAR(17250) }, paidBooking(), 'done'],
    ['another sum, and orders of the approved one', { stated: SAR(100) }, paidBooking(), 'done'],
    ['twice the sum', { stated: SAR(34500) }, paidBooking({ orders: [order(17250), order(17250)] }), 'contradicted'],
    ['another sum, and orders of none', { stated: SAR(100) }, paidBooking({ orders: [] }), 'contradicted'],
    ['any, and it is not paid', {}, booking(), 'contradicted'],
    ['any, and it is paid in part', {}, paidBooking({ tickets: [] }), 'partial'],
    ['any, and nothing is shown', {}, bare(), 'void'],
  ];
  test.each(READINGS)('judges a reading after a receipt of %s', (_what, receipt, read, verdict) => {
    expect(RULES.reading(operation(subject, { outcome: { receipt } }), read, digest)).toBe(verdict);
  });

  test('counts a reading only of our own booking, by either of its references', () => {
    const named = (locator: string, id: string) => paidBooking({ locator, references: [{ id, segmentRefs: [] }] });
    expect(judged(subject, named('abc123', ''))).toBe('done');
    expect(judged(subject, named('XYZ789', 'ABC123'))).toBe('done');
    expect(judged(subject, named('XYZ789', 'XYZ789'))).toBe('void');
    const { locator: _, ...unplaced } = operation(subject);
    expect(RULES.reading(unplaced, paidBooking(), digest)).toBe('void');
  });
});

describe('cancelled segments', () => {
  const two = (first: string, second: string) => booking({ options: [option('1', first), option('2', second)] });
  const subject = { kind: 'cancel_segments', segmentRefs: ['1'], keptRefs: ['2'], ...NO_REFUNDS } as const;
  const all: Subject = { ...subject, segmentRefs: ['1', '2'], keptRefs: [] };
  const emptied = (refunds: number) => ({ ...bare(), orders: Array.from({ length: refunds }, () => REFUND) });

  test('expects active segments that are not named to stay', () => {
    const read = booking({ options: [option('1'), option('2'), option('3', '16')] });
    const flights = ['101', '102'].map((flightNumber) => expect.objectContaining({ number: flightNumber }));
    expect(expectCancelledSegments(read, ['1'])).toEqual({
      ...subject,
      flights: flights.slice(0, 1),
      keptFlights: flights.slice(1),
    });
    const before = { ...read, pricing: { refunds: [{ amount: SAR(1) }], fares: [], perType: [] } };
    expect(expectCancelledSegments(before, ['1', '2'])).toEqual({
      ...{ ...all, flights, keptFlights: [], refundsBefore: 1 },
      earlierRefunds: { entries: [{ amount: SAR(1) }], orders: [] },
    });
  });

  test.each<[string, Subject, Booking, string]>([
    ['named cancelled, the other active', subject, two('16', '30'), 'done'],
    ['named gone from the itinerary', subject, booking({ options: [option('2')] }), 'done'],
    ['named in a status that is neither', subject, two('46', '30'), 'partial'],
    ['named after a schedule change', subject, two('51', '30'), 'not_done'],
    ['named in a status not known', subject, two('Q7', '30'), 'partial'],
    ['nothing changed', subject, two('30', '30'), 'not_done'],
    ['the other one cancelled too', subject, two('16', '16'), 'contradicted'],
    ['the other one instead', subject, two('30', '16'), 'contradicted'],
    ['no itinerary, though one must stay', subject, bare(), 'void'],
    ['all of two', all, two('16', '16'), 'done'],
    ['one of two', all, two('16', '30'), 'partial'],
    ['all of two, both waitlisted', all, two('46', '46'), 'partial'],
    ['none of two', all, two('30', '30'), 'not_done'],
    ['all, and no itinerary is read', all, bare(), 'void'],
    ['all, and every coupon was refunded', all, bare(ticket('9', ['R', 'V'])), 'done'],
    ['all, refunded beside an exchanged one', all, bare(ticket('9', ['E', 'E']), ticket('5', ['R', 'R'])), 'done'],
    ['all, and only exchanged tickets', all, bare(ticket('9', ['E', 'E'])), 'void'],
    ['all, refunded beside a row without a ticket', all, bare(ticket('9', ['R', 'R']), ticket('', [])), 'done'],
    ['all, and a ticket lists no coupon', all, bare(ticket('9', ['R', 'R']), ticket('8', [])), 'void'],
    ['all, and a coupon was not refunded', all, bare(ticket('9', ['R', 'O'])), 'void'],
    ['all, and nothing is left but the refund order', all, emptied(1), 'done'],
    ['all, and the refund order is an earlier one', { ...all, refundsBefore: 1 }, emptied(1), 'void'],
    ['all, refunded, with people', all, { ...emptied(1), travelers: [traveler('1', 'ANN')] }, 'void'],
    ['some, and nothing is left but the refund order', subject, emptied(1), 'void'],
    ['some, and no itinerary is read', subject, bare(ticket('9', ['R', 'R'])), 'void'],
  ])('judges cancelled segments read: %s', (_what, aim, read, verdict) => {
    expect(judged(aim, read)).toBe(verdict);
  });

  test('finds them under other pointers', () => {
    const aim = expectCancelledSegments(two('30', '30'), ['1']);
    const exchanged = (first: string, second: string) => {
      const numbered = [option('1', first), option('2', second)] as const;
      const refs = ['2', '1'];
      const options = numbered.map(({ segments, ...one }, i) => ({
        ...one,
        segments: segments.map((segment) => ({ ...segment, ref: refs[i] ?? '' })),
      }));
      return booking({ options });
    };
    expect(judged(aim, exchanged('16', '30'))).toBe('done');
    expect(judged(aim, exchanged('30', '16'))).toBe('contradicted');
    expect(judged(aim, exchanged('30', '30'))).toBe('not_done');
    // The other one has its pointer now.
    const [, left] = exchanged('16', '30').options;
    expect(judged(aim, booking({ options: left === undefined ? [] : [left] }))).toBe('done');
  });

  describe('that the airline had cancelled before', () => {
    const owed = (ref: string, statusCode = '31', how: true | 'unclear' = true) => {
      const { segments, ...rest } = option(ref, statusCode);
      return { ...rest, segments: segments.map((segment) => ({ ...segment, owed: how })) };
    };
    const seen = (...options: Booking['options']) => booking({ options, tickets: [ticket('9', ['O', 'O'])] });
    const aim = expectCancelledSegments(seen(owed('1'), option('2')), ['1']);
    const back = { ...seen(option('1', '16'), option('2')), tickets: [ticket('9', ['R', 'O'])] };

    test.each<[string, Booking, string]>([
      ['untouched', seen(owed('1'), option('2')), 'not_done'],
      ['with a refund and open coupons', { ...seen(owed('1'), option('2')), orders: [REFUND] }, 'partial'],
      ['refunded', back, 'done'],
      ['untouched, the other cancelled by the airline too', seen(owed('1'), owed('2')), 'not_done'],
      ['untouched, the other cancelled', seen(owed('1'), option('2', '16')), 'contradicted'],
      ['untouched, the other gone', seen(owed('1')), 'contradicted'],
    ])('judges them by coupons and refunds, not by their status: %s', (_what, read, verdict) => {
      expect(aim).toMatchObject({ segmentRefs: ['1'], keptRefs: ['2'], owedRefs: ['1'] });
      expect(judged(aim, read)).toBe(verdict);
    });

    test('does not take a cancellation with slow coupons for one that did not happen', () => {
      expect(judged(subject, seen(owed('1', '16', 'unclear'), owed('2', '31', 'unclear')))).toBe('partial');
      expect(judged(subject, seen(owed('1', '16'), option('2')))).toBe('partial');
    });
  });

  test.each([
    ['open', ticket('9', ['O', 'O']), 'partial'],
    ['refunded', ticket('9', ['R', 'O']), 'done'],
    ['of no segment', { ...ticket('9', []), coupons: [{ statusCode: 'O' }] }, 'done'],
  ])('judges cancelled segments by their coupons, here %s', (_what, own, verdict) => {
    expect(judged(subject, { ...two('16', '30'), tickets: [own] })).toBe(verdict);
  });
});

describe('cancelled passengers', () => {
  const [ann, bob, cid] = [traveler('1', 'ANN'), traveler('2', 'BOB'), traveler('3', 'CID')] as const;
  const subject = expectCancelledPassengers(people(ann, bob, cid), ['2'], digest);
  const both = expectCancelledPassengers(people(ann, bob, cid), ['1', '2'], digest);

  test('names people in the expected change only by digest', () => {
    const [own, other, third] = ['ANN', 'BOB', 'CID'].map((name) => expect.stringMatching(new RegExp(`^#.*${name}`)));
    const whom = { gone: [other], kept: [own, third], goneRefs: ['2'] };
    expect(subject).toEqual({ kind: 'cancel_passengers', ...NO_REFUNDS, ...whom });
  });

  test.each<[string, Subject, Booking, string]>([
    ['gone, the others there', subject, people(ann, cid), 'done'],
    ['gone, and the pointers renumbered', subject, people(ann, { ...cid, ref: '2' }), 'done'],
    ['all still there', subject, people(ann, bob, cid), 'not_done'],
    ['all still there, one more added', subject, people(ann, bob, cid, traveler('4', 'DAN')), 'not_done'],
    ['another one missing', subject, people(ann, bob), 'contradicted'],
    ['another one missing too', subject, people(ann), 'contradicted'],
    ['one of two', both, people(bob, cid), 'partial'],
    ['renamed at another desk, not gone', subject, people(ann, traveler('2', 'BOBBY'), cid), 'partial'],
    ['no travellers in the reply', subject, people(), 'void'],
  ])('judges cancelled passengers read: %s', (_what, aim, seen, verdict) => {
    expect(judged(aim, seen)).toBe(verdict);
  });

  test('proves nothing by an empty reading unless all tickets of the last passengers were refunded', () => {
    const refunded = { ...people(), tickets: [ticket('9', ['R', 'R'])] };
    const last = expectCancelledPassengers(people(ann), ['1'], digest);
    const one = expectCancelledPassengers(people(ann, bob), ['1'], digest);
    expect([judged(last, people()), judged(last, refunded), judged(one, refunded)]).toEqual(['void', 'done', 'void']);
  });

  test('counts the unnamed passengers of a group by type', () => {
    const group = [traveler('1'), traveler('2'), traveler('3'), traveler('4', undefined, { type: 'CHD' })];
    const aim = expectCancelledPassengers(people(...group), ['2'], digest);
    const [one, , three, child] = group as [typeof ann, typeof ann, typeof ann, typeof ann];
    expect(judged(aim, people(one, three, child))).toBe('done');
    expect(judged(aim, people(one, { ...three, ref: '2' }, child))).toBe('done');
    expect(judged(aim, people(...group))).toBe('not_done');
    expect(judged(aim, people(one, child))).toBe('contradicted');
    expect(judged(aim, people(one, three, traveler('2')))).toBe('contradicted');
  });
});

describe('changed names', () => {
  const named = (one: string, two: string) => people(traveler('1', one), traveler('2', two));
  const before = named('ANN', 'BOB');
  const changed = (...to: [string, string]) => expectChangedNames(before, named(...to).travelers, digest);
  const subject = changed('ANNA', 'ROBERT');

  test.each<[string, Subject, Booking, string]>([
    ['as wanted', subject, named('ANNA', 'ROBERT'), 'done'],
    ['as wanted, in another spelling', subject, named('Anná', 'robert'), 'done'],
    ['as wanted, with titles behind the names', subject, named('ANNAMRS', 'ROBERT MR'), 'done'],
    ['as before', subject, before, 'not_done'],
    ['one of two', subject, named('ANNA', 'BOB'), 'partial'],
    ['something else', subject, named('ANNE', 'ROBERT'), 'contradicted'],
    ['one of them gone', subject, people(traveler('1', 'ANNA')), 'contradicted'],
    ['no travellers in the reply', subject, people(), 'void'],
    ['swapped as wanted', changed('BOB', 'ANN'), named('BOB', 'ANN'), 'done'],
    ['not swapped', changed('BOB', 'ANN'), before, 'not_done'],
  ])('judges changed names read: %s', (_what, aim, seen, verdict) => {
    expect(judged(aim, seen)).toBe(verdict);
  });
});

test.each<[string, Booking, string]>([
  ['stated as CANCELLED', booking({ cancelled: true }), 'done'],
  ['no active segment', booking({ options: [option('1', '16')] }), 'done'],
  ['no itinerary', bare(), 'bare'],
  ['no itinerary, but tickets', bare(ticket('9', ['O'])), 'void'],
  ['no itinerary, but a payment', { ...bare(), orders: [order()] }, 'void'],
  ['waitlisted as before', booking({ options: [option('1', '46')] }), 'partial'],
  ['all active', booking(), 'not_done'],
  ['some active', booking({ options: [option('1', '16'), option('2')] }), 'partial'],
])('judges a cancelled booking read: %s', (_what, read, verdict) => {
  expect(judged({ kind: 'cancel_booking' }, read)).toBe(verdict);
});

test('cannot judge a create by a reading', () => {
  expect(judged(expectBooking([], digest), booking())).toBe('void');
});
