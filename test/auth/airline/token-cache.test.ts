/** Grants as they are sent and read; the token of one process, and the one that the processes of a state share. */
import { beforeEach, describe, expect, it } from 'vitest';
import { shareToken } from '../../../src/auth/airline/shared-token.ts';
import { TokenCache } from '../../../src/auth/airline/token-cache.ts';
import { createGrants } from '../../../src/auth/airline/token-request.ts';
import { DOWN, memoryStore, REFUSED, type Reply, SETTINGS, scripted } from './logins.ts';

type World = ReturnType<typeof scripted>;
const minutes = (count: number): number => count * 60_000;
const HOUR = minutes(60);
const PAYMENT = minutes(10);
/** Lets a renewal in the background finish. */
const settle = () => new Promise((done) => setImmediate(done));
const thousand = (call: () => Promise<string>) => Promise.all(Array.from({ length: 1_000 }, call));

const alone = ({ grants, now }: World, random: number) => new TokenCache({ grants, now, random: () => random });

/** A process that shares its token. */
const member = ({ grants, now }: World, random = 0, store = memoryStore(now), settings = SETTINGS) =>
  new TokenCache({ grants, shared: shareToken(store, settings), now, random: () => random });

describe('grants', () => {
  it('are sent as documented, with the tenant inside its path segment', async () => {
    const world = scripted();
    const cache = alone(world, 0);
    await cache.token();
    world.told.clock += minutes(119);
    await cache.token();
    const client = { client_id: 'app', client_secret: 's3cret&=+' };
    const url = 'https://id.example/auth/realms/hhr/protocol/openid-connect/token';
    expect(world.told.forms).toEqual([
      { url, form: { grant_type: 'password', ...client, username: 'desk', password: 'pä ss' } },
      { url, form: { grant_type: 'refresh_token', ...client, refresh_token: 'refresh-1' } },
    ]);
    const settings = { ...SETTINGS, authUrl: 'https://id.example', tenant: '../x?y' };
    const asked: string[] = [];
    const grants = createGrants(settings, async (address) =>
      Promise.reject(new Error(`s3cret ${asked.push(address)}`)),
    );
    // The network failed: no detail of the request is in the error.
    await expect(grants.password()).rejects.toMatchObject({ kind: 'unavailable', message: 'token unavailable' });
    expect(asked).toEqual(['https://id.example/realms/..%2Fx%3Fy/protocol/openid-connect/token']);
  });

  it.each([
    [{}, { expiresIn: 60 }],
    [{ expires_in: '300' }, { expiresIn: 300 }],
    [{ expires_in: -1, refresh_expires_in: 0 }, { expiresIn: 60 }],
    [{ expires_in: 60, refresh_token: 7 }, { expiresIn: 60 }],
  ])('are read by their valid fields: %j', async (body, expected) => {
    const { told, grants } = scripted();
    told.always = { status: 200, body: { access_token: 'a', ...body } };
    expect(await grants.password()).toEqual({ accessToken: 'a', ...expected });
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
    [404, { error: 'Realm does not exist' }, /FARECLERK_AUTH_URL and its realm/],
    [429, { error: 'slow_down' }, undefined],
    [408, '', undefined],
    [500, { error: 'unknown_error' }, undefined],
    [302, '', undefined],
    [200, '<html>login</html>', undefined],
    [200, {}, undefined],
    [200, { access_token: 'two\r\nlines' }, undefined],
    [200, null, undefined],
  ])(
    'are refused by status %i with body %j: the operator checks %s, else they are tried later',
    async (status, body, check) => {
      const world = scripted();
      world.told.always = { status, body };
      const refused = { code: 'E_AUTH', retry: 'never', next: expect.stringMatching(check ?? '') };
      const later = { code: 'E_AIRLINE_DOWN', retry: 'after_s:30' };
      await expect(alone(world, 0).token()).rejects.toMatchObject({
        ...{ effect: 'none', message: expect.stringMatching(/Nothing was sent\.$/) },
        ...(check ? refused : later),
      });
    },
  );
});

