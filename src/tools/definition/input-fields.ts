/**
 * Fields of tool inputs. Checks run here, not in JSON Schema: schemas stay short, and errors name the nearest valid value.
 * In the note of a field, `{}` quotes its `.describe()`, which models read (field-notes.ts).
 */
import * as z from 'zod';
import { cleanText, normalized, plainText } from '../../core/clean-text.ts';
import { type TypedAmount, typedAmount } from '../../core/money.ts';
import { MOST_CHARACTERS } from '../../core/text-limits.ts';
import { datesOfEitherOrder, isRealDate, writtenDate } from '../../core/times.ts';
import { MOST_TRAVELERS, type PassengerCounts } from '../../domain/booking/offers.ts';
import { PAYMENT_TYPES } from '../../domain/booking/status-codes.ts';
import { namedCountry } from '../../domain/people/countries.ts';
import { bareAddress, DOCUMENT_TYPES, type DocumentKind, GENDERS } from '../../domain/people/traveler.ts';
import { MOST_REASON } from '../../ledger/reason.ts';
import { limited, noted } from './field-notes.ts';

/** Stand in examples for a booking reference and for an offer of search_fares; the reader of the help puts in a real one. */
export const LOCATOR = 'K7PL2M';
export const OFFER = 'OFFER_ID';

/** Arguments that the examples of several tools share; `fareclerk call TOOL --help` shows them. */
export const EXAMPLE_BOOKING = { locator: LOCATOR };
export const EXAMPLE_ROUTE = { from: 'QCA', to: 'XMD' };

