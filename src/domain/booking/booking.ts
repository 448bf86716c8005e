/**
 * A booking with its itinerary, tickets and orders, and receipts. A segment is one departure to one arrival; an option
 * groups the segments that are sold and cancelled together. In this order: segments, references and tickets, the booking,
 * receipts, what is asked of a booking, and the documents of its tickets.
 */

import { memoizeByObject } from '../../core/memoize.ts';
import type { Money } from '../../core/money.ts';
import { addDays, dateOf, daysBetween, isRealDate } from '../../core/times.ts';
import type { Caller } from '../people/caller.ts';
import type { Contact, PersonName, Traveler } from '../people/traveler.ts';
import type { LooseLimit, Pricing } from './fare.ts';
import { isUnconfirmed, segmentMeaning, segmentStatus, standing } from './status-codes.ts';

/** IATA station code, three letters. */
export type StationCode = string;

export interface Flight {
  /** Carrier designator: `HHR`, `LH`. */
  readonly carrier: string;
  readonly number: string;
}

export interface ClassAvailability {
  readonly bookingClass: string;
  /** As sent; a count, or text such as `9+`. */
  readonly quantity?: string;
}

/** An operation that the airline offers on a segment now (airline dialect, `tpaextensions.operations`). */
export interface PermittedOperation {
  readonly modificationType: string;
}

/** A fare rule that the airline sends only as text. */
export interface FareRuleText {
  readonly name?: string;
  readonly text: string;
}

export interface Segment {
  /** The airline's pointer (rph). */
  readonly ref: string;
  readonly optionRef: string;
  /** As sent: the marketing or the operating number. */
  readonly flightNumber: string;
  /** Absent in an availability record. */
  readonly operating?: Flight;
  readonly marketing?: Partial<Flight>;
  readonly from: StationCode;
  readonly to: StationCode;
  /** Local time with offset as sent (`2026-12-01T08:00:00.000+03:00`), or UTC ending in `Z`. RFC 3339. */
  readonly departs: string;
  readonly arrives: string;
  /** Local date of departure, if `departs` is UTC. */
  readonly journeyDate?: string;
  readonly bookingClass?: string;
  /** Fare basis code of the offer or hold, from any place in the message. */
  readonly fareBasis?: string;
  /** The fare family's name: `Eco Flex`. */
  readonly fareName?: string;
  /** Airline dialect, `tpaextensions.fareRule`. */
  readonly fareRules?: readonly FareRuleText[];
  /** `30` confirmed, `16` cancelled, others in status-codes.ts. */
  readonly statusCode?: string;
  /**
   * The airline cancelled it and its coupons are open: nothing was refunded yet (docs/wire/notes.md, What the airline
   * changes). `unclear`: a refund is recorded that may be for it.
   */
  readonly owed?: true | 'unclear';
  readonly availability?: readonly ClassAvailability[];
  readonly stops?: number;
  /** Absent if the airline does not state it. */
  readonly permitted?: readonly PermittedOperation[];
}

/** A direct segment, or the segments of a connection. */
export interface SegmentOption {
  readonly ref: string;
  readonly segments: readonly Segment[];
}

/** The booking's reference in one system: the reservation system's, the operator's. */
export interface BookingReference {
  readonly id: string;
  /** OpenTravel unique id type; `14` is a reservation. */
  readonly type?: string;
  /** `companyName.code`. */
  readonly system?: string;
  readonly segmentRefs: readonly string[];
}

export interface Coupon {
  readonly segmentRef?: string;
  readonly number?: string;
  /** `O` open, `R` refunded; others in docs/wire/notes.md, Statuses. Unknown letters are kept. */
  readonly statusCode?: string;
  readonly seat?: string;
  readonly coach?: string;
  readonly providerTicket?: string;
}

export interface TicketLink {
  readonly href: string;
  readonly segmentRef?: string;
  readonly travelerRef?: string;
}

export interface Ticket {
  /** Empty if the row has only a time limit. */
  readonly number: string;
  /** `E_TICKET`, `PAPER`. */
  readonly ticketType?: string;
  readonly passengerType?: string;
  readonly travelerRefs: readonly string[];
  readonly segmentRefs: readonly string[];
  /** UTC or with offset, as sent. */
  readonly timeLimit?: string;
  readonly coupons: readonly Coupon[];
  readonly links: readonly TicketLink[];
}

/** `offer.priced[].tpaExtensions.orderInfo`: a payment or a refund. */
export interface Order {
  readonly id?: string;
  readonly action?: string;
  /** `PAYMENT` or `REFUND`. */
  readonly direction?: string;
  /** `PENDING`, `PAID`. */
  readonly status?: string;
  readonly amount?: Money;
}

