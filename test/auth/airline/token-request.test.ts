import { describe, expect, it } from 'vitest';
import {
  createGrants,
  GrantError,
  loginRefused,
  loginUnavailable,
  type TokenSettings,
  tokenEndpoint,
} from '../../../src/auth/airline/token-request.ts';

const settings: TokenSettings = {
  authUrl: 'https://id.example/auth/',
  tenant: 'hhr',
  clientId: 'app',
  clientSecret: 's3cret&=+',
  username: 'desk',
  password: 'pä ss',
};

/** Grants whose provider gives the same answer to every request, and records the requests. */
function provider(status: number, body: unknown) {
  const asked: { url: string; form: Record<string, string> }[] = [];
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const grants = createGrants(settings, async (url, form) => {
    asked.push({ url, form: Object.fromEntries(new URLSearchParams(form.toString())) });
    return { status, text };
  });
  return { asked, grants };
}

const GOOD = {
  access_token: 'a-1',
  expires_in: 7200,
  refresh_expires_in: 14400,
  refresh_token: 'r-1',
  token_type: 'Bearer',
  id_token: 'x',
  'not-before-policy': 0,
  session_state: 's',
};

describe('grants', () => {
  it('sends password and refresh grants as documented', async () => {
    const { asked, grants } = provider(200, GOOD);
    const set = { accessToken: 'a-1', expiresIn: 7200, refreshToken: 'r-1', refreshExpiresIn: 14400 };
    expect(await grants.password()).toEqual(set);
    expect(await grants.refresh('r-0')).toEqual(set);
    const client = { client_id: 'app', client_secret: 's3cret&=+' };
    const url = 'https://id.example/auth/realms/hhr/protocol/openid-connect/token';
    expect(asked).toEqual([
      { url, form: { grant_type: 'password', ...client, username: 'desk', password: 'pä ss' } },
      { url, form: { grant_type: 'refresh_token', ...client, refresh_token: 'r-0' } },
    ]);
  });

  it('keeps a tenant inside its path segment', () => {
    expect(tokenEndpoint('https://id.example', '../x?y')).toBe(
      'https://id.example/realms/..%2Fx%3Fy/protocol/openid-connect/token',
    );
  });

  it.each([
    [{ access_token: 'a' }, { accessToken: 'a', expiresIn: 60 }],
    [
      { access_token: 'a', expires_in: '300' },
      { accessToken: 'a', expiresIn: 300 },
    ],
    [
      { access_token: 'a', expires_in: -1, refresh_expires_in: 0 },
      { accessToken: 'a', expiresIn: 60 },
    ],
    [
      { access_token: 'a', expires_in: 60, refresh_token: 7 },
      { accessToken: 'a', expiresIn: 60 },
    ],
  ])('reads the valid fields of a token reply: %j', async (body, expected) => {
    expect(await provider(200, body).grants.password()).toEqual(expected);
  });

  it.each([
    [400, { error: 'invalid_grant', error_description: 'Account is not fully set up' }, 'refused', 'invalid_grant'],
    [401, { error: 'unauthorized_client' }, 'refused', 'unauthorized_client'],
    [401, { error: 'invalid_client' }, 'refused', 'invalid_client'],
    [403, '<html>', 'refused', 'other'],
    [404, { error: 'Realm does not exist' }, 'refused', 'other'],
    [429, { error: 'slow_down' }, 'unavailable', 'other'],
    [408, '', 'unavailable', 'other'],
    [500, { error: 'unknown_error' }, 'unavailable', 'other'],
    [503, '<html>', 'unavailable', 'other'],
    [302, '', 'unavailable', 'other'],
    [200, '<html>login</html>', 'unavailable', 'other'],
    [200, {}, 'unavailable', 'other'],
    [200, { access_token: 'two\r\nlines' }, 'unavailable', 'other'],
    [200, null, 'unavailable', 'other'],
  ] as const)('reads status %i with body %j as %s (%s)', async (status, body, kind, oauthError) => {
    const { grants } = provider(status, body);
    for (const grant of [grants.password(), grants.refresh('r')]) {
      const error: unknown = await grant.catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(GrantError);
      expect(error).toMatchObject({ kind, status, oauthError });
    }
  });

  it('reports a network failure as unavailable, without details of the request', async () => {
    const grants = createGrants(settings, () => Promise.reject(new Error('connect s3cret')));
    await expect(grants.password()).rejects.toMatchObject({ kind: 'unavailable', message: 'token unavailable' });
  });
});

describe('messages for the operator', () => {
  it.each([
    [new GrantError('refused', 400, 'invalid_grant'), /FARECLERK_USERNAME, FARECLERK_PASSWORD/],
    [new GrantError('refused', 401, 'invalid_client'), /FARECLERK_CLIENT_ID and FARECLERK_CLIENT_SECRET/],
    [new GrantError('refused', 401, 'unauthorized_client'), /FARECLERK_CLIENT_ID and FARECLERK_CLIENT_SECRET/],
    [new GrantError('refused', 404), /FARECLERK_AUTH_URL and FARECLERK_TENANT/],
    [new GrantError('refused', 400, 'invalid_scope'), /FARECLERK_AUTH_URL.*FARECLERK_PASSWORD/],
  ])('names the settings to check after a refused login', (error, check) => {
    const refused = loginRefused(error);
    expect(refused).toMatchObject({
      code: 'E_AUTH',
      effect: 'none',
      retry: 'never',
      next: expect.stringMatching(check),
    });
    expect(refused.message).toMatch(/Nothing was sent\.$/);
  });

  it('says when to retry while the login is unavailable', () => {
    expect(loginUnavailable(29_001)).toMatchObject({ code: 'E_AIRLINE_DOWN', retry: 'after_s:30', effect: 'none' });
    expect(loginUnavailable(0).retry).toBe('after_s:1');
  });
});
