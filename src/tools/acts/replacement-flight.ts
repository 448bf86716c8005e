/**
 * Checks whether a flight can replace another in a booking (same stations, same party, same place in the trip), and says what
 * that costs: for search_fares before a person is asked, and for the terms of rebook_segment.
 */

import { cleanCode } from '../../core/clean-text.ts';
import { type ClerkError, inputError } from '../../core/errors.ts';
import { type Money, showMoney, subtractMoney, zero } from '../../core/money.ts';
import { dateOf, instantOf } from '../../core/times.ts';
import { capitalized, named } from '../../core/words.ts';
import type { Dialect } from '../../domain/airline.ts';
import {
  activeSegments,
  type Booking,
  type Segment,
  type SegmentOption,
  segmentsOf,
} from '../../domain/booking/booking.ts';
import { namedRef, refsMeant } from '../../domain/booking/booking-names.ts';
import { flightKey, sameFlight } from '../../domain/booking/expected-change.ts';
import { lacksCarrier } from '../../domain/booking/flight-name.ts';
import { isPaid } from '../../domain/booking/paid-and-refunded.ts';
import type { PlaceName } from '../../domain/booking/stations.ts';
import { foldName } from '../../domain/people/identity-text.ts';
import { firstMisfit } from '../../domain/people/passenger-age.ts';
import { type ChangeCharge, changeCharge, faresOfClass } from '../../domain/pricing/estimate-change-charge.ts';
import { estimateRefund } from '../../domain/pricing/estimate-refund.ts';
import type { FareSearchResult, Offer, PassengerCounts } from '../../domain/pricing/offers.ts';
import { isAssumed, type ToolContext } from '../definition/define.ts';
import { oneByRef } from '../rules/find-by-ref.ts';
import { InputProblems } from '../rules/input-problems.ts';
import { checkCounts, countPassengers } from '../rules/party-size.ts';
import { checkExpiry, lastArrival } from '../rules/passenger-details.ts';
import {
  CHANGE_TYPES,
  closedCoupon,
  departed,
  maybeRefunded,
  noActiveSegment,
  notPaid,
  notSent,
  permits,
  type Refusal,
  refuse,
  replaceableByHand,
  whyNotCancel,
  whyNotCancelBooking,
  whyNotUpdate,
} from '../rules/why-not.ts';
import { type Trip, tripOffered } from '../steps/offers.ts';
import { readNow } from '../steps/record-booking.ts';
import { NOT_REBOOKED, type OfferChange } from '../views/offer-data.ts';
import { quotedName } from '../views/terms-text.ts';

/** Type 30 (airline dialect) is documented, type 20 (rail) is not (docs/wire/notes.md, Changes). */
export const ASSUMED: readonly Dialect[] = ['rail'];

export const NOT_OFFERED = replaceableByHand('not offered');

const FIELD = 'offer_id';

/** Why no active segment can be replaced; undefined if one can. */
export function whyNotRebook(booking: Booking, now: number): Refusal | undefined {
  const early = whyNotRebookAny(booking, now);
  if (early !== undefined) return early;
  const reasons = activeSegments(booking).map((each) => whyNotRebookOne(booking, each, now));
  return reasons.includes(undefined) ? undefined : reasons[0];
}

export function whyNotRebookAny(booking: Booking, now: number): Refusal | undefined {
  const early = whyNotUpdate(booking, { now });
  if (early !== undefined) return early;
  if (!isPaid(booking)) {
    const next = 'Release it with cancel_booking, and make another with create_booking.';
    return notPaid('it is not paid yet', next);
  }
  return activeSegments(booking).length === 0 ? noActiveSegment() : undefined;
}

export function whyNotRebookOne(booking: Booking, segment: Segment, now: number): Refusal | undefined {
  if (segment.owed === 'unclear') return maybeRefunded(segment.ref);
  const gone = departed(segment, now);
  if (gone !== undefined) return gone;
  if (!permits(segment, CHANGE_TYPES.rebook))
    return replaceableByHand(`the airline does not permit another flight for segment ${segment.ref}`);
  return closedCoupon(booking, { segmentRefs: [segment.ref] }) ?? whyNotReplaced(booking, segment);
}

/** Finds the active segment with this ref, and its option. Throws E_INPUT. */
export function replacedSegment(
  booking: Booking,
  ref: string,
  field = 'segment_ref',
): SegmentOption & { readonly segment: Segment } {
  const segment = oneByRef(activeSegments(booking), ref, field, 'the active segments are');
  return { ...optionWith(booking, segment), segment };
}

