/**
 * A toy act: a meal for one passenger. The test copies it to src/tools/acts in a copy of the sources: its imports start
 * there. It is checked and run only there, because the modification that it sends is in that copy alone.
 */

import { inputError } from '../../core/errors.ts';
import type { Booking } from '../../domain/booking/booking.ts';
import { identityText } from '../../domain/people/identity-text.ts';
import { noted, strings } from '../definition/field-notes.ts';
import { OF, oneOf, passengerRef } from '../definition/input-fields.ts';
import { notPermitted, whyNotUpdate } from '../rules/why-not.ts';
import { namesBefore, peopleSection, section } from '../views/terms-lines.ts';
import { defineBookingChange, type RefusingAct } from './booking-change.ts';

const MEALS = ['VGML', 'KSML'] as const;

type RequestMeal = {
  readonly kind: 'request_meal';
  /** Digest of the passenger's identity. */
  readonly who: string;
  readonly meal: string;
};

const act: RefusingAct<RequestMeal> = {
  kind: 'request_meal',
  reading({ who, meal }, booking, { digest }) {
    if (booking.travelers.length === 0) return 'void';
    const passenger = booking.travelers.find((traveler) => digest(identityText(traveler)) === who);
    if (passenger === undefined) return 'contradicted';
    return isServed(booking, passenger.ref, meal) ? 'done' : 'not_done';
  },
  toCheck: () => 'which meal the passenger gets',
  countedAs: 'change',
  scope: 'air:book',
  word: 'meal request',
  title: ({ meal }) => `Meal ${meal} requested`,
  whyNot: (booking, { now }) => whyNotMeal(booking, now),
  whileOpen: 'the kitchen has not answered',
  changes: ({ meal }) => [`Meal ${meal} is noted`],
};

export const requestMeal = defineBookingChange({
  act,
  name: 'request_meal',
  title: 'Request meal',
  description: 'Request a special meal for a passenger. A person approves.',
  toolset: 'desk',
  example: `${OF} passenger_ref=1 meal=VGML`,
  input: () => ({ passenger_ref: passengerRef(), meal: noted('VGML vegetarian, KSML kosher', oneOf(MEALS)) }),
  output: () => strings({ meal: 'the meal', passenger: 'who gets it', locator: 'the booking' }),

  terms(booking, { passenger_ref: passengerRef, meal }, ctx) {
    const passenger = booking.travelers.find((traveler) => traveler.ref === passengerRef);
    if (passenger === undefined) throw inputError('passenger_ref', 'expected a passenger of this booking.');
    return {
      sections: [section('act', `Request the meal ${meal} on booking ${booking.locator}.`), peopleSection([passenger])],
      act: `Request meal ${meal} on ${booking.locator}`,
      subject: { kind: 'request_meal', who: ctx.identity(identityText(passenger)), meal },
      modification: { kind: 'request_meal', booking, travelerRef: passengerRef, meal },
    };
  },

  report({ args: { passenger_ref: passengerRef, meal }, operation: { locator = '' }, terms }) {
    const passenger = namesBefore(terms?.booking, [passengerRef]);
    return { added: { meal, passenger, locator }, changed: [`meal ${meal} for passenger ${passengerRef}`] };
  },

  text: ({ meal, passenger, locator }) => `Meal ${meal} on booking ${locator} for ${passenger}.`,
});

function isServed({ services }: Booking, travelerRef: string, meal: string): boolean {
  return services.some(({ code, travelerRefs }) => code === meal && travelerRefs.includes(travelerRef));
}

function whyNotMeal(booking: Booking, now: number) {
  if (booking.services.length > 0) return notPermitted('it has a meal already');
  return whyNotUpdate(booking, now);
}
