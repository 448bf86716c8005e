import { beforeEach, describe, expect, it } from 'vitest';
import { createSharedTokens } from '../../../src/auth/airline/shared-token.ts';
import { GrantError, type Grants } from '../../../src/auth/airline/token-request.ts';
import type { AccessTokens, TokenSet } from '../../../src/domain/login-store.ts';
import { MemoryStore } from './memory-store.ts';

const HOUR = 3_600_000;
const NAME = 'desk@airline';
const refused = new GrantError('refused', 401, 'invalid_grant');
const unavailable = new GrantError('unavailable', 503);

let clock: number;
let store: MemoryStore;
/** The grants requested, in order: `password`, or the refresh token. */
let asked: string[];
/** The provider's next answers; after them it grants every request. */
let answers: ((() => Promise<TokenSet>) | GrantError)[];
let lives: Partial<TokenSet>;

beforeEach(() => {
  clock = 1_000_000;
  store = new MemoryStore(() => clock);
  asked = [];
  answers = [];
  lives = { expiresIn: 7200, refreshExpiresIn: 14_400 };
});

const granted = (n = asked.length): TokenSet => ({
  accessToken: `access-${n}`,
  refreshToken: `refresh-${n}`,
  expiresIn: 7200,
  ...lives,
});

const grants: Grants = {
  password: () => answer('password'),
  refresh: (token) => answer(token),
};

async function answer(what: string): Promise<TokenSet> {
  const n = asked.push(what);
  await Promise.resolve();
  const next = answers.shift();
  if (next instanceof GrantError) throw next;
  return next === undefined ? granted(n) : next();
}

/** Another process of the fleet. Waiting moves the clock. */
function process(holder: string, random = 0): AccessTokens {
  return createSharedTokens({
    grants,
    store,
    name: NAME,
    holder,
    now: () => clock,
    random: () => random,
    sleep: async (ms) => {
      clock += ms;
    },
  });
}

const codeOf = async (call: Promise<string>): Promise<unknown> => {
  const error: unknown = await call.then(
    (token) => token,
    (thrown) => thrown,
  );
  return typeof error === 'string' ? error : (error as { code: string }).code;
};

describe('a token shared by processes', () => {
  it('requests one shared token for all callers in all processes', async () => {
    const fleet = ['a', 'b', 'c', 'd'].map((holder) => process(holder));
    const calls = fleet.flatMap((one) => Array.from({ length: 250 }, () => one.token()));
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['access-1']));
    expect(asked).toEqual(['password']);
  });

  it('renews an expired shared token once, with the refresh token of the process that got it', async () => {
    const [a, b] = [process('a'), process('b')];
    await a.token();
    clock += 2 * HOUR;
    const tokens = await Promise.all([b.token(), a.token(), b.token()]);
    expect(tokens).toEqual(['access-2', 'access-2', 'access-2']);
    expect(asked).toEqual(['password', 'refresh-1']);
    expect(b.refreshToken?.()).toBe('refresh-2');
  });

  it('renews a shared token early in one process, and the others find the new token', async () => {
    const [a, b] = [process('a', 0), process('b', 0.99)];
    await a.token();
    await b.token();
    clock += 0.8 * 7200_000;
    expect(await a.token()).toBe('access-1');
    await settled();
    expect(await a.token()).toBe('access-2');
    expect(await b.token()).toBe('access-1');
    clock += 0.1 * 7200_000;
    expect(await b.token()).toBe('access-1');
    await settled();
    expect(await b.token()).toBe('access-2');
    expect(asked).toEqual(['password', 'refresh-1']);
  });

  it('renews a shared token that expires too soon for a payment', async () => {
    const [a, b] = [process('a', 0.99), process('b', 0.99)];
    await a.token();
    await b.token();
    clock += 7200_000 - 60_000 - 500_000;
    expect(await a.ensureLife(600_000)).toBe('access-2');
    expect(await b.ensureLife(400_000)).toBe('access-1');
    expect(await b.ensureLife(600_000)).toBe('access-2');
    expect(asked).toEqual(['password', 'refresh-1']);
  });

  it('does not request a short-lived token again for each payment', async () => {
    lives = { expiresIn: 60 };
    const a = process('a');
    for (let i = 0; i < 5; i++) await a.ensureLife(600_000);
    expect(asked).toEqual(['password']);
  });

  it('requests a token itself once the lease of a dead process has expired', async () => {
    await store.claim(NAME, 0, 'dead', 12_000);
    const began = clock;
    expect(await process('a').token()).toBe('access-1');
    expect(clock - began).toBeGreaterThanOrEqual(12_000);
    expect(clock - began).toBeLessThan(12_300);
  });

  it('does not overwrite a newer token with the late reply of a slow process', async () => {
    const [slow, quick] = [process('slow'), process('quick')];
    answers = [
      async () => {
        clock += 13_000;
        expect(await quick.token()).toBe('access-2');
        return { accessToken: 'late', expiresIn: 7200, refreshToken: 'late' };
      },
    ];
    expect(await slow.token()).toBe('access-2');
    expect(await process('third').token()).toBe('access-2');
  });
});

