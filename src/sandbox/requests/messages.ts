/**
 * Schemas and readers of all OTA requests but changes, which modify.ts has (docs/wire/interface.md, OTA messages;
 * docs/wire/notes.md, Shapes sent). A schema refuses what the airline would; a reader picks what an operation needs.
 */
import * as z from 'zod';
import type { Dialect } from '../wire.ts';
import {
  airItinerary,
  airport,
  contactTraveler,
  copiedPeople,
  copiedSegment,
  listOf,
  listOfOne,
  maybeText,
  passengerTypeQuantity,
  people,
  readCounts,
  readOptions,
  readPerson,
  readSegment,
  readTraveler,
  someText,
  splitPeople,
} from './fields.ts';

/** Days as an ISO 8601 duration: `P3D`. */
const dayCount = z.string().regex(/^P\d{1,3}D$/);
const partyFields = { passengerTypeQuantity };

export const searchRequest = z.object({
  processingInfo: z.object({ displayOrder: z.literal('BY_PRICE_LOW_TO_HIGH'), availabilityIndicator: z.boolean() }),
  originDestinationInformation: listOf({
    originLocation: airport,
    destinationLocation: airport,
    departureDateTime: z.object({ value: z.iso.date(), windowBefore: dayCount, windowAfter: dayCount }),
  }),
  specificFlightInfo: z.object({ bookingClassPref: listOf({ resBookDesigCode: someText }) }).optional(),
  travelPreferences: z.object({ fareRestrictPref: z.object({ fareRestriction: z.enum(['OUT', 'IN']) }) }).optional(),
  travelerInfoSummary: z.object({ airTravelerAvail: listOfOne(partyFields) }),
  availableFlightsOnly: z.boolean().optional(),
});

export function readSearch(request: z.output<typeof searchRequest>) {
  const countDays = (duration: string): number => Number(duration.slice(1, -1));
  return {
    legs: request.originDestinationInformation.map(({ originLocation, destinationLocation, departureDateTime }) => ({
      from: originLocation.locationCode,
      to: destinationLocation.locationCode,
      date: departureDateTime.value,
      daysBefore: countDays(departureDateTime.windowBefore),
      daysAfter: countDays(departureDateTime.windowAfter),
    })),
    counts: readCounts(request.travelerInfoSummary.airTravelerAvail[0].passengerTypeQuantity),
    classes: (request.specificFlightInfo?.bookingClassPref ?? []).map((preferred) => preferred.resBookDesigCode),
    includesSoldOut: request.availableFlightsOnly === false,
  };
}

export type Search = ReturnType<typeof readSearch>;
export type SearchLeg = Search['legs'][number];

const travelerInfo = z.object({ airTraveler: people });

export const bookRequests = {
  rail: z.object({ airItinerary: airItinerary.rail, travelerInfo }),
  airline: z.object({ airItinerary: airItinerary.airline, travelerInfo }),
} as const;

