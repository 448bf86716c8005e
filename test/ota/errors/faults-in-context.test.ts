/**
 * Errors whose meaning depends on the request: a search without a result, a conflict, and a booking that does not
 * exist.
 */
import { describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../../src/errors.ts';
import { type Request, told } from '../support/told.ts';

describe('a search without a result', () => {
  it.each<[number, object]>([
    [404, { status: 404, code: '322', title: 'x' }],
    [400, { status: 400, code: '322', title: 'x' }],
    [422, { status: 422, code: '53', title: 'x' }],
    [404, { status: 404, title: 'No price tariff exists for the itinerary' }],
    [404, { status: 404, code: '97', title: 'NO PRICE TARIFF EXISTS' }],
    [400, { status: 400, code: '320', title: 'No availability found' }],
    [400, { status: 400, title: '', cause: { title: '', cause: { title: 'No availability found.' } } }],
    [404, { errors: [{ type: 'business', code: 'NO_FLIGHTS_AVAILABLE', message: 'x' }] }],
    [400, { errors: [{ type: 'business', code: 'no_availability', message: 'x' }] }],
    [200, { errors: [{ type: 'business', code: 'FLIGHT_SOLD_OUT', message: 'x' }] }],
  ])('reports no availability for a search: %i %j', (status, body) => {
    expect(told(status, body, 'search')).toMatchObject({
      code: 'E_NO_AVAILABILITY',
      retry: 'never',
      noSuchBooking: false,
    });
  });

  it.each<[number, object, ErrorCode]>([
    [404, { status: 404, error: 'Not Found', path: '/v2015b' }, 'E_INPUT'],
    [404, { status: 404, code: '97', title: 'Booking not found' }, 'E_NOT_PERMITTED'],
    [404, { errors: [{ code: 'BOOKING_NOT_FOUND', message: 'x' }] }, 'E_NOT_PERMITTED'],
    [404, { errors: [{ code: 'NO_SEATS', message: 'No seats' }] }, 'E_INPUT'],
    [400, { status: 400, title: 'Invalid date' }, 'E_INPUT'],
    [422, { status: 422, title: 'No availability found' }, 'E_NOT_PERMITTED'],
    [502, { status: 502, title: 'cannot get priced itineraries' }, 'E_AIRLINE_DOWN'],
    [502, { status: 502, code: '322', title: 'cannot get priced itineraries' }, 'E_AIRLINE_DOWN'],
    [500, { status: 500, code: '97', title: 'No price tariff exists' }, 'E_AIRLINE_DOWN'],
    [404, { status: 404, code: '448', title: 'No price tariff exists' }, 'E_AIRLINE_DOWN'],
    [404, { errors: [{ type: 'System', code: '322', message: 'x' }] }, 'E_AIRLINE_DOWN'],
    [400, { errors: [{ code: 'TIMEOUT', message: 'no availability found' }] }, 'E_AIRLINE_TIMEOUT'],
  ])('reports another error than no availability for a search: %i %j', (status, body, code) => {
    expect(told(status, body, 'search')).toMatchObject({ code, noSuchBooking: false });
  });

  it('allows another try if a search fails with a 502', () => {
    const error = told(502, { status: 502, title: 'cannot get priced itineraries' }, 'search');
    expect(error).toMatchObject({ retry: 'after_s:30', effect: 'none' });
    expect(error.message).not.toMatch(/nothing|offer/i);
  });

  it('suggests a search for each leg alone if a search of several legs finds nothing under 400', () => {
    const empty = { status: 400, title: 'No availability found' };
    expect(told(400, empty, 'search', { legs: 2 }).next).toMatch(
      /search_fares for each leg alone.*create_booking one offer_id of each/,
    );
    expect(told(400, empty, 'search', { legs: 1 }).next).toMatch(/get_calendar_dates/);
    expect(told(404, { ...empty, status: 404 }, 'search', { legs: 2 }).next).toMatch(/get_calendar_dates/);
  });

  it('reads the words of an empty search as another error in answer to a read or a booking', () => {
    const empty = { status: 404, title: 'No price tariff exists' };
    expect(told(404, empty, 'read')).toMatchObject({ code: 'E_NOT_FOUND', noSuchBooking: false });
    expect(told(404, empty, 'create').next).toMatch(/search_fares/);
  });
});

describe('a 409 conflict', () => {
  it('advises to look for the booking after a 409 to a booking request, and never to send it again', () => {
    for (const body of [
      { status: 409, title: 'Conflict' },
      { errors: [{ code: 'DUPLICATE_REQUEST', message: 'x' }] },
    ]) {
      const error = told(409, body, 'create');
      expect(error).toMatchObject({ code: 'E_ALREADY_DONE', retry: 'never', effect: 'none' });
      expect(error.message).toMatch(/It was not made again\.$/);
      expect(error.next).toMatch(/list_bookings .* a person must ask the airline/);
    }
  });

  it('leaves a payment or change in doubt after a 409, and advises to read the booking', () => {
    for (const request of ['pay', 'change'] as const) {
      expect(told(409, { status: 409, title: 'Conflict' }, request)).toMatchObject({
        code: 'E_AIRLINE_REPLY',
        effect: 'unknown',
      });
      expect(told(409, { status: 409, title: 'Conflict' }, request).next).toMatch(/read_booking/);
    }
  });

  it('follows the code of a 409 if it has one', () => {
    expect(told(409, { status: 409, code: '499', title: 'x' }, 'create').code).toBe('E_SOLD_OUT');
  });
});

describe('proof that a booking does not exist', () => {
  it.each<[number, object, Request, boolean]>([
    [404, { status: 404, code: '97', title: 'x' }, 'read', true],
    [404, { errors: [{ type: 'business', code: 'BOOKING_NOT_FOUND', message: 'x' }] }, 'read', true],
    [404, { errors: [{ code: 'BOOKING_NOT_FOUND', message: 'x' }] }, 'change', true],
    [404, { errors: [{ code: 'BOOKING_NOT_FOUND', message: 'x' }] }, 'search', false],
    [404, { status: 404, title: 'x' }, 'read', false],
    [503, { status: 503, code: '97', title: 'x' }, 'read', false],
    [404, { status: 503, code: '97', title: 'x' }, 'read', false],
    [404, { errors: [{ type: 'SYSTEM', code: 'BOOKING_NOT_FOUND', message: 'x' }] }, 'read', false],
    [
      404,
      {
        errors: [
          { code: '97', message: 'x' },
          { code: 'TIMEOUT', message: 'x' },
        ],
      },
      'read',
      false,
    ],
  ])('decides whether %i %j after %s proves a missing booking: %s', (status, body, request, proof) => {
    expect(told(status, body, request).noSuchBooking).toBe(proof);
  });
});
