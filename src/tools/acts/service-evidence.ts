/** How many more of a special service an act is expected to add, and what proves it (docs/wire/notes.md, Changes). */
import { activeSegments, type Booking, type SpecialService } from '../../domain/booking/booking.ts';
import { type ExpectedTraveler, type FlightKey, flightKey, sameFlight } from '../../domain/booking/expected-change.ts';
import { isIdentifyingService, segmentStatus } from '../../domain/booking/status-codes.ts';
import type { Digest } from '../../domain/people/identity-text.ts';
import { expectTraveler, findTraveler, together, type Verdict } from '../../journal/evidence.ts';

/** A special service for one passenger: so many more of it on each of these segments. */
interface ServiceRequest {
  readonly travelerRef: string;
  readonly segmentRefs: readonly string[];
  readonly code: string;
  readonly quantity: number;
}

/** What the journal keeps of a service that an act adds. The act adds its own `kind`. */
export type AddedService = ExpectedTraveler & {
  readonly code: string;
  readonly quantity: number;
  /** `was`: how many the passenger had there before; absent if the reading did not say. */
  readonly on: readonly { readonly flight: FlightKey; readonly was?: number }[];
};

export function expectAddedService(booking: Booking, request: ServiceRequest, digest: Digest): AddedService {
  const { travelerRef, segmentRefs, code, quantity } = request;
  const on = activeSegments(booking)
    .filter(({ ref }) => segmentRefs.includes(ref))
    .map((segment) => ({
      flight: flightKey(segment),
      was: servicesOn(booking, { code, travelerRef, segmentRef: segment.ref }),
    }));
  return { ...expectTraveler(booking, travelerRef, digest), code, quantity, on };
}

/** Proves nothing unless the reading says of every segment how many there are. */
export function judgeAddedService(
  expected: AddedService,
  booking: Booking,
  { digest }: { readonly digest: Digest },
): Verdict {
  if (booking.travelers.length === 0) return 'void';
  const traveler = findTraveler(booking, expected, digest);
  if (traveler === undefined) return 'contradicted';
  const verdicts = expected.on.map(({ flight, was }): Verdict => {
    const [segment, ...twins] = activeSegments(booking).filter((active) => sameFlight(flightKey(active), flight));
    if (segment === undefined || twins.length > 0) return 'void';
    const now = servicesOn(booking, { code: expected.code, travelerRef: traveler.ref, segmentRef: segment.ref });
    return judgeQuantity({ was, now, added: expected.quantity, isShown: showsServices(booking) });
  });
  return verdicts.includes('void') ? 'void' : together(verdicts);
}

interface Quantities {
  readonly was: number | undefined;
  readonly now: number | undefined;
  readonly added: number;
  /** The airline shows services of this booking. */
  readonly isShown: boolean;
}

function judgeQuantity({ was, now, added, isShown }: Quantities): Verdict {
  if (was === undefined || now === undefined) return 'void';
  if (now === was + added) return 'done';
  // None before and none now proves nothing if this airline shows no services at all.
  if (now === was) return now > 0 || isShown ? 'not_done' : 'void';
  return now > was && now < was + added ? 'partial' : 'contradicted';
}

/** Documents are services too, which an airline may show without the others. */
function showsServices({ services }: Booking): boolean {
  return services.some(({ code }) => !isIdentifyingService(code));
}

/**
 * How many of a service a passenger has on a segment. A line that names no passenger, or no segment, may be about any.
 * Undefined if a line that may be about these does not say how many each has.
 */
function servicesOn(
  { services }: Booking,
  about: { readonly code: string; readonly travelerRef: string; readonly segmentRef: string },
): number | undefined {
  const mayName = (refs: readonly string[], ref: string) => refs.length === 0 || refs.includes(ref);
  return services
    .filter(({ code }) => code === about.code)
    .filter(({ travelerRefs }) => mayName(travelerRefs, about.travelerRef))
    .filter(({ segmentRefs }) => mayName(segmentRefs, about.segmentRef))
    .map(quantityEach)
    .reduce((sum, quantity) => (sum === undefined || quantity === undefined ? undefined : sum + quantity), 0);
}

/**
 * How many the one passenger of this line has on each of its segments. Undefined if the line names several passengers
 * or none, no segment, or is neither active nor cancelled.
 */
function quantityEach({ status, quantity, travelerRefs, segmentRefs }: SpecialService): number | undefined {
  if (segmentStatus(status) === 'cancelled') return 0;
  const isClear = segmentStatus(status) === 'active' && travelerRefs.length === 1 && segmentRefs.length > 0;
  return isClear ? quantity : undefined;
}
