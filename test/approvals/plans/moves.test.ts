import { beforeEach, describe, expect, test } from 'vitest';
import { lineMoney } from '../../../src/approvals/plans/line-words.ts';
import { cancelLine, moveLine, PlanHarness, type Result, SAR, statesOf } from './plan-harness.ts';

let harness: PlanHarness;
let old: string;
beforeEach(async () => {
  harness = await PlanHarness.open();
  [old = ''] = harness.make(1);
});

const sent = () => harness.sent.map(({ tool, locator }) => `${tool} ${locator}`.trim());

/** The new booking is `B2`'s successor: the harness counts on. */
const NEW = 'N2';

describe('a move', () => {
  test('holds, pays what was held, and then cancels the old booking', async () => {
    const view = await harness.whole([moveLine(old)]);
    expect(statesOf(view)).toEqual(['done']);
    expect(sent()).toEqual(['create_booking', `pay_booking ${NEW}`, `cancel_booking ${old}`]);
    expect(view.lines[0]?.steps.map(({ state }) => state)).toEqual(['done', 'done', 'done']);
    expect(view.sums).toEqual([{ paid: SAR(10_000), comesBack: SAR(9_000) }]);
    // What only compensates is not needed, and is written down as such.
    expect(await harness.state.plans.unfinished(0)).toEqual([]);
  });

  test('pays nothing and releases the hold if the new booking costs something else', async () => {
    const { id, question } = await harness.asked([moveLine(old)]);
    harness.priceOfNew = 12_000;
    await harness.yes(question);
    const view = await harness.carriedOut(id);
    expect(sent()).toEqual(['create_booking', `cancel_booking ${NEW}`]);
    expect(view.lines[0]).toMatchObject({ state: 'skipped', why: expect.stringContaining('hold was released') });
    expect(harness.kept(old).gone).toBe(false);
  });

  test('pays nothing and releases the hold if another amount has the same words', async () => {
    const { id, question } = await harness.asked([moveLine(old)]);
    const money = { direction: 'payment', amount: SAR(12_000) } as const;
    harness.over = (_, tool) => (tool === 'pay_booking' ? { money } : {});
    await harness.yes(question);
    await harness.carriedOut(id);
    expect(sent()).toEqual(['create_booking', `cancel_booking ${NEW}`]);
  });

  test('pays nothing and releases the hold if cancelling the old one means something else by then', async () => {
    const { id, question } = await harness.asked([moveLine(old)]);
    harness.before = ({ tool }) => {
      if (tool === 'create_booking') harness.drift(old);
    };
    await harness.yes(question);
    const view = await harness.carriedOut(id);
    expect(sent()).toEqual(['create_booking', `cancel_booking ${NEW}`]);
    expect(view.lines[0]?.why).toContain('What comes after it changed');
  });

  test('releases the hold if the payment is refused, and asks for the whole line anew', async () => {
    harness.manners.set('pay_booking', 'refused');
    const view = await harness.whole([moveLine(old)]);
    expect(sent()).toEqual(['create_booking', `pay_booking ${NEW}`, `cancel_booking ${NEW}`]);
    expect(view.lines[0]?.state).toBe('skipped');
    // The hold is gone.
    expect(view.lines[0]).not.toHaveProperty('newLocator');
    harness.manners.clear();
    const again = await harness.ask(view.id, { again: true });
    await harness.yes(again.question);
    expect(statesOf(await harness.carriedOut(view.id))).toEqual(['done']);
    expect(sent().slice(3)).toEqual(['create_booking', 'pay_booking N3', `cancel_booking ${old}`]);
  });

  test('does not release a hold whose payment is in doubt', async () => {
    harness.manners.set('pay_booking', 'lost');
    harness.proves = 'contradicted';
    const view = await harness.whole([moveLine(old)]);
    expect(view.lines[0]?.state).toBe('needs_person');
    expect(sent()).toEqual(['create_booking', `pay_booking ${NEW}`]);
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
      why: `Done: Hold (Booked as ${NEW}). NOT done: Pay SAR 10000; cancel_booking ${old}. The plan was stopped.`,
    });
    harness.before = () => undefined;
    const again = await harness.ask(id, { again: true });
    await harness.yes(again.question);
    expect(statesOf(await harness.carriedOut(id))).toEqual(['done']);
    expect(sent()).toEqual(['create_booking', `pay_booking ${NEW}`, `cancel_booking ${old}`]);
  });

  test('asks the person at once if cancelling drifted after the payment, and goes on with the other lines', async () => {
    const [other = ''] = harness.make(1);
    harness.before = ({ tool }) => {
      if (tool === 'pay_booking') harness.drift(old);
    };
    const view = await harness.whole([moveLine(old), cancelLine(other)]);
    expect(statesOf(view)).toEqual(['asks_again', 'done']);
    const [alone] = await harness.state.approvals.waiting(harness.clock.now());
    expect(alone).toMatchObject({ tool: 'cancel_booking', locator: old, part: { line: 1, step: 2, alone: true } });
    const outcome = await harness.yes({ operationId: alone?.operationId ?? '' });
    expect(outcome.kind).toBe('done');
    expect(statesOf(await harness.view(view.id))).toEqual(['done', 'done']);
    expect(sent().filter((one) => one === `cancel_booking ${old}`)).toHaveLength(1);
  });

  test('asks the person at once if cancelling is refused after the payment, whatever the reason', async () => {
    harness.before = ({ tool }) => {
      if (tool === 'pay_booking') harness.manners.set(old, 'refused');
    };
    const view = await harness.whole([moveLine(old)]);
    expect(view.lines[0]?.state).toBe('asks_again');
    const answer = (await harness.run(view.id)) as Result;
    expect(answer.structured.status).toBe('approval_required');
    expect(answer.text).toContain('A person must answer on the approval page or with `fareclerk approve');
    // The person must know what is paid already, under which name.
    expect(answer.text).toContain(`Done: Hold (Booked as ${NEW}); Pay SAR 10000. NOT done: cancel_booking ${old}.`);
    const { lines } = answer.structured.plan as { lines: readonly object[] };
    expect(lines[0]).toMatchObject({ new_locator: NEW, paid: 'SAR 100.00' });
    expect(lines[0]).not.toHaveProperty('came_back');
    expect(await harness.state.approvals.waiting(harness.clock.now())).toHaveLength(1);
    const publicUrl = 'https://desk.example/approve/1';
    const page = { canOpen: () => true, open: async () => ({ opened: false, publicUrl }) };
    harness.settings = { ...harness.settings, page };
    expect(((await harness.run(view.id)) as Result).text).toContain(`The page of that question: ${publicUrl}`);
  });

  test('pays nothing if the tool that cancels is not offered any more', async () => {
    harness.before = ({ tool }) => {
      if (tool === 'create_booking') harness.withheld.add('cancel_booking');
    };
    const view = await harness.whole([moveLine(old)]);
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
    expect(told.text).toContain('In all SAR 100.00 was paid, and SAR 0.00 came back.');
    expect(told.text).toContain('Do not propose or book it anew');
    expect((await harness.yes(question)).kind).toBe('failed');
    harness.before = () => undefined;
    const again = await harness.ask(id, { again: true });
    expect(again.question.act).toBe('Carry out this line: nothing is paid; about SAR 90.00 comes back');
    const asked = await harness.view(id);
    expect(asked.sums).toEqual([{ paid: SAR(0), comesBack: SAR(9_000) }]);
    expect(asked.lines.flatMap(lineMoney)).toEqual(['about SAR 90.00 comes back']);
    expect((await harness.no(again.question)).lines[0]).toBe('Nothing more was sent. What was done before stays done:');
    const third = await harness.ask(id, { again: true });
    await harness.yes(third.question);
    expect(statesOf(await harness.carriedOut(id))).toEqual(['done']);
    expect(sent()).toEqual(['create_booking', `pay_booking ${NEW}`, `cancel_booking ${old}`]);
  });

  test('pays nothing if the cancelling after it would go over the limit of the day, or its booking is busy', async () => {
    const { id, question } = await harness.asked([moveLine(old)]);
    harness.settings = { ...harness.settings, limits: { perDay: SAR(15_000) } };
    await harness.yes(question);
    const view = await harness.carriedOut(id);
    expect(sent()).toEqual(['create_booking', `cancel_booking ${NEW}`]);
    expect(view.lines[0]).toMatchObject({ state: 'skipped', why: expect.stringContaining('hold was released') });
    expect(await harness.state.approvals.waiting(harness.clock.now())).toEqual([]);
  });
});

describe('what compensates', () => {
  test('moves no money: such a line is left out', async () => {
    const line = moveLine(old);
    const paid = { direction: 'payment' as const, amount: SAR(1) };
    const steps = line.steps.map((step) =>
      step.insteadOf === undefined || step.bound === undefined
        ? step
        : { ...step, bound: { ...step.bound, money: paid } },
    );
    const { lines, leftOut } = await harness.propose([{ ...line, steps }]);
    expect(lines).toEqual([]);
    expect(leftOut[0]?.why).toContain('Only what is free');
  });

  test('is not sent if the hold was paid elsewhere meanwhile', async () => {
    harness.manners.set('pay_booking', 'refused');
    harness.before = ({ tool }) => {
      if (tool === 'pay_booking') harness.kept(NEW).paid = true;
    };
    const view = await harness.whole([moveLine(old)]);
    expect(sent()).toEqual(['create_booking', `pay_booking ${NEW}`]);
    expect(view.lines[0]?.state).toBe('partly_done');
  });
});
