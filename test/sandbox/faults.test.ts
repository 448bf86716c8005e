import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { orderFault, type SandboxFaultKind } from '../../src/sandbox/start.ts';
import { type Answer, type Json, openTravelAgent, passenger, TRAIN, type TravelAgent } from './point-of-sale.ts';

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
    agent.sandbox.order({ message: 'token', kind: 'slow-drip', ms: 0 });
    await agent.logIn();
    expect((await agent.get('/schedule/routes?sales_channel=OTA')).status).toBe(200);
  });

  it('late-commit closes the socket first and takes the payment afterwards', async () => {
    agent.sandbox.order({ message: PAY, kind: 'late-commit', ms: 40 });
    expect(await outcome(agent.pay(locator))).toBe('lost');
    expect(paid()).toBe(false);
    await expect.poll(paid).toBe(true);
  });

  it('late-commit takes the payment at the latest when the airline closes', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'sandbox-')), 'airline.sqlite');
    const own = await openTravelAgent({ stateFile: file });
    const held = await own.hold(trip, [passenger('1')]);
    own.sandbox.order({ message: PAY, kind: 'late-commit', ms: 60_000 });
    await outcome(own.pay(held));
    await own.close();
    const again = await openTravelAgent({ stateFile: file });
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

describe('bad downloads', () => {
  it.each<[SandboxFaultKind, object]>([
    ['redirect', { status: 302, type: null, location: 'https://elsewhere.invalid/ticket.pdf', begins: '' }],
    ['wrong-type', { status: 200, type: 'application/octet-stream', location: null, begins: '%PDF-' }],
    ['mislabelled', { status: 200, type: 'application/pdf', location: null, begins: '<html' }],
    ['oversized', { status: 200, type: 'application/pdf', location: null, begins: '%PDF-' }],
  ])('%s', async (kind, due) => {
    await agent.pay(locator);
    agent.sandbox.order({ message: 'download', kind });
    const url = `${agent.sandbox.url}/tickets/confirmation/${locator}/download/passenger-segment?firstName=Omar&lastName=SalehB&departure=QCA&arrival=XMD`;
    const reply = await fetch(url, { headers: agent.headers(), redirect: 'manual' });
    const bytes = Buffer.from(await reply.arrayBuffer());
    const [type, location] = [reply.headers.get('content-type'), reply.headers.get('location')];
    expect({ status: reply.status, type, location, begins: bytes.subarray(0, 5).toString() }).toEqual(due);
    expect(bytes.length > 5 << 20).toBe(kind === 'oversized');
  });
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
    const routes = () => agent.get('/schedule/routes?sales_channel=OTA');
    expect((await routes()).status).toBe(503);
    expect((await routes()).status).toBe(401);
    expect((await routes()).status).toBe(200);
  });

  it('accepts fault orders from another process, and keeps them over a restart', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'sandbox-')), 'airline.sqlite');
    const first = await openTravelAgent({ stateFile: file });
    const held = await first.hold(trip, [passenger('1')]);
    orderFault(file, { message: PAY, kind: 'commit-then-lose' });
    await first.close();
    const second = await openTravelAgent({ stateFile: file });
    expect(await outcome(second.pay(held))).toBe('lost');
    expect((await second.read(held)).offer.priced[0].tpaExtensions.orderInfo.status).toBe('PAID');
    await second.close();
  });

  it('refuses a fault order of an unknown kind', () => {
    expect(() => agent.sandbox.order({ message: PAY, kind: 'meteorite' as SandboxFaultKind })).toThrow(
      'no fault meteorite',
    );
  });
});
