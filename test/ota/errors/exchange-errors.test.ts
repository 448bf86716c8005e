/**
 * Errors of exchanges without a good reply: what is known, what is not, and who acts next.
 */
import { describe, expect, test } from 'vitest';
import { ClerkError, type ErrorCode } from '../../../src/errors.ts';
import * as errors from '../../../src/ota/errors/exchange-errors.ts';
import { type FailureKind, kindOf, TransportFailure } from '../../../src/ota/errors/transport-failure.ts';

const LOOK = { operation: 'read', sending: false } as const;
const PAY = { operation: 'ticket', sending: true } as const;

const NOT_KNOWN = / It is not known whether the request was carried out\.$/;
const SENTENCE = /^[A-Z][\x20-\x7e]+\.$/;

describe('an exchange that was interrupted', () => {
  test.each<[FailureKind, ErrorCode, string, RegExp]>([
    ['unreachable', 'E_AIRLINE_DOWN', 'after_s:30', /could not be reached/],
    ['fenced', 'E_AIRLINE_TIMEOUT', 'same_call', /held back/],
    ['unwritable', 'E_CONFIG', 'never', /address or credential/],
    ['timeout', 'E_AIRLINE_TIMEOUT', 'same_call', /did not answer in time/],
    ['aborted', 'E_AIRLINE_TIMEOUT', 'same_call', /given up/],
    ['closed', 'E_AIRLINE_DOWN', 'after_s:30', /closed the connection/],
    ['truncated', 'E_AIRLINE_REPLY', 'same_call', /broke off/],
    ['too_large', 'E_AIRLINE_REPLY', 'never', /larger than is read/],
    ['garbled', 'E_AIRLINE_REPLY', 'never', /not HTTP/],
  ])('says what is known after an exchange that failed as %s', (kind, code, retry, words) => {
    const failure = new TransportFailure(kind, false);
    const unsent = errors.exchangeFailed(failure, PAY);
    expect(unsent).toMatchObject({ code, effect: 'none', retry, cause: failure });
    expect(unsent.message).toMatch(words);
    expect(unsent.message).toMatch(/ Nothing was sent\.$/);
    expect(unsent.next).toMatch(
      kind === 'unwritable' ? /^Ask the operator .*doctor`\.$/ : /^Call .* later; .*doctor`\.$/,
    );

    const sent = errors.exchangeFailed(new TransportFailure(kind, true), PAY);
    expect(sent).toMatchObject({ code, effect: 'unknown', retry: 'never' });
    expect(sent.message).toMatch(NOT_KNOWN);
    expect(sent.next).toMatch(/^Do not repeat it: call read_booking /);

    const looked = errors.exchangeFailed(new TransportFailure(kind, true), LOOK);
    expect(looked).toMatchObject({ code, effect: 'none', retry });
    expect(looked.message).toMatch(SENTENCE);
    expect(looked.message).not.toMatch(NOT_KNOWN);
    expect(looked.next).toMatch(/doctor`\.$/);
  });

  test.each([
    ['book', /^Do not book again: a person must ask the airline/],
    ['group_book', /^Do not book again: a person must ask the airline/],
    ['mail', /^Ask the person to look for the mail/],
    ['modify', /^Do not repeat it: call read_booking/],
  ] as const)('says who should check the outcome of a lost %s', (operation, words) => {
    const { next } = errors.foreignReply(200, { operation, sending: true });
    expect(next).toMatch(words);
    expect(next).toMatch(SENTENCE);
  });
});

describe('a reply that cannot be trusted', () => {
  test.each([
    ['empty', /held nothing\./],
    ['html', /held an HTML page\./],
    ['not_json', /held text that is not JSON\./],
    ['too_deep', /held JSON nested deeper/],
  ] as const)('describes a reply with unreadable content: %s', (problem, words) => {
    const error = errors.notJson(problem, 200, PAY);
    expect(error).toMatchObject({ code: 'E_AIRLINE_REPLY', effect: 'unknown', airline: { status: 200 } });
    expect(error.message).toMatch(words);
  });

  test("describes a malformed reply in our own words, never in the airline's", () => {
    const ours = new ClerkError('E_AIRLINE_REPLY', 'The reply has no locator.', { next: 'x' });
    expect(errors.malformedReply(ours, 200, LOOK)).toMatchObject({ message: ours.message, cause: ours });
    const cause = new TypeError('cannot read properties of <b>Amal</b>');
    const error = errors.malformedReply(cause, 201, LOOK);
    expect(error).toMatchObject({ code: 'E_AIRLINE_REPLY', airline: { status: 201 }, cause, retry: 'never' });
    expect(error.message).toBe("The airline's reply could not be read.");
  });

  test('says of a foreign reply that it was thrown away', () => {
    expect(errors.foreignReply(200, LOOK).message).toMatch(/not about what was asked; it was thrown away\.$/);
  });

  test.each([
    [299, 'E_AIRLINE_REPLY', 'never', /an error of no known form \(HTTP 299\)/],
    [300, 'E_AIRLINE_REPLY', 'never', /a redirect, which is not followed \(HTTP 300\)/],
    [399, 'E_AIRLINE_REPLY', 'never', /a redirect, which is not followed \(HTTP 399\)/],
    [400, 'E_AIRLINE_REPLY', 'never', /an error of no known form \(HTTP 400\)/],
    [499, 'E_AIRLINE_REPLY', 'never', /an error of no known form \(HTTP 499\)/],
    [500, 'E_AIRLINE_DOWN', 'after_s:5', /system failed \(HTTP 500\)/],
  ] as const)('describes an unknown error by its HTTP status: %i', (status, code, retry, words) => {
    const airline = { status, title: 'x' };
    const error = errors.unknownError(status, airline, LOOK, 5);
    expect(error).toMatchObject({ code, airline, retry });
    expect(error.message).toMatch(words);
  });

  test('says that a contradictory reply proves no refusal', () => {
    expect(errors.contradictoryReply({ code: '73' }, PAY).message).toMatch(/tells of an error but not of a refusal\./);
  });
});

describe('faults on our side', () => {
  const cause = new Error('disk full');

  test.each([
    [
      'a reply that could not be stored leaves a send in doubt',
      errors.replyNotStored(PAY, cause),
      { code: 'E_INTERNAL', effect: 'unknown' },
      /could not be kept in the journal\. It is not known/,
      /read_booking/,
    ],
    [
      'a request that could not be written was not sent',
      errors.requestNotWritten(cause),
      { code: 'E_INTERNAL', effect: 'none' },
      /^The request could not be written as the airline's message\. Nothing was sent\.$/,
      /^Tell the operator/,
    ],
    [
      "a request without what the airline's own data lacks was not sent",
      errors.sourceIncomplete(cause),
      { code: 'E_AIRLINE_REPLY', effect: 'none' },
      /without what its message about them needs\. Nothing was sent\.$/,
      /doctor`\.$/,
    ],
  ])('says that %s', (_, error, due, message, next) => {
    expect(error).toMatchObject({ ...due, retry: 'never', cause });
    expect(error.message).toMatch(message);
    expect(error.next).toMatch(next);
  });

  test.each([
    [0, 'after_s:1'],
    [1, 'after_s:1'],
    [1000, 'after_s:1'],
    [1001, 'after_s:2'],
    [60_000, 'after_s:60'],
  ])('tells the caller how long to wait if the breaker is open for %i ms', (waitMs, retry) => {
    const error = errors.breakerOpen(waitMs);
    expect(error).toMatchObject({ code: 'E_AIRLINE_DOWN', effect: 'none', retry });
    expect(error.message).toMatch(/has been failing and is not asked for a moment\. Nothing was sent\.$/);
    expect(error.next).toMatch(/^Call the tool again later/);
  });
});

