import { beforeEach, describe, expect, test, vi } from 'vitest';
import { actSentence } from '../../src/approvals/asked-act.ts';
import { loadPlan } from '../../src/plans/plan-facts.ts';
import { lineMoney } from '../../src/plans/plan-money.ts';
import { propose } from '../../src/plans/propose.ts';
import { error } from '../journal/harness.ts';
import { pendingApproval } from '../support/approvals.ts';
import { ACTS } from '../support/rules.ts';
import {
  ANN,
  type Ask,
  BOB,
  cancelLine,
  moveLine,
  PlanHarness,
  type Planner,
  payLine,
  type Result,
  SAR,
  statesOf,
  YES_MS,
} from './plan-harness.ts';

let harness: PlanHarness;
beforeEach(async () => {
  harness = await PlanHarness.open();
});

describe('a plan of single acts', () => {
  test('is not asked while a hundred questions of its person wait', async () => {
    const now = harness.clock.now();
    const kept = { tenant: ANN.tenant, caller: ANN.id, createdAt: now, expiresAt: now + 600_000 };
    for (let i = 0; i < 100; i++)
      await harness.state.approvals.put(pendingApproval({ ...kept, handleHash: `h${i}`, operationId: `o${i}` }));
    await expect(harness.asked(2)).rejects.toMatchObject({ code: 'E_LIMIT' });
  });

  test('asks once for forty cancellations and sends each of them once', async () => {
    const { id, question } = await harness.asked(40);
    const now = harness.clock.now();
    expect(await harness.state.approvals.waiting(now)).toHaveLength(1);
    expect((await harness.state.openCounts(now, ACTS)).approvalsWaiting).toBe(1);
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

  test('says of a line whose terms changed in nothing that was shown what it is about', async () => {
    const { id, question } = await harness.asked(1);
    harness.over = () => ({ facts: 'other' });
    await harness.yes(question);
    expect((await harness.carriedOut(id)).lines[0]?.why).toBe(
      'Its terms changed after the question. What it is about is no longer the same: its trip, its people or its price.',
    );
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
    await harness.during(harness.planner.runtime.journal.reconcile());
    const again = await harness.ask(id, { again: true });
    expect(again.question.sections[0]?.lines[0]).toBe('One yes for one booking.');
    await harness.yes(again.question);
    expect(statesOf(await harness.carriedOut(id))).toEqual(['done', 'done']);
    expect(harness.sent).toHaveLength(2);
  });

  test('names what the airline changed since the yes, and rests too where that cannot be read', async () => {
    const { id, question } = await harness.asked(2);
    await harness.yes(question);
    await harness.carriedOut(id);
    const { decidedAt } = await harness.view(id);
    const told = { lines: ['Changed since Sat 28 Nov: it moved'], changes: { all: [{ locator: 'B1' }], told: [] } };
    const changesSince = vi.fn(async () => told as never);
    const restOf = async (read: Planner['changesSince']) => {
      Object.assign(harness.planner, { changesSince: read });
      return (await harness.run(id)) as Result;
    };
    const rest = await restOf(changesSince);
    expect(changesSince.mock.calls).toMatchObject([[['B1', 'B2'], decidedAt, { caller: ANN }]]);
    expect(rest.structured).toMatchObject({ airline_changes: [{ locator: 'B1' }], warnings: told.lines });
    const silent = await restOf(() => Promise.reject(new Error('the store is away')));
    expect(silent.structured).toMatchObject({ status: 'done' });
    expect(silent.structured).not.toHaveProperty('airline_changes');
  });

  test('stops when the operator pauses sending', async () => {
    harness.before = () => harness.state.chain.pause('checking', 'ops', harness.clock.now());
    const view = await harness.playedThrough(harness.make(2).map(cancelLine));
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
    await harness.playedThrough(harness.make(2).map(cancelLine));
    const { id: one } = await harness.cancelling(1);
    await expect(harness.run(one)).rejects.toMatchObject({ code: 'E_LIMIT' });
    harness.settings = { ...harness.settings, limits: { perAction: SAR(9_000) } };
    await expect(harness.run(id)).rejects.toMatchObject({
      code: 'E_NOT_PERMITTED',
      message: expect.stringMatching(/^No line of the plan can be done now\. 1\. .+ over the limit/),
    });
    harness.settings = { ...harness.settings, limits: { perAction: SAR(10_000) } };
    expect(actSentence((await harness.ask(id)).question.act)).toBe(
      'Cancel 3 bookings: costs nothing; about SAR 270.00 comes back',
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

const sent = () => harness.sent.map(({ tool, locator }) => `${tool} ${locator}`.trim());

/** The new booking is `B2`'s successor: the harness counts on. */
const NEW = 'N2';

describe('a move', () => {
  let old: string;
  beforeEach(() => {
    [old = ''] = harness.make(1);
  });

  test('holds, pays what was held, and then cancels the old booking', async () => {
    const view = await harness.playedThrough([moveLine(old)]);
    expect(statesOf(view)).toEqual(['done']);
    expect(sent()).toEqual(['create_booking', `pay_booking ${NEW}`, `cancel_booking ${old}`]);
    expect(view.lines[0]?.steps.map(({ state }) => state)).toEqual(['done', 'done', 'done']);
    expect(view.sums).toEqual([{ paid: SAR(10_000), comesBack: SAR(9_000) }]);
    expect(await harness.state.plans.unfinished(0)).toEqual([]);
  });

  test('pays nothing if the new booking costs something else, names its hold, and asks again with its price', async () => {
    harness.priceOfNew = 12_000;
    const view = await harness.playedThrough([moveLine(old)]);
    expect(sent()).toEqual(['create_booking']);
    const why = expect.stringContaining(`Done: Book the new trip (Booked as ${NEW}). NOT done: Pay`);
    expect(view.lines[0]).toMatchObject({ state: 'partly_done', newLocator: NEW, why });
    expect(harness.kept(old).gone).toBe(false);
    const { question } = await harness.ask(view.id, { again: true });
    expect(actSentence(question.act)).toContain('costs SAR 120.00');
  });

  test('pays nothing if cancelling the old one means something else by then', async () => {
    harness.before = ({ tool }) => {
      if (tool === 'create_booking') harness.drift(old);
    };
    const view = await harness.playedThrough([moveLine(old)]);
    expect(sent()).toEqual(['create_booking']);
    expect(view.lines[0]?.why).toContain('The step after it changed');
  });

  test('keeps the hold if its payment is refused, and asks for the rest of the line', async () => {
    harness.manners.set('pay_booking', 'refused');
    const view = await harness.playedThrough([moveLine(old)]);
    expect(sent()).toEqual(['create_booking', `pay_booking ${NEW}`]);
    expect(view.lines[0]).toMatchObject({ state: 'partly_done', newLocator: NEW });
    harness.manners.clear();
    expect(statesOf(await harness.playedAgain(view.id))).toEqual(['done']);
    expect(sent().slice(2)).toEqual([`pay_booking ${NEW}`, `cancel_booking ${old}`]);
  });

  test('says to propose another plan if the hold that was not paid is gone', async () => {
    harness.manners.set('pay_booking', 'refused');
    const { id } = await harness.playedThrough([moveLine(old)]);
    harness.kept(NEW).gone = true;
    const { structured } = (await harness.run(id, {}, undefined, { again: true })) as Result;
    expect(structured.warnings).toEqual([expect.stringContaining('1. cannot be done now: ')]);
    expect(structured.next).toContain('propose another plan if one is wanted');
    expect(structured.next).not.toContain('again: true');
  });

  test('asks for the rest alone after the hold, where that is all that was done', async () => {
    const { id, question } = await harness.asked([moveLine(old)]);
    harness.before = async ({ tool }) => {
      if (tool === 'create_booking') await harness.state.plans.stop(id, harness.clock.now());
    };
    await harness.yes(question);
    const half = await harness.carriedOut(id);
    expect(half.lines[0]).toMatchObject({
      state: 'partly_done',
      why: `Done: Book the new trip (Booked as ${NEW}). NOT done: Pay SAR 10000; cancel_booking ${old}. The plan was stopped.`,
    });
    harness.before = () => undefined;
    expect(statesOf(await harness.playedAgain(id))).toEqual(['done']);
    expect(sent()).toEqual(['create_booking', `pay_booking ${NEW}`, `cancel_booking ${old}`]);
  });

  test('says what is done if cancelling drifted after the payment, goes on with the other lines, and asks for the rest', async () => {
    const [other = ''] = harness.make(1);
    harness.before = ({ tool }) => {
      if (tool === 'pay_booking') harness.drift(old);
    };
    const view = await harness.playedThrough([moveLine(old), cancelLine(other)]);
    expect(statesOf(view)).toEqual(['partly_done', 'done']);
    expect(await harness.state.approvals.waiting(harness.clock.now())).toEqual([]);
    expect(statesOf(await harness.playedAgain(view.id))).toEqual(['done', 'done']);
    expect(sent().filter((one) => one === `cancel_booking ${old}`)).toHaveLength(1);
  });

  test('tells each fact of a line once: what it would move until it is done, then what it moved and made', async () => {
    const { id, question } = await harness.asked([moveLine(old)]);
    const lineOf = ({ structured }: Result) => (structured.plan as { lines: readonly object[] }).lines[0];
    const waiting = (await harness.run(id)) as Result;
    const expectedLine = { n: 1, title: expect.any(String), locator: old };
    expect(lineOf(waiting)).toEqual({
      ...{ ...expectedLine, state: 'asked', money: 'pays SAR 100.00, about SAR 90.00 comes back' },
      steps: ['create_booking', 'pay_booking', 'cancel_booking'].map((tool) => ({ tool, state: 'asked' })),
    });
    // Its terms are in the question, and each poll would repeat them.
    expect(waiting.text).toContain('Its lines are those that were asked before.');
    expect(waiting.text).not.toContain('pays SAR 100.00');
    await harness.yes(question);
    const { digest } = await harness.carriedOut(id);
    const over = (await harness.run(id)) as Result;
    const sums = ['SAR 100.00 was paid', 'the airline did not state what came back'];
    expect(lineOf(over)).toEqual({ ...expectedLine, state: 'done', sums, new_locator: NEW });
    expect(over.text).toContain(`: done, ${sums.join(', ')}. Booked as ${NEW}.`);
    expect(over.structured).not.toHaveProperty('next');
    expect(over.meta).toMatchObject({ digest, operations: [{ line: 1 }, { line: 1 }, { line: 1 }] });
    expect(over.structured.plan).not.toHaveProperty('digest');
  });

  test('says at once what is paid if cancelling is refused after the payment', async () => {
    harness.before = ({ tool }) => {
      if (tool === 'pay_booking') harness.manners.set(old, 'refused');
    };
    const view = await harness.playedThrough([moveLine(old)]);
    expect(view.lines[0]?.state).toBe('partly_done');
    const answer = (await harness.run(view.id)) as Result;
    expect(answer.text).toContain('Tell the user at once what is done and what is NOT done');
    // The person must know what is paid already, under which name.
    expect(answer.text).toContain(
      `Done: Book the new trip (Booked as ${NEW}); Pay SAR 10000. NOT done: cancel_booking ${old}.`,
    );
    const { lines } = answer.structured.plan as { lines: readonly object[] };
    expect(lines[0]).toMatchObject({ new_locator: NEW, sums: ['SAR 100.00 was paid'] });
    expect(await harness.state.approvals.waiting(harness.clock.now())).toEqual([]);
  });

  test('pays nothing if the tool that cancels is not offered any more', async () => {
    harness.before = ({ tool }) => {
      if (tool === 'create_booking') harness.withheld.add('cancel_booking');
    };
    const view = await harness.playedThrough([moveLine(old)]);
    expect(sent()).toEqual(['create_booking']);
    expect(view.lines[0]).toMatchObject({ state: 'partly_done', why: expect.stringContaining(`Booked as ${NEW}`) });
  });

  test('asks for the cancelling alone where it was not begun after the payment', async () => {
    const { id, question } = await harness.asked([moveLine(old)]);
    harness.before = async ({ tool }) => {
      if (tool === 'pay_booking') await harness.state.plans.stop(id, harness.clock.now());
    };
    await harness.yes(question);
    const half = await harness.carriedOut(id);
    expect(half.lines[0]?.state).toBe('partly_done');
    const told = (await harness.run(id)) as Result;
    expect(told.text).toContain('In all SAR 100.00 was paid, and nothing came back.');
    expect(told.text).toContain('asks once for all of it. For less, propose a new plan. Do not book it yourself');
    expect((await harness.yes(question)).kind).toBe('failed');
    harness.before = () => undefined;
    const again = await harness.ask(id, { again: true });
    expect(actSentence(again.question.act)).toBe('Finish this booking: costs nothing; about SAR 90.00 comes back');
    const asked = await harness.view(id);
    expect(asked.sums).toEqual([{ paid: SAR(0), comesBack: SAR(9_000) }]);
    expect(asked.lines.flatMap(lineMoney)).toEqual(['about SAR 90.00 comes back']);
    expect((await harness.no(again.question)).lines[0]).toBe('Nothing more was sent. What was done before stays done:');
    expect(statesOf(await harness.playedAgain(id))).toEqual(['done']);
    expect(sent()).toEqual(['create_booking', `pay_booking ${NEW}`, `cancel_booking ${old}`]);
  });
});

const failingActs = (problem: Error): Planner => ({
  ...harness.planner,
  actOf: () => {
    throw problem;
  },
});

describe('a step that was entered', () => {
  test.each<[string, (id: string) => unknown]>([
    ['the plan was stopped', (id) => harness.state.plans.stop(id, harness.clock.now())],
    [
      'it was asked again',
      async (id) => {
        const { question, body, expiresAt } = (await harness.state.plans.get(id)) ?? {};
        if (body === undefined || question === undefined || expiresAt === undefined) throw new Error('no plan');
        const asked = { id, question: 'newer', expiresAt, body };
        const part = { plan: id, question: 'newer', line: 0, step: 0, alone: true as const };
        const newer = pendingApproval({ handleHash: 'h-newer', operationId: 'newer', part });
        await harness.state.plans.ask(asked, [newer], { operationId: question, decision: 'granted' }, []);
      },
    ],
    [
      'the thirty minutes are over',
      () => {
        const now = harness.clock.now.bind(harness.clock);
        vi.spyOn(harness.clock, 'now').mockImplementation(() => now() + YES_MS);
      },
    ],
  ])('is not sent if %s meanwhile', async (_, meanwhile) => {
    const id = await harness.granted(1);
    const { operations } = harness.state;
    const insert = operations.insert.bind(operations);
    vi.spyOn(operations, 'insert').mockImplementationOnce(async (...given) => {
      const result = await insert(...given);
      await meanwhile(id);
      return result;
    });
    await harness.carry(id);
    expect(harness.sent).toEqual([]);
    expect(statesOf(await harness.view(id))).toEqual(['not_begun']);
  });
});

describe('the process that carries a plan out', () => {
  test('leaves for later what fails and leaves no trace', async () => {
    const id = await harness.granted(1);
    harness.withheld.add('cancel_booking');
    vi.spyOn(harness.state.approvals, 'makeVoid').mockResolvedValue(undefined);
    await harness.carry(id);
    expect(statesOf(await harness.view(id))).toEqual(['waiting']);
  });

  test('does not take a failure of the store for a pause', async () => {
    const id = await harness.granted(1);
    for (const failure of [new Error('the store is away'), error('E_INTERNAL')]) {
      vi.spyOn(harness.state.chain, 'status').mockRejectedValueOnce(failure);
      await harness.carry(id);
    }
    expect(harness.failures).toHaveLength(2);
    expect((await harness.state.plans.get(id))?.stoppedAt).toBeUndefined();
    await harness.carry(id);
    expect(harness.sent).toHaveLength(1);
  });

  test.each([new TypeError('a mistake'), error('E_INTERNAL')])(
    'spends no yes on its own failure: %s',
    async (problem) => {
      const id = await harness.granted(1);
      await harness.carry(id, failingActs(problem));
      expect(harness.failures).toEqual([problem]);
      expect(statesOf(await harness.view(id))).toEqual(['waiting']);
    },
  );

  test('uses the point of sale of the plan’s caller', async () => {
    const id = await harness.granted(1);
    const plannerFor = vi.fn(() => harness.planner);
    await harness.carry(id, { ...harness.planner, plannerFor });
    expect(plannerFor.mock.calls).toEqual([[ANN]]);
    expect(harness.sent).toHaveLength(1);
  });

  test('fails for a plan that is not there', async () => {
    await harness.carry('pl_none');
    expect(harness.failures).toEqual([new RangeError('there is no plan pl_none')]);
  });
});

describe('a plan', () => {
  test('of acts that move no money is asked as a change', async () => {
    const [locator = ''] = harness.make(1);
    const { id } = await harness.propose([{ title: 'Update', steps: [{ tool: 'update_contact', args: { locator } }] }]);
    expect((await harness.ask(id)).question).toMatchObject({
      nature: 'change',
      act: { verb: 'Update contact of this booking' },
    });
  });

  test('leaves out what this server does not offer, and no mistake of this program', async () => {
    await expect(
      propose(failingActs(new TypeError('a mistake')), { caller: ANN }, { lines: [cancelLine('B1')] }),
    ).rejects.toThrow('a mistake');
    harness.withheld.add('cancel_booking');
    const { lines, leftOut } = await harness.cancelling(1);
    expect([lines, leftOut[0]?.why]).toEqual([[], expect.stringContaining('not offered')]);
  });

  test('that nobody proposed, or whose names were erased, cannot be run', async () => {
    expect(await loadPlan(harness.planner.runtime, 'pl_none')).toBeUndefined();
    const plan = { id: 'pl_1', tenant: 't', caller: 'ann', createdAt: 0, expiresAt: harness.clock.now() + 1 };
    await harness.state.plans.put(plan);
    await expect(harness.run('pl_1')).rejects.toMatchObject({ code: 'E_APPROVAL_EXPIRED' });
  });

  test('keeps why each line is proposed, read after its previews, and says it in the question', async () => {
    const [first = '', second = ''] = harness.make(2);
    const { locator: _, ...nameless } = cancelLine(first);
    const previewed = vi.spyOn(harness, 'act');
    const reasonsOf = async (locators: readonly string[]) => {
      expect([previewed.mock.calls.length, locators]).toEqual([3, [first, second]]);
      return new Map([[first, 'train 101 was cancelled']]);
    };
    const lines = [cancelLine(first), cancelLine(second), nameless];
    const { id } = await propose(harness.planner, { caller: ANN }, { lines }, { reasonsOf });
    const reasons = (await harness.view(id)).lines.map(({ reason }) => reason);
    expect(reasons).toEqual(['train 101 was cancelled', undefined, undefined]);
    const question = (await harness.run(id, { canElicit: true })) as Ask;
    expect(question.message).toContain(
      `1. Cancel booking ${first}: cancel_booking ${first}\nWhy: train 101 was cancelled\n`,
    );
  });

  /** Keeps fifty plans of Ann, `pl_1` and so on. */
  async function fifty(times: (n: number) => { createdAt: number; expiresAt: number; question?: string }) {
    const body = { lines: [], terms: [], leftOut: [], notAsked: {} };
    for (let n = 1; n <= 50; n++)
      await harness.state.plans.put({ id: `pl_${n}`, tenant: 't', caller: 'ann', body, ...times(n) });
  }

  test('is refused where the caller has fifty plans with their words, before anything is read', async () => {
    const { plans } = harness.state;
    const now = harness.clock.now();
    await fifty((n) => ({ createdAt: now, expiresAt: now + n * 60_000, question: `q${n}` }));
    const [locator = ''] = harness.make(1);
    const read = vi.spyOn(harness, 'act');
    await expect(harness.propose([cancelLine(locator)])).rejects.toMatchObject({
      ...{ code: 'E_LIMIT', effect: 'none', retry: 'after_s:3720' },
      message: '50 plans of this caller are kept. Nothing was proposed or sent.',
      next: 'Call run_plan with a plan that was proposed before. The next one is erased in about 62 minutes; then call propose_plan again.',
    });
    // At least a minute, also if one is about to be erased.
    vi.spyOn(plans, 'kept').mockResolvedValueOnce({ count: 50, firstExpiresAt: now - 3_600_000 });
    await expect(harness.propose([cancelLine(locator)])).rejects.toMatchObject({
      next: expect.stringContaining('in about 1 minute;'),
      retry: 'after_s:60',
    });
    expect(read).not.toHaveBeenCalled();
    expect((await harness.propose([cancelLine(locator)], { caller: BOB })).lines).toHaveLength(1);
  });

  test('takes the place of the oldest plan that nobody was asked about, where the caller has fifty', async () => {
    const { plans } = harness.state;
    const now = harness.clock.now();
    await fifty((n) => ({ createdAt: now + n, expiresAt: now + 3_600_000, ...(n === 1 && { question: 'q1' }) }));
    const [locator = ''] = harness.make(1);
    await harness.propose([cancelLine(locator)]);
    expect((await plans.get('pl_1'))?.body).toBeDefined();
    expect((await plans.get('pl_2'))?.body).toBeUndefined();
    expect((await plans.get('pl_3'))?.body).toBeDefined();
    expect((await plans.kept(ANN)).count).toBe(50);
    // With their hour they are gone, and what somebody was asked about stays an hour longer.
    harness.clock.jump(3_600_001);
    await harness.state.clean();
    expect((await plans.get('pl_1'))?.body).toBeDefined();
    expect((await plans.get('pl_3'))?.body).toBeUndefined();
  });

  test('pays no booking that the airline does not hold as offered', async () => {
    const [old = ''] = harness.make(1);
    const { id, question } = await harness.asked([moveLine(old)]);
    harness.before = ({ tool }) => {
      if (tool === 'create_booking') harness.differs = 'NOT AS OFFERED: flight 1201 is in fare OTHER, offered YOW.';
    };
    await harness.yes(question);
    await harness.carriedOut(id);
    expect(harness.sent.map(({ tool }) => tool)).not.toContain('pay_booking');
  });
});
