/**
 * The inbox of a person who signed in, with a real OpenID provider: whose questions it shows, and that its sign-in opens and
 * decides nothing.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Approval } from '../../../src/approvals/ports.ts';
import { fetchPage } from './support/page-client.ts';
import { headingOf, type PersonAt } from './support/person.ts';
import { openPublicDesk, type PublicDesk } from './support/public-desk.ts';

let at: PublicDesk;
let list: string;
beforeAll(async () => {
  at = await openPublicDesk({ fourEyesAbove: { minor: 20_000, currency: 'SAR' } });
  list = `${at.publicUrl}/approve/`;
});
afterAll(() => at.close());
beforeEach(async () => {
  for (const { handleHash } of await at.desk.state.approvals.waiting(at.desk.now())) {
    await at.desk.state.approvals.decide(handleHash, 'declined', 'page', at.desk.now());
  }
  at.desk.world.sent = 0;
});
afterEach(() => expect(at.desk.failures).toEqual([]));

let locators = 0;
const ask = () => at.desk.ask(`IN${1000 + ++locators}`);

/** The same question of somebody else, with another amount or deadline. */
async function askAs(over: Partial<Approval>, minor = 17_250): Promise<Approval> {
  const approval = await ask();
  await at.desk.state.approvals.decide(approval.handleHash, 'declined', 'page', at.desk.now());
  const operationId = crypto.randomUUID();
  const carried = approval.carried as { operation: object };
  const copy: Approval = {
    ...approval,
    operationId,
    handleHash: operationId,
    carried: { ...carried, operation: { ...carried.operation, amount: { minor, currency: 'SAR' } } },
    ...over,
  };
  await at.desk.state.approvals.put(copy);
  return copy;
}

const linked = (body: string) => [...body.matchAll(/href="\/approve\/([\w-]{36})"/g)].map(([, id]) => id);

it('lists the own questions, the newest first, with who asks, booking and time left', async () => {
  const client = { name: 'claude-ai', version: '1.4' };
  const now = at.desk.now();
  const older = await askAs({ client, expiresAt: now + 125_000 });
  const newer = await askAs({ expiresAt: now + 500_000, near: '2026-12-01T08:00:00+03:00' });
  const page = await at.person('ann').open(list);
  expect([page.status, page.url.href, headingOf(page)]).toEqual([200, list, '2 questions wait for you']);
  expect(linked(page.body)).toEqual([newer.operationId, older.operationId]);
  expect(page.body).toContain('>Pay SAR 172.50</a>');
  expect(page.body).toContain(`Booking ${older.locator}. Asked by “claude-ai” 1.4 for you.`);
  expect(page.body).toContain('<strong>2 minutes left</strong>');
  expect(page.body).toContain('(UTC+3)</time>');
  expect(page.body).not.toMatch(/<form|<button|<script/);
});

it('has the headers of the page, and renews itself until the person stops that', async () => {
  const ann = at.person('ann');
  const page = await ann.open(list);
  expect(page.body).toContain('<meta http-equiv="refresh" content="15; url=/approve/">');
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'; style-src 'sha256-");
  expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(page.headers.get('cache-control')).toBe('no-store');
  const still = await ann.step(new URL(`${list}?refresh=off`));
  expect([still.status, headingOf(still)]).toEqual([200, 'No open questions for you']);
  expect(still.body).not.toContain('http-equiv="refresh"');
});

it('shows nothing of others, of another tenant, or of what was answered or expired', async () => {
  await ask();
  await askAs({ caller: 'oauth:bob:desk' });
  await askAs({ tenant: 'https://other.example' });
  await askAs({ caller: 'oauth:eve:desk', decision: 'declined' });
  await askAs({ caller: 'oauth:eve:desk', expiresAt: at.desk.now() - 1 });
  const page = await at.person('eve').open(list);
  expect(headingOf(page)).toBe('No open questions for you');
  expect(linked(page.body)).toEqual([]);
  expect(page.body).not.toMatch(/SAR|Booking|ann/);
});

it('shows an approver what others of the tenant ask, and says whose their own yes is not', async () => {
  const [ofAnn, foreign] = [await ask(), await askAs({ tenant: 'https://other.example' })];
  const own = await askAs({ caller: 'oauth:boss-bea:desk' }, 20_001);
  const page = await at.person('boss-bea').open(list);
  expect(linked(page.body)).toEqual(expect.arrayContaining([ofAnn.operationId, own.operationId]));
  expect(linked(page.body)).not.toContain(foreign.operationId);
  expect(page.body).toContain('Asked by an assistant for ann.');
  expect(page.body.match(/Another person must say yes; you can only say no/g)).toHaveLength(1);
});

