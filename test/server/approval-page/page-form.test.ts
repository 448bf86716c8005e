/**
 * Who may send the form of the page, and what the form must contain.
 */
import { connect } from 'node:net';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { Approval } from '../../../src/approvals/ports.ts';
import { pageOf, testDesk } from './support/desk-of.ts';
import { enter, fetchPage, headingOf } from './support/page-client.ts';

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

const decisionOf = async ({ operationId }: Approval) => (await desk.state.approvals.byOperation(operationId))?.decision;

describe('who may send the form', () => {
  test('refuses methods other than GET and POST', async () => {
    const approval = await desk.ask();
    const { cookie, url } = await enter(page.addressFor(approval));
    for (const method of ['HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const refused = await fetchPage(url, { method, headers: { cookie } });
      expect([refused.status, refused.headers.allow]).toEqual([405, 'GET, POST']);
    }
  });

  test('refuses another Host even if everything else is right', async () => {
    const approval = await desk.ask();
    const visitor = await enter(page.addressFor(approval));
    const port = new URL(page.origin).port;
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      '127.0.0.1',
      'localhost',
      '127.0.0.1:1',
      `[::1]:${port}`,
    ]) {
      expect((await visitor.answer('yes', { headers: { host } })).status).toBe(421);
      expect((await fetchPage(visitor.url, { headers: { host, cookie: visitor.cookie } })).status).toBe(421);
    }
    const local = await fetchPage(visitor.url, { headers: { host: `localhost:${port}`, cookie: visitor.cookie } });
    expect(local.status).toBe(200);
    expect(await decisionOf(approval)).toBe('pending');
  });

  test('refuses a form with another origin or none', async () => {
    const approval = await desk.ask();
    const visitor = await enter(page.addressFor(approval));
    const port = new URL(page.origin).port;
    const wrong = [
      { origin: 'http://evil.example' },
      { origin: 'null' },
      { origin: `https://127.0.0.1:${port}` },
      { origin: `http://localhost:${port}` },
      { origin: 'http://127.0.0.1:1' },
      { origin: page.origin, 'sec-fetch-site': 'cross-site' },
      { origin: page.origin, 'sec-fetch-site': 'same-site' },
      { origin: page.origin, 'sec-fetch-site': 'none' },
    ];
    for (const headers of wrong) expect((await visitor.answer('yes', { headers })).status).toBe(403);
    const { url, cookie, token } = visitor;
    const bare = await fetchPage(url, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
      body: `token=${token}&decision=yes`,
    });
    expect(bare.status).toBe(403);
    expect(await decisionOf(approval)).toBe('pending');
  });

  test('refuses a form with the token of another page or visit', async () => {
    const [one, other] = [await desk.ask(), await desk.ask('DEF456')];
    const visitor = await enter(page.addressFor(one));
    const elsewhere = await enter(page.addressFor(other));
    const again = await enter(page.addressFor(one));
    for (const token of ['', 'x', elsewhere.token, again.token, `${visitor.token}A`, visitor.token.slice(1)]) {
      expect((await visitor.answer('yes', { token })).status).toBe(403);
    }
    expect(again.token).not.toBe(visitor.token);
    expect(await decisionOf(one)).toBe('pending');
    expect(headingOf(await again.decide('yes'))).toBe('Paid SAR 172.50');
    expect(desk.world.sent).toBe(1);
  });

  test('refuses a form of another type, size or fields', async () => {
    const approval = await desk.ask();
    const visitor = await enter(page.addressFor(approval));
    const t = visitor.token;
    const bodies = [
      `token=${t}`,
      `decision=yes`,
      `token=${t}&decision=maybe`,
      `token=${t}&decision=YES`,
      `token=${t}&decision=yes&decision=yes`,
      `token=${t}&token=${t}&decision=yes`,
      `token=${t}&decision=yes&more=1`,
      '',
    ];
    for (const body of bodies) expect((await visitor.answer('', { body })).status).toBe(400);
    for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x', '']) {
      expect((await visitor.answer('yes', { headers: { 'content-type': type } })).status).toBe(415);
    }
    expect((await visitor.answer('yes', { headers: { 'content-encoding': 'gzip' } })).status).toBe(415);
    const long = `token=${t}&decision=yes&more=${'x'.repeat(5000)}`;
    expect((await visitor.answer('yes', { body: long })).status).toBe(413);
    const unsaid = { 'transfer-encoding': 'chunked' };
    expect((await visitor.answer('yes', { body: long, headers: unsaid })).status).toBe(413);
    expect(await decisionOf(approval)).toBe('pending');
  });

  test('decides nothing and logs no failure after an incomplete form', async () => {
    const approval = await desk.ask();
    const visitor = await enter(page.addressFor(approval));
    const { host, port, pathname } = new URL(visitor.url);
    const before = desk.failures.length;
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
    expect(await decisionOf(approval)).toBe('pending');
    expect(desk.failures).toHaveLength(before);
  });
});
