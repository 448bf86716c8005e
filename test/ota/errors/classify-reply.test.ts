/**
 * What a whole reply is: the answer, a refusal, or an unknown outcome.
 */
import { describe, expect, test } from 'vitest';
import { ClerkError, type ErrorCode } from '../../../src/core/errors.ts';
import { refusal } from '../../../src/ota/errors/exchange-errors.ts';
import type { Operation } from '../support/port.ts';
import { outcomeOf, type Request, told } from '../support/told.ts';

const GOOD = { success: {}, locator: 'ABC123' };
const FLAT = { status: 422, code: '73', title: 'EXPIRED', correlationId: 'c-1' };
const IN_GOOD = { errors: { error: [{ code: '73', shortText: 'EXPIRED' }] } };
const BESIDE_SUCCESS = { success: {}, ...IN_GOOD };
const SYSTEM = { status: 500, code: '448', title: 'SYSTEM' };
const EXPIRED = { code: '73', title: 'EXPIRED' };

/** What of an error is the same for every request. */
function seen(outcome: unknown): unknown {
  if (!(outcome instanceof ClerkError)) return outcome;
  const { code, effect, retry, airline } = outcome;
  return { code, effect, retry, ...(airline && { airline }) };
}
const outcome = (...of: Parameters<typeof outcomeOf>) => seen(outcomeOf(...of));
const refused = (airline: object) => ({ code: 'E_TOO_LATE', effect: 'none', retry: 'never', airline });
const unknown = (code: ErrorCode, airline: object) => ({ code, effect: 'unknown', retry: 'never', airline });
const read = (code: ErrorCode, retry: string, airline: object) => ({ code, effect: 'none', retry, airline });

describe('a good reply', () => {
  test.each([200, 201, 299])('returns the body of a %i reply', (status) => {
    for (const request of ['pay', 'read'] as const) expect(outcomeOf(status, GOOD, request)).toEqual({ body: GOOD });
  });

  test('accepts a reply without a body only if the message allows an empty one', () => {
    const mayBeEmpty = { mayBeEmpty: true } as const;
    expect(outcome(204, '', 'pay', mayBeEmpty)).toEqual({ body: undefined });
    expect(outcome(200, GOOD, 'pay', mayBeEmpty)).toEqual({ body: GOOD });
    expect(outcome(204, '', 'pay')).toEqual(unknown('E_AIRLINE_REPLY', { status: 204 }));
    for (const text of ['<p>', 'x']) {
      expect(outcome(200, text, 'pay', mayBeEmpty)).toEqual(unknown('E_AIRLINE_REPLY', { status: 200 }));
    }
  });

  test('discards a reply about something else, and reads it again only after a read', () => {
    const foreign = { about: () => false };
    expect(outcome(200, GOOD, 'pay', foreign)).toEqual(unknown('E_AIRLINE_REPLY', { status: 200 }));
    expect(outcome(200, GOOD, 'read', foreign)).toEqual(read('E_AIRLINE_REPLY', 'same_call', { status: 200 }));
    expect(outcome(200, GOOD, 'pay', { about: () => true })).toEqual({ body: GOOD });
  });

  test('reads a file only from a good reply that is no error form', () => {
    const file = { file: ({ text }: { readonly text: string }) => `file of ${text.length} bytes` };
    expect(outcomeOf(200, '%PDF-1.4', 'read', file)).toBe('file of 8 bytes');
    expect(told(200, IN_GOOD, 'read', file).code).toBe('E_TOO_LATE');
    expect(told(404, 'gone', 'read', file)).toMatchObject({ code: 'E_AIRLINE_REPLY', effect: 'none' });
  });
});