/** What airlines' systems take in a free text. */
const SERVICE_TEXT = /^[A-Za-z0-9 .,:;/()'+-]{1,70}$/;

/** One to 60 characters of names, and at most six digits among them. */
const HOLDER_NAME =
  /^(?=.{1,60}$)(?:[\p{Lu}\p{Ll}\p{Lt}\p{Lo}\p{M} '.-]*\p{Nd}){0,6}[\p{Lu}\p{Ll}\p{Lt}\p{Lo}\p{M} '.-]*$/u;

/** The value of `details` in the first call; the second call gives the details id in its place. */
export const DETAILS_PAGE = 'page';

/** How long an e-mail address may be. */
const EMAIL_CHARS = 120;

// Checks that many fields share.

/** Makes a check from a function that returns a message, or undefined for a valid value. */
function checkThat<T>(problem: (value: T) => string | undefined) {
  return z.check<T>((context) => {
    const message = problem(context.value);
    if (message !== undefined) context.issues.push({ code: 'custom', message, input: context.value });
  });
}

function trim(value: string): string {
  return value.trim();
}

function toUpper(value: string): string {
  return value.trim().toUpperCase();
}

interface MatchOptions {
  /** Cleans the text before the match. Default: trims it. */
  readonly clean?: (value: string) => string;
  /** A valid value, for the error. */
  readonly example?: string;
}

/** Cleans a string, then requires a match. The error names the `limit`. */
function matching(pattern: RegExp, limit: string, { clean = trim, example }: MatchOptions = {}) {
  const error = `expected ${limit}${example === undefined ? '' : `, such as ${example}`}`;
  const string = z
    .string()
    .overwrite(clean)
    .check(checkThat((value) => (pattern.test(value) ? undefined : error)));
  return limited(limit, string, example);
}

export function text(max = 60, options: MatchOptions = {}) {
  return matching(new RegExp(`^.{1,${max}}$`, 's'), `1 to ${max} characters`, options);
}

export function integer(min: number, max: number) {
  const limit = `${min} to ${max}`;
  const number = z.int().check(
    checkThat((value) => {
      if (value >= min && value <= max) return undefined;
      return `expected ${limit}; nearest valid: ${value < min ? min : max}`;
    }),
  );
  return limited(limit, number);
}

export function listOf<T extends z.ZodType>(item: T, min: number, max: number) {
  const limit = `${min} to ${max} items`;
  const list = z
    .array(item)
    .check(
      checkThat(({ length }) => (length >= min && length <= max ? undefined : `expected ${limit}, found ${length}`)),
    );
  return limited(limit, list);
}

/**
 * Accepts a real date, YYYY-MM-DD. Errors of a text with digits choose no day, because it would be taken without asking: they name both
 * days of a text that can mean two. Errors of other texts name `example`.
 */
export function date(example?: string) {
  const limit = 'a date as YYYY-MM-DD';
  const day = z
    .string()
    .overwrite((value) => writtenDate(value) ?? value.trim())
    .check((context) => {
      if (isRealDate(context.value)) return;
      const such = example === undefined ? '' : `, such as ${example}`;
      const message = `expected ${limit}${whichDay(context.value) ?? such}`;
      context.issues.push({ code: 'custom', message, input: context.value });
    });
  return limited(limit, day, example);
}

/** What to ask the person about a text that is no date as the limit says. Undefined for a text without digits. */
function whichDay(text: string): string | undefined {
  if (!/\d/.test(text)) return undefined;
  const [dayFirst, monthFirst] = datesOfEitherOrder(text);
  return monthFirst === undefined
    ? '; ask the person which day is meant'
    : `; ask the person whether ${dayFirst} or ${monthFirst} is meant`;
}

/** As {@link date}, with its form in the list of tools: the first date of an input has it. */
export function listedDate(example?: string) {
  return date(example).describe('YYYY-MM-DD');
}

// Bookings, and what is searched for.

/** Accepts a booking reference: the reservation system's, or the operator's longer one. */
export function locator() {
  const limit = 'a booking reference: 4 to 24 letters and digits';
  const reference = matching(/^[A-Z0-9][A-Z0-9-]{3,23}$/, limit, { clean: toUpper });
  return noted('The booking reference, as a tool returned it.', reference);
}

/** Accepts an IATA code, or the name of a city or station, which steps/resolve-stations.ts resolves. */
export function station() {
  return matching(/^.{1,60}$/s, 'an IATA code such as JED, or the name of a city or station; see list_routes');
}

/** Accepts a span of local times, `18:00-23:30`; one side may be open: `18:00-`. */
export function clockSpan() {
  const padHours = (value: string) => value.replace(/\s/g, '').replace(/(?<!\d)(\d):/g, '0$1:');
  const clock = '(?:[01]\\d|2[0-3]):[0-5]\\d';
  const span = new RegExp(`^(?:${clock}-(?:${clock})?|-${clock})$`);
  return matching(span, 'local times such as 18:00-23:30, 18:00- or -12:00', { clean: padHours });
}

/**
 * Accepts the handle of a segment or passenger: its ref as read_booking shows it, or a name that no other has
 * (clerk/parse-arguments.ts).
 */
function ref() {
  return text(70);
}

export function segmentRef() {
  return noted('The flight or train, by the ref that `read_booking` shows.', ref());
}

export function passengerRef() {
  return noted('The passenger, by the ref that `read_booking` shows.', ref());
}

export function refs() {
  return listOf(ref(), 1, 40);
}

/** Makes the fields that name a part of a booking. Without them, the whole booking is meant. */
export function partFields() {
  return {
    segment_refs: noted(
      'Only these flights or trains, by the refs that `read_booking` shows.',
      refs().optional(),
      'all of them',
    ),
    passenger_refs: noted(
      'Only these passengers, by the refs that `read_booking` shows.',
      refs().optional(),
      'all of them',
    ),
  };
}

export function seat() {
  const limit = 'a seat such as 52, or 4-52 with its coach';
  const place = matching(/^(?:[A-Z0-9]{1,6}-)?[A-Z0-9]{1,6}$/, limit, { clean: toUpper });
  return noted('A free seat of `get_seat_map`, as {}.', place.describe('coach-seat: 4-52'));
}

export function bookingClasses() {
  const letters = listOf(matching(/^[A-Z]$/, 'one letter', { clean: toUpper, example: 'Y or C' }), 1, 12);
  return noted('Only these booking classes, as in `search_fares`.', letters, 'every class');
}

export function detail() {
  const note = '`full` adds what a person rarely needs: price lines, every rule, every seat.';
  return noted(note, z.enum(['concise', 'full']), '`concise`');
}

export function approvalId() {
  const note = 'Only to continue: the `approval.id` of an earlier answer to the same call. Never make one up.';
  return noted(note, text(80).optional(), 'a new question');
}

/** Accepts that a person knows what was done here, asked the airline, and wants it all the same. */
export function althoughDone() {
  const note =
    'Does it although the same was done here and the airline does not show that yet. Only a person can want it.';
  return noted(note, z.boolean().optional(), '`false`');
}

/**
 * Accepts why a customer cancels, in their words: one line of plain text, which a longer one is not cut to. Whoever decides
 * reads it.
 */
export function reason() {
  const clean = (value: string) => plainText(value, MOST_CHARACTERS.argument);
  const words = text(MOST_REASON, { clean });
  const note = "{}: the person who decides reads it and the booking's history keeps it, but the airline never gets it.";
  return noted(note, words.optional().describe("the customer's"));
}

/** Characters of the desk's own key of a customer. */
export const MOST_KEY = 64;

/**
 * Accepts the desk's own key of a customer. rules/customer-key.ts refuses what names a person.
 * @param description what models read; the list of tools needs it once
 */
export function customer(description?: string) {
  const clean = (value: string) => normalized(value, 'NFC').trim();
  const key = text(MOST_KEY, { clean }).check(
    checkThat((value) => (cleanText(value, MOST_KEY) === value ? undefined : 'expected visible characters only')),
  );
  const field = description === undefined ? key.optional() : key.optional().describe(description);
  const what = description === undefined ? "The desk's own key" : '{}';
  return noted(`${what} of the customer, such as \`CRM-88213\`. The airline never gets it.`, field);
}

// Travellers and contacts.

export type CountsInput = z.output<ReturnType<typeof counts>>;

/**
 * Accepts how many passengers travel, by type. assertParty checks them together: a party without adults gets one error, which
 * says why.
 */
export function counts(fallback?: string) {
  const limit = '0 or more';
  // Not an `integer`: the most is that of the whole party, which assertParty checks.
  const count = () =>
    limited(limit, z.int().check(checkThat((value) => (value < 0 ? `expected ${limit}` : undefined)))).optional();

  const fields = {
    adults: noted('Passengers who count as adults on the day of travel.', count()),
    children: noted('Children with a seat of their own. A child travels with an adult.', count(), '0'),
    infants: noted("Infants on an adult's lap.", count(), '0'),
  };
  const party = z.strictObject(fields).meta({ required: ['adults'], description: `1 to ${MOST_TRAVELERS} in all` });
  return noted('How many travel, by type: {}, and no more lap infants than adults.', party, fallback);
}

export function countsOf({ adults = 0, children = 0, infants = 0 }: CountsInput): PassengerCounts {
  return { adults, children, infants };
}

export type PassengerInput = z.output<ReturnType<typeof passenger>>;

export function passenger() {
  const type = z.enum(['ADT', 'CHD', 'INF']).describe('CHD 2 to 11, INF under 2, on every travel day');
  const adult = integer(1, MOST_TRAVELERS).optional().describe("infant: its adult's place in this list, from 1");

  return z.strictObject({
    type: noted('`ADT` adult, `CHD` child with a seat, `INF` infant on a lap: {}.', type),
    given_name: givenName(),
    middle_name: middleName(),
    surname: surname(),
    suffix: noted('Such as `JR`.', text(20).optional()),
    title: title(),
    gender: gender(),
    birth_date: birthDate(),
    document: document(),
    with_adult: noted('{}.', adult, 'the next adult without one'),
    email: email().optional(),
    phone: phone().optional(),
    services: noted(
      'Special services that cost nothing, on every segment: wheelchair, meal, assistance. Airline dialect only.',
      listOf(service(), 1, 6).optional(),
    ),
  });
}

export type KnownPassenger = z.output<ReturnType<typeof knownPassenger>>;

/** Accepts a passenger as far as the assistant knows them: travellers enter what is missing on the details page. */
export function knownPassenger() {
  const optionalFields = { given_name: true, surname: true, gender: true, birth_date: true, document: true } as const;
  return passenger().partial(optionalFields);
}

export function detailFields() {
  return { gender: gender().optional(), birth_date: birthDate().optional(), document: document().optional() };
}

const DETAILS = '"page": travellers enter names and documents on a page that no model sees; then the id of the answer';

/** @param listed what the list of tools says of it, if it need not say all */
export function details(listed = DETAILS) {
  return noted(`${DETAILS}.`, text(80).optional().describe(listed), 'the arguments name the travellers');
}

export function givenName() {
  return noted('First name, as in the travel document.', text());
}

export function middleName() {
  return noted('Further first names, as in the travel document.', text().optional());
}

export function surname() {
  return noted('Family name, as in the travel document.', text());
}

export function title() {
  return noted('Such as `MR` or `MRS`.', text(20).optional());
}

function gender() {
  return noted('As in the travel document.', z.enum(GENDERS));
}

function birthDate() {
  return noted('Day of birth. The age on the day of travel must fit `type`.', listedDate('1990-12-31'));
}

export type DocumentInput = z.output<ReturnType<typeof document>>;

function document() {
  const fields = {
    type: noted('Kind of document.', z.enum(Object.keys(DOCUMENT_TYPES) as [DocumentKind, ...DocumentKind[]])),
    number: noted('Number of the document.', text(30)),
    nationality: noted('Country of citizenship.', country()),
    expires: noted('Last day on which the document is valid.', date()),
  };
  return noted('Travel document. Shown masked in results.', z.strictObject(fields));
}

/** Accepts a country by its ISO 3166 code of two letters, as requests use it, by that of three, or by its English name. */
function country() {
  const clean = (value: string) => {
    const code = toUpper(value);
    return code.length === 2 ? code : (namedCountry(value) ?? code);
  };
  return matching(/^[A-Z]{2}$/, 'an ISO country code of two letters', { clean, example: 'SA' }).describe('SA');
}

export type ServiceInput = z.output<ReturnType<typeof service>>;

export function service() {
  const code = text(80, { clean: toUpper }).describe('SSR code: WCHC wheelchair to the seat');
  const freeText = matching(SERVICE_TEXT, "1 to 70 of A-Z, a-z, 0-9, spaces and .,:;/()'+-");
  return z.strictObject({
    code: noted('{}. For words, the error names codes.', code),
    text: noted('For the airline. No document number, birth date or card.', freeText.optional()),
  });
}

export type ContactInput = z.output<ReturnType<typeof contact>>;

export function contact() {
  const fields = {
    given_name: givenName(),
    surname: surname(),
    email: email(),
    phone: phone().optional(),
    ...addressFields(),
    document: document().optional(),
  };
  return noted('To whom the airline writes: tickets, changes, cancellations.', z.strictObject(fields));
}

/** Makes the fields of the contact's address. */
export function addressFields() {
  return {
    city: noted('City of the contact.', text().optional()),
    country: noted('Country of the contact.', country().optional()),
  };
}

export function email() {
  // Not a `matching`: more than a pattern is checked.
  const isEmail = (value: string) =>
    /^[^\s@<>",;]{1,64}@[^\s@<>",;]+\.[^\s@<>",;.]{2,}$/.test(value) &&
    value.length <= EMAIL_CHARS &&
    cleanText(value) === value;

  const limit = 'an e-mail address';
  const address = z
    .string()
    .overwrite(bareAddress)
    .check(checkThat((value) => (isEmail(value) ? undefined : `expected ${limit}`)));
  return noted('E-mail address. Shown masked in results.', limited(limit, address));
}

/** A telephone without separators: its country calling code, and its number without that. */
export const COUNTRY_CODE = /^\d{1,4}$/;
export const PHONE_NUMBER = /^(?!00)\d{4,15}$/;

export type PhoneInput = z.output<ReturnType<typeof phone>>;

/** Accepts a telephone. Refuses a code within the number, and a `(0)`, which most countries dial only within and some always. */
export function phone() {
  const digits = (value: string) => value.replaceAll('(0)', '?').replace(/[\s().-]/g, '');
  const cleanCode = (value: string) => digits(value).replace(/^(?:\+|00)/, '');
  const code = matching(COUNTRY_CODE, 'a country calling code', { clean: cleanCode, example: '966' });
  const number = matching(PHONE_NUMBER, '4 to 15 digits without the country code', { clean: digits });

  const fields = {
    country_code: noted('Country calling code. A leading + is ignored.', code.describe('966')),
    number: noted('Number without the country code. Spaces and hyphens are ignored.', number),
  };
  return noted('Telephone number.', z.strictObject(fields));
}

// Money.

const AN_AMOUNT = '172.50';

/**
 * Accepts an amount as text, `172.50` or `SAR 172.50`; the example tells models and programs to write it so. Gives the amount with
 * its currency if it has one; `moneyIn` of core/money.ts makes money of it.
 */
export function amount() {
  const limit = `an amount such as "${AN_AMOUNT}"`;
  const sum = z
    .string()
    .meta({ examples: [AN_AMOUNT] })
    .transform((value, context): TypedAmount => {
      const typed = typedAmount(value);
      if (typed !== undefined) return typed;
      context.issues.push({ code: 'custom', message: `expected ${limit}`, input: value });
      return z.NEVER;
    });
  return limited(limit, sum);
}

export type PaymentInput = z.output<ReturnType<typeof payment>>;

export function payment() {
  const type = z
    .enum(PAYMENT_TYPES, { error: WAYS_TO_PAY })
    .describe(
      'who is charged: external: collected by the agency, e.g. bank transfer; credit_card: card arranged with the airline; debit_credit_account: agency account at the airline; invoice: billed to the agency',
    );

  const fields = {
    type: noted('{}. A card number is refused unread.', type),
    holder_name: noted('Who pays, for the question and the receipt.', holderName().optional()),
  };
  return noted('How it is paid.', z.strictObject(fields));
}

/** The error of how the person pays. It never proposes another way: only the person may choose one. */
export const WAYS_TO_PAY = `expected one of ${PAYMENT_TYPES.join(', ')}; no way to pay stands in for another: ask the person`;

/**
 * Accepts the name of who pays: only characters of names, because the terms quote it; few digits, so that no mistyped card
 * number passes.
 */
function holderName() {
  const limit = '1 to 60 letters, spaces, hyphens, apostrophes and full stops, with at most 6 digits';
  return matching(HOLDER_NAME, limit);
}
