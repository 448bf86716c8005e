/** Who calls: the person or program that a token names, or, on loopback without an issuer, the OS user. */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Caller, SignIn } from '../../domain/people/caller.ts';
import { isLoopbackPeer } from './addresses.ts';
import type { BearerCheck } from './bearer-token.ts';
import { type Challenger, credentialsOf } from './challenge.ts';
import type { AuthenticatedCaller } from './current-caller.ts';
import { errorReply, tooMany } from './error-reply.ts';
import type { HttpLimits } from './limits.ts';
import { addressKey, Buckets } from './rate.ts';
import { type CallerRefusal, noteCaller, refusedFor } from './request-notes.ts';

/** Returns the reply to a caller who is refused. */
export type Authenticate = (request: IncomingMessage) => Promise<AuthenticatedCaller | Response>;

/** Notes the caller for the log. */
export function noted(authenticate: Authenticate): Authenticate {
  return async (request) => {
    const who = await authenticate(request);
    if (!(who instanceof Response)) noteCaller(request, who.caller);
    return who;
  };
}

/** How loopback callers prove that they are the OS user we run as. At least one of the two is required. */
interface LoopbackProof {
  /** Whether our own user is at the other end; absent if the system cannot tell (approval-page/peer.ts). */
  readonly isSameUser?: (socket: Socket) => Promise<boolean>;
  /** Of FARECLERK_HTTP_TOKEN, which every call brings. */
  readonly checkToken?: BearerCheck;
}

/** Without an issuer: every program of the same OS user on this machine, as on stdio. */
export function authenticateLoopback(caller: Caller, { isSameUser, checkToken }: LoopbackProof): Authenticate {
  if (isSameUser === undefined && checkToken === undefined)
    throw new Error('a loopback caller must prove who they are');
  return async (request) => {
    const { socket } = request;
    const near = isLoopbackPeer(socket.remoteAddress) && (isSameUser === undefined || (await isSameUser(socket)));
    if (!near) {
      return refusedFor(request, 'other_user', errorReply(403, 'Only programs of the same user may call here.'));
    }
    return checkToken?.(request) ?? { caller };
  };
}

/**
 * With an issuer: whoever its tokens name. Only what it never issued for this server counts against an address, which may be
 * a proxy's: a client that asks where to sign in, or whose token has run out, must hear that and no "later".
 */
export function authenticateToken(
  signIn: SignIn,
  challenger: Challenger,
  limits: Pick<HttpLimits, 'refusals'>,
): Authenticate {
  const refusals = new Buckets(limits.refusals);
  const refused = (request: IncomingMessage, why: CallerRefusal, reply: Response): Response => {
    const wait = refusals.take(addressKey(request.socket.remoteAddress));
    const slow = wait === 0 ? undefined : tooMany('Too many refused requests from this address.', wait);
    return refusedFor(request, why, slow ?? reply);
  };
  return async (request) => {
    const credentials = credentialsOf(request);
    if (credentials.kind === 'none') return refusedFor(request, 'no_token', challenger.unauthenticated());
    if (credentials.kind === 'malformed') return refused(request, 'malformed', challenger.malformed(credentials.why));
    const verdict = await signIn.check(credentials.token);
    if (verdict.kind === 'good') return verdict.who;
    if (verdict.kind === 'bad') {
      const { problem } = verdict;
      const count = problem === 'expired' ? refusedFor : refused;
      return count(request, problem, challenger.invalid(problem));
    }
    const reply = errorReply(503, 'Tokens cannot be checked now.', { 'retry-after': '5' });
    return refusedFor(request, 'unavailable', reply);
  };
}
