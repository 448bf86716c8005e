/** A page about a plan that the test moves along by hand: nothing carries it out. */
import { pendingApproval } from '../../../support/approvals.ts';
import { sar } from '../../../support/bookings.ts';
import { openPage } from './desk-of.ts';

type CurrentPlan = NonNullable<Awaited<ReturnType<NonNullable<NonNullable<Parameters<typeof openPage>[0]>['plan']>>>>;
export type PlanView = CurrentPlan['view'];
export type LineView = PlanView['lines'][number];
type Step = LineView['steps'][number];
export type PlanOnPage = Awaited<ReturnType<typeof planOnPage>>;

const ride = {
  ...{ kind: 'ride' as const, name: 'Train HHR101', from: 'Madinah (MED)', to: 'Jeddah (JED)', more: '' },
  ...{ departs: '2026-12-01T08:00:00+03:00', arrives: '2026-12-01T10:10:00+03:00' },
};

/** Line `n`: a cancellation with a refund. */
export function lineView(n: number, over: Partial<LineView> = {}): LineView {
  const locator = `ABC${100 + n}`;
  const about = { people: [`Amal Haddad ${n}`], count: n, route: 'Madinah → Jeddah', departs: ride.departs };
  const step: Step = {
    tool: 'cancel_booking',
    operationId: `operation-${n}`,
    act: {
      ...{ verb: 'Cancel', object: 'every train', preposition: 'of', booking: locator },
      sum: { moves: 'back', about: sar(8625) },
    },
    nature: 'cancellation',
    money: { direction: 'refund', amount: sar(8625) },
    estimate: { amount: sar(8625) },
    state: 'asked',
    sections: [
      { kind: 'act', lines: [`Cancel every train of booking ${locator}.`] },
      { kind: 'caution', lines: n === 2 ? ['It may be paid already.'] : [] },
      {
        kind: 'trip',
        lines: ['Train HHR101: Madinah (MED) → Jeddah (JED), Tue 1 Dec 08:00-10:10 (UTC+3)'],
        drawn: [ride],
      },
    ],
  };
  return { n, title: `Cancel booking: ${locator}`, locator, about, state: 'asked', steps: [step], ...over };
}

/** A line of two acts: the new booking is paid, then the old one is cancelled. */
export function moveLine(n: number, over: Partial<LineView> = {}): LineView {
  const [cancel] = lineView(n).steps;
  const money = { direction: 'payment' as const, amount: sar(34500) };
  const pay = {
    tool: 'pay_booking',
    act: { verb: 'Pay', sum: { moves: 'paid' as const, exactly: sar(34500) } },
    nature: 'payment' as const,
    sections: [],
    money,
  };
  const steps = cancel === undefined ? [] : [{ ...pay, state: cancel.state }, cancel];
  return lineView(n, { title: `Move booking ABC${100 + n} to HHR105, Tue 1 Dec 12:00-14:10 (UTC+3)`, steps, ...over });
}

export function planOf(lines: readonly LineView[], over: Partial<PlanView> = {}): PlanView {
  const sums = [{ paid: sar(34500), comesBack: sar(8625 * lines.length) }];
  return { id: 'pl_1', state: 'asked', lines, leftOut: [], sums, expiresAt: Date.now() + 3_600_000, ...over };
}

/** A cancellation that is done brings back less than was estimated. */
const endedStep = ({ moved: _earlier, ...step }: Step, state: LineView['state']): Step => ({
  ...step,
  state,
  ...(state === 'done' && { moved: step.nature === 'payment' ? { paid: sar(34500) } : { refunded: sar(8000) } }),
});

/** A plan whose lines are in these states, after the yes; a line without one waits. */
function begun(view: PlanView, states: readonly LineView['state'][]): PlanView {
  const lines = view.lines.map((line, i) => {
    const state = states[i] ?? 'waiting';
    return { ...line, state, steps: line.steps.map((step) => endedStep(step, state)) };
  });
  const over = lines.every(({ state }) => state !== 'waiting' && state !== 'doing');
  return { ...view, state: over ? 'over' : 'running', lines };
}

