/**
 * Asks the airline for a special service in an existing booking: a wheelchair, a meal, assistance. The message has no price and
 * nothing here takes a service back, so a person approves it like the other changes that cost nothing. service-evidence.ts judges
 * whether it was added. In this order: the act, the tool, for whom and where, the airline's answer.
 */

import { cleanRef } from '../../core/clean-text.ts';
import { notSent } from '../../core/errors.ts';
import { joined } from '../../core/words.ts';
import { activeSegments, type Booking, type Segment } from '../../domain/booking/booking.ts';
import { soldFacts } from '../../domain/booking/sold-facts.ts';
import {
  answerToService,
  hasRequest,
  type ServiceAnswer,
  serviceAnswerText,
  serviceStatusWord,
  serviceTitle,
} from '../../domain/booking/special-services.ts';
import { flightKey, sameFlight } from '../../domain/facts/pair.ts';
import type { Digest } from '../../domain/people/identity-text.ts';
import { type Circumstances, expectedBy } from '../../journal/act.ts';
import { findTraveler } from '../../journal/evidence.ts';
import { noted, strings } from '../definition/field-notes.ts';
import { EXAMPLE_BOOKING, passengerRef, segmentRef, service } from '../definition/input-fields.ts';
import { oneByRef } from '../rules/find-by-ref.ts';
import { InputProblems } from '../rules/input-problems.ts';
import { sentService } from '../rules/passenger-details.ts';
import {
  noActiveSegment,
  notPermitted,
  type Refusal,
  refusalIfDeparted,
  refusalIfPointerShared,
  refuse,
  whyNotUpdate,
} from '../rules/why-not.ts';
import { namesBefore, peopleSection, section, serviceLine, tripSection } from '../views/terms-text.ts';
import { defineBookingChange, priceWarnings, type RefusingAct } from './booking-change.ts';
import { type AddedService, addsService, expectAddedService } from './service-evidence.ts';

const NO_PRICE =
  'The request names no price. If the airline charges for it, the price of the booking shows that afterwards; this request pays nothing.';

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

const input = () => ({
  passenger_ref: passengerRef(),
  segment_ref: noted(
    'Only this flight or train, by the ref that `read_booking` shows.',
    segmentRef().optional(),
    'all',
  ),
  service: noted('What is asked for.', service()),
});

export const requestService = defineBookingChange({
  act,
  name: 'request_service',
  title: 'Request special service',
  description: 'Ask for a wheelchair, meal or assistance that costs nothing. A person approves.',
  toolset: 'desk',
  assumed: ['rail', 'airline'],
  example: { ...EXAMPLE_BOOKING, passenger_ref: '1', service: { code: 'WCHS' } },
  input,
  output: () => strings('service', 'passenger', 'answer'),

  doing: ({ passenger_ref: ref, segment_ref: segmentRef, service: { code } }) => [
    { kind: 'service', travelerRefs: [ref], segmentRefs: segmentRef === undefined ? [] : [segmentRef], what: code },
  ],

  terms(booking, args, ctx) {
    const passenger = oneByRef(booking.travelers, args.passenger_ref, 'passenger_ref', 'the booking has');
    const requested = segmentsMeant(booking, args.segment_ref, ctx.now());
    const problems = new InputProblems({ hidesDetails: true });
    const wish = sentService(args.service, [], 'service', problems);
    problems.assertNone();
    if (wish === undefined) throw new Error('sentService gave no service, and noted no problem');

    const segments = segmentsLacking(booking, requested, passenger.ref, wish.code);
    const request = { travelerRef: passenger.ref, segmentRefs: segments.map(({ ref }) => ref) };

    return {
      act: { verb: 'Request', object: 'a special service', preposition: 'on', booking: booking.locator },
      sections: [
        peopleSection(booking, [passenger]),
        section('people', serviceLine(passenger.ref, wish)),
        tripSection(segments, ctx),
        section('note', NO_PRICE, 'It cannot be taken back here: only the airline can.'),
      ],
      sold: soldFacts(booking, { passengers: [passenger.ref] }),
      subject: {
        kind: 'request_service',
        ...expectAddedService(booking, { ...request, code: wish.code }, ctx.identity),
      },
      modification: { kind: 'request_service', booking: booking.reading, ...request, service: wish },
    };
  },

  report({ args, operation, booking, terms }, ctx) {
    const { code } = args.service;
    const service = serviceTitle(code);
    const passenger = namesBefore(terms?.booking ?? booking, [args.passenger_ref]);
    const expected = expectedBy(act, operation);
    const answer = booking && expected ? answerIn(booking, expected, code, ctx.identity) : 'unknown';

    return {
      summary: `Special service ${service} for ${passenger} in booking ${operation.locator}: ${serviceAnswerText(answer)}.`,
      next: hasRequest(answer) ? undefined : 'Tell the person to ask the airline what it can do.',
      warnings: priceWarnings(terms?.booking, booking),
      added: { service, passenger, answer },
    };
  },
});

