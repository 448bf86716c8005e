/**
 * Seats: those of a vehicle, those that other channels have sold before our first request, and the claims of our holds and
 * tickets. A claim is one concrete seat on each leg of the journey; the primary key forbids that it is sold twice.
 */
import type { AirlineNow } from './carrier.ts';
import type { Coach, Vehicle } from './network/network.ts';
import { seededRandom } from './seeded-random.ts';
import type { CarrierState } from './state.ts';
import type { Departure, Run } from './timetable.ts';

export interface VehicleSeat {
  readonly coach: string;
  readonly bookingClass: string;
  readonly row: number;
  readonly letter: string;
  /** `12A`; in a train a number counted through all coaches (docs/wire/notes.md, Changes). */
  readonly number: string;
  /** 1-based place in the coach's letters, aisles counted. */
  readonly column: number;
  readonly window: boolean;
  readonly aisle: boolean;
}

/** `before` seats are in the coaches ahead of this one. */
function coachSeats(coach: Coach, kind: Vehicle['kind'], before: number): VehicleSeat[] {
  const places = [...coach.letters];
  const seats: VehicleSeat[] = [];
  for (let row = coach.first; row <= coach.last; row++) {
    for (const [i, letter] of places.entries()) {
      if (letter === '|') continue;
      seats.push({
        coach: coach.code,
        bookingClass: coach.bookingClass,
        row,
        letter,
        number: kind === 'train' ? String(before + seats.length + 1) : `${row}${letter}`,
        column: i + 1,
        window: i === 0 || i === places.length - 1,
        aisle: places[i - 1] === '|' || places[i + 1] === '|',
      });
    }
  }
  return seats;
}

const layouts = new WeakMap<Vehicle, readonly VehicleSeat[]>();

export function vehicleSeats(vehicle: Vehicle): readonly VehicleSeat[] {
  const known = layouts.get(vehicle);
  if (known !== undefined) return known;
  const seats: VehicleSeat[] = [];
  for (const coach of vehicle.coaches) seats.push(...coachSeats(coach, vehicle.kind, seats.length));
  layouts.set(vehicle, seats);
  return seats;
}

export function cabinSeats(vehicle: Vehicle, bookingClass: string): readonly VehicleSeat[] {
  return vehicleSeats(vehicle).filter((seat) => seat.bookingClass === bookingClass);
}

/** How many seats of a class other channels have sold; about one run in eight is full in economy. */
function soldElsewhere(seed: number, run: Run, bookingClass: string, capacity: number): number {
  const draw = seededRandom(seed, 'full', run.number, run.dayNumber, bookingClass);
  if (draw < 0.12) return capacity;
  return Math.floor(capacity * 0.9 * seededRandom(seed, 'load', run.number, run.dayNumber, bookingClass));
}

/** The seats behind {@link soldElsewhere}, as `coach/number`. */
export function takenElsewhere(seed: number, run: Run, vehicle: Vehicle, bookingClass: string): ReadonlySet<string> {
  const seats = cabinSeats(vehicle, bookingClass);
  const order = seats.map((seat) => ({
    name: seatName(seat.coach, seat.number),
    draw: seededRandom(seed, 'seat', run.number, run.dayNumber, seat.coach, seat.number),
  }));
  order.sort((a, b) => a.draw - b.draw);
  return new Set(order.slice(0, soldElsewhere(seed, run, bookingClass, seats.length)).map((drawn) => drawn.name));
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

/** Claims on the legs of a departure that still hold at `now`, one per seat and leg. */
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

/** Seats of each cabin of a departure. */
export function cabinStock({ state, timetable, now }: AirlineNow, departure: Departure): CabinStock[] {
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

/** Free seats of a cabin on every leg of the departure, in order of coach and row. */
export function freeSeats(
  { state, timetable, now }: AirlineNow,
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

/** Takes a seat on every leg, until `expires` (ms epoch) or for good. Throws on a seat that is taken. */
export function claim(state: CarrierState, departure: Departure, taken: Claim, expires?: number): void {
  const { coach, seat, cabin, locator, segment, traveler } = taken;
  const sql = `INSERT INTO claims
    (coach, seat, cabin, locator, segment, traveler, number, service_date, leg, expires)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
  const claimed = [coach, seat, cabin, locator, segment, traveler, departure.number, departure.serviceDate];
  for (let leg = departure.fromStop; leg < departure.toStop; leg++) state.run(sql, ...claimed, leg, expires ?? null);
}

/** Clears holds that lapsed, so that their seats can be claimed again. */
export function dropLapsed(state: CarrierState, { number, serviceDate }: Departure, now: number): void {
  state.run('DELETE FROM claims WHERE number = ? AND service_date = ? AND expires <= ?', number, serviceDate, now);
}

/** A booking's own claims, one per segment and traveller. */
export function bookingClaims(state: CarrierState, locator: string): readonly Claim[] {
  const sql = 'SELECT DISTINCT coach, seat, cabin, locator, segment, traveler FROM claims WHERE locator = ?';
  return state.rows<Claim>(sql, locator);
}

/** Coach and seat of a traveller on a segment; neither for a lap infant. */
export function claimedSeat(claims: readonly Claim[], segmentRef: string, travelerRef: string) {
  const found = claims.find(({ segment, traveler }) => segment === segmentRef && traveler === travelerRef);
  return { coach: found?.coach, seat: found?.seat };
}

/** The claims of a booking that was paid no longer expire. */
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
