/** How a call ends: its line in the log and its counts, and errors as results. */

import { type Result, sandboxed } from '../approvals/answer.ts';
import { UnsentMistake } from '../approvals/consent-call.ts';
import { cleanCode } from '../core/clean-text.ts';
import { type AirlineFault, ClerkError } from '../core/errors.ts';
import { joined } from '../core/words.ts';
import type { Caller } from '../domain/people/caller.ts';
import type { Tool } from '../tools/definition/define.ts';
import { plainTracer } from '../tracing/tracer.ts';
import type { ErrorView } from './common-fields.ts';
import { type ClerkLog, type ClerkOptions, logMistake } from './context.ts';

/** Characters of the airline's reference in an error, at most. */
const LONGEST_REFERENCE = 100;

/** A call whose end is not logged yet. */
export interface BegunCall {
  readonly name: string;
  /** Undefined if no such tool is offered. */
  readonly tool: Tool | undefined;
  readonly caller: Caller;
  /** By `performance.now()`. */
  readonly at: number;
}

export function logCall(
  { log, tracer = plainTracer }: ClerkOptions,
  begun: BegunCall,
  outcome: string,
  code?: string,
): void {
  const { name, tool, at } = begun;
  const ms = Math.round(performance.now() - at);
  tracer.mark({ 'fareclerk.outcome': outcome, ...(code !== undefined && { 'fareclerk.error.code': code }) });
  if (code !== undefined) tracer.fail('tool_error');
  log.call({ tool: tool === undefined ? 'unknown' : name, ms, outcome, code });
}

/** Logs what went wrong; returns it as the caller may see it. */
export function logFailure(options: ClerkOptions, begun: BegunCall, error: unknown): ClerkError {
  const known = error instanceof ClerkError ? error : internalError(options.log, begun.tool, error);
  logCall(options, begun, 'error', known.code);
  // A name that is in no catalog may be any text of the caller: it is not counted under that name.
  const isToolName = begun.tool !== undefined || options.withheld.has(begun.name);
  options.counter?.failed(begun.caller, isToolName ? begun.name : 'unknown', known.code);
  return withoutEffect(known, begun.tool);
}

/** Marks the error of a tool that reads: it changed nothing at the airline. */
function withoutEffect(error: ClerkError, tool: Tool | undefined): ClerkError {
  if (error.effect === 'none' || tool?.effect !== 'read') return error;
  const { code, message, next, retry, airline, cause } = error;
  return new ClerkError(code, message, { next, effect: 'none', retry, airline, cause });
}

/** Makes the error of a mistake in this program: only the log has its message, under a reference. */
function internalError(log: ClerkLog, tool: Tool | undefined, thrown: unknown): ClerkError {
  const isUnsent = thrown instanceof UnsentMistake;
  const error = isUnsent ? thrown.cause : thrown;
  const reference = logMistake(log, tool?.name ?? 'unknown', error);
  return new ClerkError('E_INTERNAL', `Something went wrong inside fareclerk (reference ${reference}).`, {
    next: 'Tell the operator to look for the reference in the log of fareclerk.',
    effect: isUnsent || tool?.effect === 'read' ? 'none' : 'unknown',
  });
}

/** Writes an error as a result: what happened, whether anything changed, what to do next, and the airline's reference. */
export function errorResult(
  error: ClerkError,
  tool: Tool | undefined,
  { environment, typed = (text) => text }: ClerkOptions,
): Result {
  const { code, effect, retry, changed = [] } = error;
  // An act reads before it sends: its error must say that the reading failed, and not the act.
  const hasActFailedReading = error.ofReading && tool !== undefined && tool.effect !== 'read';
  const said = [...changed, error.message, hasActFailedReading ? 'Nothing was changed.' : undefined];
  const message = joined(said, ' ');

  const next = typed(error.next);
  const airline = error.airline && airlineField(error.airline);
  const airlineWords = airlineFaultText(error.airline);
  const lines = [`${code}: ${message}`, airlineWords && `The airline said: ${airlineWords}.`, `Next: ${next}`];
  const view: ErrorView = { code, message, next, effect, retry, airline };

  return {
    kind: 'result',
    text: sandboxed(environment, joined(lines, '\n')),
    structured: { environment, error: view },
    isError: true,
  };
}

function airlineField({ status, code, title, correlationId: correlation_id }: AirlineFault) {
  return { status, code, title, correlation_id };
}

/** `HTTP 500, code 322, "Not available"`; empty where the airline said nothing. */
function airlineFaultText({ status, code, title, correlationId }: AirlineFault = {}): string {
  return joined([
    status !== undefined && `HTTP ${status}`,
    code !== undefined && `code ${cleanCode(code)}`,
    title && `"${title}"`,
    correlationId !== undefined && `reference ${cleanCode(correlationId, LONGEST_REFERENCE)}`,
  ]);
}
