/**
 * The table from the airline's code to our error: OpenTravel's ERR list, rail codes and words (docs/wire/notes.md,
 * Errors). The sentences are ours. The airline's own words go with the error as data.
 */
import type { ErrorCode } from '../../core/errors.ts';
import * as step from './next-steps.ts';

export interface FaultRow {
  readonly code: ErrorCode;
  /** The code if `code` cannot answer the request. Absent: a plain refusal. */
  readonly elsewhere?: ErrorCode;
  /** What happened, in our words. */
  readonly message: string;
  /** Who acts next: names a tool or a person. */
  readonly next: step.Steps;
  /** A system failed or gave up: after a send its effect is unknown. */
  readonly blind?: true;
}

const row =
  (code: ErrorCode, usual: step.Steps = {}) =>
  (message: string, next = usual): FaultRow => ({ code, message, next });

const input = row('E_INPUT', step.VALUES);
const denied = row('E_NOT_PERMITTED');
const late = row('E_TOO_LATE');
const soldOut = row('E_SOLD_OUT', step.ANOTHER);
const stale = row('E_OFFER_EXPIRED', step.ANOTHER);
const repriced = row('E_PRICE_CHANGED', { create: step.ANOTHER.create, check: step.ANOTHER.check });
const done = row('E_ALREADY_DONE');
const missing = row('E_NOT_FOUND', step.WHICH);
const declined = row('E_PAYMENT_DECLINED', step.OTHER_PAYMENT);
const unauthorised = row('E_AUTH', step.DOCTOR);
const misset = row('E_CONFIG', step.CURRENCY);
const busy = row('E_AIRLINE_BUSY');
const down = (message: string): FaultRow => ({ ...row('E_AIRLINE_DOWN')(message), blind: true });
const timedOut = (message: string): FaultRow => ({ ...row('E_AIRLINE_TIMEOUT')(message), blind: true });

/** For a search: nothing is on sale. For a booking or a change: it is sold out. */
export const NOTHING_ON_SALE: FaultRow = {
  code: 'E_NO_AVAILABILITY',
  elsewhere: 'E_SOLD_OUT',
  message: 'The airline has nothing available.',
  next: { ...step.ANOTHER, search: step.DATE.search, schedule: step.DATE.schedule },
};
const noMatch: FaultRow = { ...missing('The airline found no match.'), elsewhere: 'E_INPUT' };

const unfinished = down('The airline could not finish a confirmation or a cancellation.');
const seatLost = soldOut('The seat has been lost.');

