/**
 * The table from the airline's code to our error, and what each error proves of a message that was to change something:
 * OpenTravel's ERR list, rail codes and words (docs/wire/notes.md, Errors). The sentences are ours. The airline's own words
 * go with the error as data.
 */
import type { AirlineFault, ErrorCode } from '../../core/errors.ts';
import * as step from './next-steps.ts';

/** An airline's error as its form states it. */
export interface FaultForm extends AirlineFault {
  /** The status written in the body, which can differ from the HTTP status. */
  readonly bodyStatus?: number;
  /** A system failed, not a rule: after a send this proves nothing, whatever its code and status. */
  readonly system?: true;
}

/**
 * The requests of which an error proves that the airline did nothing (docs/wire/notes.md, What an error proves). Of all
 * others a reading of the booking decides. A mail is in no journal, nothing depends on it and no reading shows it: every
 * error with a row is believed (docs/reference/decisions.md, 30).
 */
type Proof = readonly step.RequestKind[];

/** A request that was not understood, is not complete, or did not get past the credentials: no act can have begun. */
const EVERY_ACT: Proof = ['create', 'pay', 'change', 'mail'];
/** What was to be bought is not available. A payment buys what is held already, so there it may be lost after the charge. */
const WHAT_IS_BOUGHT: Proof = ['create', 'change', 'mail'];
/** What was to be booked does not run. In answer to a cancellation it may tell of that very cancellation. */
const A_NEW_BOOKING: Proof = ['create', 'mail'];
const NO_ACT: Proof = ['mail'];

export interface FaultRow {
  readonly code: ErrorCode;
  /** The code if `code` cannot answer the request. Absent: a refusal whose reason does not fit it. */
  readonly otherCode?: ErrorCode;
  /** What happened, in our words. */
  readonly message: string;
  /** Who acts next: names a tool or a person. */
  readonly next: step.Steps;
  /** A system failed, not a rule: after a send its effect is unknown. */
  readonly system?: true;
  /** The booking system itself says that it has no such booking. */
  readonly noSuchBooking?: true;
  readonly proves: Proof;
  /** The only status with which it proves that: another one may come from a later step. */
  readonly provesWith?: 401 | 429;
}

/** Makes rows with this code that prove this; `usual` is the next step of a row that names none. */
const row =
  (code: ErrorCode, proves: Proof, usual: step.Steps = {}) =>
  (message: string, next = usual): FaultRow => ({ code, message, next, proves });

// What proves that nothing was done: the request was not understood or is not complete (OpenTravel ERR, "invalid" and
// "missing"; docs/wire/notes.md, What an error proves), what was asked for is not available, or nobody was let in.
const badInput = row('E_INPUT', EVERY_ACT, step.CHECK_VALUES);
const misconfigured = row('E_CONFIG', EVERY_ACT, step.CHECK_CURRENCY);
const soldOut = row('E_SOLD_OUT', EVERY_ACT, step.OTHER_OFFER);
const offerExpired = row('E_OFFER_EXPIRED', EVERY_ACT, step.OTHER_OFFER);
const priceChanged = row('E_PRICE_CHANGED', WHAT_IS_BOUGHT, step.NEW_OFFER);
const lapsed = row('E_TOO_LATE', EVERY_ACT);
const cancelledService = row('E_NOT_PERMITTED', A_NEW_BOOKING, step.OTHER_OFFER);
const unauthorised = (message: string, next: step.Steps = step.RUN_DOCTOR): FaultRow => ({
  ...row('E_AUTH', EVERY_ACT)(message, next),
  provesWith: 401,
});
const throttled = (message: string): FaultRow => ({ ...row('E_AIRLINE_BUSY', EVERY_ACT)(message), provesWith: 429 });

