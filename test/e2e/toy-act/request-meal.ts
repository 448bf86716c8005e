/**
 * A toy act: a meal for one passenger, on each segment. The test copies it to src/tools/acts in a copy of the sources: its imports
 * start there. It is checked and run only there, because the modification that it sends is in that copy alone.
 */

import * as z from 'zod';
import { activeSegments } from '../../domain/booking/booking.ts';
import { noted, strings } from '../definition/field-notes.ts';
import { EXAMPLE_BOOKING, passengerRef } from '../definition/input-fields.ts';
import { oneByRef } from '../rules/find-by-ref.ts';
import { notPermitted, whyNotUpdate } from '../rules/why-not.ts';
import { namesBefore, peopleSection, tripTerms } from '../views/terms-text.ts';
import { defineBookingChange, type RefusingAct } from './booking-change.ts';
import { type AddedService, addsService, expectAddedService } from './service-evidence.ts';

const MEALS = ['VGML', 'KSML'] as const;

type RequestMeal = AddedService & { readonly kind: 'request_meal' };

const act: RefusingAct<RequestMeal> = {
  ...addsService,
  kind: 'request_meal',
  toCheck: () => 'which meal the passenger gets',
  word: 'meal request',
  title: () => 'Meal requested',
  whyNot: (booking, when) =>
    booking.services.some(({ code }) => MEALS.some((meal) => meal === code))
      ? notPermitted('it has a meal already')
      : whyNotUpdate(booking, when),
  changes: () => ['A meal is noted'],
};

export const requestMeal = defineBookingChange({
  act,
  name: 'request_meal',
  title: 'Request meal',
  description: 'Request a special meal for a passenger. A person approves.',
  toolset: 'desk',
  example: { ...EXAMPLE_BOOKING, passenger_ref: '1', meal: 'VGML' },
  input: () => ({ passenger_ref: passengerRef(), meal: noted('VGML vegetarian, KSML kosher', z.enum(MEALS)) }),
  output: () => strings('meal', 'passenger'),

  doing: ({ passenger_ref: ref, meal }) => [{ kind: 'service', travelerRefs: [ref], segmentRefs: [], what: meal }],

  terms(booking, args, ctx) {
    const passenger = oneByRef(booking.travelers, args.passenger_ref, 'passenger_ref', 'the booking has');
    const segmentRefs = activeSegments(booking).map(({ ref }) => ref);
    const service = { travelerRef: passenger.ref, segmentRefs, code: args.meal, quantity: 1 };
    return {
      act: { verb: 'Request', object: `meal ${args.meal}`, preposition: 'on', booking: booking.locator },
      sections: [peopleSection(booking, [passenger]), tripTerms(booking, ctx)],
      subject: { kind: 'request_meal', ...expectAddedService(booking, service, ctx.identity) },
      modification: { kind: 'request_meal', booking: booking.reading, ...service },
    };
  },

  report: ({ args: { passenger_ref: ref, meal }, terms }) => ({
    added: { meal, passenger: namesBefore(terms?.booking, [ref]) },
  }),

  text: ({ meal, passenger }) => `Meal ${meal} for ${passenger}.`,
});
