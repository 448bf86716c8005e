/** Segments are cancelled in whole options (docs/wire/interface.md, Changes). */

import { inputError } from '../../core/errors.ts';
import { type Booking, type SegmentOption, segmentsOf } from '../../domain/booking/booking.ts';
import { standing } from '../../domain/booking/status-codes.ts';
import { manyByRef } from './find-by-ref.ts';
import { notSent, refusalOf } from './refusal.ts';
import { maybeRefunded } from './why-not-cancel.ts';

/** Finds the options of these segments. `tool`: the tool that the error names. */
export function optionsOfSegments(booking: Booking, given: readonly string[], tool: string): readonly SegmentOption[] {
  const segments = manyByRef(segmentsOf(booking), given, 'segment_refs', 'the booking has');
  const gone = segments.filter((s) => standing(s) === 'cancelled');
  const unclear = gone.find(({ owed }) => owed === 'unclear');
  if (unclear !== undefined) throw refusalOf(booking, maybeRefunded(unclear.ref));
  if (gone.length > 0) {
    throw notSent(
      'E_ALREADY_DONE',
      `Segment ${gone.map(({ ref }) => ref).join(', ')} is cancelled already.`,
      `Call read_booking to see it, or ${tool} with the other segments only.`,
    );
  }
  const options = booking.options.filter((option) => option.segments.some((segment) => segments.includes(segment)));
  const others = options.flatMap((option) => option.segments).filter((segment) => !segments.includes(segment));
  if (others.some((s) => standing(s) !== 'cancelled')) {
    const optionRefs = options.map((option) => option.segments.map(({ ref }) => ref).join('+')).join(', ');
    throw inputError('segment_refs', `expected whole options, which are cancelled together: ${optionRefs}.`);
  }
  return options;
}
