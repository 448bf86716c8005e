/**
 * Finds out who calls: the person or program that a token names, or, on loopback without an issuer, the OS user for every program with the token of the settings. Clients without a token
 * learn where to get one (RFC 6750, RFC 9728). In order: callers on loopback, callers with a token of the issuer, the token of the
 * settings, how a token is taken from a request (what it must be is in auth/callers/access-tokens.ts), and the replies that say where
 * to get one.
 */

import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Rate, RequestRates } from '../clerk/request-rates.ts';
import type { Caller, SignIn, TokenProblem } from '../domain/people/caller.ts';
import { type CallerRefusal, noteCaller, refusedFor } from './access-line.ts';
import { addressKey, isLoopbackPeer } from './addresses.ts';
import type { AuthenticatedCaller } from './caller-clerk.ts';
import { errorReply, tooMany } from './exchange.ts';
import type { HttpLimits } from './limits.ts';

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

/**
 * Accepts, with an issuer, whoever its tokens name. Only tokens that it never issued for this server count against an address, which may
 * be a proxy's: a client that asks where to sign in, or whose token has run out, must hear that and no "later".
 */
export function authenticateToken(
  signIn: SignIn,
  challenger: Challenger,
  limits: Pick<HttpLimits, 'refusals'>,
): Authenticate {
  const refusals = new RequestRates(limits.refusals);
  const countRefusal = (request: IncomingMessage, why: CallerRefusal, reply: Response): Response => {
    const wait = refusals.count(addressKey(request.socket.remoteAddress));
    if (wait > 0) return refusedFor(request, why, tooMany('Too many refused requests from this address.', wait));
    return refusedFor(request, why, reply);
  };
  return async (request) => {
    const credentials = readCredentials(request);
    if (credentials.kind === 'none') return refusedFor(request, 'no_token', challenger.unauthenticated());
    if (credentials.kind === 'malformed')
      return countRefusal(request, 'malformed', challenger.malformed(credentials.why));
    const verdict = await signIn.check(credentials.token);
    if (verdict.kind === 'good') return verdict.who;
    if (verdict.kind === 'unavailable') {
      const reply = errorReply(503, 'Tokens cannot be checked now.', { 'retry-after': '5' });
      return refusedFor(request, 'unavailable', reply);
    }
    const { problem } = verdict;
    const reply = challenger.invalid(problem);
    return problem === 'expired' ? refusedFor(request, problem, reply) : countRefusal(request, problem, reply);
  };
}

/** Returns the reply to a request without the token. */
export type BearerCheck = (request: IncomingMessage) => Response | undefined;

/**
 * Checks the bearer token of the settings, and slows whoever guesses it. The right token is never refused: it is too long to
 * be found by guessing (config/values.ts), and behind a proxy or on this machine others have the same address as its owner, whom they
 * could shut out.
 * @param words of the reply to a request without the right token
 */
export function createBearerCheck(token: string, words: string, guesses: Rate): BearerCheck {
  const wrongTokens = new RequestRates(guesses);
  const expected = sha256(token);
  return (request) => {
    const sent = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
    // Hashes, so that the time of the comparison does not reveal the token.
    if (sent !== undefined && timingSafeEqual(sha256(sent), expected)) return undefined;
    const reply = errorReply(401, words, { 'www-authenticate': 'Bearer' });
    if (sent === undefined) return refusedFor(request, 'no_token', reply);
    const wait = wrongTokens.count(guesserKey(request));
    if (wait > 0) return refusedFor(request, 'wrong_token', tooMany('Too many wrong tokens from this address.', wait));
    return refusedFor(request, 'wrong_token', reply);
  };
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** The key by which wrong tokens are counted. All of 127.0.0.0/8 is one machine. */
function guesserKey({ socket: { remoteAddress } }: IncomingMessage): string {
  return isLoopbackPeer(remoteAddress) ? 'loopback' : addressKey(remoteAddress);
}

type BearerCredentials =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'none' }
  /** The token is in the address, or the header is malformed. */
  | { readonly kind: 'malformed'; readonly why: string };

function readCredentials(request: IncomingMessage): BearerCredentials {
  if (queryHasToken(request.url ?? '')) return { kind: 'malformed', why: 'a token in the address is refused' };
  const { authorization } = request.headers;
  if (authorization === undefined || !/^bearer\b/i.test(authorization)) return { kind: 'none' };
  const token = BEARER.exec(authorization)?.[1];
  return token === undefined
    ? { kind: 'malformed', why: 'the header is not a bearer token' }
    : { kind: 'token', token };
}

function queryHasToken(url: string): boolean {
  const queryAt = url.indexOf('?');
  if (queryAt < 0) return false;
  return [...new URLSearchParams(url.slice(queryAt + 1)).keys()].some((name) => name.toLowerCase() === 'access_token');
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
    malformed: (why: string) => challenge(400, 'invalid_request', why, []),
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
