/**
 * What the parts of the journal share: ports, times, and the one way to move an operation.
 */
import type { RawReply } from '../domain/airline.ts';
import type { Digest } from '../domain/people/identity-text.ts';
import type { EvidenceRules, Verdict } from './evidence/evidence.ts';
import type { Operation, OperationState } from './operation.ts';
import type { BookingReader, Chain, Clock, Evidence, OperationStore, Patch } from './ports.ts';

export interface JournalLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export interface Times {
  /** After this long since the dispatch, readings that show nothing done begin to count. */
  readonly settleMs: number;
  /** Between two settling reads: a twelfth of `settleMs`. */
  readonly gapMs: number;
  /** How long the reply is waited for before the operation is in doubt. */
  readonly sendMs: number;
  /** From the durable dispatch to the first byte, at most. */
  readonly fenceMs: number;
  /** How long a process is believed alive without a sign. */
  readonly leaseMs: number;
  /** Between two looks at what other processes do. */
  readonly pollMs: number;
}

export interface Context extends Times {
  readonly store: OperationStore;
  readonly chain: Chain | undefined;
  readonly clock: Clock;
  /** Who reads the booking of an operation: as its caller would. */
  readonly readerFor: (operation: Operation) => BookingReader;
  readonly owner: string;
  readonly digest: Digest;
  readonly rules: EvidenceRules;
  readonly isGone: (owner: string) => boolean;
  readonly understand: ((operation: Operation, reply: RawReply) => Promise<Evidence>) | undefined;
  readonly log: JournalLog;
  readonly changes: Changes;
  /** Operations whose message this process is sending, or whose answer may still come: for the settle time, then no more. */
  readonly sending: Set<string>;
}

/** Tells those who wait in this process that an operation moved. */
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

/** Moves an operation if it is still in one of `from`; false when somebody else was first. */
export async function move(
  context: Context,
  id: string,
  from: readonly OperationState[],
  to: OperationState,
  patch: Patch,
): Promise<boolean> {
  const moved = await context.store.transition(id, from, to, patch, {
    now: context.clock.now(),
    actor: context.owner,
  });
  if (moved) {
    context.log.info({ operation: id, state: to }, 'operation moved');
    context.changes.announce(id);
  }
  return moved;
}

/** The operation as it is now. It was entered before, so the store has it. */
export async function present(context: Context, operation: Operation): Promise<Operation> {
  return (await context.store.get(operation.id)) ?? operation;
}

/** A rule that fails on what it was given has proved nothing. */
export function verdictOf({ log }: Context, operation: Operation, judge: () => Verdict): Verdict {
  try {
    return judge();
  } catch (error) {
    log.warn({ operation: operation.id, err: error }, 'the evidence could not be judged');
    return 'void';
  }
}
