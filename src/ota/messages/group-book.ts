/**
 * Booking from passenger counts plus a contact (docs/wire/interface.md, Booking by counts; docs/wire/notes.md,
 * Addressing, Shapes sent). The message name is an operator's setting; this is its default.
 */
import * as z from 'zod';
import type { Booking, Ticket } from '../../domain/booking/booking.ts';
import type { NewGroupBooking } from '../../domain/booking/booking-requests.ts';
import type { Offer, PassengerCounts } from '../../domain/pricing/fare-search.ts';
import { earliest, instantOf } from '../../domain/time-and-text/times.ts';
import { inputError } from '../../errors.ts';
import { passengerTypeQuantity, writeCounts } from './parts/passenger-counts.ts';
import { readPricedItineraries } from './parts/priced-itinerary.ts';
import {
  defined,
  only,
  readPointer,
  readTime,
  record,
  records,
  replyBody,
  replyError,
  type Wire,
} from './parts/reader.ts';
import { GROUP, locatorOf, RESERVATION, readReferences } from './parts/references.ts';
import { readOptions } from './parts/segment.ts';
import {
  airItinerary,
  airlineItinerary,
  airlineRequestItinerary,
  type RequestForm,
  requestItinerary,
} from './parts/segment-request.ts';
import { readTickets } from './parts/ticketing.ts';
import { readTravelers } from './parts/traveler.ts';
import { contactTraveler, requestContact } from './parts/traveler-request.ts';

export const GROUP_BOOK = 'OTA_AirPriceRQ';

/** `pricingPref[].qualifier` of a booking; 5, a price check, is price-check.ts. No other is ever sent. */
const BOOKS = '4' as const;

const request = z.strictObject({
  airItinerary,
  bookingReferenceID: z.strictObject({ type: z.literal(GROUP), id: z.string().min(1) }).optional(),
  travelerInfoSummary: z.strictObject({
    pricingPref: z.tuple([z.strictObject({ qualifier: z.literal(BOOKS) })]),
    airTravelerAvail: z.tuple([
      z.strictObject({ passengerTypeQuantity }),
      z.strictObject({ airTraveler: contactTraveler }),
    ]),
  }),
});

function writeRail({ options, passengers, groupName, contact }: NewGroupBooking): z.output<typeof request> {
  return request.parse(
    defined({
      airItinerary: requestItinerary(options),
      bookingReferenceID: groupName === undefined ? undefined : { type: GROUP, id: groupName },
      travelerInfoSummary: {
        pricingPref: [{ qualifier: BOOKS }],
        airTravelerAvail: [
          { passengerTypeQuantity: writeCounts(passengers) },
          { airTraveler: requestContact(contact) },
        ],
      },
    }),
  );
}

/** The airline dialect's template: no qualifier, and the group with plain texts (docs/wire/notes.md, Shapes sent). */
const airlineRequest = z.strictObject({
  airItinerary: airlineItinerary,
  travelerInfoSummary: z.strictObject({ airTravelerAvail: z.tuple([z.strictObject({ passengerTypeQuantity })]) }),
  priceRequestInformation: z.strictObject({
    tpa_Extensions: z.strictObject({
      groupBooking: z.strictObject({
        groupName: z.string().min(1).optional(),
        contactInfo: z.strictObject({
          personName: z.strictObject({ givenName: z.string().min(1), surname: z.string().min(1) }),
          telephone: z.strictObject({ phoneNumber: z.string().min(1) }).optional(),
          email: z.string().min(1).optional(),
        }),
      }),
    }),
  }),
});

/** The request in the airline's dialect. */
export function encodeGroupBookRequest(booking: NewGroupBooking, { dialect, sendFare }: RequestForm): Wire {
  if (dialect === 'rail') return writeRail(booking);
  const { options, passengers, groupName, contact } = booking;
  if (contact.name === undefined) throw inputError('contact', 'a name is required.');
  const [phone] = contact.phones;
  const phoneNumber = phone && `${phone.countryCode ?? ''}${phone.number ?? ''}`;
  const contactInfo = defined({
    personName: { givenName: contact.name.given.join(' '), surname: contact.name.surname },
    telephone: phoneNumber ? { phoneNumber } : undefined,
    email: contact.emails[0],
  });
  return airlineRequest.parse({
    airItinerary: airlineRequestItinerary(options, sendFare, travellersOf(passengers)),
    travelerInfoSummary: { airTravelerAvail: only({ passengerTypeQuantity: writeCounts(passengers) }) },
    priceRequestInformation: { tpa_Extensions: { groupBooking: defined({ groupName, contactInfo }) } },
  });
}

