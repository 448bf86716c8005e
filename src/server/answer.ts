/**
 * The answer to a call, independent of the protocol: a result, or a question to a person.
 */
import type { FormSchema } from '../approvals/dialog.ts';
import { omitUndefined } from '../domain/time-and-text/omit-undefined.ts';
import type { ClerkError } from '../errors.ts';

/** Statuses in the output of every guarded tool. */
export const AFTER_STATUS = ['done', 'already_done', 'pending', 'approval_required', 'needs_person'] as const;
export type AfterStatus = (typeof AFTER_STATUS)[number];

export interface Result {
  readonly kind: 'result';
  readonly text: string;
  readonly structured: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
}

/** A question for the host's dialog. The call is repeated with its handle and the answer. */
export interface Ask {
  readonly kind: 'ask';
  readonly message: string;
  readonly form: FormSchema;
  readonly handle: string;
}

/** A page for the client to open (URL elicitation). */
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

/** An error for its reader: what happened, whether anything changed, what to do next, and the airline's reference. */
export function errorResult(error: ClerkError, environment: Environment, extra: Record<string, unknown> = {}): Result {
  const { code, message, next, effect, retry, terms, airline } = error;
  const said = airline && [
    airline.status !== undefined && `HTTP ${airline.status}`,
    airline.code !== undefined && `code ${airline.code}`,
    airline.title && `"${airline.title}"`,
    airline.correlationId !== undefined && `reference ${airline.correlationId}`,
  ];
  const airlineText = said?.filter(Boolean).join(', ');
  const lines = [
    `${code}: ${message}`,
    ...(terms ? ['New terms:', ...terms.map((line) => `  ${line}`)] : []),
    ...(airlineText ? [`The airline said: ${airlineText}.`] : []),
    `Next: ${next}`,
  ];
  const source = airline && {
    airline: omitUndefined({
      status: airline.status,
      code: airline.code,
      title: airline.title,
      correlation_id: airline.correlationId,
    }),
  };
  return {
    kind: 'result',
    text: sandboxed(environment, lines.join('\n')),
    structured: { environment, ...extra, error: { code, message, next, effect, retry, ...source } },
    isError: true,
  };
}
