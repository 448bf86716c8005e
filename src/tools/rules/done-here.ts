/**
 * What was done here and the airline's reading does not show yet: which acts it rules out, and from when on a person can want one all the
 * same. In this order: the refusal of a call, that of a reading tool, what rules what out, the times.
 */

import { instantOf, MINUTE_MS, utcText } from '../../core/times.ts';
import {
  asIfNotDone,
  type BookingAsKnown,
  deedsDoneHere,
  readAgainStep,
  whyCancelled,
} from '../../domain/booking/as-known.ts';
import {
  activeOptions,
  activeSegments,
  type Booking,
  type BookingPart,
  bareOf,
  type Deed,
  type DeedKind,
  segmentsOf,
  type UnshownDeed,
  unshownOf,
} from '../../domain/booking/booking.ts';
import { bookingState, payBy } from '../../domain/booking/booking-state.ts';
import { showClock } from '../../domain/booking/deadlines.ts';
import { hasTickets } from '../../domain/booking/paid-and-refunded.ts';
import { SHOWN_WITHIN_MS } from '../../domain/facts/touches.ts';
import { ruleWindows } from '../../domain/refund/rules-in-force.ts';
import { notPermitted, type Refusal, refusalError } from './why-not.ts';

/** An act that may be next. */
export interface NextAct {
  /** What it does. Absent: it makes a booking. */
  readonly deed?: DeedKind;
  /** What this call is about to do, by the refs of the booking. Absent: no call is known. */
  readonly doing?: readonly Deed[];
}

/** A booking that an act may change. */
export interface Changeable {
  /** What the terms are made of: as it is known, or as if what stands in `again` were not done. */
  readonly booking: BookingAsKnown;
  /** What the act may do again, because a person asks for it although it was done here. */
  readonly again: readonly UnshownDeed[];
}

interface Refusing {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The call asks for it although it was done here. */
  readonly althoughDone?: boolean | undefined;
}

/** From this age on an act may be done again because a limit is near, milliseconds. */
const SOONEST_MS = 10 * MINUTE_MS;
/** How near a limit must be for that, milliseconds. */
const NEAR_MS = 10 * MINUTE_MS;

/**
 * Refuses an act that was done here already, or that something done here rules out, while the airline does not show it.
 * @throws ClerkError E_ALREADY_DONE, E_NOT_PERMITTED
 */
export function refuseDone(known: BookingAsKnown, next: NextAct, { now, althoughDone }: Refusing): Changeable {
  const deeds = rulingOut(known, next);
  if (deeds.length === 0) return { booking: known, again: [] };

  const isWanted = althoughDone === true && canBeWanted(deeds, next);
  if (isWanted && deeds.every((deed) => mayBeDoneAgain(known, deed, now))) {
    return { booking: asIfNotDone(known), again: deeds };
  }

  throw refusalError(known, { ...doneRefusal(known, deeds, next), next: actStep(known, deeds, next, now) });
}

/** Why an act is ruled out by what was done here and is not shown yet, for tools that only read; undefined if nothing rules it out. */
export function whyDone(booking: Booking, next: NextAct, now: number): Refusal | undefined {
  const deeds = rulingOut(booking, next);
  if (deeds.length === 0) return undefined;
  return { ...doneRefusal(booking, deeds, next), next: readStep(booking, deeds, now) };
}

function doneRefusal(booking: Booking, deeds: readonly UnshownDeed[], next: NextAct): Pick<Refusal, 'code' | 'why'> {
  const isAgain = deeds.some((deed) => isDoneAgain(booking, deed, next));
  return { code: isAgain ? 'E_ALREADY_DONE' : 'E_NOT_PERMITTED', why: whyText(booking, deeds) };
}

/** `it was paid here on Sun 29 Nov 08:00 (UTC+3), EUR 557.06, 3 tickets; the airline's reading does not show it yet`. */
function whyText(booking: Booking, deeds: readonly UnshownDeed[]): string {
  return isWholeCancelledHere(booking) ? whyCancelled(booking) : deedsDoneHere(booking, deeds);
}

function actStep(booking: Booking, deeds: readonly UnshownDeed[], next: NextAct, now: number): string {
  if (!deeds.every((deed) => mayBeDoneAgain(booking, deed, now))) return untilLastIsShown(booking, deeds);
  const ifNotDone = canBeWanted(deeds, next)
    ? 'If it says that nothing was done, call again'
    : 'If it says that nothing was paid, call pay_booking';
  return `Tell the person to ask the airline first. ${ifNotDone} with although_done: true; the approval page or the terminal asks.`;
}

function readStep(booking: Booking, deeds: readonly UnshownDeed[], now: number): string {
  const isLate = deeds.every(({ at }) => now - at >= SHOWN_WITHIN_MS);
  return isLate ? 'Tell the person to ask the airline what was done.' : untilLastIsShown(booking, deeds);
}

/** Reading again helps for an hour after the last of it. */
function untilLastIsShown(booking: Booking, deeds: readonly UnshownDeed[]): string {
  const last = Math.max(...deeds.map(({ at }) => at));
  const [from] = segmentsOf(booking);
  // The reason before it says in which zone.
  const [at] = showClock(utcText(last + SHOWN_WITHIN_MS), from?.departs).split(' ');
  return readAgainStep(String(at));
}

// Tools that read what is there only once it is paid, or of what runs.

/**
 * Why nothing can be read of these segments yet, such as seats or tickets: what the airline has of them is from before.
 * @param segmentRefs absent: all of the booking
 */
