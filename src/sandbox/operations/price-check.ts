/** Price check (OTA_AirPriceRQ, qualifier 5): today's price of an itinerary, without a booking. */
import { type Carrier, pricedOptions } from '../carrier.ts';
import { anyFare, bookedFare, checkItinerary } from '../checks/itinerary.ts';
import { checkCounts, seatsFor } from '../checks/party.ts';
import type { PricedTrip } from '../pricing.ts';
import type { PriceCheck } from '../requests/booking.ts';

export function checkPrice(carrier: Carrier, request: PriceCheck): PricedTrip {
  const { counts } = request;
  checkCounts(counts);
  const pick = carrier.dialect === 'rail' ? anyFare : bookedFare;
  const itinerary = checkItinerary(carrier, request.options, seatsFor(counts), pick);
  return { options: pricedOptions(carrier, itinerary.options), counts: { ...counts } };
}
