import * as z from 'zod';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import { counted } from '../../../core/words.ts';
import { gone, over, refunded } from '../../../domain/booking/own-effects.ts';
import { activeOptions } from '../../../domain/pricing/penalty-rules.ts';
import type { ActPart } from '../../../journal/act.ts';
import { defineBookingChange } from '../../definition/booking-change.ts';
import { refundTerms } from '../../definition/cancel.ts';
import { vehicleOf } from '../../definition/define.ts';
import { OF } from '../../definition/example-inputs.ts';
import { refs } from '../../definition/input-fields.ts';
import { refuse, whyNotCancelPassengers, whyNotRefund } from '../../rules/permissions.ts';
import { assertNoOrphan, departureOf, hasAdult, passengersText } from '../../rules/removed-passengers.ts';
import { comesBack, refundOutline, refundText, refundView } from '../../views/refund-result.ts';
import { namesBefore, peopleSection, personLine, section, stayingLine, tripTerms } from '../../views/terms-lines.ts';
import { type CancelPassengers, expectCancelledPassengers, passengersEvidence } from './evidence.ts';

const act: ActPart<CancelPassengers> = {
  ...passengersEvidence,
  countedAs: 'refund',
  scope: 'air:refund',
  word: 'cancellation',
  title: (expected, outcome) => `${counted(expected.gone.length, 'passenger')} removed; ${comesBack(outcome)}`,
  effects: (expected, refund) => [
    refunded(expected.refundsBefore, refund),
    expected.kept.length === 0 ? over : gone(expected),
  ],
  closes: ({ kept }, { segment }, closing) => segment !== undefined && kept.length === 0 && !closing.runs(),
  allowed: { place: 4, whyNot: (booking, { now }) => whyNotCancelPassengers(booking, now) },
};

export const cancelPassenger = defineBookingChange({
  act,
  name: 'cancel_passenger',
  title: 'Cancel passengers',
  description:
    'Remove passengers from a paid booking, with refund, after a person approves. An adult goes together with the lap infant.',
  toolset: 'core',
  example: `${OF} passenger_refs=1`,
  fieldWords: { passenger_refs: 'who does not travel, from read_booking' },
  input: () => ({ passenger_refs: refs() }),
  output: () => ({ cancelled_passenger_refs: z.array(z.string()), refund: refundOutline().optional() }),

  whyNot: (booking, ctx) => whyNotRefund(booking, ctx.now()),

  terms(booking, args, ctx) {
    const departure = departureOf(booking, args.passenger_refs);
    const { going, refs, staying } = departure;
    refuse(booking, whyNotCancelPassengers(booking, ctx.now(), refs));
    assertNoOrphan(departure, 'cancel_passenger');
    const given = { options: activeOptions(booking), travelers: going };
    const refund = refundTerms(booking, passengersText(going), given, ctx);
    return {
      sections: [
        section(
          'act',
          `Remove ${passengersText(going)} from booking ${booking.locator}, on all its ${vehicleOf(ctx.settings)}s. This cannot be undone.`,
        ),
        section('caution', hasAdult(staying) ? undefined : 'No adult stays: the airline may refuse this.'),
        peopleSection(going),
        ...refund.sections,
        tripTerms(booking, ctx),
        section('note', stayingLine('the booking', staying)),
      ],
      ...refund.terms,
      subject: expectCancelledPassengers(booking, refs, ctx.identity),
      modification: { kind: 'cancel_passengers', booking, travelers: going },
    };
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
    return [
      `Removed from booking ${operation.locator}: ${namesBefore(terms?.booking, refs)}.`,
      refundText(refundView(done)),
      ...(booking ? booking.travelers.map((traveler) => `  stays: ${personLine(traveler)}`) : []),
    ];
  },
});
