/**
 * Decides which personal fields of a booking are masked before a model sees them, and how much stays visible: birth date and
 * document of a traveller, e-mail and telephone of the contact, and numbers in special services, remarks and EMDs.
 */
import { cleanCode, cleanText, plainText } from '../../core/clean-text.ts';
import { memoizeByObject } from '../../core/memoize.ts';
import { nounWithRefs } from '../../core/words.ts';
import { type Booking, bookingReferences, segmentsOf } from '../../domain/booking/booking.ts';
import { isIdentifyingService, serviceName, serviceStatusWord } from '../../domain/booking/special-services.ts';
import { blanking, blankNumbers } from '../../domain/people/blank-entered-details.ts';
import { type Contact, documentKind, nameText, type Phone, type Traveler } from '../../domain/people/traveler.ts';
import { filled } from '../definition/field-notes.ts';
import type { BookingView, BookingViewOptions, PassengerView } from './booking-schema.ts';

/** What airlines leave around and inside numbers: white space, curly quotation marks, the left-to-right mark. */
const AROUND_NUMBERS = /[\s\u201C\u201D\u200E]/g;
/** In a word: what makes it an address. */
const INSIDE_ADDRESS = /[^@]@[^@]/u;
/** Five or more digits with usual separators and adjacent letters, or a run of five or more letters and digits. */
const NUMBER_OR_WORD = /\+?[\p{L}\p{N}]*\p{N}(?:[ ()./_-]{0,2}\p{N}){4,}[\p{L}\p{N}]*|[\p{L}\p{N}]{5,}/gu;

/** Numbers in remarks that are about no person: each with the part by which the booking knows it. */
const IMPERSONAL_NUMBERS = [
  { of: 'currencies', shape: /(?<![\p{L}\p{N}])([A-Z]{3}) ?\d{1,9}(?:[.,]\d{1,3}){0,3}(?![\p{L}\p{N}])/gu },
  { of: 'currencies', shape: /(?<![\p{L}\p{N}])\d{1,9}(?:[.,]\d{1,3}){0,3} ?([A-Z]{3})(?![\p{L}\p{N}])/gu },
  { of: 'carriers', shape: /(?<![\p{L}\p{N}])([A-Z][A-Z\d]|\d[A-Z]) ?\d{1,4}[A-Z]?(?![\p{L}\p{N}])/gu },
  {
    of: 'years',
    shape:
      /(?<![\p{L}\p{N}])\d{1,2}(?:JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)(\d{2}(?:\d{2})?)(?![\p{L}\p{N}])/gu,
  },
  { of: 'years', shape: /(?<![\p{L}\p{N}-])(\d{4})-\d{2}-\d{2}(?![\p{L}\p{N}-])/gu },
  { of: 'years', shape: /(?<![\p{L}\p{N}./])\d{1,2}[./]\d{1,2}[./](\d{4})(?![\p{L}\p{N}./])/gu },
  { of: 'locators', shape: /(?<![\p{L}\p{N}])([A-Z\d]{5,8})(?![\p{L}\p{N}])/gu },
] as const;
/** Amounts in these are recognised in every booking. */
const USUAL_CURRENCIES = ['USD', 'EUR', 'GBP'];

type KnownNumbers = Readonly<Record<(typeof IMPERSONAL_NUMBERS)[number]['of'], ReadonlySet<string>>>;

type Masking = Pick<BookingViewOptions, 'reveal' | 'entered'>;

/** `reveal_personal` shows everything whole, unless travellers entered it on the details page. */
function isShownWhole({ reveal, entered = false }: Masking): boolean {
  return reveal === 'all' && !entered;
}

export function viewPersonalDetails(traveler: Traveler, masking: Masking) {
  return {
    gender: traveler.gender === undefined ? undefined : cleanCode(traveler.gender),
    birth_date: masking.entered ? undefined : traveler.birthDate,
    document: viewDocument(traveler, masking),
  };
}

