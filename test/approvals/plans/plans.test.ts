import { beforeEach, describe, expect, test } from 'vitest';
import { ANN, cancelLine, PlanHarness, payLine, SAR, statesOf, YES_MS } from './plan-harness.ts';

let harness: PlanHarness;
beforeEach(async () => {
  harness = await PlanHarness.open();
});

describe('a plan of single acts', () => {
  test('asks once for forty cancellations and sends each of them once', async () => {
    const { id, question } = await harness.asked(40);
    const now = harness.clock.now();
    expect(await harness.state.approvals.waiting(now)).toHaveLength(1);
    expect((await harness.state.openCounts(now)).approvalsWaiting).toBe(1);
    expect(await harness.state.approvals.openOf(ANN, now)).toBe(1);
    await harness.yes(question);
    const view = await harness.carriedOut(id);
    expect(view.state).toBe('over');
    expect(await harness.yes(question)).toMatchObject({ kind: 'done', title: 'Carried out: 40 done' });
    expect(new Set(statesOf(view))).toEqual(new Set(['done']));
    expect(harness.sent).toHaveLength(40);
    expect(new Set(harness.sent.map(({ locator }) => locator)).size).toBe(40);
    const operations = await harness.state.operations.list({});
    expect(new Set(operations.map(({ plan }) => plan))).toEqual(new Set([view.digest]));
    expect(await harness.state.operations.verify()).toBeUndefined();
  });

  test('says no more of a line whose terms changed in nothing that was shown', async () => {
    const { id, question } = await harness.asked(1);
    harness.over = () => ({ facts: 'other' });
    await harness.yes(question);
    expect((await harness.carriedOut(id)).lines[0]?.why).toBe('Its terms changed after the question.');
  });

  test('begins nothing more after thirty minutes, and asks anew for that alone', async () => {
    const { id, question } = await harness.asked(2);
    harness.manners.set('B1', 'lost');
    harness.proves = 'void';
    await harness.yes(question);
    const from = harness.clock.now();
    const view = await harness.carriedOut(id);
    expect(harness.clock.now() - from).toBeLessThanOrEqual(YES_MS + 10_000);
    expect(statesOf(view)).toEqual(['in_doubt', 'not_begun']);
    expect(harness.sent).toHaveLength(1);
    harness.proves = undefined;
    await harness.during(harness.parts.runtime.journal.reconcile());
    const again = await harness.ask(id, { again: true });
    expect(again.question.sections[0]?.lines[0]).toBe('One yes for one line.');
    await harness.yes(again.question);
    expect(statesOf(await harness.carriedOut(id))).toEqual(['done', 'done']);
    expect(harness.sent).toHaveLength(2);
  });

  test('goes on in another process after the first one died, but not after thirty minutes', async () => {
    const { id, question } = await harness.asked(3);
    harness.before = () => harness.end('p1');
    await harness.yes(question);
    expect(statesOf(await harness.carriedOut(id))).toEqual(['done', 'waiting', 'waiting']);
    harness.before = () => undefined;
    expect(await harness.state.plans.unfinished(harness.clock.now() - YES_MS)).toHaveLength(1);
    const other = harness.process('p2');
    harness.before = () => harness.end('p2');
    await harness.carry(id, other);
    expect(statesOf(await harness.view(id))).toEqual(['done', 'done', 'waiting']);
    harness.clock.jump(YES_MS);
    await harness.carry(id, harness.process('p3'));
    expect(statesOf(await harness.view(id))).toEqual(['done', 'done', 'not_begun']);
    expect(await harness.state.plans.unfinished(harness.clock.now() - YES_MS)).toEqual([]);
  });

  test('stops when the operator pauses sending', async () => {
    const { id, question } = await harness.asked(2);
    harness.before = () => harness.state.chain.pause('checking', 'ops', harness.clock.now());
    await harness.yes(question);
    const view = await harness.carriedOut(id);
    expect([view.state, ...statesOf(view)]).toEqual(['stopped', 'done', 'not_begun']);
  });

  test('leaves out what is refused when it is proposed, and when it is asked', async () => {
    const [first = '', second = '', third = ''] = harness.make(3);
    harness.kept(first).gone = true;
    const { id, lines, leftOut } = await harness.propose([first, second, third].map(cancelLine));
    expect(lines.map(({ locator }) => locator)).toEqual([second, third]);
    expect(leftOut).toEqual([{ title: `Cancel booking ${first}`, why: `${first} is gone. Nothing was sent.` }]);
    harness.kept(second).gone = true;
    const { question } = await harness.ask(id);
    expect(JSON.stringify(question.sections)).toContain(`${second} is gone`);
    await harness.yes(question);
    expect(statesOf(await harness.carriedOut(id))).toEqual(['skipped', 'done']);
  });
});

describe('limits of a plan', () => {
  test('compare the sum with the limit of a day, and each line with that of an action', async () => {
    harness.settings = { ...harness.settings, limits: { perDay: SAR(25_000) } };
    const { id } = await harness.cancelling(3);
    await expect(harness.run(id)).rejects.toMatchObject({ code: 'E_LIMIT' });
    expect(await harness.state.approvals.waiting(harness.clock.now())).toEqual([]);
    // What was moved before counts too.
    await harness.whole(harness.make(2).map(cancelLine));
    const { id: one } = await harness.cancelling(1);
    await expect(harness.run(one)).rejects.toMatchObject({ code: 'E_LIMIT' });
    harness.settings = { ...harness.settings, limits: { perAction: SAR(9_000) } };
    await expect(harness.run(id)).rejects.toMatchObject({
      code: 'E_NOT_PERMITTED',
      message: expect.stringMatching(/^No line of the plan can be done now\. 1\. .+ over the limit/),
    });
    harness.settings = { ...harness.settings, limits: { perAction: SAR(10_000) } };
    expect((await harness.ask(id)).question.act).toBe(
      'Carry out these 3 lines: nothing is paid; about SAR 270.00 comes back',
    );
  });

  test('ask on the page where the sum is above the amount for it, and name the sum for the second person', async () => {
    harness.settings = { ...harness.settings, pageAbove: SAR(15_000) };
    const single = await harness.propose([payLine(harness.make(1, { paid: false })[0] ?? '')]);
    expect((await harness.run(single.id, { canElicit: true })).kind).toBe('ask');
    const { id } = await harness.propose(harness.make(2, { paid: false }).map(payLine));
    expect((await harness.run(id, { canElicit: true })).kind).toBe('result');
    const question = (await harness.state.approvals.waiting(harness.clock.now())).find(({ part }) => part?.plan === id);
    expect(question?.carried).toMatchObject({ operation: { direction: 'payment', amount: SAR(20_000) } });
  });

  test('show no dialog for more than five lines', async () => {
    const short = await harness.cancelling(5);
    expect((await harness.run(short.id, { canElicit: true })).kind).toBe('ask');
    const long = await harness.cancelling(6);
    expect((await harness.run(long.id, { canElicit: true })).kind).toBe('result');
  });
});
