/**
 * Seats that are left, the claims of holds and tickets on them, and the fares that are open. A claim is one concrete seat on
 * each leg of the journey, so that nothing can be sold twice: the primary key forbids it.
 */
import { type Carrier, SALE_CUTOFF_MS } from './carrier.ts';
import { type FareTable, fareIsOpen, fareTable, soldCabin } from './fares.ts';
import type { Fare } from './network/network.ts';
import { cabinSeats, seatName, soldElsewhere, takenElsewhere, type VehicleSeat } from './seats.ts';
import type { CarrierState } from './state.ts';
import type { Departure } from './timetable.ts';

export interface Claim {
  readonly coach: string;
  readonly seat: string;
  readonly cabin: string;
  readonly locator: string;
  readonly segment: string;
  readonly traveler: string;
}

/** Claims on the legs of a departure that still hold at `now`, one per seat and leg. */
export function claimsOn(state: CarrierState, departure: Departure, now: number): readonly Claim[] {
  const rows = state.rows(
    `SELECT DISTINCT coach, seat, cabin, locator, segment, traveler FROM claims
     WHERE number = ? AND service_date = ? AND leg >= ? AND leg < ? AND (expires IS NULL OR expires > ?)`,
    departure.number,
    departure.serviceDate,
    departure.fromStop,
    departure.toStop,
    now,
  );
  return rows.map(readClaim);
}

function readClaim(row: Record<string, unknown>): Claim {
  return {
    coach: String(row.coach),
    seat: String(row.seat),
    cabin: String(row.cabin),
    locator: String(row.locator),
    segment: String(row.segment),
    traveler: String(row.traveler),
  };
}

/** The part of the airline that seats hang on. */
type Stocked = Pick<Carrier, 'state' | 'timetable' | 'now'>;

interface CabinStock {
  readonly cabin: string;
  readonly capacity: number;
  readonly free: number;
}

/** Seats of each cabin of a departure. */
export function cabinStock({ state, timetable, now }: Stocked, departure: Departure): CabinStock[] {
  const claims = claimsOn(state, departure, now);
  const cabins = new Set(departure.service.vehicle.coaches.map((coach) => coach.bookingClass));
  return [...cabins].map((cabin) => {
    const capacity = cabinSeats(departure.service.vehicle, cabin).length;
    const elsewhere = soldElsewhere(timetable.seed, departure, cabin, capacity);
    const ours = claims.filter((claim) => claim.cabin === cabin);
    const claimed = new Set(ours.map((claim) => seatName(claim.coach, claim.seat))).size;
    return { cabin, capacity, free: Math.max(0, capacity - elsewhere - claimed) };
  });
}

function loadPercent(stock: CabinStock): number {
  return stock.capacity === 0 ? 100 : Math.floor(((stock.capacity - stock.free) * 100) / stock.capacity);
}

/** Free seats of a cabin on every leg of the departure, in order of coach and row. */
export function freeSeats(
  { state, timetable, now }: Stocked,
  departure: Departure,
  cabin: string,
): readonly VehicleSeat[] {
  const { vehicle } = departure.service;
  const elsewhere = takenElsewhere(timetable.seed, departure, vehicle, cabin);
  const claimed = new Set(claimsOn(state, departure, now).map((claim) => seatName(claim.coach, claim.seat)));
  return cabinSeats(vehicle, cabin).filter((seat) => {
    const name = seatName(seat.coach, seat.number);
    return !elsewhere.has(name) && !claimed.has(name);
  });
}

/** `count` seats close together: in one coach and few rows where that can be. Undefined where there are too few. */
export function pickSeats(free: readonly VehicleSeat[], count: number): readonly VehicleSeat[] | undefined {
  if (free.length < count) return undefined;
  let best = free.slice(0, count);
  let bestSpread = spread(best);
  for (let start = 1; start + count <= free.length && bestSpread > 0; start++) {
    const party = free.slice(start, start + count);
    if (spread(party) >= bestSpread) continue;
    best = party;
    bestSpread = spread(party);
  }
  return best;
}

function spread(seats: readonly VehicleSeat[]): number {
  const [first, last] = [seats[0], seats.at(-1)];
  if (first === undefined || last === undefined) return 0;
  return first.coach === last.coach ? last.row - first.row : 1000;
}

/** Takes a seat on every leg. `expires` (ms epoch) undefined: for good. Throws on a seat that is taken. */
export function claim(state: CarrierState, departure: Departure, taken: Claim, expires: number | undefined): void {
  for (let leg = departure.fromStop; leg < departure.toStop; leg++) {
    state.run(
      'INSERT INTO claims VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      departure.number,
      departure.serviceDate,
      leg,
      taken.coach,
      taken.seat,
      taken.cabin,
      taken.locator,
      taken.segment,
      taken.traveler,
      expires ?? null,
    );
  }
}

/** Clears holds that lapsed, so that their seats can be claimed again. */
export function dropLapsed(state: CarrierState, departure: Departure, now: number): void {
  state.run(
    'DELETE FROM claims WHERE number = ? AND service_date = ? AND expires <= ?',
    departure.number,
    departure.serviceDate,
    now,
  );
}

/** A booking's own claims, one per segment and traveller. */
export function bookingClaims(state: CarrierState, locator: string): readonly Claim[] {
  const sql = 'SELECT DISTINCT coach, seat, cabin, locator, segment, traveler FROM claims WHERE locator = ?';
  return state.rows(sql, locator).map(readClaim);
}

export function keepForGood(state: CarrierState, locator: string): void {
  state.run('UPDATE claims SET expires = NULL WHERE locator = ?', locator);
}

/** Frees the seats of a booking, or only those on one segment or of one traveller. */
export function releaseSeats(
  state: CarrierState,
  locator: string,
  { segment = null, traveler = null }: { readonly segment?: string | null; readonly traveler?: string | null } = {},
): void {
  const sql =
    'DELETE FROM claims WHERE locator = ? AND segment = ifnull(?, segment) AND traveler = ifnull(?, traveler)';
  state.run(sql, locator, segment, traveler);
}

/** Hands a traveller's seats over to another booking. */
export function moveClaims(state: CarrierState, from: string, traveler: string, to: string): void {
  state.run('UPDATE claims SET locator = ? WHERE locator = ? AND traveler = ?', to, from, traveler);
}

/** Moves the end of a hold's claims. */
export function moveExpiry(state: CarrierState, locator: string, expires: number): void {
  state.run('UPDATE claims SET expires = ? WHERE locator = ? AND expires IS NOT NULL', expires, locator);
}

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
  return cabinStock(carrier, departure).flatMap((stock) => {
    if (stock.free < seats || stock.free <= 0) return [];
    const load = loadPercent(stock);
    return network.fares
      .filter((fare) => soldCabin(fare) === stock.cabin && fareIsOpen(fare, stock.free, stock.capacity))
      .map((fare) => ({ fare, stock, prices: fareTable(timetable, departure, fare, load) }));
  });
}

export interface ClassStock {
  readonly bookingClass: string;
  readonly free: number;
}

/** Seats left in each booking class of a departure. */
export function classStock(carrier: Carrier, departure: Departure): readonly ClassStock[] {
  const cabins = cabinStock(carrier, departure);
  return cabins.flatMap(({ cabin, free }) => {
    const fares = carrier.network.fares.filter((fare) => soldCabin(fare) === cabin);
    return [...new Set(fares.map((fare) => fare.bookingClass))].map((bookingClass) => ({ bookingClass, free }));
  });
}
