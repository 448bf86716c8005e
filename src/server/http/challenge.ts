/** Reads bearer tokens, and tells clients without one where to get it (RFC 6750, RFC 9728). */
import type { IncomingMessage } from 'node:http';
import type { SignIn, TokenProblem } from '../../domain/people/caller.ts';

export const METADATA_PATH = '/.well-known/oauth-protected-resource';

/** RFC 6750, section 2.1: one token, nothing after it. */
const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i;

type BearerCredentials =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'none' }
  /** The token is in the address, or the header is malformed. */
  | { readonly kind: 'malformed'; readonly why: string };

export function credentialsOf(request: IncomingMessage): BearerCredentials {
  if (namesToken(request.url ?? '')) return { kind: 'malformed', why: 'a token in the address is refused' };
  const { authorization } = request.headers;
  if (authorization === undefined || !/^bearer\b/i.test(authorization)) return { kind: 'none' };
  const token = BEARER.exec(authorization)?.[1];
  return token === undefined
    ? { kind: 'malformed', why: 'the header is not a bearer token' }
    : { kind: 'token', token };
}

function namesToken(url: string): boolean {
  const from = url.indexOf('?');
  if (from < 0) return false;
  return [...new URLSearchParams(url.slice(from + 1)).keys()].some((name) => name.toLowerCase() === 'access_token');
}

const WORDS: Readonly<Record<TokenProblem, string>> = {
  malformed: 'the token is not a signed JWT',
  algorithm: 'the token uses an unsupported signing algorithm',
  signature: 'the signature of the token is invalid',
  issuer: 'the token comes from another issuer',
  audience: 'the token is meant for another server',
  expired: 'the token has expired',
  not_yet_valid: 'the token is not valid yet',
  kind: 'the token is not an access token',
  bound: 'the token is bound to a key',
  claims: 'the token names no caller',
};

export type Challenger = ReturnType<typeof createChallenger>;

/** @param scopes all that the offered tools need */
export function createChallenger(signIn: Pick<SignIn, 'issuer' | 'resource'>, scopes: readonly string[]) {
  const { origin, pathname } = new URL(signIn.resource);
  const address = `${origin}${METADATA_PATH}${pathname}`;

  function challenge(status: number, error: string | undefined, words: string, asked: readonly string[]): Response {
    const fields = [
      ...(error === undefined ? [] : [`error="${error}"`, `error_description="${words}"`]),
      `resource_metadata="${address}"`,
      ...(asked.length > 0 ? [`scope="${asked.join(' ')}"`] : []),
    ];
    const body = { error: error ?? 'unauthorized', error_description: words };
    return Response.json(body, { status, headers: { 'www-authenticate': `Bearer ${fields.join(', ')}` } });
  }

  return {
    unauthenticated: () => challenge(401, undefined, 'an access token is required', scopes),
    malformed: (why: string) => challenge(400, 'invalid_request', why, []),
    invalid: (problem: TokenProblem) => challenge(401, 'invalid_token', WORDS[problem], scopes),
    /** Repeats the `granted` scopes, so that a client that asks again does not lose them. */
    insufficient(needed: readonly string[], granted: ReadonlySet<string>): Response {
      const asked = scopes.filter((scope) => needed.includes(scope) || granted.has(scope));
      return challenge(403, 'insufficient_scope', 'the token lacks a required scope', asked);
    },
    /** RFC 9728, section 2. */
    metadata: () =>
      Response.json({
        resource: signIn.resource,
        authorization_servers: [signIn.issuer],
        scopes_supported: scopes,
        bearer_methods_supported: ['header'],
        resource_name: 'fareclerk',
      }),
  };
}
