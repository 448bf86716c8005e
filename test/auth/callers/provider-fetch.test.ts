/**
 * Requests to an identity provider whose reply is too large, too slow or a redirect; over real HTTP.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, vi } from 'vitest';
import { createLogin } from '../../../src/auth/callers/login.ts';
import { ProviderUnavailable, providerFetch } from '../../../src/auth/callers/provider-fetch.ts';

async function serving(answer: (response: ServerResponse) => void) {
  const server = createServer((_, response) => answer(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const failures: unknown[] = [];
  const login = createLogin({
    issuer,
    clientId: 'page',
    redirect: 'https://air.example/approve/signed-in',
    secret: async () => new Uint8Array(32),
    failed: (error) => failures.push(error),
  });
  return {
    failures,
    begin: () => login.begin('place', false),
    address: issuer,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

it('refuses a reply of the provider larger than 512 KB', async () => {
  await using at = await serving((response) => response.end(`{"x":"${'x'.repeat(600 * 1024)}"}`));
  await expect(providerFetch(at.address)).rejects.toThrow(/larger than/);
  expect(await at.begin()).toBeUndefined();
  expect(at.failures).toHaveLength(1);
});

it('gives up on the provider after five seconds, even if the reply trickles in', async () => {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  const waits = new Set<number>();
  const spy = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    waits.add(ms);
    return timeout(ms === 5_000 ? 50 : ms);
  });
  await using at = await serving((response) => response.write('{'));
  await expect(providerFetch(at.address)).rejects.toThrow(ProviderUnavailable);
  expect(await at.begin()).toBeUndefined();
  expect(waits).toContain(5_000);
  spy.mockRestore();
});

it('follows no redirect of the provider', async () => {
  await using at = await serving((response) => response.writeHead(302, { location: '/elsewhere' }).end());
  await expect(providerFetch(at.address)).rejects.toThrow(ProviderUnavailable);
});