// What proves nothing: a rule, a state, a card that was not accepted, or an act that is done already can be the answer of a
// later step, after the money was taken or by a second copy of the very message (docs/reference/decisions.md, 16).
const notPermitted = row('E_NOT_PERMITTED', NO_ACT);
const tooLate = row('E_TOO_LATE', NO_ACT);
const alreadyDone = row('E_ALREADY_DONE', NO_ACT);
const notFound = row('E_NOT_FOUND', NO_ACT, step.RIGHT_LOCATOR);
const unknownBooking = (message: string): FaultRow => ({ ...notFound(message), noSuchBooking: true });
const paymentDeclined = row('E_PAYMENT_DECLINED', NO_ACT, step.OTHER_PAYMENT);
const busy = row('E_AIRLINE_BUSY', NO_ACT);
const down = (message: string): FaultRow => ({ ...row('E_AIRLINE_DOWN', [])(message), system: true });
const timedOut = (message: string): FaultRow => ({ ...row('E_AIRLINE_TIMEOUT', [])(message), system: true });

/** For a search: nothing is on sale. For a booking or a change: it is sold out. */
export const NOTHING_ON_SALE: FaultRow = {
  ...row('E_NO_AVAILABILITY', EVERY_ACT)('The airline has nothing available.'),
  otherCode: 'E_SOLD_OUT',
  next: { ...step.OTHER_OFFER, ...step.OTHER_DATE, ...step.NEW_OFFER },
};

