/**
 * Recovers after an older copy of the journal was put back (`fareclerk journal restored`). Sending is then held,
 * because the copy lacks what was sent after it was made. The second records of each machine have it.
 *
 * {@link Chain} holds sending, finds what was lost and ends the hold; follow.ts settles an operation by readings.
 */
import { type JournalContext, reload } from './context.ts';
import { follow, type SettleOnce } from './follow.ts';
import { locatorOf, type NewOperation, type Operation, type OperationState } from './operation.ts';
import type { BookingReader, Chain, Clock, InsertResult, LostAct, Patch } from './ports.ts';

/** What a recovery found and did. */
export interface Restored {
  /** How many links of the chain were lost. */
  readonly links: number;
  /** The lost operations that had been sent, as they are now. */
  readonly acts: readonly Operation[];
  /** Locators of their bookings that could be read. */
  readonly read: readonly string[];
  /** Locators of their bookings that could not be read. */
  readonly unread: readonly string[];
  /**
   * - `released`: sending is allowed again.
   * - `busy`: sending stays held. An operation could not be entered, because its booking has another one open.
   */
  readonly end: 'released' | 'busy';
  /** Who ended the hold, if this process did not. */
  readonly releasedBy?: string;
}

/** Is called while sending must stay held, with the time that is left, milliseconds. */
export type OnWait = (leftMs: number) => void;

/** What a recovery works with. */
interface Restoring {
  readonly context: JournalContext;
  readonly chain: Chain;
  readonly step: SettleOnce;
  /** Who restores, as the journal will name them. */
  readonly by: string;
}

/** How often entering an operation is tried while another operation of its booking is open. */
const MOST_TRIES = 2;
/** How long each try waits for the other operation of the booking to end, milliseconds. */
const WAIT_FOR_OTHER_MS = 120_000;
/** How long to wait for all entered operations to end, milliseconds. */
const WAIT_FOR_ALL_MS = 120_000;
/** How often to say how long sending must stay held, milliseconds. */
const TELL_MS = 5_000;

/**
 * Recovers, and allows sending again. Undefined if sending is not held.
 *
 * 1. Enters the lost operations again, in the states that their records tell.
 * 2. Waits until the airline can no longer carry out what was sent just before the hold.
 * 3. Waits until readings have settled the operations, and reads their bookings.
 * 4. Ends the hold. Begins again with step 1 if another process has found more lost links meanwhile.
 */
export async function restore(restoring: Restoring, onWait: OnWait = () => undefined): Promise<Restored | undefined> {
  const { context, chain, by } = restoring;
  const { clock, settleMs, sendMs } = context;
  const { hold } = await chain.status();
  if (hold === undefined) return undefined;
  for (;;) {
    const lost = await chain.lost();
    const entries: LostEntry[] = [];
    for (const act of lost.acts) entries.push(await enterLost(restoring, act));
    // By then, the airline has carried out a message that left just before the hold, or never will.
    await waitUntil(clock, hold.since + settleMs + sendMs, onWait);
    const acts = await followEntered(restoring, entries);
    const restored = { links: lost.links, acts, ...(await readBookings(context, acts)) };
    if (entries.some(({ kind }) => kind === 'busy')) return { ...restored, end: 'busy' };
    const released = await chain.release(lost.links, by, clock.now());
    if (released.kind === 'released_before') return { ...restored, end: 'released', releasedBy: released.by };
    if (released.kind === 'released') return { ...restored, end: 'released' };
    // `more_lost`: starts again with those.
  }
}

/**
 * What became of a lost operation. `busy`: another operation of its booking does not end. `nothing_to_enter`: only its
 * outcome was recorded, and the journal does not have it.
 */
type LostEntry = { readonly kind: 'entered'; readonly id: string } | { readonly kind: 'busy' | 'nothing_to_enter' };

/**
 * Enters a lost operation:
 *
 * | the second records have | the journal has it | the operation                                           |
 * | ----------------------- | ------------------ | ------------------------------------------------------- |
 * | its send                | no                 | is entered, in doubt; `busy` if its booking has another |
 * | its send                | yes, as not sent   | is moved to in doubt                                    |
 * | its send                | yes, as sent       | stays as it is                                          |
 * | only its end            | yes                | stays as it is                                          |
 * | only its end            | no                 | is not entered: `nothing_to_enter`                      |
 *
 * Then moves it to its end, if the records have one.
 */
