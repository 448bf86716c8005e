/**
 * The trace of the call that asked, in which its answer is carried out and settled.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { traceFields } from '../../src/server/trace.ts';
import { plainTracer } from '../../src/server/tracing/tracer.ts';
import { paidBooking, quiet, receipt } from '../journal/harness.ts';
import { accept, CallHarness, PAGE } from './harness.ts';

const ASKED = '0af7651916cd43dd8448eb211c80319c';
const OTHER = '1111111111111111111111111111111f';
const under = <T>(trace: string, work: () => Promise<T>): Promise<T> =>
  plainTracer.serve({ traceparent: `00-${trace}-b7ad6b7169203331-01` }, { name: 'call' }, work);

let desk: CallHarness;
let seen: ReturnType<typeof traceFields>[];
beforeEach(async () => {
  desk = await CallHarness.open();
  seen = [];
  desk.reply = async () => {
    seen.push(traceFields());
    return receipt();
  };
});
afterEach(() => desk.state.close());

test('a yes outside any call is carried out in the trace that asked', async () => {
  await under(ASKED, () => desk.ask());
  const { operationId, trace } = (await desk.waiting()) ?? {};
  expect(trace).toMatch(new RegExp(`^00-${ASKED}-[0-9a-f]{16}-01$`));
  await desk.decide(true, {}, PAGE);
  expect(seen).toMatchObject([{ trace_id: ASKED, operation: operationId }]);
  expect((await desk.state.operations.get(operationId ?? ''))?.trace).toBe(trace);
});

test('a yes on the page, and one in a later call, are carried out in the trace that asked', async () => {
  await under(ASKED, () => desk.ask());
  await under(OTHER, () => desk.decide(true, {}, PAGE));
  const { handle } = await under(ASKED, () => desk.ask());
  await under(OTHER, () => desk.answer(handle, accept('Pay SAR 172.50')));
  expect(seen.map(({ trace_id }) => trace_id).filter((id) => id !== ASKED)).toEqual([]);
});

test('another call that waits for a lost answer settles it in the trace that asked', async () => {
  const { handle } = await under(ASKED, () => desk.ask());
  const operationId = (await desk.waiting())?.operationId;
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
    under(OTHER, () => desk.call({}, handle)),
  );
  expect(seen[0]).toMatchObject({ trace_id: ASKED, operation: operationId });
});