describe('an error form', () => {
  test.each([400, 409, 422, 499])(
    'takes an error form in a %i reply for what its code proves, unless it reports success too',
    (status) => {
      expect(outcome(status, FLAT, 'pay')).toEqual(refused({ status, ...EXPIRED, correlationId: 'c-1' }));
      expect(outcome(status, BESIDE_SUCCESS, 'pay')).toEqual(unknown('E_TOO_LATE', { status, ...EXPIRED }));
    },
  );

  test.each([200, 299])('takes an error form in a %i reply as a refusal unless it reports success too', (status) => {
    expect(outcome(status, IN_GOOD, 'pay')).toEqual(refused({ status, ...EXPIRED }));
    expect(outcome(status, BESIDE_SUCCESS, 'pay')).toEqual(unknown('E_AIRLINE_REPLY', { status, ...EXPIRED }));
    expect(outcome(status, BESIDE_SUCCESS, 'read')).toEqual(refused({ status, ...EXPIRED }));
  });

  test.each([
    [408, 'E_AIRLINE_REPLY'],
    [300, 'E_AIRLINE_REPLY'],
    [302, 'E_AIRLINE_REPLY'],
    [199, 'E_AIRLINE_REPLY'],
    [500, 'E_AIRLINE_DOWN'],
    [502, 'E_AIRLINE_DOWN'],
  ] as const)('leaves a send in doubt if an error form comes with HTTP %i', (status, code) => {
    const airline = { status, ...EXPIRED, correlationId: 'c-1' };
    expect(outcome(status, FLAT, 'pay')).toEqual(unknown(code, airline));
    const down = read('E_AIRLINE_DOWN', 'after_s:30', airline);
    expect(outcome(status, FLAT, 'read')).toEqual(status >= 500 ? down : refused(airline));
  });

  test.each<[string, object, Request | Operation, boolean]>([
    ['success', { success: {} }, 'pay', true],
    ['a reservation', { airReservation: { ticketing: [] } }, 'pay', true],
    ['reservations', { airReservation: [{}] }, 'pay', true],
    ['tickets', { ticketItemInfo: [{}] }, 'pay', true],
    ['the status CANCELLED', { status: 'Cancelled' }, 'cancel', true],
    ['the booking that it makes', { bookingReferenceID: { id: 'ABC123', type: '14' } }, 'book', true],
    ['the group that it books', { bookingReferenceID: { id: 'ABC123', type: '14' } }, 'group_book', true],
    ['the booking it was asked about', { bookingReferenceID: { id: 'ABC123', type: '14' } }, 'pay', false],
    ['success that is no object', { success: true }, 'pay', false],
    ['a status that is no text', { status: { toString: 2 } }, 'cancel', false],
    ['an empty list of tickets', { ticketItemInfo: [] }, 'pay', false],
    ['nothing', {}, 'book', false],
    ['nothing', {}, 'group_book', false],
  ])('decides whether %s contradicts an error in the same reply', (_, part, request, contradicts) => {
    const airline = { status: 200, ...EXPIRED };
    const due = contradicts ? unknown('E_AIRLINE_REPLY', airline) : refused(airline);
    expect(outcome(200, { ...IN_GOOD, ...part }, request)).toEqual(due);
  });

  test('leaves a send in doubt if a refusal code says that this same message was already carried out', () => {
    const done = { status: 409, code: '65', title: 'TICKETED' };
    expect(outcome(409, done, 'pay')).toEqual(unknown('E_ALREADY_DONE', done));
    expect(told(409, done, 'pay').refused?.message).toContain('already paid');
    expect(told(409, done, 'read').code).toBe('E_NOT_PERMITTED');
  });

  test.each([
    [429, { code: '888', title: 'SLOW' }, 'E_AIRLINE_BUSY', 'after_s:10', 'after_s:7'],
    [500, SYSTEM, 'E_AIRLINE_DOWN', 'after_s:30', 'after_s:7'],
    [429, '', 'E_AIRLINE_BUSY', 'after_s:10', 'after_s:7'],
    [503, '', 'E_AIRLINE_DOWN', 'after_s:30', 'after_s:7'],
    [408, { title: 'SLOW' }, 'E_AIRLINE_TIMEOUT', 'same_call', 'same_call'],
    [404, { title: 'x' }, 'E_NOT_FOUND', 'never', 'never'],
  ] as const)('passes on how long to wait after HTTP %i %j', (status, body, code, usual, asked) => {
    expect(told(status, body, 'read')).toMatchObject({ code, retry: usual });
    expect(told(status, body, 'read', { retryAfterSeconds: 7 }).retry).toBe(asked);
    const longest = asked === 'after_s:7' ? 'after_s:3600' : asked;
    expect(told(status, body, 'read', { retryAfterSeconds: 99_999 }).retry).toBe(longest);
  });

  test('passes on how long to wait after a refused send', () => {
    const busy = { code: '888', title: 'SLOW' };
    const airline = { status: 429, ...busy };
    expect(outcome(429, busy, 'pay', { retryAfterSeconds: 7 })).toEqual(read('E_AIRLINE_BUSY', 'after_s:7', airline));
  });
});

