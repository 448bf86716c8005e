/**
 * Searches fares: OTA_AirLowFareSearchRQ with both its replies (docs/wire/interface.md, Fare search, Availability record;
 * docs/wire/notes.md, Fares and prices, Shapes sent).
 */
import { ClerkError } from '../../core/errors.ts';
import { isObject } from '../../core/own.ts';
import type { FareLeg, FareQuery, FareSearchResult, Offer } from '../../domain/booking/offers.ts';
import { segmentStatus } from '../../domain/booking/status-codes.ts';
import { isAvailability, readAvailability } from './availability.ts';
import { asList } from './json.ts';
import { withExactLimits } from './limits.ts';
import { cheapestItineraries, readPricedItineraries } from './priced-itinerary.ts';
import { readUtcTime, replyBody, replyError, type Wire } from './reader.ts';
import { type CheckedRequest, checkRequest, REQUESTS } from './request.ts';
import { writeCounts } from './traveler.ts';

export const FARE_SEARCH = 'OTA_AirLowFareSearchRQ';

function writeLeg(leg: FareLeg): Wire {
  const windows = { windowBefore: `P${leg.daysBefore}D`, windowAfter: `P${leg.daysAfter}D` };
  return {
    originLocation: { locationCode: leg.from },
    destinationLocation: { locationCode: leg.to },
    departureDateTime: { value: leg.date, ...windows },
  };
}

export function encodeFareSearchRequest(query: FareQuery): CheckedRequest {
  const bookingClassPref = query.bookingClasses.map((resBookDesigCode) => ({ resBookDesigCode }));
  return checkRequest(REQUESTS.fareSearch, {
    processingInfo: { displayOrder: 'BY_PRICE_LOW_TO_HIGH', availabilityIndicator: true },
    originDestinationInformation: query.legs.map(writeLeg),
    specificFlightInfo: bookingClassPref.length === 0 ? undefined : { bookingClassPref },
    travelerInfoSummary: { airTravelerAvail: [{ passengerTypeQuantity: writeCounts(query.passengers) }] },
    availableFlightsOnly: query.includeSoldOut ? false : undefined,
  });
}

/**
 * Reads the offers. A search without results has `success` or an empty list. Throws E_AIRLINE_REPLY without both, or if no
 * itinerary can be sold (docs/wire/notes.md, Errors).
 */
function readItineraries(body: Wire): FareSearchResult {
  const { pricedItineraries } = body;
  const itineraries = listItineraries(pricedItineraries);
  if (itineraries === undefined) throw unreadableListError();
  if (isAbsent(pricedItineraries) && !isObject(body.success)) throw replyError('pricedItineraries');

  const searchedAt = readUtcTime(body.timeStamp);
  const offers = readPricedItineraries(itineraries).map((offer): Offer => {
    const { pricing, looseLimits } = withExactLimits(offer, searchedAt);
    return looseLimits === undefined ? offer : { ...offer, pricing, looseLimits };
  });
  if (itineraries.length > 0 && !offers.some(isForSale)) throw unreadableListError();

  return { form: 'itineraries' as const, offers };
}

/** Returns the list from any of its forms; undefined for anything else, which must not count as an empty list. */
function listItineraries(value: unknown): readonly unknown[] | undefined {
  if (isAbsent(value)) return [];
  if (Array.isArray(value)) return value;
  if (!isObject(value)) return undefined;
  const { pricedItinerary, ...otherFields } = value;
  if (isAbsent(pricedItinerary)) return Object.keys(otherFields).length === 0 ? [] : undefined;
  return Array.isArray(pricedItinerary) || isObject(pricedItinerary) ? asList(pricedItinerary) : undefined;
}

/** Replies write an absent list as `null` too. */
function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

function unreadableListError(): ClerkError {
  const message = "The airline's list of itineraries could not be understood. Whether it offers anything is not known.";
  return new ClerkError('E_AIRLINE_REPLY', message, {
    next: 'Ask the operator to run `fareclerk doctor`. Another search, or one for a single leg, can still work.',
  });
}

function isForSale({ options, pricing }: Offer): boolean {
  return pricing.total !== undefined && options.some(({ segments }) => segments.length > 0);
}

function hasCancelledFlight({ options }: Offer): boolean {
  return options.some(({ segments }) => segments.some(({ statusCode }) => segmentStatus(statusCode) === 'cancelled'));
}

/**
 * Drops offers with a flight that the airline sends as cancelled. Throws E_AIRLINE_REPLY if all have one.
 * Of the query: `most`, how many itineraries the caller will look at (the others are counted as `unread`), and the legs.
 */
export function decodeFareSearchReply(
  wire: unknown,
  { most, legs }: Pick<FareQuery, 'most' | 'legs'>,
): FareSearchResult {
  const fullBody = replyBody(wire);
  const readCheapest = (count: number | undefined, droppedBefore: number): FareSearchResult => {
    const { body, unread } = count === undefined ? { body: fullBody, unread: 0 } : cheapestItineraries(fullBody, count);
    const result = isAvailability(body) ? readAvailability(body, legs.length) : readItineraries(body);
    const offers = result.offers.filter((offer) => !hasCancelledFlight(offer));
    const dropped = result.offers.length - offers.length;
    // The next cheapest take the places of those that are dropped.
    if (most !== undefined && unread > 0 && dropped > droppedBefore) return readCheapest(most + dropped, dropped);
    if (dropped > 0 && offers.length === 0) throw unreadableListError();

    const leftOut = dropped === 0 ? undefined : [{ count: dropped, why: 'with a cancelled flight' }];
    return { ...result, offers, leftOut, unread: unread === 0 ? undefined : unread };
  };

  return readCheapest(most, 0);
}
