/**
 * Finds the fare of each segment. Searches and rail holds name it in the price rows, or in `fareInfos` in the order of
 * the segments (docs/wire/notes.md, Fares and prices). Ambiguous codes are left out.
 */

import { omitUndefined } from '../../../core/omit-undefined.ts';
import type { Segment, SegmentOption } from '../../../domain/booking/itinerary.ts';
import type { TypePrice } from '../../../domain/pricing/fare.ts';
import { codesBySegment, leadingRows } from '../../../domain/pricing/fare-codes.ts';
import type { FarePlace } from './rules.ts';

interface FareRow {
  readonly row: TypePrice;
  /** The fare family. */
  readonly name: string | undefined;
}

interface NamedComponent {
  readonly fare: FarePlace;
  readonly name: string | undefined;
}

interface ChosenFare {
  readonly code?: string | undefined;
  readonly name?: string | undefined;
}

/** The options with the fare of each segment. A segment's own fare wins. */
export function withChosenFares(
  options: readonly SegmentOption[],
  rows: readonly FareRow[],
  components: readonly NamedComponent[],
): SegmentOption[] {
  const segments = options.flatMap((option) => option.segments);
  const refs = segments.map(({ ref }) => ref);
  const byRow = codesBySegment(
    rows.map(({ row }) => row),
    refs,
  );
  const names = namesOfRows(segments, rows);
  const inOrder = faresInOrder(segments, components);
  const chosen = new Map(
    segments.map((segment, i) => {
      // Two segments may share a pointer: then its row belongs to neither.
      const isUnique = refs.filter((ref) => ref === segment.ref).length === 1;
      const codes = isUnique ? byRow.get(segment.ref) : undefined;
      const name = isUnique ? names.get(segment.ref) : undefined;
      // Two codes for the same passengers are ambiguous.
      const sole = codes?.size === 1 ? [...codes][0] : undefined;
      const fareCode = codes === undefined ? inOrder?.[i]?.code : sole;
      return [segment, { code: fareCode, name: name ?? inOrder?.[i]?.name }];
    }),
  );
  return options.map((option) => ({
    ...option,
    segments: option.segments.map((segment) => {
      const { code, name } = chosen.get(segment) ?? {};
      return omitUndefined({ ...segment, fareBasis: segment.fareBasis ?? code, fareName: segment.fareName ?? name });
    }),
  }));
}

function namesOfRows(segments: readonly Segment[], rows: readonly FareRow[]): ReadonlyMap<string, string> {
  const refs = segments.map(({ ref }) => ref);
  const names = new Map<string, string>();
  for (const { row, name } of leadingRows(rows, (one) => one.row.type)) {
    if (name === undefined) continue;
    for (const ref of row.segmentRefs.length > 0 ? row.segmentRefs : refs) names.set(ref, names.get(ref) ?? name);
  }
  return names;
}

/**
 * `fareInfos` in the order of the segments. The airports only verify: a trip can contain a city pair twice. Undefined if
 * they do not fit, or if the list covers the trip twice with different codes.
 */
function faresInOrder(
  segments: readonly Segment[],
  components: readonly NamedComponent[],
): readonly ChosenFare[] | undefined {
  const passes: ChosenFare[][] = [[]];
  for (const { fare, name } of components) {
    // Items without airports are surplus, and those of another class belong to another offer.
    if (fare.from === undefined || fare.to === undefined || !isOfClasses(fare, segments)) continue;
    if (passes.at(-1)?.length === segments.length) passes.push([]);
    const pass = passes.at(-1) ?? [];
    const rest = segments.slice(pass.length);
    const length = rest.findIndex(({ to }) => to === fare.to) + 1;
    if (length === 0 || rest[0]?.from !== fare.from) return undefined;
    const covered = rest.slice(0, length);
    pass.push(...covered.map((segment, i) => ({ code: codeOf(fare, segment, i, length), name })));
  }
  const [first] = passes;
  const isComplete = passes.every((pass) => pass.length === segments.length);
  const agreed = passes.every((pass) => pass.every(({ code }, i) => code === first?.[i]?.code));
  return isComplete && agreed ? first : undefined;
}

function codeOf(fare: FarePlace, segment: Segment, place: number, length: number): string | undefined {
  const fitting = fare.references.filter((reference) => fits(reference, segment));
  const codes = new Set(fitting.map(({ code }) => code));
  if (codes.size === 1) return [...codes][0];
  return fare.references.length === length ? fare.references[place]?.code : undefined;
}

function fits({ bookingClass }: FarePlace['references'][number], segment: Segment): boolean {
  return bookingClass === undefined || segment.bookingClass === undefined || bookingClass === segment.bookingClass;
}

/** Whether a fare component names no class, or the class of one of these segments. */
export function isOfClasses({ references }: FarePlace, segments: readonly Segment[]): boolean {
  return (
    references.length === 0 || references.some((reference) => segments.some((segment) => fits(reference, segment)))
  );
}
