/**
 * Access without tokens: the OS user on loopback, mounted pages, and an issuer that is down.
 */
import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createSignIn } from '../../../src/auth/callers/sign-in.ts';
import { isLoopback } from '../../../src/domain/time-and-text/loopback-host.ts';
import { addressesOf, isLoopbackPeer } from '../../../src/server/http/addresses.ts';
import { authenticateLoopback } from '../../../src/server/http/authenticate.ts';
import { goodHeaders, LIST, raw } from './support/raw.ts';
import { PUBLIC_URL, serve } from './support/serve.ts';

describe('without an issuer', () => {
  it('refuses callers on other machines without an issuer', async () => {
    const authenticate = authenticateLoopback({ tenant: 't', id: 'os:me' }, { isOwnUser: async () => true });
    const from = (remoteAddress: string | undefined) =>
      authenticate({ socket: { remoteAddress } } as unknown as IncomingMessage);
    for (const address of ['192.0.2.7', '::ffff:192.0.2.7', '2001:db8::1', undefined]) {
      expect(await from(address)).toMatchObject({ status: 403 });
    }
    for (const address of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1']) {
      expect(await from(address)).toEqual({ caller: { tenant: 't', id: 'os:me' } });
    }
  });

  it('refuses other users and connections of unknown owners without an issuer', async () => {
    const authenticate = authenticateLoopback({ tenant: 't', id: 'os:me' }, { isOwnUser: async () => false });
    const request = { socket: { remoteAddress: '127.0.0.1' } } as unknown as IncomingMessage;
    expect(await authenticate(request)).toMatchObject({ status: 403 });
  });

  it('requires the configured token without an issuer, and refuses to start without any proof', async () => {
    const caller = { tenant: 't', id: 'os:me' };
    const authenticate = authenticateLoopback(caller, { token: 'right-token' });
    const from = (authorization?: string) =>
      authenticate({
        socket: { remoteAddress: '127.0.0.1' },
        headers: { authorization },
      } as unknown as IncomingMessage);
    expect(await from()).toMatchObject({ status: 401 });
    expect(await from('Bearer wrong-token')).toMatchObject({ status: 401 });
    expect(await from('Bearer right-token')).toEqual({ caller });
    expect(() => authenticateLoopback(caller, {})).toThrow('prove');
  });

  it.each([
    ['127.0.0.1', true],
    ['::1', true],
    ['localhost', true],
    ['0.0.0.0', false],
    ['::', false],
    ['10.0.0.1', false],
    ['localhost.example', false],
  ])('decides whether %s is loopback: %s', (host, loopback) => {
    expect(isLoopback(host)).toBe(loopback);
    expect(isLoopbackPeer(host)).toBe(loopback && host !== 'localhost');
  });

  it('accepts loopback names and the public name if bound to every address', () => {
    const { hosts, origins, base } = addressesOf({
      host: '0.0.0.0',
      port: 80,
      publicUrl: 'https://air.example:8443/a/',
    });
    expect([...hosts]).toEqual([
      ...['127.0.0.1', '127.0.0.1:80', 'localhost', 'localhost:80', '[::1]', '[::1]:80'],
      'air.example:8443',
    ]);
    expect(origins.has('https://air.example:8443')).toBe(true);
    expect(base).toBe('/a');
  });
});

describe('mounted pages', () => {
  it('serves mounted pages below the public path, after the checks of Host and Origin', async () => {
    const seen: string[] = [];
    const at = await serve({
      publicUrl: 'https://air.example/desk',
      mounts: [
        {
          prefix: '/approve/',
          async handle(request) {
            seen.push(`${request.method} ${request.url}`);
            return new Response('page');
          },
        },
      ],
    });
    const ask = (path: string, headers: readonly (readonly [string, string])[] = []) =>
      raw(at.port, { method: 'GET', path, headers: [['host', 'air.example'], ...headers] });
    expect((await ask('/desk/approve/abc?k=1')).body).toContain('page');
    for (const path of ['/approve/abc', '/desk/%61pprove/abc', '/desk/x/../approve/abc']) {
      expect((await ask(path)).status, path).toBe(404);
    }
    expect((await ask('/desk/approve/abc', [['origin', 'https://evil.example']])).status).toBe(403);
    expect((await raw(at.port, { method: 'GET', path: '/desk/approve/x', headers: [['host', 'evil']] })).status).toBe(
      403,
    );
    expect(seen).toEqual(['GET /desk/approve/abc?k=1']);
    await at.close();
  });

  it.each([
    { base: '', paths: ['/', '/approve'] },
    { base: '/desk', paths: ['/', '/approve', '/desk/', '/desk/approve'] },
  ])('leads a person who types the address to the inbox, at "$base"', async ({ base, paths }) => {
    const at = await serve({
      publicUrl: `https://air.example${base}`,
      mounts: [{ prefix: '/approve/', handle: async () => new Response('page') }],
    });
    for (const path of paths) {
      const { status, headers } = await raw(at.port, { method: 'GET', path, headers: [['host', 'air.example']] });
      expect([status, headers.location], path).toEqual([302, `${base}/approve/`]);
    }
    await at.close();
  });

  it('closes the connection if the body of a page fails on its way, and goes on serving', async () => {
    const broken = new ReadableStream({ pull: (controller) => controller.error(new Error('the page broke')) });
    const failures: unknown[] = [];
    const at = await serve({
      mounts: [{ prefix: '/approve/', handle: async () => new Response(broken) }],
      log: { answered() {}, failure: ({ error }) => void failures.push(error) },
    });
    await expect(fetch(`http://127.0.0.1:${at.port}/approve/x`)).rejects.toThrow();
    expect(failures).toEqual([new Error('the page broke')]);
    expect((await fetch(`http://127.0.0.1:${at.port}/healthz`)).status).toBe(200);
    await at.close();
  });
});

describe('an issuer that is down', () => {
  it('answers 503 with a time to retry if the issuer is down', async () => {
    const fetch = () => Promise.reject(new Error('away'));
    const signIn = createSignIn({ issuer: 'https://id.example', publicUrl: PUBLIC_URL, fetch });
    const at = await serve({ publicUrl: PUBLIC_URL, signIn });
    const b64 = (text: string) => Buffer.from(text).toString('base64url');
    const authorization = ['authorization', `Bearer ${b64('{"alg":"ES256"}')}.${b64('{}')}.AAAA`] as const;
    const reply = await raw(at.port, { headers: [...goodHeaders(at.port), authorization], body: LIST });
    expect([reply.status, reply.headers['retry-after']]).toEqual([503, '5']);
    expect(reply.headers['www-authenticate']).toBeUndefined();
    await at.close();
  });
});
