import { describe, expect, test } from 'vitest';
import { type Booking, segmentsOf } from '../../../src/domain/booking/booking.ts';
import {
  type ExpectedChange,
  expectCancelledPassengers,
  expectCancelledSegments,
  expectChangedNames,
  expectCreate,
  expectPayment,
  flightKey,
} from '../../../src/domain/booking/expected-change.ts';
import { withOwed } from '../../../src/domain/booking/owed-segments.ts';
import { identityText } from '../../../src/domain/people/identity-text.ts';
import type { Traveler } from '../../../src/domain/people/traveler.ts';
import { evidenceRules, judge } from '../../../src/journal/evidence/evidence.ts';
import { SAR } from '../../store/new-operation.ts';
import { booking, operation, option, paidBooking, ticket, traveler } from '../harness.ts';

const digest = (text: string) => `#${text}`;
const judged = (subject: ExpectedChange, read: Booking) => judge(subject, read, digest);

describe('a payment', () => {
  const subject: ExpectedChange = { kind: 'pay', amount: SAR(17250), coupons: 2 };
  const order = (status: string, minor?: number, direction = 'PAYMENT') => ({
    direction,
    status,
    ...(minor !== undefined && { amount: SAR(minor) }),
  });

  test.each<[string, Partial<Booking>, string]>([
    ['PAID with every ticket', {}, 'done'],
    ['PAID, amount not stated', { orders: [order('PAID')] }, 'done'],
    ['every ticket, no order at all', { orders: [] }, 'done'],
    ['every ticket, the order still PENDING', { orders: [order('PENDING', 17250)] }, 'done'],
    ['nothing', { orders: [], tickets: [] }, 'not_done'],
    [
      'PENDING and a row with a time limit only',
      { orders: [order('PENDING', 17250)], tickets: [ticket('')] },
      'not_done',
    ],
    ['only a refund paid', { orders: [order('PAID', 17250, 'REFUND')], tickets: [] }, 'not_done'],
    ['PAID without tickets', { tickets: [] }, 'partial'],
    ['PAID with one coupon of two', { tickets: [ticket('9', ['O'])] }, 'partial'],
    ['one coupon of two, no order at all', { orders: [], tickets: [ticket('9', ['O'])] }, 'partial'],
    ['tickets made void, no order at all', { orders: [], tickets: [ticket('9', ['V', 'V'])] }, 'partial'],
    ['tickets made void', { tickets: [ticket('9', ['V', 'V'])] }, 'partial'],
    ['exchanged tickets alone', { tickets: [ticket('9', ['E', 'E'])] }, 'partial'],
    ['an exchanged ticket beside the new one', { tickets: [ticket('9', ['E', 'E']), ticket('5')] }, 'done'],
    ['tickets refunded', { tickets: [ticket('9', ['R', 'O'])] }, 'partial'],
    ['coupons of a kind not known', { tickets: [ticket('9', [undefined, 'Q'])] }, 'done'],
    ['PAID with another amount', { orders: [order('PAID', 18000)] }, 'contradicted'],
    ['nothing shown at all', { options: [], orders: [], tickets: [] }, 'void'],
    ['PAID twice', { orders: [order('PAID', 17250), order('PAID', 17250)] }, 'contradicted'],
    ['PAID beside another amount', { orders: [order('PAID', 5000), order('PAID', 17250)] }, 'contradicted'],
    ['PAID in two parts', { orders: [order('PAID', 5000), order('PAID', 12250)] }, 'done'],
    ['PAID once, the amount stated once', { orders: [order('PAID'), order('PAID', 17250)] }, 'done'],
    [
      'PAID in another currency',
      { orders: [{ ...order('PAID'), amount: { minor: 17250, currency: 'EUR' } }] },
      'contradicted',
    ],
  ])('judges a payment read back as %s: %s', (_what, changes, verdict) => {
    expect(judged(subject, paidBooking(changes))).toBe(verdict);
  });

  test('never judges a payment done by its coupons if none are due', () => {
    const none: ExpectedChange = { ...subject, coupons: 0 };
    expect(judged(none, booking())).toBe('not_done');
    expect(judged(none, paidBooking({ tickets: [ticket('9', ['V'])] }))).toBe('partial');
    expect(judged(none, paidBooking())).toBe('partial');
  });

  test('counts a ticket without coupons by its pointers', () => {
    const bare = { ...ticket('9'), coupons: [] };
    expect(judged(subject, paidBooking({ tickets: [bare] }))).toBe('done');
    expect(judged(subject, paidBooking({ tickets: [{ ...bare, segmentRefs: ['1'], travelerRefs: ['1', '2'] }] }))).toBe(
      'done',
    );
    expect(judged(subject, paidBooking({ tickets: [{ ...bare, travelerRefs: [] }] }))).toBe('done');
    expect(judged(subject, paidBooking({ tickets: [{ ...bare, segmentRefs: [] }] }))).toBe('partial');
  });

  test('expects a coupon for each passenger on each active segment', () => {
    const travelers = [traveler('1', 'ANN'), traveler('2', 'BOB', { segmentRefs: ['1', '3'] })];
    const read = booking({ travelers, options: [option('1'), option('2', '16'), option('3')] });
    expect(expectPayment(read, SAR(1))).toEqual({ kind: 'pay', amount: SAR(1), coupons: 4, tickets: 2 });
  });
});

