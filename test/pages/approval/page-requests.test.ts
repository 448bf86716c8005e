/**
 * The page on loopback over HTTP: addresses, headers, methods, forged and foreign answers, and who may send its form.
 */
import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { pageOf, testDesk } from './support/desk-of.ts';
import { cookieOf, enter, fetchPage, headingOf, ownPage, visible } from './support/page-client.ts';

const desk = await testDesk();
const page = await pageOf(desk);
const { port } = new URL(page.origin);

afterAll(async () => {
  await page.close();
  await desk.close();
});
beforeEach(async () => {
  desk.world.sent = 0;
  // A caller has one question open for a booking and an act.
  for (const { handleHash } of await desk.state.approvals.waiting(desk.now()))
    await desk.state.approvals.decide(handleHash, { decision: 'declined', assurance: 'page' }, desk.now());
});

const urlOf = ({ operationId }: { operationId: string }) => `${page.origin}/approve/${operationId}`;
const asked = async () => {
  const approval = await desk.ask();
  return { approval, visitor: await enter(page.addressFor(approval)) };
};

describe('the first address opened again', () => {
  const again = (approval: Parameters<typeof page.addressFor>[0], address: string) =>
    fetchPage(address).then((reply) => {
      expect(reply.body).not.toMatch(/Nothing was sent|nothing was sent/);
      return [reply.status, headingOf(reply), visible(reply).includes(approval.about?.people[0] ?? 'RUH')];
    });

  test('tells nothing, before and after the answer', async () => {
    const approval = await desk.ask();
    const address = page.addressFor(approval);
    const visitor = await enter(address);
    expect(await again(approval, address)).toEqual([404, 'There is nothing here', false]);
    expect(headingOf(await visitor.decide('yes'))).toBe('Paid SAR 172.50');
    for (const other of [address, urlOf(approval), `${urlOf(approval)}?k=${'x'.repeat(43)}`])
      expect(await again(approval, other)).toEqual([404, 'There is nothing here', false]);
    expect(desk.world.sent).toBe(1);
  });

  test('on the page that it opened says that a newer question replaced this one, and leads there', async () => {
    const first = await desk.ask();
    const visitor = await enter(page.addressFor(first));
    const newer = { ...first, handleHash: 'newer', operationId: crypto.randomUUID(), argsDigest: 'other' };
    expect(await desk.state.approvals.ask(newer, { open: 99, deciding: [] })).toMatchObject({
      kind: 'asked',
      replaced: [{ question: { operationId: first.operationId } }],
    });
    const replaced = await visitor.decide('yes');
    expect(headingOf(replaced)).toBe('A newer question replaced this one');
    expect(replaced.body).toContain(`/approve/${newer.operationId}`);
    expect(replaced.body).not.toContain('value="yes"');
    expect([await desk.decisionOf(first), await desk.decisionOf(newer), desk.world.sent]).toEqual([
      'replaced',
      'pending',
      0,
    ]);
  });
});