const coded = (code: unknown): Error => Object.assign(new Error('x'), { code });

describe('the kind of a failed exchange', () => {
  test.each<[string, unknown, FailureKind]>([
    ['a header that HTTP does not allow', coded('UND_ERR_INVALID_ARG'), 'unwritable'],
    ['a method that is not supported', coded('UND_ERR_NOT_SUPPORTED'), 'unwritable'],
    ['refused', coded('ECONNREFUSED'), 'unreachable'],
    ['too slow to connect', coded('ETIMEDOUT'), 'unreachable'],
    ['anything else', 'boom', 'unreachable'],
  ])('names a failure before the first byte was sent: %s', (_, error, kind) => {
    for (const replying of [false, true]) expect(kindOf(error, false, replying)).toBe(kind);
  });

  test.each<[string, unknown, FailureKind, FailureKind]>([
    ['a body over the limit', coded('UND_ERR_RES_EXCEEDED_MAX_SIZE'), 'too_large', 'too_large'],
    ['headers over the limit', coded('UND_ERR_HEADERS_OVERFLOW'), 'too_large', 'too_large'],
    ['unpacked over the limit', coded('ERR_BUFFER_TOO_LARGE'), 'too_large', 'too_large'],
    ['no headers in time', coded('UND_ERR_HEADERS_TIMEOUT'), 'timeout', 'timeout'],
    ['no body in time', coded('UND_ERR_BODY_TIMEOUT'), 'timeout', 'timeout'],
    ['a socket that fell silent', coded('ETIMEDOUT'), 'timeout', 'timeout'],
    ['a reset', coded('ECONNRESET'), 'closed', 'truncated'],
    ['what would be unwritable before', coded('UND_ERR_INVALID_ARG'), 'closed', 'truncated'],
    ['no HTTP', Object.assign(new Error('x'), { name: 'HTTPParserError' }), 'garbled', 'truncated'],
    ['an object of that name that is not an error', { name: 'HTTPParserError' }, 'closed', 'truncated'],
    ['a code that is no text', coded(7), 'closed', 'truncated'],
    ['no error at all', undefined, 'closed', 'truncated'],
    ['null', null, 'closed', 'truncated'],
    ['a text', 'ETIMEDOUT', 'closed', 'truncated'],
  ])('names a failure after the first byte was sent, before and during the reply: %s', (_, error, silent, replying) => {
    expect(kindOf(error, true, false)).toBe(silent);
    expect(kindOf(error, true, true)).toBe(replying);
  });

  test('carries its kind, whether the request was sent, and what had arrived of the reply', () => {
    const partial = { status: 200, text: '{"a' };
    const cause = new Error('why');
    expect(new TransportFailure('truncated', true, { partial, cause })).toMatchObject({
      ...{ name: 'TransportFailure', message: 'http truncated', kind: 'truncated' },
      ...{ sent: true, partial, cause },
    });
    const bare = new TransportFailure('fenced', false);
    expect(bare).toMatchObject({ kind: 'fenced', sent: false, partial: undefined });
    expect('cause' in bare).toBe(false);
  });
});
