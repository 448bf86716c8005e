/**
 * A slow payment: the caller leaves and the server stops, and the payment is still made once and recorded.
 */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { heldBooking } from '../clerk/calls/bookings.ts';
import { accept, CALLER, type Desk, openDesk, PAY } from '../clerk/calls/desk.ts';
import { META, message, messageIn } from './support/raw.ts';
import { type Served, serve, TOKEN } from './support/serve.ts';

let desk: Desk;
let at: Served;
let closed: boolean;

beforeEach(async () => {
  closed = false;
  desk = await openDesk();
  const close = async () => {
    closed = true;
  };
  at = (await serve({ caller: CALLER }, { clerk: desk.clerk, close })) as Served;
});
afterEach(async () => {
  await at.close();
  await desk.close();
});

/** One round of a 2026-07-28 call, which can be broken off. */
async function round(locator: string, more: object, signal?: AbortSignal) {
  const _meta = { ...META, 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } };
  const params = { name: 'pay_booking', arguments: { locator, ...PAY }, _meta, ...more };
  const reply = await fetch(at.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${TOKEN}`,
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'pay_booking',
    },
    body: message('tools/call', params),
    ...(signal && { signal }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever fields the contract names
  return messageIn(await reply.text()).result as any;
}

/** Says yes to a slow payment, and leaves once it is made. */
async function payAndLeave(ms: number) {
  const locator = await heldBooking(desk);
  const { resultType, requestState, inputRequests } = await round(locator, {});
  expect(resultType).toBe('input_required');
  const act = inputRequests.approval.params.requestedSchema.properties.decision.enum[1];
  const answer = { requestState, inputResponses: { approval: accept(act) } };
  desk.sandbox.order({ message: 'OTA_AirDemandTicketRQ', kind: 'commit-then-late', ms });
  const leaving = new AbortController();
  const left = round(locator, answer, leaving.signal).catch(() => 'left');
  await expect.poll(() => desk.acts()).toEqual(['paid']);
  leaving.abort();
  expect(await left).toBe('left');
  return { locator, answer };
}

it('loses no payment if the caller leaves and the server stops', async () => {
  const { locator } = await payAndLeave(600);
  const stopped = at.close();
  const [operation] = await desk.parts.state.operations.list({ locator });
  expect([operation?.state, closed]).toEqual(['dispatched', false]);
  await stopped;
  const [settled] = await desk.parts.state.operations.list({ locator });
  expect(settled).toMatchObject({ state: 'succeeded', outcome: { basis: 'reply' } });
  expect(desk.acts()).toEqual(['paid']);
});

it('returns the outcome to a client that repeats a round after a broken stream, and sends nothing', async () => {
  const { locator, answer } = await payAndLeave(300);
  const status = async () => (await round(locator, answer)).structuredContent.status;
  await Promise.all([status(), status()]);
  await expect.poll(status).toMatch(/^(?:already_)?done$/);
  expect(desk.acts()).toEqual(['paid']);
});