export interface SpecialService {
  readonly code?: string;
  /** How many each of the travellers has on each of the segments. */
  readonly quantity?: number;
  readonly text?: string;
  readonly status?: string;
  readonly travelerRefs: readonly string[];
  readonly segmentRefs: readonly string[];
}

/** Electronic miscellaneous document (`emdinfo[]`). */
export interface Emd {
  readonly number?: string;
  readonly type?: string;
  readonly text?: string;
}

/**
 * A booking exactly as the airline's reply was decoded. It is compared, digested and sent back, never shown: words are made from a
 * {@link Booking} (blanked-booking.ts).
 */
export interface Reading {
  /** The reference in the reservation system. */
  readonly locator: string;
  readonly references: readonly BookingReference[];
  /** UTC. */
  readonly createdAt?: string;
  readonly options: readonly SegmentOption[];
  readonly travelers: readonly Traveler[];
  readonly contact?: Contact;
  readonly pricing?: Pricing;
  readonly tickets: readonly Ticket[];
  readonly orders: readonly Order[];
  readonly services: readonly SpecialService[];
  /** `specialRemarks`. */
  readonly remarks?: readonly string[];
  /** `specialRemarks` about a service, such as a prepaid bag. Nobody asks for it by one, and none proves one. */
  readonly serviceRemarks?: readonly SpecialService[];
  readonly emds: readonly Emd[];
  readonly looseLimits?: readonly LooseLimit[] | undefined;
  /** The airline states CANCELLED for the whole booking. */
  readonly cancelled?: boolean;
  /**
   * The reservation exactly as the airline sent it, for change requests. Only `ota/` reads it; absent if the booking
   * did not come from a read.
   */
  readonly source?: unknown;
  /** What is shown is never taken for a reading. */
  readonly reading?: never;
}

/** What is shown of a booking: its texts repeat no document and no birth date, and its people have none. */
export interface Booking extends Omit<Reading, 'source' | 'reading'> {
  readonly reading: Reading;
  /** What operations of ours did, and the reading does not show yet, oldest first (as-known.ts). Absent: it was not looked for. */
  readonly notShown?: readonly UnshownDeed[];
  /** The same without what was done here: what the next reading is compared with. Absent: it is this one. */
  readonly bare?: Booking;
}

/** What of a booking was done here and is not shown yet; none for one that was not read here. */
export function unshownOf(booking: Booking, ...kinds: readonly DeedKind[]): readonly UnshownDeed[] {
  const { notShown = [] } = booking;
  return kinds.length === 0 ? notShown : notShown.filter(({ kind }) => kinds.includes(kind));
}

/** The booking as its reading shows it. */
export function bareOf(booking: Booking): Booking {
  return booking.bare ?? booking;
}

/** The parts of a booking, by their refs. */
export interface BookingPart {
  readonly segmentRefs: readonly string[];
  readonly travelerRefs: readonly string[];
}

/** What an act did to a booking. */
export type DeedKind = 'payment' | 'cancellation' | 'split' | 'rebooking' | 'details' | 'seat' | 'service';

/** One thing that an act did, by the refs of a reading. Without refs it is about the whole booking. */
export interface Deed extends BookingPart {
  readonly kind: DeedKind;
  /** It is about the contact. */
  readonly isContact?: true;
  /** What of a person was changed, or the code of a service. */
  readonly what?: string;
}

/** A deed, and whether a reading shows it. */
export interface JudgedDeed extends Deed {
  readonly isShown: boolean;
  /** Not shown, and neither is what was there before: the reading shows what another act did, of ours or of the airline. */
  readonly isOther?: boolean;
  /** Not shown, and nothing of this kind is: the airline may never show it. */
  readonly isSilent?: boolean;
}

/** A deed of an operation that succeeded, and that the reading does not show yet. */
export interface UnshownDeed extends Deed {
  readonly operationId: string;
  /** The name of the tool. */
  readonly tool: string;
  /** When it was done, milliseconds since 1970. */
  readonly at: number;
  /** What was paid. */
  readonly sum?: Money;
  /** How many tickets the receipt of a payment states. */
  readonly tickets?: number;
  /** Some reading showed it, and one from an hour later on does not: texts name it, and the booking is what that reading shows. */
  readonly isUndone?: true;
}

/** The same traveller as they were read. */
export function travelerAsRead({ travelers, reading }: Booking, traveler: Traveler): Traveler {
  return reading.travelers[travelers.indexOf(traveler)] ?? traveler;
}

/** One row of a payment reply. Amounts are decimal digits without a currency. */
export interface ReceiptItem {
  readonly ticketNumber: string;
  readonly ticketType?: string;
  readonly name?: PersonName;
  readonly total?: string;
  readonly net?: string;
  readonly paymentType?: string;
  readonly conjunctive: readonly string[];
  readonly links: readonly TicketLink[];
}

export interface PaymentReceipt {
  readonly locator: string;
  readonly references: readonly BookingReference[];
  readonly items: readonly ReceiptItem[];
}

