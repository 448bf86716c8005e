/**
 * A yes or no given outside the call: on the page, or in a terminal.
 */
import { beforeEach, expect, test } from 'vitest';
import { error, lost, refused } from '../journal/harness.ts';
import { expectGolden } from '../support/golden.ts';
import { ANN, CallHarness, errorText, listed, PAGE, payTerms, refusal, replacing } from './harness.ts';

let desk: CallHarness;
let operationId: string;
beforeEach(async () => {
  desk = await CallHarness.open();
  await desk.ask();
  operationId = (await desk.waiting())?.operationId ?? '';
});

test('reads an answered question again only before it sends, and goes on without names that cannot be kept', async () => {
  const get = replacing(desk.state.approvals, 'get');
  replacing(desk.state.approvals, 'keepTerms').mockRejectedValue(new Error('disk'));
  desk.terms = () => Promise.reject(error('E_LIMIT'));
  await desk.decide(true);
  expect(get).toHaveBeenCalledTimes(1);
  desk.terms = payTerms();
  await desk.ask();
  expect(await desk.decide(true)).toMatchObject({ kind: 'done', tickets: [{ number: '9000000001', rides: [] }] });
});

test('keeps a no as final', async () => {
  expect(await desk.decide(false)).toMatchObject({ kind: 'declined' });
  expect(await desk.decide(true, { operationId })).toMatchObject({ kind: 'declined' });
  expect((await desk.state.approvals.byOperation(operationId))?.carried).toBeUndefined();
  expect(desk.sends).toBe(0);
});

test.each(['tenant', 'id'] as const)("reports another caller's question as unknown, by %s", async (key) => {
  const theirs = await desk.decide(true, {}, { ...PAGE, caller: { ...ANN, [key]: 'other' } });
  expect(theirs).toMatchObject({ kind: 'unknown' });
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
      return desk.bound();
    },
  });
  expect(asked).toEqual([['pay_booking', { locator: 'ABC123' }, { caller: ANN }]]);
});

test('sends nothing if the approval is lost during the decision', async () => {
  const approval = await desk.waiting();
  const { approvals } = desk.state;
  replacing(approvals, 'decide').mockResolvedValue(false);
  replacing(approvals, 'get').mockResolvedValue(undefined);
  replacing(approvals, 'byOperation').mockResolvedValueOnce(approval).mockResolvedValueOnce(undefined);
  expect(await desk.decide(true)).toMatchObject({ kind: 'unknown' });
  expect(desk.sends).toBe(0);
});

test('shows what the journal says if the approval is lost after the yes', async () => {
  const approval = await desk.waiting();
  replacing(desk.state.approvals, 'byOperation').mockResolvedValueOnce(approval).mockResolvedValueOnce(undefined);
  expect(await desk.decide(true)).toMatchObject({ kind: 'done', title: 'Paid SAR 172.50' });
});

test('throws an internal error before the send as unsent', async () => {
  replacing(desk.runtime.journal, 'open').mockRejectedValue(new TypeError('ours'));
  await expect(desk.decide(true)).rejects.toThrow('unsent');
});

test('shows the status of an operation that was settled meanwhile', async () => {
  desk.reply = () => Promise.reject(lost());
  const settled = await desk.operation('settled', 'succeeded', { locator: 'OTHER1' });
  const { operations } = desk.state;
  const get = operations.get.bind(operations);
  replacing(operations, 'get').mockImplementation(async (id) =>
    id === operationId && (await get(id))?.state === 'in_doubt' ? settled : get(id),
  );
  expect(await desk.decide(true)).toMatchObject({ kind: 'done', lines: ['Booking OTHER1'] });
});

type Outcome = Awaited<ReturnType<CallHarness['decide']>>;
const shown = ({ kind, title, lines }: Outcome) => [`${title} (${kind})`, ...lines].join('\n');

