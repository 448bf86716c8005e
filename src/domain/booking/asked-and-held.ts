/**
 * What a booking was asked for, and in what the booking that the airline holds differs from it. Each row of the tables below
 * reads a value of the offer, or of the arguments, and compares it with that of the hold, so that nothing can be chosen
 * without being compared. A value that one side leaves out or masks is no difference; other pointers, another order and
 * another spelling are none either.
 *
 * In this order: rows of flights, what was asked of flights and its comparison, and the booking as a whole.
 * asked-people.ts has the people.
 */

import { cleanCode, quoted } from '../../core/clean-text.ts';
import { type Money, sameMoney, showMoney } from '../../core/money.ts';
import { pairRows } from '../../core/own.ts';
import { asUtc, DAY_MS, earliestTime, instantOf } from '../../core/times.ts';
import type { Digest } from '../people/identity-text.ts';
import type { FareComponent } from '../pricing/fare.ts';
import { type KeptRules, keptRules, otherRefundRule, otherRuleText } from '../pricing/rules-in-force.ts';
import {
  type AddedToHold,
  type AskedServices,
  addedServicesMissing,
  type HeldDifference,
  offeredServicesMissing,
  type PeopleLayer,
  peopleDifferences,
} from './asked-people.ts';
import { activeSegments, type Booking, isRunning, type Segment, type SegmentOption, segmentsOf } from './booking.ts';
import { hasPassed } from './booking-state.ts';
import { showDeadline } from './deadlines.ts';
import { digitsOnly } from './expected-change.ts';
import { flightName, segmentText } from './flight-name.ts';
import { orderAmounts } from './paid-and-refunded.ts';
import { isSameTime, timeBetween } from './pair-readings.ts';
import { shownBooking } from './shown-booking.ts';
import { countType } from './status-codes.ts';

// Rows of flights.

/** A flight as it was offered. What the offer left out is absent, and so is what an earlier version did not keep. */
interface AskedFlight {
  readonly ref: string;
  readonly from?: string;
  readonly to?: string;
  readonly departs?: string;
  readonly arrives?: string;
  readonly number?: string;
  readonly operatingNumber?: string;
  readonly marketingNumber?: string;
  readonly operatingCarrier?: string;
  readonly marketingCarrier?: string;
  readonly bookingClass?: string;
  readonly fare?: string;
  readonly fareName?: string;
  /** How often it stops on the way. */
  readonly stops?: string;
}

interface FlightRow extends Required<Pick<HeldDifference, 'what' | 'says' | 'form'>> {
  readonly field: Exclude<keyof AskedFlight, 'ref'>;
  readonly read: (segment: Segment) => string | undefined;
  /** Whether the value of the hold is the one that was asked for. Default: equal texts. */
  readonly same?: (asked: string, held: string, flight: AskedFlight, heldFlight: AskedFlight) => boolean;
}

const FLIGHT_ROWS: readonly FlightRow[] = [
  { field: 'from', what: 'start', says: 'leaves from', form: 'code', read: ({ from }) => from },
  { field: 'to', what: 'destination', says: 'goes to', form: 'code', read: ({ to }) => to },
  {
    field: 'departs',
    what: 'departure',
    says: 'leaves',
    form: 'time',
    read: ({ departs }) => departs,
    same: sameClock,
  },
  { field: 'arrives', what: 'arrival', says: 'arrives', form: 'time', read: ({ arrives }) => arrives, same: sameClock },
  {
    ...{ field: 'number', what: 'number', says: 'has number', form: 'code' },
    read: ({ flightNumber }) => flightNumber,
    same: isSoldNumber,
  },
  {
    ...{ field: 'operatingNumber', what: 'operating number', says: 'is operated as', form: 'code' },
    read: ({ operating }) => operating?.number,
    same: isAskedNumber,
  },
  {
    ...{ field: 'marketingNumber', what: 'marketing number', says: 'is sold as', form: 'code' },
    read: ({ marketing }) => marketing?.number,
    same: (asked, held) => digitsOnly(asked) === digitsOnly(held),
  },
  {
    ...{ field: 'operatingCarrier', what: 'operating carrier', says: 'is operated by', form: 'code' },
    read: ({ operating }) => operating?.carrier,
  },
  {
    ...{ field: 'marketingCarrier', what: 'marketing carrier', says: 'is sold by', form: 'code' },
    read: ({ marketing }) => marketing?.carrier,
  },
  { field: 'bookingClass', what: 'class', says: 'is in class', form: 'code', read: (segment) => segment.bookingClass },
  { field: 'fare', what: 'fare', says: 'is in fare', form: 'code', read: ({ fareBasis }) => fareBasis },
  {
    ...{ field: 'fareName', what: 'name of the fare', says: 'is in the fare', form: 'words' },
    read: ({ fareName }) => fareName,
    // Another fare has another name.
    same: (asked, held, flight, heldFlight) =>
      foldedText(asked) === foldedText(held) || isOtherFare(flight, heldFlight),
  },
  { field: 'stops', what: 'stops', says: 'stops on the way:', form: 'code', read: ({ stops }) => stops?.toString() },
];

