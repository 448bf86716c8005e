/**
 * Classifies complete replies: the answer, a refusal, or an unknown outcome. Covers every status, body and
 * circumstance.
 */
import { describe, expect, test } from 'vitest';
import { ClerkError } from '../../../src/errors.ts';
import { classifyReply, type Expected } from '../../../src/ota/errors/classify-reply.ts';
import type { Circumstance } from '../../../src/ota/errors/faults.ts';
import type { Operation } from '../../../src/ota/options.ts';
import { told } from '../support/told.ts';

const SEND: Circumstance = { operation: 'ticket', sending: true };
const LOOK: Circumstance = { operation: 'read', sending: false };

const whole: Expected<unknown> = { decode: (body) => ({ body }) };
const GOOD = '{"success":{},"locator":"ABC123"}';
const FAULT = '{"status":422,"code":"73","title":"EXPIRED","correlationId":"c-1"}';
const FAULT_BESIDE_SUCCESS = '{"success":{},"errors":{"error":[{"code":"73","shortText":"EXPIRED"}]}}';
const FAULT_IN_GOOD = '{"errors":{"error":[{"code":"73","shortText":"EXPIRED"}]}}';
const SYSTEM = '{"status":500,"code":"448","title":"SYSTEM"}';

function outcome(
  status: number,
  text: string,
  at: Circumstance,
  expected = whole,
  retryAfterSeconds?: number,
): unknown {
  try {
    return classifyReply({ status, text, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) }, expected, at);
  } catch (error) {
    if (!(error instanceof ClerkError)) throw error;
    const { code, effect, retry, airline } = error;
    return { code, effect, retry, ...(airline && { airline }) };
  }
}

const fault = { code: '73', title: 'EXPIRED' };
const refused = (airline: object) => ({ code: 'E_TOO_LATE', effect: 'none', retry: 'never', airline });
const unknown = (code: string, airline?: object) => ({
  code,
  effect: 'unknown',
  retry: 'never',
  ...(airline && { airline }),
});
const read = (code: string, retry: string, airline?: object) => ({
  code,
  effect: 'none',
  retry,
  ...(airline && { airline }),
});

test('leaves a send in doubt if a refusal code says that this same message was already carried out', () => {
  const done = '{"status":409,"code":"65","title":"TICKETED"}';
  const airline = { status: 409, code: '65', title: 'TICKETED' };
  expect(outcome(409, done, SEND, { ...whole, echoes: ['65'] })).toEqual(unknown('E_AIRLINE_REPLY', airline));
  expect(outcome(409, done, SEND, { ...whole, echoes: ['95'] })).toMatchObject({
    code: 'E_ALREADY_DONE',
    effect: 'none',
  });
  expect(outcome(409, done, LOOK, { ...whole, echoes: ['65'] })).toMatchObject({ code: 'E_NOT_PERMITTED' });
});

test('reads a file only from a good reply that is no error form', () => {
  const file = { ...whole, file: ({ text }: { readonly text: string }) => `file of ${text.length} bytes` };
  expect(outcome(200, '%PDF-1.4', LOOK, file)).toBe('file of 8 bytes');
  expect(outcome(200, FAULT_IN_GOOD, LOOK, file)).toMatchObject({ code: expect.stringMatching(/^E_/) });
  expect(outcome(404, 'gone', LOOK, file)).toMatchObject({ code: expect.stringMatching(/^E_/), effect: 'none' });
});

describe('a 409 without a refusal code', () => {
  const CONFLICTS = ['{"status":409,"title":"x"}', '{"status":409,"code":"4711","title":"x"}'];
  const conflict = (operation: Operation, status: number, body: string) =>
    outcome(status, body, { operation, sending: true });

  test.each<Operation>(['ticket', 'modify', 'cancel'])('leaves a %s in doubt after a bare 409', (operation) => {
    for (const body of CONFLICTS) {
      expect(conflict(operation, 409, body)).toMatchObject({ code: 'E_AIRLINE_REPLY', effect: 'unknown' });
      expect(conflict(operation, 200, body)).toMatchObject({ code: 'E_AIRLINE_REPLY', effect: 'unknown' });
    }
    expect(told(409, { status: 409, title: 'x' }, 'pay').message).toBe(
      'The airline says that this is a duplicate or conflicts with another request. It is not known whether the request was carried out.',
    );
  });

  test('treats a 409 as a refusal of a read or a booking, and of any send if it has a refusal code', () => {
    for (const body of CONFLICTS) {
      expect(outcome(409, body, LOOK)).toMatchObject({ code: 'E_NOT_PERMITTED', effect: 'none' });
      expect(conflict('book', 409, body)).toMatchObject({ code: 'E_ALREADY_DONE', effect: 'none' });
    }
    expect(conflict('modify', 409, '{"status":409,"code":"172"}')).toMatchObject({ effect: 'none' });
    expect(conflict('ticket', 422, '{"status":422,"title":"x"}')).toMatchObject({ effect: 'none' });
  });
});

