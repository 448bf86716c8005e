/** Grants as they are sent and read, and the token cache over them, on a clock of its own. */
import { describe, expect, it } from 'vitest';
import { createTokenCache } from '../../../src/auth/airline/token-cache.ts';
import { createGrants } from '../../../src/auth/airline/token-request.ts';
import { DOWN, REFUSED, type Reply, SETTINGS, scripted } from './logins.ts';

function setUp(random = 0, lives?: object) {
  const { told, grants, now } = scripted(lives);
  return { told, cache: createTokenCache({ grants, now, random: () => random }) };
}
const minutes = (count: number): number => count * 60_000;
/** Lets a renewal in the background finish. */
const settle = () => new Promise((done) => setImmediate(done));
const thousand = (call: () => Promise<string>) => Promise.all(Array.from({ length: 1_000 }, call));

describe('grants', () => {
  it('are sent as documented, with the tenant inside its path segment', async () => {
    const { told, cache } = setUp();
    await cache.token();
    told.clock += minutes(119);
    await cache.token();
    const client = { client_id: 'app', client_secret: 's3cret&=+' };
    const url = 'https://id.example/auth/realms/hhr/protocol/openid-connect/token';
    expect(told.forms).toEqual([
      { url, form: { grant_type: 'password', ...client, username: 'desk', password: 'pä ss' } },
      { url, form: { grant_type: 'refresh_token', ...client, refresh_token: 'refresh-1' } },
    ]);
    const settings = { ...SETTINGS, authUrl: 'https://id.example', tenant: '../x?y' };
    const asked: string[] = [];
    await createGrants(settings, async (address) => Promise.reject(asked.push(address)))
      .password()
      .catch(() => 0);
    expect(asked).toEqual(['https://id.example/realms/..%2Fx%3Fy/protocol/openid-connect/token']);
  });

  it.each([
    [{ access_token: 'a' }, { accessToken: 'a', expiresIn: 60 }],
    [
      { access_token: 'a', expires_in: '300' },
      { accessToken: 'a', expiresIn: 300 },
    ],
    [
      { access_token: 'a', expires_in: -1, refresh_expires_in: 0 },
      { accessToken: 'a', expiresIn: 60 },
    ],
    [
      { access_token: 'a', expires_in: 60, refresh_token: 7 },
      { accessToken: 'a', expiresIn: 60 },
    ],
  ])('are read by their valid fields: %j', async (body, expected) => {
    const { told, grants } = scripted();
    told.always = { status: 200, body };
    expect(await grants.password()).toEqual(expected);
  });

  const USER = /FARECLERK_USERNAME, FARECLERK_PASSWORD/;
  const CLIENT = /FARECLERK_CLIENT_ID and FARECLERK_CLIENT_SECRET/;
  const ALL = /FARECLERK_AUTH_URL.*FARECLERK_PASSWORD/;
  it.each<[number, unknown, RegExp | undefined]>([
    [400, { error: 'invalid_grant', error_description: 'Account is not fully set up' }, USER],
    [401, { error: 'unauthorized_client' }, CLIENT],
    [401, { error: 'invalid_client' }, CLIENT],
    [400, { error: 'invalid_scope' }, ALL],
    [403, '<html>', ALL],
    [404, { error: 'Realm does not exist' }, /FARECLERK_AUTH_URL and FARECLERK_TENANT/],
    [429, { error: 'slow_down' }, undefined],
    [408, '', undefined],
    [500, { error: 'unknown_error' }, undefined],
    [503, '<html>', undefined],
    [302, '', undefined],
    [200, '<html>login</html>', undefined],
    [200, {}, undefined],
    [200, { access_token: 'two\r\nlines' }, undefined],
    [200, null, undefined],
  ])(
    'are refused by status %i with body %j: the operator checks %s, else they are tried later',
    async (status, body, check) => {
      const { told, cache } = setUp();
      told.always = { status, body };
      const refused = { code: 'E_AUTH', retry: 'never', next: expect.stringMatching(check ?? '') };
      const later = { code: 'E_AIRLINE_DOWN', retry: 'after_s:30' };
      await expect(cache.token()).rejects.toMatchObject({
        ...{ effect: 'none', message: expect.stringMatching(/Nothing was sent\.$/) },
        ...(check ? refused : later),
      });
    },
  );

  it('are tried later if the network fails, without details of the request', async () => {
    const grants = createGrants(SETTINGS, () => Promise.reject(new Error('connect s3cret')));
    await expect(grants.password()).rejects.toMatchObject({ kind: 'unavailable', message: 'token unavailable' });
  });
});

