/** The token cache over scripted grants, on a clock of its own. */
import { describe, expect, it } from 'vitest';
import { createTokenCache } from '../../../src/auth/airline/token-cache.ts';
import { GrantError, type Grants } from '../../../src/auth/airline/token-request.ts';
import type { TokenSet } from '../../../src/domain/login-store.ts';

interface Script {
  password?: (count: number) => TokenSet | Error | Promise<TokenSet>;
  refresh?: (count: number, refreshToken: string) => TokenSet | Error | Promise<TokenSet>;
}

const REFUSED = new GrantError('refused', 400, 'invalid_grant');
const UNAVAILABLE = new GrantError('unavailable', 503);

function setUp(script: Script = {}, random = () => 0) {
  const clock = { at: 10_000_000 };
  const calls: string[] = [];
  const answer = async (given: TokenSet | Error | Promise<TokenSet>): Promise<TokenSet> => {
    const set = await given;
    if (set instanceof Error) throw set;
    return set;
  };
  const grants: Grants = {
    password: () => {
      calls.push('password');
      const count = calls.filter((call) => call === 'password').length;
      return answer(script.password?.(count) ?? tokenSet(`p${count}`));
    },
    refresh: (refreshToken) => {
      calls.push(`refresh ${refreshToken}`);
      const count = calls.filter((call) => call.startsWith('refresh')).length;
      return answer(script.refresh?.(count, refreshToken) ?? tokenSet(`f${count}`));
    },
  };
  return { clock, calls, cache: createTokenCache({ grants, now: () => clock.at, random }) };
}

const tokenSet = (name: string, life = 7_200, refreshLife = 14_400): TokenSet => ({
  accessToken: `access-${name}`,
  expiresIn: life,
  refreshToken: `refresh-${name}`,
  refreshExpiresIn: refreshLife,
});

const minutes = (count: number): number => count * 60_000;
/** Lets a renewal in the background finish. */
const settle = () => new Promise((done) => setImmediate(done));

describe('one request for many callers', () => {
  it('makes one request for a thousand callers without a token', async () => {
    const { cache, calls } = setUp();
    const tokens = await Promise.all(Array.from({ length: 1_000 }, () => cache.token()));
    expect(new Set(tokens)).toEqual(new Set(['access-p1']));
    expect(calls).toEqual(['password']);
  });

  it('makes one refresh for a thousand callers with an expired token', async () => {
    const { cache, calls, clock } = setUp();
    await cache.token();
    clock.at += minutes(119);
    const tokens = await Promise.all(Array.from({ length: 1_000 }, () => cache.token()));
    expect(new Set(tokens)).toEqual(new Set(['access-f1']));
    expect(calls).toEqual(['password', 'refresh refresh-p1']);
  });

  it('fails all waiting callers after one failed request', async () => {
    const { cache, calls } = setUp({ password: () => UNAVAILABLE });
    const results = await Promise.allSettled(Array.from({ length: 1_000 }, () => cache.token()));
    expect(results.every((result) => result.status === 'rejected')).toBe(true);
    expect(calls).toEqual(['password']);
  });
});

describe('the life of a token', () => {
  it("replaces a token a minute before the provider's expiry", async () => {
    const { cache, calls, clock } = setUp({}, () => 0.999);
    await cache.token();
    clock.at += minutes(107);
    expect(await cache.token()).toBe('access-p1');
    expect(calls).toHaveLength(1);
    clock.at += minutes(12);
    expect(await cache.token()).toBe('access-f1');
  });

  it('renews a token early in the background while callers keep the old one', async () => {
    let release: (set: TokenSet) => void = () => {};
    const { cache, calls, clock } = setUp({
      refresh: () =>
        new Promise((done) => {
          release = done;
        }),
    });
    await cache.token();
    clock.at += minutes(119) * 0.75 - 1;
    await cache.token();
    expect(calls).toHaveLength(1);
    clock.at += 1;
    expect(await Promise.all([cache.token(), cache.token()])).toEqual(['access-p1', 'access-p1']);
    expect(calls).toEqual(['password', 'refresh refresh-p1']);
    release(tokenSet('new'));
    await settle();
    expect(await cache.token()).toBe('access-new');
    expect(calls).toHaveLength(2);
  });

  it('renews a token after 75 to 90 per cent of its life', async () => {
    for (const [random, share] of [
      [0, 0.75],
      [0.5, 0.825],
      [0.999, 0.89985],
    ] as const) {
      const { cache, calls, clock } = setUp({}, () => random);
      await cache.token();
      clock.at += minutes(119) * share - 10;
      await cache.token();
      expect(calls).toHaveLength(1);
      clock.at += 20;
      await cache.token();
      expect(calls).toHaveLength(2);
    }
  });

  it('keeps using the old token after a failed background renewal', async () => {
    const { cache, calls, clock } = setUp({ refresh: () => UNAVAILABLE });
    await cache.token();
    clock.at += minutes(100);
    for (let call = 0; call < 50; call += 1) {
      expect(await cache.token()).toBe('access-p1');
      await settle();
    }
    expect(calls).toEqual(['password', 'refresh refresh-p1']);
  });

  it('uses a short-lived token for three quarters of its life', async () => {
    const { cache, calls, clock } = setUp({ password: () => tokenSet('short', 60) });
    await cache.token();
    clock.at += 33_000;
    await cache.token();
    expect(calls).toHaveLength(1);
    clock.at += 12_000;
    expect(await cache.token()).toBe('access-f1');
  });
});

