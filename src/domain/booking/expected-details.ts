/**
 * Subjects of the changes that are read back in detail: seats, contact, passenger information, rebooking, splitting.
 */

import {
  type ContactDetail,
  contactText,
  type Digest,
  detailsText,
  detailText,
  identityText,
  saysNothing,
  type TravelerDetail,
} from '../people/identity-text.ts';
import type { Contact, Traveler } from '../people/traveler.ts';
import { asUtc } from '../time-and-text/times.ts';
import type { Booking, Coupon } from './booking.ts';
import type { SeatChoice } from './booking-requests.ts';
import {
  activeSegments,
  type ContactChange,
  type ExpectedChange,
  earlierOrders,
  type FlightKey,
  type NameChange,
  paymentsOf,
  refundsSeen,
  refundsTold,
  type SeatAim,
  type SeatPlace,
} from './expected-change.ts';
import type { Segment } from './itinerary.ts';
import { couponCounts } from './status-codes.ts';

/** Each detail stands for itself: some may be shown afterwards, others not. */
const INFORMATION: readonly TravelerDetail[] = ['gender', 'birth_date', 'document', 'email', 'phone'];
const CONTACT: readonly ContactDetail[] = ['name', 'email', 'phone', 'address'];

/** `wanted` holds the travellers as they are to be, by ref; only what differs from the booking is watched. */
export function updatePassengersSubject(booking: Booking, wanted: readonly Traveler[], digest: Digest): ExpectedChange {
  const changes = wanted.flatMap((after): NameChange[] => {
    const before = booking.travelers.find(({ ref }) => ref === after.ref);
    if (before === undefined) return [];
    return INFORMATION.flatMap((detail) => {
      const [was, wanted] = [before, after].map((traveler) => detailText(traveler, detail));
      if (was === undefined || was === wanted) return [];
      const digested = (traveler: Traveler) => digest(detailsText(traveler, [detail]));
      const or = detail === 'phone' ? otherPhones(before, after).map(digested) : [];
      const watched = {
        ref: after.ref,
        details: [detail],
        was: digested(before),
        wanted: digested(after),
        ...(or.length > 0 && { or }),
      };
      return [saysNothing(was) ? { ...watched, unseen: true } : watched];
    });
  });
  return { kind: 'update_passengers', changes };
}

/** With the old telephones kept beside the new one, and with the new one alone (docs/wire/notes.md, Changes). */
function otherPhones(before: Traveler, after: Traveler): readonly Traveler[] {
  const key = (traveler: Traveler) => detailText(traveler, 'phone');
  const known = before.phones.map((phone) => key({ ...before, phones: [phone] }));
  const fresh = after.phones.filter((phone) => !known.includes(key({ ...before, phones: [phone] })));
  if (fresh.length === 0) return [];
  const others = [[...before.phones, ...fresh], fresh].map((phones) => ({ ...after, phones }));
  return others.filter((one) => key(one) !== key(after));
}

export function updateContactSubject(booking: Booking, wanted: Contact, digest: Digest): ExpectedChange {
  const changes = CONTACT.flatMap((detail): ContactChange[] => {
    const before = booking.contact === undefined ? '' : contactText(booking.contact, detail);
    const after = contactText(wanted, detail);
    if (before === after) return [];
    const watched = { detail, was: digest(before), wanted: digest(after) };
    return [saysNothing(before) ? { ...watched, unseen: true } : watched];
  });
  return { kind: 'update_contact', changes };
}

/** The coupon that counts, of one traveller on one segment: after an exchange the old one stands beside it. */
export function couponOf(booking: Booking, travelerRef: string, segmentRef: string): Coupon | undefined {
  return booking.tickets
    .filter((ticket) => ticket.travelerRefs.includes(travelerRef))
    .flatMap((ticket) => ticket.coupons)
    .find((coupon) => coupon.segmentRef === segmentRef && couponCounts(coupon.statusCode));
}

