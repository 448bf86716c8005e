/**
 * What the server keeps of a reading of a booking, to compare the next one with it. It names nobody: people and tickets
 * are digests. First the fields, then how a booking is read, then what a kept reading says.
 */

import { memoize, memoizeByObject } from '../../core/memoize.ts';
import { memoizeByContent } from '../../core/memoize-by-content.ts';
import type { Money } from '../../core/money.ts';
import { sameJson } from '../../core/own.ts';
import { asUtc, dateOf } from '../../core/times.ts';
import { type Booking, type Coupon, type Order, type Segment, segmentsOf, type Ticket } from '../booking/booking.ts';
import { type BookingState, bookingState, payBy } from '../booking/booking-state.ts';
import { fareDeadlines } from '../booking/deadlines.ts';
import { isPaid } from '../booking/paid-and-refunded.ts';
import { isLost } from '../booking/status-codes.ts';
import { type Digest, detailText, identityText } from '../people/identity-text.ts';
import type { Contact, Traveler } from '../people/traveler.ts';
import { cancelLimit, componentsAlong } from '../refund/fare-units.ts';
import { type KeptRuleWords, ruleDigests, ruleTexts, ruleWords } from '../refund/rules-in-force.ts';
import { refundCount } from './expected-change.ts';
import { type KeptSegment, readFlight } from './flight-rows.ts';
import { plainNumber } from './issued-tickets.ts';
import { type KeptPerson, type SentForms, shownForms } from './person-rows.ts';
import { type Astray, ticketsAstray } from './stray-tickets.ts';

/** How much of an allowance is kept. */
const ALLOWANCE_CHARS = 90;

export interface KeptCoupon {
  /** Keyed digest of ticket and coupon number. */
  readonly id: string;
  /** Keyed digest of the ticket number. */
  readonly ticket?: string;
  /** Index of its segment in `segments`; absent: unknown. */
  readonly segment?: number;
  readonly status?: string;
  /** Keyed digest of the passenger's identity. */
  readonly who?: string;
  /** What the ticket lacks in the booking. */
  readonly astray?: Astray;
  /** Coach and seat: `4/12A`. Empty: the reading shows that there is none; absent: it does not say. */
  readonly seat?: string;
}

export interface KeptOrder {
  readonly id?: string;
  readonly direction?: string;
  readonly status?: string;
  readonly amount?: Money;
  /** When it was first seen PENDING, milliseconds since 1970. */
  readonly pendingSince?: number;
}

/** A row before an act of ours and after it. Without `was` it was added, without `is` it is gone. */
export interface Flipped<Row> {
  readonly was?: Row | undefined;
  readonly is?: Row | undefined;
}

/** What a reading that shows an act of ours has otherwise than the one before. */
export interface Flips {
  /** When the act was done, milliseconds since 1970. */
  readonly at: number;
  readonly segments: readonly Flipped<KeptSegment>[];
  readonly persons: readonly Flipped<KeptPerson>[];
  readonly coupons: readonly Flipped<KeptCoupon>[];
  readonly orders: readonly Flipped<KeptOrder>[];
  readonly contact?: Flipped<SentForms> | undefined;
  /** What each field of the booking as a whole was. */
  readonly booking: Partial<KeptReading>;
}

/** A kept reading. A field is absent if no reading so far showed it. */
export interface KeptReading {
  /**
   * When it was read, milliseconds since 1970. A later reading of the same content does not replace it, so that a stored
   * one tells when its content was first shown.
   */
  readonly at: number;
  /** When the airline made the booking, as sent. With `names`, the signs by which the booking is known again. */
  readonly createdAt?: string;
  /** Keyed digests of its people's names. */
  readonly names?: readonly string[];
  readonly state: BookingState;
  /**
   * When a reading first showed that the booking is cancelled, milliseconds since 1970. Absent if it is not cancelled, or
   * was so in the first reading.
   */
  readonly cancelledAt?: number;
  readonly segments: readonly KeptSegment[];
  /** The passengers. */
  readonly persons?: readonly KeptPerson[];
  /** Digests of what the contact of the booking may be shown as. */
  readonly contact?: SentForms;
  readonly coupons: readonly KeptCoupon[];
  readonly orders: readonly KeptOrder[];
  /** How many refunds the price or the orders state. */
  readonly refunds?: number;
  /** How many of the refunds have shown no order yet. */
  readonly refundsWithoutOrder?: number;
  /** UTC. */
  readonly payBy?: string;
  readonly namesUntil?: string;
  readonly cancelUntil?: string;
  readonly total?: Money;
  /** Of the last total, where that one no longer counts and none has been shown since. */
  readonly currency?: string;
  /** The allowance that the total includes, in capitals, in one text. */
  readonly baggage?: string;
  readonly rules?: KeptRuleWords;
  readonly ruleTexts?: KeptRuleWords;
  readonly changeRules?: KeptRuleWords;
  /** Keys of what our own operations touched, and later readings need not explain (facts/touches.ts). */
  readonly spent?: readonly string[];
  /** Ids of the operations whose deeds a reading showed. Absent in readings of earlier versions. */
  readonly seen?: readonly string[];
  /** What acts of ours changed within the last hour: another node may still show it as it was. */
  readonly flips?: readonly Flips[];
}