test('tells the person in words what became of the answer', async () => {
  const scenes: Record<string, string> = {};
  const sent: string[] = [];
  const scene = async (
    title: string,
    prepare: (it: CallHarness, id: string) => unknown = () => undefined,
    yes = true,
  ) => {
    const it = await CallHarness.open();
    await it.ask();
    const id = (await it.waiting())?.operationId ?? '';
    await prepare(it, id);
    scenes[title] = shown(await it.decide(yes, { operationId: id }));
    if (it.sends > 0) sent.push(title);
  };
  const entered = (state: Parameters<CallHarness['operation']>[1], outcome?: object) => (it: CallHarness, id: string) =>
    it.operation(id, state, {}, outcome && { outcome });
  const refusing = (over: object) => (it: CallHarness) => {
    it.reply = () => Promise.reject(error('E_TOO_LATE', { airline: { status: 422, ...over } }));
  };
  await scene('a no', () => undefined, false);
  await scene('too late', (it) => it.clock.jump(600_000));
  await scene('a yes that was not carried out in time', async (it) => {
    await it.granted();
    it.clock.jump(600_000);
  });
  await scene('a no after a yes', (it) => it.granted(), false);
  await scene('a yes whose arguments were erased', async (it) => {
    const id = await it.granted();
    await it.state.approvals.erase((await it.state.approvals.byOperation(id))?.handleHash ?? '');
  });
  await scene('unknown', (it) => replacing(it.state.approvals, 'byOperation').mockResolvedValue(undefined));
  await scene('changed terms', (it) => {
    it.terms = payTerms({ sections: [{ kind: 'act', lines: ['Pay SAR 999.00'] }] });
  });
  await scene('changed terms of which nothing was shown', (it) => {
    it.terms = payTerms({ facts: 'other' });
  });
  await scene('changed terms, noticed before', async (it, id) => {
    await it.granted();
    const approval = await it.state.approvals.byOperation(id);
    await it.state.approvals.makeVoid(approval?.handleHash ?? '', 'terms_changed', ['Pay more.']);
  });
  await scene('changed terms that are not known', (it) => {
    it.terms = () => Promise.reject(error('E_APPROVAL_STALE'));
  });
  await scene('refused', (it) => {
    it.reply = () => Promise.reject(refused());
  });
  await scene('refused, with words and a reference', refusing({ title: 'EXPIRED', correlationId: 'c-1' }));
  await scene('refused, with words', refusing({ title: 'EXPIRED' }));
  await scene('refused, with a reference', refusing({ correlationId: 'c-1' }));
  await scene('a failure whose effect is unknown', (it) => {
    it.tool = { show: () => Promise.reject(error('E_AIRLINE_REPLY', { effect: 'unknown' })) };
  });
  await scene('lost', (it) => {
    it.reply = () => Promise.reject(lost());
  });
  await scene('being carried out', entered('intent'));
  await scene('sent', entered('dispatched'));
  await scene('in doubt', entered('in_doubt'));
  await scene('done in part', entered('in_doubt', { shows: 'It is paid, and not all its tickets are issued yet.' }));
  const check = 'The payment is unclear. Look at the booking (the reference r1).';
  await scene('a person must check', entered('needs_person', { check }));
  await scene('a person must check, and the journal says no more', entered('needs_person'));
  await scene('closed by the operator', entered('resolved'));
  await scene('not carried out', entered('not_executed'));
  await scene('not carried out, with a reason', entered('refused', { error: { message: 'No.', effect: 'none' } }));
  await scene('not carried out, because the terms changed', async (it, id) => {
    await it.granted();
    const approval = await it.state.approvals.byOperation(id);
    await it.state.approvals.makeVoid(approval?.handleHash ?? '', 'terms_changed', ['Pay more.']);
    await it.operation(id, 'not_executed');
  });
  expect(sent.filter((title) => !title.startsWith('refused'))).toEqual(['a failure whose effect is unknown', 'lost']);
  await expectGolden('outcomes/decisions', { 'by what became of the answer': listed(scenes) });
});

test('tells the caller in words why an approval cannot be answered', async () => {
  const scenes: Record<string, string> = {};
  const scene = async (title: string, prepare: (it: CallHarness) => unknown, tool = 'pay_booking') => {
    const it = await CallHarness.open();
    it.tool = { tool };
    const asked = await it.ask();
    await prepare(it);
    scenes[title] = errorText(await refusal(it.call({}, title.includes('unknown') ? 'ap_x' : asked.handle)));
  };
  await scene('declined', (it) => it.decide(false));
  await scene('declined, of a cancellation', (it) => it.decide(false), 'cancel_booking');
  await scene('changed terms', async (it) => {
    it.terms = payTerms({ act: { verb: 'Pay SAR 999.00' }, sections: [{ kind: 'act', lines: ['Pay SAR 999.00'] }] });
    await it.decide(true);
  });
  await scene('changed terms, noticed before', async (it) => {
    const approval = await it.state.approvals.byOperation(await it.granted());
    await it.state.approvals.makeVoid(approval?.handleHash ?? '', 'terms_changed', ['Pay more.']);
  });
  await scene('spent', async (it) => {
    const approval = await it.state.approvals.byOperation(await it.granted());
    await it.state.approvals.makeVoid(approval?.handleHash ?? '', 'not_done');
  });
  await scene('not given in time', (it) => it.clock.jump(600_000));
  await scene('not carried out in time', async (it) => {
    await it.granted();
    it.clock.jump(600_000);
  });
  await scene('the clock was set back', (it) => it.clock.jump(-60_000));
  await scene('unknown', () => undefined);
  await expectGolden('errors/approvals', { 'by what became of the approval': listed(scenes) });
});
