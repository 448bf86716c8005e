/** For which question each kind of change by the airline binds a yes: every kind by every nature and part, as a person would list them. */
import { describe, expect, test } from 'vitest';
import { FINDING_KINDS, type FindingKind } from '../../../src/domain/booking/finding.ts';
import { bindsChange, isTold, mattersTo } from '../../../src/domain/facts/changes-an-act-binds.ts';
import { type SaidPart, saidLimit, saidPerson, saidWords } from '../../../src/domain/facts/said.ts';
import { traveler } from '../../support/people.ts';

const FLIGHTS_AND_PEOPLE: readonly FindingKind[] = [
  'booking_cancelled',
  'carrier_changed',
  'class_changed',
  'flight_added',
  'lap_changed',
  'name_changed',
  'no_show',
  'number_changed',
  'other_booking',
  'passenger_added',
  'passenger_gone',
  'passenger_off_flight',
  'passenger_on_flight',
  'retimed',
  'route_changed',
  'segment_cancelled',
  'segment_restored',
  'stops_changed',
  'ticket_of_other',
  'type_changed',
];
const FARES_AND_TICKETS: readonly FindingKind[] = [
  'coupon_closed',
  'fare_changed',
  'flown_early',
  'ticket_astray',
  'ticket_gone',
  'ticket_twice',
];
const SUMS_AND_RULES: readonly FindingKind[] = [
  'change_rule_changed',
  'charged_more',
  'order_added',
  'order_unlike_total',
  'payment_changed',
  'refund_rule_changed',
  'refunded',
  'schedule_change',
];
const WHERE_MONEY_MOVES: readonly FindingKind[] = [
  ...FLIGHTS_AND_PEOPLE,
  ...FARES_AND_TICKETS,
  ...SUMS_AND_RULES,
  'contact_changed',
  'deadline_moved',
  'document_changed',
  'price_changed',
];

const WHATEVER_IS_DONE: readonly FindingKind[] = [...FLIGHTS_AND_PEOPLE, ...FARES_AND_TICKETS, 'price_changed'];

const PERSON = saidPerson(traveler('1', 'Amal', 'Haddad'));
const LIMIT = saidLimit('Names', '2026-12-01T08:00:00Z');

/** What a yes binds, by the nature of the act and by what its question says. */
const BOUND: readonly (readonly [Parameters<typeof mattersTo>[0], readonly SaidPart[], readonly FindingKind[]])[] = [
  ['payment', [], WHERE_MONEY_MOVES],
  ['cancellation', [], WHERE_MONEY_MOVES],
  ['change', [saidWords('seat', '4/12A')], WHATEVER_IS_DONE],
  ['change', [PERSON], [...WHATEVER_IS_DONE, 'document_changed']],
  ['change', [PERSON, LIMIT], [...WHATEVER_IS_DONE, 'document_changed', 'deadline_moved']],
];

test('there are 41 kinds', () => {
  expect(FINDING_KINDS).toHaveLength(41);
});

test('questions and results name all changes, but what is settled', () => {
  expect(FINDING_KINDS.filter((kind) => !isTold(kind))).toEqual(['refund_arrived']);
});

describe.each(BOUND)('a %s that says %j', (nature, said, kinds) => {
  test('binds a yes to these changes', () => {
    const matters = mattersTo(nature, [{ line: 'a line', said }]);
    const bound = FINDING_KINDS.filter((kind) => bindsChange(kind, matters));
    expect(bound.sort()).toEqual([...kinds].sort());
  });
});
