/**
 * What travel costs today: fare search, the availability record, and the price check (docs/wire/interface.md, Fare search,
 * Availability record).
 */
import { type Carrier, pricedOptions } from '../carrier.ts';
import { anyFare, bookedFare, checkItinerary } from '../checks/itinerary.ts';
import { checkCounts, seatsFor } from '../checks/travelers.ts';
import type { Fare } from '../network/network.ts';
import type { PricedSegment, PricedTrip } from '../priced-trip.ts';
import { Refusal } from '../refusal.ts';
import type { PriceCheck, Search, SearchLeg } from '../requests/messages.ts';
import { type ClassStock, classStock, isOnSale, type OfferedFare, offeredFares } from '../sale.ts';
import { type Departure, isSellable, tripsOn } from '../timetable.ts';
import { addDays, isDate, localDate, MINUTE } from '../zone.ts';

/** Most trips and multi-leg journeys answered for each fare, cheapest first. */
const MOST_TRIPS = 120;
const MOST_JOURNEYS = 50;
/** Most trips of each leg and fare that are combined into multi-leg journeys, cheapest first. */
const MOST_PER_LEG = 12;

interface SoldDeparture {
  readonly departure: Departure;
  readonly offered: OfferedFare;
}

/** A way to travel, with the same fare on every segment. */
interface Journey {
  readonly basis: string;
  readonly legs: readonly (readonly SoldDeparture[])[];
  /** What an adult pays, in minor units: the order of the answer. */
  readonly adultPrice: number;
}

/** Priced itineraries, one for each trip, class and fare, cheapest first. */
export function searchFares(carrier: Carrier, query: Search): readonly PricedTrip[] {
  checkSearch(carrier, query);
  const legs = query.legs.map((leg) => legJourneys(carrier, query, leg));
  return joinLegs(legs).map((journey) => priceJourney(query, journey));
}

/** Every way to travel one leg in the classes that are searched. */
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

/** Without preferred classes all are wanted. */
function isWanted({ classes }: Search, { bookingClass }: { readonly bookingClass: string }): boolean {
  return classes.length === 0 || classes.includes(bookingClass);
}

interface TripOffer {
  readonly departure: Departure;
  readonly offered: readonly OfferedFare[];
}

/** Undefined unless the fare is open on every departure of the trip. */
function tripInFare(offers: readonly TripOffer[], { basis }: Fare): Journey | undefined {
  const leg: SoldDeparture[] = [];
  for (const { departure, offered } of offers) {
    const open = offered.find(({ fare }) => fare.basis === basis);
    if (open === undefined) return undefined;
    leg.push({ departure, offered: open });
  }
  const adultPrice = leg.reduce((sum, { offered }) => sum + (offered.prices.ADT?.total.minor ?? 0), 0);
  return { basis, legs: [leg], adultPrice };
}

/** Combinations of the legs in one fare, each leaving after the previous one arrives; cheapest first. */
function joinLegs(legs: readonly (readonly Journey[])[]): readonly Journey[] {
  const [first = [], ...others] = legs;
  if (others.length === 0) return cheapest(first, MOST_TRIPS);
  let journeys = cheapest(first, MOST_PER_LEG);
  for (const leg of others) {
    const choices = cheapest(leg, MOST_PER_LEG);
    const longer = journeys.flatMap((journey) => extendedBy(journey, choices));
    journeys = cheapest(longer, MOST_JOURNEYS);
  }
  return journeys;
}

/** Sorts by price and keeps at most `most` of each fare. */
function cheapest(journeys: readonly Journey[], most: number): readonly Journey[] {
  const countByFare = new Map<string, number>();
  const kept: Journey[] = [];
  for (const journey of journeys.toSorted((a, b) => a.adultPrice - b.adultPrice)) {
    const count = countByFare.get(journey.basis) ?? 0;
    countByFare.set(journey.basis, count + 1);
    if (count < most) kept.push(journey);
  }
  return kept;
}

/** Least time between the arrival of a leg and the departure of the next. */
const CHANGE_MS = 30 * MINUTE;

/** The journey with each choice of the next leg that has its fare and can be reached. */
function extendedBy({ basis, legs, adultPrice }: Journey, choices: readonly Journey[]): Journey[] {
  const arrived = legs.at(-1)?.at(-1)?.departure.arrivesAt ?? 0;
  return choices
    .filter((next) => next.basis === basis && (next.legs[0]?.[0]?.departure.departsAt ?? 0) > arrived + CHANGE_MS)
    .map((next) => ({ basis, legs: [...legs, ...next.legs], adultPrice: adultPrice + next.adultPrice }));
}

function priceJourney(query: Search, { legs }: Journey): PricedTrip {
  let count = 0;
  const options = legs.map((leg) => {
    const segments = leg.map(({ departure, offered }): PricedSegment => {
      count += 1;
      return { ref: String(count), fare: offered.fare, departure, prices: offered.prices, cancelled: false };
    });
    return { ref: segments[0]?.ref ?? '', segments };
  });
  return { options, counts: query.counts };
}

const MOST_LEGS = 6;
/** In days, before and after the date of a leg. */
const WIDEST_WINDOW = 7;

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
  if (leg.daysBefore > WIDEST_WINDOW || leg.daysAfter > WIDEST_WINDOW) {
    throw new Refusal('161', `windows of at most ${WIDEST_WINDOW} days`);
  }
}

/** The dates of a leg's window that are on sale. */
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
  const wanted = classStock(carrier, departure).filter((stock) => isWanted(query, stock));
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
  const chooseFare = carrier.dialect === 'rail' ? anyFare : bookedFare;
  const itinerary = checkItinerary(carrier, request.options, seatsFor(counts), chooseFare);
  return { options: pricedOptions(carrier, itinerary.options), counts };
}
