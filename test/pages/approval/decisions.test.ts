/**
 * Answers on the page, carried out through the real clerk, store and journal.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { pageOf, type TestDesk, TICKET, testDesk } from './support/desk-of.ts';
import { enter, headingOf, type Visitor, visible } from './support/page-client.ts';

const PAID = 'Paid SAR 172.50';

let desk: TestDesk;
let page: Awaited<ReturnType<typeof pageOf>>;
let approval: Awaited<ReturnType<TestDesk['ask']>>;
let visitor: Visitor;
/** The clerk's, or a test's own. */
let decide: (id: string, yes: boolean) => ReturnType<TestDesk['clerk']['decide']>;

async function open(options: Parameters<typeof testDesk>[0] = {}): Promise<void> {
  desk = await testDesk(options);
  decide = (id, yes) => desk.clerk.decide(id, yes, { assurance: 'page' });
  page = await pageOf(desk, { decide: ({ operationId }, yes) => decide(operationId, yes) });
  approval = await desk.ask();
  visitor = await enter(page.addressFor(approval));
}
const close = async () => {
  await page.close();
  await desk.close();
};
beforeEach(() => open());
afterEach(close);

/** Returns what lets the airline answer. */
function slowAirline(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  desk.world.answer = () => promise;
  return resolve;
}

test('carries out a yes once, shows its outcome on every visit, and changes nothing on a second answer', async () => {
  const sent = await visitor.answer('yes');
  expect([sent.status, sent.headers.location]).toEqual([303, new URL(visitor.url).pathname]);
  const outcome = await visitor.look();
  expect(headingOf(outcome)).toBe(PAID);
  expect(visible(outcome)).toContain(TICKET);
  expect(outcome.body).not.toContain('<form');
  for (const answer of ['yes', 'no'] as const) expect((await visitor.decide(answer)).body).toBe(outcome.body);
  expect(desk.world.sent).toBe(1);
  const operation = await desk.state.operations.get(approval.operationId);
  expect(operation).toMatchObject({ state: 'succeeded', assurance: 'page' });
});

test('counts twenty answers at once in two tabs as one, and shows all the same outcome', async () => {
  const tabs = [visitor, await enter(page.addressFor(approval))];
  const presses = Array.from({ length: 20 }, (_, n) => tabs[n % 2]?.decide(n < 18 ? 'yes' : 'no'));
  const told = await Promise.all(presses);
  expect(new Set(told.map((one) => one && headingOf(one)))).toEqual(new Set([PAID]));
  expect(desk.world.sent).toBe(1);
});

test('continues to carry out a yes when the tab is closed', async () => {
  const answer = slowAirline();
  const leaving = new AbortController();
  const left = fetch(visitor.url, {
    method: 'POST',
    signal: leaving.signal,
    headers: { cookie: visitor.cookie, origin: page.origin },
    body: new URLSearchParams({ token: visitor.token, decision: 'yes' }),
  }).catch(() => 'left');
  await expect.poll(() => desk.world.sent).toBe(1);
  leaving.abort();
  expect(await left).toBe('left');
  answer();
  await expect.poll(async () => headingOf(await visitor.look())).toBe(PAID);
  expect(desk.failures).toEqual([]);
});

test('shows an unknown outcome as unknown, and the current status on every visit', async () => {
  await close();
  await open({ answerMs: 20 });
  const answer = slowAirline();
  const told = await visitor.decide('yes');
  expect(headingOf(told)).toBe('Sent, but the outcome is not known yet');
  expect(told.body).toContain(`<a class="again" href="${new URL(visitor.url).pathname}">`);
  answer();
  await desk.clerk.idle();
  expect(visible(await visitor.look())).toMatch(new RegExp(`${PAID}[\\s\\S]*${TICKET}`));
  expect(desk.world.sent).toBe(1);
});

test('does nothing on an answer that comes too late, and finds no page an hour later', async () => {
  desk.ahead = 10 * 60_000;
  expect(headingOf(await visitor.look())).toBe('Too late to answer');
  await visitor.answer('yes');
  expect(headingOf(await visitor.look())).not.toBe(PAID);
  expect(desk.world.sent).toBe(0);
  const unopened = page.addressFor(approval);
  desk.ahead = 71 * 60_000;
  expect((await visitor.look()).status).toBe(404);
  expect(await enter(unopened)).toMatchObject({ cookie: '' });
});

test("never claims after a failure that nothing was sent, and later shows the journal's outcome", async () => {
  decide = async (id, yes) => {
    await desk.clerk.decide(id, yes, { assurance: 'page' });
    throw new Error('the store went away');
  };
  const told = await visitor.answer('yes');
  expect(told.status).toBe(500);
  expect(told.body).not.toMatch(/Nothing was sent|the store went away/);
  expect(desk.failures).toHaveLength(1);
  expect(visible(await visitor.look())).toMatch(new RegExp(`${PAID}[\\s\\S]*Ticket ${TICKET}`));
});

test('shows a plain page if the store cannot be read', async () => {
  desk.state.approvals.byOperation = () => Promise.reject(new Error('disk'));
  const told = await visitor.look();
  expect([told.status, headingOf(told)]).toEqual([500, 'Something went wrong here']);
  expect(told.body).not.toContain('disk');
  expect(desk.failures).toHaveLength(1);
});
