/** The airline's refusals, with OpenTravel ERR codes (docs/wire/notes.md, Errors). */
import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';

/** Code → HTTP status and title. */
const REFUSALS = {
  '7': [400, 'Route invalid'],
  '15': [400, 'Date invalid'],
  '20': [400, 'Passenger count invalid'],
  '22': [422, 'Commercial rules: too many seats requested'],
  '26': [400, 'An adult is needed'],
  '16': [422, 'Service cancelled'],
  '53': [422, 'No price for the tariff'],
  '61': [400, 'Currency not supported'],
  '65': [409, 'Already ticketed'],
  '72': [409, 'Booking is cancelled'],
  '73': [422, 'Time limit passed'],
  '74': [422, 'Travel has commenced'],
  '83': [400, 'Segment reference invalid'],
  '87': [400, 'Booking reference invalid'],
  '95': [409, 'Already cancelled'],
  '97': [404, 'Booking not found'],
  '107': [400, 'Date too far ahead'],
  '118': [422, 'Booking status does not permit this'],
  '124': [400, 'Too many infants'],
  '127': [409, 'Booking exists'],
  '150': [422, 'Changes not permitted'],
  '161': [400, 'Search criteria invalid'],
  '163': [400, 'Payment type unknown'],
  '167': [422, 'Payment rejected'],
  '172': [422, 'Not possible'],
  '175': [401, 'Authorisation failed'],
  '187': [503, 'System unavailable'],
  '189': [403, 'Not authorised'],
  '244': [400, 'E-mail invalid'],
  '248': [400, 'Company unknown'],
  '285': [400, 'Name invalid'],
  '310': [400, 'Last name missing'],
  '311': [400, 'First name missing'],
  '320': [400, 'Invalid value'],
  '321': [400, 'Required field missing'],
  '322': [400, 'No availability'],
  '353': [400, 'Date in the past'],
  '417': [422, 'Name change refused'],
  '420': [400, 'E-mail needed'],
  '448': [500, 'System error'],
  '497': [401, 'Authorisation failed'],
  '499': [422, 'No longer available'],
  '501': [400, 'Date invalid for this segment'],
  '508': [400, 'Booking class invalid'],
  '523': [400, 'Last name too long'],
  '524': [400, 'First name too long'],
  '713': [400, 'Currency of the payment is not that of the booking'],
  '860': [422, 'Passenger details invalid'],
  '878': [422, 'Document type invalid'],
  '879': [422, 'Document number invalid'],
  '885': [422, 'Totals differ'],
  '888': [429, 'Too many requests'],
  '1024': [422, 'Duplicate segment'],
  '1053': [422, 'Not enough seats'],
  '1055': [422, 'Fare no longer available'],
  '1083': [422, 'Same document on two travellers'],
  '3004': [422, 'Infant needs an adult'],
  '3005': [422, 'Infant needs an adult of its own'],
  '3505': [422, 'Cannot be cancelled'],
  '3509': [422, 'Train cancelled'],
} as const satisfies Record<string, readonly [number, string]>;

type RefusalCode = keyof typeof REFUSALS;

/** A refusal of a request. Thrown in a transaction, it undoes the transaction. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: RefusalCode;
  readonly title: string;

  /** `detail` is for people. It names the path of an invalid field: `$.pos.source`. */
  constructor(code: RefusalCode, detail: string, status?: number) {
    super(detail);
    this.name = 'Refusal';
    const [usualStatus, title] = REFUSALS[code];
    this.status = status ?? usualStatus;
    this.code = code;
    this.title = title;
  }
}

/** Writes a refusal as the flat object of docs/wire/notes.md, Errors. */
export function refusalBody(refusal: Refusal, at: number): Record<string, unknown> {
  return {
    status: refusal.status,
    error: STATUS_CODES[refusal.status] ?? 'Error',
    code: refusal.code,
    title: refusal.title,
    detail: refusal.message,
    correlationId: randomUUID(),
    service: 'sandbox-reservation',
    timestamp: new Date(at).toISOString(),
  };
}