const isOtherFare = ({ fare: asked }: AskedFlight, { fare: held }: AskedFlight): boolean =>
  asked !== undefined && held !== undefined && asked !== held;

/** Letters and digits alone: airlines write a name in capitals, or with other spaces. */
const foldedText = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** The same instant in any zone; the same clock time where one side names no zone. */
function sameClock(asked: string, held: string): boolean {
  if (instantOf(asked) !== undefined && instantOf(held) !== undefined) return isSameTime(asked, held);
  return asked.slice(0, 16) === held.slice(0, 16);
}

const numbersOf = ({ number = '', operatingNumber = '', marketingNumber = '' }: AskedFlight): readonly string[] =>
  [number, operatingNumber, marketingNumber].map(digitsOnly);

/** Operating and marketing number can differ, and either can be sent as the flight's (docs/wire/notes.md, Replies). */
function isAskedNumber(_: string, held: string, flight: AskedFlight): boolean {
  return numbersOf(flight).includes(digitsOnly(held));
}

/** A hold may also name a flight by a marketing number that its offer left out, beside the operating one. */
function isSoldNumber(asked: string, held: string, flight: AskedFlight, heldFlight: AskedFlight): boolean {
  if (isAskedNumber(asked, held, flight)) return true;
  const { marketingNumber = '', operatingNumber = '' } = heldFlight;
  const isMarketed = flight.marketingNumber === undefined && digitsOnly(marketingNumber) === digitsOnly(held);
  return isMarketed && isAskedNumber(asked, operatingNumber, flight);
}

/** Reads a flight with all rows. An empty text is absent. */
function readFlight(segment: Segment): AskedFlight {
  const values = FLIGHT_ROWS.map(({ field, read }) => [field, read(segment) || undefined] as const);
  return { ref: segment.ref, ...Object.fromEntries(values) };
}

const heldFlight = (segment: Segment): HeldFlight => ({ ...readFlight(segment), segment });

// What was asked of flights, and its comparison.

