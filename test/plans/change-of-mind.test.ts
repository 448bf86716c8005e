/** What a caller, a person and a program read when an act or a plan replaces the question about another, or a stop ends it. */

import { beforeEach, describe, expect, test } from 'vitest';
import { actCall } from '../../src/approvals/act-call.ts';
import { approvalStatus } from '../../src/approvals/approval-status.ts';
import { actSentence } from '../../src/approvals/asked-act.ts';
import { ACTS } from '../support/rules.ts';
import {
  ANN,
  type Ask,
  accept,
  cancelLine,
  moveLine,
  PlanHarness,
  payLine,
  planOf,
  type Result,
  statesOf,
  statusOf,
} from './plan-harness.ts';

let harness: PlanHarness;
beforeEach(async () => {
  harness = await PlanHarness.open();
});

type How = Partial<Parameters<PlanHarness['run']>[1]>;

/** Calls an act of a booking, by itself. */
async function act(tool: string, locator: string, how: How = {}, approvalId?: unknown) {
  const asker = { caller: ANN, ...how };
  const { runtime, settings } = harness.planner;
  return harness.during(actCall({ act: harness.act(tool, { locator }, asker), asker, runtime, settings }, approvalId));
}
const textOf = (answer: unknown) => (answer as Result).text ?? (answer as Ask).message;
const handleOf = (answer: unknown) => (answer as { handle?: string }).handle ?? '';
const openNow = async () => (await harness.state.approvals.waiting(harness.clock.now())).map(({ tool }) => tool);
const latest = async () => {
  const [question] = (await harness.state.approvals.waiting(harness.clock.now())).slice(-1);
  if (question === undefined) throw new Error('nothing is open');
  return question;
};
const kept = async (id: string) => {
  const found = await harness.state.approvals.byOperation(id);
  if (found === undefined) throw new Error('not kept');
  return found;
};
const yesIn = (asked: unknown) => ({
  canElicit: true,
  dialog: { handle: handleOf(asked), raw: accept((asked as Ask).form.properties.decision.enum[1] ?? '') },
});

describe('an act about a booking of a plan that waits', () => {
  test('replaces the plan whole, and names the bookings that are asked about no more', async () => {
    const { id, question, handle } = await harness.asked(3);
    const told = await act('cancel_booking', 'B1');
    expect(textOf(told)).toContain(
      `This question replaces an earlier one (${actSentence(question.act)}, operation ${question.operationId}), so approving that one does nothing. What that one asked about B2, B3 is no longer asked.`,
    );
    expect(await openNow()).toEqual(['cancel_booking']);
    // The older yes, on the page: it says so, and does nothing.
    const outcome = await harness.yes(question);
    expect(outcome).toEqual({
      kind: 'unknown',
      title: 'A newer question replaced this one',
      lines: [
        'The assistant asked again about the same booking. Nothing was sent for this question, and nothing will be.',
      ],
    });
    const shown = approvalStatus(ACTS, await kept(question.operationId), undefined, harness.clock.now());
    expect(shown).toMatchObject({ title: 'A newer question replaced this one' });
    await expect(harness.run(id, {}, handle)).rejects.toMatchObject({ code: 'E_APPROVAL_EXPIRED' });
    expect(harness.sent).toEqual([]);
  });

  test('is not replaced again by who follows the plan: it tells its state, and only again: true asks', async () => {
    const { id } = await harness.asked(2);
    await act('cancel_booking', 'B1');
    const told = (await harness.run(id)) as Result;
    expect(planOf(told).state).toBe('replaced');
    expect(told.text).toContain(`Plan ${id}: replaced by a newer question, nothing was sent. 2 not started.`);
    expect(told.text).toContain(`call run_plan with plan_id ${id} and again: true`);
    expect(await openNow()).toEqual(['cancel_booking']);
    const again = await harness.ask(id, { again: true });
    expect(await openNow()).toEqual(['run_plan']);
    await harness.yes(again.question);
    expect(statesOf(await harness.carriedOut(id))).toEqual(['done', 'done']);
  });

  test('ends a call that waits for the answer on the page', async () => {
    harness.settings = { ...harness.settings, waitMs: 60_000 };
    const { id } = await harness.asked(2);
    const waiting = harness.run(id);
    await act('cancel_booking', 'B2');
    expect(planOf(await waiting).state).toBe('replaced');
  });

  test('takes the yes from the dialog of the plan', async () => {
    const { id } = await harness.cancelling(2);
    const dialog = await harness.run(id, { canElicit: true });
    const newer = await act('cancel_booking', 'B1', { canElicit: true });
    expect((newer as Ask).message).toContain('This question replaces an earlier one');
    await expect(harness.run(id, yesIn(dialog))).rejects.toMatchObject({
      code: 'E_APPROVAL_EXPIRED',
      message: expect.stringContaining(
        'replaced this one. Nothing was sent for this one, and approving it does nothing.',
      ),
    });
    expect(harness.sent).toEqual([]);
    expect(statusOf(await act('cancel_booking', 'B1', yesIn(newer)))).toBe('done');
    expect(harness.sent).toHaveLength(1);
  });

  test.each(['assign_seats', 'request_service', 'update_contact', 'change_names'])(
    '%s of it stands beside, and so does the plan',
    async (tool) => {
      const { id, question } = await harness.asked(2);
      expect(textOf(await act(tool, 'B1'))).not.toContain('replaces');
      expect(await openNow()).toEqual(['run_plan', tool]);
      await harness.yes(question);
      expect(statesOf(await harness.carriedOut(id))).toEqual(['done', 'done']);
    },
  );

  test('lets what was answered before go on', async () => {
    const { id, question } = await harness.asked(2);
    harness.before = async () => {
      harness.before = () => undefined;
      expect(
        textOf(await act('cancel_booking', 'B2').catch(({ message }: Error) => ({ text: message }))),
      ).not.toContain('replaces');
    };
    await harness.yes(question);
    expect(statesOf(await harness.carriedOut(id))).toEqual(['done', 'done']);
  });
});

