/**
 * Error forms that blame a system prove nothing about a send, whatever HTTP status they come with; business refusals do.
 */
import { describe, expect, it } from 'vitest';
import { ClerkError } from '../../../src/errors.ts';
import { classifyReply } from '../../../src/ota/errors/classify-reply.ts';
import type { Operation } from '../../../src/ota/options.ts';

const STATUSES = [200, 201, 400, 401, 403, 404, 409, 422, 429, 500, 503] as const;
const SENDS: readonly Operation[] = ['book', 'group_book', 'ticket', 'modify', 'cancel'];

function told(status: number, body: unknown, operation: Operation): ClerkError {
  try {
    classifyReply(
      { status, text: JSON.stringify(body) },
      { decode: (read) => read },
      { operation, sending: operation !== 'read' },
    );
  } catch (error) {
    if (error instanceof ClerkError) return error;
    throw error;
  }
  throw new Error('taken for an answer');
}

/** A cause chain, the outermost first. */
const chain = (...causes: object[]): object | undefined =>
  causes.reduceRight<object | undefined>((cause, one) => ({ ...one, ...(cause && { cause }) }), undefined);

const BLAMING: readonly (readonly [string, unknown])[] = [
  ['type system with a code of its own', { errors: [{ type: 'system', code: 'X17', message: 'x' }] }],
  ['type SYSTEM with the code of a rule', { errors: [{ type: 'SYSTEM', code: '73', message: 'x' }] }],
  ['type System in the OpenTravel form', { errors: { error: [{ type: 'System', code: '73', shortText: 'x' }] } }],
  ['type system_error', { errors: [{ type: 'system_error', code: 'PAYMENT_DECLINED', message: 'x' }] }],
  ['type system without a code', { errors: [{ type: 'system', message: 'x' }] }],
  ['type system in the flat form', { status: 422, type: 'system', code: '73', title: 'x' }],
  ['the word TIMEOUT', { errors: [{ type: 'business', code: 'TIMEOUT', message: 'x' }] }],
  ['the word in small letters', { errors: [{ code: 'system_error', message: 'x' }] }],
  ['the word with hyphens', { errors: { error: [{ code: 'Internal-Server-Error', shortText: 'x' }] } }],
  ['the word in the flat form', { status: 400, code: 'SERVICE_UNAVAILABLE', title: 'x' }],
  ['the word as the error', { status: 400, error: 'Internal Server Error', message: 'x' }],
  ['the word in an error object', { error: { code: 'TIMEOUT', title: 'x' } }],
  ['the word as the title, without a code', { status: 422, title: 'Service unavailable', correlationId: 'c' }],
  ['a relative of the word', { errors: [{ code: 'GATEWAY_TIMEOUT', message: 'x' }] }],
  [
    'the word in the second error',
    {
      errors: [
        { code: '73', message: 'x' },
        { code: 'SYSTEM_ERROR', message: 'x' },
      ],
    },
  ],
  ['the type of the second error', { errors: { error: [{ code: '73' }, { type: 'SYSTEM', code: '4' }] } }],
  ['the word as a bare text', { code: '73', title: 'x', errors: ['TIMEOUT'] }],
  ['a system code', { status: 422, code: '448', title: 'x' }],
  ['a system code as a number', { status: 422, code: 9999, title: 'x' }],
  ['a busy system', { status: 422, code: '191', title: 'x' }],
  ['a confirmation that failed', { status: 422, code: '1602', title: 'x' }],
  ['a cancellation that failed', { errors: [{ type: 'business', code: '1604', message: 'x' }] }],
  ['a 5xx in the body', { status: 503, code: '73', title: 'x' }],
  ['a 5xx in one error', { status: 422, errors: [{ status: 500, code: '73', message: 'x' }] }],
  ['a 408 in the body', { status: 408, code: '73', title: 'x' }],
  ['the OpenTravel type of an application error', { errors: { error: [{ type: '13', code: '4', shortText: 'x' }] } }],
  [
    'a failed system as the only cause that says anything',
    { status: 422, title: '', cause: chain({ title: '' }, { status: 500, code: '448', title: 'x' }) },
  ],
  [
    'a failed system as the cause of an unknown code',
    { status: 422, code: 'X17', title: 'x', cause: { code: 'TIMEOUT' } },
  ],
];

