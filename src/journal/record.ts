/**
 * Stores what the end of a send proves. While the store is away, an end waits in memory and in the second record:
 * nothing is dispatched without the store, so that no more ends wait than sends were under way.
 */
import { late, within } from './clock.ts';
import { type JournalContext, move, reload, SharedRead } from './context.ts';
import { isActive, type Operation, type OperationState, type Outcome } from './operation.ts';
import { contradictedSince } from './outcome.ts';
import type { Patch, WaitingEnd } from './ports.ts';

/** What the end of a send proved. */
type Proved = Omit<WaitingEnd, 'id'>;

/** What one move of an operation changes, and from where. */
interface StateChange {
  readonly from: readonly OperationState[];
  readonly to: OperationState;
  readonly patch: Patch;
  /** Called if the store fails or takes long. */
  readonly onDelay?: () => void;
}

/** The states that an operation may have before it gets this one. */
const COMES_FROM: Record<Proved['state'], readonly OperationState[]> = {
  succeeded: ['dispatched', 'in_doubt', 'needs_person'],
  refused: ['dispatched', 'in_doubt', 'needs_person'],
  not_executed: ['intent', 'dispatched', 'in_doubt', 'needs_person'],
  in_doubt: ['dispatched'],
};

/** States that the airline's confirmation contradicts: a person must check again. */
const DENIED: readonly OperationState[] = ['not_executed', 'refused', 'resolved'];

/** How long the store may take before an end is written to the second record too, milliseconds. */
const BRIEF_MS = 1_000;
/** The pause between two tries is 400 ms first, doubles each time, and is never longer than this, milliseconds. */
const FIRST_PAUSE_MS = 400;
const MOST_PAUSE_MS = 2_000;

/**
 * Stores one end, and keeps it beside the store until that is done.
 * @param isKept whether this end is in the second record already
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
    // Not a proof: written down, it could replace the proof that another process stores at the same time.
    if (state === 'in_doubt' && outcome === undefined) return;
    if (!kept) context.ends?.keep({ id, state, outcome, overtaken });
    kept = true;
  };
  const stored = await storeProof(context, operation, proved, onDelay);
  // An open operation needs its end until the store shows what that end says.
  const isStored = !isActive(stored.state) || (stored.state === 'in_doubt' && state === 'in_doubt');
  if (kept && isStored && context.ending?.aborted !== true) context.ends?.drop(id);
  return stored;
}

/** Stores the ends that wait, of this process and of those that died before the store was back. */
export async function storeWaiting(context: JournalContext): Promise<void> {
  for (const { id, ...proved } of context.ends?.all() ?? []) {
    // An older copy of the journal may lack it, until a person has it restored.
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
  // In doubt, any process may read: the lease ends.
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

/**
 * That there was a receipt, and what it said, is kept, also where the operation was in doubt before the answer was
 * read.
 */
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

/** The airline confirmed an operation that was settled as not carried out. */
async function contradict(context: JournalContext, operation: Operation, onDelay: () => void): Promise<Operation> {
  context.log.warn({ operation: operation.id }, 'a settled operation is contradicted by a late reply');
  const why = 'The airline confirmed it after it had been settled as not carried out.';
  const patch = { outcome: contradictedSince(context.acts, operation, why) };
  return await put(context, operation, { from: [operation.state], to: 'needs_person', patch, onDelay });
}

/** Moves and reloads the operation, as soon as the store can. Never rejects. */
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
