/**
 * What a call comes to, before any protocol: a result, or a question to a person.
 */

import type { FormSchema } from '../approvals/dialog.ts';
import type { ClerkError } from '../errors.ts';

/** Statuses of guarded tools (contract: output of every commit tool). */
export const AFTER_STATUS = ['done', 'already_done', 'pending', 'approval_required', 'needs_person'] as const;
export type AfterStatus = (typeof AFTER_STATUS)[number];

export interface Result {
  readonly kind: 'result';
  readonly text: string;
  readonly structured: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
}

/** A question to be put in the host's dialog; the call comes again with its handle and the answer. */
export interface Ask {
  readonly kind: 'ask';
  readonly message: string;
  readonly form: FormSchema;
  readonly handle: string;
}

/** A page to be opened by the client for its user (URL elicitation). */
export interface AskOnPage {
  readonly kind: 'ask_url';
  readonly message: string;
  readonly url: string;
  readonly handle: string;
}

export type Answer = Result | Ask | AskOnPage;

export type Environment = 'sandbox' | 'live';

export function sandboxed(environment: Environment, text: string): string {
  return environment === 'sandbox' ? `[sandbox] ${text}` : text;
}

/** An error as its reader sees it: what happened, what did not, who acts next, and the airline's reference. */
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
