/**
 * The act that asks the airline for a special service in a booking that stands: a wheelchair, a meal, assistance. The message has
 * no price and nothing here takes a service back, so a person approves it like the other changes that cost nothing.
 */
import type { Booking, Segment } from '../../domain/booking/booking.ts';
import { soldFacts } from '../../domain/booking/sold-facts.ts';
import {
  answerToService,
  findService,
  type ServiceAnswer,
  serviceAnswerText,
  serviceTitle,
} from '../../domain/booking/special-services.ts';
import { noted, strings } from '../definition/field-notes.ts';
import { OF, passengerRef, segmentRef, service } from '../definition/input-fields.ts';
import { oneByRef } from '../rules/find-by-ref.ts';
import { InputProblems } from '../rules/input-problems.ts';
import { sentService } from '../rules/passenger-details.ts';
import { notSent, refuse, sharedPointer } from '../rules/why-not.ts';
import { namesBefore, peopleSection, section, serviceLine, tripSection } from '../views/terms-lines.ts';
import { chosenSegments, freeServiceNote, newServiceLines, segmentsToCome, whyNotServices } from './added-service.ts';
import { defineBookingChange, priceWarnings, type RefusingAct } from './booking-change.ts';
import { type AddedService, expectAddedService, judgeAddedService } from './service-evidence.ts';

type RequestService = AddedService & { readonly kind: 'request_service' };

const act: RefusingAct<RequestService> = {
  kind: 'request_service',
  reading: judgeAddedService,
  toCheck: () => 'whether the airline noted the special service that was asked for',
  countedAs: 'change',
  scope: 'air:book',
  word: 'request for a special service',
  // What is kept does not say which service it was.
  title: () => 'Special service requested',
  changes: ({ travelerRef }, booking, before) => newServiceLines(travelerRef, booking, before),
  whyNot: whyNotServices,
};

/** Asking again would make two of it. */
const STANDS: readonly ServiceAnswer[] = ['requested', 'confirmed'];

export const requestService = defineBookingChange({
  act,
  name: 'request_service',
  title: 'Request special service',
  description: 'Ask for a wheelchair, meal or assistance that costs nothing. A person approves.',
  toolset: 'desk',
  assumed: ['rail', 'airline'],
  example: `${OF} passenger_ref=1 service.code=WCHS`,
  input: () => ({
    passenger_ref: passengerRef(),
    segment_ref: noted(
      'Only this flight or train, by the ref that `read_booking` shows.',
      segmentRef().optional(),
      'all',
    ),
    service: noted('What is asked for.', service()),
  }),
  output: () =>
    strings({
      service: 'its code and name',
      passenger: 'who gets it',
      answer: '`requested`, `confirmed`, `refused`, `cancelled`, `none` (not shown) or `unknown`',
    }),

  terms(booking, { passenger_ref: ref, segment_ref: only, service: asked }, ctx) {
    const passenger = oneByRef(booking.travelers, ref, 'passenger_ref', 'the booking has');
    const wanted = chosenSegments(booking, only, ctx.now());
    const problems = new InputProblems(true);
    const wish = sentService(asked, booking.travelers, 'service', problems);
    problems.assertNone();
    if (wish === undefined) throw new Error('a service that is not sent has a problem');
    const { code } = wish;
    const answerOn = ({ ref: segment }: Segment) =>
      answerToService(booking, { code, travelerRef: passenger.ref, segmentRefs: [segment] });
    const segments = wanted.filter((segment) => !STANDS.includes(answerOn(segment)));
    if (segments.length === 0) {
      const what = `Passenger ${passenger.ref} of booking ${booking.locator} has this service already.`;
      throw notSent('E_ALREADY_DONE', what, 'Call read_booking to see whether the airline confirmed it.');
    }
    for (const segment of segments) refuse(booking, sharedPointer(booking, segment));
    const segmentRefs = segments.map((segment) => segment.ref);
    const request = { travelerRef: passenger.ref, segmentRefs };
    return {
      act: `Request a special service on ${booking.locator}`,
      sections: [
        peopleSection([passenger]),
        section('people', serviceLine(passenger.ref, wish)),
        tripSection(segments, ctx),
        freeServiceNote(),
      ],
      sold: soldFacts(booking, { passengers: [passenger.ref] }),
      subject: {
        kind: 'request_service',
        ...expectAddedService(booking, { ...request, code, quantity: 1 }, ctx.identity),
      },
      modification: { kind: 'request_service', booking, ...request, service: wish },
    };
  },

  report({ args, operation, booking, terms }, { now }) {
    const found = findService(args.service.code);
    const code = 'code' in found ? found.code : '';
    const passenger = namesBefore(terms?.booking ?? booking, [args.passenger_ref]);
    const answer = booking === undefined ? 'unknown' : answerIn(booking, { ...args, code }, now());
    return {
      summary: `Special service ${serviceTitle(code)} for ${passenger} in booking ${operation.locator}: ${serviceAnswerText(answer)}.`,
      ...(STANDS.includes(answer) ? {} : { next: 'A person must ask the airline what it can do.' }),
      warnings: priceWarnings(terms?.booking, booking),
      added: { service: serviceTitle(code), passenger, answer },
    };
  },

  text: () => '',
});

interface Asked {
  readonly passenger_ref: string;
  readonly segment_ref?: string | undefined;
  readonly code: string;
}

function answerIn(booking: Booking, { passenger_ref: travelerRef, segment_ref: only, code }: Asked, now: number) {
  const segmentRefs = only === undefined ? segmentsToCome(booking, now).map(({ ref }) => ref) : [only];
  return answerToService(booking, { code, travelerRef, segmentRefs });
}
