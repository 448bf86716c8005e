/**
 * Looks for another flight in place of a booked one:
 * 1. Which booking and segment search_fares means, and whether its arguments fit them.
 * 2. What each offer costs, if the airline exchanges the segment for it.
 * 3. What it costs instead to make a new booking (`anew`), and to release or cancel the old flight.
 *
 * replacement-flight.ts has the rules that decide about one exchange: whyNotRebookAny (may the booking be rebooked at all?),
 * whyNotRebookOne (may this segment?), fitOffer (does the offered flight fit in its place?) and checkTravelers (do the travellers?).
 */
import { airlineWords, cleanCode, cleanRef } from '../../core/clean-text.ts';
import { formatMoney, type Money, subtractMoney, sumIfAllKnown, zero } from '../../core/money.ts';
import { nounWithRefs, withoutTrailing } from '../../core/words.ts';
import {
  activeSegments,
  type Booking,
  departureDate,
  type Segment,
  type SegmentOption,
} from '../../domain/booking/booking.ts';
import { lacksCarrier } from '../../domain/booking/flight-name.ts';
import type { FareSearchResult, Offer, PassengerCounts } from '../../domain/booking/offers.ts';
import { isPaid } from '../../domain/booking/paid-and-refunded.ts';
import { isBelow, lowestCabin } from '../../domain/booking/seat-map.ts';
import type { PlaceName } from '../../domain/booking/stations.ts';
import { foldName } from '../../domain/people/identity-text.ts';
import { comesBackText, onConditionWords } from '../../domain/refund/back-words.ts';
import { type ChangeCharge, changeCharge, faresOfClass } from '../../domain/refund/estimate-change-charge.ts';
import { mostBack } from '../../domain/refund/refund-amount.ts';
import { isAssumed, type ToolContext } from '../definition/define.ts';
import { filled } from '../definition/field-notes.ts';
import { whyDone } from '../rules/done-here.ts';
import { InputProblems } from '../rules/input-problems.ts';
import { countPassengers, isSameParty, partyOn } from '../rules/party-size.ts';
import {
  noActiveSegment,
  type Refusal,
  refusalIfDeparted,
  refuse,
  whyNotCancel,
  whyNotCancelBooking,
  whyNotUpdate,
} from '../rules/why-not.ts';
import { joinOffers, searchFlight, type Trip } from '../steps/offers.ts';
import { readNow } from '../steps/record-booking.ts';
import type { ChangeView } from '../views/offer-data.ts';
import { quotedRefund } from '../views/refund-data.ts';
import type { RefundContext } from '../views/refund-lines.ts';
import { type FlightChange, fitConnection, oneFlight, stationsText } from './rebook-connection.ts';
import {
  ASSUMED,
  checkTravelers,
  fitOffer,
  NOT_OFFERED,
  replacedSegment,
  whyNotRebookAny,
  whyNotRebookOne,
  whyNotWhole,
} from './replacement-flight.ts';

const OTHER_PARTY = 'priced for the passengers as booked; search for that day alone to price them by their age then';

/** From how many letters on the beginning of a station's name stands for it. */
const MIN_NAME_PREFIX = 3;

/** The segment for which a search looks for another flight. */
export interface ReplacedSegment {
  readonly booking: Booking;
  readonly segment: Segment;
  /** What is cancelled with the segment: the segment alone, or the connection that it is a part of. */
  readonly option: SegmentOption;
  readonly passengers: PassengerCounts;
  /** The stations and the day of the option. */
  readonly leg: { readonly from: string; readonly to: string; readonly date: string };
  /** Why the airline does not exchange the segment. Undefined if it does. */
  readonly refusal: Refusal | undefined;
}

/** Reads the booking of the segment. Throws ClerkError if nothing can replace it, not even a new booking. */
export async function readReplaced(
  { locator, segment_ref: segmentRef }: { readonly locator: string; readonly segment_ref: string },
  ctx: ToolContext,
): Promise<ReplacedSegment> {
  const booking = await readNow(locator, ctx);
  const now = ctx.now();
  const doing = [{ kind: 'rebooking', segmentRefs: [segmentRef], travelerRefs: [] }] as const;
  refuse(booking, whyDone(booking, { deed: 'rebooking', doing }, now) ?? whyNotUpdate(booking, { now }));

  const active = activeSegments(booking);
  if (active.length === 0) refuse(booking, noActiveSegment());

  const { segment, ...option } = replacedSegment(booking, segmentRef, 'instead_of.segment_ref');
  refuse(booking, refusalIfDeparted(segment, now));

  const { dialect, assumedOperations } = ctx.settings;
  const isOffered = !isAssumed(ASSUMED, dialect) || assumedOperations === true;
  const refusal = whyNotRebookAny(booking, now) ?? whyNotRebookOne(booking, segment, now);
  const first = option.segments[0] ?? segment;
  const last = option.segments.at(-1) ?? segment;

  return {
    booking,
    segment,
    option,
    passengers: countPassengers(booking.travelers),
    leg: { from: first.from, to: last.to, date: departureDate(first) },
    refusal: refusal ?? (isOffered ? undefined : NOT_OFFERED),
  };
}

