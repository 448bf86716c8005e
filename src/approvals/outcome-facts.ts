/**
 * What became of an approved act, for the person who decided: whose tickets, which seats, which names. The journal holds no
 * names, so this is kept with the approval and blanked with it.
 */

import { cleanCode, plainText } from '../core/clean-text.ts';
import { showTrip } from '../core/times.ts';
import { activeSegments, type Booking, type Segment, segmentsOf, type Ticket } from '../domain/booking/booking.ts';
import { assignedSeat, type SeatPlace } from '../domain/booking/expected-change.ts';
import { flightName } from '../domain/booking/flight-name.ts';
import { showRoute } from '../domain/booking/stations.ts';
import { couponCounts } from '../domain/booking/status-codes.ts';
import { fullName } from '../domain/people/traveler.ts';
import type { Acts } from '../journal/act.ts';
import type { Operation } from '../journal/operation.ts';

export interface TicketFact {
  readonly number: string;
  readonly passenger?: string;
  /** One for each train or flight: `HHR101 MED → JED, Tue 1 Dec 08:00-10:10 (UTC+3), coach 3 seat 12A`. */
  readonly rides: readonly string[];
  /** Coupons that have a document, named as in TicketName, each with its train or flight. */
  readonly coupons?: readonly { readonly name: string; readonly flight?: string }[];
}

export interface OutcomeFacts {
  readonly tickets: readonly TicketFact[];
  /** New names, seats and trains, one line each. */
  readonly changes: readonly string[];
}

/** @param before as read for the terms, where this process sent */
export function outcomeFacts(acts: Acts, operation: Operation, booking: Booking, before?: Booking): OutcomeFacts {
  const { subject } = operation;
  return {
    tickets: ticketsOf(operation, booking),
    changes: acts.of(subject).changes?.(subject, booking, before) ?? [],
  };
}

function ticketsOf({ outcome }: Operation, booking: Booking): readonly TicketFact[] {
  return (outcome?.tickets ?? []).map(({ number }) => {
    const ticket = booking.tickets.find((one) => one.number === number);
    const holder = ticket?.travelerRefs[0];
    return {
      number: cleanCode(number, 40),
      passenger: holder === undefined ? undefined : nameOf(booking, holder),
      rides: ticket === undefined ? [] : ridesOf(ticket, booking),
      ...(ticket && { coupons: couponsOf(ticket, booking) }),
    };
  });
}

function couponsOf({ coupons }: Ticket, booking: Booking): NonNullable<TicketFact['coupons']> {
  const valid = coupons.filter(({ statusCode }) => couponCounts(statusCode));
  return valid.map(({ number = '', segmentRef = '' }) => {
    const segment = segmentsOf(booking).find(({ ref }) => ref === segmentRef);
    const name = number === '' ? `s${cleanCode(segmentRef)}` : cleanCode(number);
    return { name, ...(segment && { flight: flightName(segment) }) };
  });
}

function ridesOf({ travelerRefs: [holder = ''], segmentRefs, coupons }: Ticket, booking: Booking): readonly string[] {
  const refs = [...segmentRefs, ...coupons.map(({ segmentRef }) => segmentRef)];
  const all = activeSegments(booking);
  const ticketed = all.filter(({ ref }) => refs.includes(ref));
  return (ticketed.length === 0 ? all : ticketed).map((segment) => {
    const seat = assignedSeat(booking, holder, segment.ref);
    const ride = rideText(segment);
    return seat === undefined ? ride : `${ride}, ${placeText(seat)}`;
  });
}

/** `HHR101 MED → JED, Tue 1 Dec 08:00-10:10 (UTC+3)`. */
export function rideText(segment: Segment): string {
  return `${flightName(segment)} ${showRoute(segment)}, ${showTrip(segment.departs, segment.arrives)}`;
}

/** A name from the airline, cut; `passenger 2` for one without. */
export function nameOf({ travelers }: Booking, wanted: string): string {
  const name = travelers.find(({ ref }) => ref === wanted)?.name;
  return name === undefined ? `passenger ${cleanCode(wanted)}` : plainText(fullName(name), 70);
}

export function placeText({ seat, coach }: SeatPlace): string {
  return `${coach === undefined ? '' : `coach ${cleanCode(coach, 8)} `}seat ${cleanCode(seat, 8)}`;
}
