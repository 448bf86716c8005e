/** Compares every reading of a booking with the last stored one, and turns differences into findings. */

import type { Booking } from '../domain/booking/booking.ts';
import { closedBy, type DoneOperation, takesBack } from '../domain/booking/closed-by.ts';
import { compareReadings, DEFAULT_RULES } from '../domain/booking/compare-readings.ts';
import type { Difference } from '../domain/booking/compare-segments.ts';
import type { Finding, Findings } from '../domain/booking/finding.ts';
import { isUnpaid, type KeptReading, keptReading, sameReading } from '../domain/booking/kept-reading.ts';
import type { OperationEffects } from '../domain/booking/operation-effects.ts';
import {
  nextReadingAt,
  type ReadingPace,
  type WatchedBooking,
  type Watches,
} from '../domain/booking/watched-booking.ts';
import type { Caller } from '../domain/people/caller.ts';
import type { Acts } from '../journal/act.ts';
import type { Operation } from '../journal/operation.ts';
import type { OperationStore } from '../journal/ports.ts';

export interface WatchingState {
  readonly watches: Watches;
  readonly findings: Findings;
  readonly operations: Pick<OperationStore, 'list'>;
}

interface WatchingRules {
  /** How often the server reads bookings again. Absent in other processes, which only ask that server to read soon. */
  readonly paces?: readonly ReadingPace[];
  /** How long a refund may be PENDING before it becomes a finding, milliseconds. */
  readonly refundMs?: number;
}

export interface ReadingComparer {
  readonly acts: Acts;
  readonly state: WatchingState;
  readonly rules: WatchingRules;
  /** Keyed digest of personal data. */
  digest(text: string): string;
}

export interface ReadingComparison {
  /** `first`: no reading was stored before. `stale`: a newer reading was stored meanwhile. */
  readonly outcome: 'first' | 'same' | 'changed' | 'stale';
  /** New findings of this reading. */
  readonly found: readonly Finding[];
  /** No finding about the booking is open. */
  readonly isQuiet: boolean;
}

/** How many operations of a booking are considered, newest first. */
const MOST_OPERATIONS = 50;

/**
 * Compares a reading with the last stored one, adds and closes findings by what differs, and stores the reading unless
 * a newer one was seen.
 *
 * @param begunAt when the reading began, milliseconds since 1970
 */
export async function compareReading(
  comparer: ReadingComparer,
  { tenant, id: caller }: Caller,
  booking: Booking,
  begunAt: number,
): Promise<ReadingComparison> {
  const { state, rules } = comparer;
  const { locator } = booking;
  const [watch, open, operations] = await Promise.all([
    state.watches.get(tenant, locator),
    state.findings.open(tenant, begunAt, [locator]),
    state.operations.list({ tenant, locator, limit: MOST_OPERATIONS }),
  ]);
  const before = watch?.kept;
  if (before !== undefined && watch !== undefined && begunAt < watch.readAt)
    return { outcome: 'stale', found: [], isQuiet: false };
  const fresh = keptReading(booking, begunAt, comparer.digest);
  const acting = operations.filter(mayHaveActed);
  const watched = { tenant, locator, caller: watch?.caller ?? caller };
  const limits = { refundMs: rules.refundMs ?? DEFAULT_RULES.refundMs };
  const { known, differences } = compareReadings(
    before ?? fresh,
    fresh,
    limits,
    acting.map((operation) => operationEffects(comparer.acts, operation)),
  );
  const newWatch = { ...watched, ...nextReading(known, begunAt, rules), kept: known };
  if (before === undefined || watch === undefined) {
    await state.watches.keep(newWatch, before);
    return { outcome: 'first', found: [], isQuiet: false };
  }
  const isNothingOpen = differences.length + open.length === 0;
  const found = isNothingOpen
    ? []
    : await updateFindings(comparer, watch, { before, after: known, differences, open, acting });
  if (sameReading(before, known)) {
    // A process that does not watch leaves the time that the watching server set.
    const nextAt = rules.paces === undefined ? watch.nextAt : newWatch.nextAt;
    await state.watches.note(tenant, locator, { readAt: begunAt, nextAt });
    return { outcome: 'same', found, isQuiet: isNothingOpen };
  }
  const isKept = await state.watches.keep(newWatch, before);
  return { outcome: isKept ? 'changed' : 'stale', found, isQuiet: isNothingOpen && isKept };
}

function operationEffects(acts: Acts, { id, subject, state, updatedAt, outcome }: Operation): OperationEffects {
  const { refund, estimate } = outcome ?? {};
  // If the act refunds nothing, the airline made a refund that appears.
  const nothing = estimate?.amount?.minor === 0 ? estimate.amount : undefined;
  const doneAt = state === 'succeeded' ? updatedAt : undefined;
  const effects = acts.of(subject).effects?.(subject, refund?.amount ?? nothing) ?? [];
  return { id, effects, doneAt };
}

/**
 * When to read next. A process that does not watch asks for a reading at once, and the server that watches sets the
 * time.
 */
function nextReading(kept: KeptReading, readAt: number, { paces }: WatchingRules) {
  const nextAt = paces === undefined ? readAt : nextReadingAt(kept, readAt, paces);
  return { readAt, nextAt };
}

