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

describe('a search', () => {
  test.each([
    'no tariff (404)',
    'no availability found (400)',
    'NO_FLIGHTS_AVAILABLE',
    'NO_AVAILABILITY',
    'FLIGHT_SOLD_OUT',
    'code 322',
  ])('%s means that nothing is available', async (name) => {
    expect((await failure(search, name)).code).toBe('E_NO_AVAILABILITY');
  });

  test.each(['another 400', 'another 404', 'cannot get priced itineraries (502)'])(
    '%s means neither that nothing is available nor that there is no such booking',
    async (name) => {
      expect(['E_NO_AVAILABILITY', 'E_NOT_FOUND']).not.toContain((await failure(search, name)).code);
    },
  );
});

describe('a send', () => {
  test.each(['SYSTEM_ERROR', 'TIMEOUT', 'INTERNAL_SERVER_ERROR', 'SERVICE_UNAVAILABLE', 'type system', '1602', '1604'])(
    '%s proves nothing about a payment',
    async (name) => {
      expect((await failure(pay, name)).effect).toBe('unknown');
    },
  );

  test('1603 proves nothing about a cancellation', async () => {
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
  ])('%s is a refusal: nothing was done', async (name, call, code) => {
    const refused = await failure(call, name);
    expect([refused.code, refused.effect]).toEqual([code, 'none']);
  });

  test('1026 says that it is cancelled already, perhaps by this very message: a reading settles it', async () => {
    const cancelled = await failure(cancel, '1026');
    expect([cancelled.airline?.code, cancelled.effect]).toEqual(['1026', 'unknown']);
    expect(cancelled.message).toMatch(/done already/);
  });

  test('a conflict on booking may be a duplicate: the booking is looked for and never sent again', async () => {
    const conflict = await failure(create, '409');
    expect(conflict.retry).toBe('never');
    expect(conflict.code === 'E_ALREADY_DONE' || conflict.effect === 'unknown').toBe(true);
  });

  test('523 is a surname that is too long, 524 a given name or a title', async () => {
    expect((await failure(create, '523')).message).toMatch(/surname/i);
    expect((await failure(create, '524')).message).toMatch(/given name/i);
  });
});

describe('a reading', () => {
  test('BOOKING_NOT_FOUND says that there is no such booking', async () => {
    const missing = await failure(read, 'BOOKING_NOT_FOUND');
    expect([missing.code, missing.noSuchBooking]).toEqual(['E_NOT_FOUND', true]);
  });

  test('a 404 without a code does not', async () => {
    expect((await failure(read, 'another 404')).noSuchBooking).toBe(false);
  });
});

describe('what support asks for', () => {
  const named = Object.entries(ERRORS).filter(([, { body }]) => JSON.stringify(body).includes('c-55501'));

  test.each(named.map(([name]) => name))('%s: the correlation id is kept', async (name) => {
    expect((await failure(read, name)).airline?.correlationId).toBe('c-55501');
  });

  test('an empty title falls back to the innermost cause', async () => {
    expect((await failure(pay, 'nested cause')).airline?.title).toBe('already ticketed');
  });
});
