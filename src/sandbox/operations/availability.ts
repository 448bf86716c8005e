/**
 * Fare search answered with the availability record: each leg on its own, full classes among them (interface.md,
 * search availability record). Times in UTC; no carrier is named.
 */
import type { Segment } from '../../domain/itinerary.ts';
import type { FareLeg, FareQuery, FareSearchResult, Offer, SoldOutFlight } from '../../domain/offer.ts';
import { type Carrier, HOLD_MS } from '../carrier.ts';
import { codeOf } from '../chance.ts';
import { countsByType, seatsFor } from '../checks/party.ts';
import { checkSearch, datesOf } from '../checks/search.ts';
import { isOnSale, type OfferedFare, offeredFares, segmentOf } from '../offering.ts';
import { pricingOf } from '../pricing.ts';
import { type ClassStock, stockOf } from '../stock.ts';
import type { Departure } from '../timetable.ts';

export function searchAvailability(carrier: Carrier, query: FareQuery): FareSearchResult {
  checkSearch(carrier, query);
  const offers: Offer[] = [];
  const soldOut: SoldOutFlight[] = [];
  for (const [leg, asked] of query.legs.entries()) {
    for (const departure of departuresOf(carrier, asked)) {
      const stock = stockOf(carrier.state, carrier.timetable, departure, carrier.now);
      const wanted = stock.filter(
        (it) => query.bookingClasses.length === 0 || query.bookingClasses.includes(it.bookingClass),
      );
      offers.push(...offersOf(carrier, query, leg, departure, wanted));
      if (query.includeSoldOut) soldOut.push(...soldOutOf(carrier, query, leg, departure, wanted));
    }
  }
  return {
    form: 'availability',
    offers,
    soldOut,
    validUntil: new Date(carrier.now + HOLD_MS).toISOString(),
    referenceId: codeOf(10, carrier.timetable.seed, 'availability', carrier.now, JSON.stringify(query)),
  };
}

function departuresOf(carrier: Carrier, leg: FareLeg): Departure[] {
  const dates = datesOf(carrier, leg);
  const found = dates.flatMap((date) => carrier.timetable.departures(leg.from, leg.to, date));
  return found.filter((departure) => isOnSale(carrier, departure));
}

/** The segment as the record knows it: pointer by leg, UTC times. */
function segmentFor(carrier: Carrier, leg: number, departure: Departure, stock: ClassStock, basis?: string): Segment {
  const ref = String(leg + 1);
  const dress = { ref, optionRef: ref, bookingClass: stock.bookingClass, stock: [stock] };
  const segment = segmentOf(carrier, departure, basis === undefined ? dress : { ...dress, basis });
  const utc = (at: number): string => new Date(at).toISOString();
  return { ...segment, departs: utc(departure.departsAt), arrives: utc(departure.arrivesAt) };
}

function offersOf(
  carrier: Carrier,
  query: FareQuery,
  leg: number,
  departure: Departure,
  wanted: readonly ClassStock[],
): Offer[] {
  const classes = wanted.map((it) => it.bookingClass);
  return offeredFares(carrier, departure, seatsFor(query.passengers))
    .filter((offered) => classes.includes(offered.fare.bookingClass))
    .map((offered) => offerOf(carrier, query, leg, departure, offered));
}

function offerOf(carrier: Carrier, query: FareQuery, leg: number, departure: Departure, offered: OfferedFare): Offer {
  const { fare, prices, stock } = offered;
  const segment = segmentFor(carrier, leg, departure, stock, fare.basis);
  const parts = [{ ref: segment.ref, fare, departure, prices, cancelled: false }];
  const limits = { payBy: carrier.now + HOLD_MS, namesUntil: carrier.now };
  const pricing = pricingOf(carrier.network, parts, { counts: countsByType(query.passengers), refs: {} }, limits);
  return { leg, options: [{ ref: segment.ref, segments: [segment] }], pricing, notes: [fare.name] };
}

function soldOutOf(
  carrier: Carrier,
  query: FareQuery,
  leg: number,
  departure: Departure,
  wanted: readonly ClassStock[],
): SoldOutFlight[] {
  return wanted
    .filter((stock) => stock.free < seatsFor(query.passengers))
    .map((stock) => ({ segment: segmentFor(carrier, leg, departure, stock), bookingClass: stock.bookingClass }));
}
