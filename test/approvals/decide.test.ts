/**
 * A yes or no given outside the call: on the page, or in a terminal.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { recordAnswer } from '../../src/approvals/request.ts';
import { ClerkError } from '../../src/errors.ts';
import { lost, refused } from '../journal/harness.ts';
import { ANN, CallHarness, PAGE, payTerms, refusal, replacing, statusOf } from './harness.ts';

let desk: CallHarness;
let handle: string;
beforeEach(async () => {
  desk = await CallHarness.open();
  handle = (await desk.ask()).handle;
});
afterEach(() => desk.state.close());

test('carries out a yes once, and still reports it as new to the caller', async () => {
  const operationId = (await desk.waiting())?.operationId ?? '';
  const done = await desk.decide(true, {}, { ...PAGE, approver: 'eve' });
  expect(done).toEqual({
    kind: 'done',
    title: 'Paid SAR 172.50',
    lines: ['Booking ABC123'],
    tickets: [expect.objectContaining({ number: '9000000001' })],
  });
  expect(await desk.decide(true, { operationId })).toEqual(done);
  expect(statusOf(await desk.call({}, handle))).toBe('done');
  expect(statusOf(await desk.call({}, handle))).toBe('already_done');
  expect(desk.sends).toBe(1);
  expect(await desk.state.operations.get(operationId)).toMatchObject({ assurance: 'page', approvedBy: 'eve' });
});

test('keeps the names of the outcome for the page, and goes on without them', async () => {
  const approval = await desk.waiting();
  await desk.decide(true);
  expect((await desk.state.approvals.get(approval?.handleHash ?? ''))?.after).toMatchObject({
    tickets: [expect.objectContaining({ number: '9000000001' })],
  });
  const again = await CallHarness.open();
  await again.ask();
  replacing(again.state.approvals, 'keepFacts').mockRejectedValue(new Error('disk'));
  expect(await again.decide(true)).toMatchObject({ kind: 'done', tickets: [{ number: '9000000001', rides: [] }] });
  await again.state.close();
});

test('reads an answered question again only if another answer came first', async () => {
  const asked = await desk.waiting();
  if (asked === undefined) throw new Error('nothing waits');
  const get = replacing(desk.state.approvals, 'get');
  const answer = (yes: boolean) => recordAnswer(desk.runtime, asked, { yes, assurance: 'page', approver: 'eve' });
  const granted = await answer(true);
  expect(get).not.toHaveBeenCalled();
  expect(granted).toEqual(await desk.state.approvals.byOperation(asked.operationId));
  expect(await answer(true)).toEqual(granted);
  expect(get).toHaveBeenCalledTimes(1);
});

test('keeps a no as final', async () => {
  const operationId = (await desk.waiting())?.operationId ?? '';
  expect(await desk.decide(false)).toMatchObject({ kind: 'declined' });
  expect(await desk.decide(true, { operationId })).toMatchObject({ kind: 'declined' });
  expect((await desk.state.approvals.byOperation(operationId))?.carried).toBeUndefined();
  expect(desk.sends).toBe(0);
});

test.each(['tenant', 'id'] as const)("reports another caller's question as unknown, by %s", async (key) => {
  const mine = await desk.decide(true, {}, { ...PAGE, caller: { ...ANN, [key]: 'other' } });
  expect(mine).toMatchObject({ kind: 'unknown' });
  expect(await desk.decide(true, {}, { ...PAGE, caller: ANN })).toMatchObject({ kind: 'done' });
});

test('decides nothing for an unknown operation or a tool that is not offered', async () => {
  expect(await desk.decide(true, { operationId: 'none' })).toMatchObject({ kind: 'unknown' });
  expect(await desk.decide(true, { operationId: 'none' }, { ...PAGE, caller: ANN })).toMatchObject({ kind: 'unknown' });
  expect(await desk.decide(true, { actOf: () => undefined })).toMatchObject({ kind: 'unknown' });
  expect(await desk.waiting()).toBeDefined();
});

test('carries out the approved arguments on behalf of the caller who asked', async () => {
  const asked: unknown[] = [];
  await desk.decide(true, {
    actOf: (...of) => {
      asked.push(of);
      return desk.act();
    },
  });
  expect(asked).toEqual([['pay_booking', { locator: 'ABC123' }, { caller: ANN }]]);
});

test('takes back a yes with a no before it is in the journal', async () => {
  const approval = await desk.waiting();
  const operationId = approval?.operationId ?? '';
  await desk.state.approvals.decide(approval?.handleHash ?? '', 'granted', 'page', desk.clock.now());
  expect(await desk.decide(false, { operationId })).toMatchObject({ title: 'Your yes could not be carried out' });
  expect(await desk.decide(true, { operationId })).toMatchObject({ title: 'Your yes could not be carried out' });
  expect(desk.sends).toBe(0);
});

test('carries out an earlier yes that is not in the journal with the next one', async () => {
  const approval = await desk.waiting();
  await desk.state.approvals.decide(approval?.handleHash ?? '', 'granted', 'page', desk.clock.now());
  expect(await desk.decide(true, { operationId: approval?.operationId ?? '' })).toMatchObject({ kind: 'done' });
  expect(desk.sends).toBe(1);
});

test('refuses a yes that was not carried out in time', async () => {
  const approval = await desk.waiting();
  await desk.state.approvals.decide(approval?.handleHash ?? '', 'granted', 'page', desk.clock.now());
  desk.clock.jump(600_000);
  expect(await desk.decide(true, { operationId: approval?.operationId ?? '' })).toMatchObject({
    title: 'Too late to answer',
  });
  expect(desk.sends).toBe(0);
});

test('reports only the status of a yes whose arguments were erased', async () => {
  const approval = await desk.waiting();
  const hash = approval?.handleHash ?? '';
  await desk.state.approvals.decide(hash, 'granted', 'page', desk.clock.now());
  await desk.state.approvals.erase(hash);
  expect(await desk.decide(true, { operationId: approval?.operationId ?? '' })).toMatchObject({
    title: 'Your yes is on record',
  });
  expect(desk.sends).toBe(0);
});

test('sends nothing if the approval is lost during the decision', async () => {
  replacing(desk.state.approvals, 'decide').mockResolvedValue(false);
  replacing(desk.state.approvals, 'get').mockResolvedValue(undefined);
  const byOperation = replacing(desk.state.approvals, 'byOperation');
  const approval = await desk.waiting();
  byOperation.mockResolvedValueOnce(approval).mockResolvedValueOnce(undefined);
  expect(await desk.decide(true)).toMatchObject({ kind: 'unknown' });
  expect(desk.sends).toBe(0);
});

test('shows changed terms and sends nothing', async () => {
  desk.terms = payTerms({ sections: [{ kind: 'act', lines: ['Pay SAR 999.00'] }] });
  expect(await desk.decide(true)).toMatchObject({
    kind: 'stale',
    lines: expect.arrayContaining(['Before: Pay SAR 172.50 for booking ABC123', 'Now: Pay SAR 999.00']),
  });
  const bare = new ClerkError('E_APPROVAL_STALE', 'x', { next: 'x' });
  const again = await CallHarness.open();
  await again.ask();
  again.terms = () => Promise.reject(bare);
  expect(await again.decide(true)).toMatchObject({ kind: 'stale', lines: expect.arrayContaining(['Before: RUH-JED']) });
  await again.state.close();
});

test("shows the message of an airline's refusal", async () => {
  desk.reply = () => Promise.reject(refused());
  expect(await desk.decide(true)).toMatchObject({
    kind: 'failed',
    title: 'Nothing was done',
    lines: ['what happened'],
  });
});

test('throws an internal error before the send as unsent', async () => {
  replacing(desk.runtime.journal, 'open').mockRejectedValue(new TypeError('ours'));
  await expect(desk.decide(true)).rejects.toThrow('unsent');
});

test('shows an operation in doubt as pending, and says that the page may be closed', async () => {
  desk.reply = () => Promise.reject(lost());
  expect(await desk.decide(true)).toEqual({
    kind: 'pending',
    title: 'Sent; the outcome is not known yet',
    lines: [
      'It may or may not have been done. The booking is read again until that is known.',
      'It will not be sent twice: do not start it again.',
      'You can close this page, and ask the assistant later.',
    ],
  });
});

test('shows the status of an operation that was settled meanwhile', async () => {
  desk.reply = () => Promise.reject(lost());
  const approval = await desk.waiting();
  const settled = await desk.operation('settled', 'succeeded', { locator: 'OTHER1' });
  const { operations } = desk.state;
  const get = operations.get.bind(operations);
  let looks = 0;
  const spy = replacing(operations, 'get').mockImplementation(async (id) =>
    id === approval?.operationId && (await get(id))?.state === 'in_doubt' && looks++ > 0 ? settled : get(id),
  );
  expect(await desk.decide(true)).toMatchObject({ kind: 'done', lines: ['Booking OTHER1'] });
  spy.mockRestore();
});

test('claims no outcome for a sent operation that cannot be found', async () => {
  const approval = await desk.waiting();
  if (approval === undefined) throw new Error('none');
  desk.reply = () => Promise.reject(lost());
  // Simulates an older copy of the state.
  const byHash = replacing(desk.state.approvals, 'get').mockResolvedValueOnce({ ...approval, decision: 'granted' });
  const { operations } = desk.state;
  const get = operations.get.bind(operations);
  let looks = 0;
  replacing(operations, 'get').mockImplementation(async (id) =>
    (await get(id))?.state === 'in_doubt' && looks++ > 0 ? undefined : get(id),
  );
  expect(await desk.decide(true)).toMatchObject({ title: expect.stringMatching(/on record|went wrong/) });
  byHash.mockRestore();
});

test('shows that a person must check an operation that cannot be settled, without the words of programs', async () => {
  const { operations } = desk.state;
  replacing(desk.runtime.journal, 'run').mockImplementation(async (operation) => {
    const outcome = { check: 'The pay_booking is unclear. Look (operation 1f2e-3d4c, the reference r1).' };
    const meta = { now: desk.clock.now(), actor: 'test' };
    await operations.transition(operation.id, ['intent'], 'needs_person', { outcome }, meta);
    return { operation: { ...operation, state: 'needs_person', outcome } };
  });
  expect(await desk.decide(true)).toEqual({
    kind: 'failed',
    title: 'A person must check',
    lines: ['The payment is unclear. Look (the reference r1).'],
  });
});

test('shows what the journal says if the approval is lost after the yes', async () => {
  const approval = await desk.waiting();
  const byOperation = replacing(desk.state.approvals, 'byOperation');
  byOperation.mockResolvedValueOnce(approval).mockResolvedValueOnce(undefined);
  expect(await desk.decide(true)).toMatchObject({ kind: 'done', title: 'Paid SAR 172.50' });
});

test('refuses before an approval is made if the preview is refused', async () => {
  desk.terms = () => Promise.reject(new ClerkError('E_NOT_PERMITTED', 'No.', { next: 'x' }));
  expect(await refusal(desk.call({ canElicit: true }))).toMatchObject({ code: 'E_NOT_PERMITTED' });
});
