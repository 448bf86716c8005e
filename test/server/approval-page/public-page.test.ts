/**
 * The page for people who sign in, with a real OpenID provider: who may decide, who may not, and what is recorded.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { headingOf, type PersonAt } from './support/person.ts';
import { openPublicDesk, type PublicDesk } from './support/public-desk.ts';

const QUESTION = 'Pay SAR 172.50';
const NOTHING = 'There is nothing here for you';

let at: PublicDesk;
beforeAll(async () => {
  at = await openPublicDesk({ fourEyesAbove: { minor: 20_000, currency: 'SAR' } });
});
afterAll(() => at.close());
beforeEach(() => {
  at.desk.world.sent = 0;
  locators += 1;
});
afterEach(() => expect(at.desk.failures).toEqual([]));

let locators = 0;
const ask = () => at.desk.ask(`ABC${100 + locators}`);

describe('the person who is asked', () => {
  it('carries out the yes of the asker who signs in, and records their name', async () => {
    const approval = await ask();
    const ann = at.person('ann');
    const page = await ann.open(at.address(approval));
    expect([page.url.href, headingOf(page)]).toEqual([at.address(approval), QUESTION]);
    expect(page.body).toContain('Signed in as ann &lt;b&gt;');
    const outcome = await ann.press(page, 'yes');
    expect(headingOf(outcome)).toBe('Paid SAR 172.50');
    const id = 'oauth:ann:page';
    expect(await at.approval(approval.operationId)).toMatchObject({ decision: 'granted', approver: id });
    expect(await at.desk.state.operations.get(approval.operationId)).toMatchObject({
      state: 'succeeded',
      assurance: 'page',
      approvedBy: id,
      caller: 'oauth:ann:desk',
    });
    expect(at.desk.world.sent).toBe(1);
  });

  it('sends nothing if the asker says no', async () => {
    const approval = await ask();
    const ann = at.person('ann');
    const outcome = await ann.press(await ann.open(at.address(approval)), 'no');
    expect(headingOf(outcome)).toBe('You said no');
    expect(await at.approval(approval.operationId)).toMatchObject({ decision: 'declined', approver: 'oauth:ann:page' });
    expect(at.desk.world.sent).toBe(0);
  });

  it('accepts a sign-in for one page, and asks the provider again for the next', async () => {
    const first = await ask();
    locators += 1;
    const second = await ask();
    const ann = at.person('ann');
    await ann.open(at.address(first));
    const before = ann.steps.length;
    expect(headingOf(await ann.open(at.address(second)))).toBe(QUESTION);
    const [left, back, shown] = ann.steps.slice(before);
    expect(left?.headers.get('location')).toContain(at.openId.issuer);
    expect(back?.url.pathname).toBe('/approve/signed-in');
    expect(shown?.status).toBe(200);
  });
});

describe('the address', () => {
  const call = (canOpenUrls: boolean) =>
    at.desk.clerk.call(
      'pay_booking',
      { locator: `URL${locators}` },
      { caller: at.caller, canElicit: false, canOpenUrls },
    );

  it('names the address of the page in the result, and asks for sign-in there', async () => {
    const answer = await call(false);
    if (answer.kind !== 'result') throw new Error('asked elsewhere');
    const { approval, operation_id: operationId, status } = answer.structured as never as Record<string, never>;
    expect(status).toBe('approval_required');
    const address = at.address({ operationId: operationId ?? '' });
    expect(approval).toMatchObject({ url: address });
    // A host that shows the text alone has it too.
    expect(answer.text).toContain(`open ${address}, sign in and decide`);
  });

  it('gives the address of the page to clients that open addresses', async () => {
    expect(await call(true)).toMatchObject({
      kind: 'ask_url',
      url: expect.stringContaining(`${at.publicUrl}/approve/`),
    });
  });
});

describe('another person', () => {
  it('shows another person the same page for an existing and an unknown question', async () => {
    const approval = await ask();
    const eve = at.person('eve');
    const foreign = await eve.open(at.address(approval));
    const unknown = await eve.open(at.address({ operationId: crypto.randomUUID() }));
    expect([foreign.status, unknown.status]).toEqual([404, 404]);
    expect([headingOf(foreign), headingOf(unknown)]).toEqual([NOTHING, NOTHING]);
    const same = (body: string) => body.replace(/[0-9a-f-]{36}/g, 'ID');
    expect(same(foreign.body)).toBe(same(unknown.body));
    expect(foreign.body).not.toContain('SAR');
  });

  it('refuses a form from another person', async () => {
    const approval = await ask();
    const ann = at.person('ann');
    const page = await ann.open(at.address(approval));
    const eve = at.person('eve');
    await eve.open(at.address(approval));
    expect((await eve.press(page, 'yes')).status).toBe(404);
    expect(await at.approval(approval.operationId)).toMatchObject({ decision: 'pending' });
  });

  it('lets another visitor sign in as the right person', async () => {
    const approval = await ask();
    const eve = at.person('eve');
    const page = await eve.open(at.address(approval));
    const other = /href="([^"]+)">Sign in as somebody else/.exec(page.body)?.[1] ?? '';
    const seen = await eve.step(new URL(other, page.url));
    expect(new URL(seen.headers.get('location') ?? '').searchParams.get('prompt')).toBe('login');
  });
});

describe('two people', () => {
  it('lets a person with the role decide for others', async () => {
    const approval = await ask();
    const boss = at.person('boss-bea');
    const page = await boss.open(at.address(approval));
    expect(page.body).toContain('for <strong>ann</strong>, another person.');
    expect(headingOf(await boss.press(page, 'yes'))).toBe('Paid SAR 172.50');
    expect(await at.desk.state.operations.get(approval.operationId)).toMatchObject({
      approvedBy: 'oauth:boss-bea:page',
    });
  });

  it("refuses the asker's yes above the amount, by button or by hand", async () => {
    const approval = await askDear();
    const ann = at.person('ann');
    const page = await ann.open(at.address(approval));
    expect(headingOf(page)).toBe('Pay SAR 172.50');
    expect(page.body).toContain('Above this amount another person must say yes.');
    expect(page.body).not.toContain('value="yes"');
    const forced = await ann.press(page, 'yes');
    expect([forced.status, headingOf(forced)]).toEqual([403, 'Another person must say yes']);
    expect(at.desk.world.sent).toBe(0);
    const boss = at.person('boss-bea');
    expect(headingOf(await boss.press(await boss.open(at.address(approval)), 'yes'))).toBe('Paid SAR 172.50');
    expect(at.desk.world.sent).toBe(1);
  });

  it("accepts the asker's no above the amount", async () => {
    const approval = await askDear();
    const ann = at.person('ann');
    expect(headingOf(await ann.press(await ann.open(at.address(approval)), 'no'))).toBe('You said no');
  });

  it("refuses an approver's yes to their own question above the amount", async () => {
    const approval = await askDear({ tenant: at.openId.issuer, id: 'oauth:boss-bea:desk' });
    const boss = at.person('boss-bea');
    const page = await boss.open(at.address(approval));
    expect((await boss.press(page, 'yes')).status).toBe(403);
    expect(at.desk.world.sent).toBe(0);
  });

  it('refuses the decision of an approver of another tenant', async () => {
    const approval = await askAs({ tenant: 'https://other.example', id: 'oauth:ann:desk' });
    const boss = at.person('boss-bea');
    expect((await boss.open(at.address(approval))).status).toBe(404);
    expect((await at.person('ann').open(at.address(approval))).status).toBe(404);
  });
});

async function askAs(caller: { tenant: string; id: string }, minor = 17_250) {
  const approval = await ask();
  const { approvals } = at.desk.state;
  const operationId = crypto.randomUUID();
  const carried = approval.carried as { operation: object };
  const copy = {
    ...approval,
    tenant: caller.tenant,
    caller: caller.id,
    operationId,
    handleHash: operationId,
    carried: { ...carried, operation: { ...carried.operation, amount: { minor, currency: 'SAR' } } },
  };
  await approvals.put(copy);
  return copy;
}

const askDear = (caller = at.caller) => askAs(caller, 20_001);

describe('refused answers', () => {
  let ann: PersonAt;
  beforeEach(() => {
    ann = at.person('ann');
  });

  it('refuses a form after the sign-in has ended', async () => {
    const approval = await ask();
    const page = await ann.open(at.address(approval));
    const stranger = at.person('ann');
    const sent = await stranger.press(page, 'yes');
    expect([sent.status, headingOf(sent)]).toEqual([403, 'Your sign-in has ended']);
    expect(sent.headers.get('location')).toBeNull();
  });

  it('refuses a form of another site, or with the token of another sign-in', async () => {
    const approval = await ask();
    const page = await ann.open(at.address(approval));
    expect((await ann.press(page, 'yes', { origin: 'https://evil.example' })).status).toBe(403);
    expect((await ann.press(page, 'yes', { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    const again = at.person('ann');
    await again.open(at.address(approval));
    expect((await again.press(page, 'yes')).status).toBe(403);
    expect(at.desk.world.sent).toBe(0);
  });

  it('refuses a session of another page, or one that was changed', async () => {
    const approval = await ask();
    const page = await ann.open(at.address(approval));
    const [, name = '', value = ''] = /^([^=]+)=(.*)$/.exec(ann.cookies(page.url)) ?? [];
    locators += 1;
    const other = await ask();
    const flipped = `${value.slice(0, -2)}${value.endsWith('AA') ? 'BB' : 'AA'}`;
    for (const [operation, cookie] of [
      [other, value],
      [approval, flipped],
      [approval, 'x'],
    ] as const) {
      const reply = await fetch(at.address(operation), {
        redirect: 'manual',
        headers: { cookie: `${name}=${cookie}` },
      });
      expect([reply.status, reply.headers.get('location')?.startsWith(at.openId.issuer)]).toEqual([303, true]);
    }
  });

  it('refuses an answer of the provider that this browser did not ask for (state), or a repeated one (code)', async () => {
    const approval = await ask();
    await ann.open(at.address(approval));
    const back = ann.steps.find(({ url }) => url.pathname === '/approve/signed-in');
    const eve = at.person('eve');
    await eve.step(new URL(at.address(approval)));
    const forced = await eve.step(back?.url ?? new URL('about:blank'));
    expect([forced.status, headingOf(forced)]).toEqual([400, 'Not signed in']);
    // The ticket was removed when it was used.
    expect((await ann.step(back?.url ?? new URL('about:blank'))).status).toBe(400);
    expect((await ann.step(new URL(`${at.publicUrl}/approve/signed-in`))).status).toBe(400);
  });

  it('returns to the question after the person cancels the sign-in', async () => {
    const approval = await ask();
    const left = await ann.step(new URL(at.address(approval)));
    const state = new URL(left.headers.get('location') ?? '').searchParams.get('state') ?? '';
    const query = new URLSearchParams({ error: 'access_denied', state, iss: at.openId.issuer });
    const back = await ann.step(new URL(`${at.publicUrl}/approve/signed-in?${query}`));
    expect([back.status, headingOf(back)]).toEqual([403, 'Not signed in']);
    expect(back.body).toContain(`href="/approve/${approval.operationId}"`);
  });

  it('refuses an answer of another provider (RFC 9207), or of one that does not name itself', async () => {
    const approval = await ask();
    for (const iss of [{ iss: 'https://evil.example' }, {}]) {
      const left = await ann.step(new URL(at.address(approval)));
      const state = new URL(left.headers.get('location') ?? '').searchParams.get('state') ?? '';
      const query = new URLSearchParams({ code: 'x', state, ...iss });
      expect((await ann.step(new URL(`${at.publicUrl}/approve/signed-in?${query}`))).status).toBe(400);
    }
  });

  it('refuses a code that the provider did not issue', async () => {
    const approval = await ask();
    const left = await ann.step(new URL(at.address(approval)));
    const state = new URL(left.headers.get('location') ?? '').searchParams.get('state') ?? '';
    const query = new URLSearchParams({ code: 'made-up', state, iss: at.openId.issuer });
    expect((await ann.step(new URL(`${at.publicUrl}/approve/signed-in?${query}`))).status).toBe(400);
  });
});

describe('cookies and parameters', () => {
  it('limits cookies to the page, and signs in by code with PKCE, state and nonce', async () => {
    const approval = await ask();
    const ann = at.person('ann');
    await ann.open(at.address(approval));
    const [left, back] = ann.steps;
    const asked = new URL(left?.headers.get('location') ?? '').searchParams;
    expect(Object.fromEntries(asked)).toMatchObject({
      response_type: 'code',
      client_id: 'page',
      scope: 'openid',
      code_challenge_method: 'S256',
      redirect_uri: `${at.publicUrl}/approve/signed-in`,
    });
    for (const name of ['state', 'nonce', 'code_challenge']) expect(asked.get(name)).toMatch(/^[\w-]{43}$/);
    const [ticket = ''] = left?.headers.getSetCookie() ?? [];
    expect(ticket).toMatch(/^fareclerk_login\d=[^;]+; Path=\/approve\/signed-in; Max-Age=600; HttpOnly; SameSite=Lax$/);
    const [session = '', gone = ''] = back?.headers.getSetCookie() ?? [];
    const path = `/approve/${approval.operationId}`;
    expect(session).toMatch(new RegExp(`^fareclerk_session=[^;]+; Path=${path}; Max-Age=900; HttpOnly; SameSite=Lax$`));
    expect(gone).toMatch(/^fareclerk_login\d=; .*Max-Age=0/);
    const sealed = session.slice(session.indexOf('=') + 1, session.indexOf(';')).split('.');
    const read = sealed.map((part) => Buffer.from(part, 'base64url').toString('latin1')).join(' ');
    expect(read).toContain('A256GCM');
    for (const word of ['oauth', approval.operationId]) expect(read).not.toContain(word);
    expect(back?.headers.get('referrer-policy')).toBe('no-referrer');
  });
});

describe('another installation', () => {
  it.each(['none', 'client_secret_post'] as const)(
    'works below a path, with client authentication %s',
    async (pageAuth) => {
      const other = await openPublicDesk({ base: '/desk', pageAuth });
      const approval = await other.desk.ask();
      const ann = other.person('ann');
      const page = await ann.open(other.address(approval));
      expect(page.url.pathname).toBe(`/desk/approve/${approval.operationId}`);
      expect(headingOf(await ann.press(page, 'yes'))).toBe('Paid SAR 172.50');
      await other.close();
    },
  );

  it('answers 503 if the provider is down', async () => {
    const other = await openPublicDesk({ login: { fetch: () => Promise.reject(new Error('away')) } });
    const approval = await other.desk.ask();
    const seen = await other.person('ann').step(new URL(other.address(approval)));
    expect([seen.status, headingOf(seen), seen.headers.get('retry-after')]).toEqual([
      503,
      'Nobody can sign in just now',
      '5',
    ]);
    await other.close();
  });

  it('shows no questions while the server stops', async () => {
    const other = await openPublicDesk();
    const approval = await other.desk.ask();
    const ann = other.person('ann');
    await ann.open(other.address(approval));
    let finish = () => {};
    const { inFlight } = await other.desk.clerk.parts();
    inFlight.add(new Promise<void>((resolve) => (finish = resolve)));
    const closed = other.serving.stop();
    const seen = await ann.step(new URL(other.address(approval))).catch(() => undefined);
    expect(seen === undefined || seen.status === 503).toBe(true);
    finish();
    await closed;
    await other.close();
  });
});
