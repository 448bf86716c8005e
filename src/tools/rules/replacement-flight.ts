/** The flight that replaces another in a booking: same stations, same party, same place in the trip. */

import { cleanCode } from '../../core/clean-text.ts';
import { inputError } from '../../core/errors.ts';
import { instantOf } from '../../core/times.ts';
import { activeSegments, type Booking, segmentsOf } from '../../domain/booking/booking.ts';
import { flightKey } from '../../domain/booking/expected-change.ts';
import { sameFlight } from '../../domain/booking/expected-details.ts';
import type { Segment, SegmentOption } from '../../domain/booking/itinerary.ts';
import { firstMisfit } from '../../domain/people/passenger-age.ts';
import type { Trip } from '../definition/trip-from-offers.ts';
import { quotedName } from '../views/terms-lines.ts';
import { oneByRef } from './find-by-ref.ts';
import { checkCounts, countTypes } from './party-size.ts';
import { checkExpiry, type InputProblems, lastArrival } from './passenger-details.ts';
import { notSent } from './refusal.ts';

const FIELD = 'offer_id';

/** Finds the active segment with this ref, which must be an option of its own. Throws E_INPUT, E_NOT_PERMITTED. */
export function replacedSegment(booking: Booking, ref: string): SegmentOption & { readonly segment: Segment } {
  const active = activeSegments(booking);
  const segment = oneByRef(active, ref, 'segment_ref', 'the active segments are');
  const option = booking.options.find(({ segments }) => segments.some((one) => one.ref === ref));
  const rivals = active.filter((one) => one.from === segment.from && one.to === segment.to);
  if (option?.segments.length === 1 && rivals.length === 1) return { ...option, segment };
  const why =
    rivals.length > 1 ? 'another flight of the booking serves the same stations' : 'it is part of a connection';
  throw notSent(
    'E_NOT_PERMITTED',
    `Segment ${ref} cannot be replaced by itself: ${why}.`,
    'A person must ask the airline to change it.',
  );
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
  checkCounts(countTypes(travelers), trip.passengers, FIELD, problems);
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
