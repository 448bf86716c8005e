/**
 * Checks whether a flight can replace another in a booking: first whether the booked one may be replaced at all, then whether the
 * offered one fits (same stations, same party, same place in the trip). replacement-search.ts says what offers cost.
 */
import { cleanCode, cleanRef } from '../../core/clean-text.ts';
import { type ClerkError, inputError, notSent } from '../../core/errors.ts';
import { instantOf } from '../../core/times.ts';
import { capitalized } from '../../core/words.ts';
import type { Dialect } from '../../domain/airline.ts';
import {
  activeSegments,
  type Booking,
  type Segment,
  type SegmentOption,
  segmentsOf,
  travelerAsRead,
} from '../../domain/booking/booking.ts';
import { isPaid } from '../../domain/booking/paid-and-refunded.ts';
import { notOnOffer, segmentMeaning } from '../../domain/booking/status-codes.ts';
import { flightKey, sameFlight } from '../../domain/facts/pair.ts';
import { oneByRef } from '../rules/find-by-ref.ts';
import type { InputProblems } from '../rules/input-problems.ts';
import { countPassengers, firstMisfit, partyProblem } from '../rules/party-size.ts';
import { checkExpiry, lastArrival } from '../rules/passenger-details.ts';
import {
  CHANGE_TYPES,
  maybeRefundedRefusal,
  noActiveSegment,
  notPaid,
  permits,
  type Refusal,
  refusalIfCouponClosed,
  refusalIfDeparted,
  replaceableByHand,
  whyNotUpdate,
} from '../rules/why-not.ts';
import type { Trip } from '../steps/offers.ts';
import { quotedName } from '../views/terms-text.ts';

/**
 * The dialects whose message for this change is assumed: type 30 (airline) is documented, type 20 (rail) is not
 * (docs/wire/notes.md, Changes).
 */
export const ASSUMED: readonly Dialect[] = ['rail'];

export const NOT_OFFERED = replaceableByHand('not offered');

const FIELD = 'offer_id';
/** The next step where no value of the offer would do: other offers are needed. */
const SEARCH_INSTEAD = 'Call search_fares with instead_of for offers that fit.';

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

/** Why this segment cannot be replaced, if the booking permits a rebooking. All of a connection is replaced, or nothing. */
export function whyNotRebookOne(booking: Booking, segment: Segment, now: number): Refusal | undefined {
  const own = whyNotAlone(booking, segment, now);
  if (own !== undefined) return own;
  const active = activeSegments(booking);
  const others = optionWith(booking, segment).segments.filter((one) => one !== segment && active.includes(one));
  return others.map((other) => whyNotAlone(booking, other, now)).find((refusal) => refusal !== undefined);
}