describe('a plan about a booking that waits', () => {
  test('replaces the act, whose older yes does nothing, and says so', async () => {
    harness.make(2);
    await act('cancel_booking', 'B1');
    const older = await latest();
    const { id } = await harness.propose(['B1', 'B2'].map(cancelLine));
    const asked = await harness.run(id);
    expect(textOf(asked)).toContain(
      `(cancel_booking B1, operation ${older.operationId}), so approving that one does nothing.`,
    );
    expect(textOf(asked)).not.toContain('asked no more');
    expect(await openNow()).toEqual(['run_plan']);
    expect(await harness.yes(older)).toMatchObject({ title: 'A newer question replaced this one' });
    expect(harness.sent).toEqual([]);
  });

  test('replaces another plan whole, also one that would move it', async () => {
    harness.make(3);
    const first = await harness.asked([moveLine('B1'), cancelLine('B2')]);
    const second = await harness.propose(['B1', 'B3'].map(cancelLine));
    const asked = await harness.run(second.id);
    expect(textOf(asked)).toContain('What that one asked about B2 is no longer asked.');
    expect(await harness.yes(first.question)).toMatchObject({ title: 'A newer question replaced this one' });
    await harness.yes(await latest());
    expect(statesOf(await harness.carriedOut(second.id))).toEqual(['done', 'done']);
    expect(harness.sent.map(({ locator }) => locator)).toEqual(['B1', 'B3']);
  });

  test('names in its question what stays open about its bookings', async () => {
    harness.make(2);
    await act('assign_seats', 'B1');
    const seats = await latest();
    const { id } = await harness.propose(['B1', 'B2'].map(cancelLine));
    const seatWords = `assign_seats B1 (booking B1, operation ${seats.operationId})`;
    expect(textOf(await harness.run(id))).toContain(`Also open: ${seatWords}. It stays beside this question.`);
    const seatsLine = (locator: string) => ({
      title: `Assign seats: ${locator}`,
      locator,
      steps: [{ tool: 'assign_seats', args: { locator } }],
    });
    await harness.run((await harness.propose(['B1', 'B2'].map(seatsLine))).id);
    const second = await harness.propose([cancelLine('B1')]);
    expect(textOf(await harness.run(second.id))).toContain('(bookings B1, B2, operation');
  });
});

