/**
 * Makes a request or reply safe to record: what is on the list of the protocol stays, secrets are dropped, and all else gets a
 * stand-in of its shape, which is the same for the same word.
 */

import { createHmac } from 'node:crypto';
import { type HiddenDetails, hiding } from '../../domain/booking/shown-booking.ts';
import { isIdentifyingService } from '../../domain/booking/special-services.ts';
import { foldName } from '../../domain/people/identity-text.ts';

type FieldKind =
  /** Codes, numbers, dates and pointers of the protocol: recorded as they are. */
  | 'plain'
  /** Of a person: its words are looked for in plain fields too. */
  | 'name'
  | 'personal'
  | 'document'
  | 'birth_date'
  | 'expiry_date'
  /** Free text, and every unknown field. */
  | 'text'
  /** Never recorded. */
  | 'secret';

/** Names of fields by what they hold; `parent.name` if the parent gives the meaning. All others are text. */
const FIELD_NAMES: Readonly<Partial<Record<FieldKind, string>>> = {
  plain: `
    action amount applyFromTime applyUntilTime arrival arrivalAirport arrivalDateTime arrivalStation arrivalStationId
    arrivalTime arrival_airport availabilityIndicator availableFlightsOnly availableInd availableQty base cabinType
    cancelType cancellationTimeLimit cityCode class coach code columnNumber columnSpan confirmationTimeLimit
    contractId couponNumber createDateTime currency currencyCode dates defaultInd departure departureAirport
    departureDate departureDateTime departureStation departureStationId departureTime departure_airport direct
    direction displayOrder docHolderNationality docType endDate endingRow end_date expires_in extension fareBasis
    fareBasisCode fareBaggageAllowance feeCode feeTransactionType flightDesignator flightNumber flightRefNumberRPHList
    flightRefRPH flightSegmentRPH flightSegmentRefNumber function gender grant_type gridNumber isoCurrency isocountry
    isocurrency itemNumber journeyDate locale locationCode mode modificationType namePrefix nameSuffix nameTitle
    netAmount number occupiedInd orderType passengerTypeCode paymentType priceGroup profileId qualifier quantity
    refresh_expires_in refundable rel resBookDesigCode resBookDesigQuantity resBookDesigStatusCode
    reservationTimeLimit retransmissionIndicator rowNumber rph sales_channel scope seat seatNumber seatSequenceNumber
    seatType segmentRPH sequenceNumber serviceQuantity startDate startingRow start_date status stopQuantity tax taxCode
    taxName ticketTimeLimit ticketType timeStamp timestamp totalAmount totalSeatQty total
    token_type travelerRPH travelerRefNumber travelerRefNumberRPHs type updateTravellersTimeLimit
    accompaniedByInfantInd phoneTechType usage vat version windowAfter windowBefore accountCode companyShortName
    countryAccessCode country service instance not-before-policy fares.id profiles.id segments.id transport.id zone.id
    active comment.name operations.name origin.name destinations.name zone.name countryName.value departureDateTime.value
    fareReference.value filingAirline.value fareBasisCode.value availability.value status.value features.value
    amenity.value service.value characteristics.value origin.cityName destinations.cityName fares.description
    seatDetails.seatType
  `,
  name: 'givenName surname middleName firstName lastName cardHolderName',
  personal: `
    emails ccEmails bccEmails email.value phoneNumber recordLocator bookingReferenceID.id uniqueID.id ticketNumber
    ticketDocumentNbr providerTicketNumber conjunctiveTicket
  `,
  document: 'docID',
  birth_date: 'birthDate',
  expiry_date: 'expireDate',
  secret: `
    access_token refresh_token id_token client_id client_secret username password x-api-key authorization href url urls
  `,
};

const splitWords = (list: string): readonly string[] => list.trim().split(/\s+/);

const KIND_BY_NAME = new Map<string, FieldKind>(
  Object.entries(FIELD_NAMES).flatMap(([kind, names]) =>
    splitWords(names).map((name): [string, FieldKind] => [name, kind as FieldKind]),
  ),
);

/** Codes, numbers, dates and words of the protocol; no text that looks like a name. */
const CODE = /^(?:[A-Z0-9_+.,:;/ -]{0,48}|[a-z]{1,16}|[a-z]{2}-[A-Z]{2}|\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-][\d:]+)?)$/;