/** The reply to cancelling a whole booking; states no amounts. */
export interface CancelReceipt {
  readonly locator: string;
  /** `CANCELLED`. */
  readonly status?: string;
}

/** Remembered, because nearly every question about a booking asks for its segments. */
const segmentsIn = /* @__PURE__ */ memoizeByObject((options: Booking['options']): readonly Segment[] =>
  options.flatMap(({ segments }) => segments),
);

/** The segments of a booking or a trip, in order. */
export function segmentsOf({ options }: Pick<Booking, 'options'>): readonly Segment[] {
  return segmentsIn(options);
}

/** Whether no code of the segment says that it was cancelled. */
export function isRunning({ statusCode }: Pick<Segment, 'statusCode'>): boolean {
  return segmentStatus(statusCode) !== 'cancelled';
}

export function activeSegments(booking: Booking): readonly Segment[] {
  return segmentsOf(booking).filter((segment) => standing(segment) === 'active');
}

/** The segments whose codes say that they are not confirmed. Leaves out those without a code, or with an unknown one. */
export function unconfirmedSegments(booking: Booking): readonly Segment[] {
  return segmentsOf(booking).filter(({ statusCode }) => isUnconfirmed(statusCode));
}

/** The segments with a code whose meaning is not known. */
export function unclearSegments(booking: Booking): readonly Segment[] {
  return segmentsOf(booking).filter(({ statusCode }) => segmentMeaning(statusCode) === 'unknown');
}

/** The options with any of these segments of the booking. */
export function optionsWith({ options }: Booking, wanted: readonly Segment[]): readonly SegmentOption[] {
  return options.filter(({ segments }) => segments.some((segment) => wanted.includes(segment)));
}

/** The options with an active segment. */
export function activeOptions({ options }: Booking): readonly SegmentOption[] {
  return options.filter(({ segments }) => segments.some((segment) => standing(segment) === 'active'));
}

/** The local calendar date of departure. */
export function departureDate({ departs, journeyDate }: Segment): string {
  return dateOf(journeyDate ?? departs);
}

/**
 * The local calendar date of arrival. UTC times do not show the station's zone: if the departure's local date is ahead
 * of its UTC date, the arrival is moved ahead too, so that the result is never too early.
 */
export function arrivalDate({ departs, arrives, journeyDate }: Segment): string {
  const date = dateOf(arrives);
  if (journeyDate === undefined || !/z$/i.test(arrives) || !isRealDate(date) || !isRealDate(journeyDate)) return date;
  const utcDepartureDate = dateOf(departs);
  if (journeyDate <= utcDepartureDate) return date;
  const daysAhead = daysBetween(utcDepartureDate, journeyDate);
  return addDays(date, Math.min(1, daysAhead));
}

/** OpenTravel unique id type of a group (docs/wire/notes.md, Addressing: booking by counts). */
const GROUP = '9';

export function groupName({ references }: Booking): string | undefined {
  return references.find(({ type }) => type === GROUP)?.id;
}

/** References of the booking, without the group's name. */
export function bookingReferences({ references }: Booking): Booking['references'] {
  return references.filter(({ type }) => type !== GROUP);
}

export function unnamedTravelers({ travelers }: Booking): readonly Traveler[] {
  return travelers.filter(({ name }) => name === undefined);
}

// Documents of tickets: one PDF for each coupon.

/** Asks for one document. Only `ota/` turns it into an address. */
export interface TicketDocumentQuery {
  readonly locator: string;
  /** All references of the booking: links of the airline may name any of them. */
  readonly references: readonly string[];
  readonly number: string;
  /** Absent if the airline sent no coupons: then one of `links` is needed. */
  readonly coupon?: string;
  /** The airline's own links for this coupon, as sent. */
  readonly links: readonly string[];
}

/** Names a document in addresses of our own: `fareclerk://tickets/{locator}/{number}/{coupon}`. */
export interface TicketName {
  readonly locator: string;
  readonly number: string;
  readonly coupon: string;
}

/** The document that a one-time address opens, and the caller it was made for. */
export interface TicketGrant extends TicketName {
  readonly caller: Caller;
}

/**
 * Keys of one-time addresses, shared by all instances. Only hashes of the keys are stored. Times: milliseconds since
 * 1970.
 */
export interface TicketKeys {
  put(hash: string, grant: TicketGrant, expiresAt: number): Promise<void>;
  find(hash: string, now: number): Promise<TicketGrant | undefined>;
  /** Ends the key. False if it had ended already: of two calls at once, only one gets true. */
  spend(hash: string): Promise<boolean>;
}

export function ticketUri({ locator, number, coupon }: TicketName): string {
  return `fareclerk://tickets/${[locator, number, coupon].map(encodeURIComponent).join('/')}`;
}
