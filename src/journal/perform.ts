/** Carries out one freshly opened operation: recheck, durable dispatch, send once, classify. Never rejects. */
import { omitUndefined } from '../domain/time-and-text/omit-undefined.ts';
import { ClerkError } from '../errors.ts';
import { late, within } from './clock.ts';
import { type Context, move, reload, sharedRead, traced, verdictOf } from './context.ts';
import { type FencedDispatch, fencedDispatch } from './dispatch.ts';
import { type Classified, classify, type Ending, givenUp } from './evidence/classify.ts';
import { startLeaseHeartbeat } from './lease-heartbeat.ts';
import type { Operation, OperationState, Outcome } from './operation.ts';
import { asClerkError, contradictedSince, storeUnsent } from './outcome.ts';
import type { Act, Evidence, Patch } from './ports.ts';

/** How far an operation came, with what went wrong or what came back. */
export interface Ran {
  readonly operation: Operation;
  readonly evidence?: Evidence;
  readonly error?: ClerkError;
}

export function perform(context: Context, operation: Operation, act: Act): Promise<Ran> {
  return traced(context, 'carry out', operation, async () => {
    const ran = await carryOut(context, operation, act);
    if (ran.error !== undefined) context.tracing.fail(ran.error.code);
    return ran;
  });
}

async function carryOut(context: Context, operation: Operation, act: Act): Promise<Ran> {
  const heartbeat = startLeaseHeartbeat(context, operation);
  try {
    const stopped = await recheck(context, act);
    if (stopped !== undefined) return await giveUp(context, operation, stopped, ['intent']);
    const dispatchedAt = context.clock.now();
    heartbeat.leaseUntil = dispatchedAt + context.leaseMs;
    const dispatched = await commitDispatch(context, operation, dispatchedAt, heartbeat.leaseUntil);
    if (dispatched instanceof ClerkError) return await giveUp(context, operation, dispatched);
    // Another process believed this one dead and gave the operation up.
    if (!dispatched) return { operation: await reload(context, operation).catch(() => operation) };
    const dispatch = fencedDispatch(context, operation.id, dispatchedAt, () => heartbeat.leaseUntil);
    return await send(context, { ...operation, state: 'dispatched', dispatchedAt }, act, dispatch);
  } finally {
    heartbeat.stop();
  }
}

