/**
 * Tickets and their coupons (interface.md, ticket).
 */
import type { Coupon, Ticket, TicketLink } from '../../../domain/booking.ts';
import {
  defined,
  extensions,
  list,
  pointers,
  readPointer,
  readTime,
  record,
  records,
  text,
  texts,
  unlessEmpty,
  type Wire,
} from './reader.ts';

function readLink(wire: Wire): TicketLink | undefined {
  const href = text(wire.href);
  if (href === undefined) return undefined;
  const [segmentRef, travelerRef] = [readPointer(wire.segmentRPH), readPointer(wire.travelerRPH)];
  return defined({ href, rel: text(wire.rel), segmentRef, travelerRef });
}

/** `links[]`, the single `url` and the deprecated `urls` (space-separated): all become links. */
export function readLinks(extension: Wire): TicketLink[] {
  const links = records(extension.links).flatMap((wire) => readLink(wire) ?? []);
  const known = new Set(links.map((link) => link.href));
  for (const words of [...texts(extension.urls), ...texts(extension.url)]) {
    for (const href of words.split(/\s+/)) {
      if (href === '' || known.has(href)) continue;
      known.add(href);
      links.push({ href });
    }
  }
  return links;
}

/**
 * `couponProviderDetails` is aligned with `couponInfos` by index (field-notes.md), unless an item names its own segment
 * and only one coupon is of that segment.
 */
function providerOf(providers: readonly unknown[], index: number, segmentRef: string | undefined): Wire {
  const named = providers.filter(
    (one) => segmentRef !== undefined && readPointer(record(one).flightRefRPH) === segmentRef,
  );
  return record(named.length === 1 ? named[0] : providers[index]);
}

function readCoupons(extension: Wire): Coupon[] {
  const [infos, providers] = [list(extension.couponInfos), list(extension.couponProviderDetails)];
  return Array.from({ length: Math.max(infos.length, providers.length) }, (_, index) => {
    const info = record(infos[index]);
    const segmentRef = readPointer(info.flightRefRPH) ?? readPointer(record(providers[index]).flightRefRPH);
    const provider = providerOf(providers, index, segmentRef);
    return defined({
      segmentRef,
      number: text(info.number),
      statusCode: text(info.status),
      seat: text(provider.seat),
      coach: text(provider.coach),
      providerTicket: text(provider.providerTicketNumber),
    });
  });
}

export function readTicket(wire: Wire): Ticket {
  const extension = extensions(wire);
  return defined({
    number: readPointer(wire.ticketDocumentNbr) ?? '',
    ticketType: text(wire.ticketType),
    passengerType: text(wire.passengerTypeCode),
    travelerRefs: pointers(wire.travelerRefNumber),
    segmentRefs: pointers(wire.flightSegmentRefNumber),
    timeLimit: readTime(wire.ticketTimeLimit),
    coupons: readCoupons(extension),
    links: readLinks(extension),
  });
}

export function writeLink(link: TicketLink): Wire {
  return defined({ href: link.href, rel: link.rel, segmentRPH: link.segmentRef, travelerRPH: link.travelerRef });
}

function writeExtension(ticket: Ticket): Wire | undefined {
  const provided = ticket.coupons.map((coupon) =>
    defined({ coach: coupon.coach, providerTicketNumber: coupon.providerTicket, seat: coupon.seat }),
  );
  const known = provided.some((one) => Object.keys(one).length > 0);
  const extension = defined({
    couponInfos: unlessEmpty(ticket.coupons)?.map((coupon) =>
      defined({ flightRefRPH: coupon.segmentRef, number: coupon.number, status: coupon.statusCode }),
    ),
    couponProviderDetails: known ? provided : undefined,
    links: unlessEmpty(ticket.links)?.map(writeLink),
  });
  return Object.keys(extension).length === 0 ? undefined : extension;
}

/** A row of a booking that is not ticketed has no number, and carries the time limit. */
export function writeTicket(ticket: Ticket): Wire {
  return defined({
    ticketType: ticket.ticketType,
    flightSegmentRefNumber: [...ticket.segmentRefs],
    travelerRefNumber: [...ticket.travelerRefs],
    ticketDocumentNbr: ticket.number === '' ? undefined : ticket.number,
    passengerTypeCode: ticket.passengerType,
    ticketAdvisory: [],
    miscTicketingCode: [],
    ticketTimeLimit: ticket.timeLimit,
    tpaextensions: writeExtension(ticket),
  });
}
