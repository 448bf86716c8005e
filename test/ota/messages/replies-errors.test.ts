/**
 * Refusals and failures, written by hand as the airline sends them (docs/wire/notes.md, Errors).
 */
import { describe, expect, test } from 'vitest';
import type { ClerkError, ErrorCode } from '../../../src/errors.ts';
import type { TestAirline } from '../support/airlines.ts';
import { json } from '../support/answers.ts';
import { at, failureOf, serve } from '../support/harness.ts';
import { confirmed, watchedDispatch } from '../support/samples.ts';
import { golden } from './golden.ts';
import { optionsOf } from './golden-calls.ts';
import * as input from './golden-inputs.ts';

const ERRORS = golden('replies', 'errors') as Readonly<
  Record<string, { readonly http: number; readonly body: unknown }>
>;

type Call = (airline: TestAirline) => Promise<unknown>;

const search: Call = (airline) => airline.searchFares(input.RAIL_SEARCH);
const read: Call = (airline) => airline.read('K7PL2M');
const create: Call = (airline) => airline.create(input.RAIL_BOOKING, watchedDispatch());
const pay: Call = (airline) =>
  airline.pay(confirmed({ order: input.payment({ paymentType: 'cash' }, 'RR') }, watchedDispatch()));
const cancel: Call = (airline) => airline.cancel(confirmed({ cancellation: { locator: 'K7PL2M' } }, watchedDispatch()));

async function failure(call: Call, name: string): Promise<ClerkError> {
  const error = ERRORS[name];
  if (error === undefined) throw new Error(`there is no error ${name}`);
  const server = await serve(json(error.http, error.body));
  return failureOf(call(at(server.origin, optionsOf('rail'))));
}

describe('errors after a search', () => {
  test.each([
    'no tariff (404)',
    'no availability found (400)',
    'NO_FLIGHTS_AVAILABLE',
    'NO_AVAILABILITY',
    'FLIGHT_SOLD_OUT',
    'code 322',
  ])('reports no availability after a search for %s', async (name) => {
    expect((await failure(search, name)).code).toBe('E_NO_AVAILABILITY');
  });

  test.each(['another 400', 'another 404', 'cannot get priced itineraries (502)'])(
    'reports neither no availability nor a missing booking after a search for %s',
    async (name) => {
      expect(['E_NO_AVAILABILITY', 'E_NOT_FOUND']).not.toContain((await failure(search, name)).code);
    },
  );
});

describe('errors after a send', () => {
  test.each(['SYSTEM_ERROR', 'TIMEOUT', 'INTERNAL_SERVER_ERROR', 'SERVICE_UNAVAILABLE', 'type system', '1602', '1604'])(
    'leaves a payment in doubt after %s',
    async (name) => {
      expect((await failure(pay, name)).effect).toBe('unknown');
    },
  );

  test('leaves a cancellation in doubt after 1603', async () => {
    expect((await failure(cancel, '1603')).effect).toBe('unknown');
  });

  test.each<[string, Call, ErrorCode]>([
    ['PAYMENT_DECLINED', pay, 'E_PAYMENT_DECLINED'],
    ['RATE_LIMIT_EXCEEDED', pay, 'E_AIRLINE_BUSY'],
    ['MODIFICATION_NOT_ALLOWED', cancel, 'E_NOT_PERMITTED'],
    ['CHANGES_ARE_NOT_PERMITTED', cancel, 'E_NOT_PERMITTED'],
    ['UNAUTHORIZED', create, 'E_AUTH'],
    ['FORBIDDEN', create, 'E_AUTH'],
    ['FARE_NO_LONGER_AVAILABLE', create, 'E_OFFER_EXPIRED'],
    ['53', create, 'E_OFFER_EXPIRED'],
    ['499', create, 'E_SOLD_OUT'],
  ])('takes %s as a refusal of a send', async (name, call, code) => {
    const refused = await failure(call, name);
    expect([refused.code, refused.effect]).toEqual([code, 'none']);
  });

  test('leaves a cancellation in doubt after 1026, which may report this very message', async () => {
    const cancelled = await failure(cancel, '1026');
    expect([cancelled.airline?.code, cancelled.effect]).toEqual(['1026', 'unknown']);
    expect(cancelled.message).toMatch(/done already/);
  });

  test('advises never to repeat a booking after a conflict, which may be a duplicate', async () => {
    const conflict = await failure(create, '409');
    expect(conflict.retry).toBe('never');
    expect(conflict.code === 'E_ALREADY_DONE' || conflict.effect === 'unknown').toBe(true);
  });

  test('names the surname after 523, and the given name after 524', async () => {
    expect((await failure(create, '523')).message).toMatch(/surname/i);
    expect((await failure(create, '524')).message).toMatch(/given name/i);
  });
});

describe('errors after a read', () => {
  test('reports a missing booking after BOOKING_NOT_FOUND', async () => {
    const missing = await failure(read, 'BOOKING_NOT_FOUND');
    expect([missing.code, missing.noSuchBooking]).toEqual(['E_NOT_FOUND', true]);
  });

  test('does not report a missing booking after a 404 without a code', async () => {
    expect((await failure(read, 'another 404')).noSuchBooking).toBe(false);
  });
});

describe("what the airline's support asks for", () => {
  const named = Object.entries(ERRORS).filter(([, { body }]) => JSON.stringify(body).includes('c-55501'));

  test.each(named.map(([name]) => name))('keeps the correlation id of %s', async (name) => {
    expect((await failure(read, name)).airline?.correlationId).toBe('c-55501');
  });

  test('falls back to the innermost cause if the title is empty', async () => {
    expect((await failure(pay, 'nested cause')).airline?.title).toBe('already ticketed');
  });
});
