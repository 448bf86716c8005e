/**
 * Golden messages: JSON written by hand from docs/wire with made-up values. No encoder of this project made them.
 */
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { Booking } from '../../src/domain/booking.ts';
import type { OtaOptions } from '../../src/ota/options.ts';
import type { TestAirline } from '../ota/support/airlines.ts';
import { inTurn, json } from '../ota/support/answers.ts';
import { at, serve } from '../ota/support/harness.ts';
import type { Received } from '../ota/support/wire-server.ts';
import { isObject, rewrite } from './rewrite.ts';

export type Dialect = 'rail' | 'airline';

export function golden(folder: 'requests' | 'replies', name: string): unknown {
  return JSON.parse(readFileSync(new URL(`./${folder}/${name}.json`, import.meta.url), 'utf8'));
}

/** The golden request with each `{"copied": path}` replaced by that branch of the reading, unknown fields included. */
export function goldenRequest(name: string, reading?: unknown): unknown {
  return rewrite(golden('requests', name), (value) => {
    if (!isObject(value) || !Array.isArray(value.copied)) return value;
    return value.copied.reduce<unknown>((node, key) => (node as Record<string | number, unknown>)[key], reading);
  });
}

/** Every leaf with its path; empty lists and objects are leaves. */
export function leaves(
  value: unknown,
  path: readonly (string | number)[] = [],
): (readonly [(string | number)[], unknown])[] {
  const items = Array.isArray(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : [];
  return items.length === 0 ? [[[...path], value]] : items.flatMap(([key, item]) => leaves(item, [...path, key]));
}

/** What is sent beside the published message, what is missing, and what has another value: empty when they are equal. */
export function differences(sent: unknown, published: unknown): string[] {
  const flat = (tree: unknown) =>
    new Map(leaves(tree).map(([path, value]) => [path.join('.'), JSON.stringify(value)] as const));
  const [left, right] = [flat(sent), flat(published)];
  const missing = [...right].filter(([path]) => !left.has(path)).map(([path, value]) => `missing ${path} = ${value}`);
  const wrong = [...left].flatMap(([path, value]) => {
    const due = right.get(path);
    if (due === undefined) return [`not published: ${path} = ${value}`];
    return due === value ? [] : [`${path} is ${value}, published ${due}`];
  });
  return [...missing, ...wrong];
}

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
  basePath = '/v2015b/OTA',
): Promise<Received> {
  const server = await serve(REFUSED);
  const airline = at(server.origin, { baseUrl: `${server.origin}${basePath}`, ...options });
  const outcome = await call(airline).catch((error: unknown) => error);
  const [request] = server.received;
  expect(server.received, `requests sent; the call ended in ${String(outcome)}`).toHaveLength(1);
  if (request === undefined) throw new Error('nothing was sent');
  return request;
}

/** Reads the booking first, as every change does, and returns the request that follows. */
export async function requestAfterReading(
  reading: unknown,
  call: (airline: TestAirline, booking: Booking) => Promise<unknown>,
  options: Partial<OtaOptions>,
): Promise<Received> {
  const server = await serve(inTurn(json(200, reading), REFUSED));
  const airline = at(server.origin, options);
  const booking = await airline.read('K7PL2M');
  const outcome = await call(airline, booking).catch((error: unknown) => error);
  const [, request] = server.received;
  expect(server.received, `requests sent; the call ended in ${String(outcome)}`).toHaveLength(2);
  if (request === undefined) throw new Error('nothing was sent');
  return request;
}
