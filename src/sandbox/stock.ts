/**
 * The seats of a departure: those that the vehicle has, those that other channels sold, those that our bookings claim.
 * A claim is one seat on each leg of a segment; the table's primary key prevents that a seat is sold twice. A cabin is
 * all coaches of one booking class, and has that class as its name.
 */
import type { AirlineNow } from './carrier.ts';
import type { Coach, Vehicle } from './network.ts';
import { seededRandom } from './seeded-random.ts';
import type { CarrierState } from './state.ts';
import type { Departure, Run } from './timetable.ts';

export interface VehicleSeat {
  readonly coach: string;
  readonly cabin: string;
  readonly row: number;
  readonly letter: string;
  /** `12A`; in a train a number counted through all coaches (docs/wire/notes.md, Changes). */
  readonly number: string;
  /** 1-based place in the coach's letters, aisles counted. */
  readonly column: number;
  readonly window: boolean;
  readonly aisle: boolean;
}

/** The share of departures on which other channels have sold a whole cabin. */
const FULL_SHARE = 0.12;
/** The highest share of a cabin that other channels sell on the other departures. */
const HIGHEST_LOAD = 0.9;
/** Lists the seats of a coach, row by row. `seatsAhead` counts the seats in the coaches ahead of it. */
function coachSeats(coach: Coach, kind: Vehicle['kind'], seatsAhead: number): VehicleSeat[] {
  const places = [...coach.letters];
  const seats: VehicleSeat[] = [];

  for (let row = coach.first; row <= coach.last; row++) {
    for (const [i, letter] of places.entries()) {
      if (letter === '|') continue;

      seats.push({
        coach: coach.code,
        cabin: coach.bookingClass,
        row,
        letter,
        number: kind === 'train' ? String(seatsAhead + seats.length + 1) : `${row}${letter}`,
        column: i + 1,
        window: i === 0 || i === places.length - 1,
        aisle: places[i - 1] === '|' || places[i + 1] === '|',
      });
    }
  }

  return seats;
}

const seatsByVehicle = new WeakMap<Vehicle, readonly VehicleSeat[]>();

function vehicleSeats(vehicle: Vehicle): readonly VehicleSeat[] {
  const cached = seatsByVehicle.get(vehicle);
  if (cached !== undefined) return cached;
  const seats: VehicleSeat[] = [];
  for (const coach of vehicle.coaches) seats.push(...coachSeats(coach, vehicle.kind, seats.length));
  seatsByVehicle.set(vehicle, seats);
  return seats;
}

export function cabinSeats(vehicle: Vehicle, cabin: string): readonly VehicleSeat[] {
  return vehicleSeats(vehicle).filter((seat) => seat.cabin === cabin);
}

/** Counts the seats of a cabin that other channels have sold on a run. The seed decides, so that it never changes. */
function countSoldElsewhere(seed: number, run: Run, cabin: string, capacity: number): number {
  const isFull = seededRandom(seed, 'full', run.number, run.dayNumber, cabin) < FULL_SHARE;
  if (isFull) return capacity;
  return Math.floor(capacity * HIGHEST_LOAD * seededRandom(seed, 'load', run.number, run.dayNumber, cabin));
}

/** Draws which seats other channels have sold, as many as {@link countSoldElsewhere} says. Each is `coach/number`. */
export function seatsSoldElsewhere(seed: number, run: Run, vehicle: Vehicle, cabin: string): ReadonlySet<string> {
  const seats = cabinSeats(vehicle, cabin);
  const draws = seats.map((seat) => ({
    name: seatName(seat.coach, seat.number),
    draw: seededRandom(seed, 'seat', run.number, run.dayNumber, seat.coach, seat.number),
  }));
  draws.sort((a, b) => a.draw - b.draw);
  return new Set(draws.slice(0, countSoldElsewhere(seed, run, cabin, seats.length)).map((seat) => seat.name));
}

export function seatName(coach: string, number: string): string {
  return `${coach}/${number}`;
}

export interface Claim {
  readonly coach: string;
  readonly seat: string;
  readonly cabin: string;
  readonly locator: string;
  readonly segment: string;
  readonly traveler: string;
}

/** Lists the claims on any leg of a departure that have not expired at `now` (ms epoch). */
export function claimsOn(state: CarrierState, departure: Departure, now: number): readonly Claim[] {
  const { number, serviceDate, fromStop, toStop } = departure;
  const sql = `SELECT DISTINCT coach, seat, cabin, locator, segment, traveler FROM claims
    WHERE number = ? AND service_date = ? AND leg >= ? AND leg < ? AND (expires IS NULL OR expires > ?)`;
  return state.rows(sql, number, serviceDate, fromStop, toStop, now);
}

