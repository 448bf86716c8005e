/** How any adapter of the state port keeps plans. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pendingApproval } from '../support/approvals.ts';
import { ACTS } from '../support/rules.ts';
import { newOperation } from './support/new-operation.ts';
import type { Approval, NewOperation, OpenState, OperationState, State, StoredPlan } from './support/ports.ts';

const HOUR = 60 * 60_000;
const ANSWER = { assurance: 'page' as const, approver: 'boss' };
const TRACED = { action: 'create_booking' };

const cancel = (locator: string) => ({
  ...{ title: 'Cancel booking', locator },
  steps: [{ tool: 'cancel_booking', args: { locator, note: 'Jane Doe' } }],
});
const BODY: NonNullable<StoredPlan['body']> = {
  ...{ lines: ['ABC123', 'XYZ789'].map(cancel), terms: [], leftOut: [], notAsked: {} },
};

export function describePlans(name: string, open: OpenState): void {
  describe(`${name}: plans`, () => {
    let now = 0;
    let state: State;
    beforeEach(async () => {
      now = 1_000_000;
      state = await open(() => now);
    });
    afterEach(() => state.close());

    const plan = (id = 'pl_1'): StoredPlan => {
      return { id, tenant: 't', caller: 'me', createdAt: now, expiresAt: now + HOUR, body: BODY };
    };
    const kept = () => state.plans.get('pl_1');
    const approval = (question: string, line: number, over: Partial<Approval> = {}): Approval => {
      const id = line === 0 ? question : `${question}-${line}`;
      const part = { plan: 'pl_1', question, line, step: 0, ...(line === 0 && { alone: true as const }) };
      const times = { createdAt: now, expiresAt: now + 600_000 };
      return pendingApproval({ handleHash: `h-${id}`, operationId: id, ...times, part, ...over });
    };
    type Before = Pick<Approval, 'operationId' | 'decision'>;
    const steps = (question: string) => [0, 1, 2].map((line) => approval(question, line, { carried: TRACED }));
    const ask = async (question: string, before?: Before, approvals = steps(question)) => {
      const plan = { id: 'pl_1', question, expiresAt: now + HOUR, body: BODY };
      const asking = await state.plans.ask(plan, approvals, before, []);
      return asking.kind === 'asked';
    };
    const answer = (granted: readonly string[], at = now, question = 'q1') =>
      state.plans.decide('pl_1', question, { ...ANSWER, granted }, at);
    /** Proposed, asked and answered. */
    const answered = async (...granted: string[]) => {
      await state.plans.put(plan());
      await ask('q1');
      expect(await answer(granted)).toBe(true);
    };
    const enter = (id: string, over: Partial<NewOperation> = {}) =>
      state.operations.insert(newOperation(id, over), { now, owner: 'p', leaseUntil: now + 1000 });
    const move = (id: string, from: OperationState, to: OperationState) =>
      state.operations.transition(id, { from: [from], to, patch: {} }, { now, actor: 'p' });
    const unfinished = async (since = now - 1) => (await state.plans.unfinished(since)).map(({ id }) => id);
    const decisions = async () =>
      Object.fromEntries((await state.plans.approvals('pl_1')).map((one) => [one.operationId, one.decision]));

    test('keeps plans as they were proposed', async () => {
      const first = plan();
      await state.plans.put(first);
      expect(await kept()).toEqual(first);
      expect(await state.plans.get('pl_2')).toBeUndefined();
      expect(await state.plans.approvals('pl_1')).toEqual([]);
    });

    test('counts the plans of a person that still have their words, from whichever application', async () => {
      const put = (id: string, caller: string, over: Partial<StoredPlan> = {}) =>
        state.plans.put({ ...plan(id), caller, ...over });
      const ann = { tenant: 't', id: 'oauth:ann:desk' };
      expect(await state.plans.kept(ann)).toEqual({ count: 0 });
      await put('pl_1', 'oauth:ann:desk', { expiresAt: now + 2 * HOUR });
      await put('pl_2', 'oauth:ann:phone');
      await put('pl_3', 'oauth:anna:desk');
      await put('pl_4', 'oauth:ann:desk', { tenant: 'other' });
      await state.plans.put({ id: 'pl_5', tenant: 't', caller: 'oauth:ann:desk', createdAt: 1, expiresAt: 2 });
      expect(await state.plans.kept(ann)).toEqual({ count: 2, firstExpiresAt: now + HOUR });
    });

    test('lists and counts the question alone, and not its steps', async () => {
      await state.plans.put(plan());
      expect(await ask('q1')).toBe(true);
      expect(await state.plans.approvals('pl_1')).toEqual(steps('q1'));
      expect((await state.approvals.waiting(now)).map(({ operationId }) => operationId)).toEqual(['q1']);
      expect(await state.approvals.openOf({ tenant: 't', id: 'me' }, now)).toBe(1);
      expect((await state.openCounts(now, ACTS)).approvalsWaiting).toBe(1);
      expect((await state.openCounts(now + HOUR / 2, ACTS)).approvalsLapsed).toEqual({ dialog: 0, page: 1 });
    });

    test('grants what is ticked and declines the rest together, once, and keeps what the granted carry', async () => {
      await state.plans.put(plan());
      await ask('q1');
      expect(await answer(['q1-1'], now, 'q2')).toBe(false);
      expect(await answer(['q1-1'], now + 600_000)).toBe(false);
      expect(await answer(['q1-2'], now + 5)).toBe(true);
      expect(await decisions()).toEqual({ q1: 'granted', 'q1-1': 'declined', 'q1-2': 'granted' });
      expect(await answer([], now + 6)).toBe(false);
      const all = await state.plans.approvals('pl_1');
      expect(all.map(({ carried }) => carried)).toEqual([TRACED, undefined, TRACED]);
      expect(all[0]).toMatchObject({ decidedAt: now + 5, approver: 'boss', assurance: 'page' });
    });

    test('of many answers at once takes one, for all its steps', async () => {
      await state.plans.put(plan());
      await ask('q1');
      const answers = [['q1-1'], ['q1-2'], [], ['q1-1', 'q1-2']];
      const taken = await Promise.all(answers.map((granted) => answer(granted)));
      expect(taken.filter(Boolean)).toHaveLength(1);
      const granted = answers[taken.indexOf(true)] ?? [];
      const of = (id: string) => (granted.includes(id) ? 'granted' : 'declined');
      const question = granted.length > 0 ? 'granted' : 'declined';
      expect(await decisions()).toEqual({ q1: question, 'q1-1': of('q1-1'), 'q1-2': of('q1-2') });
    });

    test('asks anew only where nobody asked or answered meanwhile, and takes no answer to the old question', async () => {
      const proposed = plan();
      await state.plans.put(proposed);
      expect(await ask('q1')).toBe(true);
      expect(await ask('q2')).toBe(false);
      expect(await ask('q2', { operationId: 'q1', decision: 'granted' })).toBe(false);
      expect(await state.plans.stop('pl_1', now)).toBe(true);
      expect(await ask('q2', { operationId: 'q1', decision: 'pending' })).toBe(false);
      expect(await ask('q2', { operationId: 'q1', decision: 'void' })).toBe(true);
      expect(await decisions()).toMatchObject({
        q1: 'void',
        'q1-1': 'void',
        q2: 'pending',
        'q2-1': 'pending',
      });
      expect(await kept()).toEqual({ ...proposed, question: 'q2' });
      expect(await answer(['q1-1'])).toBe(false);
      expect(await state.approvals.byOperation('q1-1')).not.toHaveProperty('carried');
    });

    test('of many questions at once lets one be asked', async () => {
      await state.plans.put(plan());
      const asked = await Promise.all(['q1', 'q2', 'q3'].map((question) => ask(question)));
      expect(asked.filter(Boolean)).toHaveLength(1);
      expect(await state.approvals.waiting(now)).toHaveLength(1);
    });

    test('finds plans with a yes that is not carried out, until they are stopped', async () => {
      await answered('q1-1', 'q1-2');
      expect(await unfinished(now)).toEqual([]);
      expect(await unfinished()).toEqual(['pl_1']);
      await enter('q1-1', { plan: 'digest' });
      expect((await state.operations.get('q1-1'))?.plan).toBe('digest');
      expect(await state.operations.verify()).toBeUndefined();
      expect(await unfinished()).toEqual(['pl_1']);
      await state.approvals.makeVoid('h-q1-2', 'not_done', ['not possible']);
      expect(await state.approvals.byOperation('q1-2')).toMatchObject({
        ...{ decision: 'void', voidWhy: 'not_done', voidLines: ['not possible'] },
      });
      expect(await unfinished()).toEqual([]);
      await ask('q2', { operationId: 'q1', decision: 'granted' });
      await answer(['q2-1'], now, 'q2');
      expect(await unfinished()).toEqual(['pl_1']);
      const stopped = [await state.plans.stop('pl_1', now + 1), await state.plans.stop('pl_1', now + 2)];
      expect([...stopped, (await kept())?.stoppedAt, await unfinished()]).toEqual([true, false, now + 1, []]);
    });

    test('keeps the first reason why a yes was not carried out, also one that was spent before', async () => {
      await answered('q1-1');
      await state.approvals.makeVoid('h-q1-1', 'not_done');
      for (const why of ['The terms changed.', 'another'])
        for (const step of ['h-q1-1', 'h-q1-2']) await state.approvals.makeVoid(step, 'not_done', [why]);
      const [one, other] = await Promise.all(['q1-1', 'q1-2'].map((id) => state.approvals.byOperation(id)));
      expect(one).toMatchObject({ decision: 'void', voidLines: ['The terms changed.'] });
      expect(other).not.toHaveProperty('voidLines');
    });

    test('blanks the lines an hour after the plan expired, and removes it after a week', async () => {
      await state.plans.put({ ...plan(), question: 'q1' });
      now += 2 * HOUR;
      await state.clean();
      expect(await kept()).toHaveProperty('body');
      now += 1;
      await state.clean();
      expect(await kept()).toMatchObject({ id: 'pl_1' });
      expect(await kept()).not.toHaveProperty('body');
      now += 7 * 24 * HOUR;
      await state.clean();
      expect(await kept()).toBeUndefined();
    });

    test('forgets a person who is named in a plan, or whose booking is in one, unless an act of it is open', async () => {
      await answered('q1-1');
      await enter('q1-1');
      expect(await state.forgetting.find({ locator: 'ABC123' })).toMatchObject({ plans: [], openPlans: ['pl_1'] });
      await move('q1-1', 'intent', 'not_executed');
      expect((await state.forgetting.find({ locator: 'OTHER1' })).plans).toEqual([]);
      expect((await state.forgetting.find({ name: 'Jane Doe' })).plans).toEqual(['pl_1']);
      const traces = await state.forgetting.find({ locator: 'XYZ789' });
      expect(traces.plans).toEqual(['pl_1']);
      await state.forgetting.erase({ locator: 'XYZ789' }, traces, now);
      expect(await kept()).not.toHaveProperty('body');
      // Nothing of it was left to do.
      expect(await kept()).not.toHaveProperty('stoppedAt');
    });

    test('stops a plan that is being carried out before it forgets a person in it', async () => {
      await answered('q1-1', 'q1-2');
      await enter('q1-1');
      const person = { locator: 'ABC123' };
      now += 5;
      await state.forgetting.erase(person, await state.forgetting.find(person), now);
      expect(await kept()).toMatchObject({ stoppedAt: now, body: BODY });
      expect(await unfinished(0)).toEqual([]);
      await move('q1-1', 'intent', 'not_executed');
      await state.forgetting.erase(person, await state.forgetting.find(person), now + 1);
      expect(await kept()).toMatchObject({ stoppedAt: now });
      expect(await kept()).not.toHaveProperty('body');
    });

    test('stops and blanks in one go a plan between two acts, and leaves one whose yes is old as it was', async () => {
      await answered('q1-2');
      const person = { locator: 'XYZ789' };
      const traces = await state.forgetting.find(person);
      expect(traces.plans).toEqual(['pl_1']);
      await state.forgetting.erase(person, { ...traces, questions: [], plans: [], openPlans: ['pl_1'] }, now + HOUR);
      expect(await kept()).not.toHaveProperty('stoppedAt');
      await state.forgetting.erase(person, traces, now + 7);
      expect(await kept()).toMatchObject({ stoppedAt: now + 7 });
      expect(await kept()).not.toHaveProperty('body');
    });
  });
}