/** What a reading says of the booking, without what is remembered beside it. */
export const withoutMemory = (reading: KeptReading): KeptReading => ({
  ...reading,
  spent: undefined,
  seen: undefined,
  flips: undefined,
});

/**
 * Takes from a booking what the next reading is compared with.
 * @param keyedDigest keyed, so that nobody can find a ticket number by trying numbers
 */
export function keptReading(booking: Booking, at: number, keyedDigest: Digest): KeptReading {
  const { digest, formsOf } = remembered(keyedDigest);
  const { pricing, orders, tickets, reading } = booking;
  const { travelers, contact } = reading;
  const segments = segmentsOf(booking);

  const names = travelers.map((traveler) => detailText(traveler, 'name')).filter((name) => name !== '');
  const persons = travelers.map((traveler): KeptPerson => {
    const { ref, type } = traveler;
    const on = segmentsOn(traveler, segments);
    const who = digest(identityText(traveler));
    return { ref, who, type: type || undefined, ...formsOf(traveler), on, lap: traveler.attendantRef };
  });

  const astray = ticketsAstray(booking);
  const whoByRef = new Map(persons.map(({ ref, who }) => [ref, who]));
  const coupons = tickets.flatMap((ticket) => {
    const ofTicket = keepCoupons(ticket, segments, whoByRef, digest);
    return ofTicket.map((coupon) => ({ ...coupon, astray: astray.get(ticket) }));
  });

  const limits = limitsByOption(booking);
  const rules = isPaid(booking) ? rulesByOption(booking, at) : undefined;
  const { namesUntil, cancelUntil } = fareDeadlines(pricing);
  const showsMoney = pricing !== undefined || orders.length > 0;

  return {
    at,
    createdAt: booking.createdAt,
    names: names.length === 0 ? undefined : names.map((name) => digest(`name|${name}`)).toSorted(),
    state: stateIn(booking, at),
    segments: segments.map((segment) => ({
      ...readFlight(segment),
      cancelUntil: limits.get(segment),
      rules: rules?.get(segment),
      status: segment.statusCode,
    })),
    persons: persons.length === 0 ? undefined : persons,
    contact: contact && formsOf(contact),
    coupons,
    orders: orders.map((order) => keepOrder(order, at)),
    refunds: showsMoney ? refundCount(booking) : undefined,
    payBy: isPaid(booking) ? undefined : asUtc(payBy(booking)),
    namesUntil,
    cancelUntil,
    total: pricing?.total?.total,
    baggage: allowanceText(pricing?.total?.baggage),
    rules: ruleWords(booking, at),
    ruleTexts: ruleTexts(booking),
    changeRules: ruleWords(booking, at, 'change'),
  };
}

/** Until when each segment can be cancelled, UTC. */
function limitsByOption(booking: Booking): ReadonlyMap<Segment, string | undefined> {
  const limits = booking.options.flatMap((option) => {
    const limit = asUtc(cancelLimit(booking, [option]));
    return option.segments.map((segment) => [segment, limit] as const);
  });
  return new Map(limits);
}

/** The rules and texts of each segment; none where the airline does not say whose they are. */
function rulesByOption(booking: Booking, at: number): ReadonlyMap<Segment, readonly string[]> {
  const rulesOf = new Map<Segment, readonly string[]>();

  for (const option of booking.options) {
    for (const segment of option.segments) {
      // A flight of a connection can change alone, with its own fare. A fare of the whole connection is that of each flight.
      const alone = [{ ...option, segments: [segment] }];
      const fares = componentsAlong(booking, alone) ?? componentsAlong(booking, [option]) ?? [];
      const texts = ruleTexts({ options: alone })?.rules ?? [];
      const all = [...ruleDigests(fares, at), ...texts];
      if (all.length > 0) rulesOf.set(segment, all);
    }
  }

  return rulesOf;
}

/** Airlines repeat an allowance for each flight. Undefined where there is none. */
export function allowanceText(baggage: readonly string[] = []): string | undefined {
  const texts = new Set(baggage.map((text) => text.replace(/\s+/g, ' ').trim().toUpperCase()).filter(Boolean));
  return texts.size === 0 ? undefined : [...texts].toSorted().join(', ').slice(0, ALLOWANCE_CHARS);
}

