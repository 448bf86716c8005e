/** One login that the processes of a fleet share, by a store that may be away. */
import { beforeEach, describe, expect, it } from 'vitest';
import { createSharedTokens } from '../../../src/auth/airline/shared-token.ts';
import { DOWN, memoryStore, REFUSED, scripted } from './logins.ts';

const HOUR = 3_600_000;
const NAME = 'desk@airline';

let { told, grants, now } = scripted();
let store: ReturnType<typeof memoryStore>;
beforeEach(() => {
  ({ told, grants, now } = scripted());
  store = memoryStore(now);
});

/** Another process of the fleet. Waiting moves the clock. */
const process = (holder: string, random = 0) =>
  createSharedTokens({
    ...{ grants, store, name: NAME, holder, now, random: () => random },
    sleep: async (ms) => {
      told.clock += ms;
    },
  });
const fleetOf = (...holders: string[]) => holders.map((holder) => process(holder));
/** The token, or the code of the failure. */
const tokenOf = (one: ReturnType<typeof process>) => one.token().catch(({ code }: { code: string }) => code);
const all = (fleet: readonly ReturnType<typeof process>[]) => Promise.all(fleet.map(tokenOf));
/** Lets background renewals finish. */
const settled = () => new Promise((done) => setImmediate(done));

describe('a token shared by processes', () => {
  it('is requested once for all callers in all processes, and renewed once by whoever needs it first', async () => {
    const fleet = fleetOf('a', 'b', 'c', 'd');
    const calls = fleet.flatMap((one) => Array.from({ length: 250 }, () => one.token()));
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['access-1']));
    told.clock += 2 * HOUR;
    expect(await all(fleet.toReversed())).toEqual(Array(4).fill('access-2'));
    expect(told.asked).toEqual(['password', 'refresh-1']);
    expect(fleet[1]?.refreshToken?.()).toBe('refresh-2');
  });

  it('is renewed early in one process, and the others find the new token', async () => {
    const [a, b] = [process('a', 0), process('b', 0.99)];
    await all([a, b]);
    told.clock += 0.8 * 2 * HOUR;
    expect(await a.token()).toBe('access-1');
    await settled();
    expect([await a.token(), await b.token()]).toEqual(['access-2', 'access-1']);
    told.clock += 0.1 * 2 * HOUR;
    expect(await b.token()).toBe('access-1');
    await settled();
    expect(await b.token()).toBe('access-2');
    expect(told.asked).toEqual(['password', 'refresh-1']);
  });

  it('is renewed if it expires too soon for a payment, but not for each payment if it is always short', async () => {
    const [a, b] = [process('a', 0.99), process('b', 0.99)];
    await all([a, b]);
    told.clock += 2 * HOUR - 60_000 - 500_000;
    expect(await a.ensureLife(600_000)).toBe('access-2');
    expect([await b.ensureLife(400_000), await b.ensureLife(600_000)]).toEqual(['access-1', 'access-2']);
    expect(told.asked).toEqual(['password', 'refresh-1']);
    told.clock += 3 * HOUR;
    told.lives = { expires_in: 60 };
    for (let i = 0; i < 5; i++) await a.ensureLife(600_000);
    expect(told.asked).toHaveLength(3);
  });

  it('is requested by another process once the lease of a dead one has expired', async () => {
    await store.claim(NAME, 0, 'dead', 12_000);
    const began = told.clock;
    expect(await process('a').token()).toBe('access-1');
    expect(told.clock - began).toBeGreaterThanOrEqual(12_000);
    expect(told.clock - began).toBeLessThan(12_300);
  });

  it('is not overwritten by the late reply of a slow process', async () => {
    const [slow, quick] = fleetOf('slow', 'quick');
    told.answers = [
      async () => {
        told.clock += 13_000;
        expect(await quick?.token()).toBe('access-2');
        return told.granted(1);
      },
    ];
    expect([await slow?.token(), await process('third').token()]).toEqual(['access-2', 'access-2']);
  });
});

