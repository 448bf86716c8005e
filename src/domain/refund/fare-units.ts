/**
 * Assigns fare components to segments: by airports, pointer or order of `fareInfos` (docs/wire/notes.md, Money and
 * rules). Assumes nothing if these do not decide it.
 */
import { memoizeByObject } from '../../core/memoize.ts';
import { earliestTime } from '../../core/times.ts';
import type { Booking, Segment, SegmentOption } from '../booking/booking.ts';
import type { FareComponent, FareRule } from '../booking/fare.ts';
import { standing } from '../booking/status-codes.ts';

/** The segments that one penalty is charged for, with all their fare components. */
export interface FareUnit {
  readonly segments: readonly Segment[];
  readonly fares: readonly FareComponent[];
  readonly refundRules: readonly FareRule[];
}

/** Segments that a component may belong to. */
type ComponentSegments = readonly Segment[];

const isNotCancelled = (segment: Segment) => standing(segment) !== 'cancelled';

export function uncancelledSegments(options: readonly SegmentOption[]): readonly Segment[] {
  return options.flatMap(({ segments }) => segments.filter(isNotCancelled));
}

/** The airline's own texts of fare rules, each once. */
export function ruleTexts(segments: readonly Segment[]): readonly string[] {
  return [...new Set(segments.flatMap(({ fareRules = [] }) => fareRules.map(({ text }) => text)))];
}

/** What is known of the fares of some options. */
export interface Coverage {
  /** Without cancelled segments. */
  readonly units: readonly FareUnit[];
  /** Segments without a component, or whose component also covers a segment of another option. */
  readonly uncovered: readonly Segment[];
}

export function fareUnits(booking: Booking, options: readonly SegmentOption[]): Coverage {
  const wantedSegments = uncancelledSegments(options);
  const units = unitsOfBooking(booking).filter(({ segments }) =>
    segments.every((segment) => wantedSegments.includes(segment)),
  );
  const covered = new Set(units.flatMap(({ segments }) => segments));
  return { units, uncovered: wantedSegments.filter((segment) => !covered.has(segment)) };
}

/** Remembered, because every rule about a booking needs its units. A segment with two components has no unit. */
const unitsOfBooking = /* @__PURE__ */ memoizeByObject((booking: Booking): readonly FareUnit[] => {
  const assigned = componentsBySegments(booking);
  const isAssignedTwice = (segment: Segment) =>
    assigned.filter(({ segments }) => segments.includes(segment)).length > 1;

  return assigned.flatMap(({ segments: covered, fares }): FareUnit[] => {
    const segments = covered.filter(isNotCancelled);
    if (segments.length === 0 || segments.some(isAssignedTwice)) return [];
    return [{ segments, fares, refundRules: fares.flatMap(({ refundRules }) => refundRules) }];
  });
});

/** The components of some options; undefined if a segment has none of its own. */
export function componentsAlong(
  booking: Booking,
  options: readonly SegmentOption[],
): readonly FareComponent[] | undefined {
  return componentsOf(fareUnits(booking, options));
}

function componentsOf({ units, uncovered }: Coverage): readonly FareComponent[] | undefined {
  return uncovered.length > 0 ? undefined : units.flatMap(({ fares }) => fares);
}

/** The time limit for cancelling these options, as sent (docs/wire/notes.md, Limits). */
export function cancelLimit(booking: Booking, options: readonly SegmentOption[]): string | undefined {
  return limitAlong(booking, fareUnits(booking, options));
}

/** The time limit for cancelling what these fares cover. */
export function limitAlong(booking: Booking, coverage: Coverage): string | undefined {
  const fares = componentsOf(coverage) ?? booking.pricing?.fares ?? [];
  return earliestTime(fares.map(({ cancelUntil }) => cancelUntil));
}

interface AssignedComponents {
  readonly segments: ComponentSegments;
  readonly fares: FareComponent[];
}

/** Every component that can be assigned, grouped by the segments that it covers. */
function componentsBySegments(booking: Booking): readonly AssignedComponents[] {
  const byEnds = Map.groupBy(booking.pricing?.fares ?? [], endsText);
  const assigned = new Map<string, AssignedComponents>();

  for (const [ends, fares] of byEnds) {
    const candidates = candidateSegments(booking, ends);
    const arePointersUsed = allPointersFit(fares, candidates);

    fares.forEach((fare, i) => {
      const segments = arePointersUsed
        ? segmentsPointedAt(fare, candidates)
        : segmentsByOrder(i, fares.length, candidates);
      if (segments === undefined) return;

      const key = segments.map(({ ref }) => ref).join(' ');
      const unit = assigned.get(key) ?? { segments, fares: [] };
      unit.fares.push(fare);
      assigned.set(key, unit);
    });
  }

  return [...assigned.values()];
}

/** `JED MED`, the airports of a component; empty if it names none. */
function endsText({ from, to }: FareComponent): string {
  return from === undefined || to === undefined ? '' : `${from} ${to}`;
}

/** Segments between these airports, else whole connections; any segment for a component without airports. */
function candidateSegments({ options }: Booking, ends: string): readonly ComponentSegments[] {
  const single = options.flatMap(({ segments }) => segments.map((segment): ComponentSegments => [segment]));
  if (ends === '') return single;
  const isBetween = (segments: ComponentSegments) => ends === `${segments[0]?.from} ${segments.at(-1)?.to}`;
  const matching = single.filter(isBetween);
  return matching.length > 0 ? matching : options.map(({ segments }) => segments).filter(isBetween);
}

function segmentsPointedAt(
  { ref }: FareComponent,
  candidates: readonly ComponentSegments[],
): ComponentSegments | undefined {
  return candidates.find((segments) => segments.some((segment) => segment.ref === ref));
}

/** Pointers count only if all of them fit: a component's number may differ from its segment's. */
function allPointersFit(fares: readonly FareComponent[], candidates: readonly ComponentSegments[]): boolean {
  const segmentsOfFares = new Set(fares.map((fare) => segmentsPointedAt(fare, candidates)));
  return (
    !segmentsOfFares.has(undefined) &&
    segmentsOfFares.size === candidates.filter((segments) => segments.some(isNotCancelled)).length
  );
}

/** By order, if there are as many components as candidates, or as candidates that are not cancelled. */
function segmentsByOrder(
  i: number,
  count: number,
  candidates: readonly ComponentSegments[],
): ComponentSegments | undefined {
  if (candidates.length === 1) return candidates[0];
  if (candidates.length === count) return candidates[i];
  const uncancelled = candidates.filter((segments) => segments.some(isNotCancelled));
  return uncancelled.length === count ? uncancelled[i] : undefined;
}