/** The reading must be fresh when it is acted on: a process that slept meanwhile needs a new yes. */
async function recheck({ clock, leaseMs }: Context, act: Act): Promise<ClerkError | undefined> {
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
  context: Context,
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

/** @param from what this run can have made of it: before the dispatch, whatever is sent is another's */
async function giveUp(
  context: Context,
  operation: Operation,
  error: ClerkError,
  from: OperationState[] = ['intent', 'dispatched', 'in_doubt'],
): Promise<Ran> {
  return {
    operation: await put(context, operation, from, 'not_executed', { outcome: givenUp(operation, error) }),
    error,
  };
}

async function send(context: Context, operation: Operation, act: Act, dispatch: FencedDispatch): Promise<Ran> {
  const sending = attempt(context, operation, act, dispatch);
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
  return await record(context, operation, { state: 'in_doubt', error });
}

async function attempt({ sending }: Context, { id }: Operation, act: Act, dispatch: FencedDispatch): Promise<Ending> {
  sending.add(id);
  try {
    return { evidence: await act.send(dispatch) };
  } catch (thrown) {
    return { thrown };
  } finally {
    dispatch.close();
    sending.delete(id);
  }
}

/** Stores what the end of a send proves. A late one may correct what was settled without it. */
export async function conclude(context: Context, operation: Operation, ending: Ending, started: boolean): Promise<Ran> {
  const ran = await record(context, operation, classified(context, operation, ending, started));
  return 'evidence' in ending ? { ...ran, evidence: ending.evidence } : ran;
}

/** An answer that cannot be understood proves nothing. */
function classified(context: Context, operation: Operation, ending: Ending, started: boolean): Classified {
  const { digest, log, rules } = context;
  const judge = (evidence: Evidence) => verdictOf(context, operation, () => rules.reply(operation, evidence, digest));
  try {
    return classify(operation, ending, started, judge);
  } catch (error) {
    log.warn({ operation: operation.id, err: error }, 'an answer could not be made sense of');
    return { state: 'in_doubt', error: asClerkError(error, 'unknown') };
  }
}

const MAY_BECOME: Record<Classified['state'], readonly OperationState[]> = {
  succeeded: ['dispatched', 'in_doubt', 'needs_person'],
  refused: ['dispatched', 'in_doubt', 'needs_person'],
  not_executed: ['dispatched', 'in_doubt', 'needs_person'],
  in_doubt: ['dispatched'],
};

/** States that the airline's confirmation contradicts: a person must check again. */
const DENIED: readonly OperationState[] = ['not_executed', 'refused', 'resolved'];

async function record(context: Context, operation: Operation, classified: Classified): Promise<Ran> {
  const { state, outcome, overtaken, error } = classified;
  // In doubt, any process may read: the lease ends.
  const leaseUntil = state === 'in_doubt' ? context.clock.now() : undefined;
  const patch: Patch = omitUndefined({ outcome, locator: outcome?.locator, leaseUntil });
  const moved = await put(context, operation, MAY_BECOME[state], state, patch);
  const now = await withReceipt(context, moved, outcome);
  if (overtaken !== undefined && now.state === 'succeeded' && now.outcome?.receipt === undefined) {
    return { operation: await put(context, now, ['succeeded'], 'needs_person', { outcome: overtaken }) };
  }
  const says = state === 'succeeded' || outcome?.receipt !== undefined;
  if (says && DENIED.includes(now.state)) {
    return { operation: await contradict(context, now) };
  }
  const unrecorded = now.state === 'dispatched' ? storeError('unknown') : undefined;
  const shown = unrecorded ?? error;
  return { operation: now, ...(shown && { error: shown }) };
}

/** That there was a receipt, and what it said, is kept, also where the operation was in doubt before the answer was read. */
async function withReceipt(context: Context, operation: Operation, outcome: Outcome | undefined): Promise<Operation> {
  const known = operation.outcome?.receipt !== undefined || outcome?.receipt === undefined;
  if (known || operation.state !== 'in_doubt') return operation;
  return await put(context, operation, ['in_doubt'], 'in_doubt', { outcome });
}

/** The airline confirmed an operation that was settled as not carried out. */
async function contradict(context: Context, operation: Operation): Promise<Operation> {
  context.log.warn({ operation: operation.id }, 'a settled operation is contradicted by a late reply');
  const why = 'The airline confirmed it after it had been settled as not carried out.';
  return await put(context, operation, [operation.state], 'needs_person', {
    outcome: contradictedSince(operation, why),
  });
}

const TRIES = 5;

/** Moves and reloads the operation. If the store stays away, a later reading settles the operation. */
async function put(
  context: Context,
  operation: Operation,
  from: readonly OperationState[],
  to: OperationState,
  patch: Patch,
): Promise<Operation> {
  for (let tried = 1; ; tried++) {
    try {
      const read = sharedRead(context, operation.id);
      await move(context, operation.id, from, to, patch, read);
      return await reload(context, operation, read);
    } catch (error) {
      context.log.warn({ operation: operation.id, state: to, err: error }, 'the store could not be written');
      if (tried === TRIES) return operation;
      await context.clock.sleep(200 * 2 ** tried);
    }
  }
}

function storeError(effect: 'none' | 'unknown', cause?: unknown): ClerkError {
  const known = effect === 'none' ? 'Nothing was sent.' : 'What became of it will be settled by reading the booking.';
  return new ClerkError('E_INTERNAL', `The state store could not be written. ${known}`, {
    next: 'Tell the operator: fareclerk doctor shows what is wrong with the state store.',
    effect,
    cause,
  });
}
