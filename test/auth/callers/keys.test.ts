/**
 * Fetching, renewing and withdrawing the issuer's keys, and an issuer that is down, slow or elsewhere; over real HTTP.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSignIn } from '../../../src/auth/callers/access-tokens.ts';
import { createLogin } from '../../../src/auth/callers/browser-login.ts';
import { type Issuer, startIssuer } from './issuer.ts';

let issuer: Issuer;
let check: ReturnType<typeof createSignIn>;
let token: string;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  issuer = await startIssuer({ path: '/realms/air' });
  check = signInOf(issuer.issuer);
  token = await issuer.sign({ aud: AUD });
});
afterEach(async () => {
  vi.useRealTimers();
  await issuer.close();
});

const MINUTE = 60_000;
const AUD = 'https://air.example/mcp';
const signInOf = (url: string, more: object = {}) =>
  createSignIn({ issuer: url, publicUrl: 'https://air.example', ...more });
/** Moves the clocks. */
const pass = (ms: number) => vi.advanceTimersByTime(ms);
const kindOf = async (one = token) => (await check.check(one)).kind;
/** What is wrong with a token. */
const problemOf = async (one = token) => {
  const verdict = await check.check(one);
  return verdict.kind === 'bad' ? verdict.problem : verdict.kind;
};
const signedWith = (kid: string) => issuer.sign({ aud: AUD }, { kid });

describe('keys', () => {
  it('are fetched once for any number of calls at once', async () => {
    const verdicts = await Promise.all(Array.from({ length: 50 }, () => kindOf()));
    expect([new Set(verdicts), issuer.keysFetched]).toEqual([new Set(['good']), 1]);
  });

  it('are found within ten seconds where they are new, also if they change twice a minute', async () => {
    await check.warm();
    for (let n = 0; n < 6; n++) {
      pass(10_000);
      expect(await kindOf(await signedWith(await issuer.rotate()))).toBe('good');
      pass(20_000);
    }
  });

  it('are forgotten once withdrawn: with the next new one, and within ten minutes', async () => {
    expect(await kindOf()).toBe('good');
    const kid = await issuer.rotate();
    issuer.withdraw('ES256');
    pass(10_000);
    const fresh = await issuer.sign({ aud: AUD, exp: Date.now() / 1000 + 3_600 }, { kid });
    expect([await kindOf(fresh), await problemOf()]).toEqual(['good', 'signature']);
    issuer.withdraw(kid);
    pass(11 * MINUTE);
    // The keys are being fetched in the background; this call may still use the old ones.
    await kindOf(fresh);
    await expect.poll(() => kindOf(fresh)).toBe('bad');
  });

  it('do not make a known token good once it has expired, or its key was withdrawn', async () => {
    await check.warm();
    const good = await check.check(token);
    expect([good.kind, await check.check(token)]).toEqual(['good', good]);
    const began = Date.now();
    vi.setSystemTime(began + 7 * MINUTE);
    expect(await problemOf()).toBe('expired');
    // The clock is set back: the token is from the future.
    vi.setSystemTime(began - 20 * MINUTE);
    expect(await problemOf()).toBe('not_yet_valid');
    vi.setSystemTime(began);
    expect(await kindOf()).toBe('good');
    const exp = Date.now() / 1000 + 2 * 3_600;
    token = await issuer.sign({ aud: AUD, exp });
    expect(await kindOf()).toBe('good');
    issuer.down = true;
    pass(61 * MINUTE);
    expect(await problemOf()).toBe('unavailable');
    issuer.down = false;
    issuer.withdraw('ES256');
    pass(MINUTE);
    expect(await problemOf()).toBe('signature');
  });

  it('let known tokens in for an hour while the issuer is down', async () => {
    token = await issuer.sign({ aud: AUD, exp: Date.now() / 1000 + 2 * 3_600 });
    expect(await kindOf()).toBe('good');
    issuer.down = true;
    pass(59 * MINUTE);
    expect([await kindOf(), await kindOf(await issuer.sign({ aud: AUD }))]).toEqual(['good', 'good']);
  });

  it('are asked for at most every ten seconds for invented key ids', async () => {
    const forge = async (n: number) => {
      const [, payload, signature] = token.split('.');
      const header = Buffer.from(JSON.stringify({ alg: 'ES256', kid: `made-up-${n}` })).toString('base64url');
      expect(await problemOf(`${header}.${payload}.${signature}`)).toBe('signature');
    };
    for (let n = 0; n < 100; n++) await forge(n);
    expect(issuer.keysFetched).toBe(1);
    for (let n = 0; n < 60; n++) {
      pass(1_000);
      await forge(n);
    }
    expect(issuer.keysFetched).toBeLessThanOrEqual(7);
    // A real new key is found as soon as the issuer may be asked again.
    const fresh = await signedWith(await issuer.rotate());
    pass(10_000);
    expect(await kindOf(fresh)).toBe('good');
  });

  it('let no token in while there are none, and are asked for again only after five seconds', async () => {
    issuer.down = true;
    expect(await kindOf()).toBe('unavailable');
    issuer.down = false;
    pass(4_000);
    expect(await kindOf()).toBe('unavailable');
    pass(1_000);
    expect(await kindOf()).toBe('good');
  });

  it('are refused from another issuer, or if they are not for signing', async () => {
    issuer.lies = true;
    expect([await check.warm(), await kindOf()]).toEqual([false, 'unavailable']);
    issuer.lies = false;
    issuer.publicJwk('ES256').use = 'enc';
    pass(MINUTE);
    expect(await problemOf()).toBe('signature');
  });
});

