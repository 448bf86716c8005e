/**
 * Texts that identify people and their details, to be digested. They are equal for the same person, whatever pointer
 * the airline uses and however it changes the spelling (docs/wire/interface.md, Changes, type 3). The journal and the
 * watched bookings store their digests: if a text changes, operations in doubt and later readings no longer match them.
 */
import { normalized } from '../../core/clean-text.ts';
import { namedCountry, twoLetterCountry } from './countries.ts';
import { type Contact, emailKey, type PersonName, type Traveler } from './traveler.ts';

/** A keyed one-way digest, which the journal keeps instead of personal data. */
export type Digest = (text: string) => string;

/** What a change can affect. */
export type TravelerDetail = 'name' | 'title' | 'gender' | 'birth_date' | 'document' | 'email' | 'phone';

export type ContactDetail = 'name' | 'email' | 'phone' | 'address';

/** Letters and digits only, upper case, without diacritics: `Anne-Märit` → `ANNEMARIT`. */
export function foldName(text: string): string {
  return normalized(text, 'NFKD')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

/** Signs that airlines put in place of personal data. */
const MASK = /[*\u2022\u25CF#]|x{3,}/i;

export function isMasked(text: string): boolean {
  return MASK.test(text);
}

/** One of these is the same for a country in two letters, in three, and by its name. */
export function countryForms(country: string): readonly string[] {
  const code = country.trim().toUpperCase();
  return [...new Set([namedCountry(country) ?? code, twoLetterCountry(code) ?? code])];
}

function foldAll(parts: readonly string[]): string {
  return foldName(parts.join(''));
}

/** `ANNEMARIT/SMITH`: given and middle names, surname. */
function nameIdentity(name: PersonName): string {
  return `${foldAll([...name.given, ...name.middle])}/${foldName(name.surname)}`;
}

/**
 * Given and middle name, surname, type, birth date. A group's passengers without names share one identity per type, so
 * they must be counted.
 */
export function identityText(traveler: Traveler): string {
  if (traveler.name === undefined) return `unnamed|${traveler.type}`;
  return ['person', nameIdentity(traveler.name), traveler.type, traveler.birthDate ?? ''].join('|');
}

/** One detail in canonical form; empty if the airline does not show it. */
export function detailText(person: Contact, detail: TravelerDetail): string {
  switch (detail) {
    case 'name':
      return person.name === undefined ? '' : nameIdentity(person.name);
    case 'title':
      return foldAll([...(person.name?.title ?? []), ...(person.name?.prefix ?? [])]);
    case 'gender':
      return foldName(person.gender ?? '');
    case 'birth_date':
      return person.birthDate ?? '';
    case 'document':
      return documentText(person);
    case 'email':
      return inAnyOrder(person.emails.map(emailKey));
    case 'phone':
      return phonesText(person);
  }
}

function documentText({ document = {} }: Contact): string {
  const { number = '', docType = '', nationality = '', expires = '' } = document;
  return [foldName(number), docType, foldName(nationality), expires].join('/');
}

export function contactText(contact: Contact, detail: ContactDetail): string {
  if (detail !== 'address') return detailText(contact, detail);
  return contact.addresses.map(({ city = '', countryCode = '' }) => `${foldName(city)}/${countryCode}`).join();
}

/** Digits only: an airline may write `+966`, `00966` or `966`. */
function phonesText({ phones }: Contact): string {
  return inAnyOrder(
    phones.map(({ countryCode = '', number = '' }) => `${countryCode}${number}`.replace(/\D/g, '').replace(/^0+/, '')),
  );
}

/** Each once, sorted: these lists have no defined order (docs/wire/interface.md, Traveller). */
function inAnyOrder(texts: readonly string[]): string {
  return [...new Set(texts)]
    .filter((text) => text !== '')
    .sort()
    .join();
}

/** Whether a canonical text is without content: it has only the `/` between parts and the `,` between items. */
export function isBlank(text: string): boolean {
  return /^[/,]*$/.test(text);
}

/** Several details in canonical form: `name=ANNEMARIT/SMITH|birth_date=1991-04-17`. */
export function detailsText(traveler: Traveler, details: readonly TravelerDetail[]): string {
  return details.map((detail) => `${detail}=${detailText(traveler, detail)}`).join('|');
}