test('leaves a send in doubt if a reply has both an error and the status CANCELLED', () => {
  const both = '{"status":"Cancelled","errors":[{"code":"73","message":"EXPIRED"}]}';
  expect(outcome(200, both, SEND)).toEqual(unknown('E_AIRLINE_REPLY', { status: 200, ...fault }));
  const odd = '{"status":{"toString":2},"errors":[{"code":"73","message":"EXPIRED"}]}';
  expect(outcome(200, odd, SEND)).toEqual(refused({ status: 200, ...fault }));
});

describe('a good reply', () => {
  test.each([200, 201, 299])('returns the body of a %i reply', (status) => {
    expect(outcome(status, GOOD, SEND)).toEqual({ body: JSON.parse(GOOD) });
    expect(outcome(status, GOOD, LOOK)).toEqual({ body: JSON.parse(GOOD) });
  });

  test('accepts a reply without a body only if the message allows an empty one', () => {
    expect(outcome(204, '', SEND, { ...whole, mayBeEmpty: true })).toEqual({ body: undefined });
    expect(outcome(204, '', SEND)).toEqual(unknown('E_AIRLINE_REPLY', { status: 204 }));
    expect(outcome(200, '<p>', SEND, { ...whole, mayBeEmpty: true })).toEqual(
      unknown('E_AIRLINE_REPLY', { status: 200 }),
    );
    expect(outcome(200, 'x', SEND, { ...whole, mayBeEmpty: true })).toEqual(
      unknown('E_AIRLINE_REPLY', { status: 200 }),
    );
    expect(outcome(200, GOOD, SEND, { ...whole, mayBeEmpty: true })).toEqual({ body: JSON.parse(GOOD) });
  });

  test('discards a reply about something else', () => {
    expect(outcome(200, GOOD, SEND, { ...whole, about: () => false })).toEqual(
      unknown('E_AIRLINE_REPLY', { status: 200 }),
    );
    expect(outcome(200, GOOD, LOOK, { ...whole, about: () => false })).toEqual(
      read('E_AIRLINE_REPLY', 'same_call', { status: 200 }),
    );
    expect(outcome(200, GOOD, SEND, { ...whole, about: () => true })).toEqual({ body: JSON.parse(GOOD) });
  });

  test('leaves a send in doubt if the reply cannot be read', () => {
    const broken = {
      decode: () => {
        throw new TypeError('cannot read x of undefined');
      },
    };
    expect(outcome(200, GOOD, SEND, broken)).toEqual(unknown('E_AIRLINE_REPLY', { status: 200 }));
    expect(outcome(200, GOOD, LOOK, broken)).toEqual(read('E_AIRLINE_REPLY', 'never', { status: 200 }));
    expect(outcome(200, 'no json', LOOK)).toEqual(read('E_AIRLINE_REPLY', 'never', { status: 200 }));
    expect(outcome(200, '', LOOK)).toEqual(read('E_AIRLINE_REPLY', 'never', { status: 200 }));
  });
});

