/**
 * Booking with named passengers by OTA_AirBookRQ, or from counts by OTA_AirPriceRQ (docs/wire/interface.md, Booking
 * by names, Booking by counts; docs/wire/notes.md, Addressing, Shapes sent).
 */
import { inputError } from '../../core/errors.ts';
import { earliestTime, instantOf } from '../../core/times.ts';
import type { NewBooking, NewGroupBooking } from '../../domain/airline.ts';
import { shownBooking } from '../../domain/booking/blanked-booking.ts';
import type { Booking, Ticket } from '../../domain/booking/booking.ts';
import type { Pricing } from '../../domain/booking/fare.ts';
import type { Contact } from '../../domain/people/traveler.ts';
import { withExactLimits } from './limits.ts';
import { readPricedItineraries } from './priced-itinerary.ts';
import {
  chooseLocator,
  GROUP,
  RESERVATION,
  readPointer,
  readReferences,
  readUtcTime,
  record,
  records,
  replyBody,
  replyError,
  type Wire,
} from './reader.ts';
import { type CheckedRequest, checkRequest, REQUESTS, writeService } from './request.ts';
import { readReservation } from './reservation.ts';
import { type RequestForm, readOptions, requestItinerary } from './segment.ts';
import { readTickets } from './ticket.ts';
import { readTravelers, requestContact, requestTraveler, writeCounts } from './traveler.ts';

export const BOOK = 'OTA_AirBookRQ';
export const GROUP_BOOK = 'OTA_AirPriceRQ';

export function encodeBookRequest(booking: NewBooking, form: RequestForm): CheckedRequest {
  const { options, contact, travelers, services } = booking;
  const passengers = travelers.map((traveler) => {
    const specialServiceRequests = services?.get(traveler.ref)?.map(writeService);
    return { ...requestTraveler(traveler), specialServiceRequests };
  });

  return checkRequest(REQUESTS.book[form.dialect], {
    airItinerary: requestItinerary(options, form),
    travelerInfo: { airTraveler: [requestContact(contact), ...passengers] },
  });
}

export const decodeBookReply = (reply: unknown): Booking => shownBooking(readReservation(reply));

/** Writes a booking from counts. Rail sends `pricingPref[].qualifier` 4 with it: 5 would only check a price. */
export function encodeGroupBookRequest(booking: NewGroupBooking, form: RequestForm): CheckedRequest {
  const { options, passengers, groupName, contact } = booking;
  const counts = { passengerTypeQuantity: writeCounts(passengers) };
  if (form.dialect === 'rail') {
    return checkRequest(REQUESTS.groupBook.rail, {
      airItinerary: requestItinerary(options, form),
      bookingReferenceID: groupName === undefined ? undefined : { type: GROUP, id: groupName },
      travelerInfoSummary: {
        pricingPref: [{ qualifier: '4' }],
        airTravelerAvail: [counts, { airTraveler: requestContact(contact) }],
      },
    });
  }

  const { adults, children, infants } = passengers;

  return checkRequest(REQUESTS.groupBook.airline, {
    airItinerary: requestItinerary(options, form, adults + children + infants),
    travelerInfoSummary: { airTravelerAvail: [counts] },
    priceRequestInformation: {
      tpa_Extensions: { groupBooking: { groupName, contactInfo: writeContactInfo(contact) } },
    },
  });
}

function writeContactInfo({ name, phones: [phone], emails: [email] }: Contact) {
  if (name === undefined) throw inputError('contact', 'a name is required.');
  const phoneNumber = phone && `${phone.countryCode ?? ''}${phone.number ?? ''}`;
  return {
    personName: { givenName: name.given.join(' '), surname: name.surname },
    telephone: phoneNumber ? { phoneNumber } : undefined,
    email,
  };
}

/**
 * Reads the booking. Itinerary, price and rules come from the first priced itinerary, which is a top-level object in the
 * airline dialect. Throws E_AIRLINE_REPLY without a locator.
 */
