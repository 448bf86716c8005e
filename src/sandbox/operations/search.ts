/**
 * What travel costs today: fare search, the availability record, and the price check (docs/wire/interface.md, Fare search,
 * Availability record).
 */
import { type Carrier, pricedOptions } from '../carrier.ts';
import { anyFare, bookedFare, checkItinerary } from '../checks/itinerary.ts';
import { checkCounts, seatsFor } from '../checks/travelers.ts';
import type { PricedPart, PricedTrip } from '../fares.ts';
import { Refusal } from '../refusal.ts';
import type { PriceCheck, Search, SearchLeg } from '../requests/messages.ts';
import { type ClassStock, classStock, isOnSale, type OfferedFare, offeredFares } from '../stock.ts';
import { type Departure, isSellable, type Trip, tripsOn } from '../timetable.ts';
import { addDays, isDate, localDate } from '../zone.ts';

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

/** Priced itineraries, one for each trip, class and fare, cheapest first. */
export function searchFares(carrier: Carrier, query: Search): readonly PricedTrip[] {
  checkSearch(carrier, query);
  const legs = query.legs.map((leg) => legChoices(carrier, query, leg));
  return joinLegs(legs).map((journey) => priceJourney(query, journey.legs));
}

function legChoices(carrier: Carrier, query: Search, leg: SearchLeg): LegChoice[] {
  const seats = seatsFor(query.counts);
  const trips = datesOnSale(carrier, leg).flatMap((date) => tripsOn(carrier.timetable, leg.from, leg.to, date));
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
      const offered = fares.find((open) => open.fare.basis === fare.basis);
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

function priceJourney(query: Search, legs: readonly LegChoice[]): PricedTrip {
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

const MOST_LEGS = 6;
const WIDEST_WINDOW = 7;

function checkSearch(carrier: Carrier, query: Search): void {
  checkCounts(query.counts);
  if (query.legs.length > MOST_LEGS) throw new Refusal('161', `at most ${MOST_LEGS} legs`);
  let before = '';
  for (const leg of query.legs) {
    checkLeg(carrier, leg);
    if (addDays(leg.date, leg.daysAfter) < before)
      throw new Refusal('15', `leg on ${leg.date} comes before the one before it`);
    before = leg.date;
  }
}

function checkLeg(carrier: Carrier, leg: SearchLeg): void {
  const { timetable, now } = carrier;
  const from = timetable.station(leg.from);
  if (from === undefined || timetable.station(leg.to) === undefined || !isSellable(timetable, leg.from, leg.to)) {
    throw new Refusal('7', `${leg.from}-${leg.to} is not sold`);
  }
  if (!isDate(leg.date)) throw new Refusal('15', `${leg.date} is no date`);
  if (leg.date < localDate(from.zone, now)) throw new Refusal('353', `${leg.date} is past in ${from.city}`);
  if (leg.date > timetable.lastSaleDate(now)) throw new Refusal('107', `sale ends with ${timetable.lastSaleDate(now)}`);
  if (leg.daysBefore > WIDEST_WINDOW || leg.daysAfter > WIDEST_WINDOW) {
    throw new Refusal('161', `windows of at most ${WIDEST_WINDOW} days`);
  }
}

/** The dates of a leg's window that are on sale. */
function datesOnSale(carrier: Carrier, leg: SearchLeg): readonly string[] {
  const zone = carrier.timetable.station(leg.from)?.zone ?? 'UTC';
  const first = localDate(zone, carrier.now);
  const last = carrier.timetable.lastSaleDate(carrier.now);
  const days = Array.from({ length: leg.daysBefore + leg.daysAfter + 1 }, (_, i) =>
    addDays(leg.date, i - leg.daysBefore),
  );
  return days.filter((date) => date >= first && date <= last);
}

export interface AvailableDeparture {
  readonly departure: Departure;
  /** Classes that are shown, with the seats left. */
  readonly classes: readonly ClassStock[];
  readonly fares: readonly OfferedFare[];
}

/** Departures of each leg on its own, full classes among them. */
export function searchAvailability(carrier: Carrier, query: Search): readonly (readonly AvailableDeparture[])[] {
  checkSearch(carrier, query);
  return query.legs.map((leg) =>
    legDepartures(carrier, leg)
      .map((departure) => availableOn(carrier, query, departure))
      .filter((leg) => leg.classes.length > 0),
  );
}

function legDepartures(carrier: Carrier, leg: SearchLeg): Departure[] {
  const dates = datesOnSale(carrier, leg);
  const found = dates.flatMap((date) => carrier.timetable.departures(leg.from, leg.to, date));
  return found.filter((departure) => isOnSale(carrier, departure));
}

function availableOn(carrier: Carrier, query: Search, departure: Departure): AvailableDeparture {
  const wanted = classStock(carrier, departure).filter(
    ({ bookingClass }) => query.classes.length === 0 || query.classes.includes(bookingClass),
  );
  const fares = offeredFares(carrier, departure, seatsFor(query.counts)).filter(({ fare }) =>
    wanted.some(({ bookingClass }) => bookingClass === fare.bookingClass),
  );
  const sold = new Set(fares.map(({ fare }) => fare.bookingClass));
  const classes = wanted.filter((fare) => sold.has(fare.bookingClass) || query.includesSoldOut);
  return { departure, classes, fares };
}

/** Price check (OTA_AirPriceRQ, qualifier 5): without a booking. */
export function checkPrice(carrier: Carrier, request: PriceCheck): PricedTrip {
  const { counts } = request;
  checkCounts(counts);
  const pick = carrier.dialect === 'rail' ? anyFare : bookedFare;
  const itinerary = checkItinerary(carrier, request.options, seatsFor(counts), pick);
  return { options: pricedOptions(carrier, itinerary.options), counts: { ...counts } };
}
