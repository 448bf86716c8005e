/**
 * An act whose travellers entered details on a page: what approvals keep cannot carry it out, so only its call sends.
 */
import { expect, test } from 'vitest';
import { enteredMark, needsItsCall } from '../../src/approvals/request.ts';
import { CallHarness, refusal, statusOf, textOf } from './harness.ts';

const ENTERED = { args: { locator: 'ABC123', details: enteredMark('digest') } };

async function asked() {
  const desk = await CallHarness.open();
  desk.tool = ENTERED;
  const question = await desk.ask();
  const { operationId = '' } = (await desk.waiting()) ?? {};
  return { desk, handle: question.handle, operationId };
}

test('records a yes outside of the call without sending, twice too, and the call with the same details sends', async () => {
  const { desk, handle, operationId } = await asked();
  const decided = await desk.decide(true, { operationId });
  expect(decided).toEqual({
    ...{ kind: 'pending', title: 'Your approval is recorded' },
    lines: [
      'It is sent when the assistant calls again, because that call brings what the travellers entered. Nothing was sent so far.',
      'Your approval counts until 00:26 (UTC).',
    ],
  });
  expect(await desk.decide(true, { operationId })).toEqual(decided);
  expect(desk.sends).toBe(0);
  expect(statusOf(await desk.call({}, handle))).toBe('done');
  expect(desk.sends).toBe(1);
  expect(await desk.decide(true, { operationId })).toMatchObject({ kind: 'done' });
});

test('a call that waits for the page sends as soon as the yes is there', async () => {
  const { desk, handle, operationId } = await asked();
  desk.set({ canUseTerminal: true });
  const waiting = desk.call({ isDialogOpen: true }, handle);
  await desk.during(1_000, desk.decide(true, { operationId }));
  expect(statusOf(await desk.during(1_000, waiting))).toBe('done');
  expect(desk.sends).toBe(1);
});

test('a yes is for what was entered: a call with other details has no approval', async () => {
  const { desk, handle, operationId } = await asked();
  await desk.decide(true, { operationId });
  const other = { args: { ...ENTERED.args, details: enteredMark('other') } };
  expect(await refusal(desk.call({}, handle, other))).toMatchObject({ code: 'E_APPROVAL_INVALID' });
  expect(desk.sends).toBe(0);
});

test('a no ends it, also after a yes, and so does the time', async () => {
  const { desk, handle, operationId } = await asked();
  expect(await desk.decide(false, { operationId })).toMatchObject({ kind: 'declined' });
  expect(await refusal(desk.call({}, handle))).toMatchObject({ code: 'E_APPROVAL_DECLINED' });
  expect((await desk.state.approvals.byOperation(operationId))?.carried).toBeUndefined();
  const regretted = await asked();
  const { operationId: id } = regretted;
  await regretted.desk.decide(true, { operationId: id });
  expect(await regretted.desk.decide(false, { operationId: id })).toMatchObject({
    lines: ['Nothing was sent, and nothing changed.'],
  });
  expect(await refusal(regretted.desk.call({}, regretted.handle))).toMatchObject({ effect: 'none' });
  expect(regretted.desk.sends).toBe(0);
  const late = await asked();
  await late.desk.decide(true, { operationId: late.operationId });
  await late.desk.clock.pass(11 * 60_000);
  expect(await refusal(late.desk.call({}, late.handle))).toMatchObject({ code: 'E_APPROVAL_EXPIRED' });
  expect(late.desk.sends).toBe(0);
});

test('knows by its mark which act needs its call', async () => {
  const desk = await CallHarness.open();
  for (const details of [undefined, 'page', 7]) {
    desk.tool = { args: { locator: 'ABC123', ...(details !== undefined && { details }) } };
    await desk.nextBooking();
    await desk.ask();
    expect(needsItsCall((await desk.state.approvals.waiting(desk.clock.now())).at(-1) as never)).toBe(false);
  }
  const { desk: other } = await asked();
  expect(needsItsCall((await other.waiting()) as never)).toBe(true);
});

test('says how to repeat the call: with the id of the page', async () => {
  const { desk, handle } = await asked();
  desk.detailsId = 'ID';
  desk.set({ canUseTerminal: true });
  const waiting = desk.call({ isDialogOpen: true }, handle);
  expect(textOf(await desk.during(30_000, waiting))).toContain(
    `call pay_booking with the same arguments, details "ID" and approval_id ${handle}`,
  );
});
