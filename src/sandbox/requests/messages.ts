/**
 * Requests that are no change: fare search, booking by names or counts, price check, payment, reading, cancellation, seat
 * map (docs/wire/interface.md, OTA messages; docs/wire/notes.md, Shapes sent).
 */
import * as z from 'zod';
import type { Dialect } from '../wire.ts';
import {
  airItinerary,
  airport,
  contactTraveler,
  copiedPeople,
  copiedSegment,
  nonEmpty,
  passengerTypeQuantity,
  people,
  readCounts,
  readOptions,
  readPerson,
  readSegment,
  readTraveler,
  single,
  splitPeople,
  text,
  word,
} from './fields.ts';

/** A number of days as a duration: `P3D`. */
const days = z.string().regex(/^P\d{1,3}D$/);
const party = { passengerTypeQuantity };

export const searchRequest = z.object({
  processingInfo: z.object({
    displayOrder: z.literal('BY_PRICE_LOW_TO_HIGH'),
    availabilityIndicator: z.boolean(),
  }),
  originDestinationInformation: nonEmpty({
    originLocation: airport,
    destinationLocation: airport,
    departureDateTime: z.object({ value: z.iso.date(), windowBefore: days, windowAfter: days }),
  }),
  specificFlightInfo: z.object({ bookingClassPref: nonEmpty({ resBookDesigCode: word }) }).optional(),
  travelPreferences: z.object({ fareRestrictPref: z.object({ fareRestriction: z.enum(['OUT', 'IN']) }) }).optional(),
  travelerInfoSummary: z.object({ airTravelerAvail: single(party) }),
  availableFlightsOnly: z.boolean().optional(),
});

export function readSearch(sent: z.output<typeof searchRequest>) {
  const count = (duration: string): number => Number(duration.slice(1, -1));
  return {
    legs: sent.originDestinationInformation.map(({ originLocation, destinationLocation, departureDateTime }) => ({
      from: originLocation.locationCode,
      to: destinationLocation.locationCode,
      date: departureDateTime.value,
      daysBefore: count(departureDateTime.windowBefore),
      daysAfter: count(departureDateTime.windowAfter),
    })),
    counts: readCounts(sent.travelerInfoSummary.airTravelerAvail[0].passengerTypeQuantity),
    classes: (sent.specificFlightInfo?.bookingClassPref ?? []).map((preferred) => preferred.resBookDesigCode),
    includesSoldOut: sent.availableFlightsOnly === false,
  };
}

export type Search = ReturnType<typeof readSearch>;
export type SearchLeg = Search['legs'][number];

const travelerInfo = z.object({ airTraveler: people });

export const bookRequests = {
  rail: z.object({ airItinerary: airItinerary.rail, travelerInfo }),
  airline: z.object({ airItinerary: airItinerary.airline, travelerInfo }),
} as const;

export function readNamed(sent: z.output<(typeof bookRequests)[Dialect]>) {
  const { contacts, passengers } = splitPeople(sent.travelerInfo.airTraveler);
  return {
    options: readOptions(sent.airItinerary),
    contacts: contacts.map(readPerson),
    travelers: passengers.map(readTraveler),
    /** Asked for on a traveller, for all of its segments. */
    services: passengers.flatMap(({ specialServiceRequests = [], travelerRefNumber }) =>
      specialServiceRequests.map(({ ssrCode, text, serviceQuantity }) => ({
        code: ssrCode,
        text,
        quantity: serviceQuantity,
        travelerRefs: [travelerRefNumber.rph],
      })),
    ),
  };
}

export type NamedRequest = ReturnType<typeof readNamed>;

/** What a message of the price operation is, by its qualifier: 4 books (rail), 5 prices. */
export function isPriceCheck(body: unknown): boolean {
  const pricingPref = z.array(z.looseObject({ qualifier: z.literal('5') }));
  return z.looseObject({ travelerInfoSummary: z.looseObject({ pricingPref }) }).safeParse(body).success;
}

const pricedParty = z.object({
  pricingPref: single({ type: z.literal('5'), qualifier: z.literal('5') }),
  airTravelerAvail: single(party),
});

export const priceChecks = {
  rail: z.object({ airItinerary: airItinerary.rail, travelerInfoSummary: pricedParty }),
  airline: z.object({ airItinerary: airItinerary.airline, travelerInfoSummary: pricedParty }),
} as const;

export function readPriceCheck(sent: z.output<(typeof priceChecks)[Dialect]>) {
  return {
    options: readOptions(sent.airItinerary),
    counts: readCounts(sent.travelerInfoSummary.airTravelerAvail[0].passengerTypeQuantity),
  };
}

export type PriceCheck = ReturnType<typeof readPriceCheck>;

const railCounts = z.object({
  airItinerary: airItinerary.rail,
  bookingReferenceID: z.object({ type: z.literal('9'), id: word }).optional(),
  travelerInfoSummary: z.object({
    pricingPref: single({ qualifier: z.literal('4'), _: text }),
    airTravelerAvail: z.tuple([z.object(party), z.object({ airTraveler: contactTraveler })]),
  }),
});

function readRailCounts(sent: z.output<typeof railCounts>) {
  const [lines, { airTraveler }] = sent.travelerInfoSummary.airTravelerAvail;
  return {
    options: readOptions(sent.airItinerary),
    counts: readCounts(lines.passengerTypeQuantity),
    contact: readPerson(airTraveler),
    groupName: sent.bookingReferenceID?.id,
  };
}

