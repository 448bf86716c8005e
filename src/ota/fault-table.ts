/**
 * ONE table: the airline's code → our error. The codes are OpenTravel's ERR list and the rail codes passed through
 * (field-notes.md, errors). Sentences are ours; the airline's own words travel beside them as data.
 */
import type { ErrorCode } from '../errors.ts';

export interface FaultRow {
  readonly code: ErrorCode;
  /** What happened, in our words. */
  readonly message: string;
  /** Who acts next: names a tool or a person. */
  readonly next: string;
}

const VALUES = 'Check the values with the person, then call the tool again.';
const SEARCH = 'Call search_fares again with other values.';
const SEARCH_DATE = 'Call get_calendar_dates for the days on sale, then search_fares with one of them.';
const SEARCH_NEW = 'Call search_fares for what is on sale now.';
/** Details are refused alike when a booking is made and when they are changed. */
const BOOK = 'Correct it with the person, and call the tool again.';
const FIND =
  'Call list_bookings to find it; if it is not there, a person must ask the airline before it is tried again.';
const READ = 'Call read_booking to see how the booking stands.';
const PAYER = 'Ask the person who pays for another way to pay.';
const OPERATOR = 'Ask the operator to settle it with the airline.';
const DOCTOR = 'Ask the operator to run `fareclerk doctor`.';
const LATER = 'Call the tool again later; if it lasts, tell the operator.';

const input = (message: string, next: string): FaultRow => ({ code: 'E_INPUT', message, next });
const denied = (message: string, next: string): FaultRow => ({ code: 'E_NOT_PERMITTED', message, next });
const late = (message: string, next: string): FaultRow => ({ code: 'E_TOO_LATE', message, next });
const soldOut = (message: string): FaultRow => ({ code: 'E_SOLD_OUT', message, next: SEARCH_NEW });
const stale = (message: string): FaultRow => ({ code: 'E_OFFER_EXPIRED', message, next: SEARCH_NEW });
const done = (message: string, next: string): FaultRow => ({ code: 'E_ALREADY_DONE', message, next });
const missing = (message: string): FaultRow => ({
  code: 'E_NOT_FOUND',
  message,
  next: 'Ask the person for the right locator, then call read_booking.',
});
const declined = (message: string): FaultRow => ({ code: 'E_PAYMENT_DECLINED', message, next: PAYER });
const unauthorised = (message: string, next = DOCTOR): FaultRow => ({ code: 'E_AUTH', message, next });
const down = (message: string): FaultRow => ({ code: 'E_AIRLINE_DOWN', message, next: LATER });
const busy = (message: string): FaultRow => ({ code: 'E_AIRLINE_BUSY', message, next: LATER });

const searchRows: Readonly<Record<string, FaultRow>> = {
  '7': input('The airline does not sell this route.', 'Call list_routes for the routes on sale.'),
  '15': input('The airline finds a date invalid.', SEARCH_DATE),
  '20': input('The airline does not accept this number of passengers.', SEARCH),
  '22': input('The party is larger than the airline sells at once (nine seats).', SEARCH),
  '26': input('The airline requires an adult in the party.', VALUES),
  '101': input('The date is too close for the airline to sell.', SEARCH_DATE),
  '107': input('The date is too far ahead for the airline to sell.', SEARCH_DATE),
  '123': input('There are more children than the airline accepts in one party.', SEARCH),
  '124': input('There are more infants than the airline accepts in one party.', SEARCH),
  '161': input('The airline finds the search criteria invalid.', SEARCH),
  '320': input('The airline finds a value invalid.', VALUES),
  '321': input('The airline misses a required field.', VALUES),
  '322': {
    code: 'E_NO_AVAILABILITY',
    message: 'The airline has nothing available for this search.',
    next: SEARCH_DATE,
  },
  '353': input('The date lies in the past.', SEARCH_DATE),
  '458': input('The date lies outside the period that is on sale.', SEARCH_DATE),
};

const bookRows: Readonly<Record<string, FaultRow>> = {
  '9': soldOut('The flight is full.'),
  '19': input('A name is incomplete.', BOOK),
  '27': input("The airline requires the passengers' details.", BOOK),
  '53': stale('The airline has no price for this fare any more.'),
  '58': stale('The airline cannot confirm the price of this offer.'),
  '83': input('A segment reference does not match the itinerary.', SEARCH_NEW),
  '96': done('The airline already holds a booking with this itinerary.', FIND),
  '113': input('The airline misses details of the booking.', BOOK),
  '127': done('The airline already holds this booking.', FIND),
  '244': input('The airline finds the e-mail address invalid.', BOOK),
  '285': input('The airline finds a name invalid.', BOOK),
  '286': input('The airline finds a given name invalid.', BOOK),
  '287': input('The airline finds a surname invalid.', BOOK),
  '288': input('The airline finds a name or its title invalid.', BOOK),
  '310': input('A surname is missing.', BOOK),
  '311': input('A given name is missing.', BOOK),
  '420': input('The airline requires an e-mail address.', BOOK),
  '499': soldOut('What was asked for is no longer available.'),
  '501': input('The airline finds a date of the booking invalid.', BOOK),
  '508': input('The airline does not sell this booking class here.', SEARCH_NEW),
  '523': input('A given name is too long for the airline.', BOOK),
  '524': input('A surname is too long for the airline.', BOOK),
  '860': input("The airline finds a passenger's details invalid.", BOOK),
  '878': input('The airline does not accept this type of document.', BOOK),
  '879': input('The airline finds a document number invalid.', BOOK),
  '883': { code: 'E_PRICE_CHANGED', message: 'The price has changed since the offer was made.', next: SEARCH_NEW },
  '884': { code: 'E_PRICE_CHANGED', message: 'The currency of the price has changed.', next: SEARCH_NEW },
};

