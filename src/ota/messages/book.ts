/**
 * Booking with named passengers by OTA_AirBookRQ, or from counts by OTA_AirPriceRQ (docs/wire/interface.md, Booking
 * by names, Booking by counts; docs/wire/notes.md, Addressing, Shapes sent).
 */
import { inputError } from '../../core/errors.ts';
import { earliest, instantOf } from '../../core/times.ts';
import type { NewBooking, NewGroupBooking } from '../../domain/airline.ts';
import type { Booking, Ticket } from '../../domain/booking/booking.ts';
import type { Contact } from '../../domain/people/traveler.ts';
import type { Offer } from '../../domain/pricing/offers.ts';
import { readPricedItineraries } from './priced-itinerary.ts';
import { readPointer, readTime, record, records, replyBody, replyError, type Wire } from './reader.ts';
import { type CheckedRequest, checkRequest, GROUP, REQUESTS, RESERVATION, requestService } from './request.ts';
import { chooseLocator, readReferences, readReservation, readTickets } from './reservation.ts';
import { type RequestForm, readOptions, requestItinerary } from './segment.ts';
import { readTravelers, requestContact, requestTraveler, writeCounts } from './traveler.ts';

export const BOOK = 'OTA_AirBookRQ';

export function encodeBookRequest(booking: NewBooking, form: RequestForm): CheckedRequest {
  const { options, contact, travelers, services } = booking;
  const passengers = travelers.map((traveler) => {
    const specialServiceRequests = services?.get(traveler.ref)?.map(requestService);
    return { ...requestTraveler(traveler), specialServiceRequests };
  });
  return checkRequest(REQUESTS.book[form.dialect], {
    airItinerary: requestItinerary(options, form),
    travelerInfo: { airTraveler: [requestContact(contact), ...passengers] },
  });
}

export const decodeBookReply = (reply: unknown): Booking => readReservation(reply);

export const GROUP_BOOK = 'OTA_AirPriceRQ';

/** Rail sends `pricingPref[].qualifier` 4 for a booking. Price checks send 5, and no other is ever sent. */
export function encodeGroupBookRequest(booking: NewGroupBooking, form: RequestForm): CheckedRequest {
  const { options, passengers, groupName, contact } = booking;
  const counts = { passengerTypeQuantity: writeCounts(passengers) };
  if (form.dialect === 'rail') {
    return checkRequest(REQUESTS.counts.rail, {
      airItinerary: requestItinerary(options, form),
      bookingReferenceID: groupName === undefined ? undefined : { type: GROUP, id: groupName },
      travelerInfoSummary: {
        pricingPref: [{ qualifier: '4' }],
        airTravelerAvail: [counts, { airTraveler: requestContact(contact) }],
      },
    });
  }
  const { adults, children, infants } = passengers;
  return checkRequest(REQUESTS.counts.airline, {
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
 * Reads itinerary, price and rules from the first priced itinerary. In the airline dialect it is a top-level object
 * with bare taxes. Throws E_AIRLINE_REPLY without a locator.
 */
export function decodeGroupBookReply(reply: unknown): Booking {
  const body = replyBody(reply);
  const reservation = record(body.airReservation);
  const bodyReferences = readReferences(body.bookingReferenceID);
  const wire = findItinerary(body);
  const references = bodyReferences.length > 0 ? bodyReferences : readReferences(reservation.bookingReferenceID);
  const quoted = references.length > 0 || body.pricedItinerary === undefined ? [] : quotedReference(wire);
  const locator = chooseLocator([...references, ...quoted]);
  if (locator === undefined) throw replyError('the booking reference');
  const [offer] = readPricedItineraries([wire]);
  const options = offer?.options.length ? offer.options : readOptions(body.airItinerary);
  const info = record(body.travelerInfo ?? reservation.travelerInfo);
  return {
    locator,
    references: [...references, ...quoted],
    createdAt: readTime(body.createDateTime),
    options,
    ...readTravelers(info.airTraveler),
    pricing: Object.keys(wire).length === 0 || offer === undefined ? undefined : withLimits(offer),
    tickets: [...readTickets(body.ticketing, options), ...readLimit(wire, options)],
    orders: [],
    services: [],
    emds: [],
  };
}

/** The first priced itinerary, with bare taxes put into lists. */
function findItinerary(body: Wire): Wire {
  const wire = record(body.pricedItinerary ?? record(body.pricedItineraries).pricedItinerary ?? body.pricedItineraries);
  const bare = wire.itinTotalFare === undefined || wire.airItineraryPricingInfo !== undefined;
  const info = bare ? record(wire.airItineraryPricingInfo) : wire;
  if (Object.keys(info).length === 0) return wire;
  const rows = records(info.ptc_FareBreakdowns).map((row) => ({ ...row, passengerFare: withTaxes(row.passengerFare) }));
  const pricing = {
    ...info,
    itinTotalFare: withTaxes(info.itinTotalFare),
    ptc_FareBreakdowns: rows.length > 0 ? rows : undefined,
  };
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

/** Ignores a limit after the departure. */
function isAhead(limit: string | undefined, options: Booking['options']): boolean {
  const departures = options.flatMap(({ segments }) => segments.map(({ departs }) => departs));
  const [at, departs] = [instantOf(limit), instantOf(earliest(departures))];
  return at === undefined || departs === undefined || at < departs;
}

/** The time limit of the priced itinerary, as a ticket row without a number, like in a reading. */
function readLimit(wire: Wire, options: Booking['options']): readonly Ticket[] {
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
