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
/** What the provider was asked, in order: `password`, or the refresh token. */
let asked: string[];
/** How the provider answers the next questions; then it grants. */
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
  it('is asked for once, however many wait in however many processes', async () => {
    const fleet = ['a', 'b', 'c', 'd'].map((holder) => process(holder));
    const calls = fleet.flatMap((one) => Array.from({ length: 250 }, () => one.token()));
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['access-1']));
    expect(asked).toEqual(['password']);
  });

  it('is renewed once when it has expired, with the refresh token of whoever got it', async () => {
    const [a, b] = [process('a'), process('b')];
    await a.token();
    clock += 2 * HOUR;
    const tokens = await Promise.all([b.token(), a.token(), b.token()]);
    expect(tokens).toEqual(['access-2', 'access-2', 'access-2']);
    expect(asked).toEqual(['password', 'refresh-1']);
    expect(b.refreshToken?.()).toBe('refresh-2');
  });

  it('is renewed early by one, while all go on with the old one; the others find the new one', async () => {
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

  it('is renewed where it lives too short for a payment', async () => {
    const [a, b] = [process('a', 0.99), process('b', 0.99)];
    await a.token();
    await b.token();
    clock += 7200_000 - 60_000 - 500_000;
    expect(await a.ensureLife(600_000)).toBe('access-2');
    expect(await b.ensureLife(400_000)).toBe('access-1');
    expect(await b.ensureLife(600_000)).toBe('access-2');
    expect(asked).toEqual(['password', 'refresh-1']);
  });

  it('that lives shortly is not asked for again and again', async () => {
    lives = { expiresIn: 60 };
    const a = process('a');
    for (let i = 0; i < 5; i++) await a.ensureLife(600_000);
    expect(asked).toEqual(['password']);
  });

  it('is waited for while somebody else asks, and asked for where that one died', async () => {
    await store.claim(NAME, 0, 'dead', 12_000);
    const began = clock;
    expect(await process('a').token()).toBe('access-1');
    expect(clock - began).toBeGreaterThanOrEqual(12_000);
    expect(clock - began).toBeLessThan(12_300);
  });

  it('is not written over what came while its asker slept', async () => {
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

describe('a login that fails', () => {
  it('refresh dead: one refresh, one password, for all', async () => {
    const [a, b] = [process('a'), process('b')];
    await a.token();
    clock += 2 * HOUR;
    answers = [refused];
    expect(await Promise.all([a.token(), b.token()])).toEqual(['access-3', 'access-3']);
    expect(asked).toEqual(['password', 'refresh-1', 'password']);
  });

  it('a refresh token past its life is not tried', async () => {
    const a = process('a');
    await a.token();
    clock += 4 * HOUR;
    await a.token();
    expect(asked).toEqual(['password', 'password']);
  });

  it('a refresh without a new refresh token goes on with the old one, for what is left of it', async () => {
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

  it('a no is heard by all: fewer than six in an hour, whoever starts anew', async () => {
    answers = Array.from({ length: 100 }, () => refused);
    for (let i = 0; i < 60; i++) {
      expect(await codeOf(process(`p${i}`).token())).toBe('E_AUTH');
      clock += 50_000;
    }
    expect(asked).toHaveLength(5);
  });

  it('whoever was refused itself does not ask again', async () => {
    answers = [refused];
    const a = process('a');
    expect(await codeOf(a.token())).toBe('E_AUTH');
    clock += 10 * HOUR;
    expect(await codeOf(a.token())).toBe('E_AUTH');
    expect(asked).toHaveLength(1);
  });

  it('a repaired login is used by the next process, and by those that only heard of the refusal', async () => {
    answers = [refused];
    await codeOf(process('a').token());
    const heard = process('b');
    expect(await codeOf(heard.token())).toBe('E_AUTH');
    clock += 61_000;
    expect(await codeOf(process('c').token())).toBe('access-2');
    expect(await codeOf(heard.token())).toBe('access-2');
  });

  it('a provider that is down is left alone by all, longer each time', async () => {
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
  it('is renewed once for all processes that got a 401', async () => {
    const fleet = ['a', 'b', 'c'].map((holder) => process(holder));
    for (const one of fleet) await one.token();
    clock += 60_000;
    for (const one of fleet) one.invalidate('access-1');
    expect(await Promise.all(fleet.map((one) => one.token()))).toEqual(['access-2', 'access-2', 'access-2']);
    expect(asked).toEqual(['password', 'refresh-1']);
  });

  it('is kept while it is new, whoever got it: the next would be no better', async () => {
    const [a, b] = [process('a'), process('b')];
    for (let i = 0; i < 60; i++) {
      for (const one of [a, b]) one.invalidate(await one.token());
      clock += 1_000;
    }
    expect(asked).toHaveLength(2);
  });

  it('is no matter once there is another', async () => {
    const a = process('a');
    await a.token();
    clock += 2 * HOUR;
    await a.token();
    a.invalidate('access-1');
    expect(await a.token()).toBe('access-2');
    expect(asked).toHaveLength(2);
  });
});

describe('without the store', () => {
  it('a token that is held goes on; then each process logs in for itself, once', async () => {
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

  it('the shared session is untouched meanwhile, and taken up again', async () => {
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

  it('a rejected token of its own is renewed', async () => {
    store.away = true;
    const a = process('a');
    a.invalidate(await a.token());
    expect(await a.token()).toBe('access-2');
    expect(asked).toEqual(['password', 'refresh-1']);
  });

  it('a token that could not be put there is used all the same', async () => {
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

  it('a refused login is a refused login', async () => {
    store.away = true;
    answers = [refused];
    expect(await codeOf(process('a').token())).toBe('E_AUTH');
  });
});

/** What runs in the background has run. */
async function settled(): Promise<void> {
  for (let i = 0; i < 50; i++) await Promise.resolve();
}
