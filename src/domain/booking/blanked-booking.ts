/**
 * What is shown of a reply of the airline. No text of it has a document or a birth date of its people, in the spellings that airlines
 * use: `1987-03-09`, `19870309`, `09MAR87`, `09MAR1987`, a number with spaces or dashes. First a text by itself, then all free text of a reply, at
 * the end a booking beside the reading that it is made from.
 */
import type { TravelDocument, Traveler } from '../people/traveler.ts';
import { type Booking, type Reading, segmentsOf } from './booking.ts';
import { paymentNumberEnd } from './payment-numbers.ts';
import { isIdentifyingService } from './special-services.ts';

/** The details of a person that no text may repeat. */
export type HiddenDetails = Pick<Traveler, 'birthDate'> & {
  readonly document?: Pick<TravelDocument, 'number' | 'expires'>;
  readonly otherDocuments?: readonly TravelDocument[] | undefined;
};

const BLANK = '•••';

const MONTHS = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ');
/** The time behind a date of a system: `T00:00:00Z`. */
const CLOCK = String.raw`(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?`;
/** Fewer digits alone are sums and hours of other texts. */
const FEWEST_DIGITS = 5;

/** Returns a function that blanks these details in a text, as whole words: never inside a longer word or an amount. */
export function hiding(people: readonly HiddenDetails[]): (text: string) => string {
  const forms = people.flatMap(({ birthDate, document, otherDocuments = [] }) => {
    const documents = [document, ...otherDocuments];
    const ofDocuments = documents.flatMap((one) => [...dateForms(one?.expires), ...numberForms(one?.number)]);
    return [...dateForms(birthDate), ...ofDocuments];
  });
  if (forms.length === 0) return (text) => text;

  const anyForm = [...new Set(forms)].join('|');
  const known = new RegExp(String.raw`(?<![\p{L}\p{N}]|\d[.,])(?:${anyForm})(?![\p{L}\p{N}]|[.,]\d)`, 'giu');
  return (text) => text.replace(known, BLANK);
}

/** Expressions that match a date. */
function dateForms(date = ''): readonly string[] {
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d{2})-(\d{2})/.exec(date) ?? [];
  const name = MONTHS[Number(month) - 1];
  if (name === undefined) return [];
  return [`${year}-?${month}-?${day}${CLOCK}`, `${day}${name}(?:${year.slice(0, 2)})?${year.slice(2)}`];
}

/** Expressions that match a number of a document, however it is divided. */
function numberForms(number = ''): readonly string[] {
  const characters = [...number.replace(/[^\p{L}\p{N}]/gu, '')];
  const digits = characters.filter((character) => /\p{N}/u.test(character)).length;
  const isNumber = digits === characters.length ? digits >= FEWEST_DIGITS : digits > 0 && characters.length > 2;
  return isNumber ? [characters.join(String.raw`[\s-]?`)] : [];
}

/**
 * The free text in what the adapter decodes, by the name of the field, with that of the one above it where the name has other meanings
 * too. Everything else is exact: codes, times, amounts, numbers of tickets, references.
 */
const PLACES: ReadonlySet<string> = new Set([
  // Names.
  'prefix',
  'given',
  'middle',
  'surname',
  'suffix',
  'title',
  // Addresses.
  'emails',
  'phones.countryCode',
  'phones.number',
  'city',
  'countryName',
  'comments.name',
  'comments.value',
  // Memberships.
  'memberships.program',
  'memberships.number',
  'memberships.level',
  // Fares and their rules.
  'fareName',
  'fareBasis',
  'fareBasis.code',
  'references.code',
  'fareRules.name',
  'fareRules.text',
  'texts.text',
  'lines.code',
  // What is sold beside the flights.
  'baggage',
  'remarks',
  'notes',
  'services.text',
  'serviceRemarks.text',
  'emds.type',
  'emds.text',
  // Seat maps.
  'zones.name',
  'amenities',
]);

/** The names above those that have one: most fields need no look for both names. */
const ABOVE: ReadonlySet<string> = new Set([...PLACES].flatMap((place) => place.split('.').slice(0, -1)));

const isPlace = (name: string, above: string): boolean =>
  PLACES.has(name) || (ABOVE.has(above) && PLACES.has(`${above}.${name}`));

/** Fields without free text, and what is never shown. */
const PASSED_BY: ReadonlySet<string> = new Set([
  'reading',
  'source',
  'tickets',
  'orders',
  'document',
  'otherDocuments',
  'links',
]);

