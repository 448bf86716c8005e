/**
 * Who a traveller is, as text to be digested: equal for the same person whatever pointer the airline gives them, and
 * whatever it does to the spelling (case, diacritics, a middle name merged into the given name: docs/wire/interface.md,
 * Changes, type 3).
 */
import type { Contact, PersonName, Traveler } from './traveler.ts';

/** A keyed one-way digest of a text: what the journal keeps in place of personal data. */
export type Digest = (text: string) => string;

/** What of a traveller a change may touch. */
export type TravelerDetail = 'name' | 'title' | 'gender' | 'birth_date' | 'document' | 'email' | 'phone';

/** What of the contact a change may touch. */
export type ContactDetail = 'name' | 'email' | 'phone' | 'address';

/** Letters and digits alone, upper case, without diacritics: `Anne-Märit` → `ANNEMARIT`. */
export function foldName(text: string): string {
  return text
    .normalize('NFKD')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

function foldAll(parts: readonly string[]): string {
  return foldName(parts.join(''));
}

function nameText(name: PersonName): string {
  return `${foldAll([...name.given, ...name.middle])}/${foldName(name.surname)}`;
}

/**
 * A traveller's identity: given with middle name, surname, type, birth date. A group's passengers who have no name yet
 * cannot be told apart but by type, so those of one type share one identity and are counted.
 */
export function identityText(traveler: Traveler): string {
  if (traveler.name === undefined) return `unnamed|${traveler.type}`;
  return ['person', nameText(traveler.name), traveler.type, traveler.birthDate ?? ''].join('|');
}

/** One detail of a traveller, canonical; the empty string where the airline says nothing of it. */
export function detailText(traveler: Traveler, detail: TravelerDetail): string {
  switch (detail) {
    case 'name':
      return traveler.name === undefined ? '' : nameText(traveler.name);
    case 'title':
      return foldAll([...(traveler.name?.title ?? []), ...(traveler.name?.prefix ?? [])]);
    case 'gender':
      return foldName(traveler.gender ?? '');
    case 'birth_date':
      return traveler.birthDate ?? '';
    case 'document': {
      const { number = '', docType = '', nationality = '', expires = '' } = traveler.document ?? {};
      return [foldName(number), docType, foldName(nationality), expires].join('/');
    }
    case 'email':
      return emailsText(traveler);
    case 'phone':
      return phonesText(traveler);
  }
}

/** One detail of the contact, canonical; the empty string where the airline says nothing of it. */
export function contactText(contact: Contact, detail: ContactDetail): string {
  switch (detail) {
    case 'name':
      return contact.name === undefined ? '' : nameText(contact.name);
    case 'email':
      return emailsText(contact);
    case 'phone':
      return phonesText(contact);
    case 'address':
      return contact.addresses.map(({ city = '', countryCode = '' }) => `${foldName(city)}/${countryCode}`).join();
  }
}

function emailsText({ emails }: Contact): string {
  return inAnyOrder(emails.map((email) => email.trim().toLowerCase()));
}

/** Digits alone: an airline may write `+966`, `00966` or `966`. */
function phonesText({ phones }: Contact): string {
  return inAnyOrder(
    phones.map(({ countryCode = '', number = '' }) => `${countryCode}${number}`.replace(/\D/g, '').replace(/^0+/, '')),
  );
}

/** Each once, sorted: the lists of a person have no order of their own (docs/wire/interface.md, Traveller). */
function inAnyOrder(texts: readonly string[]): string {
  return [...new Set(texts)]
    .filter((text) => text !== '')
    .sort()
    .join();
}

/** Whether a canonical text says anything. */
export function saysNothing(text: string): boolean {
  return /^[/,]*$/.test(text);
}

/** Several details as one text. */
export function detailsText(traveler: Traveler, details: readonly TravelerDetail[]): string {
  return details.map((detail) => `${detail}=${detailText(traveler, detail)}`).join('|');
}