export const FAULT_TABLE: ReadonlyMap<string, FaultRow> = new Map(
  Object.entries({
    // Searches.
    '7': input('The airline does not sell this route.', step.ROUTE),
    '8': input('The airline takes no reservations on this route.', step.ROUTE),
    '15': input('The airline finds a date invalid.', step.DATE),
    '20': input('The airline does not accept this number of passengers.', step.SEARCH),
    '22': input('The party is larger than the airline sells at once (nine seats).', step.SEARCH),
    '26': input('The airline requires an adult in the party.'),
    '101': input('The date is too close for the airline to sell.', step.DATE),
    '107': input('The date is too far ahead for the airline to sell.', step.DATE),
    '123': input('There are more children than the airline accepts in one party.', step.SEARCH),
    '124': input('There are more infants than the airline accepts in one party.', step.SEARCH),
    '161': input('The airline finds the search criteria invalid.', step.SEARCH),
    '320': input('The airline finds a value invalid.'),
    '321': input('The airline misses a required field.', step.ASK_AIRLINE),
    '322': NOTHING_ON_SALE,
    '353': input('The date lies in the past.', step.DATE),
    '458': input('The date lies outside the period that is on sale.', step.DATE),
    '569': input('The airline sells a party of this size only as a group.', step.SEARCH),
    // New bookings.
    '6': soldOut('The flight is closed for sale.'),
    '9': soldOut('The flight is full.'),
    '16': denied('The airline has cancelled this service.', step.ANOTHER),
    '19': input('A name is incomplete.', step.DETAILS),
    '21': soldOut('No seats are left for this type of passenger.'),
    '24': soldOut('The booking class is full.'),
    '27': input("The airline requires the passengers' details.", step.DETAILS),
    '53': { ...stale('The airline has no price for this fare.'), elsewhere: 'E_NO_AVAILABILITY' },
    '58': stale('The airline cannot confirm the price of this offer.'),
    '83': input('A segment reference does not match the itinerary.', step.ANOTHER),
    '96': done('The airline already holds a booking with this itinerary.', step.FIND),
    '102': input('The references in the request do not belong together.', step.ANOTHER),
    '113': input('The airline misses details of the booking.', step.DETAILS),
    '127': done('The airline already holds this booking.', step.FIND),
    '244': input('The airline finds the e-mail address invalid.', step.DETAILS),
    '248': misset('The airline does not know the airline code in the request.', step.COMPANY),
    '285': input('The airline finds a name invalid.', step.DETAILS),
    '286': input('The airline finds a given name invalid.', step.DETAILS),
    '287': input('The airline finds a surname invalid.', step.DETAILS),
    '288': input('The airline finds a name or its title invalid.', step.DETAILS),
    '310': input('A surname is missing.', step.DETAILS),
    '311': input('A given name is missing.', step.DETAILS),
    '407': input('A text is too long for the airline.', step.DETAILS),
    '420': input('The airline requires an e-mail address.', step.DETAILS),
    '499': soldOut('What was asked for is no longer available.'),
    '501': input('The airline finds a date of the booking invalid.', step.DETAILS),
    '508': input('The airline does not sell this booking class here.', step.ANOTHER),
    '523': input('A surname is too long for the airline.', step.DETAILS),
    '524': input('A given name or title is too long for the airline.', step.DETAILS),
    '854': soldOut("The airline's allotment for this is used up."),
    '860': input("The airline finds a passenger's details invalid.", step.DETAILS),
    '878': input('The airline does not accept this type of document.', step.DETAILS),
    '879': input('The airline finds a document number invalid.', step.DETAILS),
    '883': repriced('The price has changed since the offer was made.'),
    '884': repriced('The currency of the price has changed.'),
    '885': repriced("The airline's total differs from the total in the request."),
    // Payments.
    '61': misset('The airline does not accept the currency of the point of sale.'),
    '63': denied('The booking must be priced before it can be paid.'),
    '65': done('The booking is already paid and ticketed.'),
    '72': denied('The booking is cancelled.'),
    '73': late('The time limit for payment has passed; the booking has expired.', step.LAPSED),
    '74': late('The journey has already begun.'),
    '76': denied('The airline cannot do this with the booking in its present state.'),
    '163': input('The airline does not accept this type of payment.', step.PAYMENT_TYPE),
    '167': declined('The payment was rejected.'),
    '189': denied('The airline does not authorise this agency to do this.', step.OPERATOR),
    '240': declined('The card was not accepted.'),
    '241': declined('The card has expired or its date is invalid.'),
    '242': declined("The card's number or type was not accepted."),
    '713': misset('The airline does not accept the currency of the payment.'),
    '877': declined("The agency's credit with the airline does not cover the amount."),
    // Readings.
    '87': missing('The airline finds the booking reference invalid.'),
    '97': missing('The airline knows no booking with this locator.'),
    '99': denied('The booking belongs to another agency.', step.OPERATOR),
    '171': denied('The airline does not let this agency see the booking.', step.OPERATOR),
    '194': noMatch,
    '635': noMatch,
    // Changes.
    '60': input('The airline finds a ticket number invalid.', {}),
    '86': late('The journey is complete.'),
    '95': done('It is already cancelled.'),
    '103': late('The journey is complete.'),
    '118': denied('The status of the booking does not allow it.'),
    '150': denied('The airline does not permit changes to this booking, or their time limit has passed.'),
    '172': denied('The airline says that this change is not possible.'),
    '193': denied('The airline could not cancel it.'),
    '254': late('The date for it has passed.'),
    '264': denied('The airline refused the cancellation.'),
    '417': denied('The airline refused the change of name.'),
    '568': denied('The airline refused: penalties apply that this change does not cover.'),
    '632': denied('Only the airline itself can change this booking.', step.ASK_AIRLINE),
    '768': denied('The status of a segment does not allow it.'),
    // The airline's systems.
    '175': unauthorised('The airline did not accept the credentials.'),
    '183': unauthorised('The airline has suspended this agency.', step.OPERATOR),
    '187': down("The airline's system is unavailable."),
    '191': { ...busy("The airline's system is busy."), blind: true },
    '448': down("The airline's system failed."),
    '450': down('A system behind the airline is out of service.'),
    '497': unauthorised('The airline denies this agency the operation.'),
    '888': busy('The airline is throttling requests.'),
    '9999': down('A system behind the airline failed in a way it does not explain.'),
    // Codes of the rail inventory, passed through.
    '1024': input('A segment is in the booking twice.', step.DETAILS),
    '1026': done('It is already cancelled.'),
    '1053': soldOut('There are not enough seats left.'),
    '1054': stale('The category of this offer is no longer on sale.'),
    '1055': stale('The fare of this offer is no longer on sale.'),
    '1056': stale('The passenger profile of this offer is no longer on sale.'),
    '1061': denied('The state of the booking does not allow it.'),
    '1083': input('Two travellers carry the same document.', step.DETAILS),
    '1602': unfinished,
    '1603': unfinished,
    '1604': unfinished,
    '3004': input('Every infant needs an adult of its own.', step.DETAILS),
    '3005': input('An infant is not linked to an adult of its own.', step.DETAILS),
    '3502': seatLost,
    '3503': seatLost,
    '3504': seatLost,
    '3505': denied('This cannot be cancelled.'),
    '3508': soldOut('No seats are left.'),
    '3509': denied('The train has been cancelled.', step.ANOTHER),
    '3510': busy('Another request has locked what this one needs.'),
    '3511': stale('The number of seats on sale at this fare has changed.'),
    '5002': denied('The state of the booking does not allow it.'),
    // Words, in some deployments.
    NO_FLIGHTS_AVAILABLE: NOTHING_ON_SALE,
    NO_AVAILABILITY: NOTHING_ON_SALE,
    FLIGHT_SOLD_OUT: NOTHING_ON_SALE,
    SEAT_NOT_AVAILABLE: soldOut('The seat is not available.'),
    FARE_NO_LONGER_AVAILABLE: stale('The fare is no longer available.'),
    BOOKING_NOT_FOUND: missing('The airline knows no booking with this locator.'),
    PAYMENT_DECLINED: declined('The payment was declined.'),
    MODIFICATION_NOT_ALLOWED: denied('The airline does not permit this change.'),
    CHANGES_ARE_NOT_PERMITTED: denied('The airline does not permit changes to this booking.'),
    MISSING_REQUIRED_FIELD: input('The airline misses a required field.', step.ASK_AIRLINE),
    TOKEN_EXPIRED: unauthorised('The access token has expired.'),
    INVALID_API_KEY: unauthorised('The airline did not accept the API key.'),
    UNAUTHORIZED: unauthorised('The airline did not accept the credentials.'),
    FORBIDDEN: unauthorised('The airline denied access.'),
    RATE_LIMIT_EXCEEDED: busy('The airline is throttling requests.'),
    TIMEOUT: timedOut("The airline's system did not answer in time."),
    SYSTEM_ERROR: down("The airline's system failed."),
    INTERNAL_SERVER_ERROR: down("The airline's system failed."),
    SERVICE_UNAVAILABLE: down("The airline's system is unavailable."),
  }),
);