describe('one request', () => {
  it('is made for a thousand callers without a token, with an expired one, or with one that got a 401', async () => {
    const { told, cache } = setUp();
    expect(new Set(await thousand(() => cache.token()))).toEqual(new Set(['access-1']));
    told.clock += minutes(119);
    expect(new Set(await thousand(() => cache.token()))).toEqual(new Set(['access-2']));
    told.clock += minutes(1);
    const renewed = await thousand(async () => {
      cache.invalidate('access-2');
      return cache.token();
    });
    expect(new Set(renewed)).toEqual(new Set(['access-3']));
    for (const old of ['access-2', 'access-1', '']) cache.invalidate(old);
    await cache.token();
    expect(told.asked).toEqual(['password', 'refresh-1', 'refresh-2']);
  });

  it('fails all waiting callers if it fails', async () => {
    const { told, cache } = setUp();
    told.always = DOWN;
    const results = await Promise.allSettled(Array.from({ length: 1_000 }, () => cache.token()));
    expect([new Set(results.map(({ status }) => status)), told.asked.length]).toEqual([new Set(['rejected']), 1]);
  });

  it('is made at most every 30 s if the airline rejects every token', async () => {
    const { told, cache } = setUp();
    for (let call = 0; call < 60; call += 1) {
      cache.invalidate(await cache.token());
      await cache.token();
      told.clock += 1_000;
    }
    expect(told.asked).toHaveLength(3);
  });
});

describe('the life of a token', () => {
  it("ends a minute before the provider's expiry", async () => {
    const { told, cache } = setUp(0.999);
    await cache.token();
    told.clock += minutes(107);
    expect([await cache.token(), told.asked.length]).toEqual(['access-1', 1]);
    told.clock += minutes(12);
    expect(await cache.token()).toBe('access-2');
  });

  it('is renewed in the background after 75 to 90 per cent of it, while callers keep the old token', async () => {
    const { promise, resolve } = Promise.withResolvers<Reply>();
    for (const [random, share] of [
      [0, 0.75],
      [0.5, 0.825],
      [0.999, 0.89985],
    ] as const) {
      const { told, cache } = setUp(random);
      await cache.token();
      told.always = () => promise;
      told.clock += minutes(119) * share - 10;
      expect([await cache.token(), told.asked.length]).toEqual(['access-1', 1]);
      told.clock += 20;
      expect(await Promise.all([cache.token(), cache.token()])).toEqual(['access-1', 'access-1']);
      expect(told.asked).toEqual(['password', 'refresh-1']);
      resolve(told.granted(9));
      await settle();
      expect([await cache.token(), told.asked.length]).toEqual(['access-9', 2]);
    }
  });

  it('goes on after a failed background renewal, or a refused one, until it ends', async () => {
    for (const [failure, asked, code] of [
      [DOWN, 2, 'E_AIRLINE_DOWN'],
      [REFUSED, 3, 'E_AUTH'],
    ] as const) {
      const { told, cache } = setUp();
      await cache.token();
      told.always = failure;
      told.clock += minutes(100);
      for (let call = 0; call < 20; call += 1) {
        expect(await cache.token()).toBe('access-1');
        await settle();
      }
      expect(told.asked).toHaveLength(asked);
      told.clock += minutes(19);
      await expect(cache.token()).rejects.toMatchObject({ code });
    }
  });

  it('is three quarters of a short one', async () => {
    const { told, cache } = setUp(0, { expires_in: 60 });
    await cache.token();
    told.clock += 33_000;
    await cache.token();
    expect(told.asked).toHaveLength(1);
    told.clock += 12_000;
    expect(await cache.token()).toBe('access-2');
  });

  it('is renewed before a payment if it would end too soon, unless the provider issues only short ones or fails', async () => {
    const { told, cache } = setUp();
    await cache.token();
    told.clock += minutes(80);
    expect(await cache.ensureLife(minutes(10))).toBe('access-1');
    told.clock += minutes(29);
    expect(await cache.token()).toBe('access-1');
    await settle();
    expect([await cache.ensureLife(minutes(10)), told.asked.length]).toEqual(['access-2', 2]);
    told.always = DOWN;
    told.clock += minutes(115);
    expect(await cache.ensureLife(minutes(10))).toBe('access-2');
    const brief = setUp(0, { expires_in: 300 });
    for (let n = 0; n < 2; n++) expect(await brief.cache.ensureLife(minutes(10))).toBe('access-1');
    expect(brief.told.asked).toEqual(['password']);
  });
});

