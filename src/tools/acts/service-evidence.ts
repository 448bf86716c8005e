/** How many more of a special service an act is expected to add, and what proves it (docs/wire/notes.md, Changes). */
import { activeSegments, type Booking, type SpecialService } from '../../domain/booking/booking.ts';
import { type ExpectedTraveler, type FlightKey, flightKey, sameFlight } from '../../domain/booking/expected-change.ts';
import { isIdentifyingService, serviceStatus } from '../../domain/booking/special-services.ts';
import type { Digest } from '../../domain/people/identity-text.ts';
import { expectTraveler, findTraveler, together, type Verdict } from '../../journal/evidence.ts';

/** A special service for one passenger: so many more of it on each of these segments. */
interface ServiceRequest {
  readonly travelerRef: string;
  readonly segmentRefs: readonly string[];
  readonly code: string;
  readonly quantity: number;
}

/** What the journal keeps of a service that an act adds: nothing that tells which one. The act adds its own `kind`. */
export type AddedService = ExpectedTraveler & {
  /** Keyed digest of passenger and code: what somebody needs on a trip is about their health. */
  readonly service: string;
  readonly quantity: number;
  /** What the passenger had there before; absent if the reading did not say. */
  readonly on: readonly { readonly flight: FlightKey; readonly was?: number; readonly refused?: number }[];
};

interface Shown {
  /** Requested or confirmed. */
  readonly stands?: number | undefined;
  /** The airline answered that it does not do it. */
  readonly refused?: number | undefined;
}

export function expectAddedService(booking: Booking, request: ServiceRequest, digest: Digest): AddedService {
  const { travelerRef, segmentRefs, code, quantity } = request;
  const traveler = expectTraveler(booking, travelerRef, digest);
  const service = digest(serviceText(traveler, code));
  const on = activeSegments(booking)
    .filter(({ ref }) => segmentRefs.includes(ref))
    .map((segment) => {
      const isSame = (other: string) => other === code;
      const { stands: was, refused } = servicesOn(booking, { isSame, travelerRef, segmentRef: segment.ref });
      return { flight: flightKey(segment), was, refused };
    });
  return { ...traveler, service, quantity, on };
}

/** Of two passengers the same service has two digests. */
function serviceText({ travelerRef, who }: ExpectedTraveler, code: string): string {
  return ['service', who === '' ? travelerRef : who, code].join('|');
}

/** Proves nothing unless the reading says of every segment how many there are. A refusal is the airline's answer: it is done. */
export function judgeAddedService(
  expected: AddedService,
  booking: Booking,
  { digest }: { readonly digest: Digest },
): Verdict {
  if (booking.travelers.length === 0) return 'void';
  const traveler = findTraveler(booking, expected, digest);
  if (traveler === undefined) return 'contradicted';
  const isSame = (code: string) => digest(serviceText(expected, code)) === expected.service;
  const verdicts = expected.on.map((before): Verdict => {
    const [segment, ...twins] = activeSegments(booking).filter((active) =>
      sameFlight(flightKey(active), before.flight),
    );
    if (segment === undefined || twins.length > 0) return 'void';
    const now = servicesOn(booking, { isSame, travelerRef: traveler.ref, segmentRef: segment.ref });
    return judgeQuantity({ before, now, added: expected.quantity, isShown: showsServices(booking) });
  });
  return verdicts.includes('void') ? 'void' : together(verdicts);
}

interface Quantities {
  readonly before: AddedService['on'][number];
  readonly now: Shown;
  readonly added: number;
  /** The airline shows services of this booking. */
  readonly isShown: boolean;
}

function judgeQuantity({ before: { was, refused: refusedBefore = 0 }, now, added, isShown }: Quantities): Verdict {
  const { stands, refused } = now;
  if (was === undefined || stands === undefined || refused === undefined) return 'void';
  if (stands === was + added) return 'done';
  if (stands === was) {
    if (refused === refusedBefore + added) return 'done';
    // An airline may show one refusal in the place of another.
    if (refused > 0 || refusedBefore > 0) return 'void';
    // None before and none now proves nothing if this airline shows no services at all.
    return stands > 0 || isShown ? 'not_done' : 'void';
  }
  return stands > was && stands < was + added ? 'partial' : 'contradicted';
}

/** Documents are services too, which an airline may show without the others. */
function showsServices({ services }: Booking): boolean {
  return services.some(({ code }) => !isIdentifyingService(code));
}

interface ServiceOf {
  readonly isSame: (code: string) => boolean;
  readonly travelerRef: string;
  readonly segmentRef: string;
}

/**
 * How many of a service a passenger has on a segment. A line that names no passenger, or no segment, may be about any.
 * Undefined if a line that may be about these does not say how many each has.
 */
function servicesOn({ services }: Booking, { isSame, travelerRef, segmentRef }: ServiceOf): Shown {
  const mayName = (refs: readonly string[], ref: string) => refs.length === 0 || refs.includes(ref);
  const each = services
    .filter(({ code }) => code !== undefined && isSame(code))
    .filter(({ travelerRefs }) => mayName(travelerRefs, travelerRef))
    .filter(({ segmentRefs }) => mayName(segmentRefs, segmentRef))
    .map(shownEach);
  const sum = (field: keyof Shown) =>
    each
      .map((one) => one[field])
      .reduce((all, one) => (all === undefined || one === undefined ? undefined : all + one), 0);
  return { stands: sum('stands'), refused: sum('refused') };
}

/**
 * How many the one passenger of this line has on each of its segments. Undefined if the line names several passengers
 * or none, no segment, or has a status that is not known.
 */
function shownEach({ status, quantity, travelerRefs, segmentRefs }: SpecialService): Shown {
  const known = status === undefined ? 'confirmed' : serviceStatus(status);
  if (known === 'cancelled') return { stands: 0, refused: 0 };
  const isClear = known !== undefined && travelerRefs.length === 1 && segmentRefs.length > 0;
  if (!isClear || quantity === undefined) return {};
  return known === 'refused' ? { stands: 0, refused: quantity } : { stands: quantity, refused: 0 };
}
