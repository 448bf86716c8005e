/**
 * Error messages for exchanges without a good reply: what is known, what is not, and who acts next.
 */
import { describe, expect, test } from 'vitest';
import { ClerkError, type ErrorCode } from '../../../src/errors.ts';
import * as errors from '../../../src/ota/errors/exchange-errors.ts';
import type { Circumstance } from '../../../src/ota/errors/faults.ts';
import { type FailureKind, TransportFailure } from '../../../src/ota/errors/transport-failure.ts';

const LOOK: Circumstance = { operation: 'read', sending: false };
const pay: Circumstance = { operation: 'ticket', sending: true };
const book: Circumstance = { operation: 'book', sending: true };

const NOT_KNOWN = / It is not known whether the request was carried out\.$/;
const UNSENT = / Nothing was sent\.$/;
const SENTENCE = /^[A-Z][\x20-\x7e]+\.$/;

const KINDS: readonly (readonly [FailureKind, ErrorCode, RegExp])[] = [
  ['unreachable', 'E_AIRLINE_DOWN', /could not be reached/],
  ['fenced', 'E_AIRLINE_TIMEOUT', /held back/],
  ['unwritable', 'E_CONFIG', /address or credential/],
  ['timeout', 'E_AIRLINE_TIMEOUT', /did not answer in time/],
  ['aborted', 'E_AIRLINE_TIMEOUT', /given up/],
  ['closed', 'E_AIRLINE_DOWN', /closed the connection/],
  ['truncated', 'E_AIRLINE_REPLY', /broke off/],
  ['too_large', 'E_AIRLINE_REPLY', /larger than is read/],
  ['garbled', 'E_AIRLINE_REPLY', /not HTTP/],
];
const RETRY: Partial<Record<ErrorCode, string>> = { E_AIRLINE_DOWN: 'after_s:30', E_AIRLINE_TIMEOUT: 'same_call' };

describe('an exchange that was interrupted', () => {
  test.each(KINDS)('says what is known after an exchange that failed as %s', (kind, code, words) => {
    const failure = new TransportFailure(kind, false);
    const retry = kind === 'truncated' ? 'same_call' : (RETRY[code] ?? 'never');
    const unsent = errors.exchangeFailed(failure, pay);
    expect(unsent).toMatchObject({ code, effect: 'none', retry, cause: failure });
    expect(unsent.message).toMatch(words);
    expect(unsent.message).toMatch(UNSENT);
    expect(unsent.next).toMatch(
      kind === 'unwritable'
        ? /^Ask the operator to run `fareclerk doctor`\.$/
        : /^Call the tool again later; .*doctor`\.$/,
    );

    const sent = errors.exchangeFailed(new TransportFailure(kind, true), pay);
    expect(sent).toMatchObject({ code, effect: 'unknown', retry: 'never' });
    expect(sent.message).toMatch(NOT_KNOWN);
    expect(sent.next).toMatch(/^Do not repeat it: call read_booking /);

    const looked = errors.exchangeFailed(new TransportFailure(kind, true), LOOK);
    expect(looked).toMatchObject({ code, effect: 'none', retry });
    expect(looked.message).toMatch(words);
    expect(looked.message).toMatch(SENTENCE);
    expect(looked.message).not.toMatch(NOT_KNOWN);
    expect(looked.next).toMatch(/doctor`\.$/);
  });
});

describe('the next step after a send with an unknown outcome', () => {
  test.each([
    ['book', /^Do not book again: a person must ask the airline/],
    ['group_book', /^Do not book again: a person must ask the airline/],
    ['mail', /^Ask the person to look for the mail/],
    ['modify', /^Do not repeat it: call read_booking/],
  ] as const)('says who should check the outcome of a lost %s', (operation, words) => {
    const error = errors.foreignReply(200, { operation, sending: true });
    expect(error.next).toMatch(words);
    expect(error.next).toMatch(SENTENCE);
  });
});

