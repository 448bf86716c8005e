/**
 * Travellers as given, checked by the airline's rules (docs/wire/notes.md, Travellers) and turned into what is sent.
 * All that is wrong is told at once; nothing is sent before all is right.
 */

import type { Segment } from '../../domain/booking/itinerary.ts';
import { airlineName, GIVEN_NAME, type NameBounds, SURNAME } from '../../domain/people/airline-name.ts';
import { foldName } from '../../domain/people/identity-text.ts';
import { type AgeType, arrivalDate, firstMisfit } from '../../domain/people/passenger-age.ts';
import { DOCUMENT_TYPES, type DocumentKind } from '../../domain/people/travel-documents.ts';
import type { Contact, PersonName, Phone, TravelDocument, Traveler } from '../../domain/people/traveler.ts';
import type { PassengerCounts } from '../../domain/pricing/fare-search.ts';
import { quoted } from '../../domain/time-and-text/clean-text.ts';
import { omitUndefined } from '../../domain/time-and-text/omit-undefined.ts';
import { addMonths } from '../../domain/time-and-text/times.ts';
import { ClerkError } from '../../errors.ts';

export interface DocumentInput {
  readonly type: DocumentKind;
  readonly number: string;
  readonly nationality: string;
  readonly expires: string;
}

export interface PhoneInput {
  readonly country_code: string;
  readonly number: string;
}

export interface PassengerInput {
  readonly type: AgeType;
  readonly given_name: string;
  readonly middle_name?: string | undefined;
  readonly surname: string;
  readonly suffix?: string | undefined;
  readonly title?: string | undefined;
  readonly gender: string;
  readonly birth_date: string;
  readonly document: DocumentInput;
  readonly with_adult?: number | undefined;
  readonly email?: string | undefined;
  readonly phone?: PhoneInput | undefined;
}

export interface ContactInput {
  readonly given_name: string;
  readonly surname: string;
  readonly email: string;
  readonly phone?: PhoneInput | undefined;
  readonly city?: string | undefined;
  readonly country?: string | undefined;
  readonly document?: DocumentInput | undefined;
}

/** What is wrong and what is worth knowing, gathered over all travellers. */
export class Findings {
  readonly #problems: { readonly field: string; readonly problem: string }[] = [];
  readonly warnings: string[] = [];

  problem(field: string, problem: string): void {
    this.#problems.push({ field, problem });
  }

  /** Throws E_INPUT with the first problems, where there are any. */
  assertNone(): void {
    const [first] = this.#problems;
    if (first === undefined) return;
    const told = this.#problems.slice(0, 6).map(({ field, problem }) => `${field}: ${problem}.`);
    const more = this.#problems.length - told.length;
    const rest = more > 0 ? ` And ${more} more.` : '';
    throw new ClerkError('E_INPUT', `${told.join(' ')}${rest} Nothing was sent.`, {
      next: `Call the tool again with a valid value for ${first.field}; ask the person where you do not know it.`,
    });
  }
}

/** A name as the airline takes it; a transliteration is a warning, so that it is seen. */
export function sentName(written: string, bounds: NameBounds, field: string, findings: Findings): string {
  const result = airlineName(written, bounds);
  if (!result.ok) {
    findings.problem(field, result.problem);
    return written;
  }
  if (result.changed) findings.warnings.push(`${field}: ${quoted(written, 40)} is sent as ${quoted(result.name, 40)}.`);
  return result.name;
}

export function sentDocument(document: DocumentInput): TravelDocument {
  return {
    number: document.number.toUpperCase(),
    docType: DOCUMENT_TYPES[document.type],
    nationality: document.nationality,
    expires: document.expires,
  };
}

const MIDDLE: NameBounds = GIVEN_NAME;
const SHORT: NameBounds = { min: 1, max: 10 };