describe('a bad status without an error form', () => {
  test.each<[number, sent: ErrorCode, proof: boolean, looked: ErrorCode, string]>([
    [401, 'E_AUTH', true, 'E_AUTH', 'never'],
    [429, 'E_AIRLINE_BUSY', true, 'E_AIRLINE_BUSY', 'after_s:10'],
    [403, 'E_AUTH', false, 'E_AUTH', 'never'],
    [400, 'E_INPUT', false, 'E_AIRLINE_REPLY', 'never'],
    [402, 'E_NOT_PERMITTED', false, 'E_AIRLINE_REPLY', 'never'],
    [404, 'E_NOT_FOUND', false, 'E_AIRLINE_REPLY', 'never'],
    [408, 'E_AIRLINE_REPLY', false, 'E_AIRLINE_REPLY', 'never'],
    [300, 'E_AIRLINE_REPLY', false, 'E_AIRLINE_REPLY', 'never'],
    [199, 'E_AIRLINE_REPLY', false, 'E_AIRLINE_REPLY', 'never'],
    [503, 'E_AIRLINE_DOWN', false, 'E_AIRLINE_DOWN', 'after_s:30'],
  ])('classifies HTTP %i without an error form by its status', (status, sent, proof, looked, retry) => {
    for (const text of ['', '<html>', '{}', 'x']) {
      expect(outcome(status, text, 'read')).toEqual(read(looked, retry, { status }));
      const due = proof ? read(sent, retry, { status }) : unknown(sent, { status });
      expect(outcome(status, text, 'pay')).toEqual(due);
      const isRefused = status >= 400 && status < 500 && status !== 408;
      expect(told(status, text, 'pay').refused !== undefined).toBe(isRefused && !proof);
    }
  });

  test.each(['{"message":"Payment received"}', 'Your card was charged', '<h1>Booking K7PL2M</h1>'])(
    'leaves a send in doubt after a 401 or 429 that says that something was done: %s',
    (text) => {
      for (const status of [401, 429]) expect(told(status, text, 'pay').effect).toBe('unknown');
    },
  );

  test('takes a 429 without a word of what was done as not processed', () => {
    expect(told(429, { message: 'Too many requests' }, 'pay').effect).toBe('none');
  });
});

describe('the code of a refusal', () => {
  test.each([
    [400, 'E_INPUT'],
    [401, 'E_AUTH'],
    [403, 'E_AUTH'],
    [404, 'E_NOT_FOUND'],
    [405, 'E_NOT_PERMITTED'],
    [408, 'E_AIRLINE_TIMEOUT'],
    [409, 'E_NOT_PERMITTED'],
    [422, 'E_NOT_PERMITTED'],
    [429, 'E_AIRLINE_BUSY'],
    [500, 'E_AIRLINE_DOWN'],
    [501, 'E_AIRLINE_DOWN'],
    [502, 'E_AIRLINE_DOWN'],
    [503, 'E_AIRLINE_DOWN'],
    [504, 'E_AIRLINE_TIMEOUT'],
  ] as const)('classifies an unknown code by its status: %i as %s', (status, code) => {
    expect(told(status, { code: '123456', title: 'x' }, 'read').code).toBe(code);
  });

  test('takes a code for a wrong value under 401 or 403 as refused credentials', () => {
    for (const status of [401, 403]) expect(told(status, { code: '320', title: 'x' }, 'pay').code).toBe('E_AUTH');
  });

  test('classifies an error in a 200 reply by the status in its body', () => {
    expect(told(200, { status: 404, title: 'x' }, 'read').code).toBe('E_NOT_FOUND');
    expect(told(399, { status: 404, title: 'x' }, 'read').code).toBe('E_NOT_FOUND');
    expect(told(200, { status: 503, title: 'x' }, 'read').code).toBe('E_AIRLINE_DOWN');
    expect(told(200, { code: 'WORDS', title: 'x' }, 'read').code).toBe('E_INPUT');
    expect(refusal({}, { operation: 'read', sending: false }).code).toBe('E_AIRLINE_DOWN');
  });
});
