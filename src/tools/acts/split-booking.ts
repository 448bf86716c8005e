/** The act that moves passengers to a booking of their own: its tool, and its evidence in the new booking and the old one. */
import * as z from 'zod';
import { cleanCode } from '../../core/clean-text.ts';
import { counted } from '../../core/words.ts';
import { activeSegments, type Booking, travelerAsRead } from '../../domain/booking/booking.ts';
import { soldFacts } from '../../domain/booking/sold-facts.ts';
import { peopleRemoved } from '../../domain/facts/cancelled-parts.ts';
import { identitiesByRef, identitiesOf } from '../../domain/facts/expected-change.ts';
import { type FlightKey, flightKey, sameFlight } from '../../domain/facts/pair.ts';
import type { Digest } from '../../domain/people/identity-text.ts';
import type { ActEvidence, ActPart } from '../../journal/act.ts';
import { judgeParts, without } from '../../journal/evidence.ts';
import { vehicleOf } from '../definition/define.ts';
import { noted, optionalStrings } from '../definition/field-notes.ts';
import { EXAMPLE_BOOKING, refs } from '../definition/input-fields.ts';
import { assertNoLoneInfant, assertNoOrphan, hasAdult, passengersText, whoLeaves } from '../rules/cancelled-part.ts';
import { notPermitted, refusalError, whyNotUpdate } from '../rules/why-not.ts';
import { namesBefore, peopleSection, section, stayingLine, tripTerms } from '../views/terms-text.ts';
import { defineBookingChange } from './booking-change.ts';
import { peopleDeeds } from './cancellation-evidence.ts';

/** What a split is expected to change, and what proves it (docs/wire/notes.md, Changes). */
type SplitBooking = {
  readonly kind: 'split_booking';
  /** Identity digests of those who move, one for each passenger. */
  readonly moved: readonly string[];
  /** Identity digests of those who stay. */
  readonly kept: readonly string[];
  readonly flights: readonly FlightKey[];
  /** The pointers of those who move. Absent in operations of earlier versions. */
  readonly movedRefs?: readonly string[];
};

export function expectSplitBooking(booking: Booking, refs: readonly string[], digest: Digest): SplitBooking {
  const [moved, kept] = identitiesByRef(booking, refs, digest);
  const flights = activeSegments(booking).map(flightKey);
  return { kind: 'split_booking', moved, kept, flights, movedRefs: [...refs] };
}

export const splitEvidence: ActEvidence<SplitBooking> = {
  kind: 'split_booking',

  reply(expected, { booking }, { isSameBooking, digest }) {
    if (booking === undefined || isSameBooking) return undefined;
    return isSplitOff(expected, booking, digest) ? 'done' : 'void';
  },

  // The old booking shows who left, but not where to: without the airline's answer a person must find out.
  reading({ moved, kept }, booking, { digest }) {
    const verdict = judgeParts(identitiesOf(booking.reading.travelers, digest), kept, moved);
    return verdict === 'done' ? 'partial' : verdict;
  },

  learns: (_, { booking }) => ({ newLocator: booking?.locator }),

  toCheck: () => 'which passengers are still on the booking, and the locator of the one that the others moved to',
};

/** Whether this is the new booking: exactly the passengers who moved, on the same flights. */
function isSplitOff(expected: SplitBooking, booking: Booking, digest: Digest): boolean {
  const present = identitiesOf(booking.reading.travelers, digest);
  const flights = activeSegments(booking).map(flightKey);
  return (
    without(present, expected.moved, Object.is)?.length === 0 &&
    without(flights, expected.flights, sameFlight)?.length === 0
  );
}

const act: ActPart<SplitBooking> = {
  ...splitEvidence,
  countedAs: 'change',
  deed: 'split',
  decidesBooking: true,
  scope: 'air:book',
  word: 'split',
  title: ({ moved }) => `${counted(moved.length, 'passenger')} moved to a booking of their own`,
  replyLacks: 'booking',
  touches: ({ moved: gone, kept, movedRefs: goneRefs }) => [
    {
      ...peopleRemoved({ gone, kept }),
      dividesSums: true,
      deeds: (booking, digest) => peopleDeeds('split', { gone, kept, goneRefs }, booking, digest),
    },
  ],
};

export const splitBooking = defineBookingChange({
  act,
  name: 'split_booking',
  title: 'Split booking',
  description:
    'Move passengers with their tickets to a new booking of their own. A person approves; it cannot be undone.',
  toolset: 'desk',
  assumed: ['rail', 'airline'],
  example: { ...EXAMPLE_BOOKING, passenger_refs: ['2'] },

  input: () => ({
    passenger_refs: noted('The passengers who move to a new booking, by ref. One must stay.', refs()),
  }),

  output: () => ({
    ...optionalStrings('new_locator'),
    moved_passenger_refs: z.array(z.string()),
  }),

  doing: ({ passenger_refs: travelerRefs }) => [{ kind: 'split', segmentRefs: [], travelerRefs }],

  whyNot: whyNotUpdate,

  terms(booking, args, ctx) {
    const departure = whoLeaves(booking, args.passenger_refs);
    const { going, refs, staying } = departure;
    if (staying.length === 0) {
      const why = 'all its passengers would leave it';
      throw refusalError(
        booking,
        notPermitted(why, 'Ask the person who gets a booking of their own, and name only those.'),
      );
    }

    assertNoOrphan(departure, 'split_booking');
    assertNoLoneInfant(departure, 'split_booking');
    const lacksAdult = !hasAdult(going) || !hasAdult(staying);

    return {
      sections: [
        section(
          'act',
          `Move ${passengersText(going)} of booking ${booking.locator} to a new booking, on all its ${vehicleOf(ctx.settings)}s. This cannot be undone.`,
        ),
        section(
          'caution',
          lacksAdult ? 'One of the two bookings would have no adult: the airline may refuse this.' : undefined,
        ),
        peopleSection(booking, going),
        tripTerms(booking, ctx),
        section('note', stayingLine(booking.locator, booking, staying), 'The airline names no price for it.'),
      ],
      act: {
        verb: 'Move',
        object: passengersText(going),
        preposition: 'from',
        booking: booking.locator,
        to: 'a new booking',
      },
      sold: soldFacts(booking, { passengers: refs }),
      subject: expectSplitBooking(booking, refs, ctx.identity),
      modification: {
        kind: 'split_booking',
        booking: booking.reading,
        travelers: going.map((one) => travelerAsRead(booking, one)),
      },
    };
  },

  report({ args, operation, terms }) {
    const { locator: oldLocator, outcome } = operation;
    const newLocator = outcome?.newLocator;

    const movedRefs = [...new Set(args.passenger_refs)];
    const target = cleanCode(newLocator ?? 'a new one');
    const { travelers = [] } = terms?.booking ?? {};
    const parts = [true, false].map((isMoved) => travelers.filter(({ ref }) => movedRefs.includes(ref) === isMoved));
    const lacksAdult = travelers.length > 0 && !parts.every(hasAdult);

    return {
      summary: `Moved from booking ${oldLocator} to ${target}: ${namesBefore(terms?.booking, movedRefs)}.`,
      warnings: lacksAdult ? ['One of the two bookings has no adult: tell the person to ask the airline.'] : [],
      added: {
        new_locator: newLocator,
        moved_passenger_refs: movedRefs,
      },
    };
  },
});