/** The seat that a traveller has on a segment; undefined where the airline shows none. */
export function seatOf(booking: Booking, travelerRef: string, segmentRef: string): SeatPlace | undefined {
  const { seat, coach } = couponOf(booking, travelerRef, segmentRef) ?? {};
  return seat === undefined ? undefined : { seat, ...(coach !== undefined && { coach }) };
}

export function assignSeatsSubject(booking: Booking, seats: readonly SeatChoice[], digest: Digest): ExpectedChange {
  const aims = seats.map(({ segmentRef, travelerRef, seat, coach }): SeatAim => {
    const traveler = booking.travelers.find(({ ref }) => ref === travelerRef);
    const was = seatOf(booking, travelerRef, segmentRef);
    const inCoach = coach ?? was?.coach;
    return {
      segmentRef,
      travelerRef,
      who: traveler === undefined ? '' : digest(identityText(traveler)),
      ...(was && { was }),
      wanted: { seat, ...(inCoach !== undefined && { coach: inCoach }) },
    };
  });
  return { kind: 'assign_seats', seats: aims };
}

/** `012A` and `12a` are one seat. */
export function sameSeat(a: SeatPlace | undefined, b: SeatPlace): boolean {
  if (a === undefined || fold(a.seat) !== fold(b.seat)) return false;
  return a.coach === undefined || b.coach === undefined || fold(a.coach) === fold(b.coach);
}

function fold(text: string): string {
  return text.trim().toUpperCase().replace(/^0+/, '');
}

export function flightKey(segment: Segment): FlightKey {
  const { from, to, departs, flightNumber, bookingClass } = segment;
  const number = flightNumber.replace(/\D/g, '').replace(/^0+/, '');
  return { from, to, departs: asUtc(departs) ?? departs, number, ...(bookingClass !== undefined && { bookingClass }) };
}

type Rebooking = Extract<ExpectedChange, { kind: 'rebook_segment' }>;

/** The same flight in the same class; a class that one of them does not say is the other's. */
export function sameFlight(a: FlightKey, b: FlightKey): boolean {
  const sold = a.bookingClass === undefined || b.bookingClass === undefined || a.bookingClass === b.bookingClass;
  return sold && sameDeparture(a, b);
}

function sameDeparture(a: FlightKey, b: FlightKey): boolean {
  return a.from === b.from && a.to === b.to && a.departs === b.departs && a.number === b.number;
}

/** The flight asked for, in another class than asked, and not the old flight (docs/wire/notes.md, Changes). */
export function inAnotherClass(one: FlightKey, { wanted, replaced }: Rebooking): boolean {
  return sameDeparture(one, wanted) && !sameFlight(one, wanted) && !sameFlight(one, replaced);
}

/** The new flight of a rebooked booking: in the class asked for, else in the class that the airline booked. */
export function rebookedSegment(subject: Rebooking, booking: Booking): Segment | undefined {
  const own = activeSegments(booking);
  return (
    own.find((segment) => sameFlight(flightKey(segment), subject.wanted)) ??
    own.find((segment) => inAnotherClass(flightKey(segment), subject))
  );
}

export function rebookSubject(booking: Booking, replaced: Segment, wanted: Segment): ExpectedChange {
  const kept = activeSegments(booking).filter(({ ref }) => ref !== replaced.ref);
  return {
    kind: 'rebook_segment',
    replaced: flightKey(replaced),
    wanted: flightKey(wanted),
    kept: kept.map(flightKey),
    paymentsBefore: paymentsOf(booking).length,
    earlierPayments: earlierOrders(paymentsOf(booking)),
    refundsBefore: refundsSeen(booking),
    earlierRefunds: refundsTold(booking),
  };
}

export function splitSubject(booking: Booking, refs: readonly string[], digest: Digest): ExpectedChange {
  const digestsOf = (named: boolean) =>
    booking.travelers
      .filter(({ ref }) => refs.includes(ref) === named)
      .map((traveler) => digest(identityText(traveler)));
  const flights = activeSegments(booking).map(flightKey);
  return { kind: 'split_booking', moved: digestsOf(true), kept: digestsOf(false), flights };
}
