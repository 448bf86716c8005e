/**
 * Writes estimated refunds as data, in one shape everywhere. First who asks: a quote, a booking that is made or read, an offer. Then how
 * an estimate becomes the fields of a result, the airline's words, the notes; at last what of a booking can be cancelled, and for whom.
 */

import { airlineWords } from '../../core/clean-text.ts';
import { formatMoney } from '../../core/money.ts';
import { instantOf, localMinute, MINUTE_MS, utcText } from '../../core/times.ts';
import { joined, present } from '../../core/words.ts';
import { shownBooking } from '../../domain/booking/blanked-booking.ts';
import { activeOptions, activeSegments, type Booking, type Segment, segmentsOf } from '../../domain/booking/booking.ts';
import { bookingState } from '../../domain/booking/booking-state.ts';
import { totalsByType } from '../../domain/booking/fare.ts';
import type { Offer } from '../../domain/booking/offers.ts';
import { isPaid } from '../../domain/booking/paid-and-refunded.ts';
import { segmentMeaning } from '../../domain/booking/status-codes.ts';
import type { Traveler } from '../../domain/people/traveler.ts';
import { gapSentences, isCounted, refundConditions, refundDoubts } from '../../domain/refund/describe-refund.ts';
import {
  type EstimateOptions,
  estimateRefund,
  type LaterRefund,
  laterRefunds,
  nothingBack,
  type RefundEstimate,
  refundByPart,
} from '../../domain/refund/estimate-refund.ts';
import { uncancelledSegments } from '../../domain/refund/fare-units.ts';
import { type Assessment, distinctSegments, type TripPart } from '../../domain/refund/penalty-rules.ts';
import { type CancelledPart, mostBack, type RefundAmount } from '../../domain/refund/refund-amount.ts';
import { isOwed, ruleWindows, type Windows } from '../../domain/refund/rules-in-force.ts';
import { filled } from '../definition/field-notes.ts';
import { whyDone } from '../rules/done-here.ts';
import { whyNotCancel } from '../rules/why-not.ts';
import { holdsUntil } from './holds-until.ts';
import { joinedLines, namedOnce, peopleText, type RefundContext, segmentsText } from './refund-lines.ts';
import { ALL, type Refund, type RefundStep } from './refund-schema.ts';

/** A cancellation to estimate. */
export interface EstimatedCancellation extends Omit<EstimateOptions, 'windows'> {
  readonly booking: Booking;
  readonly cancelled: CancelledPart;
}

/** Later steps shown; in a quote, which is about them, more. */
const MOST_STEPS = 6;
const MOST_QUOTED_STEPS = 24;
/** Passengers without a name that an estimate counts. */
const MOST_PEOPLE = 99;

const AIRLINE_DECIDES = '; the airline decides.';
/** Stands in place of the end of cancelling. */
const OPEN_END = 'The airline cancelled this itself, and gave no refund deadline.';
const CHANGES_AGAIN = 'The rules change again later; only the first changes are listed.';
const QUOTE_PARTS = 'A quote of each part says what comes back for it.';

/** The rules of most offers come with the hold. */
const KNOWN_ONCE_HELD = 'known once held; holding is free and expires by itself';

const NOTHING_HELD = { locator: '', references: [], tickets: [], orders: [], services: [], emds: [] };
const UNNAMED_TRAVELER = { emails: [], phones: [], addresses: [], segmentRefs: [], comments: [] };

/**
 * Estimates a refund and shows it, with who gets what back for which train. `currency` is that of the sums, unless the refund names its
 * own.
 */
export function quotedRefund(cancellation: EstimatedCancellation, ctx: RefundContext, mostSteps = MOST_QUOTED_STEPS) {
  const estimated = estimateWithParty(cancellation);
  const refund = viewWithLines(estimated, cancellation, ctx, mostSteps);
  return { refund, estimate: estimated.estimate, currency: currencyOf(estimated.booking, ctx.settings) };
}

/** Shows an estimate, with who gets what back for which train. @param listed with the passengers that have a ref */
function viewWithLines(
  estimated: Estimated,
  { booking: listed }: Pick<EstimatedCancellation, 'booking'>,
  ctx: RefundContext,
  mostSteps: number,
): Refund {
  const { booking, cancelled, estimate, paid } = estimated;
  const { note, refund_condition: conditions, ...sums } = viewRefund(estimated, ctx, mostSteps);

  const parts = refundByPart(booking, cancelled, estimate, paid);
  const lineOptions = {
    booking,
    // The passengers that a group has no names for have no ref, either.
    listed: new Set(listed.travelers.map(({ ref }) => ref)),
    currency: sums.currency ?? currencyOf(booking, ctx.settings),
  };

  return {
    ...sums,
    lines: filled(namedOnce(joinedLines(parts, lineOptions, ctx))),
    note,
    refund_condition: conditions,
  };
}

