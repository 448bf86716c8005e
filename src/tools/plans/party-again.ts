/**
 * The party of a booking as arguments of create_booking: exactly what the airline gives. What it masks or does not give is
 * missing, and never made up.
 */

import { own } from '../../core/own.ts';
import { isRealDate } from '../../core/times.ts';
import type { Booking } from '../../domain/booking/booking.ts';
import { twoLetterCountry } from '../../domain/people/countries.ts';
import {
  type Contact,
  contactOf,
  DOCUMENT_TYPES,
  documentKind,
  type PersonName,
  type Phone,
  type Traveler,
} from '../../domain/people/traveler.ts';

export interface PartyAgain {
  readonly passengers: readonly object[];
  readonly contact: object;
  /** `passenger 2: gender, birth date`. */
  readonly missing: readonly string[];
}

export function partyAgain(booking: Booking): PartyAgain {
  const people = booking.travelers.map((traveler) => passengerAgain(traveler, booking.travelers));
  const contact = contactAgain(contactOf(booking));
  return {
    passengers: people.map(({ args }) => args),
    contact: contact.args,
    missing: [
      ...people.flatMap(({ lacks }, i) => lackText(`passenger ${booking.travelers[i]?.ref}`, lacks)),
      ...lackText('contact', contact.lacks),
    ],
  };
}

function lackText(who: string, lacks: readonly string[]): readonly string[] {
  return lacks.length === 0 ? [] : [`${who}: ${lacks.join(', ')}`];
}

/** Signs that airlines put in place of personal data. */
const MASK = /[*\u2022\u25CF#]|x{3,}/i;

/** Undefined if it is absent or masked. */
function given(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === '' || MASK.test(text) ? undefined : text;
}

const joined = (parts: readonly string[] | undefined) => given(parts?.join(' '));

function passengerAgain(traveler: Traveler, party: readonly Traveler[]) {
  const { type, name, document, birthDate, emails, phones, attendantRef } = traveler;
  const { number, nationality, expires } = document ?? {};
  const needs = {
    'given name': joined(name?.given),
    surname: given(name?.surname),
    gender: genderOf(traveler.gender),
    'birth date': dateOf(birthDate),
    'document type': kindOf(document?.docType),
    'document number': given(number),
    'nationality of the document': countryOf(nationality),
    'last valid day of the document': dateOf(expires),
    ...(attendantRef !== undefined && { 'its adult': placeOf(attendantRef, party) }),
  };
  const args = {
    type,
    ...nameAgain(name),
    gender: needs.gender,
    birth_date: needs['birth date'],
    document: {
      type: needs['document type'],
      number: needs['document number'],
      nationality: needs['nationality of the document'],
      expires: needs['last valid day of the document'],
    },
    with_adult: attendantRef === undefined ? undefined : placeOf(attendantRef, party),
    email: given(emails[0]),
    phone: phoneAgain(phones[0]),
  };
  return { args, lacks: lackingIn(needs) };
}

function contactAgain(contact: Contact | undefined) {
  const { name, emails = [], phones = [], addresses = [] }: Partial<Contact> = contact ?? {};
  const needs = { 'given name': joined(name?.given), surname: given(name?.surname), 'e-mail': given(emails[0]) };
  const { city, countryCode } = addresses[0] ?? {};
  const args = {
    given_name: needs['given name'],
    surname: needs.surname,
    email: needs['e-mail'],
    phone: phoneAgain(phones[0]),
    city: given(city),
    country: countryOf(countryCode),
  };
  return { args, lacks: lackingIn(needs) };
}

function lackingIn(needs: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(needs).filter((what) => needs[what] === undefined);
}

function nameAgain(name: PersonName | undefined) {
  return {
    given_name: joined(name?.given),
    middle_name: joined(name?.middle),
    surname: given(name?.surname),
    suffix: joined(name?.suffix),
    title: joined(name?.prefix) ?? joined(name?.title),
  };
}

/** Its place in the list of passengers, from 1. */
function placeOf(ref: string, party: readonly Traveler[]): number | undefined {
  const at = party.findIndex((one) => one.ref === ref);
  return at < 0 ? undefined : at + 1;
}

const GENDERS: Readonly<Record<string, string>> = { M: 'Male', F: 'Female', U: 'Unknown' };

function genderOf(text: string | undefined): string | undefined {
  const first = text?.trim().charAt(0).toUpperCase() ?? '';
  return own(GENDERS, first);
}

function dateOf(text: string | undefined): string | undefined {
  const day = text?.slice(0, 10) ?? '';
  return isRealDate(day) ? day : undefined;
}

function kindOf(code: string | undefined): string | undefined {
  const kind = documentKind(code);
  return Object.hasOwn(DOCUMENT_TYPES, kind) ? kind : undefined;
}

function countryOf(code: string | undefined): string | undefined {
  const upper = code?.trim().toUpperCase() ?? '';
  return /^[A-Z]{2}$/.test(upper) ? upper : twoLetterCountry(upper);
}

/** An optional field: left out unless it is whole. */
function phoneAgain({ countryCode, number }: Phone = {}): object | undefined {
  const [code, digits] = [countryCode, number].map((part) => given(part)?.replace(/[\s()+.-]/g, ''));
  const isComplete = /^\d{1,4}$/.test(code ?? '') && /^\d{4,15}$/.test(digits ?? '');
  return isComplete ? { country_code: code, number: digits } : undefined;
}
