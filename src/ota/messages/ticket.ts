/**
 * Payment and tickets (docs/wire/interface.md, Payment, Payment reply record, Ticket): first OTA_AirDemandTicketRQ, which
 * pays a booking and issues its tickets, then how the tickets of a reservation are read, with their coupons and links.
 */
import type { Money } from '../../core/money.ts';
import type { PaymentOrder } from '../../domain/airline.ts';
import type {
  Coupon,
  PaymentReceipt,
  ReceiptItem,
  Segment,
  SegmentOption,
  Ticket,
  TicketLink,
} from '../../domain/booking/booking.ts';
import { couponCode, PAYMENT_CODES, type PaymentType } from '../../domain/booking/status-codes.ts';
import type { OtaOptions } from '../transport/options.ts';
import { asList } from './json.ts';
import {
  chooseLocator,
  extensions,
  RESERVATION,
  readAll,
  readDecimal,
  readPointer,
  readPointers,
  readReferences,
  readStationCode,
  readTimeLimit,
  record,
  records,
  replyBody,
  replyError,
  text,
  texts,
  type Wire,
  writeAmount,
} from './reader.ts';
import { type CheckedRequest, checkRequest, REQUESTS } from './request.ts';
import { readName } from './traveler.ts';

export const TICKET = 'OTA_AirDemandTicketRQ';

type Segments = readonly Segment[];

/** A payment as it is sent: its amount may be left out. */
type TicketOrder = Omit<PaymentOrder, 'amount'> & { readonly amount?: Money };

type PaymentOptions = Pick<OtaOptions, 'dialect' | 'payment'>;

/** Payment types that send the amount in the airline dialect. */
const WITH_AMOUNT: ReadonlySet<PaymentType> = new Set(['cash', 'credit_card']);

/** Completes an order by dialect and settings (docs/wire/notes.md, Money and rules, Payment message). */
export function ticketOrder(order: PaymentOrder, options: PaymentOptions): TicketOrder {
  const { locator, paymentType, amount, company } = order;
  return {
    locator,
    paymentType,
    holderName: holderToSend(order, options),
    amount: sendsAmount(paymentType, options) ? amount : undefined,
    company,
  };
}

/** A payment from an account names the account. Cash has no holder in the airline dialect. */
function holderToSend({ paymentType, holderName }: PaymentOrder, { dialect, payment }: PaymentOptions) {
  if (paymentType === 'debit_credit_account') return payment?.account ?? holderName;
  return paymentType === 'cash' && dialect === 'airline' ? undefined : holderName;
}

function sendsAmount(paymentType: PaymentType, { dialect, payment }: PaymentOptions): boolean {
  const rule = payment?.amount ?? 'dialect';
  if (rule === 'dialect') return dialect === 'airline' && WITH_AMOUNT.has(paymentType);
  return rule === 'always';
}

function writePayment(order: TicketOrder): Wire {
  const { holderName, amount } = order;
  return {
    paymentType: PAYMENT_CODES[order.paymentType],
    creditCardInfo: holderName === undefined ? undefined : [{ cardHolderName: holderName }],
    ...(amount && writeAmount(amount)),
  };
}

export function encodeTicketRequest(order: TicketOrder): CheckedRequest {
  const companyName = order.company === undefined ? undefined : { code: order.company };
  return checkRequest(REQUESTS.ticket, {
    demandTicketDetail: {
      messageFunction: [{ function: 'ET' }],
      bookingReferenceID: { id: order.locator, type: RESERVATION, companyName },
      paymentInfo: [writePayment(order)],
    },
  });
}

function readItem(wire: Wire): ReceiptItem {
  const passenger = record(wire.passengerName);
  return {
    ticketNumber: readPointer(wire.ticketNumber) ?? '',
    ticketType: text(wire.type),
    name: readName(passenger),
    total: readDecimal(wire.totalAmount),
    net: readDecimal(wire.netAmount),
    paymentType: text(wire.paymentType),
    conjunctive: texts(wire.conjunctiveTicket),
    links: readLinks(extensions(passenger)),
  };
}

export function decodeTicketReply(wire: unknown): PaymentReceipt {
  const body = replyBody(wire);
  const references = readReferences(body.bookingReferenceID);
  const locator = chooseLocator(references);
  if (locator === undefined) throw replyError('the booking reference');

  return {
    locator,
    references,
    items: records(body.ticketItemInfo).map(readItem),
  };
}

