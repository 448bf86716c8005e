/**
 * The whole product at the independent sandbox, over real HTTP: what it sends is seen on the wire, and what the airline
 * made of it in the airline's own records.
 */

import type { SandboxOptions } from '../../../src/sandbox/addresses/start.ts';
import { type CarrierBooking, findBooking } from '../../../src/sandbox/record.ts';
import { type Rule, startFront } from '../../cli/doctor/front.ts';
import { inDays, ok } from '../../e2e/trip.ts';
import { CONTACT, passengerNamed } from '../../support/people.ts';
import { type Sandbox, startSandbox } from '../../support/sandbox/start.ts';
import { clerkIn, type InProcess } from '../dialects/clerk.ts';

export const DIALECTS = ['rail', 'airline'] as const;
export type Dialect = (typeof DIALECTS)[number];

// biome-ignore lint/suspicious/noExplicitAny: replies and requests are looked at as the JSON that they are.
export type Json = any;

export interface Counter {
  readonly dialect: Dialect;
  readonly client: InProcess;
  readonly sandbox: Sandbox;
  /** Bodies of the requests of a message, in order. */
  sent(message: string): readonly Json[];
  /** How many requests the airline got. */
  requests(): number;
  /** The booking as the airline keeps it. */
  record(locator: string): CarrierBooking;
  close(): Promise<void>;
}

export interface CounterOptions {
  readonly sandbox?: SandboxOptions;
  readonly env?: Readonly<Record<string, string>>;
  /** Changes calls on their way to the airline. */
  readonly rule?: Rule;
}

export async function openCounter(dialect: Dialect, options: CounterOptions = {}): Promise<Counter> {
  const sandbox = await startSandbox({ dialect, ...options.sandbox });
  const front = await startFront(options.rule ?? (() => undefined), { to: sandbox.url });
  const atFront = Object.entries(sandbox.settings).map(([name, value]) => [
    name,
    value.replace(sandbox.url, front.origin),
  ]);
  const client = clerkIn({ ...Object.fromEntries(atFront), FARECLERK_REST_URL: sandbox.url, ...options.env });
  return {
    dialect,
    client,
    sandbox,
    sent: (message) =>
      front.calls.filter(({ headers }) => headers['local-name'] === message).map(({ body }) => JSON.parse(body)),
    requests: () => front.calls.length,
    record(locator) {
      const found = findBooking(sandbox.carrier().state, locator);
      if (found === undefined) throw new Error(`the airline has no booking ${locator}`);
      return found;
    },
    async close() {
      await client.close();
      await front.close();
      await sandbox.close();
    },
  };
}

/** Two stations with many departures. */
export const ENDS = { rail: ['QCA', 'XMD'], airline: ['DXB', 'RUH'] } as const;

export interface Trip {
  readonly legs?: 1 | 2;
  readonly adults?: number;
  readonly children?: number;
  readonly classes?: readonly string[];
  /** Days from today. */
  readonly day?: number;
}

/** Offers of a trip there, or there and back. */
export async function offersOf({ dialect, client }: Counter, trip: Trip = {}): Promise<Json[]> {
  const { legs = 1, adults = 1, children = 0, classes = [], day = 20 } = trip;
  const [from, to] = ENDS[dialect];
  const there = { from, to, date: inDays(day) };
  const back = { from: to, to: from, date: inDays(day + 5) };
  const found = await ok(client, 'search_fares', {
    legs: legs === 2 ? [there, back] : [there],
    passengers: { adults, children },
    ...(classes.length > 0 && { booking_classes: classes }),
    max_results: 50,
    detail: 'full',
  });
  const { offers, common } = found.structuredContent;
  return offers.map((offer: Json) => withShared(offer, common));
}

/** An offer with the facts that a search says once for all of them, and every leg with its segments. */
function withShared(offer: Json, { legs: shared = [], ...common }: Json = {}): Json {
  const legs = offer.legs.map((own: Json, i: number) => {
    const leg = { class: common.class, fare: common.fare, ...shared[i], ...own };
    return { ...leg, segments: own.segments ?? [leg] };
  });
  return { ...common, ...offer, legs };
}

export const fareOf = (offer: Json): string => offer.legs[0].fare?.code ?? offer.fare_basis[0];

/** The cheapest offer in a fare. */
export function inFare(offers: readonly Json[], code: string): Json {
  const found = offers.find((offer) => fareOf(offer) === code);
  if (found === undefined) throw new Error(`nothing offered in ${code}`);
  return found;
}

let documents = 600_000;

/** People who were never booked before: an adult each, the last of them children. */
export function people(adults: number, children = 0): Json[] {
  return Array.from({ length: adults + children }, (_, i) => {
    documents += 1;
    const letters = [...String(documents)].map((digit) => 'ABCDEFGHIJ'[Number(digit)]).join('');
    const child = { type: 'CHD', birth_date: inDays(-6 * 365) };
    return passengerNamed('Amal', `Haddad ${letters}`, `P${documents}`, i < adults ? {} : child);
  });
}

/** A hold of named passengers: the tool's answer. */
export async function held({ client }: Counter, offer: Json, passengers: readonly Json[]): Promise<Json> {
  const args = { offer_ids: [offer.offer_id], contact: CONTACT, passengers };
  return (await ok(client, 'create_booking', args)).structuredContent;
}

let groups = 0;

/** The same from counts. */
export async function heldGroup({ client }: Counter, offer: Json, adults: number): Promise<Json> {
  const group = { passenger_counts: { adults }, group_name: `CHOIR ${++groups}` };
  const args = { offer_ids: [offer.offer_id], contact: CONTACT, ...group };
  return (await ok(client, 'create_booking', args)).structuredContent;
}

/** A paid booking; its locator. */
export async function sold(counter: Counter, offer: Json, passengers: readonly Json[]): Promise<string> {
  const { locator } = (await held(counter, offer, passengers)).booking;
  await ok(counter.client, 'pay_booking', { locator, payment: { type: 'invoice' } });
  return locator;
}

export async function readBack({ client }: Counter, locator: string): Promise<Json> {
  return (await ok(client, 'read_booking', { locator, detail: 'full' })).structuredContent.booking;
}

/** Amounts of an event in the airline's ledger, in minor units. */
export function moved({ sandbox }: Counter, event: 'paid' | 'refunded', locator: string): number[] {
  return sandbox
    .ledger()
    .flatMap((entry) => (entry.event === event && entry.locator === locator && entry.amount ? entry.amount.minor : []));
}

/** Minor units of `172.50`, in a currency with two digits. */
export const cents = (amount: string): number => Number(amount.replace('.', ''));
