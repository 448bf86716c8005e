/**
 * Requests that are no change: fare search, booking by names or counts, price check, payment, reading, cancellation, seat
 * map (docs/wire/interface.md, OTA messages; docs/wire/notes.md, Shapes sent).
 */
import * as z from 'zod';
import type { AskedOption, AskedSegment, Counts, Person, Service, Traveler } from '../record.ts';
import { type Dialect, given } from '../wire.ts';
import { contactTraveler, copiedPeople, people, personOf, splitPeople, travelerOf } from './person.ts';
import { airport, askedOptions, askedSegment, copiedSegment, itinerarySchema, pointer, quantity } from './segment.ts';

const days = z.string().regex(/^P\d{1,3}D$/);

const passengerTypeQuantity = z
  .array(z.object({ code: z.enum(['ADT', 'CHD', 'INF']), quantity }))
  .min(1)
  .refine((lines) => new Set(lines.map((line) => line.code)).size === lines.length, 'a passenger type stands twice');

function countsOf(lines: z.output<typeof passengerTypeQuantity>): Counts {
  const of = (code: string): number => Number(lines.find((line) => line.code === code)?.quantity ?? 0);
  return { ADT: of('ADT'), CHD: of('CHD'), INF: of('INF') };
}

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

export const searchRequest = z.object({
  processingInfo: z.object({
    displayOrder: z.literal('BY_PRICE_LOW_TO_HIGH'),
    availabilityIndicator: z.boolean(),
  }),
  originDestinationInformation: z
    .array(
      z.object({
        originLocation: airport,
        destinationLocation: airport,
        departureDateTime: z.object({ value: z.iso.date(), windowBefore: days, windowAfter: days }),
      }),
    )
    .min(1),
  specificFlightInfo: z
    .object({ bookingClassPref: z.array(z.object({ resBookDesigCode: z.string().min(1) })).min(1) })
    .optional(),
  travelPreferences: z.object({ fareRestrictPref: z.object({ fareRestriction: z.enum(['OUT', 'IN']) }) }).optional(),
  travelerInfoSummary: z.object({ airTravelerAvail: z.tuple([z.object({ passengerTypeQuantity })]) }),
  availableFlightsOnly: z.boolean().optional(),
});

export interface SearchLeg {
  readonly from: string;
  readonly to: string;
  readonly date: string;
  readonly daysBefore: number;
  readonly daysAfter: number;
}

export interface Search {
  readonly legs: readonly SearchLeg[];
  readonly counts: Counts;
  readonly classes: readonly string[];
  readonly includesSoldOut: boolean;
}

const daysOf = (duration: string): number => Number(duration.slice(1, -1));

export function searchOf(sent: z.output<typeof searchRequest>): Search {
  return {
    legs: sent.originDestinationInformation.map(({ originLocation, destinationLocation, departureDateTime }) => ({
      from: originLocation.locationCode,
      to: destinationLocation.locationCode,
      date: departureDateTime.value,
      daysBefore: daysOf(departureDateTime.windowBefore),
      daysAfter: daysOf(departureDateTime.windowAfter),
    })),
    counts: countsOf(sent.travelerInfoSummary.airTravelerAvail[0].passengerTypeQuantity),
    classes: (sent.specificFlightInfo?.bookingClassPref ?? []).map((it) => it.resBookDesigCode),
    includesSoldOut: sent.availableFlightsOnly === false,
  };
}

const uniqueID = z.object({ id: z.string().min(1), type: z.literal('14') });

export const readRequest = z.object({
  readRequests: z.object({ readRequest: z.tuple([z.object({ uniqueID })]) }),
});

/** Most published requests say Commit, one says Cancel (docs/wire/notes.md, Contradictions). */
export const cancelRequest = z.object({
  cancelType: z.enum(['Commit', 'Cancel']),
  uniqueID: z.tuple([uniqueID]),
});

