/** People on a booking: travellers with their documents, what they enter on the details page, and the contact. */

import { plainText } from '../../core/clean-text.ts';
import { joined } from '../../core/words.ts';

/** Passenger type code (OpenTravel PTC): adult, child, infant. Others are read, never sent. */
export type PassengerType = string;

export interface PersonName {
  readonly prefix: readonly string[];
  readonly given: readonly string[];
  readonly middle: readonly string[];
  readonly surname: string;
  readonly suffix: readonly string[];
  readonly title: readonly string[];
}

/** OpenTravel document type (DOC): `2` passport, `5` national identity card. */
export interface TravelDocument {
  readonly number?: string;
  readonly docType?: string;
  /** ISO 3166 alpha-2 (alpha-3 seen). */
  readonly nationality?: string;
  /** YYYY-MM-DD. */
  readonly expires?: string;
}

export interface Phone {
  readonly countryCode?: string;
  readonly number?: string;
}

export interface Address {
  readonly city?: string;
  /** ISO 3166 alpha-2. */
  readonly countryCode?: string;
  readonly countryName?: string;
}

/** Membership in a programme of frequent travellers (OpenTravel CustLoyalty). */
export interface Membership {
  /** ProgramID. */
  readonly program?: string;
  /** MembershipID. */
  readonly number?: string;
  /** LoyalLevel. */
  readonly level?: string;
}

/** `name` is absent for a group's passenger who is not named yet. */
export interface Traveler {
  /** The airline's pointer to this traveller (rph). */
  readonly ref: string;
  readonly type: PassengerType;
  readonly name?: PersonName;
  readonly gender?: string;
  /** YYYY-MM-DD. */
  readonly birthDate?: string;
  readonly document?: TravelDocument;
  /** Beside that one. Absent if the airline shows none. */
  readonly otherDocuments?: readonly TravelDocument[] | undefined;
  readonly emails: readonly string[];
  readonly phones: readonly Phone[];
  readonly addresses: readonly Address[];
  /** Absent if the airline shows none. */
  readonly memberships?: readonly Membership[] | undefined;
  readonly segmentRefs: readonly string[];
  /** For an infant: the adult on whose lap it travels (`comment` `attendantRph`). */
  readonly attendantRef?: string;
  readonly comments: readonly { readonly name?: string; readonly value?: string }[];
}

/** The booking's contact (`passengerTypeCode` `CTC`); not a passenger. */
export type Contact = Omit<Traveler, 'ref' | 'type' | 'segmentRefs' | 'attendantRef' | 'memberships'> & {
  readonly ref?: string;
};

interface People {
  readonly contact?: Contact;
  readonly travelers: readonly Traveler[];
}

/** OpenTravel's document types (docs/wire/interface.md, Code lists), by our names of them. */
export const DOCUMENT_TYPES = { passport: '2', national_id: '5' } as const;

export type DocumentKind = keyof typeof DOCUMENT_TYPES;

/** As the interface writes them. */
export const GENDERS = ['Male', 'Female', 'Unknown'] as const;

/** What one traveller entered on the details page, in the forms that arguments of tools have. Absent: left blank. */
export interface EnteredDetails {
  readonly given_name?: string;
  readonly middle_name?: string;
  readonly surname?: string;
  readonly gender?: (typeof GENDERS)[number];
  /** YYYY-MM-DD. */
  readonly birth_date?: string;
  readonly document?: {
    readonly type: DocumentKind;
    readonly number: string;
    /** ISO 3166 alpha-2. */
    readonly nationality: string;
    /** YYYY-MM-DD. */
    readonly expires: string;
  };
}

/** `Given Middle Surname`. */
export function fullName(name: PersonName | undefined): string {
  if (name === undefined) return '(not named yet)';
  return joined([...name.given, ...name.middle, name.surname, ...name.suffix], ' ');
}

/** The name as our own texts and results show it. */
export function nameText(person: { readonly name?: PersonName } | undefined): string {
  return plainText(fullName(person?.name), 70);
}

/**
 * The contact, else the first passenger with an e-mail address or telephone (docs/wire/notes.md, Travellers,
 * Replies).
 */
export function contactOf({ contact, travelers }: People): Contact | undefined {
  if (contact !== undefined) return contact;
  const first = travelers.find(({ emails, phones }) => emails.length > 0 || phones.length > 0);
  if (first === undefined) return undefined;
  const { name, emails, phones } = first;
  return { name, emails, phones, addresses: [], comments: [] };
}

/** The contact's addresses, else those of the passengers, each once. */
export function mailAddresses({ contact, travelers }: People): readonly string[] {
  if (contact !== undefined && contact.emails.length > 0) return contact.emails.map(bareAddress);
  const addresses = travelers.flatMap(({ emails }) => emails).map(bareAddress);
  return addresses.filter((email, i) => addresses.findIndex((other) => emailKey(other) === emailKey(email)) === i);
}

/** `ann@one.example` for `mailto:ann@one.example` and `Ann <ann@one.example>`. Any other text stays, trimmed. */
export function bareAddress(email: string): string {
  const [, inBrackets = email] = /<([^<>]*)>\s*$/.exec(email) ?? [];
  return inBrackets.trim().replace(/^mailto:/i, '');
}

/** The same for an address however it is written. */
export function emailKey(email: string): string {
  return bareAddress(email).toLowerCase();
}

/** `passport`, `national_id`, or the airline's own code. */
export function documentKind(code: string | undefined): string {
  if (code === DOCUMENT_TYPES.passport) return 'passport';
  return code === DOCUMENT_TYPES.national_id ? 'national_id' : (code ?? 'unknown');
}
