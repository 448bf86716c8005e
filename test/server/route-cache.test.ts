import { describe, expect, it } from 'vitest';
import type { Airline } from '../../src/domain/airline.ts';
import type { Route } from '../../src/domain/booking/routes-and-calendar.ts';
import { ROUTES_LIFE_MS, rememberRoutes } from '../../src/server/route-cache.ts';

const station = { code: 'XMD', name: 'Madinah', city: 'Madinah', cityCode: 'MED', country: 'SA' };
const ROUTES: readonly Route[] = [{ from: station, to: [] }];

/** An airline whose answers the test gives one by one. */
function airline() {
  const asked: PromiseWithResolvers<readonly Route[]>[] = [];
  const own = {
    routes: () => {
      const answer = Promise.withResolvers<readonly Route[]>();
      asked.push(answer);
      return answer.promise;
    },
  } as unknown as Airline;
  const clock = { now: 0 };
  return { asked, clock, remembered: rememberRoutes(own, () => clock.now) };
}

describe('cached routes', () => {
  it('requests routes once for all waiting callers and the lifetime of the list', async () => {
    const { asked, clock, remembered } = airline();
    const both = Promise.all([remembered.routes(), remembered.routes()]);
    asked[0]?.resolve(ROUTES);
    expect(await both).toEqual([ROUTES, ROUTES]);
    clock.now = ROUTES_LIFE_MS - 1;
    expect(await remembered.routes()).toBe(ROUTES);
    expect(asked.length).toBe(1);
    clock.now = ROUTES_LIFE_MS;
    const later = remembered.routes();
    asked[1]?.resolve([]);
    expect(await later).toEqual([]);
    expect(asked.length).toBe(2);
  });

  it('does not cache an empty list of routes or a failure', async () => {
    const { asked, remembered } = airline();
    const empty = remembered.routes();
    asked[0]?.resolve([]);
    await empty;
    const failing = remembered.routes();
    asked[1]?.reject(new Error('down'));
    await expect(failing).rejects.toThrow('down');
    const good = remembered.routes();
    asked[2]?.resolve(ROUTES);
    expect(await good).toBe(ROUTES);
  });

  it('continues a request for routes for others when one caller aborts', async () => {
    const { asked, remembered } = airline();
    const caller = new AbortController();
    const leaves = remembered.routes({ signal: caller.signal });
    const stays = remembered.routes({ signal: new AbortController().signal });
    caller.abort(new Error('gone'));
    await expect(leaves).rejects.toThrow('gone');
    await expect(remembered.routes({ signal: AbortSignal.abort(new Error('late')) })).rejects.toThrow('late');
    asked[0]?.resolve(ROUTES);
    expect(await stays).toBe(ROUTES);
    expect(asked.length).toBe(1);
  });
});