const INVALID_VALUE = input('The airline finds a value invalid.');

/** The row of a code in any letter case. */
export function rowByCode(code: string | undefined): FaultRow | undefined {
  if (code === undefined) return undefined;
  const word = wordIn(code);
  return FAULT_TABLE.get(word) ?? (word.startsWith('INVALID_') ? INVALID_VALUE : undefined);
}

/** `Service unavailable` and `service-unavailable` are SERVICE_UNAVAILABLE. */
export function wordIn(text: string): string {
  return text
    .trim()
    .toUpperCase()
    .replace(/[\s.-]+/g, '_');
}

export const NO_SUCH_BOOKING: ReadonlySet<string> = new Set(['87', '97', '194', '635', 'BOOKING_NOT_FOUND']);

/** Codes that prove, only with status 429, that the request was not processed. */
export const THROTTLED: ReadonlySet<string> = new Set(['888', 'RATE_LIMIT_EXCEEDED']);

/**
 * Codes for a payment or a cancellation that is already done. We never send one twice, so this very message may have
 * done it, forwarded twice by something in between.
 */
export const ECHO_OF_PAYMENT: readonly string[] = ['65'];
export const ECHO_OF_CANCELLATION: readonly string[] = ['72', '95', '1026'];

const STATUS_ROWS: Readonly<Record<number, FaultRow>> = {
  400: input('The airline refused the request as invalid.', step.ASK_AIRLINE),
  401: unauthorised('The airline did not accept the credentials.'),
  403: unauthorised('The airline denied access.'),
  404: { ...missing('The airline found nothing by that name.', step.NOTHING_BY_NAME), elsewhere: 'E_INPUT' },
  408: timedOut('The airline gave the request up.'),
  409: denied('The airline says that this conflicts with the state of the booking.'),
  422: denied('A business rule of the airline forbids it.'),
  429: busy('The airline is throttling requests.'),
  502: down('A system in front of the airline failed.'),
  503: down("The airline's system is unavailable."),
  504: timedOut('A system in front of the airline waited in vain.'),
};

/** A 409 to a booking: it may already exist (docs/wire/notes.md, Errors). */
export const DUPLICATE = done(
  'The airline says that this booking is a duplicate or in conflict with another.',
  step.FIND,
);

export const STRAY_REFUSAL: FaultRow = denied('The airline refused the request for a reason that does not fit it.');

const OTHER_REFUSAL = denied('The airline refused the request.', step.OPERATOR);
export const OTHER_FAILURE = down("The airline's system failed.");

/** The row for an error without a known code, by HTTP status. */
export function rowByStatus(status: number): FaultRow {
  return STATUS_ROWS[status] ?? (status >= 500 ? OTHER_FAILURE : OTHER_REFUSAL);
}
