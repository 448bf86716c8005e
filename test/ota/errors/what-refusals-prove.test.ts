/**
 * What an error form proves. Only a business refusal proves that a send did nothing; a form that blames a system proves
 * nothing, whatever HTTP status it has. Some meanings depend on the request: a search without a result, a conflict, and
 * a booking that does not exist.
 */
import { describe, expect, test } from 'vitest';
import type { ErrorCode } from '../../../src/core/errors.ts';
import type { Operation } from '../support/port.ts';
import { isSend, type Request, told } from '../support/told.ts';

const SENDS: readonly Operation[] = ['book', 'group_book', 'ticket', 'modify', 'cancel'];

/** Of a list with one error: its fields, and the status of the reply. */
const one = (status: number, error: object): [number, object] => [status, { errors: [error] }];

describe('what an error form proves after a send', () => {
  test.each<[number, object]>([
    one(400, { code: 'SEAT_NOT_AVAILABLE' }),
    one(400, { code: 'MISSING_REQUIRED_FIELD' }),
    one(400, { code: 'INVALID_DATE' }),
    one(401, { code: 'TOKEN_EXPIRED' }),
    one(401, { message: 'Unauthorized' }),
    one(429, { code: 'RATE_LIMIT_EXCEEDED' }),
    one(429, { message: 'Slow down' }),
    one(200, { code: 'rate_limit_exceeded', status: 429 }),
    one(200, { code: '320' }),
    one(200, { status: 401 }),
    one(299, { code: '1055' }),
    [409, { status: 409, code: '499', title: 'x' }],
    [422, { errors: { error: [{ type: '3', code: '73', shortText: 'x' }] } }],
    [422, { errors: { error: [{ type: '13', code: '73', shortText: 'x' }] } }],
    [422, { status: 422, code: '73', title: 'Ticketing timeout' }],
    [422, { status: 422, code: '1053', title: 'x', cause: { status: 500, code: '9999', title: 'x' } }],
    [422, { status: 422, code: '1053', title: 'No seats left, so the booking could not be created' }],
    [422, { status: 422, code: '9', title: 'Flight full. Payment must be made for another one.' }],
    [422, { status: 422, code: '9', title: 'All seats are taken on your booking' }],
    [422, { status: 422, code: '9', title: '' }],
  ])(
    'takes as proof that the request was not understood, or what it asked for not available: %i %j',
    (status, body) => {
      for (const operation of SENDS) {
        const error = told(status, body, operation);
        expect(error).toMatchObject({ effect: 'none', refused: undefined });
        expect(error.message).toMatch(/ Nothing was changed\.$/);
      }
      expect(told(status, body, 'read').message).not.toMatch(/changed\.$/);
    },
  );

  test.each<[number, object]>([
    one(400, { message: 'Invalid' }),
    one(400, { correlationId: 'c-1' }),
    one(400, { status: 400 }),
    one(400, { type: 'validation', code: 'UNHEARD_OF' }),
    one(429, { type: 'validation', code: 'UNHEARD_OF' }),
    one(400, { code: 'MODIFICATION_NOT_ALLOWED' }),
    one(403, { code: 'FORBIDDEN' }),
    one(403, { message: 'Denied' }),
    one(422, { code: 'TOKEN_EXPIRED' }),
    one(409, { code: '72' }),
    one(409, { code: '65' }),
    one(422, { code: '95' }),
    one(404, { code: '97' }),
    one(499, { message: 'Gone' }),
    one(299, { code: 'PAYMENT_DECLINED' }),
    one(200, { status: 422 }),
    one(200, { code: 'UNHEARD_OF' }),
    one(200, { message: 'No' }),
    one(400, { code: 'RATE_LIMIT_EXCEEDED' }),
    [422, { status: 422, error: 'Unprocessable Entity', code: '172', title: 'x' }],
    [200, { error: 'Something went wrong' }],
    [422, { status: 422, code: '1053', title: 'Payment received, ticketing failed' }],
    [422, { status: 422, code: '1053', title: 'The payment was already taken' }],
    [422, { status: 422, code: '1053', title: 'x', detail: 'Not ticketed, but your card was charged' }],
    [400, { status: 400, code: '320', title: 'Host PNR K7PL2M has been created' }],
    [400, { status: 400, code: '320', title: 'x', cause: { title: 'Booking K7PL2M' } }],
    [400, { status: 400, code: '320', title: 'x', success: {} }],
    [400, { status: 400, code: '320', title: 'x', ticketItemInfo: [{ ticketNumber: '1' }] }],
  ])('takes no other refusal as proof, and keeps what it says for a reading: %i %j', (status, body) => {
    for (const operation of SENDS) {
      const { effect, refused } = told(status, body, operation);
      if (status === 200 && 'success' in body) continue;
      expect([effect, refused?.message, refused?.next], operation).toEqual([
        ...['unknown', expect.stringMatching(/^[A-Z].*\.$/), expect.stringMatching(/^[A-Z].*\.$/)],
      ]);
    }
  });

  test.each<[object, string | undefined]>([
    [{ title: 'Host PNR K7PL2M has been created' }, 'K7PL2M'],
    [{ title: 'x', detail: 'The booking reference is ABCDEF.' }, 'ABCDEF'],
    [{ title: 'x', cause: { title: 'locator: "K7PL2M"' } }, 'K7PL2M'],
    [{ title: 'x', bookingReferenceID: [{ id: 'K7PL2M', type: '14' }] }, 'K7PL2M'],
    [{ title: 'x', airReservation: { bookingReferenceID: [{ id: 'K7PL2M', type: '14' }] } }, 'K7PL2M'],
    [{ title: 'x', pricedItinerary: { quoteID: 'K7PL2M' } }, 'K7PL2M'],
    [{ title: 'Booking reference invalid' }, undefined],
    [{ title: 'BOOKING EXISTS' }, undefined],
    [{ title: 'BOOKING K7PL2M EXISTS' }, 'K7PL2M'],
    [{ title: 'Booking 123456' }, undefined],
    [{ title: 'x' }, undefined],
    [{ title: '' }, undefined],
    [{ title: 'x', cause: { title: 'Seats 1', detail: ['PNR K7PL2M'] } }, 'K7PL2M'],
  ])('keeps the locator that the answer to a create names: %j', (fields, locator) => {
    for (const status of [422, 500]) {
      const body = { status, code: status === 500 ? '448' : '172', ...fields };
      expect(told(status, body, 'book').named).toBe(locator);
      expect(told(status, body, 'pay').named).toBeUndefined();
    }
  });

  test.each<[number, object]>([
    one(400, {}),
    one(200, {}),
    one(503, {}),
    one(302, {}),
    one(199, { code: '73' }),
    one(300, { code: '73' }),
    one(399, { code: '73' }),
    one(408, { code: '73' }),
    one(408, { message: 'Too late' }),
    one(500, { code: '97' }),
    one(200, { status: 399 }),
    one(200, { status: 500 }),
    one(422, { status: 503 }),
    one(400, { status: 408 }),
    one(200, { status: 408, code: '1' }),
    one(503, { code: '888' }),
    [400, { error: {} }],
    [422, { errors: ['no'] }],
  ])('leaves a send in doubt after an error that proves no refusal: %i %j', (status, body) => {
    for (const operation of SENDS) expect(told(status, body, operation).effect).toBe('unknown');
  });

  test('ignores an object where the airline should send a word', () => {
    const odd = { toString: 2, valueOf: 3 };
    const errors = [{ type: odd, code: '73', error: odd }];
    expect(told(422, { code: '73', title: 'x', status: odd, type: odd, errors }, 'pay').effect).toBe('none');
  });
});

