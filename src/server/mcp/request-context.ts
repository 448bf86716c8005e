/** The caller of a request that is not a tool call. */
import type { Caller } from '../../domain/people/caller.ts';
import type { Clerk } from '../clerk.ts';

export interface RequestContext {
  readonly clerk: Clerk;
  readonly caller: Caller;
  readonly signal?: AbortSignal;
}
