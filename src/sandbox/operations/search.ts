/**
 * Fare search answered with priced itineraries: one for each trip, class and fare, cheapest first
 * (docs/wire/interface.md, Fare search).
 */
import type { Carrier } from '../carrier.ts';
import { seatsFor } from '../checks/party.ts';
import { checkSearch, datesOf } from '../checks/search.ts';
import { isOnSale, type OfferedFare, offeredFares } from '../open-fares.ts';
import type { PricedPart, PricedTrip } from '../pricing.ts';
import type { Search, SearchLeg } from '../requests/search.ts';
import type { Departure } from '../timetable.ts';
import { type Trip, tripsOn } from '../trips.ts';

/** Most trips and multi-leg journeys answered for each fare, cheapest first. */
const MOST_TRIPS = 120;
const MOST_JOURNEYS = 50;
/** Most trips of each leg and fare that are combined into multi-leg journeys, cheapest first. */
const MOST_PER_LEG = 12;

interface Sold {
  readonly departure: Departure;
  readonly offered: OfferedFare;
}

/** One leg with the same fare on every segment. */
interface LegChoice {
  readonly basis: string;
  readonly parts: readonly Sold[];
  /** An adult's price in minor units, the sort key. */
  readonly adult: number;
}

export function searchFares(carrier: Carrier, query: Search): readonly PricedTrip[] {
  checkSearch(carrier, query);
  const legs = query.legs.map((leg) => choicesOf(carrier, query, leg));
  return joinLegs(legs).map((journey) => tripOf(query, journey.legs));
}

function choicesOf(carrier: Carrier, query: Search, leg: SearchLeg): LegChoice[] {
  const seats = seatsFor(query.counts);
  const trips = datesOf(carrier, leg).flatMap((date) => tripsOn(carrier.timetable, leg.from, leg.to, date));
  const choices = trips
    .filter((trip) => trip.every((departure) => isOnSale(carrier, departure)))
    .flatMap((trip) => tripChoices(carrier, trip, seats));
  if (query.classes.length === 0) return choices;
  return choices.filter((choice) =>
    choice.parts.every((part) => query.classes.includes(part.offered.fare.bookingClass)),
  );
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

/** Combinations of the legs in one fare, each leaving after the previous one arrives; cheapest first. */
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

/** Sorts by price and keeps at most `most` of each fare. */
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

function tripOf(query: Search, legs: readonly LegChoice[]): PricedTrip {
  let count = 0;
  const options = legs.map((leg) => {
    const parts = leg.parts.map(({ departure, offered }): PricedPart => {
      count += 1;
      return { ref: String(count), fare: offered.fare, departure, prices: offered.prices, cancelled: false };
    });
    return { ref: parts[0]?.ref ?? '', parts };
  });
  return { options, counts: { ...query.counts } };
}
