/** An approval_id is good for its own caller, tool and arguments, and no longer than its question is kept. */
import { beforeEach, expect, test } from 'vitest';
import { traceFields } from '../../src/server/trace.ts';
import { plainTracer } from '../../src/server/tracing/tracer.ts';
import { type Act, ANN, CallHarness, PAGE, paidBooking, quiet, receipt, refusal, YES } from './harness.ts';

const DAY = 24 * 3_600_000;
const ARGS = { locator: 'ABC123', payment: { type: 'invoice' } };

let desk: CallHarness;
beforeEach(async () => {
  desk = await CallHarness.open();
});

test('finds an approval only with its handle, caller, tool and arguments, in any order', async () => {
  desk.tool = { args: ARGS };
  const { handle } = await desk.ask();
  const by = (over: Partial<Act>, caller = ANN, given = handle) => desk.call({ caller, canElicit: true }, given, over);
  const foreign = [
    by({}, { tenant: 't', id: 'bob' }),
    by({}, { tenant: 'live', id: 'ann' }),
    by({ tool: 'cancel_segment' }),
    by({ args: { ...ARGS, locator: 'ABC124' } }),
    by({ args: { ...ARGS, payment: { type: 'cash' } } }),
    by({ args: { ...ARGS, expected_total: '172.50' } }),
    by({}, ANN, 'ap_guess'),
  ];
  // All in the same words, so that guessing teaches nothing.
  const told = {
    code: 'E_APPROVAL_INVALID',
    effect: 'none',
    message: expect.stringMatching(/^This approval_id does not/),
  };
  for (const other of foreign) expect(await refusal(other)).toMatchObject(told);
  expect((await by({ args: { payment: { type: 'invoice' }, locator: 'ABC123' } })).kind).toBe('ask');
});

const RUNS = Number(process.env.TAMPER_RUNS ?? 100_000);

test(`${RUNS} tampered presentations, none accepted`, { timeout: 120_000 }, async () => {
  desk.tool = { args: ARGS };
  const { handle } = await desk.ask();
  const { stackTraceLimit } = Error;
  // A stack costs as much as the look-up.
  Error.stackTraceLimit = 0;
  let accepted = 0;
  for (let i = 0; i < RUNS; i++) {
    const [tampered, { caller, ...act }] = tamper(i, handle);
    const found = await desk.call({ caller, canElicit: true }, tampered, act as Partial<Act>).catch(() => undefined);
    if (found !== undefined) accepted++;
  }
  Error.stackTraceLimit = stackTraceLimit;
  expect(accepted).toBe(0);
  expect((await desk.call({ canElicit: true }, handle)).kind).toBe('ask');
});

/** Changes one bound value: a character of the handle, the tool, the caller or an argument. */
function tamper(i: number, handle: string): [string, { caller: typeof ANN; tool: string; args: object }] {
  const by = { caller: ANN, tool: 'pay_booking', args: ARGS };
  const at = 3 + (i % (handle.length - 3));
  const other = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'[i % 64] ?? 'A';
  const letter = handle[at] === other ? '.' : other;
  const tools = ['cancel_segment', 'cancel_passenger', 'change_names', 'PAY_BOOKING'];
  const changes = [
    {},
    { tool: tools[i % 4] ?? '' },
    { caller: { ...ANN, id: `ann${i}` } },
    { caller: { ...ANN, tenant: `t${i}` } },
    { args: { ...ARGS, [`field_${i}`]: i } },
    { args: { ...ARGS, locator: `AB${i}` } },
    { args: { ...ARGS, payment: { type: 'invoice', holder_name: `n${i}` } } },
    {},
  ];
  const handles = [handle.slice(0, at) + letter + handle.slice(at + 1), `${handle}${other.repeat(1 + (i % 5))}`];
  return [{ 0: handles[0], 7: handles[1] }[i % 8] ?? handle, { ...by, ...changes[i % 8] }];
}

const later = async (ms: number) => {
  desk.clock.jump(ms);
  await desk.state.clean();
};

test('shows the outcome of a yes for a week, then no longer knows the question, and sends nothing twice', async () => {
  const { handle } = await desk.ask();
  await desk.during(10, desk.answer(handle));
  await later(7 * DAY);
  expect((await desk.result({}, handle)).structured.status).toBe('already_done');
  await later(DAY);
  expect(await refusal(desk.call({}, handle))).toMatchObject({ code: 'E_APPROVAL_INVALID', effect: 'none' });
  expect(desk.sends).toBe(1);
});

test('a question that nobody answered can be answered neither on the page nor in the dialog', async () => {
  const { handle } = await desk.ask();
  const operationId = (await desk.waiting())?.operationId ?? '';
  for (const [ms, code, kind] of [
    [3_600_000, 'E_APPROVAL_EXPIRED', 'failed'],
    [8 * DAY, 'E_APPROVAL_INVALID', 'unknown'],
  ] as const) {
    await later(ms);
    expect(await refusal(desk.answer(handle, YES))).toMatchObject({ code });
    expect((await desk.decide(true, { operationId })).kind).toBe(kind);
  }
  expect(desk.sends).toBe(0);
});

test('a question that a forgotten person was in is asked anew', async () => {
  const { handle } = await desk.ask();
  const operationId = (await desk.waiting())?.operationId ?? '';
  const person = { locator: 'ABC123' };
  await desk.state.forgetting.erase(person, await desk.state.forgetting.find(person), desk.clock.now());
  expect(await refusal(desk.answer(handle))).toMatchObject({ code: 'E_APPROVAL_EXPIRED' });
  expect((await desk.decide(true, { operationId })).kind).toBe('failed');
  expect(desk.sends).toBe(0);
  expect((await desk.ask()).kind).toBe('ask');
});

test('a yes is carried out, and a lost answer settled, in the trace of the call that asked', async () => {
  const [ASKED, OTHER] = ['0af7651916cd43dd8448eb211c80319c', '1111111111111111111111111111111f'];
  const under = <T>(trace: string | undefined, work: () => Promise<T>): Promise<T> =>
    plainTracer.serve({ traceparent: `00-${trace}-b7ad6b7169203331-01` }, { name: 'call' }, work);
  const seen: ReturnType<typeof traceFields>[] = [];
  desk.reply = async () => {
    seen.push(traceFields());
    return receipt();
  };
  await under(ASKED, () => desk.ask());
  const { operationId, trace } = (await desk.waiting()) ?? {};
  expect(trace).toMatch(new RegExp(`^00-${ASKED}-[0-9a-f]{16}-01$`));
  await desk.decide(true, {}, PAGE);
  expect(seen).toMatchObject([{ trace_id: ASKED, operation: operationId }]);
  expect((await desk.entry(operationId)).trace).toBe(trace);
  await under(ASKED, () => desk.ask());
  await under(OTHER, () => desk.decide(true, {}, PAGE));
  const second = await under(ASKED, () => desk.ask());
  await under(OTHER, () => desk.answer(second.handle));
  const third = await under(ASKED, () => desk.ask());
  desk.reply = () => new Promise(() => undefined);
  void desk.decide(true, {}, PAGE).catch(() => undefined);
  await quiet();
  await desk.clock.pass(180_000);
  desk.shown = async () => {
    seen.push(traceFields());
    return paidBooking();
  };
  await desk.during(
    2_000,
    under(OTHER, () => desk.call({}, third.handle)),
  );
  expect(seen.slice(0, 4).map(({ trace_id }) => trace_id)).toEqual([ASKED, ASKED, ASKED, ASKED]);
});
