/**
 * Names network errors and says whether the request may have been sent.
 */
import { describe, expect, test } from 'vitest';
import { type FailureKind, kindOf, TransportFailure } from '../../../src/ota/errors/transport-failure.ts';

const coded = (code: unknown): Error => Object.assign(new Error('x'), { code });
const parser = Object.assign(new Error('x'), { name: 'HTTPParserError' });

describe('a failure before the first byte was sent', () => {
  test.each<[string, unknown, FailureKind]>([
    ['a header that HTTP does not allow', coded('UND_ERR_INVALID_ARG'), 'unwritable'],
    ['a method that is not supported', coded('UND_ERR_NOT_SUPPORTED'), 'unwritable'],
    ['refused', coded('ECONNREFUSED'), 'unreachable'],
    ['too slow to connect', coded('ETIMEDOUT'), 'unreachable'],
    ['anything else', 'boom', 'unreachable'],
  ])('names a failure before the first byte was sent: %s', (_, error, kind) => {
    expect(kindOf(error, false, false)).toBe(kind);
    expect(kindOf(error, false, true)).toBe(kind);
  });
});

describe('a failure after the first byte was sent', () => {
  test.each<[string, unknown, FailureKind, FailureKind]>([
    ['a body over the limit', coded('UND_ERR_RES_EXCEEDED_MAX_SIZE'), 'too_large', 'too_large'],
    ['headers over the limit', coded('UND_ERR_HEADERS_OVERFLOW'), 'too_large', 'too_large'],
    ['unpacked over the limit', coded('ERR_BUFFER_TOO_LARGE'), 'too_large', 'too_large'],
    ['no headers in time', coded('UND_ERR_HEADERS_TIMEOUT'), 'timeout', 'timeout'],
    ['no body in time', coded('UND_ERR_BODY_TIMEOUT'), 'timeout', 'timeout'],
    ['a socket that fell silent', coded('ETIMEDOUT'), 'timeout', 'timeout'],
    ['a reset', coded('ECONNRESET'), 'closed', 'truncated'],
    ['what would be unwritable before', coded('UND_ERR_INVALID_ARG'), 'closed', 'truncated'],
    ['no HTTP', parser, 'garbled', 'truncated'],
    ['an object of that name that is not an error', { name: 'HTTPParserError' }, 'closed', 'truncated'],
    ['a code that is no text', coded(7), 'closed', 'truncated'],
    ['no error at all', undefined, 'closed', 'truncated'],
    ['null', null, 'closed', 'truncated'],
    ['a text', 'ETIMEDOUT', 'closed', 'truncated'],
  ])('names a failure after the first byte was sent, before and during the reply: %s', (_, error, silent, replying) => {
    expect(kindOf(error, true, false)).toBe(silent);
    expect(kindOf(error, true, true)).toBe(replying);
  });
});

test('carries its kind, whether the request was sent, and what had arrived of the reply', () => {
  const partial = { status: 200, text: '{"a' };
  const cause = new Error('why');
  const failure = new TransportFailure('truncated', true, { partial, cause });
  expect(failure).toMatchObject({
    name: 'TransportFailure',
    message: 'http truncated',
    kind: 'truncated',
    sent: true,
    partial,
    cause,
  });
  const bare = new TransportFailure('fenced', false);
  expect(bare).toMatchObject({ kind: 'fenced', sent: false, partial: undefined });
  expect('cause' in bare).toBe(false);
});
