/** Checks the bearer token of the settings, and slows whoever guesses it. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isLoopbackPeer } from './addresses.ts';
import { errorReply, tooMany } from './error-reply.ts';
import type { Rate } from './limits.ts';
import { addressKey, Buckets } from './rate.ts';
import { refusedFor } from './request-notes.ts';

/** Returns the reply to a request without the token. */
export type BearerCheck = (request: IncomingMessage) => Response | undefined;

/**
 * The right token is never refused: it is too long to be found by guessing (config/values.ts), and others have the address
 * of its owner too, behind a proxy or on this machine. They could shut the owner out.
 * @param words of the reply to a request without the right token
 */
export function createBearerCheck(token: string, words: string, guesses: Rate): BearerCheck {
  const wrong = new Buckets(guesses);
  const right = sha256(token);
  return (request) => {
    const given = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
    // Hashes, so that the time of the comparison does not reveal the token.
    if (given !== undefined && timingSafeEqual(sha256(given), right)) return undefined;
    const reply = errorReply(401, words, { 'www-authenticate': 'Bearer' });
    if (given === undefined) return refusedFor(request, 'no_token', reply);
    const wait = wrong.take(guesserKey(request));
    const slow = wait === 0 ? undefined : tooMany('Too many wrong tokens from this address.', wait);
    return refusedFor(request, 'wrong_token', slow ?? reply);
  };
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** All of 127.0.0.0/8 is one machine. */
function guesserKey({ socket: { remoteAddress } }: IncomingMessage): string {
  return isLoopbackPeer(remoteAddress) ? 'loopback' : addressKey(remoteAddress);
}
