/** `airReservation` → Booking (docs/wire/interface.md, Reservation). */

import { omitUndefined } from '../../../core/omit-undefined.ts';
import type { Booking, Emd, Order, SpecialService, Ticket } from '../../../domain/booking/booking.ts';
import type { Segment, SegmentOption } from '../../../domain/booking/itinerary.ts';
import { withOwed } from '../../../domain/booking/owed-segments.ts';
import { asList, isObject } from '../../transport/json.ts';
import { amount, currencyOf } from './money.ts';
import { branches, pricingOf } from './price.ts';
import { withFares } from './priced-itinerary.ts';
import {
  extensions,
  pointers,
  readAll,
  readTime,
  record,
  records,
  replyBody,
  replyError,
  text,
  unlessEmpty,
  type Wire,
} from './reader.ts';
import { locatorOf, readReferences } from './references.ts';
import { readOptions } from './segment.ts';
import { readTickets } from './ticketing.ts';
import { readTravelers } from './traveler.ts';

export function reservationOf(body: Wire): Wire {
  const found = record(body.airReservation);
  if (Object.keys(found).length === 0) throw replyError('airReservation');
  return found;
}

/** Reads a booking. The reference may be outside the reservation. Throws E_AIRLINE_REPLY without a locator. */
export function readReservation(reply: unknown): Booking {
  const body = replyBody(reply);
  const reservation = reservationOf(body);
  const listedReferences = readReferences(reservation.bookingReferenceID);
  const references = listedReferences.length > 0 ? listedReferences : readReferences(body.bookingReferenceID);
  const locator = locatorOf(references);
  if (locator === undefined) throw replyError('the booking reference');
  const info = record(reservation.travelerInfo);
  const people = isObject(reservation.travelerInfo) ? info.airTraveler : reservation.travelerInfo;
  const cancelled = text(reservation.status)?.toUpperCase() === 'CANCELLED' ? true : undefined;
  const { info: price, rows } = branches(reservation);
  const pricing = pricingOf(reservation, price, rows);
  // Rail holds name the fare in the rows alone.
  const priced = withFares(readOptions(reservation.airItinerary), price, rows, pricing?.perType ?? []);
  const tickets = readTickets(reservation.ticketing, priced);
  const options = withStatus(priced, tickets, cancelled === true);
  const booking = omitUndefined({
    locator,
    references,
    createdAt: readTime(reservation.createDateTime),
    options,
    ...readTravelers(people),
    pricing,
    tickets,
    orders: readAll(record(reservation.offer).priced, readOrder),
    services: readServices(info.specialReqDetails),
    remarks: readRemarks(info.specialReqDetails),
    emds: readEmds(reservation.emdinfo),
    cancelled,
  });
  return withOwed(booking);
}

/** OpenTravel's status of a cancelled segment. */
const CANCELLED = '16';

/** A segment without a status is active, unless the booking is cancelled or all its coupons are refunded. */
function withStatus(
  options: readonly SegmentOption[],
  tickets: readonly Ticket[],
  cancelled: boolean,
): readonly SegmentOption[] {
  const coupons = Map.groupBy(
    tickets.flatMap((ticket) => ticket.coupons),
    ({ segmentRef }) => segmentRef,
  );
  const isOver = ({ ref, statusCode }: Segment) =>
    statusCode === undefined && (cancelled || coupons.get(ref)?.every((one) => one.statusCode === 'R') === true);
  const read = (one: Segment): Segment => (isOver(one) ? { ...one, statusCode: CANCELLED } : one);
  return options.map((option) => ({ ...option, segments: option.segments.map(read) }));
}

/** An item of `offer.priced[]`: money that went or goes one way. */
function readOrder(wire: Wire): Order | undefined {
  const info = record(extensions(wire).orderInfo);
  const order = omitUndefined({
    id: text(wire.id),
    action: text(info.action),
    direction: text(info.direction),
    orderType: text(info.orderType),
    status: text(info.status),
    amount: amount(info.totalAmount, currencyOf(info)),
  });
  return Object.keys(order).length === 0 ? undefined : order;
}

function readService(wire: Wire): SpecialService {
  return omitUndefined({
    code: text(wire.ssrcode) ?? text(wire.ssrCode),
    text: text(wire.text),
    status: text(wire.status),
    travelerRefs: pointers(wire.travelerRefNumberRPHList),
    segmentRefs: pointers(wire.flightRefNumberRPHList),
  });
}

function readServices(specialReqDetails: unknown): SpecialService[] {
  return records(specialReqDetails).flatMap(({ specialServiceRequests: held }) =>
    records(isObject(held) ? held.specialServiceRequest : held).map(readService),
  );
}

function readRemarks(specialReqDetails: unknown): readonly string[] | undefined {
  const remarks = records(specialReqDetails).flatMap(({ specialRemarks }) =>
    asList(isObject(specialRemarks) ? specialRemarks.specialRemark : specialRemarks).flatMap(
      (one) => text(record(one).text) ?? text(one) ?? [],
    ),
  );
  return unlessEmpty(remarks);
}

/** Reads OpenTravel 2015's names: docs/wire/interface.md documents no field of `emdinfo[]`. */
function readEmds(emdinfo: unknown): Emd[] {
  return records(emdinfo).map((wire) => {
    const ticket = record(wire.ticketDocument);
    return omitUndefined({
      number: text(wire.ticketDocumentNbr) ?? text(ticket.ticketDocumentNbr) ?? text(wire.number),
      type: text(wire.emdType) ?? text(wire.type) ?? text(ticket.type),
      text: text(wire.description) ?? text(wire.remark) ?? text(wire.text),
    });
  });
}
