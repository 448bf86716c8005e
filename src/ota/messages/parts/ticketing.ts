/** Tickets and their coupons (docs/wire/interface.md, Ticket). */

import { omitUndefined } from '../../../core/omit-undefined.ts';
import type { Coupon, Ticket, TicketLink } from '../../../domain/booking/booking.ts';
import type { Segment, SegmentOption } from '../../../domain/booking/itinerary.ts';
import { asList } from '../../transport/json.ts';
import {
  extensions,
  place,
  pointers,
  readAll,
  readPointer,
  readTime,
  record,
  records,
  text,
  texts,
  type Wire,
} from './reader.ts';

type Segments = readonly Segment[];

function readLink(wire: Wire, segments: Segments): TicketLink | undefined {
  const href = text(wire.href);
  if (href === undefined) return undefined;
  const segmentRef = readPointer(wire.segmentRPH) ?? linkedSegment(wire, href, segments);
  return omitUndefined({ href, rel: text(wire.rel), segmentRef, travelerRef: readPointer(wire.travelerRPH) });
}

/** The only segment between the stations that the link or its query names (docs/wire/notes.md, Addressing). */
function linkedSegment(wire: Wire, href: string, segments: Segments): string | undefined {
  const query = URL.parse(href)?.searchParams;
  const from = place(wire.departure) ?? query?.get('departure');
  const to = place(wire.arrival) ?? query?.get('arrival');
  const serving = segments.filter((segment) => segment.from === from && segment.to === to);
  return serving.length === 1 ? serving[0]?.ref : undefined;
}

/** `links[]`, `url` and the deprecated `urls` (space-separated), without older addresses of segments in `links`. */
export function readLinks(extension: Wire, segments: Segments = []): TicketLink[] {
  const links = readAll(extension.links, (wire) => readLink(wire, segments));
  const known = new Set(links.map((link) => link.href));
  const linked = new Set(links.map((link) => link.segmentRef));
  const older = [...texts(extension.urls), ...texts(extension.url)].flatMap((words) => words.split(/\s+/));
  for (const href of older) {
    if (href === '' || known.has(href)) continue;
    known.add(href);
    const segmentRef = linkedSegment({}, href, segments);
    if (segmentRef === undefined || !linked.has(segmentRef)) links.push(omitUndefined({ href, segmentRef }));
  }
  return links;
}

const segmentNamedBy = (provider: unknown) => readPointer(record(provider).flightRefRPH);

/** The item that names the segment, else the one in the coupon's place (docs/wire/notes.md, Replies). */
function providerOf(providers: readonly unknown[], index: number, segmentRef: string | undefined): Wire {
  const named = segmentRef === undefined ? [] : providers.filter((provider) => segmentNamedBy(provider) === segmentRef);
  if (named.length > 0) return record(named.includes(providers[index]) ? providers[index] : named[0]);
  const inPlace = segmentNamedBy(providers[index]);
  return inPlace === undefined || segmentRef === undefined ? record(providers[index]) : {};
}

function readCoupons(extension: Wire): Coupon[] {
  const [infos, providers] = [asList(extension.couponInfos), asList(extension.couponProviderDetails)];
  const count = infos.length > 0 ? infos.length : providers.length;
  return Array.from({ length: count }, (_, index) => {
    const info = record(infos[index]);
    const segmentRef = readPointer(info.flightRefRPH) ?? segmentNamedBy(providers[index]);
    const provider = providerOf(providers, index, segmentRef);
    return omitUndefined({
      segmentRef,
      number: text(info.number),
      statusCode: text(info.status),
      seat: text(provider.seat),
      coach: text(provider.coach),
      providerTicket: text(provider.providerTicketNumber),
    });
  });
}

function readTicket(wire: Wire, segments: Segments): Ticket {
  const extension = extensions(wire);
  return omitUndefined({
    number: readPointer(wire.ticketDocumentNbr) ?? '',
    ticketType: text(wire.ticketType),
    passengerType: text(wire.passengerTypeCode),
    travelerRefs: pointers(wire.travelerRefNumber),
    segmentRefs: pointers(wire.flightSegmentRefNumber),
    timeLimit: readTime(wire.ticketTimeLimit),
    coupons: readCoupons(extension),
    links: readLinks(extension, segments),
  });
}

/** Merges rows with the same ticket number (docs/wire/notes.md, Tolerated in replies). */
export function readTickets(ticketing: unknown, options: readonly SegmentOption[]): Ticket[] {
  const segments = options.flatMap((option) => option.segments);
  const tickets: Ticket[] = [];
  for (const wire of records(ticketing)) {
    const row = readTicket(wire, segments);
    const known = row.number === '' ? -1 : tickets.findIndex(({ number }) => number === row.number);
    const before = tickets[known];
    if (before === undefined) tickets.push(row);
    else tickets[known] = together(before, row);
  }
  return tickets;
}

function together(before: Ticket, row: Ticket): Ticket {
  const fresh = row.coupons.filter(
    (coupon) =>
      !before.coupons.some(({ segmentRef, number }) => segmentRef === coupon.segmentRef && number === coupon.number),
  );
  return withLinkedSegments({
    ...row,
    ...before,
    travelerRefs: [...new Set([...before.travelerRefs, ...row.travelerRefs])],
    segmentRefs: [...new Set([...before.segmentRefs, ...row.segmentRefs])],
    coupons: [...before.coupons, ...fresh],
    links: [...before.links, ...row.links],
  });
}

/** `flightSegmentRefNumber` can be wrong. The links of a ticket without coupons are more reliable. */
function withLinkedSegments(ticket: Ticket): Ticket {
  const linked = ticket.links.flatMap(({ segmentRef }) => segmentRef ?? []);
  if (ticket.coupons.length > 0 || linked.length < Math.max(1, ticket.links.length)) return ticket;
  return { ...ticket, segmentRefs: [...new Set(linked)] };
}
