/**
 * Schemas of changes (OTA_AirBookModifyRQ; docs/wire/interface.md, Changes; docs/wire/notes.md, Changes).
 * Each carries `airReservation`, a copy of the reading with all of its fields; the check of the copy comes last.
 */
import * as z from 'zod';
import { Refusal } from '../refusal.ts';
import { isRecord, type Wire } from '../wire.ts';
import {
  airItinerary,
  copiedItinerary,
  copiedPeople,
  listOf,
  people,
  readService,
  SERVICE_FIELDS,
  someText,
} from './fields.ts';

/** OpenTravel's type of a reservation's reference. */
export const RESERVATION_ID = '14';
/** The form of the reservation system's locators. The operating airline's are longer. */
const SYSTEM_LOCATOR = /^[A-Z0-9]{6}$/;
/** Fields that change with the clock: allowed operations and seats left. */
const CHANGING_FIELDS = new Set(['operations', 'bookingClassAvails']);

const airReservation = z.looseObject({
  airItinerary: z.looseObject({}),
  travelerInfo: z.looseObject({ airTraveler: z.array(z.looseObject({ passengerTypeCode: someText })) }),
});

const requestWith = <S extends z.ZodRawShape>(fields: S) =>
  z.object({ airReservation, airBookModifyRQ: z.object({ modificationType: z.string(), ...fields }) });

const noDetails = { specialReqDetails: z.array(z.unknown()).max(0).optional() };

const leavingPassengers = copiedPeople.transform((travelers) =>
  travelers
    .filter((person) => person.passengerTypeCode !== 'CTC')
    .map((person) => ({
      ref: person.travelerRefNumber?.rph ?? '',
      type: person.passengerTypeCode,
      surname: z.looseObject({ surname: z.string() }).safeParse(person.personName).data?.surname,
    })),
);

/** Passengers who leave the booking, cancelled or split off: their pointers, and type and surname to compare with the booking's. */
export const leavingPassengersRequest = requestWith({
  travelerInfo: z.object({ airTraveler: leavingPassengers, ...noDetails }),
}).transform(({ airBookModifyRQ }) => airBookModifyRQ.travelerInfo.airTraveler);

export type LeavingPassenger = z.output<typeof leavingPassengersRequest>[number];

/** Names or details of passengers, and the contact. */
export const peopleRequest = requestWith({
  travelerInfo: z.object({ airTraveler: people, ...noDetails }),
}).transform(({ airBookModifyRQ }) => airBookModifyRQ.travelerInfo.airTraveler);

const optionsRequest = (itinerary: typeof copiedItinerary) =>
  requestWith({ airItinerary: itinerary }).transform(({ airBookModifyRQ }) => airBookModifyRQ.airItinerary);

export const cancelledOptionsRequest = optionsRequest(copiedItinerary);
export const rebookRequests = {
  rail: optionsRequest(airItinerary.rail),
  airline: optionsRequest(airItinerary.airline),
} as const;

const pointers = z.array(someText).min(1);
const pointerLists = { flightRefNumberRPHList: pointers, travelerRefNumberRPHList: pointers };

const specialReqDetails = z
  .object({
    seatRequests: z.object({ seatRequest: listOf({ ...pointerLists, seatNumber: someText }) }).optional(),
    specialServiceRequests: z
      .object({ specialServiceRequest: listOf({ ...pointerLists, ...SERVICE_FIELDS }) })
      .optional(),
  })
  .refine(
    (details) => (details.seatRequests === undefined) !== (details.specialServiceRequests === undefined),
    'either seats or services',
  );

/** Seats that travellers wish, or services; the other list is empty. */
export const seatsOrServicesRequest = requestWith({
  travelerInfo: z.object({ specialReqDetails: z.tuple([specialReqDetails]) }),
}).transform(({ airBookModifyRQ }) => {
  const [{ seatRequests, specialServiceRequests }] = airBookModifyRQ.travelerInfo.specialReqDetails;
  return {
    seats: (seatRequests?.seatRequest ?? []).map((wish) => ({
      segmentRefs: wish.flightRefNumberRPHList,
      travelerRefs: wish.travelerRefNumberRPHList,
      seat: wish.seatNumber,
    })),
    services: (specialServiceRequests?.specialServiceRequest ?? []).map((service) => ({
      ...readService(service),
      segmentRefs: service.flightRefNumberRPHList,
      travelerRefs: service.travelerRefNumberRPHList,
    })),
  };
});

export type SeatWish = z.output<typeof seatsOrServicesRequest>['seats'][number];

/** Makes a schema that refuses every type but `types`, and names them. It does not check the rest of a change. */
export const requestOfType = (types: readonly string[]) =>
  z.object({ airReservation, airBookModifyRQ: z.looseObject({ modificationType: z.enum(types) }) });

/** Finds the reservation system's locator in a copy of the reading. Throws 87 if it has none. */
export function locatorIn(reservation: unknown): string {
  const references = isRecord(reservation) ? reservation.bookingReferenceID : undefined;
  const referenceList: readonly unknown[] = Array.isArray(references) ? references : [references];
  const ids = referenceList.flatMap((reference) =>
    isRecord(reference) && reference.type === RESERVATION_ID && typeof reference.id === 'string' ? [reference.id] : [],
  );
  const locator = ids.find((id) => SYSTEM_LOCATOR.test(id)) ?? ids[0];
  if (locator === undefined) throw new Refusal('87', '$.airReservation.bookingReferenceID');

  return locator;
}

/** Compares the request's copy with the reading. Throws 320 with the path of the first difference. */
export function checkCopiedReading(reading: unknown, copy: unknown, { isNameChange }: { isNameChange: boolean }): void {
  // Two published changes of names leave the prices out (docs/wire/notes.md, Shapes sent).
  const isShort = isNameChange && isRecord(copy) && copy.priceInfo === undefined;
  const expected = isShort && isRecord(reading) ? { ...reading, priceInfo: undefined } : reading;
  const difference = firstDifference(expected, copy, '$.airReservation');
  if (difference !== undefined) throw new Refusal('320', `${difference}: not as in the last read of the booking`);
}

/** Lists the fields to compare: those with a value that is the same whenever the booking is read. */
function presentKeys(value: Wire): string[] {
  return Object.keys(value).filter((key) => {
    const field = value[key];
    return !CHANGING_FIELDS.has(key) && field !== undefined && !(isRecord(field) && presentKeys(field).length === 0);
  });
}

/** Removes the origin of download addresses, because it names the process that answered. */
function comparable(value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll(/https?:\/\/[^/\s]+\//g, '/') : value;
}

/** Returns the path of the first value that differs. */
function firstDifference(expected: unknown, copy: unknown, path: string): string | undefined {
  if (Array.isArray(expected) && Array.isArray(copy)) {
    if (expected.length !== copy.length) return path;
    for (const [i, item] of expected.entries()) {
      const difference = firstDifference(item, copy[i], `${path}[${i}]`);
      if (difference !== undefined) return difference;
    }
    return undefined;
  }
  if (!isRecord(expected) || !isRecord(copy)) return comparable(expected) === comparable(copy) ? undefined : path;

  for (const key of new Set([...presentKeys(expected), ...presentKeys(copy)])) {
    const difference = firstDifference(expected[key], copy[key], `${path}.${key}`);
    if (difference !== undefined) return difference;
  }

  return undefined;
}
