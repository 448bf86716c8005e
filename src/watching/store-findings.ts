/**
 * Compares every reading of a booking with the last stored one, turns differences into findings, and closes findings
 * that are dealt with. domain/facts/compare-readings.ts finds the differences. As there, `before` is the earlier
 * reading, `shown` the new one, and `known` the new one completed with what was known before.
 */

import { type Booking, bareOf } from '../domain/booking/booking.ts';
import { isSameBooking } from '../domain/booking/booking-identity.ts';
import { type Finding, type FindingFacts, type Findings, findingId } from '../domain/booking/finding.ts';
import {
  nextReadingAt,
  type ReadingPace,
  type WatchedBooking,
  type Watches,
} from '../domain/booking/reading-schedule.ts';
import { asReturned, closedBy, takesBack } from '../domain/facts/closed-by.ts';
import { compareReadings } from '../domain/facts/compare-readings.ts';
import type { Difference } from '../domain/facts/difference.ts';
import { findingSegment } from '../domain/facts/flight-changes.ts';
import { withoutFlips } from '../domain/facts/flips.ts';
import { isUnpaid, type KeptReading, keptReading, sameReading } from '../domain/facts/kept-reading.ts';
import { firstStep, type TouchingOperation } from '../domain/facts/touches.ts';
import type { Caller } from '../domain/people/caller.ts';
import { approvedRefund } from '../domain/refund/airline-stated-refund.ts';
import { type Acts, touchesOf } from '../journal/act.ts';
import { shownBy } from '../journal/as-known.ts';
import { handOverContradicted } from '../journal/contradicted.ts';
import { newestOn } from '../journal/on-booking.ts';
import type { Operation, OperationState } from '../journal/operation.ts';
import type { OperationStore } from '../journal/ports.ts';

export interface WatchingState {
  readonly watches: Watches;
  readonly findings: Findings;
  readonly operations: Pick<OperationStore, 'list' | 'transition'>;
}

export interface ReadingComparer {
  readonly acts: Acts;
  readonly state: WatchingState;
  /** How often this process reads bookings again. Absent: another process does so. This one only asks it to read. */
  readonly paces?: readonly ReadingPace[] | undefined;
  /** Keyed digest of personal data. */
  digest(text: string): string;
}

export interface ReadingComparison {
  /**
   * `first`: no reading of the booking was stored before. `stale`: a newer reading was stored meanwhile. `other`: the
   * airline shows another booking under the locator.
   */
  readonly outcome: 'first' | 'same' | 'changed' | 'stale' | 'other';
  /** New findings of this reading. */
  readonly found: readonly Finding[];
  /** It is sure that no finding about the booking is open. */
  readonly isQuiet: boolean;
  /** Ids of the operations whose deeds this reading or one before it showed. */
  readonly seen: readonly string[];
}

/** What changed from the stored reading to the new one, and what may explain it. */
interface ReadingChange {
  readonly tenant: string;
  readonly locator: string;
  readonly before: KeptReading;
  /** When the booking was last read before, milliseconds since 1970: `before` may be older, if nothing changed. */
  readonly lastReadAt: number;
  /** The new reading, as it is known. */
  readonly after: KeptReading;
  readonly differences: readonly Difference[];
  /** The open findings about the booking. */
  readonly open: readonly Finding[];
  /** The operations that may have changed the booking. */
  readonly acting: readonly TouchingOperation[];
}

type WatchWithReading = WatchedBooking & { readonly kept: KeptReading };

/** How many findings of a booking are considered, newest first. */
const MOST_FINDINGS = 200;

/**
 * The states of operations that may have changed the booking: sent with an unknown outcome, or successful. One that a
 * person resolved may never have happened.
 */
const MAY_HAVE_ACTED: ReadonlySet<OperationState> = new Set(['dispatched', 'in_doubt', 'needs_person', 'succeeded']);

interface WhenRead {
  /** When the reading began, milliseconds since 1970. */
  readonly begunAt: number;
  /** The operations on the booking, newest first, listed after it was read. Absent, or without any: they are listed. */
  readonly operations?: Promise<readonly Operation[] | undefined> | undefined;
}

