/**
 * Travellers and the contact (docs/wire/interface.md, Traveller): first how they are read, then how they are written, then
 * how passengers of a reading are copied for a change, with the fields that nobody here knows.
 */
import { cleanRef } from '../../core/clean-text.ts';
import { inputError } from '../../core/errors.ts';
import { isObject } from '../../core/own.ts';
import type { PassengerCounts } from '../../domain/booking/offers.ts';
import { foldName, isMasked } from '../../domain/people/identity-text.ts';
import {
  type Address,
  type Contact,
  GENDERS,
  type Membership,
  type PersonName,
  type Phone,
  type TravelDocument,
  type Traveler,
} from '../../domain/people/traveler.ts';
import {
  readAll,
  readDate,
  readPointer,
  readPointers,
  record,
  records,
  text,
  texts,
  unlessEmpty,
  type Wire,
} from './reader.ts';
import { CONTACT } from './request.ts';

/** `comment[].name` that links an infant to its adult. */
const ATTENDANT = 'attendantRph';

/** OpenTravel phone technology type of an added telephone (docs/wire/notes.md, Changes). */
const ADDED_PHONE = '5';

/** Reads `personName`. Undefined for a group's passenger without a name. */
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

/**
 * Reads each document once: one may stand in several items, or in several forms. What is said otherwise of one that is read is a document
 * of its own, of the same number.
 */
function readDocuments(wires: readonly Wire[]): readonly TravelDocument[] {
  const documents: TravelDocument[] = [];
  for (const wire of wires) {
    const number = text(wire.docID);
    const expires = readDate(wire.expireDate);
    const sameNumber = documents.filter((one) => mayBeSameNumber(one.number, number));
    const same = sameNumber.find((one) => (one.expires ?? expires) === (expires ?? one.expires));

    const merged = {
      number: (same ?? sameNumber[0])?.number ?? number,
      docType: same?.docType ?? text(wire.docType),
      nationality: same?.nationality ?? text(wire.docHolderNationality),
      expires: same?.expires ?? expires,
    };
    if (same === undefined) documents.push(merged);
    else documents[documents.indexOf(same)] = merged;
  }

  return documents.filter((one) => Object.values(one).some((value) => value !== undefined));
}

/** Whether two items may be of one document: one has no number or a masked one, or is written without the letters before it. */
function mayBeSameNumber(a: string | undefined, b: string | undefined): boolean {
  if (a === undefined || b === undefined || isMasked(a) || isMasked(b)) return true;
  const [one, other] = [foldName(a), foldName(b)];
  return one.endsWith(other) || other.endsWith(one);
}

function readPhone(wire: Wire): Phone {
  return { countryCode: text(wire.countryAccessCode), number: text(wire.phoneNumber) };
}

function readAddress(wire: Wire): Address {
  const country = wire.countryName;
  const countryCode = isObject(country) ? text(country.code) : undefined;
  const countryName = isObject(country) ? text(country.value) : text(country);
  return { city: text(wire.cityName), countryCode, countryName };
}

/** Reads `custLoyalty` by the names of OpenTravel: no sample has a field of it. */
function readMemberships(value: unknown): readonly Membership[] | undefined {
  const memberships = records(value).map(({ programID, membershipID, loyalLevel }) => ({
    program: text(programID),
    number: readPointer(membershipID),
    level: text(loyalLevel),
  }));
  return unlessEmpty(memberships.filter((one) => Object.values(one).some((field) => field !== undefined)));
}

function travelerPointer(wire: Wire): string | undefined {
  return readPointer(record(wire.travelerRefNumber).rph) ?? readPointer(wire.travelerRefNumber);
}

/** Some airlines write them in capitals, or as their first letter. */
function readGender(value: unknown): string | undefined {
  const word = text(value);
  const lower = word?.toLowerCase();
  return GENDERS.find((gender) => gender.toLowerCase() === lower || gender[0]?.toLowerCase() === lower) ?? word;
}

/** Reads what passengers and contacts have in common. */
function readPerson(wire: Wire) {
  const items = records(wire.document);
  const [document, ...otherDocuments] = readDocuments(items);
  const comments = records(wire.comment).map(({ name, value }) => ({ name: text(name), value: text(value) }));

  return {
    fields: {
      name: readName(wire.personName),
      gender: readGender(wire.gender),
      birthDate: readAll([...items, wire], (holder) => readDate(holder.birthDate))[0],
      document,
      otherDocuments: unlessEmpty(otherDocuments),
      emails: texts(wire.email).flatMap(addressesIn),
      phones: records(wire.telephone).map(readPhone),
      addresses: records(wire.address).map(readAddress),
      comments: comments.filter((comment) => comment.name !== ATTENDANT),
    },
    attendantRef: readPointer(comments.find((comment) => comment.name === ATTENDANT)?.value),
    ref: travelerPointer(wire),
  };
}

