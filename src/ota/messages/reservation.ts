/**
 * Reads and cancels reservations: OTA_ReadRQ, OTA_CancelRQ, and `airReservation` → Booking with its references and tickets
 * (docs/wire/interface.md, OTA messages, Reservation, Ticket; docs/wire/notes.md, Addressing).
 */
import { isObject } from '../../core/own.ts';
import type { Cancellation } from '../../domain/airline.ts';
import type {
  Booking,
  BookingReference,
  CancelReceipt,
  Coupon,
  Emd,
  Order,
  Segment,
  SegmentOption,
  SpecialService,
  Ticket,
  TicketLink,
} from '../../domain/booking/booking.ts';
import { withOwed } from '../../domain/booking/owed-segments.ts';
import { asList } from '../transport/json.ts';
import { pricingBranches, readPricing } from './price.ts';
import { withFares } from './priced-itinerary.ts';
import {
  extensions,
  readAll,
  readAmount,
  readCompanyCode,
  readCount,
  readCurrency,
  readPointer,
  readPointers,
  readStationCode,
  readTime,
  record,
  records,
  replyBody,
  replyError,
  text,
  texts,
  unlessEmpty,
  type Wire,
} from './reader.ts';
import { type CheckedRequest, checkRequest, GROUP, REQUESTS, RESERVATION } from './request.ts';
import { readOptions } from './segment.ts';
import { readTravelers } from './traveler.ts';

/** A locator of the reservation system (docs/wire/notes.md, Tolerated in replies). The operator's locators are longer. */
const LOCATOR = /^[A-Z0-9]{6}$/;

/** OpenTravel's status of a cancelled segment. */
const CANCELLED = '16';
/** The status of a coupon that was refunded. */
const REFUNDED = 'R';

export const READ = 'OTA_ReadRQ';
export const CANCEL = 'OTA_CancelRQ';

type Segments = readonly Segment[];

export function readReferences(value: unknown): BookingReference[] {
  return readAll(value, (wire): BookingReference | undefined => {
    // The id of a group is the name that a person gave it, in any words.
    const id = text(wire.type) === GROUP ? text(wire.id) : readPointer(wire.id);
    if (id === undefined) return undefined;
    const segmentRefs = readPointers(wire.flightRefNumberRPHList);
    return { id, type: text(wire.type), system: readCompanyCode(wire.companyName), segmentRefs };
  });
}

/** The reservation system's locator, else another system's. */
export function chooseLocator(references: readonly BookingReference[]): string | undefined {
  const locators = references.filter((reference) => reference.type !== GROUP);
  return (locators.find((reference) => LOCATOR.test(reference.id)) ?? locators[0])?.id;
}

function findReservation(body: Wire): Wire {
  const reservation = record(body.airReservation);
  if (Object.keys(reservation).length === 0) throw replyError('airReservation');
  return reservation;
}

/** Reads a booking. The reference may be outside the reservation. Throws E_AIRLINE_REPLY without a locator. */
export function readReservation(reply: unknown): Booking {
  const body = replyBody(reply);
  const reservation = findReservation(body);
  const listedReferences = readReferences(reservation.bookingReferenceID);
  const references = listedReferences.length > 0 ? listedReferences : readReferences(body.bookingReferenceID);
  const locator = chooseLocator(references);
  if (locator === undefined) throw replyError('the booking reference');
  const info = record(reservation.travelerInfo);
  const people = isObject(reservation.travelerInfo) ? info.airTraveler : reservation.travelerInfo;
  const isCancelled = text(reservation.status)?.toUpperCase() === 'CANCELLED';
  const { info: pricingInfo, rows } = pricingBranches(reservation);
  const pricing = readPricing(reservation, pricingInfo, rows);
  // Rail holds name the fare in the rows alone.
  const pricedOptions = withFares(readOptions(reservation.airItinerary), pricingInfo, rows, pricing?.perType ?? []);
  const tickets = readTickets(reservation.ticketing, pricedOptions);
  const options = withStatuses(pricedOptions, tickets, isCancelled);
  const booking = {
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
    cancelled: isCancelled || undefined,
  };
  return withOwed(booking);
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
    return isBookingCancelled || isRefunded ? { ...segment, statusCode: CANCELLED } : segment;
  };
  return options.map((option) => ({ ...option, segments: option.segments.map(withStatus) }));
}

