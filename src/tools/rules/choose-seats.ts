/**
 * Finds the wanted seats in the airline's map. `4-52` is seat 52 of coach 4 (zone code of the map); `52` is the only seat
 * with that number, or the one in the traveller's own coach.
 */

import { cleanCode } from '../../core/clean-text.ts';
import { type ClerkError, inputError } from '../../core/errors.ts';
import type { SeatChoice } from '../../domain/airline.ts';
import type { Booking } from '../../domain/booking/booking.ts';
import { assignedSeat, type SeatPlace, sameSeat } from '../../domain/booking/expected-change.ts';
import type { Seat, SegmentSeatMap } from '../../domain/booking/seat-map.ts';
import { notSent } from './refusal.ts';

export interface SeatInput {
  readonly segment_ref: string;
  readonly passenger_ref: string;
  readonly seat: string;
}

/** A seat on the map. `kind`: `window`, `aisle` or empty. */
interface MapSeat extends SeatPlace {
  readonly status: Seat['status'];
  readonly kind: string;
}

interface Located {
  readonly wish: SeatInput;
  readonly was: SeatPlace | undefined;
  readonly place: MapSeat;
}

export interface FoundSeat extends Located {
  readonly choice: SeatChoice;
}

/** `4-52`, or `52` where no coach is known. */
export function placeText({ seat, coach }: SeatPlace): string {
  return coach === undefined ? cleanCode(seat, 8) : `${cleanCode(coach, 8)}-${cleanCode(seat, 8)}`;
}

/** `coach 4 seat 52`, for sentences. */
export function placeWords({ seat, coach }: SeatPlace): string {
  return `${coach === undefined ? '' : `coach ${cleanCode(coach, 8)} `}seat ${cleanCode(seat, 8)}`;
}

/**
 * The wanted seats that passengers do not have yet. Each must be free, or given up in the same call. Throws E_INPUT,
 * E_SOLD_OUT, E_ALREADY_DONE.
 */
export function findSeats(
  booking: Booking,
  wished: readonly SeatInput[],
  maps: readonly SegmentSeatMap[],
): readonly FoundSeat[] {
  const found = wished.map((wish, i): Located => {
    const seats = maps.filter((map) => map.segment.ref === wish.segment_ref).flatMap(seatsOf);
    const was = assignedSeat(booking, wish.passenger_ref, wish.segment_ref);
    return { wish, was, place: located(wish.seat, was, seats, `seats[${i}].seat`) };
  });
  assertApart(found);
  const moving = found.filter(({ was, place }) => !sameSeat(was, place));
  for (const one of moving) assertFree(booking, one, moving);
  if (moving.length === 0) {
    const what = `Booking ${booking.locator} has these seats already.`;
    throw notSent('E_ALREADY_DONE', what, 'Call read_booking to see the seats.');
  }
  return moving.map((one) => {
    const { wish, was, place } = one;
    const elsewhere =
      was?.coach !== undefined && place.coach !== undefined && !sameSeat({ ...was, seat: '' }, { ...place, seat: '' });
    const { segment_ref: segmentRef, passenger_ref: travelerRef } = wish;
    const choice = { segmentRef, travelerRef, seat: place.seat, ...(elsewhere && { coach: place.coach ?? '' }) };
    return { ...one, choice };
  });
}

function seatsOf(map: SegmentSeatMap): MapSeat[] {
  return map.cabins.flatMap((cabin) => {
    const coach = cabin.zones[0]?.code;
    return cabin.rows.flatMap((row) =>
      row.seats.map(({ number, status, window, aisle }) => ({
        seat: number,
        status,
        kind: kindOf({ window, aisle }),
        coach,
      })),
    );
  });
}

function kindOf({ window, aisle }: { readonly window?: boolean; readonly aisle?: boolean }): string {
  if (window) return 'window';
  return aisle ? 'aisle' : '';
}

function located(written: string, was: SeatPlace | undefined, seats: readonly MapSeat[], field: string): MapSeat {
  const [coach, seat = ''] = written.includes('-') ? written.split('-', 2) : [undefined, written];
  const numbered = seats.filter((one) => sameSeat(one, { seat }));
  const named = numbered.filter((one) => sameSeat(one, { seat, coach }));
  const inSameCoach = named.filter((one) => was?.coach !== undefined && sameSeat(one, { seat, coach: was.coach }));
  const [place] = inSameCoach.length === 1 ? inSameCoach : named;
  if (place !== undefined && inSameCoach.length !== 1 && numbered.length > 1) throw unsayable(numbered);
  if (place !== undefined) return place;
  const beside = coach ?? was?.coach;
  const free = seats.filter((one) => one.status === 'free' && (beside === undefined || one.coach === beside));
  const near = free.slice(0, 6).map(placeText).join(', ');
  const problem = near === '' ? 'expected a seat on the map.' : `expected a seat on the map; free are ${near}.`;
  throw inputError(field, problem, 'Call get_seat_map for the seats of this flight.');
}

/** The request has only a seat number. If several coaches have it, it means at best the traveller's own. */
function unsayable(places: readonly MapSeat[]): ClerkError {
  const where = places.map(placeText).slice(0, 6).join(', ');
  const why = `the airline's message names no coach, and several have this number: ${where}`;
  return notSent(
    'E_NOT_PERMITTED',
    `The airline cannot be asked for this seat: ${why}.`,
    'Call get_seat_map and choose a seat whose number is in one coach only, or one in the passenger’s own coach.',
  );
}

function assertApart(found: readonly Located[]): void {
  for (const [i, { wish, place }] of found.entries()) {
    const before = found.slice(0, i).filter((one) => one.wish.segment_ref === wish.segment_ref);
    if (before.some((one) => one.wish.passenger_ref === wish.passenger_ref)) {
      throw inputError(`seats[${i}].passenger_ref`, 'expected each passenger once on a segment.');
    }
    if (before.some((one) => sameSeat(one.place, place))) {
      throw inputError(`seats[${i}].seat`, 'expected each seat once on a segment.');
    }
  }
}

function assertFree(booking: Booking, { wish, place }: Located, moving: readonly Located[]): void {
  if (place.status === 'free') return;
  const givenUp = moving.some(
    (other) => other.wish.segment_ref === wish.segment_ref && other.was !== undefined && sameSeat(other.was, place),
  );
  if (place.status === 'yours' && givenUp) return;
  const holder = booking.travelers.find(({ ref }) => sameSeat(assignedSeat(booking, ref, wish.segment_ref), place));
  const by = place.status === 'yours' && holder ? `the seat of passenger ${holder.ref} of this booking` : 'taken';
  const what = `Segment ${wish.segment_ref}, ${placeWords(place)}: it is ${by}.`;
  throw notSent('E_SOLD_OUT', what, 'Call get_seat_map for the seats that are free.');
}