/** Some airlines write several addresses into one field, with commas, semicolons or spaces between them. */
function addressesIn(email: string): readonly string[] {
  const parts = email.split(/[\s,;]+/).filter((part) => part !== '');
  if (parts.length > 1 && parts.every((part) => part.includes('@'))) return parts;
  return email.trim() === '' ? [] : [email];
}

function isContact(wire: Wire): boolean {
  return text(wire.passengerTypeCode) === CONTACT;
}

function readContact(wire: Wire): Contact {
  const person = readPerson(wire);
  return { ...person.fields, ref: person.ref };
}

/** Reads one passenger. `ref` is its pointer if it has none of its own. */
function readTraveler(wire: Wire, ref: string): Traveler {
  const person = readPerson(wire);
  const segments = wire.flightSegmentRPHs;

  return {
    ...person.fields,
    ref: person.ref ?? ref,
    type: readPointer(wire.passengerTypeCode) ?? '',
    memberships: readMemberships(wire.custLoyalty),
    segmentRefs: readPointers(isObject(segments) ? segments.flightSegmentRPH : segments),
    attendantRef: person.attendantRef,
  };
}

export function readTravelers(airTraveler: unknown): { travelers: Traveler[]; contact?: Contact } {
  const wires = records(airTraveler);
  const contact = wires.find(isContact);
  const travelers = wires
    .filter((wire) => !isContact(wire))
    .map((wire, index) => readTraveler(wire, String(index + 1)));
  return { travelers, contact: contact && readContact(contact) };
}

/** Writes `personName` without empty lists. */
function writeName(name: PersonName) {
  return {
    namePrefix: filledList(name.prefix),
    givenName: [...name.given],
    middleName: filledList(name.middle),
    surname: name.surname,
    nameSuffix: filledList(name.suffix),
    nameTitle: filledList(name.title),
  };
}

/** Copies a list for a request; undefined for an empty list, which requests leave out. */
function filledList<T>(values: readonly T[]): T[] | undefined {
  return unlessEmpty(values)?.slice();
}

function writeDocument(person: Contact) {
  const { document, birthDate } = person;
  if (document === undefined && birthDate === undefined) return undefined;

  return [
    {
      docID: document?.number,
      docType: document?.docType,
      docHolderNationality: document?.nationality,
      expireDate: document?.expires,
      birthDate,
    },
  ];
}

function writeAddress(address: Address) {
  const { city, countryCode, countryName } = address;
  const hasCountry = countryCode !== undefined || countryName !== undefined;
  return {
    cityName: city,
    countryName: hasCountry ? { code: countryCode, value: countryName } : undefined,
  };
}

function writePerson(person: Contact, attendantRef?: string) {
  const comments = person.comments.map((comment) => ({ name: comment.name, value: comment.value }));
  const attendant = attendantRef === undefined ? [] : [{ name: ATTENDANT, value: attendantRef }];

  return {
    personName: person.name && writeName(person.name),
    telephone: filledList(
      person.phones.map((phone) => ({ countryAccessCode: phone.countryCode, phoneNumber: phone.number })),
    ),
    email: filledList(person.emails.map((value) => ({ value }))),
    address: filledList(person.addresses.map(writeAddress)),
    document: writeDocument(person),
    gender: person.gender,
    comment: filledList([...attendant, ...comments]),
  };
}

function writeContact(contact: Contact) {
  const travelerRefNumber = contact.ref === undefined ? undefined : { rph: contact.ref };
  return { ...writePerson(contact), travelerRefNumber, passengerTypeCode: CONTACT };
}

export function writeTraveler(traveler: Traveler) {
  return {
    ...writePerson(traveler, traveler.attendantRef),
    travelerRefNumber: { rph: traveler.ref },
    flightSegmentRPHs: { flightSegmentRPH: [...traveler.segmentRefs] },
    passengerTypeCode: traveler.type,
  };
}

/** Moves titles into `namePrefix[]`, so that `nameTitle[]` stays empty (docs/wire/notes.md, Travellers). */
function titledInPrefix(name: PersonName): PersonName {
  if (name.title.length === 0) return name;
  return { ...name, prefix: [...new Set([...name.prefix, ...name.title])], title: [] };
}

/** Writes the contact of a request. Throws E_INPUT without a name. */
export function requestContact(contact: Contact): Wire {
  if (contact.name === undefined) throw inputError('contact', 'a name is required.');
  return writeContact({ ...contact, name: titledInPrefix(contact.name) });
}

/** Writes a passenger of a request. Throws E_INPUT without a name. */
export function requestTraveler(traveler: Traveler) {
  if (traveler.name === undefined) throw inputError('passengers', `passenger ${cleanRef(traveler.ref)} has no name.`);
  const { flightSegmentRPHs, ...rest } = writeTraveler({ ...traveler, name: titledInPrefix(traveler.name) });
  const segments = traveler.segmentRefs.length === 0 ? {} : { flightSegmentRPHs };
  return { ...rest, ...segments };
}