function optionWith({ options }: Booking, segment: Segment): SegmentOption {
  return options.find(({ segments }) => segments.includes(segment)) ?? { ref: segment.ref, segments: [segment] };
}

/** A request names one segment by its stations, so that it must be an option of its own, and the only one between them. */
function whyNotReplaced(booking: Booking, segment: Segment): Refusal | undefined {
  const { segments } = optionWith(booking, segment);
  if (segments.length > 1) {
    return replaceableByHand(`segments ${segments.map(({ ref }) => ref).join('+')} are one connection`);
  }
  const rivals = activeSegments(booking).filter((rival) => rival.from === segment.from && rival.to === segment.to);
  if (rivals.length < 2) return undefined;
  return replaceableByHand(`segments ${rivals.map(({ ref }) => ref).join(' and ')} are between the same stations`);
}

/** Says how a person replaces it with a new booking and a cancellation, and the costs. `offered`: the new one's price. */
export function byHandText(booking: Booking, option: SegmentOption, offered: Money | undefined, now: number): string {
  const refs = option.segments.map(({ ref }) => ref);
  const price = offered === undefined ? '' : ` (${showMoney(offered)} as offered)`;
  const hold = `Hold the new one with create_booking and pay it with pay_booking${price}`;
  const refund = refundOfOld(booking, option, now);
  if ('why' in refund) return `${hold}. The old one cannot be cancelled here: ${refund.why}.`;
  const { amount, penalty, bounds } = refund;
  const back =
    amount === undefined ? 'quote_cancellation says what is known of its refund' : refundText(amount, penalty);
  const most = amount === undefined && bounds !== undefined ? `at most ${showMoney(bounds.atMost)} comes back` : back;
  return `${hold}; then cancel ${named('segment', refs)} with cancel_segment: ${most}. Ask the person first.`;
}

/** What cancelling the old one refunds, as a quote and the terms of a cancellation say it, or why it cannot be cancelled. */
function refundOfOld(booking: Booking, option: SegmentOption, now: number) {
  const refusal = whyNotCancel(booking, now, [option]);
  return refusal ?? estimateRefund(booking, { options: [option], travelers: booking.travelers }, now);
}

function refundText(back: Money, kept: Money | undefined): string {
  return `about ${showMoney(back)} comes back${kept === undefined ? '' : `, ${showMoney(kept)} is kept`}`;
}

/** The offer's only flight, with a pointer new to the booking. Throws E_INPUT, E_ALREADY_DONE. */
export function replacementFlight(
  booking: Booking,
  replaced: Segment,
  trip: Trip,
  problems: InputProblems,
): SegmentOption {
  const fit = whyNotInPlace(booking, replaced, trip);
  if ('error' in fit) throw fit.error;
  const ref = freeRef(booking);
  const fresh = { ...fit.offered, ref, optionRef: ref };
  checkParty(booking, replaced, fresh, trip, problems);
  const { statusCode: _, ...sent } = fresh;
  return { ref, segments: [sent] };
}

/** Why an offer cannot take the place of a segment: in words, and as the error about the argument. */
interface UnfitOffer {
  readonly why: string;
  readonly error: ClerkError;
  /** It is what is booked already. */
  readonly isSame?: true;
}

/** The offer's only flight, or why it does not fit. */
function whyNotInPlace(
  booking: Booking,
  replaced: Segment,
  { options }: Pick<Trip, 'options'>,
): UnfitOffer | { readonly offered: Segment } {
  const [offered, ...more] = options.flatMap(({ segments }) => segments);
  const route = `${cleanCode(replaced.from)} to ${cleanCode(replaced.to)}`;
  if (offered === undefined || options.length !== 1 || more.length > 0) {
    const why = 'this is a connection, and the airline exchanges single segments';
    const error = `expected an offer of one segment from ${route}.`;
    return { why, error: inputError(FIELD, error, 'Call search_fares for that leg alone.') };
  }
  if (offered.from !== replaced.from || offered.to !== replaced.to) {
    const error = inputError(FIELD, `expected an offer from ${route}.`, 'Call search_fares for that leg.');
    return { why: `it is not from ${route}`, error };
  }
  if (sameFlight(flightKey(offered), flightKey(replaced))) {
    const why = `segment ${replaced.ref} has this number, day and class already`;
    const what = `${capitalized(why)}; the fare alone cannot be changed.`;
    const next = 'Call search_fares for another departure or class.';
    return { why, error: notSent('E_ALREADY_DONE', what, next), isSame: true };
  }
  return whyNotInOrder(booking, replaced, offered) ?? { offered };
}

