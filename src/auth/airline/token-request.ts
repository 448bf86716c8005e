/**
 * Logs in at the airline's identity provider with OAuth 2.0 password and refresh grants (RFC 6749, 4.3 and 6;
 * docs/wire/interface.md, Authentication; docs/wire/notes.md, Token endpoint). First the two grants, then how long tokens are used, then what follows from a
 * failure: a pause, and the error.
 */

import { ClerkError, callAgain } from '../../core/errors.ts';
import { objectInJson } from '../../core/own.ts';
import { withoutTrailing } from '../../core/words.ts';
import type { TokenSet } from '../../domain/login-store.ts';

export interface TokenSettings {
  /** {auth_url} without `/realms/...`. */
  readonly authUrl: string;
  /** Short airline name, equal to the realm. */
  readonly tenant: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly username: string;
  readonly password: string;
}

/** Posts a form and follows no redirect. Rejects if no reply came. */
type PostForm = (url: string, form: URLSearchParams) => Promise<{ readonly status: number; readonly text: string }>;

/** Both throw {@link GrantError}. */
export interface Grants {
  password(): Promise<TokenSet>;
  refresh(refreshToken: string): Promise<TokenSet>;
}

/** Errors of RFC 6749, section 5.2, that say what to check. Any other is `other`. */
const OAUTH_ERRORS = ['invalid_client', 'invalid_grant', 'unauthorized_client'] as const;
type OAuthError = (typeof OAUTH_ERRORS)[number] | 'other';

/**
 * `refused`: the provider answered no (4xx). Asking again is useless, and can lock the account.
 * `unavailable`: no usable answer (network, 5xx, throttled, no JSON). A later try may succeed.
 */
export class GrantError extends Error {
  readonly kind: 'refused' | 'unavailable';
  readonly status: number | undefined;
  readonly oauthError: OAuthError;

  constructor(kind: 'refused' | 'unavailable', status?: number, oauthError: OAuthError = 'other') {
    super(`token ${kind}`);
    this.name = 'GrantError';
    this.kind = kind;
    this.status = status;
    this.oauthError = oauthError;
  }
}

/** The life of a token if the provider states none, seconds. */
const DEFAULT_LIFE_SECONDS = 60;

/** A token is used until this long before its stated end, milliseconds. */
const SAFETY_MS = 60_000;
/** A stated life shorter than four times {@link SAFETY_MS} is used for three quarters. */
const SHORT_LIFE_SAFETY = 1 / 4;
/** How long the provider is left alone after a failure, milliseconds. It doubles with each failure in a row. */
const FIRST_PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 15 * 60_000;
/** A pause is longer by a random part of itself, up to this one, so that several processes do not ask all at once. */
const PAUSE_JITTER = 0.1;

function tokenEndpoint(authUrl: string, tenant: string): string {
  return `${withoutTrailing(authUrl, '/')}/realms/${encodeURIComponent(tenant)}/protocol/openid-connect/token`;
}

export function createGrants(settings: TokenSettings, post: PostForm): Grants {
  const endpoint = tokenEndpoint(settings.authUrl, settings.tenant);
  const client = { client_id: settings.clientId, client_secret: settings.clientSecret };

  const ask = async (form: Readonly<Record<string, string>>): Promise<TokenSet> => {
    const reply = await post(endpoint, new URLSearchParams(form)).catch(() => {
      throw new GrantError('unavailable');
    });
    return readTokenReply(reply.status, reply.text);
  };

  return {
    password: () =>
      ask({ grant_type: 'password', ...client, username: settings.username, password: settings.password }),
    refresh: (refreshToken) => ask({ grant_type: 'refresh_token', ...client, refresh_token: refreshToken }),
  };
}

function readTokenReply(status: number, text: string): TokenSet {
  const body: Readonly<Record<string, unknown>> = { ...objectInJson(text) };
  if (status >= 400 && status < 500) {
    // The provider did not judge a throttled or timed-out request.
    if (status === 429 || status === 408) throw new GrantError('unavailable', status);
    throw new GrantError('refused', status, OAUTH_ERRORS.find((code) => code === body.error) ?? 'other');
  }

  const accessToken = readToken(body.access_token);
  if (status !== 200 || accessToken === undefined) throw new GrantError('unavailable', status);

  const refreshToken = readToken(body.refresh_token);
  const refreshExpiresIn = readSeconds(body.refresh_expires_in);

  return {
    accessToken,
    expiresIn: readSeconds(body.expires_in) ?? DEFAULT_LIFE_SECONDS,
    refreshToken,
    refreshExpiresIn,
  };
}

/** Accepts visible ASCII only, because a token is sent in a header (RFC 6750, 2.1). */
function readToken(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\x21-\x7e]+$/.test(value) ? value : undefined;
}

function readSeconds(value: unknown): number | undefined {
  const count = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
  return typeof count === 'number' && Number.isFinite(count) && count > 0 ? count : undefined;
}

/** How long a token with this stated life is used, milliseconds. */
export function usableLife(statedMs: number): number {
  return statedMs - Math.min(SAFETY_MS, statedMs * SHORT_LIFE_SAFETY);
}

export function isRefusal(error: unknown): error is GrantError {
  return error instanceof GrantError && error.kind === 'refused';
}

/** How long the provider is left alone after this many earlier failures in a row, milliseconds. */
export function pauseAfter(failures: number, random: () => number): number {
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS);
  return Math.min(pause * (1 + random() * PAUSE_JITTER), LONGEST_PAUSE_MS);
}

/** The error of a refused login, in words for an operator, without the provider's own text. */
export function loginRefused(error: GrantError): ClerkError {
  const { reason, check } = refusalWords(error);
  return new ClerkError('E_AUTH', `The identity provider refused the login: ${reason}. Nothing was sent.`, {
    next: `Ask the operator to check ${check} and to restart the server; it does not try again by itself.`,
    airline: error.status === undefined ? {} : { status: error.status },
  });
}

/** Why a login was refused, and what an operator must check. */
function refusalWords({ oauthError, status }: GrantError): { readonly reason: string; readonly check: string } {
  if (oauthError === 'invalid_grant')
    return {
      reason: 'user name or password are wrong, or the account is locked or not fully set up',
      check: 'FARECLERK_USERNAME, FARECLERK_PASSWORD and the account itself',
    };

  if (oauthError !== 'other')
    return {
      reason: 'it does not accept this client',
      check: 'FARECLERK_CLIENT_ID and FARECLERK_CLIENT_SECRET, and that the client may use the password grant',
    };
  if (status === 404) return { reason: 'there is no such address', check: 'FARECLERK_AUTH_URL and its realm' };

  return {
    reason: 'it does not accept the request',
    check:
      'FARECLERK_AUTH_URL, FARECLERK_CLIENT_ID, FARECLERK_CLIENT_SECRET, FARECLERK_USERNAME and FARECLERK_PASSWORD',
  };
}

/**
 * The error while there is no token.
 * @param pauseMs milliseconds until the provider is asked again
 */
export function loginUnavailable(pauseMs: number): ClerkError {
  const retry = `after_s:${Math.max(1, Math.ceil(pauseMs / 1_000))}` as const;
  return new ClerkError('E_AIRLINE_DOWN', 'The identity provider gives no token at present. Nothing was sent.', {
    next: callAgain(retry),
    retry,
  });
}
