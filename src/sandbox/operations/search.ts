/** Searches fares and availability, and checks prices (docs/wire/interface.md, Fare search, Availability record). */
import { type Carrier, pricedOptions } from '../carrier.ts';
import { checkItinerary, LEAST_TRANSFER_MS, pickRequestedFare, pickRequestedOrAnyFare } from '../checks/itinerary.ts';
import { checkCounts, seatsFor } from '../checks/travelers.ts';
import type { Fare } from '../network/network.ts';
import type { PricedSegment, PricedTrip } from '../priced-trip.ts';
import { Refusal } from '../refusal.ts';
import type { PriceCheck, Search, SearchLeg } from '../requests/messages.ts';
import { type ClassStock, classStock, isOnSale, type OfferedFare, offeredFares } from '../sale.ts';
import { type Departure, isSellable, tripsOn } from '../timetable.ts';
import { addDays, isDate, localDate } from '../zone.ts';

/** The most one-leg and multi-leg journeys that an answer has for each fare. The cheapest are kept. */
const MOST_TRIPS = 120;
const MOST_JOURNEYS = 50;
/** The most trips of each leg and fare that are combined into multi-leg journeys. The cheapest are kept. */
const MOST_PER_LEG = 12;
const MOST_LEGS = 6;
/** How many days before and after the date of a leg a search may cover. */
const WIDEST_WINDOW_DAYS = 7;

interface DepartureInFare {
  readonly departure: Departure;
  readonly offered: OfferedFare;
}

/** A way to travel, with the same fare on every segment. */
interface Journey {
  readonly basis: string;
  readonly legs: readonly (readonly DepartureInFare[])[];
  /** What an adult pays, in minor units: the order of the answer. */
  readonly adultPrice: number;
}

/** Searches priced trips, one for each way to travel and fare, cheapest first. */
export function searchFares(carrier: Carrier, query: Search): readonly PricedTrip[] {
  checkSearch(carrier, query);
  const legs = query.legs.map((leg) => legJourneys(carrier, query, leg));
  return joinLegs(legs).map((journey) => priceJourney(query, journey));
}

/** Lists every way to travel one leg in the classes that are searched. */
function legJourneys(carrier: Carrier, query: Search, leg: SearchLeg): Journey[] {
  const fares = carrier.network.fares.filter((fare) => isWanted(query, fare));
  const trips = datesOnSale(carrier, leg).flatMap((date) => tripsOn(carrier.timetable, leg.from, leg.to, date));
  return trips
    .filter((trip) => trip.every((departure) => isOnSale(carrier, departure)))
    .flatMap((trip) => {
      const offers = trip.map((departure) => ({
        departure,
        offered: offeredFares(carrier, departure, seatsFor(query.counts)),
      }));
      return fares.flatMap((fare) => tripInFare(offers, fare) ?? []);
    });
}

/** Whether a search covers a class: one of the preferred ones, or any if it prefers none. */
function isWanted({ classes }: Search, { bookingClass }: { readonly bookingClass: string }): boolean {
  return classes.length === 0 || classes.includes(bookingClass);
}

interface DepartureOffer {
  readonly departure: Departure;
  readonly offered: readonly OfferedFare[];
}

/** Makes a journey of a trip in one fare. Undefined if the fare is closed on any departure. */
function tripInFare(offers: readonly DepartureOffer[], { basis }: Fare): Journey | undefined {
  const leg: DepartureInFare[] = [];
  for (const { departure, offered } of offers) {
    const openFare = offered.find(({ fare }) => fare.basis === basis);
    if (openFare === undefined) return undefined;
    leg.push({ departure, offered: openFare });
  }
  const adultPrice = leg.reduce((sum, { offered }) => sum + (offered.prices.ADT?.total.minor ?? 0), 0);
  return { basis, legs: [leg], adultPrice };
}

/** Combines the legs in one fare, each leaving after the previous one arrives. The cheapest combinations come first. */
function joinLegs(legs: readonly (readonly Journey[])[]): readonly Journey[] {
  const [first = [], ...others] = legs;
  if (others.length === 0) return cheapest(first, MOST_TRIPS);
  let journeys = cheapest(first, MOST_PER_LEG);
  for (const leg of others) {
    const choices = cheapest(leg, MOST_PER_LEG);
    const longer = journeys.flatMap((journey) => extendJourney(journey, choices));
    journeys = cheapest(longer, MOST_JOURNEYS);
  }
  return journeys;
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

/** Extends a journey with each choice of the next leg that has the same fare and can be reached. */
function extendJourney({ basis, legs, adultPrice }: Journey, choices: readonly Journey[]): Journey[] {
  const arrivesAt = legs.at(-1)?.at(-1)?.departure.arrivesAt ?? 0;
  const nextTrips = choices.filter((next) => {
    const departsAt = next.legs[0]?.[0]?.departure.departsAt ?? 0;
    return next.basis === basis && departsAt > arrivesAt + LEAST_TRANSFER_MS;
  });
  return nextTrips.map((next) => ({ basis, legs: [...legs, ...next.legs], adultPrice: adultPrice + next.adultPrice }));
}

/** Makes the priced trip of a journey. Numbers its segments through all legs. */
function priceJourney(query: Search, { legs }: Journey): PricedTrip {
  let segmentCount = 0;
  const options = legs.map((leg) => {
    const segments = leg.map(({ departure, offered }): PricedSegment => {
      segmentCount += 1;
      return { ref: String(segmentCount), fare: offered.fare, departure, prices: offered.prices, cancelled: false };
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
  if (from === undefined || timetable.station(leg.to) === undefined || !isSellable(timetable, leg.from, leg.to)) {
    throw new Refusal('7', `${leg.from}-${leg.to} is not sold`);
  }
  if (!isDate(leg.date)) throw new Refusal('15', `${leg.date} is no date`);
  if (leg.date < localDate(from.zone, now)) throw new Refusal('353', `${leg.date} is past in ${from.city}`);
  if (leg.date > timetable.lastSaleDate(now)) throw new Refusal('107', `sale ends with ${timetable.lastSaleDate(now)}`);
  if (leg.daysBefore > WIDEST_WINDOW_DAYS || leg.daysAfter > WIDEST_WINDOW_DAYS) {
    throw new Refusal('161', `windows of at most ${WIDEST_WINDOW_DAYS} days`);
  }
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
  const classes = wantedClasses.filter((fare) => offeredClasses.has(fare.bookingClass) || query.includesSoldOut);
  return { departure, classes, fares };
}

/** Prices an itinerary without booking it (OTA_AirPriceRQ, qualifier 5). */
export function checkPrice(carrier: Carrier, request: PriceCheck): PricedTrip {
  const { counts } = request;
  checkCounts(counts);
  const chooseFare = carrier.dialect === 'rail' ? pickRequestedOrAnyFare : pickRequestedFare;
  const itinerary = checkItinerary(carrier, request.options, seatsFor(counts), chooseFare);
  return { options: pricedOptions(carrier, itinerary.options), counts };
}
