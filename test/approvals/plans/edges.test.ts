import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Ask } from '../../../src/approvals/answer.ts';
import { KEEP_NAMES_MS } from '../../../src/approvals/expiry.ts';
import { askAgainAlone } from '../../../src/approvals/plans/ask-again.ts';
import type { PlanParts } from '../../../src/approvals/plans/parts.ts';
import { PLAN_YES_MS } from '../../../src/approvals/plans/plan.ts';
import { propose, viewPlan } from '../../../src/approvals/plans/propose.ts';
import { runPlan } from '../../../src/approvals/plans/run.ts';
import { stepsNow } from '../../../src/approvals/plans/status.ts';
import { loadPlan } from '../../../src/approvals/plans/view.ts';
import { error } from '../../journal/harness.ts';
import { ANN, BOB, cancelLine, moveLine, PlanHarness, statesOf } from './plan-harness.ts';

let harness: PlanHarness;
beforeEach(async () => {
  harness = await PlanHarness.open();
});

/** A plan with a yes that nobody carried out yet. */
async function granted(lines: number): Promise<string> {
  const { id } = await harness.cancelling(lines);
  const { question } = await harness.ask(id);
  const dead = harness.process('dead');
  harness.end('dead');
  await harness.yes(question, undefined, dead);
  return id;
}

const failingActs = (problem: Error): PlanParts => ({
  ...harness.parts,
  actOf: () => {
    throw problem;
  },
});

describe('a step that was entered', () => {
  const entered = (hook: () => unknown) => {
    const { operations } = harness.state;
    const insert = operations.insert.bind(operations);
    vi.spyOn(operations, 'insert').mockImplementationOnce(async (...given) => {
      const result = await insert(...given);
      await hook();
      return result;
    });
  };

  test('is not sent if the plan was stopped meanwhile', async () => {
    const id = await granted(1);
    entered(() => harness.state.plans.stop(id, harness.clock.now()));
    await harness.during(runPlan(harness.parts, id));
    expect(harness.sent).toEqual([]);
    expect((await harness.view(id)).lines[0]).toMatchObject({
      state: 'not_begun',
      why: expect.stringContaining('stopped'),
    });
  });

  test('is not sent if it was asked anew meanwhile', async () => {
    const id = await granted(1);
    entered(async () => {
      const plan = await harness.state.plans.get(id);
      if (plan?.body === undefined || plan.question === undefined) throw new Error('no plan');
      const asked = { id, question: 'newer', expiresAt: plan.expiresAt, body: plan.body };
      await harness.state.plans.ask(asked, [], { operationId: plan.question, decision: 'granted' });
    });
    await harness.during(runPlan(harness.parts, id));
    expect(harness.sent).toEqual([]);
  });

  test('is not sent if the thirty minutes are over meanwhile', async () => {
    const id = await granted(1);
    const now = harness.clock.now.bind(harness.clock);
    entered(() => vi.spyOn(harness.clock, 'now').mockImplementation(() => now() + PLAN_YES_MS));
    await harness.during(runPlan(harness.parts, id));
    expect(harness.sent).toEqual([]);
  });
});

describe('the process that carries a plan out', () => {
  test('begins nothing more once another has its lease', async () => {
    harness.manners.set('B1', 'lost');
    harness.proves = 'void';
    const id = await granted(2);
    const { leases } = harness.state;
    const take = leases.take.bind(leases);
    let taken = 0;
    vi.spyOn(leases, 'take').mockImplementation(async (...given) => (++taken > 1 ? false : take(...given)));
    await harness.during(runPlan(harness.parts, id));
    expect(statesOf(await harness.view(id))).toEqual(['in_doubt', 'waiting']);
    expect(taken).toBe(3);
  });

  test('leaves for later what fails and leaves no trace', async () => {
    const id = await granted(1);
    harness.withheld.add('cancel_booking');
    vi.spyOn(harness.state.approvals, 'skip').mockResolvedValue(undefined);
    await harness.during(runPlan(harness.parts, id));
    expect(statesOf(await harness.view(id))).toEqual(['waiting']);
  });

  test('does not take a failure of the store for a pause', async () => {
    const id = await granted(1);
    vi.spyOn(harness.state.chain, 'status').mockRejectedValueOnce(new Error('the store is away'));
    await harness.during(runPlan(harness.parts, id));
    vi.spyOn(harness.state.chain, 'status').mockRejectedValueOnce(error('E_INTERNAL'));
    await harness.during(runPlan(harness.parts, id));
    expect(harness.failures).toHaveLength(2);
    expect((await harness.state.plans.get(id))?.stoppedAt).toBeUndefined();
    await harness.during(runPlan(harness.parts, id));
    expect(harness.sent).toHaveLength(1);
  });

  test.each([new TypeError('a mistake'), error('E_INTERNAL')])(
    'spends no yes on its own failure: %s',
    async (problem) => {
      const id = await granted(1);
      await harness.during(runPlan(failingActs(problem), id));
      expect(harness.failures).toEqual([problem]);
      expect(statesOf(await harness.view(id))).toEqual(['waiting']);
    },
  );

  test('uses the point of sale of the plan’s caller', async () => {
    const id = await granted(1);
    const asked: unknown[] = [];
    const of = (caller: unknown) => {
      asked.push(caller);
      return harness.parts;
    };
    await harness.during(runPlan({ ...harness.parts, of }, id));
    expect(asked).toEqual([{ tenant: 't', id: 'ann' }]);
    expect(harness.sent).toHaveLength(1);
  });
});

