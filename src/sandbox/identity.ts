/**
 * The airline's identity provider, a token endpoint like Keycloak's (docs/wire/notes.md, Token endpoint). Refresh
 * tokens are single-use. The state stores sessions, so that all processes accept a token.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import type { CarrierState } from './state.ts';

export interface Credentials {
  readonly tenant: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly username: string;
  readonly password: string;
  readonly apiKey: string;
  readonly agentId: string;
  readonly agencyId: string;
}

export const SANDBOX_CREDENTIALS: Credentials = {
  tenant: 'sandbox',
  clientId: 'fareclerk',
  clientSecret: 'sandbox-client-secret',
  username: 'clerk',
  password: 'sandbox-password',
  apiKey: 'sandbox-api-key',
  agentId: 'AGENT1',
  agencyId: 'SANDBOX AGENCY',
};

const ACCESS_SECONDS = 7200;
const REFRESH_SECONDS = 14400;

interface TokenReply {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

function refuse(status: number, error: string, description: string): TokenReply {
  return { status, body: { error, error_description: description } };
}

/** Answers one token request. Runs within a write transaction. */
export function grantToken(
  state: CarrierState,
  credentials: Credentials,
  form: URLSearchParams,
  now: number,
): TokenReply {
  if (form.get('client_id') !== credentials.clientId)
    return refuse(401, 'invalid_client', 'Invalid client or Invalid client credentials');
  if (form.get('client_secret') !== credentials.clientSecret)
    return refuse(401, 'unauthorized_client', 'Invalid client or Invalid client credentials');

  switch (form.get('grant_type')) {
    case 'password':
      return passwordGrant(state, credentials, form, now);
    case 'refresh_token':
      return refreshGrant(state, form.get('refresh_token') ?? '', now);
    case null:
      return refuse(400, 'invalid_request', 'Missing form parameter: grant_type');
    default:
      return refuse(400, 'unsupported_grant_type', 'Unsupported grant_type');
  }
}

function passwordGrant(state: CarrierState, credentials: Credentials, form: URLSearchParams, now: number): TokenReply {
  const isCorrect = form.get('username') === credentials.username && form.get('password') === credentials.password;
  if (isCorrect) return openSession(state, randomUUID(), now);
  return refuse(401, 'invalid_grant', 'Invalid user credentials');
}

function refreshGrant(state: CarrierState, token: string, now: number): TokenReply {
  const [id = ''] = token.split('.');
  const session = state.row('SELECT refresh_token, refresh_until FROM sessions WHERE id = ?', id);
  if (session === undefined || Number(session.refresh_until) <= now)
    return refuse(400, 'invalid_grant', 'Token is not active');

  if (session.refresh_token !== token) {
    // Keycloak ends the session if a refresh token is used twice.
    state.run('DELETE FROM sessions WHERE id = ?', id);
    return refuse(400, 'invalid_grant', 'Maximum allowed refresh token reuse exceeded');
  }

  return openSession(state, id, now);
}

function openSession(state: CarrierState, id: string, now: number): TokenReply {
  const refreshToken = `${id}.${randomBytes(24).toString('base64url')}`;
  const accessToken = randomBytes(32).toString('base64url');
  const refreshUntil = now + REFRESH_SECONDS * 1000;

  state.run('DELETE FROM access_tokens WHERE until <= ?', now);
  state.run('DELETE FROM sessions WHERE refresh_until <= ?', now);
  state.run('INSERT INTO access_tokens VALUES (?, ?)', accessToken, now + ACCESS_SECONDS * 1000);

  const sql = `INSERT INTO sessions VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE
    SET refresh_token = excluded.refresh_token, refresh_until = excluded.refresh_until`;
  state.run(sql, id, refreshToken, refreshUntil);

  return {
    status: 200,
    body: {
      access_token: accessToken,
      expires_in: ACCESS_SECONDS,
      refresh_expires_in: REFRESH_SECONDS,
      refresh_token: refreshToken,
      token_type: 'bearer',
      'not-before-policy': 0,
      session_state: id,
      scope: 'profile email',
    },
  };
}

/** Whether the access token was issued and has not expired. */
export function isLiveToken(state: CarrierState, token: string, now: number): boolean {
  return state.row('SELECT 1 FROM access_tokens WHERE token = ? AND until > ?', token, now) !== undefined;
}
