/**
 * What a reply or a reading proves of an operation.
 *
 * - `done`: it happened. `not_done`: nothing changed.
 * - `partial`: a part of it happened. The airline may still be working: read again for a while.
 * - `contradicted`: the booking shows a change that this operation did not ask for. A person must check.
 * - `bare`: the booking shows nothing any more, as after a full cancellation. One such reading is no proof.
 * - `void`: another booking, or nothing that proves anything.
 */

import type { Booking, CancelReceipt, PaymentReceipt, Reading } from '../domain/booking/booking.ts';
import type { ExpectedTraveler, NameChange } from '../domain/facts/expected-change.ts';
import { type Digest, identityText } from '../domain/people/identity-text.ts';
import type { Traveler } from '../domain/people/traveler.ts';

export type Verdict = 'done' | 'not_done' | 'partial' | 'contradicted' | 'bare' | 'void';

/** What the airline answered. */
export interface Evidence {
  readonly booking?: Booking;
  readonly receipt?: PaymentReceipt;
  readonly cancelled?: CancelReceipt;
}

/** Combines the verdicts on the parts of one operation: contradicted if one is. Ignores void ones. */
export function together(verdicts: readonly Verdict[]): Verdict {
  const clear = verdicts.filter((verdict) => verdict !== 'void');
  const [first = 'void'] = clear;
  if (clear.includes('contradicted')) return 'contradicted';
  return clear.every((verdict) => verdict === first) ? first : 'partial';
}

/** A passenger as an operation stores it. If the booking has no such passenger, one that no reading can show. */
export function expectTraveler(booking: Booking, travelerRef: string, digest: Digest): ExpectedTraveler {
  const traveler = booking.reading.travelers.find(({ ref }) => ref === travelerRef);
  return { travelerRef, who: traveler === undefined ? '' : digest(identityText(traveler)) };
}

/** Finds a passenger in a reading by identity. If several share one, the pointer decides. */
export function findTraveler(
  booking: Booking,
  { travelerRef, who }: ExpectedTraveler,
  digest: Digest,
): Traveler | undefined {
  return oneOf(alike(booking.reading.travelers, [who], digest), travelerRef);
}

/** Finds the passenger of a change as they were or are to be; if the airline writes their name in another way, by the pointer. */
export function findChanged(
  { travelers }: Pick<Reading, 'travelers'>,
  { ref: pointer, who = [] }: NameChange,
  digest: Digest,
): Traveler | undefined {
  const matches = alike(travelers, who, digest);
  return matches.length > 0 ? oneOf(matches, pointer) : travelers.find(({ ref }) => ref === pointer);
}

function alike(travelers: readonly Traveler[], who: readonly string[], digest: Digest): readonly Traveler[] {
  return travelers.filter((traveler) => who.includes(digest(identityText(traveler))));
}

function oneOf(matches: readonly Traveler[], pointer: string): Traveler | undefined {
  return matches.find(({ ref }) => ref === pointer) ?? (matches.length === 1 ? matches[0] : undefined);
}

/** A value that an act changes. Absent: the airline does not show it. */
interface ChangedValue<T> {
  readonly was?: T;
  readonly wanted: T;
  /** Other values that prove the change. */
  readonly or?: readonly T[];
  /** The airline showed nothing before, and may never show it. */
  readonly unseen?: true;
}

/** Compares what a reading shows of a value now with what it was and what was wanted. Undefined: it shows nothing. */
export function compared<T>(
  shown: T | undefined,
  { was, wanted, or = [], unseen }: ChangedValue<T>,
  isSame: (shown: T, known: T) => boolean = Object.is,
): Verdict {
  if (shown === undefined) return was === undefined ? 'void' : 'contradicted';
  if ([wanted, ...or].some((proof) => isSame(shown, proof))) return 'done';
  if (was === undefined || !isSame(shown, was)) return 'contradicted';
  return unseen ? 'void' : 'not_done';
}

/**
 * Judges by the parts of a booking that it shows an act that was to take some of them out. Equal parts are counted. The first row that
 * holds counts:
 *
 * | none is shown                              | void |
 * | one that was to stay is missing            | contradicted |
 * | all that were to go are still there        | not_done |
 * | none is there but those that were to stay  | done |
 * | anything else                              | partial: a part that nobody knows may be one that was to go, with another name |
 */
export function judgeParts(shown: readonly string[], kept: readonly string[], gone: readonly string[]): Verdict {
  if (shown.length === 0) return 'void';
  const others = without(shown, kept, Object.is);
  if (others === undefined) return 'contradicted';
  if (without(others, gone, Object.is) !== undefined) return 'not_done';
  return others.length === 0 ? 'done' : 'partial';
}

/** The list without one of each of `taken`; undefined if one is missing. */
export function without<T, U>(
  list: readonly T[],
  taken: readonly U[],
  isSame: (item: T, taken: U) => boolean,
): readonly T[] | undefined {
  const rest = [...list];
  for (const item of taken) {
    const index = rest.findIndex((each) => isSame(each, item));
    if (index < 0) return undefined;
    rest.splice(index, 1);
  }
  return rest;
}