const companyName = z.object({ code: z.string().min(1), companyShortName: z.string().optional() });
const holder = z.tuple([z.object({ cardHolderName: z.string().min(1) })]);
const stated = { currencyCode: z.string().length(3), amount: z.number().positive() };
const maybeStated = { currencyCode: stated.currencyCode.optional(), amount: stated.amount.optional() };

const account = z.object({ paymentType: z.literal('4'), creditCardInfo: holder, ...maybeStated });
const byCode = z.object({
  paymentType: z.enum(['32', '40']),
  creditCardInfo: holder.optional(),
  ...maybeStated,
});

const PAYMENTS = {
  rail: z.discriminatedUnion('paymentType', [
    account,
    byCode,
    z.object({ paymentType: z.enum(['1', '5']), creditCardInfo: holder.optional(), ...maybeStated }),
  ]),
  airline: z.discriminatedUnion('paymentType', [
    account,
    byCode,
    z.object({ paymentType: z.literal('5'), creditCardInfo: holder, ...stated }),
    z.object({ paymentType: z.literal('1'), ...stated }),
  ]),
} as const;

const detail = <T extends z.ZodType>(payment: T) =>
  z.object({
    demandTicketDetail: z.object({
      messageFunction: z.tuple([z.object({ function: z.literal('ET') })]),
      bookingReferenceID: uniqueID.extend({ companyName: companyName.optional() }),
      paymentInfo: z.tuple([payment]),
    }),
  });

const paymentRequests = { rail: detail(PAYMENTS.rail), airline: detail(PAYMENTS.airline) } as const;

export const paymentRequest = (dialect: Dialect) => paymentRequests[dialect];

export interface Payment {
  readonly locator: string;
  readonly type: string;
  readonly company?: { readonly code: string; readonly companyShortName?: string };
  readonly holder?: string;
  readonly currency?: string;
  readonly amount?: number;
}

export function paymentOf(sent: z.output<(typeof paymentRequests)[Dialect]>): Payment {
  const { bookingReferenceID, paymentInfo } = sent.demandTicketDetail;
  const [payment] = paymentInfo;
  return given({
    locator: bookingReferenceID.id,
    type: payment.paymentType,
    company: bookingReferenceID.companyName === undefined ? undefined : given(bookingReferenceID.companyName),
    holder: 'creditCardInfo' in payment ? payment.creditCardInfo?.[0].cardHolderName : undefined,
    currency: payment.currencyCode,
    amount: payment.amount,
  });
}

export const seatMapRequest = z
  .object({
    seatMapRequests: z.object({
      seatMapRequest: z
        .array(z.object({ flightSegmentInfo: copiedSegment, travelerRefNumberRPHs: z.array(pointer).min(1) }))
        .min(1),
    }),
    airTravelers: z.object({ airTraveler: copiedPeople }),
    bookingReferenceID: z.array(z.looseObject({ id: z.string().min(1), type: z.literal('14') })).min(1),
  })
  .refine(({ seatMapRequests, airTravelers }) => {
    const known = new Set(airTravelers.airTraveler.map((it) => it.travelerRefNumber?.rph));
    return seatMapRequests.seatMapRequest.every((it) => it.travelerRefNumberRPHs.every((rph) => known.has(rph)));
  }, 'a traveller pointer is not among airTravelers');

export interface SeatMapQuery {
  readonly locator: string;
  readonly requests: readonly { readonly segment: AskedSegment; readonly travelerRefs: readonly string[] }[];
}

export function seatMapQueryOf(sent: z.output<typeof seatMapRequest>): SeatMapQuery {
  return {
    locator: sent.bookingReferenceID[0]?.id ?? '',
    requests: sent.seatMapRequests.seatMapRequest.map((it, i) => ({
      segment: askedSegment(it.flightSegmentInfo, i + 1),
      travelerRefs: it.travelerRefNumberRPHs,
    })),
  };
}
