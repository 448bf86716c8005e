/**
 * Fare search answered with priced itineraries: one for each trip, class and fare, cheapest first (interface.md, fare
 * search details).
 */

import type { Segment } from '../../domain/itinerary.ts';
import type { FareLeg, FareQuery, FareSearchResult, Offer } from '../../domain/offer.ts';
import { type Carrier, HOLD_MS, NAMES_FIXED_MS } from '../carrier.ts';
import { codeOf } from '../chance.ts';
import { countsByType, seatsFor } from '../checks/party.ts';
import { checkSearch, datesOf } from '../checks/search.ts';
import { isOnSale, type OfferedFare, offeredFares, segmentOf } from '../offering.ts';
import { type PricedPart, pricingOf } from '../pricing.ts';
import { stockOf } from '../stock.ts';
import type { Departure } from '../timetable.ts';
import { type Trip, tripsOn } from '../trips.ts';

/** Of each fare, so many of the cheapest trips and journeys of several legs are answered. */
const MOST_TRIPS = 120;
const MOST_JOURNEYS = 50;
/** Of each leg and fare, so many of the cheapest trips go into a journey of several legs. */
const MOST_PER_LEG = 12;

interface Sold {
  readonly departure: Departure;
  readonly offered: OfferedFare;
}

/** One leg in one fare: the same fare on every segment of the trip. */
interface LegChoice {
  readonly basis: string;
  readonly parts: readonly Sold[];
  /** Of an adult, minor units; to sort by. */
  readonly adult: number;
}

export function searchFares(carrier: Carrier, query: FareQuery): FareSearchResult {
  checkSearch(carrier, query);
  const legs = query.legs.map((leg) => choicesOf(carrier, query, leg));
  const offers = joinLegs(legs).map((journey, n) => offerOf(carrier, query, journey.legs, n + 1));
  return { form: 'itineraries', offers, soldOut: [], searchedAt: new Date(carrier.now).toISOString() };
}

function choicesOf(carrier: Carrier, query: FareQuery, leg: FareLeg): LegChoice[] {
  const seats = seatsFor(query.passengers);
  const trips = datesOf(carrier, leg).flatMap((date) => tripsOn(carrier.timetable, leg.from, leg.to, date));
  const choices = trips
    .filter((trip) => trip.every((departure) => isOnSale(carrier, departure)))
    .flatMap((trip) => tripChoices(carrier, trip, seats));
  const wanted = query.bookingClasses;
  if (wanted.length === 0) return choices;
  return choices.filter((choice) => choice.parts.every((part) => wanted.includes(part.offered.fare.bookingClass)));
}

function tripChoices(carrier: Carrier, trip: Trip, seats: number): LegChoice[] {
  const perDeparture = trip.map((departure) => ({ departure, fares: offeredFares(carrier, departure, seats) }));
  return carrier.network.fares.flatMap((fare) => {
    const parts: Sold[] = [];
    for (const { departure, fares } of perDeparture) {
      const offered = fares.find((it) => it.fare.basis === fare.basis);
      if (offered === undefined) return [];
      parts.push({ departure, offered });
    }
    const adult = parts.reduce((sum, part) => sum + (part.offered.prices.ADT?.total.minor ?? 0), 0);
    return [{ basis: fare.basis, parts, adult }];
  });
}

interface Journey {
  readonly basis: string;
  readonly legs: readonly LegChoice[];
  readonly adult: number;
}

/** Every way through the legs in one fare that leaves each leg after the one before has arrived; cheapest first. */
function joinLegs(legs: readonly (readonly LegChoice[])[]): readonly Journey[] {
  const [first = [], ...rest] = legs;
  const start = first.map((leg) => ({ basis: leg.basis, legs: [leg], adult: leg.adult }));
  if (rest.length === 0) return cheapest(start, MOST_TRIPS);
  let journeys: readonly Journey[] = cheapest(start, MOST_PER_LEG);
  for (const leg of rest) {
    const choices = cheapest(leg, MOST_PER_LEG);
    journeys = cheapest(
      journeys.flatMap((journey) => extend(journey, choices)),
      MOST_JOURNEYS,
    );
  }
  return journeys;
}

/** In order of price, at most `most` of each fare. */
function cheapest<T extends { readonly basis: string; readonly adult: number }>(
  choices: readonly T[],
  most: number,
): readonly T[] {
  const taken = new Map<string, number>();
  return choices
    .toSorted((a, b) => a.adult - b.adult)
    .filter(({ basis }) => {
      const before = taken.get(basis) ?? 0;
      taken.set(basis, before + 1);
      return before < most;
    });
}

function extend(journey: Journey, leg: readonly LegChoice[]): Journey[] {
  const last = journey.legs.at(-1);
  const arrived = last?.parts.at(-1)?.departure.arrivesAt ?? 0;
  return leg
    .filter((next) => next.basis === journey.basis && (next.parts[0]?.departure.departsAt ?? 0) > arrived + 30 * 60_000)
    .map((next) => ({ basis: next.basis, legs: [...journey.legs, next], adult: journey.adult + next.adult }));
}

function offerOf(carrier: Carrier, query: FareQuery, legs: readonly LegChoice[], sequence: number): Offer {
  const { network, now, timetable } = carrier;
  const priced: PricedPart[] = [];
  const options = legs.map((leg) => {
    const optionRef = String(priced.length + 1);
    const segments: Segment[] = leg.parts.map(({ departure, offered }) => {
      const ref = String(priced.length + 1);
      const { fare, prices } = offered;
      priced.push({ ref, fare, departure, prices, cancelled: false });
      const stock = stockOf(carrier.state, timetable, departure, now);
      const { bookingClass, basis } = fare;
      return segmentOf(carrier, departure, { ref, optionRef, bookingClass, basis, statusCode: '34', stock });
    });
    return { ref: optionRef, segments };
  });
  const first = priced[0]?.departure.departsAt ?? now;
  const limits = { payBy: now + HOLD_MS, namesUntil: first - NAMES_FIXED_MS };
  const trip = priced.map((part) => `${part.departure.number} ${part.departure.serviceDate} ${part.fare.basis}`);
  const quoteId = `Q${codeOf(9, timetable.seed, now, ...trip)}`;
  const party = { counts: countsByType(query.passengers), refs: {} };
  const pricing = pricingOf(network, priced, party, limits, { quoteId });
  const notes = [...new Set(priced.map((part) => part.fare.name))];
  return { options, pricing, notes, sequence };
}
