/**
 * Calls of the adapter over a real socket: their requests, and what it makes of golden replies.
 */
import { expect } from 'vitest';
import type { TestAirline } from '../../support/airlines.ts';
import { inTurn, json } from '../../support/answers.ts';
import { at, serve } from '../../support/harness.ts';
import type { Booking, OtaOptions, Reading, SegmentOption } from '../../support/port.ts';
import { confirmed, watchedDispatch } from '../../support/samples.ts';
import type { Received } from '../../support/wire-server.ts';
import { type Dialect, golden } from '../golden.ts';

/** The point of sale of the golden requests, and the options that belong to a dialect. */
export function optionsOf(dialect: Dialect, more: Partial<OtaOptions> = {}): Partial<OtaOptions> {
  const seller = { agentId: 'desk7', agencyId: 'agency7', country: 'NO' };
  const pointOfSale =
    dialect === 'rail' ? { ...seller, currency: 'SAR', location: 'RUH' } : { ...seller, currency: 'EUR' };
  return { dialect, pointOfSale, ...more };
}

const REFUSED = json(400, { status: 400, error: 'Bad Request', code: '320', title: 'invalid value' });

/** Makes the call and returns the one request that reached the airline, which refuses it. */
export async function requestOf(
  call: (airline: TestAirline) => Promise<unknown>,
  options: Partial<OtaOptions>,
): Promise<Received> {
  const server = await serve(REFUSED);
  const airline = at(server.origin, { restUrl: `${server.origin}/rest`, ...options });
  const outcome = await call(airline).catch((error: unknown) => error);
  const [request] = server.received;
  expect(server.received, `requests sent; the call ended in ${String(outcome)}`).toHaveLength(1);
  if (request === undefined) throw new Error('nothing was sent');
  return request;
}

/** Reads the booking first, as every change does, and returns the request that follows. */
export async function requestAfterReading(
  reading: unknown,
  call: (airline: TestAirline, booking: Reading) => Promise<unknown>,
  options: Partial<OtaOptions>,
): Promise<Received> {
  const afterReading = async (airline: TestAirline) => call(airline, (await airline.read('K7PL2M')).reading);
  const [, request] = await requestsOf(afterReading, options, reading);
  if (request === undefined) throw new Error('nothing was sent');
  return request;
}

/** Makes the call and returns its two requests; the first is answered well, the second refused. */
export async function requestsOf(
  call: (airline: TestAirline) => Promise<unknown>,
  options: Partial<OtaOptions>,
  firstReply: unknown,
): Promise<readonly Received[]> {
  const server = await serve(inTurn(json(200, firstReply), REFUSED));
  const outcome = await call(at(server.origin, options)).catch((error: unknown) => error);
  expect(server.received, `requests sent; the call ended in ${String(outcome)}`).toHaveLength(2);
  return server.received;
}

export async function airlineThatReplies(name: string, dialect: Dialect): Promise<TestAirline> {
  const server = await serve(json(200, golden('replies', name)));
  return at(server.origin, optionsOf(dialect));
}

export async function read(name: string, dialect: Dialect = 'rail', locator = 'K7PL2M'): Promise<Booking> {
  return (await airlineThatReplies(name, dialect)).read(locator);
}

/** The reply to a change of the booking in `reading`: its first option is cancelled. */
export async function changed(reading: string, reply: string, dialect: Dialect): Promise<Booking> {
  const server = await serve(inTurn(json(200, golden('replies', reading)), json(200, golden('replies', reply))));
  const airline = at(server.origin, optionsOf(dialect));
  const { reading: booking } = await airline.read('K7PL2M');
  const options = booking.options.slice(0, 1);
  const modification = { kind: 'cancel_segments', booking, options } as const;
  return airline.modify(confirmed({ modification }, watchedDispatch()));
}

export function faresOf({ options }: { readonly options: readonly SegmentOption[] }): (string | undefined)[] {
  return options.flatMap(({ segments }) => segments.map(({ fareBasis }) => fareBasis));
}

export function firstSegment(booking: Booking) {
  return booking.options[0]?.segments[0];
}
