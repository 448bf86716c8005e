/**
 * Calls of one guarded tool: a state in memory, and a clock, an airline and a tool that the test controls.
 */
import { vi } from 'vitest';
import type { Answer, Ask, Result } from '../../src/approvals/answer.ts';
import type { ApprovalRuntime, ApprovalSettings, Asker, Done, GuardedAct } from '../../src/approvals/call-types.ts';
import { type Decider, type Decision, decide } from '../../src/approvals/decide.ts';
import { guardedCall } from '../../src/approvals/guarded-call.ts';
import type { Approval } from '../../src/approvals/ports.ts';
import type { Terms } from '../../src/approvals/terms.ts';
import type { Booking } from '../../src/domain/booking/booking.ts';
import { ClerkError } from '../../src/errors.ts';
import { createJournal } from '../../src/journal/journal.ts';
import type { Operation, OperationState } from '../../src/journal/operation.ts';
import type { Evidence, Patch } from '../../src/journal/ports.ts';
import { plainTracer } from '../../src/server/tracing/tracer.ts';
import { openSqliteState } from '../../src/store/sqlite/state.ts';
import type { State } from '../../src/store/state.ts';
import { booking, act as journalAct, paidBooking, quiet, receipt, SETTLE, TestClock } from '../journal/harness.ts';
import { newOperation, SAR } from '../store/new-operation.ts';

export const ANN = { tenant: 't', id: 'ann' };
export const PAGE = { assurance: 'page' } as const;
export const accept = (decision: string) => ({ action: 'accept', content: { decision } });

export function payTerms(over: Partial<Terms> = {}): Terms {
  return {
    locator: 'ABC123',
    sections: [
      { kind: 'act', lines: ['Pay SAR 172.50 for booking ABC123'] },
      { kind: 'trip', lines: ['RUH-JED'] },
    ],
    nature: 'payment',
    act: 'Pay SAR 172.50',
    ask: true,
    money: { direction: 'payment', amount: SAR(17250) },
    subject: { kind: 'pay', amount: SAR(17250), coupons: 2 },
    send: { order: 1 },
    ...over,
  };
}

export class CallHarness {
  readonly clock = new TestClock();
  readonly state: State;
  readonly runtime: ApprovalRuntime;
  settings: ApprovalSettings = {
    environment: 'live',
    approval: 'auto',
    limits: {},
    // The scripted person answers at once.
    dialogFloorMs: 0,
    answerMs: 30_000,
    waitMs: 1_000,
    canUseTerminal: false,
  };
  /** What the tool previews; a function may fail or change. */
  terms: Terms | (() => Promise<Terms>) = payTerms();
  /** The airline's reply to a send. */
  reply: () => Promise<Evidence> = async () => receipt();
  /** What the airline shows of the booking. */
  shown: () => Promise<Booking> = async () => paidBooking();
  tool: Partial<GuardedAct> = {};
  sends = 0;
  readonly done: Done[] = [];
  readonly remembered: Booking[] = [];

  constructor(state: State) {
    this.state = state;
    const reader = { read: () => this.shown() };
    const journal = createJournal({
      store: state.operations,
      chain: state.chain,
      clock: this.clock,
      reader,
      owner: 'p1',
      settleMs: SETTLE,
      digest: (text) => `#${text}`,
      tracing: plainTracer,
    });
    let ids = 0;
    const random = { uuid: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}` };
    const own = { clock: this.clock, random, tracing: plainTracer };
    this.runtime = { airline: reader, state, journal, ...own, inFlight: new Set() };
  }

  static async open(): Promise<CallHarness> {
    const clock = { now: () => 0 };
    const state = await openSqliteState(':memory:', { now: () => clock.now() });
    const harness = new CallHarness(state);
    clock.now = () => harness.clock.now();
    return harness;
  }

  act(over: Partial<GuardedAct> = {}): GuardedAct {
    const preview = () => (typeof this.terms === 'function' ? this.terms() : Promise.resolve(this.terms));
    const sent = journalAct(() => {
      this.sends += 1;
      return this.reply();
    });
    return {
      tool: 'pay_booking',
      effect: 'commit',
      args: { locator: 'ABC123' },
      preview,
      previewAgain: preview,
      send: (confirmed) => sent.send(confirmed.dispatch),
      show: async (done) => {
        this.done.push(done);
        const { booking: after } = done;
        return { text: 'Paid.', fields: { tickets: [] }, ...(after && { booking: { locator: after.locator } }) };
      },
      remember: async (after) => void this.remembered.push(after),
      ...this.tool,
      ...over,
    };
  }

  call(how: Partial<Asker> = {}, approvalId?: unknown, over: Partial<GuardedAct> = {}): Promise<Answer> {
    const call = { act: this.act(over), how: { caller: ANN, ...how }, runtime: this.runtime, settings: this.settings };
    return guardedCall(call, approvalId);
  }

  async result(how: Partial<Asker> = {}, approvalId?: unknown): Promise<Result> {
    const answer = await this.call(how, approvalId);
    if (answer.kind !== 'result') throw new Error(`a question: ${answer.kind}`);
    return answer;
  }

  /** Asks in the dialog. */
  async ask(): Promise<Ask> {
    const answer = await this.call({ canElicit: true });
    if (answer.kind !== 'ask') throw new Error(`no question: ${JSON.stringify(answer)}`);
    return answer;
  }

  /** Answers in the dialog. */
  answer(handle: string, raw: unknown, how: Partial<Asker> = {}): Promise<Answer> {
    return this.call({ canElicit: true, ...how, dialog: { handle, raw } });
  }

  decide(yes: boolean, over: Partial<Decision> = {}, by: Decider = PAGE): Promise<Awaited<ReturnType<typeof decide>>> {
    return this.waiting().then((approval) =>
      decide({
        operationId: approval?.operationId ?? 'none',
        yes,
        by,
        runtime: this.runtime,
        settings: this.settings,
        actOf: () => this.act(),
        ...over,
      }),
    );
  }

  async waiting(): Promise<Approval | undefined> {
    return (await this.state.approvals.waiting(this.clock.now()))[0];
  }

  /** Waits for the work while the clock moves. */
  async during<T>(ms: number, work: Promise<T>): Promise<T> {
    void work.catch(() => undefined);
    await quiet();
    await this.clock.pass(ms);
    return await work;
  }

  /** An operation that somebody entered, moved to a state. */
  async operation(
    id: string,
    to: OperationState,
    over: Partial<Operation> = {},
    patch: Patch = {},
  ): Promise<Operation> {
    const { operations } = this.state;
    const now = this.clock.now();
    const meta = { now, actor: 'test' };
    await operations.insert(newOperation(id, over), { now, owner: 'other', leaseUntil: now + 60_000 });
    if (to !== 'intent') await operations.transition(id, ['intent'], to, patch, meta);
    const operation = await operations.get(id);
    if (operation === undefined) throw new Error('it was not entered');
    return operation;
  }
}

export function statusOf(answer: Answer): unknown {
  return answer.kind === 'result' ? answer.structured.status : answer.kind;
}

export async function refusal(promise: Promise<unknown>): Promise<ClerkError> {
  const error = await promise.then(
    () => undefined,
    (reason) => reason,
  );
  if (error instanceof ClerkError) return error;
  throw new Error(`expected a refusal, got ${error}`);
}

/** Replaces a method of the state for one test. */
export const replacing = vi.spyOn;

export { booking, paidBooking, quiet, receipt, SAR };
