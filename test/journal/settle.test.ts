import { describe, expect, test } from 'vitest';
import type { RawReply } from '../../src/domain/airline.ts';
import type { Booking } from '../../src/domain/booking/booking.ts';
import type { ExpectedChange } from '../../src/domain/booking/expected-change.ts';
import type { Evidence } from '../../src/journal/ports.ts';
import { understandReply } from '../../src/ota/errors/kept-reply.ts';
import { traceFields } from '../../src/server/trace.ts';
import { plainTracer } from '../../src/server/tracing/tracer.ts';
import { newOperation, SAR } from '../store/new-operation.ts';
import {
  act,
  booking,
  error,
  GAP,
  Harness,
  lost,
  option,
  paidBooking,
  REPLY,
  receipt,
  refused,
  SETTLE,
} from './harness.ts';

const unpaid = booking();
const MINUTE = 60_000;

/** Reconciles once in every gap until that much time is over. */
async function tending(h: Harness, ms: number): Promise<void> {
  for (let spent = 0; spent < ms; spent += GAP) {
    await h.journal.reconcile();
    await h.clock.pass(Math.min(GAP, ms - spent));
  }
}

describe('an operation in doubt', () => {
  test("reads the booking on behalf of the operation's own caller", async () => {
    const h = new Harness();
    await h.doubt();
    const readers: string[] = [];
    const other = h.process('p2', {
      readerFor: ({ caller }) => ({
        async read(locator) {
          readers.push(`${caller} ${locator}`);
          return paidBooking();
        },
      }),
    });
    expect(await other.reconcile()).toMatchObject({ settled: 1 });
    expect([readers, h.reads]).toEqual([['me ABC123'], 0]);
  });

  test('settles a payment as done as soon as a reading shows it', async () => {
    const h = new Harness();
    await h.doubt();
    h.shown = paidBooking();
    expect(await h.journal.reconcile()).toEqual({ settled: 1, waiting: 0, needsPerson: 0 });
    expect(await h.state()).toMatchObject({
      state: 'succeeded',
      outcome: { basis: 'read', tickets: [{ number: '9000000001' }] },
    });
  });

  test('settles as not carried out after the settle time and three readings in a row', async () => {
    const h = new Harness();
    h.shown = unpaid;
    const { dispatchedAt = 0 } = await h.doubt();
    await tending(h, SETTLE);
    expect(await h.state()).toMatchObject({ state: 'in_doubt', negatives: 0 });
    expect(h.reads).toBe(12);
    await h.journal.reconcile();
    await h.journal.reconcile();
    expect(await h.state()).toMatchObject({ state: 'in_doubt', negatives: 1, lastReadAt: dispatchedAt + SETTLE });
    await h.clock.pass(GAP);
    await h.journal.reconcile();
    expect((await h.state()).negatives).toBe(2);
    await h.clock.pass(GAP - 1);
    await h.journal.reconcile();
    expect((await h.state()).state).toBe('in_doubt');
    await h.clock.pass(1);
    expect(await h.journal.reconcile()).toEqual({ settled: 1, waiting: 0, needsPerson: 0 });
    const state = await h.state();
    expect(state.state).toBe('not_executed');
    expect(state.outcome?.error).toMatchObject({ code: 'E_AIRLINE_TIMEOUT', effect: 'none', retry: 'never' });
    expect(state.outcome?.error?.message).toContain('read back 3 times');
  });

  test('settles as done if a reading shows the payment after two that did not', async () => {
    const h = new Harness();
    h.shown = unpaid;
    await h.doubt();
    await tending(h, SETTLE + 2 * GAP);
    expect((await h.state()).negatives).toBe(2);
    h.shown = paidBooking();
    await h.journal.reconcile();
    expect((await h.state()).state).toBe('succeeded');
  });

  test('counts a reading of another booking as failed', async () => {
    const h = new Harness();
    h.shown = paidBooking({ locator: 'XYZ789', references: [] });
    await h.doubt();
    await tending(h, SETTLE + 4 * GAP);
    expect(await h.state()).toMatchObject({ state: 'in_doubt', negatives: 0 });
    expect((await h.state()).failingSince).toBeDefined();
  });

  test('does not count a failed reading, and clears the failure after a good one', async () => {
    const h = new Harness();
    h.shown = unpaid;
    await h.doubt();
    await tending(h, SETTLE + GAP);
    h.shown = () => Promise.reject(lost());
    await tending(h, GAP);
    expect(await h.state()).toMatchObject({ negatives: 1, failingSince: h.clock.now() - GAP });
    h.shown = unpaid;
    await tending(h, GAP);
    expect(await h.state()).toMatchObject({ negatives: 2 });
    expect((await h.state()).failingSince).toBeUndefined();
  });

  test('hands an operation to a person after readings failed for half an hour', async () => {
    const h = new Harness();
    h.shown = () => Promise.reject(lost());
    await h.doubt();
    await tending(h, 30 * MINUTE);
    expect((await h.state()).state).toBe('in_doubt');
    expect(await h.journal.reconcile()).toEqual({ settled: 0, waiting: 0, needsPerson: 1 });
    const { state, outcome } = await h.state();
    expect(state).toBe('needs_person');
    expect(outcome?.check).toContain('could not be read since');
    expect(outcome?.check).toContain('booking ABC123: whether the booking is paid');
  });

  test('counts a reading that hangs for half a lease as failed', async () => {
    const h = new Harness();
    h.shown = () => new Promise(() => {});
    await h.doubt();
    const pass = h.journal.reconcile();
    await h.clock.pass(30_000);
    expect(await pass).toEqual({ settled: 0, waiting: 1, needsPerson: 0 });
    expect((await h.state()).failingSince).toBe(h.clock.now() - 30_000);
  });

  test('counts a reading as failed if the process slept meanwhile', async () => {
    const h = new Harness();
    h.shown = async () => {
      h.clock.jump(30_001);
      return paidBooking();
    };
    await h.doubt();
    await h.journal.reconcile();
    expect(await h.state()).toMatchObject({ state: 'in_doubt', failingSince: h.clock.now() - 30_001 });
  });

  test('counts a reading that breaks a rule as failed', async () => {
    const h = new Harness();
    h.shown = { locator: 'ABC123' } as Booking;
    await h.doubt();
    await h.journal.reconcile();
    expect((await h.state()).failingSince).toBeDefined();
    expect(h.warnings).toEqual(['the evidence could not be judged']);
  });

  test('hands a payment to a person after ten minutes without its tickets', async () => {
    const h = new Harness();
    h.shown = paidBooking({ tickets: [] });
    await h.doubt();
    await tending(h, 10 * MINUTE);
    expect(await h.state()).toMatchObject({ state: 'in_doubt', negatives: 0 });
    await h.journal.reconcile();
    expect((await h.state()).outcome?.check).toContain('only a part');
  });

  test('restarts the count of negative readings after a partial one', async () => {
    const h = new Harness();
    h.shown = unpaid;
    await h.doubt();
    await tending(h, SETTLE + 2 * GAP);
    expect((await h.state()).negatives).toBe(2);
    h.shown = paidBooking({ tickets: [] });
    await tending(h, GAP);
    expect(await h.state()).toMatchObject({ state: 'in_doubt', negatives: 0 });
    h.shown = unpaid;
    await tending(h, 2 * GAP);
    expect(await h.state()).toMatchObject({ state: 'in_doubt', negatives: 2 });
    await h.journal.reconcile();
    expect((await h.state()).state).toBe('not_executed');
  });

  test('settles a payment when its tickets appear later', async () => {
    const h = new Harness();
    h.shown = paidBooking({ tickets: [] });
    await h.doubt();
    await tending(h, 5 * MINUTE);
    h.shown = paidBooking();
    await h.journal.reconcile();
    expect((await h.state()).state).toBe('succeeded');
  });

  test('hands a partly cancelled booking to a person after the settle time', async () => {
    const subject: ExpectedChange = {
      kind: 'cancel_segments',
      segmentRefs: ['1', '2'],
      keptRefs: [],
      refundsBefore: 0,
    };
    const h = new Harness();
    h.shown = booking({ options: [option('1', '16'), option('2')] });
    await h.doubt({ subject });
    await tending(h, SETTLE);
    expect((await h.state()).state).toBe('in_doubt');
    await h.journal.reconcile();
    expect((await h.state()).outcome?.check).toContain('which segments are cancelled');
  });

  test('hands an unexpected change to a person only after the settle time', async () => {
    const h = new Harness();
    h.shown = paidBooking({ orders: [{ direction: 'PAYMENT', status: 'PAID', amount: SAR(99) }] });
    await h.doubt();
    await tending(h, SETTLE);
    expect((await h.state()).state).toBe('in_doubt');
    await h.journal.reconcile();
    expect((await h.state()).state).toBe('needs_person');
    expect((await h.state()).outcome?.check).toContain('not asked for');
  });

  test('keeps the estimate recorded when the operation was opened', async () => {
    const estimate = { amount: SAR(1), penalty: SAR(2), rule: 'r' };
    const h = new Harness();
    await h.doubt({ outcome: { estimate } });
    await h.journal.reconcile();
    expect((await h.state()).outcome?.estimate).toEqual(estimate);
  });
});

