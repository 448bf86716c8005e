/**
 * The page for people who sign in, with a real OpenID provider: who may decide, who may not, and what is recorded.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { signInAs } from '../../http/support/openid.ts';
import { cookieOf, fetchPage, headingOf, visible } from './support/page-client.ts';
import type { PersonAt, Seen } from './support/person.ts';
import { lineView, moveLine, planOf } from './support/plan-on-page.ts';
import { openPublicDesk, type PublicDesk } from './support/public-desk.ts';

const QUESTION = 'Pay SAR 172.50';
const PAID = 'Paid SAR 172.50';
/** Above this amount another person must approve. */
const DEAR = 20_001;

let at: PublicDesk;
let ann: PersonAt;
beforeAll(async () => {
  at = await openPublicDesk({ fourEyesAbove: { minor: DEAR - 1, currency: 'SAR' } });
});
afterAll(() => at.close());
beforeEach(() => {
  at.desk.world.sent = 0;
  ann = at.person('ann');
});
afterEach(() => expect(at.desk.failures).toEqual([]));

const open = (who: PersonAt, approval: { operationId: string }) => who.open(at.address(approval));

describe('the person who is asked', () => {
  it('signs in, says yes, and is recorded by name', async () => {
    const approval = await at.ask();
    const page = await open(ann, approval);
    expect([page.url.href, headingOf(page)]).toEqual([at.address(approval), QUESTION]);
    expect(page.body).toContain('Signed in as ann &lt;b&gt;');
    expect(headingOf(await ann.press(page, 'yes'))).toBe(PAID);
    const id = 'oauth:ann:page';
    expect(await at.approval(approval.operationId)).toMatchObject({ decision: 'granted', approver: id });
    expect(await at.desk.state.operations.get(approval.operationId)).toMatchObject({
      ...{ state: 'succeeded', assurance: 'page', approvedBy: id, caller: 'oauth:ann:desk' },
    });
    expect(at.desk.world.sent).toBe(1);
  });

  it('gets the address of the page in the result, or by a client that opens addresses', async () => {
    const call = (locator: string, canOpenUrls: boolean) =>
      at.desk.clerk.call('pay_booking', { locator }, { caller: at.caller, canElicit: false, canOpenUrls });
    const answer = await call('URL001', false);
    if (answer.kind !== 'result') throw new Error('asked elsewhere');
    const { approval, operation_id: operationId } = answer.structured as { approval: object; operation_id: string };
    expect(approval).toMatchObject({ url: at.address({ operationId }) });
    // A host that shows the text alone has it too.
    expect(answer.text).toContain(`open ${at.address({ operationId })}, sign in and decide`);
    const url = expect.stringContaining(`${at.publicUrl}/approve/`);
    expect(await call('URL002', true)).toMatchObject({ kind: 'ask_url', url });
  });
});

