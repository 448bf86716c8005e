/**
 * OTA_AirBookModifyRQ (docs/wire/interface.md, Changes; docs/wire/notes.md, Changes, Shapes sent). `airReservation` is
 * a copy of the reading, unknown fields too.
 */
import * as z from 'zod';
import type { AskedOption, Person, Service, Traveler } from '../record.ts';
import { type Dialect, given, type Wire } from '../wire.ts';
import { type Parsed, parse } from './parse.ts';
import { contactTraveler, copiedPeople, passenger, people, personOf, splitPeople, travelerOf } from './person.ts';
import { askedOptions, copiedItinerary, itinerarySchema, pointer } from './segment.ts';

const airReservation = z.looseObject({
  airItinerary: z.looseObject({}),
  travelerInfo: z.looseObject({ airTraveler: z.array(z.looseObject({ passengerTypeCode: z.string().min(1) })) }),
});

const requestOf = <T extends z.ZodType>(airBookModifyRQ: T) => z.object({ airReservation, airBookModifyRQ });
const modificationType = z.string();

const withPeople = <T extends z.ZodType>(airTraveler: T) =>
  requestOf(
    z.object({
      modificationType,
      travelerInfo: z.object({ airTraveler, specialReqDetails: z.array(z.unknown()).max(0).optional() }),
    }),
  );

const leaving = withPeople(copiedPeople);
const anyone = withPeople(people);
const passengers = withPeople(z.array(passenger).min(1));
const contact = withPeople(z.tuple([contactTraveler]));
const cancelled = requestOf(z.object({ modificationType, airItinerary: copiedItinerary }));
const rebooked = {
  rail: requestOf(z.object({ modificationType, airItinerary: itinerarySchema('rail') })),
  airline: requestOf(z.object({ modificationType, airItinerary: itinerarySchema('airline') })),
} as const;

const pointers = z.array(pointer).min(1);
const linked = { flightRefNumberRPHList: pointers, travelerRefNumberRPHList: pointers };

const special = requestOf(
  z.object({
    modificationType,
    travelerInfo: z.object({
      specialReqDetails: z.tuple([
        z
          .object({
            seatRequests: z
              .object({ seatRequest: z.array(z.object({ ...linked, seatNumber: z.string().min(1) })).min(1) })
              .optional(),
            specialServiceRequests: z
              .object({
                specialServiceRequest: z
                  .array(
                    z.object({
                      ...linked,
                      ssrCode: z.string().regex(/^[A-Z]{4}$/),
                      serviceQuantity: z.int().positive(),
                      status: z.literal('Requested'),
                      text: z.string().optional(),
                    }),
                  )
                  .min(1),
              })
              .optional(),
          })
          .refine(
            (it) => (it.seatRequests === undefined) !== (it.specialServiceRequests === undefined),
            'either seats or services',
          ),
      ]),
    }),
  }),
);

export interface SeatWish {
  readonly segmentRefs: readonly string[];
  readonly travelerRefs: readonly string[];
  readonly seat: string;
}

/** A passenger who leaves: its pointer, and what else was said of it. */
export interface Leaving {
  readonly ref: string;
  readonly type: string;
  readonly surname?: string;
}

export type Change =
  | { readonly kind: 'cancel_segments'; readonly options: readonly AskedOption[] }
  | { readonly kind: 'cancel_passengers'; readonly leaving: readonly Leaving[] }
  | { readonly kind: 'rename'; readonly contacts: readonly Person[]; readonly travelers: readonly Traveler[] }
  | { readonly kind: 'seats'; readonly wishes: readonly SeatWish[] }
  | { readonly kind: 'services'; readonly services: readonly Service[] }
  | { readonly kind: 'split'; readonly leaving: readonly Leaving[] }
  | { readonly kind: 'contact'; readonly contact: Person }
  | { readonly kind: 'passenger_info'; readonly travelers: readonly Traveler[] }
  | { readonly kind: 'rebook'; readonly options: readonly AskedOption[] };

