/**
 * One traveller's trip, through any client: which days, which fares, book, pay, seats, a corrected name, one flight
 * refunded, and the booking at the end.
 */

import { expect } from 'vitest';
import type { ToolResult } from '../http/support/clients.ts';
import { CONTACT, passengerNamed } from '../support/people.ts';
import type { TestClient } from './clients.ts';

export function inDays(days: number, from = Date.now()): string {
  return new Date(from + days * 86_400_000).toISOString().slice(0, 10);
}

/** Calls a tool that must not fail. */
export async function ok(client: TestClient, tool: string, args: Record<string, unknown>): Promise<ToolResult> {
  const result = await client.call(tool, args);
  expect(result.isError, `${tool}: ${result.content[0]?.text}`).toBeFalsy();
  expect(result.content[0]?.text).toBeTruthy();
  return result;
}

/** A pair of stations with service both ways, and a day for each. */
export async function sellable(client: TestClient): Promise<{ from: string; to: string; out: string; back: string }> {
  const routes = (await ok(client, 'list_routes', {})).structuredContent.routes;
  for (const route of routes) {
    for (const to of route.to) {
      const there = await ok(client, 'get_calendar_dates', {
        from: route.from,
        to,
        start_date: inDays(10),
        end_date: inDays(17),
      });
      const back = await ok(client, 'get_calendar_dates', {
        from: to,
        to: route.from,
        start_date: inDays(18),
        end_date: inDays(25),
      });
      // A span of days begins with its first: `2026-12-01/2026-12-05`.
      const first = ({ structuredContent }: ToolResult) => structuredContent.dates[0]?.slice(0, 10);
      const days = { out: first(there), back: first(back) };
      if (days.out && days.back) return { from: route.from, to, ...days };
    }
  }
  throw new Error('the airline sells nothing');
}

interface Offered {
  readonly offer_id: string;
  readonly leg?: number;
}

/** The cheapest, or where each leg is offered on its own the cheapest of each. */
function forTheWholeTrip(offers: readonly Offered[]): string | string[] {
  const [first] = offers;
  if (first?.leg === undefined) return first?.offer_id ?? '';
  const legs = [...new Set(offers.map(({ leg }) => leg))].sort();
  return legs.map((each) => offers.find(({ leg }) => leg === each)?.offer_id ?? '');
}

export interface Trip {
  readonly locator: string;
  readonly texts: readonly string[];
}

/** The whole trip; every step checked against what the contract promises. */
export async function wholeTrip(client: TestClient): Promise<Trip> {
  const texts: string[] = [];
  const step = async (tool: string, args: Record<string, unknown>) => {
    const result = await ok(client, tool, args);
    texts.push(result.content[0]?.text ?? '');
    return result.structuredContent;
  };
  const { from, to, out, back } = await sellable(client);
  const found = await step('search_fares', {
    legs: [
      { from, to, date: out },
      { from: to, to: from, date: back },
    ],
    passengers: { adults: 2 },
    max_results: 50,
  });
  const made = await step('create_booking', {
    offer_ids: forTheWholeTrip(found.offers),
    contact: CONTACT,
    passengers: [
      passengerNamed('Amal', 'Haddad', 'P100001'),
      passengerNamed('Jorg', 'Weiss', 'P100002', { gender: 'Male' }),
    ],
  });
  expect(made.status).toBe('done');
  expect(made.booking.state).toBe('held');
  const { locator } = made.booking;
  const paid = await step('pay_booking', { locator, payment: { type: 'invoice' }, expected_total: made.booking.total });
  expect(paid.status).toBe('done');
  expect(paid.booking.state).toBe('ticketed');
  expect(paid.tickets).toHaveLength(2);
  const seats = await step('get_seat_map', { locator });
  expect((seats.segments[0].cabins[0].yours ?? []).length + seats.segments[0].cabins[0].free).toBeGreaterThan(0);
  const renamed = await step('change_names', { locator, changes: [{ passenger_ref: '2', given_name: 'Joerg' }] });
  expect(renamed.changes).toHaveLength(1);
  const { booking } = await step('read_booking', { locator, detail: 'full' });
  const last = booking.segments.at(-1);
  const together = booking.segments.filter((s: { option_ref: string }) => s.option_ref === last.option_ref);
  const segment_refs = together.map((s: { ref: string }) => s.ref);
  const quoted = await step('quote_cancellation', { locator, segment_refs });
  const cancelled = await step('cancel_segment', { locator, segment_refs });
  expect(cancelled.status).toBe('done');
  expect(cancelled.refund.stated.back).toMatch(/^\d+\.\d\d$/);
  expect(quoted.currency).toBe(cancelled.refund.currency);
  // Rules that come as text only give no sum.
  const sum = quoted.lines !== undefined ? cancelled.refund.stated.back : undefined;
  expect([quoted.refund_now, cancelled.refund.estimate?.back]).toEqual([sum, sum]);
  const end = (await step('read_booking', { locator })).booking;
  expect(end.state).toBe('partly_cancelled');
  const statuses = end.segments.map((s: { status?: string }) => s.status);
  expect(statuses.filter((s?: string) => s === 'cancelled')).toHaveLength(together.length);
  expect(statuses).toContain(undefined);
  expect(
    end.passengers
      .map((p: { name: string }) => p.name)
      .join(' ')
      .toLowerCase(),
  ).toContain('joerg');
  return { locator, texts };
}