/** Its acts in these states. */
export const withStates = (line: LineView, ...states: LineView['state'][]): LineView => ({
  ...line,
  steps: line.steps.map((step, i) => ({ ...step, state: states[i] ?? step.state })),
});

/** Three lines, and one that is not in it. */
export const askedPlan = (): PlanView =>
  planOf([moveLine(1), lineView(2), lineView(3)], {
    leftOut: [{ title: 'Cancel booking: ABC999', why: 'it is cancelled already' }],
  });

/** What the page may show of a plan, by a title: its question, and what became of its lines. */
export function planStates(): Readonly<Record<string, CurrentPlan>> {
  const asked = askedPlan();
  const reason = 'the airline changed it: train 101 on Tue 1 Dec was cancelled by the airline';
  const states = ['waiting', 'skipped', 'in_doubt', 'partly_done', 'not_begun', 'needs_person'] as const;
  const inEach = states.map((state, i) =>
    lineView(i + 1, { state, steps: [], ...(state === 'skipped' && { why: 'The terms changed.' }) }),
  );
  const ended = begun(asked, ['done', 'skipped', 'done']);
  const [one, two, three = lineView(3)] = ended.lines as [LineView, LineView, LineView];
  const silent = { ...three, steps: three.steps.map((step) => ({ ...step, moved: { unstated: 'refund' as const } })) };
  const over = { ...ended, lines: [{ ...one, steps: one.steps.slice(0, 1) }, two, silent] };
  return {
    'a question': { view: asked },
    'a question again about what is open, with a reason': {
      view: planOf([
        ...[lineView(1, { reason }), lineView(2, { state: 'done' })],
        lineView(3, { state: 'skipped', why: 'It is cancelled already.' }),
      ]),
    },
    'a question with a line that moves a booking': { view: planOf([moveLine(1)]) },
    'under way': { view: begun(asked, ['done', 'doing', 'not_ticked']) },
    'lines in every other state': { view: planOf(inEach, { state: 'running' }) },
    'a line whose acts stand differently, with a reason': {
      view: planOf([withStates(moveLine(1, { state: 'doing', reason }), 'done', 'doing')], { state: 'running' }),
    },
    'over, with an act whose amount the airline did not state': { view: over },
    stopped: { view: { ...over, lines: [one], state: 'stopped' } },
  };
}

export async function planOnPage(view: PlanView) {
  const approval = pendingApproval({
    ...{ operationId: 'question-1', caller: 'os:ann', tool: 'run_plan', nature: 'cancellation', sections: [] },
    carried: { args: {}, operation: { direction: 'refund' } },
    act: { verb: `Cancel ${view.lines.length} bookings, SAR 345.00 in all` },
    createdAt: Date.now(),
    expiresAt: Date.now() + 599_000,
    part: { plan: view.id, question: 'question-1', line: 0, step: 0, alone: true },
  });
  const desk = {
    approval,
    /** What the page would show; a test changes it. */
    now: { view } as CurrentPlan,
    decided: [] as { yes: boolean; ticked: readonly number[] }[],
    stopped: [] as string[],
    /** Other questions of the plan; a test adds them. */
    others: [] as (typeof approval)[],
    /** Every line in this state, after the yes. */
    run(...states: readonly LineView['state'][]) {
      desk.now = { view: begun({ ...view, lines: desk.now.view.lines }, states) };
    },
  };
  const page = await openPage({
    find: async (id) => [desk.approval, ...desk.others].find(({ operationId }) => operationId === id),
    async decide(_id, yes, _approver, ticked) {
      desk.decided.push({ yes, ticked });
      desk.run(...desk.now.view.lines.map(({ n }) => (ticked.includes(n) ? 'waiting' : 'not_ticked')));
      return { kind: 'pending', title: 'Your approval is recorded', lines: [] };
    },
    plan: async () => desk.now,
    stopPlan: async (id) => void desk.stopped.push(id),
  });
  return Object.assign(desk, { page });
}
