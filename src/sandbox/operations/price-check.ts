/**
 * Price check (OTA_AirPriceRQ, qualifier 5): today's price of an itinerary, and nothing is booked.
 */
import type { Offer } from '../../domain/offer.ts';
import type { NewGroupBooking } from '../../domain/requests.ts';
import { type Carrier, HOLD_MS, NAMES_FIXED_MS } from '../carrier.ts';
import { codeOf } from '../chance.ts';
import { checkItinerary } from '../checks/itinerary.ts';
import { checkCounts, countsByType, seatsFor } from '../checks/party.ts';
import { checkContact } from '../checks/travelers.ts';
import { Fault } from '../fault.ts';
import { segmentOf } from '../offering.ts';
import { pricingOf } from '../pricing.ts';
import { stockOf } from '../stock.ts';

export function checkPrice(carrier: Carrier, request: NewGroupBooking): readonly Offer[] {
  const { network, now, state, timetable } = carrier;
  checkCounts(request.passengers);
  checkContact(request.contact);
  const { departures, options: held } = checkItinerary(carrier, request.options, seatsFor(request.passengers));
  const parts = departures.map(({ segment, departure }) => {
    const fare = network.fares.find((it) => it.basis === segment.basis);
    if (fare === undefined) throw new Fault('53', `no fare ${segment.basis}`);
    return { ref: segment.ref, fare, departure, prices: segment.prices, cancelled: false };
  });
  const options = held.map((option) => ({
    ref: option.ref,
    segments: parts
      .filter((part) => option.segments.some((it) => it.ref === part.ref))
      .map(({ ref, fare, departure }) => {
        const stock = stockOf(state, timetable, departure, now);
        const { bookingClass, basis } = fare;
        return segmentOf(carrier, departure, {
          ref,
          optionRef: option.ref,
          bookingClass,
          basis,
          statusCode: '34',
          stock,
        });
      }),
  }));
  const first = Math.min(...departures.map((it) => it.departure.departsAt));
  const limits = { payBy: now + HOLD_MS, namesUntil: first - NAMES_FIXED_MS };
  const party = { counts: countsByType(request.passengers), refs: {} };
  const quoteId = `Q${codeOf(9, timetable.seed, now, JSON.stringify(request.options))}`;
  return [{ options, pricing: pricingOf(network, parts, party, limits, { quoteId }), notes: [], sequence: 1 }];
}
