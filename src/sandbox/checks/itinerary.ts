/**
 * Segments of a booking request against the timetable, the tariff and the seats that are left.
 */
import type { Segment, SegmentOption } from '../../domain/itinerary.ts';
import type { Carrier } from '../carrier.ts';
import { Fault } from '../fault.ts';
import { isOnSale, type OfferedFare, offeredFares } from '../offering.ts';
import type { HeldOption, HeldSegment } from '../record.ts';
import { stockOf } from '../stock.ts';
import type { Departure } from '../timetable.ts';

const SHORTEST_CHANGE_MS = 30 * 60_000;

export interface CheckedItinerary {
  readonly options: readonly HeldOption[];
  /** In order of travel. */
  readonly departures: readonly { readonly segment: HeldSegment; readonly departure: Departure }[];
}

/** Throws the airline's own codes for what does not exist, is not sold or is full. */
export function checkItinerary(carrier: Carrier, options: readonly SegmentOption[], seats: number): CheckedItinerary {
  const departures: { segment: HeldSegment; departure: Departure }[] = [];
  const refs = new Set<string>();
  const trips = new Set<string>();
  const held = options.map((option) => {
    const segments = option.segments.map((segment) => {
      if (refs.has(segment.ref)) throw new Fault('83', `segment pointer ${segment.ref} stands twice`);
      refs.add(segment.ref);
      const departure = checkDeparture(carrier, segment);
      const trip = `${departure.number} ${departure.serviceDate}`;
      if (trips.has(trip)) throw new Fault('1024', `departure ${departure.number} stands twice`);
      trips.add(trip);
      const offered = checkFare(carrier, segment, departure, seats);
      const kept = heldSegment(segment.ref, departure, offered);
      departures.push({ segment: kept, departure });
      return kept;
    });
    return { ref: option.ref, segments };
  });
  checkOrder(departures.map((it) => it.departure));
  return { options: held, departures };
}

function heldSegment(ref: string, departure: Departure, offered: OfferedFare): HeldSegment {
  const { number, serviceDate, fromStop, toStop } = departure;
  return {
    ref,
    departure: { number, serviceDate, fromStop, toStop },
    bookingClass: offered.fare.bookingClass,
    basis: offered.fare.basis,
    prices: offered.prices,
    cancelled: false,
  };
}

function checkDeparture(carrier: Carrier, segment: Segment): Departure {
  const { timetable } = carrier;
  const at = `segment ${segment.ref}`;
  for (const code of [segment.from, segment.to]) {
    if (timetable.station(code) === undefined) throw new Fault('7', `${at}: no station ${code}`);
  }
  const number = segment.operating?.number ?? segment.flightNumber;
  const departure = timetable.lookUp(number, segment.from, segment.to, Date.parse(segment.departs));
  if (departure === undefined || segment.flightNumber !== number) {
    throw new Fault('499', `${at}: no departure ${segment.flightNumber} at ${segment.departs}`);
  }
  const carriers = [departure.service.operatedBy, carrier.network.carrier];
  const named = [segment.operating?.carrier, segment.marketing?.carrier];
  if (named.some((code) => code !== undefined && !carriers.includes(code))) {
    throw new Fault('499', `${at}: carrier ${named.join('/')} does not run departure ${number}`);
  }
  if (Date.parse(segment.arrives) !== departure.arrivesAt) throw new Fault('501', `${at}: arrives at another time`);
  if (!isOnSale(carrier, departure)) throw new Fault('499', `${at}: departure ${number} is no longer sold`);
  return departure;
}

function checkFare(carrier: Carrier, segment: Segment, departure: Departure, seats: number): OfferedFare {
  const { fares } = carrier.network;
  const at = `segment ${segment.ref}`;
  const { bookingClass, fareBasis } = segment;
  if (bookingClass === undefined && fareBasis === undefined) throw new Fault('508', `${at}: no booking class`);
  const known = fares.filter((fare) => bookingClass === undefined || fare.bookingClass === bookingClass);
  if (known.length === 0) throw new Fault('508', `${at}: no booking class ${bookingClass}`);
  const wanted = known.filter((fare) => fareBasis === undefined || fare.basis === fareBasis);
  const [first] = wanted;
  if (first === undefined) throw new Fault('53', `${at}: no fare ${fareBasis} in class ${bookingClass}`);
  const stock = stockOf(carrier.state, carrier.timetable, departure, carrier.now);
  const free = stock.find((it) => it.bookingClass === first.bookingClass)?.free ?? 0;
  if (free <= 0) throw new Fault('9', `${at}: class ${first.bookingClass} is full`);
  if (free < seats) throw new Fault('1053', `${at}: ${free} seats left in class ${first.bookingClass}`);
  const open = offeredFares(carrier, departure, seats).find((it) => wanted.includes(it.fare));
  if (open === undefined) throw new Fault('1055', `${at}: fare ${fareBasis ?? first.basis} is closed`);
  return open;
}

function checkOrder(departures: readonly Departure[]): void {
  for (const [i, next] of departures.entries()) {
    const before = departures[i - 1];
    if (before !== undefined && next.departsAt < before.arrivesAt + SHORTEST_CHANGE_MS) {
      throw new Fault('501', `departure ${next.number} leaves before ${before.number} has arrived`);
    }
  }
}
