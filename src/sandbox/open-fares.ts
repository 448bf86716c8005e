/** The open fares of a departure with their current prices. */
import { type Carrier, SALE_CUTOFF_MS } from './carrier.ts';
import { cabinOf, type FareTable, fareIsOpen, fareTable } from './fares.ts';
import type { Fare } from './network/network.ts';
import { type CabinStock, loadPercent, stockOf } from './stock.ts';
import type { Departure } from './timetable.ts';

export interface OfferedFare {
  readonly fare: Fare;
  readonly stock: CabinStock;
  readonly prices: FareTable;
}

export function isOnSale(carrier: Carrier, departure: Departure): boolean {
  return !departure.cancelled && departure.departsAt - SALE_CUTOFF_MS > carrier.now;
}

/** Every fare of the tariff that has `seats` left in its cabin, at today's price. */
export function offeredFares(carrier: Carrier, departure: Departure, seats: number): readonly OfferedFare[] {
  const { network, timetable } = carrier;
  return stockOf(carrier.state, timetable, departure, carrier.now).flatMap((stock) => {
    if (stock.free < seats || stock.free <= 0) return [];
    const load = loadPercent(stock);
    return network.fares
      .filter((fare) => cabinOf(fare) === stock.cabin && fareIsOpen(fare, stock.free, stock.capacity))
      .map((fare) => ({ fare, stock, prices: fareTable(timetable, departure, fare, load) }));
  });
}

export interface ClassStock {
  readonly bookingClass: string;
  readonly free: number;
}

/** Seats left in each booking class of a departure. */
export function classStock(carrier: Carrier, departure: Departure): readonly ClassStock[] {
  const cabins = stockOf(carrier.state, carrier.timetable, departure, carrier.now);
  return cabins.flatMap(({ cabin, free }) => {
    const fares = carrier.network.fares.filter((fare) => cabinOf(fare) === cabin);
    return [...new Set(fares.map((fare) => fare.bookingClass))].map((bookingClass) => ({ bookingClass, free }));
  });
}
