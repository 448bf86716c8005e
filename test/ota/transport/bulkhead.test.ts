/**
 * Bulkheads limit concurrent calls to the airline. They refuse others quickly, before anything is sent.
 */
import { describe, expect, it } from 'vitest';
import { ClerkError } from '../../../src/core/errors.ts';
import { Bulkhead, createBulkheads, withBulkheads } from '../../../src/ota/transport/bulkhead.ts';

type Airline = Parameters<typeof withBulkheads>[0];

/** Work that ends when the test says so. */
function works() {
  const running: (() => void)[] = [];
  let most = 0;
  return {
    work: () => {
      const { promise, resolve } = Promise.withResolvers<string>();
      running.push(() => resolve('done'));
      most = Math.max(most, running.length);
      return promise;
    },
    end: async (count = 1) => {
      for (const finish of running.splice(0, count)) finish();
      await new Promise(setImmediate);
    },
    get running() {
      return running.length;
    },
    get most() {
      return most;
    },
  };
}

const refused = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    (error) => error as ClerkError,
  );

describe('a bulkhead', () => {
  it('limits how many calls run at once and runs the waiting ones in order', async () => {
    const { work, end, ...seen } = works();
    const lane = new Bulkhead({ slots: 2, queue: 4, waitMs: 60_000 });
    const order: number[] = [];
    const all = Array.from({ length: 6 }, (_, n) => lane.inSlot(work).then(() => order.push(n)));
    await new Promise(setImmediate);
    expect([lane.active, lane.waiting]).toEqual([2, 4]);
    for (let n = 0; n < 6; n++) await end();
    await Promise.all(all);
    expect(order).toEqual([0, 1, 2, 3, 4, 5]);
    expect([lane.active, lane.waiting]).toEqual([0, 0]);
    expect(seen.most).toBeLessThanOrEqual(2);
  });

  it('refuses a call at once if the queue is full, and says that nothing was sent', async () => {
    const { work, end } = works();
    const lane = new Bulkhead({ slots: 1, queue: 1, waitMs: 60_000 });
    const taken = [lane.inSlot(work), lane.inSlot(work)];
    const error = await refused(lane.inSlot(work));
    expect(error).toBeInstanceOf(ClerkError);
    expect(error).toMatchObject({ code: 'E_AIRLINE_BUSY', effect: 'none', retry: 'after_s:1' });
    await end();
    await end();
    expect(await Promise.all(taken)).toEqual(['done', 'done']);
  });

  it('refuses a call that has waited as long as allowed', async () => {
    const { work, end } = works();
    const lane = new Bulkhead({ slots: 1, queue: 5, waitMs: 20 });
    const first = lane.inSlot(work);
    expect(await refused(lane.inSlot(work))).toMatchObject({ code: 'E_AIRLINE_BUSY' });
    await end();
    expect(await first).toBe('done');
    expect([lane.active, lane.waiting]).toEqual([0, 0]);
  });

  it('drops a waiting call if its caller gives up', async () => {
    const { work, end, ...seen } = works();
    const lane = new Bulkhead({ slots: 1, queue: 5, waitMs: 60_000 });
    const first = lane.inSlot(work);
    const leaving = new AbortController();
    const left = refused(lane.inSlot(work, leaving.signal));
    const gone = refused(lane.inSlot(work, AbortSignal.abort()));
    leaving.abort();
    const givenUp = { code: 'E_AIRLINE_TIMEOUT', effect: 'none', message: expect.stringContaining('was given up') };
    expect([await left, await gone]).toEqual([expect.objectContaining(givenUp), expect.objectContaining(givenUp)]);
    await end();
    await first;
    expect([lane.active, lane.waiting, seen.running]).toEqual([0, 0, 0]);
  });

  it('frees the slot of a call that failed', async () => {
    const lane = new Bulkhead({ slots: 1, queue: 0, waitMs: 10 });
    await expect(lane.inSlot(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await lane.inSlot(async () => 'next')).toBe('next');
  });
});

describe('the airline behind bulkheads', () => {
  const one = () => new Bulkhead({ slots: 1, queue: 0, waitMs: 10 });

  it('lets reads and payments through while searches are at their limit', async () => {
    const { work, end } = works();
    const airline = { searchFares: work, read: async () => 'read', pay: async () => 'paid' } as unknown as Airline;
    const desk = withBulkheads(airline, { search: one(), read: one(), money: one() });
    const searching = desk.searchFares({} as never);
    expect(await refused(desk.searchFares({} as never))).toMatchObject({ code: 'E_AIRLINE_BUSY' });
    expect([await desk.read('ABC123'), await desk.pay({} as never)]).toEqual(['read', 'paid']);
    await end();
    await searching;
  });

  it('puts every method of the airline behind a bulkhead', async () => {
    const called: string[] = [];
    const airline = new Proxy({} as Airline, {
      get: (_target, name: string) => async () => called.push(name),
    });
    const lanes = createBulkheads();
    const desk = withBulkheads(airline, lanes);
    // This one sends nothing.
    const port = (Object.keys(desk) as (keyof Airline)[]).filter((name) => name !== 'pausedMs');
    for (const name of port) await (desk[name] as () => Promise<unknown>)();
    expect(called.sort()).toEqual([...port].sort());
    const full = withBulkheads(airline, { search: FULL, read: FULL, money: FULL });
    for (const name of port) expect(await refused((full[name] as () => Promise<unknown>)())).toBeInstanceOf(ClerkError);
  });
});

const FULL = new Bulkhead({ slots: 0, queue: 0, waitMs: 10 });
