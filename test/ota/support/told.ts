/**
 * What the classifier makes of a reply to a given request.
 */
import { ClerkError } from '../../../src/core/errors.ts';
import { classifyReply, type ExpectedReply } from '../../../src/ota/errors/classify-reply.ts';
import type { Operation } from './port.ts';

export const REQUESTS = ['search', 'create', 'pay', 'read', 'change'] as const;
export type Request = (typeof REQUESTS)[number];
const OPERATION: Readonly<Record<Request, Operation>> = {
  search: 'fare_search',
  create: 'book',
  pay: 'ticket',
  read: 'read',
  change: 'modify',
};
export const isSend = (request: Request | Operation): boolean => !['search', 'fare_search', 'read'].includes(request);

interface More extends Partial<ExpectedReply<unknown>> {
  readonly retryAfterSeconds?: number;
}

/** The answer that the classifier returns, or the ClerkError that it throws. A body that is not text is sent as JSON. */
export function outcomeOf(status: number, body: unknown, request: Request | Operation, more: More = {}): unknown {
  const { retryAfterSeconds, ...expected } = more;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const operation = request in OPERATION ? OPERATION[request as Request] : (request as Operation);
  try {
    return classifyReply(
      { status, text, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) },
      { decode: (wire) => ({ body: wire }), ...expected },
      { operation, sending: isSend(request) },
    );
  } catch (error) {
    if (error instanceof ClerkError) return error;
    throw error;
  }
}

/** The error; fails the test if the reply is taken for an answer. */
export function told(status: number, body: unknown, request: Request | Operation, more: More = {}): ClerkError {
  const outcome = outcomeOf(status, body, request, more);
  if (outcome instanceof ClerkError) return outcome;
  throw new Error('taken for an answer');
}
