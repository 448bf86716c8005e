/** An approval_id is good for its own caller, tool and arguments, and its yes is carried out in the trace of its question. */
import { beforeEach, expect, test } from 'vitest';
import { atNight } from '../support/whole.ts';
import { type Act, ANN, CallHarness, PAGE, quiet, refusal } from './harness.ts';

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
  const told = await Promise.all(
    foreign.map(async (each) => {
      const { code, message, next, effect, retry } = await refusal(each);
      // The name of the called tool is the caller's own word.
      return { code, message, next: next.replace('cancel_segment', 'pay_booking'), effect, retry };
    }),
  );
  expect(told[0]).toMatchObject({
    code: 'E_APPROVAL_INVALID',
    effect: 'none',
    message: expect.stringMatching(/^This approval_id does not/),
  });
  for (const words of told) expect(words).toEqual(told[0]);
  expect((await by({ args: { payment: { type: 'invoice' }, locator: 'ABC123' } })).kind).toBe('ask');
});

const RUNS = atNight(100_000, 20_000);

test(`${RUNS} tampered presentations, none accepted`, async () => {
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

test('a yes is carried out, and a lost answer settled, in spans that name the operation, which keeps the trace of the call', async () => {
  const { tracing } = desk;
  const under = (trace: string | undefined) => {
    tracing.trace = trace;
  };
  const ofLast = (name: string) => tracing.begun.findLast((span) => span.name === `${name} pay_booking`);
  for (const [answering, isOnPage] of [
    // Outside any call, and in another one.
    [undefined, true],
    ['other', true],
    ['other', false],
  ] as const) {
    under('asked');
    const { handle } = await desk.ask();
    const operation = (await desk.waiting())?.operationId ?? '';
    under(answering);
    await (isOnPage ? desk.decide(true, {}, PAGE) : desk.answer(handle));
    expect(tracing.begun).toContainEqual(expect.objectContaining({ name: 'approval', operation }));
    expect(ofLast('carry out')).toMatchObject({ operation });
    expect((await desk.entry(operation)).trace).toBe('asked');
  }
  under('asked');
  const { handle } = await desk.ask();
  under('other');
  desk.reply = () => new Promise(() => undefined);
  void desk.decide(true, {}, PAGE).catch(() => undefined);
  await quiet();
  await desk.clock.pass(180_000);
  await desk.during(2_000, desk.call({}, handle));
  expect(ofLast('settle')).toMatchObject({ operation: (await desk.newest())?.id });
});