export function decodeGroupBookReply(reply: unknown): Booking {
  const body = replyBody(reply);
  const reservation = record(body.airReservation);
  const itinerary = findItinerary(body);
  const references = readGroupReferences(body, reservation, itinerary);
  const locator = chooseLocator(references);
  if (locator === undefined) throw replyError('the booking reference');

  const isPriced = Object.keys(itinerary).length > 0;
  const [offer] = isPriced ? readPricedItineraries([itinerary]) : [];
  const options = offer?.options.length ? offer.options : readOptions(body.airItinerary);

  const info = record(body.travelerInfo ?? reservation.travelerInfo);
  const people = readTravelers(info.airTraveler);
  const createdAt = readUtcTime(body.createDateTime);
  const tickets = readTickets(body.ticketing, options);
  const limitRows = readLimitRows(itinerary, options);
  const limited = withExactLimits({ options, pricing: offer?.pricing, tickets: [...tickets, ...limitRows] }, createdAt);

  return shownBooking({
    locator,
    references,
    createdAt,
    options,
    ...people,
    ...limited,
    pricing: limited.pricing && withoutPastLimits(limited.pricing, options),
    tickets: [
      ...limited.tickets.slice(0, tickets.length),
      ...earliestLimitRow(limited.tickets.slice(tickets.length), options),
    ],
    orders: [],
    services: [],
    emds: [],
  });
}

/** The references in the body, else in the reservation, else the quote of the airline dialect. */
function readGroupReferences(body: Wire, reservation: Wire, itinerary: Wire): Booking['references'] {
  const bodyReferences = readReferences(body.bookingReferenceID);
  if (bodyReferences.length > 0) return bodyReferences;
  const references = readReferences(reservation.bookingReferenceID);
  if (references.length > 0 || body.pricedItinerary === undefined) return references;
  return quotedReference(itinerary);
}

/**
 * Finds the first priced itinerary; an object without members if there is none. It stands in one of these places:
 *
 *   { pricedItineraries: { pricedItinerary: [it] } }
 *   { pricedItineraries: [it] }
 *   { pricedItinerary: it }
 *
 * `it` is `{ airItineraryPricingInfo: { itinTotalFare } }`, or itself the pricing branch: `{ itinTotalFare }`.
 */
function findItinerary(body: Wire): Wire {
  const { pricedItinerary, pricedItineraries } = body;
  const wire = record(pricedItinerary ?? record(pricedItineraries).pricedItinerary ?? pricedItineraries);
  const isPricing = wire.itinTotalFare !== undefined && wire.airItineraryPricingInfo === undefined;
  return isPricing ? { ...wire, airItineraryPricingInfo: wire } : wire;
}

/** The reference to a quote, whose id is the locator in the airline dialect. */
function quotedReference(wire: Wire): Booking['references'] {
  const id = readPointer(wire.quoteID) ?? readPointer(record(wire.airItineraryPricingInfo).quoteID);
  return id === undefined ? [] : [{ id, type: RESERVATION, segmentRefs: [] }];
}

/** Whether a time limit is before the first departure, or cannot be compared with it. */
function isBeforeDeparture(limit: string | undefined, options: Booking['options']): boolean {
  const departures = options.flatMap(({ segments }) => segments.map(({ departs }) => departs));
  const [at, departs] = [instantOf(limit), instantOf(earliestTime(departures))];
  return at === undefined || departs === undefined || at < departs;
}

/** The time limits of the priced itinerary as ticket rows without a number, which is where a reading has them. */
function readLimitRows(wire: Wire, options: Booking['options']): readonly Ticket[] {
  return records(wire.ticketingInfo).flatMap(({ ticketTimeLimit }) => readTickets([{ ticketTimeLimit }], options));
}

/** The row with the earliest limit that is before the departure. */
function earliestLimitRow(rows: readonly Ticket[], options: Booking['options']): readonly Ticket[] {
  const limited = rows.filter(({ timeLimit }) => timeLimit !== undefined && isBeforeDeparture(timeLimit, options));
  const earliest = earliestTime(limited.map(({ timeLimit }) => timeLimit));
  return limited.filter(({ timeLimit }) => timeLimit === earliest).slice(0, 1);
}

/** Drops time limits for payment that are after the departure: they are not limits. */
function withoutPastLimits(pricing: Pricing, options: Booking['options']): Pricing {
  const fares = pricing.fares.map((fare) => {
    const { payBy, ...rest } = fare;
    return isBeforeDeparture(payBy, options) ? fare : rest;
  });
  return { ...pricing, fares };
}
