/**
 * Searches fares and dates (docs/wire/interface.md, Fare search).
 * A customer asks for legs; a trip is one way to travel a leg; a journey travels all legs so far in one fare.
 */
import type { Carrier } from '../carrier.ts';
import type { Fare } from '../network.ts';
import type { PricedSegment, PricedTrip } from '../priced-trip.ts';
import { Refusal } from '../refusal.ts';
import { LEAST_TRANSFER_MS } from '../requests/itinerary.ts';
import type { Search, SearchLeg } from '../requests/messages.ts';
import { checkCounts, seatsFor } from '../requests/travelers.ts';
import { type ClassStock, classStock, isOnSale, type OfferedFare, offeredFares } from '../sale.ts';
import { type Departure, isSellable, tripsOn } from '../timetable.ts';
import { addDays, DAY_MS, isDate, localDate } from '../zone.ts';

/** The most one-leg and multi-leg journeys that an answer has for each fare. The cheapest are kept. */
const MOST_TRIPS = 120;
const MOST_JOURNEYS = 50;
/** The most trips of each leg and fare that are combined into multi-leg journeys. The cheapest are kept. */
const MOST_PER_LEG = 12;
const MOST_LEGS = 6;
/** How many days before and after the date of a leg a search may cover. */
const WIDEST_WINDOW_DAYS = 7;
/** The longest span of a calendar request. */
const LONGEST_CALENDAR_DAYS = 366;

/** A departure with the one fare in which it is offered. */
interface DepartureInFare {
  readonly departure: Departure;
  readonly openFare: OfferedFare;
}

/** A way to travel one leg or several, with the same fare on every departure. */
interface Journey {
  readonly basis: string;
  /** The departures of each leg. */
  readonly legs: readonly (readonly DepartureInFare[])[];
  /** What an adult pays, in minor units: the order of the answer. */
  readonly adultPrice: number;
}

/** Searches priced trips, one for each way to travel and fare, cheapest first. */
export function searchFares(carrier: Carrier, query: Search): readonly PricedTrip[] {
  checkSearch(carrier, query);
  const journeysByLeg = query.legs.map((leg) => journeysOnLeg(carrier, query, leg));
  return joinLegs(journeysByLeg).map((journey) => priceJourney(query, journey));
}

/** Lists the journeys of one leg: every trip in every fare that is open on all of its departures. */
function journeysOnLeg(carrier: Carrier, query: Search, leg: SearchLeg): Journey[] {
  const wantedFares = carrier.network.fares.filter((fare) => isWanted(query, fare));
  const trips = datesOnSale(carrier, leg).flatMap((date) => tripsOn(carrier.timetable, leg.from, leg.to, date));

  return trips
    .filter((trip) => trip.every((departure) => isOnSale(carrier, departure)))
    .flatMap((trip) => {
      const departures = trip.map((departure) => ({
        departure,
        fares: offeredFares(carrier, departure, seatsFor(query.counts)),
      }));
      return wantedFares.flatMap((fare) => tripInFare(departures, fare) ?? []);
    });
}

/** Whether a search covers a class: one of the preferred ones, or any if it prefers none. */
function isWanted({ classes }: Search, { bookingClass }: { readonly bookingClass: string }): boolean {
  return classes.length === 0 || classes.includes(bookingClass);
}

/** A departure with all fares that are open on it. */
interface OfferedDeparture {
  readonly departure: Departure;
  readonly fares: readonly OfferedFare[];
}

/** Makes a journey of a trip in one fare. Undefined if the fare is closed on any departure. */
function tripInFare(trip: readonly OfferedDeparture[], { basis }: Fare): Journey | undefined {
  const leg: DepartureInFare[] = [];
  let adultPrice = 0;
  for (const { departure, fares } of trip) {
    const openFare = fares.find(({ fare }) => fare.basis === basis);
    if (openFare === undefined) return undefined;
    leg.push({ departure, openFare });
    adultPrice += openFare.prices.ADT?.total.minor ?? 0;
  }

  return { basis, legs: [leg], adultPrice };
}

/** Combines the journeys of single legs, each leaving after the previous one arrives. The cheapest come first. */
function joinLegs(journeysByLeg: readonly (readonly Journey[])[]): readonly Journey[] {
  const [first = [], ...others] = journeysByLeg;
  if (others.length === 0) return cheapest(first, MOST_TRIPS);

  let joined = cheapest(first, MOST_PER_LEG);
  for (const legJourneys of others) {
    const choices = cheapest(legJourneys, MOST_PER_LEG);
    const longer = joined.flatMap((journey) => extendJourney(journey, choices));
    joined = cheapest(longer, MOST_JOURNEYS);
  }

  return joined;
}

/** Sorts by price and keeps at most `most` of each fare. */
function cheapest(journeys: readonly Journey[], most: number): readonly Journey[] {
  const countByFare = new Map<string, number>();
  const cheapestJourneys: Journey[] = [];
  for (const journey of journeys.toSorted((a, b) => a.adultPrice - b.adultPrice)) {
    const count = countByFare.get(journey.basis) ?? 0;
    countByFare.set(journey.basis, count + 1);
    if (count < most) cheapestJourneys.push(journey);
  }

  return cheapestJourneys;
}

/** Extends a journey with each choice for the next leg that has the same fare and can be reached. */
function extendJourney({ basis, legs, adultPrice }: Journey, choices: readonly Journey[]): Journey[] {
  const arrivesAt = legs.at(-1)?.at(-1)?.departure.arrivesAt ?? 0;
  const reachable = choices.filter((next) => {
    const departsAt = next.legs[0]?.[0]?.departure.departsAt ?? 0;
    return next.basis === basis && departsAt > arrivesAt + LEAST_TRANSFER_MS;
  });
  return reachable.map((next) => ({ basis, legs: [...legs, ...next.legs], adultPrice: adultPrice + next.adultPrice }));
}

