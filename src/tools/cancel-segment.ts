import * as z from 'zod';
import type { Booking } from '../domain/booking/booking.ts';
import { segmentsOf } from '../domain/booking/expected-change.ts';
import type { SegmentOption } from '../domain/booking/itinerary.ts';
import { segmentStatus } from '../domain/booking/status-codes.ts';
import { activeOptions } from '../domain/pricing/penalty-rules.ts';
import { ClerkError, inputError } from '../errors.ts';
import { cancelledReport, cancelledText, cancelOptionsTerms, type ModifySend, readNow } from './definition/cancel.ts';
import { defineGuardedTool, once } from './definition/define.ts';
import { approvalId, locator, refs } from './definition/input-fields.ts';
import { refuse, whyNotCancel } from './rules/permissions.ts';
import { refundSchema } from './views/refund-result.ts';

const input = once(() =>
  z.strictObject({
    locator: locator(),
    segment_refs: refs().optional(),
    all: z.boolean().optional(),
    approval_id: approvalId(),
  }),
);

const output = once(() => z.object({ cancelled_refs: z.array(z.string()), refund: refundSchema().optional() }));

type Args = z.output<ReturnType<typeof input>>;

export const cancelSegment = defineGuardedTool<ReturnType<typeof input>, ReturnType<typeof output>, ModifySend>({
  name: 'cancel_segment',
  title: 'Cancel segments',
  description:
    'Cancel flights of a paid booking, with refund, after a person approves. Name segment_refs, or all: true.',
  toolset: 'core',
  effect: 'commit',
  input,
  output,

  async preview(args, ctx) {
    assertOneWay(args);
    const booking = await readNow(args.locator, ctx);
    // What cannot be cancelled at all is said before what was named wrongly.
    refuse(booking, whyNotCancel(booking, ctx.now(), []));
    const options = args.segment_refs ? named(booking, args.segment_refs) : activeOptions(booking);
    refuse(booking, whyNotCancel(booking, ctx.now(), options));
    return cancelOptionsTerms(booking, options, ctx);
  },

  async commit(confirmed, ctx) {
    return { booking: await ctx.airline.modify(confirmed) };
  },

  report(done) {
    const added = cancelledReport(done);
    return { added, changed: [`segments ${added.cancelled_refs.join(', ')} cancelled`] };
  },

  text: cancelledText,
});

function assertOneWay(args: Args): void {
  if ((args.segment_refs === undefined) === (args.all !== true)) {
    throw inputError('segment_refs', 'expected exactly one of segment_refs and all: true.');
  }
}

/** The options that these segments are; the documented message cancels whole options. */
function named(booking: Booking, given: readonly string[]): readonly SegmentOption[] {
  const refs = new Set(given);
  const segments = segmentsOf(booking);
  const unknown = [...refs].filter((ref) => !segments.some((segment) => segment.ref === ref));
  if (unknown.length > 0) {
    throw inputError('segment_refs', `expected refs of this booking: ${segments.map(({ ref }) => ref).join(', ')}.`);
  }
  const gone = segments.filter((s) => refs.has(s.ref) && segmentStatus(s.statusCode) === 'cancelled');
  if (gone.length > 0) {
    const told = gone.map(({ ref }) => ref).join(', ');
    throw new ClerkError('E_ALREADY_DONE', `Segment ${told} is cancelled already. Nothing was sent.`, {
      next: 'Call read_booking to see it, or cancel_segment with the other segments only.',
    });
  }
  const options = booking.options.filter((option) => option.segments.some((segment) => refs.has(segment.ref)));
  const missing = options.flatMap((option) =>
    option.segments.filter((s) => !refs.has(s.ref) && segmentStatus(s.statusCode) !== 'cancelled'),
  );
  if (missing.length > 0) {
    const whole = options.map((option) => option.segments.map(({ ref }) => ref).join('+')).join(', ');
    throw inputError('segment_refs', `expected whole options, which are cancelled together: ${whole}.`);
  }
  return options;
}
