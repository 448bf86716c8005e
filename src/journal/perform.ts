/** Carries out one freshly opened operation: recheck, durable dispatch, send once, classify. Never rejects. */

import { ClerkError } from '../core/errors.ts';
import type { Dispatch, RawReply } from '../domain/airline.ts';
import type { Booking } from '../domain/booking/booking.ts';
import { late, within } from './clock.ts';
import { type JournalContext, judgeSafely, move, reload } from './context.ts';
import type { Evidence } from './evidence.ts';
import type { Operation } from './operation.ts';
import { asClerkError, type Classified, classify, type Ending, givenUpOutcome, storeUnsent } from './outcome.ts';
import type { Sending } from './ports.ts';
import { put, record } from './record.ts';

/** After so long a caller learns that nothing was sent, also if the store does not know it yet, milliseconds. */
const TOLD_MS = 6_000;

/** How far an operation came, with what went wrong or what came back. */
export interface OperationRun {
  readonly operation: Operation;
  readonly evidence?: Evidence;
  /** The booking afterwards, as the ledger has it now. */
  readonly booking?: Booking;
  readonly error?: ClerkError;
}

export async function perform(context: JournalContext, operation: Operation, act: Sending): Promise<OperationRun> {
  const heartbeat = startLeaseHeartbeat(context, operation);
  try {
    const refusal = await recheck(context, act);
    if (refusal !== undefined) {
      // Before the dispatch, whatever is sent is another's.
      const patch = { outcome: givenUpOutcome(operation, refusal) };
      return await giveUp(
        context,
        operation,
        refusal,
        put(context, operation, { from: ['intent'], to: 'not_executed', patch }),
      );
    }
    const dispatchedAt = context.clock.now();
    heartbeat.leaseUntil = dispatchedAt + context.leaseMs;
    const dispatched = await commitDispatch(context, operation, dispatchedAt, heartbeat.leaseUntil);
    if (dispatched instanceof ClerkError) {
      // The store may have taken the dispatch although it failed.
      const proved = { state: 'not_executed', outcome: givenUpOutcome(operation, dispatched) } as const;
      return await giveUp(context, operation, dispatched, record(context, operation, proved));
    }
    // Another process believed this one dead and gave the operation up.
    if (!dispatched) return { operation: await reload(context, operation).catch(() => operation) };
    const dispatch = fencedDispatch(context, operation, act, dispatchedAt, () => heartbeat.leaseUntil);
    return await sendWithin(context, { ...operation, state: 'dispatched', dispatchedAt }, act, dispatch);
  } finally {
    heartbeat.stop();
  }
}

/** The reading must be fresh when it is acted on: a process that slept meanwhile needs a new yes. */
async function recheck({ clock, leaseMs }: JournalContext, act: Sending): Promise<ClerkError | undefined> {
  const startedAt = clock.now();
  try {
    const read = await within(clock, leaseMs / 2, act.recheck());
    if (read !== late && clock.now() - startedAt <= leaseMs / 2) return undefined;
    return new ClerkError('E_AIRLINE_TIMEOUT', 'The booking could not be read again in time. Nothing was sent.', {
      next: 'Call the tool again without approval_id to ask for a new yes.',
    });
  } catch (thrown) {
    return asClerkError(thrown, 'none');
  }
}

/** The last commit before bytes may leave. An error: sending is stopped, or the store failed, and nothing is sent. */
async function commitDispatch(
  context: JournalContext,
  { id }: Operation,
  dispatchedAt: number,
  leaseUntil: number,
): Promise<boolean | ClerkError> {
  try {
    return await move(context, id, ['intent'], 'dispatched', { dispatchedAt, leaseUntil });
  } catch (error) {
    context.log.warn({ operation: id, err: error }, 'the store failed before the dispatch: nothing is sent');
    if (!(error instanceof ClerkError)) return storeError('none', error);
    return error.effect === 'none' ? error : storeUnsent(error);
  }
}

/** Nothing was sent, and the caller learns that also while the store is away. */
async function giveUp(
  context: JournalContext,
  operation: Operation,
  error: ClerkError,
  storing: Promise<Operation>,
): Promise<OperationRun> {
  const stored = await within(context.clock, TOLD_MS, storing);
  return { operation: stored === late ? operation : stored, error };
}

/** Sends, and waits for the answer for a while; a late one still counts. */
async function sendWithin(
  context: JournalContext,
  operation: Operation,
  act: Sending,
  dispatch: FencedDispatch,
): Promise<OperationRun> {
  context.sending.add(operation.id);
  // From a promise, so that a send that throws at once ends like any other.
  const sending = Promise.resolve()
    .then(() => act.send(dispatch))
    .then(
      (evidence) => ({ evidence }),
      (thrown: unknown) => ({ thrown }),
    )
    .finally(() => {
      // However it ended: no byte may leave any more.
      dispatch.close();
      context.sending.delete(operation.id);
    });
  const ending = await within(context.clock, context.sendMs, sending);
  if (ending !== late) return await conclude(context, operation, ending, dispatch.started);
  dispatch.close();
  void sending.then((ended) => conclude(context, operation, ended, dispatch.started));
  void context.clock.sleep(context.settleMs).then(() => context.sending.delete(operation.id));
  const error = new ClerkError('E_AIRLINE_TIMEOUT', 'The airline has not answered. What it did is not known yet.', {
    next: 'Call the tool again with the same approval_id to follow it.',
    effect: 'unknown',
    retry: 'same_call',
  });
  return { operation: await record(context, operation, { state: 'in_doubt' }), error };
}

