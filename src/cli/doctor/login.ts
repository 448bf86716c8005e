/** Logs in once, never twice, and explains a refusal (docs/wire/notes.md, Token endpoint). */
import { createGrants, GrantError, tokenEndpoint } from '../../auth/airline/token-request.ts';
import type { Login } from '../../config/load.ts';
import type { TokenSet } from '../../domain/login-store.ts';
import { cleanText } from '../../domain/time-and-text/clean-text.ts';
import { omitUndefined } from '../../domain/time-and-text/omit-undefined.ts';
import { record, text } from '../../ota/messages/parts/reader.ts';
import { formPoster } from '../../ota/transport/http.ts';
import { isObject, readJson } from '../../ota/transport/json.ts';
import { type CheckOutcome, good } from './check.ts';
import { type FindingKey, finding } from './findings.ts';
import { isAnswered, problemOf } from './reply-problem.ts';
import { type Asked, seen, type Visit } from './visit.ts';

/** A token must be valid for ten more minutes when a send begins. */
const SEND_LIFE_SECONDS = 600;

export async function logIn(login: Login, visit: Visit) {
  const settings = { ...login, clientSecret: login.clientSecret.reveal(), password: login.password.reveal() };
  try {
    const tokens = await createGrants(settings, formPoster(visit.transport)).password();
    const { accessToken, expiresIn, refreshToken, refreshExpiresIn } = tokens;
    const type = text(record(seen(visit.exchanges.at(-1)).body).token_type);
    const facts = {
      status: 200,
      expiresIn,
      hasRefreshToken: refreshToken !== undefined,
      shape: isObject(claimsOf(accessToken)) ? 'jwt' : 'opaque',
      ...omitUndefined({ refreshExpiresIn, tokenType: type && cleanText(type, 20) }),
    };
    return { tokens, verdict: received(tokens), facts };
  } catch (error) {
    if (!(error instanceof GrantError)) throw error;
    const verdict = await refused(error, seen(visit.exchanges.at(-1)), login, visit);
    return { verdict, facts: { ...omitUndefined({ status: error.status }), error: error.oauthError } };
  }
}

function received({ expiresIn, refreshToken }: TokenSet): CheckOutcome {
  const life = `A token was issued, valid for ${expiresIn} s${refreshToken === undefined ? ', without a refresh token' : ''}`;
  return expiresIn >= SEND_LIFE_SECONDS ? good(life) : finding('token_short', { life, wanted: SEND_LIFE_SECONDS });
}

/** Time of issue in a JSON Web Token, milliseconds since 1970 (RFC 7519); undefined for other tokens. */
export function issuedAt(token: string): number | undefined {
  const { iat } = record(claimsOf(token));
  return typeof iat === 'number' ? iat * 1_000 : undefined;
}

function claimsOf(token: string): unknown {
  const [, payload = '', signature] = token.split('.');
  const reading = readJson(Buffer.from(payload, 'base64url').toString('utf8'));
  return reading.ok && signature !== undefined ? reading.value : undefined;
}

/** Matched against status, error and description; the sentences are Keycloak's. The first match counts. */
const REFUSALS: readonly (readonly [RegExp, FindingKey])[] = [
  [/ invalid_grant: .*(?:temporarily|locked|too many)/i, 'account_locked'],
  [/ invalid_grant: .*disabled/i, 'account_disabled'],
  [/ invalid_grant: .*(?:not fully set up|resolve_required_actions|required action)/i, 'account_not_set_up'],
  [/ invalid_grant: /, 'wrong_password'],
  [/direct access grants|grant.{0,20}not (?:allowed|enabled|supported)| unsupported_grant_type:/i, 'grant_not_allowed'],
  [/ unauthorized_client: /, 'client_refused.secret'],
  [/ invalid_client: /, 'client_refused'],
  [/^404 [^:]*realm/i, 'wrong_tenant'],
];

async function refused(error: GrantError, asked: Asked, login: Login, visit: Visit): Promise<CheckOutcome> {
  const { error: code, error_description: words } = record(asked.body);
  const reply = `${error.status} ${text(code) ?? ''}: ${text(words) ?? ''}`;
  const known = error.kind === 'refused' ? REFUSALS.find(([sign]) => sign.test(reply))?.[1] : undefined;
  if (known !== undefined) return finding(known);
  if (error.status === 404) return wrongAddress(login, visit);
  const problem = problemOf(asked, 'FARECLERK_AUTH_URL');
  if (!isAnswered(problem)) return problem;
  const key = error.kind === 'unavailable' ? 'no_token' : 'login_refused';
  return finding(key, { status: error.status ?? 'nothing', error: error.oauthError });
}

/** Looks for the provider's discovery document one path element up and down. */
async function wrongAddress({ authUrl, tenant }: Login, { transport }: Visit): Promise<CheckOutcome> {
  const candidates = [`${authUrl}/auth`, authUrl.replace(/\/(?:auth|realms.*)$/, '')];
  for (const candidate of candidates.filter((one) => one !== authUrl)) {
    const url = tokenEndpoint(candidate, tenant).replace(/\/protocol\/.*$/, '/.well-known/openid-configuration');
    const headers = { accept: 'application/json' };
    const request = { purpose: 'identity', method: 'GET', url, headers, deadlineMs: 5_000 } as const;
    const reply = await transport.send(request).catch(() => undefined);
    if (reply?.status === 200 && reply.text.includes('token_endpoint'))
      return finding('wrong_login_address.near', { candidate });
  }
  return finding('wrong_login_address');
}
