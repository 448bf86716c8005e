/**
 * Reservations: first OTA_ReadRQ, then how every reply's `airReservation` becomes a Booking, part by part, at the end
 * OTA_CancelRQ (docs/wire/interface.md, OTA messages, Reservation; docs/wire/notes.md, Addressing).
 */
import { isObject } from '../../core/own.ts';
import type { Cancellation } from '../../domain/airline.ts';
import { shownBooking } from '../../domain/booking/blanked-booking.ts';
import type {
  Booking,
  CancelReceipt,
  Emd,
  Order,
  Reading,
  Segment,
  SegmentOption,
  SpecialService,
  Ticket,
} from '../../domain/booking/booking.ts';
import { withMovedOnce, withOwed } from '../../domain/booking/owed-segments.ts';
import { CANCELLED_SEGMENT } from '../../domain/booking/status-codes.ts';
import { asList } from './json.ts';
import { withExactLimits } from './limits.ts';
import { pricingBranches, readPricing } from './price.ts';
import { withFares } from './priced-itinerary.ts';
import {
  chooseLocator,
  extensions,
  RESERVATION,
  readAll,
  readAmount,
  readCount,
  readCurrency,
  readPointers,
  readReferences,
  readUtcTime,
  record,
  records,
  replyBody,
  replyError,
  text,
  unlessEmpty,
  type Wire,
} from './reader.ts';
import { type CheckedRequest, checkRequest, REQUESTS } from './request.ts';
import { readOptions } from './segment.ts';
import { readTickets } from './ticket.ts';
import { readTravelers } from './traveler.ts';

export const READ = 'OTA_ReadRQ';
export const CANCEL = 'OTA_CancelRQ';

/** The status of a coupon that was refunded. */
const REFUNDED = 'R';

export function encodeReadRequest(locator: string): CheckedRequest {
  return checkRequest(REQUESTS.read, {
    readRequests: { readRequest: [{ uniqueID: { id: locator, type: RESERVATION } }] },
  });
}

/** Keeps the reservation as it came in `source`: a change request sends it back untouched. */
export function decodeReadReply(reply: unknown): Booking {
  return shownBooking({ ...readReservation(reply), source: findReservation(replyBody(reply)) });
}

/** Reads a booking. The reference may be outside the reservation. Throws E_AIRLINE_REPLY without a locator. */
export function readReservation(reply: unknown): Reading {
  const body = replyBody(reply);
  const reservation = findReservation(body);
  const listedReferences = readReferences(reservation.bookingReferenceID);
  const references = listedReferences.length > 0 ? listedReferences : readReferences(body.bookingReferenceID);
  const locator = chooseLocator(references);
  if (locator === undefined) throw replyError('the booking reference');

  const { travelerInfo } = reservation;
  const { specialReqDetails } = record(travelerInfo);
  const people = isObject(travelerInfo) ? travelerInfo.airTraveler : travelerInfo;
  const isCancelled = text(reservation.status)?.toUpperCase() === 'CANCELLED';

  const { info: pricingInfo, rows } = pricingBranches(reservation);
  const pricing = readPricing(reservation, pricingInfo, rows);
  // Rail holds name the fare in the rows alone.
  const pricedOptions = withFares(readOptions(reservation.airItinerary), pricingInfo, rows, pricing?.perType ?? []);
  const tickets = readTickets(reservation.ticketing, pricedOptions);
  const createdAt = readUtcTime(reservation.createDateTime);
  const options = withStatuses(pricedOptions, tickets, isCancelled);

  const booking: Reading = {
    locator,
    references,
    createdAt,
    options,
    ...readTravelers(people),
    ...withExactLimits({ options, pricing, tickets }, createdAt),
    orders: readAll(record(reservation.offer).priced, readOrder),
    services: readServices(specialReqDetails),
    ...readRemarks(specialReqDetails),
    emds: readEmds(reservation.emdinfo),
    cancelled: isCancelled || undefined,
  };
  return withOwed(withMovedOnce(booking));
}

function findReservation(body: Wire): Wire {
  const reservation = record(body.airReservation);
  if (Object.keys(reservation).length === 0) throw replyError('airReservation');
  return reservation;
}

