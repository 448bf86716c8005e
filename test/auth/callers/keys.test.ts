/**
 * The issuer's keys: found, renewed, withdrawn, and an issuer that is down; over real HTTP.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { issuerMetadata, metadataAddresses } from '../../../src/auth/callers/discovery.ts';
import { getJson, isSafeAddress } from '../../../src/auth/callers/get-json.ts';
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
  it('are fetched once for any number of calls at once', async () => {
    const check = signIn();
    const token = await issuer.sign({ aud: AUD });
    const verdicts = await Promise.all(Array.from({ length: 50 }, () => check.check(token)));
    expect(verdicts.every(({ kind }) => kind === 'good')).toBe(true);
    expect(issuer.keysFetched).toBe(1);
  });

  it('are renewed for an unknown key id, at most once a minute', async () => {
    const check = signIn();
    await check.warm();
    const kid = await issuer.rotate();
    const token = await issuer.sign({ aud: AUD }, { alg: 'RS256', kid });
    expect(await check.check(token)).toEqual({ kind: 'bad', problem: 'signature' });
    expect(issuer.keysFetched).toBe(1);
    tick += MINUTE;
    expect((await check.check(token)).kind).toBe('good');
    expect(issuer.keysFetched).toBe(2);
    // A thousand made-up ids cost the issuer nothing.
    const forged = await issuer.sign({ aud: AUD });
    for (let i = 0; i < 100; i++) {
      const [, payload, signature] = forged.split('.');
      const header = Buffer.from(JSON.stringify({ alg: 'ES256', kid: `made-up-${i}` })).toString('base64url');
      expect(await check.check(`${header}.${payload}.${signature}`)).toEqual({ kind: 'bad', problem: 'signature' });
    }
    expect(issuer.keysFetched).toBe(2);
  });

  it('that were withdrawn are forgotten within ten minutes', async () => {
    const check = signIn();
    const token = await issuer.sign({ aud: AUD });
    expect((await check.check(token)).kind).toBe('good');
    issuer.withdraw('ES256');
    tick += 11 * MINUTE;
    // The look behind the scenes is on its way; this call may still be answered by what was known.
    await check.check(token);
    await expect.poll(async () => (await check.check(token)).kind).toBe('bad');
  });

  it('outlive an issuer that is down, for an hour', async () => {
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

  it('that never came: nothing is said of any token, and the issuer is not hammered', async () => {
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

  it('of another issuer are not taken', async () => {
    issuer.lies = true;
    const check = signIn();
    expect(await check.warm()).toBe(false);
    expect((await check.check(await issuer.sign({ aud: AUD }))).kind).toBe('unavailable');
  });

  it('a key whose use is not signing is none', async () => {
    const check = signIn();
    issuer.publicJwk('ES256').use = 'enc';
    expect(await check.check(await issuer.sign({ aud: AUD }))).toEqual({ kind: 'bad', problem: 'signature' });
  });
});

describe('metadata', () => {
  it('is looked for in both places', () => {
    expect(metadataAddresses('https://id.example/realms/air')).toEqual([
      'https://id.example/realms/air/.well-known/openid-configuration',
      'https://id.example/.well-known/oauth-authorization-server/realms/air',
    ]);
    expect(metadataAddresses('https://tenant.example/')).toEqual([
      'https://tenant.example/.well-known/openid-configuration',
      'https://tenant.example/.well-known/oauth-authorization-server',
    ]);
  });

  it('may stand in the place of RFC 8414 alone', async () => {
    const plain = await startIssuer({ path: '/as', rfc8414: true });
    expect(await issuerMetadata(plain.issuer, getJson)).toMatchObject({ keys: `${plain.address}/keys` });
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
  ])('%s may be asked: %s', (address, safe) => expect(isSafeAddress(address)).toBe(safe));

  it('asks no unsafe address', async () => {
    await expect(getJson('http://id.example/')).rejects.toThrow('not an https address');
  });
});
