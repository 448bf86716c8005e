import { beforeEach, describe, expect, test, vi } from 'vitest';
import { approvalStatus } from '../../src/approvals/approval-status.ts';
import { decide } from '../../src/approvals/decide.ts';
import { decideActOrPlan } from '../../src/plans/decide-plan.ts';
import { resumePlans, runPlan } from '../../src/plans/run-plan.ts';
import { booking, traveler } from '../journal/answers.ts';
import { error } from '../journal/harness.ts';
import { newOperation } from '../store/support/new-operation.ts';
import { ACTS } from '../support/rules.ts';
import {
  ANN,
  type Ask,
  accept,
  BOB,
  cancelLine,
  PlanHarness,
  planOf,
  quiet,
  type Result,
  statesOf,
  statusOf,
  YES_MS,
} from './plan-harness.ts';

let harness: PlanHarness;
beforeEach(async () => {
  harness = await PlanHarness.open();
});

test('a step keeps the reading from which its pointers were taken', async () => {
  const read = booking({ travelers: [traveler('1', 'ANN')] });
  harness.over = () => ({ booking: read });
  const [locator = ''] = harness.make(1);
  const steps = [{ passenger_refs: ['1'] }, {}].map((more) => ({ tool: 'update_contact', args: { locator, ...more } }));
  const { id } = await harness.propose(steps.map((step) => ({ title: 'Update', steps: [step] })));
  const plan = await harness.state.plans?.get(id);
  expect(plan?.body?.lines.map((line) => line.steps[0]?.pointed?.persons?.map(({ ref }) => ref))).toEqual([
    ['1'],
    undefined,
  ]);
});

describe('run_plan in a dialog', () => {
  const asked = async (lines: number) => {
    const { id } = await harness.cancelling(lines);
    const question = (await harness.run(id, { canElicit: true })) as Ask;
    return { id, question };
  };

  test('shows all terms of a short plan, and carries all its lines out with one yes', async () => {
    const { id, question } = await asked(2);
    expect(question.message).toContain('cancel_booking of B1, version 1');
    expect(question.message).toContain('About SAR 180.00 comes back.');
    expect(question.message).toContain('single bookings can be left out');
    const decision = question.form.properties.decision.enum[1] ?? '';
    expect(decision).toBe('Cancel 2 bookings: costs nothing; about SAR 180.00 comes back');
    const dialog = { handle: question.handle, raw: accept(decision) };
    const progress: [number, number][] = [];
    const how = { canElicit: true, dialog, progress: (done: number, total: number) => progress.push([done, total]) };
    const answer = await harness.run(id, how);
    expect(statusOf(answer)).toBe('done');
    expect((answer as Result).text).toContain('Plan');
    expect(planOf(answer).lines.map(({ state }) => state)).toEqual(['done', 'done']);
    expect(progress.at(-1)).toEqual([2, 2]);
    const again = await harness.run(id, {}, question.handle);
    expect(statusOf(again)).toBe('done');
    expect(harness.sent).toHaveLength(2);
  });

  test('sends nothing after a no', async () => {
    const { id, question } = await asked(2);
    const dialog = { handle: question.handle, raw: accept('no') };
    await expect(harness.run(id, { canElicit: true, dialog })).rejects.toMatchObject({ code: 'E_APPROVAL_DECLINED' });
    await expect(harness.run(id, {}, question.handle)).rejects.toMatchObject({ code: 'E_APPROVAL_DECLINED' });
    expect(harness.sent).toEqual([]);
    // If the person wants it after all, it is asked anew.
    const told = (await harness.run(id, { canElicit: true })) as Result;
    expect([told.kind, planOf(told).state]).toEqual(['result', 'declined']);
    expect(told.text).toContain(`call run_plan with plan_id ${id} and again: true`);
    expect((await harness.run(id, { canElicit: true }, undefined, { again: true })).kind).toBe('ask');
  });

  test('a no that comes after the yes stops what was not begun', async () => {
    const { id, question } = await asked(3);
    harness.before = async () => {
      harness.before = () => undefined;
      const waiting = await harness.state.approvals.byOperation((await harness.state.plans.get(id))?.question ?? '');
      if (waiting) await harness.no(waiting);
    };
    const raw = accept(question.form.properties.decision.enum[1] ?? '');
    const answer = await harness.run(id, { canElicit: true, dialog: { handle: question.handle, raw } });
    expect(planOf(answer)).toMatchObject({ state: 'stopped' });
    expect(harness.sent).toHaveLength(1);
  });

  test('a call that comes back before anybody answered says that a person must answer', async () => {
    const { id, handle } = await harness.asked(1);
    const answer = await harness.run(id, {}, handle);
    expect(statusOf(answer)).toBe('approval_required');
    expect(harness.sent).toEqual([]);
    // Not all terms at each poll.
    const { structured, text } = answer as Result;
    expect(structured.approval).toMatchObject({ terms: [expect.stringContaining('The same as asked before')] });
    expect(text).not.toContain('cancel_booking of B1');
  });

  test('a handle of another plan, or of another caller, is refused', async () => {
    const { question } = await asked(1);
    const { id } = await harness.cancelling(1);
    const presented = (caller = ANN) => harness.run(id, { caller }, question.handle);
    await expect(presented()).rejects.toMatchObject({ code: 'E_APPROVAL_INVALID' });
    await expect(presented(BOB)).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
  });
});