/** Plain fields that may hold words beside codes, such as the name of a tax or a seat type. */
const FIELDS_OF_WORDS = new Set(
  splitWords(`
  taxName fareBaggageAllowance seatType rel extension gender cancelType token_type scope service function displayOrder
  name cityName country value priceGroup description
  `),
);
const WORDS_SHAPE = /^[\p{L}\p{N} _+.,:;/()'-]{0,60}$/u;

/** How interfaces name fields (`airTraveler`, `TPA_Extensions`), unlike names of people. */
const FIELD_NAME = /^(?:[a-z_][\w.-]{0,60}|[A-Z][A-Za-z]*_\w{0,60})$/;
/** Smaller numbers are counts and codes. Greater ones can be personal. */
const PERSONAL_FROM = 1_000;
/** A time of the protocol, and the names of the fields that hold one. */
const TIME_NAME = /date|time|limit/i;
const TIME = /^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-][\d:]+)?)?$/;
/** Words of the protocol that can also be names. */
const PROTOCOL_WORDS = new Set('male female unknown paid pending open other booking payment refund'.split(' '));
const REASON_PHRASES = new Set([
  ...['Bad Request', 'Unauthorized', 'Forbidden', 'Not Found', 'Method Not Allowed', 'Conflict'],
  ...['Unsupported Media Type', 'Unprocessable Entity', 'Unprocessable Content', 'Too Many Requests'],
  ...['Internal Server Error', 'Bad Gateway', 'Service Unavailable', 'Gateway Timeout'],
]);
/** Words of persons from this length on are replaced in every field. */
const LEAST_LEARNED = 4;
/** Shorter names are also codes (status, carrier, class): they stay if they are the only word. */
const SHORT_NAME = /^\p{L}{2,3}$/u;
/** A shorter secret would be found in other texts by chance, and a shorter folded one in other words. */
const LEAST_SECRET = 4;
const LEAST_FOLDED = 6;
/** So many details of travellers are looked for in fields of the protocol: the newest, if there are more. */
const MOST_DETAILS = 200;

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const DROPPED = '[dropped]';
/** In place of a birth date and a day of expiry, so that a reader of the recording still finds an adult with a valid document. */
const DATES: Readonly<Partial<Record<FieldKind, string>>> = { birth_date: '1990-01-01', expiry_date: '2090-01-01' };

/**
 * Says what a field holds.
 * @param key the field's own name, or that of the list that it is an item of
 * @param parent the name of the nearest object above it
 */
function fieldKind(key: string, parent: string): FieldKind {
  if (key.includes('.')) return 'text';
  return KIND_BY_NAME.get(`${parent}.${key}`) ?? KIND_BY_NAME.get(key) ?? 'text';
}

interface RedactorOptions {
  /** Of the stand-ins. Whoever does not have it cannot reverse them; all processes with it write the same ones. */
  readonly key: Uint8Array;
  /** Configured secrets, dropped from every field. */
  readonly secrets: readonly string[];
}

/** Redacts the exchanges of one recording. `key` and `parent` of its methods are those of {@link fieldKind}. */
export class Redactor {
  readonly #key: Uint8Array;
  readonly #secrets: string[] = [];
  /** Words of persons seen so far, in small letters. */
  readonly #learned = new Set<string>();
  readonly #shortNames = new Set<string>();
  readonly #details = new Map<string, HiddenDetails>();
  /** Blanks these details in a text. */
  #hide = hiding([]);

  constructor({ key, secrets }: RedactorOptions) {
    this.#key = key;
    for (const secret of secrets) this.hide(secret);
  }

  /** Drops a secret from all that is redacted from now on. */
  hide(secret: string): void {
    if (secret.length >= LEAST_SECRET && !this.#secrets.includes(secret)) this.#secrets.push(secret);
  }

  /** Learns the personal data in a value, before anything of the exchange is written. */
  learn(value: unknown, key = '', parent = ''): void {
    if (typeof value === 'string' || typeof value === 'number') this.#learnText(String(value), fieldKind(key, parent));
    else if (Array.isArray(value)) for (const item of value) this.learn(item, key, parent);
    else if (typeof value === 'object' && value !== null)
      for (const [name, item] of Object.entries(value)) this.learn(item, name, key);
  }

  #learnText(text: string, kind: FieldKind): void {
    if (kind === 'plain' || kind === 'text' || kind === 'secret') return;
    if (kind === 'document') this.#learnDetail(text, { document: { number: text } });
    if (kind in DATES) this.#learnDetail(text, { birthDate: text });
    else
      for (const word of lowerWords(text)) {
        if (word.length >= LEAST_LEARNED && !PROTOCOL_WORDS.has(word)) this.#learned.add(word);
        if (kind === 'name' && SHORT_NAME.test(word)) this.#shortNames.add(word);
      }
  }