describe('a question of its own', () => {
  test('that cannot be asked keeps why; a mistake of this program does not', async () => {
    const id = await granted(1);
    const facts = await loadPlan(harness.parts.runtime, id);
    const step = facts && stepsNow(facts)[0]?.[0];
    if (facts === undefined || step === undefined) throw new Error('no step');
    await expect(askAgainAlone(failingActs(new TypeError('a mistake')), step, facts.body)).rejects.toThrow('a mistake');
    await askAgainAlone({ ...harness.parts, actOf: () => undefined }, step, facts.body);
    expect((await harness.view(id)).lines[0]).toMatchObject({
      state: 'skipped',
      why: expect.stringContaining('not offered'),
    });
  });
});

describe('a plan', () => {
  test('of acts that move no money is asked as a change', async () => {
    const [locator = ''] = harness.make(1);
    const { id } = await harness.propose([{ title: 'Update', steps: [{ tool: 'update_contact', args: { locator } }] }]);
    expect((await harness.ask(id)).question).toMatchObject({ nature: 'change', act: 'Carry out this line' });
  });

  test('leaves out what this server does not offer', async () => {
    harness.withheld.add('cancel_booking');
    const { lines, leftOut, id } = await harness.cancelling(1);
    expect(lines).toEqual([]);
    expect(leftOut[0]?.why).toContain('not offered');
    expect(await viewPlan(harness.parts, { caller: BOB }, id)).toBeUndefined();
    expect(await viewPlan(harness.parts, { caller: BOB }, 'pl_none')).toBeUndefined();
  });

  test('whose names were erased cannot be run', async () => {
    const plan = { id: 'pl_1', tenant: 't', caller: 'ann', createdAt: 0, expiresAt: harness.clock.now() + 1 };
    await harness.state.plans.put(plan);
    await expect(harness.run('pl_1')).rejects.toMatchObject({ code: 'E_APPROVAL_EXPIRED' });
  });

  test('keeps why each line is proposed, read after its previews, and says it in the question', async () => {
    const [first = '', second = ''] = harness.make(2);
    let previewed = 0;
    const act = harness.act.bind(harness);
    vi.spyOn(harness, 'act').mockImplementation((...given) => {
      previewed += 1;
      return act(...given);
    });
    const reasonsOf = async (locators: readonly string[]) => {
      expect([previewed, locators]).toEqual([2, [first, second]]);
      return new Map([[first, 'train 101 was cancelled']]);
    };
    const { id } = await propose(harness.parts, { caller: ANN }, [first, second].map(cancelLine), [], { reasonsOf });
    expect((await harness.view(id)).lines.map(({ reason }) => reason)).toEqual(['train 101 was cancelled', undefined]);
    const question = (await harness.run(id, { canElicit: true })) as Ask;
    expect(question.message).toContain(
      `1. Cancel booking ${first}: cancel_booking ${first}\nWhy: train 101 was cancelled\n`,
    );
  });

  test('keeps a line that names no booking without a reason', async () => {
    const { locator: _, ...line } = cancelLine(harness.make(1)[0] ?? '');
    const reasonsOf = async () => new Map([['B9', 'train 101 was cancelled']]);
    const { lines } = await propose(harness.parts, { caller: ANN }, [line], [], { reasonsOf });
    expect(lines.map(({ reason }) => reason)).toEqual([undefined]);
  });

  test('is refused for at least a minute, also if a plan is about to be erased', async () => {
    vi.spyOn(harness.state.plans, 'kept').mockResolvedValue({
      count: 50,
      firstExpiresAt: harness.clock.now() - KEEP_NAMES_MS,
    });
    await expect(harness.propose([cancelLine('B1')])).rejects.toMatchObject({
      code: 'E_LIMIT',
      next: expect.stringContaining('in about 1 minute;'),
      retry: 'after_s:60',
    });
  });

  test('is refused where the caller has fifty plans with their words, before anything is read', async () => {
    const { plans } = harness.state;
    const now = harness.clock.now();
    const body = { lines: [], terms: [], leftOut: [], notAsked: {} };
    const kept = (n: number, caller: string) =>
      plans.put({ id: `pl_${caller}${n}`, tenant: 't', caller, createdAt: now, expiresAt: now + n * 60_000, body });
    for (let n = 1; n <= 50; n++) await kept(n, 'ann');
    const [locator = ''] = harness.make(1);
    const read = vi.spyOn(harness, 'act');
    const refused = await harness.propose([cancelLine(locator)]).catch((problem) => problem);
    expect(refused).toMatchObject({
      code: 'E_LIMIT',
      effect: 'none',
      message: '50 plans of this caller are kept. Nothing was proposed or sent.',
      next: 'Call run_plan with a plan that was proposed before. The next one is erased in about 62 minutes; then call propose_plan again.',
      retry: 'after_s:3720',
    });
    expect(read).not.toHaveBeenCalled();
    expect((await harness.propose([cancelLine(locator)], { caller: BOB })).lines).toHaveLength(1);
  });

  test('pays no booking that the airline holds in another fare than the chosen one', async () => {
    const [old = ''] = harness.make(1);
    harness.fare = 'YOW';
    const { id } = await harness.propose([moveLine(old)]);
    const { question } = await harness.ask(id);
    harness.before = ({ tool }) => {
      if (tool === 'create_booking') harness.fare = 'OTHER';
    };
    await harness.yes(question);
    await harness.carriedOut(id);
    expect(harness.sent.map(({ tool }) => tool)).not.toContain('pay_booking');
  });
});
