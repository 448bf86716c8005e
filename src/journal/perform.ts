/** Carries out one freshly entered operation: rechecks, stores the dispatch, sends once and classifies the answer. */

import { ClerkError, notSent } from '../core/errors.ts';
import type { Dispatch } from '../domain/airline.ts';
import type { Booking } from '../domain/booking/booking.ts';
import { late, within } from './clock.ts';
import { type JournalContext, judgeSafely, move, reload } from './context.ts';
import type { Evidence } from './evidence.ts';
import type { Operation } from './operation.ts';
import { asClerkError, type Classified, classify, type Ending, givenUpOutcome, rewordAsUnsent } from './outcome.ts';
import type { Sending } from './ports.ts';
import { moveUntilStored, storeEnd } from './record.ts';

/** How long a caller waits for the store to note that nothing was sent, milliseconds. */
const STORE_WAIT_MS = 6_000;
/** How long storing the locators of a reply may take, milliseconds: a store that fails must not delay the reply. */
const KEEP_NAMED_MS = 1_000;

/** How far an operation came, with what went wrong or what came back. */
export interface OperationRun {
  readonly operation: Operation;
  readonly evidence?: Evidence;
  /** The booking afterwards, as the reading or answer that settled the operation left it in the ledger. */
  readonly booking?: Booking;
  readonly error?: ClerkError;
}

/** Never rejects: what goes wrong is in the result. */
export async function perform(context: JournalContext, operation: Operation, act: Sending): Promise<OperationRun> {
  const heartbeat = startLeaseHeartbeat(context, operation);
  try {
    const refusal = await recheckPatiently(context, act);
    if (refusal !== undefined) return await giveUpIntent(context, operation, refusal);

    const dispatchedAt = context.clock.now();
    heartbeat.leaseUntil = dispatchedAt + context.leaseMs;

    const commit = await commitDispatch(context, operation, dispatchedAt, heartbeat.leaseUntil);
    if (commit instanceof ClerkError) return await giveUpDispatch(context, operation, commit);
    if (commit === 'lost') return { operation: await reload(context, operation).catch(() => operation) };

    const dispatch = fencedDispatch(context, operation, dispatchedAt, () => heartbeat.leaseUntil);
    return await sendWithin(context, { ...operation, state: 'dispatched', dispatchedAt }, act, dispatch);
  } finally {
    heartbeat.stop();
  }
}

/** Reads the terms again until they can be read: the airline may have asked for a pause meanwhile. */
async function recheckPatiently(context: JournalContext, act: Sending): Promise<ClerkError | undefined> {
  const { clock, ending } = context;
  const refusal = await recheckInTime(context, act);
  if (refusal === undefined) return undefined;
  const waitMs = await act.waitMs?.(refusal);
  if (waitMs === undefined || ending?.aborted === true) return refusal;
  await clock.sleep(waitMs, ending);
  return recheckPatiently(context, act);
}

/**
 * Reads the terms again. Returns why the operation must not be sent, if so: the reading must be fresh when it is acted
 * on, so a process that slept meanwhile needs a new yes.
 */
async function recheckInTime({ clock, leaseMs }: JournalContext, act: Sending): Promise<ClerkError | undefined> {
  const startedAt = clock.now();
  try {
    const result = await within(clock, leaseMs / 2, act.recheck());
    if (result !== late && clock.now() - startedAt <= leaseMs / 2) return undefined;
    return notSent(
      'E_AIRLINE_TIMEOUT',
      'The booking could not be read again in time.',
      'Call the tool again without approval_id to ask for a new approval.',
    );
  } catch (thrown) {
    return asClerkError(thrown, 'none');
  }
}

/**
 * Stores the dispatch, the last commit before bytes may leave. `dispatched`: they may. `lost`: another process believed this one dead and
 * gave the operation up. An error: sending is stopped or the store failed, and nothing is sent.
 */
async function commitDispatch(
  context: JournalContext,
  { id }: Operation,
  dispatchedAt: number,
  leaseUntil: number,
): Promise<'dispatched' | 'lost' | ClerkError> {
  try {
    const moved = await move(context, id, { from: ['intent'], to: 'dispatched', patch: { dispatchedAt, leaseUntil } });
    return moved ? 'dispatched' : 'lost';
  } catch (error) {
    context.log.warn({ operation: id, err: error }, 'the store failed before the dispatch: nothing is sent');
    return notDispatchedError(error);
  }
}

/** The error of a store that threw before the dispatch. It says that nothing was sent. */
function notDispatchedError(thrown: unknown): ClerkError {
  if (!(thrown instanceof ClerkError)) return storeError('none', thrown);
  return thrown.effect === 'none' ? thrown : rewordAsUnsent(thrown);
}

/**
 * Gives up an operation whose recheck failed. Moves it only while it is an intent: once dispatched, it is another
 * process's.
 */
function giveUpIntent(context: JournalContext, operation: Operation, error: ClerkError): Promise<OperationRun> {
  const patch = { outcome: givenUpOutcome(operation, error) };
  const storing = moveUntilStored(context, operation, { from: ['intent'], to: 'not_executed', patch });
  return answerUnsent(context, operation, error, storing);
}

/**
 * Gives up an operation whose dispatch could not be stored. The store may have written the dispatch although it
 * reported a failure. So `storeEnd` moves the operation from any open state, and keeps the end while the store is down.
 */
