/** Finds the same segment in two readings: pointers can be renumbered, and trains retimed or replaced. */
import { DAY_MS, instantOf } from '../../core/times.ts';
import type { KeptSegment } from './kept-reading.ts';

/** Digits without leading zeros. */
export function digitsOf(number: string): string {
  return number.replace(/\D/g, '').replace(/^0+/, '');
}

export function isSameTime(one: string, other: string): boolean {
  const [a, b] = [instantOf(one), instantOf(other)];
  return a === undefined || b === undefined ? one === other : Math.abs(a - b) < 60_000;
}

function distance(segment: KeptSegment, other: KeptSegment): number {
  const [a, b] = [instantOf(segment.departs), instantOf(other.departs)];
  if (a !== undefined && b !== undefined) return Math.abs(a - b);
  return segment.departs === other.departs ? 0 : DAY_MS;
}

type SegmentLikeness = (segment: KeptSegment, other: KeptSegment) => boolean;

const sameNumber: SegmentLikeness = (segment, other) => digitsOf(segment.number) === digitsOf(other.number);

/** From certain to likely. Stations are always the same. */
const LIKENESS: readonly SegmentLikeness[] = [
  (one, other) => sameNumber(one, other) && distance(one, other) < 60_000 && one.class === other.class,
  (one, other) => sameNumber(one, other) && distance(one, other) < 60_000,
  (one, other) => sameNumber(one, other) && distance(one, other) <= DAY_MS,
  (one, other) => distance(one, other) <= DAY_MS,
];

export interface Pairs {
  /** For each segment of the later reading, the same one before. */
  readonly before: readonly (KeptSegment | undefined)[];
  /** Segments of the earlier reading that the later one does not have. */
  readonly gone: readonly KeptSegment[];
}

export function pairSegments(before: readonly KeptSegment[], after: readonly KeptSegment[]): Pairs {
  const found: (KeptSegment | undefined)[] = after.map(() => undefined);
  let left = [...before];
  for (const isLike of LIKENESS) {
    after.forEach((segment, i) => {
      if (found[i] !== undefined) return;
      const likely = left
        .filter((one) => one.from === segment.from && one.to === segment.to && isLike(one, segment))
        .sort((a, b) => distance(a, segment) - distance(b, segment));
      found[i] = likely[0];
      left = left.filter((one) => one !== likely[0]);
    });
  }
  return { before: found, gone: left };
}
