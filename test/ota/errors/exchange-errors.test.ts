/**
 * Errors of exchanges without a good reply: what is known, what is not, and who acts next.
 */
import { describe, expect, test } from 'vitest';
import { ClerkError, type ErrorCode } from '../../../src/core/errors.ts';
import { notSentError } from '../../../src/ota/errors/exchange-errors.ts';
import { classifyFailure, type FailureKind, TransportFailure } from '../../../src/ota/errors/transport-failure.ts';
import { hearing } from '../support/asked.ts';
import { confirmed, LOCATOR, readReply, seatMapQuery, watchedDispatch } from '../support/samples.ts';
import { told } from '../support/told.ts';

const NOT_KNOWN = / It is not known whether the request was carried out\.$/;
const SENTENCE = /^[A-Z][\x20-\x7e]+\.$/;

type Call = Parameters<typeof hearing>[0];
const READ: Call = (airline) => airline.read(LOCATOR);
const payment = (locator: string, dispatch = watchedDispatch()): Call => {
  const order = { locator, paymentType: 'external', amount: { minor: 17250, currency: 'SAR' } } as const;
  return (airline) => airline.pay(confirmed({ order }, dispatch));
};

async function errorOf(call: Call, reply: unknown): Promise<ClerkError> {
  const outcome = await hearing(call, [reply]);
  if ('error' in outcome && outcome.error instanceof ClerkError) return outcome.error;
  throw new Error('the call ended in no ClerkError');
}

/** The caller hears when to ask again; what the operator does stands elsewhere. */
const AGAIN: Readonly<Record<string, string>> = {
  'after_s:30': 'Call the tool again in 30 seconds.',
  same_call: 'Call the tool again in a minute.',
  never: 'Call the tool again later; if it lasts, tell the operator.',
};

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
  ])('says what is known after an exchange that failed as %s', async (kind, code, retry, words) => {
    const failure = new TransportFailure(kind, false);
    const unsent = await errorOf(payment(LOCATOR), failure);
    expect(unsent).toMatchObject({ code, effect: 'none', retry, cause: failure });
    expect(unsent.message).toMatch(words);
    expect(unsent.message).toMatch(/ Nothing was sent\.$/);
    const again = AGAIN[retry];
    expect(unsent.next).toBe(kind === 'unwritable' ? 'Ask the operator to run `fareclerk doctor`.' : again);

    const sent = await errorOf(payment(LOCATOR), new TransportFailure(kind, true));
    expect(sent).toMatchObject({ code, effect: 'unknown', retry: 'never' });
    expect(sent.message).toMatch(NOT_KNOWN);
    expect(sent.next).toMatch(/^Do not repeat it. Call read_booking /);

    const looked = await errorOf(READ, new TransportFailure(kind, true));
    expect(looked).toMatchObject({ code, effect: 'none', retry });
    expect(looked.message).toMatch(SENTENCE);
    expect(looked.message).not.toMatch(NOT_KNOWN);
    expect(looked.next).toBe(unsent.next);
  });

  test.each([
    ['book', /^Do not book again. Tell the person to ask the airline/],
    ['group_book', /^Do not book again. Tell the person to ask the airline/],
    ['mail', /^Ask the person to look for the mail/],
    ['modify', /^Do not repeat it. Call read_booking/],
  ] as const)('says who should check the outcome of a lost %s', (operation, words) => {
    const { next } = told(200, '', operation);
    expect(next).toMatch(words);
    expect(next).toMatch(SENTENCE);
  });
});

describe('a reply that cannot be trusted', () => {
  test.each<[string, number, string | object, Parameters<typeof told>[3], object, RegExp]>([
    ['nothing', 200, '', {}, {}, /held nothing\./],
    ['HTML', 200, '<p>', {}, {}, /held an HTML page\./],
    ['text', 200, 'no', {}, {}, /held text that is not JSON\./],
    ['65 levels', 200, '['.repeat(65) + ']'.repeat(65), {}, {}, /held JSON nested deeper/],
    ['a foreign one', 200, {}, { about: () => false }, { retry: 'same_call' }, /not about what .* thrown away\./],
    ['a redirect', 300, '', {}, {}, /a redirect, which is not followed \(HTTP 300\)/],
    ['a late redirect', 399, '', {}, {}, /a redirect, which is not followed \(HTTP 399\)/],
    ['an unknown error', 408, '', {}, {}, /an error of no known form \(HTTP 408\)/],
    [
      'a failed system',
      500,
      '',
      { retryAfterSeconds: 5 },
      { code: 'E_AIRLINE_DOWN', retry: 'after_s:5' },
      /failed \(HTTP 500\)/,
    ],
  ])('is described by its status and content: %s', (_, status, body, more, due, words) => {
    const looked = told(status, body, 'read', more);
    expect(looked).toMatchObject({ code: 'E_AIRLINE_REPLY', retry: 'never', airline: { status }, ...due });
    expect(looked.message).toMatch(words);
    const sent = told(status, body, 'pay', more);
    expect(sent).toMatchObject({ code: looked.code, effect: 'unknown', retry: 'never', airline: { status } });
    expect(sent.message).toMatch(words);
    expect(sent.message).toMatch(NOT_KNOWN);
  });

  test("is described in our own words, never in the airline's, if it is malformed", () => {
    const failing = (cause: unknown) => ({
      decode: () => {
        throw cause;
      },
    });
    const ours = new ClerkError('E_AIRLINE_REPLY', 'The reply has no locator.', { next: 'x' });
    expect(told(200, {}, 'read', failing(ours))).toMatchObject({ message: ours.message, cause: ours });
    const cause = new TypeError('cannot read properties of <b>Amal</b>');
    const message = "The airline's reply could not be read.";
    expect(told(201, {}, 'read', failing(cause))).toMatchObject({
      code: 'E_AIRLINE_REPLY',
      airline: { status: 201 },
      cause,
      retry: 'never',
      message,
    });
  });

  test('proves no refusal if it contradicts itself', () => {
    const { message } = told(200, { success: {}, errors: [{ code: '73' }] }, 'pay');
    expect(message).toMatch(/tells of an error and of a result\./);
  });
});

