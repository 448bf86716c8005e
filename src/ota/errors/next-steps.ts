/**
 * What each operation asks of the airline, who acts next after an error, and, at the end, which errors can answer it.
 * One code means different things for a search and for a payment (docs/wire/notes.md, Errors).
 */
import type { ErrorCode } from '../../core/errors.ts';
import type { OtaOperation } from '../transport/options.ts';

/** What a request asks of the airline. */
export type RequestKind = 'search' | 'create' | 'pay' | 'read' | 'change' | 'seats' | 'schedule' | 'mail';

export const REQUEST_KIND: Readonly<Record<OtaOperation, RequestKind>> = {
  fare_search: 'search',
  book: 'create',
  group_book: 'create',
  ticket: 'pay',
  read: 'read',
  modify: 'change',
  cancel: 'change',
  seat_map: 'seats',
  ticket_document: 'read',
  routes: 'schedule',
  calendar: 'schedule',
  accounts: 'schedule',
  mail: 'mail',
};

type ByRequest = Partial<Readonly<Record<RequestKind, string>>>;

/** One next step for every request, or one for each that it fits. {@link nextStep} fills the gaps. */
export type Steps = string | ByRequest;

/** The requests that book, and those about a booking that exists. */
const BOOKS: readonly RequestKind[] = ['create', 'pay', 'change'];
const NAMES_BOOKING: readonly RequestKind[] = ['pay', 'read', 'change', 'seats', 'mail'];

const stepFor = (next: string, ...kinds: readonly RequestKind[]): ByRequest =>
  Object.fromEntries(kinds.map((kind) => [kind, next]));

export const CHECK_VALUES = 'Check the values with the person, then call the tool again.';
const READ_BOOKING = 'Call read_booking to see the state of the booking.';
const SEE_WHAT_IS_ON_SALE = 'Call search_fares for what is on sale now.';
export const ASK_OPERATOR = 'Ask the operator to settle it with the airline.';
export const RUN_DOCTOR = 'Ask the operator to run `fareclerk doctor`.';
export const CORRECT_DETAILS = 'Correct it with the person, and call the tool again.';
export const ASK_AIRLINE = 'Tell the person to ask the airline, because only it can help.';
export const SEARCH_EACH_LEG =
  'Call search_fares for each leg alone: one of them may be empty. Then give create_booking one offer_id of each.';
export const CHECK_CURRENCY = 'Ask the operator to check FARECLERK_CURRENCY.';
export const CHECK_CARRIER = stepFor('Ask the operator to check FARECLERK_CARRIER.', 'search', 'create');

export const OTHER_SEARCH = stepFor('Call search_fares again with other values.', 'search', 'create');
export const OTHER_ROUTE: ByRequest = {
  ...stepFor('Call list_routes for the routes on sale.', 'search', 'create'),
  schedule: 'Call list_routes.',
};
export const OTHER_DATE: ByRequest = {
  ...stepFor('Call get_calendar_dates for the days on sale, then search_fares with one of them.', 'search', 'create'),
  schedule: 'Call the tool again with other dates.',
};
export const LATER_DATE: ByRequest = {
  ...stepFor('Call get_calendar_dates for the days on sale, then search_fares with a later date.', 'search', 'create'),
  schedule: 'Call the tool again with later dates.',
};
export const EARLIER_DATE: ByRequest = {
  ...stepFor(
    'Call get_calendar_dates for the days on sale, then search_fares with an earlier date.',
    'search',
    'create',
  ),
  schedule: 'Call the tool again with earlier dates.',
};
export const FEWER_INFANTS = stepFor(
  'Call search_fares again with fewer lap infants, or with a seat for a child of two or more.',
  'search',
  'create',
);
export const AS_GROUP: ByRequest = {
  search: 'Call search_fares again for smaller parties, or tell the person to ask the airline for a group.',
  create:
    'Call create_booking with passenger_counts, a group that is named later; or call search_fares again for smaller parties.',
};
export const NEW_OFFER: ByRequest = { create: SEE_WHAT_IS_ON_SALE };
export const OTHER_OFFER: ByRequest = {
  ...NEW_OFFER,
  search: 'Call search_fares with another date, flight or class.',
  change: 'Choose another flight or seat with the person, then call the tool again.',
  seats: 'Choose another segment with the person, then call the tool again.',
};
export const HOLD_HAS_LAPSED: ByRequest = {
  ...stepFor(SEE_WHAT_IS_ON_SALE, 'pay', 'change'),
  read: 'Tell the person that the hold has expired. A new booking begins with a search.',
};
export const FIND_BOOKING = stepFor(
  'Call list_bookings to find it. If it is not there, the person must ask the airline before it is tried again.',
  'create',
);
export const RIGHT_LOCATOR = stepFor('Ask the person for the right locator, then call read_booking.', ...NAMES_BOOKING);
export const OTHER_PAYMENT = stepFor('Ask the person who pays for another way to pay.', 'pay', 'change');
export const CARD_EXPIRED = stepFor(
  'Ask the person who pays to renew the card at the airline, or for another way to pay.',
  'pay',
  'change',
);
export const OTHER_PAYMENT_TYPE = stepFor('Call pay_booking with another payment type.', 'pay');

/** The next step if an error belongs to another kind of request. */
const FALLBACK_STEPS: Readonly<Record<RequestKind, string>> = {
  search: 'Call search_fares with other values; if that fails too, ask the operator to settle it with the airline.',
  create: SEE_WHAT_IS_ON_SALE,
  pay: READ_BOOKING,
  read: ASK_OPERATOR,
  change: READ_BOOKING,
  seats: READ_BOOKING,
  schedule: ASK_OPERATOR,
  mail: READ_BOOKING,
};

/** Names the tool or the person for the next step. */
export function nextStep(steps: Steps, code: ErrorCode, kind: RequestKind): string {
  if (typeof steps === 'string') return steps;

  const step = steps[kind];
  if (step !== undefined) return step;
  if (code === 'E_INPUT') return CHECK_VALUES;
  if (code === 'E_CONFIG') return ASK_OPERATOR;

  const isRefused = code === 'E_NOT_PERMITTED' || code === 'E_TOO_LATE';
  const fallback = FALLBACK_STEPS[kind];
  // The airline refused, so that the booking is as it was: reading it would not help.
  return isRefused && fallback === READ_BOOKING ? ASK_AIRLINE : fallback;
}

/** The requests that an error with this code can answer. Absent: all of them. */
const ANSWERS: Partial<Readonly<Record<ErrorCode, readonly RequestKind[]>>> = {
  E_NO_AVAILABILITY: ['search', 'schedule'],
  E_SOLD_OUT: [...BOOKS, 'search', 'seats'],
  E_OFFER_EXPIRED: BOOKS,
  E_PRICE_CHANGED: BOOKS,
  E_ALREADY_DONE: BOOKS,
  E_TOO_LATE: [...NAMES_BOOKING, 'create'],
  E_NOT_FOUND: NAMES_BOOKING,
  E_PAYMENT_DECLINED: ['pay', 'change'],
};

/** Whether an error with this code can answer a request of this kind. */
export function canAnswer(code: ErrorCode, kind: RequestKind): boolean {
  return ANSWERS[code]?.includes(kind) ?? true;
}