/**
 * Travellers with pointers 1..n, on every segment. `today`: the latest calendar date anywhere. The contact's e-mail is
 * sent where a traveller has none: some services require one of each.
 */
export function travelersOf(
  passengers: readonly PassengerInput[],
  segments: readonly Segment[],
  findings: Findings,
  { today, emails }: { readonly today: string; readonly emails: readonly string[] },
): readonly Traveler[] {
  const attendants = attendantsOf(passengers, findings);
  const segmentRefs = segments.map((segment) => segment.ref);
  checkDocuments(passengers, segments, findings);
  return passengers.map((passenger, i) => {
    const field = `passengers[${i}]`;
    if (passenger.birth_date > today)
      findings.problem(`${field}.birth_date`, 'not born yet: expected a date not in the future');
    else checkAge(passenger, segments, field, findings);
    return omitUndefined({
      ref: String(i + 1),
      type: passenger.type,
      name: personName(passenger, field, findings),
      gender: passenger.gender,
      birthDate: passenger.birth_date,
      document: sentDocument(passenger.document),
      emails: passenger.email === undefined ? emails : [passenger.email],
      phones: phones(passenger.phone),
      addresses: [],
      segmentRefs,
      attendantRef: attendants.get(i),
      comments: [],
    });
  });
}

function personName(passenger: PassengerInput, field: string, findings: Findings): PersonName {
  const name = (text: string | undefined, bounds: NameBounds, part: string) =>
    text === undefined ? [] : [sentName(text, bounds, `${field}.${part}`, findings)];
  return {
    // Published requests have titles as prefixes (docs/wire/notes.md, Travellers).
    prefix: name(passenger.title?.toUpperCase(), SHORT, 'title'),
    given: name(passenger.given_name, GIVEN_NAME, 'given_name'),
    middle: name(passenger.middle_name, MIDDLE, 'middle_name'),
    surname: sentName(passenger.surname, SURNAME, `${field}.surname`, findings),
    suffix: name(passenger.suffix, SHORT, 'suffix'),
    title: [],
  };
}

function checkAge(passenger: PassengerInput, segments: readonly Segment[], field: string, findings: Findings): void {
  const misfit = firstMisfit(passenger.type, passenger.birth_date, segments);
  if (misfit === undefined) return;
  const years = misfit.age < 0 ? 'not born yet' : `${misfit.age} years old`;
  const near = misfit.age < 0 ? '' : `; nearest valid: type ${misfit.fits}`;
  const expected = 'expected ADT from 12, CHD 2 to 11, INF under 2 on every local departure date';
  findings.problem(
    `${field}.birth_date`,
    `${passenger.type} is ${years} on ${misfit.date} (segment ${misfit.segment.ref}); ${expected}${near}`,
  );
}

/** The adult of each infant by place in the list: the one named, else the nth infant's is the nth adult. */
function attendantsOf(passengers: readonly PassengerInput[], findings: Findings): Map<number, string> {
  const placesOf = (type: AgeType) => passengers.flatMap((passenger, i) => (passenger.type === type ? [i + 1] : []));
  const adults = placesOf('ADT');
  const attendants = new Map<number, string>();
  const taken = new Set<number>();
  for (const [nth, place] of placesOf('INF').entries()) {
    const field = `passengers[${place - 1}].with_adult`;
    const adult = passengers[place - 1]?.with_adult ?? adults[nth];
    if (adult === undefined || !adults.includes(adult)) {
      findings.problem(field, `expected the place of an adult in passengers: ${adults.join(', ') || 'there is none'}`);
    } else if (taken.has(adult)) {
      findings.problem(field, `expected another adult: adult ${adult} has a lap infant already`);
    } else {
      taken.add(adult);
      attendants.set(place - 1, String(adult));
    }
  }
  for (const [i, { type, with_adult }] of passengers.entries()) {
    if (with_adult !== undefined && type !== 'INF') {
      findings.problem(`passengers[${i}].with_adult`, 'expected only for an infant (INF)');
    }
  }
  return attendants;
}