/**
 * Stores what the end of a send proves. A late one may correct what was settled without it.
 * @param started the first byte was allowed to leave
 */
export async function conclude(
  context: JournalContext,
  operation: Operation,
  ending: Ending,
  started: boolean,
): Promise<OperationRun> {
  const { error, ...proved } = classified(context, operation, ending, started);
  context.unrecorded.add(operation.id);
  const recorded = await record(context, operation, proved).finally(() => context.unrecorded.delete(operation.id));
  const shownError = recorded.state === 'dispatched' ? storeError('unknown') : error;
  const evidence = 'evidence' in ending ? ending.evidence : undefined;
  const booking = recorded.state === 'succeeded' ? await context.settled(recorded, evidence?.booking) : undefined;
  return { operation: recorded, error: shownError, evidence, booking };
}

/** An answer that cannot be understood proves nothing. */
function classified(context: JournalContext, operation: Operation, ending: Ending, started: boolean): Classified {
  const { acts, digest, log, rules } = context;
  const judge = (evidence: Evidence) => judgeSafely(context, operation, () => rules.reply(operation, evidence, digest));
  try {
    return classify(acts, operation, ending, started, judge);
  } catch (error) {
    log.warn({ operation: operation.id, err: error }, 'an answer could not be made sense of');
    return { state: 'in_doubt', error: asClerkError(error, 'unknown') };
  }
}

/** The store failed: before anything was sent (`none`), or when it should have taken the outcome (`unknown`). */
function storeError(effect: 'none' | 'unknown', cause?: unknown): ClerkError {
  const effectWords =
    effect === 'none'
      ? 'Nothing was sent.'
      : 'The outcome cannot be recorded now; it is settled by reading the booking, or by what was kept.';
  return new ClerkError('E_STATE_DOWN', `The server cannot write its own database. ${effectWords}`, {
    next: 'Repeat the same call in 5 seconds; it is safe. If it lasts, tell the operator.',
    effect,
    retry: 'after_s:5',
    cause,
  });
}

/** How long a reply waits to be kept, milliseconds: a store that is away must not hold up its reading. */
const KEEP_MS = 1_000;

interface FencedDispatch extends Dispatch {
  /** Whether the first byte was allowed to leave. */
  readonly started: boolean;
  /** Forbids sending from now on. */
  close(): void;
}

/**
 * Allows the first byte once, within `fenceMs` of the durable dispatch and while the lease is valid. A process that slept
 * longer must not send: another may have settled the operation meanwhile.
 */
function fencedDispatch(
  context: JournalContext,
  operation: Operation,
  act: Sending,
  dispatchedAt: number,
  leaseUntil: () => number,
): FencedDispatch {
  const { clock, fenceMs, store, log } = context;
  const { id } = operation;
  let started = false;
  let closed = false;
  return {
    get started() {
      return started;
    },
    close() {
      closed = true;
    },
    mayStart() {
      const now = clock.now();
      if (started || closed || now < dispatchedAt || now - dispatchedAt > fenceMs || now >= leaseUntil()) return false;
      started = true;
      return true;
    },
    async keep(rawReply) {
      const reply = keptReply(context, operation, act, rawReply);
      if (reply === undefined) return;
      // Whether or not the store takes it in time, the reply is parsed and judged.
      const keeping = store.keepReply(id, reply).catch((error: unknown) => {
        log.warn({ operation: id, err: error }, 'the raw reply could not be kept');
      });
      await within(clock, KEEP_MS, keeping);
    },
  };
}

/**
 * What may be kept of a raw reply. Of one about travellers who entered details on the details page nothing is kept that they
 * entered: for a new booking its names and locator prove it. Changes are proved by details: those a reading must settle.
 */
function keptReply(
  { withoutDetails }: JournalContext,
  { facts, locator }: Operation,
  { blank = asIs }: Sending,
  reply: RawReply,
): RawReply | undefined {
  if (facts?.details !== 'page') return reply;
  return locator === undefined ? withoutDetails?.(reply, blank) : undefined;
}

const asIs = (text: string): string => text;

/** Renews the lease of an operation after each third of it, until `stop`. */
interface LeaseHeartbeat {
  /** Until then the operation belongs to this process. */
  leaseUntil: number;
  stop(): void;
}

function startLeaseHeartbeat(context: JournalContext, operation: Operation): LeaseHeartbeat {
  const stopped = new AbortController();
  const heartbeat: LeaseHeartbeat = { leaseUntil: operation.leaseUntil, stop: () => stopped.abort('over') };
  void beat(context, operation.id, heartbeat, stopped.signal);
  return heartbeat;
}

async function beat(
  context: JournalContext,
  id: string,
  heartbeat: LeaseHeartbeat,
  stopped: AbortSignal,
): Promise<void> {
  const { clock, store, owner, leaseMs, log } = context;
  for (;;) {
    await clock.sleep(leaseMs / 3, stopped);
    if (stopped.aborted) return;
    const now = clock.now();
    try {
      if (!(await store.lease(id, owner, now + leaseMs, now))) return;
      heartbeat.leaseUntil = Math.max(heartbeat.leaseUntil, now + leaseMs);
    } catch (error) {
      log.warn({ operation: id, err: error }, 'the lease could not be renewed');
    }
  }
}
