/**
 * Makes a request or reply safe to record: keeps the protocol, drops secrets, replaces personal data by pseudonyms. First
 * what each field holds, then how pseudonyms are made, then how a value is redacted.
 */

import { createHmac } from 'node:crypto';
import { percentDecoded } from '../../core/clean-text.ts';
import { DAY_MS, dateText, utcDay } from '../../core/times.ts';
import { withoutTrailing } from '../../core/words.ts';
import { type HiddenDetails, hiding } from '../../domain/booking/shown-booking.ts';
import { isIdentifyingService } from '../../domain/booking/special-services.ts';
import { foldName } from '../../domain/people/identity-text.ts';

type FieldKind =
  /** Codes, numbers, dates and pointers of the protocol. */
  | 'plain'
  | 'name'
  | 'email'
  | 'phone'
  | 'document'
  | 'birth_date'
  | 'expiry_date'
  | 'locator'
  | 'ticket'
  /** Codes of special services: a wheelchair or a meal tells of a person's health or belief. */
  | 'service'
  /** Keys of the airline's or the agency's own systems. */
  | 'opaque'
  | 'link'
  /** Free text, and every unknown field. */
  | 'text'
  /** Never recorded. */
  | 'secret';

/**
 * Names of fields by what they hold; `parent.name` if the parent gives the meaning. Unknown fields count as personal:
 * recordings that leave the house depend on this list.
 */
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
  email: 'emails ccEmails bccEmails email.value',
  phone: 'phoneNumber',
  document: 'docID',
  birth_date: 'birthDate',
  expiry_date: 'expireDate',
  locator: 'recordLocator bookingReferenceID.id uniqueID.id',
  ticket: 'ticketNumber ticketDocumentNbr providerTicketNumber conjunctiveTicket',
  service: 'ssrCode ssrcode',
  opaque: 'accountName quoteID referenceId correlationId requestId session_state requestorID.id requestorID.name',
  link: 'href url urls',
  secret: `
    access_token refresh_token id_token client_id client_secret username password x-api-key authorization
  `,
};

const splitWords = (list: string): readonly string[] => list.trim().split(/\s+/);

const KIND_BY_NAME = new Map<string, FieldKind>();
for (const [kind, names] of Object.entries(FIELD_NAMES))
  for (const name of splitWords(names)) KIND_BY_NAME.set(name, kind as FieldKind);

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

/**
 * Says what a field holds.
 * @param key the field's own name, or that of the list that it is an item of
 * @param parent the name of the nearest object above it
 */
function fieldKind(key: string, parent: string): FieldKind {
  if (key.includes('.')) return 'text';
  return KIND_BY_NAME.get(`${parent}.${key}`) ?? KIND_BY_NAME.get(key) ?? 'text';
}

/** Whether the text of a plain field can be recorded as it is. */
function isPlainText(key: string, text: string): boolean {
  return CODE.test(text) || (FIELDS_OF_WORDS.has(key) && WORDS_SHAPE.test(text));
}

interface Pseudonyms {
  /** Replaces each word of a text by another of the same shape. */
  of(kind: FieldKind, text: string): string;
}

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const TICKET = /^\d{13,14}$/;
const DATE = /^(\d{4})-(\d{2})-(\d{2})/;
/** How often a pseudonym that equals its word is made anew. A word without any other, such as a sign, then stays. */
const MOST_TURNS = 8;
/** How much later, at most, a document expires in a recording, days. */
const MOST_DAYS_LATER = 200;
/** The airline's number is the first three digits of a ticket number. */
const AIRLINE_DIGITS = 3;

/**
 * Makes pseudonyms: the same word always gets the same one, of the same shape. Nobody can reverse them without the key,
 * which never leaves the state store.
 * @param key random bytes; the same key gives the same pseudonyms in every process
 */