function freeRef(booking: Booking): string {
  const used = [...booking.options, ...segmentsOf(booking)].map(({ ref }) => ref);
  const highest = Math.max(0, ...used.map(Number).filter(Number.isSafeInteger));
  return String(highest + 1);
}

function whyNotInOrder(booking: Booking, replaced: Segment, fresh: Segment): UnfitOffer | undefined {
  const trip = activeSegments(booking);
  const at = trip.findIndex(({ ref }) => ref === replaced.ref);
  const [before, after] = [trip[at - 1], trip[at + 1]];
  const clash = (first: Segment | undefined, then: Segment | undefined) => {
    const [arrives, departs] = [instantOf(first?.arrives), instantOf(then?.departs)];
    return arrives !== undefined && departs !== undefined && departs < arrives;
  };
  if (clash(before, fresh)) {
    const error = inputError(FIELD, `expected a flight after segment ${before?.ref} arrives.`);
    return { why: `it departs before segment ${before?.ref} arrives`, error };
  }
  if (clash(fresh, after)) {
    const error = inputError(FIELD, `expected a flight that arrives before segment ${after?.ref} departs.`);
    return { why: `it arrives after segment ${after?.ref} departs`, error };
  }
  return undefined;
}

/** Checks the party against the offer, and ages and documents against the new date. */
function checkParty(booking: Booking, replaced: Segment, fresh: Segment, trip: Trip, problems: InputProblems): void {
  const { travelers } = booking;
  checkCounts(countPassengers(travelers), trip.passengers, FIELD, problems);
  const segments = [...activeSegments(booking).filter(({ ref }) => ref !== replaced.ref), fresh];
  for (const { ref, name, type, birthDate, document } of travelers) {
    const misfit = birthDate === undefined ? undefined : firstMisfit(type, birthDate, [fresh]);
    if (misfit) problems.add(FIELD, `passenger ${ref} is no ${cleanCode(type)} any more on ${misfit.date}`);
    if (document?.expires === undefined) continue;
    checkExpiry(
      document.expires,
      lastArrival(segments),
      { field: `passenger ${ref}, document`, holder: quotedName(name) },
      problems,
    );
  }
}

/** A segment that a search looks for another of. */
export interface ReplacedSegment {
  readonly booking: Booking;
  readonly replaced: ReturnType<typeof replacedSegment>;
  readonly passengers: PassengerCounts;
  /** From the first to the last station of what is cancelled with the segment: a connection is cancelled as a whole. */
  readonly leg: { readonly from: string; readonly to: string; readonly date: string };
  /** Why the airline does not exchange it. */
  readonly refusal: Refusal | undefined;
}

/** Reads the booking. @throws ClerkError where no other flight can take the place of the segment, whatever way */
export async function readReplaced(
  { locator, segment_ref: given }: { readonly locator: string; readonly segment_ref: string },
  ctx: ToolContext,
): Promise<ReplacedSegment> {
  const booking = await readNow(locator, ctx);
  const now = ctx.now();
  refuse(booking, whyNotUpdate(booking, { now }));
  const active = activeSegments(booking);
  if (active.length === 0) refuse(booking, noActiveSegment());
  const [meant = given, ...others] = refsMeant(given, active.map(namedRef));
  const replaced = replacedSegment(booking, others.length === 0 ? meant : given, 'instead_of.segment_ref');
  const { segment, segments } = replaced;
  refuse(booking, departed(segment, now));
  const { dialect, assumedOperations } = ctx.settings;
  const isOffered = !isAssumed(ASSUMED, dialect) || assumedOperations === true;
  const [first = segment, last = segment] = [segments[0], segments.at(-1)];
  return {
    ...{ booking, replaced },
    passengers: countPassengers(booking.travelers),
    leg: { from: first.from, to: last.to, date: dateOf(first.departs) },
    refusal:
      whyNotRebookAny(booking, now) ?? whyNotRebookOne(booking, segment, now) ?? (isOffered ? undefined : NOT_OFFERED),
  };
}

interface ReplacementLeg {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly date?: string | undefined;
}