describe('metadata', () => {
  it('is looked for in both places', async () => {
    const asked: string[] = [];
    const fetch = async (url: string) => Promise.reject(new Error(`away ${asked.push(url)}`));
    for (const address of ['https://id.example/realms/air', 'https://tenant.example/']) {
      expect(await signInOf(address, { fetch }).warm()).toBe(false);
    }
    expect(asked).toEqual([
      'https://id.example/realms/air/.well-known/openid-configuration',
      'https://id.example/.well-known/oauth-authorization-server/realms/air',
      'https://tenant.example/.well-known/openid-configuration',
      'https://tenant.example/.well-known/oauth-authorization-server',
    ]);
    const plain = await startIssuer({ path: '/as', rfc8414: true });
    expect(await signInOf(plain.issuer).warm()).toBe(true);
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
  ])('names the keys at %s, which are fetched from there: %s', async (jwks_uri, isSafe) => {
    const asked: string[] = [];
    vi.stubGlobal('fetch', async (url: string) => {
      asked.push(url);
      return Response.json(url.includes('.well-known') ? { issuer: 'https://id.example', jwks_uri } : { keys: [] });
    });
    await signInOf('https://id.example').warm();
    expect(asked.includes(jwks_uri)).toBe(isSafe);
    asked.length = 0;
    expect([await signInOf('http://id.example').warm(), asked]).toEqual([false, []]);
    vi.unstubAllGlobals();
  });
});

/** A provider that gives this answer, and how a sign-in with it fails. */
async function failureWith(answer: (response: ServerResponse) => void): Promise<unknown> {
  const server = createServer((_, response) => answer(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const failures: unknown[] = [];
  const login = createLogin({
    ...{ issuer: address, clientId: 'page', redirect: 'https://air.example/approve/signed-in' },
    secret: async () => new Uint8Array(32),
    failed: (error) => failures.push(error),
  });
  expect([await login.begin('place', 'if_needed'), await signInOf(address).warm()]).toEqual([undefined, false]);
  server.closeAllConnections();
  server.close();
  expect(failures).toHaveLength(1);
  return failures[0];
}

it('refuses replies of the provider that are larger than 512 KB or redirects', async () => {
  const large = await failureWith((response) => response.end(`{"x":"${'x'.repeat(600 * 1024)}"}`));
  expect(JSON.stringify(large, reasons)).toMatch(/larger than/);
  const asked: unknown[] = [];
  await failureWith((response) => {
    asked.push(response.req.url);
    response.writeHead(302, { location: '/elsewhere' }).end();
  });
  expect(asked).not.toContain('/elsewhere');
});

it('gives up on the provider after five seconds, even if the reply trickles in', async () => {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  const waits = new Set<number>();
  const spy = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    waits.add(ms);
    return timeout(ms === 5_000 ? 50 : ms);
  });
  await failureWith((response) => response.write('{'));
  expect(waits).toContain(5_000);
  spy.mockRestore();
});

/** Writes the messages and causes of errors. */
function reasons(_key: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  return [value.message, value.cause, ...(value instanceof AggregateError ? value.errors : [])];
}
