/**
 * Schemas and readers of changes (OTA_AirBookModifyRQ; docs/wire/interface.md, Changes; docs/wire/notes.md, Changes).
 * Each carries `airReservation`, a copy of the reading with all of its fields.
 */
import * as z from 'zod';
import type { Service } from '../record.ts';
import {
  airItinerary,
  contactTraveler,
  copiedItinerary,
  copiedPeople,
  listOf,
  passenger,
  people,
  SERVICE_FIELDS,
  someText,
} from './fields.ts';

const airReservation = z.looseObject({
  airItinerary: z.looseObject({}),
  travelerInfo: z.looseObject({ airTraveler: z.array(z.looseObject({ passengerTypeCode: someText })) }),
});

const requestWith = <S extends z.ZodRawShape>(fields: S) =>
  z.object({ airReservation, airBookModifyRQ: z.object({ modificationType: z.string(), ...fields }) });

const withPeople = <T extends z.ZodType>(airTraveler: T) =>
  requestWith({ travelerInfo: z.object({ airTraveler, specialReqDetails: z.array(z.unknown()).max(0).optional() }) });

/** Passengers who leave the booking: cancelled or split off. */
export const leavingPassengersRequest = withPeople(copiedPeople);
/** Names of passengers, and the contact. */
export const namesRequest = withPeople(people);
/** Details of passengers, whose names stay. */
export const passengersRequest = withPeople(z.array(passenger).min(1));
export const contactRequest = withPeople(z.tuple([contactTraveler]));
export const cancelledOptionsRequest = requestWith({ airItinerary: copiedItinerary });
export const rebookRequests = {
  rail: requestWith({ airItinerary: airItinerary.rail }),
  airline: requestWith({ airItinerary: airItinerary.airline }),
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

export const seatsOrServicesRequest = requestWith({
  travelerInfo: z.object({ specialReqDetails: z.tuple([specialReqDetails]) }),
});

/** Only refuses: a request whose type is not among `types`, with the list of them. */
export const requestOfType = (types: readonly string[]) =>
  z.object({ airReservation, airBookModifyRQ: z.looseObject({ modificationType: z.enum(types) }) });

type SpecialRequests = z.output<typeof specialReqDetails>;

export function readSeatWishes({ seatRequest }: NonNullable<SpecialRequests['seatRequests']>) {
  return seatRequest.map((wish) => ({
    segmentRefs: wish.flightRefNumberRPHList,
    travelerRefs: wish.travelerRefNumberRPHList,
    seat: wish.seatNumber,
  }));
}

export type SeatWish = ReturnType<typeof readSeatWishes>[number];

export function readServices({ specialServiceRequests }: SpecialRequests): Service[] {
  return (specialServiceRequests?.specialServiceRequest ?? []).map((service) => ({
    code: service.ssrCode,
    text: service.text,
    quantity: service.serviceQuantity,
    segmentRefs: service.flightRefNumberRPHList,
    travelerRefs: service.travelerRefNumberRPHList,
  }));
}

/** Passengers who leave: their pointers, and what else was said of them. */
export function readLeavingPassengers(travelers: z.output<typeof copiedPeople>) {
  return travelers
    .filter((person) => person.passengerTypeCode !== 'CTC')
    .map((person) => ({
      ref: person.travelerRefNumber?.rph ?? '',
      type: person.passengerTypeCode,
      surname: z.looseObject({ surname: z.string() }).safeParse(person.personName).data?.surname,
    }));
}

export type LeavingPassenger = ReturnType<typeof readLeavingPassengers>[number];
