/** Lists the ticket documents of a booking, one for each printed coupon, and fetches one of them. */
import type { AirlineChange } from '../../approvals/terms.ts';
import { cleanCode } from '../../core/clean-text.ts';
import { ClerkError } from '../../core/errors.ts';
import { showDay } from '../../core/times.ts';
import {
  type Booking,
  type Coupon,
  type Segment,
  segmentsOf,
  type Ticket,
  type TicketDocumentQuery,
  type TicketName,
} from '../../domain/booking/booking.ts';
import { flightName } from '../../domain/booking/flight-name.ts';
import type { PlaceName } from '../../domain/booking/stations.ts';
import { couponCounts, couponStatus, segmentMeaning } from '../../domain/booking/status-codes.ts';
import { plainNumber } from '../../domain/facts/issued-tickets.ts';
import { fullName, nameText, type Traveler } from '../../domain/people/traveler.ts';
import { readCall, type ToolContext, vehicleOf } from '../definition/define.ts';
import { locator } from '../definition/input-fields.ts';
import { printedCoupons } from '../rules/why-not.ts';
import { readNow } from './record-booking.ts';

export interface TicketDocument {
  readonly name: TicketName;
  /** The airline's number of the coupon, if it sent one. */
  readonly coupon?: string;
  readonly traveler?: Traveler;
  readonly segmentRef?: string;
  readonly segment?: Segment;
  /** Why there is no document, without a full stop: the coupon is refunded. */
  readonly over?: string;
  /** The coupon looks valid, and its flight or train is cancelled. */
  readonly isNotForTravel: boolean;
  readonly query: TicketDocumentQuery;
}

export function ticketDocuments(booking: Booking): readonly TicketDocument[] {
  return booking.tickets
    .filter(({ number }) => number !== '')
    .flatMap((ticket) => printedCoupons(ticket).map((coupon) => couponDocument(booking, ticket, coupon)));
}

function couponDocument(booking: Booking, ticket: Ticket, coupon: Coupon): TicketDocument {
  const { travelers, references } = booking;
  const { segmentRef, number: couponNumber } = coupon;

  const traveler =
    travelers.find(({ ref }) => ticket.travelerRefs.includes(ref)) ??
    (travelers.length === 1 ? travelers[0] : undefined);

  const segment = segmentsOf(booking).find(({ ref }) => ref === segmentRef);
  const isNotForTravel = isForNothing(booking, segment, coupon);
  const number = cleanCode(ticket.number, 40);
  const shownCoupon = cleanCode(couponNumber ?? '');

  return {
    name: {
      locator: booking.locator,
      number,
      coupon: shownCoupon === '' ? `s${cleanCode(segmentRef ?? '')}` : shownCoupon,
    },
    coupon: shownCoupon === '' ? undefined : shownCoupon,
    traveler,
    segmentRef,
    segment,
    over: whyOver(coupon, isNotForTravel),
    isNotForTravel,
    query: {
      locator: booking.locator,
      references: references.map(({ id }) => id),
      number: ticket.number,
      coupon: couponNumber,
      links: couponLinks(booking, ticket, coupon, traveler),
    },
  };
}

/** Whether an open coupon lets nobody travel: its flight or train is cancelled, whoever did that, and the coupon waits for its refund. */
function isForNothing({ cancelled }: Booking, segment: Segment | undefined, { statusCode }: Coupon): boolean {
  const isGone = segment !== undefined && (cancelled === true || segmentMeaning(segment.statusCode) === 'lost');
  return isGone && couponCounts(statusCode);
}

/** Why there is no document. Undefined if there is one. */
function whyOver({ statusCode }: Coupon, isNotForTravel: boolean): string | undefined {
  if (isNotForTravel) return 'not for travel, because its flight or train is cancelled';
  return couponCounts(statusCode) ? undefined : `it is ${couponStatus(statusCode)}`;
}