/** A cause chain, the outermost first. */
const chain = (...causes: object[]): object | undefined =>
  causes.reduceRight<object | undefined>((cause, each) => ({ ...each, ...(cause && { cause }) }), undefined);

describe('an error form that blames a system', () => {
  test.each<[string, object]>([
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
    ['the word in the second error', { errors: [{ code: '73', message: 'x' }, { code: 'SYSTEM_ERROR' }] }],
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
  ])('leaves every send in doubt, and repeats a read later: %s', (_, body) => {
    for (const status of [200, 201, 400, 401, 403, 404, 409, 422, 429, 500, 503]) {
      for (const operation of [...SENDS, 'read'] as const) {
        const error = told(status, body, operation);
        const name = `${operation} ${status}`;
        if (isSend(operation)) {
          expect(error, name).toMatchObject({ effect: 'unknown', retry: 'never' });
          expect(error.message, name).toMatch(/It is not known whether the request was carried out\.$/);
          continue;
        }
        expect(['E_AIRLINE_DOWN', 'E_AIRLINE_BUSY', 'E_AIRLINE_TIMEOUT'], name).toContain(error.code);
        expect(error.retry, name).not.toBe('never');
        expect(error.noSuchBooking, name).toBe(false);
      }
    }
  });
});

describe('a 409 conflict', () => {
  const CONFLICTS = [
    { status: 409, title: 'x' },
    { status: 409, code: '4711', title: 'x' },
  ];

  test.each([200, 409])('leaves a send in doubt after a 409 without a refusal code, as HTTP %i', (status) => {
    for (const body of CONFLICTS) {
      for (const operation of SENDS) {
        const error = told(status, body, operation);
        expect(error.effect).toBe('unknown');
        expect(error.refused?.message).toMatch(/ conflict/);
        expect(error.next).toMatch(operation.endsWith('book') ? /Do not book again/ : /read_booking/);
      }
    }
  });

  test('takes a 409 as a refusal of a read, and follows its code if it has one', () => {
    for (const body of CONFLICTS) expect(told(409, body, 'read').code).toBe('E_NOT_PERMITTED');
    expect(told(409, { code: '499', title: 'x' }, 'create').code).toBe('E_SOLD_OUT');
  });
});