export function createPseudonyms(key: Uint8Array): Pseudonyms {
  const pseudonymByWord = new Map<string, string>();

  /** Bytes determined by the key and the word. Another `turn` gives other bytes. */
  const keyedBytes = (word: string, turn: number): Buffer =>
    createHmac('sha512', key).update(`fareclerk recording ${turn} ${word}`).digest();

  function replaceWord(word: string): string {
    const known = pseudonymByWord.get(word);
    if (known !== undefined) return known;
    // HADDAD and Haddad get the same letters.
    const folded = word.toLowerCase();
    let turn = 0;
    let pseudonym = inSameShape(word, keyedBytes(folded, turn));
    while (pseudonym.toLowerCase() === folded && turn < MOST_TURNS) {
      turn += 1;
      pseudonym = inSameShape(word, keyedBytes(folded, turn));
    }
    pseudonymByWord.set(word, pseudonym);
    return pseudonym;
  }

  const replaceWords = (text: string): string => text.replace(WORD, replaceWord);

  return {
    of(kind, text) {
      if (kind === 'email' && text.includes('@'))
        return `${replaceWords(text.slice(0, text.lastIndexOf('@')))}@example.com`;
      if (kind === 'birth_date') return otherBirthDate(text, keyedBytes(text, 0)) ?? replaceWords(text);
      if (kind === 'expiry_date') return laterDate(text, keyedBytes(text, 0)) ?? replaceWords(text);
      return replaceWords(text);
    },
  };
}

/** Replaces letters by letters of the same case, digits by digits. A ticket number keeps the digits of its airline. */
function inSameShape(word: string, bytes: Buffer): string {
  const unchanged = TICKET.test(word) ? AIRLINE_DIGITS : 0;
  return [...word]
    .map((character, i) => (i < unchanged ? character : otherCharacter(character, bytes[i % bytes.length] ?? 0, i)))
    .join('');
}

/** 7 has no common factor with 10 or 26, so that equal bytes at two places mostly give different characters. */
function otherCharacter(character: string, byte: number, place: number): string {
  const turn = byte + place * 7;
  if (/\p{N}/u.test(character)) return String(turn % 10);
  const letter = String.fromCharCode(97 + (turn % 26));
  if (/\p{M}/u.test(character)) return '';
  // A letter without case (Arabic, Hebrew, Han, …) becomes a small Latin one.
  return /\p{Lu}/u.test(character) ? letter.toUpperCase() : letter;
}

/** A day up to two years earlier or later, so that the passenger type mostly still fits. Undefined if the text is no date. */
function otherBirthDate(text: string, bytes: Buffer): string | undefined {
  const match = DATE.exec(text);
  if (match === null) return undefined;
  const year = String(Number(match[1]) + ((bytes[0] ?? 0) % 5) - 2).padStart(4, '0');
  const month = 1 + ((bytes[1] ?? 0) % 12);
  // Every month has 28 days.
  const day = 1 + ((bytes[2] ?? 0) % 28);
  const date = dateText(year, month, day);
  return date === text.slice(0, 10) ? dateText(year, month, (day % 28) + 1) : date;
}

/** A later day, so that a valid document stays valid. Undefined if the text is no date. */
function laterDate(text: string, bytes: Buffer): string | undefined {
  if (!DATE.test(text)) return undefined;
  const midnight = Date.parse(`${text.slice(0, 10)}T00:00:00Z`);
  if (Number.isNaN(midnight)) return undefined;
  const daysLater = 1 + (bytes.readUInt16BE(0) % MOST_DAYS_LATER);
  return utcDay(midnight + daysLater * DAY_MS);
}

const DROPPED = '[dropped]';
/** Stands for the address of the airline's downloads. */
const REST_PLACEHOLDER = '{rest_url}';
/** Stands for every other address. */
const ELSEWHERE = 'https://elsewhere.example';