function viewDocument({ document }: Traveler, masking: Masking): PassengerView['document'] {
  if (document === undefined) return undefined;
  const number = visibleText(cleanCode(document.number ?? '', 40));
  return {
    type: cleanCode(documentKind(document.docType)),
    ...(isShownWhole(masking) ? { number } : { number_masked: number && maskNumber(number) }),
    nationality: visibleText(cleanCode(document.nationality ?? '', 12)),
    expires: masking.entered ? undefined : document.expires,
  };
}

/** `SV gold •••••567`. */
export function viewMemberships({ memberships = [] }: Traveler, masking: Masking): string[] | undefined {
  const texts = memberships.map(({ program = '', level = '', number = '' }) => {
    const shown = cleanCode(number, 40);
    const parts = [
      cleanCode(program, 12),
      cleanText(level, 20),
      shown === '' || isShownWhole(masking) ? shown : maskNumber(shown),
    ];
    return parts.filter((part) => part !== '').join(' ');
  });
  return filled(texts.filter((each) => each !== ''));
}

/** E-mail and telephone are whole with `reveal_contact` and with `reveal_personal`. */
export function viewContact(contact: Contact | undefined, { reveal }: Masking): BookingView['contact'] {
  if (contact === undefined) return undefined;
  const email = visibleText(emailText(contact.emails[0] ?? ''));
  const phone = visibleText(contact.phones[0] === undefined ? '' : phoneText(contact.phones[0]));
  const name = nameText(contact);
  if (reveal !== undefined) return { name, email, phone };
  return { name, email_masked: email && maskEmail(email), phone_masked: phone && maskNumber(phone) };
}

/** Treats text without visible characters as absent. */
function visibleText(text: string): string | undefined {
  return text === '' ? undefined : text;
}

function phoneText(phone: Phone): string {
  const code = cleanCode(phone.countryCode ?? '', 6).replace(/^\+/, '');
  return `${code === '' ? '' : `+${code} `}${cleanCode(phone.number ?? '', 20)}`.trim();
}

/** Without `detail: full`, leaves out services that hold documents or contact details, and masks numbers in the others. */
export function viewServices(booking: Booking, options: BookingViewOptions): BookingView['special_services'] {
  const isFull = options.detail === 'full';
  const isWhole = isShownWhole(options);
  const blank = blankingEntered(booking, options);
  const wordsText = (text: string) =>
    isFull || isWhole ? blank(text) : maskRemark(blank(cleanText(text, 400)), booking);
  const all = [...booking.services, ...(booking.serviceRemarks ?? [])];
  const services = all.filter(({ code }) => isFull || !isIdentifyingService(code));
  return services.length > 0 ? services.map((service) => serviceText(service, isWhole, wordsText)) : undefined;
}

/** `2 × XBAG extra baggage, confirmed: By the door (passenger 1; segment 2)`. The number of one is not shown. */
function serviceText(
  service: Booking['services'][number],
  isWhole: boolean,
  wordsText: (text: string) => string,
): string {
  const { code, quantity = 1, travelerRefs, segmentRefs } = service;
  const about = [
    travelerRefs.length > 0 && nounWithRefs('passenger', travelerRefs),
    segmentRefs.length > 0 && nounWithRefs('segment', segmentRefs),
  ].filter(Boolean);
  const name = [quantity === 1 ? '' : `${quantity} ×`, code, serviceName(code)].filter(Boolean).join(' ');
  const heading = [name, serviceStatusWord(service.status)].filter(Boolean).join(', ');
  const words = service.text && wordsText(service.text);
  const isMasked = words && !isWhole && isIdentifyingService(code);
  const line = [heading, isMasked ? maskIdentity(plainText(words, 120)) : words].filter(Boolean).join(': ');
  return plainText([line, about.length > 0 && `(${about.join('; ')})`].filter(Boolean).join(' '), 200);
}

export function viewRemarks(booking: Booking, options: BookingViewOptions): BookingView['special_remarks'] {
  const blank = blankingEntered(booking, options);
  return booking.remarks?.map((remark) => {
    const words = blank(remark);
    // Masks before cutting: a part of a number would not be recognised.
    return plainText(isShownWhole(options) ? words : maskRemark(cleanText(words, 400), booking), 160);
  });
}