/** Writes names for a group's passengers. Marks adults with an infant (docs/wire/notes.md, Travellers). */
export function requestGroupNames(travelers: readonly Traveler[], group: readonly Traveler[]): Wire[] {
  const attendantByInfant = pairInfants(group);
  const adultsWithInfant = new Set(attendantByInfant.values());
  return travelers.map((traveler) => {
    const attendantRef = traveler.attendantRef ?? attendantByInfant.get(traveler.ref);
    const wire = requestTraveler(attendantRef === undefined ? traveler : { ...traveler, attendantRef });
    return adultsWithInfant.has(traveler.ref) ? { ...wire, accompaniedByInfantInd: true } : wire;
  });
}

/** Finds the adult of each infant, by their refs: the airline's choice, else the next adult without an infant. */
function pairInfants(group: readonly Traveler[]): ReadonlyMap<string, string> {
  const attendantByInfant = new Map<string, string>();
  for (const { ref, attendantRef } of group) if (attendantRef !== undefined) attendantByInfant.set(ref, attendantRef);
  const adultsWithInfant = new Set(attendantByInfant.values());
  const freeAdults = group.filter(({ ref, type }) => type === 'ADT' && !adultsWithInfant.has(ref));

  for (const { ref, type } of group) {
    const adult = type === 'INF' && !attendantByInfant.has(ref) ? freeAdults.shift() : undefined;
    if (adult !== undefined) attendantByInfant.set(ref, adult.ref);
  }

  return attendantByInfant;
}

/** Writes a line for every type: a quantity of 0 is accepted (docs/wire/interface.md, Fare search). */
export function writeCounts(counts: PassengerCounts) {
  return [
    { code: 'ADT', quantity: counts.adults },
    { code: 'CHD', quantity: counts.children },
    { code: 'INF', quantity: counts.infants },
  ];
}

export function allTravelers(reservation: Wire): readonly Wire[] {
  const info = reservation.travelerInfo;
  return records(isObject(info) ? info.airTraveler : info);
}

/** Finds the passenger with this pointer, as the airline sent it. Throws E_INPUT if there is none. */
export function findPassenger(reservation: Wire, ref: string): Wire {
  const passenger = allTravelers(reservation)
    .filter((wire) => !isContact(wire))
    .find((wire, i) => (travelerPointer(wire) ?? String(i + 1)) === ref);
  if (passenger === undefined) throw inputError('passenger_refs', `the booking has no passenger ${cleanRef(ref)}.`);
  return passenger;
}

/** Copies a passenger with new details. Name, document, e-mail and gender replace the old ones; telephones are added. */
export function changedPassenger(reservation: Wire, traveler: Traveler): Wire {
  const wire = findPassenger(reservation, traveler.ref);
  const before = readTraveler(wire, traveler.ref);
  const { personName, document, gender, email } = requestTraveler(traveler);
  const isNameUnchanged = isSameJson(before.name, traveler.name);
  const isDocumentUnchanged = isSameJson([before.document, before.birthDate], [traveler.document, traveler.birthDate]);
  const newDocuments = document?.map((fields) => withFields(record(wire.document), fields));

  return {
    ...wire,
    personName: isNameUnchanged ? wire.personName : withNewName(record(wire.personName), record(personName)),
    document: isDocumentUnchanged ? wire.document : newDocuments,
    gender: gender ?? wire.gender,
    email: isSameJson(before.emails, traveler.emails) ? wire.email : email,
    telephone: withNewPhones(wire, before, traveler),
  };
}

function isSameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Copies an object with new fields. A field that is undefined stays as the airline sent it. */
function withFields(wire: Wire, fields: Wire): Wire {
  const definedFields = Object.entries(fields).filter(([, value]) => value !== undefined);
  return { ...wire, ...Object.fromEntries(definedFields) };
}

/** Copies `personName` with a new name. Lists of the old name that the new one lacks are sent empty. */
function withNewName(wire: Wire, newName: Wire): Wire {
  const emptied = Object.entries(wire).map(([field, value]) => [field, Array.isArray(value) ? [] : value]);
  return withFields(Object.fromEntries(emptied), newName);
}

/** The passenger's `telephone` with new phones. Compares digits alone, because replies write numbers with different signs. */
function withNewPhones(wire: Wire, before: Traveler, { phones }: Traveler): unknown {
  const digits = ({ countryCode = '', number = '' }: Phone) => `${countryCode}${number}`.replace(/\D/g, '');
  const knownNumbers = before.phones.map(digits);

  const newPhones = phones
    .filter((phone) => !knownNumbers.includes(digits(phone)))
    .map(({ countryCode, number }) => ({
      countryAccessCode: countryCode,
      phoneNumber: number,
      phoneTechType: ADDED_PHONE,
    }));
  return newPhones.length === 0 ? wire.telephone : [...records(wire.telephone), ...newPhones];
}