/** Makes the priced trip of a journey. Numbers its segments through all legs. */
function priceJourney(query: Search, { legs }: Journey): PricedTrip {
  let segmentCount = 0;
  const options = legs.map((leg) => {
    const segments = leg.map(({ departure, openFare: { fare, prices } }): PricedSegment => {
      segmentCount += 1;
      return { ref: String(segmentCount), fare, departure, prices, cancelled: false };
    });
    return { ref: segments[0]?.ref ?? '', segments };
  });
  return { options, counts: query.counts };
}

function checkSearch(carrier: Carrier, query: Search): void {
  checkCounts(query.counts);
  if (query.legs.length > MOST_LEGS) throw new Refusal('161', `at most ${MOST_LEGS} legs`);

  let earlierDate = '';
  for (const leg of query.legs) {
    checkLeg(carrier, leg);
    if (addDays(leg.date, leg.daysAfter) < earlierDate)
      throw new Refusal('15', `leg on ${leg.date} comes before the one before it`);
    earlierDate = leg.date;
  }
}

function checkLeg(carrier: Carrier, leg: SearchLeg): void {
  const { timetable, now } = carrier;
  const from = timetable.station(leg.from);
  if (from === undefined || timetable.station(leg.to) === undefined || !isSellable(timetable, leg.from, leg.to))
    throw new Refusal('7', `${leg.from}-${leg.to} is not sold`);

  if (!isDate(leg.date)) throw new Refusal('15', `${leg.date} is no date`);
  if (leg.date < localDate(from.zone, now)) throw new Refusal('353', `${leg.date} is past in ${from.city}`);
  if (leg.date > timetable.lastSaleDate(now)) throw new Refusal('107', `sale ends with ${timetable.lastSaleDate(now)}`);
  if (leg.daysBefore > WIDEST_WINDOW_DAYS || leg.daysAfter > WIDEST_WINDOW_DAYS)
    throw new Refusal('161', `windows of at most ${WIDEST_WINDOW_DAYS} days`);
}

/** Lists the dates of a leg's window that are on sale. */
function datesOnSale(carrier: Carrier, leg: SearchLeg): readonly string[] {
  const zone = carrier.timetable.station(leg.from)?.zone ?? 'UTC';
  const firstDate = localDate(zone, carrier.now);
  const lastDate = carrier.timetable.lastSaleDate(carrier.now);
  const days = Array.from({ length: leg.daysBefore + leg.daysAfter + 1 }, (_, i) =>
    addDays(leg.date, i - leg.daysBefore),
  );
  return days.filter((date) => date >= firstDate && date <= lastDate);
}

/** A departure as the availability record shows it. */
export interface AvailableDeparture {
  readonly departure: Departure;
  /** The classes that the answer shows, with the seats left. */
  readonly classes: readonly ClassStock[];
  readonly fares: readonly OfferedFare[];
}

/** Searches the departures of each leg by itself, with full classes if the search includes them. */
export function searchAvailability(carrier: Carrier, query: Search): readonly (readonly AvailableDeparture[])[] {
  checkSearch(carrier, query);
  return query.legs.map((leg) =>
    legDepartures(carrier, leg)
      .map((departure) => availableDeparture(carrier, query, departure))
      .filter(({ classes }) => classes.length > 0),
  );
}

function legDepartures(carrier: Carrier, leg: SearchLeg): Departure[] {
  const dates = datesOnSale(carrier, leg);
  const departures = dates.flatMap((date) => carrier.timetable.departures(leg.from, leg.to, date));
  return departures.filter((departure) => isOnSale(carrier, departure));
}

function availableDeparture(carrier: Carrier, query: Search, departure: Departure): AvailableDeparture {
  const wantedClasses = classStock(carrier, departure).filter((stock) => isWanted(query, stock));
  const fares = offeredFares(carrier, departure, seatsFor(query.counts)).filter(({ fare }) =>
    wantedClasses.some(({ bookingClass }) => bookingClass === fare.bookingClass),
  );
  const offeredClasses = new Set(fares.map(({ fare }) => fare.bookingClass));
  const classes = wantedClasses.filter(({ bookingClass }) => offeredClasses.has(bookingClass) || query.includesSoldOut);
  return { departure, classes, fares };
}

/** A search of dates. They are YYYY-MM-DD. */
type DateQuery = Record<'from' | 'to' | 'startDate' | 'endDate', string> & { readonly directOnly: boolean };

/** Lists the dates on which trips of a route are on sale. Throws for an invalid span and a route that is not sold. */
export function searchDates(carrier: Carrier, query: DateQuery): readonly string[] {
  const { timetable, now } = carrier;
  const { from, to, startDate, endDate, directOnly } = query;
  if (!isDate(startDate) || !isDate(endDate) || endDate < startDate)
    throw new Refusal('15', `${startDate} to ${endDate}`);

  const days = Math.round((Date.parse(endDate) - Date.parse(startDate)) / DAY_MS);
  if (days > LONGEST_CALENDAR_DAYS) throw new Refusal('161', `at most ${LONGEST_CALENDAR_DAYS} days`);
  if (!isSellable(timetable, from, to)) throw new Refusal('7', `${from}-${to} is not sold`);
  if (directOnly && !timetable.hasDirect(from, to)) return [];

  const lastSaleDate = timetable.lastSaleDate(now);
  const dates: string[] = [];
  for (let date = startDate; date <= endDate && date <= lastSaleDate; date = addDays(date, 1)) {
    const trips = tripsOn(timetable, from, to, date);
    if (trips.some((trip) => trip.every((departure) => isOnSale(carrier, departure)))) dates.push(date);
  }

  return dates;
}