  #learnDetail(text: string, detail: HiddenDetails): void {
    if (this.#details.has(text)) return;
    this.#details.set(text, detail);
    const [oldest] = this.#details.keys();
    if (this.#details.size > MOST_DETAILS && oldest !== undefined) this.#details.delete(oldest);
    this.#hide = hiding([...this.#details.values()]);
  }

  /** Redacts a JSON value with all that it holds. */
  redact(value: unknown, key = '', parent = ''): unknown {
    if (typeof value === 'string') return this.#redactText(value, key, parent);
    if (typeof value === 'number') return this.#redactNumber(value, key, parent);
    if (Array.isArray(value)) return value.map((item) => this.redact(item, key, parent));
    if (typeof value !== 'object' || value === null) return value;
    const fields = Object.entries(value);
    return Object.fromEntries(fields.map(([name, item]) => [this.#redactName(name), this.redact(item, name, key)]));
  }

  #redactText(text: string, key: string, parent: string): string {
    const kind = fieldKind(key, parent);
    if (kind === 'secret' || this.#hasSecret(text)) return DROPPED;
    const date = DATES[kind];
    if (date !== undefined) return date;
    if (kind === 'plain' ? this.#isPlain(text, key) : isHarmless(text, key, parent)) return text;
    const host = text.lastIndexOf('@');
    return host < 0 ? this.#standIn(text) : `${this.#standIn(text.slice(0, host))}@example.com`;
  }

  /** Whether the text of a plain field can be recorded as it is: it looks like one, and has nothing of a person in it. */
  #isPlain(text: string, key: string): boolean {
    if (!CODE.test(text) && !(FIELDS_OF_WORDS.has(key) && WORDS_SHAPE.test(text))) return false;
    const words = lowerWords(text);
    if (words.some((word) => this.#learned.has(word))) return false;
    if (words.length > 1 && words.some((word) => this.#shortNames.has(word))) return false;
    // Times of the protocol are what they say.
    return (TIME.test(text) && TIME_NAME.test(key)) || this.#hide(text) === text;
  }

  #hasSecret(text: string): boolean {
    const folded = foldName(text);
    return this.#secrets.some((secret) => {
      const foldedSecret = foldName(secret);
      return text.includes(secret) || (foldedSecret.length >= LEAST_FOLDED && folded.includes(foldedSecret));
    });
  }

  #redactName(name: string): string {
    const isOfAPerson = lowerWords(name).some((word) => this.#learned.has(word));
    return FIELD_NAME.test(name) && !isOfAPerson && !this.#hasSecret(name) ? name : this.#standIn(name);
  }

  #redactNumber(value: number, key: string, parent: string): number {
    const kind = fieldKind(key, parent);
    if (kind === 'plain' || (kind === 'text' && Math.abs(value) < PERSONAL_FROM)) return value;
    const digits = this.#standIn(String(value)).replace(/^0/, '1');
    return /^\d+(?:\.\d+)?$/.test(digits) ? Number(digits) : 0;
  }

  /** Replaces each word by another of the same shape: HADDAD and Haddad by the same letters, and no character by itself. */
  #standIn(text: string): string {
    return text.replace(WORD, (word) => {
      const bytes = createHmac('sha512', this.#key).update(`fareclerk recording ${word.toLowerCase()}`).digest();
      return [...word].map((character, i) => otherCharacter(character, bytes[i % bytes.length] ?? 0)).join('');
    });
  }
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';

/** Letters without case, and those of other alphabets, become an x. */
function otherCharacter(character: string, byte: number): string {
  const lower = character.toLowerCase();
  const alphabet = [LETTERS, DIGITS].find((one) => one.includes(lower));
  if (alphabet === undefined) return 'x';
  const other = alphabet.charAt((alphabet.indexOf(lower) + 1 + (byte % (alphabet.length - 1))) % alphabet.length);
  return lower === character ? other : other.toUpperCase();
}

function lowerWords(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Texts that are known to say nothing of a person: documents as services of everybody, pointers to an adult, reasons of HTTP and OAuth. */
function isHarmless(text: string, key: string, parent: string): boolean {
  if (/^ssrcode$/i.test(key)) return isIdentifyingService(text);
  if (key === 'value' && parent === 'comment') return /^\d{1,3}$/.test(text);
  return key === 'error' && (OAUTH_ERROR.test(text) || REASON_PHRASES.has(text));
}

/** RFC 6749, 5.2. */
const OAUTH_ERROR = /^(?:invalid_\w{1,20}|unauthorized_client|unsupported_grant_type)$/;
