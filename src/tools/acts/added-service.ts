/**
 * What acts share that add a special service to a booking: for whom and on which segments, and when not; the terms; the report of
 * the airline's answer. Such a request names no price, and nothing here takes a service back. What proves it is in
 * service-evidence.ts.
 */
import { activeSegments, type Booking, type Segment } from '../../domain/booking/booking.ts';
import { soldFacts } from '../../domain/booking/sold-facts.ts';
import {
  answerToService,
  type ServiceAnswer,
  serviceAnswerText,
  serviceStatusWord,
  serviceTitle,
} from '../../domain/booking/special-services.ts';
import type { Traveler } from '../../domain/people/traveler.ts';
import type { Circumstances } from '../../journal/act.ts';
import type { Done, ToolContext } from '../definition/define.ts';
import { noted, strings } from '../definition/field-notes.ts';
import { passengerRef, segmentRef } from '../definition/input-fields.ts';
import { oneByRef } from '../rules/find-by-ref.ts';
import {
  departed,
  noActiveSegment,
  notPermitted,
  notSent,
  type Refusal,
  refuse,
  sharedPointer,
  whyNotUpdate,
} from '../rules/why-not.ts';
import { namesBefore, peopleSection, section, tripSection } from '../views/terms-text.ts';
import { priceWarnings } from './booking-change.ts';
import type { AddedService } from './service-evidence.ts';

/** Of the input: who gets the service, and where. */
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

/** Of the output: who gets the service, and what the airline answered. */
export const answerFields = () =>
  strings({
    passenger: 'who gets it',
    answer: '`requested`, `confirmed`, `refused`, `cancelled`, `none` (not shown) or `unknown`',
  });

/** Refuses if the booking has no segment that a service can be asked for. */
export function whyNotServices(booking: Booking, { now }: Circumstances): Refusal | undefined {
  const early = whyNotUpdate(booking, { now });
  if (early !== undefined) return early;
  if (activeSegments(booking).length === 0) return noActiveSegment();
  return segmentsToCome(booking, now).length === 0 ? notPermitted('all its segments have departed') : undefined;
}

function segmentsToCome(booking: Booking, now: number): readonly Segment[] {
  return activeSegments(booking).filter((segment) => departed(segment, now) === undefined);
}

/** The passenger's services that the reading before did not show: `WCHC wheelchair to the seat: confirmed`, one line each. */
export function newServiceLines(
  { travelerRef }: AddedService,
  { services }: Booking,
  before: Booking | undefined,
): readonly string[] {
  const lines = (all: Booking['services']) =>
    all
      .filter(({ travelerRefs }) => travelerRefs.includes(travelerRef))
      .map(({ code = '', status }) => [serviceTitle(code), serviceStatusWord(status)].filter(Boolean).join(': '));
  const known = lines(before?.services ?? []);
  return [...new Set(lines(services))].filter((line) => !known.includes(line));
}

interface ServicePlaces {
  readonly passenger: Traveler;
  readonly segments: readonly Segment[];
}

/** Who is asked for, and the segments to come that are meant. Throws ClerkError if the booking has no such passenger or segment. */
export function askedPlaces(
  booking: Booking,
  { passenger_ref: ref, segment_ref: only }: ServiceArgs,
  { now }: ToolContext,
): ServicePlaces {
  const passenger = oneByRef(booking.travelers, ref, 'passenger_ref', 'the booking has');
  const coming = segmentsToCome(booking, now());
  if (only === undefined) return { passenger, segments: coming };
  return { passenger, segments: [oneByRef(coming, only, 'segment_ref', 'the segments to come are')] };
}

/** Asking again would make two of it. */
const STANDS: readonly ServiceAnswer[] = ['requested', 'confirmed'];

/** Without the segments where the passenger has the service. Throws ClerkError if none is left, or a request cannot say which. */
export function placesWithout(booking: Booking, code: string, { passenger, segments }: ServicePlaces): ServicePlaces {
  const answerOn = ({ ref }: Segment) =>
    answerToService(booking, { code, travelerRef: passenger.ref, segmentRefs: [ref] });
  const lacking = segments.filter((segment) => !STANDS.includes(answerOn(segment)));
  if (lacking.length === 0) {
    const what = `Passenger ${passenger.ref} of booking ${booking.locator} has this service already.`;
    throw notSent('E_ALREADY_DONE', what, 'Call read_booking to see whether the airline confirmed it.');
  }
  for (const segment of lacking) refuse(booking, sharedPointer(booking, segment));
  return { passenger, segments: lacking };
}

const NO_PRICE =
  'The request names no price. If the airline charges for it, the price of the booking shows that afterwards; this request pays nothing.';

/** What the person approves. `line`: what is asked for, for whom. */
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

/** What the airline answered, and whether the booking costs something else now. `what`: the service, at the start of a sentence. */
export function serviceReport(
  { args, operation, booking, terms }: Done<ServiceArgs>,
  { code, what }: { readonly code: string; readonly what: string },
  { now }: ToolContext,
) {
  const passenger = namesBefore(terms?.booking ?? booking, [args.passenger_ref]);
  const answer = booking === undefined ? 'unknown' : answerIn(booking, args, code, now());
  return {
    summary: `${what} for ${passenger} in booking ${operation.locator}: ${serviceAnswerText(answer)}.`,
    next: STANDS.includes(answer) ? undefined : 'A person must ask the airline what it can do.',
    warnings: priceWarnings(terms?.booking, booking),
    added: { passenger, answer },
  };
}

function answerIn(
  booking: Booking,
  { passenger_ref: travelerRef, segment_ref: only }: ServiceArgs,
  code: string,
  now: number,
) {
  const segmentRefs = only === undefined ? segmentsToCome(booking, now).map(({ ref }) => ref) : [only];
  return answerToService(booking, { code, travelerRef, segmentRefs });
}