/** Lists the airline's links that give the document of this coupon alone. */
function couponLinks(
  booking: Booking,
  ticket: Ticket,
  { segmentRef }: Coupon,
  traveler: Traveler | undefined,
): string[] {
  const isOnlyCoupon = printedCoupons(ticket).length === 1;
  const namesakes = booking.travelers.filter((other) => fullName(other.name) === fullName(traveler?.name));

  return (
    ticket.links
      .filter((link) => link.travelerRef === undefined || link.travelerRef === traveler?.ref)
      .filter((link) => (link.segmentRef === undefined ? isOnlyCoupon : link.segmentRef === segmentRef))
      .map(({ href }) => href)
      // A link by names would give the ticket of either of two travellers with one name.
      .filter((href) => namesakes.length < 2 || URL.parse(href)?.searchParams.has('ticketNumber') === true)
  );
}

/** `Makkah → Madinah`. */
function ticketRoute({ from, to }: Segment, placeName?: PlaceName): string {
  return [from, to].map((code) => placeName?.(code) ?? cleanCode(code, 8)).join(' → ');
}

/** The segments of tickets in words, by ref: `HHR101 Makkah → Madinah`. Each once: every passenger has a ticket for it. */
export function tripsByRef(
  segments: readonly Segment[],
  refs: readonly (string | undefined)[],
  placeName: PlaceName | undefined,
): Record<string, string> | undefined {
  const trips = segments
    .filter(({ ref }) => refs.includes(ref))
    .map((segment) => [segment.ref, `${flightName(segment)} ${ticketRoute(segment, placeName)}`]);
  return trips.length === 0 ? undefined : Object.fromEntries(trips);
}

/** `Ticket Laila Haddad, Makkah → Madinah`. */
export function ticketTitle({ traveler, segment }: TicketDocument, placeName?: PlaceName): string {
  return `Ticket ${nameText(traveler)}${segment === undefined ? '' : `, ${ticketRoute(segment, placeName)}`}`;
}

/** Fetches the PDF that `name` stands for. Reads the booking first: who may not read it gets no ticket. @throws ClerkError */
export async function readTicket(name: TicketName, ctx: ToolContext): Promise<Uint8Array> {
  const parsed = locator().safeParse(name.locator);
  const documents = parsed.success ? ticketDocuments(await readNow(parsed.data, ctx)) : [];
  const isNamed = ({ name: { number, coupon } }: TicketDocument) =>
    plainNumber(number) === plainNumber(name.number) && coupon === name.coupon;
  const document = documents.find(isNamed);
  if (document === undefined || document.over !== undefined) {
    throw new ClerkError('E_NOT_FOUND', 'There is no such ticket. Nothing was changed.', {
      next: 'Call get_tickets for the tickets of the booking.',
    });
  }

  return ctx.airline.ticketDocument(document.query, readCall(ctx));
}

/** A finding of these kinds says that a flight, or all of them, is gone, although the booking may not show it any more. */
const GONE_KINDS: ReadonlySet<string> = new Set(['segment_cancelled', 'booking_cancelled']);

/** `NOT FOR TRAVEL: train HHR101 MED → JED on Tue 1 Dec is cancelled. ` Empty if every flight of the tickets runs. */
export function goneText(
  wanted: readonly TicketDocument[],
  changes: readonly AirlineChange[] = [],
  { settings }: ToolContext,
): string {
  const gone = new Set(wanted.flatMap(({ segment, isNotForTravel }) => (isNotForTravel && segment) || []));
  const texts = [...gone].map((segment) => {
    const { from, to, departs } = segment;
    const route = [from, to].map((code) => cleanCode(code, 8)).join(' → ');
    return `${vehicleOf(settings)} ${flightName(segment)} ${route} on ${showDay(departs)} is cancelled`;
  });

  const news = changes.filter(({ kind }) => GONE_KINDS.has(kind)).map(({ what }) => what);
  const shown = texts.length > 0 ? texts : news;
  return shown.length === 0 ? '' : `NOT FOR TRAVEL: ${shown.join('; ')}. `;
}
