/** Reads fare basis codes by segment from price rows, and compares those of the chosen offer with those of the hold. */
import { type Money, sameMoney } from '../../core/money.ts';
import type { Booking, SegmentOption } from '../booking/booking.ts';
import type { TypePrice } from './fare.ts';

const ADULT = 'ADT';

/** The rows whose fare is sent for a segment: types can have different codes, and the adult's is sent. */
export function leadingRows<T>(rows: readonly T[], typeOf: (row: T) => string): readonly T[] {
  const types = rows.map(typeOf);
  const leading = types.includes(ADULT) ? ADULT : types[0];
  return rows.filter((_, i) => types[i] === leading);
}

/** Assigns a code to the segment named with it, else to those of its row, else to all. */
function codesOfRow({ fareBasis, segmentRefs }: TypePrice, allRefs: readonly string[]): [string, string][] {
  const placedCodes = fareBasis.flatMap(({ code, segmentRef }): [string, string][] =>
    segmentRef === undefined ? [] : [[segmentRef, code]],
  );
  const codes = fareBasis.filter(({ segmentRef }) => segmentRef === undefined).map(({ code }) => code);
  const covered = segmentRefs.length > 0 ? segmentRefs : allRefs;
  const [only] = codes;
  if (only !== undefined && new Set(codes).size === 1) {
    return [...placedCodes, ...covered.map((ref): [string, string] => [ref, only])];
  }
  if (codes.length !== covered.length) return placedCodes;
  return [...placedCodes, ...covered.map((ref, i): [string, string] => [ref, codes[i] ?? ''])];
}

export function codesBySegment(rows: readonly TypePrice[], allRefs: readonly string[]): Map<string, Set<string>> {
  const codes = new Map<string, Set<string>>();
  for (const row of leadingRows(rows, ({ type }) => type)) {
    for (const [ref, code] of codesOfRow(row, allRefs)) codes.set(ref, (codes.get(ref) ?? new Set()).add(code));
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
  const heldSegments = booking.options.flatMap((option) => option.segments);
  return segments.flatMap(({ ref, fare: chosen }, i) => {
    const code = (heldSegments.find((segment) => segment.ref === ref) ?? heldSegments[i])?.fareBasis;
    return chosen === undefined || code === undefined || code === chosen ? [] : [{ ref, chosen, held: code }];
  });
}
