/**
 * What follows from the end of a send: `succeeded`, `refused`, `not_executed` or `in_doubt`. Only three ends are certain: a
 * reply whose content proves it, a refusal by the airline, and a request whose first byte never left. Everything else is in doubt.
 */

import type { ClerkError } from '../../core/errors.ts';
import type { Acts } from '../act.ts';
import type { Operation, Outcome } from '../operation.ts';
import { asClerkError, learned, neverSent, storedError, unsent } from '../outcome.ts';
import type { WaitingEnd } from '../ports.ts';
import type { Evidence, Verdict } from './verdict.ts';

/** How a send ended: with a decoded reply, or with what was thrown. */
export type Ending = { readonly evidence: Evidence } | { readonly thrown: unknown };

export interface Classified extends Omit<WaitingEnd, 'id'> {
  readonly error?: ClerkError;
}

/** `started`: the first byte was allowed to leave. */
export function classify(
  acts: Acts,
  operation: Operation,
  ending: Ending,
  started: boolean,
  judge: (evidence: Evidence) => Verdict,
): Classified {
  if ('evidence' in ending) {
    return answered(acts, operation, ending.evidence, judge(ending.evidence));
  }
  const error = asClerkError(ending.thrown, started ? 'unknown' : 'none');
  if (error.effect === 'none' && isRefusal(error)) return failed(operation, 'refused', error);
  // The fence let no byte leave, whatever was thrown.
  if (!started) return failed(operation, 'not_executed', error.effect === 'none' ? error : unsent(error));
  // The airline's support asks for the reference.
  const reference = error.airline?.correlationId;
  return { state: 'in_doubt', error, ...(reference && { outcome: { ...operation.outcome, reference } }) };
}

function answered(acts: Acts, operation: Operation, evidence: Evidence, verdict: Verdict): Classified {
  if (verdict === 'done') return { state: 'succeeded', outcome: learned(acts, operation, 'reply', evidence) };
  return { state: 'in_doubt', ...acts.of(operation.subject).unsettled?.(operation, evidence, verdict) };
}

function failed(operation: Operation, state: 'refused' | 'not_executed', error: ClerkError): Classified {
  return { state, error, outcome: { ...operation.outcome, error: storedError(error) } };
}

/** The airline answered that it did not do it. A 408 or 5xx does not say what was done. */
function isRefusal({ airline }: ClerkError): boolean {
  if (airline === undefined) return false;
  return airline.status === undefined || (airline.status < 500 && airline.status !== 408);
}

/** The outcome of an operation that was given up before its dispatch. */
export function givenUpOutcome(operation: Operation, error?: ClerkError): Outcome {
  return { ...operation.outcome, error: error === undefined ? neverSent() : storedError(error) };
}