const none = { entries: [], orders: [] };

describe('cancelled segments', () => {
  const two = (first: string, second: string) => booking({ options: [option('1', first), option('2', second)] });
  const subject: ExpectedChange = { kind: 'cancel_segments', segmentRefs: ['1'], keptRefs: ['2'], refundsBefore: 0 };
  const all: ExpectedChange = { ...subject, segmentRefs: ['1', '2'], keptRefs: [] };
  const refund = { direction: 'REFUND', status: 'PENDING', amount: SAR(100) };
  const emptied = (refunds: number) =>
    booking({ options: [], travelers: [], orders: Array.from({ length: refunds }, () => refund) });

  test('expects active segments that are not named to stay', () => {
    const read = booking({ options: [option('1'), option('2'), option('3', '16')] });
    const flights = segmentsOf(read).map(flightKey);
    expect(expectCancelledSegments(read, ['1'])).toEqual({
      ...{ ...subject, earlierRefunds: none },
      flights: flights.slice(0, 1),
    });
    const before = { ...read, pricing: { refunds: [{ amount: SAR(1) }], fares: [], perType: [] } };
    expect(expectCancelledSegments(before, ['1', '2'])).toEqual({
      ...all,
      flights: flights.slice(0, 2),
      refundsBefore: 1,
      earlierRefunds: { ...none, entries: [{ amount: SAR(1) }] },
    });
  });

  test.each<[string, ExpectedChange, Booking, string]>([
    ['named cancelled, the other active', subject, two('16', '30'), 'done'],
    ['named gone from the itinerary', subject, booking({ options: [option('2')] }), 'done'],
    ['named in a status that is neither', subject, two('46', '30'), 'partial'],
    ['named after a schedule change', subject, two('51', '30'), 'not_done'],
    ['named in a status not known', subject, two('Q7', '30'), 'partial'],
    ['nothing changed', subject, two('30', '30'), 'not_done'],
    ['the other one cancelled too', subject, two('16', '16'), 'contradicted'],
    ['the other one instead', subject, two('30', '16'), 'contradicted'],
    ['no itinerary, though one must stay', subject, booking({ options: [] }), 'void'],
    ['all of two', all, two('16', '16'), 'done'],
    ['one of two', all, two('16', '30'), 'partial'],
    ['all, and no itinerary is read', all, booking({ options: [] }), 'void'],
    ['all, and every coupon was refunded', all, booking({ options: [], tickets: [ticket('9', ['R', 'V'])] }), 'done'],
    [
      'all, refunded, beside the ticket that was exchanged',
      all,
      booking({ options: [], tickets: [ticket('9', ['E', 'E']), ticket('5', ['R', 'R'])] }),
      'done',
    ],
    ['all, and only exchanged tickets', all, booking({ options: [], tickets: [ticket('9', ['E', 'E'])] }), 'void'],
    [
      'all, refunded, beside a row without a ticket',
      all,
      booking({ options: [], tickets: [ticket('9', ['R', 'R']), ticket('', [])] }),
      'done',
    ],
    [
      'all, and a ticket lists no coupon',
      all,
      booking({ options: [], tickets: [ticket('9', ['R', 'R']), ticket('8', [])] }),
      'void',
    ],
    ['all, and a coupon was not refunded', all, booking({ options: [], tickets: [ticket('9', ['R', 'O'])] }), 'void'],
    ['all, and nothing is left but the refund order', all, emptied(1), 'done'],
    ['all, and the refund order is an earlier one', { ...all, refundsBefore: 1 }, emptied(1), 'void'],
    [
      'all, refunded, and somebody is on the booking',
      all,
      { ...emptied(1), travelers: [traveler('1', 'ANN')] },
      'void',
    ],
    ['some, and nothing is left but the refund order', subject, emptied(1), 'void'],
    ['some, and no itinerary is read', subject, booking({ options: [], tickets: [ticket('9', ['R', 'R'])] }), 'void'],
    ['all of two, both waitlisted', all, two('46', '46'), 'partial'],
    ['none of two', all, two('30', '30'), 'not_done'],
  ])('judges cancelled segments read: %s', (_what, aim, read, verdict) => {
    expect(judged(aim, read)).toBe(verdict);
  });

  describe('that the airline had cancelled before', () => {
    const owed = (ref: string, statusCode = '31') => {
      const { segments, ...rest } = option(ref, statusCode);
      return { ...rest, segments: segments.map((segment) => ({ ...segment, owed: true as const })) };
    };
    const open = { tickets: [ticket('9', ['O', 'O'])] };
    const aim = expectCancelledSegments(booking({ options: [owed('1'), option('2')], ...open }), ['1']);

    test.each<[string, Booking, string]>([
      ['untouched', booking({ options: [owed('1'), option('2')], ...open }), 'not_done'],
      [
        'with a refund and open coupons',
        booking({ options: [owed('1'), option('2')], orders: [refund], ...open }),
        'partial',
      ],
      ['refunded', booking({ options: [option('1', '16'), option('2')], tickets: [ticket('9', ['R', 'O'])] }), 'done'],
      [
        'untouched, the other cancelled by the airline too',
        booking({ options: [owed('1'), owed('2')], ...open }),
        'not_done',
      ],
      ['untouched, the other cancelled', booking({ options: [owed('1'), option('2', '16')], ...open }), 'contradicted'],
      ['untouched, the other gone', booking({ options: [owed('1')], ...open }), 'contradicted'],
    ])('judges them by coupons and refunds, not by their status: %s', (_what, read, verdict) => {
      expect(aim).toMatchObject({ segmentRefs: ['1'], keptRefs: ['2'], owedRefs: ['1'] });
      expect(judged(aim, read)).toBe(verdict);
    });

    test('waits for slow coupons beside another train that the airline cancelled', () => {
      const slow = withOwed(booking({ options: [option('1', '16'), option('2', '31')], orders: [refund], ...open }));
      const own = { ...subject, segmentRefs: ['1'], keptRefs: ['2'] };
      expect(judged(own, slow)).toBe('partial');
    });

    test('does not take a cancellation with slow coupons for one that did not happen', () => {
      expect(judged(subject, booking({ options: [owed('1', '16'), option('2')], ...open }))).toBe('partial');
    });
  });

  test('judges cancelled segments partial while their coupons are open', () => {
    const open = { ...two('16', '30'), tickets: [ticket('9', ['O', 'O'])] };
    expect(judged(subject, open)).toBe('partial');
    expect(judged(subject, { ...open, tickets: [ticket('9', ['R', 'O'])] })).toBe('done');
    const unlinked = { ...ticket('9', []), coupons: [{ statusCode: 'O' }] };
    expect(judged(subject, { ...open, tickets: [unlinked] })).toBe('done');
  });
});

