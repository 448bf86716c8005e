/**
 * Bearer tokens in requests, and the challenges that tell a client how to get one (RFC 6750, RFC 9728).
 */
import type { IncomingMessage } from 'node:http';
import type { SignIn, TokenProblem } from '../../domain/people/access-token.ts';
import { json, type Reply } from './error-reply.ts';

export const METADATA_PATH = '/.well-known/oauth-protected-resource';

/** RFC 6750, section 2.1: one token, nothing after it. */
const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i;

export type Credentials =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'none' }
  /** A token where none may be, or a header that is no token. */
  | { readonly kind: 'malformed'; readonly why: string };

export function credentialsOf(request: IncomingMessage): Credentials {
  const query = new URLSearchParams((request.url ?? '').split('?').slice(1).join('?'));
  if ([...query.keys()].some((name) => name.toLowerCase() === 'access_token')) {
    return { kind: 'malformed', why: 'a token in the address is not taken' };
  }
  const { authorization } = request.headers;
  if (authorization === undefined || !/^bearer\b/i.test(authorization)) return { kind: 'none' };
  const token = BEARER.exec(authorization)?.[1];
  return token === undefined ? { kind: 'malformed', why: 'the header is no bearer token' } : { kind: 'token', token };
}

const WORDS: Readonly<Record<TokenProblem, string>> = {
  malformed: 'the token is not a signed JWT',
  algorithm: 'the token is signed in a way that is not taken',
  signature: 'the signature of the token does not hold',
  issuer: 'the token is of another issuer',
  audience: 'the token is meant for another server',
  expired: 'the token has expired',
  not_yet_valid: 'the token is not valid yet',
  kind: 'the token is no access token',
  bound: 'the token is bound to a key',
  claims: 'the token names no caller',
};

export interface Challenger {
  /** No credentials: how to get some. */
  unauthenticated(): Reply;
  malformed(why: string): Reply;
  invalid(problem: TokenProblem): Reply;
  /** `granted` are repeated, so that a client that asks anew does not lose them. */
  insufficient(needed: readonly string[], granted: ReadonlySet<string>): Reply;
  /** RFC 9728, section 2. */
  metadata(): Reply;
}

/** `scopes`: all that the offered tools need; who grants how much is the issuer's affair. */
export function createChallenger(signIn: Pick<SignIn, 'issuer' | 'resource'>, scopes: readonly string[]): Challenger {
  const { origin, pathname } = new URL(signIn.resource);
  const address = `${origin}${METADATA_PATH}${pathname}`;

  function challenge(status: number, error: string | undefined, words: string, asked: readonly string[]): Reply {
    const fields = [
      ...(error === undefined ? [] : [`error="${error}"`, `error_description="${words}"`]),
      `resource_metadata="${address}"`,
      ...(asked.length > 0 ? [`scope="${asked.join(' ')}"`] : []),
    ];
    const body = { error: error ?? 'unauthorized', error_description: words };
    return json(status, body, { 'www-authenticate': `Bearer ${fields.join(', ')}` });
  }

  return {
    unauthenticated: () => challenge(401, undefined, 'an access token is needed', scopes),
    malformed: (why) => challenge(400, 'invalid_request', why, []),
    invalid: (problem) => challenge(401, 'invalid_token', WORDS[problem], scopes),
    insufficient: (needed, granted) =>
      challenge(
        403,
        'insufficient_scope',
        'the token was not granted what this needs',
        scopes.filter((scope) => needed.includes(scope) || granted.has(scope)),
      ),
    metadata: () =>
      json(200, {
        resource: signIn.resource,
        authorization_servers: [signIn.issuer],
        scopes_supported: scopes,
        bearer_methods_supported: ['header'],
        resource_name: 'fareclerk',
      }),
  };
}
