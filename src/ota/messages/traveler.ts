/** Travellers and the contact, read and written (docs/wire/interface.md, Traveller). */

import * as z from 'zod';
import { inputError } from '../../core/errors.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import type { Address, Contact, PersonName, Phone, TravelDocument, Traveler } from '../../domain/people/traveler.ts';
import type { PassengerCounts } from '../../domain/pricing/offers.ts';
import { isObject } from '../transport/json.ts';
import {
  pointers,
  readAll,
  readPointer,
  readTime,
  record,
  records,
  text,
  texts,
  unlessEmpty,
  type Wire,
} from './reader.ts';
import { pointer } from './segment.ts';

/** `passengerTypeCode` of the contact traveller, who is no passenger. */
const CONTACT = 'CTC' as const;
/** `comment[].name` that links an infant to its adult. */
const ATTENDANT = 'attendantRph';

/** Undefined for a group's passenger without a name. */
export function readName(value: unknown): PersonName | undefined {
  const wire = record(value);
  const given = texts(wire.givenName);
  const surname = text(wire.surname);
  if (surname === undefined && given.length === 0) return undefined;
  return {
    prefix: texts(wire.namePrefix),
    given,
    middle: texts(wire.middleName),
    surname: surname ?? '',
    suffix: texts(wire.nameSuffix),
    title: texts(wire.nameTitle),
  };
}

/** Merges items of one document, which two different numbers are not. */
function readDocument(wires: readonly Wire[]): TravelDocument | undefined {
  let merged: TravelDocument = {};
  for (const wire of wires) {
    const number = text(wire.docID);
    if (number !== undefined && merged.number !== undefined && number !== merged.number) continue;
    const part = omitUndefined({
      number,
      docType: text(wire.docType),
      nationality: text(wire.docHolderNationality),
      expires: readTime(wire.expireDate),
    });
    merged = { ...part, ...merged };
  }
  return Object.keys(merged).length === 0 ? undefined : merged;
}

function readPhone(wire: Wire): Phone {
  return omitUndefined({ countryCode: text(wire.countryAccessCode), number: text(wire.phoneNumber) });
}

function readAddress(wire: Wire): Address {
  const country = wire.countryName;
  const countryCode = isObject(country) ? text(country.code) : undefined;
  const countryName = isObject(country) ? text(country.value) : text(country);
  return omitUndefined({ city: text(wire.cityName), countryCode, countryName });
}

export function pointerOf(wire: Wire): string | undefined {
  return readPointer(record(wire.travelerRefNumber).rph) ?? readPointer(wire.travelerRefNumber);
}

function readPerson(wire: Wire) {
  const documents = records(wire.document);
  const comments = records(wire.comment).map(({ name, value }) =>
    omitUndefined({ name: text(name), value: text(value) }),
  );
  return {
    fields: {
      name: readName(wire.personName),
      gender: text(wire.gender),
      birthDate: readAll([...documents, wire], (one) => readTime(one.birthDate))[0],
      document: readDocument(documents),
      emails: texts(wire.email).filter((email) => email.trim() !== ''),
      phones: records(wire.telephone).map(readPhone),
      addresses: records(wire.address).map(readAddress),
      comments: comments.filter((comment) => comment.name !== ATTENDANT),
    },
    attendantRef: readPointer(comments.find((comment) => comment.name === ATTENDANT)?.value),
    ref: pointerOf(wire),
  };
}

export function isContact(wire: Wire): boolean {
  return text(wire.passengerTypeCode) === CONTACT;
}

function readContact(wire: Wire): Contact {
  const person = readPerson(wire);
  return omitUndefined({ ...person.fields, ref: person.ref });
}

/** One passenger. `ref` is its pointer if it has none of its own. */
export function readTraveler(wire: Wire, ref: string): Traveler {
  const person = readPerson(wire);
  const segments = wire.flightSegmentRPHs;
  return omitUndefined({
    ...person.fields,
    ref: person.ref ?? ref,
    type: readPointer(wire.passengerTypeCode) ?? '',
    segmentRefs: pointers(isObject(segments) ? segments.flightSegmentRPH : segments),
    attendantRef: person.attendantRef,
  });
}

