/**
 * Checks for late effects. An airline may still carry out what readings settled as not carried out: the booking is read
 * again 15 and 60 minutes later, and a change goes to a person. Nothing is sent.
 */
import { MINUTE_MS } from '../core/times.ts';
import { type Context, move, traced } from './context.ts';
import type { Verdict } from './evidence/verdict.ts';
import { ACTIVE_STATES, type Operation, type OperationState } from './operation.ts';
import { contradictedSince } from './outcome.ts';
import { look } from './settle-by-reading.ts';

/** Before the first check, and between the first and the second. */
const WAITS: readonly number[] = [15 * MINUTE_MS, 45 * MINUTE_MS];
/** A check that fails is repeated this long. */
const FAILING_MS = 30 * MINUTE_MS;
/** Older operations are not checked. */
const WINDOW_MS = 12 * 60 * MINUTE_MS;

/** A later operation in one of these states may explain what the booking shows. */
const EXPLAINING: readonly OperationState[] = [...ACTIVE_STATES, 'succeeded', 'needs_person'];

/** A create has no booking to read. */
type OfBooking = Operation & Required<Pick<Operation, 'locator'>>;

export async function dueForLook({ store, clock }: Context): Promise<readonly OfBooking[]> {
  const now = clock.now();
  const settled = await store.list({ states: ['not_executed'], from: now - WINDOW_MS });
  return settled.filter((one): one is OfBooking => one.locator !== undefined && now >= lookAt(one));
}

/** Only for operations that readings settled: what provably never left cannot be carried out. */
function lookAt({ lastReadAt, updatedAt, outcome }: Operation): number {
  const wait = WAITS[outcome?.looks ?? 0] ?? Number.POSITIVE_INFINITY;
  return lastReadAt === undefined ? Number.POSITIVE_INFINITY : updatedAt + wait;
}

/** True: the booking shows a late effect, and a person must check. */
export function lookAgain(context: Context, operation: OfBooking): Promise<boolean> {
  return traced(context, 'look again', operation, () => judgeAgain(context, operation));
}

async function judgeAgain(context: Context, operation: OfBooking): Promise<boolean> {
  const verdict = (await isExplained(context, operation)) ? 'not_done' : await verdictNow(context, operation);
  if (verdict === 'void' && context.clock.now() - lookAt(operation) < FAILING_MS) return false;
  if (verdict === 'void' || verdict === 'not_done') {
    const outcome = { ...operation.outcome, looks: (operation.outcome?.looks ?? 0) + 1 };
    await move(context, operation.id, ['not_executed'], 'not_executed', { outcome });
    return false;
  }
  context.log.warn({ operation: operation.id }, 'a settled operation is contradicted by a later reading');
  const why = 'It had been settled as not carried out, and the booking now shows something else.';
  const outcome = contradictedSince(context.acts, operation, why);
  return await move(context, operation.id, ['not_executed'], 'needs_person', { outcome });
}

/** Whether a later operation, of any caller, may be what the booking shows. */
async function isExplained({ store }: Context, { locator, createdAt }: OfBooking): Promise<boolean> {
  return (await store.list({ locator, from: createdAt, states: EXPLAINING, limit: 1 })).length > 0;
}

/** `void` if the booking cannot be read. */
async function verdictNow(context: Context, operation: OfBooking): Promise<Verdict> {
  return (await look(context, operation, operation.locator))?.verdict ?? 'void';
}