describe('another person', () => {
  it('sees the same page for an existing and an unknown question, can answer neither, and can sign in anew', async () => {
    const approval = await at.ask();
    const eve = at.person('eve');
    const seen = [await open(eve, approval), await open(eve, { operationId: crypto.randomUUID() })];
    const [foreign, unknown] = seen.map(({ status, body }) => [status, body.replace(/[0-9a-f-]{36}/g, 'ID')]);
    expect(foreign).toEqual(unknown);
    expect(foreign).toEqual([404, expect.stringContaining('There is nothing here for you')]);
    expect(foreign?.[1]).not.toContain('SAR');
    expect((await eve.press(await open(ann, approval), 'yes')).status).toBe(404);
    expect(await at.approval(approval.operationId)).toMatchObject({ decision: 'pending' });
    const other = /href="([^"]+)">Sign in with another account/.exec(seen[0]?.body ?? '')?.[1] ?? '';
    const again = await eve.step(new URL(other, at.publicUrl));
    expect(new URL(again.headers.get('location') ?? '').searchParams.get('prompt')).toBe('login');
  });

  it('decides for others with the role for it, within their own tenant', async () => {
    const approval = await at.ask();
    const boss = at.person('boss-bea');
    const page = await open(boss, approval);
    expect(page.body).toContain('for <strong>ann</strong>, another person.');
    expect(headingOf(await boss.press(page, 'yes'))).toBe(PAID);
    const operation = await at.desk.state.operations.get(approval.operationId);
    expect(operation).toMatchObject({ approvedBy: 'oauth:boss-bea:page' });
    const elsewhere = await at.askAs({ tenant: 'https://other.example' });
    for (const person of [boss, ann]) expect((await open(person, elsewhere)).status).toBe(404);
  });

  it("must say yes above the amount: the asker's counts neither by button nor by hand, but their no does", async () => {
    const approval = await at.askAs({}, DEAR);
    const page = await open(ann, approval);
    expect([headingOf(page), page.body.includes('value="yes"')]).toEqual([QUESTION, false]);
    expect(page.body).toContain('Above SAR 200.00 another person must approve.');
    const forced = await ann.press(page, 'yes');
    expect([forced.status, headingOf(forced), at.desk.world.sent]).toEqual([403, 'Not accepted', 0]);
    const boss = at.person('boss-bea');
    expect(headingOf(await boss.press(await open(boss, approval), 'yes'))).toBe(PAID);
    expect(at.desk.world.sent).toBe(1);
    expect(headingOf(await ann.press(await open(ann, await at.askAs({}, DEAR)), 'no'))).toBe('Declined');
    const own = await at.askAs({ caller: 'oauth:boss-bea:desk' }, DEAR);
    expect((await boss.press(await open(boss, own), 'yes')).status).toBe(403);
    expect(at.desk.world.sent).toBe(1);
  });

  it('must say yes to a plan above the amount: the asker gets neither ticks nor the yes', async () => {
    const { clerk } = at.desk;
    const { plan } = clerk;
    Object.assign(clerk, { plan: async () => planOf([moveLine(1), lineView(2)]) });
    const part = { plan: 'pl_1', question: 'q', line: 0, step: 0, alone: true as const };
    const page = await open(ann, await at.askAs({ part }, DEAR));
    Object.assign(clerk, { plan });
    expect(page.body).not.toMatch(/checkbox|value="yes"|value="all"/);
    expect(visible(page)).toMatch(/another person must approve[\s\S]*1\. Move booking ABC101/);
  });
});

