import { describe, expect, test } from 'vitest';
import { changeCharge } from '../../../src/domain/pricing/estimate-change-charge.ts';
import {
  type Booking,
  fare,
  NOW,
  OUT,
  type PenaltyRule,
  price,
  row,
  rule,
  sar,
  ticketed,
} from '../../support/bookings.ts';
import { traveler } from '../../support/people.ts';

/** Two adults and a child at 345.00 a leg each, with change rules on both legs. */
function family(rules: readonly PenaltyRule[], over: Partial<Booking> = {}): Booking {
  const legs = (changeRules: readonly PenaltyRule[]) => [
    fare('1', 'MED', 'JED', { changeRules }),
    fare('2', 'JED', 'MED', { changeRules }),
  ];
  const rows = [row('ADT', 2, sar(138000)), row('CHD', 1, sar(69000))];
  return ticketed({
    travelers: [
      traveler('1', 'Amal', 'Haddad'),
      traveler('2', 'Noor', 'Haddad'),
      traveler('3', 'Omar', 'Haddad', { type: 'CHD' }),
    ],
    pricing: { total: price(sar(207000)), refunds: [], fares: legs(rules), perType: rows },
    ...over,
  });
}

const FEES = [rule({ base: sar(4000) }), rule({ passengerType: 'CHD', base: sar(2000), vatHundredths: 0 })];

describe('what a change of flight may cost', () => {
  test('adds the rules in force with tax to the whole new price if the old one is unknown', () => {
    expect(changeCharge(family(FEES), OUT, sar(150000), NOW)).toEqual({
      rule: '2 adults × SAR 46.00 = SAR 92.00, tax included; 1 child × SAR 20.00 = SAR 20.00.',
      atMost: sar(150000 + 8000 + 1200 + 2000),
    });
  });

  test('subtracts what was paid for the old flight if the rows state it', () => {
    const perLeg = (type: string, count: number, minor: number) =>
      ['1', '2'].map((ref) => row(type, count, sar(minor), { segmentRefs: [ref] }));
    const booking = family(FEES);
    const rows = [...perLeg('ADT', 2, 69000), ...perLeg('CHD', 1, 34500)];
    const split = {
      ...booking,
      pricing: { ...booking.pricing, refunds: [], fares: booking.pricing?.fares ?? [], perType: rows },
    };
    expect(changeCharge(split, OUT, sar(150000), NOW).atMost).toEqual(sar(150000 - 103500 + 11200));
    expect(changeCharge(split, OUT, sar(100000), NOW).atMost).toEqual(sar(11200));
  });

  test('uses the rule for all types if a type has none, and reports a forbidden change', () => {
    const any = [rule({ passengerType: '', base: sar(1000), vatHundredths: 0 })];
    expect(changeCharge(family(any), OUT, sar(1), NOW)).toEqual({
      rule: '2 adults × SAR 10.00 = SAR 20.00; 1 child × SAR 10.00 = SAR 10.00.',
      atMost: sar(3001),
    });
    const none = [rule({ passengerType: '', refundable: false, base: sar(0) })];
    expect(changeCharge(family(none), OUT, sar(1), NOW)).toEqual({
      rule: '2 adults: no change permitted; 1 child: no change permitted.',
    });
    const some = [rule({ base: sar(4000) }), rule({ passengerType: 'CHD', refundable: false, base: sar(0) })];
    expect(changeCharge(family(some), OUT, sar(1), NOW)).not.toHaveProperty('atMost');
  });

  test.each<[string, Booking]>([
    ['no change rule', family([])],
    ['no change rule in force', family([rule({ until: '2026-11-28T00:00:00Z' })])],
    ['no rule for a passenger type', family([rule()])],
    ['two rules for a passenger type', family([...FEES, rule({ base: sar(1) })])],
    ['no fare of this flight', family(FEES, { pricing: { refunds: [], fares: [], perType: [] } })],
    ['no passenger to charge', family(FEES, { travelers: [] })],
  ])('reports an unknown charge for a booking with %s', (_what, booking) => {
    expect(changeCharge(booking, OUT, sar(1), NOW)).toEqual({
      rule: 'The airline sent no rule for changing this flight.',
    });
  });

  test('does not report a rule as missing that the airline sent as text', () => {
    const fareRules = [{ text: 'Change: free until departure' }];
    const option = { ...OUT, segments: OUT.segments.map((each) => ({ ...each, fareRules })) };
    expect(changeCharge(family([]), option, sar(1), NOW)).toEqual({
      rule: 'The airline sent the rules of this flight as text only.',
      airlineWords: ['Change: free until departure'],
    });
  });

  test('computes no sum without a price in the same currency', () => {
    const { atMost, rule: words } = changeCharge(family(FEES), OUT, undefined, NOW);
    expect([atMost, words.startsWith('2 adults')]).toEqual([undefined, true]);
    expect(changeCharge(family(FEES), OUT, { minor: 5, currency: 'EUR' }, NOW).atMost).toBeUndefined();
  });
});
