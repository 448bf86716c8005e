/**
 * Requests that make a booking: OTA_AirBookRQ by names, OTA_AirPriceRQ by counts, and the price check
 * (docs/wire/interface.md, Booking by names; docs/wire/notes.md, Shapes sent).
 */
import * as z from 'zod';
import type { Dialect } from '../dialects.ts';
import type { AskedOption, Counts, Person, Service, Traveler } from '../model.ts';
import { given } from '../wire.ts';
import { contactTraveler, people, personOf, splitPeople, travelerOf } from './person.ts';
import { countsOf, passengerTypeQuantity } from './search.ts';
import { askedOptions, itinerarySchema } from './segment.ts';

const bookRequests = {
  rail: z.object({ airItinerary: itinerarySchema('rail'), travelerInfo: z.object({ airTraveler: people }) }),
  airline: z.object({ airItinerary: itinerarySchema('airline'), travelerInfo: z.object({ airTraveler: people }) }),
} as const;

export const bookRequest = (dialect: Dialect) => bookRequests[dialect];

export interface NamedRequest {
  readonly options: readonly AskedOption[];
  readonly contacts: readonly Person[];
  readonly travelers: readonly Traveler[];
  /** Services asked for on a traveller, for all of its segments. */
  readonly services: readonly Omit<Service, 'segmentRefs'>[];
}

export function namedRequestOf(sent: z.output<(typeof bookRequests)[Dialect]>): NamedRequest {
  const { contacts, passengers } = splitPeople(sent.travelerInfo.airTraveler);
  return {
    options: askedOptions(sent.airItinerary),
    contacts: contacts.map(personOf),
    travelers: passengers.map(travelerOf),
    services: passengers.flatMap((passenger) =>
      (passenger.specialServiceRequests ?? []).map(({ ssrCode, text, serviceQuantity }) =>
        given({ code: ssrCode, text, quantity: serviceQuantity, travelerRefs: [passenger.travelerRefNumber.rph] }),
      ),
    ),
  };
}

/** What a message of the price operation is, by its qualifier: 4 books (rail), 5 prices. */
export function isPriceCheck(body: unknown): boolean {
  const summary = z
    .looseObject({
      travelerInfoSummary: z.looseObject({ pricingPref: z.array(z.looseObject({ qualifier: z.literal('5') })) }),
    })
    .safeParse(body);
  return summary.success;
}

const party = z.object({ passengerTypeQuantity });

const priceCheckOf = (dialect: Dialect) =>
  z.object({
    airItinerary: itinerarySchema(dialect),
    travelerInfoSummary: z.object({
      pricingPref: z.tuple([z.object({ type: z.literal('5'), qualifier: z.literal('5') })]),
      airTravelerAvail: z.tuple([party]),
    }),
  });

const priceChecks = { rail: priceCheckOf('rail'), airline: priceCheckOf('airline') } as const;

export const priceCheckRequest = (dialect: Dialect) => priceChecks[dialect];

export interface PriceCheck {
  readonly options: readonly AskedOption[];
  readonly counts: Counts;
}

export function priceCheckFrom(sent: z.output<(typeof priceChecks)[Dialect]>): PriceCheck {
  return {
    options: askedOptions(sent.airItinerary),
    counts: countsOf(sent.travelerInfoSummary.airTravelerAvail[0].passengerTypeQuantity),
  };
}

export interface CountsRequest extends PriceCheck {
  readonly contact: Person;
  readonly groupName?: string;
}

export const railCounts = z.object({
  airItinerary: itinerarySchema('rail'),
  bookingReferenceID: z.object({ type: z.literal('9'), id: z.string().min(1) }).optional(),
  travelerInfoSummary: z.object({
    pricingPref: z.tuple([z.object({ qualifier: z.literal('4'), _: z.string().optional() })]),
    airTravelerAvail: z.tuple([party, z.object({ airTraveler: contactTraveler })]),
  }),
});

export function railCountsOf(sent: z.output<typeof railCounts>): CountsRequest {
  const [lines, { airTraveler }] = sent.travelerInfoSummary.airTravelerAvail;
  return given({
    options: askedOptions(sent.airItinerary),
    counts: countsOf(lines.passengerTypeQuantity),
    contact: personOf(airTraveler),
    groupName: sent.bookingReferenceID?.id,
  });
}

export const airlineCounts = z.object({
  airItinerary: itinerarySchema('airline'),
  travelerInfoSummary: z.object({ airTravelerAvail: z.tuple([party]) }),
  priceRequestInformation: z.object({
    tpa_Extensions: z.object({
      groupBooking: z.object({
        groupName: z.string().min(1),
        contactInfo: z.object({
          personName: z.object({ givenName: z.string().min(1), surname: z.string().min(1) }),
          telephone: z.object({ phoneNumber: z.string().min(1) }).optional(),
          email: z.string().min(1),
        }),
      }),
    }),
  }),
});

export function airlineCountsOf(sent: z.output<typeof airlineCounts>): CountsRequest {
  const { groupName, contactInfo } = sent.priceRequestInformation.tpa_Extensions.groupBooking;
  const { personName, telephone, email } = contactInfo;
  return {
    options: askedOptions(sent.airItinerary),
    counts: countsOf(sent.travelerInfoSummary.airTravelerAvail[0].passengerTypeQuantity),
    contact: {
      name: { prefix: [], given: [personName.givenName], middle: [], surname: personName.surname, suffix: [] },
      emails: [email],
      phones: telephone === undefined ? [] : [{ number: telephone.phoneNumber }],
      addresses: [],
      comments: [],
    },
    groupName,
  };
}
