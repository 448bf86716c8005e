/**
 * Who asks for something beside the tools, and how calls of the request are made.
 */
import type { Caller } from '../../domain/people/caller.ts';
import type { Clerk } from '../clerk.ts';

export interface Visitor {
  readonly clerk: Clerk;
  readonly caller: Caller;
  readonly signal?: AbortSignal;
}
