/** What the journal says was done to a booking, and a reading of it does not show yet. */

import { asKnown, type BookingAsKnown, isKnown } from '../domain/booking/as-known.ts';
import type { Booking, Deed, JudgedDeed, UnshownDeed } from '../domain/booking/booking.ts';
import { bookingState } from '../domain/booking/booking-state.ts';
import { SHOWN_WITHIN_MS } from '../domain/facts/touches.ts';
import type { Digest } from '../domain/people/identity-text.ts';
import { type Acts, touchesOf } from './act.ts';
import { newestOn } from './on-booking.ts';
import type { Operation } from './operation.ts';
import type { OperationStore } from './ports.ts';

/** What the comparison of a reading with the one before says. */
export interface AsCompared {
  /** It is sure that no finding about the booking is open. */
  readonly isQuiet: boolean;
  /** Ids of the operations whose deeds this reading or one before it showed. */
  readonly seen: readonly string[];
}

interface KnownFrom {
  readonly acts: Acts;
  readonly digest: Digest;
  /** When the reading began, milliseconds since 1970. */
  readonly now: number;
  /** Gives the ids of the operations that some reading showed. Asked only where it matters. Absent: no other reading is known. */
  seen?(): Promise<readonly string[]>;
}

/**
 * Gives the booking as it is known. After {@link SHOWN_WITHIN_MS}, what some reading showed and this one does not is the airline's doing:
 * the booking is what the reading shows. Only a payment that is gone is still named, because a node may lag for longer, and it would be
 * paid twice.
 * What no reading ever showed stays known: nobody can tell whether it was undone or never done.
 * @param operations those on the booking, newest first, whoever asked for them
 */
export async function knownBooking(
  booking: Booking,
  operations: readonly Operation[],
  from: KnownFrom,
): Promise<BookingAsKnown> {
  const notShown = unshownDeeds(booking, operations, from);
  const isPast = ({ at }: UnshownDeed) => from.now - at >= SHOWN_WITHIN_MS;
  const seen = notShown.some(isPast) ? ((await from.seen?.()) ?? []) : [];
  const isUndone = (deed: UnshownDeed) => isPast(deed) && seen.includes(deed.operationId);
  const known = notShown.flatMap((deed): readonly UnshownDeed[] => {
    if (!isUndone(deed)) return [deed];
    return deed.kind === 'payment' && isHeldAgain(booking, from.now) ? [{ ...deed, isUndone: true }] : [];
  });
  return asKnown(booking, known);
}

function isHeldAgain(booking: Booking, now: number): boolean {
  const { state } = bookingState(booking, now);
  return state === 'held' || state === 'expired';
}

/**
 * Gives a booking as it is known by the operations in the store. One that is known already stays as it is.
 * @throws what the store throws
 */
export async function knownByStore(
  booking: Booking,
  store: Pick<OperationStore, 'list'>,
  tenant: string,
  from: KnownFrom,
): Promise<BookingAsKnown> {
  if (isKnown(booking)) return booking;
  return knownBooking(booking, await newestOn(booking, store, tenant), from);
}

/** What the operations did that the reading does not show, whenever it was. */
function unshownDeeds(
  booking: Booking,
  operations: readonly Operation[],
  from: Omit<KnownFrom, 'seen'>,
): readonly UnshownDeed[] {
  const later: Deed[] = [];
  const others: UnshownDeed[] = [];
  const notShown: UnshownDeed[] = [];

  for (const operation of operations.filter(hasSucceeded)) {
    const judged = deedsOf(operation, booking, from);

    for (const { isShown, isOther, isSilent, ...deed } of judged) {
      // What a later act did to the same is what a reading must show.
      const left = withoutLater(deed, later);
      const isForgotten = isSilent && from.now - operation.updatedAt >= SHOWN_WITHIN_MS;
      if (isShown || isForgotten || left === undefined) continue;

      const unshown = { ...left, ...factsOf(operation, deed) };
      if (isOther) others.push(unshown);
      // Of A to B to C the reading shows A: C is what it does not show.
      else notShown.push(others.find((other) => isSameDeed(other, deed)) ?? unshown);
    }

    later.push(...judged.filter(({ isOther }) => !isOther));
  }

  return [...new Set(notShown)];
}

/** Lists the operations whose deeds this reading shows in full. */
export function shownBy(
  booking: Booking,
  operations: readonly Operation[],
  from: Pick<KnownFrom, 'acts' | 'digest'>,
): readonly string[] {
  const isShown = (operation: Operation) => {
    const deeds = deedsOf(operation, booking, from);
    return deeds.length > 0 && deeds.every((deed) => deed.isShown);
  };
  return operations.filter(hasSucceeded).flatMap((operation) => (isShown(operation) ? [operation.id] : []));
}

/** What a person resolved may never have happened. */
const hasSucceeded = ({ state }: Operation): boolean => state === 'succeeded';

function deedsOf(
  operation: Operation,
  booking: Booking,
  { acts, digest }: Pick<KnownFrom, 'acts' | 'digest'>,
): readonly JudgedDeed[] {
  return touchesOf(acts, operation).flatMap((touch) => touch.deeds?.(booking, digest) ?? []);
}

function factsOf({ id: operationId, tool, updatedAt: at, amount: sum, outcome }: Operation, { kind }: Deed) {
  const tickets = outcome?.tickets?.length;
  const facts = { operationId, tool, at };
  if (kind !== 'payment') return facts;
  return { ...facts, ...(sum !== undefined && { sum }), ...(tickets !== undefined && { tickets }) };
}

/** What is left of a deed that later ones did not do again. Undefined: nothing. */
function withoutLater(deed: Deed, later: readonly Deed[]): Deed | undefined {
  const { segmentRefs, travelerRefs } = deed;
  const again = later.filter((other) => isSameDeed(other, deed));
  if (again.length === 0) return deed;

  if (segmentRefs.length > 0) {
    const left = segmentRefs.filter((ref) => !again.some((other) => other.segmentRefs.includes(ref)));
    return left.length === 0 ? undefined : { ...deed, segmentRefs: left };
  }

  const left = travelerRefs.filter((ref) => !again.some((other) => other.travelerRefs.includes(ref)));
  return left.length === 0 ? undefined : { ...deed, travelerRefs: left };
}

/** Whether both are about the same of some of the same people and segments. */
function isSameDeed(a: Deed, b: Deed): boolean {
  const isSameKind = a.kind === b.kind && a.isContact === b.isContact && a.what === b.what;
  return isSameKind && share(a.segmentRefs, b.segmentRefs) && share(a.travelerRefs, b.travelerRefs);
}

/** A deed without refs is of the whole booking, and no part of it is the same. */
function share(a: readonly string[], b: readonly string[]): boolean {
  return a.length === 0 ? b.length === 0 : a.some((ref) => b.includes(ref));
}
