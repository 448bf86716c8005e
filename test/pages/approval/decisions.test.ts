/**
 * Answers on the page, carried out through the real clerk, store and journal.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { pageOf, type TestDesk, TICKET, testDesk } from './support/desk-of.ts';
import { enter, fetchPage, headingOf, type Visitor, visible } from './support/page-client.ts';

const PAID = 'Paid SAR 172.50';
const PDF = Buffer.from('%PDF-1.7\n\u0000\u00ff');

let desk: TestDesk;
let page: Awaited<ReturnType<typeof pageOf>>;
let approval: Awaited<ReturnType<TestDesk['ask']>>;
let visitor: Visitor;
/** The clerk's, or a test's own. */
let decide: (id: string, yes: boolean) => ReturnType<TestDesk['clerk']['decide']>;
let links: () => Promise<readonly { label: string; number?: string; href?: string }[]>;
let file: (n: number) => Promise<{ name: string; bytes: Uint8Array } | undefined>;

async function open(options: Parameters<typeof testDesk>[0] = {}): Promise<void> {
  links = async () => [{ label: 'Download (PDF)', number: TICKET }];
  file = async (n) => (n === 0 ? { name: `a"b\r\n${TICKET}.pdf`, bytes: PDF } : undefined);
  desk = await testDesk(options);
  decide = (id, yes) => desk.clerk.decide(id, yes, { assurance: 'page' });
  page = await pageOf(desk, {
    decide: ({ operationId }, yes) => decide(operationId, yes),
    ticketLinks: () => links(),
    ticketFile: (_approval, _operation, n) => file(n),
  });
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

test('shows the numbers of tickets, and where to ask, if the links cannot be made', async () => {
  links = () => Promise.reject(new Error('down'));
  expect(visible(await visitor.decide('yes'))).toMatch(new RegExp(`${TICKET}[\\s\\S]*cannot be downloaded here now`));
  expect(desk.failures).toHaveLength(1);
});

const NO_FILE = 'This ticket cannot be downloaded now';
const ticket = (n: string | number, headers: Record<string, string> = {}, from = visitor) =>
  fetchPage(`${from.url}/tickets/${n}`, { headers: { cookie: visitor.cookie, ...headers } });

test('serves the files of tickets from below the page, to nobody but its visitor, and not before the yes', async () => {
  expect(headingOf(await ticket(1))).toBe(NO_FILE);
  const outcome = await visitor.decide('yes');
  const href = /<a class="file" href="([^"]+)">Download \(PDF\)/.exec(outcome.body)?.[1] ?? '';
  expect(href).toBe(`${new URL(visitor.url).pathname}/tickets/1`);
  const served = await fetch(page.origin + href, { headers: { cookie: visitor.cookie } });
  expect(Buffer.from(await served.arrayBuffer())).toEqual(PDF);
  expect(Object.fromEntries(served.headers)).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': `attachment; filename="a_b__${TICKET}.pdf"`,
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
  const other = await enter(page.addressFor(await desk.ask('DEF456')));
  for (const cookie of ['', other.cookie]) expect((await ticket(1, { cookie })).status).toBe(404);
  const { cookie } = visitor;
  const bare = `${page.origin}/approve/${approval.operationId}/tickets/1`;
  expect((await fetchPage(bare, { headers: { cookie } })).status).toBe(404);
  expect((await ticket(1, { host: 'evil.example' })).status).toBe(421);
  const posted = await fetchPage(page.origin + href, { method: 'POST', headers: { cookie, origin: page.origin } });
  expect([posted.status, posted.headers.allow]).toEqual([405, 'GET']);
  expect(headingOf(await ticket(2))).toBe(NO_FILE);
  for (const n of ['0', '-1', '1000', 'x', '1/2']) expect((await ticket(n)).status).toBe(404);
  file = () => Promise.reject(new Error('the airline is down'));
  expect([(await ticket(1)).status, desk.failures.length]).toEqual([500, 1]);
});
