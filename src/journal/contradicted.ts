/**
 * Operations that were settled as refused or as not carried out, and that a later reading shows as done: a person must check them. Every
 * reading of the booking is looked at, and the reconciler makes readings of its own for it (reconcile-all.ts).
 */
import { HOUR_MS } from '../core/times.ts';
import type { Booking } from '../domain/booking/booking.ts';
import type { Digest } from '../domain/people/identity-text.ts';
import { type Acts, evidenceRules } from './act.ts';
import type { Verdict } from './evidence.ts';
import { ACTIVE_STATES, isActive, type Operation, type OperationState } from './operation.ts';
import { contradictedSince } from './outcome.ts';
import type { OperationStore } from './ports.ts';

/** How long after it was entered an operation is checked, milliseconds. */
export const CHECKED_FOR_MS = 12 * HOUR_MS;

/** States that a refusal or readings settled, so that a later reading may contradict them. */
export const CHECKED_STATES: readonly OperationState[] = ['not_executed', 'refused'];

/** States in which another operation explains what the booking shows, or may do so once it has ended. */
export const EXPLAINING_STATES: readonly OperationState[] = [...ACTIVE_STATES, 'succeeded', 'needs_person'];

/** Whether the other operation does what this one was to do: the same act, or of two that cancel, move or split, the other one. */
function mayExplain(acts: Acts, other: Pick<Operation, 'tool'>, { tool }: Pick<Operation, 'tool'>): boolean {
  if (other.tool === tool) return true;
  const takesAway = (name: string) => {
    const act = acts.named(name);
    return act?.decidesBooking === true && act.countedAs !== 'payment';
  };
  return takesAway(other.tool) && takesAway(tool);
}

/**
 * What other operations of its booking say of one that was settled. The first row that holds counts:
 *
 * | one that does the same has ended, and is later or with a person | `explained`: it may be why the booking shows this one as done |
 * | a later one, or one that does the same, is still active         | `open`: it may turn out not to be done                        |
 * | another later one has ended                                     | `touched`: it may have done what the booking shows in part    |
 * | any other                                                       | `alone`                                                       |
 *
 * A refusal is `open` as long as a person must check the one that does the same: the booking may show what was refused.
 * Of a payment only operations that do the same count: nothing else makes a booking look paid.
 */
export function explainedBy(
  acts: Acts,
  operation: Operation,
  others: readonly Operation[],
): 'explained' | 'open' | 'touched' | 'alone' {
  const isLater = ({ createdAt }: Operation) => createdAt >= operation.createdAt;
  const counted = others.filter((other) => {
    return EXPLAINING_STATES.includes(other.state) && (isLater(other) || other.state !== 'succeeded');
  });

  const explaining = counted.filter((other) => mayExplain(acts, other, operation));
  const isOpen = ({ state }: Operation) =>
    isActive(state) || (state === 'needs_person' && operation.state === 'refused');
  if (explaining.some((other) => !isOpen(other))) return 'explained';

  const touching = operation.direction === 'payment' ? [] : counted.filter(isLater);
  if (explaining.some(isOpen) || touching.some(({ state }) => isActive(state))) return 'open';

  return touching.length > 0 ? 'touched' : 'alone';
}

/** Says why a reading contradicts how an operation was settled. Undefined: it does not. */
export function whyContradicted(
  { outcome }: Pick<Operation, 'outcome'>,
  verdict: Verdict,
  others: ReturnType<typeof explainedBy>,
): string | undefined {
  const isShown = verdict === 'done' || (verdict === 'partial' && others === 'alone');
  if (!isShown || others === 'explained' || others === 'open') return undefined;
  const settled = outcome?.error?.message ?? 'It had been settled as not carried out.';
  return `${settled} A later reading shows that it was ${verdict === 'done' ? 'done' : 'done in part'}.`;
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
  const { acts, store, digest } = context;
  const { operations, booking, begunAt, by } = seen;

  for (const operation of operations.filter((one) => isChecked(acts, one, begunAt))) {
    const verdict = evidenceRules(acts).reading(operation, booking, digest);
    const why = whyContradicted(operation, verdict, explainedBy(acts, operation, operations));
    if (why === undefined) continue;
    const patch = { outcome: contradictedSince(acts, operation, why) };
    const change = { from: [operation.state], to: 'needs_person', patch } as const;
    await store.transition(operation.id, change, { now: begunAt, actor: by });
  }
}

/** Whether it was refused, or not carried out although it was sent. A hold that ends by itself is no contradiction of a release. */
function isChecked(
  acts: Acts,
  { state, subject, createdAt, dispatchedAt, updatedAt }: Operation,
  begunAt: number,
): boolean {
  if (!CHECKED_STATES.includes(state) || dispatchedAt === undefined) return false;
  if (begunAt <= updatedAt || begunAt - createdAt >= CHECKED_FOR_MS) return false;
  return acts.of(subject).countedAs !== 'release';
}
