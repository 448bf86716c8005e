/**
 * What a reply or a reading proves of an operation.
 *
 * - `done`: it happened. `not_done`: all stands as before.
 * - `partial`: some of it shows; the airline may still be at work, so it is read again for a while.
 * - `contradicted`: something shows that this operation did not mean to bring about. A person must look.
 * - `bare`: nothing of it is shown any more, as after a full cancellation; a single reading may be so for another reason.
 * - `void`: this is not the booking that was asked for, or it shows nothing either way.
 */
import type { ExpectedChange } from '../../domain/booking/expected-change.ts';

export type Verdict = 'done' | 'not_done' | 'partial' | 'contradicted' | 'bare' | 'void';

export type Of<K extends ExpectedChange['kind']> = Extract<ExpectedChange, { kind: K }>;

/** Several things that one operation was to bring about, as one; those that show nothing either way are left aside. */
export function together(states: readonly Verdict[]): Verdict {
  const told = states.filter((state) => state !== 'void');
  if (told.length === 0) return 'void';
  if (told.every((state) => state === 'done')) return 'done';
  return told.every((state) => state === 'not_done') ? 'not_done' : 'partial';
}

interface Watched {
  readonly was: string;
  readonly wanted: string;
  readonly or?: readonly string[];
  readonly unseen?: true;
}

/** One thing by its digest now. `unseen`: the airline showed nothing of it before. */
export function compared(now: string | undefined, { was, wanted, or = [], unseen }: Watched): Verdict {
  if (now === wanted || (now !== undefined && or.includes(now))) return 'done';
  if (now !== was) return 'contradicted';
  return unseen ? 'void' : 'not_done';
}

/** The list less one of each of `taken`; undefined where one of them is not there. */
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
