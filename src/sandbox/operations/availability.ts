/**
 * Fare search answered with the availability record: each leg on its own, full classes among them
 * (docs/wire/interface.md, Availability record).
 */
import type { Carrier } from '../carrier.ts';
import { seatsFor } from '../checks/party.ts';
import { checkSearch, datesOf } from '../checks/search.ts';
import { type ClassStock, classStock, isOnSale, type OfferedFare, offeredFares } from '../open-fares.ts';
import type { Search, SearchLeg } from '../requests/search.ts';
import type { Departure } from '../timetable.ts';

export interface AvailableDeparture {
  readonly departure: Departure;
  /** Classes that are shown, with the seats left. */
  readonly classes: readonly ClassStock[];
  readonly fares: readonly OfferedFare[];
}

/** Departures of each leg. */
export function searchAvailability(carrier: Carrier, query: Search): readonly (readonly AvailableDeparture[])[] {
  checkSearch(carrier, query);
  return query.legs.map((leg) =>
    departuresOf(carrier, leg)
      .map((departure) => availableOn(carrier, query, departure))
      .filter((it) => it.classes.length > 0),
  );
}

function departuresOf(carrier: Carrier, leg: SearchLeg): Departure[] {
  const dates = datesOf(carrier, leg);
  const found = dates.flatMap((date) => carrier.timetable.departures(leg.from, leg.to, date));
  return found.filter((departure) => isOnSale(carrier, departure));
}

function availableOn(carrier: Carrier, query: Search, departure: Departure): AvailableDeparture {
  const wanted = classStock(carrier, departure).filter(
    (it) => query.classes.length === 0 || query.classes.includes(it.bookingClass),
  );
  const fares = offeredFares(carrier, departure, seatsFor(query.counts)).filter(({ fare }) =>
    wanted.some((it) => it.bookingClass === fare.bookingClass),
  );
  const sold = new Set(fares.map(({ fare }) => fare.bookingClass));
  const classes = wanted.filter((it) => sold.has(it.bookingClass) || query.includesSoldOut);
  return { departure, classes, fares };
}
