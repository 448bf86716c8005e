/**
 * The inbox of a person who signed in, with a real OpenID provider: whose questions it shows, and that its sign-in opens and
 * decides nothing.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { fetchPage, headingOf, tokenOf, visible } from './support/page-client.ts';
import type { PersonAt } from './support/person.ts';
import { openPublicDesk, type PublicDesk } from './support/public-desk.ts';

let at: PublicDesk;
let list: string;
let ann: PersonAt;
beforeAll(async () => {
  at = await openPublicDesk({ fourEyesAbove: { minor: 20_000, currency: 'SAR' } });
  list = `${at.publicUrl}/approve/`;
});
afterAll(() => at.close());
beforeEach(async () => {
  ann = at.person('ann');
  for (const { handleHash } of await at.desk.state.approvals.waiting(at.desk.now())) {
    await at.desk.state.approvals.decide(handleHash, { decision: 'declined', assurance: 'page' }, at.desk.now());
  }
});
afterEach(() => expect(at.desk.failures).toEqual([]));

const linked = ({ body }: { body: string }) => [...body.matchAll(/href="\/approve\/([\w-]{36})"/g)].map(([, id]) => id);

it('lists the own questions, the soonest to lapse first, with whom and what they are about, who asks and the time left', async () => {
  const now = at.desk.now();
  const about = { people: ['Amal Haddad'], count: 3, route: 'Madinah → Jeddah', departs: '2026-12-01T08:00:00+03:00' };
  const later = await at.askAs({ about, expiresAt: now + 500_000 });
  const sooner = await at.askAs({ client: { name: 'claude-ai', version: '1.4' }, expiresAt: now + 125_000 });
  const page = await ann.open(list);
  expect([page.status, page.url.href, headingOf(page)]).toEqual([200, list, '2 open questions for you']);
  expect(linked(page)).toEqual([sooner.operationId, later.operationId]);
  const text = visible(page);
  expect(text).toContain(
    `\n→ SAR 172.50 Pay SAR 172.50, booking ${sooner.locator}\nPayment\nAsked by “claude-ai” 1.4 for you.`,
  );
  expect(text).toContain(
    `→ SAR 172.50 Amal Haddad and 2 others · Madinah → Jeddah, Tue 1 Dec Pay SAR 172.50, booking ${later.locator}\n`,
  );
  expect(text).toMatch(/\n2 minutes left: answer by \d\d:\d\d \(UTC\)/);
  expect(page.body).not.toMatch(/<form|<button|<script(?! type="module">)/);
});

it('has the headers of the page, and renews itself until the person stops that', async () => {
  const page = await ann.open(list);
  expect(page.body).toContain('<meta http-equiv="refresh" content="15; url=/approve/">');
  expect(page.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-.*script-src 'sha256-.*frame-ancestors 'none'/,
  );
  expect(page.headers.get('cache-control')).toBe('no-store');
  const still = await ann.step(new URL(`${list}?refresh=off`));
  expect([still.status, headingOf(still)]).toEqual([200, 'No open questions for you']);
  expect(still.body).not.toContain('http-equiv="refresh"');
});

it('shows nothing of others, of another tenant, or of what was answered or expired', async () => {
  await at.ask();
  await at.askAs({ caller: 'oauth:bob:desk' });
  await at.askAs({ tenant: 'https://other.example' });
  await at.askAs({ caller: 'oauth:eve:desk', decision: 'declined' });
  await at.askAs({ caller: 'oauth:eve:desk', expiresAt: at.desk.now() - 1 });
  const page = await at.person('eve').open(list);
  expect([headingOf(page), linked(page)]).toEqual(['No open questions for you', []]);
  expect(page.body).not.toMatch(/SAR|Booking|ann/);
});

it('shows an approver what others of the tenant ask, and says whose their own yes is not', async () => {
  const [ofAnn, foreign] = [await at.ask(), await at.askAs({ tenant: 'https://other.example' })];
  const own = await at.askAs({ caller: 'oauth:boss-bea:desk' }, 20_001);
  const page = await at.person('boss-bea').open(list);
  expect(linked(page)).toEqual(expect.arrayContaining([ofAnn.operationId, own.operationId]));
  expect(linked(page)).not.toContain(foreign.operationId);
  expect(page.body).toContain('Asked by “desk” for ann.');
  const [before = '', after = ''] = page.body.split(
    'Another person must approve these, and you can only decline them: 1',
  );
  expect([headingOf({ body: before }), linked({ body: before })]).toEqual([
    '1 open question for you',
    [ofAnn.operationId],
  ]);
  expect(linked({ body: after })).toEqual([own.operationId]);
});

/** Questions of one person, each about a booking of its own, all of them sooner to lapse than any other. */
async function manyOf(caller: string, count: number) {
  const model = await at.askAs({ caller });
  const { approvals } = at.desk.state;
  const copies = Array.from({ length: count - 1 }, (_, i) => {
    const operationId = crypto.randomUUID();
    return {
      ...model,
      operationId,
      handleHash: operationId,
      locator: `M${i}`,
      topic: `M${i}`,
      expiresAt: model.expiresAt - 60_000 + i,
    };
  });
  for (const one of copies) await approvals.put(one);
  return copies;
}

it('shows first who asks little, so that one person’s many hide nobody’s few', async () => {
  await manyOf('oauth:kim:desk', 100);
  const ofAnn = await at.ask();
  const bea = at.person('boss-bea');
  const page = await bea.open(list);
  expect(headingOf(page)).toBe('101 open questions for you');
  expect([linked(page).length, linked(page)[0]]).toEqual([101, ofAnn.operationId]);
  const lead = await at.person('lead-lea').open(list);
  expect(visible(lead)).toContain('Waiting for others: 101\n');
  expect(linked(lead)[0]).toBe(ofAnn.operationId);
});

