/**
 * Settles an operation whose process is gone or whose answer was lost, by reading the booking. One call is one step.
 * Any process may take a step; the lease allows one at a time. The act judges what a reading proves (tools/acts).
 */
import { ClerkError } from '../core/errors.ts';
import { isAbout } from './act.ts';
import { late, SET_MS, within } from './clock.ts';
import { type JournalContext, judgeSafely, move, reload, traced } from './context.ts';
import type { Evidence, Verdict } from './evidence.ts';
import { FAR_MS, type Operation, type OperationError, type OperationState, type Outcome } from './operation.ts';
import {
  checkSentence,
  doubtSentence,
  givenUpOutcome,
  learned,
  readBackUnchanged,
  refusedUnchanged,
} from './outcome.ts';

/** How many equal readings in a row, after the settle time, prove that nothing was done or that the booking is gone. */
const READINGS_THAT_PROVE = 3;
/**
 * How long after its send an operation that nothing has settled goes to a person, milliseconds. The answer to the
 * caller names this limit.
 */
const HAND_OVER_MS = 30 * 60_000;
/**
 * How long readings must have failed before it goes to a person, milliseconds. A server that was down itself must first
 * have had time to read.
 */
const HAND_OVER_FAILING_MS = 10 * 60_000;

/**
 * When the next step of an active operation is due, milliseconds since 1970:
 *
 * - not in doubt yet: once the process that runs it is gone, or its lease is over;
 * - in doubt and not read yet: at once;
 * - in doubt: a while after the last reading, and without a locator not before the settle time is over.
 */
export function dueAt({ clock, gapMs, settleMs, isGone }: JournalContext, operation: Operation): number {
  const now = clock.now();
  if (operation.state !== 'in_doubt') {
    // A lease that ends so late was taken before the clock was set back.
    const isTooFar = operation.leaseUntil > now + FAR_MS;
    return isGone(operation.owner) || isTooFar ? Math.min(operation.updatedAt, now) : operation.leaseUntil;
  }

  if (operation.lastReadAt !== undefined) {
    // The clock was set back since that reading.
    if (operation.lastReadAt > now) return now;
    const nextReadAt = operation.lastReadAt + gapMs;
    return operation.locator === undefined ? Math.max(nextReadAt, sentAt(operation) + settleMs) : nextReadAt;
  }

  return Math.min(operation.updatedAt, now);
}

/** Takes the next step of an active operation that is due. */
export async function settle(context: JournalContext, operation: Operation): Promise<void> {
  const { id, state } = operation;
  if (state === 'in_doubt') return await settleUnderLease(context, operation);
  await traced(context, 'settle', operation, async () => {
    if (state === 'intent') await giveUp(context, operation);
    // A lease that ends now lets any process take the next step at once.
    else await move(context, id, { from: ['dispatched'], to: 'in_doubt', patch: { leaseUntil: context.clock.now() } });
  });
}

/**
 * Settles an operation that was never dispatched as not executed. Waits while sending is held: in a journal that lost
 * events, a sent operation may look unsent.
 */
async function giveUp(context: JournalContext, operation: Operation): Promise<void> {
  const status = await context.chain?.status();
  if (status?.hold !== undefined) return;
  await move(context, operation.id, {
    from: ['intent'],
    to: 'not_executed',
    patch: { outcome: givenUpOutcome(operation) },
  });
}

async function settleUnderLease(context: JournalContext, operation: Operation): Promise<void> {
  const { store, clock, owner, leaseMs, isGone } = context;
  const now = clock.now();
  // The reading of a process that is gone has ended with it.
  const endsBy = isGone(operation.owner) ? Math.max(now, operation.leaseUntil) : now;
  if (!(await store.lease(operation.id, owner, now + leaseMs, endsBy))) return;

  // Another process may have read the booking before this one had the lease.
  const current = await reload(context, operation);
  if (current.state !== 'in_doubt' || clock.now() < dueAt(context, current)) {
    // Gives the lease back: it ends now.
    await store.lease(current.id, owner, now, now);
    return;
  }

  await traced(context, 'settle', current, () => settleInDoubt(context, current, now));
}