export interface CabinStock {
  readonly cabin: string;
  readonly capacity: number;
  readonly free: number;
}

/** Counts the seats of each cabin of a departure, and how many of them are free. */
export function cabinStock({ state, timetable, now }: AirlineNow, departure: Departure): CabinStock[] {
  const claims = claimsOn(state, departure, now);
  const cabins = new Set(departure.service.vehicle.coaches.map((coach) => coach.bookingClass));

  return [...cabins].map((cabin) => {
    const capacity = cabinSeats(departure.service.vehicle, cabin).length;
    const soldElsewhere = countSoldElsewhere(timetable.seed, departure, cabin, capacity);
    const claimsInCabin = claims.filter((claim) => claim.cabin === cabin);
    const claimed = new Set(claimsInCabin.map((claim) => seatName(claim.coach, claim.seat))).size;
    return { cabin, capacity, free: Math.max(0, capacity - soldElsewhere - claimed) };
  });
}

/** Lists the seats of a cabin that are free on every leg of the departure, in order of coach and row. */
export function freeSeats(airline: AirlineNow, departure: Departure, cabin: string): readonly VehicleSeat[] {
  const { state, timetable, now } = airline;
  const { vehicle } = departure.service;
  const soldElsewhere = seatsSoldElsewhere(timetable.seed, departure, vehicle, cabin);
  const claimed = new Set(claimsOn(state, departure, now).map((claim) => seatName(claim.coach, claim.seat)));

  return cabinSeats(vehicle, cabin).filter((seat) => {
    const name = seatName(seat.coach, seat.number);
    return !soldElsewhere.has(name) && !claimed.has(name);
  });
}

/** Claims a seat on every leg, until `expires` (ms epoch) or for good. Throws if the seat is claimed already. */
export function claimSeat(state: CarrierState, departure: Departure, newClaim: Claim, expires?: number): void {
  const { coach, seat, cabin, locator, segment, traveler } = newClaim;
  const sql = `INSERT INTO claims
    (coach, seat, cabin, locator, segment, traveler, number, service_date, leg, expires)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
  const values = [coach, seat, cabin, locator, segment, traveler, departure.number, departure.serviceDate];
  for (let leg = departure.fromStop; leg < departure.toStop; leg++) state.run(sql, ...values, leg, expires ?? null);
}

/** Lists the locators of bookings that hold or paid a seat on a run. */
export function locatorsOn(state: CarrierState, number: string, serviceDate: string, now: number): readonly string[] {
  const sql = `SELECT DISTINCT locator FROM claims
    WHERE number = ? AND service_date = ? AND (expires IS NULL OR expires > ?) ORDER BY locator`;
  return state.rows(sql, number, serviceDate, now).map((row) => String(row.locator));
}

/** Deletes the claims of lapsed holds on a run, so that their seats can be claimed again. */
export function dropExpired(state: CarrierState, { number, serviceDate }: Departure, now: number): void {
  state.run('DELETE FROM claims WHERE number = ? AND service_date = ? AND expires <= ?', number, serviceDate, now);
}

/** Lists the claims of a booking, one for each segment and seated traveller. */
export function bookingClaims(state: CarrierState, locator: string): readonly Claim[] {
  const sql = 'SELECT DISTINCT coach, seat, cabin, locator, segment, traveler FROM claims WHERE locator = ?';
  return state.rows<Claim>(sql, locator);
}

/** Returns the coach and seat of a traveller on a segment. A lap infant has neither. */
export function claimedSeat(claims: readonly Claim[], segmentRef: string, travelerRef: string) {
  const claim = claims.find(({ segment, traveler }) => segment === segmentRef && traveler === travelerRef);
  return { coach: claim?.coach, seat: claim?.seat };
}

/** Removes the expiry of a booking's claims, once it is paid. */
export function makeClaimsPermanent(state: CarrierState, locator: string): void {
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

/** Moves a traveller's claims from one booking (locator) to another. */
export function moveClaims(state: CarrierState, from: string, traveler: string, to: string): void {
  state.run('UPDATE claims SET locator = ? WHERE locator = ? AND traveler = ?', to, from, traveler);
}

/** Changes when the claims of a hold expire (ms epoch). */
export function moveExpiry(state: CarrierState, locator: string, expires: number): void {
  state.run('UPDATE claims SET expires = ? WHERE locator = ? AND expires IS NOT NULL', expires, locator);
}