/**
 * Compares a reading with the last stored one, adds and closes findings by what differs, and stores the reading:
 *
 * | stored before                              | outcome | findings         | stored now     |
 * | ------------------------------------------ | ------- | ---------------- | -------------- |
 * | no reading                                 | first   | unchanged        | the reading    |
 * | one that began later                       | stale   | unchanged        | nothing        |
 * | one with the same content                  | same    | added and closed | the times only |
 * | one with other content                     | changed | added and closed | the reading    |
 * | one with other content, another since then | stale   | added and closed | nothing        |
 * | one of another booking                     | other   | one is added     | nothing        |
 * | the same, and it is ours from now on       | first   | all are closed   | the reading    |
 *
 * An operation that was settled as refused or as not carried out, and that the reading shows as done, goes to a person. What it shows of it
 * is a finding all the same: it may be another's doing.
 *
 * Airlines give locators anew, and may show another booking by mistake. It is ours from now on once we held it, or once a person
 * closed the finding that tells of it.
 */
export async function compareReading(
  comparer: ReadingComparer,
  { tenant, id: caller }: Caller,
  read: Booking,
  { begunAt, operations: listed }: WhenRead,
): Promise<ReadingComparison> {
  const { acts, state, paces } = comparer;
  const booking = bareOf(read);
  const { locator } = booking;
  const listOperations = async () => (await listed) ?? newestOn(booking, state.operations, tenant);

  const [stored, open, operations] = await Promise.all([
    state.watches.get(tenant, locator),
    state.findings.open(tenant, begunAt, [locator]),
    listOperations(),
  ]);
  const seenBefore = seenIn(stored?.kept, operations);
  const stale: ReadingComparison = { outcome: 'stale', found: [], isQuiet: false, seen: seenBefore };
  if (hasReading(stored) && begunAt < stored.readAt) return stale;

  const shown = keptReading(booking, begunAt, comparer.digest);
  const acting = operations.filter((operation) => MAY_HAVE_ACTED.has(operation.state));
  // A node that lags shows the names that the booking had before we changed them.
  const isOther = hasReading(stored) && isSameBooking(stored.kept, withoutFlips(stored.kept, shown)) === false;
  const since = isOther ? acting.filter(({ updatedAt }) => updatedAt >= stored.readAt) : [];
  const isHeldAnew = since.some(({ subject }) => acts.of(subject).countedAs === 'hold');
  const isNew = isOther && (isHeldAnew || since.length === 0);

  if (isNew && !isHeldAnew) {
    const found = await findOtherBooking(comparer, stored, shown);
    if (found !== 'accepted') return { outcome: 'other', found, isQuiet: false, seen: seenBefore };
  }

  const watch = isNew ? undefined : stored;
  if (!isNew) {
    const checked = { operations, booking, begunAt, by: caller };
    await handOverContradicted({ acts, store: state.operations, digest: comparer.digest }, checked);
  }

  const touching = acting.map((operation) => touchingOperation(acts, operation));
  // A first reading is compared with itself, to note which effects of our operations it shows already.
  const earlier = hasReading(watch) ? watch.kept : undefined;
  const { known, differences } = compareReadings(earlier ?? shown, shown, touching);
  const seen = [...new Set([...(isNew ? [] : seenBefore), ...shownBy(booking, operations, comparer)])];

  // A process that does not watch asks for a reading at once: the one that watches sets the time.
  const nextAt = paces === undefined ? begunAt : nextReadingAt(known, watch?.kept, begunAt, paces);
  const newWatch = {
    tenant,
    locator,
    caller: watch?.caller ?? caller,
    readAt: begunAt,
    nextAt,
    kept: { ...known, seen },
  };
  if (!hasReading(watch)) {
    const ids = isNew ? open.map(({ id }) => id) : [];
    await state.findings.close(tenant, ids, 'news', begunAt);
    await state.watches.keep(newWatch, stored?.kept);
    return { outcome: 'first', found: [], isQuiet: ids.length === open.length, seen };
  }

  const isNothingOpen = differences.length === 0 && open.length === 0;

  const told = differences.map((difference) => asReturned(difference, open));
  const { kept, readAt: lastReadAt } = watch;
  const change = { tenant, locator, before: kept, lastReadAt, after: known, differences: told, open, acting: touching };
  const found = isNothingOpen ? [] : await updateFindings(comparer, change);
  if (sameReading(kept, newWatch.kept)) {
    // A process that does not watch leaves the time that the watching one set.
    const times = { readAt: begunAt, nextAt: paces === undefined ? watch.nextAt : nextAt };
    await state.watches.note(tenant, locator, times);
    return { outcome: 'same', found, isQuiet: isNothingOpen, seen };
  }

  const isKept = await state.watches.keep(newWatch, kept);
  return isKept ? { outcome: 'changed', found, isQuiet: isNothingOpen, seen } : { ...stale, found, seen };
}

