/**
 * Writes the travellers of replies (docs/wire/interface.md, Traveller). An airline sends no contact traveller, and
 * repeats documents as special services (docs/wire/notes.md, Changes).
 */
import type { Carrier } from '../carrier.ts';
import { allSegments, type CarrierBooking, type Name, type Person, type Service, type Traveler } from '../record.ts';
import { definedFields, type Wire } from '../wire.ts';
import type { ReplyKind } from './segment.ts';

const unlessEmpty = <T>(values: readonly T[]): T[] | undefined => (values.length === 0 ? undefined : [...values]);

export function writeName(name: Name): Wire {
  return definedFields({
    namePrefix: unlessEmpty(name.prefix),
    givenName: [...name.given],
    middleName: unlessEmpty(name.middle),
    surname: name.surname,
    nameSuffix: unlessEmpty(name.suffix),
  });
}

function writeDocument({ document, birthDate }: Person): Wire[] | undefined {
  const item = definedFields({
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
    telephone: unlessEmpty(
      person.phones.map(({ country, number, technology }) =>
        definedFields({ countryAccessCode: country, phoneNumber: number, phoneTechType: technology }),
      ),
    ),
    email: unlessEmpty(person.emails.map((value) => ({ value }))),
    address: unlessEmpty(
      person.addresses.map(({ city, countryCode, countryName }) => {
        const country = definedFields({ code: countryCode, value: countryName });
        return definedFields({ cityName: city, countryName: Object.keys(country).length === 0 ? undefined : country });
      }),
    ),
    document: writeDocument(person),
    gender: person.gender,
    comment: unlessEmpty([...comments, ...person.comments.map((comment) => ({ ...comment }))]),
  };
}

function writeTraveler(carrier: Carrier, traveler: Traveler, kind: ReplyKind): Wire {
  const { ref, type, segmentRefs, attendantRef, birthDate, ...rest } = traveler;
  // The reply to an airline's hold has no birth dates (docs/wire/notes.md, Replies).
  const omitsBirthDate = carrier.dialect === 'airline' && kind === 'hold';
  const person: Person = omitsBirthDate || birthDate === undefined ? rest : { ...rest, birthDate };

  return definedFields({
    ...writePerson(person, attendantRef === undefined ? [] : [{ name: 'attendantRph', value: attendantRef }]),
    travelerRefNumber: { rph: ref },
    flightSegmentRPHs: { flightSegmentRPH: [...segmentRefs] },
    passengerTypeCode: type,
  });
}

function writeContact(contact: Person): Wire {
  return definedFields({ ...writePerson(contact, []), passengerTypeCode: 'CTC' });
}

/** The abbreviations of OpenTravel document types in a FOID line. */
const DOCUMENT_CODES = new Map(Object.entries({ '2': 'PP', '5': 'NI' }));

/** Makes a special service of each document. */
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
    definedFields({
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

export function writeTravelerInfo(carrier: Carrier, booking: CarrierBooking, kind: ReplyKind): Wire {
  const passengers = booking.travelers.map((traveler) => writeTraveler(carrier, traveler, kind));
  const contact = carrier.dialect === 'rail' ? [writeContact(booking.contact)] : [];
  return { airTraveler: [...contact, ...passengers], specialReqDetails: writeServices(carrier, booking) };
}
