/**
 * What each operation asks of the airline, who acts next after an error, and, at the end, which errors can answer it.
 * One code means different things for a search and for a payment (docs/wire/notes.md, Errors).
 */
import type { ErrorCode } from '../../core/errors.ts';
import type { OtaOperation } from '../options.ts';

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

/** One step for a search, and one for a new booking; `create` is by default that of a search. */
function salesSteps(search: string, create = search) {
  return { search, create };
}

export const CHECK_VALUES = 'Check the values with the person, then call the tool again.';
const READ_BOOKING = 'Call read_booking to see the state of the booking.';
const SEE_WHAT_IS_ON_SALE = 'Call search_fares for what is on sale now.';
export const ASK_OPERATOR = 'Ask the operator to settle it with the airline.';
export const RUN_DOCTOR = 'Ask the operator to run `fareclerk doctor`.';
export const CORRECT_DETAILS = 'Correct it with the person, and call the tool again.';
export const ASK_AIRLINE = 'Tell the person to ask the airline, because only it can help.';
export const SEARCH_EACH_LEG =
  'Call search_fares for each leg alone: one of them may be empty. Then give create_booking one offer_id of each.';

export const OTHER_SEARCH: ByRequest = salesSteps('Call search_fares again with other values.');
export const OTHER_ROUTE: ByRequest = {
  ...salesSteps('Call list_routes for the routes on sale.'),
  schedule: 'Call list_routes.',
};
// OTHER_DATE and OTHER_OFFER only satisfy the type, because fault-table.ts picks the steps of single kinds from them.
export const OTHER_DATE = {
  ...salesSteps('Call get_calendar_dates for the days on sale, then search_fares with one of them.'),
  schedule: 'Call the tool again with other dates.',
} satisfies ByRequest;
export const OTHER_OFFER = {
  ...salesSteps('Call search_fares with another date, flight or class.', SEE_WHAT_IS_ON_SALE),
  change: 'Choose another flight or seat with the person, then call the tool again.',
  seats: 'Choose another segment with the person, then call the tool again.',
} satisfies ByRequest;
export const HOLD_HAS_LAPSED: ByRequest = {
  pay: SEE_WHAT_IS_ON_SALE,
  change: SEE_WHAT_IS_ON_SALE,
  read: 'Tell the person that the hold has expired. A new booking begins with a search.',
};
export const FIND_BOOKING: ByRequest = {
  create:
    'Call list_bookings to find it. If it is not there, the person must ask the airline before it is tried again.',
};
const ASK_FOR_LOCATOR = 'Ask the person for the right locator, then call read_booking.';
export const RIGHT_LOCATOR: ByRequest = {
  pay: ASK_FOR_LOCATOR,
  read: ASK_FOR_LOCATOR,
  change: ASK_FOR_LOCATOR,
  seats: ASK_FOR_LOCATOR,
  mail: ASK_FOR_LOCATOR,
};
export const NOTHING_BY_THAT_NAME: ByRequest = {
  ...RIGHT_LOCATOR,
  create: SEE_WHAT_IS_ON_SALE,
};
const ASK_PAYER = 'Ask the person who pays for another way to pay.';
export const OTHER_PAYMENT: ByRequest = { pay: ASK_PAYER, change: ASK_PAYER };
export const OTHER_PAYMENT_TYPE: ByRequest = { pay: 'Call pay_booking with another payment type.' };
export const CHECK_CURRENCY = 'Ask the operator to check FARECLERK_CURRENCY.';
export const CHECK_CARRIER: ByRequest = salesSteps('Ask the operator to check FARECLERK_CARRIER.');

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

/** Codes that can answer every request. */
const GENERAL_CODES: readonly ErrorCode[] = [
  'E_INPUT',
  'E_NOT_PERMITTED',
  'E_AUTH',
  'E_CONFIG',
  'E_AIRLINE_BUSY',
  'E_AIRLINE_DOWN',
  'E_AIRLINE_TIMEOUT',
];
/** Codes that can answer a request to book an offer. */
const OFFER_CODES: readonly ErrorCode[] = ['E_SOLD_OUT', 'E_OFFER_EXPIRED', 'E_PRICE_CHANGED', 'E_TOO_LATE'];
/** Codes that can answer a payment or a change. */
const ACT_CODES: readonly ErrorCode[] = [...OFFER_CODES, 'E_NOT_FOUND', 'E_ALREADY_DONE', 'E_PAYMENT_DECLINED'];

/** Further codes that can answer a kind of request. */
const CODES_BY_KIND: Readonly<Record<RequestKind, readonly ErrorCode[]>> = {
  search: ['E_NO_AVAILABILITY', 'E_SOLD_OUT'],
  create: [...OFFER_CODES, 'E_ALREADY_DONE'],
  pay: ACT_CODES,
  read: ['E_NOT_FOUND', 'E_TOO_LATE'],
  change: ACT_CODES,
  seats: ['E_NOT_FOUND', 'E_TOO_LATE', 'E_SOLD_OUT'],
  schedule: ['E_NO_AVAILABILITY'],
  mail: ['E_NOT_FOUND', 'E_TOO_LATE'],
};

/** Whether an error with this code can answer a request of this kind. */
export function canAnswer(code: ErrorCode, kind: RequestKind): boolean {
  return GENERAL_CODES.includes(code) || CODES_BY_KIND[kind].includes(code);
}