describe('run_plan while a plan is carried out', () => {
  test('says how far it is, with its plan_id alone too, and waits no longer than other calls', async () => {
    harness.settings = { ...harness.settings, answerMs: 3_000 };
    harness.manners.set('B1', 'lost');
    harness.proves = 'void';
    const { id, question, handle } = await harness.asked(2);
    const following = harness.run(id);
    await quiet();
    await harness.yes(question);
    expect(statusOf(await following)).toBe('pending');
    const answer = await harness.run(id, {}, handle);
    expect(statusOf(answer)).toBe('pending');
    expect((answer as Result).text).toContain('nothing is sent twice');
    expect(planOf(answer).lines.map(({ state }) => state)).toEqual(['in_doubt', 'waiting']);
    expect(harness.sent).toHaveLength(1);
    expect(statusOf(await harness.run(id))).toBe('pending');
    const gone = new AbortController();
    gone.abort();
    expect(statusOf(await harness.run(id, { signal: gone.signal }))).toBe('pending');
    harness.proves = undefined;
    await harness.carriedOut(id);
    expect(statusOf(await harness.run(id, {}, handle))).toBe('done');
    expect(harness.sent.map(({ locator }) => locator)).toEqual(['B1', 'B2']);
    const none = (await harness.run(id, {}, undefined, { again: true })) as Result;
    expect(statusOf(none)).toBe('already_done');
    expect(none.text).toContain('Nothing is left to ask for');
  });

  test('goes on in a call that waits, if the yes on the page came just before the question expired', async () => {
    harness.settings = { ...harness.settings, waitMs: 20_000 };
    const { id, question, handle } = await harness.asked(1);
    const { clock } = harness;
    const { sleep } = clock;
    clock.time = question.expiresAt - 100;
    // Between two looks of the call.
    clock.sleep = async () => {
      clock.sleep = sleep;
      await harness.yes(question);
      clock.time = question.expiresAt + 100;
    };
    expect(statusOf(await harness.run(id, {}, handle))).toBe('done');
    expect(statesOf(await harness.carriedOut(id))).toEqual(['done']);
  });

  test('stop finishes the act that is being sent and begins nothing more, and a new question goes on', async () => {
    const { id, question } = await harness.asked(3);
    let stopped: unknown;
    harness.before = async () => {
      harness.before = () => undefined;
      stopped = await harness.run(id, {}, undefined, { stop: true });
    };
    await harness.yes(question);
    await harness.carriedOut(id);
    expect(planOf(stopped).lines.map(({ state }) => state)).toContain('not_begun');
    expect(harness.sent).toHaveLength(1);
    const told = (await harness.run(id, { canElicit: true })) as Result;
    expect([told.kind, planOf(told).state]).toEqual(['result', 'stopped']);
    expect(statesOf(await harness.playedAgain(id))).toEqual(['done', 'done', 'done']);
  });

  test('tells the person to check, as single acts do', async () => {
    harness.manners.set('B1', 'lost');
    harness.proves = 'contradicted';
    const { id, question, handle } = await harness.asked(2);
    await harness.yes(question);
    await harness.carriedOut(id);
    const answer = (await harness.run(id, {}, handle)) as Result;
    expect(statusOf(answer)).toBe('needs_person');
    expect(planOf(answer).lines.map(({ state }) => state)).toEqual(['needs_person', 'not_begun']);
    expect(harness.sent).toHaveLength(1);
    expect(answer.text).toContain('STOP');
    // Once the person closed it, the rest can be asked for.
    const [left] = await harness.state.operations.list({ states: ['needs_person'] });
    if (left) await harness.planner.runtime.journal.resolve(left, 'ops', 'it was done');
    const view = await harness.view(id);
    expect(view.lines[0]).toMatchObject({ state: 'skipped', why: expect.stringContaining('closed it') });
    const again = await harness.ask(id, { again: true });
    expect(again.question.sections[0]?.lines[0]).toBe('One yes for one booking.');
  });
});

