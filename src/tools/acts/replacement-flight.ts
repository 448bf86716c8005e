/**
 * Checks whether a flight can replace another in a booking (same stations, same party, same place in the trip), and says what
 * that costs: for search_fares before a person is asked, and for the terms of rebook_segment.
 */
import { cleanCode } from '../../core/clean-text.ts';
import { type ClerkError, inputError } from '../../core/errors.ts';
import { type Money, showMoney, subtractMoney, zero } from '../../core/money.ts';
import { dateOf, instantOf } from '../../core/times.ts';
import { capitalized, nounWithRefs } from '../../core/words.ts';
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
  maybeRefundedRefusal,
  noActiveSegment,
  notPaid,
  notSent,
  permits,
  type Refusal,
  refusalIfCouponClosed,
  refusalIfDeparted,
  refuse,
  replaceableByHand,
  whyNotCancel,
  whyNotCancelBooking,
  whyNotUpdate,
} from '../rules/why-not.ts';
import { joinOffers, type Trip } from '../steps/offers.ts';
import { readNow } from '../steps/record-booking.ts';
import { NOT_REBOOKED, type OfferChange } from '../views/offer-data.ts';
import { quotedName } from '../views/terms-text.ts';

/**
 * The dialects whose message for this change is assumed: type 30 (airline) is documented, type 20 (rail) is not
 * (docs/wire/notes.md, Changes).
 */
export const ASSUMED: readonly Dialect[] = ['rail'];

export const NOT_OFFERED = replaceableByHand('not offered');

const FIELD = 'offer_id';

/** From how many letters on the beginning of a station's name stands for it. */
const MIN_NAME_PREFIX = 3;

/** Why no active segment can be replaced; undefined if one can. */
export function whyNotRebook(booking: Booking, now: number): Refusal | undefined {
  const early = whyNotRebookAny(booking, now);
  if (early !== undefined) return early;
  const reasons = activeSegments(booking).map((segment) => whyNotRebookOne(booking, segment, now));
  return reasons.includes(undefined) ? undefined : reasons[0];
}

/** Why the booking itself forbids a rebooking, whichever segment is meant. */
export function whyNotRebookAny(booking: Booking, now: number): Refusal | undefined {
  const early = whyNotUpdate(booking, { now });
  if (early !== undefined) return early;
  if (!isPaid(booking)) {
    const next = 'Release it with cancel_booking, and make another with create_booking.';
    return notPaid('it is not paid yet', next);
  }
  return activeSegments(booking).length === 0 ? noActiveSegment() : undefined;
}