/** Indexes of the segments of a traveller. Undefined if the reading does not say which. */
function segmentsOn({ segmentRefs }: Traveler, segments: readonly Segment[]): readonly number[] | undefined {
  const on = segmentRefs.map((pointer) => segments.findIndex((segment) => segment.ref === pointer));
  // A pointer of no segment, or of two, is of another numbering.
  const isClear = segmentRefs.every((pointer) => segments.filter((segment) => segment.ref === pointer).length === 1);
  const isSaid = on.length > 0 && isClear;
  return isSaid ? on.toSorted((a, b) => a - b) : undefined;
}

/** The most digests that are remembered: of people and coupons of bookings that are read again and again. */
const MOST_DIGESTS = 2_000;

/** Digests of texts, and the forms of people: most readings show what the one before showed. */
const remembered = /* @__PURE__ */ memoizeByObject((keyedDigest: Digest) => {
  const digest = memoize((text: string) => shortDigest(keyedDigest(text)), MOST_DIGESTS);
  const formsOf = memoizeByContent((person: Contact) => shownForms(person, (form) => digest(`form|${form}`)));
  return { digest, formsOf };
});

/** The state in a reading. A reply without segments may be stripped, so only the word CANCELLED counts there. */
function stateIn(booking: Booking, at: number): BookingState {
  const { state } = bookingState(booking, at);
  const isGuess = state === 'cancelled' && booking.cancelled !== true && segmentsOf(booking).length === 0;
  return isGuess ? 'unknown' : state;
}

/** Takes the coupons of a ticket. One without a number is identified by stations and date, which outlast pointers. */
function keepCoupons(
  ticket: Ticket,
  segments: readonly Segment[],
  whoByRef: ReadonlyMap<string, string>,
  digest: Digest,
): readonly KeptCoupon[] {
  if (ticket.number === '') return [];

  const [ref = '', ...others] = ticket.travelerRefs;
  const who = others.length === 0 ? whoByRef.get(ref) : undefined;
  const number = plainNumber(ticket.number);
  const ticketDigest = digest(`ticket|${number}`);

  return ticket.coupons.map((coupon) => {
    const index = segments.findIndex((segment) => segment.ref === coupon.segmentRef);
    const couponName = coupon.number ?? segmentKey(segments[index]);

    return {
      id: digest(`coupon|${number}|${couponName}`),
      ticket: ticketDigest,
      segment: index < 0 ? undefined : index,
      who,
      status: coupon.statusCode,
      seat: seatText(coupon),
    };
  });
}

function keepOrder({ id, direction, status, amount }: Order, at: number): KeptOrder {
  const isPending = direction === 'REFUND' && status === 'PENDING';
  return { id, direction, status, amount, pendingSince: isPending ? at : undefined };
}

/** Stations and date of a segment; empty if it is not known. */
function segmentKey(segment: Segment | undefined): string {
  return segment === undefined ? '' : `${segment.from}${segment.to}${dateOf(segment.departs)}`;
}

/**
 * Coach and seat. Empty if there is surely no seat: an airline that shows the operator's ticket would show it. Undefined if that is not
 * known, as with a coach alone.
 */
function seatText({ seat, coach, providerTicket }: Coupon): string | undefined {
  if (seat === undefined) return providerTicket === undefined || coach !== undefined ? undefined : '';
  return coach === undefined ? seat : `${coach}/${seat}`;
}

/**
 * Whether the booking is an unpaid hold. It still is one after the airline cancelled a segment: the rest can be paid until
 * the same limit.
 */
export function isUnpaid(reading: KeptReading): boolean {
  return reading.state === 'held' || (reading.state === 'partly_cancelled' && isNeverPaid(reading));
}

/** Whether no reading showed a payment of the booking, and one showed until when it can be paid. */
export function isNeverPaid({ payBy, coupons, orders }: KeptReading): boolean {
  return payBy !== undefined && coupons.length === 0 && !orders.some(({ status }) => status === 'PAID');
}

/** How many passengers a reading shows. */
export const passengersIn = ({ persons = [] }: Pick<KeptReading, 'persons'>): number => persons.length;

/** Whether two readings say the same, whenever they were made. */
export function sameReading(reading: KeptReading, other: KeptReading): boolean {
  return sameJson({ ...reading, at: 0 }, { ...other, at: 0 });
}

/** The first letters of a digest: enough to tell the coupons and people of one booking apart. */
export function shortDigest(digest: string): string {
  return digest.slice(0, 12);
}

/** Whether the booking is ticketed, and nothing of it was ever cancelled or refunded. */
export function isWhole({ state, segments, refunds = 0 }: KeptReading): boolean {
  return state === 'ticketed' && refunds === 0 && !segments.some(isLost);
}