function leavingOf(sent: z.output<typeof copiedPeople>): Leaving[] {
  return sent
    .filter((it) => it.passengerTypeCode !== 'CTC')
    .map((it) => {
      const name = z.looseObject({ surname: z.string() }).safeParse(it.personName);
      return {
        ref: it.travelerRefNumber?.rph ?? '',
        type: it.passengerTypeCode,
        ...(name.success && { surname: name.data.surname }),
      };
    });
}

function specialOf(sent: z.output<typeof special>): Change {
  const [details] = sent.airBookModifyRQ.travelerInfo.specialReqDetails;
  if (details.seatRequests !== undefined) {
    const wishes = details.seatRequests.seatRequest.map((it) => ({
      segmentRefs: it.flightRefNumberRPHList,
      travelerRefs: it.travelerRefNumberRPHList,
      seat: it.seatNumber,
    }));
    return { kind: 'seats', wishes };
  }
  const asked = details.specialServiceRequests?.specialServiceRequest ?? [];
  const services = asked.map(({ ssrCode, text, serviceQuantity, ...it }) =>
    given({
      code: ssrCode,
      text,
      quantity: serviceQuantity,
      segmentRefs: it.flightRefNumberRPHList,
      travelerRefs: it.travelerRefNumberRPHList,
    }),
  );
  return { kind: 'services', services };
}

const mapped = <A, B>({ value, unknown }: Parsed<A>, to: (value: A) => B): Parsed<B> => ({ value: to(value), unknown });

type Reader = (body: Wire, dialect: Dialect) => Parsed<Change>;

const rebook: Reader = (body, dialect) =>
  mapped(parse(rebooked[dialect], body), ({ airBookModifyRQ }) => ({
    kind: 'rebook',
    options: askedOptions(airBookModifyRQ.airItinerary),
  }));

const READERS: Readonly<Record<string, Reader>> = {
  '2': (body) =>
    mapped(parse(leaving, body), ({ airBookModifyRQ }) => ({
      kind: 'cancel_passengers',
      leaving: leavingOf(airBookModifyRQ.travelerInfo.airTraveler),
    })),
  '3': (body) =>
    mapped(parse(anyone, body), ({ airBookModifyRQ }) => {
      const sent = splitPeople(airBookModifyRQ.travelerInfo.airTraveler);
      return { kind: 'rename', contacts: sent.contacts.map(personOf), travelers: sent.passengers.map(travelerOf) };
    }),
  '5': (body) => mapped(parse(special, body), specialOf),
  '7': (body) =>
    mapped(parse(leaving, body), ({ airBookModifyRQ }) => ({
      kind: 'split',
      leaving: leavingOf(airBookModifyRQ.travelerInfo.airTraveler),
    })),
  '9': (body) =>
    mapped(parse(contact, body), ({ airBookModifyRQ }) => ({
      kind: 'contact',
      contact: personOf(airBookModifyRQ.travelerInfo.airTraveler[0]),
    })),
  '10': (body) =>
    mapped(parse(cancelled, body), ({ airBookModifyRQ }) => ({
      kind: 'cancel_segments',
      options: askedOptions(airBookModifyRQ.airItinerary),
    })),
  '20': rebook,
  '30': rebook,
  '40': (body) =>
    mapped(parse(passengers, body), ({ airBookModifyRQ }) => ({
      kind: 'passenger_info',
      travelers: airBookModifyRQ.travelerInfo.airTraveler.map(travelerOf),
    })),
};

const unknownType = requestOf(
  z.looseObject({ modificationType: z.enum(['2', '3', '5', '7', '9', '10', '20', '30', '40']) }),
);

/** Throws Refusal. */
export function readChange(body: Wire, type: unknown, dialect: Dialect): Parsed<Change> {
  const reader = typeof type === 'string' && Object.hasOwn(READERS, type) ? READERS[type] : undefined;
  if (reader !== undefined) return reader(body, dialect);
  parse(unknownType, body);
  throw new TypeError('every modification type has a reader');
}
