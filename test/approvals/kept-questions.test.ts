/** A question that is no longer kept is unknown: it is never answerable again, and sends nothing. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { accept, CallHarness, refusal } from './harness.ts';

const DAY = 24 * 3_600_000;

let desk: CallHarness;
beforeEach(async () => {
  desk = await CallHarness.open();
});
afterEach(() => desk.state.close());

const later = async (ms: number) => {
  desk.clock.time = desk.clock.now() + ms;
  await desk.state.clean();
};

test('shows the outcome of a yes for a week, then no longer knows the question, and sends nothing twice', async () => {
  const { handle } = await desk.ask();
  await desk.during(10, desk.answer(handle, accept('Pay SAR 172.50')));
  await later(7 * DAY);
  expect((await desk.result({}, handle)).structured.status).toBe('already_done');
  await later(DAY);
  expect(await refusal(desk.call({}, handle))).toMatchObject({ code: 'E_APPROVAL_INVALID', effect: 'none' });
  expect(desk.sends).toBe(1);
});

test('a question that nobody answered can be answered neither on the page nor in the dialog', async () => {
  const { handle } = await desk.ask();
  const operationId = (await desk.waiting())?.operationId ?? '';
  for (const [ms, code] of [
    [3_600_000, 'E_APPROVAL_EXPIRED'],
    [8 * DAY, 'E_APPROVAL_INVALID'],
  ] as const) {
    await later(ms);
    expect(await refusal(desk.answer(handle, accept('Pay SAR 172.50')))).toMatchObject({ code });
    expect((await desk.decide(true, { operationId })).kind).toBe(code === 'E_APPROVAL_EXPIRED' ? 'failed' : 'unknown');
  }
  expect(desk.sends).toBe(0);
});

test('a question that a forgotten person was in is asked anew', async () => {
  const { handle } = await desk.ask();
  const operationId = (await desk.waiting())?.operationId ?? '';
  const person = { locator: 'ABC123' };
  await desk.state.forgetting.erase(person, await desk.state.forgetting.find(person), desk.clock.now());
  expect(await refusal(desk.answer(handle, accept('Pay SAR 172.50')))).toMatchObject({ code: 'E_APPROVAL_EXPIRED' });
  expect((await desk.decide(true, { operationId })).kind).toBe('failed');
  expect(desk.sends).toBe(0);
  expect((await desk.ask()).kind).toBe('ask');
});
