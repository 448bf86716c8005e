/** Seats of a vehicle, and those that passengers of other channels have taken before our first request. */
import type { Coach, Vehicle } from './network/network.ts';
import { seededRandom } from './seeded-random.ts';

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

/** A train or flight on one day: what its seats hang on. */
export interface Run {
  readonly number: string;
  /** Days from the airline's first day. What is drawn for a run hangs on it, so that every first day begins alike. */
  readonly dayNumber: number;
}

/** How many seats of a class other channels have sold; about one run in eight is full in economy. */
export function soldElsewhere(seed: number, run: Run, bookingClass: string, capacity: number): number {
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