/** Parts of documented download addresses (docs/wire/interface.md, Payment; docs/wire/notes.md, Addressing). */
const PATH_WORDS = new Set(['tickets', 'confirmation', 'download', 'passenger-segment', '']);
/** How interfaces name fields (`airTraveler`, `TPA_Extensions`), unlike names of people. */
const FIELD_NAME = /^(?:[a-z_][\w.-]{0,60}|[A-Z][A-Za-z]*_\w{0,60})$/;
/** Smaller numbers are counts and codes. Greater ones can be personal. */
const PERSONAL_FROM = 1_000;
const DETAIL_KINDS: ReadonlySet<FieldKind> = new Set(['document', 'birth_date', 'expiry_date']);
/** So many details of travellers are looked for in fields of the protocol: of the newest exchanges, if there are more. */
const MOST_DETAILS = 200;
/** A time of the protocol, and the names of the fields that hold one. */
const TIME_NAME = /date|time|limit/i;
const TIME = /^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-][\d:]+)?)?$/;
const PERSONAL_KINDS: ReadonlySet<FieldKind> = new Set(['name', 'email', 'phone', 'document', 'locator', 'ticket']);
/** Words of the protocol that can also be names. */
const PROTOCOL_WORDS = new Set('male female unknown paid pending open other booking payment refund'.split(' '));
const REASON_PHRASES = new Set([
  ...['Bad Request', 'Unauthorized', 'Forbidden', 'Not Found', 'Method Not Allowed', 'Conflict'],
  ...['Unsupported Media Type', 'Unprocessable Entity', 'Unprocessable Content', 'Too Many Requests'],
  ...['Internal Server Error', 'Bad Gateway', 'Service Unavailable', 'Gateway Timeout'],
]);
/** Words of persons from this length on are replaced in every field. */
const LEAST_LEARNED = 4;
/** A shorter secret would be found in other texts by chance. */
const LEAST_SECRET = 4;
/** A shorter folded secret would be found in other words by chance. */
const LEAST_FOLDED = 6;
/** Such names are also codes (status, carrier, class), so that they stay if they are the only word. */
const SHORT_NAME = /^\p{L}{2,3}$/u;

interface RedactorOptions {
  readonly pseudonyms: Pseudonyms;
  /** Configured secrets, dropped from every field. */
  readonly secrets: readonly string[];
  /** {rest_url}: its links keep their form. */
  readonly restUrl?: string;
}

/** Redacts the exchanges of one recording. `key` and `parent` of its methods are those of {@link fieldKind}. */
export class Redactor {
  readonly #pseudonyms: Pseudonyms;
  readonly #restUrl: string | undefined;
  readonly #sensitive: SensitiveWords;

  constructor({ pseudonyms, secrets, restUrl }: RedactorOptions) {
    this.#pseudonyms = pseudonyms;
    this.#restUrl = restUrl;
    this.#sensitive = new SensitiveWords(secrets);
  }

  /** Learns the personal data in a value, before anything of the exchange is written. */
  learn(value: unknown): void {
    this.#sensitive.learn(value);
  }