describe('a failed login', () => {
  it('tries one refresh and one password for all processes if the refresh token is refused', async () => {
    const [a, b] = [process('a'), process('b')];
    await a.token();
    clock += 2 * HOUR;
    answers = [refused];
    expect(await Promise.all([a.token(), b.token()])).toEqual(['access-3', 'access-3']);
    expect(asked).toEqual(['password', 'refresh-1', 'password']);
  });

  it('does not try an expired shared refresh token', async () => {
    const a = process('a');
    await a.token();
    clock += 4 * HOUR;
    await a.token();
    expect(asked).toEqual(['password', 'password']);
  });

  it('keeps the old refresh token until it expires if a refresh returns no new one', async () => {
    const [a, b] = [process('a'), process('b')];
    await a.token();
    clock += 2 * HOUR;
    const bare = async () => ({ accessToken: `bare-${asked.length}`, expiresIn: 3600 });
    answers = [bare, bare];
    expect(await b.token()).toBe('bare-2');
    expect(b.refreshToken?.()).toBe('refresh-1');
    clock += HOUR;
    expect(await a.token()).toBe('bare-3');
    clock += HOUR;
    expect(await b.token()).toBe('access-4');
    expect(asked).toEqual(['password', 'refresh-1', 'refresh-1', 'password']);
  });

  it('shares a refusal among processes, so that fewer than six logins are tried in an hour', async () => {
    answers = Array.from({ length: 100 }, () => refused);
    for (let i = 0; i < 60; i++) {
      expect(await codeOf(process(`p${i}`).token())).toBe('E_AUTH');
      clock += 50_000;
    }
    expect(asked).toHaveLength(5);
  });

  it('never logs in again in a process whose own login was refused', async () => {
    answers = [refused];
    const a = process('a');
    expect(await codeOf(a.token())).toBe('E_AUTH');
    clock += 10 * HOUR;
    expect(await codeOf(a.token())).toBe('E_AUTH');
    expect(asked).toHaveLength(1);
  });

  it('uses a repaired login in new processes and in those that only read of the refusal', async () => {
    answers = [refused];
    await codeOf(process('a').token());
    const heard = process('b');
    expect(await codeOf(heard.token())).toBe('E_AUTH');
    clock += 61_000;
    expect(await codeOf(process('c').token())).toBe('access-2');
    expect(await codeOf(heard.token())).toBe('access-2');
  });

  it('waits in all processes, longer each time, while the provider is down', async () => {
    answers = [unavailable, unavailable];
    const [a, b] = [process('a'), process('b')];
    expect(await codeOf(a.token())).toBe('E_AIRLINE_DOWN');
    expect(await codeOf(b.token())).toBe('E_AIRLINE_DOWN');
    expect(asked).toHaveLength(1);
    clock += 30_000;
    expect(await codeOf(b.token())).toBe('E_AIRLINE_DOWN');
    clock += 59_000;
    expect(await codeOf(a.token())).toBe('E_AIRLINE_DOWN');
    expect(asked).toHaveLength(2);
    clock += 1_000;
    expect(await codeOf(a.token())).toBe('access-3');
  });
});

describe('a token that the airline rejects', () => {
  it('renews a rejected token once for all processes that got a 401', async () => {
    const fleet = ['a', 'b', 'c'].map((holder) => process(holder));
    for (const one of fleet) await one.token();
    clock += 60_000;
    for (const one of fleet) one.invalidate('access-1');
    expect(await Promise.all(fleet.map((one) => one.token()))).toEqual(['access-2', 'access-2', 'access-2']);
    expect(asked).toEqual(['password', 'refresh-1']);
  });

  it('does not renew a rejected token that is still new', async () => {
    const [a, b] = [process('a'), process('b')];
    for (let i = 0; i < 60; i++) {
      for (const one of [a, b]) one.invalidate(await one.token());
      clock += 1_000;
    }
    expect(asked).toHaveLength(2);
  });

  it('ignores the rejection of a token that was already replaced', async () => {
    const a = process('a');
    await a.token();
    clock += 2 * HOUR;
    await a.token();
    a.invalidate('access-1');
    expect(await a.token()).toBe('access-2');
    expect(asked).toHaveLength(2);
  });
});

describe('if the store is down', () => {
  it('keeps using its token without the store, then logs in once in each process', async () => {
    const [a, b] = [process('a'), process('b')];
    await a.token();
    await b.token();
    store.away = true;
    clock += HOUR;
    expect(await a.token()).toBe('access-1');
    clock += HOUR;
    expect(await Promise.all([a.token(), a.token(), b.token()])).toEqual(['access-2', 'access-2', 'access-3']);
    expect(asked).toEqual(['password', 'password', 'password']);
    expect(a.refreshToken?.()).toBe('refresh-2');
  });

  it('returns to the shared session once the store is back', async () => {
    const a = process('a');
    await a.token();
    clock += 2 * HOUR;
    store.away = true;
    await a.token();
    store.away = false;
    clock += 1_000;
    await a.token();
    expect(asked).toEqual(['password', 'password']);
    clock += 5_000;
    await a.token();
    expect(asked).toEqual(['password', 'password', 'refresh-1']);
  });

  it('renews its own rejected token without the store', async () => {
    store.away = true;
    const a = process('a');
    a.invalidate(await a.token());
    expect(await a.token()).toBe('access-2');
    expect(asked).toEqual(['password', 'refresh-1']);
  });

  it('uses a token that could not be stored', async () => {
    const a = process('a');
    answers = [
      async () => {
        store.away = true;
        return granted();
      },
    ];
    expect(await a.token()).toBe('access-1');
    clock += HOUR;
    expect(await a.token()).toBe('access-1');
    expect(asked).toHaveLength(1);
  });

  it('reports a refused login without the store', async () => {
    store.away = true;
    answers = [refused];
    expect(await codeOf(process('a').token())).toBe('E_AUTH');
  });
});

/** Lets background renewals finish. */
async function settled(): Promise<void> {
  for (let i = 0; i < 50; i++) await Promise.resolve();
}
