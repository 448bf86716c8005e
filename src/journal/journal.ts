/**
 * The journal of operations: each act at the airline is on record before its first byte, is sent at most once, and
 * ends in an outcome that a reply or a reading proves, or with a person.
 */
import type { RawReply } from '../domain/airline.ts';
import type { Booking } from '../domain/booking/booking.ts';
import type { Digest } from '../domain/people/identity-text.ts';
import type { Money } from '../domain/pricing/money.ts';
import { Changes, type Context, type JournalLog } from './context.ts';
import { type EvidenceRules, evidenceRules } from './evidence/evidence.ts';
import { follow } from './follow.ts';
import type { NewOperation, Operation } from './operation.ts';
import { ACTIVE_STATES } from './operation.ts';
import { perform, type Ran } from './perform.ts';
import type { Act, BookingReader, Chain, Clock, DayLimit, Evidence, OperationStore } from './ports.ts';
import { type Progress, type Reconciled, reconcile, tend } from './reconcile.ts';
import { type OnWait, type Restored, restore } from './restored.ts';
import { dueAt, settle } from './settle.ts';

export type { JournalLog } from './context.ts';
export type { Ran } from './perform.ts';
export type { Progress, Reconciled } from './reconcile.ts';
export type { OnWait, Restored } from './restored.ts';

export interface JournalOptions {
  readonly store: OperationStore;
  /** Absent: nothing stops sending, and a journal that went backwards is not noticed. */
  readonly chain?: Chain;
  readonly clock: Clock;
  readonly reader: BookingReader;
  /** Callers may have readers of their own (a point of sale each). Default: `reader` for all. */
  readonly readerFor?: (operation: Operation) => BookingReader;
  /** This process, unlike every other and every earlier one. */
  readonly owner: string;
  /** Keyed digest of personal data. */
  readonly digest: Digest;
  /** From dispatch until an unanswered operation may be settled as not executed: 240_000. */
  readonly settleMs: number;
  /** How long a reply is waited for in the background: 180_000. */
  readonly sendMs?: number;
  /** From the durable dispatch to the first byte: 5_000. */
  readonly fenceMs?: number;
  /** How long a silent process is believed alive: 60_000. */
  readonly leaseMs?: number;
  /** Between two looks at what other processes do: 500. */
  readonly pollMs?: number;
  readonly rules?: EvidenceRules;
  /** True of a process known to be dead: its operations need not wait for their lease. */
  readonly isGone?: (owner: string) => boolean;
  /** Decodes a reply that was kept, for a process that died before it could. Throws as `Act.send` does. */
  readonly understand?: (operation: Operation, reply: RawReply) => Promise<Evidence>;
  readonly log?: JournalLog;
}

export type Opened =
  | { readonly kind: 'fresh' | 'exists' | 'busy'; readonly operation: Operation }
  | { readonly kind: 'over_limit'; readonly spent: Money };

export interface Journal {
  /** Enters an operation: `exists` for an id known before, `busy` while another of its booking is active. */
  open(operation: NewOperation, limit?: DayLimit): Promise<Opened>;
  /**
   * Runs a freshly opened operation: recheck, dispatch (committed before the first byte), send, classify. Never rejects.
   * It goes on in the background whoever waits; callers race it with their own patience.
   */
  run(operation: Operation, act: Act): Promise<Ran>;
  /**
   * Waits until the operation is settled or `waitMs` is over, settling it by reading when that is due. Returns the
   * operation as it is then.
   */
  follow(id: string, waitMs: number, signal?: AbortSignal): Promise<Operation>;
  /** One pass over everything due: lapsed intents, lapsed dispatches, readings. */
  reconcile(onProgress?: (progress: Progress) => void): Promise<Reconciled>;
  /** Reconciles from time to time until the signal aborts. Never rejects. */
  tend(signal: AbortSignal): Promise<void>;
  /**
   * After an older copy was put back: enters and settles what was lost, keeps the hold until nothing can be under way any
   * more, and ends it. Undefined where nothing is held.
   */
  restored(by: string, onWait?: OnWait): Promise<Restored | undefined>;
  /** Closes an operation that a person has checked with the airline. False: it does not need a person. */
  resolve(operation: Operation, by: string, note: string): Promise<boolean>;
  /** The booking an operation is about, read as its own caller would: for what must be known and is not told. */
  bookingOf(operation: Operation, locator: string): Promise<Booking>;
  /** The operation that a booking is waiting for, if any: perhaps another tenant's. */
  openOn(locator: string): Promise<Operation | undefined>;
}

const SILENT: JournalLog = { info() {}, warn() {} };

export function createJournal(options: JournalOptions): Journal {
  const context = contextOf(options);
  const { store, clock, owner, leaseMs } = context;
  const step = sharedStep(context);

  async function enter(operation: NewOperation, limit: DayLimit | undefined): Promise<Opened> {
    const now = clock.now();
    const result = await store.insert(operation, { now, owner, leaseUntil: now + leaseMs }, limit);
    return result.kind === 'inserted' ? { kind: 'fresh', operation: result.operation } : result;
  }

  return {
    async open(operation, limit) {
      const opened = await enter(operation, limit);
      if (opened.kind !== 'busy' || opened.operation.state !== 'intent') return opened;
      if (clock.now() < dueAt(context, opened.operation)) return opened;
      // Its process died before it sent anything.
      await step(opened.operation);
      return await enter(operation, limit);
    },
    run: (operation, act) => perform(context, operation, act),
    follow: (id, waitMs, signal) => follow(context, step, id, waitMs, signal),
    reconcile: (onProgress) => reconcile(context, step, onProgress),
    tend: (signal) => tend(context, step, signal),
    restored: async (by, onWait = () => undefined) =>
      context.chain && (await restore(context, context.chain, step, by, onWait)),
    async resolve({ id, outcome }, by, note) {
      const at = clock.now();
      const patch = { outcome: { ...outcome, resolved: { by, at, note } } };
      return await store.transition(id, ['needs_person'], 'resolved', patch, { now: at, actor: by });
    },
    bookingOf: (operation, locator) => context.readerFor(operation).read(locator),
    async openOn(locator) {
      const [newest] = await store.list({ locator, states: ACTIVE_STATES, limit: 1 });
      return newest;
    },
  };
}

function contextOf(options: JournalOptions): Context {
  const { settleMs } = options;
  return {
    store: options.store,
    chain: options.chain,
    clock: options.clock,
    readerFor: options.readerFor ?? (() => options.reader),
    owner: options.owner,
    digest: options.digest,
    settleMs,
    gapMs: settleMs / 12,
    sendMs: options.sendMs ?? 180_000,
    fenceMs: options.fenceMs ?? 5_000,
    leaseMs: options.leaseMs ?? 60_000,
    pollMs: options.pollMs ?? 500,
    rules: options.rules ?? evidenceRules,
    isGone: options.isGone ?? (() => false),
    understand: options.understand,
    log: options.log ?? SILENT,
    changes: new Changes(),
    sending: new Set(),
  };
}

/** Two waits on one operation must not read twice. A step that fails is taken again when it is next due. */
function sharedStep(context: Context): (operation: Operation) => Promise<void> {
  const steps = new Map<string, Promise<void>>();
  return (operation) => {
    const running = steps.get(operation.id);
    if (running !== undefined) return running;
    const fresh = settle(context, operation)
      .catch((error: unknown) => {
        context.log.warn({ operation: operation.id, err: error }, 'a settling step failed');
      })
      .finally(() => steps.delete(operation.id));
    steps.set(operation.id, fresh);
    return fresh;
  };
}
