import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Before, jsonReply } from '../../src/sandbox/calls.ts';
import type { SandboxFaultKind } from '../support/sandbox/wire-faults.ts';
import {
  type Answer,
  type Json,
  newStateFile,
  openTravelAgent,
  passenger,
  TRAIN,
  type TravelAgent,
} from './point-of-sale.ts';

let agent: TravelAgent;
let trip: Json;
let locator: string;

beforeEach(async () => {
  agent = await openTravelAgent();
  trip = await agent.trip([TRAIN]);
  locator = await agent.hold(trip, [passenger('1')]);
});
afterEach(() => agent.close());

const PAY = 'OTA_AirDemandTicketRQ';
const paid = () => agent.sandbox.ledger().some((it) => it.locator === locator && it.event === 'paid');
const outcome = (call: Promise<Answer>): Promise<Answer | 'lost'> => call.catch(() => 'lost' as const);

/** What the caller sees: status and code, or nothing. */
const seen = (answer: Answer | 'lost') => (answer === 'lost' ? answer : [answer.status, answer.body.code]);

describe('a fault', () => {
  it.each<[SandboxFaultKind, acted: boolean, unknown]>([
    ['commit-then-lose', true, 'lost'],
    ['commit-then-5xx', true, [502, '187']],
    ['commit-then-html', true, [200, undefined]],
    ['commit-then-truncated', true, 'lost'],
    ['empty-body', true, [200, undefined]],
    ['wrong-locator', true, [200, undefined]],
    ['lose-before', false, 'lost'],
    ['5xx-before', false, [503, '187']],
    ['4xx-before', false, [422, '172']],
    ['throttled', false, [429, '888']],
    ['unauthorized', false, [401, '497']],
    ['html', false, [200, undefined]],
    ['hang-before', false, 'lost'],
  ])('%s: the payment was taken: %s', async (kind, acted, due) => {
    agent.sandbox.order({ message: PAY, kind, ...(kind === 'hang-before' && { ms: 20 }) });
    const answer = await outcome(agent.pay(locator));
    expect(seen(answer)).toEqual(due);
    if (answer !== 'lost' && kind.endsWith('html')) expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
    if (answer !== 'lost' && kind === 'empty-body') expect(answer.body).toBe('');
    if (answer !== 'lost' && kind === 'wrong-locator') expect(answer.body.bookingReferenceID.id).toBe('ZZ9ZZ9');
    expect(paid()).toBe(acted);
    expect(seen(await agent.pay(locator))).toEqual(acted ? [409, '65'] : [200, undefined]);
  });

  it.each<[SandboxFaultKind, unknown]>([
    ['commit-then-hang', 'lost'],
    ['commit-then-late', 200],
  ])('%s takes the payment long before its end', async (kind, due) => {
    agent.sandbox.order({ message: PAY, kind, ms: 400 });
    const call = outcome(agent.pay(locator));
    expect(await Promise.race([call, wait(100).then(() => 'nothing yet')])).toBe('nothing yet');
    expect(paid()).toBe(true);
    const answer = await call;
    expect(answer === 'lost' ? answer : answer.status).toBe(due);
  });

  it('slow-drip sends the whole answer in pieces', async () => {
    agent.sandbox.order({ message: PAY, kind: 'slow-drip', ms: 0 });
    expect((await agent.pay(locator)).body.success).toEqual({});
  });

  it('late-commit closes the socket first and takes the payment afterwards', async () => {
    agent.sandbox.order({ message: PAY, kind: 'late-commit', ms: 40 });
    expect(await outcome(agent.pay(locator))).toBe('lost');
    expect(paid()).toBe(false);
    await expect.poll(paid).toBe(true);
  });

  it('late-commit takes the payment at the latest when the airline closes', async () => {
    const stateFile = newStateFile();
    const own = await openTravelAgent({ stateFile });
    const held = await own.hold(trip, [passenger('1')]);
    own.sandbox.order({ message: PAY, kind: 'late-commit', ms: 60_000 });
    await outcome(own.pay(held));
    await own.close();
    const again = await openTravelAgent({ stateFile });
    expect(again.sandbox.ledger().map((it) => it.event)).toEqual(['created', 'paid']);
    await again.close();
  });

  it('throttled names the retry delay, and its status can be chosen', async () => {
    agent.sandbox.order({ message: PAY, kind: 'throttled', retryAfter: 7 });
    expect((await agent.pay(locator)).headers.get('retry-after')).toBe('7');
    agent.sandbox.order({ message: PAY, kind: '5xx-before', status: 500 });
    expect((await agent.pay(locator)).body).toMatchObject({ status: 500, code: '448' });
  });
});

it.each<[SandboxFaultKind, type: string, begins: string]>([
  ['wrong-type', 'application/octet-stream', '%PDF-'],
  ['mislabelled', 'application/pdf', '<html'],
])('%s: a download of another kind than it says', async (kind, type, begins) => {
  await agent.pay(locator);
  agent.sandbox.order({ message: 'download', kind });
  const query = 'firstName=Omar&lastName=SalehB&departure=QCA&arrival=XMD';
  const url = `${agent.sandbox.url}/tickets/confirmation/${locator}/download/passenger-segment?${query}`;
  const reply = await fetch(url, { headers: agent.headers() });
  expect([reply.headers.get('content-type'), (await reply.text()).slice(0, 5)]).toEqual([type, begins]);
});

describe('orders', () => {
  it('a fault order strikes the nth call of its message, as many times as ordered', async () => {
    agent.sandbox.order({ message: 'OTA_ReadRQ', kind: '5xx-before', nth: 2, times: 2 });
    const statuses = [];
    for (let i = 0; i < 5; i++) statuses.push((await agent.readReply(locator)).status);
    expect(statuses).toEqual([200, 503, 503, 200, 200]);
  });

  it('fault orders for * strike any call, one order per call', async () => {
    agent.sandbox.order({ message: '*', kind: '5xx-before' });
    agent.sandbox.order({ message: 'routes', kind: 'unauthorized' });
    const statuses = [];
    for (let i = 0; i < 3; i++) statuses.push((await agent.get('/schedule/routes?sales_channel=OTA')).status);
    expect(statuses).toEqual([503, 401, 200]);
  });
});

describe('a test that answers before the airline', () => {
  const refused = jsonReply(422, { code: 'X1' });
  const acting: Before = (call) => {
    call.act();
    return refused;
  };
  const answers: readonly Before[] = [() => refused, acting, () => undefined];

  it.each([
    [0, false, [422, 'X1']],
    [1, true, [422, 'X1']],
    [2, true, [200, undefined]],
  ])('answer %i: the payment was taken: %s', async (which, acted, due) => {
    const requests: string[] = [];
    const answer = answers[which];
    const before: Before = (call) => {
      requests.push(call.name);
      if (call.name !== PAY) return undefined;
      expect(call.body).toContain(held);
      return answer?.(call);
    };
    const other = await openTravelAgent({ before });
    let held = '';
    try {
      held = await other.hold(await other.trip([TRAIN]), [passenger('1')]);
      expect(seen(await other.pay(held))).toEqual(due);
      expect(other.sandbox.ledger().some(({ event }) => event === 'paid')).toBe(acted);
      expect(requests.filter((name) => name === PAY)).toHaveLength(1);
      expect(requests).toContain('token');
    } finally {
      await other.close();
    }
  });
});
