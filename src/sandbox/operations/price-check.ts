/** Price check (OTA_AirPriceRQ, qualifier 5): today's price of an itinerary, without a booking. */
import { type Carrier, pricedOptions } from '../carrier.ts';
import { anyFare, bookedFare, checkItinerary } from '../checks/itinerary.ts';
import { checkCounts, seatsFor } from '../checks/party.ts';
import type { PricedTrip } from '../pricing.ts';
import type { CarrierBooking } from '../record.ts';
import type { PriceCheck } from '../requests/booking.ts';
import { unnamed } from './group-book.ts';
import { hold } from './hold.ts';

export interface Checked {
  readonly trip: PricedTrip;
  /** A hold that the check created although it should not. */
  readonly booking?: CarrierBooking;
}

/** Runs within a write transaction. */
export function checkPrice(carrier: Carrier, request: PriceCheck): Checked {
  const { counts } = request;
  checkCounts(counts);
  const pick = carrier.dialect === 'rail' ? anyFare : bookedFare;
  const itinerary = checkItinerary(carrier, request.options, seatsFor(counts), pick);
  const trip = { options: pricedOptions(carrier, itinerary.options), counts: { ...counts } };
  if (carrier.behaviour.priceCheck === 'prices') return { trip };
  const nobody = { emails: [], phones: [], addresses: [], comments: [] };
  const segmentRefs = itinerary.departures.map((it) => it.segment.ref);
  const travelers = unnamed(counts, segmentRefs, undefined);
  return { trip, booking: hold(carrier, { itinerary, contact: nobody, travelers }) };
}