function giveUpDispatch(context: JournalContext, operation: Operation, error: ClerkError): Promise<OperationRun> {
  const end = { state: 'not_executed', outcome: givenUpOutcome(operation, error) } as const;
  return answerUnsent(context, operation, error, storeEnd(context, operation, end));
}

/** Tells the caller that nothing was sent, even if the store does not take that in time. */
async function answerUnsent(
  context: JournalContext,
  operation: Operation,
  error: ClerkError,
  storing: Promise<Operation>,
): Promise<OperationRun> {
  const stored = await within(context.clock, STORE_WAIT_MS, storing);
  return { operation: stored === late ? operation : stored, error };
}

/** Sends, and waits for the answer for `sendMs`. A later answer still counts. */
async function sendWithin(
  context: JournalContext,
  operation: Operation,
  act: Sending,
  dispatch: FencedDispatch,
): Promise<OperationRun> {
  context.sending.add(operation.id);

  // Inside a promise chain, so that a send that throws at once is handled like one that rejects.
  const startSending = () => act.sendConfirmed(dispatch);
  const sending = Promise.resolve()
    .then(startSending)
    .then(
      (evidence) => ({ evidence }),
      (thrown: unknown) => ({ thrown }),
    )
    .finally(() => {
      // However the send ended, no byte may leave any more.
      dispatch.close();
      context.sending.delete(operation.id);
    });

  const ending = await within(context.clock, context.sendMs, sending);
  if (ending !== late) return await conclude(context, operation, ending, dispatch);

  dispatch.close();
  void sending.then((ended) => conclude(context, operation, ended, dispatch));

  // A send that never ends must not keep readings from settling the operation.
  void context.clock.sleep(context.settleMs).then(() => context.sending.delete(operation.id));

  const error = new ClerkError('E_AIRLINE_TIMEOUT', 'The airline has not answered. What it did is not known yet.', {
    next: 'Call the tool again with the same approval_id to follow it.',
    effect: 'unknown',
    retry: 'same_call',
  });
  return { operation: await storeEnd(context, operation, { state: 'in_doubt' }), error };
}

/**
 * Stores what the end of a send proves. A late end may correct what readings settled before.
 * @param started whether the first byte was allowed to leave
 */
async function conclude(
  context: JournalContext,
  operation: Operation,
  ending: Ending,
  { started }: Pick<FencedDispatch, 'started'>,
): Promise<OperationRun> {
  const { error, ...end } = classifySafely(context, operation, ending, started);
  context.unrecorded.add(operation.id);
  const recorded = await storeEnd(context, operation, end).finally(() => context.unrecorded.delete(operation.id));
  const shownError = recorded.state === 'dispatched' ? storeError('unknown') : error;
  const evidence = 'evidence' in ending ? ending.evidence : undefined;
  const booking = recorded.state === 'succeeded' ? await context.settled(recorded, evidence?.booking) : undefined;
  return { operation: recorded, error: shownError, evidence, booking };
}

/** Classifies the end of a send. An answer that cannot be understood proves nothing. */
function classifySafely(context: JournalContext, operation: Operation, ending: Ending, started: boolean): Classified {
  const { acts, digest, log, rules } = context;
  const judge = (evidence: Evidence) => judgeSafely(context, operation, () => rules.reply(operation, evidence, digest));

  try {
    return classify(acts, operation, { ending, started }, judge);
  } catch (error) {
    log.warn({ operation: operation.id, err: error }, 'an answer could not be made sense of');
    return { state: 'in_doubt', error: asClerkError(error, 'unknown') };
  }
}

/**
 * The error of a store that failed before anything was sent (`none`), or when it should take the outcome (`unknown`).
 */
function storeError(effect: 'none' | 'unknown', cause?: unknown): ClerkError {
  const effectWords =
    effect === 'none'
      ? 'Nothing was sent.'
      : 'The outcome cannot be recorded now. It is settled by reading the booking, or by what was kept.';
  const what = 'The server cannot write its own database.';

  return new ClerkError('E_STATE_DOWN', `${what} ${effectWords}`, {
    what,
    next: 'Repeat the same call in 5 seconds, which is safe. If it lasts, tell the operator.',
    effect,
    retry: 'after_s:5',
    cause,
  });
}

// The fence: which bytes may leave, and what is kept of the reply before it is judged.

interface FencedDispatch extends Dispatch {
  /** Whether the first byte was allowed to leave. */
  readonly started: boolean;
  /** Forbids sending from now on. */
  close(): void;
}

/**
 * Allows the first byte once, within `fenceMs` of the durable dispatch and while the lease is valid. A process that
 * slept longer must not send: another may have settled the operation meanwhile.
 */
function fencedDispatch(
  context: JournalContext,
  operation: Operation,
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

    async keep(locators) {
      if (locators.length === 0) return;

      // The reply is judged even if the store does not take them in time.
      const keeping = store.keepNamed(id, locators).catch((error: unknown) => {
        log.warn({ operation: id, err: error }, 'the locators of a reply could not be kept');
      });
      await within(clock, KEEP_NAMED_MS, keeping);
    },
  };
}

// The lease, renewed until the operation has ended.

/** Renews the lease of an operation after each third of it, until `stop`. */
interface LeaseHeartbeat {
  /**
   * Until when the operation belongs to this process, milliseconds since 1970. `perform` sets it when it stores the
   * dispatch, and `beat` after each renewal. The fence reads it before the first byte.
   */
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