it('lets a supervisor read the questions of others of the tenant, without a way to decide them', async () => {
  const ofAnn = await at.askAs({ client: { name: '<b>claude-ai</b>', version: '1.4' } });
  const foreign = await at.askAs({ tenant: 'https://other.example', act: { verb: 'Pay SAR 9.99' } });
  const own = await at.askAs({ caller: 'oauth:lead-lea:desk' });
  const lead = at.person('lead-lea');
  const page = await lead.open(list);
  expect([headingOf(page), linked(page)]).toEqual(['1 open question for you', [own.operationId, ofAnn.operationId]]);
  expect(page.body).toContain('Waiting for others: 1');
  expect(visible(page)).toContain(`, booking ${ofAnn.locator}\nPayment\nAsked by “‹b›claude-ai‹/b›” 1.4 for ann.`);
  expect(page.body).not.toContain(foreign.operationId);
  const shown = await lead.open(at.address(ofAnn));
  expect([shown.status, headingOf(shown)]).toEqual([200, `Pay SAR 172.50`]);
  expect(visible(shown)).toContain('You can read this question. ann or an approver answers it.');
  expect(shown.body).not.toMatch(/<button|<form|Sign in to approve/i);
  const seen = await ann.open(at.address(ofAnn));
  for (const decision of ['yes', 'no'] as const) {
    const forced = await lead.press({ ...shown, body: seen.body }, decision);
    expect([forced.status, headingOf(forced)]).toEqual([403, 'Not accepted']);
  }
  expect(await at.approval(ofAnn.operationId)).toMatchObject({ decision: 'pending' });
  expect((await at.person('boss-bea').open(list)).body).not.toContain('Waiting for others');
});

it('tells nobody but a supervisor of the tenant that a question of others is there: the same bytes as of an unknown one', async () => {
  const [ofAnn, foreign] = [await at.ask(), await at.askAs({ tenant: 'https://other.example' })];
  const bytes = async (name: string, operationId: string) => {
    const page = await at.person(name).open(at.address({ operationId }));
    return [page.status, page.body.replaceAll(operationId, 'ID')];
  };
  const unknown = crypto.randomUUID();
  expect(await bytes('eve', ofAnn.operationId)).toEqual(await bytes('eve', unknown));
  for (const name of ['eve', 'boss-bea', 'lead-lea']) {
    const [status, body] = await bytes(name, unknown);
    expect([status, String(body).includes('There is nothing here for you')]).toEqual([404, true]);
    expect(await bytes(name, foreign.operationId)).toEqual([status, body]);
  }
});

it('opens questions for looking and for a no; a yes needs a sign-in for its question', async () => {
  const [approval, other, refused] = [await at.ask(), await at.ask(), await at.ask()];
  await ann.open(list);
  const page = await ann.step(new URL(at.address(approval)));
  expect([headingOf(page), page.body.includes('value="yes"')]).toEqual(['Pay SAR 172.50', false]);
  const forced = await ann.press(page, 'yes');
  expect([forced.status, headingOf(forced)]).toEqual([403, 'Your sign-in has ended']);
  expect([await at.desk.decisionOf(approval), at.desk.world.sent]).toEqual(['pending', 0]);
  const [, signIn = ''] = /href="([^"]+)">Sign in to approve/.exec(page.body) ?? [];
  expect(forced.body).toContain(`href="${signIn}"`);
  // A sign-in in another tab ends neither that of this page, nor what its form may say.
  const [here, there] = [await ann.open(new URL(signIn, list)), await ann.open(`${at.address(other)}?to=approve`)];
  expect([here, there].map(({ url, body }) => [url.href, body.includes('value="yes"')])).toEqual([
    [at.address(approval), true],
    [at.address(other), true],
  ]);
  expect(headingOf(await ann.press(here, 'yes'))).toBe('Paid SAR 172.50');
  expect(at.desk.world.sent).toBe(1);
  const onlyNo = await ann.step(new URL(at.address(refused)));
  expect(headingOf(await ann.press(onlyNo, 'no'))).toBe('Declined');
  // Neither the form of another question, nor that of another person, counts.
  const sent = async (who: PersonAt, token: string) =>
    (await who.press({ ...there, body: `name="token" value="${token}"` }, 'yes')).status;
  expect(await sent(ann, tokenOf(here))).toBe(403);
  const bea = at.person('boss-bea');
  await bea.open(at.address(other));
  expect(await sent(bea, tokenOf(there))).toBe(403);
  expect(await at.desk.decisionOf(other)).toBe('pending');
});

it('refuses other hosts, forms and places', async () => {
  // Refused before any page is asked.
  expect((await fetchPage(list, { headers: { host: 'evil.example' } })).status).toBe(403);
  const posted = await fetchPage(list, { method: 'POST', headers: { origin: at.publicUrl } });
  expect([posted.status, posted.headers.allow]).toEqual([405, 'GET']);
  expect((await fetchPage(`${list}*`)).status).toBe(404);
});

it('answers 500 if the state cannot be read', async () => {
  await ann.open(list);
  const { approvals } = at.desk.state;
  const { waiting } = approvals;
  approvals.waiting = () => Promise.reject(new Error('disk'));
  const broken = await ann.step(new URL(list));
  approvals.waiting = waiting;
  expect([broken.status, headingOf(broken)]).toEqual([500, 'Something went wrong here']);
  expect(at.desk.failures.splice(0)).toHaveLength(1);
});