describe('a look', () => {
  test('shows the terms and decides nothing', async () => {
    const { approval, visitor } = await asked();
    const [first = '', ...others] = desk.world.lines;
    // The heading says the beginning of the first line.
    for (const line of [first.replace('Pay SAR 172.50 ', ''), ...others]) {
      expect(visitor.page.body).toContain(`<p class="lead">${line}</p>`);
    }
    expect(visitor.page.body).toContain('Sandbox');
    await visitor.look();
    await fetchPage(`${visitor.url}?decision=yes`, { headers: { cookie: visitor.cookie } });
    expect([await desk.decisionOf(approval), desk.world.sent]).toEqual(['pending', 0]);
  });

  test('is answered with the headers that isolate the page, like every request', async () => {
    const { approval, visitor } = await asked();
    const first = await fetchPage(page.addressFor(approval));
    const answers = [
      visitor.page,
      first,
      await fetchPage(`${page.origin}/nowhere`),
      await fetchPage(urlOf(approval), { method: 'PUT' }),
      await fetchPage(urlOf(approval), { headers: { host: 'evil.example' } }),
      await visitor.answer('yes', { token: 'no' }),
      await visitor.decide('no'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 303, 404, 405, 421, 403, 200]);
    const hashOf = (element: RegExp) =>
      createHash('sha256')
        .update(element.exec(visitor.page.body)?.[1] ?? '')
        .digest('base64');
    const style = hashOf(/<style>([\s\S]*)<\/style>/);
    const script = hashOf(/<script type="module">([\s\S]*?)<\/script>/);
    expect(visitor.page.body.match(/<script/g)).toHaveLength(1);
    for (const { headers } of answers) {
      expect(headers).toMatchObject({
        'content-security-policy': `default-src 'none'; style-src 'sha256-${style}'; script-src 'sha256-${script}'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'cache-control': 'no-store',
        'cross-origin-opener-policy': 'same-origin',
        'content-type': 'text/html; charset=utf-8',
        'permissions-policy': expect.stringContaining('payment=()'),
        'referrer-policy': expect.stringMatching(/^(same-origin|no-referrer)$/),
      });
      expect(headers).not.toHaveProperty('access-control-allow-origin');
    }
    expect(first.headers['referrer-policy']).toBe('no-referrer');
  });
});

describe('the one-time link', () => {
  test('exchanges the secret once for a cookie of this page, and removes it from the address', async () => {
    const approval = await desk.ask();
    const address = page.addressFor(approval);
    const secret = new URL(address).searchParams.get('k') ?? '';
    expect(secret).toMatch(/^[\w-]{43}$/);
    const first = await fetchPage(address);
    const own = first.headers.location ?? '';
    expect([first.status, own]).toEqual([303, expect.stringMatching(/^\/approve\/[\w-]{36}\/[\w-]{43}$/)]);
    expect(own).toContain(approval.operationId);
    expect(own).not.toContain(secret);
    expect(first.headers['set-cookie']?.[0]).toMatch(
      new RegExp(`^fareclerk_approval=[\\w-]{43}; Path=${own}; Max-Age=\\d+; HttpOnly; SameSite=Lax$`),
    );
    const replayed = await fetchPage(address);
    expect([replayed.status, replayed.headers['set-cookie']]).toEqual([404, undefined]);
    const headers = { cookie: cookieOf(first) };
    expect((await fetchPage(address, { headers })).status).toBe(404);
    expect((await fetchPage(page.origin + own, { headers })).status).toBe(200);
    const again = await fetchPage(`${page.origin}${own}?k=${'A'.repeat(43)}`, { headers });
    expect([again.status, again.headers.location]).toEqual([303, own]);
  });

  test("requires both the cookie, among those of other servers of this host, and the page's own address", async () => {
    const { approval, visitor } = await asked();
    const other = await enter(page.addressFor(approval));
    const headers = { cookie: visitor.cookie };
    for (const url of [urlOf(approval), other.url, `${urlOf(approval)}/${'A'.repeat(43)}`]) {
      expect((await fetchPage(url, { headers })).status).toBe(404);
    }
    expect((await fetchPage(visitor.url)).status).toBe(404);
    const jar = `${'fareclerk_approval=x; '.repeat(40)}other=1; ${visitor.cookie}`;
    expect((await fetchPage(visitor.url, { headers: { cookie: jar } })).status).toBe(200);
  });

  test('accepts one of many visits with the same secret at once, and spends it only on a visit', async () => {
    const address = page.addressFor(await desk.ask());
    expect((await fetchPage(address, { method: 'HEAD' })).status).toBe(405);
    expect((await fetchPage(address, { method: 'POST', headers: { origin: page.origin } })).status).toBe(404);
    const all = await Promise.all(Array.from({ length: 20 }, () => fetchPage(address)));
    expect(all.map(({ status }) => status).sort()).toEqual([303, ...Array(19).fill(404)]);
  });

  test('redirects after a link on another site too', async () => {
    const approval = await desk.ask();
    const entered = await fetchPage(page.addressFor(approval), { headers: { 'sec-fetch-site': 'cross-site' } });
    expect([entered.status, entered.headers['referrer-policy']]).toEqual([303, 'no-referrer']);
    const shown = await fetchPage(ownPage(entered, page.origin), { headers: { cookie: cookieOf(entered) } });
    expect(headingOf(shown)).toBe('Pay SAR 172.50');
  });

  test('shows the same plain page for unknown approvals and for invalid secrets or cookies', async () => {
    const [one, other] = [await desk.ask(), await desk.ask('DEF456')];
    const { cookie } = await enter(page.addressFor(other));
    const nothing = await fetchPage(`${page.origin}/approve/00000000-0000-4000-8000-000000000000`);
    expect(nothing.status).toBe(404);
    const tries: Parameters<typeof fetchPage>[] = [
      ...['', `?k=${'A'.repeat(43)}`, '?k=', new URL(page.addressFor(other)).search, '/more'].map((tail): [string] => [
        urlOf(one) + tail,
      ]),
      [urlOf(one), { headers: { cookie } }],
      [urlOf(one), { headers: { cookie: 'fareclerk_approval=' } }],
      [urlOf(one), { method: 'POST', headers: { cookie, origin: page.origin } }],
      ...['/approve/', '/', '/favicon.ico'].map((path): [string] => [page.origin + path]),
    ];
    for (const request of tries) {
      const { status, body } = await fetchPage(...request);
      expect([request, status, body]).toEqual([request, 404, nothing.body]);
    }
    expect(await desk.decisionOf(one)).toBe('pending');
  });
});

describe('the form', () => {
  test('is refused by other methods, and under another Host even if everything else is right', async () => {
    const { approval, visitor } = await asked();
    const { cookie, url } = visitor;
    for (const method of ['HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const refused = await fetchPage(url, { method, headers: { cookie } });
      expect([refused.status, refused.headers.allow]).toEqual([405, 'GET, POST']);
    }
    const hosts = ['evil.example', `evil.example:${port}`, '127.0.0.1', 'localhost', '127.0.0.1:1', `[::1]:${port}`];
    for (const host of hosts) {
      expect((await visitor.answer('yes', { headers: { host } })).status).toBe(421);
      expect((await fetchPage(url, { headers: { host, cookie } })).status).toBe(421);
    }
    expect((await fetchPage(url, { headers: { host: `localhost:${port}`, cookie } })).status).toBe(200);
    expect(await desk.decisionOf(approval)).toBe('pending');
  });

  test('is refused from another origin or none', async () => {
    const { approval, visitor } = await asked();
    const { origin } = page;
    for (const headers of [
      ...[
        'http://evil.example',
        'null',
        `https://127.0.0.1:${port}`,
        `http://localhost:${port}`,
        'http://127.0.0.1:1',
      ].map((other) => ({ origin: other })),
      ...['cross-site', 'same-site', 'none'].map((site) => ({ origin, 'sec-fetch-site': site })),
    ]) {
      expect((await visitor.answer('yes', { headers })).status).toBe(403);
    }
    const headers = { cookie: visitor.cookie, 'content-type': 'application/x-www-form-urlencoded' };
    const body = `token=${visitor.token}&decision=yes`;
    expect((await fetchPage(visitor.url, { method: 'POST', headers, body })).status).toBe(403);
    expect(await desk.decisionOf(approval)).toBe('pending');
  });

  test('is refused with the token of another page or visit', async () => {
    const { approval, visitor } = await asked();
    const elsewhere = await enter(page.addressFor(await desk.ask('DEF456')));
    const again = await enter(page.addressFor(approval));
    const { token } = visitor;
    for (const wrong of ['', 'x', elsewhere.token, again.token, `${token}A`, token.slice(1)]) {
      expect((await visitor.answer('yes', { token: wrong })).status).toBe(403);
    }
    expect(await desk.decisionOf(approval)).toBe('pending');
    expect(headingOf(await again.decide('yes'))).toBe('Paid SAR 172.50');
    expect(desk.world.sent).toBe(1);
  });

  test('is refused with another type, size or fields', async () => {
    const { approval, visitor } = await asked();
    const t = `token=${visitor.token}`;
    const wrong = ['', '&decision=maybe', '&decision=YES', '&decision=yes&decision=yes', '&decision=yes&more=1'];
    for (const body of [...wrong.map((rest) => t + rest), `${t}&${t}&decision=yes`, 'decision=yes', '']) {
      expect((await visitor.answer('', { body })).status).toBe(400);
    }
    for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x', '']) {
      expect((await visitor.answer('yes', { headers: { 'content-type': type } })).status).toBe(415);
    }
    expect((await visitor.answer('yes', { headers: { 'content-encoding': 'gzip' } })).status).toBe(415);
    const body = `${t}&decision=yes&more=${'x'.repeat(5000)}`;
    const framings: Record<string, string>[] = [{}, { 'transfer-encoding': 'chunked' }];
    for (const headers of framings) {
      expect((await visitor.answer('yes', { body, headers })).status).toBe(413);
    }
    expect(await desk.decisionOf(approval)).toBe('pending');
  });

  test('decides nothing and logs no failure if it is incomplete', async () => {
    const { approval, visitor } = await asked();
    const { host, pathname } = new URL(visitor.url);
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1', () => {
        socket.write(
          `POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${page.origin}\r\nCookie: ${visitor.cookie}\r\n` +
            'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\ntoken=',
          () => socket.destroy(),
        );
      });
      socket.on('close', () => resolve());
    });
    expect((await visitor.look()).status).toBe(200);
    expect([await desk.decisionOf(approval), desk.failures]).toEqual(['pending', []]);
  });
});
