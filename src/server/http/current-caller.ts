/** The caller of the request that is being answered. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Caller } from '../../domain/people/caller.ts';

export interface AuthenticatedCaller {
  readonly caller: Caller;
  /** Absent without an issuer: everything is allowed, as on stdio. */
  readonly scopes?: ReadonlySet<string>;
  /** Sees what all callers of the tenant did. */
  readonly supervisor?: boolean;
}

const current = new AsyncLocalStorage<{ readonly caller: AuthenticatedCaller; readonly errors: unknown[] }>();

/** Runs a request; returns the errors that were {@link noteError noted}. */
export async function runAs(caller: AuthenticatedCaller, run: () => Promise<void>): Promise<readonly unknown[]> {
  const errors: unknown[] = [];
  await current.run({ caller, errors }, run);
  return errors;
}

export function currentCaller(): AuthenticatedCaller {
  const request = current.getStore();
  if (request === undefined) throw new Error('a call outside of a request');
  return request.caller;
}

export function noteError(error: unknown): void {
  current.getStore()?.errors.push(error);
}