function travellersOf({ adults, children, infants }: PassengerCounts): number {
  return adults + children + infants;
}

/**
 * The itinerary, its price and rules come as the first priced itinerary; in the airline dialect it stands on top, as an
 * object with bare taxes. Throws E_AIRLINE_REPLY without a locator.
 */
export function decodeGroupBookReply(reply: unknown): Booking {
  const body = replyBody(reply);
  const reservation = record(body.airReservation);
  const own = readReferences(body.bookingReferenceID);
  const wire = itineraryOf(body);
  const references = own.length > 0 ? own : readReferences(reservation.bookingReferenceID);
  const quoted = references.length > 0 || body.pricedItinerary === undefined ? [] : quotedReference(wire);
  const locator = locatorOf([...references, ...quoted]);
  if (locator === undefined) throw replyError('the booking reference');
  const [offer] = readPricedItineraries([wire]);
  const options = offer?.options.length ? offer.options : readOptions(body.airItinerary);
  const info = record(body.travelerInfo ?? reservation.travelerInfo);
  return defined({
    locator,
    references: [...references, ...quoted],
    createdAt: readTime(body.createDateTime),
    options,
    ...readTravelers(info.airTraveler),
    pricing: Object.keys(wire).length === 0 || offer === undefined ? undefined : withLimits(offer),
    tickets: [...readTickets(body.ticketing, options), ...limitOf(wire, options)],
    orders: [],
    services: [],
    emds: [],
  });
}

/** The first priced itinerary, its taxes as lists where they came bare. */
function itineraryOf(body: Wire): Wire {
  const wire = record(body.pricedItinerary ?? record(body.pricedItineraries).pricedItinerary ?? body.pricedItineraries);
  const bare = wire.itinTotalFare === undefined || wire.airItineraryPricingInfo !== undefined;
  const info = bare ? record(wire.airItineraryPricingInfo) : wire;
  if (Object.keys(info).length === 0) return wire;
  const rows = records(info.ptc_FareBreakdowns).map((row) => ({ ...row, passengerFare: withTaxes(row.passengerFare) }));
  const pricing = defined({
    ...info,
    itinTotalFare: withTaxes(info.itinTotalFare),
    ptc_FareBreakdowns: rows.length > 0 ? rows : undefined,
  });
  return { ...wire, airItineraryPricingInfo: pricing };
}

function withTaxes(fares: unknown): Wire[] {
  return records(fares).map((fare) => {
    const bare = Array.isArray(fare.taxes) && !records(fare.taxes).some((tax) => tax.tax !== undefined);
    return bare ? { ...fare, taxes: { tax: fare.taxes } } : fare;
  });
}

/** Airline dialect: the quote is the locator. */
function quotedReference(wire: Wire): Booking['references'] {
  const id = readPointer(wire.quoteID) ?? readPointer(record(wire.airItineraryPricingInfo).quoteID);
  return id === undefined ? [] : [{ id, type: RESERVATION, segmentRefs: [] }];
}

/** A limit after the departure is none. */
function isAhead(limit: string | undefined, options: Booking['options']): boolean {
  const [at, departs] = [instantOf(limit), instantOf(earliest(departuresOf(options)))];
  return at === undefined || departs === undefined || at < departs;
}

function departuresOf(options: Booking['options']): string[] {
  return options.flatMap(({ segments }) => segments.map(({ departs }) => departs));
}

/** The time limit of the priced itinerary, as a row without a ticket gives it in a reading. */
function limitOf(wire: Wire, options: Booking['options']): readonly Ticket[] {
  const limits = records(wire.ticketingInfo).map((info) => readTime(info.ticketTimeLimit));
  const timeLimit = earliest(limits.filter((limit) => isAhead(limit, options)));
  return timeLimit === undefined ? [] : readTickets([{ ticketTimeLimit: timeLimit }], options);
}

function withLimits({ pricing, options }: Offer): Offer['pricing'] {
  const fares = pricing.fares.map((fare) => {
    const { payBy, ...rest } = fare;
    return isAhead(payBy, options) ? fare : rest;
  });
  return { ...pricing, fares };
}