/** Blanks these details in all free text of a reply. A part without any is the same object as before. */
export function withoutDetails<T extends object>(reply: T, people: readonly HiddenDetails[]): T {
  // Most searches know nobody's details, and have thousands of texts.
  if (people.every(({ birthDate, document }) => birthDate === undefined && document === undefined)) return reply;
  const hide = hiding(people);

  const walk = (value: unknown, name: string, above: string): unknown => {
    if (typeof value === 'string') return isPlace(name, above) ? hide(value) : value;
    if (typeof value !== 'object' || value === null || PASSED_BY.has(name)) return value;
    if (!Array.isArray(value)) return walkFields(value, name);
    const isText = isPlace(name, above) && value.every((item) => typeof item === 'string');
    const items = isText ? hideAll(value, hide) : value.map((item) => walk(item, name, above));
    return items.length === value.length && items.every((item, i) => item === value[i]) ? value : items;
  };

  const walkFields = (value: object, name: string): object => {
    let shown = value;
    for (const [field, item] of Object.entries(value)) {
      const shownItem = walk(item, field, name);
      if (shownItem !== item) shown = { ...shown, [field]: shownItem };
    }
    return shown;
  };

  return walkFields(reply, '') as T;
}

/** Blanks texts that follow one another: a name comes in several words, and so may a number between them. */
function hideAll(texts: readonly string[], hide: (text: string) => string): readonly string[] {
  const shown = texts.map(hide);
  const joined = shown.join(' ');
  return hide(joined) === joined ? shown : [hide(joined)];
}

/** Makes what is shown of a booking. Of documents only their kind and their country are. */
export function shownBooking(reading: Reading): Booking {
  const { source: _, ...fields } = reading;
  const { travelers, contact } = reading;
  const shown = withoutDetails(fields, contact === undefined ? travelers : [contact, ...travelers]);
  const hideRuns = hidingRuns(reading);

  const service = (each: Reading['services'][number]) => ({
    ...each,
    text: each.text && hideRuns(each.text, each.code),
  });

  return {
    ...shown,
    travelers: shown.travelers.map(withoutDocument),
    contact: shown.contact && withoutDocument(shown.contact),
    services: shown.services.map(service),
    serviceRemarks: shown.serviceRemarks?.map(service),
    remarks: shown.remarks?.map((remark) => hideRuns(remark)),
    emds: shown.emds.map((emd) => ({ ...emd, text: emd.text && hideRuns(emd.text) })),
    reading,
  };
}

function withoutDocument<P extends Pick<Traveler, 'birthDate' | 'document' | 'otherDocuments'>>(person: P) {
  const { birthDate: _, document, otherDocuments: _others, ...rest } = person;
  return document === undefined ? rest : { ...rest, document: kindOf(document) };
}

function kindOf({ docType, nationality }: TravelDocument): TravelDocument {
  return { ...(docType !== undefined && { docType }), ...(nationality !== undefined && { nationality }) };
}

const WORDS = /([\p{L}\p{N}][\p{L}\p{N}-]*)/u;
const ADDRESS = /[^@]@[^@]/u;
const RUN = /\+?\p{N}(?:[ -]?\p{N}){5,}/gu;

/**
 * Returns a function that blanks, in a remark, what may be somebody's: addresses, and runs of six digits or more that are no number of
 * the booking itself. The end of a payment number stays. In a service that identifies a person it blanks every word with two digits.
 */
function hidingRuns(reading: Reading): (text: string, code?: string) => string {
  // Most bookings, and each offer, have no such text.
  let isOwn: ReturnType<typeof ownNumbers> | undefined;
  return (text, code) => {
    if (isIdentifyingService(code)) return text.split(WORDS).map(withoutDigits).join('');

    const words = text.replace(/\S+/gu, (word) => (ADDRESS.test(word) ? BLANK : word)).split(WORDS);
    const shown: string[] = [];
    let others = '';
    isOwn ??= ownNumbers(reading);

    for (const word of words) {
      if (!isOwn(word)) {
        others += word;
        continue;
      }
      shown.push(others.replace(RUN, shownRun), word);
      others = '';
    }

    return [...shown, others.replace(RUN, shownRun)].join('');
  };
}

const shownRun = (run: string, at: number, text: string): string => paymentNumberEnd(run, at, text) ?? BLANK;

function withoutDigits(word: string): string {
  return /\p{N}.*\p{N}/u.test(word) ? BLANK : word;
}

/** Tells locators, tickets, EMDs and flights of the booking, and days of its trip. */
function ownNumbers({ locator, references, tickets, emds, options }: Reading): (word: string) => boolean {
  const segments = segmentsOf({ options });
  const flights = segments.flatMap(({ flightNumber, operating, marketing }) =>
    [operating, marketing].map((flight) => `${flight?.carrier ?? ''}${flight?.number ?? flightNumber}`),
  );
  const numbers = [...references.map(({ id }) => id), ...tickets.map(({ number }) => number), ...flights];
  const own = new Set([locator, ...numbers, ...emds.flatMap(({ number }) => number ?? [])].map(spelled));
  const years = new Set(segments.map(({ departs }) => departs.slice(0, 4)));
  return (word) => own.has(spelled(word)) || (/^\d{4}-\d\d-\d\d$/.test(word) && years.has(word.slice(0, 4)));
}

/** The same for `HAT045`, `hat-045` and `HAT45`. */
function spelled(number: string): string {
  return number
    .toUpperCase()
    .replaceAll('-', '')
    .replace(/^([A-Z]+)0+/, '$1');
}
