/**
 * The replies of the page over HTTP: headers, methods, addresses, forged and foreign answers.
 */
import { createHash } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { Approval } from '../../../src/approvals/ports.ts';
import { pageOf, testDesk } from './support/desk-of.ts';
import { cookieOf, enter, fetchPage, headingOf, ownPage } from './support/page-client.ts';

const desk = await testDesk();
const page = await pageOf(desk);

afterAll(async () => {
  await page.close();
  await desk.close();
});

beforeEach(() => {
  desk.ahead = 0;
  desk.world.sent = 0;
});

const urlOf = ({ operationId }: Approval) => `${page.origin}/approve/${operationId}`;
const decisionOf = async ({ operationId }: Approval) => (await desk.state.approvals.byOperation(operationId))?.decision;

describe('the question', () => {
  test('shows the exact terms, the act, the time left and the sandbox, and decides nothing', async () => {
    const approval = await desk.ask();
    const { page: shown, cookie, look, url } = await enter(page.addressFor(approval));
    expect(shown.status).toBe(200);
    for (const line of desk.world.lines) expect(shown.body).toContain(`<p class="lead">${line}</p>`);
    expect(shown.body).toContain('>Pay SAR 172.50</button>');
    expect(shown.body).toContain('>No, do not pay</button>');
    expect(shown.body).toContain(`datetime="${new Date(approval.expiresAt).toISOString()}"`);
    expect(shown.body).toContain('minutes left');
    expect(shown.body).toContain('Sandbox');
    expect(shown.body).not.toMatch(/<script|autofocus|onclick|javascript:/i);
    await look();
    await fetchPage(`${url}?decision=yes`, { headers: { cookie } });
    expect(await decisionOf(approval)).toBe('pending');
    expect(desk.world.sent).toBe(0);
  });

  test('escapes the terms and the act', async () => {
    const { lines, act } = desk.world;
    desk.world.lines = ['<img src=x onerror=alert(1)>', '</li></ul><form action="//evil.example">', '"\' &amp;'];
    desk.world.act = '"><script>alert(1)</script>';
    const approval = await desk.ask();
    Object.assign(desk.world, { lines, act });
    const { page: shown } = await enter(page.addressFor(approval));
    expect(shown.body).not.toMatch(/<img|<script|evil\.example">/);
    expect(shown.body).toContain('<p class="lead">&lt;img src=x onerror=alert(1)&gt;</p>');
    expect(shown.body).toContain('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;</button>');
    expect(shown.body).toContain('<p class="lead">&quot;&#39; &amp;amp;</p>');
  });

  test('sends the headers that isolate the page with every reply', async () => {
    const approval = await desk.ask();
    const visitor = await enter(page.addressFor(approval));
    const answers = [
      visitor.page,
      await fetchPage(page.addressFor(approval)),
      await fetchPage(`${page.origin}/nowhere`),
      await fetchPage(urlOf(approval), { method: 'PUT' }),
      await fetchPage(urlOf(approval), { headers: { host: 'evil.example' } }),
      await visitor.answer('yes', { token: 'no' }),
      await visitor.decide('no'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 303, 404, 405, 421, 403, 200]);
    const style = /<style>([\s\S]*)<\/style>/.exec(visitor.page.body)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    for (const { headers } of answers) {
      expect(headers['content-security-policy']).toBe(
        `default-src 'none'; style-src 'sha256-${hash}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
      );
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'cache-control': 'no-store',
        'cross-origin-opener-policy': 'same-origin',
        'content-type': 'text/html; charset=utf-8',
      });
      expect(headers['permissions-policy']).toContain('payment=()');
      expect(headers['referrer-policy']).toMatch(/^(same-origin|no-referrer)$/);
      expect(headers['access-control-allow-origin']).toBeUndefined();
    }
    expect(answers[1]?.headers['referrer-policy']).toBe('no-referrer');
  });
});

describe('the one-time link', () => {
  test('exchanges the secret once for a cookie of this page, and removes it from the address', async () => {
    const approval = await desk.ask();
    const address = page.addressFor(approval);
    expect(new URL(address).searchParams.get('k')).toMatch(/^[\w-]{43}$/);
    const first = await fetchPage(address);
    expect(first.status).toBe(303);
    const own = first.headers.location ?? '';
    expect(own).toMatch(new RegExp(`^/approve/${approval.operationId}/[\\w-]{43}$`));
    expect(own).not.toContain(new URL(address).searchParams.get('k'));
    const cookie = first.headers['set-cookie']?.[0] ?? '';
    expect(cookie).toMatch(
      new RegExp(`^fareclerk_approval=[\\w-]{43}; Path=${own}; Max-Age=\\d+; HttpOnly; SameSite=Strict$`),
    );
    const replayed = await fetchPage(address);
    expect(replayed.status).toBe(404);
    expect(replayed.headers['set-cookie']).toBeUndefined();
    const headers = { cookie: cookieOf(first) };
    expect((await fetchPage(address, { headers })).status).toBe(404);
    expect((await fetchPage(page.origin + own, { headers })).status).toBe(200);
    const again = await fetchPage(`${page.origin}${own}?k=${'A'.repeat(43)}`, { headers });
    expect([again.status, again.headers.location]).toEqual([303, own]);
  });

  test("requires both the cookie and the page's own address", async () => {
    const approval = await desk.ask();
    const visitor = await enter(page.addressFor(approval));
    const other = await enter(page.addressFor(approval));
    const headers = { cookie: visitor.cookie };
    expect((await fetchPage(urlOf(approval), { headers })).status).toBe(404);
    expect((await fetchPage(visitor.url)).status).toBe(404);
    expect((await fetchPage(other.url, { headers })).status).toBe(404);
    expect((await fetchPage(`${urlOf(approval)}/${'A'.repeat(43)}`, { headers })).status).toBe(404);
    expect((await visitor.look()).status).toBe(200);
  });

  test('accepts one of many visits with the same secret at once', async () => {
    const address = page.addressFor(await desk.ask());
    const all = await Promise.all(Array.from({ length: 20 }, () => fetchPage(address)));
    expect(all.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(all.filter(({ status }) => status === 404)).toHaveLength(19);
  });

  test('redirects after a link on another site so that the strict cookie is sent', async () => {
    const approval = await desk.ask();
    const entered = await fetchPage(page.addressFor(approval), { headers: { 'sec-fetch-site': 'cross-site' } });
    expect(entered.status).toBe(200);
    expect(entered.body).toContain(`content="0; url=/approve/${approval.operationId}/`);
    expect(entered.body).not.toContain('k=');
    expect(entered.headers['referrer-policy']).toBe('no-referrer');
    const own = ownPage(entered, page.origin);
    const shown = await fetchPage(own, { headers: { cookie: cookieOf(entered) } });
    expect(headingOf(shown)).toBe('Pay SAR 172.50');
  });

  test('shows the same plain page for unknown approvals and for invalid secrets or cookies', async () => {
    const [one, other] = [await desk.ask(), await desk.ask('DEF456')];
    const visitor = await enter(page.addressFor(other));
    const secretOfOther = new URL(page.addressFor(other)).search;
    const nothing = await fetchPage(`${page.origin}/approve/00000000-0000-4000-8000-000000000000`);
    expect(nothing.status).toBe(404);
    const tries = [
      await fetchPage(urlOf(one)),
      await fetchPage(`${urlOf(one)}?k=${'A'.repeat(43)}`),
      await fetchPage(`${urlOf(one)}?k=`),
      await fetchPage(`${urlOf(one)}${secretOfOther}`),
      await fetchPage(urlOf(one), { headers: { cookie: visitor.cookie } }),
      await fetchPage(urlOf(one), { headers: { cookie: 'fareclerk_approval=' } }),
      await fetchPage(urlOf(one), { method: 'POST', headers: { cookie: visitor.cookie, origin: page.origin } }),
      await fetchPage(`${page.origin}/approve/`),
      await fetchPage(`${page.origin}/approve/${one.operationId}/more`),
      await fetchPage(`${page.origin}/`),
      await fetchPage(`${page.origin}/favicon.ico`),
    ];
    for (const { status, body } of tries) expect([status, body]).toEqual([404, nothing.body]);
    expect(await decisionOf(one)).toBe('pending');
  });

  test('finds its cookie among those of another server of this host with the same name', async () => {
    const approval = await desk.ask();
    const { cookie, url } = await enter(page.addressFor(approval));
    const shown = await fetchPage(url, {
      headers: { cookie: `${'fareclerk_approval=x; '.repeat(40)}other=1; ${cookie}` },
    });
    expect(shown.status).toBe(200);
  });

  test('spends a secret only on a visit', async () => {
    const approval = await desk.ask();
    const address = page.addressFor(approval);
    expect((await fetchPage(address, { method: 'HEAD' })).status).toBe(405);
    const posted = await fetchPage(address, { method: 'POST', headers: { origin: page.origin } });
    expect(posted.status).toBe(404);
    expect((await fetchPage(address)).status).toBe(303);
  });
});