async function settleInDoubt(context: JournalContext, current: Operation, now: number): Promise<void> {
  try {
    const sent = await withPlausibleDispatchTime(context, current, now);
    const operation = sent.lastReadAt === undefined ? await withNamed(context, sent) : sent;
    if (operation.state !== 'in_doubt') return;
    if (operation.locator === undefined) await settleWithoutLocator(context, operation);
    else await settleByReading(context, operation, operation.locator);
  } catch (error) {
    // Counts as a failed reading: the next one waits its time, and in the end a person must check.
    context.log.warn({ operation: current.id, err: error }, 'a settling step failed');
    await afterFailedReading(context, current, now);
  }
}

/** The operation with the dispatch set to now, if a clock that was ahead stamped it. The settle time begins then. */
async function withPlausibleDispatchTime(
  context: JournalContext,
  operation: Operation,
  now: number,
): Promise<Operation> {
  if (sentAt(operation) <= now + SET_MS) return operation;
  await move(context, operation.id, { from: ['in_doubt'], to: 'in_doubt', patch: { dispatchedAt: now } });
  return await reload(context, operation);
}

/** The operation with the new booking that its reply named, if its process died before judging the reply. */
async function withNamed(context: JournalContext, operation: Operation): Promise<Operation> {
  const { id, locator, outcome, subject } = operation;
  const makesBooking = locator === undefined || context.acts.of(subject).replyLacks === 'booking';
  if (!makesBooking || outcome?.named !== undefined) return operation;
  const named = (await context.store.named(id)).find((one) => one !== locator);
  if (named === undefined) return operation;
  await move(context, id, { from: ['in_doubt'], to: 'in_doubt', patch: { outcome: { ...outcome, named } } });
  return await reload(context, operation);
}

/**
 * Settles a create without a locator by the booking that its answer names, if there is one. Else only a person can settle
 * it: after a refusal at once, because nothing more will come.
 */
async function settleWithoutLocator(context: JournalContext, operation: Operation): Promise<void> {
  const now = context.clock.now();
  const { named, refusal } = operation.outcome ?? {};
  if (named !== undefined && operation.lastReadAt === undefined) {
    const { verdict, booking } = await readAndJudge(context, { ...operation, locator: named }, named);
    if (verdict === 'done') return await succeed(context, operation, { booking });
  }

  if (refusal !== undefined) return await handOver(context, operation, doubtSentence(context.acts, operation));
  if (now < sentAt(operation) + context.settleMs || mayBeUnderWay(context, operation))
    return await noteReading(context, operation, now, {});

  const unread =
    'The airline gave no usable answer, and a hold without a locator cannot be read. It may exist until it expires by itself.';
  await handOver(context, operation, doubtSentence(context.acts, operation) || unread);
}

/** Reads the booking once, and settles the operation if this reading, with those before it, proves an outcome. */
async function settleByReading(context: JournalContext, before: Operation, locator: string): Promise<void> {
  const startedAt = context.clock.now();

  const { named } = before.outcome ?? {};
  if (named !== undefined && (await settleByNamed(context, before, named))) return;

  const { verdict, booking, shows } = await readAndJudge(context, before, locator);
  if (verdict === 'void') return await afterFailedReading(context, before, startedAt);
  if (verdict === 'done') return await succeed(context, before, { booking });

  const operation = await withShown(context, before, shows);
  if (verdict === 'partial' || verdict === 'contradicted')
    return await settleUnclear(context, operation, verdict, startedAt);

  const refusal = operation.outcome?.refusal;
  if (verdict === 'not_done' && refusal !== undefined) return await settleAsRefused(context, operation, refusal);

  // One reading without the change, or without the booking's content, proves nothing. Several in a row do.
  // Operation.negatives has both counts: 2 after two readings without the change, -2 after two without content.
  const sign = verdict === 'bare' ? -1 : 1;
  const isCounted = elapsedSince(context, operation, startedAt) >= context.settleMs;
  const count = isCounted ? Math.max(sign * operation.negatives, 0) + 1 : 0;
  if (count < READINGS_THAT_PROVE)
    return await noteReading(context, operation, startedAt, { negatives: sign * count || 0 });

  // Only cancellations get the verdict `bare`: a booking that shows nothing any more was cancelled.
  if (verdict === 'bare') return await succeed(context, operation, { booking });
  await settleAs(context, operation, 'not_executed', { outcome: { error: readBackUnchanged(count) } });
}

