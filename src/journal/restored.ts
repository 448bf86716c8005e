/**
 * Recovers after an older copy of the journal was put back (`fareclerk journal restored`). Sending is then held,
 * because the copy lacks what was sent after it was made. The second records of each machine have it. Where they are lost
 * too, nobody knows what was sent: sending is then held until the airline has carried it out, and its bookings show it.
 *
 * {@link Chain} holds sending, finds what was lost and ends the hold; reconcile-all.ts settles what stays in doubt.
 */
import { within } from './clock.ts';
import { allCarriedOutAt, type JournalContext, reload } from './context.ts';
import type { SettleOnce } from './follow.ts';
import { isActive, locatorOf, type NewOperation, type Operation, type OperationState } from './operation.ts';
import type { Chain, InsertResult, LostAct, Patch, SendingHold } from './ports.ts';
import { advance, inLanes } from './reconcile-all.ts';

/** What a recovery found and did. */
export interface Restored {
  /** How many links of the chain were lost. */
  readonly links: number;
  /** The lost operations that had been sent, as they are now. */
  readonly acts: readonly Operation[];
  /** Locators of their bookings that could be read at once. */
  readonly read: readonly string[];
  /** Locators of their bookings that could not be read at once. */
  readonly unread: readonly string[];
  /**
   * - `released`: sending is allowed again.
   * - `planned`: it will be at `allowedAt`.
   * - `busy`: sending stays held. An operation could not be entered, because its booking has another one open.
   */
  readonly end: 'released' | 'planned' | 'busy';
  /** When the airline has carried out all that had left, milliseconds since 1970. Absent: it had before this began. */
  readonly allowedAt?: number | undefined;
  /** Whether no second record says what was lost. */
  readonly isUnknown: boolean;
  /** Whether sending is paused too, so that a person must resume it. */
  readonly isPaused: boolean;
}

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
/** How long readings may take, milliseconds. What they do not settle by then, reconciling does. */
const READ_MS = 5_000;

/**
 * Enters the lost operations again, in the states that their records tell, and plans the end of the hold: by then, the
 * airline has carried out a message that left just before the hold, or never will, also one that no record here has.
 * Then reads each booking once, which settles most operations. Sending that is only paused is held since the pause.
 * Undefined if sending is neither held nor paused.
 */
export async function restore(restoring: Restoring): Promise<Restored | undefined> {
  const { context, chain, by } = restoring;
  const { clock } = context;
  const { hold: found, pause } = await chain.status();
  const isPaused = pause !== undefined;
  const since = found?.since ?? pause?.since;
  if (since === undefined) return undefined;

  const at = allCarriedOutAt(since, context);
  if (found === undefined && clock.now() >= at) return nothingUnderWay(at);

  const hold = found ?? (await chain.holdSince(since, by, clock.now()));
  for (;;) {
    const { links, acts: lost } = await chain.lost();
    const entries: LostEntry[] = [];
    for (const act of lost) entries.push(await enterLost(restoring, act, since));
    const about = { links, isPaused, isUnknown: links === 0 && isUnknown(hold) };
    if (entries.includes('busy')) return { ...about, ...(await readOnce(restoring, entries)), end: 'busy' };

    const end = await chain.release({ at, by, links }, clock.now());
    // Begins again with those that another process has found meanwhile.
    if (end === 'more_lost') continue;

    const allowedAt = end === 'planned' ? at : undefined;
    return { ...about, ...(await readOnce(restoring, entries)), end, allowedAt };
  }
}

/** Whether no second record says what is missing. */
function isUnknown(hold: SendingHold | undefined): boolean {
  return hold?.seen.n === 0;
}

/** Sending has been paused for so long that nothing is under way any more: it need not be held. */
function nothingUnderWay(allowedAt: number): Restored {
  return { links: 0, acts: [], read: [], unread: [], end: 'released', allowedAt, isUnknown: true, isPaused: true };
}

/**
 * What became of a lost operation. `busy`: its booking has another one open. `nothing_to_enter`: only its outcome was
 * recorded, and the journal does not have it.
 */
type LostEntry = Operation | 'busy' | 'nothing_to_enter';

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
async function enterLost(restoring: Restoring, lost: LostAct, heldSince: number): Promise<LostEntry> {
  const { sent, end } = lost;
  const operation = await findOrEnter(restoring, lost);

  if (operation === 'busy' || operation === 'nothing_to_enter') return operation;
  // An earlier run entered it, and readings may have settled it since.
  if (operation.state !== 'intent' && operation.updatedAt > heldSince) return operation;

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

  return reload(restoring.context, operation);
}

async function findOrEnter(restoring: Restoring, { sent, end }: LostAct): Promise<LostEntry> {
  const id = sent?.id ?? end?.id;
  const found = id === undefined ? undefined : await restoring.context.store.get(id);
  if (found !== undefined) return found;
  return sent === undefined ? 'nothing_to_enter' : enterSent(restoring, sent);
}

/** What an insert can answer that checks neither a limit nor whether sending is stopped. */
type UncheckedResult = Exclude<InsertResult, { kind: 'over_limit' | 'stopped' }>;

/** Enters an operation as it was first entered. */
async function enterSent({ context, step }: Restoring, sent: Operation): Promise<Operation | 'busy'> {
  // Neither the day's limit nor the hold applies, because the money may have moved.
  const meta = { now: sent.createdAt, owner: context.owner, leaseUntil: sent.createdAt };
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const result = (await context.store.insert(asFirstEntered(sent), meta)) as UncheckedResult;
    if (result.kind !== 'busy') return result.operation;
    await within(context.clock, READ_MS, advance(context, step, result.operation));
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

/** Takes the next step of each open operation, and reads each booking with its caller's access, in a limited time. */
async function readOnce(
  { context, step }: Restoring,
  entries: readonly LostEntry[],
): Promise<Pick<Restored, 'acts' | 'read' | 'unread'>> {
  const entered = entries.filter((entry) => typeof entry !== 'string');
  const read = new Set<string>();

  const reading = inLanes(entered, async (act) => {
    const settled = isActive(act.state) ? await advance(context, step, act) : act;
    const locator = locatorOf(settled);
    if (locator === undefined || read.has(locator)) return;

    const reader = context.readerFor(settled);
    await reader.read(locator).then(
      () => read.add(locator),
      () => undefined,
    );
  });
  await within(context.clock, READ_MS, reading);

  const acts = await Promise.all(entered.map((act) => reload(context, act)));
  // A create that made no booking, as far as is known, has no locator.
  const locators = new Set(acts.flatMap((act) => locatorOf(act) ?? []));

  return {
    acts,
    read: [...locators].filter((one) => read.has(one)),
    unread: [...locators].filter((one) => !read.has(one)),
  };
}
