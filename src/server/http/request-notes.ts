/** Who a request turned out to come from, for its line in the log. */
import type { IncomingMessage } from 'node:http';
import type { Caller } from '../../domain/people/caller.ts';

const callers = new WeakMap<IncomingMessage, Caller>();

export function noteCaller(request: IncomingMessage, caller: Caller): void {
  callers.set(request, caller);
}

export function callerOf(request: IncomingMessage): Caller | undefined {
  return callers.get(request);
}