describe('cancelling a booking', () => {
  const subject: ExpectedChange = { kind: 'cancel_booking' };
  const gone = error('E_NOT_FOUND', { noSuchBooking: true });

  test('settles a cancellation as done if the airline says that the booking no longer exists', async () => {
    const h = new Harness();
    h.shown = () => Promise.reject(gone);
    await h.doubt({ subject });
    await h.journal.reconcile();
    expect(await h.state()).toMatchObject({ state: 'succeeded', outcome: { basis: 'read' } });
  });

  test.each([
    ['only we cannot find it', error('E_NOT_FOUND')],
    ['something in between knows no such address', error('E_NOT_FOUND', { airline: { status: 404 } })],
    ['the airline says that it may not be read', error('E_NOT_PERMITTED', { airline: { status: 403 } })],
    ['the airline is down', error('E_AIRLINE_DOWN', { airline: { status: 503, code: '450' } })],
    ['the failure is an unknown error', Object.assign(new Error('x'), { code: 'E_NOT_FOUND', airline: {} })],
  ])('does not settle a cancellation when %s', async (_, thrown) => {
    const h = new Harness();
    h.shown = () => Promise.reject(thrown);
    await h.doubt({ subject });
    await h.journal.reconcile();
    expect(await h.state()).toMatchObject({ state: 'in_doubt', failingSince: h.clock.now() });
  });

  test('proves nothing about a payment if the booking no longer exists', async () => {
    const h = new Harness();
    h.shown = () => Promise.reject(gone);
    await h.doubt();
    await h.journal.reconcile();
    expect(await h.state()).toMatchObject({ state: 'in_doubt', failingSince: h.clock.now() });
  });
});

