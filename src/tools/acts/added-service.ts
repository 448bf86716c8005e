/**
 * What acts share that add a special service to a booking: passengers and segments, refusals, terms, and the report of the airline's
 * answer. Such a request names no price, and nothing here takes a service back. service-evidence.ts judges whether it was added.
 */
import { cleanRef } from '../../core/clean-text.ts';
import { saidAfterChange } from '../../domain/booking/asked-and-held.ts';
import { activeSegments, type Booking, type Segment } from '../../domain/booking/booking.ts';
import type { ExpectedChange } from '../../domain/booking/expected-change.ts';
import { soldFacts } from '../../domain/booking/sold-facts.ts';
import {
  answerToService,
  type ServiceAnswer,
  serviceAnswerText,
  serviceStatusWord,
  serviceTitle,
} from '../../domain/booking/special-services.ts';
import type { Traveler } from '../../domain/people/traveler.ts';
import type { ActPart, Circumstances } from '../../journal/act.ts';
import type { Done, ToolContext } from '../definition/define.ts';
import { noted, strings } from '../definition/field-notes.ts';
import { passengerRef, segmentRef } from '../definition/input-fields.ts';
import { oneByRef } from '../rules/find-by-ref.ts';
import {
  noActiveSegment,
  notPermitted,
  notSent,
  type Refusal,
  refusalIfDeparted,
  refusalIfPointerShared,
  refuse,
  whyNotUpdate,
} from '../rules/why-not.ts';
import { namesBefore, peopleSection, section, tripSection } from '../views/terms-text.ts';
import { priceWarnings } from './booking-change.ts';
import { type AddedService, judgeAddedService } from './service-evidence.ts';

/** Asking again for a service with one of these answers would add a second one. */
const STANDING_ANSWERS: readonly ServiceAnswer[] = ['requested', 'confirmed'];

const NO_PRICE =
  'The request names no price. If the airline charges for it, the price of the booking shows that afterwards; this request pays nothing.';

/** What an act is that adds a special service, and what it learns and touches. */
export const addsService = {
  reading: judgeAddedService,
  learns: (expected, { booking }) => ({ first: booking && saidAfterChange(booking, expected) }),
  touches: (expected) => [{ adds: expected }],
  countedAs: 'change',
  scope: 'air:book',
  mayReprice: true,
} as const satisfies Partial<ActPart<AddedService & ExpectedChange>>;

/** The fields of the input: who gets the service, and on which segment. */
export const serviceFields = () => ({
  passenger_ref: passengerRef(),
  segment_ref: noted(
    'Only this flight or train, by the ref that `read_booking` shows.',
    segmentRef().optional(),
    'all',
  ),
});

interface ServiceArgs {
  readonly passenger_ref: string;
  readonly segment_ref?: string | undefined;
}

/** The fields of the output: who gets the service, and what the airline answered. */
export const answerFields = () => strings('passenger', 'answer');

/** Refuses if the booking has no segment to come, for which a service can be asked. */
export function whyNotServices(booking: Booking, { now }: Circumstances): Refusal | undefined {
  const early = whyNotUpdate(booking, { now });
  if (early !== undefined) return early;
  if (activeSegments(booking).length === 0) return noActiveSegment();
  return segmentsToCome(booking, now).length === 0 ? notPermitted('all its segments have departed') : undefined;
}

function segmentsToCome(booking: Booking, now: number): readonly Segment[] {
  return activeSegments(booking).filter((segment) => refusalIfDeparted(segment, now) === undefined);
}

/**
 * Lists the passenger's services that the reading before did not show, one line each: `WCHC wheelchair to the seat:
 * confirmed`.
 */
