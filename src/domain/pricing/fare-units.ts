/**
 * Assigns fare components to segments: by airports, pointer or order of `fareInfos` (docs/wire/notes.md, Money and rules).
 * Assumes nothing if these do not decide it.
 */
import { rememberedFor } from '../../core/remembered.ts';
import { earliest } from '../../core/times.ts';
import type { Booking, Segment, SegmentOption } from '../booking/booking.ts';
import { standing } from '../booking/status-codes.ts';
import type { FareComponent, FareRule } from './fare.ts';

/** The segments that one penalty is charged for, with all their fare components. */
export interface FareUnit {
  readonly segments: readonly Segment[];
  readonly fares: readonly FareComponent[];
  readonly refundRules: readonly FareRule[];
}

/** Segments that a component may belong to. */
type ComponentSegments = readonly Segment[];

const isLeft = (segment: Segment) => standing(segment) !== 'cancelled';

export function segmentsLeft(options: readonly SegmentOption[]): readonly Segment[] {
  return options.flatMap(({ segments }) => segments.filter(isLeft));
}

/** The airline's own texts of fare rules, each once. */
export function ruleTexts(segments: readonly Segment[]): readonly string[] {
  return [...new Set(segments.flatMap(({ fareRules = [] }) => fareRules.map(({ text }) => text)))];
}

/**
 * The units of some options, without cancelled segments. `bare`: segments without a component, or whose component also
 * covers a segment that stays.
 */
export function fareUnits(
  booking: Booking,
  options: readonly SegmentOption[],
): { readonly units: readonly FareUnit[]; readonly bare: readonly Segment[] } {
  const going = segmentsLeft(options);
  const units = allUnits(booking).filter(({ segments }) => segments.every((segment) => going.includes(segment)));
  const covered = new Set(units.flatMap(({ segments }) => segments));
  return { units, bare: going.filter((segment) => !covered.has(segment)) };
}

/** Each rule about a booking asks for them. A segment in two places has no unit. */
const allUnits = /* @__PURE__ */ rememberedFor((booking: Booking): readonly FareUnit[] => {
  const places = placedComponents(booking);
  const twice = (segment: Segment) => places.filter(({ place }) => place.includes(segment)).length > 1;
  return places.flatMap(({ place, fares }): FareUnit[] => {
    const segments = place.filter(isLeft);
    if (segments.length === 0 || segments.some(twice)) return [];
    return [{ segments, fares, refundRules: fares.flatMap(({ refundRules }) => refundRules) }];
  });
});

/** The components of some options; undefined if a segment has none of its own. */
export function componentsAlong(
  booking: Booking,
  options: readonly SegmentOption[],
): readonly FareComponent[] | undefined {
  const { units, bare } = fareUnits(booking, options);
  return bare.length > 0 ? undefined : units.flatMap(({ fares }) => fares);
}

/** The time limit for cancelling these options, as sent (docs/wire/notes.md, Limits). */
export function cancelLimit(booking: Booking, options: readonly SegmentOption[]): string | undefined {
  const fares = componentsAlong(booking, options) ?? booking.pricing?.fares ?? [];
  return earliest(fares.map(({ cancelUntil }) => cancelUntil));
}

/** Every component that can be assigned, grouped by segments. */
function placedComponents(booking: Booking): readonly { place: ComponentSegments; fares: FareComponent[] }[] {
  const byEnds = Map.groupBy(booking.pricing?.fares ?? [], endsText);
  const found = new Map<string, { place: ComponentSegments; fares: FareComponent[] }>();
  for (const [ends, fares] of byEnds) {
    const places = placesFor(booking, ends);
    fares.forEach((fare, i) => {
      const place = byPointer(fares, places) ? placePointedAt(fare, places) : byOrder(i, fares.length, places);
      if (place === undefined) return;
      const key = place.map(({ ref }) => ref).join(' ');
      const unit = found.get(key) ?? { place, fares: [] };
      unit.fares.push(fare);
      found.set(key, unit);
    });
  }
  return [...found.values()];
}

function endsText({ from, to }: FareComponent): string {
  return from === undefined || to === undefined ? '' : `${from} ${to}`;
}

/** Segments between these airports, else whole connections; any segment for a component without airports. */
function placesFor({ options }: Booking, ends: string): readonly ComponentSegments[] {
  const single = options.flatMap(({ segments }) => segments.map((segment): ComponentSegments => [segment]));
  if (ends === '') return single;
  const between = (place: ComponentSegments) => ends === `${place[0]?.from} ${place.at(-1)?.to}`;
  const matching = single.filter(between);
  return matching.length > 0 ? matching : options.map(({ segments }) => segments).filter(between);
}

function placePointedAt({ ref }: FareComponent, places: readonly ComponentSegments[]): ComponentSegments | undefined {
  return places.find((place) => place.some((segment) => segment.ref === ref));
}

/** Uses pointers only if all of them fit: a component's number may differ from its segment's. */
function byPointer(fares: readonly FareComponent[], places: readonly ComponentSegments[]): boolean {
  const found = new Set(fares.map((fare) => placePointedAt(fare, places)));
  return !found.has(undefined) && found.size === places.filter((place) => place.some(isLeft)).length;
}

/** By order, if there are as many components as places, or as places that are not cancelled. */
function byOrder(i: number, count: number, places: readonly ComponentSegments[]): ComponentSegments | undefined {
  if (places.length === 1) return places[0];
  if (places.length === count) return places[i];
  const left = places.filter((place) => place.some(isLeft));
  return left.length === count ? left[i] : undefined;
}