describe('cancelled passengers', () => {
  const ann = traveler('1', 'ANN');
  const bob = traveler('2', 'BOB');
  const cid = traveler('3', 'CID');
  const subject = expectCancelledPassengers(booking({ travelers: [ann, bob, cid] }), ['2'], digest);
  const both = expectCancelledPassengers(booking({ travelers: [ann, bob, cid] }), ['1', '2'], digest);
  const read = (...travelers: Traveler[]) => booking({ travelers });

  test('names people in the expected change only by digest', () => {
    const id = (one: Traveler) => digest(identityText(one));
    expect(subject).toEqual({
      kind: 'cancel_passengers',
      gone: [id(bob)],
      kept: [id(ann), id(cid)],
      refundsBefore: 0,
      earlierRefunds: none,
    });
  });

  test.each<[string, ExpectedChange, Booking, string]>([
    ['gone, the others there', subject, read(ann, cid), 'done'],
    ['gone, and the pointers renumbered', subject, read(ann, { ...cid, ref: '2' }), 'done'],
    ['all still there', subject, read(ann, bob, cid), 'not_done'],
    ['all still there, one more added', subject, read(ann, bob, cid, traveler('4', 'DAN')), 'not_done'],
    ['another one missing', subject, read(ann, bob), 'contradicted'],
    ['another one missing too', subject, read(ann), 'contradicted'],
    ['one of two', both, read(bob, cid), 'partial'],
    ['renamed at another desk, not gone', subject, read(ann, traveler('2', 'BOBBY'), cid), 'partial'],
    ['no travellers in the reply', subject, read(), 'void'],
  ])('judges cancelled passengers read: %s', (_what, aim, seen, verdict) => {
    expect(judged(aim, seen)).toBe(verdict);
  });

  test('proves nothing by an empty reading unless all tickets of the last passengers were refunded', () => {
    const last = expectCancelledPassengers(read(ann), ['1'], digest);
    expect(judged(last, read())).toBe('void');
    expect(judged(last, { ...read(), tickets: [ticket('9', ['R', 'R'])] })).toBe('done');
    const one = expectCancelledPassengers(read(ann, bob), ['1'], digest);
    expect(judged(one, { ...read(), tickets: [ticket('9', ['R', 'R'])] })).toBe('void');
  });

  test('counts the unnamed passengers of a group by type', () => {
    const group = [traveler('1'), traveler('2'), traveler('3'), traveler('4', undefined, { type: 'CHD' })];
    const aim = expectCancelledPassengers(booking({ travelers: group }), ['2'], digest);
    const [one, , three, child] = group as [Traveler, Traveler, Traveler, Traveler];
    expect(judged(aim, read(one, three, child))).toBe('done');
    expect(judged(aim, read(one, { ...three, ref: '2' }, child))).toBe('done');
    expect(judged(aim, read(...group))).toBe('not_done');
    expect(judged(aim, read(one, child))).toBe('contradicted');
    expect(judged(aim, read(one, three, traveler('2')))).toBe('contradicted');
  });
});

