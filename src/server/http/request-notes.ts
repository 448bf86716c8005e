/** Who a request turned out to come from, or why its caller was refused, for its line in the log. */
import type { IncomingMessage } from 'node:http';
import type { Caller, TokenProblem } from '../../domain/people/caller.ts';

/** A closed list, so that nothing of the request reaches the log. Problems of a token have the words of the metric. */
export type CallerRefusal =
  | TokenProblem
  /** No token, or not as a bearer token. */
  | 'no_token'
  /** Not the token of the settings. */
  | 'wrong_token'
  /** The issuer's keys cannot be fetched. */
  | 'unavailable'
  /** The token grants no such tool. */
  | 'scope'
  /** Too many calls. */
  | 'rate'
  /** Another user of the machine, or another machine. */
  | 'other_user'
  | 'host'
  | 'origin';

const callers = new WeakMap<IncomingMessage, Caller>();
const refusals = new WeakMap<IncomingMessage, CallerRefusal>();

export function noteCaller(request: IncomingMessage, caller: Caller): void {
  callers.set(request, caller);
}

export function callerOf(request: IncomingMessage): Caller | undefined {
  return callers.get(request);
}

/** Returns the reply. */
export function refusedFor(request: IncomingMessage, why: CallerRefusal, reply: Response): Response {
  refusals.set(request, why);
  return reply;
}

export function whyRefused(request: IncomingMessage): CallerRefusal | undefined {
  return refusals.get(request);
}
