/**
 * Schemas of all OTA requests but changes, which modify.ts has (docs/wire/interface.md, OTA messages; docs/wire/notes.md, Shapes
 * sent). A schema refuses what the airline would, and picks what an operation needs.
 */
import * as z from 'zod';
import {
  airItinerary,
  airport,
  contactPerson,
  copiedPeople,
  copiedSegment,
  listOf,
  listOfOne,
  maybeText,
  passengerTypeQuantity,
  people,
  readSegment,
  someText,
} from './fields.ts';

/** Days as an ISO 8601 duration: `P3D`. */
const dayCount = z
  .string()
  .regex(/^P\d{1,3}D$/)
  .transform((duration) => Number(duration.slice(1, -1)));
const partyFields = { passengerTypeQuantity };

export const searchRequest = z
  .object({
    processingInfo: z.object({ displayOrder: z.literal('BY_PRICE_LOW_TO_HIGH'), availabilityIndicator: z.boolean() }),
    originDestinationInformation: listOf({
      originLocation: airport,
      destinationLocation: airport,
      departureDateTime: z.object({ value: z.iso.date(), windowBefore: dayCount, windowAfter: dayCount }),
    }),
    specificFlightInfo: z.object({ bookingClassPref: listOf({ resBookDesigCode: someText }) }).optional(),
    travelerInfoSummary: z.object({ airTravelerAvail: listOfOne(partyFields) }),
    availableFlightsOnly: z.boolean().optional(),
  })
  .transform((request) => ({
    legs: request.originDestinationInformation.map(({ originLocation, destinationLocation, departureDateTime }) => ({
      from: originLocation.locationCode,
      to: destinationLocation.locationCode,
      date: departureDateTime.value,
      daysBefore: departureDateTime.windowBefore,
      daysAfter: departureDateTime.windowAfter,
    })),
    counts: request.travelerInfoSummary.airTravelerAvail[0].passengerTypeQuantity,
    classes: (request.specificFlightInfo?.bookingClassPref ?? []).map((preferred) => preferred.resBookDesigCode),
    // A search that names it gets the availability record.
    wantsRecord: request.availableFlightsOnly !== undefined,
    includesSoldOut: request.availableFlightsOnly === false,
  }));

export type Search = z.output<typeof searchRequest>;
export type SearchLeg = Search['legs'][number];

const travelerInfo = z.object({ airTraveler: people });
const bookRequest = (itinerary: (typeof airItinerary)['rail']) =>
  z
    .object({ airItinerary: itinerary, travelerInfo })
    .transform((request) => ({ options: request.airItinerary, ...request.travelerInfo.airTraveler }));

export const bookRequests = {
  rail: bookRequest(airItinerary.rail),
  airline: bookRequest(airItinerary.airline),
} as const;

export type NamedRequest = z.output<typeof bookRequests.rail>;

const railCounts = z
  .object({
    airItinerary: airItinerary.rail,
    bookingReferenceID: z.object({ type: z.literal('9'), id: someText }).optional(),
    travelerInfoSummary: z.object({
      pricingPref: listOfOne({ qualifier: z.literal('4') }),
      airTravelerAvail: z.tuple([z.object(partyFields), z.object({ airTraveler: contactPerson })]),
    }),
  })
  .transform((request) => {
    const [lines, { airTraveler }] = request.travelerInfoSummary.airTravelerAvail;
    return {
      options: request.airItinerary,
      counts: lines.passengerTypeQuantity,
      contact: airTraveler,
      groupName: request.bookingReferenceID?.id,
    };
  });

export type CountsRequest = z.output<typeof railCounts>;

const groupBooking = z.object({
  groupName: someText,
  contactInfo: z.object({
    personName: z.object({ givenName: someText, surname: someText }),
    telephone: z.object({ phoneNumber: someText }).optional(),
    email: someText,
  }),
});

