/**
 * Who a request is from, for everything that is done to answer it.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Caller } from '../../domain/people/caller.ts';
import { type Trace, withTrace } from '../trace.ts';

export interface Visit {
  readonly caller: Caller;
  /** Absent without an issuer: everything is allowed, as on stdio. */
  readonly scopes?: ReadonlySet<string>;
}

/** One request: who it is from, and what went wrong on the way that no answer tells. */
interface Running {
  readonly visit: Visit;
  readonly errors: unknown[];
}

const current = new AsyncLocalStorage<Running>();

/** Runs within a visit and a trace; gives what was {@link noteError noted}. */
export async function during(visit: Visit, trace: Trace, run: () => Promise<void>): Promise<readonly unknown[]> {
  const errors: unknown[] = [];
  await withTrace(trace, () => current.run({ visit, errors }, run));
  return errors;
}

export function currentVisit(): Visit {
  const running = current.getStore();
  if (running === undefined) throw new Error('a call outside of a request');
  return running.visit;
}

export function noteError(error: unknown): void {
  current.getStore()?.errors.push(error);
}