describe('a reply that cannot be trusted', () => {
  test.each([
    ['empty', /held nothing\./],
    ['html', /held an HTML page\./],
    ['not_json', /held text that is not JSON\./],
    ['too_deep', /held JSON nested deeper/],
  ] as const)('describes a reply with unreadable content: %s', (problem, words) => {
    const error = errors.notJson(problem, 200, pay);
    expect(error).toMatchObject({ code: 'E_AIRLINE_REPLY', effect: 'unknown', airline: { status: 200 } });
    expect(error.message).toMatch(words);
    expect('cause' in error).toBe(false);
  });

  test("describes a malformed reply in our own words, never in the airline's", () => {
    const ours = new ClerkError('E_AIRLINE_REPLY', 'The reply has no locator.', { next: 'x' });
    expect(errors.malformedReply(ours, 200, LOOK)).toMatchObject({ message: 'The reply has no locator.', cause: ours });
    const theirs = new TypeError('cannot read properties of <b>Amal</b>');
    const error = errors.malformedReply(theirs, 201, LOOK);
    expect(error).toMatchObject({ code: 'E_AIRLINE_REPLY', airline: { status: 201 }, cause: theirs, retry: 'never' });
    expect(error.message).toBe("The airline's reply could not be read.");
  });

  test('allows another try after a foreign reply to a read, not to a send', () => {
    expect(errors.foreignReply(200, LOOK)).toMatchObject({
      code: 'E_AIRLINE_REPLY',
      retry: 'same_call',
      airline: { status: 200 },
    });
    expect(errors.foreignReply(200, LOOK).message).toMatch(/not about what was asked; it was thrown away\.$/);
    expect(errors.foreignReply(200, book)).toMatchObject({ effect: 'unknown', retry: 'never' });
  });

  test.each([
    [300, 'E_AIRLINE_REPLY', /a redirect, which is not followed \(HTTP 300\)/],
    [399, 'E_AIRLINE_REPLY', /a redirect, which is not followed \(HTTP 399\)/],
    [400, 'E_AIRLINE_REPLY', /an error of no known form \(HTTP 400\)/],
    [299, 'E_AIRLINE_REPLY', /an error of no known form \(HTTP 299\)/],
    [499, 'E_AIRLINE_REPLY', /an error of no known form \(HTTP 499\)/],
    [500, 'E_AIRLINE_DOWN', /system failed \(HTTP 500\)/],
  ] as const)('describes an unknown error by its HTTP status: %i', (status, code, words) => {
    const airline = { status, title: 'x' };
    const error = errors.unknownError(status, airline, LOOK, 5);
    expect(error).toMatchObject({ code, airline, retry: code === 'E_AIRLINE_DOWN' ? 'after_s:5' : 'never' });
    expect(error.message).toMatch(words);
  });

  test('says that a contradictory reply proves no refusal', () => {
    const error = errors.contradictoryReply({ code: '73' }, pay);
    expect(error).toMatchObject({ code: 'E_AIRLINE_REPLY', effect: 'unknown', airline: { code: '73' } });
    expect(error.message).toMatch(/tells of an error but not of a refusal\./);
  });
});

describe('faults on our side', () => {
  test('leaves a send in doubt if its reply could not be stored', () => {
    const cause = new Error('disk full');
    const error = errors.replyNotStored(pay, cause);
    expect(error).toMatchObject({ code: 'E_INTERNAL', effect: 'unknown', cause });
    expect(error.message).toMatch(/could not be kept in the journal\. It is not known/);
  });

  test('says that nothing was sent if the request could not be written', () => {
    const cause = new Error('bug');
    const error = errors.requestNotWritten(cause);
    expect(error).toMatchObject({ code: 'E_INTERNAL', effect: 'none', retry: 'never', cause });
    expect(error.message).toBe("The request could not be written as the airline's message. Nothing was sent.");
    expect(error.next).toMatch(/^Tell the operator/);
  });

  test("says that nothing was sent if the airline's own data lacks what the message needs", () => {
    const cause = new Error('no flight number');
    const error = errors.sourceIncomplete(cause);
    expect(error).toMatchObject({ code: 'E_AIRLINE_REPLY', effect: 'none', retry: 'never', cause });
    expect(error.message).toMatch(/without what its message about them needs\. Nothing was sent\.$/);
    expect(error.next).toMatch(/doctor`\.$/);
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
    expect(error.airline).toBeUndefined();
  });
});