/** Why this flight of it cannot be. */
export function whyNotAlone(booking: Booking, segment: Segment, now: number): Refusal | undefined {
  if (segment.owed === 'unclear') return maybeRefundedRefusal(segment.ref);
  const gone = refusalIfDeparted(segment, now);
  if (gone !== undefined) return gone;
  if (!permits(segment, CHANGE_TYPES.rebook))
    return replaceableByHand(`the airline does not permit another flight for segment ${cleanRef(segment.ref)}`);
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

/** Refuses an offer that cannot replace a connection flight by flight: each of its segments is exchanged for one of the same stations. */
export function whyNotWhole({ segments }: SegmentOption): Refusal | undefined {
  if (segments.length < 2) return undefined;
  const refs = segments.map(({ ref }) => cleanRef(ref)).join('+');
  return replaceableByHand(`segments ${refs} are one connection, and this offer does not have their stations`);
}

/** Refuses two segments between the same stations: the request names a segment by its stations alone. */
function whyNotNamedByStations(booking: Booking, segment: Segment): Refusal | undefined {
  const rivals = activeSegments(booking).filter((rival) => rival.from === segment.from && rival.to === segment.to);
  if (rivals.length < 2) return undefined;
  return replaceableByHand(
    `segments ${rivals.map(({ ref }) => cleanRef(ref)).join(' and ')} are between the same stations`,
  );
}

/** Gives the offer's only flight, with a ref that is new to the booking. Throws E_INPUT, E_ALREADY_DONE. */
export function replacementFlight(
  booking: Booking,
  replaced: Segment,
  trip: Trip,
  problems: InputProblems,
): SegmentOption {
  const fit = fitOffer(booking, replaced, trip);
  if (fit.kind === 'unfit') throw fit.error;
  const ref = freeRef(booking);
  const fresh = { ...fit.flight, ref, optionRef: ref };
  checkTravelers(booking, { replaced, fresh }, trip, problems);
  const { statusCode: _, ...sent } = fresh;
  return { ref, segments: [sent] };
}

/** Why an offer cannot take the place of a segment: in words, and as the error about the argument. */
export interface UnfitOffer {
  readonly kind: 'unfit';
  readonly why: string;
  readonly error: ClerkError;
  /** The offer is the booked flight itself. */
  readonly isSame?: true;
}

/**
 * Gives the offer's only flight, or the first reason why it does not fit in place of the segment: a connection, other stations, the
 * one that is not on offer, the booked flight itself, or a time at which the trip does not allow it.
 */
export function fitOffer(
  booking: Booking,
  replaced: Segment,
  { options }: Pick<Trip, 'options'>,
): UnfitOffer | { readonly kind: 'fits'; readonly flight: Segment } {
  const [offered, ...more] = options.flatMap(({ segments }) => segments);
  if (offered === undefined || options.length !== 1 || more.length > 0)
    return unfit('this is a connection, and the airline exchanges single segments');

  const route = `${cleanCode(replaced.from)} to ${cleanCode(replaced.to)}`;
  if (offered.from !== replaced.from || offered.to !== replaced.to) return unfit(`it is not from ${route}`);

  // An airline may have a code of its own for every offer: the search has noted it.
  const isOwnCode = segmentMeaning(offered.statusCode) === 'unknown';
  const notOffered = isOwnCode ? undefined : notOnOffer(offered.statusCode);
  if (notOffered !== undefined)
    return unfit(`the airline sends it as ${notOffered}, and a confirmed flight would be given up for it`);

  if (sameFlight(flightKey(offered), flightKey(replaced))) {
    return bookedAlready(`segment ${cleanRef(replaced.ref)} has this number, day and class already`);
  }

  return whyNotInOrder(booking, replaced, offered) ?? { kind: 'fits', flight: offered };
}

function unfit(why: string): UnfitOffer {
  return { kind: 'unfit', why, error: inputError(FIELD, `${why}.`, SEARCH_INSTEAD) };
}

/** An offer of what is booked: by another fare alone nothing is exchanged. */
export function bookedAlready(why: string): UnfitOffer {
  const what = `${capitalized(why)}; the fare alone cannot be changed.`;
  const next = 'Call search_fares for another departure or class.';
  return { kind: 'unfit', why, error: notSent('E_ALREADY_DONE', what, next), isSame: true };
}

/** Gives a ref that no option or segment of the booking has. */
function freeRef(booking: Booking): string {
  const used = [...booking.options, ...segmentsOf(booking)].map(({ ref }) => ref);
  const highest = Math.max(0, ...used.map(Number).filter(Number.isSafeInteger));
  return String(highest + 1);
}

/** Refuses a flight that departs before the previous segment arrives, or arrives after the next one departs. */
function whyNotInOrder(booking: Booking, replaced: Segment, fresh: Segment): UnfitOffer | undefined {
  const trip = activeSegments(booking).toSorted((a, b) => (instantOf(a.departs) ?? 0) - (instantOf(b.departs) ?? 0));
  const index = trip.findIndex(({ ref }) => ref === replaced.ref);
  const previous = trip[index - 1];
  const next = trip[index + 1];
  if (overlap(previous, fresh)) return unfit(`it departs before segment ${cleanRef(previous?.ref ?? '')} arrives`);
  if (overlap(fresh, next)) return unfit(`it arrives after segment ${cleanRef(next?.ref ?? '')} departs`);
  return undefined;
}

/** Whether `later` departs before `earlier` arrives. False if either time is not known. */
function overlap(earlier: Segment | undefined, later: Segment | undefined): boolean {
  const arrives = instantOf(earlier?.arrives);
  const departs = instantOf(later?.departs);
  return arrives !== undefined && departs !== undefined && departs < arrives;
}

/** Checks the number of travellers against the offer, and their ages and documents against the new date. */
export function checkTravelers(
  booking: Booking,
  { replaced, fresh }: { readonly replaced: Segment; readonly fresh: Segment },
  trip: Trip,
  problems: InputProblems,
): void {
  const { travelers } = booking;
  const otherParty = partyProblem(countPassengers(travelers), trip.passengers);
  if (otherParty !== undefined) problems.add(FIELD, otherParty, SEARCH_INSTEAD);

  const segments = [...activeSegments(booking).filter(({ ref }) => ref !== replaced.ref), fresh];
  for (const traveler of travelers) {
    const { ref, name, type } = traveler;
    const { birthDate, document } = travelerAsRead(booking, traveler);
    const misfit = birthDate === undefined ? undefined : firstMisfit(type, birthDate, [fresh]);

    if (misfit) {
      const problem = `passenger ${cleanRef(ref)} is no ${cleanCode(type)} any more on ${misfit.date}`;
      problems.add(FIELD, problem, SEARCH_INSTEAD);
    }

    if (document?.expires === undefined) continue;

    checkExpiry(
      document.expires,
      lastArrival(segments),
      { field: `passenger ${cleanRef(ref)}, document`, holder: quotedName(name) },
      problems,
    );
  }
}
