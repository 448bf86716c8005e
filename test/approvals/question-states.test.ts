/** Each row of the life of an approval (docs/reference/architecture.md), played once: what stands in the last column is so. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { cancelLine, PlanHarness, type Result as PlanResult, planOf } from '../plans/plan-harness.ts';
import { accept, CallHarness, idOf, page, payTerms, refusal, statusOf, textOf } from './harness.ts';

const MINUTE = 60_000;
const NO = accept('no');
const OTHER = { args: { locator: 'ABC123', payment: { holder_name: 'ANN' } } };

/** A desk with a question in the dialog. */
async function asked(settings: Partial<CallHarness['settings']> = {}) {
  const desk = await CallHarness.open();
  desk.set({ dialogFloorMs: 1_500, waitMs: 0, page: page(), ...settings });
  const { handle } = await desk.ask();
  const { operationId = '' } = (await desk.waiting()) ?? {};
  desk.clock.jump(2_000);
  return { desk, handle, operationId, kept: () => desk.state.approvals.byOperation(operationId) };
}
type Asked = Awaited<ReturnType<typeof asked>>;

/** With a yes that nobody carried out yet. */
async function granted(): Promise<Asked> {
  const one = await asked();
  await one.desk.granted();
  return one;
}

/** A plan of two cancellations, with its question on the page. */
async function plan() {
  const harness = await PlanHarness.open();
  const { id, question } = await harness.asked(harness.make(2).map(cancelLine));
  return { harness, id, question, kept: () => harness.state.approvals.byOperation(question.operationId) };
}

async function refusedAs(code: string, work: Promise<unknown>, desk: CallHarness): Promise<void> {
  expect([(await refusal(work)).code, desk.sends]).toEqual([code, 0]);
}

async function replacedByOtherArguments(): Promise<void> {
  const { desk, handle, kept } = await asked();
  await desk.call({}, undefined, OTHER);
  await refusedAs('E_APPROVAL_EXPIRED', desk.answer(handle), desk);
  const { operationId: replacedBy } = (await desk.waiting()) ?? {};
  expect(await kept()).toMatchObject({ decision: 'replaced', replacedBy });
}

async function replacedByAnotherAct(): Promise<void> {
  const { desk, handle, kept } = await asked();
  await desk.call({}, undefined, { tool: 'cancel_booking' });
  await refusedAs('E_APPROVAL_EXPIRED', desk.answer(handle), desk);
  expect(await kept()).toMatchObject({ decision: 'replaced' });
  const { harness, question, ...first } = await plan();
  const second = await harness.propose([cancelLine('B2')]);
  expect((await harness.run(second.id)) as PlanResult).toMatchObject({ structured: { status: 'approval_required' } });
  expect(await harness.yes(question)).toMatchObject({ kind: 'unknown' });
  expect([await first.kept(), harness.sent]).toMatchObject([{ decision: 'replaced' }, []]);
}

async function stoppedWithItsPlan(): Promise<void> {
  const { harness, id, question, kept } = await plan();
  expect(planOf(await harness.run(id, {}, undefined, { stop: true })).state).toBe('withdrawn');
  expect(await harness.yes(question)).toMatchObject({ kind: 'unknown' });
  expect([await kept(), harness.sent]).toMatchObject([{ decision: 'void', voidWhy: 'stopped' }, []]);
}

async function doneUnderAnotherQuestion(): Promise<void> {
  const { desk, operationId, kept } = await asked();
  await desk.call({ caller: { tenant: 't', id: 'bob' } });
  const bobs = (await desk.state.approvals.waiting(desk.clock.now())).find((one) => one.operationId !== operationId);
  await desk.decide(true, { operationId: bobs?.operationId ?? '' });
  expect([await kept(), desk.sends]).toMatchObject([{ decision: 'void', voidWhy: 'done_elsewhere' }, 1]);
}

async function bookingChanged(): Promise<void> {
  const desk = await CallHarness.open();
  desk.set({ approval: 'page', page: page(), waitMs: 0 });
  const over = (segment_ref: string) => ({ tool: 'cancel_segment', args: { locator: 'ABC123', segment_ref } });
  const mine = await desk.result({}, undefined, over('1'));
  desk.terms = payTerms({ subject: { kind: 'cancel_booking' } });
  await desk.result({ caller: { tenant: 't', id: 'bob' } }, undefined, over('2'));
  desk.terms = payTerms();
  const operationId = String(mine.structured.operation_id);
  const bobs = (await desk.state.approvals.waiting(desk.clock.now())).find((one) => one.operationId !== operationId);
  await desk.decide(true, { operationId, actOf: () => desk.bound(over('1')) });
  const kept = await desk.state.approvals.byOperation(bobs?.operationId ?? '');
  expect([kept, desk.sends]).toMatchObject([{ decision: 'void', voidWhy: 'booking_changed' }, 1]);
}