const airlineCounts = z
  .object({
    airItinerary: airItinerary.airline,
    travelerInfoSummary: z.object({ airTravelerAvail: listOfOne(partyFields) }),
    priceRequestInformation: z.object({ tpa_Extensions: z.object({ groupBooking }) }),
  })
  .transform((request): CountsRequest => {
    const { groupName, contactInfo } = request.priceRequestInformation.tpa_Extensions.groupBooking;
    const { personName, telephone, email } = contactInfo;

    return {
      options: request.airItinerary,
      counts: request.travelerInfoSummary.airTravelerAvail[0].passengerTypeQuantity,
      contact: {
        name: { prefix: [], given: [personName.givenName], middle: [], surname: personName.surname, suffix: [] },
        emails: [email],
        phones: telephone === undefined ? [] : [{ number: telephone.phoneNumber }],
        addresses: [],
        comments: [],
      },
      groupName,
    };
  });

/** A booking by counts: its passengers are named later. */
export const countsRequests = { rail: railCounts, airline: airlineCounts };

const reservationID = { id: someText, type: z.literal('14') };
const uniqueID = z.object(reservationID);

/** The locator of the booking to read. */
export const readRequest = z
  .object({ readRequests: z.object({ readRequest: listOfOne({ uniqueID }) }) })
  .transform(({ readRequests }) => readRequests.readRequest[0].uniqueID.id);

/** Most published requests say Commit, one says Cancel (docs/wire/notes.md, Contradictions). */
export const cancelRequest = z
  .object({ cancelType: z.enum(['Commit', 'Cancel']), uniqueID: listOfOne(reservationID) })
  .transform((request) => request.uniqueID[0].id);

const creditCardInfo = listOfOne({ cardHolderName: someText });
/** The amount of a payment that must state it, and of one that may. */
const amountFields = { currencyCode: z.string().length(3), amount: z.number().positive() };
const maybeAmount = { currencyCode: amountFields.currencyCode.optional(), amount: amountFields.amount.optional() };

// Payment types: docs/wire/interface.md, Payment.
const accountPayment = z.object({ paymentType: z.literal('4'), creditCardInfo, ...maybeAmount });
const maybeCard = { creditCardInfo: creditCardInfo.optional(), ...maybeAmount };
const codePayment = z.object({ paymentType: z.enum(['32', '40']), ...maybeCard });

interface PaymentFields {
  readonly paymentType: string;
  readonly creditCardInfo?: readonly [{ readonly cardHolderName: string }] | undefined;
  readonly currencyCode?: string | undefined;
  readonly amount?: number | undefined;
}

const paymentWith = (payment: z.ZodType<PaymentFields>) =>
  z
    .object({
      demandTicketDetail: z.object({
        messageFunction: listOfOne({ function: z.literal('ET') }),
        bookingReferenceID: z.object({
          ...reservationID,
          companyName: z.object({ code: someText, companyShortName: maybeText }).optional(),
        }),
        paymentInfo: z.tuple([payment]),
      }),
    })
    .transform(({ demandTicketDetail: { bookingReferenceID, paymentInfo } }) => ({
      locator: bookingReferenceID.id,
      type: paymentInfo[0].paymentType,
      company: bookingReferenceID.companyName,
      holder: paymentInfo[0].creditCardInfo?.[0].cardHolderName,
      currency: paymentInfo[0].currencyCode,
      amount: paymentInfo[0].amount,
    }));

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

export type Payment = z.output<typeof paymentRequests.rail>;

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
  }, 'a traveller pointer is not among airTravelers')
  .transform((request) => ({
    locator: request.bookingReferenceID[0]?.id ?? '',
    requests: request.seatMapRequests.seatMapRequest.map(({ flightSegmentInfo, travelerRefNumberRPHs }, i) => ({
      segment: readSegment(flightSegmentInfo, i + 1),
      travelerRefs: travelerRefNumberRPHs,
    })),
  }));

export type SeatMapQuery = z.output<typeof seatMapRequest>;
