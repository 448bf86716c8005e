/** What the journal says was done to a booking, and a reading of it does not show yet. */

import { asKnown, type BookingAsKnown } from '../domain/booking/as-known.ts';
import type { Booking, Deed, UnshownDeed } from '../domain/booking/booking.ts';
import { SHOWN_WITHIN_MS } from '../domain/facts/touches.ts';
import type { Digest } from '../domain/people/identity-text.ts';
import { type Acts, touchesOf } from './act.ts';
import type { Operation } from './operation.ts';

/** What the comparison of a reading with the one before says. */
export interface Compared {
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
  /** Gives the ids of the operations that some reading showed, and none if no reading is known. Asked only where it matters. */
  seen(): Promise<readonly string[]>;
}

/**
 * Gives the booking as it is known. After {@link SHOWN_WITHIN_MS}, what some reading showed and this one does not is the airline's doing.
 * What no reading ever showed stays known for longer: nobody can tell whether it was undone or never done.
 * @param operations those on the booking, newest first, whoever asked for them
 */
export async function knownBooking(
  booking: Booking,
  operations: readonly Operation[],
  from: KnownFrom,
): Promise<BookingAsKnown> {
  const notShown = unshownDeeds(booking, operations, from);
  const isPast = ({ at }: UnshownDeed) => from.now - at >= SHOWN_WITHIN_MS;
  const seen = notShown.some(isPast) ? await from.seen() : [];
  return asKnown(
    booking,
    notShown.filter((deed) => !isPast(deed) || !seen.includes(deed.operationId)),
  );
}

/** What the operations did that the reading does not show, whenever it was. */
function unshownDeeds(
  booking: Booking,
  operations: readonly Operation[],
  { acts, digest }: Pick<KnownFrom, 'acts' | 'digest'>,
): readonly UnshownDeed[] {
  const later: Deed[] = [];
  const notShown: UnshownDeed[] = [];

  // What a person resolved may never have happened.
  for (const operation of operations.filter(({ state }) => state === 'succeeded')) {
    const deeds = touchesOf(acts, operation).flatMap((touch) => touch.deeds?.(booking, digest) ?? []);

    for (const { isShown, ...deed } of deeds) {
      // What a later act did to the same is what a reading must show.
      const isOver = later.some((other) => isSameDeed(other, deed));
      if (!isShown && !isOver) notShown.push({ ...deed, ...factsOf(operation) });
    }

    later.push(...deeds);
  }

  return notShown;
}

/** Lists the operations whose deeds this reading shows in full. */
export function shownBy(
  booking: Booking,
  operations: readonly Operation[],
  { acts, digest }: Pick<KnownFrom, 'acts' | 'digest'>,
): readonly string[] {
  const succeeded = operations.filter(({ state }) => state === 'succeeded');
  const isShown = (operation: Operation) => {
    const deeds = touchesOf(acts, operation).flatMap((touch) => touch.deeds?.(booking, digest) ?? []);
    return deeds.length > 0 && deeds.every((deed) => deed.isShown);
  };
  return succeeded.filter(isShown).map(({ id }) => id);
}

function factsOf({ id: operationId, tool, updatedAt: at, amount, direction, outcome }: Operation) {
  const sum = direction === 'payment' ? amount : undefined;
  const tickets = outcome?.tickets?.length;
  return { operationId, tool, at, ...(sum !== undefined && { sum }), ...(tickets !== undefined && { tickets }) };
}

/** Whether both are about the same of the same people and segments. */
export function isSameDeed(a: Deed, b: Deed): boolean {
  const isSameKind = a.kind === b.kind && a.isContact === b.isContact && a.what === b.what;
  return isSameKind && share(a.segmentRefs, b.segmentRefs) && share(a.travelerRefs, b.travelerRefs);
}

/** Without refs it is about all. */
function share(a: readonly string[], b: readonly string[]): boolean {
  return a.length === 0 || b.length === 0 || a.some((ref) => b.includes(ref));
}
