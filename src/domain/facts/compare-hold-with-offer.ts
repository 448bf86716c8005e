/**
 * What a booking was asked for, and in what the booking that the airline holds differs from it. Each row of the tables
 * reads a value of the offer, or of the arguments, and compares it with that of the hold, so that nothing can be chosen
 * without being compared. A value that one side leaves out or masks is no difference; other pointers, another order and
 * another spelling are none either.
 *
 * In this order: what was asked of flights and its comparison, and the booking as a whole. facts/ has the rows of flights and of
 * the booking, asked-people.ts the people.
 */

import { cleanCode } from '../../core/clean-text.ts';
import { sameMoney, showMoney, sumMoney } from '../../core/money.ts';
import { earliestTime, MINUTE_MS } from '../../core/times.ts';
import { listed } from '../../core/words.ts';
import { type Booking, isRunning, type Segment, type SegmentOption, segmentsOf } from '../booking/booking.ts';
import { flightName, segmentText } from '../booking/flight-name.ts';
import { orderAmounts, paymentsOf } from '../booking/paid-and-refunded.ts';
import { countType } from '../booking/status-codes.ts';
import { unsentAddresses } from '../booking/unsent-addresses.ts';
import { keptRules } from '../refund/rules-in-force.ts';
import {
  type AskedServices,
  type HeldDifference,
  type OfferedParty,
  type PeopleLayer,
  peopleDifferences,
  servicesMissing,
} from './asked-people.ts';
import {
  BOOKING_ROWS,
  type BookingRow,
  type FirstSaid,
  type OfferedTerms,
  otherSaid,
  PAYMENT_LIMITS,
  saidInWords,
  TOTAL,
} from './booking-rows.ts';
import { diffFlight } from './differ.ts';
import { type FlightFacts, numbersOf, readFlight } from './flight-rows.ts';
import { pairFlights } from './pair.ts';
import { digitsOnly } from './values.ts';

// What was asked of flights, and its comparison.

/** What distinguishes an offer from others of the same flights, and what its hold is compared with. */
export interface ChosenOffer extends OfferedParty, OfferedTerms {
  readonly segments: readonly FlightFacts[];
}

/** @param options as offered: with no carrier that the offer did not name */
export function chosenOffer(options: readonly SegmentOption[], terms: Omit<ChosenOffer, 'segments'>): ChosenOffer {
  return { segments: options.flatMap(({ segments }) => segments.map(readFlight)), ...terms };
}

/** Same class and fare on every segment, and the same price. */
export function sameOffer(a: ChosenOffer, b: ChosenOffer): boolean {
  const text = ({ segments }: ChosenOffer) =>
    JSON.stringify(segments.map(({ bookingClass, fare }) => [bookingClass, fare]));
  if (text(a) !== text(b)) return false;
  return a.total === undefined || b.total === undefined ? a.total === b.total : sameMoney(a.total, b.total);
}

/**
 * Whether a reply lists fewer flights than the offer: an airline can list one of two flights of a hold, with the price of that one
 * (docs/wire/notes.md, Replies). `offer`: undefined if it was not kept.
 */
export function listsFewerFlights(offer: ChosenOffer | undefined, reply: Booking): boolean {
  return offer !== undefined && segmentsOf(reply).length < offer.segments.length;
}

/** Whether a reply lists every flight and traveller of the offer, and some traveller if the offer was not kept. */
export function listsAllOf(offer: ChosenOffer | undefined, reply: Booking): boolean {
  const people = Object.values(offer?.party ?? {}).reduce((sum, count) => sum + count, 0);
  const isEverybody = reply.travelers.length > 0 && reply.travelers.length >= people;
  return isEverybody && !listsFewerFlights(offer, reply);
}

/** A flight as the hold shows it. */
type HeldFlight = FlightFacts & { readonly segment: Segment };

/** A flight that was asked for, and the one that is held in its place. Either may be missing. */
type HeldPair =
  | { readonly asked: FlightFacts; readonly held: HeldFlight | undefined }
  | { readonly asked: undefined; readonly held: HeldFlight };

const heldFlight = (segment: Segment): HeldFlight => ({
  ...readFlight(segment),
  status: segment.statusCode,
  segment,
});

function pairHeld(asked: readonly FlightFacts[], segments: readonly Segment[]): readonly HeldPair[] {
  const { pairs, added } = pairFlights(asked, withoutStops(asked, segments.map(heldFlight)), 'any');
  const extra = added.filter(({ segment }) => isRunning(segment));
  return [
    ...pairs.map(({ was, now, instead }) => ({ asked: was, held: instead ?? now })),
    ...extra.map((flight) => ({ asked: undefined, held: flight })),
  ];
}