export function readNamedRequest(request: z.output<(typeof bookRequests)[Dialect]>) {
  const { contacts, passengers } = splitPeople(request.travelerInfo.airTraveler);
  return {
    options: readOptions(request.airItinerary),
    contacts: contacts.map(readPerson),
    travelers: passengers.map(readTraveler),
    /** The request names services at a traveller. They cover all segments. */
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

export type NamedRequest = ReturnType<typeof readNamedRequest>;

const railCounts = z.object({
  airItinerary: airItinerary.rail,
  bookingReferenceID: z.object({ type: z.literal('9'), id: someText }).optional(),
  travelerInfoSummary: z.object({
    pricingPref: listOfOne({ qualifier: z.literal('4'), _: maybeText }),
    airTravelerAvail: z.tuple([z.object(partyFields), z.object({ airTraveler: contactTraveler })]),
  }),
});

function readRailCounts(request: z.output<typeof railCounts>) {
  const [lines, { airTraveler }] = request.travelerInfoSummary.airTravelerAvail;
  return {
    options: readOptions(request.airItinerary),
    counts: readCounts(lines.passengerTypeQuantity),
    contact: readPerson(airTraveler),
    groupName: request.bookingReferenceID?.id,
  };
}

export type CountsRequest = ReturnType<typeof readRailCounts>;

const groupBooking = z.object({
  groupName: someText,
  contactInfo: z.object({
    personName: z.object({ givenName: someText, surname: someText }),
    telephone: z.object({ phoneNumber: someText }).optional(),
    email: someText,
  }),
});

const airlineCounts = z.object({
  airItinerary: airItinerary.airline,
  travelerInfoSummary: z.object({ airTravelerAvail: listOfOne(partyFields) }),
  priceRequestInformation: z.object({ tpa_Extensions: z.object({ groupBooking }) }),
});

function readAirlineCounts(request: z.output<typeof airlineCounts>): CountsRequest {
  const { groupName, contactInfo } = request.priceRequestInformation.tpa_Extensions.groupBooking;
  const { personName, telephone, email } = contactInfo;
  return {
    options: readOptions(request.airItinerary),
    counts: readCounts(request.travelerInfoSummary.airTravelerAvail[0].passengerTypeQuantity),
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

/** A booking by counts: its passengers are named later. */
export const countsRequests = { rail: railCounts, airline: airlineCounts };

export function readCountsRequest(request: z.output<(typeof countsRequests)[Dialect]>): CountsRequest {
  return 'priceRequestInformation' in request ? readAirlineCounts(request) : readRailCounts(request);
}

const reservationID = { id: someText, type: z.literal('14') };
const uniqueID = z.object(reservationID);

export const readRequest = z.object({ readRequests: z.object({ readRequest: listOfOne({ uniqueID }) }) });

/** Most published requests say Commit, one says Cancel (docs/wire/notes.md, Contradictions). */
export const cancelRequest = z.object({ cancelType: z.enum(['Commit', 'Cancel']), uniqueID: listOfOne(reservationID) });

const creditCardInfo = listOfOne({ cardHolderName: someText });
/** The amount of a payment that must state it, and of one that may. */
const amountFields = { currencyCode: z.string().length(3), amount: z.number().positive() };
const maybeAmount = { currencyCode: amountFields.currencyCode.optional(), amount: amountFields.amount.optional() };

// Payment types: docs/wire/interface.md, Payment.
const accountPayment = z.object({ paymentType: z.literal('4'), creditCardInfo, ...maybeAmount });
const maybeCard = { creditCardInfo: creditCardInfo.optional(), ...maybeAmount };
const codePayment = z.object({ paymentType: z.enum(['32', '40']), ...maybeCard });

const paymentWith = <T extends z.ZodType>(payment: T) =>
  z.object({
    demandTicketDetail: z.object({
      messageFunction: listOfOne({ function: z.literal('ET') }),
      bookingReferenceID: z.object({
        ...reservationID,
        companyName: z.object({ code: someText, companyShortName: maybeText }).optional(),
      }),
      paymentInfo: z.tuple([payment]),
    }),
  });

export const paymentRequests = {
  rail: paymentWith(
    z.discriminatedUnion('paymentType', [
      accountPayment,
      codePayment,
      z.object({ paymentType: z.enum(['1', '5']), ...maybeCard }),
    ]),
  ),
  airline: paymentWith(
    z.discriminatedUnion('paymentType', [
      accountPayment,
      codePayment,
      z.object({ paymentType: z.literal('5'), creditCardInfo, ...amountFields }),
      z.object({ paymentType: z.literal('1'), ...amountFields }),
    ]),
  ),
} as const;

export function readPayment(request: z.output<(typeof paymentRequests)[Dialect]>) {
  const { bookingReferenceID, paymentInfo } = request.demandTicketDetail;
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
      seatMapRequest: listOf({ flightSegmentInfo: copiedSegment, travelerRefNumberRPHs: z.array(someText).min(1) }),
    }),
    airTravelers: z.object({ airTraveler: copiedPeople }),
    bookingReferenceID: z.array(z.looseObject(reservationID)).min(1),
  })
  .refine(({ seatMapRequests, airTravelers }) => {
    const pointers = new Set(airTravelers.airTraveler.map((traveler) => traveler.travelerRefNumber?.rph));
    return seatMapRequests.seatMapRequest.every((item) => item.travelerRefNumberRPHs.every((rph) => pointers.has(rph)));
  }, 'a traveller pointer is not among airTravelers');

export function readSeatMapQuery(request: z.output<typeof seatMapRequest>) {
  return {
    locator: request.bookingReferenceID[0]?.id ?? '',
    requests: request.seatMapRequests.seatMapRequest.map(({ flightSegmentInfo, travelerRefNumberRPHs }, i) => ({
      segment: readSegment(flightSegmentInfo, i + 1),
      travelerRefs: travelerRefNumberRPHs,
    })),
  };
}

export type SeatMapQuery = ReturnType<typeof readSeatMapQuery>;
