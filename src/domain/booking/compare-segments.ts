/** What changed on the segments and coupons of a booking from one reading to the next. */
import { instantOf, latest } from '../../core/times.ts';
import { findingSegment, isLost, missedConnections } from './connections.ts';
import type { Finding, FindingFacts } from './finding.ts';
import type { KeptCoupon, KeptReading, KeptSegment } from './kept-reading.ts';
import { couponHeirs, digitsOnly, isSameTime, type Pairs } from './pair-readings.ts';
import { couponStatus, segmentLoss, segmentStatusWord } from './status-codes.ts';

/** A finding before it is known whose work it is. */
export interface Difference
  extends Pick<Finding, 'kind' | 'segment' | 'before' | 'after' | 'missed' | 'deadlines' | 'departsAt'> {
  /** The segment in both readings. */
  readonly was?: KeptSegment;
  readonly now?: KeptSegment;
  /** Id of the refund order. */
  readonly order?: string;
}

export function segmentChanges(before: KeptReading, after: KeptReading, pairs: Pairs): readonly Difference[] {
  if (after.segments.length === 0) return [];
  const ahead = (one: Pick<KeptSegment, 'departs'>) => (instantOf(one.departs) ?? after.at + 1) > after.at;
  const fresh = after.segments.filter((segment, i) => pairs.before[i] === undefined && !isLost(segment));
  const now = new Map<KeptSegment, KeptSegment>();
  after.segments.forEach((shown, i) => {
    const was = pairs.before[i];
    if (was !== undefined) now.set(was, shown);
  });
  const found = before.segments.flatMap((was): Difference[] => {
    const one = now.get(was);
    if (runsNot(was))
      return one?.status === undefined || runsNot(one) ? [] : [difference('segment_restored', was, one, restored)];
    if (one !== undefined && segmentLoss(one.status) === 'no_show')
      return [difference('no_show', was, one, statusFacts)];
    if (one !== undefined && !isLost(one)) return compareSegment(was, one);
    const found = lostOrReplaced(was, one, fresh);
    // A reply can leave out what was flown.
    return ahead(was) || found.now !== undefined ? [found] : [];
  });
  const foundAs = (was: KeptSegment) =>
    found.find((change) => change.was === was && change.kind === 'number_changed')?.now ?? now.get(was);
  const missed = missedConnections(
    before.segments.filter((earlier) => !isLost(earlier) && (ahead(earlier) || foundAs(earlier) !== undefined)),
    foundAs,
  );
  return found
    .map((change) => withMissed(change, missed, found))
    .filter(({ kind, was, now: is, missed: next = [] }) => {
      const isLoss = kind === 'segment_cancelled' || kind === 'no_show';
      return isLoss || [was, is, ...next].some((flown) => flown !== undefined && ahead(flown));
    })
    .map((change) => whileAhead(change, after.at));
}

/** After its own departure a change matters until the connection leaves; a loss matters until somebody has dealt with it. */
function whileAhead(difference: Difference, at: number): Difference {
  if (difference.departsAt === undefined || difference.departsAt > at) return difference;
  const { departsAt: _, ...left } = difference;
  const leaves = instantOf(latest((difference.missed ?? []).map(({ departs }) => departs))) ?? at;
  return leaves > at ? { ...left, departsAt: leaves } : left;
}

/** Each connection once: with the segment that arrives, if it changed, else with the one that leaves. */
function withMissed(
  difference: Difference,
  missed: ReturnType<typeof missedConnections>,
  all: readonly Difference[],
): Difference {
  const ofSegment = missed.filter(({ arriving, leaving }) => {
    const isFirst = all.some(({ was }) => was === arriving);
    return difference.was === (isFirst ? arriving : leaving);
  });
  return ofSegment.length === 0
    ? difference
    : { ...difference, missed: ofSegment.map(({ leaving }) => findingSegment(leaving)) };
}

/** The airline can cancel a segment and add the one that replaces it, which is taken from `fresh`. */
function lostOrReplaced(was: KeptSegment, keptSegment: KeptSegment | undefined, fresh: KeptSegment[]): Difference {
  const at = fresh.findIndex(({ from, to }) => from === was.from && to === was.to);
  const [instead] = at < 0 ? [] : fresh.splice(at, 1);
  if (instead !== undefined) return difference('number_changed', was, instead, timeFacts);
  return difference('segment_cancelled', was, keptSegment, (segment) => ({
    status: segment === undefined ? 'no longer in the booking' : segmentStatusWord(segment.status),
  }));
}

/** A time that one of them lacks is no change. */
const isOtherTime = (was: string, is: string): boolean => was !== '' && is !== '' && !isSameTime(was, is);

/** The heaviest change of a segment that still runs, and that of its class. */
function compareSegment(was: KeptSegment, keptSegment: KeptSegment): Difference[] {
  const heaviest = heaviestChange(was, keptSegment);
  const showFacts = heaviest === 'schedule_change' ? statusFacts : timeFacts;
  const isClass = was.class !== undefined && keptSegment.class !== undefined && was.class !== keptSegment.class;
  return [
    ...(heaviest === undefined ? [] : [difference(heaviest, was, keptSegment, showFacts)]),
    ...(isClass ? [difference('class_changed', was, keptSegment, (segment) => ({ class: segment?.class }))] : []),
  ];
}