/** Refuses legs and passengers of the search that are not those of the booking. @throws ClerkError E_INPUT */
export function assertOfBooking(
  { booking, replaced, passengers, leg }: ReplacedSegment,
  given: {
    readonly legs: readonly ReplacementLeg[];
    readonly passengers: Partial<Record<keyof PassengerCounts, number>>;
  },
  placeName: PlaceName | undefined,
): void {
  const problems = new InputProblems();
  const without = 'or none';
  const ref = cleanCode(replaced.segment.ref);
  if (given.legs.length > 1) problems.add('legs', `expected the leg of segment ${ref} alone, ${without}`);
  for (const end of ['from', 'to'] as const) {
    const text = given.legs[0]?.[end];
    if (text === undefined || isPlace(text, leg[end], placeName)) continue;
    problems.add(`legs[0].${end}`, `expected ${cleanCode(leg[end])}, as segment ${ref} has it, ${without}`);
  }
  for (const [type, count] of Object.entries(given.passengers)) {
    const booked = passengers[type as keyof PassengerCounts];
    if (count !== booked)
      problems.add(`passengers.${type}`, `expected ${booked}, the party of booking ${booking.locator}, ${without}`);
  }
  problems.assertNone();
}

/** Whether the text is the station's code, or the beginning of its name if that is known without asking the airline. */
function isPlace(text: string, code: string, placeName: PlaceName | undefined): boolean {
  if (text.toUpperCase() === code.toUpperCase()) return true;
  const [name, given] = [foldName(placeName?.(code) ?? ''), foldName(text)];
  return given.length > 2 && name.startsWith(given);
}

/** What it costs to travel with each offer instead, by the arithmetic of the terms. The fares are those of the whole search. */
export function changesTo(
  { booking, replaced, passengers, refusal }: ReplacedSegment,
  found: FareSearchResult,
  ctx: ToolContext,
): (offer: Offer) => OfferChange {
  const [now, { carrier }] = [ctx.now(), ctx.settings];
  const anew = newBookingInstead(booking, replaced, now);
  // Offers of the same flight and class have the same charge.
  const charges = new Map<string, ChangeCharge>();
  const chargeFor = (fresh: Segment): ChangeCharge => {
    const key = JSON.stringify(flightKey(fresh));
    const charge = charges.get(key) ?? changeCharge(booking, replaced, faresOfClass(found, fresh), now);
    charges.set(key, charge);
    return charge;
  };
  return (offer) => {
    const total = offer.pricing.total?.total;
    if (refusal !== undefined) return { rule: notRebooked(refusal.why), anew: anew(total) };
    if (carrier === undefined && lacksCarrier(offer.options)) return { rule: notRebooked('the carrier is not known') };
    const trip = tripOffered([offer], passengers, carrier);
    const inPlace = whyNotInPlace(booking, replaced.segment, trip);
    if ('why' in inPlace) return { rule: notRebooked(inPlace.why), anew: inPlace.isSame ? undefined : anew(total) };
    const problems = new InputProblems();
    checkParty(booking, replaced.segment, inPlace.offered, trip, problems);
    const [problem] = problems.sentences;
    if (problem !== undefined) return { rule: notRebooked(problem), anew: anew(total) };
    const { rule, atMost, backAtMost, airlineWords } = chargeFor(inPlace.offered);
    if (atMost === undefined) return { rule, airlineSays: airlineWords, anew: anew(total) };
    return { rule, paysAtMost: atMost, getsBack: backAtMost };
  };
}

const notRebooked = (why: string): string => `${NOT_REBOOKED} ${why.replace(/\.$/, '')}.`;

/** What a new booking at a price costs in all, once the old one is cancelled and refunded. */
function newBookingInstead(booking: Booking, option: SegmentOption, now: number) {
  const refund = isPaid(booking) ? refundOfOld(booking, option, now) : whyNotCancelBooking(booking, now);
  return (total: Money | undefined): OfferChange['anew'] => {
    if (total === undefined) return undefined;
    if (refund === undefined) return { back: zero(total.currency), costsAtMost: total };
    if ('why' in refund) return { note: `the old one cannot be cancelled here: ${refund.why}`, costsAtMost: total };
    const { amount, bounds } = refund;
    const least = amount ?? bounds?.atLeast;
    if (least === undefined) return { note: 'quote_cancellation says what is known of the refund' };
    if (least.currency !== total.currency) return { note: `${showMoney(least)} comes back` };
    return {
      back: amount,
      bounds: amount === undefined ? bounds : undefined,
      costsAtMost: subtractMoney(total, least),
    };
  };
}
