/**
 * Fare search: OTA_AirLowFareSearchRQ and its reply in both documented forms (interface.md, fare search details and
 * search availability record).
 */
import * as z from 'zod';
import type { FareLeg, FareQuery, FareSearchResult, Offer } from '../../domain/offer.ts';
import { isAvailability, readAvailability } from './parts/availability.ts';
import { writeAvailability } from './parts/availability-writer.ts';
import { passengerTypeQuantity, readCounts, writeCounts } from './parts/passenger-counts.ts';
import { readPricedItineraries, writePricedItineraries } from './parts/priced-itinerary.ts';
import { defined, isRecord, list, only, readTime, replyBody, replyError, type Wire } from './parts/reader.ts';
import { location } from './parts/segment-request.ts';

export const FARE_SEARCH = 'OTA_AirLowFareSearchRQ';

const days = z.string().regex(/^P\d{1,3}D$/);

const originDestination = z.strictObject({
  originLocation: location,
  destinationLocation: location,
  departureDateTime: z.strictObject({ value: z.iso.date(), windowBefore: days, windowAfter: days }),
});

const request = z.strictObject({
  processingInfo: z.strictObject({
    displayOrder: z.literal('BY_PRICE_LOW_TO_HIGH'),
    availabilityIndicator: z.boolean(),
  }),
  originDestinationInformation: z.array(originDestination).min(1),
  specificFlightInfo: z
    .strictObject({ bookingClassPref: z.array(z.strictObject({ resBookDesigCode: z.string().min(1) })).min(1) })
    .optional(),
  travelerInfoSummary: z.strictObject({
    airTravelerAvail: z.tuple([z.strictObject({ passengerTypeQuantity })]),
  }),
  availableFlightsOnly: z.boolean().optional(),
});

function readDays(duration: string): number {
  return Number(duration.slice(1, -1));
}

function readLeg(wire: z.output<typeof originDestination>): FareLeg {
  const { value, windowBefore, windowAfter } = wire.departureDateTime;
  return {
    from: wire.originLocation.locationCode,
    to: wire.destinationLocation.locationCode,
    date: value,
    daysBefore: readDays(windowBefore),
    daysAfter: readDays(windowAfter),
  };
}

function writeLeg(leg: FareLeg): z.output<typeof originDestination> {
  const windows = { windowBefore: `P${leg.daysBefore}D`, windowAfter: `P${leg.daysAfter}D` };
  return {
    originLocation: { locationCode: leg.from },
    destinationLocation: { locationCode: leg.to },
    departureDateTime: { value: leg.date, ...windows },
  };
}

export const fareSearchRequest = z.codec(request, z.custom<FareQuery>(), {
  decode: (wire) => ({
    legs: wire.originDestinationInformation.map(readLeg),
    passengers: readCounts(wire.travelerInfoSummary.airTravelerAvail[0].passengerTypeQuantity),
    bookingClasses: (wire.specificFlightInfo?.bookingClassPref ?? []).map((one) => one.resBookDesigCode),
    includeSoldOut: wire.availableFlightsOnly === false,
  }),
  encode: (query) => {
    const bookingClassPref = query.bookingClasses.map((resBookDesigCode) => ({ resBookDesigCode }));
    return defined({
      processingInfo: { displayOrder: 'BY_PRICE_LOW_TO_HIGH' as const, availabilityIndicator: true },
      originDestinationInformation: query.legs.map(writeLeg),
      specificFlightInfo: bookingClassPref.length === 0 ? undefined : { bookingClassPref },
      travelerInfoSummary: { airTravelerAvail: only({ passengerTypeQuantity: writeCounts(query.passengers) }) },
      availableFlightsOnly: query.includeSoldOut ? false : undefined,
    });
  },
});

/**
 * No result is `success` with an empty list. A reply with neither form is no answer, and itineraries that cannot be read
 * are not “nothing offered” (field-notes.md, errors).
 */
function readItineraries(body: Wire): FareSearchResult {
  const { pricedItineraries = null } = body;
  if (pricedItineraries === null && !isRecord(body.success)) throw replyError('pricedItineraries');
  const offers = readPricedItineraries(pricedItineraries);
  const sent = list(isRecord(pricedItineraries) ? pricedItineraries.pricedItinerary : pricedItineraries);
  if (sent.length > 0 && !offers.some(isForSale)) throw replyError('every priced itinerary');
  return defined({ form: 'itineraries' as const, offers, soldOut: [], searchedAt: readTime(body.timeStamp) });
}

function isForSale({ options, pricing }: Offer): boolean {
  return pricing.total !== undefined && options.some(({ segments }) => segments.length > 0);
}

export const fareSearchReply = z.codec(z.custom<Wire>(), z.custom<FareSearchResult>(), {
  decode: (wire) => {
    const body = replyBody(wire);
    return isAvailability(body) ? readAvailability(body) : readItineraries(body);
  },
  encode: (result): Wire => {
    if (result.form === 'availability') return writeAvailability(result);
    const pricedItineraries = writePricedItineraries(result.offers);
    return defined({ success: {}, pricedItineraries, timeStamp: result.searchedAt });
  },
});