function checkDocuments(passengers: readonly PassengerInput[], segments: readonly Segment[], findings: Findings): void {
  const home = lastArrival(segments);
  const owners = new Map<string, number>();
  for (const [i, { document }] of passengers.entries()) {
    const field = `passengers[${i}].document`;
    const number = foldName(document.number);
    const owner = owners.get(number);
    if (owner !== undefined)
      findings.problem(`${field}.number`, `expected another number than passengers[${owner}] has`);
    owners.set(number, owner ?? i);
    checkDocument(document, home, field, findings);
  }
}

/** One document: its number's form, and that it holds until after the last arrival. */
export function checkDocument(
  { number, expires }: Pick<DocumentInput, 'number' | 'expires'>,
  home: string,
  field: string,
  findings: Findings,
): void {
  checkNumber(number, field, findings);
  checkExpiry(expires, home, field, findings);
}

const DOCUMENT_NUMBER = /^[A-Za-z0-9]{3,30}$/;

/** Sent as given, so what is no part of it is not taken: no source allows separators. It is never repeated. */
function checkNumber(number: string, field: string, findings: Findings): void {
  if (DOCUMENT_NUMBER.test(number)) return;
  const parted = DOCUMENT_NUMBER.test(number.replace(/[^\p{L}\p{N}]/gu, ''));
  const near = parted ? '; nearest valid: the same without its separators' : '';
  findings.problem(`${field}.number`, `expected 3 to 30 letters and digits${near}`);
}

export function checkExpiry(expires: string, home: string, field: string, findings: Findings): void {
  if (expires <= home) {
    findings.problem(`${field}.expires`, `expected a document valid after the last arrival on ${home}`);
  } else if (expires < addMonths(home, 6)) {
    findings.warnings.push(
      `${field}: expires on ${expires}, less than 6 months after the last arrival; some countries refuse entry.`,
    );
  }
}

/** Local date of the last arrival. */
export function lastArrival(segments: readonly Segment[]): string {
  return segments.map(arrivalDate).sort().at(-1) ?? '';
}

function phones(phone: PhoneInput | undefined): readonly Phone[] {
  return phone === undefined ? [] : [{ countryCode: phone.country_code, number: phone.number }];
}

export function contactOf(contact: ContactInput, findings: Findings): Contact {
  const given = sentName(contact.given_name, GIVEN_NAME, 'contact.given_name', findings);
  const surname = sentName(contact.surname, SURNAME, 'contact.surname', findings);
  const address = omitUndefined({ city: contact.city, countryCode: contact.country });
  if (contact.document) checkNumber(contact.document.number, 'contact.document', findings);
  return omitUndefined({
    name: { prefix: [], given: [given], middle: [], surname, suffix: [], title: [] },
    document: contact.document && sentDocument(contact.document),
    emails: [contact.email],
    phones: phones(contact.phone),
    addresses: contact.city === undefined && contact.country === undefined ? [] : [address],
    comments: [],
  });
}

const NAMED = [
  ['adults', 'ADT'],
  ['children', 'CHD'],
  ['infants', 'INF'],
] as const;

/** The party must be the one that was priced. */
export function checkCounts(given: PassengerCounts, offered: PassengerCounts, field: string, findings: Findings): void {
  const wrong = NAMED.filter(([name]) => given[name] !== offered[name]);
  if (wrong.length === 0) return;
  const told = wrong.map(([name, type]) => `${offered[name]} ${type}, found ${given[name]}`);
  findings.problem(field, `expected the party of the offer: ${told.join('; ')}`);
}

export function countTypes(passengers: readonly { readonly type: string }[]): PassengerCounts {
  const count = (type: string) => passengers.filter((passenger) => passenger.type === type).length;
  return { adults: count('ADT'), children: count('CHD'), infants: count('INF') };
}
