/**
 * Fetching, renewing and withdrawing the issuer's keys, and an issuer that is down; over real HTTP.
 */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { issuerMetadata } from '../../../src/auth/callers/discovery.ts';
import { isSafeAddress, providerFetch } from '../../../src/auth/callers/provider-fetch.ts';
import { createSignIn } from '../../../src/auth/callers/sign-in.ts';
import { type Issuer, startIssuer } from './issuer.ts';

let issuer: Issuer;
let tick: number;

beforeEach(async () => {
  issuer = await startIssuer({ path: '/realms/air' });
  tick = 0;
});
afterEach(() => issuer.close());

const MINUTE = 60_000;
const AUD = 'https://air.example/mcp';

function signIn() {
  return createSignIn({ issuer: issuer.issuer, publicUrl: 'https://air.example', tick: () => tick });
}

describe('keys', () => {
  it('fetches keys once for any number of calls at once', async () => {
    const check = signIn();
    const token = await issuer.sign({ aud: AUD });
    const verdicts = await Promise.all(Array.from({ length: 50 }, () => check.check(token)));
    expect(verdicts.every(({ kind }) => kind === 'good')).toBe(true);
    expect(issuer.keysFetched).toBe(1);
  });

  it('finds a new key at once, also if keys change twice a minute', async () => {
    const check = signIn();
    await check.warm();
    for (let n = 0; n < 6; n++) {
      const kid = await issuer.rotate();
      const token = await issuer.sign({ aud: AUD }, { kid });
      expect((await check.check(token)).kind).toBe('good');
      tick += MINUTE / 2;
    }
  });

  it('forgets a withdrawn key when it finds a new one', async () => {
    const check = signIn();
    const old = await issuer.sign({ aud: AUD });
    expect((await check.check(old)).kind).toBe('good');
    const kid = await issuer.rotate();
    issuer.withdraw('ES256');
    expect((await check.check(await issuer.sign({ aud: AUD }, { kid }))).kind).toBe('good');
    expect(await check.check(old)).toEqual({ kind: 'bad', problem: 'signature' });
  });

  it('refuses a token that it knows once it has expired, and one from the future if the clock is set back', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const check = signIn();
      await check.warm();
      const token = await issuer.sign({ aud: AUD });
      const [good, again] = [await check.check(token), await check.check(token)];
      expect(good.kind).toBe('good');
      expect(again).toEqual(good);
      const began = Date.now();
      vi.setSystemTime(began + 20 * MINUTE);
      expect(await check.check(token)).toEqual({ kind: 'bad', problem: 'expired' });
      vi.setSystemTime(began - 20 * MINUTE);
      expect(await check.check(token)).toEqual({ kind: 'bad', problem: 'not_yet_valid' });
      vi.setSystemTime(began);
      expect((await check.check(token)).kind).toBe('good');
    } finally {
      vi.useRealTimers();
    }
  });

  it('refuses a token that it knows and whose key was withdrawn, and judges none while its keys are too old', async () => {
    const check = signIn();
    await check.warm();
    const token = await issuer.sign({ aud: AUD });
    expect((await check.check(token)).kind).toBe('good');
    issuer.down = true;
    tick += 61 * MINUTE;
    expect(await check.check(token)).toEqual({ kind: 'unavailable' });
    issuer.down = false;
    issuer.withdraw('ES256');
    tick += MINUTE;
    expect(await check.check(token)).toEqual({ kind: 'bad', problem: 'signature' });
  });

  it('asks the issuer a few times for invented key ids, then at most every ten seconds', async () => {
    const check = signIn();
    const forged = await issuer.sign({ aud: AUD });
    const forge = async (n: number) => {
      const [, payload, signature] = forged.split('.');
      const header = Buffer.from(JSON.stringify({ alg: 'ES256', kid: `made-up-${n}` })).toString('base64url');
      expect(await check.check(`${header}.${payload}.${signature}`)).toEqual({ kind: 'bad', problem: 'signature' });
    };
    for (let n = 0; n < 100; n++) await forge(n);
    expect(issuer.keysFetched).toBe(4);
    for (let n = 0; n < 60; n++) {
      tick += 1_000;
      await forge(n);
    }
    expect(issuer.keysFetched).toBeLessThanOrEqual(10);
    // Meanwhile a real new key is found as soon as the issuer may be asked again.
    const kid = await issuer.rotate();
    const token = await issuer.sign({ aud: AUD }, { kid });
    tick += 10_000;
    expect((await check.check(token)).kind).toBe('good');
  });

  it('forgets withdrawn keys within ten minutes', async () => {
    const check = signIn();
    const token = await issuer.sign({ aud: AUD });
    expect((await check.check(token)).kind).toBe('good');
    issuer.withdraw('ES256');
    tick += 11 * MINUTE;
    // The keys are being fetched in the background; this call may still use the old ones.
    await check.check(token);
    await expect.poll(async () => (await check.check(token)).kind).toBe('bad');
  });

  it('keeps keys for an hour while the issuer is down', async () => {
    const check = signIn();
    const token = await issuer.sign({ aud: AUD, exp: Math.floor(Date.now() / 1000) + 86_400 });
    await check.check(token);
    issuer.down = true;
    tick += 59 * MINUTE;
    expect((await check.check(token)).kind).toBe('good');
    tick += 2 * MINUTE;
    expect((await check.check(token)).kind).toBe('unavailable');
    issuer.down = false;
    tick += MINUTE;
    expect((await check.check(token)).kind).toBe('good');
  });

  it('accepts no token without keys, and retries the issuer only after five seconds', async () => {
    issuer.down = true;
    const check = signIn();
    const token = await issuer.sign({ aud: AUD });
    expect((await check.check(token)).kind).toBe('unavailable');
    issuer.down = false;
    tick += 4_000;
    expect((await check.check(token)).kind).toBe('unavailable');
    tick += 1_000;
    expect((await check.check(token)).kind).toBe('good');
  });

  it('refuses keys of another issuer', async () => {
    issuer.lies = true;
    const check = signIn();
    expect(await check.warm()).toBe(false);
    expect((await check.check(await issuer.sign({ aud: AUD }))).kind).toBe('unavailable');
  });

  it('ignores keys that are not for signing', async () => {
    const check = signIn();
    issuer.publicJwk('ES256').use = 'enc';
    expect(await check.check(await issuer.sign({ aud: AUD }))).toEqual({ kind: 'bad', problem: 'signature' });
  });
});