function heaviestChange(
  was: KeptSegment,
  segment: KeptSegment,
): 'number_changed' | 'retimed' | 'schedule_change' | undefined {
  const [numberBefore, numberNow] = [digitsOnly(was.number), digitsOnly(segment.number)];
  if (numberBefore !== numberNow && numberBefore !== '' && numberNow !== '') return 'number_changed';
  if (isOtherTime(was.departs, segment.departs) || isOtherTime(was.arrives, segment.arrives)) return 'retimed';
  const isNewly51 =
    segmentLoss(segment.status) === 'schedule_change' &&
    was.status !== undefined &&
    segmentLoss(was.status) === undefined;
  return isNewly51 ? 'schedule_change' : undefined;
}

const runsNot = ({ status }: KeptSegment): boolean => (segmentLoss(status) ?? 'schedule_change') !== 'schedule_change';

type FactsOf = (segment: KeptSegment | undefined) => FindingFacts;

/** With its times, which may be others now. */
const restored: FactsOf = (segment) => ({ ...statusFacts(segment), ...timeFacts(segment) });

const statusFacts: FactsOf = (segment) => ({ status: segmentStatusWord(segment?.status) });

const timeFacts: FactsOf = (segment) => ({
  number: segment?.number,
  departs: segment?.departs,
  arrives: segment?.arrives,
});

/** Only what differs. A finding about a segment closes when it departs, in the later of both ways. */
function difference(
  kind: Difference['kind'],
  was: KeptSegment,
  now: KeptSegment | undefined,
  factsOf: FactsOf,
): Difference {
  const [before, after] = [{ ...factsOf(was) }, { ...factsOf(now) }];
  if (kind === 'retimed' && was.departs !== undefined) drop(before, after, 'number');
  if (now !== undefined && isSameTime(was.departs, now.departs)) drop(before, after, 'departs');
  if (now !== undefined && isSameTime(was.arrives, now.arrives)) drop(before, after, 'arrives');
  const departures = [was, now ?? was].map(({ departs }) => instantOf(departs)).filter((at) => at !== undefined);
  return {
    kind,
    segment: findingSegment(was),
    before,
    after,
    was,
    now,
    // A traveller who did not come to one segment may lose the later ones.
    departsAt: departures.length > 0 && kind !== 'no_show' ? Math.max(...departures) : undefined,
  };
}

function drop(before: FindingFacts, after: FindingFacts, name: keyof FindingFacts): void {
  for (const facts of [before, after]) Reflect.deleteProperty(facts, name);
}

/** Codes of a coupon that can no longer be flown. Checked in, boarded and flown are the way of every ticket. */
const CLOSED: ReadonlySet<string | undefined> = new Set(['E', 'V', 'R', 'S', 'U', 'X', 'Z']);

/** For each segment that still runs: coupons that closed without another in their place, and seats that changed. */
export function couponChanges(
  before: KeptReading,
  after: KeptReading,
  pairs: Pairs,
  segments: readonly Difference[],
): Difference[] {
  const heirs = couponHeirs(before, after);
  const isGone = ({ who }: KeptCoupon) => who !== undefined && !after.people.includes(who);
  return after.segments.flatMap((now, i): Difference[] => {
    const was = pairs.before[i];
    if (was === undefined || isLost(now) || (instantOf(now.departs) ?? after.at + 1) <= after.at) return [];
    const place = before.segments.indexOf(was);
    const both = before.coupons.flatMap((earlier) => {
      const one = earlier.segment === place ? heirs.get(earlier) : undefined;
      return one === undefined || isGone(one) || CLOSED.has(earlier.status) ? [] : [{ earlier, one }];
    });
    const closed = both.filter(({ one }) => CLOSED.has(one.status));
    const departsAt = instantOf(now.departs);
    const about = { segment: findingSegment(was), was, now, departsAt };
    const seats = both.filter(
      ({ earlier, one }) =>
        !CLOSED.has(one.status) && earlier.seat && one.seat !== undefined && earlier.seat !== one.seat,
    );
    const isReplaced = segments.some((segment) => segment.now === now && segment.kind === 'segment_cancelled');
    return [
      ...(closed.length > 0 && !isReplaced
        ? [
            {
              kind: 'coupon_closed' as const,
              ...about,
              before: { status: couponStatus(closed[0]?.earlier.status) },
              after: { status: couponStatus(closed[0]?.one.status), passengers: closed.length },
            },
          ]
        : []),
      ...(seats.length > 0
        ? [
            {
              kind: 'seat_changed' as const,
              ...about,
              before: { seat: listed(seats.map(({ earlier }) => earlier.seat)) },
              after: { seat: listed(seats.map(({ one }) => one.seat)) },
            },
          ]
        : []),
    ];
  });
}

const listed = (seats: readonly (string | undefined)[]): string => seats.filter(Boolean).toSorted().join(', ');