describe('a refresh before the password', () => {
  it('renews with the newest refresh token', async () => {
    const { cache, calls, clock } = setUp();
    for (let round = 0; round < 3; round += 1) {
      await cache.token();
      clock.at += minutes(119);
    }
    await cache.token();
    expect(calls).toEqual(['password', 'refresh refresh-p1', 'refresh refresh-f1', 'refresh refresh-f2']);
  });

  it('keeps the old refresh token if a refresh returns no new one', async () => {
    const { cache, calls, clock } = setUp({ refresh: (count) => ({ accessToken: `only-${count}`, expiresIn: 60 }) });
    await cache.token();
    for (let round = 0; round < 2; round += 1) {
      clock.at += minutes(119 * (1 - round) + round);
      await cache.token();
    }
    expect(calls).toEqual(['password', 'refresh refresh-p1', 'refresh refresh-p1']);
  });

  it('tries one refresh and one password if the refresh token is refused', async () => {
    const { cache, calls, clock } = setUp({ refresh: () => REFUSED });
    await cache.token();
    clock.at += minutes(119);
    expect(await cache.token()).toBe('access-p2');
    expect(calls).toEqual(['password', 'refresh refresh-p1', 'password']);
  });

  it('does not try an expired refresh token', async () => {
    const { cache, calls, clock } = setUp();
    await cache.token();
    clock.at += minutes(239);
    await cache.token();
    expect(calls).toEqual(['password', 'password']);
  });

  it('does not send the password after a refresh that could not reach the provider', async () => {
    const { cache, calls, clock } = setUp({ refresh: () => UNAVAILABLE });
    await cache.token();
    clock.at += minutes(119);
    await expect(cache.token()).rejects.toMatchObject({ code: 'E_AIRLINE_DOWN' });
    expect(calls).toEqual(['password', 'refresh refresh-p1']);
  });
});

describe('a refusal', () => {
  it('never retries a refused password, so that the account is not locked', async () => {
    const { cache, calls, clock } = setUp({ password: () => REFUSED });
    for (let day = 0; day < 10; day += 1) {
      await expect(cache.token()).rejects.toMatchObject({ code: 'E_AUTH', retry: 'never', effect: 'none' });
      await expect(cache.ensureLife(minutes(10))).rejects.toMatchObject({ code: 'E_AUTH' });
      clock.at += minutes(24 * 60);
    }
    expect(calls).toEqual(['password']);
  });

  it('never retries a password refused after a refused refresh token', async () => {
    const { cache, calls, clock } = setUp({
      refresh: () => REFUSED,
      password: (count) => (count === 1 ? tokenSet('p1') : REFUSED),
    });
    await cache.token();
    clock.at += minutes(119);
    for (let call = 0; call < 5; call += 1) await expect(cache.token()).rejects.toMatchObject({ code: 'E_AUTH' });
    expect(calls).toEqual(['password', 'refresh refresh-p1', 'password']);
  });

  it('uses the old token until it expires after a refusal in the background', async () => {
    const { cache, calls, clock } = setUp({
      refresh: () => REFUSED,
      password: (count) => (count === 1 ? tokenSet('p1') : REFUSED),
    });
    await cache.token();
    clock.at += minutes(100);
    for (let call = 0; call < 5; call += 1) {
      expect(await cache.token()).toBe('access-p1');
      await settle();
    }
    expect(calls).toHaveLength(3);
    clock.at += minutes(19);
    await expect(cache.token()).rejects.toMatchObject({ code: 'E_AUTH' });
  });
});