/** By their codes: those of a row ask for the same step. What each says goes with it in the airline's words. */
const ROWS: Readonly<Record<string, FaultRow>> = {
  // Searches.
  '7 8': badInput('The airline does not sell this route.', step.OTHER_ROUTE),
  '15 353 458': badInput('The airline finds a date invalid, or sells nothing on it.', step.OTHER_DATE),
  '101': badInput('The date is too close for the airline to sell.', step.LATER_DATE),
  '107': badInput('The date is too far ahead for the airline to sell.', step.EARLIER_DATE),
  '20 22 123': badInput('The airline does not sell to a party of this size.', step.OTHER_SEARCH),
  '124': badInput('There are more infants than the airline accepts in one party.', step.FEWER_INFANTS),
  '569': badInput('The airline sells a party of this size only as a group.', step.AS_GROUP),
  '26': badInput('The airline requires an adult in the party.'),
  '60 320': badInput('The airline finds a value invalid.'),
  '161': badInput('The airline finds the search criteria invalid.', step.OTHER_SEARCH),
  '321 MISSING_REQUIRED_FIELD': badInput('The airline misses a required field.', step.ASK_AIRLINE),
  '322 NO_FLIGHTS_AVAILABLE NO_AVAILABILITY FLIGHT_SOLD_OUT': NOTHING_ON_SALE,
  // New bookings.
  '6 9 21 24 499 854 1053 3508 SEAT_NOT_AVAILABLE': soldOut('What was asked for is no longer available.'),
  '16 3509': cancelledService('The airline has cancelled this service.'),
  '19 285 288': badInput('A name or its title is incomplete or invalid.', step.CORRECT_DETAILS),
  '287 310 523': badInput('A surname is missing, invalid or too long.', step.CORRECT_DETAILS),
  '286 311 524': badInput('A given name is missing, invalid or too long.', step.CORRECT_DETAILS),
  '27 113': badInput('The airline misses details of the booking or its passengers.', step.CORRECT_DETAILS),
  '53': { ...offerExpired('The airline has no price for this fare.'), otherCode: 'E_NO_AVAILABILITY' },
  '58 1054 1055 1056 3511 FARE_NO_LONGER_AVAILABLE': offerExpired('This offer is no longer on sale.'),
  '83 102': badInput('The references in the request do not match the itinerary.', step.OTHER_OFFER),
  '96 127': alreadyDone('The airline already holds this booking.', step.FIND_BOOKING),
  '244 420': badInput('The airline requires a valid e-mail address.', step.CORRECT_DETAILS),
  '248': misconfigured('The airline does not know the airline code in the request.', step.CHECK_CARRIER),
  '407': badInput('A text is too long for the airline.', step.CORRECT_DETAILS),
  '501 860': badInput('The airline finds a detail of the booking invalid.', step.CORRECT_DETAILS),
  '508': badInput('The airline does not sell this booking class here.', step.OTHER_OFFER),
  '878 879': badInput('The airline does not accept a document.', step.CORRECT_DETAILS),
  '883 884 885': priceChanged('The price has changed since the offer was made.'),
  '1024': badInput('A segment is in the booking twice.', step.CORRECT_DETAILS),
  '1083': badInput('Two travellers carry the same document.', step.CORRECT_DETAILS),
  '3004 3005': badInput('Every infant needs an adult of its own.', step.CORRECT_DETAILS),
  // It was held, so a payment may have been taken before it was lost.
  '3502 3503 3504': { ...soldOut('The seat has been lost.'), proves: WHAT_IS_BOUGHT },
  // Payments.
  '61': misconfigured('The airline does not accept the currency of the point of sale.'),
  '713': misconfigured('The airline does not accept the currency of the payment.'),
  '65': alreadyDone('The booking is already paid and ticketed.'),
  '72': notPermitted('The booking is cancelled.'),
  '73': lapsed('The time limit for payment has passed; the booking has expired.', step.HOLD_HAS_LAPSED),
  '163': badInput('The airline does not accept this type of payment.', step.OTHER_PAYMENT_TYPE),
  '167 PAYMENT_DECLINED': paymentDeclined('The payment was rejected.'),
  '240 242': paymentDeclined('The card was not accepted.'),
  '241': paymentDeclined('The card has expired, or its date is invalid.', step.CARD_EXPIRED),
  '877': paymentDeclined("The agency's credit with the airline does not cover the amount."),
  // Readings.
  '87 97 BOOKING_NOT_FOUND': unknownBooking('The airline knows no booking with this locator.'),
  '99 171 189': notPermitted('The airline does not authorise this agency to do this.', step.ASK_OPERATOR),
  '194 635': { ...unknownBooking('The airline found no match.'), otherCode: 'E_INPUT' },
  // Changes.
  '63 76 118 768 1061 5002': notPermitted('The state of the booking does not allow it.'),
  '74 86 103': tooLate('The journey has begun.'),
  '95 1026': alreadyDone('It is already cancelled.'),
  '150 193 264 568 3505 MODIFICATION_NOT_ALLOWED CHANGES_ARE_NOT_PERMITTED': notPermitted(
    'The airline does not permit this change, or its time limit has passed.',
  ),
  '172': notPermitted('The airline says that this change is not possible.'),
  '254': tooLate('The date for it has passed.'),
  '417': notPermitted('The airline refused the change of name.'),
  '632': notPermitted('Only the airline itself can change this booking.', step.ASK_AIRLINE),
  // The airline's systems.
  '175 UNAUTHORIZED TOKEN_EXPIRED INVALID_API_KEY': unauthorised('The airline did not accept the credentials.'),
  '183': unauthorised('The airline has suspended this agency.', step.ASK_OPERATOR),
  '187 SERVICE_UNAVAILABLE': down("The airline's system is unavailable."),
  '191': { ...busy("The airline's system is busy."), system: true },
  '448 450 1602 1603 1604 9999 SYSTEM_ERROR INTERNAL_SERVER_ERROR': down("The airline's system failed."),
  '497 FORBIDDEN': unauthorised('The airline denied access.'),
  '888 RATE_LIMIT_EXCEEDED': throttled('The airline is throttling requests.'),
  '3510': busy('Another request has locked what this one needs.'),
  TIMEOUT: timedOut("The airline's system did not answer in time."),
};

export const FAULT_TABLE: ReadonlyMap<string, FaultRow> = new Map(
  Object.entries(ROWS).flatMap(([codes, row]) => codes.split(' ').map((code) => [code, row] as const)),
);

