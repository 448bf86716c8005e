/**
 * What another user of the machine tries over loopback: blind calls whose connection is closed unread, and the approval
 * page with a leaked cookie and address.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTicketLinks } from '../../src/http/ticket-links.ts';
import { createMetrics } from '../../src/metrics/metrics.ts';
import { ticketedBooking } from '../clerk/calls/bookings.ts';
import { CALLER, type Desk, openDesk } from '../clerk/calls/desk.ts';
import { callBody, goodHeaders, headOf, raw } from '../http/support/raw.ts';
import { type Served, serve } from '../http/support/serve.ts';
import { pageOf, type TestDesk, testDesk } from '../pages/approval/support/desk-of.ts';
import { enter } from '../pages/approval/support/page-client.ts';
import { detailsDesk, rightCard, visit } from '../pages/details/support/details-desk.ts';
import { asAnother, blindlyAsAnother, canBecomeAnother } from './other-user.ts';

const TRIES = 8;

function call(port: number, word: string): string {
  const body = callBody('wait_for', { word });
  return headOf({ headers: [...goodHeaders(port), ['content-length', `${body.length}`]] }) + body;
}

describe.runIf(process.platform === 'linux')('calls over loopback without sign-in', () => {
  let at: Served;
  beforeAll(async () => {
    at = await serve();
  });
  afterAll(() => at.close());

  it('runs none of twenty pipelined calls from a client that closed its connection unread', async () => {
    for (let i = 0; i < TRIES; i++) {
      const pipelined = `GET /healthz HTTP/1.1\r\nhost: 127.0.0.1:${at.port}\r\n\r\n${call(at.port, `blind ${i}`)}`;
      blindlyAsAnother(at.port, pipelined);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect([...at.tiny.waiting.keys(), ...at.tiny.ended]).toEqual([]);
  });

  it.runIf(canBecomeAnother)(
    'refuses twenty of twenty calls of another user who waits for the answer',
    async () => {
      for (let i = 0; i < TRIES; i++) {
        const closing = call(at.port, `open ${i}`).replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n');
        expect(await asAnother(at.port, closing)).toMatch(/^HTTP\/1.1 403 /);
      }
      expect([...at.tiny.waiting.keys(), ...at.tiny.ended]).toEqual([]);
    },
    60_000,
  );

  it('still serves the user of the server', async () => {
    const reply = await raw(at.port, { headers: goodHeaders(at.port), body: callBody('who_am_i') });
    expect([reply.status, reply.body]).toEqual([200, expect.stringContaining('os:me')]);
  });
});

describe.runIf(process.platform === 'linux' && canBecomeAnother)('tickets and metrics over loopback', () => {
  let desk: Desk;
  let serving: Awaited<ReturnType<typeof serve<Desk>>>;
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${serving.port}\r\nconnection: close\r\n\r\n`;
  beforeAll(async () => {
    const keys = async () => desk.parts.state.ticketKeys;
    const links = createTicketLinks({
      ...{ keys, now: async () => Date.now() },
      publicUrl: () => `http://127.0.0.1:${serving.port}`,
    });
    desk = await openDesk({ tickets: links });
    serving = await serve({ caller: CALLER, ticketLinks: links, metrics: createMetrics() }, desk);
  });
  afterAll(async () => {
    await serving.close();
  });

  it('gives no ticket to another user who read its address in the list of processes, and then the ticket to its own user', async () => {
    const locator = await ticketedBooking(desk);
    const { structured } = await desk.result('get_tickets', { locator });
    const { url } = (structured as { tickets: { url: string }[] }).tickets[0] ?? { url: '' };
    for (let i = 0; i < TRIES; i++) {
      expect(await asAnother(serving.port, get(new URL(url).pathname))).toMatch(/^HTTP\/1.1 403 /);
      blindlyAsAnother(serving.port, get(new URL(url).pathname));
    }
    const answered = await fetch(url);
    expect([answered.status, answered.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  });

  it('gives metrics to its own user only', async () => {
    expect(await asAnother(serving.port, get('/metrics'))).toMatch(/^HTTP\/1.1 403 /);
    expect((await fetch(`http://127.0.0.1:${serving.port}/metrics`)).status).toBe(200);
  });
});

describe.runIf(process.platform === 'linux' && canBecomeAnother)('the approval page', () => {
  let desk: TestDesk;
  let page: Awaited<ReturnType<typeof pageOf>>;
  beforeAll(async () => {
    desk = await testDesk();
    page = await pageOf(desk);
  });
  afterAll(async () => {
    await page.close();
    await desk.close();
  });

  const get = (path: string, port: string, cookie = '') =>
    `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: close\r\n${cookie && `cookie: ${cookie}\r\n`}\r\n`;

  it('refuses another user every time, with the secret, or with cookie, address and form key', async () => {
    const approval = await desk.ask();
    const { port } = new URL(page.origin);
    const visitor = await enter(page.addressFor(approval));
    const body = new URLSearchParams({ token: visitor.token, decision: 'yes' }).toString();
    const path = new URL(visitor.url).pathname;
    const post = [
      `POST ${path} HTTP/1.1`,
      `host: 127.0.0.1:${port}`,
      `origin: ${page.origin}`,
      `cookie: ${visitor.cookie}`,
      'content-type: application/x-www-form-urlencoded',
      'connection: close',
      `content-length: ${body.length}`,
    ].join('\r\n');
    for (let i = 0; i < TRIES; i++) {
      const { pathname, search } = new URL(page.addressFor(approval));
      const secret = await asAnother(Number(port), get(pathname + search, port));
      const looked = await asAnother(Number(port), get(path, port, visitor.cookie));
      const pressed = await asAnother(Number(port), `${post}\r\n\r\n${body}`);
      expect([secret, looked, pressed].map((reply) => reply.slice(0, 12))).toEqual(Array(3).fill('HTTP/1.1 404'));
      blindlyAsAnother(Number(port), `${post}\r\n\r\n${body}`);
    }
    expect(desk.world.sent).toBe(0);
    expect(await desk.decisionOf(approval)).toBe('pending');
  });

  it('keeps the one-time secret valid for its own user after another user tried it', async () => {
    const approval = await desk.ask('DEF456');
    const address = page.addressFor(approval);
    const { pathname, search, port } = new URL(address);
    blindlyAsAnother(Number(port), get(pathname + search, port));
    await new Promise((resolve) => setTimeout(resolve, 50));
    await asAnother(Number(port), get(pathname + search, port));
    expect((await enter(address)).page.status).toBe(200);
  });
});

describe.runIf(process.platform === 'linux' && canBecomeAnother)('the details page', () => {
  it('shows another user nothing and keeps nothing of theirs, not even with address and token', async () => {
    const desk = await detailsDesk();
    const [id, unknown] = [await desk.form(), 'x'.repeat(43)];
    const { host, port, pathname, origin } = new URL((await desk.local.details.address(id)) ?? '');
    const { token } = await visit(`${origin}${pathname}`);
    const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`;
    const body = new URLSearchParams({ token, action: 'send', ...rightCard(1) }).toString();
    const headers = [
      `host: ${host}`,
      `origin: ${origin}`,
      'content-type: application/x-www-form-urlencoded',
      'connection: close',
      `content-length: ${body.length}`,
    ];
    const posted = (path: string) => `POST ${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${body}`;
    const post = posted(pathname);
    const nowhere = pathname.replace(id, unknown);
    const bodyOf = (reply: string) => reply.split('\r\n\r\n')[1];
    for (let i = 0; i < TRIES; i++) {
      // Each beside what an address that never was replies.
      for (const pair of [
        [get(pathname), get(nowhere)],
        [post, posted(nowhere)],
      ]) {
        const [known = '', never = ''] = await Promise.all(pair.map((bytes) => asAnother(Number(port), bytes)));
        expect(known).toMatch(/^HTTP\/1.1 404 /);
        expect(bodyOf(known)).toBe(bodyOf(never));
      }
      blindlyAsAnother(Number(port), post);
    }
    expect(await desk.entered(id)).toEqual({});
    expect((await (await visit(`${origin}${pathname}`)).send(rightCard(1))).status).toBe(200);
    await desk.close();
  });
});
