/**
 * What a yes to a plan is bound to: all steps by one digest, and a step whose booking does not exist yet by what the recipe
 * expects, which is compared with the terms that are read once it does.
 */

import { digest } from '../approvals/digest.ts';
import type { PlanApproval } from '../approvals/ports.ts';
import type { Terms } from '../approvals/terms.ts';
import { activeSegments, type Segment } from '../domain/booking/booking.ts';
import { flightName } from '../domain/booking/flight-name.ts';
import { namesShown } from '../domain/people/names.ts';
import type { Traveler } from '../domain/people/traveler.ts';
import type { BoundTerms } from './plan.ts';

/** Stands for the locator in the act of such a step: `Release hold the new booking`. */
export const NEW_BOOKING = 'the new booking';

/** The trip and its people, as both an offer and a booking show them. */
interface BoundFacts {
  /** Flight, from, to, local departure to the minute. */
  readonly flights: readonly (readonly [flight: string, from: string, to: string, departs: string])[];
  readonly count: number;
  /** As the airline writes them, sorted. */
  readonly names: readonly string[];
}

/** Of the flights of an offer, and the passengers that `create_booking` is given. */
export function boundFacts(
  segments: readonly Pick<Segment, 'flightNumber' | 'marketing' | 'operating' | 'from' | 'to' | 'departs'>[],
  travelers: readonly Traveler[],
): BoundFacts {
  return {
    flights: segments.map((segment) => [
      flightName(segment as Segment),
      segment.from,
      segment.to,
      segment.departs.slice(0, 16),
    ]),
    count: travelers.length,
    names: [...namesShown(travelers)].sort(),
  };
}

type Bound = Omit<BoundTerms, 'sections'>;

/** What a person can have approved of these terms before the booking existed. */
export function boundOf({ act, nature, money, locator, booking }: Terms): Bound {
  return {
    act: locator === undefined ? act : act.replaceAll(locator, NEW_BOOKING),
    nature,
    ...(money && { money }),
    facts: booking && boundFacts(activeSegments(booking), booking.travelers),
  };
}

/** In place of the digest of the terms. */
export function boundDigest(key: Uint8Array, tool: string, { act, nature, money, facts }: Bound): string {
  return digest(key, { tool, act, nature, money, facts });
}

/** Of all steps that one yes granted; their operations hold it. Undefined while nothing of this question was granted. */
export function planDigest(
  key: Uint8Array,
  approvals: readonly PlanApproval[],
  question: string | undefined,
): string | undefined {
  const granted = approvals.filter(
    ({ part, decision, decidedAt }) =>
      part.line > 0 && !part.alone && part.question === question && decidedAt !== undefined && decision !== 'declined',
  );
  if (granted.length === 0) return undefined;
  const steps = granted.toSorted((a, b) => place(a) - place(b));
  return digest(
    key,
    steps.map(({ tool, argsDigest, termsDigest, operationId }) => [tool, argsDigest, termsDigest, operationId]),
  );
}

const place = ({ part }: PlanApproval): number => part.line * 100 + part.step;