export function newServiceLines(
  { travelerRef }: AddedService,
  { services }: Booking,
  before: Booking | undefined,
): readonly string[] {
  const serviceLines = (list: Booking['services']) =>
    list
      .filter(({ travelerRefs }) => travelerRefs.includes(travelerRef))
      .map(({ code = '', status }) => [serviceTitle(code), serviceStatusWord(status)].filter(Boolean).join(': '));
  const oldLines = serviceLines(before?.services ?? []);
  return [...new Set(serviceLines(services))].filter((line) => !oldLines.includes(line));
}

/** For whom a service is asked, and on which segments. */
interface ServicePlaces {
  readonly passenger: Traveler;
  readonly segments: readonly Segment[];
}

/**
 * Finds the passenger of the call, and the segments to come that it means. Throws ClerkError if the booking has no such ones.
 */
export function findPlaces(booking: Booking, args: ServiceArgs, { now }: ToolContext): ServicePlaces {
  const passenger = oneByRef(booking.travelers, args.passenger_ref, 'passenger_ref', 'the booking has');
  const coming = segmentsToCome(booking, now());
  if (args.segment_ref === undefined) return { passenger, segments: coming };
  return { passenger, segments: [oneByRef(coming, args.segment_ref, 'segment_ref', 'the segments to come are')] };
}

/**
 * Drops the segments where the passenger has the service. Only for a service that one has or has not: bags, which are counted, may be
 * asked for again. Throws ClerkError if none is left, or if a request cannot name one.
 */
export function placesLacking(booking: Booking, code: string, { passenger, segments }: ServicePlaces): ServicePlaces {
  const answerOn = ({ ref }: Segment) =>
    answerToService(booking, { code, travelerRef: passenger.ref, segmentRefs: [ref] });
  const lacking = segments.filter((segment) => !STANDING_ANSWERS.includes(answerOn(segment)));
  if (lacking.length === 0) {
    const what = `Passenger ${cleanRef(passenger.ref)} of booking ${booking.locator} has this service already.`;
    throw notSent('E_ALREADY_DONE', what, 'Call read_booking to see whether the airline confirmed it.');
  }
  for (const segment of lacking) refuse(booking, refusalIfPointerShared(booking, segment));
  return { passenger, segments: lacking };
}

/** Writes what the person approves. `line`: what is asked for, for whom. */
export function serviceTerms(booking: Booking, { passenger, segments }: ServicePlaces, line: string, ctx: ToolContext) {
  return {
    sections: [
      peopleSection([passenger]),
      section('people', line),
      tripSection(segments, ctx),
      section('note', NO_PRICE, 'It cannot be taken back here: only the airline can.'),
    ],
    sold: soldFacts(booking, { passengers: [passenger.ref] }),
  };
}

/**
 * Reports what the airline answered, and whether the booking costs something else now. Only for a service that one has or has not: of
 * bags on top of bags it would report the older ones. `what`: the service, as a sentence begins.
 */
export function serviceReport(
  { args, operation, booking, terms }: Done<ServiceArgs>,
  { code, what }: { readonly code: string; readonly what: string },
  { now }: ToolContext,
) {
  const passenger = namesBefore(terms?.booking ?? booking, [args.passenger_ref]);
  const answer = booking === undefined ? 'unknown' : answerIn(booking, args, code, now());
  return {
    summary: `${what} for ${passenger} in booking ${operation.locator}: ${serviceAnswerText(answer)}.`,
    next: STANDING_ANSWERS.includes(answer) ? undefined : 'Tell the person to ask the airline what it can do.',
    warnings: priceWarnings(terms?.booking, booking),
    added: { passenger, answer },
  };
}

/** Reads the airline's answer from the booking: on the segment of the call, or on all to come. */
function answerIn(booking: Booking, args: ServiceArgs, code: string, now: number): ServiceAnswer {
  const { segment_ref: ref } = args;
  const segmentRefs = ref === undefined ? segmentsToCome(booking, now).map((segment) => segment.ref) : [ref];
  return answerToService(booking, { code, travelerRef: args.passenger_ref, segmentRefs });
}
