/**
 * After an older copy of the journal was put back: what was sent since is entered again from the second records, and
 * settled as it was, or by reading the booking. Only then may anything be sent.
 */
import { omitUndefined } from '../domain/time-and-text/omit-undefined.ts';
import { type Context, reload } from './context.ts';
import { follow, type Step } from './follow.ts';
import { locatorOf, type NewOperation, type Operation, type OperationState } from './operation.ts';
import type { Chain, InsertResult, LostAct, Patch } from './ports.ts';

export interface Restored {
  /** Links of the chain that were lost, and acts among them that had been sent. */
  readonly links: number;
  readonly acts: readonly Operation[];
  /** Bookings of those acts that were read again, and those that could not be. */
  readonly read: readonly string[];
  readonly unread: readonly string[];
  /** False: acts could not be entered again, because their booking has another one open. The hold stays. */
  readonly released: boolean;
}

/** Told while the hold must still be kept, with the time that is left, milliseconds. */
export type OnWait = (leftMs: number) => void;

/** An act whose booking is busy waits this long for the other one, and all together for their ends. */
const PATIENCE_MS = 120_000;
const TELL_MS = 5_000;

/** Undefined where nothing is held. */
export async function restore(
  context: Context,
  chain: Chain,
  step: Step,
  by: string,
  onWait: OnWait,
): Promise<Restored | undefined> {
  const { clock, settleMs, sendMs } = context;
  const { hold } = await chain.standing();
  if (hold === undefined) return undefined;
  for (;;) {
    const lost = await chain.lost();
    const back: string[] = [];
    let all = true;
    for (const act of lost.acts) {
      const id = await bringBack(context, step, act, by);
      if (id !== undefined) back.push(id);
      else all &&= act.sent === undefined;
    }
    // What left just before is carried out by now, or never.
    const until = hold.since + settleMs + sendMs;
    for (let left = until - clock.now(); left > 0; left = until - clock.now()) {
      onWait(left);
      await clock.sleep(Math.min(left, TELL_MS));
    }
    const acts: Operation[] = [];
    const patient = clock.now() + PATIENCE_MS;
    for (const id of back) acts.push(await follow(context, step, id, Math.max(0, patient - clock.now())));
    const seen = await readAll(context, acts);
    if (!all) return { links: lost.links, acts, ...seen, released: false };
    // Another instance may have put down more meanwhile.
    if (await chain.release(lost.links, by, clock.now())) return { links: lost.links, acts, ...seen, released: true };
  }
}

/** Its id, once the journal has it; undefined where it cannot be entered, or was never sent. */
async function bringBack(
  context: Context,
  step: Step,
  { sent, end }: LostAct,
  by: string,
): Promise<string | undefined> {
  const { store, clock } = context;
  const id = sent?.id ?? end?.id ?? '';
  const operation = (await store.get(id)) ?? (sent && (await enter(context, step, sent)));
  if (operation === undefined) return undefined;
  const to = async (state: OperationState, patch: Patch) => {
    const now = await reload(context, operation);
    if (now.state !== state) await store.transition(id, [now.state], state, patch, { now: clock.now(), actor: by });
  };
  if (sent !== undefined && looksUnsent(operation)) {
    const dispatchedAt = sent.dispatchedAt ?? sent.updatedAt;
    await to('in_doubt', { dispatchedAt, leaseUntil: clock.now(), outcome: sent.outcome ?? {} });
  }
  if (end !== undefined) {
    const { state, outcome, locator } = end;
    await to(state, { ...(outcome && { outcome }), ...(locator !== undefined && { locator }) });
  }
  return id;
}

type Unlimited = Exclude<InsertResult, { kind: 'over_limit' }>;

/** Not sent as far as this journal knows, whether it may be sent yet or was given up meanwhile. */
function looksUnsent({ state, dispatchedAt }: Operation): boolean {
  return state === 'intent' || (state === 'not_executed' && dispatchedAt === undefined);
}

/** As it was entered first. Undefined while its booking has another operation that does not come to its end. */
async function enter(context: Context, step: Step, sent: Operation): Promise<Operation | undefined> {
  const meta = { now: sent.createdAt, owner: context.owner, leaseUntil: sent.createdAt };
  for (let tried = 0; tried < 2; tried++) {
    // It counts with its day whatever the limit is.
    const result = (await context.store.insert(newAgain(sent), meta)) as Unlimited;
    if (result.kind !== 'busy') return result.operation;
    await follow(context, step, result.operation.id, PATIENCE_MS);
  }
  return undefined;
}

function newAgain(sent: Operation): NewOperation {
  const { id, tenant, caller, tool, assurance, argsDigest, termsDigest, subject } = sent;
  const { locator, fingerprint, amount, direction, supersedes, outcome, approvedBy } = sent;
  const optional = omitUndefined({ locator, fingerprint, amount, direction, supersedes, outcome, approvedBy });
  return { id, tenant, caller, tool, assurance, argsDigest, termsDigest, subject, ...optional };
}

/** Each booking once, as the callers of its acts would. */
async function readAll({ readerFor }: Context, acts: readonly Operation[]) {
  const read: string[] = [];
  const unread: string[] = [];
  const byBooking = new Map(acts.map((act) => [locatorOf(act), act] as const));
  for (const [locator, act] of byBooking) {
    if (locator === undefined) continue;
    const reading = readerFor(act).read(locator);
    const into = await reading.then(
      () => read,
      () => unread,
    );
    into.push(locator);
  }
  return { read, unread };
}