/** Reads tickets. Merges rows with the same number (docs/wire/notes.md, Tolerated in replies); rows without one stay apart. */
export function readTickets(ticketing: unknown, options: readonly SegmentOption[]): Ticket[] {
  const segments = options.flatMap((option) => option.segments);
  const tickets: Ticket[] = [];
  for (const wire of records(ticketing)) {
    const row = readTicket(wire, segments);
    const earlier = row.number === '' ? undefined : tickets.find(({ number }) => number === row.number);
    if (earlier === undefined) tickets.push(row);
    else tickets[tickets.indexOf(earlier)] = mergeTickets(earlier, row);
  }

  return tickets;
}

function readTicket(wire: Wire, segments: Segments): Ticket {
  const extension = extensions(wire);
  return {
    number: readPointer(wire.ticketDocumentNbr) ?? '',
    ticketType: text(wire.ticketType),
    passengerType: text(wire.passengerTypeCode),
    travelerRefs: readPointers(wire.travelerRefNumber),
    segmentRefs: readPointers(wire.flightSegmentRefNumber),
    timeLimit: readTimeLimit(wire.ticketTimeLimit),
    coupons: readCoupons(extension),
    links: readLinks(extension, segments),
  };
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

function readCoupons(extension: Wire): Coupon[] {
  const infos = withoutRepeats(asList(extension.couponInfos), 'number');
  const providers = withoutRepeats(asList(extension.couponProviderDetails), 'providerTicketNumber');
  const count = infos.length > 0 ? infos.length : providers.length;

  return Array.from({ length: count }, (_, index) => {
    const info = record(infos[index]);
    const segmentRef = readPointer(info.flightRefRPH) ?? segmentNamedBy(providers[index]);
    const provider = findProvider(providers, index, segmentRef);

    return {
      segmentRef,
      number: text(info.number),
      statusCode: couponCode(text(info.status)),
      seat: text(provider.seat),
      coach: text(provider.coach),
      providerTicket: text(provider.providerTicketNumber),
    };
  });
}

/** Leaves out items that say again what one with the same number says: they would move the details of the others. */
function withoutRepeats(items: readonly unknown[], numbered: string): readonly unknown[] {
  const texts = items.map((item) => JSON.stringify(item));
  return items.filter((item, i) => text(record(item)[numbered]) === undefined || texts.indexOf(texts[i] ?? '') === i);
}

/**
 * Finds the details of a coupon (docs/wire/notes.md, Replies): the item that names its segment, of several the one in the
 * coupon's place; else the item in its place, unless that names another segment.
 */
function findProvider(providers: readonly unknown[], index: number, segmentRef: string | undefined): Wire {
  const providerInPlace = providers[index];
  if (segmentRef === undefined) return record(providerInPlace);
  const segmentInPlace = segmentNamedBy(providerInPlace);
  if (segmentInPlace === segmentRef) return record(providerInPlace);
  const providerOfSegment = providers.find((provider) => segmentNamedBy(provider) === segmentRef);
  if (providerOfSegment !== undefined) return record(providerOfSegment);
  return segmentInPlace === undefined ? record(providerInPlace) : {};
}

function segmentNamedBy(provider: unknown): string | undefined {
  return readPointer(record(provider).flightRefRPH);
}

/** Reads `links[]`, `url` and the deprecated `urls` (space-separated), without older addresses of segments in `links`. */
function readLinks(extension: Wire, segments: Segments = []): TicketLink[] {
  const links = readAll(extension.links, (wire) => readLink(wire, segments));
  const knownHrefs = new Set(links.map((link) => link.href));
  const linkedSegments = new Set(links.map((link) => link.segmentRef));
  const olderHrefs = [...texts(extension.urls), ...texts(extension.url)].flatMap((words) => words.split(/\s+/));

  for (const href of olderHrefs) {
    if (href === '' || knownHrefs.has(href)) continue;
    knownHrefs.add(href);
    const segmentRef = linkedSegment(href, segments);
    if (segmentRef === undefined || !linkedSegments.has(segmentRef)) links.push({ href, segmentRef });
  }

  return links;
}

function readLink(wire: Wire, segments: Segments): TicketLink | undefined {
  const href = text(wire.href);
  if (href === undefined) return undefined;
  const segmentRef = readPointer(wire.segmentRPH) ?? linkedSegment(href, segments, wire);
  return { href, segmentRef, travelerRef: readPointer(wire.travelerRPH) };
}

/** Finds the only segment between the stations that the link, or the query of its address, names (docs/wire/notes.md, Addressing). */
function linkedSegment(href: string, segments: Segments, link: Wire = {}): string | undefined {
  const query = URL.parse(href)?.searchParams;
  const from = readStationCode(link.departure) ?? query?.get('departure');
  const to = readStationCode(link.arrival) ?? query?.get('arrival');
  const candidates = segments.filter((segment) => segment.from === from && segment.to === to);
  return candidates.length === 1 ? candidates[0]?.ref : undefined;
}