describe('faults on our side', () => {
  const soon = {
    ...seatMapQuery.requests[0]?.segment,
    departs: 'soon',
  } as (typeof seatMapQuery.requests)[0]['segment'];
  const unread = { ...seatMapQuery, requests: [{ segment: soon, travelerRefs: ['1'] }] };

  test.each<[string, Call, object, RegExp, RegExp]>([
    [
      'a request that could not be written was not sent',
      payment(''),
      { code: 'E_INTERNAL', effect: 'none' },
      /^The request could not be written as the airline's message\. Nothing was sent\.$/,
      /^Tell the operator/,
    ],
    [
      "a request without what the airline's own data lacks was not sent",
      (airline) => airline.seatMap(unread),
      { code: 'E_AIRLINE_REPLY', effect: 'none' },
      /without what its message about them needs\. Nothing was sent\.$/,
      /doctor`\.$/,
    ],
  ])('says that %s', async (_, call, due, message, next) => {
    const error = await errorOf(call, readReply());
    expect(error).toMatchObject({ ...due, retry: 'never', cause: expect.any(Error) });
    expect(error.message).toMatch(message);
    expect(error.next).toMatch(next);
  });

  test('tells the caller how long to wait if the airline is not asked for a moment', async () => {
    const clock = { at: 0 };
    const down = { status: 500, text: '' };
    const readTwentyTimes: Call = async (airline) => {
      for (let n = 0; n < 20; n += 1) await airline.read(LOCATOR).catch(() => undefined);
      const waits = [];
      for (const at of [0, 1, 4_001, 4_999]) {
        clock.at = at;
        waits.push(await airline.read(LOCATOR).catch((error: ClerkError) => error));
      }
      return waits;
    };
    const { sent, ...outcome } = await hearing(readTwentyTimes, [down], { now: () => clock.at });
    const { value } = outcome as { value: ClerkError[] };
    expect(value.map(({ retry }) => retry)).toEqual(['after_s:5', 'after_s:5', 'after_s:1', 'after_s:1']);
    expect(value[0]).toMatchObject({ code: 'E_AIRLINE_DOWN', effect: 'none' });
    expect(value[0]?.message).toMatch(/has been failing and is not asked for a moment\. Nothing was sent\.$/);
    expect(value[0]?.next).toMatch(/^Call the tool again in 5 seconds\.$/);
    expect(sent).toHaveLength(20);
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
    for (const replying of [false, true]) expect(classifyFailure(error, false, replying)).toBe(kind);
  });

  test.each<[string, unknown, FailureKind, FailureKind]>([
    ...['UND_ERR_RES_EXCEEDED_MAX_SIZE', 'UND_ERR_HEADERS_OVERFLOW', 'ERR_BUFFER_TOO_LARGE'].map(
      (code): [string, unknown, FailureKind, FailureKind] => [code, coded(code), 'too_large', 'too_large'],
    ),
    ...['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT'].map(
      (code): [string, unknown, FailureKind, FailureKind] => [code, coded(code), 'timeout', 'timeout'],
    ),
    ['a reset', coded('ECONNRESET'), 'closed', 'truncated'],
    ['what would be unwritable before', coded('UND_ERR_INVALID_ARG'), 'closed', 'truncated'],
    ['no HTTP', Object.assign(new Error('x'), { name: 'HTTPParserError' }), 'garbled', 'truncated'],
    ['an object of that name that is not an error', { name: 'HTTPParserError' }, 'closed', 'truncated'],
    ['a code that is no text', coded(7), 'closed', 'truncated'],
    ['null', null, 'closed', 'truncated'],
    ['a text', 'ETIMEDOUT', 'closed', 'truncated'],
  ])('names a failure after the first byte was sent, before and during the reply: %s', (_, error, silent, replying) => {
    expect(classifyFailure(error, true, false)).toBe(silent);
    expect(classifyFailure(error, true, true)).toBe(replying);
  });

  test('carries its kind, and whether the request was sent', () => {
    const cause = new Error('why');
    expect(new TransportFailure('truncated', true, { cause })).toMatchObject({
      ...{ name: 'TransportFailure', message: 'http truncated', kind: 'truncated' },
      ...{ sent: true, cause },
    });
    expect('cause' in new TransportFailure('fenced', false)).toBe(false);
  });
});

test('says for how long the airline asked for a pause, and that nothing was sent', () => {
  expect(notSentError('paused', { waitMs: 30_500 })).toMatchObject({
    code: 'E_AIRLINE_BUSY',
    message: 'The airline asked for a pause of requests of this kind. Nothing was sent.',
    ...{ retry: 'after_s:31', effect: 'none' },
  });
  expect(notSentError('paused', { waitMs: 0 })).toMatchObject({ retry: 'after_s:1' });
});

test('says of a call that its caller gave up before it was sent that nothing was', () => {
  expect(notSentError('aborted')).toMatchObject({
    message: expect.stringMatching(/Nothing was sent\.$/),
    effect: 'none',
  });
});
