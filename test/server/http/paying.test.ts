/**
 * A slow payment: the caller leaves and the server stops, and the payment is still made once and recorded.
 */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type HttpServing, startHttp } from '../../../src/server/http/server.ts';
import { heldBooking } from '../calls/bookings.ts';
import { accept, type Desk, openDesk } from '../calls/desk.ts';
import { messageIn } from './support/raw.ts';

let desk: Desk;
let serving: HttpServing;
let closed: boolean;

beforeEach(async () => {
  closed = false;
  desk = await openDesk();
  serving = await startHttp(desk.clerk, {
    version: '0',
    host: '127.0.0.1',
    port: 0,
    caller: { tenant: 'desk', id: 'ann' },
    async close() {
      closed = true;
    },
  });
});
afterEach(async () => {
  await serving.stop();
  await desk.close();
});

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
};

/** One round of a 2026-07-28 call, which can be broken off. */
async function round(locator: string, more: object, signal?: AbortSignal) {
  const params = { name: 'pay_booking', arguments: { locator, payment: { type: 'invoice' } }, _meta: META, ...more };
  const reply = await fetch(serving.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'pay_booking',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    ...(signal && { signal }),
  });
  return messageIn(await reply.text()).result as Record<string, unknown>;
}

async function asked(locator: string) {
  const question = await round(locator, {});
  expect(question.resultType).toBe('input_required');
  const requests = question.inputRequests as { approval: { params: { requestedSchema: Form } } };
  const act = requests.approval.params.requestedSchema.properties.decision.enum[1] ?? '';
  return { requestState: question.requestState, inputResponses: { approval: accept(act) } };
}

interface Form {
  readonly properties: { readonly decision: { readonly enum: readonly string[] } };
}

it('loses no payment if the caller leaves and the server stops', async () => {
  const locator = await heldBooking(desk);
  const answer = await asked(locator);
  desk.sandbox.order({ message: 'OTA_AirDemandTicketRQ', kind: 'commit-then-late', ms: 600 });
  const leaving = new AbortController();
  const left = round(locator, answer, leaving.signal).catch(() => 'left');
  await expect.poll(() => desk.acts(), { timeout: 5_000 }).toEqual(['paid']);
  leaving.abort();
  expect(await left).toBe('left');
  const stopped = serving.stop();
  const [operation] = await desk.parts.state.operations.list({ locator });
  expect([operation?.state, closed]).toEqual(['dispatched', false]);
  await stopped;
  const [settled] = await desk.parts.state.operations.list({ locator });
  expect(settled).toMatchObject({ state: 'succeeded', outcome: { basis: 'reply' } });
  expect(desk.acts()).toEqual(['paid']);
});

it('returns the outcome to a client that repeats a round after a broken stream, and sends nothing', async () => {
  const locator = await heldBooking(desk);
  const answer = await asked(locator);
  desk.sandbox.order({ message: 'OTA_AirDemandTicketRQ', kind: 'commit-then-late', ms: 300 });
  const leaving = new AbortController();
  const left = round(locator, answer, leaving.signal).catch(() => 'left');
  await expect.poll(() => desk.acts(), { timeout: 5_000 }).toEqual(['paid']);
  leaving.abort();
  await left;
  const status = async () => ((await round(locator, answer)).structuredContent as { status: string }).status;
  await Promise.all([status(), status()]);
  await expect.poll(status, { timeout: 5_000 }).toMatch(/^(?:already_)?done$/);
  expect(desk.acts()).toEqual(['paid']);
});
