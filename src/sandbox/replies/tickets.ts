/** Writes tickets of a reservation, and the reply to a payment (docs/wire/interface.md, Ticket, Payment). */
import { toNumber } from '../amounts.ts';
import { type Carrier, findDeparture } from '../carrier.ts';
import { OWN_COMPANY, travelerFare } from '../operations/pay.ts';
import {
  activeSegments,
  allSegments,
  type CarrierBooking,
  type HeldCoupon,
  type HeldTicket,
  isOpenCoupon,
  type Name,
} from '../record.ts';
import type { Payment } from '../requests/messages.ts';
import type { Departure } from '../timetable.ts';
import { definedFields, type Wire } from '../wire.ts';
import { localDateTime } from '../zone.ts';
import { writeName } from './travelers.ts';

/** Writes the time limit for payment: rail in the local time of the first departure, an airline in UTC. */
export function writePayBy(carrier: Carrier, booking: CarrierBooking): string {
  const [first] = allSegments(booking);
  if (carrier.dialect === 'airline' || first === undefined) return new Date(booking.payBy).toISOString();
  return localDateTime(findDeparture(carrier, first).from.zone, booking.payBy);
}

function limitRow(segmentRefs: readonly string[], ticketTimeLimit: string): Wire {
  const empty = { travelerRefNumber: [], ticketAdvisory: [], miscTicketingCode: [] };
  return { flightSegmentRefNumber: [...segmentRefs], ...empty, ticketTimeLimit };
}

function ticketHref(carrier: Carrier, booking: CarrierBooking, name: Name, departure: Departure): string {
  const query = new URLSearchParams({
    firstName: name.given.join(' '),
    lastName: name.surname,
    departure: departure.from.code,
    arrival: departure.to.code,
  });
  return `${carrier.restUrl}/tickets/confirmation/${booking.locator}/download/passenger-segment?${query}`;
}

/** Writes the download addresses of a ticket's open coupons. An unnamed passenger has none. */
function ticketLinks(carrier: Carrier, booking: CarrierBooking, ticket: HeldTicket): Wire[] {
  const traveler = booking.travelers.find((traveler) => traveler.ref === ticket.travelerRef);
  const name = traveler?.name;
  if (traveler === undefined || name === undefined) return [];
  return ticket.coupons.filter(isOpenCoupon).flatMap((coupon) => {
    const segment = allSegments(booking).find((segment) => segment.ref === coupon.segmentRef);
    if (segment === undefined) return [];
    const href = ticketHref(carrier, booking, name, findDeparture(carrier, segment));
    return [{ href, rel: 'downloadTicket', segmentRPH: segment.ref, travelerRPH: traveler.ref }];
  });
}

function ticketHead(booking: CarrierBooking, ticket: HeldTicket, segmentRefs: readonly string[]): Wire {
  const isExchanged = ticket.coupons.every((coupon) => coupon.status === 'E');
  return {
    ticketType: 'E_TICKET',
    flightSegmentRefNumber: [...segmentRefs],
    travelerRefNumber: isExchanged ? [] : [ticket.travelerRef],
    ticketDocumentNbr: ticket.number,
    passengerTypeCode: booking.travelers.find((traveler) => traveler.ref === ticket.travelerRef)?.type ?? 'ADT',
    ticketAdvisory: [],
    miscTicketingCode: [],
  };
}

function providerDetails(carrier: Carrier, coupons: readonly HeldCoupon[]): Wire[] {
  const isAirline = carrier.dialect === 'airline';
  return coupons.map(({ coach, seat, providerTicket, segmentRef }) => {
    const flightRefRPH = isAirline ? segmentRef : undefined;
    return definedFields({ coach, providerTicketNumber: providerTicket, seat, flightRefRPH });
  });
}

/** Writes a ticket with its coupons. `flightSegmentRefNumber` names only the first of their segments. */
function couponRow(carrier: Carrier, booking: CarrierBooking, ticket: HeldTicket): Wire {
  const first = ticket.coupons[0]?.segmentRef;
  const links = ticketLinks(carrier, booking, ticket);
  return {
    ...ticketHead(booking, ticket, first === undefined ? [] : [first]),
    tpaextensions: definedFields({
      couponInfos: ticket.coupons.map(({ segmentRef: flightRefRPH, number, status }) => ({
        flightRefRPH,
        number,
        status,
      })),
      couponProviderDetails: providerDetails(carrier, ticket.coupons),
      links: links.length === 0 ? undefined : links,
    }),
  };
}

/** Writes the tickets, or the time limit of a hold. `numbers`: a row for each segment, with no coupons. */
export function writeTickets(carrier: Carrier, booking: CarrierBooking, detail: 'coupons' | 'numbers'): Wire[] {
  if (booking.state === 'cancelled' && booking.tickets.length === 0) return [];
  const segmentRefs = activeSegments(booking).map((segment) => segment.ref);
  const isRail = carrier.dialect === 'rail';
  const limit = writePayBy(carrier, booking);
  if (booking.state === 'held')
    return isRail ? segmentRefs.map((ref) => limitRow([ref], limit)) : [limitRow([], limit)];
  const rows = booking.tickets.flatMap((ticket) => {
    if (detail === 'coupons') return [couponRow(carrier, booking, ticket)];
    return ticket.coupons.map((coupon) => ticketHead(booking, ticket, [coupon.segmentRef]));
  });
  // The time limit's row stays after the payment.
  if (segmentRefs.length > 0) rows.push(limitRow(isRail ? segmentRefs.slice(0, 1) : [], limit));
  return rows;
}

/** Writes the reply to a payment. Repeats the company of the request. */
export function writePayment(carrier: Carrier, booking: CarrierBooking, payment: Payment): Wire {
  const { locator, travelers, tickets, paymentType } = booking;
  const items = tickets.map((ticket, i) => {
    const traveler = travelers.find((traveler) => traveler.ref === ticket.travelerRef);
    const type = traveler?.type ?? 'ADT';
    const amount = toNumber(travelerFare(carrier, booking, type));
    const links = ticketLinks(carrier, booking, ticket);
    return definedFields({
      passengerName: definedFields({
        ...(traveler?.name !== undefined && writeName(traveler.name)),
        passengerTypeCode: type,
        tpaextensions: links.length === 0 ? undefined : { links },
      }),
      conjunctiveTicket: [],
      ticketNumber: ticket.number,
      type: 'E_TICKET',
      itemNumber: String(i + 1),
      totalAmount: amount,
      paymentType,
      netAmount: amount,
    });
  });
  return {
    success: {},
    bookingReferenceID: { id: locator, type: '14', companyName: payment.company ?? { code: OWN_COMPANY } },
    ticketItemInfo: items,
    timeStamp: new Date(carrier.now).toISOString(),
    version: 2.001,
    retransmissionIndicator: false,
  };
}
