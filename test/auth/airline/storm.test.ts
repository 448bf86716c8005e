/** Token cache and airline adapter together, over real sockets: how many token requests many calls at once cause. */
import { afterEach, describe, expect, it } from 'vitest';
import { createTokenCache } from '../../../src/auth/airline/token-cache.ts';
import { createGrants } from '../../../src/auth/airline/token-request.ts';
import { createTransport, formPoster } from '../../../src/ota/transport/http.ts';
import { airlineAt } from '../../ota/support/airlines.ts';
import { confirmed, LOCATOR, payReply, readReply, watchedDispatch } from '../../ota/support/samples.ts';
import { type Answer, type Received, reply, startWire, type WireServer } from '../../ota/support/wire-server.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

const form = (request: Received): Record<string, string> => Object.fromEntries(new URLSearchParams(request.text));

async function setUp(identity: Answer, airline: Answer, now?: () => number) {
  const provider = await startWire(identity);
  const upstream = await startWire(airline);
  const transport = createTransport();
  open.push(transport, provider, upstream);
  const settings = {
    authUrl: provider.origin,
    tenant: 'hhr',
    clientId: 'app',
    clientSecret: 'secret',
    username: 'desk',
    password: 'word',
  };
  const grants = createGrants(settings, formPoster(transport, 2_000));
  const tokens = createTokenCache({ grants, ...(now === undefined ? {} : { now }) });
  const client = airlineAt(upstream.origin, { transport, credentials: { mode: 'both', apiKey: 'k', tokens } });
  return { provider, upstream, client, tokens };
}

const granted: Answer = (request, socket) =>
  socket.write(
    reply(200, {
      access_token: `token-${request.index}`,
      expires_in: 7200,
      refresh_expires_in: 14400,
      refresh_token: `refresh-${request.index}`,
      token_type: 'bearer',
    }),
  );
const read: Answer = (_, socket) => socket.write(reply(200, readReply()));
const grantsAsked = (provider: WireServer) => provider.received.map((request) => form(request).grant_type);

describe('many calls at once', () => {
  it('makes one token request for a thousand calls with an expired token', async () => {
    let clock = 1_000_000;
    const { provider, upstream, client } = await setUp(granted, read, () => clock);
    await client.read(LOCATOR);
    clock += 7_200_000;
    await Promise.all(Array.from({ length: 1_000 }, () => client.read(LOCATOR)));
    expect(grantsAsked(provider)).toEqual(['password', 'refresh_token']);
    expect(provider.received[0]).toMatchObject({
      method: 'POST',
      path: '/realms/hhr/protocol/openid-connect/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(upstream.received).toHaveLength(1_001);
    const used = new Set(upstream.received.slice(1).map((request) => request.headers.authorization));
    expect(used).toEqual(new Set(['Bearer token-1']));
  });

  it('makes one refresh for a thousand 401s, and completes every read', async () => {
    const { provider, upstream, client } = await setUp(granted, (request, socket) =>
      socket.write(request.headers.authorization === 'Bearer token-1' ? reply(200, readReply()) : reply(401, '')),
    );
    const bookings = await Promise.all(Array.from({ length: 1_000 }, () => client.read(LOCATOR)));
    expect(bookings).toHaveLength(1_000);
    expect(grantsAsked(provider)).toEqual(['password', 'refresh_token']);
    expect(upstream.received).toHaveLength(2_000);
  });

  it('makes one refresh if every token gets a 401, and fails every call', async () => {
    const { provider, client } = await setUp(granted, (_, socket) => socket.write(reply(401, '')));
    for (let round = 0; round < 3; round += 1) {
      const results = await Promise.allSettled(Array.from({ length: 50 }, () => client.read(LOCATOR)));
      for (const result of results) expect(result).toMatchObject({ reason: { code: 'E_AUTH', effect: 'none' } });
    }
    expect(grantsAsked(provider)).toEqual(['password', 'refresh_token']);
  });
});

describe('an identity provider', () => {
  it('tries one refresh and one password if the provider forgot the refresh token', async () => {
    let clock = 1_000_000;
    const { provider, client } = await setUp(
      (request, socket) =>
        form(request).grant_type === 'refresh_token'
          ? socket.write(reply(400, { error: 'invalid_grant', error_description: 'Token is not active' }))
          : granted(request, socket),
      read,
      () => clock,
    );
    await client.read(LOCATOR);
    clock += 7_200_000;
    await Promise.all(Array.from({ length: 100 }, () => client.read(LOCATOR)));
    expect(grantsAsked(provider)).toEqual(['password', 'refresh_token', 'password']);
  });

  it('tries a refused password only once, and sends no payment', async () => {
    const { provider, upstream, client } = await setUp(
      (_, socket) =>
        socket.write(reply(401, { error: 'invalid_grant', error_description: 'Invalid user credentials' })),
      read,
    );
    for (let call = 0; call < 10; call += 1) {
      await expect(client.read(LOCATOR)).rejects.toMatchObject({ code: 'E_AUTH', retry: 'never' });
    }
    const dispatch = watchedDispatch();
    const order = confirmed(
      { order: { locator: LOCATOR, paymentType: 'external' as const, amount: { minor: 17250, currency: 'SAR' } } },
      dispatch,
    );
    await expect(client.pay(order)).rejects.toMatchObject({ code: 'E_AUTH', effect: 'none' });
    expect(provider.received).toHaveLength(1);
    expect([upstream.connections, dispatch.asked]).toEqual([0, 0]);
  });

  it('fails fast while the provider is down, and sends no payment', async () => {
    const { provider, upstream, client } = await setUp((_, socket) => socket.resetAndDestroy(), read);
    const order = confirmed(
      { order: { locator: LOCATOR, paymentType: 'external' as const, amount: { minor: 17250, currency: 'SAR' } } },
      watchedDispatch(),
    );
    await expect(client.pay(order)).rejects.toMatchObject({ code: 'E_AIRLINE_DOWN', effect: 'none' });
    await expect(client.read(LOCATOR)).rejects.toMatchObject({ code: 'E_AIRLINE_DOWN' });
    expect([provider.received.length, upstream.connections]).toEqual([1, 0]);
  });

  it('renews a token that would expire within ten minutes of a payment', async () => {
    let clock = 1_000_000;
    const { provider, upstream, client } = await setUp(
      granted,
      (request, socket) =>
        socket.write(reply(200, request.headers['local-name'] === 'OTA_ReadRQ' ? readReply() : payReply())),
      () => clock,
    );
    await client.read(LOCATOR);
    clock += 7_200_000 - 60_000 - 599_000;
    const order = confirmed(
      { order: { locator: LOCATOR, paymentType: 'external' as const, amount: { minor: 17250, currency: 'SAR' } } },
      watchedDispatch(),
    );
    await client.pay(order);
    expect(grantsAsked(provider)).toEqual(['password', 'refresh_token']);
    expect(upstream.received.map((request) => request.headers.authorization)).toEqual([
      'Bearer token-0',
      'Bearer token-1',
    ]);
  });
});
