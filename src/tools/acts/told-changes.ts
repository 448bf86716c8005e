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

/** Who travels when and where concerns every act. */
const everywhere: Cells = [later, bound, bound, bound, bound, bound, bound, bound, bound, bound, bound, bound];
/** Whom the airline writes to does not depend on fares and tickets. */
const exceptContact: Cells = [later, bound, bound, bound, bound, bound, bound, bound, shown, bound, bound, bound];
/** What somebody pays, gives up or moves depends on sums and rules. */
const whereMoneyMoves: Cells = [later, bound, bound, bound, bound, bound, shown, shown, shown, shown, shown, shown];

const TABLE: Readonly<Record<keyof ChangesTold, Cells>> = {
  // The flight: whether, when and how it runs.
  segment_cancelled: everywhere,
  segment_restored: everywhere,
  no_show: everywhere,
  number_changed: everywhere,
  route_changed: everywhere,
  retimed: everywhere,
  schedule_change: whereMoneyMoves,
  stops_changed: everywhere,
  flight_added: everywhere,
  class_changed: everywhere,
  carrier_changed: everywhere,
  fare_changed: exceptContact,
  seat_changed: [later, shown, given_up, shown, shown, shown, shown, shown, shown, shown, shown, shown],
  // Who flies, and on which ticket.
  passenger_off_flight: everywhere,
  passenger_on_flight: everywhere,
  passenger_gone: everywhere,
  passenger_added: everywhere,
  name_changed: everywhere,
  type_changed: everywhere,
  document_changed: [later, bound, bound, bound, bound, bound, bound, bound, shown, shown, shown, bound],
  contact_changed: [later, bound, bound, bound, bound, bound, shown, shown, bound, shown, shown, bound],
  coupon_closed: exceptContact,
  ticket_gone: exceptContact,
  ticket_twice: exceptContact,
  ticket_of_other: everywhere,
  flown_early: exceptContact,
  // What it costs, and what comes back.
  price_changed: [later, bound, bound, bound, bound, bound, bound, shown, shown, shown, shown, bound],
  order_unlike_total: whereMoneyMoves,
  payment_changed: whereMoneyMoves,
  refund_rule_changed: whereMoneyMoves,
  change_rule_changed: whereMoneyMoves,
  refunded: whereMoneyMoves,
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
  charged_more: whereMoneyMoves,
  // The booking.
  deadline_moved: [later, bound, bound, bound, bound, bound, bound, shown, shown, shown, shown, shown],
  booking_cancelled: everywhere,
};

/** How this act tells changes by the airline. */
export function tellsChanges(act: ActName): ChangesTold {
  const column = ACTS.indexOf(act);
  return Object.fromEntries(Object.entries(TABLE).map(([kind, row]) => [kind, row[column]])) as ChangesTold;
}