/**
 * Gives a refund as a question shows it. It counts passengers by type: the question names them in another section, and the journal keeps
 * no names. `doubts`: why the sum is not known, and how penalties were counted.
 */
export function askedRefund(cancellation: EstimatedCancellation, { settings, airline }: RefundContext) {
  const ctx: RefundContext = { settings, airline, byType: true };
  const { booking, cancelled } = cancellation;
  const estimated = estimateWithParty(cancellation);
  const { estimate } = estimated;
  const currency = currencyOf(estimated.booking, settings);

  const refund = viewWithLines(estimated, cancellation, ctx, MOST_STEPS);
  // The names of places come from a list of routes, which may be missing when the terms are read again.
  const withoutNames = { ...ctx, airline: {} };
  const bound =
    airline.placeName === undefined ? refund : viewWithLines(estimated, cancellation, withoutNames, MOST_STEPS);

  const counted = isCounted(estimate, cancelled.travelers.length) ? ['Counted per person and segment.'] : [];
  const doubts = [...doubtsOf({ booking, cancelled, estimate }, ctx), ...counted];
  return { refund, bound, booking, estimate, currency, doubts };
}

export type AskedRefund = ReturnType<typeof askedRefund>;

/** Gives the currency of the booking's price, or else the configured one. `XXX`, which stands for none: neither is known. */
export function currencyOf({ pricing }: Booking, { currency = 'XXX' }: RefundContext['settings']): string {
  return pricing?.total?.total.currency ?? currency;
}

/** The refund of a whole booking if it were cancelled, or paid and cancelled, now. Undefined if it is over or empty. */
export function bookingRefund(booking: Booking, now: number, ctx: RefundContext): Refund | undefined {
  const { state } = bookingState(booking, now);
  if (state === 'cancelled' || state === 'expired') return undefined;
  // Its price and coupons still have what is refunded already.
  if (whyDone(booking, { deed: 'cancellation' }, now) !== undefined) return undefined;

  const { cancelled, price } = allCancellable(booking);
  const estimated = estimateWithParty({ booking, cancelled, now, paid: price });
  const { tooLate, lines, gaps, amount } = estimated.estimate;
  if (tooLate !== undefined) return withoutEnd(viewRefund(estimated, ctx));
  if (lines.length === 0 && gaps.length === 0) return undefined;

  const refusal = isPaid(booking) ? whyNotCancel(booking, now) : undefined;
  if (refusal !== undefined) return { note: `Not all of it can be cancelled: ${refusal.why}. ${QUOTE_PARTS}` };

  // Bounds from nothing to everything help nobody.
  const isUnknown = lines.length === 0 && amount === undefined && gaps.every((gap) => gap.words === undefined);
  if (isUnknown) return { note: doubtsOf(estimated, ctx).join(' ') };

  const refund = withoutEnd(viewRefund(estimated, ctx));
  // Where the sum is not known, the parts say more.
  if (amount !== undefined || lines.length === 0) return refund;

  return { ...refund, note: joined([refund.note, QUOTE_PARTS], ' ') };
}

/** Leaves out when cancelling ends: the booking's own time limits show it. Without later steps, the sum has its own end. */
function withoutEnd({ cancel_until, ...refund }: Refund): Refund {
  return refund.later === undefined ? { ...refund, valid_until: holdsUntil({ ...refund, cancel_until }) } : refund;
}

interface PartyOffer extends Pick<Offer, 'options' | 'pricing'> {
  /** How many of each type it was searched for. */
  readonly party: Readonly<Record<string, number>>;
}

/** The refund of an offer if it were held, paid and then cancelled at once. */
export function offerRefund({ options, pricing, party }: PartyOffer, now: number, ctx: RefundContext): Refund {
  const travelers = Object.entries(party).flatMap(([type, count]) => travelersWithoutNames(type, count));
  const perType = pricing.perType.map((row) => ({ ...row, travelerRefs: [] }));
  const booking = shownBooking({ ...NOTHING_HELD, options, travelers, pricing: { ...pricing, perType } });
  const cancelled = { options, travelers };
  const estimated = estimateWithParty({ booking, cancelled, now, paid: pricing.total?.total });
  const { lines, gaps, tooLate, amount } = estimated.estimate;
  const isKnown = tooLate !== undefined || lines.length > 0 || gaps.some(({ why }) => why !== 'not_sent');
  if (!isKnown) return { note: KNOWN_ONCE_HELD };

  // An offer shows one sum, and until when: the later steps and the notes come with the hold.
  const { cancel_until, later, note, ...refund } = viewRefund(estimated, ctx, 1);
  const until = holdsUntil({ ...refund, later, cancel_until });
  return { ...refund, valid_until: until, note: amount === undefined ? note : undefined };
}