it('shows a supervisor the questions of others of the tenant, without a way to decide them', async () => {
  const ofAnn = await askAs({ client: { name: '<b>claude-ai</b>', version: '1.4' } });
  const foreign = await askAs({ tenant: 'https://other.example', act: 'Pay SAR 9.99' });
  const own = await askAs({ caller: 'oauth:lead-lea:desk' });
  const lead = at.person('lead-lea');
  const page = await lead.open(list);
  expect(headingOf(page)).toBe('1 question waits for you');
  expect(linked(page.body)).toEqual([own.operationId]);
  expect(page.body).toContain('Waiting for others: 1');
  expect(page.body).toContain(`Booking ${ofAnn.locator}. Asked by “‹b›claude-ai‹/b›” 1.4 for ann.`);
  expect(page.body).not.toContain(ofAnn.operationId);
  expect(page.body).not.toContain(foreign.act);
  const shown = await lead.open(at.address(ofAnn));
  expect(shown.status).toBe(404);
  expect(shown.body).not.toMatch(/SAR|<button/);
  expect((await at.person('boss-bea').open(list)).body).not.toContain('Waiting for others');
});

it('leads to the question, which asks who it is again, and from there back', async () => {
  const approval = await ask();
  const ann = at.person('ann');
  await ann.open(list);
  const before = ann.steps.length;
  const question = await ann.open(at.address(approval));
  expect(ann.steps.slice(before).map(({ status }) => status)).toEqual([303, 303, 200]);
  expect(headingOf(question)).toBe('Pay SAR 172.50');
  expect(question.body).toContain('<a href="/approve/">All questions that wait for you</a>');
});

/** The one session cookie of the list. */
function sessionOf(person: PersonAt): string {
  const cookies = person.cookies(new URL(list)).split('; ');
  expect(cookies).toHaveLength(1);
  return cookies[0] ?? '';
}

it('takes the session of the list for no question: it neither shows nor decides one', async () => {
  const approval = await ask();
  const ann = at.person('ann');
  const page = await ann.open(at.address(approval));
  const token = /name="token" value="([^"]+)"/.exec(page.body)?.[1] ?? '';
  const eve = at.person('ann');
  await eve.open(list);
  const cookie = sessionOf(eve);
  const shown = await fetchPage(at.address(approval), { headers: { cookie } });
  expect([shown.status, shown.headers.location?.startsWith(at.openId.issuer)]).toEqual([303, true]);
  const sent = await fetchPage(at.address(approval), {
    method: 'POST',
    headers: { cookie, origin: at.publicUrl, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ token, decision: 'yes' }).toString(),
  });
  expect(sent.status).toBe(403);
  expect(await at.approval(approval.operationId)).toMatchObject({ decision: 'pending' });
  expect(at.desk.world.sent).toBe(0);
});

it('takes the session of a question neither for the list nor for another question', async () => {
  const [one, other] = [await ask(), await ask()];
  const ann = at.person('ann');
  const page = await ann.open(at.address(one));
  const cookie = ann.cookies(page.url);
  for (const address of [list, at.address(other)]) {
    const reply = await fetchPage(address, { headers: { cookie } });
    expect([reply.status, reply.headers.location?.startsWith(at.openId.issuer)]).toEqual([303, true]);
  }
});

it('refuses other hosts, forms and made-up sessions', async () => {
  // Refused before any page is asked (admission.ts).
  expect((await fetchPage(list, { headers: { host: 'evil.example' } })).status).toBe(403);
  const posted = await fetchPage(list, { method: 'POST', headers: { origin: at.publicUrl } });
  expect([posted.status, posted.headers.allow]).toEqual([405, 'GET']);
  const forged = await fetchPage(list, { headers: { cookie: 'fareclerk_session=eyJhbGciOiJub25lIn0.e30.' } });
  expect(forged.status).toBe(303);
  expect((await fetchPage(`${at.publicUrl}/approve/*`)).status).toBe(404);
});

it('signs in as somebody else, and comes back to the list after a cancelled sign-in', async () => {
  const ann = at.person('ann');
  await ann.open(list);
  const again = await ann.step(new URL(`${list}?as=another`));
  const leaving = new URL(again.headers.get('location') ?? '').searchParams;
  expect(leaving.get('prompt')).toBe('login');
  const query = new URLSearchParams({
    error: 'access_denied',
    state: leaving.get('state') ?? '',
    iss: at.openId.issuer,
  });
  const back = await ann.step(new URL(`${at.publicUrl}/approve/signed-in?${query}`));
  expect(back.status).toBe(403);
  expect(back.body).toContain('href="/approve/">Open the list again</a>');
});

it('answers 503 without the provider, and 500 if the state cannot be read', async () => {
  const ann = at.person('ann');
  await ann.open(list);
  const { approvals } = at.desk.state;
  const waiting = approvals.waiting;
  approvals.waiting = () => Promise.reject(new Error('disk'));
  const broken = await ann.step(new URL(list));
  approvals.waiting = waiting;
  expect([broken.status, headingOf(broken)]).toEqual([500, 'Something went wrong here']);
  expect(at.desk.failures.splice(0)).toHaveLength(1);
  const alone = await openPublicDesk();
  await alone.openId.close();
  expect((await fetchPage(`${alone.publicUrl}/approve/`)).status).toBe(503);
  await alone.serving.stop();
});