/** Reads an item of `offer.priced[]`: money that is paid or refunded. */
function readOrder(wire: Wire): Order | undefined {
  const info = record(extensions(wire).orderInfo);
  const order = {
    id: text(wire.id),
    action: text(info.action),
    direction: text(info.direction),
    orderType: text(info.orderType),
    status: text(info.status),
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

function readRemarks(specialReqDetails: unknown): readonly string[] | undefined {
  const remarks = records(specialReqDetails).flatMap(({ specialRemarks }) =>
    asList(isObject(specialRemarks) ? specialRemarks.specialRemark : specialRemarks).flatMap(
      (remark) => text(record(remark).text) ?? text(remark) ?? [],
    ),
  );
  return unlessEmpty(remarks);
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

function readLink(wire: Wire, segments: Segments): TicketLink | undefined {
  const href = text(wire.href);
  if (href === undefined) return undefined;
  const segmentRef = readPointer(wire.segmentRPH) ?? linkedSegment(wire, href, segments);
  return { href, rel: text(wire.rel), segmentRef, travelerRef: readPointer(wire.travelerRPH) };
}

/** The only segment between the stations that the link or its query names (docs/wire/notes.md, Addressing). */
function linkedSegment(wire: Wire, href: string, segments: Segments): string | undefined {
  const query = URL.parse(href)?.searchParams;
  const from = readStationCode(wire.departure) ?? query?.get('departure');
  const to = readStationCode(wire.arrival) ?? query?.get('arrival');
  const [segment, ...others] = segments.filter((candidate) => candidate.from === from && candidate.to === to);
  return others.length === 0 ? segment?.ref : undefined;
}

/** Reads `links[]`, `url` and the deprecated `urls` (space-separated), without older addresses of segments in `links`. */
export function readLinks(extension: Wire, segments: Segments = []): TicketLink[] {
  const links = readAll(extension.links, (wire) => readLink(wire, segments));
  const knownHrefs = new Set(links.map((link) => link.href));
  const linkedSegments = new Set(links.map((link) => link.segmentRef));
  const olderHrefs = [...texts(extension.urls), ...texts(extension.url)].flatMap((words) => words.split(/\s+/));
  for (const href of olderHrefs) {
    if (href === '' || knownHrefs.has(href)) continue;
    knownHrefs.add(href);
    const segmentRef = linkedSegment({}, href, segments);
    if (segmentRef === undefined || !linkedSegments.has(segmentRef)) links.push({ href, segmentRef });
  }
  return links;
}

function segmentNamedBy(provider: unknown): string | undefined {
  return readPointer(record(provider).flightRefRPH);
}

/** Finds the item that names the segment, else the item in the coupon's place (docs/wire/notes.md, Replies). */
function findProvider(providers: readonly unknown[], index: number, segmentRef: string | undefined): Wire {
  const providerInPlace = providers[index];
  if (segmentRef === undefined) return record(providerInPlace);
  const providersOfSegment = providers.filter((provider) => segmentNamedBy(provider) === segmentRef);
  if (providersOfSegment.length > 0)
    return record(providersOfSegment.includes(providerInPlace) ? providerInPlace : providersOfSegment[0]);
  return segmentNamedBy(providerInPlace) === undefined ? record(providerInPlace) : {};
}

function readCoupons(extension: Wire): Coupon[] {
  const infos = asList(extension.couponInfos);
  const providers = asList(extension.couponProviderDetails);
  const count = infos.length > 0 ? infos.length : providers.length;
  return Array.from({ length: count }, (_, index) => {
    const info = record(infos[index]);
    const segmentRef = readPointer(info.flightRefRPH) ?? segmentNamedBy(providers[index]);
    const provider = findProvider(providers, index, segmentRef);
    return {
      segmentRef,
      number: text(info.number),
      statusCode: text(info.status),
      seat: text(provider.seat),
      coach: text(provider.coach),
      providerTicket: text(provider.providerTicketNumber),
    };
  });
}

function readTicket(wire: Wire, segments: Segments): Ticket {
  const extension = extensions(wire);
  return {
    number: readPointer(wire.ticketDocumentNbr) ?? '',
    ticketType: text(wire.ticketType),
    passengerType: text(wire.passengerTypeCode),
    travelerRefs: readPointers(wire.travelerRefNumber),
    segmentRefs: readPointers(wire.flightSegmentRefNumber),
    timeLimit: readTime(wire.ticketTimeLimit),
    coupons: readCoupons(extension),
    links: readLinks(extension, segments),
  };
}

/** Reads tickets. Merges rows with the same number (docs/wire/notes.md, Tolerated in replies); rows without one stay apart. */
export function readTickets(ticketing: unknown, options: readonly SegmentOption[]): Ticket[] {
  const segments = options.flatMap((option) => option.segments);
  const tickets: Ticket[] = [];
  for (const wire of records(ticketing)) {
    const row = readTicket(wire, segments);
    const index = row.number === '' ? -1 : tickets.findIndex(({ number }) => number === row.number);
    const earlier = tickets[index];
    if (earlier === undefined) tickets.push(row);
    else tickets[index] = mergeTickets(earlier, row);
  }
  return tickets;
}

function mergeTickets(earlier: Ticket, later: Ticket): Ticket {
  const newCoupons = later.coupons.filter(
    (coupon) =>
      !earlier.coupons.some(({ segmentRef, number }) => segmentRef === coupon.segmentRef && number === coupon.number),
  );
  return withLinkedSegments({
    number: earlier.number,
    ticketType: earlier.ticketType ?? later.ticketType,
    passengerType: earlier.passengerType ?? later.passengerType,
    timeLimit: earlier.timeLimit ?? later.timeLimit,
    travelerRefs: [...new Set([...earlier.travelerRefs, ...later.travelerRefs])],
    segmentRefs: [...new Set([...earlier.segmentRefs, ...later.segmentRefs])],
    coupons: [...earlier.coupons, ...newCoupons],
    links: [...earlier.links, ...later.links],
  });
}

/** `flightSegmentRefNumber` can be wrong. The links of a ticket without coupons are more reliable. */
function withLinkedSegments(ticket: Ticket): Ticket {
  const linkedRefs = ticket.links.flatMap(({ segmentRef }) => segmentRef ?? []);
  const doAllLinksNameSegments = ticket.links.length > 0 && linkedRefs.length === ticket.links.length;
  if (ticket.coupons.length > 0 || !doAllLinksNameSegments) return ticket;
  return { ...ticket, segmentRefs: [...new Set(linkedRefs)] };
}

export function encodeReadRequest(locator: string): CheckedRequest {
  return checkRequest(REQUESTS.read, {
    readRequests: { readRequest: [{ uniqueID: { id: locator, type: RESERVATION } }] },
  });
}

/** Keeps the reservation as it came in `source`: a change request sends it back untouched. */
export function decodeReadReply(reply: unknown): Booking {
  return { ...readReservation(reply), source: findReservation(replyBody(reply)) };
}

export function encodeCancelRequest({ locator }: Cancellation): CheckedRequest {
  return checkRequest(REQUESTS.cancel, { cancelType: 'Commit', uniqueID: [{ id: locator, type: RESERVATION }] });
}

export function decodeCancelReply(wire: unknown): CancelReceipt {
  const body = replyBody(wire);
  const locator = chooseLocator(readReferences(body.uniqueID ?? body.bookingReferenceID));
  if (locator === undefined) throw replyError('uniqueID');
  return { locator, status: text(body.status), answeredAt: readTime(body.timeStamp) };
}
