/**
 * Logins, keys and points of sale that are refused.
 */

import { at, type Case, json, refusingLogin } from '../world.ts';

export const LOGIN: readonly Case[] = [
  {
    name: 'a wrong tenant',
    check: 'token',
    finding: 'wrong_tenant',
    level: 'fail',
    advice: /FARECLERK_TENANT/,
    setUp: ({ env }) => ({ env: { ...env, FARECLERK_TENANT: 'sandbocks' } }),
  },
  {
    name: 'a login address without its path',
    check: 'token',
    finding: 'wrong_login_address',
    level: 'fail',
    advice: /Set FARECLERK_AUTH_URL to http:\/\/127\.0\.0\.1:\d+\/auth\./,
    async setUp(world) {
      const front = await world.front(({ url }) => {
        if (url.pathname.startsWith('/auth/realms/') && url.pathname.endsWith('openid-configuration')) {
          return json(200, { token_endpoint: 'https://id.airline.example/token' });
        }
        return { status: 404, body: '<h1>Not Found</h1>' };
      });
      return { env: { ...world.env, FARECLERK_AUTH_URL: front.origin } };
    },
  },
  {
    name: 'a wrong client secret',
    check: 'token',
    finding: 'client_refused',
    level: 'fail',
    advice: /FARECLERK_CLIENT_SECRET/,
    setUp: ({ env }) => ({ env: { ...env, FARECLERK_CLIENT_SECRET: 'hunter2-client' } }),
  },
  {
    name: 'a client without the password grant',
    check: 'token',
    finding: 'grant_not_allowed',
    level: 'fail',
    advice: /password grant for FARECLERK_CLIENT_ID/,
    setUp: (world) => refusingLogin(world, 400, 'unauthorized_client', 'Client not allowed for direct access grants'),
  },
  {
    name: 'a wrong password',
    check: 'token',
    finding: 'wrong_password',
    level: 'fail',
    advice: /FARECLERK_USERNAME and FARECLERK_PASSWORD/,
    setUp: ({ env }) => ({ env: { ...env, FARECLERK_PASSWORD: 'hunter2' } }),
  },
  {
    name: 'a locked account',
    check: 'token',
    finding: 'account_locked',
    level: 'fail',
    advice: /FARECLERK_USERNAME unlocked/,
    setUp: (world) =>
      refusingLogin(
        world,
        400,
        'invalid_grant',
        'Account temporarily disabled, contact your administrator or retry later',
      ),
  },
  {
    name: 'a disabled account',
    check: 'token',
    finding: 'account_disabled',
    level: 'fail',
    advice: /enabled/,
    setUp: (world) => refusingLogin(world, 400, 'invalid_grant', 'Account disabled'),
  },
  {
    name: 'an account that must finish its set-up',
    check: 'token',
    finding: 'account_not_set_up',
    level: 'fail',
    advice: /Sign in once as FARECLERK_USERNAME/,
    setUp: (world) => refusingLogin(world, 400, 'invalid_grant', 'Account is not fully set up'),
  },
  {
    name: 'a login page in place of the identity provider',
    check: 'token',
    finding: 'html_page',
    level: 'fail',
    advice: /FARECLERK_AUTH_URL/,
    async setUp(world) {
      const front = await world.front(() => ({ status: 200, body: '<html><title>Guest Wi-Fi</title></html>' }));
      return { env: { ...world.env, FARECLERK_AUTH_URL: front.origin } };
    },
  },
  {
    name: 'a wrong api key',
    check: 'credentials',
    finding: 'key_refused',
    level: 'fail',
    advice: /FARECLERK_API_KEY/,
    setUp: ({ env }) => ({ env: { ...env, FARECLERK_API_KEY: 'hunter2-key' } }),
  },
  {
    name: 'an api key in quotation marks',
    check: 'settings.FARECLERK_API_KEY',
    finding: 'setting_suspicious',
    level: 'warn',
    advice: /Remove them/,
    setUp: ({ env }) => ({ env: { ...env, FARECLERK_API_KEY: '"sandbox-api-key"' } }),
  },
  {
    name: 'a token of another system',
    check: 'credentials',
    finding: 'token_refused',
    level: 'fail',
    advice: /FARECLERK_TENANT and FARECLERK_AUTH_URL/,
    async setUp(world) {
      const other = await world.sandboxWith({});
      return { env: { ...world.env, FARECLERK_AUTH_URL: other.url } };
    },
  },
  {
    name: 'an airline that wants the key alone',
    check: 'credentials',
    finding: 'token_refused',
    level: 'fail',
    advice: /Set FARECLERK_CREDENTIALS=key/,
    async setUp(world) {
      const { url } = await world.sandboxWith({ accepts: 'key' });
      const front = await world.front(({ headers }) => (headers.authorization ? json(401, {}) : undefined), {
        to: url,
      });
      return { env: at(world.env, front.origin) };
    },
  },
  {
    name: 'an airline that wants both',
    check: 'credentials',
    finding: 'credentials_refused',
    level: 'fail',
    advice: /Set FARECLERK_CREDENTIALS=both/,
    setUp: ({ env }) => ({ env: { ...env, FARECLERK_CREDENTIALS: 'key' } }),
  },
  {
    name: 'an airline that needs more headers',
    check: 'credentials',
    finding: 'extra_headers_needed',
    level: 'fail',
    advice: /FARECLERK_EXTRA_HEADERS=X-Realm,X-Refresh-Token/,
    async setUp(world) {
      const front = await world.front(({ headers }) => {
        const known = headers['x-realm'] === 'sandbox' && headers['x-refresh-token'] !== undefined;
        return known ? undefined : json(403, { status: 403, error: 'Forbidden', code: '497', title: 'No realm' });
      });
      return { env: at(world.env, front.origin) };
    },
  },
  {
    name: 'an agent that the airline does not know',
    check: 'messages',
    finding: 'agent_refused',
    level: 'fail',
    advice: /FARECLERK_AGENT_ID and FARECLERK_AGENCY_ID/,
    setUp: ({ env }) => ({ env: { ...env, FARECLERK_AGENT_ID: 'AGENT2' } }),
  },
  {
    name: 'a currency that the airline does not sell in',
    check: 'messages',
    finding: 'currency_refused',
    level: 'fail',
    advice: /FARECLERK_CURRENCY/,
    setUp: ({ env }) => ({ env: { ...env, FARECLERK_CURRENCY: 'EUR' } }),
  },
  {
    name: 'fares in another currency',
    check: 'fare_search',
    finding: 'other_currency',
    level: 'fail',
    advice: /Set FARECLERK_CURRENCY=SAR/,
    async setUp(world) {
      const front = await world.front(({ body }) => ({ pass: { body: body.replaceAll('"EUR"', '"SAR"') } }));
      return { env: { ...at(world.env, front.origin), FARECLERK_CURRENCY: 'EUR' } };
    },
  },
];
