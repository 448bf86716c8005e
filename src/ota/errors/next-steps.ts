/**
 * What each operation asks of the airline, which errors can answer it, and who acts next. One code means different
 * things for a search and for a payment (docs/wire/notes.md, Errors).
 */
import type { ErrorCode } from '../../core/errors.ts';
import type { OtaOperation } from '../options.ts';

export type RequestKind = 'search' | 'create' | 'check' | 'pay' | 'read' | 'change' | 'seats' | 'schedule' | 'mail';

export const ASKED: Readonly<Record<OtaOperation, RequestKind>> = {
  fare_search: 'search',
  book: 'create',
  group_book: 'create',
  price_check: 'check',
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

const forSale = (search: string, booking = search) => ({ search, create: booking, check: booking });

export const VALUES = 'Check the values with the person, then call the tool again.';
const READ = 'Call read_booking to see the state of the booking.';
const ON_SALE = 'Call search_fares for what is on sale now.';
export const OPERATOR = 'Ask the operator to settle it with the airline.';
export const DOCTOR = 'Ask the operator to run `fareclerk doctor`.';
export const DETAILS = 'Correct it with the person, and call the tool again.';
export const ASK_AIRLINE = 'A person must ask the airline: only it can help.';
export const EACH_LEG =
  'Call search_fares for each leg alone: one of them may be empty. Then give create_booking one offer_id of each.';

export const SEARCH = forSale('Call search_fares again with other values.') satisfies ByRequest;
export const ROUTE: ByRequest = {
  ...forSale('Call list_routes for the routes on sale.'),
  schedule: 'Call list_routes.',
};
export const DATE = {
  ...forSale('Call get_calendar_dates for the days on sale, then search_fares with one of them.'),
  schedule: 'Call the tool again with other dates.',
} satisfies ByRequest;
export const ANOTHER = {
  ...forSale('Call search_fares with another date, flight or class.', ON_SALE),
  change: 'Choose another flight or seat with the person, then call the tool again.',
  seats: 'Choose another segment with the person, then call the tool again.',
} satisfies ByRequest;
export const LAPSED = {
  pay: ON_SALE,
  change: ON_SALE,
  read: 'Tell the person that the hold has lapsed; a new booking begins with a search.',
} satisfies ByRequest;
export const FIND = {
  create: 'Call list_bookings to find it; if it is not there, a person must ask the airline before it is tried again.',
} satisfies ByRequest;
const LOCATOR = 'Ask the person for the right locator, then call read_booking.';
export const WHICH: ByRequest = { pay: LOCATOR, read: LOCATOR, change: LOCATOR, seats: LOCATOR, mail: LOCATOR };
export const NOTHING_BY_NAME: ByRequest = { ...WHICH, create: ON_SALE, check: ON_SALE };
const PAYER = 'Ask the person who pays for another way to pay.';
export const OTHER_PAYMENT: ByRequest = { pay: PAYER, change: PAYER };
export const PAYMENT_TYPE: ByRequest = { pay: 'Call pay_booking with another payment type.' };
export const CURRENCY = 'Ask the operator to check FARECLERK_CURRENCY.';
export const COMPANY: ByRequest = forSale('Ask the operator to check FARECLERK_CARRIER.');

/** For errors that belong to another kind of request. */
const STRAY: Readonly<Record<RequestKind, string>> = {
  search: 'Call search_fares with other values; if that fails too, ask the operator to settle it with the airline.',
  create: ON_SALE,
  check: ON_SALE,
  pay: READ,
  read: OPERATOR,
  change: READ,
  seats: READ,
  schedule: OPERATOR,
  mail: READ,
};

/** Names the tool or the person for the next step. */
export function nextStep(steps: Steps, code: ErrorCode, asked: RequestKind): string {
  if (typeof steps === 'string') return steps;
  const step = steps[asked];
  if (step !== undefined) return step;
  if (code === 'E_INPUT') return VALUES;
  if (code === 'E_CONFIG') return OPERATOR;
  // Nothing changed, so that reading the booking again tells nothing.
  const isRefused = code === 'E_NOT_PERMITTED' || code === 'E_TOO_LATE';
  return isRefused && STRAY[asked] === READ ? ASK_AIRLINE : STRAY[asked];
}

const ANYWHERE: readonly ErrorCode[] = [
  ...(['E_INPUT', 'E_NOT_PERMITTED', 'E_AUTH', 'E_CONFIG'] as const),
  ...(['E_AIRLINE_BUSY', 'E_AIRLINE_DOWN', 'E_AIRLINE_TIMEOUT'] as const),
];
const OFFER: readonly ErrorCode[] = ['E_SOLD_OUT', 'E_OFFER_EXPIRED', 'E_PRICE_CHANGED', 'E_TOO_LATE'];
const ACT: readonly ErrorCode[] = [...OFFER, 'E_NOT_FOUND', 'E_ALREADY_DONE', 'E_PAYMENT_DECLINED'];

const ANSWERS: Readonly<Record<RequestKind, readonly ErrorCode[]>> = {
  search: ['E_NO_AVAILABILITY', 'E_SOLD_OUT'],
  create: [...OFFER, 'E_ALREADY_DONE'],
  check: OFFER,
  pay: ACT,
  read: ['E_NOT_FOUND', 'E_TOO_LATE'],
  change: ACT,
  seats: ['E_NOT_FOUND', 'E_TOO_LATE', 'E_SOLD_OUT'],
  schedule: ['E_NO_AVAILABILITY'],
  mail: ['E_NOT_FOUND', 'E_TOO_LATE'],
};

export function canAnswer(code: ErrorCode, asked: RequestKind): boolean {
  return ANYWHERE.includes(code) || ANSWERS[asked].includes(code);
}
