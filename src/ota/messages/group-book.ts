/**
 * Booking from passenger counts plus a contact (interface.md, booking from passenger counts; field-notes.md,
 * addressing). The message name is an operator's setting; this is its default.
 */
import * as z from 'zod';
import type { Booking } from '../../domain/booking.ts';
import type { Offer } from '../../domain/offer.ts';
import type { NewGroupBooking } from '../../domain/requests.ts';
import { type Lines, passengerTypeQuantity, readCounts, writeCounts } from './parts/passenger-counts.ts';
import { readPricedItineraries, writePricedItineraries } from './parts/priced-itinerary.ts';
import { defined, only, readTime, record, replyBody, replyError, type Wire } from './parts/reader.ts';
import { allReferences, GROUP, locatorOf, readReferences, writeReference } from './parts/references.ts';
import { readOptions } from './parts/segment.ts';
import { airItinerary, requestItinerary } from './parts/segment-request.ts';
import { readTickets } from './parts/ticketing.ts';
import { readContact, readTravelers } from './parts/traveler.ts';
import { contactTraveler, requestContact } from './parts/traveler-request.ts';

export const GROUP_BOOK = 'OTA_AirPriceRQ';

/** `pricingPref[].qualifier`: book, or only price. */
const BOOKS = '4' as const;
const PRICES = '5' as const;

const request = z.strictObject({
  airItinerary,
  bookingReferenceID: z.strictObject({ type: z.literal(GROUP), id: z.string().min(1) }).optional(),
  travelerInfoSummary: z.strictObject({
    pricingPref: z.tuple([z.strictObject({ qualifier: z.enum([BOOKS, PRICES]) })]),
    airTravelerAvail: z.union([
      z.tuple([z.strictObject({ passengerTypeQuantity }), z.strictObject({ airTraveler: contactTraveler })]),
      z.tuple([z.strictObject({ passengerTypeQuantity, airTraveler: contactTraveler })]),
    ]),
  }),
});

type Party = [{ passengerTypeQuantity: Lines }, { airTraveler: z.input<typeof contactTraveler> }];

export const groupBookRequest = z.codec(request, z.custom<NewGroupBooking>(), {
  decode: ({ airItinerary: itinerary, bookingReferenceID, travelerInfoSummary }) => {
    const [party, people = party] = travelerInfoSummary.airTravelerAvail;
    return defined({
      options: readOptions(itinerary),
      contact: readContact('airTraveler' in people ? people.airTraveler : {}),
      passengers: readCounts(party.passengerTypeQuantity),
      groupName: bookingReferenceID?.id,
      priceOnly: travelerInfoSummary.pricingPref[0].qualifier === PRICES ? true : undefined,
    });
  },
  encode: (booking) => {
    const { groupName, passengers } = booking;
    const contact = { airTraveler: requestContact(booking.contact) };
    return defined({
      airItinerary: requestItinerary(booking.options),
      bookingReferenceID: groupName === undefined ? undefined : { type: GROUP, id: groupName },
      travelerInfoSummary: {
        pricingPref: only({ qualifier: booking.priceOnly === true ? PRICES : BOOKS }),
        airTravelerAvail: [{ passengerTypeQuantity: writeCounts(passengers) }, contact] as Party,
      },
    });
  },
});

/** The itinerary, its price and rules come as the first priced itinerary. Throws E_AIRLINE_REPLY without a locator. */
function readGroupBooking(body: Wire): Booking {
  const reservation = record(body.airReservation);
  const own = readReferences(body.bookingReferenceID);
  const references = own.length > 0 ? own : readReferences(reservation.bookingReferenceID);
  const locator = locatorOf(references);
  if (locator === undefined) throw replyError('the booking reference');
  const [offer] = readPricedItineraries(body.pricedItineraries);
  const info = record(body.travelerInfo ?? reservation.travelerInfo);
  const options = offer?.options ?? readOptions(body.airItinerary);
  return defined({
    locator,
    references,
    createdAt: readTime(body.createDateTime),
    options,
    ...readTravelers(info.airTraveler),
    pricing: offer?.pricing,
    tickets: readTickets(body.ticketing, options),
    orders: [],
    services: [],
    emds: [],
  });
}

/** One reference is written as an object, as documented; several as an array. */
function writeReferences(booking: Booking): unknown {
  const wires = allReferences(booking.locator, booking.references).map(writeReference);
  return wires.length === 1 ? wires[0] : wires;
}

export const groupBookReply = z.codec(z.custom<Wire>(), z.custom<Booking>(), {
  decode: (wire) => readGroupBooking(replyBody(wire)),
  encode: (booking): Wire => {
    const pricing = booking.pricing ?? { refunds: [], fares: [], perType: [] };
    const offer = { options: booking.options, pricing, notes: [], sequence: 1 };
    return {
      bookingReferenceID: writeReferences(booking),
      pricedItineraries: writePricedItineraries([offer]),
    };
  },
});

/** The answer to a price check (`priceOnly`): priced itineraries, and no booking. */
export const groupPriceReply = z.codec(z.custom<Wire>(), z.custom<readonly Offer[]>(), {
  decode: (wire) => {
    const body = replyBody(wire);
    if (body.pricedItineraries === undefined) throw replyError('pricedItineraries');
    return readPricedItineraries(body.pricedItineraries);
  },
  encode: (offers): Wire => ({ pricedItineraries: writePricedItineraries(offers) }),
});
