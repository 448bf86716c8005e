/** The catalog: every tool in the order in which clients see it. */

import { type Acts, catalogActs } from '../journal/act.ts';
import { assignSeats } from './acts/assign-seats.ts';
import { cancelBooking } from './acts/cancel-booking.ts';
import { cancelPassenger } from './acts/cancel-passenger.ts';
import { cancelSegment } from './acts/cancel-segment.ts';
import { changeNames } from './acts/change-names.ts';
import { createBooking } from './acts/create-booking.ts';
import { payBooking } from './acts/pay-booking.ts';
import { rebookSegment } from './acts/rebook-segment.ts';
import { requestService } from './acts/request-service.ts';
import { splitBooking } from './acts/split-booking.ts';
import { updateContact } from './acts/update-contact.ts';
import { updatePassenger } from './acts/update-passenger.ts';
import { closeFindings } from './close-findings.ts';
import { isAct, type Tool } from './definition/define.ts';
import { findCheapestDates } from './find-cheapest-dates.ts';
import { getCalendarDates } from './get-calendar-dates.ts';
import { getSeatMap } from './get-seat-map.ts';
import { getTickets } from './get-tickets.ts';
import { listBookings } from './list-bookings.ts';
import { listRoutes } from './list-routes.ts';
import { proposePlan } from './propose-plan.ts';
import { queryLedger } from './query-ledger.ts';
import { quoteCancellation } from './quote-cancellation.ts';
import { readBooking } from './read-booking.ts';
import { runPlan } from './run-plan.ts';
import { searchFares } from './search-fares.ts';
import { sendTickets } from './send-tickets.ts';

/** The program connects tools and journal by it, and imports the tools from here alone. */
export { noteSettled } from './steps/record-booking.ts';

export const TOOLS = {
  search_fares: searchFares,
  create_booking: createBooking,
  pay_booking: payBooking,
  read_booking: readBooking,
  quote_cancellation: quoteCancellation,
  cancel_segment: cancelSegment,
  cancel_passenger: cancelPassenger,
  change_names: changeNames,
  get_seat_map: getSeatMap,
  get_tickets: getTickets,
  list_routes: listRoutes,
  get_calendar_dates: getCalendarDates,
  list_bookings: listBookings,
  close_findings: closeFindings,
  query_ledger: queryLedger,
  find_cheapest_dates: findCheapestDates,
  cancel_booking: cancelBooking,
  assign_seats: assignSeats,
  send_tickets: sendTickets,
  update_contact: updateContact,
  update_passenger: updatePassenger,
  rebook_segment: rebookSegment,
  split_booking: splitBooking,
  request_service: requestService,
  propose_plan: proposePlan,
  run_plan: runPlan,
} as const satisfies Readonly<Record<string, Tool>>;

export const CATALOG: readonly Tool[] = Object.values(TOOLS);

/** What journal, approvals and counts know of the tools that change a booking. */
export const ACTS: Acts = catalogActs(
  CATALOG.flatMap((tool) => (isAct(tool) && tool.act ? [{ ...tool.act, name: tool.name }] : [])),
);
