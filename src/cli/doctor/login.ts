/**
 * The token: one password grant, never repeated, and what its refusal means (docs/wire/notes.md, Token endpoint).
 */
import { createGrants, GrantError, type TokenSet, tokenEndpoint } from '../../auth/airline/token-request.ts';
import type { Login } from '../../config/load.ts';
import { cleanText } from '../../domain/time-and-text/clean-text.ts';
import { formPoster } from '../../ota/transport/http.ts';
import { good, toMend, type Verdict, warning } from './check.ts';
import { trouble } from './verdicts.ts';
import { type Exchange, recordOf, type Watched } from './watch.ts';

export interface LoginFacts {
  readonly status?: number;
  readonly error?: string;
  readonly expiresIn?: number;
  readonly refreshExpiresIn?: number;
  readonly hasRefreshToken?: boolean;
  readonly tokenType?: string;
  readonly shape?: 'jwt' | 'opaque';
}

export interface LoggedIn {
  readonly verdict: Verdict;
  readonly facts: LoginFacts;
  readonly tokens?: TokenSet;
  readonly exchange?: Exchange;
}

/** Sends must begin with ten minutes of life in their token. */
const SEND_LIFE_SECONDS = 600;

export async function logIn(login: Login, watched: Watched): Promise<LoggedIn> {
  const settings = { ...login, clientSecret: login.clientSecret.reveal(), password: login.password.reveal() };
  const grants = createGrants(settings, formPoster(watched.transport));
  try {
    const tokens = await grants.password();
    const exchange = watched.exchanges.at(-1);
    return { tokens, verdict: received(tokens), facts: factsOf(tokens, exchange), ...(exchange && { exchange }) };
  } catch (error) {
    if (!(error instanceof GrantError)) throw error;
    const exchange = watched.exchanges.at(-1);
    const facts = { ...(error.status !== undefined && { status: error.status }), error: error.oauthError };
    return { verdict: await refused(error, exchange, login, watched), facts, ...(exchange && { exchange }) };
  }
}

function received({ expiresIn, refreshToken }: TokenSet): Verdict {
  const life = `A token was issued, good for ${expiresIn} s${refreshToken === undefined ? ', without a refresh token' : ''}`;
  if (expiresIn >= SEND_LIFE_SECONDS) return good(life);
  return warning(
    'token_short',
    `${life}. Payments want ${SEND_LIFE_SECONDS} s of life in their token and take what there is.`,
    'Ask whoever runs FARECLERK_AUTH_URL for a longer life; the interface names 7200 s.',
  );
}

/** The three parts of a JSON Web Token (RFC 7519); only its times are read. */
export function timesOf(token: string): { readonly issuedAt?: number; readonly expiresAt?: number } | undefined {
  const [, payload, signature] = token.split('.');
  if (payload === undefined || signature === undefined) return undefined;
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    if (typeof claims !== 'object' || claims === null) return undefined;
    const [iat, exp] = ['iat' in claims ? claims.iat : undefined, 'exp' in claims ? claims.exp : undefined];
    return {
      ...(typeof iat === 'number' && { issuedAt: iat * 1_000 }),
      ...(typeof exp === 'number' && { expiresAt: exp * 1_000 }),
    };
  } catch {
    return undefined;
  }
}

function factsOf(tokens: TokenSet, exchange: Exchange | undefined): LoginFacts {
  const type = recordOf(exchange).token_type;
  return {
    status: 200,
    expiresIn: tokens.expiresIn,
    hasRefreshToken: tokens.refreshToken !== undefined,
    shape: timesOf(tokens.accessToken) === undefined ? 'opaque' : 'jwt',
    ...(tokens.refreshExpiresIn !== undefined && { refreshExpiresIn: tokens.refreshExpiresIn }),
    ...(typeof type === 'string' && { tokenType: cleanText(type, 20) }),
  };
}

const NO_REPEAT = 'fareclerk never repeats a refused login by itself: accounts lock.';

/** Keycloak's own sentences; other providers leave the account's state open. */
const ACCOUNTS: readonly (readonly [RegExp, () => Verdict])[] = [
  [
    /temporarily|locked|too many/i,
    () =>
      toMend(
        'account_locked',
        `The account is locked for a while after wrong passwords. ${NO_REPEAT}`,
        'Wait, or have FARECLERK_USERNAME unlocked by whoever runs the identity provider; then check FARECLERK_PASSWORD before the next try.',
      ),
  ],
  [
    /disabled/i,
    () =>
      toMend(
        'account_disabled',
        'The account is disabled.',
        'Have the account of FARECLERK_USERNAME enabled by whoever runs the identity provider.',
      ),
  ],
  [
    /not fully set up|resolve_required_actions|required action/i,
    () =>
      toMend(
        'account_not_set_up',
        'The account has a step open: a password to change, an address to confirm, terms to accept.',
        'Sign in once as FARECLERK_USERNAME in a browser and finish it, or have it cleared by whoever runs the identity provider.',
      ),
  ],
];

