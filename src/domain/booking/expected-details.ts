/** Expected changes that are compared in detail: seats, contact, passenger information, rebooking, splitting. */

import { omitUndefined } from '../../core/omit-undefined.ts';
import {
  type ContactDetail,
  contactText,
  type Digest,
  detailsText,
  detailText,
  identityText,
  isBlank,
  type TravelerDetail,
} from '../people/identity-text.ts';
import type { Contact, Traveler } from '../people/traveler.ts';
import type { SeatChoice } from './airline-requests.ts';
import { activeSegments, type Booking, type Coupon, segmentsOf } from './booking.ts';
import {
  type ContactChange,
  type ExpectedChange,
  earlierOrders,
  type FlightKey,
  flightKey,
  identitiesByRef,
  type NameChange,
  type RebookedSegment,
  refundsBefore,
  type SeatAim,
  type SeatPlace,
} from './expected-change.ts';
import type { Segment } from './itinerary.ts';
import { paymentsOf } from './payment-state.ts';
import { couponCounts } from './status-codes.ts';

/** Each detail is compared separately: an airline may show some afterwards and not others. */
const INFORMATION: readonly TravelerDetail[] = ['gender', 'birth_date', 'document', 'email', 'phone'];
const CONTACT: readonly ContactDetail[] = ['name', 'email', 'phone', 'address'];

/** `wanted`: the travellers after the change, by ref. Only differences from the booking are expected. */
export function expectUpdatedPassengers(booking: Booking, wanted: readonly Traveler[], digest: Digest): ExpectedChange {
  const changes = wanted.flatMap((after): NameChange[] => {
    const before = booking.travelers.find(({ ref }) => ref === after.ref);
    if (before === undefined) return [];
    return INFORMATION.flatMap((detail) => {
      const was = detailText(before, detail);
      if (was === detailText(after, detail)) return [];
      const digested = (traveler: Traveler) => digest(detailsText(traveler, [detail]));
      const or = detail === 'phone' ? otherPhones(before, after).map(digested) : [];
      return [
        {
          ref: after.ref,
          details: [detail],
          was: digested(before),
          wanted: digested(after),
          ...(or.length > 0 && { or }),
          ...(isBlank(was) && { unseen: true }),
        },
      ];
    });
  });
  return { kind: 'update_passengers', changes };
}

/** Old telephones beside the new one, and the new one alone: either proves the change (docs/wire/notes.md, Changes). */
function otherPhones(before: Traveler, after: Traveler): readonly Traveler[] {
  const key = (traveler: Traveler) => detailText(traveler, 'phone');
  const known = before.phones.map((phone) => key({ ...before, phones: [phone] }));
  const fresh = after.phones.filter((phone) => !known.includes(key({ ...before, phones: [phone] })));
  if (fresh.length === 0) return [];
  const others = [[...before.phones, ...fresh], fresh].map((phones) => ({ ...after, phones }));
  return others.filter((one) => key(one) !== key(after));
}

export function expectUpdatedContact(booking: Booking, wanted: Contact, digest: Digest): ExpectedChange {
  const changes = CONTACT.flatMap((detail): ContactChange[] => {
    const before = booking.contact === undefined ? '' : contactText(booking.contact, detail);
    const after = contactText(wanted, detail);
    if (before === after) return [];
    return [{ detail, was: digest(before), wanted: digest(after), ...(isBlank(before) && { unseen: true }) }];
  });
  return { kind: 'update_contact', changes };
}

/** The valid coupon of a traveller on a segment: after an exchange the reply also lists the old one. */
export function couponOf(booking: Booking, travelerRef: string, segmentRef: string): Coupon | undefined {
  return booking.tickets
    .filter((ticket) => ticket.travelerRefs.includes(travelerRef))
    .flatMap((ticket) => ticket.coupons)
    .find((coupon) => coupon.segmentRef === segmentRef && couponCounts(coupon.statusCode));
}

/** A traveller's seat on a segment; undefined if the airline shows none. */
export function seatOf(booking: Booking, travelerRef: string, segmentRef: string): SeatPlace | undefined {
  const { seat, coach } = couponOf(booking, travelerRef, segmentRef) ?? {};
  return seat === undefined ? undefined : omitUndefined({ seat, coach });
}

export function expectAssignedSeats(booking: Booking, seats: readonly SeatChoice[], digest: Digest): ExpectedChange {
  const aims = seats.map(({ segmentRef, travelerRef, seat, coach }): SeatAim => {
    const traveler = booking.travelers.find(({ ref }) => ref === travelerRef);
    const was = seatOf(booking, travelerRef, segmentRef);
    const who = traveler === undefined ? '' : digest(identityText(traveler));
    const wanted = omitUndefined({ seat, coach: coach ?? was?.coach });
    const segment = segmentsOf(booking).find(({ ref }) => ref === segmentRef);
    const flight = segment && { flight: flightKey(segment) };
    return { segmentRef, ...flight, travelerRef, who, ...(was && { was }), wanted };
  });
  return { kind: 'assign_seats', seats: aims };
}

/** `012A` and `12a` are one seat. A coach that is not named matches any. */
export function sameSeat(a: SeatPlace | undefined, b: SeatPlace): boolean {
  if (a === undefined || fold(a.seat) !== fold(b.seat)) return false;
  return a.coach === undefined || b.coach === undefined || fold(a.coach) === fold(b.coach);
}

function fold(text: string): string {
  return text.trim().toUpperCase().replace(/^0+/, '');
}

/** The same flight in the same class. A class that is not named matches any. */
export function sameFlight(a: FlightKey, b: FlightKey): boolean {
  const sold = a.bookingClass === undefined || b.bookingClass === undefined || a.bookingClass === b.bookingClass;
  return sold && sameDeparture(a, b);
}

function sameDeparture(a: FlightKey, b: FlightKey): boolean {
  return a.from === b.from && a.to === b.to && a.departs === b.departs && a.number === b.number;
}

/** The wanted flight in another class, and not the old flight (docs/wire/notes.md, Changes). */
export function inAnotherClass(one: FlightKey, { wanted, replaced }: RebookedSegment): boolean {
  return sameDeparture(one, wanted) && !sameFlight(one, wanted) && !sameFlight(one, replaced);
}

/** The new flight of a rebooked booking: in the wanted class, else in the class that the airline booked. */
export function rebookedSegment(expected: RebookedSegment, booking: Booking): Segment | undefined {
  const own = activeSegments(booking);
  return (
    own.find((segment) => sameFlight(flightKey(segment), expected.wanted)) ??
    own.find((segment) => inAnotherClass(flightKey(segment), expected))
  );
}

export function expectRebookedSegment(booking: Booking, replaced: Segment, wanted: Segment): ExpectedChange {
  const kept = activeSegments(booking).filter(({ ref }) => ref !== replaced.ref);
  return {
    kind: 'rebook_segment',
    replaced: flightKey(replaced),
    wanted: flightKey(wanted),
    kept: kept.map(flightKey),
    earlierPayments: earlierOrders(paymentsOf(booking)),
    ...refundsBefore(booking),
  };
}

export function expectSplitBooking(booking: Booking, refs: readonly string[], digest: Digest): ExpectedChange {
  const [moved, kept] = identitiesByRef(booking, refs, digest);
  return { kind: 'split_booking', moved, kept, flights: activeSegments(booking).map(flightKey) };
}