describe('stop before an answer', () => {
  test('withdraws the question: nothing was done, and the page and the inbox take no yes', async () => {
    const { id, question, handle } = await harness.asked(2);
    const told = (await harness.run(id, {}, undefined, { stop: true })) as Result;
    expect(planOf(told).state).toBe('withdrawn');
    expect(told.text).toContain(`Plan ${id}: withdrawn, nothing was done. 2 not started.`);
    expect(await openNow()).toEqual([]);
    const outcome = await harness.yes(question);
    expect(outcome).toEqual({
      kind: 'unknown',
      title: 'This question was withdrawn',
      lines: [
        'The assistant stopped the plan before it was answered. Nothing was done, and nothing will be.',
        'If it is still wanted, the assistant can start again.',
      ],
    });
    const shown = approvalStatus(ACTS, await kept(question.operationId), undefined, harness.clock.now());
    expect(shown).toMatchObject({ title: 'This question was withdrawn' });
    await expect(harness.run(id, {}, handle)).rejects.toMatchObject({
      code: 'E_APPROVAL_EXPIRED',
      message: expect.stringContaining('approving it does nothing'),
      next: expect.stringContaining('again: true'),
    });
    expect(harness.sent).toEqual([]);
    // A stop again, and asking how it is, change nothing. Only again: true asks.
    for (const over of [{ stop: true }, {}])
      expect(planOf(await harness.run(id, {}, undefined, over)).state).toBe('withdrawn');
    expect(statesOf(await harness.playedAgain(id))).toEqual(['done', 'done']);
  });

  test('takes the yes from the dialog', async () => {
    const { id } = await harness.cancelling(2);
    const dialog = await harness.run(id, { canElicit: true });
    await harness.run(id, {}, undefined, { stop: true });
    await expect(harness.run(id, yesIn(dialog))).rejects.toMatchObject({ code: 'E_APPROVAL_EXPIRED' });
    expect(harness.sent).toEqual([]);
  });

  test('of a question for the rest leaves what was done before, and says so', async () => {
    harness.make(2);
    harness.manners.set('B2', 'refused');
    const { id } = await harness.playedThrough(['B1', 'B2'].map(cancelLine));
    const { question } = await harness.ask(id, { again: true });
    const told = (await harness.run(id, {}, undefined, { stop: true })) as Result;
    expect(told.text).toContain('withdrawn, nothing more was done');
    const outcome = await harness.yes(question);
    expect(outcome.lines[0]).toBe('Nothing more was sent. What was done before stays done:');
    expect(harness.sent).toHaveLength(2);
  });

  test('that an earlier program noted without closing the question still takes no yes', async () => {
    const { id, question } = await harness.asked(1);
    const { state } = harness;
    const { question: _, ...proposed } = (await state.plans.get(id)) ?? {};
    // As that program left it.
    const old = { ...proposed, id: 'pl_old', stoppedAt: 1, question: 'old0' };
    await state.plans.put(old as Parameters<typeof state.plans.put>[0]);
    for (const { part, ...approval } of (await state.plans.approvals(id)).toSorted(
      (a, b) => a.part.line - b.part.line,
    )) {
      const ids = { handleHash: `old${part.line}`, operationId: `old${part.line}` };
      await state.approvals.put({ ...approval, ...ids, part: { ...part, plan: 'pl_old', question: 'old0' } });
    }
    expect(question.decision).toBe('pending');
    expect((await harness.view('pl_old')).state).toBe('withdrawn');
    expect(await harness.yes({ operationId: 'old0' })).toMatchObject({ title: 'This question was withdrawn' });
    expect((await kept('old0')).decision).toBe('pending');
    expect(harness.sent).toEqual([]);
    // A no is taken, and a stop closes it.
    await harness.run('pl_old', {}, undefined, { stop: true });
    expect((await kept('old0')).voidWhy).toBe('stopped');
  });
});

