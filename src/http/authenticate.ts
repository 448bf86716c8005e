/**
 * Finds out who calls: the person or program that a token names, or, on loopback without an issuer, the OS user for every program with the token of the settings. Clients without a token
 * learn where to get one (RFC 6750, RFC 9728). In order: callers on loopback, callers with a token of the issuer, the token of the
 * settings, how a token is taken from a request (what it must be is in auth/callers/access-tokens.ts), and the replies that say where
 * to get one.
 */

import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Caller, SignIn, TokenProblem } from '../domain/people/caller.ts';
import { noteCaller, refusedFor } from './access-line.ts';
import { isLoopbackPeer } from './addresses.ts';
import type { AuthenticatedCaller } from './caller-clerk.ts';
import { errorReply } from './exchange.ts';

export const METADATA_PATH = '/.well-known/oauth-protected-resource';

/** RFC 6750, section 2.1: one token, nothing after it. */
const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i;

/** What a refused client hears of its token. */
const PROBLEMS: Readonly<Record<TokenProblem, string>> = {
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

/** Returns who calls, or the reply to a caller who is refused. */
export type Authenticate = (request: IncomingMessage) => Promise<AuthenticatedCaller | Response>;

/** Authenticates, and notes each caller for the log. */
export function notingCaller(authenticate: Authenticate): Authenticate {
  return async (request) => {
    const who = await authenticate(request);
    if (!(who instanceof Response)) noteCaller(request, who.caller);
    return who;
  };
}

/** Accepts, without an issuer, every program on this machine that has FARECLERK_HTTP_TOKEN. */
export function authenticateLoopback(caller: Caller, checkToken: BearerCheck): Authenticate {
  return async (request) => {
    if (!isLoopbackPeer(request.socket.remoteAddress)) {
      return refusedFor(request, 'other_machine', errorReply(403, 'Only programs on this machine may call here.'));
    }
    return checkToken(request) ?? { caller };
  };
}

/** Accepts, with an issuer, whoever its tokens name. */
export function authenticateToken(signIn: SignIn, challenger: Challenger): Authenticate {
  return async (request) => {
    // Reads the header alone: a token in the address is none.
    const { authorization = '' } = request.headers;
    if (!/^bearer\b/i.test(authorization)) return refusedFor(request, 'no_token', challenger.unauthenticated());

    const token = BEARER.exec(authorization)?.[1];
    if (token === undefined) return refusedFor(request, 'malformed', challenger.malformed());

    const verdict = await signIn.check(token);
    if (verdict.kind === 'good') return verdict.who;

    if (verdict.kind === 'unavailable') {
      const reply = errorReply(503, 'Tokens cannot be checked now.', { 'retry-after': '5' });
      return refusedFor(request, 'unavailable', reply);
    }

    return refusedFor(request, verdict.problem, challenger.invalid(verdict.problem));
  };
}

/** Returns the reply to a request without the token. */
export type BearerCheck = (request: IncomingMessage) => Response | undefined;

/**
 * Checks the bearer token of the settings, which is too long to be found by guessing (config/values.ts).
 * @param words of the reply to a request without the right token
 */
export function createBearerCheck(token: string, words: string): BearerCheck {
  const expected = sha256(token);
  return (request) => {
    const sent = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
    // Hashes, so that the time of the comparison does not reveal the token.
    if (sent !== undefined && timingSafeEqual(sha256(sent), expected)) return undefined;
    const reply = errorReply(401, words, { 'www-authenticate': 'Bearer' });
    return refusedFor(request, sent === undefined ? 'no_token' : 'wrong_token', reply);
  };
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

export type Challenger = ReturnType<typeof createChallenger>;

/**
 * Writes the replies that tell a client without sufficient rights where to get a token, and for which scopes.
 * @param scopes all that the offered tools need
 */
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
    malformed: () => challenge(400, 'invalid_request', 'the header is not a bearer token', []),
    invalid: (problem: TokenProblem) => challenge(401, 'invalid_token', PROBLEMS[problem], scopes),

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
