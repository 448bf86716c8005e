/** Which differences between two readings are the work of our own operations, and which findings an operation closes. */
import type { Difference } from './compare-segments.ts';
import { isLost } from './connections.ts';
import type { ExpectedChange, FlightKey } from './expected-change.ts';
import type { Finding, FindingFacts, FindingKind, FindingSegment } from './finding.ts';
import type { KeptReading, KeptSegment } from './kept-reading.ts';
import { digitsOf, isSameTime } from './pair-segments.ts';

/** Kinds that an operation of this kind explains, whatever else they say. Others depend on what it was about. */
const EXPLAINED: Readonly<Record<ExpectedChange['kind'], readonly FindingKind[]>> = {
  create: ['deadline_moved', 'price_changed'],
  pay: ['deadline_moved', 'price_changed'],
  // The airline had cancelled it, and our cancellation brings the refund: the booking is over only now.
  cancel_segments: ['coupon_closed', 'refunded', 'deadline_moved', 'price_changed', 'booking_cancelled'],
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
const LATE_MS = 15 * 60_000;
/** A reading may still show the booking as it was so long after an operation, milliseconds. */
const SOON_MS = 60_000;

/** An operation that acts, or has acted. */
export interface ActingOperation {
  readonly change: ExpectedChange;
  /** Milliseconds since 1970; absent: its outcome is not known. */
  readonly endedAt?: number;
}

/**
 * Those that no operation explains.
 *
 * @param readAt when the reading before began, milliseconds since 1970
 */
export function unexplained(
  differences: readonly Difference[],
  before: KeptReading,
  readAt: number,
  operations: readonly ActingOperation[],
): readonly Difference[] {
  const after = (ms: number) =>
    operations.filter(({ endedAt = readAt }) => endedAt >= readAt - ms).map(({ change }) => change);
  const since = after(0);
  const unseen = after(SOON_MS).filter((change) => since.includes(change) || !isSeen(change, before));
  // A booking that was cancelled whole does not come back: what shows that later is ours, however late.
  const soon = [
    ...operations.map(({ change }) => change).filter(({ kind }) => kind === 'cancel_booking'),
    ...after(SOON_MS).filter(({ kind }) => kind === 'assign_seats'),
  ];
  const kinds = new Set([...since, ...soon].flatMap(({ kind }) => EXPLAINED[kind]));
  const late = new Set(after(LATE_MS).flatMap(({ kind }) => EXPLAINED[kind]));
  const cancelled = cancelledByUs(differences, unseen);
  const left = unseen.reduce((sum, one) => sum + passengersLeft(one), 0);
  return differences.filter((one) => {
    if (kinds.has(one.kind) || cancelled.has(one) || (LATE.has(one.kind) && late.has(one.kind))) return false;
    if (one.kind === 'passenger_gone') return (one.before?.passengers ?? 0) - (one.after?.passengers ?? 0) > left;
    return !unseen.some((change) => change.kind === 'rebook_segment' && isRebooking(one, change));
  });
}

/** Whether a reading shows what the operation was to change. */
function isSeen(change: ExpectedChange, { segments, passengers }: KeptReading): boolean {
  switch (change.kind) {
    case 'cancel_segments':
      return !segments.some((one) => change.segmentRefs.includes(one.ref) && !isLost(one));
    case 'cancel_passengers':
    case 'split_booking':
      return passengers <= change.kept.length;
    case 'rebook_segment':
      return segments.some((one) => isFlight(one, change.wanted));
    default:
      return true;
  }
}

/** Pointers decide if they name the same trains in both readings, or more was cancelled than we asked for; else the number. */
function cancelledByUs(differences: readonly Difference[], changes: readonly ExpectedChange[]): Set<Difference> {
  const lost = differences.filter(({ kind }) => kind === 'segment_cancelled');
  const refs = changes.flatMap((one) => (one.kind === 'cancel_segments' ? one.segmentRefs : []));
  const isAll = changes.some((one) => one.kind === 'cancel_passengers' && one.kept.length === 0);
  const areRenumbered = lost.some(({ was, now }) => was?.ref !== now?.ref);
  if (isAll || (areRenumbered && lost.length <= refs.length)) return new Set(lost);
  return new Set(lost.filter(({ was }) => was !== undefined && refs.includes(was.ref)));
}

function passengersLeft(change: ExpectedChange): number {
  if (change.kind === 'cancel_passengers') return change.gone.length;
  return change.kind === 'split_booking' ? change.moved.length : 0;
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

type SegmentsOf = Pick<KeptReading, 'segments' | 'coupons'>;

/**
 * The operation that closes a finding: it came later, was about its segment, and there is nothing left to do about that.
 *
 * @param before the reading before: it may still show a segment that is gone now
 */
export function closedBy(
  finding: Finding,
  operations: readonly DoneOperation[],
  now: SegmentsOf,
  before: Pick<SegmentsOf, 'segments'>,
): DoneOperation | undefined {
  const refs = [...now.segments, ...before.segments].filter((one) => isOf(finding, one)).map(({ ref }) => ref);
  return operations.find(({ at, change }) => {
    if (at < finding.seenAt) return false;
    if (change.kind === 'cancel_booking' || CLOSED[change.kind]?.includes(finding.kind)) return true;
    if (change.kind === 'rebook_segment') return sidesOf(finding).some((side) => isFlight(side, change.replaced));
    if (finding.segment === undefined) return false;
    if (change.kind === 'cancel_segments') {
      const isNamed = (named: readonly string[] = []) => named.some((ref) => refs.includes(ref));
      // It succeeded because the refund was recorded. The coupon can stay open for longer.
      return isNamed(change.owedRefs) || (isNamed(change.segmentRefs) && !runs(finding, now));
    }
    return change.kind === 'cancel_passengers' && change.kept.length === 0 && !runs(finding, now);
  });
}

/** It runs, or a ticket for it is still valid: its refund is yet to be asked for. */
function runs(finding: Finding, { segments, coupons }: SegmentsOf): boolean {
  return segments.some(
    (one, i) =>
      isOf(finding, one) && (!isLost(one) || coupons.some(({ segment, status }) => segment === i && status === 'O')),
  );
}

function isOf(finding: Finding, one: KeptSegment): boolean {
  return sidesOf(finding).some(
    ({ from, to, departs }) => one.from === from && one.to === to && isSameTime(one.departs, departs),
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
