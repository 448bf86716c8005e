/** Which differences between two readings are the work of our own operations, and which findings an operation closes. */
import type { Difference } from './compare-segments.ts';
import { isLost } from './connections.ts';
import type { ExpectedChange, FlightKey } from './expected-change.ts';
import type { Finding, FindingFacts, FindingKind, FindingSegment } from './finding.ts';
import type { KeptSegment } from './kept-reading.ts';
import { digitsOf, isSameTime } from './pair-segments.ts';

/** Kinds that an operation of this kind explains, whatever else they say. Others depend on what it was about. */
const EXPLAINED: Readonly<Record<ExpectedChange['kind'], readonly FindingKind[]>> = {
  create: ['deadline_moved', 'price_changed'],
  pay: ['deadline_moved', 'price_changed'],
  cancel_segments: ['coupon_closed', 'refunded', 'deadline_moved', 'price_changed'],
  cancel_passengers: ['coupon_closed', 'refunded', 'deadline_moved', 'price_changed'],
  change_names: ['coupon_closed', 'deadline_moved', 'price_changed'],
  update_passengers: ['coupon_closed', 'deadline_moved', 'price_changed'],
  update_contact: [],
  assign_seats: ['seat_changed'],
  rebook_segment: ['coupon_closed', 'refunded', 'deadline_moved', 'price_changed'],
  split_booking: ['coupon_closed', 'refunded', 'deadline_moved', 'price_changed'],
  cancel_booking: [
    ...([
      'segment_cancelled',
      'coupon_closed',
      'refunded',
      'deadline_moved',
      'price_changed',
      'passenger_gone',
    ] as const),
    ...(['booking_cancelled', 'seat_changed'] as const),
  ],
};

/** What can show a while after the operation, when the booking itself has changed already. */
const LATE: ReadonlySet<FindingKind> = new Set(['coupon_closed', 'refunded']);

/**
 * Those that no operation explains.
 *
 * @param since operations that may have acted since the reading before
 * @param lately those of a longer while, whose tickets and refunds may follow
 */
export function unexplained(
  differences: readonly Difference[],
  since: readonly ExpectedChange[],
  lately: readonly ExpectedChange[] = since,
): readonly Difference[] {
  const now = new Set(since.flatMap(({ kind }) => EXPLAINED[kind]));
  const late = new Set(lately.flatMap(({ kind }) => EXPLAINED[kind]).filter((kind) => LATE.has(kind)));
  const cancelled = cancelledByUs(differences, since);
  const left = since.reduce((sum, one) => sum + passengersLeft(one), 0);
  return differences.filter((one) => {
    if (now.has(one.kind) || late.has(one.kind) || cancelled.has(one)) return false;
    if (one.kind === 'passenger_gone') return (one.before?.passengers ?? 0) - (one.after?.passengers ?? 0) > left;
    return !since.some((operation) => operation.kind === 'rebook_segment' && isRebooking(one, operation));
  });
}

/** Pointers may have been renumbered between the readings: they decide only if more was cancelled than we asked for. */
function cancelledByUs(differences: readonly Difference[], operations: readonly ExpectedChange[]): Set<Difference> {
  const lost = differences.filter(({ kind }) => kind === 'segment_cancelled');
  const refs = operations.flatMap((one) => (one.kind === 'cancel_segments' ? one.segmentRefs : []));
  const isAll = operations.some((one) => one.kind === 'cancel_passengers' && one.kept.length === 0);
  if (isAll || lost.length <= refs.length) return new Set(lost);
  return new Set(lost.filter(({ was }) => was !== undefined && refs.includes(was.ref)).slice(0, refs.length));
}

function passengersLeft(operation: ExpectedChange): number {
  if (operation.kind === 'cancel_passengers') return operation.gone.length;
  return operation.kind === 'split_booking' ? operation.moved.length : 0;
}

type Rebooking = ExpectedChange & { readonly kind: 'rebook_segment' };

function isRebooking({ was, now }: Difference, { replaced, wanted }: Rebooking): boolean {
  const isWanted = now !== undefined && isFlight(now, wanted);
  return (was !== undefined && isFlight(was, replaced)) || isWanted;
}

function isFlight(segment: Pick<FindingSegment, 'from' | 'to' | 'departs' | 'number'>, flight: FlightKey): boolean {
  const { from, to, departs, number } = flight;
  return (
    segment.from === from &&
    segment.to === to &&
    digitsOf(segment.number) === number &&
    isSameTime(segment.departs, departs)
  );
}

/** An operation that is done, and since when, milliseconds since 1970. */
export interface DoneOperation {
  readonly id: string;
  readonly at: number;
  readonly change: ExpectedChange;
}

/** Kinds that an operation of this kind closes. */
const CLOSED: Partial<Record<ExpectedChange['kind'], readonly FindingKind[]>> = {
  pay: ['price_changed', 'deadline_moved'],
  assign_seats: ['seat_changed'],
};

/**
 * The operation that closes a finding: it came later, and there is nothing left to do about the segment.
 *
 * @param segments as they are now
 */
export function closedBy(
  finding: Finding,
  operations: readonly DoneOperation[],
  segments: readonly KeptSegment[],
): DoneOperation | undefined {
  return operations.find(({ at, change }) => {
    if (at < finding.seenAt) return false;
    if (change.kind === 'cancel_booking' || CLOSED[change.kind]?.includes(finding.kind)) return true;
    if (change.kind === 'rebook_segment') return sidesOf(finding).some((side) => isFlight(side, change.replaced));
    return change.kind.startsWith('cancel_') && finding.segment !== undefined && !runs(finding, segments);
  });
}

function runs(finding: Finding, segments: readonly KeptSegment[]): boolean {
  return sidesOf(finding).some(({ from, to, departs }) =>
    segments.some((one) => one.from === from && one.to === to && isSameTime(one.departs, departs) && !isLost(one)),
  );
}

/** The segment of a finding as it was, and as it became. */
function sidesOf({ segment, before, after }: Finding): readonly FindingSegment[] {
  if (segment === undefined) return [];
  const side = ({ number = segment.number, departs = segment.departs }: FindingFacts) => ({
    ...segment,
    number,
    departs,
  });
  return [before, after].map((facts = {}) => side(facts));
}