describe.each([
  ['one process', alone],
  ['a process that shares it', member],
])('the token of %s', (_title, make) => {
  const setUp = (random = 0, lives?: object) => {
    const world = scripted(lives);
    return { told: world.told, cache: make(world, random) };
  };

  it('is requested once for a thousand callers without one, with an expired one, or with one that got a 401', async () => {
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

  it('is renewed in the background after 75 to 90 per cent of its life, while callers keep the old one', async () => {
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
      await settle();
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

  it('is used for three quarters of a short life', async () => {
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
    expect(await cache.ensureLife(PAYMENT)).toBe('access-1');
    told.clock += minutes(29);
    expect(await cache.token()).toBe('access-1');
    await settle();
    expect([await cache.ensureLife(PAYMENT), told.asked.length]).toEqual(['access-2', 2]);
    told.always = DOWN;
    told.clock += minutes(115);
    expect(await cache.ensureLife(PAYMENT)).toBe('access-2');
    const brief = setUp(0, { expires_in: 300 });
    for (let n = 0; n < 2; n++) expect(await brief.cache.ensureLife(PAYMENT)).toBe('access-1');
    expect(brief.told.asked).toEqual(['password']);
  });

  it('is refreshed with the newest refresh token, or with the old one if none came with it, while that lives', async () => {
    const { told, cache } = setUp();
    for (let round = 0; round < 3; round += 1) {
      await cache.token();
      told.clock += minutes(119);
    }
    told.always = { status: 200, body: { access_token: 'only', expires_in: 60 } };
    await cache.token();
    told.clock += minutes(1);
    await cache.token();
    expect([told.asked, cache.refreshToken()]).toEqual([
      ['password', 'refresh-1', 'refresh-2', 'refresh-3', 'refresh-3'],
      'refresh-3',
    ]);
    told.clock += minutes(239);
    await cache.token();
    expect(told.asked.at(-1)).toBe('password');
  });

  it('is requested with the password once after a refused refresh, and not after one that did not reach the provider', async () => {
    const { told, cache } = setUp();
    await cache.token();
    told.clock += minutes(119);
    told.answers = [REFUSED];
    expect(await cache.token()).toBe('access-3');
    told.clock += minutes(119);
    told.always = DOWN;
    await expect(cache.token()).rejects.toMatchObject({ code: 'E_AIRLINE_DOWN' });
    expect(told.asked).toEqual(['password', 'refresh-1', 'password', 'refresh-3']);
    // The provider may have seen that refresh token, so it is not used again.
    told.always = undefined;
    told.clock += minutes(1);
    expect(await cache.token()).toBe('access-5');
    expect(told.asked.at(-1)).toBe('password');
  });

  it('is never requested again with a refused password, so that the account is not locked', async () => {
    for (const granted of [false, true]) {
      const { told, cache } = setUp();
      if (granted) await cache.token();
      told.clock += minutes(119);
      told.always = REFUSED;
      for (let day = 0; day < 10; day += 1) {
        await expect(cache.token()).rejects.toMatchObject({ code: 'E_AUTH', retry: 'never', effect: 'none' });
        await expect(cache.ensureLife(PAYMENT)).rejects.toMatchObject({ code: 'E_AUTH' });
        told.clock += minutes(24 * 60);
      }
      expect(told.asked).toEqual(granted ? ['password', 'refresh-1', 'password'] : ['password']);
    }
  });

  it('is requested of a provider that is down after 30 s, doubling up to 15 minutes, and callers learn when', async () => {
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
});

it('asks for a token at most every 30 s if the airline rejects every one', async () => {
  const world = scripted();
  const cache = alone(world, 0);
  for (let call = 0; call < 60; call += 1) {
    cache.invalidate(await cache.token());
    await cache.token();
    world.told.clock += 1_000;
  }
  expect(world.told.asked).toHaveLength(3);
});

describe('a token shared by processes', () => {
  let world = scripted();
  let { told } = world;
  let store: ReturnType<typeof memoryStore>;
  beforeEach(() => {
    world = scripted();
    ({ told } = world);
    store = memoryStore(world.now);
  });
  const process = (random = 0) => member(world, random, store);
  /** The token, or the code of the failure. */
  const tokenOf = (one: TokenCache) => one.token().catch(({ code }: { code: string }) => code);

  it('is requested once for processes in a row, until it ends', async () => {
    for (let n = 0; n < 20; n++) expect(await process().token()).toBe('access-1');
    told.clock += 2 * HOUR;
    for (let n = 0; n < 20; n++) expect(await process().token()).toBe('access-2');
    expect(told.asked).toEqual(['password', 'password']);
  });

  it('is not requested by a process that needs it for longer, if another one has such a token', async () => {
    const [first, second] = [process(), process()];
    await first.token();
    await second.token();
    told.clock += minutes(115);
    expect(await first.ensureLife(PAYMENT)).toBe('access-2');
    expect(await second.ensureLife(PAYMENT)).toBe('access-2');
    expect(told.asked).toEqual(['password', 'refresh-1']);
    // The stored token would end too soon.
    told.clock += minutes(115);
    expect(await process().ensureLife(PAYMENT)).toBe('access-3');
  });

  it('is renewed early in one process, and the others find the new token', async () => {
    const [a, b] = [process(0), process(0.99)];
    expect([await a.token(), await b.token()]).toEqual(['access-1', 'access-1']);
    told.clock += 0.8 * 2 * HOUR;
    expect(await a.token()).toBe('access-1');
    await settle();
    expect([await a.token(), await b.token()]).toEqual(['access-2', 'access-1']);
    told.clock += 0.1 * 2 * HOUR;
    expect(await b.token()).toBe('access-1');
    await settle();
    expect([await b.token(), told.asked]).toEqual(['access-2', ['password', 'refresh-1']]);
  });

  it('is replaced in all processes once one of them got another after a 401', async () => {
    const fleet = [process(), process(), process()];
    for (const one of fleet) await one.token();
    told.clock += minutes(1);
    for (const one of fleet) {
      one.invalidate('access-1');
      expect(await one.token()).toBe('access-2');
    }
    expect(told.asked).toEqual(['password', 'refresh-1']);
  });

  it('is no older one than a process has', async () => {
    const [a, b] = [process(), process()];
    await a.token();
    store.away = true;
    told.clock += minutes(1);
    expect(await b.token()).toBe('access-2');
    store.away = false;
    told.clock += minutes(1);
    b.invalidate('access-2');
    expect(await b.token()).toBe('access-3');
  });

  it('leaves the refresh token to the process that logged in', async () => {
    const [a, b] = [process(), process()];
    expect([await a.token(), await b.token()]).toEqual(['access-1', 'access-1']);
    expect([a.refreshToken(), b.refreshToken()]).toEqual(['refresh-1', undefined]);
    told.clock += 2 * HOUR;
    expect(await b.token()).toBe('access-2');
    expect(told.asked).toEqual(['password', 'password']);
  });

  it('is sealed with the secrets of the login, for this login', async () => {
    await process().token();
    const [[name = '', row]] = [...store.rows] as [[string, { sealed: string; at: number }]];
    const texts = [name, row.sealed, Buffer.from(row.sealed, 'base64url').toString('latin1')];
    for (const text of texts) expect(text).not.toMatch(/access-1|refresh-1|s3cret|pä/);
    const others = [{ password: 'other' }, { clientSecret: 'other' }];
    for (const other of others) {
      store.rows.set(name, row);
      const settings = { ...SETTINGS, ...other };
      expect(await member(world, 0, store, settings).token()).not.toBe('access-1');
    }
    const moved = { ...SETTINGS, username: 'another' };
    store.rows.set(name.replace('desk', 'another'), row);
    expect(await member(world, 0, store, moved).token()).not.toBe('access-1');
    // What cannot be opened is no token.
    for (const sealed of ['', 'x', `${row.sealed}=`, row.sealed.slice(0, -2)]) {
      store.rows.set(name, { ...row, sealed });
      expect(await process().token()).not.toBe('access-1');
    }
  });

  it('is not used if it was stored in the future', async () => {
    await process().token();
    told.clock -= HOUR;
    expect(await process().token()).toBe('access-2');
  });

  it('is requested by each process once if the login is refused, because refusals count for each process', async () => {
    told.always = REFUSED;
    const fleet = [process(), process()];
    for (let n = 0; n < 3; n++) for (const one of fleet) expect(await tokenOf(one)).toBe('E_AUTH');
    expect(told.asked).toEqual(['password', 'password']);
  });

  it('is found by a process that waits because the provider was down', async () => {
    told.answers = [DOWN];
    const waiting = process();
    expect(await tokenOf(waiting)).toBe('E_AIRLINE_DOWN');
    expect(await process().token()).toBe('access-2');
    expect(await waiting.token()).toBe('access-2');
    expect(told.asked).toHaveLength(2);
  });

  it('gives way to a login of each process while the store is away, and is used again later', async () => {
    const [a, b] = [process(), process()];
    expect([await a.token(), await b.token()]).toEqual(['access-1', 'access-1']);
    store.away = true;
    told.clock += 2 * HOUR;
    expect([await a.token(), await a.token(), await b.token()]).toEqual(['access-2', 'access-2', 'access-3']);
    expect(told.asked).toEqual(['password', 'refresh-1', 'password']);
    store.away = false;
    told.clock += 2 * HOUR;
    expect([await a.token(), await b.token()]).toEqual(['access-4', 'access-4']);
  });
});