/**
 * The operations on the booking whose deeds a reading showed before. What an earlier version stored does not say it: there, an operation
 * counts whose first change was explained, so that an act of long ago is not taken for one that no reading ever showed.
 */
function seenIn(before: KeptReading | undefined, operations: readonly Operation[]): readonly string[] {
  const { seen, spent = [] } = before ?? {};
  const isSeen = ({ id }: Operation) => (seen === undefined ? spent.includes(firstStep(id)) : seen.includes(id));
  return operations.filter(isSeen).map(({ id }) => id);
}

/**
 * Has the booking of an operation's reply read soon, because the reply may show only a part of it. The reply of a `hold`, which
 * lists all, is its first reading, stored in one write: what the airline changes from then on is found. Where a reading is
 * stored already (airlines give locators anew) the reply is compared with it.
 */
export async function readSoon(
  comparer: ReadingComparer,
  caller: Caller,
  { booking, hold }: { readonly booking: Booking; readonly hold?: Operation | undefined },
  now: number,
): Promise<void> {
  const { acts, state, digest } = comparer;
  const asker = { tenant: caller.tenant, locator: booking.locator, caller: caller.id };

  if (hold !== undefined) {
    const begunAt = hold.dispatchedAt ?? hold.createdAt;
    const shown = keptReading(booking, begunAt, digest);
    const { known } = compareReadings(shown, shown, [touchingOperation(acts, hold)]);
    if (await state.watches.keep({ ...asker, readAt: begunAt, nextAt: now, kept: { ...known, seen: [] } }, undefined))
      return;
    await compareReading(comparer, caller, booking, { begunAt });
  }

  await state.watches.want(asker, now);
}

/** Stores that the airline shows another booking. `accepted`: a person closed the finding that said so. */
async function findOtherBooking(
  { state: { findings }, digest }: ReadingComparer,
  { tenant, locator, kept, readAt }: WatchWithReading,
  shown: KeptReading,
): Promise<readonly Finding[] | 'accepted'> {
  const [before, after] = [kept, shown].map(({ segments: [first] }) => first && findingSegment(first));
  const difference = { kind: 'other_booking', before: before ?? {}, after: after ?? {} } as const;
  const made = [kept.createdAt, shown.createdAt, kept.names, shown.names];
  const id = findingId(digest, { tenant, locator }, difference, made);
  const known = await findings.list(tenant, { locators: [locator], limit: MOST_FINDINGS });
  if (known.some((finding) => finding.id === id && finding.closedAt !== undefined)) return 'accepted';

  // It has no `bookedAt`: it is about both bookings.
  return findings.add([{ ...difference, id, tenant, locator, since: readAt, seenAt: shown.at }]);
}

function hasReading(watch: WatchedBooking | undefined): watch is WatchWithReading {
  return watch?.kept !== undefined;
}

/**
 * What an operation touches. Its refund is the one that it states. If the act was to refund nothing, it is
 * zero: a refund that appears then is the airline's. Else the refund is not known.
 */
function touchingOperation(acts: Acts, operation: Operation): TouchingOperation {
  const { id, state, updatedAt, outcome, amount } = operation;
  const { refund, estimate } = outcome ?? {};
  const noRefund = estimate?.amount?.minor === 0 ? estimate.amount : undefined;
  const currency = approvedRefund(estimate, amount)?.currency;
  const touches = touchesOf(acts, operation, { amount: refund?.amount ?? noRefund, currency });
  return { id, touches, doneAt: state === 'succeeded' ? updatedAt : undefined };
}