describe('run_plan of a plan that is over', () => {
  test('tells its state without a question, and asks for what was not done only with again: true', async () => {
    const { id } = await harness.cancelling(3);
    harness.before = ({ locator }) => {
      if (locator === 'B1') harness.drift('B2');
    };
    const { question } = await harness.ask(id);
    await harness.yes(question, [1, 2]);
    expect(statesOf(await harness.carriedOut(id))).toEqual(['done', 'skipped', 'not_ticked']);
    expect(harness.sent.map(({ locator }) => locator)).toEqual(['B1']);
    const read = vi.spyOn(harness, 'act');
    const told = (await harness.run(id, { canElicit: true })) as Result;
    expect([told.kind, statusOf(told)]).toEqual(['result', 'done']);
    expect(told.text).toContain(
      '2. Cancel booking B2: not done. Its terms changed after the question. Now: cancel_booking of B2, version 2. No longer: cancel_booking of B2, version 1.',
    );
    expect(told.text).toContain(`call run_plan with plan_id ${id} and again: true`);
    expect(read).not.toHaveBeenCalled();
    expect(await harness.state.approvals.waiting(harness.clock.now())).toEqual([]);
    const asked = (await harness.run(id, { canElicit: true }, undefined, { again: true })) as Ask;
    expect(asked.message).toContain('cancel_booking of B2, version 2');
    expect(asked.message).not.toMatch(/B1|B3/);
  });

  test('tells its state once a question for the rest has lapsed', async () => {
    const { id, question } = await harness.asked(2);
    await harness.yes(question, [1]);
    await harness.carriedOut(id);
    await harness.run(id, { canElicit: true }, undefined, { again: true });
    const now = harness.clock.now();
    vi.spyOn(harness.clock, 'now').mockReturnValue(now + 2 * 3_600_000);
    for (const again of [false, true]) {
      const told = (await harness.run(id, { canElicit: true }, undefined, { again })) as Result;
      expect(told.kind).toBe('result');
      expect(told.text).toContain('1. Cancel booking B1');
    }
  });
});

