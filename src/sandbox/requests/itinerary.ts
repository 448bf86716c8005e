/** Checks the segments of a request against the timetable, the tariff and the seats that are left. */
import { type Carrier, cancelledServiceRefusal } from '../carrier.ts';
import { soldCabin } from '../fares.ts';
import type { Fare } from '../network.ts';
import type { HeldOption, HeldSegment } from '../record.ts';
import { Refusal } from '../refusal.ts';
import { isOnSale, type OfferedFare, offeredFares } from '../sale.ts';
import { cabinStock } from '../stock.ts';
import { type Departure, isSameRun } from '../timetable.ts';
import { MINUTE_MS } from '../zone.ts';
import type { RequestedOption, RequestedSegment } from './fields.ts';

/** The least time between the arrival of a segment and the departure of the next. */
export const LEAST_TRANSFER_MS = 30 * MINUTE_MS;

export interface CheckedItinerary {
  readonly options: readonly HeldOption[];
  /** In order of travel. */
  readonly departures: readonly { readonly segment: HeldSegment; readonly departure: Departure }[];
}

/** Picks from the fares of a class those that a segment may have. The cheapest of them is booked. Throws Refusal. */
type FarePick = (carrier: Carrier, segment: RequestedSegment, fares: readonly Fare[]) => readonly Fare[];

/**
 * For bookings: picks the requested fare on rail, and refuses a missing or unknown one (53). An airline ignores the
 * requested fare and picks by class alone (docs/wire/notes.md, Fares and prices).
 */
const pickRequestedFare: FarePick = (carrier, { ref, basis, bookingClass }, fares) => {
  if (carrier.dialect === 'airline') return fares;
  if (basis === undefined) throw new Refusal('53', `segment ${ref}: no fare basis code`);
  const requestedFares = fares.filter((fare) => fare.basis === basis);
  if (requestedFares.length > 0) return requestedFares;
  throw new Refusal('53', `segment ${ref}: no fare ${basis} in class ${bookingClass}`);
};

/** For rebookings: does the same, but picks any fare of the class if rail has no requested one. */
export const pickRequestedOrAnyFare: FarePick = (carrier, { basis }, fares) => {
  const requestedFares = fares.filter((fare) => fare.basis === basis);
  return carrier.dialect === 'airline' || requestedFares.length === 0 ? fares : requestedFares;
};

/** Throws the airline's refusal if a segment does not exist, is not sold or is full. */
export function checkItinerary(
  carrier: Carrier,
  options: readonly RequestedOption[],
  seats: number,
  pick: FarePick = pickRequestedFare,
): CheckedItinerary {
  const departures: { segment: HeldSegment; departure: Departure }[] = [];
  const heldOptions: HeldOption[] = [];

  for (const option of options) {
    const segments: HeldSegment[] = [];
    for (const requested of option.segments) {
      const { ref } = requested;
      if (departures.some(({ segment }) => segment.ref === ref))
        throw new Refusal('83', `segment pointer ${ref} stands twice`);

      const departure = checkDeparture(carrier, requested);
      if (departures.some((other) => isSameRun(other.departure, departure)))
        throw new Refusal('1024', `departure ${departure.number} stands twice`);

      const segment = toHeldSegment(ref, departure, checkFare(carrier, requested, departure, { seats, pick }));
      segments.push(segment);
      departures.push({ segment, departure });
    }

    heldOptions.push({ ref: option.ref, segments });
  }

  checkOrder(departures.map(({ departure }) => departure));
  return { options: heldOptions, departures };
}

function toHeldSegment(ref: string, departure: Departure, { fare, prices }: OfferedFare): HeldSegment {
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

function checkDeparture(carrier: Carrier, segment: RequestedSegment): Departure {
  const { timetable } = carrier;
  const label = `segment ${segment.ref}`;
  for (const code of [segment.from, segment.to]) {
    if (timetable.station(code) === undefined) throw new Refusal('7', `${label}: no station ${code}`);
  }

  const number = segment.operatingNumber ?? segment.number;
  const departure = timetable.findByTicket(number, segment.from, segment.to, Date.parse(segment.departs));
  if (departure === undefined || segment.number !== number)
    throw new Refusal('499', `${label}: no departure ${segment.number} at ${segment.departs}`);

  const carriers = [departure.service.operatedBy, carrier.network.carrier];
  const requestedCarriers = [segment.operatingCode, segment.marketingCode];
  if (requestedCarriers.some((code) => code !== undefined && !carriers.includes(code)))
    throw new Refusal('499', `${label}: carrier ${requestedCarriers.join('/')} does not run departure ${number}`);
  if (Date.parse(segment.arrives) !== departure.arrivesAt)
    throw new Refusal('501', `${label}: arrives at another time`);
  if (departure.cancelled) throw cancelledServiceRefusal(carrier, departure);
  if (!isOnSale(carrier, departure)) throw new Refusal('499', `${label}: departure ${number} is no longer sold`);

  return departure;
}

function checkFare(
  carrier: Carrier,
  segment: RequestedSegment,
  departure: Departure,
  { seats, pick }: { readonly seats: number; readonly pick: FarePick },
): OfferedFare {
  const label = `segment ${segment.ref}`;
  const { bookingClass } = segment;
  if (bookingClass === undefined) throw new Refusal('508', `${label}: no booking class`);

  const classFares = carrier.network.fares.filter((fare) => fare.bookingClass === bookingClass);
  const [anyFare] = classFares;
  if (anyFare === undefined) throw new Refusal('508', `${label}: no booking class ${bookingClass}`);

  const pickedFares = pick(carrier, segment, classFares);
  const stock = cabinStock(carrier, departure);
  const freeCount = stock.find((cabin) => cabin.cabin === soldCabin(anyFare))?.free ?? 0;
  if (freeCount <= 0) throw new Refusal('499', `${label}: class ${bookingClass} is sold out`);
  if (freeCount < seats) throw new Refusal('1053', `${label}: ${freeCount} seats left in class ${bookingClass}`);

  const [cheapest] = offeredFares(carrier, departure, seats)
    .filter((offered) => pickedFares.includes(offered.fare))
    .toSorted((a, b) => (a.prices.ADT?.total.minor ?? 0) - (b.prices.ADT?.total.minor ?? 0));
  if (cheapest === undefined)
    throw new Refusal('1055', `${label}: fare ${pickedFares.map((fare) => fare.basis).join(', ')} is closed`);

  return cheapest;
}

function checkOrder(departures: readonly Departure[]): void {
  for (const [i, next] of departures.entries()) {
    const previous = departures[i - 1];
    if (previous !== undefined && next.departsAt < previous.arrivesAt + LEAST_TRANSFER_MS)
      throw new Refusal('501', `departure ${next.number} leaves before ${previous.number} has arrived`);
  }
}
