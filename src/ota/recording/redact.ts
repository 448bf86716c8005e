/**
 * Makes a request or reply safe to record: a field of the protocol stays if its value looks like one and names nobody. All else is dropped.
 */
import { foldName } from '../../domain/people/identity-text.ts';

const splitWords = (list: string): readonly string[] => list.trim().split(/\s+/);

/** Codes, numbers, times and pointers of the protocol: `parent.name` if the parent gives the meaning. */
const CODE_FIELDS = splitWords(`
  action amount applyFromTime applyUntilTime arrival arrivalAirport arrivalDateTime arrivalStation
  arrivalStationId arrivalTime arrival_airport availabilityIndicator availableFlightsOnly availableInd
  availableQty base cabinType cancellationTimeLimit cityCode class coach code columnNumber columnSpan
  confirmationTimeLimit contractId couponNumber createDateTime currency currencyCode dates defaultInd
  departure departureAirport departureDate departureDateTime departureStation departureStationId
  departureTime departure_airport direct direction docHolderNationality docType endDate endingRow end_date
  expires_in fareBasis fareBasisCode feeCode feeTransactionType flightDesignator flightNumber
  flightRefNumberRPHList flightRefRPH flightSegmentRPH flightSegmentRefNumber grant_type gridNumber
  isoCurrency isocountry isocurrency itemNumber journeyDate locale locationCode mode modificationType
  namePrefix nameSuffix nameTitle netAmount number occupiedInd orderType passengerTypeCode paymentType
  profileId qualifier quantity refresh_expires_in refundable resBookDesigCode resBookDesigQuantity
  resBookDesigStatusCode reservationTimeLimit retransmissionIndicator rowNumber rph sales_channel seat
  seatNumber seatSequenceNumber segmentRPH sequenceNumber serviceQuantity startDate startingRow start_date
  status stopQuantity tax taxCode ticketTimeLimit ticketType timeStamp timestamp totalAmount totalSeatQty
  total travelerRPH travelerRefNumber travelerRefNumberRPHs type updateTravellersTimeLimit
  accompaniedByInfantInd phoneTechType usage vat version windowAfter windowBefore accountCode
  companyShortName countryAccessCode instance not-before-policy fares.id profiles.id segments.id
  transport.id zone.id active
`);

/** Fields that may also hold words, such as the name of a fare. */
const WORD_FIELDS = splitWords(`
  cancelType displayOrder extension function gender priceGroup rel scope seatType
  taxName token_type country service comment.name operations.name origin.name destinations.name zone.name
  countryName.value departureDateTime.value fareReference.value filingAirline.value fareBasisCode.value
  availability.value status.value features.value amenity.value service.value characteristics.value
  origin.cityName destinations.cityName fares.description seatDetails.seatType
`);

/** What is said of persons: it is looked for in fields of the protocol too. */
const PERSONAL_FIELDS = new Set(
  splitWords(`
    givenName surname middleName firstName lastName cardHolderName emails ccEmails bccEmails email.value phoneNumber
    recordLocator bookingReferenceID.id uniqueID.id ticketNumber ticketDocumentNbr providerTicketNumber
    conjunctiveTicket docID birthDate expireDate
  `),
);

const CODE = /^(?:[A-Z0-9_+.,:;/-]{0,48}|\d(?: ?\d)*|[a-z]{1,16}|[a-z]{2}-[A-Z]{2})$/;
/** Without digits, which may be of a document. */
const WORDS = /^[\p{L} _+.,:;/()'-]{0,60}$/u;
/** `2 pieces`, `1 x 25 kg`. */
const ALLOWANCE = /^(?:\d{1,3}|[a-z]{1,10})(?: (?:\d{1,3}|[a-z]{1,10})){0,4}$/i;
/** The pointer of an infant to its adult. */
const POINTER = /^\d{1,3}$/;
/** RFC 6749, 5.2. */
const OAUTH_ERROR = /^(?:invalid_\w{1,20}|unauthorized_client|unsupported_grant_type)$/;

/** The shapes of which the value of a field must have one to be recorded. */
const SHAPES = new Map<string, readonly RegExp[]>([
  ...CODE_FIELDS.map((name) => [name, [CODE]] as const),
  ...WORD_FIELDS.map((name) => [name, [CODE, WORDS]] as const),
  ['fareBaggageAllowance', [CODE, ALLOWANCE]],
  ['comment.value', [POINTER]],
  ['error', [OAUTH_ERROR]],
]);

/** How interfaces name fields (`airTraveler`, `TPA_Extensions`), unlike names of people. */
const FIELD_NAME = /^(?:[a-z_][\w.-]{0,60}|[A-Z][A-Za-z]*_\w{0,60})$/;
/** A day, which is a birth date in a field that is not for times. */
const DAY = /\d{4}-\d\d-\d\d|\d\d?[./-]\d\d?[./-]\d\d|\d\d[A-Z]{3}\d\d/;
/** The names of the fields that hold a time, one as documented, and one as airlines may write it. */
const TIME_NAME = /date|time|limit/i;
const TIME = /^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-][\d:]+)?)?$/;
const ANY_TIME = /^[A-Z\d_+.,:;/ -]{0,48}$/;
/** Words of the protocol that can also be names. */
const PROTOCOL_WORDS = new Set('male female unknown paid pending open other booking payment refund'.split(' '));
/** Words of persons from this length on are looked for, and secrets; shorter ones are found everywhere by chance. */
const LEAST_LEARNED = 4;
/** Shorter names are also codes (status, carrier, class): they stay if they are the only word. */
const SHORT_NAME = /^\p{L}{2,3}$/u;
const LEAST_FOLDED_SECRET = 6;