describe('an error form', () => {
  test.each([400, 409, 422, 499])('takes an error form in a %i reply as proof that nothing happened', (status) => {
    expect(outcome(status, FAULT, SEND)).toEqual(refused({ status, ...fault, correlationId: 'c-1' }));
    expect(outcome(status, FAULT_BESIDE_SUCCESS, SEND)).toEqual(refused({ status, ...fault }));
  });

  test.each([200, 299])('takes an error form in a %i reply as a refusal unless it reports success too', (status) => {
    expect(outcome(status, FAULT_IN_GOOD, SEND)).toEqual(refused({ status, ...fault }));
    expect(outcome(status, FAULT_BESIDE_SUCCESS, SEND)).toEqual(unknown('E_AIRLINE_REPLY', { status, ...fault }));
    expect(outcome(status, FAULT_BESIDE_SUCCESS, LOOK)).toEqual(refused({ status, ...fault }));
  });

  test.each([
    [408, 'E_AIRLINE_REPLY'],
    [300, 'E_AIRLINE_REPLY'],
    [302, 'E_AIRLINE_REPLY'],
    [199, 'E_AIRLINE_REPLY'],
    [500, 'E_AIRLINE_DOWN'],
    [502, 'E_AIRLINE_DOWN'],
  ])('leaves a send in doubt if an error form comes with HTTP %i', (status, code) => {
    expect(outcome(status, FAULT, SEND)).toEqual(unknown(code, { status, ...fault, correlationId: 'c-1' }));
    const airline = { status, ...fault, correlationId: 'c-1' };
    const down = read('E_AIRLINE_DOWN', 'after_s:30', airline);
    expect(outcome(status, FAULT, LOOK)).toEqual(status >= 500 ? down : refused(airline));
  });

  test('leaves a send in doubt if an error form blames a failed system, whatever the status', () => {
    const airline = { code: '448', title: 'SYSTEM' };
    expect(outcome(200, SYSTEM, SEND)).toEqual(unknown('E_AIRLINE_DOWN', { status: 200, ...airline }));
    expect(outcome(299, SYSTEM, SEND)).toEqual(unknown('E_AIRLINE_DOWN', { status: 299, ...airline }));
    expect(outcome(422, SYSTEM, SEND)).toEqual(unknown('E_AIRLINE_DOWN', { status: 422, ...airline }));
    expect(outcome(500, SYSTEM, SEND)).toEqual(unknown('E_AIRLINE_DOWN', { status: 500, ...airline }));
    expect(outcome(500, SYSTEM, LOOK, whole, 7)).toEqual(
      read('E_AIRLINE_DOWN', 'after_s:7', { status: 500, ...airline }),
    );
  });

  test.each<[string, object, boolean]>([
    ['success', { success: {} }, true],
    ['a reservation', { airReservation: { ticketing: [] } }, true],
    ['reservations', { airReservation: [{}] }, true],
    ['tickets', { ticketItemInfo: [{}] }, true],
    ['success that is no object', { success: true }, false],
    ['an empty list of tickets', { ticketItemInfo: [] }, false],
    ['the booking it was asked about', { bookingReferenceID: { id: 'ABC123', type: '14' } }, false],
  ])('decides whether an error form contradicts %s in the same reply', (_, part, contradicts) => {
    const text = JSON.stringify({ ...JSON.parse(FAULT_IN_GOOD), ...part });
    const airline = { status: 200, ...fault };
    const told = outcome(200, text, SEND);
    expect(told).toEqual(contradicts ? unknown('E_AIRLINE_REPLY', airline) : refused(airline));
  });

  test.each(['book', 'group_book'] as const)(
    'leaves a %s in doubt if the reply has both an error form and a booking',
    (operation) => {
      const text = JSON.stringify({ ...JSON.parse(FAULT_IN_GOOD), bookingReferenceID: { id: 'ABC123', type: '14' } });
      const airline = { status: 200, ...fault };
      expect(outcome(200, text, { operation, sending: true })).toEqual(unknown('E_AIRLINE_REPLY', airline));
      expect(outcome(200, FAULT_IN_GOOD, { operation, sending: true })).toEqual(refused(airline));
    },
  );

  test('passes on how long to wait if an error form comes with retry-after', () => {
    const busy = '{"status":429,"code":"888","title":"SLOW"}';
    const airline = { status: 429, code: '888', title: 'SLOW' };
    expect(outcome(429, busy, LOOK, whole, 7)).toEqual(read('E_AIRLINE_BUSY', 'after_s:7', airline));
    expect(outcome(429, busy, SEND, whole, 7)).toEqual(read('E_AIRLINE_BUSY', 'after_s:7', airline));
    expect(outcome(429, busy, LOOK)).toEqual(read('E_AIRLINE_BUSY', 'after_s:10', airline));
  });

  test('says that nothing was changed after a refused send, not after a refused read', () => {
    const words = (at: Circumstance) => {
      try {
        classifyReply({ status: 422, text: FAULT }, whole, at);
        return '';
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(words(SEND)).toMatch(/ Nothing was changed\.$/);
    expect(words(LOOK)).not.toMatch(/changed/);
  });
});

describe('a bad status without an error form', () => {
  test.each<[number, unknown, unknown]>([
    [401, read('E_AUTH', 'never', { status: 401 }), read('E_AUTH', 'never', { status: 401 })],
    [429, read('E_AIRLINE_BUSY', 'after_s:10', { status: 429 }), read('E_AIRLINE_BUSY', 'after_s:10', { status: 429 })],
    [403, unknown('E_AIRLINE_REPLY', { status: 403 }), read('E_AUTH', 'never', { status: 403 })],
    [404, unknown('E_AIRLINE_REPLY', { status: 404 }), read('E_AIRLINE_REPLY', 'never', { status: 404 })],
    [300, unknown('E_AIRLINE_REPLY', { status: 300 }), read('E_AIRLINE_REPLY', 'never', { status: 300 })],
    [199, unknown('E_AIRLINE_REPLY', { status: 199 }), read('E_AIRLINE_REPLY', 'never', { status: 199 })],
    [503, unknown('E_AIRLINE_DOWN', { status: 503 }), read('E_AIRLINE_DOWN', 'after_s:30', { status: 503 })],
  ])('classifies HTTP %i without an error form by its status', (status, sent, looked) => {
    for (const text of ['', '<html>', '{}', 'x']) {
      expect(outcome(status, text, SEND)).toEqual(sent);
      expect(outcome(status, text, LOOK)).toEqual(looked);
    }
  });

  test('passes on how long to wait if a bad status comes without an error form', () => {
    expect(outcome(429, '', SEND, whole, 3)).toEqual(read('E_AIRLINE_BUSY', 'after_s:3', { status: 429 }));
    expect(outcome(503, '', LOOK, whole, 3)).toEqual(read('E_AIRLINE_DOWN', 'after_s:3', { status: 503 }));
  });
});