export function whyNotReadYet(
  booking: Booking,
  segmentRefs: readonly string[] | undefined,
  now: number,
): Refusal | undefined {
  if (isWholeCancelledHere(booking)) return notPermitted(whyCancelled(booking));

  const isAsked = ({ segmentRefs: refs }: UnshownDeed) =>
    segmentRefs === undefined || refs.some((ref) => segmentRefs.includes(ref));
  const deeds = [
    ...(hasTickets(booking) ? [] : unshownOf(booking, 'payment')),
    ...unshownOf(booking, 'rebooking').filter(isAsked),
  ];
  if (deeds.length === 0) return undefined;

  return notPermitted(deedsDoneHere(booking, deeds), readStep(booking, deeds, now));
}

// What rules out what.

/** Acts that a deed rules out, whatever they are about. */
const RULES_OUT: Readonly<Record<DeedKind, readonly DeedKind[]>> = {
  // What it was charged for has no ticket and no seat before the airline shows it. A new flight would be charged to this payment.
  payment: ['payment', 'rebooking', 'seat'],
  // The sums of the reading are still those of the whole.
  cancellation: ['cancellation', 'payment'],
  split: ['cancellation', 'payment'],
  rebooking: [],
  // They send back what was read of people, and would bring back the old details.
  details: ['details'],
  seat: [],
  service: [],
};

/** Acts that a deed rules out where they are about the same segment. */
const RULES_OUT_ON_SEGMENT: readonly DeedKind[] = ['cancellation', 'rebooking', 'seat', 'service'];

/** Lists what was done here that rules out the act, oldest first. */
function rulingOut(booking: Booking, next: NextAct): readonly UnshownDeed[] {
  if (next.deed === undefined) return [];
  if (isWholeCancelledHere(booking)) return unshownOf(booking, 'cancellation');
  return unshownOf(booking).filter((deed) => isRuledOut(deed, next));
}

function isRuledOut(done: UnshownDeed, { deed, doing = [] }: NextAct): boolean {
  if (deed === undefined) return false;
  // The booking is as it reads, but it is paid once more by a person's own wish alone.
  if (done.isUndone) return deed === done.kind;
  if (RULES_OUT[done.kind].includes(deed)) return true;

  switch (done.kind) {
    case 'cancellation':
    case 'split':
      return doing.some((one) => names(one, done));
    case 'rebooking':
      return RULES_OUT_ON_SEGMENT.includes(deed) && doing.some((one) => isOnSegment(one, done));
    default:
      return doing.some((one) => isSameWish(one, done));
  }
}

/** Whether the act does again what was done, and not something else that it rules out. */
function isDoneAgain(booking: Booking, done: UnshownDeed, { deed, doing = [] }: NextAct): boolean {
  if (done.kind !== deed) return false;

  switch (deed) {
    case 'payment':
      return true;
    case 'seat':
    case 'service':
      return doing.some((one) => isSameWish(one, done));
    case 'details':
      return doing.some((one) => (done.isContact ? one.isContact : names(one, done)));
    default:
      // Cancelling all that is left is not what was done to a part.
      return isWholeCancelledHere(booking) || doing.some((one) => names(one, done));
  }
}

/** Whether a call wants a seat or a service that was given or asked for already. What service it was may not be known. */
function isSameWish(one: Deed, done: Deed): boolean {
  const isSameKind = one.kind === done.kind && (done.what === undefined || one.what === done.what);
  return isSameKind && isOnSegment(one, done) && one.travelerRefs.some((ref) => done.travelerRefs.includes(ref));
}

/** Whether the refs of one are among those of the other. */
function names(one: BookingPart, other: BookingPart): boolean {
  const isPerson = one.travelerRefs.some((ref) => other.travelerRefs.includes(ref));
  return isPerson || one.segmentRefs.some((ref) => other.segmentRefs.includes(ref));
}

/** Without refs it is about all segments. */
function isOnSegment({ segmentRefs }: BookingPart, done: BookingPart): boolean {
  return segmentRefs.length === 0 || segmentRefs.some((ref) => done.segmentRefs.includes(ref));
}

/** Whether nothing is left of the booking, by what was cancelled here. */
function isWholeCancelledHere(booking: Booking): boolean {
  if (unshownOf(booking, 'cancellation').length === 0) return false;
  // The state does not depend on the time: a cancellation comes before every limit.
  return bookingState(booking, 0).state === 'cancelled';
}

// The times.

/**
 * Whether a person can want the act again. Where a payment is not shown, nothing that needs one can be done as if there were none: it has
 * to be paid again first.
 */
function canBeWanted(deeds: readonly UnshownDeed[], { deed }: NextAct): boolean {
  return deeds.every(({ kind }) => kind !== 'payment' || deed === 'payment');
}

/**
 * Whether a person may have it done although it was done here. From an hour on; from ten minutes on, if what the person would lose by
 * waiting is lost within the next ten minutes.
 * @param now milliseconds since 1970
 */
export function mayBeDoneAgain(booking: Booking, { at }: Pick<UnshownDeed, 'at'>, now: number): boolean {
  const age = now - at;
  if (age >= SHOWN_WITHIN_MS) return true;
  return age >= SOONEST_MS && limitsOf(bareOf(booking), now).some((limit) => limit > now && limit <= now + NEAR_MS);
}

/** When it lapses, when less or nothing comes back of it, and when it departs: milliseconds since 1970. */
function limitsOf(booking: Booking, now: number): readonly number[] {
  const cancelled = { options: activeOptions(booking), travelers: booking.travelers };
  const windows = ruleWindows(booking, cancelled, now);
  const [step] = windows.later();
  const times = [payBy(booking), ...activeSegments(booking).map(({ departs }) => departs)].map(instantOf);
  return [...times, step?.at, windows.ends].flatMap((ms) => ms ?? []);
}