/** Two readings of a booking, how they differ, and what may explain it. */
interface ReadingChange {
  readonly before: KeptReading;
  readonly after: KeptReading;
  readonly differences: readonly Difference[];
  /** The findings about the booking that are open. */
  readonly open: readonly Finding[];
  /** The operations that may have changed the booking. */
  readonly acting: readonly Operation[];
}

/** Adds findings for differences, and closes those that an operation dealt with or the airline took back. */
async function updateFindings(
  { acts, state, digest }: ReadingComparer,
  { tenant, locator, readAt }: WatchedBooking,
  compared: ReadingChange,
): Promise<readonly Finding[]> {
  const { after, differences, open } = compared;
  const context = {
    tenant,
    locator,
    since: readAt,
    seenAt: after.at,
    route: readingRoute(after),
  };
  const found = await state.findings.add(
    differences.map((difference) => newFinding(difference, context, compared, digest)),
  );
  await closeDone(acts, state.findings, tenant, compared);
  await closePaidOut(state.findings, tenant, open, differences, after.at);
  const takenBack = open.filter((finding) => differences.some((difference) => takesBack(difference, finding)));
  const ids = takenBack.map(({ id }) => id);
  await state.findings.close(tenant, ids, 'news', after.at);
  return found;
}

/** Whether the operation was sent and its outcome is unknown. */
function isOpen({ state }: Operation): boolean {
  return state === 'dispatched' || state === 'in_doubt' || state === 'needs_person';
}

/** Whether the operation may have changed the booking. One that a person resolved may never have happened. */
function mayHaveActed(operation: Operation): boolean {
  return isOpen(operation) || operation.state === 'succeeded';
}

/** Closes the findings that a successful operation has dealt with. */
async function closeDone(acts: Acts, findings: Findings, tenant: string, compared: ReadingChange): Promise<void> {
  const { after, open, acting } = compared;
  const done = acting
    .filter(({ state }) => state === 'succeeded')
    .map(
      ({ id, updatedAt, subject }): DoneOperation => ({
        id,
        at: updatedAt,
        closes: (finding, closing) => acts.of(subject).closes?.(subject, finding, closing) === true,
      }),
    );
  for (const finding of open) {
    const by = closedBy(finding, done, compared);
    if (by === undefined) continue;
    await findings.close(tenant, [finding.id], `operation ${by.id}`, Math.max(after.at, by.at));
  }
}

/** Closes, for each refund that arrived, one finding that it was pending. */
async function closePaidOut(
  findings: Findings,
  tenant: string,
  open: readonly Finding[],
  differences: readonly Difference[],
  at: number,
): Promise<void> {
  const stillPending = open.filter(({ kind }) => kind === 'refund_pending');
  for (const { kind, after: paid } of differences) {
    if (kind !== 'refund_arrived') continue;
    const index = stillPending.findIndex(
      ({ after }) => after?.amount === paid?.amount && after?.currency === paid?.currency,
    );
    const [arrived] = index < 0 ? [] : stillPending.splice(index, 1);
    if (arrived !== undefined) await findings.close(tenant, [arrived.id], 'news', at);
  }
}

/** The stations in order of travel, such as `JED-MED-JED`. */
function readingRoute({ segments }: KeptReading): string | undefined {
  const stops = segments.flatMap(({ from, to }, i) => (segments[i - 1]?.to === from ? [to] : [from, to]));
  return stops.length === 0 ? undefined : stops.join('-');
}

type FindingContext = Pick<Finding, 'tenant' | 'locator' | 'since' | 'seenAt' | 'route'>;

/**
 * Makes the finding of a difference. Its id contains when the old content was first shown, so that two readings that
 * see the change at once make one finding.
 */
function newFinding(
  difference: Difference,
  context: FindingContext,
  readings: Pick<ReadingChange, 'before' | 'after'>,
  digest: (text: string) => string,
): Finding {
  const { kind, segment, before, after, deadlines, missed, order } = difference;
  const { tenant, locator } = context;
  // A refund that stays PENDING does not differ between two readings, so it is reported once.
  const shownAt = kind === 'refund_pending' ? 0 : readings.before.at;
  const facts = ['finding', tenant, locator, kind, segment, before, after, deadlines, shownAt, order];
  // Only letters and digits, because a command takes an argument that begins with `-` for an option.
  const id = digest(JSON.stringify(facts)).replace(/[^A-Za-z0-9]/g, '');
  // The refund of a paid segment is owed after the departure too.
  const isPaid = !isUnpaid(readings.before) || readings.after.coupons.length > 0;
  const departsAt = kind === 'segment_cancelled' && isPaid ? undefined : difference.departsAt;
  return {
    id,
    ...context,
    kind,
    departsAt,
    segment,
    before,
    after,
    missed,
    deadlines,
    // Nobody has to act on money that came back, so the finding is closed at once.
    ...(kind === 'refund_arrived' && { closedAt: context.seenAt, closedBy: 'news' }),
  };
}

/** Asks for a reading soon: after an operation whose reply may show only a part of the booking. */
export async function readSoon(
  { state }: Pick<ReadingComparer, 'state'>,
  { tenant, id: caller }: Caller,
  locator: string,
  now: number,
) {
  await state.watches.want({ tenant, locator, caller }, now);
}