/** Finds the row of a code, in any letter case. */
export function rowByCode(code: string | undefined): FaultRow | undefined {
  if (code === undefined) return undefined;
  const word = codeWord(code);
  return FAULT_TABLE.get(word) ?? (word.startsWith('INVALID_') ? FAULT_TABLE.get('320') : undefined);
}

/** A code as the table spells it: SERVICE_UNAVAILABLE for `Service unavailable` and `service-unavailable`. */
export function codeWord(text: string): string {
  return text
    .trim()
    .toUpperCase()
    .replace(/[\s.-]+/g, '_');
}

/** A status alone may come from anything between here and the airline. Only 401 and 429 say that nobody was let in. */
const STATUS_ROWS: Readonly<Record<number, FaultRow>> = {
  400: { ...badInput('The airline refused the request as invalid.', step.ASK_AIRLINE), proves: NO_ACT },
  401: unauthorised('The airline did not accept the credentials.'),
  403: unauthorised('The airline denied access.'),
  404: {
    ...notFound('The airline found nothing by that name.', { ...step.RIGHT_LOCATOR, ...step.NEW_OFFER }),
    otherCode: 'E_INPUT',
  },
  408: timedOut('The airline gave the request up.'),
  409: notPermitted('The airline says that this conflicts with the state of the booking.'),
  422: notPermitted('A business rule of the airline forbids it.'),
  429: throttled('The airline is throttling requests.'),
  504: timedOut('A system in front of the airline waited in vain.'),
};

/** The row of a 409 in reply to a new booking, which may already exist (docs/wire/notes.md, Errors). */
export const DUPLICATE = alreadyDone(
  'The airline says that this booking is a duplicate or in conflict with another.',
  step.FIND_BOOKING,
);

/** The row of a refusal whose reason belongs to another kind of request. */
export const UNFITTING_REFUSAL: FaultRow = notPermitted(
  'The airline refused the request for a reason that does not fit it.',
);

const OTHER_REFUSAL = notPermitted('The airline refused the request.', step.ASK_OPERATOR);
export const OTHER_FAILURE = down("The airline's system failed.");

/** The row for an error without a known code, by HTTP status. */
export function rowByStatus(status: number): FaultRow {
  return STATUS_ROWS[status] ?? (status >= 500 ? OTHER_FAILURE : OTHER_REFUSAL);
}

/** Whether a fault is a failure of the airline's system, rather than a refusal by a rule. */
export function isSystemFailure({ status = 0, bodyStatus = 0, code, system }: FaultForm): boolean {
  const showsSystemFailure = system === true || rowByCode(code)?.system === true;
  return showsSystemFailure || status >= 500 || bodyStatus >= 500 || bodyStatus === 408;
}

/** Whether the status is one of a refusal: 4xx, but not 408, which is a wait in vain. */
const isRefusingStatus = (status: number): boolean => status >= 400 && status < 500 && status !== 408;

/** Whether the airline refused with this error, whatever that proves: with 4xx, or with an error in a good reply. */
export function isRefusal(fault: FaultForm): boolean {
  const { status = 0 } = fault;
  return !isSystemFailure(fault) && (isRefusingStatus(status) || (status >= 200 && status < 300));
}

/**
 * Whether an error proves that the airline did nothing of what was asked. The row of its code decides, or without a code
 * that of its status. A code without a row proves nothing, and neither does an answer that is no refusal.
 * @param saysDone whether the answer names a booking, or says that something was done
 */
export function provesNothingDone(fault: FaultForm, kind: step.RequestKind, saysDone: boolean): boolean {
  const { status = 0, bodyStatus = 0, code } = fault;
  if (saysDone || !isRefusal(fault)) return false;
  const row = code === undefined ? rowByStatus(isRefusingStatus(status) ? status : bodyStatus) : rowByCode(code);
  if (row === undefined || !row.proves.includes(kind)) return false;
  return row.provesWith === undefined || row.provesWith === status || row.provesWith === bodyStatus;
}
