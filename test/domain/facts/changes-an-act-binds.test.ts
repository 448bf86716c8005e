/** For which act each kind of change by the airline binds a yes: every kind by every act, as a person would list them. */
import { describe, expect, test } from 'vitest';
import { FINDING_KINDS, type FindingKind } from '../../../src/domain/booking/finding.ts';
import { isBound, isTold } from '../../../src/domain/facts/changes-an-act-binds.ts';
import { isAct } from '../../../src/tools/definition/define.ts';
import { CATALOG } from '../../../src/tools/index.ts';

const ACTS = CATALOG.filter(isAct);

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

/** What each act binds a yes to. */
const BOUND: Readonly<Record<string, readonly FindingKind[]>> = {
  create_booking: [],
  pay_booking: WHERE_MONEY_MOVES,
  cancel_booking: WHERE_MONEY_MOVES,
  cancel_segment: WHERE_MONEY_MOVES,
  cancel_passenger: WHERE_MONEY_MOVES,
  rebook_segment: WHERE_MONEY_MOVES,
  change_names: [
    ...FLIGHTS_AND_PEOPLE,
    ...FARES_AND_TICKETS,
    ...(['deadline_moved', 'document_changed', 'price_changed'] as const),
  ],
  update_passenger: [...FLIGHTS_AND_PEOPLE, ...FARES_AND_TICKETS, 'document_changed'],
  update_contact: [...FLIGHTS_AND_PEOPLE, 'contact_changed'],
  assign_seats: [...FLIGHTS_AND_PEOPLE, ...FARES_AND_TICKETS],
  request_service: [...FLIGHTS_AND_PEOPLE, ...FARES_AND_TICKETS],
  split_booking: [
    ...FLIGHTS_AND_PEOPLE,
    ...FARES_AND_TICKETS,
    ...(['contact_changed', 'document_changed', 'price_changed'] as const),
  ],
};

test('every act has its row here, and there are 41 kinds', () => {
  expect(ACTS.map(({ name }) => name).sort()).toEqual(Object.keys(BOUND).sort());
  expect(FINDING_KINDS).toHaveLength(41);
});

test('questions and results name all changes, but what is settled', () => {
  expect(FINDING_KINDS.filter((kind) => !isTold(kind))).toEqual(['refund_arrived']);
});

describe.each(ACTS)('$name', (act) => {
  const bound = BOUND[act.name] ?? [];

  test('binds a yes to these changes', () => {
    expect(FINDING_KINDS.filter((kind) => isBound(kind, act)).sort()).toEqual([...bound].sort());
  });
});