describe('an upgrade of the server', () => {
  /** Copies the plan as the conversion of the tables leaves it: without its terms, its question and steps void. */
  async function ended(id: string, over: object): Promise<string> {
    const { state } = harness;
    const { body: _, question: __, ...plan } = (await state.plans.get(id)) ?? {};
    const copy = { ...plan, id: 'pl_ended', ...over } as Parameters<typeof state.plans.put>[0];
    await state.plans.put(copy);
    return copy.id;
  }

  test('ends a plan that waits for its answer: the page, the call and the status say so, and nothing is sent', async () => {
    const { id, question, handle } = await harness.asked(1);
    const plan = await ended(id, { question: 'ended0' });
    const approvals = await harness.state.plans.approvals(id);
    for (const { part, ...approval } of approvals.toSorted((a, b) => a.part.line - b.part.line)) {
      const ids = { handleHash: `ended${part.line}`, operationId: `ended${part.line}` };
      const over = { decision: 'void', voidWhy: 'upgraded', part: { ...part, plan, question: 'ended0' } } as const;
      await harness.state.approvals.put({ ...approval, ...ids, ...over });
    }
    const told = (await harness.run(plan)) as Result;
    expect(planOf(told).state).toBe('withdrawn');
    expect(told.text).toContain('not started. An upgrade ended this question.');
    expect(told.text).toContain('If it is still wanted, call propose_plan again');
    expect(told.text).not.toContain('again: true');
    const page = approvalStatus(ACTS, await kept('ended0'), undefined, harness.clock.now());
    expect(page).toMatchObject({ title: 'An upgrade ended this question' });
    expect(await harness.yes({ operationId: 'ended0' })).toMatchObject({ title: 'An upgrade ended this question' });
    expect([question.decision, handle, harness.sent]).toEqual(['pending', expect.any(String), []]);
  });

  test('ends a plan that nobody was asked about, and a call of it says what to do', async () => {
    harness.make(1);
    const plan = await ended((await harness.propose([cancelLine('B1')])).id, {});
    await expect(harness.run(plan)).rejects.toMatchObject({
      code: 'E_APPROVAL_EXPIRED',
      message: expect.stringContaining('an upgrade of the server'),
      next: expect.stringContaining('propose_plan'),
    });
  });

  test('ends a yes that nothing was sent for, and its call says so', async () => {
    harness.make(1);
    const asked = (await act('cancel_booking', 'B1')) as Result;
    const { id } = asked.structured.approval as { id: string };
    const { handleHash } = await latest();
    await harness.state.approvals.decide(handleHash, { decision: 'granted', assurance: 'page' }, harness.clock.now());
    // As the conversion of the tables leaves it.
    await harness.state.approvals.makeVoid(handleHash, 'upgraded' as 'not_done');
    await expect(act('cancel_booking', 'B1', {}, id)).rejects.toMatchObject({
      code: 'E_APPROVAL_EXPIRED',
      message: 'The server was upgraded before this was carried out, which ended its question. Nothing was sent.',
      next: 'Call cancel_booking without approval_id to ask again.',
    });
    expect(harness.sent).toEqual([]);
  });

  test("ends a plan's question, and a call with its approval_id says to propose the plan again", async () => {
    const { id, question, handle } = await harness.asked(1);
    await harness.state.approvals.decide(
      question.handleHash,
      { decision: 'granted', assurance: 'page' },
      harness.clock.now(),
    );
    // As the conversion of the tables leaves a question, but for the time of its answer.
    await harness.state.approvals.makeVoid(question.handleHash, 'upgraded' as 'not_done');

    await expect(harness.run(id, {}, handle)).rejects.toMatchObject({
      code: 'E_APPROVAL_EXPIRED',
      next: 'If it is still wanted, call propose_plan again, which reads the terms again.',
    });
    expect(harness.sent).toEqual([]);
  });
});

test('of twenty acts and plans that are asked at once one question is open, and every older yes does nothing', async () => {
  harness.make(2);
  const plans: string[] = [];
  for (let i = 0; i < 5; i++)
    plans.push((await harness.propose([i % 2 ? payLine('B1') : cancelLine('B1'), cancelLine('B2')])).id);
  const tools = ['pay_booking', 'cancel_booking', 'cancel_segment'];
  const calls = Array.from({ length: 20 }, (_, i) => {
    const plan = plans[i % 4 === 0 ? i / 4 : -1];
    return plan === undefined ? act(tools[i % 3] ?? '', 'B1') : harness.run(plan);
  });
  const answers = await Promise.allSettled(calls);
  const [open, ...others] = await harness.state.approvals.waiting(harness.clock.now());
  expect(others).toEqual([]);
  const ids = answers.flatMap((one) =>
    one.status === 'fulfilled' ? [(one.value as Result).structured.operation_id] : [],
  );
  expect(ids.length).toBeGreaterThan(5);
  for (const id of new Set(ids.map(String))) {
    if (id === open?.operationId) continue;
    expect(await harness.yes({ operationId: id })).toMatchObject({ title: 'A newer question replaced this one' });
  }
  expect(harness.sent).toEqual([]);
});
