/**
 * Schemas and readers of the parts that several requests have: segments, people and passenger counts
 * (docs/wire/interface.md, Flight segment, Traveller; docs/wire/notes.md, Shapes sent).
 */
import * as z from 'zod';
import type { Counts, Document, Person, Traveler } from '../record.ts';
import { definedFields } from '../wire.ts';

export const someText = z.string().min(1);
export const maybeText = z.string().optional();
const maybeDate = z.iso.date().optional();
const instant = z.iso.datetime({ offset: true, precision: 3 });

/** Makes the schema of a list with exactly one object, with at least one, or of one that may be missing. */
export const listOfOne = <S extends z.ZodRawShape>(fields: S) => z.tuple([z.object(fields)]);
export const listOf = <S extends z.ZodRawShape>(fields: S) => z.array(z.object(fields)).min(1);
const maybeListOf = <S extends z.ZodRawShape>(fields: S) => z.array(z.object(fields)).optional();

/** Requests send quantities as numbers or as digits in a string. */
const quantity = z.union([z.int().nonnegative(), z.string().regex(/^\d{1,3}$/)]);

export const passengerTypeQuantity = listOf({ code: z.enum(['ADT', 'CHD', 'INF']), quantity })
  .refine((lines) => new Set(lines.map((line) => line.code)).size === lines.length, 'a passenger type stands twice')
  .transform((lines): Counts => {
    const count = (code: string): number => Number(lines.find((line) => line.code === code)?.quantity ?? 0);
    return { ADT: count('ADT'), CHD: count('CHD'), INF: count('INF') };
  });

export const airport = z.object({ locationCode: someText });
const operatingAirline = z.object({ code: someText, flightNumber: someText });
const marketingAirline = z.object({ code: someText, flightNumber: maybeText });

const FLIGHT_FIELDS = {
  departureAirport: airport,
  arrivalAirport: airport,
  flightNumber: someText,
  departureDateTime: instant,
  arrivalDateTime: instant,
  rph: someText,
  fareBasisCode: maybeText,
  resBookDesigCode: maybeText,
  status: maybeText,
  numberInParty: quantity.optional(),
};

/** A segment that a change or seat map request copies from a reading. Checks only what identifies the segment. */
export const copiedSegment = z.looseObject({
  departureAirport: airport,
  arrivalAirport: airport,
  operatingAirline,
  marketingAirline,
  flightNumber: someText,
  departureDateTime: someText,
  arrivalDateTime: someText,
  rph: someText.optional(),
});

const railSegment = z.object({ ...FLIGHT_FIELDS, operatingAirline, marketingAirline: marketingAirline.optional() });
const airlineSegment = z.object({ ...FLIGHT_FIELDS, operatingAirline: operatingAirline.optional(), marketingAirline });

type SegmentFields = z.output<typeof railSegment | typeof airlineSegment | typeof copiedSegment>;

/** Copied segments can have fields of any type here. */
const textOrUndefined = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Reads a segment. Its `position` in the itinerary, from 1, replaces a missing pointer. Times stay RFC 3339. */
export function readSegment(segment: SegmentFields, position: number) {
  return {
    ref: segment.rph ?? String(position),
    number: segment.flightNumber,
    operatingCode: segment.operatingAirline?.code,
    operatingNumber: segment.operatingAirline?.flightNumber,
    marketingCode: segment.marketingAirline?.code,
    from: segment.departureAirport.locationCode,
    to: segment.arrivalAirport.locationCode,
    departs: segment.departureDateTime,
    arrives: segment.arrivalDateTime,
    bookingClass: textOrUndefined(segment.resBookDesigCode),
    basis: textOrUndefined(segment.fareBasisCode),
    status: textOrUndefined(segment.status),
  };
}

export type RequestedSegment = ReturnType<typeof readSegment>;
export interface RequestedOption {
  readonly ref: string;
  readonly segments: readonly RequestedSegment[];
}

/** Reads `airItinerary`. The first segment's pointer replaces a missing one of its option (docs/wire/notes.md, Tolerated in replies). */
const itineraryOf = (flightSegment: z.ZodType<SegmentFields>) =>
  z
    .object({
      originDestinationOptions: z.object({
        originDestinationOption: listOf({ flightSegment: z.array(flightSegment).min(1), rph: someText.optional() }),
      }),
    })
    .transform(({ originDestinationOptions }): readonly RequestedOption[] => {
      let position = 0;
      return originDestinationOptions.originDestinationOption.map(({ flightSegment: wires, rph }) => {
        const segments = wires.map((segment) => {
          position += 1;
          return readSegment(segment, position);
        });
        return { ref: rph ?? segments[0]?.ref ?? '', segments };
      });
    });

/** `airItinerary` of a booking request. */
export const airItinerary = { rail: itineraryOf(railSegment), airline: itineraryOf(airlineSegment) } as const;

/** `airItinerary` of a change, copied from the reading. */
export const copiedItinerary = itineraryOf(copiedSegment);

/** Copies of a reading can hold `[null]` (docs/wire/notes.md, Tolerated in replies). */
const maybeTexts = z.array(z.string().nullable()).optional();

