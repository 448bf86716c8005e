/**
 * Flights and people as requests carry them: their fields by name, and reading them (docs/wire/interface.md, Flight segment,
 * Traveller; docs/wire/notes.md, Shapes sent).
 */
import * as z from 'zod';
import type { Counts, Document, Person, Traveler } from '../record.ts';
import { type Dialect, given } from '../wire.ts';

export const word = z.string().min(1);
export const text = z.string().optional();
const anything = z.unknown().optional();
const listOfAnything = z.array(z.unknown()).optional();
const isoDate = z.iso.date().optional();
const instant = z.iso.datetime({ offset: true, precision: 3 });

/** A list with exactly one item. */
export const single = <S extends z.ZodRawShape>(fields: S) => z.tuple([z.object(fields)]);
export const nonEmpty = <S extends z.ZodRawShape>(fields: S) => z.array(z.object(fields)).min(1);
const optionalList = <S extends z.ZodRawShape>(fields: S) => z.array(z.object(fields)).optional();

/** Quantities come as numbers or as their digits. */
const quantity = z.union([z.int().nonnegative(), z.string().regex(/^\d{1,3}$/)]);

export const passengerTypeQuantity = nonEmpty({ code: z.enum(['ADT', 'CHD', 'INF']), quantity }).refine(
  (lines) => new Set(lines.map((line) => line.code)).size === lines.length,
  'a passenger type stands twice',
);

export function readCounts(lines: z.output<typeof passengerTypeQuantity>): Counts {
  const count = (code: string): number => Number(lines.find((line) => line.code === code)?.quantity ?? 0);
  return { ADT: count('ADT'), CHD: count('CHD'), INF: count('INF') };
}

export const airport = z.object({ locationCode: word });
const operatingAirline = z.object({ code: word, flightNumber: word });
const marketingAirline = z.object({ code: word, flightNumber: text });

const FLIGHT = {
  departureAirport: airport,
  arrivalAirport: airport,
  flightNumber: word,
  departureDateTime: instant,
  arrivalDateTime: instant,
  rph: word,
  fareBasisCode: text,
  resBookDesigCode: text,
  status: text,
  equipment: listOfAnything,
  comment: listOfAnything,
  stopLocation: listOfAnything,
  stopQuantity: z.int().optional(),
  numberInParty: quantity.optional(),
  bookingClassAvails: anything,
  tpaextensions: anything,
};

/** A segment of a change or seat map: a copy of the reading's, what identifies it checked. */
export const copiedSegment = z.looseObject({
  departureAirport: airport,
  arrivalAirport: airport,
  operatingAirline,
  marketingAirline,
  flightNumber: word,
  departureDateTime: word,
  arrivalDateTime: word,
  rph: word.optional(),
});

const itineraryWith = <T extends z.ZodType>(flightSegment: T) =>
  z.object({
    originDestinationOptions: z.object({
      originDestinationOption: nonEmpty({ flightSegment: z.array(flightSegment).min(1), rph: word.optional() }),
    }),
  });

/** `airItinerary` of a booking request. */
export const airItinerary = {
  rail: itineraryWith(z.object({ ...FLIGHT, operatingAirline, marketingAirline: marketingAirline.optional() })),
  airline: itineraryWith(z.object({ ...FLIGHT, operatingAirline: operatingAirline.optional(), marketingAirline })),
} as const satisfies Record<Dialect, z.ZodType>;

/** `airItinerary` of a change, copied from the reading. */
export const copiedItinerary = itineraryWith(copiedSegment);

type SentItinerary = z.output<(typeof airItinerary)[Dialect] | typeof copiedItinerary>;
type SentOption = SentItinerary['originDestinationOptions']['originDestinationOption'][number];
type SentSegment = SentOption['flightSegment'][number];

const onlyText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** A segment without a pointer takes its `position` in the itinerary, from 1. Times stay RFC 3339. */
export function readSegment(sent: SentSegment, position: number) {
  return {
    ref: sent.rph ?? String(position),
    number: sent.flightNumber,
    operatingCode: sent.operatingAirline?.code,
    operatingNumber: sent.operatingAirline?.flightNumber,
    marketingCode: sent.marketingAirline?.code,
    from: sent.departureAirport.locationCode,
    to: sent.arrivalAirport.locationCode,
    departs: sent.departureDateTime,
    arrives: sent.arrivalDateTime,
    bookingClass: onlyText(sent.resBookDesigCode),
    basis: onlyText(sent.fareBasisCode),
    status: onlyText(sent.status),
  };
}

export type AskedSegment = ReturnType<typeof readSegment>;
export type AskedOption = ReturnType<typeof readOptions>[number];

/** An option without a pointer takes that of its first segment (docs/wire/notes.md, Tolerated in replies). */
export function readOptions(sent: SentItinerary) {
  let position = 0;
  return sent.originDestinationOptions.originDestinationOption.map(({ flightSegment, rph }) => {
    const segments = flightSegment.map((segment: SentSegment) => {
      position += 1;
      return readSegment(segment, position);
    });
    return { ref: rph ?? segments[0]?.ref ?? '', segments };
  });
}