/** Why this segment cannot be replaced, if the booking permits a rebooking. */
export function whyNotRebookOne(booking: Booking, segment: Segment, now: number): Refusal | undefined {
  if (segment.owed === 'unclear') return maybeRefundedRefusal(segment.ref);
  const gone = refusalIfDeparted(segment, now);
  if (gone !== undefined) return gone;
  if (!permits(segment, CHANGE_TYPES.rebook))
    return replaceableByHand(`the airline does not permit another flight for segment ${segment.ref}`);
  return refusalIfCouponClosed(booking, { segmentRefs: [segment.ref] }) ?? whyNotNamedByStations(booking, segment);
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

/** Gives the option that has the segment. */
function optionWith({ options }: Booking, segment: Segment): SegmentOption {
  return options.find(({ segments }) => segments.includes(segment)) ?? { ref: segment.ref, segments: [segment] };
}

/** Refuses a connection, and two segments between the same stations: the request names a segment by its stations alone. */
function whyNotNamedByStations(booking: Booking, segment: Segment): Refusal | undefined {
  const { segments } = optionWith(booking, segment);
  if (segments.length > 1) {
    return replaceableByHand(`segments ${segments.map(({ ref }) => ref).join('+')} are one connection`);
  }
  const rivals = activeSegments(booking).filter((rival) => rival.from === segment.from && rival.to === segment.to);
  if (rivals.length < 2) return undefined;
  return replaceableByHand(`segments ${rivals.map(({ ref }) => ref).join(' and ')} are between the same stations`);
}

/**
 * Says how a person replaces the old flight with a new booking and a cancellation, and the costs. `offered`: the new one's
 * price.
 */
export function byHandText(booking: Booking, option: SegmentOption, offered: Money | undefined, now: number): string {
  const refs = option.segments.map(({ ref }) => ref);
  const price = offered === undefined ? '' : ` (${showMoney(offered)} as offered)`;
  const hold = `Hold the new one with create_booking and pay it with pay_booking${price}`;
  const refund = refundOfOld(booking, option, now);
  if ('why' in refund) return `${hold}. The old one cannot be cancelled here: ${refund.why}.`;
  const { amount, penalty, bounds } = refund;
  const cancel = `then cancel ${nounWithRefs('segment', refs)} with cancel_segment`;
  return `${hold}; ${cancel}: ${refundText(amount, penalty, bounds?.atMost)}. Ask the person first.`;
}

/** Estimates what cancelling the old flight refunds, as quote_cancellation does, or says why it cannot be cancelled. */
function refundOfOld(booking: Booking, option: SegmentOption, now: number) {
  const refusal = whyNotCancel(booking, now, [option]);
  return refusal ?? estimateRefund(booking, { options: [option], travelers: booking.travelers }, now);
}

function refundText(refund: Money | undefined, penalty: Money | undefined, atMost: Money | undefined): string {
  if (refund !== undefined) {
    const penaltyNote = penalty === undefined ? '' : `, ${showMoney(penalty)} is kept`;
    return `about ${showMoney(refund)} comes back${penaltyNote}`;
  }
  if (atMost !== undefined) return `at most ${showMoney(atMost)} comes back`;
  return 'quote_cancellation says what is known of its refund';
}

/** Gives the offer's only flight, with a ref that is new to the booking. Throws E_INPUT, E_ALREADY_DONE. */
export function replacementFlight(
  booking: Booking,
  replaced: Segment,
  trip: Trip,
  problems: InputProblems,
): SegmentOption {
  const checked = fitOffer(booking, replaced, trip);
  if ('error' in checked) throw checked.error;
  const ref = freeRef(booking);
  const fresh = { ...checked.offered, ref, optionRef: ref };
  checkParty(booking, replaced, fresh, trip, problems);
  const { statusCode: _, ...sent } = fresh;
  return { ref, segments: [sent] };
}

/** Why an offer cannot take the place of a segment: in words, and as the error about the argument. */
interface UnfitOffer {
  readonly why: string;
  readonly error: ClerkError;
  /** The offer is the booked flight itself. */
  readonly isSame?: true;
}

/** Gives the offer's only flight, or why it does not fit in place of the segment. */
function fitOffer(
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

/** Gives a ref that no option or segment of the booking has. */
function freeRef(booking: Booking): string {
  const used = [...booking.options, ...segmentsOf(booking)].map(({ ref }) => ref);
  const highest = Math.max(0, ...used.map(Number).filter(Number.isSafeInteger));
  return String(highest + 1);
}

/** Refuses a flight that departs before the previous segment arrives, or arrives after the next one departs. */
function whyNotInOrder(booking: Booking, replaced: Segment, fresh: Segment): UnfitOffer | undefined {
  const trip = activeSegments(booking);
  const index = trip.findIndex(({ ref }) => ref === replaced.ref);
  const previous = trip[index - 1];
  const next = trip[index + 1];
  if (overlap(previous, fresh)) {
    const error = inputError(FIELD, `expected a flight after segment ${previous?.ref} arrives.`);
    return { why: `it departs before segment ${previous?.ref} arrives`, error };
  }
  if (overlap(fresh, next)) {
    const error = inputError(FIELD, `expected a flight that arrives before segment ${next?.ref} departs.`);
    return { why: `it arrives after segment ${next?.ref} departs`, error };
  }
  return undefined;
}

/** Whether `later` departs before `earlier` arrives. False if either time is not known. */
function overlap(earlier: Segment | undefined, later: Segment | undefined): boolean {
  const arrives = instantOf(earlier?.arrives);
  const departs = instantOf(later?.departs);
  return arrives !== undefined && departs !== undefined && departs < arrives;
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

/** The segment for which a search looks for another flight. */
export interface ReplacedSegment {
  readonly booking: Booking;
  readonly replaced: ReturnType<typeof replacedSegment>;
  readonly passengers: PassengerCounts;
  /** The stations and the day of the segment, or of the whole connection that is cancelled with it. */
  readonly leg: { readonly from: string; readonly to: string; readonly date: string };
  /** Why the airline does not exchange the segment. Undefined if it does. */
  readonly refusal: Refusal | undefined;
}

/** Reads the booking of the segment. @throws ClerkError if nothing can replace it, not even a new booking */
export async function readReplaced(
  { locator, segment_ref: segmentRef }: { readonly locator: string; readonly segment_ref: string },
  ctx: ToolContext,
): Promise<ReplacedSegment> {
  const booking = await readNow(locator, ctx);
  const now = ctx.now();
  refuse(booking, whyNotUpdate(booking, { now }));
  const active = activeSegments(booking);
  if (active.length === 0) refuse(booking, noActiveSegment());
  const [onlyRef = segmentRef, ...otherRefs] = refsMeant(segmentRef, active.map(namedRef));
  const ref = otherRefs.length === 0 ? onlyRef : segmentRef;
  const replaced = replacedSegment(booking, ref, 'instead_of.segment_ref');
  const { segment, segments } = replaced;
  refuse(booking, refusalIfDeparted(segment, now));
  const { dialect, assumedOperations } = ctx.settings;
  const isOffered = !isAssumed(ASSUMED, dialect) || assumedOperations === true;
  const refusal = whyNotRebookAny(booking, now) ?? whyNotRebookOne(booking, segment, now);
  const first = segments[0] ?? segment;
  const last = segments.at(-1) ?? segment;
  return {
    booking,
    replaced,
    passengers: countPassengers(booking.travelers),
    leg: { from: first.from, to: last.to, date: dateOf(first.departs) },
    refusal: refusal ?? (isOffered ? undefined : NOT_OFFERED),
  };
}

interface ReplacementLeg {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly date?: string | undefined;
}

/** Checks that the legs and passengers of the search are those of the booking. @throws ClerkError E_INPUT */
export function assertSearchOfBooking(
  { booking, replaced, passengers, leg }: ReplacedSegment,
  search: {
    readonly legs: readonly ReplacementLeg[];
    readonly passengers: Partial<Record<keyof PassengerCounts, number>>;
  },
  placeName: PlaceName | undefined,
): void {
  const problems = new InputProblems();
  const ref = cleanCode(replaced.segment.ref);
  if (search.legs.length > 1) problems.add('legs', `expected the leg of segment ${ref} alone, or none`);
  for (const end of ['from', 'to'] as const) {
    const text = search.legs[0]?.[end];
    if (text === undefined || isPlace(text, leg[end], placeName)) continue;
    problems.add(`legs[0].${end}`, `expected ${cleanCode(leg[end])}, as segment ${ref} has it, or none`);
  }
  for (const [type, count] of Object.entries(search.passengers)) {
    const booked = passengers[type as keyof PassengerCounts];
    if (count === booked) continue;
    problems.add(`passengers.${type}`, `expected ${booked}, the party of booking ${booking.locator}, or none`);
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
 * Makes the function that says what it costs to travel with an offer of the search instead. It computes as the terms of
 * rebook_segment do, with the fares of the whole search.
 */
export function changesTo(
  { booking, replaced, passengers, refusal }: ReplacedSegment,
  searchResult: FareSearchResult,
  ctx: ToolContext,
): (offer: Offer) => OfferChange {
  const now = ctx.now();
  const { carrier } = ctx.settings;
  const anew = newBookingInstead(booking, replaced, now);
  // Offers of the same flight and class have the same charge.
  const charges = new Map<string, ChangeCharge>();
  const chargeFor = (fresh: Segment): ChangeCharge => {
    const key = JSON.stringify(flightKey(fresh));
    const charge = charges.get(key) ?? changeCharge(booking, replaced, faresOfClass(searchResult, fresh), now);
    charges.set(key, charge);
    return charge;
  };
  return (offer) => {
    const total = offer.pricing.total?.total;
    if (refusal !== undefined) return { rule: notRebooked(refusal.why), anew: anew(total) };
    if (carrier === undefined && lacksCarrier(offer.options)) return { rule: notRebooked('the carrier is not known') };
    const trip = joinOffers([offer], passengers, carrier);
    const checked = fitOffer(booking, replaced.segment, trip);
    if ('why' in checked) return { rule: notRebooked(checked.why), anew: checked.isSame ? undefined : anew(total) };
    const problems = new InputProblems();
    checkParty(booking, replaced.segment, checked.offered, trip, problems);
    const [problem] = problems.sentences;
    if (problem !== undefined) return { rule: notRebooked(problem), anew: anew(total) };
    const { rule, atMost, backAtMost, airlineWords } = chargeFor(checked.offered);
    if (atMost === undefined) return { rule, airlineSays: airlineWords, anew: anew(total) };
    return { rule, paysAtMost: atMost, getsBack: backAtMost };
  };
}

function notRebooked(why: string): string {
  return `${NOT_REBOOKED} ${why.replace(/\.$/, '')}.`;
}

/** Makes the function that says what a new booking at some price costs in all, once the old one is cancelled and refunded. */
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
