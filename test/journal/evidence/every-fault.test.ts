/**
 * Breaks each call to the store, one at a time. Whatever the airline answers, nothing is sent twice and the final
 * outcome is the true one.
 */
import { describe, expect, test } from 'vitest';
import { newOperation } from '../../store/support/new-operation.ts';
import { act, booking, type Evidence, lost, NAMED, paidBooking, receipt, refused } from '../answers.ts';
import { Harness, intercepted, SETTLE } from '../harness.ts';

type Fault = 'fails before' | 'fails after' | 'dies before' | 'dies after';
const FAULTS: readonly Fault[] = ['fails before', 'fails after', 'dies before', 'dies after'];

/** What the airline answers, and whether it carried out the message. */
const ANSWERS: Record<string, { done: boolean; answer: () => Promise<Evidence> }> = {
  'a good reply': { done: true, answer: async () => receipt() },
  'a lost reply': { done: true, answer: () => Promise.reject(lost()) },
  'a reply that never comes': { done: true, answer: () => new Promise(() => {}) },
  'a refusal': { done: false, answer: () => Promise.reject(refused()) },
  'a lost message': { done: false, answer: () => Promise.reject(lost()) },
};

/** The store as one process sees it. Its nth call fails; `seen.calls` counts the calls. */
function faulty(store: Harness['store'], at: number, fault: Fault, seen: { calls: number; hit: boolean }) {
  let dead = false;
  return intercepted(store, async (call) => {
    if (dead) return await new Promise(() => {});
    if (++seen.calls !== at) return await call();
    seen.hit = true;
    if (fault.endsWith('after')) await call();
    if (fault.startsWith('fails')) throw new Error('the store is away');
    dead = true;
    return await new Promise(() => {});
  });
}

async function runWith(at: number, fault: Fault, { done, answer }: { done: boolean; answer: () => Promise<Evidence> }) {
  const seen = { calls: 0, hit: false };
  const h = await Harness.open();
  h.shown = booking();
  const first = h.process('first', { store: faulty(h.store, at, fault, seen) });
  const sending = act(async (dispatch) => {
    if (done) h.shown = paidBooking();
    await dispatch.keep(NAMED);
    return await answer();
  });
  const attempt = first.open(newOperation('a')).then((opened) => {
    if (opened.kind === 'inserted') return first.execute(opened.operation, sending);
    return undefined;
  });
  void attempt.catch(() => {});
  await h.clock.pass(240_000);
  // Another process, and the same approval presented to it once more.
  const second = h.process('second');
  const again = await second.open(newOperation('a'));
  if (again.kind === 'inserted') void second.execute(again.operation, sending);
  const stop = new AbortController();
  void second.keepReconciling(stop.signal);
  await h.clock.pass(2 * SETTLE);
  stop.abort();
  return { hit: seen.hit, sends: sending.sends, end: await h.entry(), chain: await h.store.verify() };
}

describe.each(Object.entries(ANSWERS))('%s', (_name, airline) => {
  test.each(FAULTS)('sends once and settles the true outcome if the store %s each of its calls', async (fault) => {
    let at = 1;
    for (; ; at++) {
      const { hit, sends, end, chain } = await runWith(at, fault, airline);
      const where = `call ${at}`;
      expect([where, sends <= 1]).toEqual([where, true]);
      const ends = sends === 1 && airline.done ? ['succeeded'] : ['not_executed', 'refused'];
      expect([where, ends.includes(end.state), end.state]).toEqual([where, true, end.state]);
      expect(chain).toBeUndefined();
      if (!hit) break;
    }
    // insert, dispatch, and at least one more to settle it
    expect(at).toBeGreaterThan(4);
  });
});
