/**
 * Stores what the end of a send proves. While the store is down, ends wait in memory and beside the second record.
 * Nothing is dispatched without the store, so no more ends wait than sends were under way.
 */
import { late, within } from './clock.ts';
import { type JournalContext, move, reload, SharedRead } from './context.ts';
import { isActive, type Operation, type OperationState, type Outcome } from './operation.ts';
import { contradictedSince } from './outcome.ts';
import type { Patch, WaitingEnd } from './ports.ts';

/** What the end of a send proved. */
type Proved = Omit<WaitingEnd, 'id'>;

/** One move of an operation. */
interface StateChange {
  readonly from: readonly OperationState[];
  readonly to: OperationState;
  readonly patch: Patch;
  /** Called each time the store fails or takes long. */
  readonly onDelay?: () => void;
}

/** The states that an operation may have before it gets this one. */
const COMES_FROM: Record<Proved['state'], readonly OperationState[]> = {
  succeeded: ['dispatched', 'in_doubt', 'needs_person'],
  refused: ['dispatched', 'in_doubt', 'needs_person'],
  not_executed: ['intent', 'dispatched', 'in_doubt', 'needs_person'],
  in_doubt: ['dispatched'],
};

/** States that a later confirmation by the airline contradicts: a person must check again. */
const DENIED: readonly OperationState[] = ['not_executed', 'refused', 'resolved'];

/** How long the store may take before an end is written beside the second record too, milliseconds. */
const BRIEF_MS = 1_000;
/** Pause after the first try, milliseconds. It doubles after each further try, up to {@link MOST_PAUSE_MS}. */
const FIRST_PAUSE_MS = 400;
const MOST_PAUSE_MS = 2_000;

/**
 * Stores one end. If the store delays, keeps the end outside of it until the store has it.
 * @param isKept whether this end is kept outside already
 */
export async function record(
  context: JournalContext,
  operation: Operation,
  proved: Proved,
  isKept = false,
): Promise<Operation> {
  const { id } = operation;
  const { state, outcome, overtaken } = proved;
  let kept = isKept;
  const onDelay = () => {
    // This end proves nothing. Kept, it could replace a proof that another process stores at the same time.
    if (state === 'in_doubt' && outcome === undefined) return;
    if (!kept) context.ends?.keep({ id, state, outcome, overtaken });
    kept = true;
  };
  const stored = await storeProof(context, operation, proved, onDelay);
  // Until the store shows what the end says, an open operation still needs it.
  const isStored = !isActive(stored.state) || (stored.state === 'in_doubt' && state === 'in_doubt');
  if (kept && isStored && context.ending?.aborted !== true) context.ends?.drop(id);
  return stored;
}

/** Stores the ends that wait: those of this process, and of processes that died before the store was back. */
export async function storeWaiting(context: JournalContext): Promise<void> {
  for (const { id, ...proved } of context.ends?.all() ?? []) {
    // An older copy of the journal may lack the operation until a person restores it.
    const operation = await context.store.get(id);
    if (operation === undefined) continue;
    const stored = await record(context, operation, proved, true);
    if (stored.state === 'succeeded') await context.settled(stored, undefined);
  }
}

async function storeProof(
  context: JournalContext,
  operation: Operation,
  { state, outcome, overtaken }: Proved,
  onDelay: () => void,
): Promise<Operation> {
  // The lease of an operation in doubt ends, so that any process may read the booking.
  const leaseUntil = state === 'in_doubt' ? context.clock.now() : undefined;
  const patch: Patch = { outcome, locator: outcome?.locator, leaseUntil };
  const moved = await put(context, operation, { from: COMES_FROM[state], to: state, patch, onDelay });
  const settled = await withReceipt(context, moved, outcome, onDelay);
  if (overtaken !== undefined && settled.state === 'succeeded' && settled.outcome?.receipt === undefined) {
    return await put(context, settled, {
      from: ['succeeded'],
      to: 'needs_person',
      patch: { outcome: overtaken },
      onDelay,
    });
  }
  const isConfirmed = state === 'succeeded' || outcome?.receipt !== undefined;
  return isConfirmed && DENIED.includes(settled.state) ? await contradict(context, settled, onDelay) : settled;
}

/** Stores a receipt also if the operation was in doubt before the answer was read. */
async function withReceipt(
  context: JournalContext,
  operation: Operation,
  outcome: Outcome | undefined,
  onDelay: () => void,
): Promise<Operation> {
  const isNothingNew = operation.outcome?.receipt !== undefined || outcome?.receipt === undefined;
  if (isNothingNew || operation.state !== 'in_doubt') return operation;
  return await put(context, operation, { from: ['in_doubt'], to: 'in_doubt', patch: { outcome }, onDelay });
}

/** Hands to a person an operation that the airline confirmed after it was settled as not carried out. */
async function contradict(context: JournalContext, operation: Operation, onDelay: () => void): Promise<Operation> {
  context.log.warn({ operation: operation.id }, 'a settled operation is contradicted by a late reply');
  const why = 'The airline confirmed it after it had been settled as not carried out.';
  const patch = { outcome: contradictedSince(context.acts, operation, why) };
  return await put(context, operation, { from: [operation.state], to: 'needs_person', patch, onDelay });
}

/** Moves and reloads the operation, trying until the store can or this process ends. Never rejects. */
export async function put(context: JournalContext, operation: Operation, step: StateChange): Promise<Operation> {
  const { from, to, patch, onDelay = () => undefined } = step;
  const { clock, ending, log } = context;
  for (let tried = 1; ; tried++) {
    const shared = new SharedRead(context, operation.id);
    const storing = move(context, operation.id, from, to, patch, shared).then(() => reload(context, operation, shared));
    try {
      if ((await within(clock, BRIEF_MS, storing)) === late) onDelay();
      return await storing;
    } catch (error) {
      if (tried === 1) log.warn({ operation: operation.id, state: to, err: error }, 'the store could not be written');
      onDelay();
      if (ending?.aborted === true) return operation;
      await clock.sleep(Math.min(FIRST_PAUSE_MS * 2 ** (tried - 1), MOST_PAUSE_MS), ending);
    }
  }
}