const WRONG_PASSWORD = (): Verdict =>
  toMend(
    'wrong_password',
    `User name or password are wrong. Some providers say the same of an account that is locked for a while. ${NO_REPEAT}`,
    'Check FARECLERK_USERNAME and FARECLERK_PASSWORD, by hand and before the next try.',
  );

async function refused(
  error: GrantError,
  exchange: Exchange | undefined,
  login: Login,
  watched: Watched,
): Promise<Verdict> {
  const reply = recordOf(exchange);
  const words = typeof reply.error_description === 'string' ? reply.error_description : '';
  if (error.oauthError === 'invalid_grant') {
    return (ACCOUNTS.find(([sentence]) => sentence.test(words))?.[1] ?? WRONG_PASSWORD)();
  }
  if (
    /direct access grants|grant.{0,20}not (?:allowed|enabled|supported)/i.test(words) ||
    error.oauthError === 'unsupported_grant_type'
  ) {
    return toMend(
      'grant_not_allowed',
      'The client is known, but may not log in with a user name and password.',
      'Have the password grant (direct access grants) switched on for FARECLERK_CLIENT_ID.',
    );
  }
  if (error.oauthError === 'invalid_client' || error.oauthError === 'unauthorized_client') {
    const which = error.oauthError === 'unauthorized_client' ? 'its secret is wrong' : 'id or secret are wrong';
    return toMend(
      'client_refused',
      `The identity provider does not accept this client: ${which}.`,
      'Check FARECLERK_CLIENT_SECRET and FARECLERK_CLIENT_ID.',
    );
  }
  if (error.status === 404) return nothingThere(reply, login, watched);
  const general = trouble({ ...(exchange && { exchange }) }, { setting: 'FARECLERK_AUTH_URL', method: 'POST' });
  if (general !== undefined) return general;
  if (error.kind === 'unavailable') {
    return toMend(
      'no_token',
      `The identity provider answered HTTP ${error.status ?? 'nothing'} without a token.`,
      'Check FARECLERK_AUTH_URL; it may be the address of something else.',
    );
  }
  return toMend(
    'login_refused',
    `The identity provider refuses the request (HTTP ${error.status}, ${error.oauthError}).`,
    'Check FARECLERK_AUTH_URL, FARECLERK_TENANT and FARECLERK_CLIENT_ID.',
  );
}

/** No such realm, or no identity provider at this path: the provider's own description of itself tells the two apart. */
async function nothingThere(
  reply: Readonly<Record<string, unknown>>,
  login: Login,
  watched: Watched,
): Promise<Verdict> {
  const { authUrl, tenant } = login;
  if (typeof reply.error === 'string' && /realm/i.test(reply.error)) {
    return toMend(
      'wrong_tenant',
      'The identity provider is there, and knows no such tenant.',
      'Check FARECLERK_TENANT: the short airline name, spelled and cased as the realm is.',
    );
  }
  const candidates = [`${authUrl}/auth`, authUrl.replace(/\/(?:auth|realms.*)$/, '')].filter((one) => one !== authUrl);
  for (const candidate of candidates) {
    if (!(await describesItself(candidate, tenant, watched))) continue;
    return toMend(
      'wrong_login_address',
      'There is no identity provider at this path; there is one beside it.',
      `Set FARECLERK_AUTH_URL to ${candidate}.`,
    );
  }
  return toMend(
    'wrong_login_address',
    'There is no identity provider at this path.',
    'Check FARECLERK_AUTH_URL: /realms/<tenant>/protocol/openid-connect/token is added to it. Older ones have /auth before that.',
  );
}

async function describesItself(authUrl: string, tenant: string, { transport }: Watched): Promise<boolean> {
  const url = tokenEndpoint(authUrl, tenant).replace(/\/protocol\/.*$/, '/.well-known/openid-configuration');
  const request = {
    purpose: 'identity',
    method: 'GET',
    url,
    headers: { accept: 'application/json' },
    deadlineMs: 5_000,
  } as const;
  try {
    const { status, text } = await transport.send(request);
    return status === 200 && text.includes('token_endpoint');
  } catch {
    return false;
  }
}