describe('an outage', () => {
  it('retries a provider that is down after 30 s, doubling up to 15 minutes', async () => {
    const { cache, calls, clock } = setUp({ password: () => UNAVAILABLE });
    const began = clock.at;
    const askedAt: number[] = [];
    for (; clock.at <= began + minutes(60); clock.at += 5_000) {
      const before = calls.length;
      await expect(cache.token()).rejects.toMatchObject({ code: 'E_AIRLINE_DOWN' });
      if (calls.length > before) askedAt.push((clock.at - began) / 1_000);
    }
    const pauses = askedAt.slice(1).map((at, index) => at - (askedAt[index] ?? 0));
    expect(pauses).toEqual([30, 60, 120, 240, 480, 900, 900]);
  });

  it('tells callers when to retry during an outage, and returns a token after it', async () => {
    const { cache, calls, clock } = setUp({ password: (count) => (count < 4 ? UNAVAILABLE : tokenSet('back')) });
    for (const seconds of [30, 60, 120]) {
      await expect(cache.token()).rejects.toMatchObject({ retry: `after_s:${seconds}` });
      clock.at += seconds * 1_000 - 1;
      await expect(cache.token()).rejects.toMatchObject({ retry: 'after_s:1' });
      clock.at += 1;
    }
    expect(calls).toHaveLength(3);
    expect(await cache.token()).toBe('access-back');
  });

  it('never waits longer than 15 minutes before the next login', async () => {
    const { cache, clock } = setUp({ password: () => UNAVAILABLE }, () => 0.999);
    let last = '';
    for (let attempt = 0; attempt < 12; attempt += 1) {
      last = await cache.token().then(
        () => '',
        (error: { retry: string }) => error.retry,
      );
      clock.at += minutes(15);
    }
    expect(last).toBe('after_s:900');
  });
});

describe('ensureLife', () => {
  it('renews a token that would expire too soon, and waits for the new one', async () => {
    const { cache, calls, clock } = setUp();
    await cache.token();
    clock.at += minutes(80);
    expect(await cache.ensureLife(minutes(10))).toBe('access-p1');
    clock.at += minutes(29);
    expect(await cache.token()).toBe('access-p1');
    await settle();
    expect(await cache.ensureLife(minutes(10))).toBe('access-f1');
    expect(calls).toHaveLength(2);
  });

  it('accepts a shorter life if the provider issues only short-lived tokens', async () => {
    const { cache, calls } = setUp({ password: () => tokenSet('brief', 300) });
    expect(await cache.ensureLife(minutes(10))).toBe('access-brief');
    expect(await cache.ensureLife(minutes(10))).toBe('access-brief');
    expect(calls).toEqual(['password']);
  });

  it('returns the old token if a renewal fails and the token is still valid', async () => {
    const { cache, clock } = setUp({ refresh: () => UNAVAILABLE });
    await cache.token();
    clock.at += minutes(115);
    expect(await cache.ensureLife(minutes(10))).toBe('access-p1');
  });
});

describe('invalidate', () => {
  it('makes one refresh for a thousand parallel 401s', async () => {
    const { cache, calls } = setUp();
    const tokens = await Promise.all(Array.from({ length: 1_000 }, () => cache.token()));
    const renewed = await Promise.all(
      tokens.map(async (token) => {
        cache.invalidate(token);
        return cache.token();
      }),
    );
    expect(new Set(renewed)).toEqual(new Set(['access-f1']));
    for (const token of tokens) cache.invalidate(token);
    await cache.token();
    expect(calls).toEqual(['password', 'refresh refresh-p1']);
  });

  it('ignores the rejection of a token that is not the current one', async () => {
    const { cache, calls } = setUp();
    await cache.token();
    cache.invalidate('access-old');
    cache.invalidate('');
    await cache.token();
    expect(calls).toEqual(['password']);
  });

  it('renews at most once in 30 s if the airline rejects every token', async () => {
    const { cache, calls, clock } = setUp();
    for (let call = 0; call < 60; call += 1) {
      cache.invalidate(await cache.token());
      await cache.token();
      clock.at += 1_000;
    }
    expect(calls).toHaveLength(3);
  });
});