describe('a failed login', () => {
  it('of a refused refresh token is tried once with the password, for all processes', async () => {
    const fleet = fleetOf('a', 'b');
    await fleet[0]?.token();
    told.clock += 2 * HOUR;
    told.answers = [REFUSED];
    expect(await all(fleet)).toEqual(['access-3', 'access-3']);
    told.clock += 4 * HOUR;
    // The refresh token has expired too.
    await fleet[0]?.token();
    expect(told.asked).toEqual(['password', 'refresh-1', 'password', 'password']);
  });

  it('is avoided by the old refresh token until it expires, if a refresh returned no new one', async () => {
    const [a, b] = fleetOf('a', 'b');
    await a?.token();
    told.clock += 2 * HOUR;
    const bare = { status: 200, body: { access_token: 'bare', expires_in: 3600 } };
    told.answers = [bare, bare];
    expect([await b?.token(), b?.refreshToken?.()]).toEqual(['bare', 'refresh-1']);
    told.clock += HOUR;
    expect(await a?.token()).toBe('bare');
    told.clock += HOUR;
    expect(await b?.token()).toBe('access-4');
    expect(told.asked).toEqual(['password', 'refresh-1', 'refresh-1', 'password']);
  });

  it('that was refused is shared, so that fewer than six logins are tried in an hour', async () => {
    told.always = REFUSED;
    for (let i = 0; i < 60; i++) {
      expect(await tokenOf(process(`p${i}`))).toBe('E_AUTH');
      told.clock += 50_000;
    }
    expect(told.asked).toHaveLength(5);
  });

  it('is never repeated by a process whose own was refused; others use the repaired login', async () => {
    told.answers = [REFUSED];
    const [own, heard] = fleetOf('a', 'b') as [ReturnType<typeof process>, ReturnType<typeof process>];
    expect(await all([own, heard])).toEqual(['E_AUTH', 'E_AUTH']);
    told.clock += 61_000;
    expect(await all([process('c'), heard, own])).toEqual(['access-2', 'access-2', 'E_AUTH']);
    told.clock += 10 * HOUR;
    expect([await tokenOf(own), told.asked.length]).toEqual(['E_AUTH', 2]);
  });

  it('waits in all processes, longer each time, while the provider is down', async () => {
    told.answers = [DOWN, DOWN];
    const [a, b] = fleetOf('a', 'b') as [ReturnType<typeof process>, ReturnType<typeof process>];
    expect([await tokenOf(a), await tokenOf(b), told.asked.length]).toEqual(['E_AIRLINE_DOWN', 'E_AIRLINE_DOWN', 1]);
    told.clock += 30_000;
    expect(await tokenOf(b)).toBe('E_AIRLINE_DOWN');
    told.clock += 59_000;
    expect([await tokenOf(a), told.asked.length]).toEqual(['E_AIRLINE_DOWN', 2]);
    told.clock += 1_000;
    expect(await tokenOf(a)).toBe('access-3');
  });
});

describe('a token that the airline rejects', () => {
  it('is renewed once for all processes that got a 401, and ignored once it was replaced', async () => {
    const fleet = fleetOf('a', 'b', 'c');
    await all(fleet);
    told.clock += 60_000;
    for (const one of fleet) one.invalidate('access-1');
    expect(await all(fleet)).toEqual(Array(3).fill('access-2'));
    told.clock += 60_000;
    fleet[0]?.invalidate('access-1');
    expect([await tokenOf(process('d')), told.asked]).toEqual(['access-2', ['password', 'refresh-1']]);
    expect(await all(fleet)).toEqual(Array(3).fill('access-2'));
  });

  it('is not renewed while it is still new', async () => {
    const fleet = fleetOf('a', 'b');
    for (let i = 0; i < 60; i++) {
      for (const one of fleet) one.invalidate(await one.token());
      told.clock += 1_000;
    }
    expect(told.asked).toHaveLength(2);
  });
});

describe('if the store is away', () => {
  it('goes on with its token, then logs in once in each process, and returns to the shared session later', async () => {
    const [a, b] = fleetOf('a', 'b') as [ReturnType<typeof process>, ReturnType<typeof process>];
    await all([a, b]);
    store.away = true;
    told.clock += HOUR;
    expect(await a.token()).toBe('access-1');
    told.clock += HOUR;
    expect(await all([a, a, b])).toEqual(['access-2', 'access-2', 'access-3']);
    expect(told.asked).toEqual(['password', 'password', 'password']);
    expect(a.refreshToken?.()).toBe('refresh-2');
    store.away = false;
    told.clock += 1_000;
    await a.token();
    expect(told.asked).toHaveLength(3);
    told.clock += 5_000;
    await a.token();
    expect(told.asked.at(-1)).toBe('refresh-1');
  });

  it('renews its own rejected token, and reports a refused login', async () => {
    store.away = true;
    const a = process('a');
    a.invalidate(await a.token());
    expect([await a.token(), told.asked]).toEqual(['access-2', ['password', 'refresh-1']]);
    told.answers = [REFUSED];
    expect(await tokenOf(process('b'))).toBe('E_AUTH');
  });

  it('uses a token that could not be stored', async () => {
    const a = process('a');
    told.answers = [
      async () => {
        store.away = true;
        return told.granted(1);
      },
    ];
    expect(await a.token()).toBe('access-1');
    told.clock += HOUR;
    expect([await a.token(), told.asked.length]).toEqual(['access-1', 1]);
  });
});
