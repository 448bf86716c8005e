/** An act that a person wants although it was done here, or something that rules it out, and the airline does not show that. */

import { type Terms, withDoneHere } from '../../approvals/terms.ts';
import { deedsDoneHere, mayBeTwiceText } from '../../domain/booking/as-known.ts';
import { type Booking, type UnshownDeed, unshownOf } from '../../domain/booking/booking.ts';

/**
 * Puts what was done here first into the question, which only the page or the terminal then asks. Without such deeds the terms stay as they
 * are.
 * @param tool the tool that asks
 * @param deeds those that `although_done` overruled
 */
export function withDoneAgain<T>(
  terms: Terms<T>,
  booking: Booking,
  tool: string,
  deeds: readonly UnshownDeed[] = unshownOf(booking),
): Terms<T> {
  if (deeds.length === 0) return terms;

  const others = unshownOf(booking).filter((deed) => !deeds.includes(deed));
  const asked = withDoneHere(terms, mayBeTwiceText(booking, deeds, tool));
  if (others.length === 0) return asked;

  // Once the airline's reading shows them, that needs no new yes.
  const caution = { kind: 'caution', lines: [], named: [`Caution: ${deedsDoneHere(booking, others)}.`] } as const;
  return { ...asked, sections: asked.sections.toSpliced(1, 0, caution) };
}
