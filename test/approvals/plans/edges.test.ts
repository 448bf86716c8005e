import { beforeEach, describe, expect, test, vi } from 'vitest';
import { propose, viewPlan } from '../../../src/approvals/plans/propose.ts';
import { error } from '../../journal/harness.ts';
import { ANN, type Ask, BOB, cancelLine, moveLine, type Parts, PlanHarness, statesOf, YES_MS } from './plan-harness.ts';

let harness: PlanHarness;
beforeEach(async () => {
  harness = await PlanHarness.open();
});

const failingActs = (problem: Error): Parts => ({
  ...harness.parts,
  actOf: () => {
    throw problem;
  },
});

describe('a step that was entered', () => {
  test.each<[string, (id: string) => unknown]>([
    ['the plan was stopped', (id) => harness.state.plans.stop(id, harness.clock.now())],
    [
      'it was asked anew',
      async (id) => {
        const { question, body, expiresAt } = (await harness.state.plans.get(id)) ?? {};
        if (body === undefined || question === undefined || expiresAt === undefined) throw new Error('no plan');
        const asked = { id, question: 'newer', expiresAt, body };
        await harness.state.plans.ask(asked, [], { operationId: question, decision: 'granted' });
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
  test('begins nothing more once another has its lease', async () => {
    harness.manners.set('B1', 'lost');
    harness.proves = 'void';
    const id = await harness.granted(2);
    const { leases } = harness.state;
    const take = leases.take.bind(leases);
    let taken = 0;
    vi.spyOn(leases, 'take').mockImplementation(async (...given) => (++taken > 1 ? false : take(...given)));
    await harness.carry(id);
    expect(statesOf(await harness.view(id))).toEqual(['in_doubt', 'waiting']);
    expect(taken).toBe(3);
  });

  test('leaves for later what fails and leaves no trace', async () => {
    const id = await harness.granted(1);
    harness.withheld.add('cancel_booking');
    vi.spyOn(harness.state.approvals, 'skip').mockResolvedValue(undefined);
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
    const of = vi.fn(() => harness.parts);
    await harness.carry(id, { ...harness.parts, of });
    expect(of.mock.calls).toEqual([[ANN]]);
    expect(harness.sent).toHaveLength(1);
  });

  test('fails for a plan that is not there', async () => {
    await harness.carry('pl_none');
    expect(harness.failures).toEqual([new RangeError('there is no plan pl_none')]);
  });

  test('keeps why it cannot ask again about what comes after a payment; a mistake of this program is none', async () => {
    const [locator = ''] = harness.make(1);
    const stale = {
      error: { code: 'E_APPROVAL_STALE', message: 'Stale.', next: '', effect: 'none', retry: 'never' },
    } as const;
    await harness.stored(
      [{}, { after: [0], args: { locator } }],
      [
        [{}, { state: 'succeeded', direction: 'payment' }],
        [{}, { state: 'not_executed', outcome: stale }],
      ],
    );
    const mistake = new TypeError('a mistake');
    await harness.carry('pl_1', failingActs(mistake));
    expect(harness.failures).toEqual([mistake]);
    harness.withheld.add('cancel_booking');
    await harness.carry('pl_1');
    const why = expect.stringContaining('not offered');
    expect((await harness.view('pl_1')).lines[0]?.steps[1]).toMatchObject({ state: 'skipped', why });
  });
});

describe('a plan', () => {
  test('of acts that move no money is asked as a change', async () => {
    const [locator = ''] = harness.make(1);
    const { id } = await harness.propose([{ title: 'Update', steps: [{ tool: 'update_contact', args: { locator } }] }]);
    expect((await harness.ask(id)).question).toMatchObject({ nature: 'change', act: 'Carry out this line' });
  });

  test('leaves out what this server does not offer, and no mistake of this program', async () => {
    await expect(
      propose(failingActs(new TypeError('a mistake')), { caller: ANN }, [cancelLine('B1')], []),
    ).rejects.toThrow('a mistake');
    harness.withheld.add('cancel_booking');
    const { lines, leftOut, id } = await harness.cancelling(1);
    expect([lines, leftOut[0]?.why]).toEqual([[], expect.stringContaining('not offered')]);
    expect(await viewPlan(harness.parts, { caller: BOB }, id)).toBeUndefined();
    expect(await viewPlan(harness.parts, { caller: ANN }, 'pl_none')).toBeUndefined();
  });

  test('whose names were erased cannot be run', async () => {
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
    const { id } = await propose(harness.parts, { caller: ANN }, lines, [], { reasonsOf });
    const reasons = (await harness.view(id)).lines.map(({ reason }) => reason);
    expect(reasons).toEqual(['train 101 was cancelled', undefined, undefined]);
    const question = (await harness.run(id, { canElicit: true })) as Ask;
    expect(question.message).toContain(
      `1. Cancel booking ${first}: cancel_booking ${first}\nWhy: train 101 was cancelled\n`,
    );
  });

  test('is refused where the caller has fifty plans with their words, before anything is read', async () => {
    const { plans } = harness.state;
    const now = harness.clock.now();
    const body = { lines: [], terms: [], leftOut: [], notAsked: {} };
    for (let n = 1; n <= 50; n++)
      await plans.put({ id: `pl_${n}`, tenant: 't', caller: 'ann', createdAt: now, expiresAt: now + n * 60_000, body });
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

  test('pays no booking that the airline holds in another fare than the chosen one', async () => {
    const [old = ''] = harness.make(1);
    harness.fare = 'YOW';
    const { id, question } = await harness.asked([moveLine(old)]);
    harness.before = ({ tool }) => {
      if (tool === 'create_booking') harness.fare = 'OTHER';
    };
    await harness.yes(question);
    await harness.carriedOut(id);
    expect(harness.sent.map(({ tool }) => tool)).not.toContain('pay_booking');
  });
});