/** Refuses if the booking has no segment to come, for which a service can be asked. */
function whyNotServices(booking: Booking, { now }: Circumstances): Refusal | undefined {
  const early = whyNotUpdate(booking, { now });
  if (early !== undefined) return early;
  if (activeSegments(booking).length === 0) return noActiveSegment();
  return segmentsToCome(booking, now).length === 0 ? notPermitted('all its segments have departed') : undefined;
}

function segmentsToCome(booking: Booking, now: number): readonly Segment[] {
  return activeSegments(booking).filter((segment) => refusalIfDeparted(segment, now) === undefined);
}

/** Gives the segment of the call, or all segments to come. Throws ClerkError if the booking has no such one. */
function segmentsMeant(booking: Booking, ref: string | undefined, now: number): readonly Segment[] {
  const coming = segmentsToCome(booking, now);
  return ref === undefined ? coming : [oneByRef(coming, ref, 'segment_ref', 'the segments to come are')];
}

/** Drops the segments where the passenger has the service. Throws ClerkError if none is left, or if one shares its pointer with another. */
function segmentsLacking(booking: Booking, segments: readonly Segment[], travelerRef: string, code: string) {
  const answerOn = ({ ref }: Segment) => answerToService(booking, { code, travelerRef, segmentRefs: [ref] });
  const lacking = segments.filter((segment) => !hasRequest(answerOn(segment)));
  if (lacking.length === 0) {
    const what = `Passenger ${cleanRef(travelerRef)} of booking ${booking.locator} has this service already.`;
    throw notSent('E_ALREADY_DONE', what, 'Call read_booking to see whether the airline confirmed it.');
  }

  for (const segment of lacking) refuse(booking, refusalIfPointerShared(booking, segment));
  return lacking;
}

/**
 * Lists the passenger's services that the reading before did not show, one line each: `WCHC wheelchair to the seat:
 * confirmed`.
 */
function newServiceLines(
  expected: AddedService,
  booking: Booking,
  { before, digest }: { readonly before: Booking | undefined; readonly digest: Digest },
): readonly string[] {
  const serviceLines = (shown: Booking) => {
    const travelerRef = findTraveler(shown, expected, digest)?.ref ?? expected.travelerRef;
    return shown.services
      .filter(({ travelerRefs }) => travelerRefs.includes(travelerRef))
      .map(({ code = '', status }) => joined([serviceTitle(code), serviceStatusWord(status)], ': '));
  };

  const oldLines = before === undefined ? [] : serviceLines(before);
  return [...new Set(serviceLines(booking))].filter((line) => !oldLines.includes(line));
}

/** Reads the airline's answer from the booking. */
function answerIn(booking: Booking, expected: AddedService, code: string, digest: Digest): ServiceAnswer {
  const segments = activeSegments(booking).filter((segment) =>
    expected.on.some(({ flight }) => sameFlight(flightKey(segment), flight)),
  );
  const travelerRef = findTraveler(booking, expected, digest)?.ref;
  if (travelerRef === undefined || segments.length < expected.on.length) return 'unknown';
  return answerToService(booking, { code, travelerRef, segmentRefs: segments.map(({ ref }) => ref) });
}