/** Joins two flights of one number that an airline holds in place of one with a stop that was asked for. */
function withoutStops(asked: readonly FlightFacts[], held: readonly HeldFlight[]): readonly HeldFlight[] {
  return held.flatMap((flight, i) => {
    const before = held[i - 1];
    if (before !== undefined && asked.some((one) => isWithStop(one, before, flight))) return [];

    const next = held[i + 1];
    const isFirst = next !== undefined && asked.some((one) => isWithStop(one, flight, next));
    // Each part states its own stops.
    return [isFirst ? { ...flight, to: next.to, arrives: next.arrives, stops: undefined } : flight];
  });
}

function isWithStop(asked: FlightFacts, first: HeldFlight, second: HeldFlight): boolean {
  const isOneWay = first.from === asked.from && first.to === second.from && second.to === asked.to;
  return isOneWay && [first, second].every(({ number = '' }) => numbersOf(asked).includes(digitsOnly(number)));
}

/** The parts of a segment that its name and its words need. */
function asSegment({ from = '', to = '', departs = '', number = '', ...flight }: FlightFacts) {
  const { operatingCarrier, operatingNumber = number, marketingCarrier } = flight;
  const operating = operatingCarrier ? { carrier: operatingCarrier, number: operatingNumber } : undefined;
  return { from, to, departs, flightNumber: number, operating, marketing: { carrier: marketingCarrier } };
}

function flightDifferences({ asked, held }: HeldPair): readonly HeldDifference[] {
  if (asked === undefined) {
    const { segment } = held;
    return [{ of: { flight: flightName(segment) }, says: 'is held and was not offered', held: segmentText(segment) }];
  }

  const offered = asSegment(asked);
  if (held === undefined)
    return [{ of: { flight: flightName(offered) }, says: 'is not held', asked: segmentText(offered) }];

  // An offer may name no carrier.
  const of = { flight: flightName(offered, held.operatingCarrier) };
  if (!isRunning(held.segment)) return [{ of, what: 'status', says: 'is cancelled' }];

  const differences = diffFlight(asked, held);
  return differences.map(({ row: { what, says, form }, was, is }) => ({ of, what, says, form, asked: was, held: is }));
}

/** Passengers who are not on a flight that is held. All are booked on all flights. */
function ridesMissing({ booking: { travelers }, pairs }: Comparison): readonly HeldDifference[] {
  const flights = pairs.flatMap(({ asked, held }) => (asked === undefined || held === undefined ? [] : held.segment));
  const known = new Set(flights.map(({ ref }) => ref));
  // Pointers of none of these flights are another numbering.
  if (!travelers.some(({ segmentRefs }) => segmentRefs.some((ref) => known.has(ref)))) return [];

  return travelers.flatMap(({ ref, segmentRefs }) => {
    const missing = flights.filter((flight) => !segmentRefs.includes(flight.ref));
    return missing.map((flight) => ({ of: { passenger: ref }, says: `is not on ${flightName(flight)}` }));
  });
}

// The booking as a whole.

/** What a booking was asked for. */
export interface Asked extends AskedServices {
  readonly offer?: ChosenOffer | undefined;
  /** What is kept of the people of all requests, whatever was paid or cancelled since. */
  readonly sent?: readonly PeopleLayer[];
  /** Absent if it is not kept, or no longer true. */
  readonly first?: FirstSaid | undefined;
}

