/**
 * Asks the airline for a special service in an existing booking: a wheelchair, a meal, assistance. The message has no price and
 * nothing here takes a service back, so a person approves it like the other changes that cost nothing.
 */
import { findService, serviceTitle } from '../../domain/booking/special-services.ts';
import { noted, strings } from '../definition/field-notes.ts';
import { EXAMPLE_BOOKING, service } from '../definition/input-fields.ts';
import { InputProblems } from '../rules/input-problems.ts';
import { sentService } from '../rules/passenger-details.ts';
import { serviceLine } from '../views/terms-text.ts';
import {
  addsService,
  answerFields,
  findPlaces,
  newServiceLines,
  placesLacking,
  serviceFields,
  serviceReport,
  serviceTerms,
  whyNotServices,
} from './added-service.ts';
import { defineBookingChange, type RefusingAct } from './booking-change.ts';
import { type AddedService, expectAddedService } from './service-evidence.ts';

type RequestService = AddedService & { readonly kind: 'request_service' };

const act: RefusingAct<RequestService> = {
  ...addsService,
  kind: 'request_service',
  toCheck: () => 'whether the airline noted the special service that was asked for',
  word: 'request for a special service',
  // The journal does not keep which service it was.
  title: () => 'Special service requested',
  changes: newServiceLines,
  whyNot: whyNotServices,
};

export const requestService = defineBookingChange({
  act,
  binds: ['journey', 'person', 'ticket'],
  name: 'request_service',
  title: 'Request special service',
  description: 'Ask for a wheelchair, meal or assistance that costs nothing. A person approves.',
  toolset: 'desk',
  assumed: ['rail', 'airline'],
  example: `${EXAMPLE_BOOKING} passenger_ref=1 service.code=WCHS`,
  input: () => ({ ...serviceFields(), service: noted('What is asked for.', service()) }),
  output: () => ({ ...strings('service'), ...answerFields() }),

  terms(booking, { service: serviceInput, ...args }, ctx) {
    const requested = findPlaces(booking, args, ctx);
    const problems = new InputProblems({ hidesDetails: true });
    const wish = sentService(serviceInput, [], 'service', problems);
    problems.assertNone();
    if (wish === undefined) throw new Error('sentService gave no service, and noted no problem');
    const places = placesLacking(booking, wish.code, requested);
    const { ref: travelerRef } = places.passenger;
    const request = { travelerRef, segmentRefs: places.segments.map(({ ref }) => ref) };
    return {
      act: { verb: 'Request', object: 'a special service', preposition: 'on', booking: booking.locator },
      ...serviceTerms(booking, places, serviceLine(travelerRef, wish), ctx),
      subject: {
        kind: 'request_service',
        ...expectAddedService(booking, { ...request, code: wish.code, quantity: 1 }, ctx.identity),
      },
      modification: { kind: 'request_service', booking: booking.reading, ...request, service: wish },
    };
  },

  report(done, ctx) {
    const match = findService(done.args.service.code);
    const code = 'code' in match ? match.code : '';
    const service = serviceTitle(code);
    const { added, ...report } = serviceReport(done, { code, what: `Special service ${service}` }, ctx);
    return { ...report, added: { service, ...added } };
  },

  text: () => '',
});