describe('a search without a result', () => {
  test.each<[number, object, ErrorCode]>([
    [404, { code: '322', title: 'x' }, 'E_NO_AVAILABILITY'],
    [400, { code: '322', title: 'x' }, 'E_NO_AVAILABILITY'],
    [422, { code: '53', title: 'x' }, 'E_NO_AVAILABILITY'],
    [404, { title: 'No price tariff exists for the itinerary' }, 'E_NO_AVAILABILITY'],
    [404, { code: '97', title: 'NO PRICE TARIFF EXISTS' }, 'E_NO_AVAILABILITY'],
    [400, { code: '320', title: 'No availability found' }, 'E_NO_AVAILABILITY'],
    [400, { title: '', cause: chain({ title: '' }, { title: 'No availability found.' }) }, 'E_NO_AVAILABILITY'],
    [404, { errors: [{ code: 'NO_FLIGHTS_AVAILABLE' }] }, 'E_NO_AVAILABILITY'],
    [400, { errors: [{ code: 'no_availability' }] }, 'E_NO_AVAILABILITY'],
    [200, { errors: [{ code: 'FLIGHT_SOLD_OUT' }] }, 'E_NO_AVAILABILITY'],
    [404, { error: 'Not Found', path: '/v2015b' }, 'E_INPUT'],
    [404, { code: '97', title: 'Booking not found' }, 'E_NOT_PERMITTED'],
    [404, { errors: [{ code: 'BOOKING_NOT_FOUND' }] }, 'E_NOT_PERMITTED'],
    [404, { errors: [{ code: 'NO_SEATS', message: 'No seats' }] }, 'E_INPUT'],
    [400, { title: 'Invalid date' }, 'E_INPUT'],
    [422, { title: 'No availability found' }, 'E_NOT_PERMITTED'],
    [502, { title: 'cannot get priced itineraries' }, 'E_AIRLINE_DOWN'],
    [502, { code: '322', title: 'cannot get priced itineraries' }, 'E_AIRLINE_DOWN'],
    [500, { code: '97', title: 'No price tariff exists' }, 'E_AIRLINE_DOWN'],
    [404, { code: '448', title: 'No price tariff exists' }, 'E_AIRLINE_DOWN'],
    [404, { errors: [{ type: 'System', code: '322' }] }, 'E_AIRLINE_DOWN'],
    [400, { errors: [{ code: 'TIMEOUT', message: 'no availability found' }] }, 'E_AIRLINE_TIMEOUT'],
  ])('reports after a search: %i %j as %s', (status, body, code) => {
    const error = told(status, body, 'search');
    expect(error).toMatchObject({ code, effect: 'none', noSuchBooking: false });
    if (code === 'E_NO_AVAILABILITY') expect(error.retry).toBe('never');
    if (status === 502) expect(error.retry).toBe('after_s:30');
    if (status === 502) expect(error.message).not.toMatch(/nothing|offer/i);
  });

  test('suggests a search for each leg alone if a search of several legs finds nothing under 400', () => {
    const next = (status: number, legs: number) =>
      told(status, { title: 'No availability found' }, 'search', { legs }).next;
    expect(next(400, 2)).toMatch(/search_fares for each leg alone.*create_booking one offer_id of each/);
    expect(next(400, 1)).toMatch(/get_calendar_dates/);
    expect(next(404, 2)).toMatch(/get_calendar_dates/);
  });

  test('reads the words of an empty search as another error in answer to a read or a booking', () => {
    const empty = { title: 'No price tariff exists' };
    expect(told(404, empty, 'read')).toMatchObject({ code: 'E_NOT_FOUND', noSuchBooking: false });
    expect(told(404, empty, 'create').refused?.next).toMatch(/search_fares/);
  });
});

describe('proof that a booking does not exist', () => {
  test.each<[number, object, Request, boolean]>([
    [404, { code: '97', title: 'x' }, 'read', true],
    [200, { status: 404, code: '194', title: 'x' }, 'read', true],
    [404, { errors: [{ type: 'business', code: 'BOOKING_NOT_FOUND' }] }, 'read', true],
    [404, { errors: [{ code: 'BOOKING_NOT_FOUND' }] }, 'change', false],
    [404, { errors: [{ code: 'BOOKING_NOT_FOUND' }] }, 'search', false],
    [404, { title: 'x' }, 'read', false],
    [404, { code: 'NO_ROUTE', title: 'x' }, 'read', false],
    [404, { code: '99', title: 'x' }, 'read', false],
    [503, { code: '97', title: 'x' }, 'read', false],
    [404, { status: 503, code: '97', title: 'x' }, 'read', false],
    [200, { status: 500, code: '97', title: 'x' }, 'read', false],
    [404, { errors: [{ type: 'SYSTEM', code: 'BOOKING_NOT_FOUND' }] }, 'read', false],
    [404, { errors: [{ code: '97' }, { code: 'TIMEOUT' }] }, 'read', false],
  ])('decides whether %i %j after %s proves a missing booking: %s', (status, body, request, proof) => {
    expect(told(status, body, request).noSuchBooking).toBe(proof);
  });
});
