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
 * After too many wrong tokens of one address none of its tokens is compared, not even the right one: else guessing would
 * go on at any speed.
 * @param words of the reply to a request without the right token
 */
export function createBearerCheck(token: string, words: string, guesses: Rate): BearerCheck {
  const wrong = new Buckets(guesses);
  const right = sha256(token);
  return (request) => {
    const key = guesserKey(request);
    const wait = wrong.wait(key);
    if (wait > 0) return refusedFor(request, 'rate', tooMany('Too many wrong tokens from this address.', wait));
    const given = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
    // Hashes, so that the time of the comparison does not reveal the token.
    if (given !== undefined && timingSafeEqual(sha256(given), right)) return undefined;
    if (given !== undefined) wrong.take(key);
    const why = given === undefined ? 'no_token' : 'wrong_token';
    return refusedFor(request, why, errorReply(401, words, { 'www-authenticate': 'Bearer' }));
  };
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** All of 127.0.0.0/8 is one machine. */
function guesserKey({ socket: { remoteAddress } }: IncomingMessage): string {
  return isLoopbackPeer(remoteAddress) ? 'loopback' : addressKey(remoteAddress);
}