/** Copies of a reading can hold `[null]` (docs/wire/notes.md, Tolerated in replies). */
const texts = z.array(z.string().nullable()).optional();

const PERSON = {
  telephone: optionalList({ countryAccessCode: text, phoneNumber: text, phoneTechType: text }),
  email: optionalList({ value: word, defaultInd: z.boolean().optional() }),
  address: optionalList({ cityName: text, countryName: z.object({ code: text, value: text }).optional() }),
  document: optionalList({
    docID: text,
    docType: text,
    docHolderNationality: text,
    expireDate: isoDate,
    birthDate: isoDate,
  }),
  gender: z.enum(['Male', 'Female', 'Unknown']).optional(),
  comment: optionalList({ name: text, value: text }),
  custLoyalty: listOfAnything,
  socialMediaInfo: listOfAnything,
  accompaniedByInfantInd: z.boolean().optional(),
  personName: z.object({
    namePrefix: texts,
    givenName: z.array(word).min(1),
    middleName: texts,
    surname: word,
    nameSuffix: texts,
    nameTitle: texts,
  }),
};

const travelerRefNumber = z.object({ rph: word });

export const contactTraveler = z.object({
  ...PERSON,
  travelerRefNumber: travelerRefNumber.optional(),
  passengerTypeCode: z.literal('CTC'),
});

/** A special service that is asked for. */
export const SERVICE = {
  ssrCode: z.string().regex(/^[A-Z]{4}$/),
  serviceQuantity: z.int().positive(),
  status: z.literal('Requested'),
  text,
};

export const passenger = z.object({
  ...PERSON,
  travelerRefNumber,
  flightSegmentRPHs: z.object({ flightSegmentRPH: z.array(word).min(1) }).optional(),
  passengerTypeCode: z.enum(['ADT', 'CHD', 'INF']),
  specialServiceRequests: optionalList(SERVICE),
});

/** The contact may stand anywhere among the passengers. */
export const people = z.array(z.discriminatedUnion('passengerTypeCode', [contactTraveler, passenger])).min(1);

/** A traveller of a booking that exists: what identifies it is checked, the rest is a copy of the reading. */
export const copiedPeople = z
  .array(z.looseObject({ passengerTypeCode: word, travelerRefNumber: z.looseObject({ rph: word }).optional() }))
  .min(1);

type SentContact = z.output<typeof contactTraveler>;
type SentPassenger = z.output<typeof passenger>;

const present = (values: readonly (string | null)[] | undefined): string[] =>
  (values ?? []).filter((value) => value !== null);

/** One document may be split over several items of the list. */
function readDocument(items: SentPassenger['document'] = []): Pick<Person, 'document' | 'birthDate'> {
  let document: Document = {};
  for (const { docID: number, docType: type, docHolderNationality: nationality, expireDate: expires } of items) {
    document = { ...given({ number, type, nationality, expires }), ...document };
  }
  const birthDate = items.find((item) => item.birthDate !== undefined)?.birthDate;
  return { document: Object.keys(document).length === 0 ? undefined : document, birthDate };
}

const ATTENDANT = 'attendantRph';

export function readPerson(sent: SentContact | SentPassenger): Person {
  const { namePrefix, givenName, middleName, surname, nameSuffix } = sent.personName;
  return given({
    name: {
      prefix: present(namePrefix),
      given: givenName,
      middle: present(middleName),
      surname,
      suffix: present(nameSuffix),
    },
    gender: sent.gender,
    ...readDocument(sent.document),
    emails: (sent.email ?? []).map((email) => email.value),
    phones: (sent.telephone ?? []).map(({ countryAccessCode, phoneNumber, phoneTechType }) => ({
      country: countryAccessCode,
      number: phoneNumber,
      technology: phoneTechType,
    })),
    addresses: (sent.address ?? []).map(({ cityName, countryName }) => ({
      city: cityName,
      countryCode: countryName?.code,
      countryName: countryName?.value,
    })),
    comments: (sent.comment ?? []).filter((comment) => comment.name !== ATTENDANT),
  });
}

export function readTraveler(sent: SentPassenger): Traveler {
  return given({
    ...readPerson(sent),
    ref: sent.travelerRefNumber.rph,
    type: sent.passengerTypeCode,
    segmentRefs: sent.flightSegmentRPHs?.flightSegmentRPH ?? [],
    attendantRef: sent.comment?.find((comment) => comment.name === ATTENDANT)?.value,
  });
}

export function splitPeople(sent: z.output<typeof people>): {
  readonly contacts: readonly SentContact[];
  readonly passengers: readonly SentPassenger[];
} {
  return {
    contacts: sent.filter((person) => person.passengerTypeCode === 'CTC'),
    passengers: sent.filter((person) => person.passengerTypeCode !== 'CTC'),
  };
}
