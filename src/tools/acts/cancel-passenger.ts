/** The act that removes passengers from a paid booking, with refund. */
import * as z from 'zod';
import { cleanCode, cleanRef } from '../../core/clean-text.ts';
import { counted } from '../../core/words.ts';
import { activeOptions, travelerAsRead } from '../../domain/booking/booking.ts';
import { soldFacts } from '../../domain/booking/sold-facts.ts';
import { passengerTypeWord } from '../../domain/booking/status-codes.ts';
import { bookingCancelled, peopleRemoved } from '../../domain/facts/cancelled-parts.ts';
import { refundMade, type Touch } from '../../domain/facts/touches.ts';
import { nameText, type Traveler } from '../../domain/people/traveler.ts';
import type { ActPart } from '../../journal/act.ts';
import { vehicleOf } from '../definition/define.ts';
import { noted, optionalTexts } from '../definition/field-notes.ts';
import { EXAMPLE_BOOKING, reason, refs } from '../definition/input-fields.ts';
import {
  assertNoOrphan,
  hasAdult,
  NO_ADULT_LEFT,
  NO_ADULT_STAYS,
  passengersText,
  whoLeaves,
} from '../rules/cancelled-part.ts';
import { refuse, whyNotCancelPassengers, whyNotRefund } from '../rules/why-not.ts';
import {
  cancellationRefundOutline,
  cancellationRefundText,
  comesBack,
  viewCancellationRefund,
} from '../views/refund-made.ts';
import { namesBefore, peopleSection, section, stayingLine, tripTerms } from '../views/terms-text.ts';
import { type ChangeTerms, defineBookingChange } from './booking-change.ts';
import { NOT_UNDONE, refundTerms, whereRefundShows, withReason } from './cancellation.ts';
import {
  type CancelPassengers,
  expectCancelledPassengers,
  passengersEvidence,
  peopleDeeds,
} from './cancellation-evidence.ts';

const act: ActPart<CancelPassengers> = {
  ...passengersEvidence,
  countedAs: 'refund',
  deed: 'cancellation',
  decidesBooking: true,
  scope: 'air:refund',
  word: 'cancellation',
  title: (expected, outcome) => `${counted(expected.gone.length, 'passenger')} removed; ${comesBack(outcome)}`,
  touches: (expected, refund) => [
    refundMade(expected.refundsBefore, refund),
    {
      ...(expected.kept.length === 0 ? everybodyRemoved : peopleRemoved(expected)),
      deeds: (booking, digest) => peopleDeeds('cancellation', expected, booking, digest),
    },
  ],
  whyNot: (booking, { now }) => whyNotCancelPassengers(booking, now),
};

const everybodyRemoved: Touch = {
  ...bookingCancelled,
  closes: ({ segment }, closing) => segment !== undefined && !closing.mayStillBeRefunded(),
};

export const cancelPassenger = defineBookingChange({
  act,
  name: 'cancel_passenger',
  title: 'Cancel passengers',
  description:
    'Remove passengers from a paid booking, with refund, after a person approves; a lap infant goes with the adult.',
  toolset: 'core',
  example: { ...EXAMPLE_BOOKING, passenger_refs: ['1'] },

  input: () => ({
    passenger_refs: noted('The passengers to remove, by ref. One must stay.', refs()),
    reason: reason(),
  }),

  output: () => ({
    cancelled_passenger_refs: z.array(z.string()),
    refund: cancellationRefundOutline().optional(),
    stays: optionalTexts(),
  }),

  doing: ({ passenger_refs: travelerRefs }) => [{ kind: 'cancellation', segmentRefs: [], travelerRefs }],

  whyNot: (booking, { now }) => whyNotRefund(booking, now),

  terms(booking, args, ctx) {
    const departure = whoLeaves(booking, args.passenger_refs);
    const { going, refs, staying } = departure;
    refuse(booking, whyNotCancelPassengers(booking, ctx.now(), refs));
    assertNoOrphan(departure, 'cancel_passenger');

    const cancelled = { options: activeOptions(booking), travelers: going };
    const who = passengersText(going);
    const refund = refundTerms(booking, who, cancelled, ctx);
    const removed = `Remove ${who} from booking ${booking.locator}, on all its ${vehicleOf(ctx.settings)}s.`;

    const terms: ChangeTerms = {
      sections: [
        { ...section('act', `${removed} ${NOT_UNDONE}`), below: [removed] },
        section('caution', hasAdult(staying) ? undefined : NO_ADULT_STAYS),
        peopleSection(booking, going),
        ...refund.sections,
        tripTerms(booking, ctx),
        section('note', stayingLine('the booking', booking, staying)),
      ],
      ...refund.terms,
      sold: soldFacts(booking, { passengers: refs }),
      subject: expectCancelledPassengers(booking, refs, ctx.identity),
      modification: {
        kind: 'cancel_passengers',
        booking: booking.reading,
        travelers: going.map((one) => travelerAsRead(booking, one)),
      },
    };
    return withReason(terms, args.reason);
  },

  report(done) {
    const { operation, booking, terms } = done;
    const refs = [...new Set(done.args.passenger_refs)];
    const names = namesBefore(terms?.booking, refs);
    const refund = viewCancellationRefund(done);
    const stays = booking?.travelers.map(personText);

    return {
      summary: `Removed from booking ${operation.locator}: ${names}. ${cancellationRefundText(refund)}`,
      next: whereRefundShows(refund),
      warnings: booking !== undefined && !hasAdult(booking.travelers) ? [NO_ADULT_LEFT] : [],
      added: { cancelled_passenger_refs: refs, refund, stays },
    };
  },

  text: ({ stays = [] }) => stays.map((person) => `  Still booked: passenger ${person}`),
});

/** `1 Amal Haddad, adult`: the ref is the one from now on. */
function personText({ ref, name, type }: Traveler): string {
  return `${cleanRef(ref)} ${name === undefined ? 'not named yet' : nameText({ name })}, ${passengerTypeWord(cleanCode(type))}`;
}
