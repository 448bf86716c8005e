/** Segments of a booking request against the timetable, the tariff and the seats that are left. */
import { type Carrier, serviceCancelled } from '../carrier.ts';
import { soldCabin } from '../fares.ts';
import type { Fare } from '../network/network.ts';
import type { HeldOption, HeldSegment } from '../record.ts';
import { Refusal } from '../refusal.ts';
import type { AskedOption, AskedSegment } from '../requests/fields.ts';
import { isOnSale, type OfferedFare, offeredFares } from '../sale.ts';
import { cabinStock } from '../stock.ts';
import type { Departure } from '../timetable.ts';

const SHORTEST_CHANGE_MS = 30 * 60_000;

export interface CheckedItinerary {
  readonly options: readonly HeldOption[];
  /** In order of travel. */
  readonly departures: readonly { readonly segment: HeldSegment; readonly departure: Departure }[];
}

/** Selects the tariff of a segment. Throws Refusal. */
type FarePick = (carrier: Carrier, segment: AskedSegment, fares: readonly Fare[]) => readonly Fare[];

/**
 * Rail uses the fare code of each segment and refuses a missing or unknown one (53). An airline ignores it and picks
 * the tariff by class (docs/wire/notes.md, Fares and prices).
 */
export const bookedFare: FarePick = (carrier, segment, fares) => {
  const at = `segment ${segment.ref}`;
  if (carrier.dialect === 'airline') return fares;
  const { basis } = segment;
  if (basis === undefined) throw new Refusal('53', `${at}: no fare basis code`);
  const wanted = fares.filter((fare) => fare.basis === basis);
  if (wanted.length === 0) throw new Refusal('53', `${at}: no fare ${basis} in class ${segment.bookingClass}`);
  return wanted;
};

/** The cheapest fare of the class, for a request without a fare. */
export const anyFare: FarePick = (_, segment, fares) => {
  const wanted = fares.filter((fare) => fare.basis === segment.basis);
  return wanted.length > 0 ? wanted : fares;
};

/** The dearest fare of the class, whatever the request names. */
export const dearestFare: FarePick = (_, _segment, fares) =>
  fares.toSorted((a, b) => b.percent - a.percent).slice(0, 1);

/** Throws the airline's code if a segment does not exist, is not sold or is full. */
export function checkItinerary(
  carrier: Carrier,
  options: readonly AskedOption[],
  seats: number,
  pick: FarePick = bookedFare,
): CheckedItinerary {
  const departures: { segment: HeldSegment; departure: Departure }[] = [];
  const refs = new Set<string>();
  const trips = new Set<string>();
  const held = options.map((option) => {
    const segments = option.segments.map((segment) => {
      if (refs.has(segment.ref)) throw new Refusal('83', `segment pointer ${segment.ref} stands twice`);
      refs.add(segment.ref);
      const departure = checkDeparture(carrier, segment);
      const trip = `${departure.number} ${departure.serviceDate}`;
      if (trips.has(trip)) throw new Refusal('1024', `departure ${departure.number} stands twice`);
      trips.add(trip);
      const kept = heldSegment(segment.ref, departure, checkFare(carrier, segment, departure, seats, pick));
      departures.push({ segment: kept, departure });
      return kept;
    });
    return { ref: option.ref, segments };
  });
  checkOrder(departures.map((departure) => departure.departure));
  return { options: held, departures };
}

function heldSegment(ref: string, departure: Departure, { fare, prices }: OfferedFare): HeldSegment {
  const { number, serviceDate, fromStop, toStop } = departure;
  return {
    ref,
    departure: { number, serviceDate, fromStop, toStop },
    bookingClass: fare.bookingClass,
    cabin: soldCabin(fare),
    basis: fare.basis,
    prices,
    cancelled: false,
  };
}

function checkDeparture(carrier: Carrier, segment: AskedSegment): Departure {
  const { timetable } = carrier;
  const at = `segment ${segment.ref}`;
  for (const code of [segment.from, segment.to]) {
    if (timetable.station(code) === undefined) throw new Refusal('7', `${at}: no station ${code}`);
  }
  const number = segment.operatingNumber ?? segment.number;
  const departure = timetable.lookUp(number, segment.from, segment.to, Date.parse(segment.departs));
  if (departure === undefined || segment.number !== number) {
    throw new Refusal('499', `${at}: no departure ${segment.number} at ${segment.departs}`);
  }
  const carriers = [departure.service.operatedBy, carrier.network.carrier];
  const named = [segment.operatingCode, segment.marketingCode];
  if (named.some((code) => code !== undefined && !carriers.includes(code))) {
    throw new Refusal('499', `${at}: carrier ${named.join('/')} does not run departure ${number}`);
  }
  if (Date.parse(segment.arrives) !== departure.arrivesAt) throw new Refusal('501', `${at}: arrives at another time`);
  if (departure.cancelled) throw serviceCancelled(carrier, departure);
  if (!isOnSale(carrier, departure)) throw new Refusal('499', `${at}: departure ${number} is no longer sold`);
  return departure;
}

function checkFare(
  carrier: Carrier,
  segment: AskedSegment,
  departure: Departure,
  seats: number,
  pick: FarePick,
): OfferedFare {
  const at = `segment ${segment.ref}`;
  const { bookingClass } = segment;
  if (bookingClass === undefined) throw new Refusal('508', `${at}: no booking class`);
  const known = carrier.network.fares.filter((fare) => fare.bookingClass === bookingClass);
  const [first] = known;
  if (first === undefined) throw new Refusal('508', `${at}: no booking class ${bookingClass}`);
  const wanted = pick(carrier, segment, known);
  const stock = cabinStock(carrier, departure);
  const free = stock.find((cabin) => cabin.cabin === soldCabin(first))?.free ?? 0;
  if (free <= 0) throw new Refusal('499', `${at}: class ${bookingClass} is sold out`);
  if (free < seats) throw new Refusal('1053', `${at}: ${free} seats left in class ${bookingClass}`);
  const open = offeredFares(carrier, departure, seats)
    .filter((offered) => wanted.includes(offered.fare))
    .toSorted((a, b) => (a.prices.ADT?.total.minor ?? 0) - (b.prices.ADT?.total.minor ?? 0));
  if (open[0] === undefined)
    throw new Refusal('1055', `${at}: fare ${wanted.map((fare) => fare.basis).join(', ')} is closed`);
  return open[0];
}

function checkOrder(departures: readonly Departure[]): void {
  for (const [i, next] of departures.entries()) {
    const before = departures[i - 1];
    if (before !== undefined && next.departsAt < before.arrivesAt + SHORTEST_CHANGE_MS) {
      throw new Refusal('501', `departure ${next.number} leaves before ${before.number} has arrived`);
    }
  }
}
