/**
 * What acts share that add a special service to a booking: on which segments, and when not; what the person reads. What proves it
 * is in service-evidence.ts.
 */
import { activeSegments, type Booking, type Segment } from '../../domain/booking/booking.ts';
import { serviceStatusWord, serviceTitle } from '../../domain/booking/special-services.ts';
import { oneByRef } from '../rules/find-by-ref.ts';
import { departed, noActiveSegment, notPermitted, whyNotUpdate } from '../rules/why-not.ts';
import { section } from '../views/terms-lines.ts';
import type { RefusingAct } from './booking-change.ts';

export const whyNotServices: RefusingAct['whyNot'] = (booking, when) =>
  whyNotUpdate(booking, when) ?? whyNoSegment(booking, when.now);

function whyNoSegment(booking: Booking, now: number) {
  if (activeSegments(booking).length === 0) return noActiveSegment();
  return segmentsToCome(booking, now).length === 0 ? notPermitted('all its segments have departed') : undefined;
}

/** The segments that a service can be asked for. @param now ms epoch */
export function segmentsToCome(booking: Booking, now: number): readonly Segment[] {
  return activeSegments(booking).filter((segment) => departed(segment, now) === undefined);
}

/** The segment to come with this ref, or all of them. Throws E_INPUT for another ref. @param now ms epoch */
export function chosenSegments(booking: Booking, ref: string | undefined, now: number): readonly Segment[] {
  const coming = segmentsToCome(booking, now);
  return ref === undefined ? coming : [oneByRef(coming, ref, 'segment_ref', 'the segments to come are')];
}

const NO_PRICE =
  'The request names no price. If the airline charges for it, the price of the booking shows that afterwards; this request pays nothing.';

/** In the terms: what it costs and that it stays. */
export const freeServiceNote = () => section('note', NO_PRICE, 'It cannot be taken back here: only the airline can.');

/** The passenger's services that the reading before did not show: `WCHC wheelchair to the seat: confirmed`, one line each. */
export function newServiceLines(
  travelerRef: string,
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
