import * as z from 'zod';
import { activeSegments } from '../domain/booking/expected-change.ts';
import { splitSubject } from '../domain/booking/expected-details.ts';
import { cleanCode } from '../domain/time-and-text/clean-text.ts';
import { omitUndefined } from '../domain/time-and-text/omit-undefined.ts';
import { ASSUMED_RESULT, ASSUMED_TERM, assumption } from './definition/assumed-requests.ts';
import { type ModifySend, readNow } from './definition/cancel.ts';
import { defineGuardedTool, once } from './definition/define.ts';
import { approvalId, locator, refs } from './definition/input-fields.ts';
import { refuse, whyNotUpdate } from './rules/permissions.ts';
import { assertNoLoneInfant, assertNoOrphan, leavingOf, passengersText } from './rules/removed-passengers.ts';
import { flightLine, personLine } from './views/terms-lines.ts';

const input = once(() => z.strictObject({ locator: locator(), passenger_refs: refs(), approval_id: approvalId() }));

const output = once(() =>
  z.object({ new_locator: z.string().optional(), moved_passenger_refs: z.array(z.string()), ...assumption }),
);

export const splitBooking = defineGuardedTool<ReturnType<typeof input>, ReturnType<typeof output>, ModifySend>({
  name: 'split_booking',
  title: 'Split booking',
  description:
    'Move passengers with their tickets to a new booking of their own. A person approves; it cannot be undone. Assumed request.',
  toolset: 'desk',
  assumed: ['rail', 'airline'],
  effect: 'commit',
  input,
  output,

  async preview(args, ctx) {
    const booking = await readNow(args.locator, ctx);
    refuse(booking, whyNotUpdate(booking, ctx.now()));
    const moving = leavingOf(booking, new Set(args.passenger_refs));
    const going = moving.map(({ ref }) => ref);
    const staying = booking.travelers.filter(({ ref }) => !going.includes(ref));
    if (staying.length === 0) {
      const why = 'all its passengers would leave it';
      refuse(booking, { code: 'E_NOT_PERMITTED', why, next: 'Name only those who get a booking of their own.' });
    }
    assertNoOrphan(booking, going, 'split_booking');
    assertNoLoneInfant(moving, 'split_booking');
    const alone = [moving, staying].some((party) => !party.some(({ type }) => type === 'ADT'));
    return {
      locator: booking.locator,
      booking,
      lines: [
        `Move ${passengersText(moving)} of booking ${booking.locator} to a new booking, on all its flights. This cannot be undone.`,
        ...moving.map(personLine),
        `Stays on ${booking.locator}: ${staying.map(personLine).join('; ')}`,
        ...activeSegments(booking).map((segment) => flightLine(segment)),
        ...(alone ? ['One of the two bookings would have no adult: the airline may refuse this.'] : []),
        'The airline names no price for it.',
        ASSUMED_TERM,
      ],
      act: `Move ${passengersText(moving)} from ${booking.locator} to a new booking`,
      ask: true,
      subject: splitSubject(booking, going, ctx.identity),
      send: { modification: { kind: 'split_booking', booking, travelers: moving } },
    };
  },

  async commit(confirmed, ctx) {
    return { booking: await ctx.airline.modify(confirmed) };
  },

  report({ args, operation, booking }) {
    const moved = [...new Set(args.passenger_refs)];
    const fresh = operation.outcome?.newLocator;
    const own = booking !== undefined && booking.locator === fresh;
    const whom = `passengers ${moved.join(', ')}`;
    return {
      added: omitUndefined({ new_locator: fresh, moved_passenger_refs: moved, assumption: ASSUMED_RESULT }),
      changed: [own ? `${whom} of ${operation.locator} moved here` : `${whom} moved to ${fresh ?? 'a new booking'}`],
    };
  },

  text({ new_locator: fresh, moved_passenger_refs: moved = [] }, { operation, booking }) {
    const own = booking !== undefined && booking.locator === fresh;
    return [
      `Passengers ${moved.join(', ')} (refs before the change) of booking ${operation.locator} are now on booking ${cleanCode(fresh ?? 'unknown')}.`,
      ...(own ? booking.travelers.map((traveler) => `  ${cleanCode(booking.locator)}: ${personLine(traveler)}`) : []),
      ASSUMED_RESULT,
    ].join('\n');
  },
});