export function readTravelers(airTraveler: unknown): { travelers: Traveler[]; contact?: Contact } {
  const wires = records(airTraveler);
  const contact = wires.find(isContact);
  const travelers = wires
    .filter((wire) => !isContact(wire))
    .map((wire, index) => readTraveler(wire, String(index + 1)));
  return omitUndefined({ travelers, contact: contact && readContact(contact) });
}

/** `personName`, without empty lists. */
function writeName(name: PersonName) {
  return omitUndefined({
    namePrefix: copied(name.prefix),
    givenName: [...name.given],
    middleName: copied(name.middle),
    surname: name.surname,
    nameSuffix: copied(name.suffix),
    nameTitle: copied(name.title),
  });
}

function copied<T>(values: readonly T[]): T[] | undefined {
  return unlessEmpty(values)?.slice();
}

function writeDocument(person: Contact) {
  const { document, birthDate } = person;
  if (document === undefined && birthDate === undefined) return undefined;
  return [
    omitUndefined({
      docID: document?.number,
      docType: document?.docType,
      docHolderNationality: document?.nationality,
      expireDate: document?.expires,
      birthDate,
    }),
  ];
}

function writeAddress(address: Address) {
  const { city, countryCode, countryName } = address;
  const named = countryCode !== undefined || countryName !== undefined;
  return omitUndefined({
    cityName: city,
    countryName: named ? omitUndefined({ code: countryCode, value: countryName }) : undefined,
  });
}

function writePerson(person: Contact, attendantRef?: string) {
  const comments = person.comments.map((comment) => omitUndefined({ name: comment.name, value: comment.value }));
  const attendant = attendantRef === undefined ? [] : [{ name: ATTENDANT, value: attendantRef }];
  return {
    personName: person.name && writeName(person.name),
    telephone: copied(
      person.phones.map((phone) => omitUndefined({ countryAccessCode: phone.countryCode, phoneNumber: phone.number })),
    ),
    email: copied(person.emails.map((value) => ({ value }))),
    address: copied(person.addresses.map(writeAddress)),
    document: writeDocument(person),
    gender: person.gender,
    comment: copied([...attendant, ...comments]),
  };
}

function writeContact(contact: Contact) {
  const travelerRefNumber = contact.ref === undefined ? undefined : { rph: contact.ref };
  return omitUndefined({ ...writePerson(contact), travelerRefNumber, passengerTypeCode: CONTACT });
}

export function writeTraveler(traveler: Traveler) {
  return omitUndefined({
    ...writePerson(traveler, traveler.attendantRef),
    travelerRefNumber: { rph: traveler.ref },
    flightSegmentRPHs: { flightSegmentRPH: [...traveler.segmentRefs] },
    passengerTypeCode: traveler.type,
  });
}

const optional = z.string().optional();
const words = z.array(z.string()).optional();
const listOf = <S extends z.ZodRawShape>(item: S) => z.array(z.strictObject(item)).optional();

const person = {
  telephone: listOf({ countryAccessCode: optional, phoneNumber: optional }),
  email: listOf({ value: z.string().min(1) }),
  address: listOf({
    cityName: optional,
    countryName: z.strictObject({ code: optional, value: optional }).optional(),
  }),
  document: listOf({
    docID: optional,
    docType: optional,
    docHolderNationality: optional,
    expireDate: z.iso.date().optional(),
    birthDate: z.iso.date().optional(),
  }),
  gender: z.enum(['Male', 'Female', 'Unknown']).optional(),
  comment: listOf({ name: optional, value: optional }),
  accompaniedByInfantInd: z.boolean().optional(),
};

const personName = z.strictObject({
  namePrefix: words,
  givenName: z.array(z.string().min(1)).min(1),
  middleName: words,
  surname: z.string().min(1),
  nameSuffix: words,
  nameTitle: words,
});

const travelerRefNumber = z.strictObject({ rph: pointer });

export const contactTraveler = z.strictObject({
  ...person,
  personName,
  travelerRefNumber: travelerRefNumber.optional(),
  passengerTypeCode: z.literal(CONTACT),
});

