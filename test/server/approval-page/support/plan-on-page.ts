/** A page about a plan that the test moves along by hand: nothing carries it out. */
import type { LineState, LineView, PlanView, StepView } from '../../../../src/approvals/plans/plan.ts';
import type { Approval } from '../../../../src/approvals/ports.ts';
import { type Loopback, startLoopback } from '../../../../src/server/approval-page/loopback.ts';
import type { PlanNow } from '../../../../src/server/approval-page/plan-page.ts';
import { sar } from '../../../support/bookings.ts';

export interface PlanOnPage {
  readonly page: Loopback;
  readonly approval: Approval;
  /** What the page would show; a test changes it. */
  now: PlanNow;
  readonly decided: { readonly yes: boolean; readonly ticked: readonly number[] }[];
  readonly stopped: string[];
  /** Other questions of the plan; a test adds them. */
  readonly others: Approval[];
  /** Every line in this state, after the yes. */
  run(...states: readonly LineState[]): void;
}

/** Line `n`: a cancellation with a refund. */
export function lineView(n: number, over: Partial<LineView> = {}): LineView {
  const locator = `ABC${100 + n}`;
  return {
    n,
    title: `Cancel booking: ${locator}`,
    locator,
    state: 'asked',
    steps: [
      {
        tool: 'cancel_booking',
        operationId: `operation-${n}`,
        act: `Cancel every train of ${locator}, refund about SAR 86.25`,
        nature: 'cancellation',
        money: { direction: 'refund', amount: sar(8625) },
        estimate: { amount: sar(8625) },
        state: 'asked',
        sections: [
          { kind: 'act', lines: [`Cancel every train of booking ${locator}.`] },
          { kind: 'caution', lines: n === 2 ? ['It may be paid already.'] : [] },
          { kind: 'trip', lines: ['Train HHR101: MED → JED, Tue 1 Dec 08:00-10:10 (UTC+3)'] },
        ],
      },
    ],
    ...over,
  };
}

/** A line of two acts: the new booking is paid, then the old one is cancelled. */
export function moveLine(n: number, over: Partial<LineView> = {}): LineView {
  const [cancel] = lineView(n).steps;
  const money = { direction: 'payment' as const, amount: sar(34500) };
  const pay = { tool: 'pay_booking', act: 'Pay SAR 345.00', nature: 'payment' as const, sections: [], money };
  const steps = cancel === undefined ? [] : [{ ...pay, state: cancel.state }, cancel];
  return lineView(n, { title: `Move booking ABC${100 + n} to HHR105, Tue 1 Dec 12:00-14:10 (UTC+3)`, steps, ...over });
}

export function planOf(lines: readonly LineView[], over: Partial<PlanView> = {}): PlanView {
  const sums = [{ paid: sar(34500), comesBack: sar(8625 * lines.length) }];
  return { id: 'pl_1', state: 'asked', lines, leftOut: [], sums, expiresAt: Date.now() + 3_600_000, ...over };
}

/** A cancellation that is done brings back less than was estimated. */
function endedStep(step: StepView, state: LineState): StepView {
  if (state !== 'done') return { ...step, state };
  return { ...step, state, moved: step.nature === 'payment' ? { paid: sar(34500) } : { refunded: sar(8000) } };
}

export async function planOnPage(view: PlanView): Promise<PlanOnPage> {
  const approval: Approval = {
    handleHash: 'hash',
    operationId: 'question-1',
    tenant: 'sandbox',
    caller: 'os:ann',
    tool: 'run_plan',
    argsDigest: 'a',
    termsDigest: 't',
    sections: [],
    act: `Carry out these ${view.lines.length} lines, SAR 345.00 in all`,
    nature: 'cancellation',
    askedBy: 'page',
    decision: 'pending',
    createdAt: Date.now(),
    expiresAt: Date.now() + 600_000,
    part: { plan: view.id, question: 'question-1', line: 0, step: 0, alone: true },
  };
  const desk: Omit<PlanOnPage, 'page'> = {
    approval,
    now: { view },
    decided: [],
    stopped: [],
    others: [],
    run(...states) {
      const lines = desk.now.view.lines.map((line, i) => {
        const state = states[i] ?? ('waiting' as const);
        return { ...line, state, steps: line.steps.map((step) => endedStep(step, state)) };
      });
      const over = lines.every(({ state }) => state !== 'waiting' && state !== 'doing');
      desk.now = { view: { ...view, state: over ? 'over' : 'running', lines } };
    },
  };
  const page = await startLoopback({
    find: async (id) => [approval, ...desk.others].find(({ operationId }) => operationId === id),
    operation: async () => undefined,
    async decide(_id, yes, _approver, ticked) {
      desk.decided.push({ yes, ticked });
      desk.run(...desk.now.view.lines.map(({ n }) => (ticked.includes(n) ? 'waiting' : 'not_ticked')));
      return { kind: 'pending', title: 'Your yes is on record', lines: [] };
    },
    plan: async () => desk.now,
    stopPlan: async (id) => void desk.stopped.push(id),
    now: () => Date.now(),
    environment: 'sandbox',
    log: { failure: ({ error }) => Promise.reject(error) },
  });
  return Object.assign(desk, { page });
}
