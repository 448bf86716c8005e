/** Token cache and airline adapter together, over real sockets: how many token requests many calls at once cause. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTokenCache } from '../../../src/auth/airline/token-cache.ts';
import { createGrants } from '../../../src/auth/airline/token-request.ts';
import { createTransport, formPoster } from '../../../src/ota/transport/http.ts';
import { airlineAt } from '../../ota/support/airlines.ts';
import { confirmed, LOCATOR, payReply, readReply, watchedDispatch } from '../../ota/support/samples.ts';
import { reply, startWire } from '../../ota/support/wire-server.ts';
import { SETTINGS } from './logins.ts';

type Answer = Parameters<typeof startWire>[0];
type Received = Parameters<Answer>[0];

let provider: Awaited<ReturnType<typeof startWire>>;
let upstream: Awaited<ReturnType<typeof startWire>>;
let client: ReturnType<typeof airlineAt>;
let close: () => Promise<unknown>;
/** How the identity provider and the airline answer, and what the clock says. */
let identity: (request: Received) => Buffer | undefined;
let airline: (request: Received) => Buffer;
let clock: number;

const formOf = (request: Received) => Object.fromEntries(new URLSearchParams(request.text));
const grantsAsked = () => provider.received.map((request) => formOf(request).grant_type);
const granted = ({ index }: Received) => {
  const lives = { expires_in: 7200, refresh_expires_in: 14400 };
  return reply(200, {
    access_token: `token-${index}`,
    refresh_token: `refresh-${index}`,
    token_type: 'bearer',
    ...lives,
  });
};
const isPayment = ({ headers }: Received) => headers['local-name'] !== 'OTA_ReadRQ';

beforeEach(async () => {
  [identity, clock] = [granted, 1_000_000];
  airline = (request) => reply(200, isPayment(request) ? payReply() : readReply());
  provider = await startWire((request, socket) => {
    const text = identity(request);
    if (text === undefined) socket.resetAndDestroy();
    else socket.write(text);
  });
  upstream = await startWire((request, socket) => socket.write(airline(request)));
  const transport = createTransport();
  const grants = createGrants({ ...SETTINGS, authUrl: provider.origin }, formPoster(transport, 2_000));
  const tokens = createTokenCache({ grants, now: () => clock });
  client = airlineAt(upstream.origin, { transport, credentials: { mode: 'both', apiKey: 'k', tokens } });
  close = () => Promise.all([transport, provider, upstream].map((one) => one.close()));
});
afterEach(() => close());

const reads = (count: number) => Promise.all(Array.from({ length: count }, () => client.read(LOCATOR)));
const pay = (dispatch = watchedDispatch()) => {
  const amount = { minor: 17250, currency: 'SAR' };
  return client.pay(confirmed({ order: { locator: LOCATOR, paymentType: 'external' as const, amount } }, dispatch));
};

it('makes one token request for a thousand calls with an expired token', async () => {
  await client.read(LOCATOR);
  clock += 7_200_000;
  await reads(1_000);
  expect(grantsAsked()).toEqual(['password', 'refresh_token']);
  expect(provider.received[0]).toMatchObject({
    ...{ method: 'POST', path: '/realms/hhr/protocol/openid-connect/token' },
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  const used = upstream.received.map(({ headers }) => headers.authorization);
  expect([used.length, new Set(used.slice(1))]).toEqual([1_001, new Set(['Bearer token-1'])]);
});

it('makes one refresh for a thousand 401s, and completes every read', async () => {
  airline = ({ headers }) => (headers.authorization === 'Bearer token-1' ? reply(200, readReply()) : reply(401, ''));
  expect(await reads(1_000)).toHaveLength(1_000);
  expect([grantsAsked(), upstream.received.length]).toEqual([['password', 'refresh_token'], 2_000]);
});

it('tries a refused password only once, and sends no payment', async () => {
  const wrong = reply(401, { error: 'invalid_grant', error_description: 'Invalid user credentials' });
  identity = () => wrong;
  for (let call = 0; call < 10; call += 1) {
    await expect(client.read(LOCATOR)).rejects.toMatchObject({ code: 'E_AUTH', retry: 'never' });
  }
  const dispatch = watchedDispatch();
  await expect(pay(dispatch)).rejects.toMatchObject({ code: 'E_AUTH', effect: 'none' });
  expect([provider.received.length, upstream.connections, dispatch.asked]).toEqual([1, 0, 0]);
});

it('renews a token that would expire within ten minutes of a payment', async () => {
  await client.read(LOCATOR);
  clock += 7_200_000 - 60_000 - 599_000;
  await pay();
  expect(grantsAsked()).toEqual(['password', 'refresh_token']);
  const used = upstream.received.map(({ headers }) => headers.authorization);
  expect(used).toEqual(['Bearer token-0', 'Bearer token-1']);
});