/** Adds a finding for each difference, and closes those that are dealt with. Returns the findings that are new. */
async function updateFindings(
  { state: { findings }, digest }: ReadingComparer,
  change: ReadingChange,
): Promise<readonly Finding[]> {
  const found = await findings.add(change.differences.map((difference) => newFinding(difference, change, digest)));
  await closeDone(findings, change);
  await closePaidOut(findings, change);
  await closeTakenBack(findings, change);
  return found;
}

/** Closes the findings that a successful operation has dealt with. */
async function closeDone(findings: Findings, change: ReadingChange): Promise<void> {
  const { tenant, after, open, acting } = change;
  for (const finding of open) {
    const by = closedBy(finding, acting, change);
    if (by === undefined) continue;
    await findings.close(tenant, [finding.id], `operation ${by.id}`, Math.max(after.at, by.doneAt ?? 0));
  }
}

/** Closes, for each refund that arrived, one finding that it was pending. */
async function closePaidOut(findings: Findings, { tenant, after, open, differences }: ReadingChange): Promise<void> {
  const arrivals = differences.filter(({ kind }) => kind === 'refund_arrived');
  const closed = new Set<Finding>();

  for (const { after: paid } of arrivals) {
    const pending = open.find(
      (finding) => finding.kind === 'refund_pending' && !closed.has(finding) && isSameAmount(finding.after, paid),
    );
    if (pending === undefined) continue;
    closed.add(pending);
    await findings.close(tenant, [pending.id], 'news', after.at);
  }
}

function isSameAmount(facts: FindingFacts | undefined, other: FindingFacts | undefined): boolean {
  return facts?.amount === other?.amount && facts?.currency === other?.currency;
}

/** Closes the findings that the airline took back: a cancelled segment that it restored, another booking in the place of this one. */
async function closeTakenBack(findings: Findings, { tenant, after, open, differences }: ReadingChange): Promise<void> {
  const takenBack = open.filter(
    (finding) => finding.kind === 'other_booking' || differences.some((difference) => takesBack(difference, finding)),
  );
  const ids = takenBack.map(({ id }) => id);
  await findings.close(tenant, ids, 'news', after.at);
}

function newFinding(difference: Difference, change: ReadingChange, digest: ReadingComparer['digest']): Finding {
  const { kind, segment, before, after, deadlines, missed } = difference;
  const { tenant, locator, lastReadAt } = change;
  const seenAt = change.after.at;

  // The refund of a paid segment is owed after the departure too.
  const isPaid = !isUnpaid(change.before) || change.after.coupons.length > 0;
  const outlastsDeparture = kind === 'segment_cancelled' && isPaid;

  const finding: Finding = {
    id: differenceId(difference, change, digest),
    tenant,
    locator,
    since: lastReadAt,
    seenAt,
    bookedAt: change.after.createdAt,
    route: readingRoute(change.after),
    kind,
    departsAt: outlastsDeparture ? undefined : difference.departsAt,
    segment,
    before,
    after,
    missed,
    deadlines,
  };

  // Nobody has to act on money that came back, so the finding is closed at once.
  return kind === 'refund_arrived' ? { ...finding, closedAt: seenAt, closedBy: 'news' } : finding;
}

/**
 * Digests what makes a finding the same: two readings that see the change at once, in two processes, make one finding.
 * If the same change comes again later, it is another finding, because the old content was first shown at another time.
 */
function differenceId(
  { kind, segment, before, after, deadlines, order }: Difference,
  change: ReadingChange,
  digest: ReadingComparer['digest'],
): string {
  // A refund that stays PENDING does not differ between two readings, so it is reported once.
  const shownAt = kind === 'refund_pending' ? 0 : change.before.at;
  return findingId(digest, change, kind, segment, before, after, deadlines, shownAt, order);
}

/** The stations in order of travel, such as `JED-MED-JED`. Undefined if the reading shows no segment. */
function readingRoute({ segments }: KeptReading): string | undefined {
  const stops = segments.flatMap(({ from, to }, i) => (segments[i - 1]?.to === from ? [to] : [from, to]));
  return stops.length === 0 ? undefined : stops.join('-');
}
