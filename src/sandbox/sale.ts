/** What is on sale on a departure: until when, in which classes, and which fares at what price. */
import type { Carrier } from './carrier.ts';
import { type FareTable, fareTable, soldCabin } from './fares.ts';
import type { Fare } from './network.ts';
import { type CabinStock, cabinStock } from './stock.ts';
import type { Departure } from './timetable.ts';
import { MINUTE_MS } from './zone.ts';

/** How long before a departure its sale ends. */
const SALE_CUTOFF_MS = 30 * MINUTE_MS;

export function isOnSale(carrier: Carrier, departure: Departure): boolean {
  return !departure.cancelled && departure.departsAt - SALE_CUTOFF_MS > carrier.now;
}

export interface OfferedFare {
  readonly fare: Fare;
  readonly prices: FareTable;
}

/** Lists every open fare that has `seats` left in its cabin, at the price of this load. */
export function offeredFares(carrier: Carrier, departure: Departure, seats: number): readonly OfferedFare[] {
  const { network, timetable } = carrier;
  return cabinStock(carrier, departure).flatMap((stock) => {
    if (stock.free < seats || stock.free <= 0) return [];
    const load = loadPercent(stock);
    return network.fares
      .filter((fare) => soldCabin(fare) === stock.cabin && isFareOpen(fare, stock))
      .map((fare) => ({ fare, prices: fareTable(timetable, departure, fare, load) }));
  });
}

function loadPercent({ capacity, free }: CabinStock): number {
  return capacity === 0 ? 100 : Math.floor(((capacity - free) * 100) / capacity);
}

/** Whether a fare is still sold: cheap fares close before their cabin is full. */
function isFareOpen(fare: Fare, { capacity, free }: CabinStock): boolean {
  return free * 100 > capacity * (fare.closesBelowPercent ?? 0);
}

export interface ClassStock {
  readonly bookingClass: string;
  readonly free: number;
}

/** Counts the seats left in each booking class of a departure. */
export function classStock(carrier: Carrier, departure: Departure): readonly ClassStock[] {
  return cabinStock(carrier, departure).flatMap(({ cabin, free }) => {
    const fares = carrier.network.fares.filter((fare) => soldCabin(fare) === cabin);
    return [...new Set(fares.map((fare) => fare.bookingClass))].map((bookingClass) => ({ bookingClass, free }));
  });
}
