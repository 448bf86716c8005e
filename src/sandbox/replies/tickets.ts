/** Writes tickets: of a reservation, in the reply to a payment, and as PDF (docs/wire/interface.md, Ticket, Payment). */
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
  type Traveler,
} from '../record.ts';
import { Refusal } from '../refusal.ts';
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
  return { flightSegmentRefNumber: [...segmentRefs], travelerRefNumber: [], ticketTimeLimit };
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
  return ticket.coupons.filter(isOpenCoupon).flatMap((coupon) => {
    const { traveler, departure } = passengerAndDeparture(carrier, booking, { ticket, coupon });
    if (traveler.name === undefined) return [];
    const href = ticketHref(carrier, booking, traveler.name, departure);
    return [{ href, rel: 'downloadTicket', segmentRPH: coupon.segmentRef, travelerRPH: traveler.ref }];
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

/** A coupon that can still be travelled on, with its ticket. */
export interface OpenCoupon {
  readonly ticket: HeldTicket;
  readonly coupon: HeldCoupon;
}

export function openCoupons(booking: CarrierBooking): readonly OpenCoupon[] {
  return booking.tickets.flatMap((ticket) => ticket.coupons.filter(isOpenCoupon).map((coupon) => ({ ticket, coupon })));
}

/** Finds the traveller and the departure of a coupon. */
export function passengerAndDeparture(carrier: Carrier, booking: CarrierBooking, { ticket, coupon }: OpenCoupon) {
  const traveler = booking.travelers.find((traveler) => traveler.ref === ticket.travelerRef);
  const segment = allSegments(booking).find((segment) => segment.ref === coupon.segmentRef);
  if (traveler === undefined || segment === undefined)
    throw new Refusal('448', 'a ticket lost its passenger or segment');
  return { traveler, departure: findDeparture(carrier, segment) };
}

/** Returns `Given Surname`, or the pointer of a passenger who is not named yet. */
function passengerLabel({ name, ref }: Traveler): string {
  return name === undefined ? `Passenger ${ref}` : `${name.given.join(' ')} ${name.surname}`;
}

/** Writes one coupon as a PDF. */
export function ticketPdf(carrier: Carrier, booking: CarrierBooking, entry: OpenCoupon): Buffer {
  const { traveler, departure } = passengerAndDeparture(carrier, booking, entry);
  const { coach, seat, number, providerTicket } = entry.coupon;

  return writePdf([
    `${carrier.network.name} - SANDBOX, not valid for travel`,
    `Booking ${booking.locator} / ${booking.operatorLocator}`,
    `Ticket ${entry.ticket.number} coupon ${number} (${providerTicket})`,
    passengerLabel(traveler),
    `${departure.service.operatedBy} ${departure.shownNumber}  ${departure.from.name} - ${departure.to.name}`,
    localDateTime(departure.from.zone, departure.departsAt),
    seat === undefined ? 'Lap infant' : `Coach ${coach} seat ${seat}`,
  ]);
}

/** Writes plain lines as a PDF of one page (PDF 1.4). */
function writePdf(lines: readonly string[]): Buffer {
  const escaped = lines.map((line) => line.replaceAll(/[^\x20-\x7e]/g, '?').replaceAll(/[\\()]/g, '\\$&'));
  const text = `BT /F1 12 Tf 16 TL 56 780 Td\n${escaped.map((line) => `(${line}) Tj T*`).join('\n')}\nET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];

  let file = '%PDF-1.4\n';
  const offsets: number[] = [];
  for (const [i, object] of objects.entries()) {
    offsets.push(file.length);
    file += `${i + 1} 0 obj\n${object}\nendobj\n`;
  }

  const tableOffset = file.length;
  const offsetRows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsetRows}`;
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${tableOffset}\n%%EOF\n`;

  return Buffer.from(file, 'latin1');
}
