/**
 * What can be bought on a departure now: open fares with their prices.
 */
import type { Segment } from '../domain/itinerary.ts';
import { type Carrier, SALE_CUTOFF_MS } from './carrier.ts';
import { type FareTable, fareIsOpen, fareTable } from './fares.ts';
import type { Fare } from './network/network.ts';
import { type ClassStock, loadPercent, stockOf } from './stock.ts';
import type { Departure } from './timetable.ts';
import { localDate, localDateTime } from './zone.ts';

export interface OfferedFare {
  readonly fare: Fare;
  readonly stock: ClassStock;
  readonly prices: FareTable;
}

export function isOnSale(carrier: Carrier, departure: Departure): boolean {
  return departure.departsAt - SALE_CUTOFF_MS > carrier.now;
}

/** Every fare of the tariff that has `seats` left in its class, at today's price. */
export function offeredFares(carrier: Carrier, departure: Departure, seats: number): readonly OfferedFare[] {
  const { network, timetable } = carrier;
  return stockOf(carrier.state, timetable, departure, carrier.now).flatMap((stock) => {
    if (stock.free < seats || stock.free <= 0) return [];
    const load = loadPercent(stock);
    return network.fares
      .filter((fare) => fare.bookingClass === stock.bookingClass && fareIsOpen(fare, stock.free, stock.capacity))
      .map((fare) => ({ fare, stock, prices: fareTable(timetable, departure, fare, load) }));
  });
}

export interface SegmentDress {
  readonly ref: string;
  readonly optionRef: string;
  readonly bookingClass?: string;
  readonly basis?: string;
  readonly statusCode?: string;
  readonly stock?: readonly ClassStock[];
}

/** A departure as a segment of the interface. */
export function segmentOf(carrier: Carrier, departure: Departure, dress: SegmentDress): Segment {
  const { service, number } = departure;
  const { bookingClass, basis, statusCode, stock } = dress;
  return {
    ref: dress.ref,
    optionRef: dress.optionRef,
    flightNumber: number,
    operating: { carrier: service.operatedBy, number },
    marketing: { carrier: carrier.network.carrier },
    from: departure.from.code,
    to: departure.to.code,
    departs: localDateTime(departure.from.zone, departure.departsAt),
    arrives: localDateTime(departure.to.zone, departure.arrivesAt),
    journeyDate: localDate(departure.from.zone, departure.departsAt),
    stops: departure.toStop - departure.fromStop - 1,
    ...(bookingClass === undefined ? {} : { bookingClass }),
    ...(basis === undefined ? {} : { fareBasis: basis }),
    ...(statusCode === undefined ? {} : { statusCode }),
    ...(stock === undefined ? {} : { availability: stock.map(availabilityOf) }),
  };
}

/** `A` open, `C` closed. */
function availabilityOf(stock: ClassStock): { bookingClass: string; quantity: string; statusCode: string } {
  const free = Math.max(0, stock.free);
  return { bookingClass: stock.bookingClass, quantity: String(free), statusCode: free > 0 ? 'A' : 'C' };
}