/** What distinguishes an offer from others of the same flights, and what its hold is compared with. */
export interface ChosenOffer {
  readonly segments: readonly AskedFlight[];
  readonly total?: Money;
  /** How many travellers of each type. */
  readonly party?: Readonly<Record<string, number>>;
  /** As the airline writes it. */
  readonly baggage?: readonly string[] | undefined;
  readonly rules?: KeptRules | undefined;
  /** The refund rule as it was shown, if there is one offer. */
  readonly ruleWords?: string | undefined;
  /** Digests of `askedService`: what somebody needs on a trip is about their health. */
  readonly services?: readonly string[] | undefined;
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
type HeldFlight = AskedFlight & { readonly segment: Segment };

/** A flight that was asked for, and the one that is held in its place. Either may be missing. */
type FlightPair =
  | { readonly asked: AskedFlight; readonly held: HeldFlight | undefined }
  | { readonly asked: undefined; readonly held: HeldFlight };

const sameStations = (a: AskedFlight, b: AskedFlight): boolean => a.from === b.from && a.to === b.to;
const sameNumber = (a: AskedFlight, b: AskedFlight): boolean => numbersOf(a).includes(digitsOnly(b.number ?? ''));
const flightsApart = ({ departs: a = '' }: AskedFlight, { departs: b = '' }: AskedFlight): number =>
  timeBetween({ departs: a }, { departs: b });

/** Pairs flights by stations, number and day, then by less: a flight that was replaced by another one is its pair. */
function pairFlights(asked: readonly AskedFlight[], segments: readonly Segment[]): readonly FlightPair[] {
  // An earlier version kept no stations: then pointers pair, else the order.
  const isKept = asked.every(({ from }) => from !== undefined);
  if (!isKept) return asked.flatMap((flight, i) => legacyPair(flight, segments, i));
  const held = withoutStops(asked, segments.map(heldFlight));
  const pairs = pairRows(asked, held, {
    mayBeSame: () => true,
    likenesses: [
      (a, b) =>
        sameStations(a, b) && sameNumber(a, b) && flightsApart(a, b) < DAY_MS && a.bookingClass === b.bookingClass,
      (a, b) => sameStations(a, b) && sameNumber(a, b) && flightsApart(a, b) < DAY_MS,
      (a, b) => sameStations(a, b) && flightsApart(a, b) <= DAY_MS,
      (a, b) => sameNumber(a, b) && flightsApart(a, b) <= DAY_MS,
      (a, b) => isRunning(b.segment) && (a.from === b.from || a.to === b.to),
      (_, b) => isRunning(b.segment),
    ],
    distance: (a, b) => flightsApart(a, b) + (isRunning(b.segment) ? 0 : DAY_MS),
  });
  const used = new Set(pairs.values());
  const extra = held.filter((flight) => !used.has(flight) && isRunning(flight.segment));
  return [
    ...asked.map((flight) => ({ asked: flight, held: pairs.get(flight) })),
    ...extra.map((flight) => ({ asked: undefined, held: flight })),
  ];
}

/** Pairs a flight of which an earlier version kept class and fare alone. */
function legacyPair(asked: AskedFlight, segments: readonly Segment[], index: number): readonly FlightPair[] {
  const segment = segments.find(({ ref }) => ref === asked.ref) ?? segments[index];
  return segment === undefined ? [] : [{ asked, held: heldFlight(segment) }];
}

/** Joins two flights of one number that an airline holds in place of one with a stop that was asked for. */
function withoutStops(asked: readonly AskedFlight[], held: readonly HeldFlight[]): readonly HeldFlight[] {
  return held.flatMap((flight, i) => {
    const [before, next] = [held[i - 1], held[i + 1]];
    if (before !== undefined && asked.some((one) => isWithStop(one, before, flight))) return [];
    const isFirst = next !== undefined && asked.some((one) => isWithStop(one, flight, next));
    // Each part states its own stops.
    return [isFirst ? { ...flight, to: next.to, arrives: next.arrives, stops: undefined } : flight];
  });
}

function isWithStop(asked: AskedFlight, first: HeldFlight, second: HeldFlight): boolean {
  const isOneWay = first.from === asked.from && first.to === second.from && second.to === asked.to;
  return isOneWay && sameNumber(asked, first) && sameNumber(asked, second);
}

/** The parts of a segment that its name and its words need. */
function asSegment(flight: AskedFlight): Parameters<typeof segmentText>[0] {
  const {
    from = '',
    to = '',
    departs = '',
    number = '',
    operatingCarrier,
    operatingNumber = number,
    marketingCarrier,
  } = flight;
  const operating = operatingCarrier && { carrier: operatingCarrier, number: operatingNumber };
  return {
    from,
    to,
    departs,
    flightNumber: number,
    operating: operating || undefined,
    marketing: { carrier: marketingCarrier },
  };
}

function flightDifferences({ asked, held }: FlightPair): readonly HeldDifference[] {
  if (asked === undefined) {
    const { segment } = held;
    return [{ of: { flight: flightName(segment) }, says: 'is held and was not offered', held: segmentText(segment) }];
  }
  const offered = asSegment(asked);
  if (held === undefined)
    return [{ of: { flight: flightName(offered) }, says: 'is not held', asked: segmentText(offered) }];
  // An earlier version kept no name of it, and an offer may name no carrier.
  const name = asked.number === undefined ? flightName(held.segment) : flightName(offered, held.operatingCarrier);
  const of = { flight: name };
  if (!isRunning(held.segment)) return [{ of, what: 'status', says: 'is cancelled' }];
  return FLIGHT_ROWS.flatMap(({ field, what, says, form, same }) => {
    const [was, is] = [asked[field], held[field]];
    if (was === undefined || is === undefined || (same?.(was, is, asked, held) ?? was === is)) return [];
    return [{ of, what, says, form, asked: was, held: is }];
  });
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

/** What the airline said of a hold first, or after an act of ours that may reprice it: with the total and the only order to pay then. */
export interface FirstSaid {
  readonly rules?: KeptRules | undefined;
  /** UTC, by the name of the row. */
  readonly limits: Readonly<Record<string, readonly string[]>>;
  /** Absent: the offer's counts. */
  readonly total?: Money | undefined;
  readonly order?: Money | undefined;
  /** Absent: when it was held. */
  readonly when?: 'changed';
}

/** What a booking was asked for. */
export interface Asked {
  readonly offer?: ChosenOffer | undefined;
  /** The newest first. Empty if nothing is kept of the people. */
  readonly layers: readonly PeopleLayer[];
  /** Absent if it is not kept, or no longer true. */
  readonly first?: FirstSaid | undefined;
  /** What acts of ours added since. */
  readonly added?: readonly AddedToHold[];
  /** With which services are kept. Absent: they are not compared. */
  readonly digest?: Digest;
}

/** A hold beside what was asked. */
interface Comparison {
  readonly asked: Asked;
  readonly booking: Booking;
  readonly pairs: readonly FlightPair[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Finds differences of the booking as a whole. `what`: its name among the rows. */
interface BookingRow {
  readonly what: string;
  readonly find: (comparison: Comparison) => readonly HeldDifference[];
}

const BOOKING_ROWS: readonly BookingRow[] = [
  { what: 'flights', find: ({ pairs }) => pairs.flatMap(flightDifferences) },
  { what: 'party', find: (comparison) => partyDifferences(comparison) },
  {
    what: 'people',
    find: ({ asked: { layers }, booking }) =>
      booking.travelers.length === 0 ? [] : peopleDifferences(booking, layers),
  },
  { what: 'rides', find: (comparison) => ridesMissing(comparison) },
  { what: 'services', find: (comparison) => offeredServicesMissing(servicesIn(comparison), comparison.booking) },
  { what: 'added services', find: (comparison) => addedServicesMissing(servicesIn(comparison), comparison.booking) },
  {
    what: 'total',
    find: ({ asked, booking: { pricing } }) => otherSum('total', asked, pricing?.total?.total),
  },
  { what: 'order', find: (comparison) => otherOrder(comparison) },
  { what: 'baggage', find: (comparison) => otherBaggage(comparison) },
  { what: 'refund rules', find: (comparison) => otherRules(comparison) },
  { what: 'limits', find: (comparison) => LIMIT_ROWS.flatMap((row) => movedLimit(row, comparison)) },
];

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

/** A service of the offer is for all flights that were asked for, run and are held. */
function servicesIn({ asked: { offer, added = [], digest }, pairs }: Comparison): AskedServices {
  const flights = pairs.flatMap(({ asked, held }) =>
    asked !== undefined && held !== undefined && isRunning(held.segment) ? [held.segment] : [],
  );
  return { offered: offer?.services, party: offer?.party, added, digest, flights };
}

/** @param held a sum that should be the total */
function otherSum(what: string, { offer, first }: Asked, held: Money | undefined): readonly HeldDifference[] {
  const asked = first?.total ?? offer?.total;
  if (asked === undefined || held === undefined || sameMoney(asked, held)) return [];
  const since = first?.total && saidWhen(first);
  return [{ what, form: 'plain', since, asked: showMoney(asked), held: showMoney(held) }];
}

function saidWhen({ when }: FirstSaid): HeldDifference['since'] {
  return when === 'changed' ? 'the last change' : 'the hold';
}

/** The only order that a hold has, to pay the total. */
function onlyOrder(booking: Booking): Money | undefined {
  const [order, ...others] = orderAmounts(booking);
  return others.length === 0 ? order : undefined;
}

/** Compares the order with the total, and with what it was when an act of ours changed the price. */
function otherOrder({ asked, booking }: Comparison): readonly HeldDifference[] {
  const { offer, first } = asked;
  const order = onlyOrder(booking);
  const fitting = [booking.pricing?.total?.total ?? offer?.total, first?.order];
  const isFitting = fitting.some((sum) => sum !== undefined && order !== undefined && sameMoney(order, sum));
  return isFitting ? [] : otherSum("hold's order", asked, order);
}

/** In any order. What one side leaves out altogether is no difference. */
function otherBaggage({ asked: { offer }, booking: { pricing } }: Comparison): readonly HeldDifference[] {
  const [asked, held] = [offer?.baggage ?? [], pricing?.total?.baggage ?? []];
  const fresh = held.filter((text) => !asked.includes(text));
  const gone = asked.filter((text) => !held.includes(text));
  if (asked.length === 0 || held.length === 0 || fresh.length + gone.length === 0) return [];
  const inWords = (some: readonly string[], all: readonly string[]) => (some.length > 0 ? some : all).join(', ');
  return [{ what: 'baggage', form: 'words', asked: inWords(gone, asked), held: inWords(fresh, held) }];
}

/** Compares refund rules with those of the offer, or with what the hold said first of them. */
function otherRules({ asked: { offer, first }, booking, now }: Comparison): readonly HeldDifference[] {
  const kept = (part: 'rules' | 'texts') => (offer?.rules?.[part] === undefined ? first?.rules : offer.rules);
  const rule = otherRefundRule(kept('rules'), booking, now);
  const text = otherRuleText(kept('texts'), booking.options);
  const words = offer?.ruleWords;
  const since = offer?.rules === undefined && first !== undefined ? saidWhen(first) : undefined;
  const about = { form: 'plain' as const, since };
  return [
    ...(rule === undefined ? [] : [{ ...about, what: 'refund rule', asked: words && quoted(words), held: rule }]),
    ...(text === undefined ? [] : [{ ...about, what: 'text of the refund rule', held: text }]),
  ];
}

interface LimitRow {
  readonly what: string;
  readonly read: (booking: Booking) => readonly (string | undefined)[];
}

const faresOf = ({ pricing }: Booking): readonly FareComponent[] => pricing?.fares ?? [];

/** One that is after the departure is none. */
function paymentLimits(booking: Booking): readonly (string | undefined)[] {
  const departs = earliestTime(segmentsOf(booking).map((segment) => segment.departs));
  const limits = faresOf(booking).map(({ payBy }) => payBy);
  return limits.filter((limit) => earliestTime([limit, departs]) === limit);
}

const TO_PAY = 'time limit for payment';
const TO_TICKET = 'time limit for tickets';

const LIMIT_ROWS: readonly LimitRow[] = [
  { what: TO_PAY, read: paymentLimits },
  { what: TO_TICKET, read: ({ tickets }) => tickets.map(({ timeLimit }) => timeLimit) },
  { what: 'time limit for names', read: (booking) => faresOf(booking).map(({ namesUntil }) => namesUntil) },
  { what: 'time limit for cancelling', read: (booking) => faresOf(booking).map(({ cancelUntil }) => cancelUntil) },
];

/** The limits of a row, each once, UTC, the earliest first. */
function limitsIn({ read }: LimitRow, booking: Booking): readonly string[] {
  return [...new Set(read(booking).flatMap((limit) => asUtc(limit) ?? []))].toSorted();
}

/** A limit begins with the hold. Once one has passed, the airline shows the next one in its place: that is no move. */
function movedLimit(row: LimitRow, { asked: { first }, booking, now }: Comparison): readonly HeldDifference[] {
  const asked = first?.limits[row.what] ?? [];
  const held = limitsIn(row, booking);
  const [moved] = held.filter((limit) => !asked.includes(limit));
  const gone = asked.filter((limit) => !held.includes(limit));
  const isNext = gone.length > 0 && gone.every((limit) => hasPassed(limit, now));
  if (asked.length === 0 || moved === undefined || isNext) return [];
  const departs = segmentsOf(booking)[0]?.departs;
  const show = (limit = '') => showDeadline(limit, departs);
  const times = { asked: show(gone[0] ?? asked[0]), held: show(moved) };
  return [{ what: row.what, form: 'plain', since: first && saidWhen(first), ...times }];
}

/** What a hold says first, to compare later readings with it. Undefined if it has neither limits nor rules. */
export function firstSaid(booking: Booking): FirstSaid | undefined {
  const limits = LIMIT_ROWS.map((row) => [row.what, limitsIn(row, booking)] as const);
  const known = limits.filter(([, times]) => times.length > 0);
  const rules = keptRules(booking.options, faresOf(booking));
  return known.length === 0 && rules === undefined ? undefined : { limits: Object.fromEntries(known), rules };
}

/** What it says after an act of ours that may reprice it. Undefined if it does not list all: its price may be that of a part. */
export function saidAfterChange(
  booking: Booking,
  { listed }: { readonly listed?: ListedBefore },
): FirstSaid | undefined {
  if (listed === undefined) return undefined;
  const isWhole = booking.travelers.length >= listed.travelers && activeSegments(booking).length >= listed.flights;
  if (!isWhole) return undefined;
  const { limits = {}, rules } = firstSaid(booking) ?? {};
  return { limits, rules, total: booking.pricing?.total?.total, order: onlyOrder(booking), when: 'changed' };
}

/** Until when a hold can be paid, as it said first, UTC: a later reading may leave that out. */
export function payBySaidFirst({ first }: Asked): string | undefined {
  return earliestTime([TO_PAY, TO_TICKET].flatMap((what) => first?.limits[what] ?? []));
}

/** How much a hold listed before an act. */
export type ListedBefore = { readonly travelers: number; readonly flights: number };

export function listedIn(booking: Booking): ListedBefore {
  return { travelers: booking.travelers.length, flights: activeSegments(booking).length };
}

/**
 * Compares a complete reading with what was asked for. An empty list says that nothing differs.
 * @param now milliseconds since 1970: what is over is not compared
 */
export function heldDifferences(asked: Asked, booking: Booking, now: number): readonly HeldDifference[] {
  const segments = segmentsOf(booking);
  const { offer } = asked;
  const pairs = offer === undefined || segments.length === 0 ? [] : pairFlights(offer.segments, segments);
  return BOOKING_ROWS.flatMap(({ find }) => find({ asked, booking, pairs, now }));
}

/** An offer, and what the airline says of it before anything is held. */
type Offered = Pick<Booking, 'options' | 'pricing'>;

/** In what an airline's check of a price is for something else than the offer. The price itself is not compared. */
export function checkDifferences(offer: Offered, checked: Offered, now: number): readonly HeldDifference[] {
  const { options, pricing } = offer;
  const terms = { baggage: pricing?.total?.baggage, rules: keptRules(options, pricing?.fares ?? [], now) };
  const nothingElse = { locator: '', references: [], travelers: [], tickets: [], orders: [], services: [], emds: [] };
  return heldDifferences(
    { offer: chosenOffer(options, terms), layers: [] },
    shownBooking({ ...nothingElse, ...checked }),
    now,
  );
}