/** A passenger with a name, linked to its segments. */
export const namedTraveler = z.strictObject({
  ...person,
  personName,
  travelerRefNumber,
  flightSegmentRPHs: z.strictObject({ flightSegmentRPH: z.array(pointer).min(1) }),
  passengerTypeCode: z.enum(['ADT', 'CHD', 'INF']),
});

/** A passenger in a change: the reading may name no segment of a group's passenger. */
export const changedTraveler = namedTraveler.partial({ flightSegmentRPHs: true });

/** A traveller copied from a read reply, perhaps without a name. Other fields are allowed. */
export const copiedTraveler = z.union([
  z.looseObject({ passengerTypeCode: z.literal(CONTACT) }),
  z.looseObject({ travelerRefNumber: z.looseObject({ rph: pointer }), passengerTypeCode: z.string().min(1) }),
]);

export const copiedNamed = z.looseObject({
  personName: z.looseObject({ givenName: z.array(z.string().min(1)).min(1), surname: z.string().min(1) }),
  travelerRefNumber: z.looseObject({ rph: pointer }),
  passengerTypeCode: z.string().min(1),
});

/** A title goes into `namePrefix[]`; `nameTitle[]` stays empty (docs/wire/notes.md, Travellers). */
function titledInPrefix(name: PersonName): PersonName {
  if (name.title.length === 0) return name;
  return { ...name, prefix: [...new Set([...name.prefix, ...name.title])], title: [] };
}

/** Throws E_INPUT without a name. */
export function requestContact(contact: Contact): z.input<typeof contactTraveler> {
  if (contact.name === undefined) throw inputError('contact', 'a name is required.');
  return writeContact({ ...contact, name: titledInPrefix(contact.name) }) as z.input<typeof contactTraveler>;
}

/** Throws E_INPUT without a name. */
export function requestTraveler(traveler: Traveler): z.input<typeof namedTraveler> {
  if (traveler.name === undefined) throw inputError('passengers', `passenger ${traveler.ref} has no name.`);
  const { flightSegmentRPHs, ...rest } = writeTraveler({ ...traveler, name: titledInPrefix(traveler.name) });
  const segments = traveler.segmentRefs.length === 0 ? {} : { flightSegmentRPHs };
  return { ...rest, ...segments } as z.input<typeof namedTraveler>;
}

/** Names for a group's passengers. Marks adults with an infant (docs/wire/notes.md, Travellers). */
export function requestGroupNames(
  travelers: readonly Traveler[],
  group: readonly Traveler[],
): z.input<typeof namedTraveler>[] {
  const attendants = attendantsOf(group);
  const taken = new Set(attendants.values());
  return travelers.map((traveler) => {
    const attendantRef = traveler.attendantRef ?? attendants.get(traveler.ref);
    const wire = requestTraveler(attendantRef === undefined ? traveler : { ...traveler, attendantRef });
    return taken.has(traveler.ref) ? { ...wire, accompaniedByInfantInd: true } : wire;
  });
}

/** The adult of each infant: the airline's choice, else the next adult without one. */
function attendantsOf(group: readonly Traveler[]): ReadonlyMap<string, string> {
  const attendants = new Map<string, string>();
  for (const { ref, attendantRef } of group) if (attendantRef !== undefined) attendants.set(ref, attendantRef);
  const taken = new Set(attendants.values());
  const free = group.filter(({ ref, type }) => type === 'ADT' && !taken.has(ref));
  for (const { ref, type } of group) {
    const adult = type === 'INF' && !attendants.has(ref) ? free.shift() : undefined;
    if (adult !== undefined) attendants.set(ref, adult.ref);
  }
  return attendants;
}

export const passengerTypeQuantity = z
  .array(z.strictObject({ code: z.enum(['ADT', 'CHD', 'INF']), quantity: z.int().min(0) }))
  .min(1)
  .refine((lines) => new Set(lines.map((line) => line.code)).size === lines.length, 'a passenger type is given twice');

/** A line for every type: a quantity of 0 is accepted (docs/wire/interface.md, Fare search). */
export function writeCounts(counts: PassengerCounts): z.output<typeof passengerTypeQuantity> {
  return [
    { code: 'ADT', quantity: counts.adults },
    { code: 'CHD', quantity: counts.children },
    { code: 'INF', quantity: counts.infants },
  ];
}
