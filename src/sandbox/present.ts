/**
 * A booking as it is shown to the seller.
 */
import type { Booking, Ticket, TicketLink } from '../domain/booking.ts';
import type { PermittedOperation, Segment, SegmentOption } from '../domain/itinerary.ts';
import type { PersonName, Traveler } from '../domain/traveler.ts';
import { type Carrier, departureOf, partsOf } from './carrier.ts';
import { cancelLimit } from './fares.ts';
import { segmentOf } from './offering.ts';
import { pricingOf } from './pricing.ts';
import { allSegments, type CarrierBooking, type HeldSegment, type HeldTicket, isExpired } from './record.ts';
import { stockOf } from './stock.ts';
import type { Departure } from './timetable.ts';
import { localDate } from './zone.ts';

export interface PresentOptions {
  /** Seats left of each class beside the segments: in the reply to a booking only. */
  readonly availability?: boolean;
}

export function present(carrier: Carrier, booking: CarrierBooking, options: PresentOptions = {}): Booking {
  const { locator, operatorLocator, travelers, contact, groupName } = booking;
  const segmentRefs = allSegments(booking).map((segment) => segment.ref);
  return {
    locator,
    references: [
      { id: locator, type: '14', system: 'SBX', segmentRefs },
      { id: operatorLocator, type: '14', system: carrier.network.carrier, segmentRefs },
      // Unique id type 9 is a group (OpenTravel UIT).
      ...(groupName === undefined ? [] : [{ id: groupName, type: '9', segmentRefs: [] }]),
    ],
    createdAt: new Date(booking.createdAt).toISOString(),
    options: booking.options.map((option): SegmentOption => {
      const segments = option.segments.map((it) => presentSegment(carrier, booking, option.ref, it, options));
      return { ref: option.ref, segments };
    }),
    travelers,
    contact,
    pricing: presentPricing(carrier, booking),
    tickets: presentTickets(carrier, booking),
    orders: booking.orders,
    services: booking.services,
    emds: [],
  };
}

function presentSegment(
  carrier: Carrier,
  booking: CarrierBooking,
  optionRef: string,
  held: HeldSegment,
  options: PresentOptions,
): Segment {
  const departure = departureOf(carrier, held);
  const { ref, bookingClass, basis, cancelled } = held;
  const statusCode = cancelled ? '16' : '30';
  const dress = { ref, optionRef, bookingClass, basis, statusCode };
  const stock =
    options.availability === true ? stockOf(carrier.state, carrier.timetable, departure, carrier.now) : undefined;
  const segment = segmentOf(carrier, departure, stock === undefined ? dress : { ...dress, stock });
  if (!carrier.showsOperations) return segment;
  return { ...segment, permitted: permittedOn(carrier, booking, held, departure) };
}

/** Operations of the airline dialect (field-notes.md, modifications): what may be done with the segment now. */
function permittedOn(
  carrier: Carrier,
  booking: CarrierBooking,
  held: HeldSegment,
  departure: Departure,
): readonly PermittedOperation[] {
  const { now, network } = carrier;
  if (held.cancelled || departure.departsAt <= now || isExpired(booking, now)) return [];
  const names: PermittedOperation = { modificationType: '3', name: 'NAME_CHANGE' };
  const cancel: PermittedOperation = { modificationType: '10', name: 'CANCEL_SEGMENT' };
  const rebook: PermittedOperation = { modificationType: '30', name: 'REBOOK_SEGMENT' };
  const paid = booking.state === 'ticketed';
  return [
    ...(now < booking.namesUntil || !paid ? [names] : []),
    ...(paid && now < cancelLimit(network, departure.departsAt) ? [cancel, rebook] : []),
  ];
}

function presentPricing(carrier: Carrier, booking: CarrierBooking) {
  const { travelers, payBy, namesUntil, refunds } = booking;
  const refs: Record<string, string[]> = {};
  const counts: Record<string, number> = {};
  for (const { type, ref } of travelers) {
    refs[type] = [...(refs[type] ?? []), ref];
    counts[type] = (counts[type] ?? 0) + 1;
  }
  return pricingOf(carrier.network, partsOf(carrier, booking), { counts, refs }, { payBy, namesUntil }, { refunds });
}

function presentTickets(carrier: Carrier, booking: CarrierBooking): readonly Ticket[] {
  if (booking.state === 'held') {
    const timeLimit = new Date(booking.payBy).toISOString();
    return [{ number: '', travelerRefs: [], segmentRefs: [], timeLimit, coupons: [], links: [] }];
  }
  return booking.tickets.map((ticket) => ({
    number: ticket.number,
    ticketType: 'E_TICKET',
    passengerType: booking.travelers.find((it) => it.ref === ticket.travelerRef)?.type ?? 'ADT',
    travelerRefs: [ticket.travelerRef],
    segmentRefs: ticket.coupons.map((coupon) => coupon.segmentRef),
    coupons: ticket.coupons.map(({ segmentRef, number, status, coach, seat, providerTicket }) => ({
      segmentRef,
      number,
      statusCode: status,
      ...(coach === undefined || seat === undefined ? {} : { coach, seat }),
      providerTicket,
    })),
    links: linksOf(carrier, booking, ticket),
  }));
}

/** Download addresses of a ticket's live coupons; none while the passenger has no name (interface.md, payment). */
export function linksOf(carrier: Carrier, booking: CarrierBooking, ticket: HeldTicket): readonly TicketLink[] {
  const traveler = booking.travelers.find((it) => it.ref === ticket.travelerRef);
  const name = traveler?.name;
  if (traveler === undefined || name === undefined) return [];
  return ticket.coupons
    .filter((coupon) => coupon.status !== 'R')
    .flatMap((coupon) => {
      const segment = allSegments(booking).find((it) => it.ref === coupon.segmentRef);
      if (segment === undefined) return [];
      const href = hrefOf(carrier, booking, name, departureOf(carrier, segment));
      return [{ href, rel: 'downloadTicket', segmentRef: segment.ref, travelerRef: traveler.ref }];
    });
}

function hrefOf(carrier: Carrier, booking: CarrierBooking, name: PersonName, departure: Departure): string {
  const query = new URLSearchParams({
    firstName: name.given.join(' '),
    lastName: name.surname,
    departure: departure.from.code,
    arrival: departure.to.code,
  });
  return `${carrier.restUrl}/tickets/confirmation/${booking.locator}/download/passenger-segment?${query}`;
}

/** `Given Surname`, or the pointer of a passenger who is not named yet. */
export function passengerLabel(traveler: Traveler): string {
  return traveler.name === undefined
    ? `Passenger ${traveler.ref}`
    : `${traveler.name.given.join(' ')} ${traveler.name.surname}`;
}

export function travelDate(departure: Departure): string {
  return localDate(departure.from.zone, departure.departsAt);
}
