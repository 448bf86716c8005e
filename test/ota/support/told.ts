/**
 * Classifies an error in a reply to a given request.
 */
import { ClerkError } from '../../../src/errors.ts';
import { classifyReply, type Expected } from '../../../src/ota/errors/classify-reply.ts';
import type { Operation } from '../../../src/ota/options.ts';

export const REQUESTS = ['search', 'create', 'pay', 'read', 'change'] as const;
export type Request = (typeof REQUESTS)[number];
const OPERATION: Readonly<Record<Request, Operation>> = {
  search: 'fare_search',
  create: 'book',
  pay: 'ticket',
  read: 'read',
  change: 'modify',
};
export const isSend = (request: Request): boolean => request !== 'search' && request !== 'read';

const expected: Expected<unknown> = { decode: (body) => ({ body }) };

export function told(
  status: number,
  body: object,
  request: Request,
  more: Partial<Expected<unknown>> = {},
): ClerkError {
  try {
    classifyReply(
      { status, text: JSON.stringify(body) },
      { ...expected, ...more },
      { operation: OPERATION[request], sending: isSend(request) },
    );
  } catch (error) {
    if (error instanceof ClerkError) return error;
    throw error;
  }
  throw new Error('taken for an answer');
}
