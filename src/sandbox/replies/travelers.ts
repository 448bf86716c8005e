/**
 * Travellers of replies (docs/wire/interface.md, Traveller). An airline's have no contact traveller, and their
 * documents come back as special services too (docs/wire/notes.md, Changes).
 */
import type { Carrier } from '../carrier.ts';
import { allSegments, type CarrierBooking, type Name, type Person, type Service, type Traveler } from '../record.ts';
import { given, type Wire } from '../wire.ts';
import type { Place } from './segment.ts';

const filled = <T>(values: readonly T[]): T[] | undefined => (values.length === 0 ? undefined : [...values]);

export function writeName(name: Name): Wire {
  return given({
    namePrefix: filled(name.prefix),
    givenName: [...name.given],
    middleName: filled(name.middle),
    surname: name.surname,
    nameSuffix: filled(name.suffix),
  });
}

function writeDocument({ document, birthDate }: Person): Wire[] | undefined {
  const item = given({
    docID: document?.number,
    docType: document?.type,
    docHolderNationality: document?.nationality,
    expireDate: document?.expires,
    birthDate,
  });
  return Object.keys(item).length === 0 ? undefined : [item];
}

function writePerson(person: Person, comments: readonly Wire[]): Wire {
  return {
    personName: person.name && writeName(person.name),
    telephone: filled(
      person.phones.map(({ country, number, technology }) =>
        given({ countryAccessCode: country, phoneNumber: number, phoneTechType: technology }),
      ),
    ),
    email: filled(person.emails.map((value) => ({ value }))),
    address: filled(
      person.addresses.map(({ city, countryCode, countryName }) => {
        const country = given({ code: countryCode, value: countryName });
        return given({ cityName: city, countryName: Object.keys(country).length === 0 ? undefined : country });
      }),
    ),
    document: writeDocument(person),
    gender: person.gender,
    comment: filled([...comments, ...person.comments.map((comment) => ({ ...comment }))]),
  };
}

function writeTraveler(carrier: Carrier, traveler: Traveler, place: Place): Wire {
  const { ref, type, segmentRefs, attendantRef, birthDate, ...rest } = traveler;
  // The reply to an airline's hold has no birth dates (docs/wire/notes.md, Replies).
  const omitsBirthDate = carrier.dialect === 'airline' && place === 'hold';
  const person: Person = omitsBirthDate || birthDate === undefined ? rest : { ...rest, birthDate };
  return given({
    ...writePerson(person, attendantRef === undefined ? [] : [{ name: 'attendantRph', value: attendantRef }]),
    travelerRefNumber: { rph: ref },
    flightSegmentRPHs: { flightSegmentRPH: [...segmentRefs] },
    passengerTypeCode: type,
  });
}

function writeContact(contact: Person): Wire {
  return given({ ...writePerson(contact, []), passengerTypeCode: 'CTC' });
}

/** OpenTravel document types as a FOID line abbreviates them. */
const DOCUMENT_CODES = new Map(Object.entries({ '2': 'PP', '5': 'NI' }));

/** Each document as a special service. */
function documentServices(booking: CarrierBooking): Service[] {
  const segmentRefs = allSegments(booking).map((segment) => segment.ref);
  return booking.travelers.flatMap(({ ref, document }) => {
    if (document?.number === undefined) return [];
    const text = `${DOCUMENT_CODES.get(document.type ?? '') ?? 'ID'} ${document.number}`;
    return [{ code: 'FOID', text, quantity: 1, travelerRefs: [ref], segmentRefs }];
  });
}

function writeServices(carrier: Carrier, booking: CarrierBooking): Wire[] {
  const documents = carrier.dialect === 'airline' ? documentServices(booking) : [];
  const services = [...booking.services, ...documents];
  if (services.length === 0) return [];
  const specialServiceRequest = services.map(({ code, text, quantity, travelerRefs, segmentRefs }, i) =>
    given({
      ssrcode: code,
      text,
      serviceQuantity: quantity,
      status: '30',
      number: i + 1,
      travelerRefNumberRPHList: [...travelerRefs],
      flightRefNumberRPHList: [...segmentRefs],
    }),
  );
  return [{ specialServiceRequests: { specialServiceRequest }, specialRemarks: { specialRemark: [] } }];
}

export function writeTravelerInfo(carrier: Carrier, booking: CarrierBooking, place: Place): Wire {
  const passengers = booking.travelers.map((traveler) => writeTraveler(carrier, traveler, place));
  const contact = carrier.dialect === 'rail' ? [writeContact(booking.contact)] : [];
  return { airTraveler: [...contact, ...passengers], specialReqDetails: writeServices(carrier, booking) };
}