  /** Drops a secret from all that is redacted from now on. */
  hide(secret: string): void {
    this.#sensitive.hide(secret);
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

  /** Redacts the parameters of an address or a form. */
  redactParameters(parameters: URLSearchParams): Record<string, string> {
    const fields = [...parameters];
    return Object.fromEntries(
      fields.map(([name, value]) => [this.#redactName(name), this.#redactText(value, name, 'query')]),
    );
  }

  #redactText(text: string, key: string, parent: string): string {
    if (this.#sensitive.hasSecret(text)) return DROPPED;
    const kind = fieldKind(key, parent);
    if (kind === 'secret') return DROPPED;
    if (kind === 'plain') {
      const isHarmless =
        isPlainText(key, text) && !this.#sensitive.hasLearned(text) && !this.#sensitive.repeats(text, key);
      return isHarmless ? text : this.#pseudonyms.of('text', text);
    }
    // An airline shows documents as services of every passenger.
    if (kind === 'service' && isIdentifyingService(text)) return text;
    if (kind === 'link') {
      const links = text.split(' ');
      return links.map((link) => this.#redactLink(link)).join(' ');
    }
    if (key === 'value' && parent === 'comment' && /^\d{1,3}$/.test(text)) return text;
    if (key === 'error' && isReason(text)) return text;
    return this.#pseudonyms.of(kind, text);
  }

  #redactLink(href: string): string {
    const url = URL.parse(href);
    if (url === null) return this.#pseudonyms.of('text', href);
    const restAddress = this.#restUrl === undefined ? null : URL.parse(this.#restUrl);
    const root = withoutTrailing(restAddress?.pathname ?? '', '/');
    const isUnderRest = restAddress?.origin === url.origin && url.pathname.startsWith(`${root}/`);
    const path = isUnderRest ? url.pathname.slice(root.length) : url.pathname;
    const redactedPath = path
      .split('/')
      .map((part) => (PATH_WORDS.has(part) ? part : this.#pseudonyms.of('text', percentDecoded(part))))
      .join('/');
    const query = new URLSearchParams(this.redactParameters(url.searchParams)).toString();
    const address = isUnderRest ? REST_PLACEHOLDER : ELSEWHERE;
    return `${address}${redactedPath}${query === '' ? '' : `?${query}`}`;
  }

  #redactName(name: string): string {
    const isHarmless = FIELD_NAME.test(name) && !this.#sensitive.hasLearned(name) && !this.#sensitive.hasSecret(name);
    return isHarmless ? name : this.#pseudonyms.of('text', name);
  }

  #redactNumber(value: number, key: string, parent: string): number {
    const kind = fieldKind(key, parent);
    if (kind === 'plain' || (kind === 'text' && Math.abs(value) < PERSONAL_FROM)) return value;
    const digits = this.#pseudonyms.of(kind, String(value)).replace(/^0/, '1');
    return /^-?\d+(?:\.\d+)?$/.test(digits) ? Number(digits) : 0;
  }
}

/** Secrets, and words of persons seen so far, which are replaced in fields of the protocol too. */
class SensitiveWords {
  readonly #learned = new Set<string>();
  /** Names too short for `#learned`: personal in a text of several words, as `LI/AMR MR`. */
  readonly #shortNames = new Set<string>();
  readonly #secrets = new Set<string>();
  /** Birth dates, days of expiry and numbers of documents seen so far. */
  readonly #details: HiddenDetails[] = [];
  readonly #knownDetails = new Set<string>();
  /** Hides {@link #details}. Undefined after one was learned. */
  #hide: ((text: string) => string) | undefined;
  /** The same secrets as {@link foldName} compares names: capitals and digits alone. */
  readonly #foldedSecrets = new Set<string>();

  constructor(secrets: readonly string[]) {
    for (const secret of secrets) this.hide(secret);
  }

  hide(secret: string): void {
    if (secret.length >= LEAST_SECRET) this.#secrets.add(secret);
    const folded = foldName(secret);
    if (folded.length >= LEAST_FOLDED) this.#foldedSecrets.add(folded);
  }

  /** `key` and `parent` are those of {@link fieldKind}. */
  learn(value: unknown, key = '', parent = ''): void {
    if (typeof value === 'string' || typeof value === 'number') {
      const kind = fieldKind(key, parent);
      this.#learnDetail(kind, String(value));
      if (!PERSONAL_KINDS.has(kind)) return;
      for (const word of lowerWords(String(value))) {
        if (word.length >= LEAST_LEARNED && !PROTOCOL_WORDS.has(word)) this.#learned.add(word);
        if (kind === 'name' && SHORT_NAME.test(word)) this.#shortNames.add(word);
      }
    } else if (Array.isArray(value)) {
      for (const item of value) this.learn(item, key, parent);
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, item] of Object.entries(value)) this.learn(item, name, key);
    }
  }

  #learnDetail(kind: FieldKind, text: string): void {
    if (!DETAIL_KINDS.has(kind) || this.#knownDetails.has(text)) return;
    this.#knownDetails.add(text);
    this.#hide = undefined;
    if (this.#details.length >= MOST_DETAILS) this.#details.shift();
    this.#details.push(kind === 'document' ? { document: { number: text } } : { birthDate: text });
  }

  /** Whether a text has a birth date, a day of expiry or the number of a document in it. Times of the protocol are what they say. */
  repeats(text: string, key: string): boolean {
    this.#hide ??= hiding(this.#details);
    return this.#hide(text) !== text && !(TIME.test(text) && TIME_NAME.test(key));
  }

  hasLearned(text: string): boolean {
    if (this.#learned.size + this.#shortNames.size === 0) return false;
    const words = lowerWords(text);
    return words.some((word) => this.#learned.has(word) || (words.length > 1 && this.#shortNames.has(word)));
  }

  hasSecret(text: string): boolean {
    if ([...this.#secrets].some((secret) => text.includes(secret))) return true;
    const folded = this.#foldedSecrets.size === 0 ? '' : foldName(text);
    return [...this.#foldedSecrets].some((secret) => folded.includes(secret));
  }
}

function lowerWords(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Whether a text is an HTTP reason phrase or an OAuth error code (RFC 6749, 5.2). */
function isReason(text: string): boolean {
  return /^(?:invalid_\w{1,20}|unauthorized_client|unsupported_grant_type)$/.test(text) || REASON_PHRASES.has(text);
}
