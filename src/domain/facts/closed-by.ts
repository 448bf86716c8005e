/** Decides which findings an operation of ours closes, and which ones the airline itself takes back; and what they said before. */

import type { Finding, FindingKind, FindingSegment } from '../booking/finding.ts';
import { isLost } from '../booking/status-codes.ts';
import { diff } from './differ.ts';
import type { Difference } from './difference.ts';
import { flightRow, type StatedFlight } from './flight-rows.ts';
import type { KeptReading } from './kept-reading.ts';
import { isFlight } from './pair.ts';
import type { Closing, TouchingOperation } from './touches.ts';

/** By kind: the kinds of findings on the same segment that it takes back. */
const TAKEN_BACK: Partial<Record<FindingKind, readonly FindingKind[]>> = {
  segment_restored: ['segment_cancelled', 'no_show'],
  segment_cancelled: ['segment_restored', 'flight_added'],
  no_show: ['segment_restored'],
};

/** Money that the airline owes: no act settles that by the way, whoever has heard of it. */
const ABOUT_MONEY_OWED: ReadonlySet<FindingKind> = new Set(['charged_more', 'refund_pending']);

/** Whether the finding needs nobody any more once a person has read it in a question and said yes, and the act is done. */
export function closesOnceTold({ kind }: Pick<Finding, 'kind'>): boolean {
  return !ABOUT_MONEY_OWED.has(kind);
}

/** Whether a new change of the same segment takes the finding back. */
export function takesBack({ kind, segment }: Pick<Finding, 'kind' | 'segment'>, finding: Finding): boolean {
  if (segment === undefined || TAKEN_BACK[kind]?.includes(finding.kind) !== true) return false;
  return isAbout(finding, segment);
}

/** A flight that an open finding says is gone, and that a reading lists again, was not added: it runs again. */
export function asReturned(difference: Difference, open: readonly Finding[]): Difference {
  const restored = { ...difference, kind: 'segment_restored' as const };
  const lost = open.find((finding) => finding.kind === 'segment_cancelled' && takesBack(restored, finding));
  if (difference.kind !== 'flight_added' || lost === undefined) return difference;
  return { ...restored, before: { status: lost.after?.status ?? '' } };
}

type ShownSegments = Pick<KeptReading, 'segments' | 'coupons'>;

/**
 * Finds the operation that closes a finding: it came later, and leaves nothing to do about the finding's segment.
 * @param readings `before` may still show a segment that `after` no longer has
 */
export function closedBy(
  finding: Finding,
  operations: readonly TouchingOperation[],
  { before, after }: { readonly before: Pick<ShownSegments, 'segments'>; readonly after: ShownSegments },
): TouchingOperation | undefined {
  // Only a person can get money back that nobody approved.
  if (finding.kind === 'charged_more') return undefined;

  const refs = [...after.segments, ...before.segments]
    .filter((segment) => isAbout(finding, segment))
    .map(({ ref }) => ref);

  const closing: Closing = {
    refs,
    mayStillBeRefunded: () => mayStillBeRefunded(finding, after),
    isOn: (flight) => bothSides(finding).some((side) => isFlight(side, flight)),
  };

  const isDoneSince = ({ doneAt }: TouchingOperation) => doneAt !== undefined && doneAt >= finding.seenAt;
  return operations.filter(isDoneSince).find(({ touches }) => touches.some((one) => one.closes?.(finding, closing)));
}

function mayStillBeRefunded(finding: Finding, { segments, coupons }: ShownSegments): boolean {
  return segments.some((shown, index) => {
    if (!isAbout(finding, shown)) return false;
    // A coupon names its segment by its index.
    return !isLost(shown) || coupons.some(({ segment, status }) => segment === index && status === 'O');
  });
}

/** By which a finding is about a segment: its number may have changed. */
const ABOUT_ROWS = [flightRow('from'), flightRow('to'), flightRow('departs')];

function isAbout(finding: Finding, { from, to, departs }: StatedFlight): boolean {
  return bothSides(finding).some((side) => diff(ABOUT_ROWS, side, { from, to, departs }).length === 0);
}

/** The segment of a finding as it was, and as it became. */
function bothSides({ segment, before, after }: Finding): readonly FindingSegment[] {
  if (segment === undefined) return [];
  return [before, after].map((facts) => ({
    from: facts?.from ?? segment.from,
    to: facts?.to ?? segment.to,
    number: facts?.number ?? segment.number,
    departs: facts?.departs ?? segment.departs,
  }));
}
