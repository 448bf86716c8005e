/**
 * Recovers after an older copy of the journal was put back. Enters the operations that were sent since then again, from
 * the second records, and settles them. Only then may anything be sent.
 */
import { type JournalContext, reload } from './context.ts';
import { follow, type SettleOnce } from './follow.ts';
import { locatorOf, type NewOperation, type Operation, type OperationState } from './operation.ts';
import type { Chain, Clock, InsertResult, LostAct, Patch } from './ports.ts';

export interface Restored {
  /** How many links of the chain were lost. */
  readonly links: number;
  /** The sent operations among them. */
  readonly acts: readonly Operation[];
  /** Locators of their bookings that could be read, and of those that could not. */
  readonly read: readonly string[];
  readonly unread: readonly string[];
  /**
   * `busy`: an operation could not be entered, because its booking has another one open. `no_records`: a machine that
   * may have sent has no second records. Sending stays held.
   */
  readonly end: 'released' | 'busy' | 'no_records';
  /** Who ended the hold, if this process did not. */
  readonly releasedBy?: string;
}

export interface RestoreOptions {
  /** Called while sending must stay held, with the time that is left, milliseconds. */
  readonly onWait?: (leftMs: number) => void;
  /** A person says that second records are lost. */
  readonly withoutRecords?: boolean;
}

/** How long to wait for another operation of the booking, and for all of them to end, milliseconds. */
const PATIENCE_MS = 120_000;
/** How often entering an operation is tried while another operation of its booking is open. */
const MOST_TRIES = 2;
/** How often to say how long sending must stay held, milliseconds. */
const TELL_MS = 5_000;

/**
 * Recovers, and allows sending again. Undefined if sending is not held.
 * @param by who restores, as the journal will name them
 */
export async function restore(
  context: JournalContext,
  chain: Chain,
  step: SettleOnce,
  by: string,
  { onWait = () => undefined, withoutRecords = false }: RestoreOptions,
): Promise<Restored | undefined> {
  const { clock, settleMs, sendMs } = context;
  const { hold: holdHere } = await chain.status();
  if (holdHere === undefined) return undefined;
  // Stops the other machines too: their second records do not have what this machine sent.
  const hold = holdHere.seen === undefined ? await chain.holdAll() : holdHere;
  if (holdHere.seen === undefined && !withoutRecords)
    return { links: 0, acts: [], read: [], unread: [], end: 'no_records' };
  for (;;) {
    const lost = await chain.lost();
    const entries: LostEntry[] = [];
    for (const act of lost.acts) entries.push(await enterLost(context, step, act, by));
    const enteredIds = entries.flatMap((entry) => (entry.kind === 'entered' ? [entry.id] : []));
    // By then, the airline has carried out a message that left just before the hold, or never will.
    await waitUntil(clock, hold.since + settleMs + sendMs, onWait);
    const acts: Operation[] = [];
    const followUntil = clock.now() + PATIENCE_MS;
    for (const id of enteredIds) acts.push(await follow(context, step, id, Math.max(0, followUntil - clock.now())));
    const restored = { links: lost.links, acts, ...(await readAll(context, acts)) };
    if (entries.some(({ kind }) => kind === 'busy')) return { ...restored, end: 'busy' };
    const released = await chain.release(lost.links, by, clock.now(), withoutRecords);
    if (released.kind === 'released_before') return { ...restored, end: 'released', releasedBy: released.by };
    if (released.kind === 'released') return { ...restored, end: 'released' };
    // Another process found more lost links: starts again with those.
  }
}

/** Waits until a time, milliseconds since 1970. Says again and again how long that takes. */
async function waitUntil(clock: Clock, until: number, onWait: (leftMs: number) => void): Promise<void> {
  for (let leftMs = until - clock.now(); leftMs > 0; leftMs = until - clock.now()) {
    onWait(leftMs);
    await clock.sleep(Math.min(leftMs, TELL_MS));
  }
}

/**
 * `busy`: another operation of its booking does not end. `nothing_to_enter`: only its outcome was recorded, and the
 * journal does not have it.
 */
type LostEntry = { readonly kind: 'entered'; readonly id: string } | { readonly kind: 'busy' | 'nothing_to_enter' };

/** Enters and moves a lost operation as its records say. */
async function enterLost(
  context: JournalContext,
  step: SettleOnce,
  { sent, end }: LostAct,
  by: string,
): Promise<LostEntry> {
  const { store, clock } = context;
  const id = sent?.id ?? end?.id ?? '';
  const operation = (await store.get(id)) ?? (sent && (await enterSent(context, step, sent)));
  if (operation === undefined) return { kind: sent === undefined ? 'nothing_to_enter' : 'busy' };
  const moveTo = async (state: OperationState, patch: Patch) => {
    const present = await reload(context, operation);
    if (present.state !== state)
      await store.transition(id, [present.state], state, patch, { now: clock.now(), actor: by });
  };
  if (sent !== undefined && looksUnsent(operation)) {
    const dispatchedAt = sent.dispatchedAt ?? sent.updatedAt;
    await moveTo('in_doubt', { dispatchedAt, leaseUntil: clock.now(), outcome: sent.outcome ?? {} });
  }
  if (end !== undefined) {
    const { state, outcome, locator } = end;
    await moveTo(state, { outcome, locator });
  }
  return { kind: 'entered', id };
}

/** What an insert can answer that checks neither a limit nor whether sending is stopped. */
type UncheckedResult = Exclude<InsertResult, { kind: 'over_limit' | 'stopped' }>;

/** Whether the operation was not sent, as far as this journal knows. */
function looksUnsent({ state, dispatchedAt }: Operation): boolean {
  return state === 'intent' || (state === 'not_executed' && dispatchedAt === undefined);
}

/** Enters an operation as it was first entered. Undefined if another operation of its booking does not end. */
async function enterSent(context: JournalContext, step: SettleOnce, sent: Operation): Promise<Operation | undefined> {
  const meta = { now: sent.createdAt, owner: context.owner, leaseUntil: sent.createdAt };
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    // Neither the day's limit nor the hold applies, because the money may have moved.
    const result = (await context.store.insert(asFirstEntered(sent), meta)) as UncheckedResult;
    if (result.kind !== 'busy') return result.operation;
    await follow(context, step, result.operation.id, PATIENCE_MS);
  }
  return undefined;
}

/** The fields with which the operation was first entered. */
function asFirstEntered(sent: Operation): NewOperation {
  const { id, tenant, caller, tool, assurance, argsDigest, termsDigest, subject } = sent;
  const { locator, fingerprint, amount, direction, supersedes, outcome, approvedBy } = sent;
  const optional = { locator, fingerprint, amount, direction, supersedes, outcome, approvedBy };
  return { id, tenant, caller, tool, assurance, argsDigest, termsDigest, subject, ...optional };
}

/** Reads each booking once, with its caller's access, and sorts locators by whether that succeeded. */
async function readAll({ readerFor }: JournalContext, acts: readonly Operation[]) {
  const read: string[] = [];
  const unread: string[] = [];
  const byBooking = new Map(acts.map((act) => [locatorOf(act), act] as const));
  for (const [locator, act] of byBooking) {
    if (locator === undefined) continue;
    const isReadable = await readerFor(act)
      .read(locator)
      .then(
        () => true,
        () => false,
      );
    if (isReadable) read.push(locator);
    else unread.push(locator);
  }
  return { read, unread };
}
