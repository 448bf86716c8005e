/**
 * The journal of operations. Each is stored before its first byte is sent, is sent at most once, and ends in an outcome
 * that a reply or a reading proves, or with a person.
 */

import { randomBytes } from 'node:crypto';
import { ClerkError } from '../core/errors.ts';
import type { Booking } from '../domain/booking/booking.ts';
import { evidenceRules } from './act.ts';
import { knownByStore } from './as-known.ts';
import { Changes, type JournalContext, reload, SEND_MS, traced } from './context.ts';
import { follow, type SettleOnce } from './follow.ts';
import { ACTIVE_STATES, type NewOperation, type Operation } from './operation.ts';
import { type OperationRun, perform } from './perform.ts';
import type { DayLimit, InsertResult, Sending } from './ports.ts';
import { keepReconciling, type Reconciled, reconcile } from './reconcile-all.ts';
import { type Restored, restore } from './restored.ts';
import { dueAt, handedOverAt, settle } from './settle-by-reading.ts';
import { untraced } from './untraced.ts';

type JournalPart = 'acts' | 'store' | 'clock' | 'owner' | 'digest' | 'settleMs' | 'readerFor';
type Derived = 'gapMs' | 'changes' | 'sending' | 'unrecorded';

/** `settleMs` is usually 240_000, four minutes. Defaults of the others: {@link DEFAULTS}. */
export type JournalOptions = Pick<JournalContext, JournalPart> & Partial<Omit<JournalContext, JournalPart | Derived>>;

export interface Journal {
  /**
   * Enters an operation. `exists`: the id is known. `busy`: another operation of its booking is active. `stopped`:
   * sending is held or paused.
   */
  open(operation: NewOperation, limit?: DayLimit): Promise<InsertResult>;
  /**
   * Rechecks a fresh operation, stores its dispatch, sends and classifies. Never rejects, and goes on if nobody waits.
   */
  execute(operation: Operation, act: Sending): Promise<OperationRun>;
  /** Waits for an operation at most `waitMs`, and settles it by reading when that is due. */
  follow(id: string, waitMs: number, signal?: AbortSignal): Promise<Operation>;
  /** One pass over everything that is due: expired intents and dispatches, readings. */
  reconcile(): Promise<Reconciled>;
  /** Reconciles every `gapMs` until the signal aborts. Never rejects. */
  keepReconciling(signal: AbortSignal): Promise<void>;
  /**
   * Enters again what an older copy of the journal lost, and says when sending is allowed again. Holds sending that is
   * only paused. Undefined where sending is neither held nor paused.
   */
  restored(by: string): Promise<Restored | undefined>;
  /** Closes an operation that a person checked with the airline. False: it needs no person. */
  resolve(operation: Operation, by: string, note: string): Promise<boolean>;
  /** The booking of an operation as it is known, read as its own caller would. Do not show it to others. */
  bookingOf(operation: Operation, locator: string): Promise<Booking>;
  /** When a person takes over, at the latest, if no answer and no reading settles it. Milliseconds since 1970. */
  handedOverAt(operation: Operation): number;
  /** Whether its send has ended in this process and the store has not taken the outcome yet. */
  isUnrecorded(id: string): boolean;
  /** The active operation of a booking, perhaps another tenant's. */
  openOn(locator: string): Promise<Operation | undefined>;
}

/** Times are milliseconds; context.ts says what each is. */
const DEFAULTS = {
  isGone: () => false,
  log: { info() {}, warn() {} },
  tracing: untraced,
  moved: async () => undefined,
  settled: async () => undefined,
  sendMs: SEND_MS,
  fenceMs: 5_000,
  leaseMs: 60_000,
  pollMs: 500,
};

export function createJournal(options: JournalOptions): Journal {
  const context: JournalContext = {
    ...DEFAULTS,
    rules: evidenceRules(options.acts),
    ...options,
    gapMs: options.settleMs / 12,
    changes: new Changes(),
    sending: new Set(),
    unrecorded: new Set(),
  };

  const { store, clock, owner, leaseMs } = context;
  const step = sharedStep(context);

  function enter(operation: NewOperation, limit: DayLimit | undefined): Promise<InsertResult> {
    const now = clock.now();
    return store.insert(operation, { now, owner, leaseUntil: now + leaseMs, limit, unlessStopped: true });
  }

  return {
    async open(operation, limit) {
      const opened = await enter(operation, limit);
      if (opened.kind !== 'busy' || opened.operation.state !== 'intent') return opened;
      if (clock.now() < dueAt(context, opened.operation)) return opened;

      // The other operation's process died before it sent anything.
      await step(opened.operation);
      return await enter(operation, limit);
    },

    execute(operation, act) {
      async function performInSpan(): Promise<OperationRun> {
        const ran = await settledAtOnce(context, step, await perform(context, operation, act));
        if (ran.error !== undefined) context.tracing.fail(ran.error.code);
        return ran;
      }
      return traced(context, 'carry out', operation, performInSpan);
    },

    follow: (id, waitMs, signal) => follow(context, step, id, { waitMs, signal }),
    reconcile: () => reconcile(context, step),
    keepReconciling: (signal) => keepReconciling(context, step, signal),

    async restored(by) {
      const { chain } = context;
      return chain && (await restore({ context, chain, step, by }));
    },

    async resolve({ id, outcome }, by, note) {
      const at = clock.now();
      const noteSalt = randomBytes(16).toString('base64url');
      const patch = { outcome: { ...outcome, resolved: { by, at, note, noteSalt } } };
      return await store.transition(id, { from: ['needs_person'], to: 'resolved', patch }, { now: at, actor: by });
    },

    async bookingOf(operation, locator) {
      const now = clock.now();
      const booking = await context.readerFor(operation).read(locator);
      const { acts, digest } = context;
      return knownByStore(booking, store, operation.tenant, { acts, digest, now });
    },
    handedOverAt: (operation) => handedOverAt(context, operation),
    isUnrecorded: (id) => context.unrecorded.has(id),

    async openOn(locator) {
      const [newest] = await store.list({ locator, states: ACTIVE_STATES, limit: 1 });
      return newest;
    },
  };
}

/** Reads the booking of a refusal that proves nothing, of a receipt that says nothing, or that an answer to a create names, before the caller is answered. */
async function settledAtOnce(context: JournalContext, step: SettleOnce, ran: OperationRun): Promise<OperationRun> {
  const { state, outcome } = ran.operation;
  const { refusal, receipt, named } = outcome ?? {};
  const saysNothing = receipt !== undefined && receipt.stated === undefined;
  const isReadAtOnce = saysNothing || refusal !== undefined || named !== undefined;
  if (state !== 'in_doubt' || !isReadAtOnce) return ran;

  await step(ran.operation);
  const operation = await reload(context, ran.operation).catch(() => ran.operation);
  if (operation.state === 'in_doubt') return ran;

  const error = operation.outcome?.error;
  const airline = ran.error?.airline;
  return { operation, error: error && new ClerkError(error.code, error.message, { ...error, airline }) };
}

/** Settles an operation in steps that all waits on it share. A step that fails is taken again when it is next due. */
function sharedStep(context: JournalContext): SettleOnce {
  const steps = new Map<string, Promise<void>>();
  return (operation) => {
    const running = steps.get(operation.id);
    if (running !== undefined) return running;

    const started = settle(context, operation)
      .catch((error: unknown) => {
        context.log.warn({ operation: operation.id, err: error }, 'a settling step failed');
      })
      .finally(() => steps.delete(operation.id));

    steps.set(operation.id, started);
    return started;
  };
}
