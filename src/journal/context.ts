/**
 * What the modules of the journal share: their ports and times, the one way to move an operation, and stop sentences.
 */

import { quoted } from '../core/clean-text.ts';
import { ClerkError } from '../core/errors.ts';
import { utcText } from '../core/times.ts';
import type { Booking } from '../domain/booking/booking.ts';
import type { Digest } from '../domain/people/identity-text.ts';
import type { Acts, EvidenceRules } from './act.ts';
import type { Verdict } from './evidence.ts';
import type { Operation, OperationState } from './operation.ts';
import type {
  BookingReader,
  Chain,
  Clock,
  OperationStore,
  Pause,
  SendingHold,
  StateChange,
  Stopped,
  Tracing,
  WaitingEnds,
} from './ports.ts';

/** How long a reply is awaited before the operation is in doubt, milliseconds. */
export const SEND_MS = 180_000;

interface JournalLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** Times are milliseconds. */
export interface JournalContext {
  readonly store: OperationStore;
  /** Absent: nothing stops sending, and nobody notices that a journal lost events. */
  readonly chain?: Chain;
  /** Absent: an outcome that the store cannot take is lost with this process. */
  readonly ends?: WaitingEnds;
  /** Aborts when this process ends: it no longer tries to store outcomes. */
  readonly ending?: AbortSignal;
  readonly clock: Clock;
  /** Reads an operation's booking with its caller's access. */
  readonly readerFor: (operation: Operation) => BookingReader;
  /** Unique id of this process. */
  readonly owner: string;
  /** Keyed digest of personal data. */
  readonly digest: Digest;
  readonly acts: Acts;
  readonly rules: EvidenceRules;
  /** Whether a process is known to be dead, so that nobody needs to wait for its leases. */
  readonly isGone: (owner: string) => boolean;
  readonly log: JournalLog;
  readonly tracing: Tracing;
  /**
   * Runs after each move that this process makes, before anybody learns of it. Must not reject.
   * @param read reads the moved operation
   */
  readonly moved: (read: Read, from: readonly OperationState[], to: OperationState) => Promise<void>;
  /**
   * Notes in the ledger what an operation did to its booking, once the outcome is stored. Must not reject.
   * @param shown the booking in the reply or reading that settled the operation
   * @returns the booking afterwards, if all of it is known
   */
  readonly settled: (operation: Operation, shown: Booking | undefined) => Promise<Booking | undefined>;
  /** From the dispatch until readings count that show nothing done. */
  readonly settleMs: number;
  /** Between two settling reads: a twelfth of `settleMs`. */
  readonly gapMs: number;
  /** How long a reply is awaited before the operation is in doubt. Usually {@link SEND_MS}. */
  readonly sendMs: number;
  /** From the durable dispatch to the first byte, at most. */
  readonly fenceMs: number;
  /** How long a silent process is believed alive. */
  readonly leaseMs: number;
  /** Between two checks of what other processes did. */
  readonly pollMs: number;
  readonly changes: Changes;
  /** Operations that this process is sending, or whose answer may still come within the settle time. */
  readonly sending: Set<string>;
  /** Operations whose send has ended here, and whose outcome the store has not taken yet. */
  readonly unrecorded: Set<string>;
}

/** Wakes waits in this process when an operation changes state. */
export class Changes {
  readonly #waiting = new Map<string, Set<() => void>>();

  announce(id: string): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    for (const wake of waiting ?? []) wake();
  }

  /** Resolves at the next announcement of that operation, or when the signal aborts. */
  next(id: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(id) ?? new Set();
      this.#waiting.set(id, waiting.add(resolve));
      signal.addEventListener('abort', () => {
        waiting.delete(resolve);
        if (waiting.size === 0 && this.#waiting.get(id) === waiting) this.#waiting.delete(id);
        resolve();
      });
    });
  }
}

export type Read = () => Promise<Operation | undefined>;

/** Reads an operation at most once for all who ask, and not at all if a move has already returned it. */
export class SharedRead {
  readonly #readStore: Read;
  #read: ReturnType<Read> | undefined;

  constructor({ store }: JournalContext, id: string) {
    this.#readStore = () => store.get(id);
  }

