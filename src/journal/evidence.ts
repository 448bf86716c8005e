/**
 * What a reply or a reading proves of an operation.
 *
 * - `done`: it happened. `not_done`: nothing changed.
 * - `partial`: a part of it happened. The airline may still be working: read again for a while.
 * - `contradicted`: the booking shows a change that this operation did not ask for. A person must check.
 * - `bare`: the booking shows nothing any more, as after a full cancellation. One such reading is no proof.
 * - `void`: another booking, or nothing that proves anything.
 */

import type { Booking, CancelReceipt, PaymentReceipt } from '../domain/booking/booking.ts';

export type Verdict = 'done' | 'not_done' | 'partial' | 'contradicted' | 'bare' | 'void';

/** What the airline answered. */
export interface Evidence {
  readonly booking?: Booking;
  readonly receipt?: PaymentReceipt;
  readonly cancelled?: CancelReceipt;
}

/** Combines the verdicts on the parts of one operation. Ignores void ones. */
export function together(states: readonly Verdict[]): Verdict {
  const clear = states.filter((state) => state !== 'void');
  if (clear.length === 0) return 'void';
  if (clear.every((state) => state === 'done')) return 'done';
  return clear.every((state) => state === 'not_done') ? 'not_done' : 'partial';
}

interface Watched {
  readonly was: string;
  readonly wanted: string;
  readonly or?: readonly string[];
  readonly unseen?: true;
}

/** Compares the digest now with those before and wanted. `unseen`: the airline showed nothing before. */
export function compared(now: string | undefined, { was, wanted, or = [], unseen }: Watched): Verdict {
  if (now === wanted || (now !== undefined && or.includes(now))) return 'done';
  if (now !== was) return 'contradicted';
  return unseen ? 'void' : 'not_done';
}

/** The list without one of each of `taken`; undefined if one is missing. */
export function without<T, U>(
  list: readonly T[],
  taken: readonly U[],
  same: (one: T, other: U) => boolean,
): readonly T[] | undefined {
  const left = [...list];
  for (const one of taken) {
    const at = left.findIndex((each) => same(each, one));
    if (at < 0) return undefined;
    left.splice(at, 1);
  }
  return left;
}
