/** OTA_AirLowFareSearchRQ and both its replies (docs/wire/interface.md, Fare search, Availability record). */
import * as z from 'zod';
import { ClerkError } from '../../core/errors.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import type { FareLeg, FareQuery, FareSearchResult, Offer } from '../../domain/pricing/fare-search.ts';
import { asList, isObject } from '../transport/json.ts';
import { isAvailability, readAvailability } from './parts/availability.ts';
import { cheapestItineraries, readPricedItineraries } from './parts/priced-itinerary.ts';
import { readTime, replyBody, replyError, type Wire } from './parts/reader.ts';
import { location } from './parts/segment-request.ts';
import { passengerTypeQuantity, writeCounts } from './parts/traveler-request.ts';

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

function writeLeg(leg: FareLeg): z.output<typeof originDestination> {
  const windows = { windowBefore: `P${leg.daysBefore}D`, windowAfter: `P${leg.daysAfter}D` };
  return {
    originLocation: { locationCode: leg.from },
    destinationLocation: { locationCode: leg.to },
    departureDateTime: { value: leg.date, ...windows },
  };
}

export function encodeFareSearchRequest(query: FareQuery): Wire {
  const bookingClassPref = query.bookingClasses.map((resBookDesigCode) => ({ resBookDesigCode }));
  return request.parse(
    omitUndefined({
      processingInfo: { displayOrder: 'BY_PRICE_LOW_TO_HIGH', availabilityIndicator: true },
      originDestinationInformation: query.legs.map(writeLeg),
      specificFlightInfo: bookingClassPref.length === 0 ? undefined : { bookingClassPref },
      travelerInfoSummary: { airTravelerAvail: [{ passengerTypeQuantity: writeCounts(query.passengers) }] },
      availableFlightsOnly: query.includeSoldOut ? false : undefined,
    }),
  );
}

/** Without results: `success`, an empty list. Throws without both, or if all are bad (docs/wire/notes.md, Errors). */
function readItineraries(body: Wire): FareSearchResult {
  const { pricedItineraries = null } = body;
  const sent = itinerariesOf(pricedItineraries);
  if (sent === undefined) throw notUnderstood();
  if (pricedItineraries === null && !isObject(body.success)) throw replyError('pricedItineraries');
  const offers = readPricedItineraries(sent);
  if (sent.length > 0 && !offers.some(isForSale)) throw notUnderstood();
  return omitUndefined({ form: 'itineraries' as const, offers, soldOut: [], searchedAt: readTime(body.timeStamp) });
}

/** The list in any of its forms; undefined for anything else, which is no empty list. */
function itinerariesOf(value: unknown): readonly unknown[] | undefined {
  if (value === null || Array.isArray(value)) return value ?? [];
  if (!isObject(value)) return undefined;
  const { pricedItinerary = null } = value;
  const others = Object.keys(value).filter((key) => key !== 'pricedItinerary');
  if (pricedItinerary === null) return others.length === 0 ? [] : undefined;
  return Array.isArray(pricedItinerary) || isObject(pricedItinerary) ? asList(pricedItinerary) : undefined;
}

function notUnderstood(): ClerkError {
  const what = "The airline's list of itineraries could not be understood. Whether it offers anything is not known.";
  return new ClerkError('E_AIRLINE_REPLY', what, {
    next: 'Ask the operator to run `fareclerk doctor`. Another search, or one for a single leg, can still work.',
  });
}

function isForSale({ options, pricing }: Offer): boolean {
  return pricing.total !== undefined && options.some(({ segments }) => segments.length > 0);
}

/** `most`: how many itineraries the caller will look at. The others are counted as `unread`. */
export function decodeFareSearchReply(wire: unknown, most?: number): FareSearchResult {
  const fullBody = replyBody(wire);
  const { body, left } = most === undefined ? { body: fullBody, left: 0 } : cheapestItineraries(fullBody, most);
  const found = isAvailability(body) ? readAvailability(body) : readItineraries(body);
  return left === 0 ? found : { ...found, unread: left };
}