describe('an error form that blames a system', () => {
  it.each(BLAMING)('leaves every send in doubt under every status: %s', (_, body) => {
    for (const status of STATUSES) {
      for (const operation of SENDS) {
        const error = told(status, body, operation);
        expect(error).toMatchObject({ effect: 'unknown', retry: 'never' });
        expect(error.message).toMatch(/It is not known whether the request was carried out\.$/);
        expect(error.message).not.toContain('Nothing was changed');
      }
    }
  });

  it.each(BLAMING)('tells the caller to repeat a read later if an error form blames a system: %s', (_, body) => {
    for (const status of STATUSES) {
      const error = told(status, body, 'read');
      expect(['E_AIRLINE_DOWN', 'E_AIRLINE_BUSY', 'E_AIRLINE_TIMEOUT']).toContain(error.code);
      expect(error.retry).not.toBe('never');
      expect(error.noSuchBooking).toBe(false);
    }
  });
});

const REFUSING: readonly (readonly [number, unknown])[] = [
  [422, { status: 422, error: 'Unprocessable Entity', code: '172', title: 'x' }],
  [400, { errors: [{ type: 'business', code: 'MODIFICATION_NOT_ALLOWED', message: 'x' }] }],
  [400, { errors: [{ type: 'validation', code: 'UNHEARD_OF', message: 'x' }] }],
  [422, { errors: { error: [{ type: '3', code: '73', shortText: 'x' }] } }],
  [422, { errors: { error: [{ type: '13', code: '73', shortText: 'x' }] } }],
  [422, { status: 422, code: '73', title: 'Ticketing timeout' }],
  [422, { status: 422, code: '167', title: 'x', cause: { status: 500, code: '9999', title: 'x' } }],
  [400, { errors: [{ code: 'SEAT_NOT_AVAILABLE', message: 'x' }] }],
  [429, { errors: [{ type: 'business', code: 'RATE_LIMIT_EXCEEDED', message: 'x' }] }],
  [401, { errors: [{ code: 'TOKEN_EXPIRED', message: 'x' }] }],
  [403, { errors: [{ code: 'FORBIDDEN', message: 'x' }] }],
  [200, { errors: [{ code: 'PAYMENT_DECLINED', message: 'x' }] }],
];

describe('a business refusal', () => {
  it.each(REFUSING)('takes a business refusal as proof that nothing happened: %i %j', (status, body) => {
    for (const operation of SENDS) {
      const error = told(status, body, operation);
      expect(error.effect).toBe('none');
      expect(error.message).toMatch(/ Nothing was changed\.$/);
    }
  });

  it.each([
    [200, { errors: [{ code: 'UNHEARD_OF', message: 'x' }] }],
    [200, { error: 'Something went wrong' }],
    [200, { errors: [{}] }],
    [400, { errors: [{}] }],
    [400, { error: {} }],
    [422, { errors: ['no'] }],
    [400, { errors: [{ code: 'RATE_LIMIT_EXCEEDED', message: 'x' }] }],
  ])('leaves a send in doubt if an error has no known code or word: %i %j', (status, body) => {
    for (const operation of SENDS) expect(told(status, body, operation).effect).toBe('unknown');
  });

  it('takes a 401 or 429 without an error form as a refusal, and no other status', () => {
    for (const [status, effect] of [
      [401, 'none'],
      [429, 'none'],
      [400, 'unknown'],
      [403, 'unknown'],
      [404, 'unknown'],
    ] as const) {
      expect(told(status, {}, 'ticket').effect).toBe(effect);
    }
  });
});

it('ignores an object where the airline should send a word', () => {
  const odd = { toString: 2, valueOf: 3 };
  expect(
    told(
      422,
      { code: '73', title: 'x', status: odd, type: odd, errors: [{ type: odd, code: '73', error: odd }] },
      'ticket',
    ).effect,
  ).toBe('none');
});

describe("the airline's reference for its support", () => {
  it.each<[number, object]>([
    [422, { status: 422, code: '73', title: '', correlationId: 'c-1' }],
    [422, { status: 422, code: '448', title: 'x', correlationId: 'c-1' }],
    [500, { status: 500, error: 'x', cause: { title: 'x', correlationId: 'c-1' } }],
    [400, { errors: [{ code: '73', message: 'x', correlationId: 'c-1' }] }],
    [400, { errors: [{ code: '73', message: 'x' }], requestId: 'c-1' }],
    [200, { success: {}, errors: [{ code: '73', message: 'x' }], correlationId: 'c-1' }],
  ])('keeps the correlation id, whatever the reply means: %i %j', (status, body) => {
    for (const operation of [...SENDS, 'read'] as const)
      expect(told(status, body, operation).airline?.correlationId).toBe('c-1');
  });
});

describe('an empty error title', () => {
  it.each([
    { code: '73', title: '', cause: { title: 'outer', cause: { title: 'innermost' } } },
    { error: { code: '73', title: null, cause: { title: 'innermost' } } },
    { errors: [{ code: '73', message: '', cause: { title: 'innermost' } }] },
  ])('falls back to the innermost cause if the title is empty: %j', (body) => {
    expect(told(422, body, 'read').airline?.title).toBe('innermost');
  });
});