describe('a refresh', () => {
  it('is made with the newest refresh token, or with the old one if none came with it, while that lives', async () => {
    const { told, cache } = setUp();
    for (let round = 0; round < 3; round += 1) {
      await cache.token();
      told.clock += minutes(119);
    }
    told.always = { status: 200, body: { access_token: 'only', expires_in: 60 } };
    await cache.token();
    told.clock += minutes(1);
    await cache.token();
    expect(told.asked).toEqual(['password', 'refresh-1', 'refresh-2', 'refresh-3', 'refresh-3']);
    told.clock += minutes(239);
    await cache.token();
    expect(told.asked.at(-1)).toBe('password');
  });

  it('that is refused is followed by one password, and one that does not reach the provider by none', async () => {
    const { told, cache } = setUp();
    await cache.token();
    told.clock += minutes(119);
    told.answers = [REFUSED];
    expect(await cache.token()).toBe('access-3');
    told.clock += minutes(119);
    told.always = DOWN;
    await expect(cache.token()).rejects.toMatchObject({ code: 'E_AIRLINE_DOWN' });
    expect(told.asked).toEqual(['password', 'refresh-1', 'password', 'refresh-3']);
  });
});

it('never retries a refused password, alone or after a refused refresh, so that the account is not locked', async () => {
  for (const granted of [false, true]) {
    const { told, cache } = setUp();
    if (granted) await cache.token();
    told.clock += minutes(119);
    told.always = REFUSED;
    for (let day = 0; day < 10; day += 1) {
      await expect(cache.token()).rejects.toMatchObject({ code: 'E_AUTH', retry: 'never', effect: 'none' });
      await expect(cache.ensureLife(minutes(10))).rejects.toMatchObject({ code: 'E_AUTH' });
      told.clock += minutes(24 * 60);
    }
    expect(told.asked).toEqual(granted ? ['password', 'refresh-1', 'password'] : ['password']);
  }
});

it('retries a provider that is down after 30 s, doubling up to 15 minutes, and tells callers when', async () => {
  const { told, cache } = setUp();
  told.always = DOWN;
  const began = told.clock;
  const askedAt: number[] = [];
  for (; told.clock <= began + minutes(60); told.clock += 5_000) {
    const before = told.asked.length;
    const elapsed = (told.clock - began) / 1_000;
    const failure = await cache.token().catch((error: unknown) => error);
    if (told.asked.length > before) askedAt.push(elapsed);
    const pause = [30, 60, 120, 240, 480, 900, 900][askedAt.length - 1] ?? 900;
    const left = (askedAt.at(-1) ?? 0) + pause - elapsed;
    expect(failure).toMatchObject({ code: 'E_AIRLINE_DOWN', retry: `after_s:${left}` });
  }
  expect(askedAt.slice(1).map((at, i) => at - (askedAt[i] ?? 0))).toEqual([30, 60, 120, 240, 480, 900, 900]);
  told.always = undefined;
  told.clock += minutes(15);
  expect(await cache.token()).toMatch(/^access-/);
  const spread = setUp(0.999);
  spread.told.always = DOWN;
  for (let n = 0; n < 12; n += 1) {
    const failure = await spread.cache.token().catch((error: unknown) => error);
    if (n === 11) expect(failure).toMatchObject({ retry: 'after_s:900' });
    spread.told.clock += minutes(15);
  }
});