/** Marks segments as cancelled. A segment without a status is active, unless the booking is cancelled or all its coupons are refunded. */
function withStatuses(
  options: readonly SegmentOption[],
  tickets: readonly Ticket[],
  isBookingCancelled: boolean,
): readonly SegmentOption[] {
  const coupons = tickets.flatMap((ticket) => ticket.coupons);
  const couponsBySegment = Map.groupBy(coupons, ({ segmentRef }) => segmentRef);

  const withStatus = (segment: Segment): Segment => {
    if (segment.statusCode !== undefined) return segment;
    const couponsOfSegment = couponsBySegment.get(segment.ref);
    const isRefunded = couponsOfSegment?.every((coupon) => coupon.statusCode === REFUNDED) === true;
    return isBookingCancelled || isRefunded ? { ...segment, statusCode: CANCELLED_SEGMENT } : segment;
  };

  return options.map((option) => ({ ...option, segments: option.segments.map(withStatus) }));
}

/** Reads an item of `offer.priced[]`: money that is paid or refunded. */
function readOrder(wire: Wire): Order | undefined {
  const info = record(extensions(wire).orderInfo);
  const order = {
    id: text(wire.id),
    action: text(info.action),
    direction: text(info.direction)?.trim().toUpperCase(),
    status: text(info.status)?.trim().toUpperCase(),
    amount: readAmount(info.totalAmount, readCurrency(info)),
  };
  return Object.values(order).some((value) => value !== undefined) ? order : undefined;
}

function readService(wire: Wire): SpecialService {
  return {
    code: text(wire.ssrcode) ?? text(wire.ssrCode),
    quantity: readCount(wire.serviceQuantity),
    text: text(wire.text),
    status: text(wire.status),
    travelerRefs: readPointers(wire.travelerRefNumberRPHList),
    segmentRefs: readPointers(wire.flightRefNumberRPHList),
  };
}

function readServices(specialReqDetails: unknown): SpecialService[] {
  return records(specialReqDetails).flatMap(({ specialServiceRequests: requests }) =>
    records(isObject(requests) ? requests.specialServiceRequest : requests).map(readService),
  );
}

/** The code of a special service, where a remark is about one. */
const SERVICE_CODE = /^[A-Z]{4}$/;

function readRemarks(specialReqDetails: unknown): Pick<Booking, 'remarks' | 'serviceRemarks'> {
  const all = records(specialReqDetails).flatMap(({ specialRemarks }) =>
    asList(isObject(specialRemarks) ? specialRemarks.specialRemark : specialRemarks),
  );
  const isOfService = (remark: unknown) => SERVICE_CODE.test(text(record(remark).id) ?? '');
  const remarks = all.flatMap((remark) =>
    isOfService(remark) ? [] : (text(record(remark).text) ?? text(remark) ?? []),
  );

  const serviceRemarks = all.filter(isOfService).map((remark): SpecialService => {
    const { id, text: words, travelerRefNumber, travelerRefNumberRPHList, flightRefNumberRPHList } = record(remark);
    return {
      code: text(id),
      text: text(words),
      travelerRefs: readPointers(travelerRefNumber ?? travelerRefNumberRPHList),
      segmentRefs: readPointers(flightRefNumberRPHList),
    };
  });
  return { remarks: unlessEmpty(remarks), serviceRemarks: unlessEmpty(serviceRemarks) };
}

/** Uses the names of OpenTravel 2015, because docs/wire/interface.md documents no field of `emdinfo[]`. */
function readEmds(emdinfo: unknown): Emd[] {
  return records(emdinfo).map((wire) => {
    const ticket = record(wire.ticketDocument);
    return {
      number: text(wire.ticketDocumentNbr) ?? text(ticket.ticketDocumentNbr) ?? text(wire.number),
      type: text(wire.emdType) ?? text(wire.type) ?? text(ticket.type),
      text: text(wire.description) ?? text(wire.remark) ?? text(wire.text),
    };
  });
}

export function encodeCancelRequest({ locator }: Cancellation): CheckedRequest {
  return checkRequest(REQUESTS.cancel, { cancelType: 'Commit', uniqueID: [{ id: locator, type: RESERVATION }] });
}

export function decodeCancelReply(wire: unknown): CancelReceipt {
  const body = replyBody(wire);
  const locator = chooseLocator(readReferences(body.uniqueID ?? body.bookingReferenceID));
  if (locator === undefined) throw replyError('uniqueID');
  return { locator, status: text(body.status) };
}