const DROPPED = '[dropped]';
/** In place of a birth date and a day of expiry, so that a reader of the recording still finds an adult with a valid document. */
const DAYS = new Map([
  ['birthDate', '1990-01-01'],
  ['expireDate', '2090-01-01'],
]);

/** Finds what is known of a field: under its name with that of the object or list above it, or under its own. */
function isPersonal(key: string, parent: string): boolean {
  return PERSONAL_FIELDS.has(`${parent}.${key}`) || PERSONAL_FIELDS.has(key);
}

/** Redacts the exchanges of one recording. `key` is the name of a field, or of the list that it is an item of, `parent` that of the object above. */
export class Redactor {
  readonly #secrets: string[] = [];
  /** Words and whole values of persons seen so far, in small letters and digits. */
  readonly #learned = new Set<string>();
  /** The values of their fields, each with its number. */
  readonly #numbers = new Map<string, number>();

  /** @param secrets configured ones, dropped from every field */
  constructor(secrets: readonly string[]) {
    for (const secret of secrets) this.hide(secret);
  }

  /** Drops a secret from all that is redacted from now on. */
  hide(secret: string): void {
    if (secret.length >= LEAST_LEARNED && !this.#secrets.includes(secret)) this.#secrets.push(secret);
  }

  /** Learns the personal data in a value, before anything of the exchange is written. */
  learn(value: unknown, key = '', parent = ''): void {
    if (Array.isArray(value)) for (const item of value) this.learn(item, key, parent);
    else if (typeof value === 'object' && value !== null)
      for (const [name, item] of Object.entries(value)) this.learn(item, name, key);
    else if (isPersonal(key, parent)) {
      for (const word of wordsIn(String(value)))
        if ((word.length >= LEAST_LEARNED || SHORT_NAME.test(word)) && !PROTOCOL_WORDS.has(word))
          this.#learned.add(word);
    }
  }

  /** Redacts a JSON value with all that it holds. */
  redact(value: unknown, key = '', parent = ''): unknown {
    if (Array.isArray(value)) return value.map((item) => this.redact(item, key, parent));
    if (typeof value === 'string') return this.#isPlain(value, key, parent) ? value : this.#standIn(value, key, parent);
    if (typeof value === 'number') return shapesOf(key, parent).length > 0 ? value : 0;
    if (typeof value !== 'object' || value === null) return value;
    const fields = Object.entries(value);
    return Object.fromEntries(fields.map(([name, item]) => [this.#redactName(name), this.redact(item, name, key)]));
  }

  /** Whether a text can be recorded as it is: it has a shape of its field, and nothing of a person in it. */
  #isPlain(text: string, key: string, parent: string): boolean {
    const shapes = shapesOf(key, parent);
    if (shapes.length === 0 || this.#hasSecret(text)) return false;
    const isTime = TIME_NAME.test(key);
    // Times of the protocol are what they say.
    if (isTime && TIME.test(text)) return true;
    const hasShape = isTime ? ANY_TIME.test(text) : shapes.some((shape) => shape.test(text)) && !DAY.test(text);
    return hasShape && !this.#isOfPerson(text);
  }

  /** A reader tells passengers and tickets apart by their numbers, which are as long as what they stand for. */
  #standIn(text: string, key: string, parent: string): string {
    const day = DAYS.get(key);
    if (day !== undefined || !isPersonal(key, parent)) return day ?? DROPPED;
    const number = this.#numbers.get(text) ?? this.#numbers.size + 1;
    this.#numbers.set(text, number);
    return String(number).padStart(text.length, '0');
  }

  #isOfPerson(text: string): boolean {
    const words = wordsIn(text);
    return words.some((word) => this.#learned.has(word) && (words.length > 1 || word.length >= LEAST_LEARNED));
  }

  #hasSecret(text: string): boolean {
    const folded = foldName(text);
    return this.#secrets.some((secret) => {
      const foldedSecret = foldName(secret);
      return text.includes(secret) || (foldedSecret.length >= LEAST_FOLDED_SECRET && folded.includes(foldedSecret));
    });
  }

  #redactName(name: string): string {
    return FIELD_NAME.test(name) && !this.#isOfPerson(name) && !this.#hasSecret(name) ? name : DROPPED;
  }
}

function shapesOf(key: string, parent: string): readonly RegExp[] {
  return SHAPES.get(`${parent}.${key}`) ?? SHAPES.get(key) ?? [];
}

/** The words of a text in small letters, and all of it without what divides it. */
function wordsIn(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.length > 1 ? [...words, words.join('')] : words;
}
