/**
 * Lists in what a hold differs from what was asked for: in a sentence for results and questions, and as fields. The words of a
 * difference: domain/facts/words.ts.
 */

import * as z from 'zod';
import { andMore, joined } from '../../core/words.ts';
import type { Booking } from '../../domain/booking/booking.ts';
import type { HeldDifference } from '../../domain/facts/asked-people.ts';
import { heldDifferences } from '../../domain/facts/compare-hold-with-offer.ts';
import { differenceSubject, differenceText, type HoldReaders, sideText } from '../../domain/facts/words.ts';
import { type ToolContext, vehicleOf } from '../definition/define.ts';
import { optionalStrings, strings } from '../definition/field-notes.ts';

/** How many differences the sentence tells in full. */
const MOST_IN_FULL = 3;

export const notAsOfferedSchema = () =>
  z.array(z.object({ ...strings('what'), ...optionalStrings('asked'), ...strings('held') })).optional();

/** `NOT AS OFFERED: flight 1201 leaves 07:05, offered 06:15; and 2 more (flight 1203).` Undefined if nothing differs. */
export function notAsOffered(differences: readonly HeldDifference[], readers: HoldReaders): string | undefined {
  if (differences.length === 0) return undefined;
  const inFull = differences.slice(0, MOST_IN_FULL).map((difference) => differenceText(difference, readers));
  const rest = differences.slice(MOST_IN_FULL);
  const about = rest.map((difference) => differenceSubject(difference, readers) ?? difference.what ?? 'the booking');
  return `NOT AS OFFERED: ${[...inFull, ...andMore(about)].join('; ')}.`;
}

/** Compares a booking with what it was asked for. Undefined if nothing differs, or if this server did not make it. */
export async function unlikeAsked(booking: Booking, ctx: ToolContext): Promise<string | undefined> {
  const [asked, areEntered] = await Promise.all([ctx.state.askedFor(booking), ctx.state.enteredOnPage(booking)]);
  const differences = heldDifferences(asked, booking, ctx.now());
  return notAsOffered(differences, { vehicle: vehicleOf(ctx.settings), areEntered });
}

/** All differences, as fields. Undefined if there are none. */
export function viewDifferences(differences: readonly HeldDifference[], readers: HoldReaders) {
  if (differences.length === 0) return undefined;

  return differences.map((difference) => {
    const { what, says = 'not shown', asked, held } = difference;
    const about = differenceSubject(difference, readers);
    return {
      what: joined([what, about], ' of '),
      asked: asked === undefined ? undefined : sideText(asked, difference, readers),
      held: held === undefined ? says : sideText(held, difference, readers),
    };
  });
}