type RefundedPart = Pick<EstimatedCancellation, 'booking' | 'cancelled'>;

/** An estimate with what it was made from: a booking and a part of it that have passengers, even those without names. */
interface Estimated extends EstimatedCancellation {
  readonly windows: Windows;
  readonly estimate: RefundEstimate;
}

/** Counts the passengers of a group whose names are not known yet. */
function estimateWithParty({ booking: listed, cancelled: part, now, paid }: EstimatedCancellation): Estimated {
  const booking = withParty(listed);
  const cancelled = part.travelers.length > 0 ? part : { ...part, travelers: booking.travelers };
  const windows = ruleWindows(booking, cancelled, now);
  const estimate = estimateRefund(booking, cancelled, { now, windows, paid });
  return { booking, cancelled, now, paid, windows, estimate };
}

function viewRefund(estimated: Estimated, ctx: RefundContext, mostSteps = MOST_STEPS): Refund {
  const { booking, cancelled, estimate, paid, windows } = estimated;
  const sums = estimate.tooLate ? nothingBack(booking, cancelled, paid) : estimate;
  const near = firstDeparture(booking);
  const isEndKnown = windows.ends !== undefined && estimate.tooLate === undefined;
  const until = isEndKnown ? localMinute(utcText(windows.ends), near) : undefined;

  const conditionsOf = (assessment: Assessment) => viewConditions(assessment, estimated, ctx);
  const conditions = conditionsOf(estimate);
  const changes = laterRefunds(booking, cancelled, windows, paid);
  const steps = laterSteps(sums, changes, { near, until, conditions, conditionsOf });

  // One step too many shows that there are more.
  const found = Array.from(steps.take(mostSteps + 1));
  const later = found.slice(0, mostSteps);
  const { back, kept, between } = viewSums(sums);
  const keepsSomething = [kept, ...later.map((step) => step.kept)].some((amount) => Number(amount) > 0);

  const notes = [...noteTexts(estimated, ctx)];
  if (found.length > mostSteps) notes.push(CHANGES_AGAIN);

  const currency = (sums.amount ?? sums.bounds?.atMost ?? sums.penalty)?.currency;

  return {
    currency: currency === booking.pricing?.total?.total.currency ? undefined : currency,
    refund_now: back,
    kept_now: kept,
    kept_includes_vat: keepsSomething || undefined,
    between,
    on_condition: viewOnCondition(sums),
    cancel_until: until,
    later: filled(later),
    note: notes.length === 0 ? undefined : notes.join(' '),
    refund_condition: conditions,
  };
}

interface StepTimes {
  /** A departure, whose offset gives local times. */
  readonly near: string | undefined;
  /** When cancelling ends, local. */
  readonly until: string | undefined;
  /** Of the refund of now. */
  readonly conditions: Refund['refund_condition'];
  readonly conditionsOf: (assessment: Assessment) => Refund['refund_condition'];
}

/** Yields the steps at which something else comes back, until cancelling ends. */
function* laterSteps(
  refundNow: RefundAmount,
  windows: Iterable<LaterRefund>,
  { near, until, conditions, conditionsOf }: StepTimes,
): Generator<RefundStep, void> {
  let previous = JSON.stringify({ ...viewSums(refundNow), refund_condition: conditions });
  for (const [window, next] of withNext(windows)) {
    const from = localMinute(window.from, near);
    // Between the end of one rule and the next there may be a second.
    if (from === until || (next !== undefined && isWithinMinute(window.from, next.from))) continue;

    const isUnknown = window.amount === undefined && window.bounds === undefined;
    const why = isUnknown ? gapSentences(window.assessment.gaps, () => '').join(' ') : '';
    const fields = {
      ...viewSums(window),
      note: why || undefined,
      refund_condition: conditionsOf(window.assessment),
    };
    const asText = JSON.stringify(fields);
    if (asText === previous) continue;

    previous = asText;
    yield { from, ...fields };
  }
}

/** Each with the one after it. */
function* withNext<T>(all: Iterable<T>): Generator<readonly [T, T | undefined], void> {
  let last: T | undefined;
  for (const one of all) {
    if (last !== undefined) yield [last, one];
    last = one;
  }
  if (last !== undefined) yield [last, undefined];
}

const isWithinMinute = (from: string, to: string): boolean => {
  const [start, end] = [instantOf(from), instantOf(to)];
  return start !== undefined && end !== undefined && end - start < MINUTE_MS;
};

/** The sums of a refund as the fields of a result. */
export function viewSums({ amount, penalty, bounds }: RefundAmount) {
  return {
    back: amount && formatMoney(amount),
    kept: penalty && formatMoney(penalty),
    between: bounds && { at_least: formatMoney(bounds.atLeast), at_most: formatMoney(bounds.atMost) },
  };
}