const payRows: Readonly<Record<string, FaultRow>> = {
  '61': {
    code: 'E_CONFIG',
    message: 'The airline does not accept the currency of the point of sale.',
    next: 'Ask the operator to check FARECLERK_CURRENCY.',
  },
  '63': denied('The booking must be priced before it can be paid.', READ),
  '65': done('The booking is already paid and ticketed.', READ),
  '72': denied('The booking is cancelled.', READ),
  '73': late('The time limit for payment has passed; the booking has expired.', SEARCH_NEW),
  '74': late('The journey has already begun.', READ),
  '76': denied('The airline cannot do this with the booking as it stands.', READ),
  '163': input('The airline does not accept this type of payment.', 'Call pay_booking with another payment type.'),
  '167': declined('The payment was rejected.'),
  '189': denied('The airline does not authorise this agency to pay this way.', OPERATOR),
  '240': declined('The card was not accepted.'),
  '241': declined('The card has expired or its date is invalid.'),
  '242': declined("The card's number or type was not accepted."),
  '877': declined("The agency's credit with the airline does not cover the amount."),
};

const readRows: Readonly<Record<string, FaultRow>> = {
  '87': missing('The airline finds the booking reference invalid.'),
  '97': missing('The airline knows no booking with this locator.'),
  '99': denied('The booking belongs to another agency.', OPERATOR),
  '171': denied('The airline does not let this agency see the booking.', OPERATOR),
  '194': missing('The airline found no matching booking.'),
  '635': missing('The airline found no match.'),
};

const changeRows: Readonly<Record<string, FaultRow>> = {
  '95': done('It is already cancelled.', READ),
  '118': denied('The status of the booking does not allow it.', READ),
  '150': denied('The airline does not permit changes to this booking, or their time limit has passed.', READ),
  '172': denied('The airline says that this change is not possible.', READ),
  '193': denied('The airline could not cancel it.', READ),
  '254': late('The date for it has passed.', READ),
  '264': denied('The airline refused the cancellation.', READ),
  '417': denied('The airline refused the change of name.', READ),
  '568': denied('The airline refused: penalties apply that this change does not cover.', READ),
  '768': denied('The status of a segment does not allow it.', READ),
};

const systemRows: Readonly<Record<string, FaultRow>> = {
  '175': unauthorised('The airline did not accept the credentials.'),
  '183': unauthorised('The airline has suspended this agency.', OPERATOR),
  '187': down("The airline's system is unavailable."),
  '191': busy("The airline's system is busy."),
  '448': down("The airline's system failed."),
  '450': down('A system behind the airline is out of service.'),
  '497': unauthorised('The airline denies this agency the operation.'),
  '888': busy('The airline is throttling requests.'),
  '9999': down('A system behind the airline failed in a way it does not explain.'),
};

const railRows: Readonly<Record<string, FaultRow>> = {
  '1024': input('A segment is in the booking twice.', BOOK),
  '1053': soldOut('There are not enough seats left.'),
  '1054': stale('The category of this offer is no longer on sale.'),
  '1055': stale('The fare of this offer is no longer on sale.'),
  '1056': stale('The passenger profile of this offer is no longer on sale.'),
  '1083': input('Two travellers carry the same document.', BOOK),
  '3004': input('Every infant needs an adult of its own.', BOOK),
  '3005': input('An infant is not linked to an adult of its own.', BOOK),
  '3505': denied('This cannot be cancelled.', READ),
  '3508': soldOut('No seats are left.'),
};

/** Airline code → our error. */
export const FAULT_TABLE: ReadonlyMap<string, FaultRow> = new Map(
  [searchRows, bookRows, payRows, readRows, changeRows, systemRows, railRows].flatMap((rows) => Object.entries(rows)),
);

/** Codes that say that the airline holds such a booking. There is nothing to read, and so nothing to settle it by. */
export const BOOKED_ALREADY: ReadonlySet<string> = new Set(['96', '127']);

/** Codes that say the airline holds no booking of that name. */
export const NO_SUCH_BOOKING: ReadonlySet<string> = new Set(
  Object.keys(readRows).filter((code) => readRows[code]?.code === 'E_NOT_FOUND'),
);

/**
 * Codes that say a system failed, not that a rule refused: in reply to a send they do not prove that nothing happened.
 */
export const OUTCOME_BLIND: ReadonlySet<string> = new Set(['187', '448', '450', '9999']);

/**
 * Codes that say of a payment, or of a cancellation, that it is done already. Nothing is sent that was done before, so
 * that what did it may be this very message, handed on twice by something in between.
 */
export const ECHO_OF_PAYMENT = '65';
export const ECHO_OF_CANCELLATION = '95';

const STATUS_ROWS: Readonly<Record<number, FaultRow>> = {
  400: input('The airline refused the request as invalid.', VALUES),
  401: unauthorised('The airline did not accept the credentials.'),
  403: unauthorised('The airline denied access.'),
  404: missing('The airline found nothing by that name.'),
  409: denied('The airline says that this conflicts with how the booking stands.', READ),
  422: denied('A business rule of the airline forbids it.', READ),
  429: busy('The airline is throttling requests.'),
  502: down('A system in front of the airline failed.'),
  503: down("The airline's system is unavailable."),
  504: { code: 'E_AIRLINE_TIMEOUT', message: 'A system in front of the airline waited in vain.', next: LATER },
};

const OTHER_REFUSAL = denied('The airline refused the request.', OPERATOR);
const OTHER_FAILURE = down("The airline's system failed.");

/** The row for an error without a known code, by HTTP status. */
export function rowByStatus(status: number): FaultRow {
  return STATUS_ROWS[status] ?? (status >= 500 ? OTHER_FAILURE : OTHER_REFUSAL);
}