async function enterLost(restoring: Restoring, lost: LostAct): Promise<LostEntry> {
  const { sent, end } = lost;
  const operation = await findOrEnter(restoring, lost);
  if (operation === 'busy' || operation === 'nothing_to_enter') return { kind: operation };
  if (sent !== undefined && looksUnsent(operation)) {
    const dispatchedAt = sent.dispatchedAt ?? sent.updatedAt;
    const patch = { dispatchedAt, leaseUntil: restoring.context.clock.now(), outcome: sent.outcome ?? {} };
    await moveTo(restoring, operation, 'in_doubt', patch);
  }
  if (end !== undefined) {
    const { state, outcome, locator } = end;
    const wasSent = sent !== undefined || operation.dispatchedAt !== undefined;
    // The records do not tell readings. With one noted, a late effect is still looked for.
    const lastReadAt = state === 'not_executed' && wasSent ? restoring.context.clock.now() : undefined;
    await moveTo(restoring, operation, state, { outcome, locator, ...(lastReadAt && { lastReadAt }) });
  }
  return { kind: 'entered', id: operation.id };
}

async function findOrEnter(
  restoring: Restoring,
  { sent, end }: LostAct,
): Promise<Operation | 'busy' | 'nothing_to_enter'> {
  const id = sent?.id ?? end?.id;
  const found = id === undefined ? undefined : await restoring.context.store.get(id);
  if (found !== undefined) return found;
  return sent === undefined ? 'nothing_to_enter' : enterSent(restoring, sent);
}

/** What an insert can answer that checks neither a limit nor whether sending is stopped. */
type UncheckedResult = Exclude<InsertResult, { kind: 'over_limit' | 'stopped' }>;

/** Enters an operation as it was first entered. `busy`: another operation of its booking does not end. */
async function enterSent({ context, step }: Restoring, sent: Operation): Promise<Operation | 'busy'> {
  // Neither the day's limit nor the hold applies, because the money may have moved.
  const meta = { now: sent.createdAt, owner: context.owner, leaseUntil: sent.createdAt };
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const result = (await context.store.insert(asFirstEntered(sent), meta)) as UncheckedResult;
    if (result.kind !== 'busy') return result.operation;
    await follow(context, step, result.operation.id, { waitMs: WAIT_FOR_OTHER_MS });
  }
  return 'busy';
}

/** The operation without what the store and readings have set since it was first entered. */
function asFirstEntered(sent: Operation): NewOperation {
  const { state, createdAt, updatedAt, dispatchedAt, owner, leaseUntil, ...rest } = sent;
  const { negatives, lastReadAt, failingSince, ...entered } = rest;
  return entered;
}

/** Whether this journal has the operation as not sent: it waits to be sent, or was given up before. */
function looksUnsent({ state, dispatchedAt }: Operation): boolean {
  return state === 'intent' || (state === 'not_executed' && dispatchedAt === undefined);
}

/** Moves an operation to a state, unless it is in that state already. */
async function moveTo(
  { context, by }: Restoring,
  operation: Operation,
  to: OperationState,
  patch: Patch,
): Promise<void> {
  const { state: from } = await reload(context, operation);
  if (from === to) return;
  await context.store.transition(operation.id, { from: [from], to, patch }, { now: context.clock.now(), actor: by });
}

/** Waits until a time, milliseconds since 1970. Says again and again how long that takes. */
async function waitUntil(clock: Clock, until: number, onWait: OnWait): Promise<void> {
  for (;;) {
    const leftMs = until - clock.now();
    if (leftMs <= 0) return;
    onWait(leftMs);
    await clock.sleep(Math.min(leftMs, TELL_MS));
  }
}

/** Waits until readings have settled the entered operations. Returns them as they are then, settled or not. */
async function followEntered(
  { context, step }: Restoring,
  entries: readonly LostEntry[],
): Promise<readonly Operation[]> {
  const { clock } = context;
  const until = clock.now() + WAIT_FOR_ALL_MS;
  const operations: Operation[] = [];
  for (const entry of entries) {
    if (entry.kind !== 'entered') continue;
    operations.push(await follow(context, step, entry.id, { waitMs: Math.max(0, until - clock.now()) }));
  }
  return operations;
}

/** Reads each booking once, with its caller's access, and sorts locators by whether that succeeded. */
async function readBookings(
  { readerFor }: JournalContext,
  acts: readonly Operation[],
): Promise<Pick<Restored, 'read' | 'unread'>> {
  const read: string[] = [];
  const unread: string[] = [];
  const byBooking = new Map(acts.map((act) => [locatorOf(act), act] as const));
  for (const [locator, act] of byBooking) {
    // A create that made no booking, as far as is known.
    if (locator === undefined) continue;
    if (await isReadable(readerFor(act), locator)) read.push(locator);
    else unread.push(locator);
  }
  return { read, unread };
}

function isReadable(reader: BookingReader, locator: string): Promise<boolean> {
  return reader.read(locator).then(
    () => true,
    () => false,
  );
}