/** By state and event, as in the table. */
const PLAYS: Readonly<Record<string, () => Promise<void>>> = {
  'asked: a person says yes: in the dialog, page or terminal': async () => {
    const { desk, handle, kept } = await asked();
    await desk.answer(handle);
    expect([await kept(), desk.sends]).toMatchObject([{ decision: 'granted', assurance: 'person' }, 1]);
    // The terminal answers as the page does.
    const other = await asked();
    await other.desk.decide(true);
    expect([await other.kept(), other.desk.sends]).toMatchObject([{ decision: 'granted', assurance: 'page' }, 1]);
  },
  'asked: a person says no': async () => {
    const { desk, handle, kept } = await asked();
    await refusedAs('E_APPROVAL_DECLINED', desk.answer(handle, NO), desk);
    expect(await kept()).toMatchObject({ decision: 'declined' });
  },
  "asked: the model's word is enough here, and the call is back": async () => {
    const desk = await CallHarness.open();
    desk.set({ approval: 'echo' });
    expect(statusOf(await desk.result({}, idOf(await desk.result())))).toBe('done');
    expect(await desk.newest()).toMatchObject({ assurance: 'caller_confirmed' });
  },
  'asked: ten minutes pass': async () => {
    const { desk, handle } = await asked();
    desk.clock.jump(10 * MINUTE);
    await refusedAs('E_APPROVAL_EXPIRED', desk.answer(handle), desk);
  },
  'asked: the dialog was closed, not seen, or has no choice': async () => {
    const { desk, handle, kept } = await asked();
    expect(statusOf(await desk.answer(handle, accept('')))).toBe('approval_required');
    expect(await kept()).toMatchObject({ decision: 'pending' });
    expect(statusOf(await desk.answer(handle))).toBe('approval_required');
    expect(desk.sends).toBe(0);
    expect((await desk.decide(true)).kind).toBe('done');
    const closed = await asked();
    expect(textOf(await closed.desk.answer(closed.handle, { action: 'cancel' }))).toContain('a page will ask');
    expect(textOf(await closed.desk.call({ canElicit: true }, closed.handle))).toContain('A page is open');
    const alone = await asked({ page: undefined as never });
    expect(textOf(await alone.desk.answer(alone.handle, accept('')))).toContain('to show the dialog again');
  },
  'asked: silent, or shown five times, and there is a page': async () => {
    const { desk, handle, kept } = await asked();
    await desk.clock.pass(40_000);
    expect(await kept()).toMatchObject({ decision: 'pending', askedBy: 'elicit' });
    expect(textOf(await desk.call({ canElicit: true }, handle))).toContain('The first answer counts');
    expect(statusOf(await desk.answer(handle))).toBe('done');
  },
  'asked: the settings became stricter': async () => {
    const { desk, handle, kept } = await asked();
    desk.set({ approval: 'page' });
    expect(statusOf(await desk.answer(handle))).toBe('approval_required');
    expect([await kept(), desk.sends]).toMatchObject([{ decision: 'pending' }, 0]);
    expect((await desk.decide(true)).kind).toBe('done');
  },
  'asked: the call is back without an answer': async () => {
    const { desk, handle, operationId, kept } = await asked();
    expect(await desk.call({ canElicit: true }, handle)).toMatchObject({ kind: 'ask', handle });
    expect(statusOf(await desk.call({}, handle))).toBe('approval_required');
    expect([await kept(), desk.sends]).toMatchObject([{ decision: 'pending' }, 0]);
    // The first answer counts, here that of the dialog.
    desk.clock.jump(2_000);
    expect(statusOf(await desk.answer(handle))).toBe('done');
    expect(await desk.decide(true, { operationId })).toMatchObject({ kind: 'done' });
    expect(desk.sends).toBe(1);
  },
  'asked: the same call comes anew, without its approval_id': async () => {
    const { desk, handle } = await asked();
    expect((await desk.ask()).handle).toBe(handle);
    expect(idOf(await desk.call())).toBe(handle);
    expect(await desk.state.approvals.waiting(desk.clock.now())).toHaveLength(1);
  },
  'asked: a client with dialogs repeats what one without asked': async () => {
    const onPage = async () => {
      const desk = await CallHarness.open();
      desk.set({ page: page(), waitMs: 0 });
      return { desk, handle: idOf(await desk.result()) };
    };
    const { desk, handle } = await onPage();
    expect(await desk.call({ canElicit: true })).toMatchObject({ kind: 'ask', handle });
    desk.clock.jump(2_000);
    expect([statusOf(await desk.answer(handle)), desk.sends]).toEqual(['done', 1]);
    // A host that never got the dialog answers none.
    const other = await onPage();
    expect(statusOf(await other.desk.answer(other.handle))).toBe('approval_required');
    expect(other.desk.sends).toBe(0);
  },
  'asked: another call decides the same booking, or asks anew': async () => {
    await replacedByOtherArguments();
    await replacedByAnotherAct();
  },
  'asked: its plan is stopped, or what it asks is done or changed': async () => {
    await stoppedWithItsPlan();
    await doneUnderAnotherQuestion();
    await bookingChanged();
  },
  'granted: a call, the page or the terminal begins the operation': async () => {
    const { desk, handle } = await granted();
    expect([statusOf(await desk.call({}, handle)), desk.sends]).toEqual(['done', 1]);
    const other = await granted();
    expect((await other.desk.decide(true, { operationId: other.operationId })).kind).toBe('done');
    expect(other.desk.sends).toBe(1);
  },
  'granted: a no comes before the send': async () => {
    const { desk, handle, kept } = await granted();
    await refusedAs('E_APPROVAL_DECLINED', desk.answer(handle, NO), desk);
    expect(await kept()).toMatchObject({ decision: 'declined' });
    await refusedAs('E_APPROVAL_DECLINED', desk.call({}, handle), desk);
    const harness = await PlanHarness.open();
    const id = await harness.granted(2);
    await harness.run(id, {}, undefined, { stop: true });
    await harness.carry(id);
    expect([(await harness.view(id)).state, harness.sent]).toEqual(['stopped', []]);
  },
  'granted: the terms changed, or sending is not allowed now': async () => {
    const { desk, handle } = await granted();
    desk.terms = payTerms({ send: { order: 2 }, facts: 'others' });
    await refusedAs('E_APPROVAL_STALE', desk.call({}, handle), desk);
    desk.terms = payTerms();
    await refusedAs('E_APPROVAL_STALE', desk.call({}, handle), desk);
    const paused = await granted();
    await paused.desk.state.chain.pause('audit', 'ops', paused.desk.clock.now());
    await refusal(paused.desk.call({}, paused.handle));
    await paused.desk.state.chain.resume('ops', paused.desk.clock.now());
    await refusedAs('E_APPROVAL_EXPIRED', paused.desk.call({}, paused.handle), paused.desk);
  },
  "granted: ten minutes pass; thirty for a plan's lines": async () => {
    const { desk, handle } = await granted();
    desk.clock.jump(10 * MINUTE);
    await refusedAs('E_APPROVAL_EXPIRED', desk.call({}, handle), desk);
    for (const [minutes, sent] of [
      [29, 2],
      [30, 0],
    ] as const) {
      const harness = await PlanHarness.open();
      const id = await harness.granted(2);
      harness.clock.jump(minutes * MINUTE);
      await harness.carry(id);
      expect(harness.sent).toHaveLength(sent);
    }
  },
  'carried out: the caller learns the outcome': async () => {
    const { desk, handle } = await asked();
    expect(statusOf(await desk.answer(handle))).toBe('done');
    expect([statusOf(await desk.call({}, handle)), desk.sends]).toEqual(['already_done', 1]);
  },
};

const docs = readFileSync(new URL('../../docs/reference/architecture.md', import.meta.url), 'utf8');
const [, life = ''] = docs.split('\n## Life of an approval\n');
const ROWS = [...(life.split('\n## ')[0] ?? '').matchAll(/^\| ([^|]+)\| ([^|]+)\| ([^|]+)\|$/gm)]
  .slice(2)
  .map((row) => row.slice(1).map((cell) => cell.trim()));

test.each(ROWS)('%s, and %s: %s', async (from, event) => {
  const play = PLAYS[`${from}: ${event}`];
  expect(play, `no play of: ${from}: ${event}`).toBeDefined();
  await play?.();
});

test('every play is a row', () => {
  expect(Object.keys(PLAYS)).toEqual(ROWS.map(([from, event]) => `${from}: ${event}`));
});