interface ReplacementLeg {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly date?: string | undefined;
}

/** Checks that the legs and passengers of the search are those of the booking. Throws E_INPUT. */
export function assertSearchOfBooking(
  { booking, option, passengers, leg }: ReplacedSegment,
  search: {
    readonly legs: readonly ReplacementLeg[];
    readonly passengers: Partial<Record<keyof PassengerCounts, number>>;
    /** As the new flight is priced. */
    readonly party: PassengerCounts;
  },
  placeName: PlaceName | undefined,
): void {
  const problems = new InputProblems();
  const refs = option.segments.map(({ ref }) => cleanRef(ref));
  const whole = nounWithRefs('segment', refs);
  if (search.legs.length > 1) problems.add('legs', `expected the leg of ${whole} alone, or none`);

  for (const end of ['from', 'to'] as const) {
    const text = search.legs[0]?.[end];
    if (text === undefined || isPlace(text, leg[end], placeName)) continue;

    const has = refs.length === 1 ? 'has' : 'have';
    problems.add(`legs[0].${end}`, `expected ${cleanCode(leg[end])}, as ${whole} ${has} it, or none`);
  }

  for (const [type, count] of Object.entries(search.passengers)) {
    const booked = passengers[type as keyof PassengerCounts];
    const priced = search.party[type as keyof PassengerCounts];
    if (count === booked || count === priced) continue;

    const then = priced === booked ? '' : `, or ${priced}, by their ages then`;
    problems.add(`passengers.${type}`, `expected ${booked}, the party of booking ${booking.locator}${then}, or none`);
  }

  problems.assertNone();
}

/** Whether the text is the station's code, or the beginning of its name if that is known without asking the airline. */
function isPlace(text: string, code: string, placeName: PlaceName | undefined): boolean {
  if (text.toUpperCase() === code.toUpperCase()) return true;
  const name = foldName(placeName?.(code) ?? '');
  const prefix = foldName(text);
  return prefix.length >= MIN_NAME_PREFIX && name.startsWith(prefix);
}

/**
 * The party that a new booking on these days is for: a child who is twelve by then travels as an adult. That of the booking if a birthday
 * is between the days.
 */
export function partyAnew({ booking, passengers }: ReplacedSegment, first: string, last: string): PassengerCounts {
  const { travelers } = booking.reading;
  const party = partyOn(travelers, first);
  return isSameParty(party, partyOn(travelers, last)) ? party : passengers;
}

/** Whether the offer was searched for the passengers as they are on its day. */
function isPricedFor(party: PassengerCounts, { options }: Offer, { reading }: Booking): boolean {
  const [first] = options.flatMap(({ segments }) => segments);
  return first === undefined || isSameParty(partyOn(reading.travelers, departureDate(first)), party);
}

/**
 * Makes the function that says what it costs to travel with an offer of the search instead. It computes as the terms of
 * rebook_segment do, with the fares of the whole search. What it says:
 *
 *   the airline does not exchange the segment for the offer    why not, and what a new booking costs if one can be made
 *   the charge of the exchange is not known                    the rule, and what a new booking costs
 *   the charge is known                                        the rule, what is paid at most, and what comes back
 */