  get(): Promise<Operation | undefined> {
    this.#read ??= this.#readStore();
    return this.#read;
  }

  set(operation: Operation): void {
    this.#read = Promise.resolve(operation);
  }
}

/** Moves an operation that is still in one of `from`. False: somebody else was first. */
export async function move(
  context: JournalContext,
  id: string,
  change: StateChange,
  read = new SharedRead(context, id),
): Promise<boolean> {
  const moved = await context.store.transition(id, change, {
    now: context.clock.now(),
    actor: context.owner,
    moved: (operation) => read.set(operation),
  });

  if (moved) {
    const { from, to } = change;
    await context.moved(() => read.get(), from, to);
    context.tracing.mark({ 'fareclerk.operation.state': to }, to);
    context.log.info({ operation: id, state: to }, 'operation moved');
    context.changes.announce(id);
  }

  return moved;
}

export async function reload(
  context: JournalContext,
  operation: Operation,
  read = new SharedRead(context, operation.id),
): Promise<Operation> {
  return (await read.get()) ?? operation;
}

/** Judges evidence. A rule that throws proves nothing. */
export function judgeSafely({ log }: JournalContext, operation: Operation, judge: () => Verdict): Verdict {
  try {
    return judge();
  } catch (error) {
    log.warn({ operation: operation.id, err: error }, 'the evidence could not be judged');
    return 'void';
  }
}

/** Runs a step of an operation as a span that names it. `name`: `settle`. */
export function traced<T>(
  { tracing }: JournalContext,
  name: string,
  { id, tool }: Operation,
  work: () => Promise<T>,
): Promise<T> {
  const fields = { 'gen_ai.tool.name': tool };
  return tracing.span({ name: `${name} ${tool}`, operation: id, fields }, work);
}

/**
 * When the airline has carried out what left before sending was stopped, or never will: an answer has come by then, or a
 * reading counts that shows nothing done. Milliseconds since 1970.
 * @param since nothing was sent afterwards
 */
export function allCarriedOutAt(
  since: number,
  { settleMs, sendMs = SEND_MS }: Pick<JournalContext, 'settleMs'> & Partial<Pick<JournalContext, 'sendMs'>>,
): number {
  return since + settleMs + sendMs;
}

/** Sentences that say why sending is held, since when, and until when if that is known. */
export function holdWords({ since, seen, head, release }: SendingHold): string {
  const why =
    seen.n === 0
      ? 'an older copy of the journal was put back, and no second record says what it lacks.'
      : `the journal ends at number ${head.n}, and number ${seen.n} was seen before. An older copy was put back, or something was lost.`;
  const end = release === undefined ? '' : ` Sending is allowed again at ${utcText(release.at)}.`;

  return `Sending has been held since ${utcText(since)}: ${why}${end}`;
}

/** A sentence that says who paused sending, when and why. */
export function pauseWords({ since, by, why }: Pause): string {
  return `${quoted(by)} paused sending at ${utcText(since)}: ${quoted(why, 200)}.`;
}

const RESTORE =
  'Tell the operator to run `fareclerk journal restored`, which checks with the airline what was lost. Reading goes on.';
const WAIT =
  'Tell the user. Until then the airline may still carry out what was lost, and nobody needs to do anything. Reading goes on.';
const WAIT_AND_RESUME =
  'Tell the user. Until then the airline may still carry out what was lost. The operator then allows sending with `fareclerk resume`. Reading goes on.';
const RESUME = 'Tell the user. The operator allows sending again with `fareclerk resume`. Reading goes on.';

/** The error of a send while sending is held or paused. Undefined if neither is so. */
export function whyNotSend({ hold, pause }: Stopped): ClerkError | undefined {
  const refused = (why: string, next: string) =>
    new ClerkError('E_NOT_PERMITTED', `${why} Nothing was sent.`, { next });
  const wait = pause === undefined ? WAIT : WAIT_AND_RESUME;
  if (hold !== undefined) return refused(holdWords(hold), hold.release === undefined ? RESTORE : wait);
  return pause && refused(pauseWords(pause), RESUME);
}
