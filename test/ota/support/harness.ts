/**
 * Servers and adapters of one test file, closed after each test.
 */
import { afterEach, expect } from 'vitest';
import { ClerkError } from '../../../src/core/errors.ts';
import { createTransport, type Transport } from '../../../src/ota/transport/http.ts';
import { airlineAt, type TestAirline } from './airlines.ts';
import { CERTIFICATE } from './certificate.ts';
import type { OtaOptions } from './port.ts';
import { confirmed, LOCATOR, type WatchedDispatch } from './samples.ts';
import { type Answer, startWire, type WireOptions, type WireServer } from './wire-server.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

/** Closes it after the test. */
export function closing<T extends { close(): Promise<void> }>(one: T): T {
  open.push(one);
  return one;
}

export async function serve(answer: Answer, options?: WireOptions): Promise<WireServer> {
  return closing(await startWire(answer, options));
}

export function at(origin: string, options: Partial<OtaOptions> = {}): TestAirline {
  return closing(airlineAt(origin, options));
}

/** A transport that trusts the tests' own certificate. */
export function trustingTransport(): Transport {
  return closing(createTransport({ ca: CERTIFICATE }));
}

/** The ClerkError that a call ends in; fails the test where it ends in anything else. */
export async function failureOf(promise: Promise<unknown>): Promise<ClerkError> {
  const error = await promise.then(
    () => undefined,
    (caught: unknown) => caught,
  );
  expect(error).toBeInstanceOf(ClerkError);
  return error as ClerkError;
}

export function pay(airline: TestAirline, dispatch: WatchedDispatch, locator = LOCATOR) {
  return airline.pay(
    confirmed({ order: { locator, paymentType: 'external', amount: { minor: 17250, currency: 'SAR' } } }, dispatch),
  );
}