/** Settles a split by the booking that its reply named, which proves it as the whole reply would. False: it does not. */
async function settleByNamed(context: JournalContext, operation: Operation, named: string): Promise<boolean> {
  const booking = await tryRead(context, operation, named);
  if (booking === undefined || booking === 'gone') return false;
  const { rules, digest } = context;
  const verdict = judgeSafely(context, operation, () => rules.reply(operation, { booking }, digest));
  if (verdict === 'done') await succeed(context, operation, { booking });
  return verdict === 'done';
}

/** Settles a refusal by one reading that shows no change. reconcile-all.ts reads once more after the settle time. */
async function settleAsRefused(context: JournalContext, operation: Operation, refusal: OperationError): Promise<void> {
  const error = refusedUnchanged(operation, refusal);
  await settleAs(context, operation, 'refused', {
    outcome: { error, refusal: undefined, basis: 'read', provisional: true },
  });
}

/** Settles the operation as done, with what the reading shows. */
async function succeed(
  context: JournalContext,
  operation: Operation,
  evidence: Pick<Evidence, 'booking'>,
): Promise<void> {
  // JSON drops undefined fields, which would overwrite in settleAs what was known before.
  const proved: Outcome = JSON.parse(JSON.stringify(learned(context.acts, operation, 'read', evidence)));
  const outcome = { ...proved, shows: undefined };
  await settleAs(context, operation, 'succeeded', { outcome, booking: evidence.booking });
}

/** What a reading proves of an operation. */
interface JudgedReading extends Pick<Evidence, 'booking'> {
  /** `void`: the booking cannot be read, or the reading proves nothing. */
  readonly verdict: Verdict;
  /** What it proves in part, in a sentence. */
  readonly shows?: string | undefined;
  /** Whether the airline answered with this booking, or that there is none. */
  readonly isAnswer: boolean;
}

/** Judges the operation by a new reading. */
export async function readAndJudge(
  context: JournalContext,
  operation: Operation,
  locator: string,
): Promise<JudgedReading> {
  const booking = await tryRead(context, operation, locator);
  if (booking === undefined) return { verdict: 'void', isAnswer: false };

  if (booking === 'gone') {
    // A released hold may be gone; of any other act that proves nothing.
    const isRelease = context.acts.of(operation.subject).countedAs === 'release';
    return { verdict: isRelease ? 'done' : 'void', isAnswer: true };
  }

  const verdict = judgeSafely(context, operation, () => context.rules.reading(operation, booking, context.digest));
  const { subject } = operation;
  const shows = verdict === 'partial' ? context.acts.of(subject).partly?.(subject, booking) : undefined;
  return { verdict, booking, shows, isAnswer: isAbout(booking, operation) };
}

/** `gone`: the airline says that there is no such booking. Undefined: the reading failed, or came after the lease. */
async function tryRead({ clock, leaseMs, readerFor }: JournalContext, operation: Operation, locator: string) {
  const until = clock.now() + leaseMs / 2;
  try {
    const read = await within(clock, leaseMs / 2, readerFor(operation).read(locator));
    return read === late || clock.now() > until ? undefined : read;
  } catch (error) {
    return error instanceof ClerkError && error.noSuchBooking ? 'gone' : undefined;
  }
}

/** The operation with what the reading proves of it in part: people are told that, and not that nothing is known. */
async function withShown(context: JournalContext, operation: Operation, shows: string | undefined): Promise<Operation> {
  const { id, outcome } = operation;
  if (shows === outcome?.shows) return operation;
  await move(context, id, { from: ['in_doubt'], to: 'in_doubt', patch: { outcome: { ...outcome, shows } } });
  return await reload(context, operation);
}