export function changesTo(
  oldSegment: ReplacedSegment,
  { found, flights, party }: SearchedFares,
  ctx: ToolContext,
): (offer: Offer) => ChangeView {
  const { booking, option } = oldSegment;
  const now = ctx.now();
  const oldFlight = quoteReleaseOrCancellation(booking, option, now, ctx);

  const chargeFor = (judged: Extract<JudgedOffer, { readonly kind: 'rebooked' }>) =>
    'flight' in judged
      ? changeCharge(booking, option, faresOfClass(found, judged.flight), now)
      : chargeOfFlights(booking, judged.changes, flights, now);

  return (offer) => {
    const isPriced = isPricedFor(party, offer, booking);
    const anew = isPriced ? newBookingCost(offer.pricing.total?.total, oldFlight) : { note: OTHER_PARTY };
    const cabin = { lower_cabin: lowerCabin(option, offer) };
    const judged = judgeOffer(oldSegment, offer, ctx);
    if (judged.kind === 'not_rebooked') {
      return { ...cabin, not_rebooked: withoutTrailing(judged.why, '.'), anew: judged.canBookAnew ? anew : undefined };
    }

    const { rule, atMost, backAtMost, airlineWords: words = [] } = chargeFor(judged);
    const says = { ...cabin, rule, airline_says: filled(words.map(airlineWords)) };
    if (atMost === undefined) return { ...says, anew };

    return { pays_at_most: formatMoney(atMost), gets_back_at_most: backAtMost && formatMoney(backAtMost), ...says };
  };
}

/** Names the cabin of an offer below that of the booked flights: `economy, booked in business`. Undefined if it is not known to be. */
function lowerCabin({ segments }: SegmentOption, { options }: Offer): string | undefined {
  const booked = lowestCabin(segments.map(({ bookingClass }) => bookingClass));
  const offered = lowestCabin(options.flatMap((each) => each.segments.map(({ bookingClass }) => bookingClass)));
  if (booked === undefined || offered === undefined || !isBelow(offered, booked)) return undefined;
  return `${offered}, booked in ${booked}`;
}

/** What the airline was asked for: the whole trip, and the flights of connections alone. */
interface SearchedFares {
  /** Whom it was asked for. */
  readonly party: PassengerCounts;
  readonly found: FareSearchResult;
  readonly flights: FlightFares;
}

/** By stations and day. */
type FlightFares = ReadonlyMap<string, FareSearchResult>;

/** How many searches for single flights one search for a connection may make: their days can differ. */
const MOST_FLIGHT_SEARCHES = 4;

const flightDay = (flight: Segment) => JSON.stringify([flight.from, flight.to, departureDate(flight)]);

/**
 * Searches for the flights of the connections that can replace a connection: the airline changes it flight by flight, at the fares of each
 * flight alone. Empty for a single segment.
 */
export async function searchFlights(
  oldSegment: ReplacedSegment,
  offers: readonly Offer[],
  passengers: PassengerCounts,
  ctx: ToolContext,
): Promise<FlightFares> {
  const changes = offers.flatMap((offer) => {
    const judged = judgeOffer(oldSegment, offer, ctx);
    return judged.kind === 'rebooked' && 'changes' in judged ? judged.changes : [];
  });

  const isRuled = ({ old }: FlightChange) =>
    changeCharge(oldSegment.booking, oneFlight(old), [], ctx.now()).fees !== undefined;
  const days = new Map(changes.filter(isRuled).map(({ fresh }) => [flightDay(fresh), fresh]));
  const searched = await Promise.all(
    [...days].slice(0, MOST_FLIGHT_SEARCHES).map(async ([day, flight]) => {
      const found = await searchFlight(flight, { passengers }, ctx);
      return found === undefined ? [] : ([[day, found]] as const);
    }),
  );

  return new Map(searched.flat());
}

/** What changing the flights of a connection costs together. */
function chargeOfFlights(
  booking: Booking,
  changes: readonly FlightChange[],
  flights: FlightFares,
  now: number,
): ChangeCharge {
  const charges = changes.map(({ old, fresh }) => {
    const found = flights.get(flightDay(fresh));
    return changeCharge(booking, oneFlight(old), found === undefined ? [] : faresOfClass(found, fresh), now);
  });
  const rules = changes.map(({ old }, i) => `${stationsText(old)}: ${charges[i]?.rule}`);
  const words = [...new Set(charges.flatMap(({ airlineWords }) => airlineWords ?? []))];

  return {
    rule: rules.join(' '),
    airlineWords: words,
    atMost: sumIfAllKnown(charges.map(({ atMost }) => atMost)),
    backAtMost: sumIfAllKnown(charges.map(({ backAtMost }) => backAtMost)),
  };
}

/** Whether the airline can exchange the segment for an offer: the new flight, those of a connection, or why not. */
type JudgedOffer =
  | { readonly kind: 'rebooked'; readonly flight: Segment }
  | { readonly kind: 'rebooked'; readonly changes: readonly FlightChange[] }
  | {
      readonly kind: 'not_rebooked';
      readonly why: string;
      /** A new booking of the offer makes sense: its carrier is known, and it is another flight than the booked one. */
      readonly canBookAnew: boolean;
    };

