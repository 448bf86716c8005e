/** Calls of all tools about one booking. */
import { PAY } from '../../clerk/calls/desk.ts';

/** Every tool about a booking, with its other arguments. None of them changes anything without a yes. */
export const BOOKING_TOOLS = Object.entries({
  read_booking: { detail: 'full', reveal_personal: true },
  search_fares: {},
  quote_cancellation: {},
  get_seat_map: {},
  get_tickets: {},
  pay_booking: PAY,
  cancel_booking: {},
  cancel_segment: { all: true },
  cancel_passenger: { passenger_refs: ['1'] },
  split_booking: { passenger_refs: ['1'] },
  assign_seats: { seats: [{ segment_ref: '1', passenger_ref: '1', seat: '1A' }] },
  request_service: { passenger_ref: '1', service: { code: 'WCHR' } },
  change_names: { changes: [{ passenger_ref: '1', surname: 'Eve' }] },
  update_passenger: { changes: [{ passenger_ref: '1', gender: 'Male' }] },
  update_contact: { email: 'eve@example.com' },
});
/** The arguments of a call about a booking. */
export const about = (tool: string, locator: string, args: object) =>
  tool === 'search_fares' ? { instead_of: { locator, segment_ref: '1' }, ...args } : { locator, ...args };