/** Settles a booking that shows something else: it is read again for a while, then a person must check. */
async function settleUnclear(
  context: JournalContext,
  operation: Operation,
  verdict: 'partial' | 'contradicted',
  startedAt: number,
): Promise<void> {
  if (elapsedSince(context, operation, startedAt) < patienceMs(context, operation, verdict)) {
    return await noteReading(context, operation, startedAt, { negatives: 0 });
  }

  const shown =
    verdict === 'partial'
      ? 'The booking shows only a part of what was to be done.'
      : 'The booking shows something that was not asked for.';
  const why = operation.outcome?.shows ?? (doubtSentence(context.acts, operation) || shown);
  await handOver(context, operation, why);
}

/** Whether the message may still be under way: this process is sending it, or the clock was set lately. */
function mayBeUnderWay({ clock, sending, settleMs }: JournalContext, { id }: Operation): boolean {
  return sending.has(id) || (clock.sinceSet?.() ?? settleMs) < settleMs;
}

/** Milliseconds from the send until `at`; zero while the message may be under way. */
function elapsedSince(context: JournalContext, operation: Operation, at: number): number {
  return mayBeUnderWay(context, operation) ? 0 : at - sentAt(operation);
}

/** How long an unclear booking is read again. Before the settle time is over, the message may still be carried out. */
function patienceMs(
  { acts, settleMs }: JournalContext,
  { subject }: Operation,
  verdict: 'partial' | 'contradicted',
): number {
  return verdict === 'partial' ? Math.max(acts.of(subject).patienceMs ?? 0, settleMs) : settleMs;
}

/** When a person takes over an operation that nothing has settled, at the latest, milliseconds since 1970. */
export function handedOverAt(context: JournalContext, operation: Operation): number {
  const { locator, failingSince } = operation;
  if (locator === undefined) return sentAt(operation) + context.settleMs;
  return failingHandedOverAt(context, operation, failingSince);
}

/** When a person takes over an operation whose readings have failed since `failingSince`, milliseconds since 1970. */
function failingHandedOverAt(
  { settleMs }: JournalContext,
  operation: Operation,
  failingSince = Number.NEGATIVE_INFINITY,
): number {
  const limit = sentAt(operation) + Math.max(HAND_OVER_MS, settleMs);
  return Math.max(limit, failingSince + Math.max(HAND_OVER_FAILING_MS, settleMs));
}

/** Plans another reading after one that failed. If readings have failed for too long, hands the operation over. */
async function afterFailedReading(context: JournalContext, operation: Operation, startedAt: number): Promise<void> {
  const failingSince = Math.min(operation.failingSince ?? startedAt, startedAt);
  const mayRetry = startedAt < failingHandedOverAt(context, operation, failingSince);
  if (mayRetry || mayBeUnderWay(context, operation))
    return await noteReading(context, operation, startedAt, { failingSince });

  const doubt = doubtSentence(context.acts, operation);
  const why =
    doubt === ''
      ? 'The airline gave no usable answer, and the booking could not be read since.'
      : `${doubt} The booking could not be read since.`;
  await handOver(context, operation, why);
}

/** Hands the operation to a person. @param why the first sentence of what must be checked */
function handOver(context: JournalContext, operation: Operation, why: string): Promise<void> {
  const check = checkSentence(context.acts.of(operation.subject), operation, why);
  return settleAs(context, operation, 'needs_person', { outcome: { check } });
}

/** When the operation was sent, or else entered, milliseconds since 1970. */
function sentAt(operation: Operation): number {
  return operation.dispatchedAt ?? operation.createdAt;
}

/** Stores what the reading showed, and ends the lease. */
async function noteReading(
  { store, owner }: JournalContext,
  operation: Operation,
  lastReadAt: number,
  reading: { negatives?: number; failingSince?: number },
): Promise<void> {
  await store.note(operation.id, owner, { negatives: operation.negatives, ...reading, lastReadAt });
}

/** Settles the operation, if nobody else did meanwhile. */
async function settleAs(
  context: JournalContext,
  operation: Operation,
  to: OperationState,
  { outcome, booking }: Pick<Evidence, 'booking'> & { readonly outcome: Outcome },
): Promise<void> {
  const { locator } = outcome;
  const patch = { outcome: { ...operation.outcome, ...outcome }, ...(locator !== undefined && { locator }) };
  if (!(await move(context, operation.id, { from: ['in_doubt'], to, patch })) || to !== 'succeeded') return;
  await context.settled({ ...operation, state: to, ...patch }, booking);
}
