import * as z from 'zod';
import { activeSegments, cancelPassengersSubject } from '../domain/booking/expected-change.ts';
import { fullName } from '../domain/people/traveler.ts';
import { activeOptions } from '../domain/pricing/penalty-rules.ts';
import { quoted } from '../domain/time-and-text/clean-text.ts';
import { omitUndefined } from '../domain/time-and-text/omit-undefined.ts';
import { actWords, type ModifySend, readNow, refundTerms } from './definition/cancel.ts';
import { defineGuardedTool, once } from './definition/define.ts';
import { approvalId, locator, refs } from './definition/input-fields.ts';
import { refuse, whyNotCancelPassengers, whyNotRefund } from './rules/permissions.ts';
import { assertNoOrphan, leavingOf, passengersText } from './rules/removed-passengers.ts';
import { refundOutline, refundText, refundView } from './views/refund-result.ts';
import { flightLine, personLine } from './views/terms-lines.ts';

const input = once(() => z.strictObject({ locator: locator(), passenger_refs: refs(), approval_id: approvalId() }));

const output = once(() =>
  z.object({ cancelled_passenger_refs: z.array(z.string()), refund: refundOutline().optional() }),
);

export const cancelPassenger = defineGuardedTool<ReturnType<typeof input>, ReturnType<typeof output>, ModifySend>({
  name: 'cancel_passenger',
  title: 'Cancel passengers',
  description:
    'Remove passengers from a paid booking, with refund, after a person approves. Name a lap infant together with its adult.',
  toolset: 'core',
  effect: 'commit',
  input,
  output,

  async preview(args, ctx) {
    const booking = await readNow(args.locator, ctx);
    refuse(booking, whyNotRefund(booking, ctx.now()));
    const going = leavingOf(booking, new Set(args.passenger_refs));
    const going_refs = going.map((traveler) => traveler.ref);
    refuse(booking, whyNotCancelPassengers(booking, ctx.now(), going_refs));
    assertNoOrphan(booking, going_refs, 'cancel_passenger');
    const staying = booking.travelers.filter((traveler) => !going_refs.includes(traveler.ref));
    const refund = refundTerms(booking, { options: activeOptions(booking), travelers: going }, ctx);
    return {
      locator: booking.locator,
      booking,
      lines: [
        `Remove ${passengersText(going)} from booking ${booking.locator}, on all its flights. This cannot be undone.`,
        ...going.map(personLine),
        ...refund.lines,
        ...activeSegments(booking).map((segment) => flightLine(segment)),
        `Stays on the booking: ${staying.map(personLine).join('; ')}`,
        ...(staying.some(({ type }) => type === 'ADT') ? [] : ['No adult stays: the airline may refuse this.']),
      ],
      act: actWords(passengersText(going), booking, refund.estimate),
      ask: true,
      ...refund.terms,
      subject: cancelPassengersSubject(booking, going_refs, ctx.identity),
      send: { modification: { kind: 'cancel_passengers', booking, travelers: going } },
    };
  },

  async commit(confirmed, ctx) {
    return { booking: await ctx.airline.modify(confirmed) };
  },

  report(done) {
    const refs = [...new Set(done.args.passenger_refs)];
    return {
      added: omitUndefined({ cancelled_passenger_refs: refs, refund: refundView(done) }),
      changed: [`passengers ${refs.join(', ')} cancelled`],
    };
  },

  text({ cancelled_passenger_refs: refs = [] }, done) {
    const { operation, booking, terms } = done;
    const before = terms?.booking?.travelers.filter(({ ref }) => refs.includes(ref)) ?? [];
    const who =
      before.length > 0
        ? before.map(({ name }) => (name ? quoted(fullName(name), 70) : 'an unnamed passenger')).join(', ')
        : `passengers ${refs.join(', ')} (old refs)`;
    return [
      `Removed from booking ${operation.locator}: ${who}.`,
      refundText(refundView(done)),
      ...(booking ? booking.travelers.map((traveler) => `  stays: ${personLine(traveler)}`) : []),
    ].join('\n');
  },
});