export type CountsRequest = ReturnType<typeof readRailCounts>;

const groupBooking = z.object({
  groupName: word,
  contactInfo: z.object({
    personName: z.object({ givenName: word, surname: word }),
    telephone: z.object({ phoneNumber: word }).optional(),
    email: word,
  }),
});

const airlineCounts = z.object({
  airItinerary: airItinerary.airline,
  travelerInfoSummary: z.object({ airTravelerAvail: single(party) }),
  priceRequestInformation: z.object({ tpa_Extensions: z.object({ groupBooking }) }),
});

function readAirlineCounts(sent: z.output<typeof airlineCounts>): CountsRequest {
  const { groupName, contactInfo } = sent.priceRequestInformation.tpa_Extensions.groupBooking;
  const { personName, telephone, email } = contactInfo;
  return {
    options: readOptions(sent.airItinerary),
    counts: readCounts(sent.travelerInfoSummary.airTravelerAvail[0].passengerTypeQuantity),
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

/** A booking by counts, whose passengers are named later. */
export const countsRequests = { rail: railCounts, airline: airlineCounts };

export function readCountsRequest(sent: z.output<(typeof countsRequests)[Dialect]>): CountsRequest {
  return 'priceRequestInformation' in sent ? readAirlineCounts(sent) : readRailCounts(sent);
}

const reservation = { id: word, type: z.literal('14') };
const uniqueID = z.object(reservation);

export const readRequest = z.object({ readRequests: z.object({ readRequest: single({ uniqueID }) }) });

/** Most published requests say Commit, one says Cancel (docs/wire/notes.md, Contradictions). */
export const cancelRequest = z.object({ cancelType: z.enum(['Commit', 'Cancel']), uniqueID: single(reservation) });

const creditCardInfo = single({ cardHolderName: word });
/** A payment that names its sum, and one that may. */
const stated = { currencyCode: z.string().length(3), amount: z.number().positive() };
const maybeStated = { currencyCode: stated.currencyCode.optional(), amount: stated.amount.optional() };

// Payment types: docs/wire/interface.md, Payment.
const account = z.object({ paymentType: z.literal('4'), creditCardInfo, ...maybeStated });
const maybeCard = { creditCardInfo: creditCardInfo.optional(), ...maybeStated };
const byCode = z.object({ paymentType: z.enum(['32', '40']), ...maybeCard });

const paymentWith = <T extends z.ZodType>(payment: T) =>
  z.object({
    demandTicketDetail: z.object({
      messageFunction: single({ function: z.literal('ET') }),
      bookingReferenceID: z.object({
        ...reservation,
        companyName: z.object({ code: word, companyShortName: text }).optional(),
      }),
      paymentInfo: z.tuple([payment]),
    }),
  });

export const paymentRequests = {
  rail: paymentWith(
    z.discriminatedUnion('paymentType', [account, byCode, z.object({ paymentType: z.enum(['1', '5']), ...maybeCard })]),
  ),
  airline: paymentWith(
    z.discriminatedUnion('paymentType', [
      account,
      byCode,
      z.object({ paymentType: z.literal('5'), creditCardInfo, ...stated }),
      z.object({ paymentType: z.literal('1'), ...stated }),
    ]),
  ),
} as const;

export function readPayment(sent: z.output<(typeof paymentRequests)[Dialect]>) {
  const { bookingReferenceID, paymentInfo } = sent.demandTicketDetail;
  const [payment] = paymentInfo;
  return {
    locator: bookingReferenceID.id,
    type: payment.paymentType,
    company: bookingReferenceID.companyName,
    holder: 'creditCardInfo' in payment ? payment.creditCardInfo?.[0].cardHolderName : undefined,
    currency: payment.currencyCode,
    amount: payment.amount,
  };
}

export type Payment = ReturnType<typeof readPayment>;

export const seatMapRequest = z
  .object({
    seatMapRequests: z.object({
      seatMapRequest: nonEmpty({ flightSegmentInfo: copiedSegment, travelerRefNumberRPHs: z.array(word).min(1) }),
    }),
    airTravelers: z.object({ airTraveler: copiedPeople }),
    bookingReferenceID: z.array(z.looseObject(reservation)).min(1),
  })
  .refine(({ seatMapRequests, airTravelers }) => {
    const pointers = new Set(airTravelers.airTraveler.map((traveler) => traveler.travelerRefNumber?.rph));
    return seatMapRequests.seatMapRequest.every((asked) =>
      asked.travelerRefNumberRPHs.every((rph) => pointers.has(rph)),
    );
  }, 'a traveller pointer is not among airTravelers');

export function readSeatMapQuery(sent: z.output<typeof seatMapRequest>) {
  return {
    locator: sent.bookingReferenceID[0]?.id ?? '',
    requests: sent.seatMapRequests.seatMapRequest.map(({ flightSegmentInfo, travelerRefNumberRPHs }, i) => ({
      segment: readSegment(flightSegmentInfo, i + 1),
      travelerRefs: travelerRefNumberRPHs,
    })),
  };
}

export type SeatMapQuery = ReturnType<typeof readSeatMapQuery>;
