/** For rebook_segment, the flight that replaces another in a booking: same stations, same party, same place in the trip. */

import { cleanCode } from '../../core/clean-text.ts';
import { inputError } from '../../core/errors.ts';
import { type Money, showMoney } from '../../core/money.ts';
import { instantOf } from '../../core/times.ts';
import { named } from '../../core/words.ts';
import {
  activeSegments,
  type Booking,
  type Segment,
  type SegmentOption,
  segmentsOf,
} from '../../domain/booking/booking.ts';
import { flightKey, sameFlight } from '../../domain/booking/expected-change.ts';
import { firstMisfit } from '../../domain/people/passenger-age.ts';
import { estimateRefund } from '../../domain/pricing/estimate-refund.ts';
import { oneByRef } from '../rules/find-by-ref.ts';
import type { InputProblems } from '../rules/input-problems.ts';
import { checkCounts, countPassengers } from '../rules/party-size.ts';
import { checkExpiry, lastArrival } from '../rules/passenger-details.ts';
import { notReplaceable, notSent, type Refusal, whyNotCancel } from '../rules/why-not.ts';
import type { Trip } from '../steps/offers.ts';
import { quotedName } from '../views/terms-lines.ts';

const FIELD = 'offer_id';

/** Finds the active segment with this ref, and its option. Throws E_INPUT. */
export function replacedSegment(booking: Booking, ref: string): SegmentOption & { readonly segment: Segment } {
  const segment = oneByRef(activeSegments(booking), ref, 'segment_ref', 'the active segments are');
  return { ...optionWith(booking, segment), segment };
}

function optionWith({ options }: Booking, segment: Segment): SegmentOption {
  return options.find(({ segments }) => segments.includes(segment)) ?? { ref: segment.ref, segments: [segment] };
}

/** A request names one segment by its stations, so that it must be an option of its own, and the only one between them. */
export function whyNotReplaced(booking: Booking, segment: Segment): Refusal | undefined {
  const { segments } = optionWith(booking, segment);
  if (segments.length > 1) {
    return notReplaceable(`segments ${segments.map(({ ref }) => ref).join('+')} are one connection`);
  }
  const rivals = activeSegments(booking).filter((rival) => rival.from === segment.from && rival.to === segment.to);
  if (rivals.length < 2) return undefined;
  return notReplaceable(`segments ${rivals.map(({ ref }) => ref).join(' and ')} are between the same stations`);
}

/** What replacing it by hand costs. `offered`: the price of the new one. */
export function byHandText(booking: Booking, option: SegmentOption, offered: Money | undefined, now: number): string {
  const refs = option.segments.map(({ ref }) => ref);
  const price = offered === undefined ? '' : ` (${showMoney(offered)} as offered)`;
  const hold = `Hold the new one with create_booking and pay it with pay_booking${price}`;
  const refusal = whyNotCancel(booking, now, [option]);
  if (refusal !== undefined) return `${hold}. The old one cannot be cancelled here: ${refusal.why}.`;
  const { amount, penalty, bounds } = estimateRefund(booking, { options: [option], travelers: booking.travelers }, now);
  const back =
    amount === undefined ? 'quote_cancellation says what is known of its refund' : refundText(amount, penalty);
  const most = amount === undefined && bounds !== undefined ? `at most ${showMoney(bounds.atMost)} comes back` : back;
  return `${hold}; then cancel ${named('segment', refs)} with cancel_segment: ${most}. Ask the person first.`;
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
  const [option] = trip.options;
  const [offered, ...more] = option?.segments ?? [];
  const route = `${cleanCode(replaced.from)} to ${cleanCode(replaced.to)}`;
  if (offered === undefined || trip.options.length !== 1 || more.length > 0) {
    throw inputError(FIELD, `expected an offer of one segment from ${route}.`, 'Call search_fares for that leg alone.');
  }
  if (offered.from !== replaced.from || offered.to !== replaced.to) {
    throw inputError(FIELD, `expected an offer from ${route}.`, 'Call search_fares for that leg.');
  }
  if (sameFlight(flightKey(offered), flightKey(replaced))) {
    const what = `Segment ${replaced.ref} has this number, day and class already; the fare alone cannot be changed.`;
    throw notSent('E_ALREADY_DONE', what, 'Call search_fares for another departure or class.');
  }
  const ref = freeRef(booking);
  const fresh = { ...offered, ref, optionRef: ref };
  assertInPlace(booking, replaced, fresh);
  checkParty(booking, replaced, fresh, trip, problems);
  const { statusCode: _, ...sent } = fresh;
  return { ref, segments: [sent] };
}

function freeRef(booking: Booking): string {
  const used = [...booking.options, ...segmentsOf(booking)].map(({ ref }) => ref);
  const highest = Math.max(0, ...used.map(Number).filter(Number.isSafeInteger));
  return String(highest + 1);
}

function assertInPlace(booking: Booking, replaced: Segment, fresh: Segment): void {
  const trip = activeSegments(booking);
  const at = trip.findIndex(({ ref }) => ref === replaced.ref);
  const [before, after] = [trip[at - 1], trip[at + 1]];
  const clash = (first: Segment | undefined, then: Segment | undefined) => {
    const [arrives, departs] = [instantOf(first?.arrives), instantOf(then?.departs)];
    return arrives !== undefined && departs !== undefined && departs < arrives;
  };
  if (clash(before, fresh)) throw inputError(FIELD, `expected a flight after segment ${before?.ref} arrives.`);
  if (clash(fresh, after))
    throw inputError(FIELD, `expected a flight that arrives before segment ${after?.ref} departs.`);
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
