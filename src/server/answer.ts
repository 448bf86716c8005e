/**
 * An error as the result of a call.
 */

import { type Environment, type Result, sandboxed } from '../approvals/answer.ts';
import type { ClerkError } from '../errors.ts';

export type { Answer, Ask, AskOnPage, Environment, Result } from '../approvals/answer.ts';

/** What happened, whether anything changed, what to do next, and the airline's reference. */
export function errorResult(error: ClerkError, environment: Environment, extra: Record<string, unknown> = {}): Result {
  const { airline } = error;
  const said =
    airline &&
    [
      airline.status === undefined ? undefined : `HTTP ${airline.status}`,
      airline.code === undefined ? undefined : `code ${airline.code}`,
      airline.title ? `"${airline.title}"` : undefined,
      airline.correlationId === undefined ? undefined : `reference ${airline.correlationId}`,
    ].filter((part) => part !== undefined);
  const lines = [
    `${error.code}: ${error.message}`,
    ...(error.terms ? ['New terms:', ...error.terms.map((line) => `  ${line}`)] : []),
    ...(said && said.length > 0 ? [`The airline said: ${said.join(', ')}.`] : []),
    `Next: ${error.next}`,
  ];
  return {
    kind: 'result',
    text: sandboxed(environment, lines.join('\n')),
    structured: {
      environment,
      ...extra,
      error: {
        code: error.code,
        message: error.message,
        next: error.next,
        effect: error.effect,
        retry: error.retry,
        ...(airline && {
          airline: {
            ...(airline.status !== undefined && { status: airline.status }),
            ...(airline.code !== undefined && { code: airline.code }),
            ...(airline.title !== undefined && { title: airline.title }),
            ...(airline.correlationId !== undefined && { correlation_id: airline.correlationId }),
          },
        }),
      },
    },
    isError: true,
  };
}
