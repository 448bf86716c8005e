/** How any adapter of the state port keeps plans. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pendingApproval } from '../support/approvals.ts';
import { newOperation } from './new-operation.ts';
import type { Approval, OpenState, State, StoredPlan } from './support/ports.ts';

const HOUR = 60 * 60_000;
const ANSWER = { assurance: 'page' as const, approver: 'boss' };
const TRACED = { action: 'create_booking' };

const BODY: NonNullable<StoredPlan['body']> = {
  lines: ['ABC123', 'XYZ789'].map((locator) => {
    return {
      title: 'Cancel booking',
      locator,
      steps: [{ tool: 'cancel_booking', args: { locator, note: 'Jane Doe' } }],
    };
  }),
  terms: [],
  leftOut: [],
  notAsked: {},
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

    const proposed = async (): Promise<StoredPlan> => {
      const plan = { id: 'pl_1', tenant: 't', caller: 'me', createdAt: now, expiresAt: now + HOUR, body: BODY };
      await state.plans.put(plan);
      return plan;
    };
    const approval = (question: string, line: number, over: Partial<Approval> = {}): Approval => {
      const id = line === 0 ? question : `${question}-${line}`;
      const part = { plan: 'pl_1', question, line, step: 0, ...(line === 0 && { alone: true as const }) };
      return pendingApproval({
        handleHash: `h-${id}`,
        operationId: id,
        createdAt: now,
        expiresAt: now + 600_000,
        part,
        ...over,
      });
    };
    const ask = (question: string, before?: Pick<Approval, 'operationId' | 'decision'>) =>
      state.plans.ask(
        { id: 'pl_1', question, expiresAt: now + HOUR, body: BODY },
        [approval(question, 0), approval(question, 1, { carried: TRACED }), approval(question, 2)],
        before,
      );
    test('lists the newest plans first', async () => {
      await proposed();
      now += 1;
      await state.plans.put({ id: 'pl_2', tenant: 't', caller: 'me', createdAt: now, expiresAt: now + HOUR });
      expect((await state.plans.list(10)).map(({ id }) => id)).toEqual(['pl_2', 'pl_1']);
      expect(await state.plans.list(1)).toHaveLength(1);
    });

    const decisions = async () =>
      Object.fromEntries((await state.plans.approvals('pl_1')).map((one) => [one.operationId, one.decision]));

    test('keeps a plan as it was proposed', async () => {
      const plan = await proposed();
      expect(await state.plans.get('pl_1')).toEqual(plan);
      expect(await state.plans.get('pl_2')).toBeUndefined();
      expect(await state.plans.approvals('pl_1')).toEqual([]);
    });

    test('counts the plans of a person that still have their words, from whichever application', async () => {
      const put = (id: string, caller: string, over: Partial<StoredPlan> = {}) =>
        state.plans.put({ id, tenant: 't', caller, createdAt: now, expiresAt: now + HOUR, body: BODY, ...over });
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
      await proposed();
      expect(await ask('q1')).toBe(true);
      const all = await state.plans.approvals('pl_1');
      expect(all.map(({ part }) => part)).toEqual([0, 1, 2].map((line) => approval('q1', line).part));
      expect(all[1]).toEqual(approval('q1', 1, { carried: TRACED }));
      expect((await state.approvals.waiting(now)).map(({ operationId }) => operationId)).toEqual(['q1']);
      expect(await state.approvals.openOf({ tenant: 't', id: 'me' }, now)).toBe(1);
      expect((await state.openCounts(now)).approvalsWaiting).toBe(1);
      expect((await state.openCounts(now + HOUR / 2)).approvalsLapsed).toEqual({ dialog: 0, page: 1 });
    });

    test('grants what is ticked and declines the rest together, once', async () => {
      await proposed();
      await ask('q1');
      expect(await state.plans.decide('pl_1', 'q2', { ...ANSWER, granted: ['q1-1'] }, now)).toBe(false);
      expect(await state.plans.decide('pl_1', 'q1', { ...ANSWER, granted: ['q1-1'] }, now + 5)).toBe(true);
      expect(await decisions()).toEqual({ q1: 'granted', 'q1-1': 'granted', 'q1-2': 'declined' });
      expect(await state.plans.decide('pl_1', 'q1', { ...ANSWER, granted: [] }, now + 6)).toBe(false);
      const [question] = await state.plans.approvals('pl_1');
      expect(question).toMatchObject({ decidedAt: now + 5, approver: 'boss', assurance: 'page' });
    });

    test('keeps the arguments of what was granted, and of nothing that was declined', async () => {
      await proposed();
      const asked = { id: 'pl_1', question: 'q1', expiresAt: now + HOUR, body: BODY };
      const all = [0, 1, 2].map((line) => approval('q1', line, { carried: TRACED }));
      await state.plans.ask(asked, all, undefined);
      await state.plans.decide('pl_1', 'q1', { ...ANSWER, granted: ['q1-2'] }, now);
      const kept = (await state.plans.approvals('pl_1')).map(({ carried }) => carried);
      expect(kept).toEqual([TRACED, undefined, TRACED]);
    });

    test('declines all with a no, and takes no answer that comes too late', async () => {
      await proposed();
      await ask('q1');
      expect(await state.plans.decide('pl_1', 'q1', { ...ANSWER, granted: ['q1-1'] }, now + 600_000)).toBe(false);
      expect(await state.plans.decide('pl_1', 'q1', { ...ANSWER, granted: [] }, now)).toBe(true);
      expect(await decisions()).toEqual({ q1: 'declined', 'q1-1': 'declined', 'q1-2': 'declined' });
    });

    test('of many answers at once takes one, for all its steps', async () => {
      await proposed();
      await ask('q1');
      const answers = [['q1-1'], ['q1-2'], [], ['q1-1', 'q1-2']];
      const taken = await Promise.all(
        answers.map((granted) => state.plans.decide('pl_1', 'q1', { ...ANSWER, granted }, now)),
      );
      expect(taken.filter(Boolean)).toHaveLength(1);
      const granted = answers[taken.indexOf(true)] ?? [];
      const of = (id: string) => (granted.includes(id) ? 'granted' : 'declined');
      expect(await decisions()).toEqual({
        q1: granted.length > 0 ? 'granted' : 'declined',
        'q1-1': of('q1-1'),
        'q1-2': of('q1-2'),
      });
    });

    test('asks anew only where nobody asked or answered meanwhile, and takes no answer to the old question', async () => {
      await proposed();
      await ask('q1');
      expect(await ask('q2')).toBe(false);
      expect(await ask('q2', { operationId: 'q1', decision: 'granted' })).toBe(false);
      expect(await state.plans.stop('pl_1', now)).toBe(true);
      expect(await ask('q2', { operationId: 'q1', decision: 'pending' })).toBe(true);
      expect(await decisions()).toMatchObject({ q1: 'void', 'q1-1': 'void', q2: 'pending', 'q2-1': 'pending' });
      expect(await state.plans.get('pl_1')).toEqual({ ...(await proposedAgain()), question: 'q2' });
      expect(await state.plans.decide('pl_1', 'q1', { ...ANSWER, granted: ['q1-1'] }, now)).toBe(false);
      expect(await state.approvals.byOperation('q1-1')).not.toHaveProperty('carried');
    });
    test('asks anew beside a step that waits for a yes of its own, which goes on waiting', async () => {
      await proposed();
      await ask('q1');
      await state.plans.decide('pl_1', 'q1', { ...ANSWER, granted: ['q1-1'] }, now);
      const part = { plan: 'pl_1', question: 'q1', line: 1, step: 1, alone: true as const };
      await state.approvals.put(approval('q1', 3, { part, carried: TRACED }));
      expect(await ask('q2', { operationId: 'q1', decision: 'granted' })).toBe(true);
      expect(await ask('q3', { operationId: 'q2', decision: 'pending' })).toBe(true);
      expect(await decisions()).toMatchObject({ 'q1-3': 'pending', q2: 'void', 'q2-1': 'void', q3: 'pending' });
      expect((await state.approvals.waiting(now)).map(({ operationId }) => operationId)).toEqual(['q1-3', 'q3']);
      expect(await state.approvals.byOperation('q1-3')).toMatchObject({ carried: TRACED });
    });
    const proposedAgain = async () => ({
      id: 'pl_1',
      tenant: 't',
      caller: 'me',
      createdAt: now,
      expiresAt: now + HOUR,
      body: BODY,
    });

    test('of many questions at once lets one be asked', async () => {
      await proposed();
      const asked = await Promise.all(['q1', 'q2', 'q3'].map((question) => ask(question)));
      expect(asked.filter(Boolean)).toHaveLength(1);
      expect(await state.approvals.waiting(now)).toHaveLength(1);
    });

    test('finds plans with a yes that is not carried out, until they are stopped', async () => {
      await proposed();
      await ask('q1');
      expect(await state.plans.unfinished(now - 1)).toEqual([]);
      await state.plans.decide('pl_1', 'q1', { ...ANSWER, granted: ['q1-1', 'q1-2'] }, now);
      expect(await state.plans.unfinished(now)).toEqual([]);
      expect((await state.plans.unfinished(now - 1)).map(({ id }) => id)).toEqual(['pl_1']);
      const meta = { now, owner: 'p', leaseUntil: now };
      await state.operations.insert(newOperation('q1-1', { plan: 'digest' }), meta);
      expect((await state.operations.get('q1-1'))?.plan).toBe('digest');
      expect(await state.operations.verify()).toBeUndefined();
      expect(await state.plans.unfinished(now - 1)).toHaveLength(1);
      await state.approvals.skip('h-q1-2', 'not possible');
      expect(await state.approvals.byOperation('q1-2')).toMatchObject({ decision: 'void', why: 'not possible' });
      expect(await state.plans.unfinished(now - 1)).toEqual([]);
    });

    test('finds plans with a step after a payment that was not done, until a person was asked about it alone', async () => {
      await proposed();
      const part = { plan: 'pl_1', question: 'q1', line: 1 };
      const step = (n: number, over: Partial<Approval> = {}) =>
        approval('q1', n + 1, { part: { ...part, step: n }, ...over });
      const asked = { id: 'pl_1', question: 'q1', expiresAt: now + HOUR, body: BODY };
      await state.plans.ask(asked, [approval('q1', 0), step(0), step(1)], undefined);
      await state.plans.decide('pl_1', 'q1', { ...ANSWER, granted: ['q1-1', 'q1-2'] }, now);
      const meta = { now, owner: 'p', leaseUntil: now };
      const paid = { direction: 'payment' as const, amount: { minor: 100, currency: 'SAR' } };
      await state.operations.insert(newOperation('q1-1', { locator: 'NEW123', ...paid }), meta);
      await state.operations.insert(newOperation('q1-2', { locator: 'OLD123' }), meta);
      const by = { now, actor: 'p' };
      await state.operations.transition('q1-2', ['intent'], 'not_executed', {}, by);
      expect(await state.plans.unfinished(now - 1)).toEqual([]);
      await state.operations.transition('q1-1', ['intent'], 'dispatched', { dispatchedAt: now }, by);
      await state.operations.transition('q1-1', ['dispatched'], 'succeeded', {}, by);
      expect((await state.plans.unfinished(now - 1)).map(({ id }) => id)).toEqual(['pl_1']);
      expect(await state.plans.unfinished(now)).toEqual([]);
      const alone = { ...part, step: 1, alone: true as const };
      await state.approvals.put(approval('q1', 9, { part: alone }));
      expect(await state.plans.unfinished(now - 1)).toEqual([]);
    });

    test('keeps the first reason why a yes was not carried out, also one that was revoked before', async () => {
      await proposed();
      await ask('q1');
      await state.plans.decide('pl_1', 'q1', { ...ANSWER, granted: ['q1-1'] }, now);
      await state.approvals.revoke('h-q1-1');
      for (const why of ['The terms changed.', 'another']) {
        await state.approvals.skip('h-q1-1', why);
        await state.approvals.skip('h-q1-2', why);
      }
      expect(await state.approvals.byOperation('q1-1')).toMatchObject({ decision: 'void', why: 'The terms changed.' });
      expect(await state.approvals.byOperation('q1-2')).not.toHaveProperty('why');
    });

    test('stops a plan once', async () => {
      await proposed();
      await ask('q1');
      await state.plans.decide('pl_1', 'q1', { ...ANSWER, granted: ['q1-1'] }, now);
      expect(await state.plans.stop('pl_1', now + 1)).toBe(true);
      expect(await state.plans.stop('pl_1', now + 2)).toBe(false);
      expect(await state.plans.stop('pl_2', now)).toBe(false);
      expect((await state.plans.get('pl_1'))?.stoppedAt).toBe(now + 1);
      expect(await state.plans.unfinished(now - 1)).toEqual([]);
    });

    test('blanks the lines an hour after the plan expired, and removes it after a week', async () => {
      await proposed();
      now += 2 * HOUR;
      await state.clean();
      expect((await state.plans.get('pl_1'))?.body).toBeDefined();
      now += 1;
      await state.clean();
      const { body: _, ...bare } = await proposedAgain();
      expect(await state.plans.get('pl_1')).toMatchObject({ id: bare.id });
      expect((await state.plans.get('pl_1'))?.body).toBeUndefined();
      now += 7 * 24 * HOUR;
      await state.clean();
      expect(await state.plans.get('pl_1')).toBeUndefined();
    });

    test('forgets a person who is named in a plan, or whose booking is in one, unless an act of it is open', async () => {
      await proposed();
      await ask('q1');
      await state.plans.decide('pl_1', 'q1', { ...ANSWER, granted: ['q1-1'] }, now);
      const open = newOperation('q1-1', { locator: 'ABC123' });
      await state.operations.insert(open, { now, owner: 'p', leaseUntil: now + 1000 });
      const before = await state.forgetting.find({ locator: 'ABC123' });
      expect(before).toMatchObject({ plans: [], openPlans: ['pl_1'] });
      await state.operations.transition('q1-1', ['intent'], 'not_executed', {}, { now, actor: 'p' });
      expect((await state.forgetting.find({ locator: 'OTHER1' })).plans).toEqual([]);
      expect((await state.forgetting.find({ name: 'Jane Doe' })).plans).toEqual(['pl_1']);
      const traces = await state.forgetting.find({ locator: 'XYZ789' });
      expect(traces.plans).toEqual(['pl_1']);
      await state.forgetting.erase({ locator: 'XYZ789' }, traces, now);
      expect((await state.plans.get('pl_1'))?.body).toBeUndefined();
      // Nothing of it was left to do.
      expect(await state.plans.get('pl_1')).not.toHaveProperty('stoppedAt');
    });

    test('stops a plan that is being carried out before it forgets a person in it', async () => {
      await proposed();
      await ask('q1');
      await state.plans.decide('pl_1', 'q1', { ...ANSWER, granted: ['q1-1', 'q1-2'] }, now);
      const done = newOperation('q1-1', { locator: 'ABC123' });
      await state.operations.insert(done, { now, owner: 'p', leaseUntil: now + 1000 });
      const person = { locator: 'ABC123' };
      now += 5;
      await state.forgetting.erase(person, await state.forgetting.find(person), now);
      expect(await state.plans.get('pl_1')).toMatchObject({ stoppedAt: now, body: BODY });
      expect(await state.plans.unfinished(0)).toEqual([]);
      await state.operations.transition('q1-1', ['intent'], 'not_executed', {}, { now, actor: 'p' });
      await state.forgetting.erase(person, await state.forgetting.find(person), now + 1);
      const plan = await state.plans.get('pl_1');
      expect([plan?.stoppedAt, plan?.body]).toEqual([now, undefined]);
    });

    test('stops and blanks in one go a plan between two acts, and leaves one whose yes is old as it was', async () => {
      await proposed();
      await ask('q1');
      await state.plans.decide('pl_1', 'q1', { ...ANSWER, granted: ['q1-2'] }, now);
      const person = { locator: 'XYZ789' };
      const traces = await state.forgetting.find(person);
      expect(traces.plans).toEqual(['pl_1']);
      await state.forgetting.erase(person, { ...traces, questions: [], plans: [], openPlans: ['pl_1'] }, now + HOUR);
      expect(await state.plans.get('pl_1')).not.toHaveProperty('stoppedAt');
      await state.forgetting.erase(person, traces, now + 7);
      const plan = await state.plans.get('pl_1');
      expect([plan?.stoppedAt, plan?.body]).toEqual([now + 7, undefined]);
    });
  });
}
