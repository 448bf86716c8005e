/**
 * How each act tells each kind of change by the airline (Telling in definition/define.ts). Bound is what changes where, when, for whom
 * or for how much people travel, as far as that act depends on it; shown is what the clock brings about, or what another act is for.
 *
 * The columns are in the order of ACTS: create, pay; cancel booking, segment, passenger; rebook; names, passenger, contact; seats,
 * service; split.
 */
import type { ChangesTold, Telling } from '../definition/define.ts';

const ACTS = [
  'create_booking',
  'pay_booking',
  'cancel_booking',
  'cancel_segment',
  'cancel_passenger',
  'rebook_segment',
  'change_names',
  'update_passenger',
  'update_contact',
  'assign_seats',
  'request_service',
  'split_booking',
] as const;

type ActName = (typeof ACTS)[number];

type OneForEach<Columns extends readonly unknown[]> = { readonly [Column in keyof Columns]: Telling };
type Cells = OneForEach<typeof ACTS>;

const [bound, shown] = ['bound', 'shown'] as const;

/** A create asks before there is a booking: only a repeated call finds one, whose changes its result tells. */
const later = shown;

const given_up = { irrelevant: 'the whole booking is given up, and its seats with it' } as const;
const settled = { irrelevant: 'the money is there: such a finding is closed as soon as it is found' } as const;

const TABLE: Readonly<Record<keyof ChangesTold, Cells>> = {
  // The flight: whether, when and how it runs.
  segment_cancelled: [later, bound, bound, bound, bound, bound, bound, bound, bound, bound, bound, bound],
  segment_restored: [later, bound, bound, bound, bound, bound, bound, bound, bound, bound, bound, bound],
  no_show: [later, bound, bound, bound, bound, bound, bound, bound, bound, bound, bound, bound],
  number_changed: [later, bound, bound, bound, bound, bound, bound, bound, bound, bound, bound, bound],
  retimed: [later, bound, bound, bound, bound, bound, bound, bound, bound, bound, bound, bound],
  schedule_change: [later, bound, bound, bound, bound, bound, shown, shown, shown, shown, shown, shown],
  class_changed: [later, bound, bound, bound, bound, bound, bound, bound, bound, bound, bound, bound],
  carrier_changed: [later, bound, bound, bound, bound, bound, bound, bound, bound, bound, bound, bound],
  fare_changed: [later, bound, bound, bound, bound, bound, bound, bound, shown, bound, bound, bound],
  seat_changed: [later, shown, given_up, shown, shown, shown, shown, shown, shown, shown, shown, shown],
  // Who flies, and on which ticket.
  passenger_off_flight: [later, bound, bound, bound, bound, bound, bound, bound, bound, bound, bound, bound],
  passenger_on_flight: [later, bound, bound, bound, bound, bound, bound, bound, bound, bound, bound, bound],
  passenger_gone: [later, bound, bound, bound, bound, bound, bound, bound, bound, bound, bound, bound],
  passenger_added: [later, bound, bound, bound, bound, bound, bound, bound, bound, bound, bound, bound],
  name_changed: [later, bound, bound, bound, bound, bound, bound, bound, bound, bound, bound, bound],
  type_changed: [later, bound, bound, bound, bound, bound, bound, bound, bound, bound, bound, bound],
  document_changed: [later, bound, bound, bound, bound, bound, bound, bound, shown, shown, shown, bound],
  contact_changed: [later, bound, bound, bound, bound, bound, shown, shown, bound, shown, shown, bound],
  coupon_closed: [later, bound, bound, bound, bound, bound, bound, bound, shown, bound, bound, bound],
  ticket_gone: [later, bound, bound, bound, bound, bound, bound, bound, shown, bound, bound, bound],
  ticket_twice: [later, bound, bound, bound, bound, bound, bound, bound, shown, bound, bound, bound],
  ticket_of_other: [later, bound, bound, bound, bound, bound, bound, bound, bound, bound, bound, bound],
  flown_early: [later, bound, bound, bound, bound, bound, bound, bound, shown, bound, bound, bound],
  // What it costs, and what comes back.
  price_changed: [later, bound, bound, bound, bound, bound, bound, shown, shown, shown, shown, bound],
  order_unlike_total: [later, bound, bound, bound, bound, bound, shown, shown, shown, shown, shown, shown],
  refund_rule_changed: [later, bound, bound, bound, bound, bound, shown, shown, shown, shown, shown, shown],
  refunded: [later, bound, bound, bound, bound, bound, shown, shown, shown, shown, shown, shown],
  refund_pending: [later, shown, shown, shown, shown, shown, shown, shown, shown, shown, shown, shown],
  refund_arrived: [
    settled,
    settled,
    settled,
    settled,
    settled,
    settled,
    settled,
    settled,
    settled,
    settled,
    settled,
    settled,
  ],
  charged_more: [later, bound, bound, bound, bound, bound, shown, shown, shown, shown, shown, shown],
  // The booking.
  deadline_moved: [later, bound, bound, bound, bound, bound, bound, shown, shown, shown, shown, shown],
  booking_cancelled: [later, bound, bound, bound, bound, bound, bound, bound, bound, bound, bound, bound],
};

/** How this act tells changes by the airline. */
export function tellsChanges(act: ActName): ChangesTold {
  const column = ACTS.indexOf(act);
  return Object.fromEntries(Object.entries(TABLE).map(([kind, row]) => [kind, row[column]])) as ChangesTold;
}