/** Names the first reason against an exchange: of the booked segment, then of the offered flight, then of the travellers. */
function judgeOffer(oldSegment: ReplacedSegment, offer: Offer, ctx: ToolContext): JudgedOffer {
  const { booking, segment, passengers, refusal } = oldSegment;
  if (refusal !== undefined) return { kind: 'not_rebooked', why: refusal.why, canBookAnew: true };

  const { carrier } = ctx.settings;
  if (carrier === undefined && lacksCarrier(offer.options)) {
    return { kind: 'not_rebooked', why: 'the carrier is not known', canBookAnew: false };
  }

  const trip = joinOffers([offer], passengers, carrier);
  if (oldSegment.option.segments.length > 1) return judgeConnection(oldSegment, trip);

  const fit = fitOffer(booking, segment, trip);
  if (fit.kind === 'unfit') return { kind: 'not_rebooked', why: fit.why, canBookAnew: !fit.isSame };

  const problems = new InputProblems();
  checkTravelers(booking, { replaced: segment, fresh: fit.flight }, trip, problems);

  const [problem] = problems.sentences;
  if (problem !== undefined) return { kind: 'not_rebooked', why: problem, canBookAnew: true };

  return { kind: 'rebooked', flight: fit.flight };
}

function judgeConnection({ booking, option }: ReplacedSegment, trip: Trip): JudgedOffer {
  const fit = fitConnection(booking, option, trip);
  if (fit.kind === 'other') return { kind: 'not_rebooked', why: whyNotWhole(option)?.why ?? '', canBookAnew: true };
  if (fit.kind === 'unfit') return { kind: 'not_rebooked', why: fit.why, canBookAnew: !fit.isSame };

  const problems = new InputProblems();
  for (const { old, fresh } of fit.changes) checkTravelers(booking, { replaced: old, fresh }, trip, problems);
  const [problem] = problems.sentences;
  if (problem !== undefined) return { kind: 'not_rebooked', why: problem, canBookAnew: true };

  return { kind: 'rebooked', changes: fit.changes };
}

/** What becomes of the old flight if a new booking is made instead. An unpaid hold is released: nothing was paid or is kept. */
type OldFlightQuote =
  | ({ readonly kind: 'refunded' } & ReturnType<typeof quotedRefund>)
  | { readonly kind: 'not_cancelled'; readonly why: string }
  | { readonly kind: 'released' };

/** Estimates the refund of a paid flight as quote_cancellation does. */
function quoteReleaseOrCancellation(
  booking: Booking,
  option: SegmentOption,
  now: number,
  ctx: RefundContext,
): OldFlightQuote {
  const isPaidBooking = isPaid(booking);
  const segmentRefs = option.segments.map(({ ref }) => ref);
  const doing = [{ kind: 'cancellation', segmentRefs, travelerRefs: [] }] as const;
  const whyNot = isPaidBooking ? whyNotCancel(booking, now, [option]) : whyNotCancelBooking(booking, now);
  const refusal = whyDone(booking, { deed: 'cancellation', doing }, now) ?? whyNot;
  if (refusal !== undefined) return { kind: 'not_cancelled', why: refusal.why };
  if (!isPaidBooking) return { kind: 'released' };
  const cancelled = { options: [option], travelers: booking.travelers };
  return { kind: 'refunded', ...quotedRefund({ booking, cancelled, now }, ctx) };
}

/** Says what a new booking at this price costs in all: less what the old flight brings back at least. Undefined without a price. */
function newBookingCost(price: Money | undefined, oldFlight: OldFlightQuote): ChangeView['anew'] {
  if (price === undefined) return undefined;

  const wholePrice = { costs_at_most: formatMoney(price) };
  if (oldFlight.kind === 'released') return { gets_back: formatMoney(zero(price.currency)), ...wholePrice };

  if (oldFlight.kind === 'not_cancelled') {
    return { ...wholePrice, note: `the old one cannot be cancelled here: ${oldFlight.why}` };
  }

  const { estimate, refund } = oldFlight;
  const { refund_now: back, between, on_condition, refund_condition: conditions } = refund;
  const least = estimate.amount ?? estimate.bounds?.atLeast;
  if (least === undefined) return { note: 'quote_cancellation says what is known of the refund' };
  if (least.currency !== price.currency) {
    const condition = onConditionWords(estimate.onCondition, mostBack(estimate));
    return { refund_condition: conditions, note: `${comesBackText(estimate)}${condition}` };
  }

  return {
    gets_back: back,
    between,
    on_condition,
    refund_condition: conditions,
    costs_at_most: formatMoney(subtractMoney(price, least)),
  };
}