describe('a plan’s question', () => {
  test('on the page is waited for, and not asked anew, by who follows the plan', async () => {
    const { id, question } = await harness.asked(2);
    const answer = (await harness.run(id)) as Result;
    expect(answer.structured).toMatchObject({ status: 'approval_required', operation_id: question.operationId });
    expect(answer.text).toContain(`on the page that was opened, or with \`fareclerk approve ${question.operationId}\``);
    const publicUrl = 'https://desk.example/approve/1';
    const page = { canOpen: () => true, open: async () => ({ opened: false, publicUrl }) };
    harness.settings = { ...harness.settings, page };
    expect(((await harness.run(id)) as Result).text).toContain(`to answer at ${publicUrl}.`);
    const following = harness.run(id);
    await harness.yes(question);
    expect(statusOf(await following)).toBe('done');
    expect(harness.sent).toHaveLength(2);
    const { id: other } = await harness.cancelling(2);
    const { question: second } = await harness.ask(other);
    const waiting = harness.run(other);
    await quiet();
    await harness.no(second);
    expect(planOf(await waiting).state).toBe('declined');
    expect((await harness.yes(second)).kind).toBe('declined');
    const signal = AbortSignal.abort();
    const { id: third } = await harness.cancelling(2);
    await harness.ask(third);
    expect(statusOf(await harness.run(third, { signal }))).toBe('approval_required');
  });

  test('of an ended plan shows what was done, also after its words were blanked', async () => {
    const { id } = await harness.cancelling(4);
    harness.kept('B3').gone = true;
    const { question } = await harness.ask(id);
    await harness.yes(question, [1]);
    await harness.carriedOut(id);
    harness.clock.jump(2 * 60 * 60_000);
    const late = (await harness.run(id)) as Result;
    expect(late.text).toContain('1. Cancel booking B1: done');
    const get = harness.state.plans.get.bind(harness.state.plans);
    vi.spyOn(harness.state.plans, 'get').mockImplementation(async (plan) => {
      const { body: _, ...kept } = (await get(plan)) ?? ({} as never);
      return kept;
    });
    const blank = (await harness.run(id)) as Result;
    expect(blank.text).toContain(
      '1. cancel_booking B1: done, the airline did not state what came back\n2. cancel_booking B2: not approved\n3. ',
    );
  });

  test('is not asked where the airline cannot be read, or no line can be done', async () => {
    const { id } = await harness.cancelling(2);
    const down = vi.spyOn(harness, 'act').mockImplementation((...given) => {
      return {
        ...PlanHarness.prototype.act.call(harness, ...given),
        preview: () => Promise.reject(error('E_AIRLINE_DOWN')),
      };
    });
    await expect(harness.run(id)).rejects.toMatchObject({ code: 'E_AIRLINE_DOWN' });
    down.mockRestore();
    for (const locator of harness.bookings.keys()) harness.kept(locator).gone = true;
    await expect(harness.run(id)).rejects.toMatchObject({ code: 'E_NOT_PERMITTED' });
  });

  test('that was asked anew takes no answer, and two calls at once ask one', async () => {
    const { id } = await harness.cancelling(2);
    await harness.run(id, { canElicit: true });
    const [old] = await harness.state.approvals.waiting(harness.clock.now());
    const { question } = await harness.ask(id);
    expect((await harness.yes(old ?? question)).kind).toBe('unknown');
    expect((await harness.view(id)).state).toBe('asked');
    await harness.yes(question);
    expect(statesOf(await harness.carriedOut(id))).toEqual(['done', 'done']);
    const other = await harness.cancelling(2);
    const both = await Promise.allSettled([harness.run(other.id), harness.run(other.id)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await harness.state.approvals.waiting(harness.clock.now())).toHaveLength(1);
  });

  test('lapses after ten minutes, and can be asked anew while the plan is good', async () => {
    const { id, question, handle } = await harness.asked(2);
    harness.clock.jump(10 * 60_000);
    expect((await harness.view(id)).state).toBe('lapsed');
    expect((await harness.yes(question)).title).toBe('Too late to answer');
    await expect(harness.run(id, {}, handle)).rejects.toMatchObject({ code: 'E_APPROVAL_EXPIRED' });
    expect((await harness.ask(id)).question.operationId).not.toBe(question.operationId);
    harness.clock.jump(2 * 60 * 60_000);
    await expect(harness.run(id)).rejects.toMatchObject({ code: 'E_APPROVAL_EXPIRED' });
  });

  test('is decided through the same door as others, and its steps through none; no line ticked is a no', async () => {
    const { id, question } = await harness.asked(2);
    const steps = (await harness.state.plans.approvals(id)).filter(({ part }) => part?.line !== 0);
    for (const step of steps) expect((await harness.yes(step)).kind).toBe('unknown');
    const { runtime, settings, actOf } = harness.planner;
    const by = { assurance: 'page' } as const;
    const { operationId } = question;
    expect((await decideActOrPlan({ operationId, yes: true, by, runtime, settings, actOf })).kind).toBe('unknown');
    // Nor as if it were about one act.
    const one = { operationId, yes: true, by, runtime, settings, actOf };
    expect((await decide(one, question, undefined)).kind).toBe('unknown');
    expect((await harness.yes(question, [2])).kind).toBe('pending');
    expect(statesOf(await harness.carriedOut(id))).toEqual(['not_ticked', 'done']);
    // Its page says so for longer than it could be answered.
    const decided = await harness.state.approvals.get(question.handleHash);
    const late = harness.clock.now() + 20 * 60_000;
    const shown = { kind: 'pending', title: 'Your approval is recorded' };
    expect(decided && approvalStatus(ACTS, decided, undefined, late)).toMatchObject(shown);
    const { question: other } = await harness.asked(2);
    expect((await harness.yes(other, [])).kind).toBe('declined');
    expect(harness.sent).toHaveLength(1);
  });
});

describe('a plan in trouble', () => {
  test('skips a line whose tool is no longer offered, or whose booking is busy, and goes on', async () => {
    const [first = '', second = '', third = ''] = harness.make(3);
    const { id } = await harness.propose([first, second, third].map(cancelLine));
    const { question } = await harness.ask(id);
    const now = harness.clock.now();
    const busy = newOperation('busy', { caller: 'other', locator: second });
    await harness.state.operations.insert(busy, { now, owner: 'x', leaseUntil: now + 60_000 });
    harness.before = () => void harness.withheld.add('cancel_booking');
    await harness.yes(question);
    const view = await harness.carriedOut(id);
    expect(statesOf(view)).toEqual(['done', 'skipped', 'skipped']);
    expect(view.lines[2]?.why).toContain('not offered');
    harness.withheld.clear();
    const answer = (await harness.run(id, {}, undefined, { again: true })) as Result;
    expect(answer.text).toContain('outcome is not known yet');
  });

  test('is gone on with by whoever tends plans, and by one process at a time', async () => {
    const { id, question } = await harness.asked(2);
    const dead = await harness.yesOfTheDead(question);
    expect(await runPlan(dead, id)).toBeUndefined();
    expect(harness.sent).toEqual([]);
    expect(
      await harness.state.leases.take(`plan:${id}`, 'dead', harness.clock.now() + 9_000, harness.clock.now()),
    ).toBe(true);
    const other = harness.process('p2');
    const tending = resumePlans(other);
    await harness.clock.pass(4_000);
    expect(harness.sent).toEqual([]);
    await harness.clock.pass(15_000);
    expect(harness.sent).toHaveLength(2);
    harness.end('p2');
    await harness.during(tending);
  });

  test('goes on with the same yes after a pause that the airline asked for', async () => {
    const { id, question } = await harness.asked(2);
    const tending = resumePlans(harness.planner);
    harness.before = () => {
      harness.pausedUntil = harness.clock.now() + 60_000;
      harness.before = () => undefined;
    };
    await harness.yes(question);
    await harness.clock.pass(5_000);
    const told = (await harness.run(id)) as { text: string };
    expect(told.text).toMatch(
      /The airline asked for a pause of requests of this kind until .*Nothing of the lines that wait was sent\./,
    );
    expect(told.text).toMatch(/What was approved is sent after it by itself, if that is before /);
    expect([harness.sent.length, statesOf(await harness.view(id))]).toEqual([1, ['done', 'waiting']]);
    await harness.clock.pass(60_000);
    harness.end('p1');
    await harness.during(tending);
    expect(statesOf(await harness.view(id))).toEqual(['done', 'done']);
    expect([harness.sent.length, harness.failures]).toEqual([2, []]);
  });

  test('waits for the store to come back, and tells the log', async () => {
    const { id, question } = await harness.asked(2);
    const { plans } = harness.state;
    const original = plans.approvals.bind(plans);
    let fails = 0;
    harness.state.plans.approvals = async (plan) => {
      if (++fails > 2 && fails < 5) throw new Error('the store is away');
      return original(plan);
    };
    vi.spyOn(plans, 'unfinished').mockRejectedValueOnce(new Error('the store is away'));
    const tending = resumePlans(harness.planner);
    await harness.yes(question).catch(() => undefined);
    await harness.clock.pass(60_000);
    harness.end('p1');
    await harness.during(tending);
    expect(harness.failures.length).toBeGreaterThan(0);
    expect(harness.sent).toHaveLength(2);
    expect(statesOf(await harness.view(id))).toEqual(['done', 'done']);
  });

  test('begins nothing under a yes that was given after the clock was set back', async () => {
    const id = await harness.granted(1);
    harness.clock.jump(-YES_MS);
    await harness.carry(id);
    expect(harness.sent).toEqual([]);
  });

  test('reads the operations of a plan together, once for each act, however many lines it has', async () => {
    const carried = async (lines: number) => {
      const id = await harness.granted(lines);
      const one = vi.spyOn(harness.state.operations, 'get');
      const together = vi.spyOn(harness.state.operations, 'getAll');
      await harness.carry(id);
      const counts = [one, together].map(({ mock }) => mock.calls.length / lines);
      for (const spy of [one, together]) spy.mockRestore();
      expect(statesOf(await harness.view(id))).toEqual(Array(lines).fill('done'));
      return counts.map((count) => Math.round(count));
    };
    const few = await carried(6);
    expect(await carried(24)).toEqual(few);
    expect(Math.max(...few)).toBeLessThanOrEqual(4);
  });
});