describe('refused answers', () => {
  it('are those without the sign-in of this visit, of other sites, or with the token of another sign-in', async () => {
    const approval = await at.ask();
    const page = await open(ann, approval);
    const ended = await at.person('ann').press(page, 'yes');
    expect([ended.status, headingOf(ended), ended.headers.get('location')]).toEqual([
      403,
      'Your sign-in has ended',
      null,
    ]);
    expect((await ann.press(page, 'yes', { origin: 'https://evil.example' })).status).toBe(403);
    expect((await ann.press(page, 'yes', { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    const again = at.person('ann');
    await open(again, approval);
    expect((await again.press(page, 'yes')).status).toBe(403);
    expect(at.desk.world.sent).toBe(0);
  });

  it('refuses a session that was changed', async () => {
    const approval = await at.ask();
    const page = await open(ann, approval);
    const [, name = '', value = ''] = /^([^=]+)=(.*)$/.exec(ann.cookies(page.url)) ?? [];
    const flipped = `${value.slice(0, -2)}${value.endsWith('AA') ? 'BB' : 'AA'}`;
    const with_ = (cookie: string) => fetchPage(at.address(approval), { headers: { cookie } });
    for (const cookie of [flipped, 'x', 'eyJhbGciOiJub25lIn0.e30.']) {
      const { status, headers } = await with_(`${name}=${cookie}`);
      expect([status, headers.location?.startsWith(at.openId.issuer)]).toEqual([303, true]);
    }
    // Others of one name may be a stranger's: however many they are, they hide nothing.
    const strangers = Array(40).fill(`${name}=theirs`).join('; ');
    expect((await with_(`a=b; ${strangers}; ${name}=${value}; ${strangers}; x=y`)).status).toBe(200);
    expect((await with_(`x${name}=${value}`)).status).toBe(303);
  });

  /** What the provider sends back, as somebody made it up. */
  async function comesBack(answer: Record<string, string>, approval: { operationId: string }) {
    const left = await ann.step(new URL(at.address(approval)));
    const state = new URL(left.headers.get('location') ?? '').searchParams.get('state') ?? '';
    return ann.step(new URL(`${at.pageRedirect}?${new URLSearchParams({ state, ...answer })}`));
  }

  it('refuses an answer of the provider that this browser did not ask for (state), or a repeated one (code)', async () => {
    const approval = await at.ask();
    await open(ann, approval);
    const back = ann.steps.find(({ url }) => url.pathname === '/approve/signed-in')?.url ?? new URL('about:blank');
    const eve = at.person('eve');
    await eve.step(new URL(at.address(approval)));
    const forced = await eve.step(back);
    const replied = (seen: typeof forced) => [seen.status, headingOf(seen), seen.headers.getSetCookie()] as const;
    expect(replied(forced)).toEqual([400, 'Not signed in', []]);
    // The ticket was removed when it was used.
    expect(replied(await ann.step(back))).toEqual([400, 'Not signed in', []]);
    expect((await ann.step(new URL(at.pageRedirect))).status).toBe(400);
  });

  it('refuses an answer of another provider (RFC 9207), of one that does not name itself, or a code not issued', async () => {
    const approval = await at.ask();
    for (const iss of [{ iss: 'https://evil.example' }, {}, { iss: at.openId.issuer }] as Record<string, string>[]) {
      expect((await comesBack({ code: 'made-up', ...iss }, approval)).status).toBe(400);
    }
  });

  it('returns to the question after the person cancels the sign-in', async () => {
    const approval = await at.ask();
    const back = await comesBack({ error: 'access_denied', iss: at.openId.issuer }, approval);
    expect([back.status, headingOf(back)]).toEqual([403, 'Not signed in']);
    expect(back.body).toContain(`href="/approve/${approval.operationId}"`);
  });
});

describe('cookies and parameters', () => {
  it('limits cookies to the pages, and signs in by code with PKCE, state and nonce', async () => {
    const approval = await at.ask();
    await open(ann, approval);
    const [left, back] = ann.steps;
    const asked = new URL(left?.headers.get('location') ?? '').searchParams;
    expect(Object.fromEntries(asked)).toMatchObject({
      ...{ response_type: 'code', client_id: 'page', scope: 'openid', code_challenge_method: 'S256' },
      redirect_uri: at.pageRedirect,
    });
    for (const name of ['nonce', 'code_challenge']) expect(asked.get(name)).toMatch(/^[\w-]{43}$/);
    expect(asked.get('state')).toMatch(/^[\w-]{43}$/);
    const [ticket = ''] = left?.headers.getSetCookie() ?? [];
    expect(ticket).toMatch(/^fareclerk_login\d=[^;]+; Path=\/approve\/; Max-Age=600; HttpOnly; SameSite=Lax$/);
    const [session = '', gone = ''] = back?.headers.getSetCookie() ?? [];
    expect(session).toMatch(/^fareclerk_session=[^;]+; Path=\/approve\/; Max-Age=900; HttpOnly; SameSite=Lax$/);
    expect(gone).toMatch(new RegExp(`^${ticket.split('=')[0]}=; .*Max-Age=0`));
    const sealed = session.slice(session.indexOf('=') + 1, session.indexOf(';')).split('.');
    const read = sealed.map((part) => Buffer.from(part, 'base64url').toString('latin1')).join(' ');
    expect(read.length).toBeGreaterThan(100);
    for (const word of ['oauth', approval.operationId]) expect(read).not.toContain(word);
    expect(back?.headers.get('referrer-policy')).toBe('no-referrer');
  });

  it('sets cookies over https that no other scheme or host can set, of eight names, so that they fit the headers', async () => {
    const secure = await openPublicDesk({ origin: 'https://air.example', base: '/desk' });
    const look = (path: string, cookie = '') =>
      fetchPage(`http://127.0.0.1:${secure.port}${path}`, { headers: { host: 'air.example', cookie } });
    const tickets: string[] = [];
    for (let n = 0; n < 8; n++)
      tickets.push(cookieOf(await look(`/desk/approve/${crypto.randomUUID()}`, tickets.join('; '))));
    const names = tickets.map((ticket) => ticket.split('=')[0]);
    expect(names.toSorted()).toEqual(Array.from({ length: 8 }, (_, n) => `__Host-fareclerk_login${n}`));
    expect(names).toContain(cookieOf(await look('/desk/approve/', tickets.join('; '))).split('=')[0]);
    const { operationId } = await secure.ask();
    const left = await look(`/desk/approve/${operationId}`);
    const flags = 'HttpOnly; SameSite=Lax; Secure';
    expect(left.headers['set-cookie']?.[0]).toMatch(
      new RegExp(`^__Host-fareclerk_login\\d=[^;]+; Path=/; Max-Age=600; ${flags}$`),
    );
    const back = await signInAs('ann', new URL(left.headers.location ?? ''), secure.pageRedirect);
    const strangers = Array.from({ length: 20 }, (_, n) => `__Host-fareclerk_login${n}0=x; fareclerk_session=x`);
    const cookies = [...strangers, cookieOf(left)].join('; ');
    const entered = await look(back.pathname + back.search, cookies);
    const [session, ticket] = entered.headers['set-cookie'] ?? [];
    expect(session).toMatch(new RegExp(`^__Host-fareclerk_session=[^;]+; Path=/; Max-Age=900; ${flags}$`));
    expect(ticket).toBe(`${cookieOf(left).split('=')[0]}=; Path=/; Max-Age=0; ${flags}`);
    await secure.close();
  });
});

describe('another installation', () => {
  it.each(['none', 'client_secret_post'] as const)(
    'works below a path, with client authentication %s',
    async (pageAuth) => {
      const other = await openPublicDesk({ base: '/desk', pageAuth });
      const approval = await other.ask();
      const person = other.person('ann');
      const page = await person.open(other.address(approval));
      expect(page.url.pathname).toBe(`/desk/approve/${approval.operationId}`);
      expect(headingOf(await person.press(page, 'yes'))).toBe(PAID);
      await other.close();
    },
  );

  it('answers 503 if the provider is down', async () => {
    const other = await openPublicDesk({ fetch: () => Promise.reject(new Error('away')) });
    for (const place of [(await other.ask()).operationId, '']) {
      const seen = await other.person('ann').step(new URL(`${other.publicUrl}/approve/${place}`));
      const words = 'Sign-in is not available now';
      expect([seen.status, headingOf(seen), seen.headers.get('retry-after')]).toEqual([503, words, '5']);
    }
    await other.close();
  });

  it('needs no other sign-in for a yes up to FARECLERK_PAGE_ABOVE, where the sum is known', async () => {
    const other = await openPublicDesk({ pageAbove: { minor: 17_250, currency: 'SAR' } });
    const person = other.person('ann');
    await person.open(`${other.publicUrl}/approve/`);
    const [small, large] = [await other.ask(), await other.askAs({}, 17_251)];
    const unknown = await other.askAs({});
    const { operation, ...carried } = unknown.carried as { operation: object };
    const operationId = crypto.randomUUID();
    const free = { ...carried, operation: { ...operation, direction: undefined, amount: undefined } };
    await other.desk.state.approvals.put({
      ...unknown,
      operationId,
      handleHash: operationId,
      topic: 'T',
      carried: free,
    });
    const pages = [];
    for (const one of [small, large, { operationId }]) pages.push(await person.step(new URL(other.address(one))));
    expect(pages.map(({ body }) => body.includes('value="yes"'))).toEqual([true, false, false]);
    for (const page of pages.slice(1)) expect((await person.press(page, 'yes')).status).toBe(403);
    expect(other.desk.world.sent).toBe(0);
    expect(headingOf(await person.press(pages[0] as Seen, 'yes'))).toBe(PAID);
    await other.close();
  });

  it('needs another sign-in for a yes to what may be done twice, however small the sum is', async () => {
    const other = await openPublicDesk({ pageAbove: { minor: 17_250, currency: 'SAR' } });
    const person = other.person('ann');
    await person.open(`${other.publicUrl}/approve/`);
    other.desk.world.doneHere = 'Paid here on Sun 29 Nov 08:00 (UTC+3).';
    const asked = await other.ask();
    expect((await other.approval(asked.operationId))?.pageOnly).toBe(true);

    const page = await person.step(new URL(other.address(asked)));
    expect([page.body.includes('Paid here on'), page.body.includes('value="yes"')]).toEqual([true, false]);
    expect((await person.press(page, 'yes')).status).toBe(403);
    expect(other.desk.world.sent).toBe(0);

    const signedIn = await person.open(`${other.address(asked)}?to=approve`);
    expect(headingOf(await person.press(signedIn, 'yes'))).toBe(PAID);
    expect(other.desk.world.sent).toBe(1);
    await other.close();
  });
});
