/**
 * What a booking was asked for, and in what the booking that the airline holds differs from it. Each row of the tables below
 * reads a value of the offer, or of the arguments, and compares it with that of the hold, so that nothing can be chosen
 * without being compared. A value that one side leaves out or masks is no difference; other pointers, another order and
 * another spelling are none either.
 *
 * In this order: rows of flights, what was asked of flights and its comparison, and the booking as a whole.
 * asked-people.ts has the people.
 */
import { cleanCode } from '../../core/clean-text.ts';
import { type Money, sameMoney, showMoney } from '../../core/money.ts';
import { DAY_MS, instantOf } from '../../core/times.ts';
import { type HeldDifference, type PeopleLayer, peopleDifferences } from './asked-people.ts';
import { type Booking, type Segment, type SegmentOption, segmentsOf } from './booking.ts';
import { digitsOnly } from './expected-change.ts';
import { flightName, segmentText } from './flight-name.ts';
import { isSameTime, pairRows, timeBetween } from './pair-readings.ts';
import { countType, segmentStatus } from './status-codes.ts';

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
    same: isAskedNumber,
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
];

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
  /** The refund rule in words, as of this time, milliseconds since 1970. */
  readonly rule?: { readonly text: string; readonly at: number };
}

/** @param options as offered: with no carrier that the offer did not name */
export function chosenOffer(
  options: readonly SegmentOption[],
  terms: Pick<ChosenOffer, 'total' | 'party' | 'rule'>,
): ChosenOffer {
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
    return [isFirst ? { ...flight, to: next.to, arrives: next.arrives } : flight];
  });
}

function isWithStop(asked: AskedFlight, first: HeldFlight, second: HeldFlight): boolean {
  const isOneWay = first.from === asked.from && first.to === second.from && second.to === asked.to;
  return isOneWay && sameNumber(asked, first) && sameNumber(asked, second);
}

function isRunning({ statusCode }: Segment): boolean {
  return segmentStatus(statusCode) !== 'cancelled';
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

/** In what flights differ from those that were offered, such as those whose price an airline checked. */
export function flightsUnlike(
  offered: readonly SegmentOption[],
  options: readonly SegmentOption[],
): readonly HeldDifference[] {
  const segments = segmentsOf({ options });
  return segments.length === 0
    ? []
    : pairFlights(chosenOffer(offered, {}).segments, segments).flatMap(flightDifferences);
}

/** Passengers who are not on a flight that is held. All are booked on all flights. */
function ridesMissing({ travelers }: Booking, pairs: readonly FlightPair[]): readonly HeldDifference[] {
  const flights = pairs.flatMap(({ asked, held }) => (asked === undefined || held === undefined ? [] : held.segment));
  const known = new Set(flights.map(({ ref }) => ref));
  return travelers.flatMap(({ ref, segmentRefs }) => {
    // Pointers of none of these flights are another numbering.
    if (!segmentRefs.some((segmentRef) => known.has(segmentRef))) return [];
    const missing = flights.filter((flight) => !segmentRefs.includes(flight.ref));
    return missing.map((flight) => ({ of: { passenger: ref }, says: `is not on ${flightName(flight)}` }));
  });
}

// The booking as a whole.

/** What a booking was asked for. */
export interface Asked {
  readonly offer?: ChosenOffer | undefined;
  /** The newest first. Empty if nothing is kept of the people. */
  readonly layers: readonly PeopleLayer[];
}

/** How many travellers of each type are asked for and held. */
function partyDifferences({ travelers }: Booking, party: Readonly<Record<string, number>>): readonly HeldDifference[] {
  const counts = new Map([...Map.groupBy(travelers, ({ type }) => type)].map(([type, { length }]) => [type, length]));
  const asked = new Map(Object.entries(party));
  const types = [...new Set([...asked.keys(), ...counts.keys()])];
  if (types.every((type) => asked.get(type) === counts.get(type))) return [];
  const inWords = (party: ReadonlyMap<string, number>) =>
    [...party].map(([type, count]) => countType(cleanCode(type), count)).join(', ');
  return [{ of: 'party', what: 'number', form: 'plain', asked: inWords(asked), held: inWords(counts) }];
}

/** Compares the total, and the only order that a hold has: to pay the total. An order of nothing is of another act. */
function priceDifferences({ pricing, orders }: Booking, asked: Money | undefined): readonly HeldDifference[] {
  if (asked === undefined) return [];
  const total = pricing?.total?.total ?? asked;
  const amounts = orders.flatMap(({ amount }) => (amount === undefined || amount.minor === 0 ? [] : [amount]));
  const [order = asked] = amounts.length === 1 ? amounts : [];
  const differs = (what: string, held: Money): readonly HeldDifference[] =>
    sameMoney(asked, held) ? [] : [{ what, form: 'plain', asked: showMoney(asked), held: showMoney(held) }];
  return [...differs('total', total), ...(sameMoney(order, total) ? [] : differs("hold's order", order))];
}

/**
 * Compares a complete reading with what was asked for. An empty list says that nothing differs.
 * @param ruleAt the refund rule that the booking shows for a time, in the words of an offer; undefined if it shows none
 */
export function heldDifferences(
  { offer, layers }: Asked,
  booking: Booking,
  ruleAt: (at: number) => string | undefined,
): readonly HeldDifference[] {
  const segments = segmentsOf(booking);
  const pairs = offer === undefined || segments.length === 0 ? [] : pairFlights(offer.segments, segments);
  const isNamed = layers.some(({ people }) => !people.isChange && people.passengers.length > 0);
  const party = isNamed ? undefined : offer?.party;
  const rule = offer?.rule;
  const heldRule = rule && ruleAt(rule.at);
  const isOtherRule = heldRule !== undefined && heldRule !== rule?.text;
  return [
    ...pairs.flatMap(flightDifferences),
    ...(booking.travelers.length === 0
      ? []
      : [
          ...(party === undefined ? [] : partyDifferences(booking, party)),
          ...peopleDifferences(booking, layers),
          ...ridesMissing(booking, pairs),
        ]),
    ...priceDifferences(booking, offer?.total),
    ...(isOtherRule ? [{ what: 'refund rule', form: 'words' as const, asked: rule?.text, held: heldRule }] : []),
  ];
}
