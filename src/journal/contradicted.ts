/**
 * Operations that were settled as refused or as not carried out, and that a later reading shows as done: a person must check them. The
 * reconciler looks for them by readings of its own (reconcile-all.ts); here, every other reading of the booking is looked at too.
 */
import { HOUR_MS } from '../core/times.ts';
import type { Booking } from '../domain/booking/booking.ts';
import type { Digest } from '../domain/people/identity-text.ts';
import { type Acts, evidenceRules } from './act.ts';
import { ACTIVE_STATES, type Operation, type OperationState } from './operation.ts';
import { contradictedSince } from './outcome.ts';
import type { OperationStore } from './ports.ts';

/** How long after it was entered an operation is checked, milliseconds. */
export const CHECKED_FOR_MS = 12 * HOUR_MS;

/** States that a refusal or readings settled, so that a later reading may contradict them. */
export const CHECKED_STATES: readonly OperationState[] = ['not_executed', 'refused'];

/** States in which another operation explains what the booking shows, or may do so once it has ended. */
export const EXPLAINING_STATES: readonly OperationState[] = [...ACTIVE_STATES, 'succeeded', 'needs_person'];

/**
 * Whether another operation of the booking may be why it shows this one as done: the same act once more, or of two that cancel, move or
 * split, the other one.
 */
export function mayExplain(acts: Acts, other: Pick<Operation, 'tool'>, { tool }: Pick<Operation, 'tool'>): boolean {
  if (other.tool === tool) return true;
  const takesAway = (name: string) => {
    const act = acts.named(name);
    return act?.decidesBooking === true && act.countedAs !== 'payment';
  };
  return takesAway(other.tool) && takesAway(tool);
}

interface ReadingSeen {
  /** Newest first: of the tenant, on the booking. */
  readonly operations: readonly Operation[];
  readonly booking: Booking;
  /** When the reading began, milliseconds since 1970. */
  readonly begunAt: number;
  /** Who read. */
  readonly by: string;
}

interface ContradictionContext {
  readonly acts: Acts;
  readonly store: Pick<OperationStore, 'transition'>;
  readonly digest: Digest;
}

/** Hands to a person each operation that this reading contradicts. */
export async function handOverContradicted(context: ContradictionContext, seen: ReadingSeen): Promise<void> {
  const { acts, store } = context;
  for (const operation of seen.operations) {
    const shown = shownSince(context, operation, seen);
    if (shown === undefined) continue;
    const { id, state, outcome } = operation;
    const settled = outcome?.error?.message ?? 'It had been settled as not carried out.';
    const why = `${settled} A later reading shows that it was ${shown === 'done' ? 'done' : 'done in part'}.`;
    const patch = { outcome: contradictedSince(acts, operation, why) };
    await store.transition(id, { from: [state], to: 'needs_person', patch }, { now: seen.begunAt, actor: seen.by });
  }
}

/**
 * Says that the reading shows, whole or in part, what was refused, or was not carried out although it was sent. A hold that ends by itself
 * is no contradiction of a release. What is shown in part, any later operation may have done.
 */
function shownSince(
  { acts, digest }: ContradictionContext,
  operation: Operation,
  { operations, booking, begunAt }: ReadingSeen,
): 'done' | 'partial' | undefined {
  const { state, subject, createdAt, dispatchedAt, updatedAt } = operation;
  if (!CHECKED_STATES.includes(state) || dispatchedAt === undefined) return undefined;
  if (begunAt <= updatedAt || begunAt - createdAt >= CHECKED_FOR_MS) return undefined;
  if (acts.of(subject).countedAs === 'release') return undefined;
  const others = operations.filter((other) => EXPLAINING_STATES.includes(other.state));
  const isLater = (other: Operation) => other.createdAt > createdAt;
  const mayBeWhy = (other: Operation) => isLater(other) || other.state !== 'succeeded';
  if (others.some((other) => mayBeWhy(other) && mayExplain(acts, other, operation))) return undefined;
  const verdict = evidenceRules(acts).reading(operation, booking, digest);
  if (verdict === 'done') return verdict;
  return verdict === 'partial' && !others.some(isLater) ? verdict : undefined;
}