const PERSON_FIELDS = {
  telephone: maybeListOf({ countryAccessCode: maybeText, phoneNumber: maybeText, phoneTechType: maybeText }),
  email: maybeListOf({ value: someText }),
  address: maybeListOf({
    cityName: maybeText,
    countryName: z.object({ code: maybeText, value: maybeText }).optional(),
  }),
  document: maybeListOf({
    docID: maybeText,
    docType: maybeText,
    docHolderNationality: maybeText,
    expireDate: maybeDate,
    birthDate: maybeDate,
  }),
  gender: z.enum(['Male', 'Female', 'Unknown']).optional(),
  comment: maybeListOf({ name: maybeText, value: maybeText }),
  accompaniedByInfantInd: z.boolean().optional(),
  personName: z.object({
    namePrefix: maybeTexts,
    givenName: z.array(someText).min(1),
    middleName: maybeTexts,
    surname: someText,
    nameSuffix: maybeTexts,
    nameTitle: maybeTexts,
  }),
};

const travelerRefNumber = z.object({ rph: someText });

const contactTraveler = z.object({
  ...PERSON_FIELDS,
  travelerRefNumber: travelerRefNumber.optional(),
  passengerTypeCode: z.literal('CTC'),
});

export const SERVICE_FIELDS = {
  ssrCode: z.string().regex(/^[A-Z]{4}$/),
  serviceQuantity: z.int().positive(),
  status: z.literal('Requested'),
  text: maybeText,
};

export function readService({ ssrCode, text, serviceQuantity }: z.output<z.ZodObject<typeof SERVICE_FIELDS>>) {
  return { code: ssrCode, text, quantity: serviceQuantity };
}

const passenger = z.object({
  ...PERSON_FIELDS,
  travelerRefNumber,
  flightSegmentRPHs: z.object({ flightSegmentRPH: z.array(someText).min(1) }).optional(),
  passengerTypeCode: z.enum(['ADT', 'CHD', 'INF']),
  specialServiceRequests: maybeListOf(SERVICE_FIELDS),
});

/** Travellers that a request copies from a reading. Checks only what identifies each. */
export const copiedPeople = z
  .array(z.looseObject({ passengerTypeCode: someText, travelerRefNumber: z.looseObject({ rph: someText }).optional() }))
  .min(1);

type ContactFields = z.output<typeof contactTraveler>;
type PassengerFields = z.output<typeof passenger>;

const withoutNulls = (values: readonly (string | null)[] | undefined): string[] =>
  (values ?? []).filter((value) => value !== null);

/** Reads the document and the birth date. Both may be spread over several items of the list; the first item wins. */
function readDocument(items: PassengerFields['document'] = []): Pick<Person, 'document' | 'birthDate'> {
  let document: Document = {};
  for (const { docID, docType, docHolderNationality, expireDate } of items) {
    const fields = { number: docID, type: docType, nationality: docHolderNationality, expires: expireDate };
    document = { ...definedFields(fields), ...document };
  }
  const birthDate = items.find((item) => item.birthDate !== undefined)?.birthDate;
  return { document: Object.keys(document).length === 0 ? undefined : document, birthDate };
}

export const contactPerson = contactTraveler.transform((contact) => readPerson(contact));

/** The name of the comment that carries the pointer of an infant's adult. */
const ATTENDANT_COMMENT = 'attendantRph';

function readPerson(person: ContactFields | PassengerFields): Person {
  const { namePrefix, givenName, middleName, surname, nameSuffix } = person.personName;
  return definedFields({
    name: {
      prefix: withoutNulls(namePrefix),
      given: givenName,
      middle: withoutNulls(middleName),
      surname,
      suffix: withoutNulls(nameSuffix),
    },
    gender: person.gender,
    ...readDocument(person.document),
    emails: (person.email ?? []).map((email) => email.value),
    phones: (person.telephone ?? []).map(({ countryAccessCode, phoneNumber, phoneTechType }) => ({
      country: countryAccessCode,
      number: phoneNumber,
      technology: phoneTechType,
    })),
    addresses: (person.address ?? []).map(({ cityName, countryName }) => ({
      city: cityName,
      countryCode: countryName?.code,
      countryName: countryName?.value,
    })),
    comments: (person.comment ?? []).filter((comment) => comment.name !== ATTENDANT_COMMENT),
  });
}

function readTraveler(traveler: PassengerFields): Traveler {
  return definedFields({
    ...readPerson(traveler),
    ref: traveler.travelerRefNumber.rph,
    type: traveler.passengerTypeCode,
    segmentRefs: traveler.flightSegmentRPHs?.flightSegmentRPH ?? [],
    attendantRef: traveler.comment?.find((comment) => comment.name === ATTENDANT_COMMENT)?.value,
  });
}

/** The contact may stand anywhere among the passengers. A request names services at a traveller: they are for all segments. */
export const people = z
  .array(z.discriminatedUnion('passengerTypeCode', [contactTraveler, passenger]))
  .min(1)
  .transform((all) => {
    const passengers = all.filter((person) => person.passengerTypeCode !== 'CTC');
    return {
      contacts: all.filter((person) => person.passengerTypeCode === 'CTC').map(readPerson),
      travelers: passengers.map(readTraveler),
      services: passengers.flatMap(({ specialServiceRequests = [], travelerRefNumber: { rph } }) =>
        specialServiceRequests.map((service) => ({ ...readService(service), travelerRefs: [rph] })),
      ),
    };
  });