/** `all`, or the part of the sum that depends on the airline's words. */
function viewOnCondition({ onCondition, ...refund }: RefundAmount): string | undefined {
  if (onCondition === undefined) return undefined;

  const isAll = onCondition.minor > 0 && onCondition.minor === mostBack(refund)?.minor;
  return isAll ? ALL : formatMoney(onCondition);
}

/** The airline's words that a refund depends on, with whose fare each belongs to. */
function viewConditions(
  assessment: Assessment,
  { booking, cancelled }: RefundedPart,
  ctx: RefundContext,
): Refund['refund_condition'] {
  const label = partLabels(assessment, { booking, cancelled }, ctx);
  const conditions = refundConditions(assessment).flatMap(({ words, parts }) => {
    const says = airlineWords(words);
    return says === '' ? [] : { says, fare_of: label(parts) || undefined };
  });
  return filled(conditions);
}

/** Names the passengers and segments of some parts of a trip, where these are not all. */
function partLabels({ lines, gaps }: Assessment, { booking, cancelled }: RefundedPart, ctx: RefundContext) {
  const typesIn = (parts: readonly TripPart[]) => new Set(parts.map(({ type }) => type));
  const allParts = [...lines, ...gaps];
  const [allTypes, allRefs] = [typesIn(allParts), distinctSegments(allParts)];

  return (parts: readonly TripPart[]): string => {
    const [types, refs] = [typesIn(parts), distinctSegments(parts)];
    const people = cancelled.travelers.filter(({ type }) => types.has(type));
    return joined([
      types.size < allTypes.size && peopleText(people, ctx),
      refs.length < allRefs.length && segmentsText(segmentsOf(booking), refs, ctx),
    ]);
  };
}

/** Why an amount is not known, and what it rests on. */
function noteTexts(estimated: Estimated, ctx: RefundContext): readonly string[] {
  const { cancelled, estimate } = estimated;
  const { amount, bounds, tooLate, departed } = estimate;
  if (tooLate !== undefined) return departed ? [tooLate, `Estimated${AIRLINE_DECIDES}`] : [tooLate];

  const penalties = isCounted(estimate, cancelled.travelers.length) ? ', a penalty for each person and segment' : '';
  return present([
    ...doubtsOf(estimated, ctx),
    (amount ?? bounds) && `Estimated${penalties}${AIRLINE_DECIDES}`,
    isOwed(cancelled) && OPEN_END,
  ]);
}

/** Why the sum is not known; names the passengers and segments where they are not all. */
function doubtsOf({ estimate, ...part }: RefundedPart & Pick<Estimated, 'estimate'>, ctx: RefundContext) {
  return refundDoubts(estimate, partLabels(estimate, part, ctx));
}

/** The departure whose offset gives the local time of the limits. */
export function firstDeparture(booking: Booking): string | undefined {
  return shownSegments(booking)[0]?.departs;
}

/** The active segments, or else those that are not cancelled. */
function shownSegments(booking: Booking): readonly Segment[] {
  const active = activeSegments(booking);
  return active.length > 0 ? active : uncancelledSegments(booking.options);
}

/** Finds all that can be cancelled of a booking, unnamed passengers included. `price`: what is about to be paid, if it is not paid. */
export function allCancellable(listed: Booking) {
  const booking = withParty(listed);
  const isPaidBooking = isPaid(booking);
  const options = isPaidBooking ? activeOptions(booking) : withoutWaiting(booking.options);
  const cancelled = { options, travelers: booking.travelers };
  return { booking, cancelled, price: isPaidBooking ? undefined : booking.pricing?.total?.total };
}

/** Leaves out the options that are not confirmed yet, unless all wait: a payment is not for them. */
function withoutWaiting(options: Booking['options']): Booking['options'] {
  const isWaiting = ({ statusCode }: Segment) => segmentMeaning(statusCode) === 'waiting';
  const others = options.filter(({ segments }) => !segments.every(isWaiting));
  return others.length > 0 ? others : options;
}

/** Fills in the passengers of a group hold that lists none, from its price rows by type. */
function withParty(booking: Booking): Booking {
  const { pricing, travelers } = booking;
  if (travelers.length > 0 || pricing === undefined) return booking;
  const rows = pricing.perType.map((row) => ({ ...row, travelerRefs: [] }));
  const party = totalsByType(rows).flatMap(({ type, count }) => travelersWithoutNames(type, count));
  return { ...booking, travelers: party, pricing: { ...pricing, perType: rows } };
}

/** Passengers whose names are not known yet. */
function travelersWithoutNames(type: string, count: number): readonly Traveler[] {
  return Array.from({ length: Math.min(count, MOST_PEOPLE) }, (_, i) => ({
    ...UNNAMED_TRAVELER,
    ref: `${type}${i}`,
    type,
  }));
}
