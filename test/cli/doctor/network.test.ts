import { afterEach, describe, expect, it } from 'vitest';
import { judgeClocks } from '../../../src/cli/doctor/clock.ts';
import { issuedAt } from '../../../src/cli/doctor/login.ts';
import { checkAddress } from '../../../src/cli/doctor/network.ts';
import { AUTHORITY, GOOD } from './certificates.ts';
import { type Front, startFront } from './front.ts';
import { doctorOn } from './run-case.ts';
import { withWorld } from './world.ts';

let front: Front | undefined;
afterEach(async () => {
  await front?.close();
  front = undefined;
});

describe('address checks', () => {
  it('names the last day of a valid certificate', async () => {
    front = await startFront(() => undefined, { certificate: GOOD, name: 'localhost' });
    const address = { settings: ['FARECLERK_BASE_URL'], url: new URL(front.origin) };
    const verdict = await checkAddress(address, { ca: AUTHORITY, now: Date.now });
    expect(verdict).toMatchObject({ level: 'ok' });
    expect(verdict.said).toMatch(/^localhost \([\d.:]+\), TLSv1\.\d, certificate valid until 2125-12-31$/);
    expect(front.calls).toEqual([]);
  });

  it('warns of a certificate that expires soon', async () => {
    front = await startFront(() => undefined, { certificate: GOOD });
    const address = { settings: ['FARECLERK_BASE_URL'], url: new URL(front.origin) };
    const now = () => Date.parse('2125-12-20T00:00:00Z');
    expect(await checkAddress(address, { ca: AUTHORITY, now })).toMatchObject({
      level: 'warn',
      finding: 'tls_expires_soon',
    });
  });

  it('gives up on a host that does not answer connections', async () => {
    // RFC 5737: no host has this address. A network that refuses it at once says so as well.
    const address = { settings: ['FARECLERK_REST_URL'], url: new URL('http://192.0.2.1:81') };
    const verdict = await checkAddress(address, { now: Date.now, timeoutMs: 300 });
    expect(verdict.finding).toMatch(/^connection_(?:timeout|failed|refused)$/);
    expect(verdict.advice).toContain('FARECLERK_REST_URL');
  });
});

describe('clock check', () => {
  it.each([
    [500, 'ok', /^Within 1 s/],
    [-20_000, 'ok', /^Within 20 s/],
    [45_000, 'warn', /45 s behind a/],
    [-600_000, 'fail', /10 min ahead of a/],
    [8_000_000, 'fail', /2 h behind a/],
  ] as const)('judges a clock that differs by %i ms: %s', (skewMs, level, said) => {
    const verdict = judgeClocks([{ host: 'a', skewMs }]);
    expect(verdict.level).toBe(level);
    expect(verdict.said).toMatch(said);
  });

  it('names the host to ask if hosts disagree about the time', () => {
    const verdict = judgeClocks([
      { host: 'a', skewMs: 100 },
      { host: 'b', skewMs: 900_000 },
    ]);
    expect(verdict.advice).toMatch(/Hosts disagree.*runs b/);
    expect(judgeClocks([])).toMatchObject({ level: 'skipped' });
  });
});

describe('token times', () => {
  it('finds a wrong clock by the time of issue in a token', async () => {
    const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const token = (iat: number): string => `${part({ alg: 'RS256' })}.${part({ iat })}.signature`;
    for (const [minutes, level] of [
      [0, 'ok'],
      [4, 'fail'],
    ] as const) {
      await withWorld(async (world) => {
        const iat = Math.floor(Date.now() / 1_000) + minutes * 60;
        const idp = await world.front(() => ({ status: 200, body: { access_token: token(iat), expires_in: 7200 } }));
        const { url } = await world.sandboxWith({ accepts: 'key' });
        const env = { ...world.env, FARECLERK_AUTH_URL: idp.origin, FARECLERK_BASE_URL: `${url}/v2015b/OTA` };
        const { report, checks } = await doctorOn({ env }, ['--report', `${world.stateDir}/doctor-report.json`]);
        expect(report.answers.login?.shape).toBe('jwt');
        expect(checks.find(({ id }) => id === 'clock')).toMatchObject({ level });
        expect(report.answers.clocks?.some(({ host }) => host.includes('token'))).toBe(true);
      });
    }
  });

  it('reads the time of issue of a JWT, and none of any other token', () => {
    const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    expect(issuedAt(`${part({ alg: 'RS256' })}.${part({ iat: 5, exp: 7 })}.sig`)).toBe(5_000);
    expect(issuedAt(`${part({})}.${part({ iat: 'x' })}.sig`)).toBeUndefined();
    for (const text of ['opaque', 'a.b.c', `${part({})}.${part(null)}.s`]) expect(issuedAt(text)).toBeUndefined();
  });
});
