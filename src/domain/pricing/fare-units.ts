/**
 * Assigns fare components and codes to segments: by airports, pointer or order of `fareInfos` (docs/wire/notes.md, Money and
 * rules). Assumes nothing if these do not decide it.
 */
import { type Money, sameMoney } from '../../core/money.ts';
import { rememberedFor } from '../../core/remembered.ts';
import { earliest } from '../../core/times.ts';
import type { Booking, Segment, SegmentOption } from '../booking/booking.ts';
import { standing } from '../booking/status-codes.ts';
import type { FareComponent, FareRule, TypePrice } from './fare.ts';

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
  const places = placed(booking);
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
function placed(booking: Booking): readonly { place: ComponentSegments; fares: FareComponent[] }[] {
  const byEnds = Map.groupBy(booking.pricing?.fares ?? [], endsText);
  const found = new Map<string, { place: ComponentSegments; fares: FareComponent[] }>();
  for (const [ends, fares] of byEnds) {
    const places = placesFor(booking, ends);
    fares.forEach((fare, i) => {
      const place = byPointer(fares, places) ? pointed(fare, places) : byOrder(i, fares.length, places);
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

function pointed({ ref }: FareComponent, places: readonly ComponentSegments[]): ComponentSegments | undefined {
  return places.find((place) => place.some((segment) => segment.ref === ref));
}

/** Uses pointers only if all of them fit: a component's number may differ from its segment's. */
function byPointer(fares: readonly FareComponent[], places: readonly ComponentSegments[]): boolean {
  const found = new Set(fares.map((fare) => pointed(fare, places)));
  return !found.has(undefined) && found.size === places.filter((place) => place.some(isLeft)).length;
}

/** By order, if there are as many components as places, or as places that are not cancelled. */
function byOrder(i: number, count: number, places: readonly ComponentSegments[]): ComponentSegments | undefined {
  if (places.length === 1) return places[0];
  if (places.length === count) return places[i];
  const left = places.filter((place) => place.some(isLeft));
  return left.length === count ? left[i] : undefined;
}

const ADULT = 'ADT';

/** The rows whose fare is sent for a segment: types can have different codes, and the adult's is sent. */
export function leadingRows<T>(rows: readonly T[], typeOf: (row: T) => string): readonly T[] {
  const types = rows.map(typeOf);
  const leading = types.includes(ADULT) ? ADULT : types[0];
  return rows.filter((_, i) => types[i] === leading);
}

/** Assigns a code to the segment named with it, else to those of its row, else to all. */
function codesOfRow({ fareBasis, segmentRefs }: TypePrice, all: readonly string[]): [string, string][] {
  const placed = fareBasis.flatMap(({ code, segmentRef }): [string, string][] =>
    segmentRef === undefined ? [] : [[segmentRef, code]],
  );
  const codes = fareBasis.filter(({ segmentRef }) => segmentRef === undefined).map(({ code }) => code);
  const covered = segmentRefs.length > 0 ? segmentRefs : all;
  const [only] = codes;
  if (only !== undefined && new Set(codes).size === 1) {
    return [...placed, ...covered.map((ref): [string, string] => [ref, only])];
  }
  if (codes.length !== covered.length) return placed;
  return [...placed, ...covered.map((ref, i): [string, string] => [ref, codes[i] ?? ''])];
}

export function codesBySegment(rows: readonly TypePrice[], all: readonly string[]): Map<string, Set<string>> {
  const codes = new Map<string, Set<string>>();
  for (const row of leadingRows(rows, ({ type }) => type)) {
    for (const [ref, code] of codesOfRow(row, all)) codes.set(ref, (codes.get(ref) ?? new Set()).add(code));
  }
  return codes;
}

interface ChosenSegment {
  readonly ref: string;
  readonly bookingClass?: string;
  readonly fare?: string;
}

/** What distinguishes an offer from others of the same flights. */
export interface ChosenOffer {
  readonly segments: readonly ChosenSegment[];
  readonly total?: Money;
}

export function chosenOffer(options: readonly SegmentOption[], total: Money | undefined): ChosenOffer {
  const segments = options.flatMap((option) =>
    option.segments.map(({ ref, bookingClass, fareBasis }) => ({ ref, bookingClass, fare: fareBasis })),
  );
  return { segments, total };
}

/** Same class and fare on every segment, and the same price. */
export function sameOffer(a: ChosenOffer, b: ChosenOffer): boolean {
  const text = ({ segments }: ChosenOffer) =>
    JSON.stringify(segments.map(({ bookingClass, fare }) => [bookingClass, fare]));
  if (text(a) !== text(b)) return false;
  return a.total === undefined || b.total === undefined ? a.total === b.total : sameMoney(a.total, b.total);
}

/** A segment that is held in another fare than the chosen one. */
interface FareDifference {
  readonly ref: string;
  readonly chosen: string;
  readonly held: string;
}

/** Compares held with chosen fares. Matches segments by pointer, else by order; ignores segments without a fare. */
export function fareDifferences({ segments }: ChosenOffer, booking: Booking): readonly FareDifference[] {
  const held = booking.options.flatMap((option) => option.segments);
  return segments.flatMap(({ ref, fare: chosen }, i) => {
    const code = (held.find((one) => one.ref === ref) ?? held[i])?.fareBasis;
    return chosen === undefined || code === undefined || code === chosen ? [] : [{ ref, chosen, held: code }];
  });
}