/** A hold beside what was asked. */
interface Comparison {
  readonly asked: Asked;
  readonly booking: Booking;
  readonly pairs: readonly HeldPair[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** How many travellers of each type are asked for and held. Those with names are compared one by one. */
function partyDifferences({ asked: { offer, layers }, booking: { travelers } }: Comparison): readonly HeldDifference[] {
  const isNamed = layers.some(({ people }) => !people.isChange && people.passengers.length > 0);
  if (offer?.party === undefined || isNamed || travelers.length === 0) return [];

  const counts = new Map([...Map.groupBy(travelers, ({ type }) => type)].map(([type, { length }]) => [type, length]));
  const asked = new Map(Object.entries(offer.party));
  const types = [...new Set([...asked.keys(), ...counts.keys()])];
  if (types.every((type) => asked.get(type) === counts.get(type))) return [];

  const inWords = (party: ReadonlyMap<string, number>) =>
    [...party].map(([type, count]) => countType(cleanCode(type), count)).join(', ');
  return [{ of: 'party', what: 'number', form: 'plain', asked: inWords(asked), held: inWords(counts) }];
}

/** The flights that were asked for, run and are held. */
const flightsHeld = (pairs: readonly HeldPair[]): readonly Segment[] =>
  pairs.flatMap(({ asked, held }) =>
    asked !== undefined && held !== undefined && isRunning(held.segment) ? [held.segment] : [],
  );

/** Whether that is what the hold said first, and not what was offered. */
function isSaidFirst({ kind }: BookingRow, { offer, first }: Asked): boolean {
  return (
    first !== undefined && (kind === 'deadline_moved' || (kind === 'refund_rule_changed' && offer?.rules === undefined))
  );
}

function termDifferences(rows: readonly BookingRow[], comparison: Comparison): readonly HeldDifference[] {
  const { asked, booking, now } = comparison;
  return rows.flatMap((row): HeldDifference[] => {
    const said = row.offered?.(asked, booking) ?? [];
    const other = otherSaid(row, said, row.held?.(booking, asked, now) ?? [], now);
    if (other === undefined) return [];

    return [
      {
        what: row.what,
        form: row.form,
        isSaidFirst: isSaidFirst(row, asked),
        asked: saidInWords(row, other.was),
        held: saidInWords(row, other.is),
      },
    ];
  });
}

/** Compares the orders with the total. */
function otherOrder({ asked, booking }: Comparison): readonly HeldDifference[] {
  const total = asked.offer?.total;
  const orders = orderAmounts({ orders: paymentsOf(booking) });
  if (orders.length === 0 || total === undefined) return [];

  // An airline may divide an order, or list it twice.
  const once = orders.filter((sum, i) => orders.findIndex((one) => sameMoney(one, sum)) === i);
  const sums = [sumMoney(orders), sumMoney(once)];
  const fitting = [booking.pricing?.total?.total ?? total, total];
  if (fitting.some((fit) => sums.some((sum) => sameMoney(sum, fit)))) return [];

  return [{ what: "hold's order", form: 'plain', asked: showMoney(total), held: listed(orders.map(showMoney)) }];
}

/**
 * What a hold says first, to compare later readings with it. Undefined if it has neither limits nor rules.
 * @param at when its operation was entered, milliseconds since 1970
 */
export function firstSaid(booking: Booking, at: number): FirstSaid | undefined {
  const limitRows = BOOKING_ROWS.filter(({ kind }) => kind === 'deadline_moved');
  const limits = limitRows.map(({ what, held }) => {
    const said = held?.(booking, {}, 0) ?? [];
    return [what, said.map(({ value }) => value)] as const;
  });
  const known = limits.filter(([, times]) => times.length > 0);

  // The airline's clock may be a little ahead.
  const rules = keptRules(booking.options, booking.pricing?.fares ?? [], at + MINUTE_MS);
  return known.length === 0 && rules === undefined ? undefined : { limits: Object.fromEntries(known), rules };
}

/** Until when a hold can be paid, as it said first, UTC: a later reading may leave that out. */
export function payBySaidFirst({ first }: Asked): string | undefined {
  return earliestTime(PAYMENT_LIMITS.flatMap((what) => first?.limits[what] ?? []));
}

/**
 * Compares a complete reading with what was asked for. An empty list says that nothing differs.
 * @param now milliseconds since 1970: what is over is not compared
 */
export function heldDifferences(asked: Asked, booking: Booking, now: number): readonly HeldDifference[] {
  const segments = segmentsOf(booking);
  const { offer } = asked;
  const pairs = offer === undefined || segments.length === 0 ? [] : pairHeld(offer.segments, segments);
  const comparison: Comparison = { asked, booking, pairs, now };

  const ofPeople = booking.travelers.length === 0 ? [] : peopleDifferences(booking, asked.layers);
  const rowsBesideTotal = BOOKING_ROWS.filter((row) => row !== TOTAL);

  return [
    ...pairs.flatMap(flightDifferences),
    ...partyDifferences(comparison),
    ...ofPeople,
    ...ridesMissing(comparison),
    ...servicesMissing(asked, flightsHeld(pairs), booking),
    ...termDifferences([TOTAL], comparison),
    ...otherOrder(comparison),
    ...termDifferences(rowsBesideTotal, comparison),
    ...unsentAddresses(booking, asked.layers),
  ];
}