describe('metadata', () => {
  it.each([
    [
      'https://id.example/realms/air',
      'https://id.example/realms/air/.well-known/openid-configuration',
      'https://id.example/.well-known/oauth-authorization-server/realms/air',
    ],
    [
      'https://tenant.example/',
      'https://tenant.example/.well-known/openid-configuration',
      'https://tenant.example/.well-known/oauth-authorization-server',
    ],
  ])('looks for the metadata of %s in both places', async (issuer, ...places) => {
    const asked: string[] = [];
    const fetch = (url: string) => {
      asked.push(url);
      return Promise.reject(new Error('away'));
    };
    await expect(issuerMetadata(issuer, fetch)).rejects.toThrow('no metadata of the issuer');
    expect(asked).toEqual(places);
  });

  it('finds metadata that is only at the address of RFC 8414', async () => {
    const plain = await startIssuer({ path: '/as', rfc8414: true });
    expect(await issuerMetadata(plain.issuer, providerFetch)).toMatchObject({ jwks_uri: `${plain.address}/keys` });
    await plain.close();
  });

  it.each([
    ['https://id.example/keys', true],
    ['http://127.0.0.1:8080/keys', true],
    ['http://localhost/keys', true],
    ['http://[::1]:1/keys', true],
    ['http://id.example/keys', false],
    ['http://127.0.0.1.evil.example/', false],
    ['https://user:pass@id.example/', false],
    ['file:///etc/passwd', false],
    ['data:application/json,{}', false],
    ['//id.example', false],
  ])('decides whether %s is a safe address: %s', (address, safe) => expect(isSafeAddress(address)).toBe(safe));

  it('refuses to fetch an unsafe address', async () => {
    await expect(providerFetch('http://id.example/')).rejects.toThrow('not an https address');
  });
});
