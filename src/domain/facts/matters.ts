/**
 * What each kind of change by the airline matters to, and how an act therefore tells it. An act binds what changes where, when, for whom
 * or for how much people travel, as far as that act depends on it.
 */
import type { FindingKind } from '../booking/finding.ts';

/**
 * - `journey`: whether, when and how flights run. `person`: who travels on them.
 * - `document`: passports and the like. `ticket`: fares and tickets. `contact`: whom the airline writes to. `seat`: where people sit.
 * - `price`: the total. `money`: what was paid and comes back, and by which rules. `term`: until when something is possible.
 */
export type Matter = 'journey' | 'person' | 'document' | 'ticket' | 'contact' | 'seat' | 'price' | 'money' | 'term';

/** `time`: time alone brings it about, so that no act binds it. `settled`: such a finding is closed as soon as it is found. */
const MATTERS: Readonly<Record<FindingKind, Matter | 'time' | 'settled'>> = {
  // The flight.
  segment_cancelled: 'journey',
  segment_restored: 'journey',
  no_show: 'journey',
  number_changed: 'journey',
  route_changed: 'journey',
  retimed: 'journey',
  stops_changed: 'journey',
  flight_added: 'journey',
  class_changed: 'journey',
  carrier_changed: 'journey',
  booking_cancelled: 'journey',
  other_booking: 'journey',
  // A mark alone: neither times nor number changed.
  schedule_change: 'money',
  seat_changed: 'seat',
  // Who flies, and on which ticket.
  passenger_off_flight: 'person',
  passenger_on_flight: 'person',
  passenger_gone: 'person',
  passenger_added: 'person',
  name_changed: 'person',
  type_changed: 'person',
  lap_changed: 'person',
  ticket_of_other: 'person',
  document_changed: 'document',
  contact_changed: 'contact',
  fare_changed: 'ticket',
  coupon_closed: 'ticket',
  ticket_gone: 'ticket',
  ticket_twice: 'ticket',
  flown_early: 'ticket',
  // What it costs, what comes back, and until when.
  price_changed: 'price',
  order_unlike_total: 'money',
  order_added: 'money',
  payment_changed: 'money',
  charged_more: 'money',
  refunded: 'money',
  refund_rule_changed: 'money',
  change_rule_changed: 'money',
  refund_pending: 'time',
  refund_arrived: 'settled',
  deadline_moved: 'term',
};

/** What an act binds if somebody pays, gives up or moves something. */
export const WHERE_MONEY_MOVES: readonly Matter[] = [
  'journey',
  'person',
  'document',
  'ticket',
  'contact',
  'price',
  'money',
  'term',
];

/** How an act tells changes by the airline. What it neither binds nor leaves out is in its question if it is known then, and in its result. */
export interface Telling {
  /** In its question and its result; and if such a change comes after the question, the yes does not count. */
  readonly binds: readonly Matter[];
  /** In neither: the act gives it up. */
  readonly leavesOut?: readonly Matter[];
}

/** Whether a yes to this act does not count once such a change comes after the question. */
export function isBound(kind: FindingKind, { binds }: Telling): boolean {
  return binds.some((matter) => matter === MATTERS[kind]);
}

/** Whether questions and results of this act name such a change. */
export function isTold(kind: FindingKind, { leavesOut = [] }: Telling): boolean {
  return MATTERS[kind] !== 'settled' && leavesOut.every((matter) => matter !== MATTERS[kind]);
}
