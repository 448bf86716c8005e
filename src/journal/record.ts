/**
 * Stores in the journal what the end of a send proves, however long the store is down. Meanwhile the ends wait in
 * memory and in the second record. Nothing is dispatched without the store, so no more ends wait than sends were
 * under way.
 */
import { type JournalContext, move, reload, SharedRead } from './context.ts';
import { isActive, type Operation, type OperationState, type Outcome } from './operation.ts';
import { contradictedSince } from './outcome.ts';
import type { StateChange, WaitingEnd } from './ports.ts';

/** What the end of a send proved. */
type ProvedEnd = Omit<WaitingEnd, 'id'>;

/** The states that an operation may have before an end moves it to this one. */
const STATES_BEFORE: Record<ProvedEnd['state'], readonly OperationState[]> = {
  succeeded: ['dispatched', 'in_doubt', 'needs_person'],
  refused: ['dispatched', 'in_doubt', 'needs_person'],
  not_executed: ['intent', 'dispatched', 'in_doubt', 'needs_person'],
  in_doubt: ['dispatched'],
};

/** Settled states that a later confirmation by the airline contradicts: a person must check again. */
const CONTRADICTED_BY_CONFIRMATION: readonly OperationState[] = ['not_executed', 'refused', 'resolved'];

/** Pause after the first try, milliseconds. It doubles after each further try, up to {@link MOST_PAUSE_MS}. */
const FIRST_PAUSE_MS = 400;
const MOST_PAUSE_MS = 2_000;

/** Stores what the end of a send proved, and keeps it in the second record until the store has it. */
export async function storeEnd(context: JournalContext, operation: Operation, end: ProvedEnd): Promise<Operation> {
  const { state, outcome, overtaken } = end;
  // A bare doubt proves nothing. It could later replace a proof that another process stores meanwhile.
  if (state !== 'in_doubt' || outcome !== undefined)
    context.ends?.keep({ id: operation.id, state, outcome, overtaken });
  return storeKept(context, operation, end);
}

/** Stores the ends that wait, of other processes: they may have died before the store was back. */
export async function storeWaitingEnds(context: JournalContext): Promise<void> {
  for (const { id, ...end } of context.ends?.all() ?? []) {
    // This process is storing it.
    if (context.unrecorded.has(id)) continue;
    // An older copy of the journal may lack the operation until a person restores it.
    const operation = await context.store.get(id);
    if (operation === undefined) continue;
    const stored = await storeKept(context, operation, end);
    if (stored.state === 'succeeded') await context.settled(stored, undefined);
  }
}

async function storeKept(context: JournalContext, operation: Operation, end: ProvedEnd): Promise<Operation> {
  const stored = await storeProof(context, operation, end);
  // Until the store shows what the end says, an open operation still needs it.
  const isStored = !isActive(stored.state) || (stored.state === 'in_doubt' && end.state === 'in_doubt');
  if (isStored && context.ending?.aborted !== true) context.ends?.drop(operation.id);
  return stored;
}

/**
 * Moves the operation to the state that its end proved. Makes further moves if another process or a reading settled it
 * first: adds the receipt, or hands the operation to a person.
 */
async function storeProof(
  context: JournalContext,
  operation: Operation,
  { state, outcome, overtaken }: ProvedEnd,
): Promise<Operation> {
  // The lease of an operation in doubt ends, so that any process may read the booking.
  const leaseUntil = state === 'in_doubt' ? context.clock.now() : undefined;
  const patch = { outcome, locator: outcome?.locator, leaseUntil };
  const moved = await moveUntilStored(context, operation, { from: STATES_BEFORE[state], to: state, patch });
  const current = await addReceipt(context, moved, outcome);

  if (overtaken !== undefined && current.state === 'succeeded' && current.outcome?.receipt === undefined) {
    return await moveUntilStored(context, current, {
      from: ['succeeded'],
      to: 'needs_person',
      patch: { outcome: overtaken },
    });
  }

  const isConfirmed = state === 'succeeded' || outcome?.receipt !== undefined;
  if (!isConfirmed || !CONTRADICTED_BY_CONFIRMATION.includes(current.state)) return current;

  return await handOverContradicted(context, current);
}

/** Stores the receipt of an outcome also if the operation was in doubt before the answer was read. */
async function addReceipt(
  context: JournalContext,
  operation: Operation,
  outcome: Outcome | undefined,
): Promise<Operation> {
  const isNewReceipt = outcome?.receipt !== undefined && operation.outcome?.receipt === undefined;
  if (!isNewReceipt || operation.state !== 'in_doubt') return operation;
  return await moveUntilStored(context, operation, {
    from: ['in_doubt'],
    to: 'in_doubt',
    patch: { outcome },
  });
}

/** Hands to a person an operation that the airline confirmed after it was settled as not carried out. */
async function handOverContradicted(context: JournalContext, operation: Operation): Promise<Operation> {
  context.log.warn({ operation: operation.id }, 'a settled operation is contradicted by a late reply');
  const why = 'The airline confirmed it after it had been settled as not carried out.';
  const patch = { outcome: contradictedSince(context.acts, operation, why) };
  return await moveUntilStored(context, operation, { from: [operation.state], to: 'needs_person', patch });
}

/**
 * Moves the operation, and tries again until the store answers or this process ends. Returns the operation as it then
 * is, also if another process was first. Never rejects.
 */
export async function moveUntilStored(
  context: JournalContext,
  operation: Operation,
  change: StateChange,
): Promise<Operation> {
  const { clock, ending, log } = context;
  for (let tries = 1; ; tries++) {
    const shared = new SharedRead(context, operation.id);
    try {
      await move(context, operation.id, change, shared);
      return await reload(context, operation, shared);
    } catch (error) {
      if (tries === 1)
        log.warn({ operation: operation.id, state: change.to, err: error }, 'the store could not be written');
      if (ending?.aborted === true) return operation;
      await clock.sleep(Math.min(FIRST_PAUSE_MS * 2 ** (tries - 1), MOST_PAUSE_MS), ending);
    }
  }
}
