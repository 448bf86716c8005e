/** Errors as results of calls. */
import { type Environment, type Result, sandboxed } from '../approvals/answer.ts';
import { cleanCode } from '../domain/time-and-text/clean-text.ts';
import { omitUndefined } from '../domain/time-and-text/omit-undefined.ts';
import type { AirlineFault, ClerkError } from '../errors.ts';

/** What happened, whether anything changed, what to do next, and the airline's reference. */
export function errorResult(error: ClerkError, environment: Environment): Result {
  const { code, message, next, effect, retry } = error;
  const airline = error.airline && airlineField(error.airline);
  const said = airlineSaid(error.airline);
  const lines = [
    `${code}: ${message}`,
    ...(error.terms ? ['New terms:', ...error.terms.map((line) => `  ${line}`)] : []),
    ...(said === '' ? [] : [`The airline said: ${said}.`]),
    `Next: ${next}`,
  ];
  return {
    kind: 'result',
    text: sandboxed(environment, lines.join('\n')),
    structured: { environment, error: omitUndefined({ code, message, next, effect, retry, airline }) },
    isError: true,
  };
}

function airlineField({ status, code, title, correlationId: correlation_id }: AirlineFault) {
  return omitUndefined({ status, code, title, correlation_id });
}

const LONGEST_REFERENCE = 100;

function airlineSaid({ status, code, title, correlationId }: AirlineFault = {}): string {
  const said = [
    status === undefined ? '' : `HTTP ${status}`,
    code === undefined ? '' : `code ${cleanCode(code)}`,
    title ? `"${title}"` : '',
    correlationId === undefined ? '' : `reference ${cleanCode(correlationId, LONGEST_REFERENCE)}`,
  ];
  return said.filter((part) => part !== '').join(', ');
}