/** Documents for services: their texts repeat nothing that travellers entered. */
export function viewEmds(booking: Booking, options: BookingViewOptions): BookingView['emds'] {
  const blank = blankingEntered(booking, options);
  const texts = booking.emds.map(({ number, type, text }) =>
    plainText([number, type, text && blank(text)].filter(Boolean).join(' '), 120),
  );
  return texts.length > 0 ? texts : undefined;
}

/** Blanks, in texts of the airline, what travellers entered on the details page. */
function blankingEntered({ travelers }: Booking, { entered }: Masking): (text: string) => string {
  if (!entered) return (text) => text;
  const blank = blanking(travelers);
  return (text) => blankNumbers(text, blank);
}

/** Replaces all but the last three characters: `•••••678`. Also for phone numbers. */
export function maskNumber(number: string): string {
  const text = number.replace(AROUND_NUMBERS, '');
  return text.length <= 3 ? '•••' : `${'•'.repeat(Math.min(text.length - 3, 8))}${text.slice(-3)}`;
}

/** An address with only valid characters; other text becomes plain text. */
export function emailText(email: string): string {
  const address = cleanText(email.replace(/[^\p{L}\p{N}.!&'+_@-]/gu, ''), 120);
  return address.lastIndexOf('@') > 0 ? address : plainText(email);
}

/** `a***@example.com`. */
export function maskEmail(email: string): string {
  const address = emailText(email);
  const at = address.lastIndexOf('@');
  return at < 1 ? '***' : `${[...address][0] ?? ''}***${address.slice(at)}`;
}

/** A document in a special service, `PP 000111222`: keeps the kind (docs/wire/notes.md, Special services). */
function maskIdentity(text: string): string {
  const [beginning = '', kind = ''] = /^\s*([A-Za-z]{2})[\s/-]+/.exec(text) ?? [];
  const number = text.slice(beginning.length);
  return `${kind === '' ? '' : `${kind} `}${maskNumber(number)}`;
}

/**
 * The impersonal numbers that a remark about a booking may hold. A day is one of its trip, so that no birth date is. Remembered,
 * because a booking has many remarks and services.
 */
const knownNumbers = /* @__PURE__ */ memoizeByObject((booking: Booking): KnownNumbers => {
  const segments = segmentsOf(booking);
  const currencies = [...booking.orders.map(({ amount }) => amount?.currency), booking.pricing?.total?.total.currency];
  const carriers = segments.flatMap(({ operating, marketing }) => [operating?.carrier, marketing?.carrier]);
  const years = segments
    .map(({ departs }) => Number(departs.slice(0, 4)))
    .flatMap((year) => [year - 1, year, year + 1]);
  return {
    currencies: new Set([...USUAL_CURRENCIES, ...currencies.flatMap((code) => code ?? [])]),
    carriers: new Set(carriers.flatMap((code) => code ?? [])),
    years: new Set(years.flatMap((year) => [String(year), String(year).slice(2)])),
    locators: new Set([booking.locator, ...bookingReferences(booking).map(({ id }) => id)]),
  };
});

/** Masks documents, telephones and addresses in free text. Amounts, days of the trip, its flights and locators stay. */
function maskRemark(text: string, booking: Booking): string {
  const known = knownNumbers(booking);
  const words = text.replace(/\S+/gu, (word) => (INSIDE_ADDRESS.test(word) ? '•••' : word));
  const kept = IMPERSONAL_NUMBERS.flatMap(({ of, shape }) =>
    [...words.matchAll(shape)].filter(([, part = '']) => known[of].has(part)),
  ).toSorted((a, b) => a.index - b.index);
  const parts: string[] = [];
  let at = 0;
  for (const { 0: found, index } of kept) {
    if (index < at) continue;
    parts.push(maskNumbers(words.slice(at, index)), found);
    at = index + found.length;
  }
  return [...parts, maskNumbers(words.slice(at))].join('');
}

function maskNumbers(text: string): string {
  return text.replace(NUMBER_OR_WORD, (found) =>
    /\p{N}/u.test(found) ? maskNumber(found.replace(/[^\p{L}\p{N}]/gu, '')) : found,
  );
}