describe('changed names', () => {
  const before = booking({ travelers: [traveler('1', 'ANN'), traveler('2', 'BOB')] });
  const subject = expectChangedNames(before, [traveler('1', 'ANNA'), traveler('2', 'ROBERT')], digest);
  const read = (...travelers: Traveler[]) => booking({ travelers });

  test.each<[string, Booking, string]>([
    ['as wanted', read(traveler('1', 'ANNA'), traveler('2', 'ROBERT')), 'done'],
    ['as wanted, in another spelling', read(traveler('1', 'Anná'), traveler('2', 'robert')), 'done'],
    ['as before', before, 'not_done'],
    ['one of two', read(traveler('1', 'ANNA'), traveler('2', 'BOB')), 'partial'],
    ['something else', read(traveler('1', 'ANNE'), traveler('2', 'ROBERT')), 'partial'],
    ['one of them gone', read(traveler('1', 'ANNA')), 'partial'],
    ['no travellers in the reply', read(), 'void'],
  ])('judges changed names read: %s', (_what, seen, verdict) => {
    expect(judged(subject, seen)).toBe(verdict);
  });

  test('distinguishes two passengers who swap names', () => {
    const swap = expectChangedNames(before, [traveler('1', 'BOB'), traveler('2', 'ANN')], digest);
    expect(judged(swap, before)).toBe('not_done');
    expect(judged(swap, read(traveler('1', 'BOB'), traveler('2', 'ANN')))).toBe('done');
  });

  test('judges an older record, which names no details, by the name', () => {
    const change = { ref: '1', was: digest('name=ANN/DOE'), wanted: digest('name=ANNA/DOE') };
    const old: ExpectedChange = { kind: 'change_names', changes: [change] };
    expect(judged(old, before)).toBe('not_done');
    expect(judged(old, read(traveler('1', 'ANNA')))).toBe('done');
  });
});

describe('a cancelled booking', () => {
  test.each<[string, Booking, string]>([
    ['stated as CANCELLED', booking({ cancelled: true }), 'done'],
    ['no active segment', booking({ options: [option('1', '16')] }), 'done'],
    ['no itinerary', booking({ options: [] }), 'bare'],
    ['no itinerary, but tickets', booking({ options: [], tickets: [ticket('9', ['O'])] }), 'void'],
    [
      'no itinerary, but a payment',
      booking({ options: [], orders: [{ direction: 'PAYMENT', status: 'PAID' }] }),
      'void',
    ],
    ['waitlisted as before', booking({ options: [option('1', '46')] }), 'partial'],
    ['all active', booking(), 'not_done'],
    ['some active', booking({ options: [option('1', '16'), option('2')] }), 'partial'],
  ])('judges a cancelled booking read: %s', (_what, read, verdict) => {
    expect(judged({ kind: 'cancel_booking' }, read)).toBe(verdict);
  });
});

test('cannot judge a create by a reading', () => {
  expect(judged(expectCreate([], digest), booking())).toBe('void');
});

describe('a reading', () => {
  const pay = operation({ kind: 'pay', amount: SAR(17250), coupons: 2 });
  test('counts a reading only of our own booking, by either of its references', () => {
    expect(evidenceRules.reading(pay, paidBooking(), digest)).toBe('done');
    expect(evidenceRules.reading(pay, paidBooking({ locator: 'abc123' }), digest)).toBe('done');
    const operator = { locator: 'XYZ789', references: [{ id: 'ABC123', segmentRefs: [] }] };
    expect(evidenceRules.reading(pay, paidBooking(operator), digest)).toBe('done');
    const foreign = paidBooking({ locator: 'XYZ789', references: [{ id: 'XYZ789', segmentRefs: [] }] });
    expect(evidenceRules.reading(pay, foreign, digest)).toBe('void');
    const { locator: _, ...unplaced } = pay;
    expect(evidenceRules.reading(unplaced, paidBooking(), digest)).toBe('void');
  });
});
