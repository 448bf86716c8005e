/**
 * Who is at the door: the signed-in caller, or on loopback without an issuer the OS user.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { SignIn } from '../../domain/people/access-token.ts';
import type { Caller } from '../../domain/people/caller.ts';
import { isLoopbackPeer } from './addresses.ts';
import { type Challenger, credentialsOf } from './challenge.ts';
import type { Visit } from './current-caller.ts';
import { type Reply, refusal } from './error-reply.ts';
import type { HttpLimits } from './limits.ts';
import { bringsToken } from './pages.ts';
import { addressKey, Buckets } from './rate.ts';

export type Admitted = { readonly visit: Visit } | { readonly reply: Reply };

export type Gatekeeper = (request: IncomingMessage) => Promise<Admitted>;

/** How loopback callers prove that they are the OS user we run as. At least one of the two is given. */
export interface LoopbackProof {
  /** Whether our own user is at the other end; absent where the system cannot tell (approval-page/peer.ts). */
  readonly isOwnUser?: (socket: Socket) => Promise<boolean>;
  /** Bearer token that every call must carry: FARECLERK_HTTP_TOKEN. */
  readonly token?: string;
}

/** Without an issuer: whoever this machine lets run as the same user, as on stdio. */
export function loopbackGatekeeper(caller: Caller, { isOwnUser, token }: LoopbackProof): Gatekeeper {
  if (isOwnUser === undefined && token === undefined) throw new Error('a loopback caller must prove who they are');
  return async (request) => {
    const { socket } = request;
    const near = isLoopbackPeer(socket.remoteAddress) && (isOwnUser === undefined || (await isOwnUser(socket)));
    if (!near) return { reply: refusal(403, 'Only programs of the same user may call here.') };
    if (token !== undefined && !bringsToken(request, token)) {
      return { reply: refusal(401, 'Calls need the token of FARECLERK_HTTP_TOKEN.', { 'www-authenticate': 'Bearer' }) };
    }
    return { visit: { caller } };
  };
}

/** With an issuer: whoever its tokens name. Tokens are checked before anything is counted against an address. */
export function tokenGatekeeper(
  signIn: SignIn,
  challenger: Challenger,
  limits: Pick<HttpLimits, 'refusals'>,
): Gatekeeper {
  const refusals = new Buckets(limits.refusals);
  const refused = (request: IncomingMessage, reply: Reply): Admitted => {
    const wait = refusals.take(addressKey(request.socket.remoteAddress));
    return { reply: wait === 0 ? reply : tooMany('Too many refused requests from this address.', wait) };
  };
  return async (request) => {
    const credentials = credentialsOf(request);
    if (credentials.kind === 'none') return refused(request, challenger.unauthenticated());
    if (credentials.kind === 'malformed') return refused(request, challenger.malformed(credentials.why));
    const verdict = await signIn.check(credentials.token);
    if (verdict.kind === 'bad') return refused(request, challenger.invalid(verdict.problem));
    if (verdict.kind === 'unavailable') {
      return { reply: refusal(503, 'Tokens cannot be checked just now.', { 'retry-after': '5' }) };
    }
    return { visit: verdict.who };
  };
}

export function tooMany(message: string, seconds: number): Reply {
  return refusal(429, message, { 'retry-after': String(seconds) });
}