describe('a create', () => {
  const { locator: _, ...bare } = newOperation('a', {
    subject: { kind: 'create' },
    fingerprint: 'f',
    tool: 'create_booking',
  });

  async function doubted(h: Harness): Promise<void> {
    const opened = await h.journal.open(bare);
    if (opened.kind !== 'fresh') throw new Error(opened.kind);
    await h.journal.run(
      opened.operation,
      act(() => Promise.reject(lost())),
    );
  }

  test('hands a create without an answer to a person after the settle time', async () => {
    const h = new Harness();
    await doubted(h);
    await tending(h, SETTLE);
    expect((await h.state()).state).toBe('in_doubt');
    await h.journal.reconcile();
    expect(h.reads).toBe(0);
    const { state, outcome } = await h.state();
    expect(state).toBe('needs_person');
    expect(outcome?.check).toContain('may exist until it lapses');
    expect(outcome?.check).toContain("in the airline's own desk: whether a hold was made");
  });
});

describe('a kept reply', () => {
  /** A process that died between keeping the reply and judging it. */
  async function died(h: Harness, reply: RawReply = REPLY): Promise<void> {
    await h.open();
    await h.store.transition('a', ['intent'], 'dispatched', { dispatchedAt: h.clock.now() }, { now: 0, actor: 'p1' });
    await h.store.keepReply('a', reply);
    await h.clock.pass(MINUTE);
  }

  test("settles a dead process's operation by its kept reply instead of a reading", async () => {
    const seen: unknown[] = [];
    const understand = async (operation: unknown, reply: unknown) => {
      seen.push(operation, reply);
      return receipt();
    };
    const h = new Harness({ understand });
    await died(h);
    await h.journal.reconcile();
    expect(seen).toEqual([expect.objectContaining({ id: 'a', state: 'in_doubt' }), REPLY]);
    expect(h.reads).toBe(0);
    expect(await h.state()).toMatchObject({ state: 'succeeded', outcome: { basis: 'reply' } });
  });

  test('settles an operation as refused by a kept refusal', async () => {
    const h = new Harness({ understand: () => Promise.reject(refused()) });
    await died(h);
    await h.journal.reconcile();
    expect((await h.state()).state).toBe('refused');
  });

  test('reads the booking if the kept reply was cut off, whatever its status', async () => {
    const h = new Harness({ understand: async ({ locator }, reply) => understandReply(reply, locator) });
    await died(h, { status: 429, body: '', truncated: true });
    await h.journal.reconcile();
    expect(await h.state()).toMatchObject({ state: 'succeeded', outcome: { basis: 'read' } });
  });

  test('tries a kept reply that proves nothing only once, and reads the booking', async () => {
    let asked = 0;
    const understand = async (): Promise<Evidence> => {
      asked++;
      throw error('E_AIRLINE_REPLY');
    };
    const h = new Harness({ understand });
    h.shown = unpaid;
    await died(h);
    await tending(h, 2 * GAP);
    expect([asked, h.reads]).toEqual([1, 2]);
  });

  test('reads the booking if no reply was kept', async () => {
    const h = new Harness({ understand: async () => receipt() });
    await h.doubt();
    await h.journal.reconcile();
    expect((await h.state()).outcome?.basis).toBe('read');
  });

  test('reads the booking if the kept reply cannot be decoded', async () => {
    const h = new Harness();
    await died(h);
    await h.journal.reconcile();
    expect(await h.state()).toMatchObject({ state: 'succeeded', outcome: { basis: 'read' } });
  });
});

test('another process settles an operation in the trace that asked for it', async () => {
  const ASKED = '0af7651916cd43dd8448eb211c80319c';
  const h = new Harness();
  await h.doubt({ trace: `00-${ASKED}-b7ad6b7169203331-01` });
  const seen: object[] = [];
  h.shown = async () => {
    seen.push(traceFields());
    return paidBooking();
  };
  await h.process('p2', { tracing: plainTracer }).reconcile();
  expect(seen).toMatchObject([{ trace_id: ASKED, operation: 'a' }]);
  expect((await h.state()).state).toBe('succeeded');
});
