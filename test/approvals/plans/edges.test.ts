import { beforeEach, describe, expect, test, vi } from 'vitest';
import { askAgainAlone } from '../../../src/approvals/plans/ask-again.ts';
import type { PlanParts } from '../../../src/approvals/plans/parts.ts';
import { PLAN_YES_MS } from '../../../src/approvals/plans/plan.ts';
import { viewPlan } from '../../../src/approvals/plans/propose.ts';
import { runPlan } from '../../../src/approvals/plans/run.ts';
import { stepsNow } from '../../../src/approvals/plans/status.ts';
import { loadPlan } from '../../../src/approvals/plans/view.ts';
import { error } from '../../journal/harness.ts';
import { BOB, moveLine, PlanHarness, statesOf } from './plan-harness.ts';

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
