/**
 * What another user of the machine tries over loopback, where every user can connect: calls without the token or with guessed
 * ones, blind calls whose connection is closed unread, and guessed or used addresses of tickets and pages.
 */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startHttp } from '../../src/http/server.ts';
import { createTicketLinks } from '../../src/http/ticket-links.ts';
import { createMetrics } from '../../src/metrics/metrics.ts';
import { ticketedBooking } from '../clerk/calls/bookings.ts';
import { CALLER, type Desk, openDesk } from '../clerk/calls/desk.ts';
import { callBody, goodHeaders, headOf, raw } from '../http/support/raw.ts';
import { type Served, serve, TOKEN } from '../http/support/serve.ts';
import { pageOf, type TestDesk, testDesk } from '../pages/approval/support/desk-of.ts';
import { enter } from '../pages/approval/support/page-client.ts';
import { detailsDesk, rightCard, visit } from '../pages/details/support/details-desk.ts';
import { asAnother, blindlyAsAnother } from './other-user.ts';

const TRIES = 3;

/** What a user without the token may send in its place. */
const GUESSES = ['', 'Bearer ', 'Bearer undefined', `Bearer ${TOKEN.slice(0, -1)}`, `Bearer ${TOKEN}x`, TOKEN];

/** As long as the secrets of pages and links. */
const guess = (): string => randomBytes(32).toString('base64url');

const get = (path: string, port: number | string, cookie = '') =>
  `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: close\r\n${cookie && `cookie: ${cookie}\r\n`}\r\n`;

describe('calls over loopback without sign-in', () => {
  let at: Served;
  beforeAll(async () => {
    at = await serve();
  });
  afterAll(() => at.close());

  function call(word: string, authorization = ''): string {
    const body = callBody('wait_for', { word });
    const headers = goodHeaders(at.port).filter(([name]) => name !== 'authorization');
    const bearer = authorization === '' ? [] : [['authorization', authorization] as const];
    return headOf({ headers: [...headers, ...bearer, ['content-length', `${body.length}`]] }) + body;
  }

  it('runs none of the pipelined calls from a client that closed its connection unread', async () => {
    for (let i = 0; i < TRIES; i++) {
      blindlyAsAnother(
        at.port,
        `${get('/healthz', at.port).replace('connection: close\r\n', '')}${call(`blind ${i}`)}`,
      );
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect([...at.tiny.waiting.keys(), ...at.tiny.ended]).toEqual([]);
  });

  it.each(GUESSES)('refuses another user who waits for the answer and sends the authorization "%s"', async (sent) => {
    const closing = call('open', sent).replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n');
    expect(await asAnother(at.port, closing)).toMatch(/^HTTP\/1.1 4(01|29) /);
    expect([...at.tiny.waiting.keys(), ...at.tiny.ended]).toEqual([]);
  });

  it('still serves whoever has the token', async () => {
    const reply = await raw(at.port, { headers: goodHeaders(at.port), body: callBody('who_am_i') });
    expect([reply.status, reply.body]).toEqual([200, expect.stringContaining('os:me')]);
  });
});

describe('tickets and metrics over loopback', () => {
  let desk: Desk;
  let serving: Awaited<ReturnType<typeof serve<Desk>>>;
  beforeAll(async () => {
    const keys = async () => desk.parts.state.ticketKeys;
    const links = createTicketLinks({
      ...{ keys, now: async () => Date.now() },
      publicUrl: () => `http://127.0.0.1:${serving.port}`,
    });
    desk = await openDesk({ settings: { tickets: links } });
    serving = await serve({ caller: CALLER, ticketLinks: links, metrics: createMetrics() }, desk);
  });
  afterAll(async () => {
    await serving.close();
  });

  it('gives no ticket to another user who guesses, or who has the address that its user opened', async () => {
    const locator = await ticketedBooking(desk);
    const { structured } = await desk.result('get_tickets', { locator });
    const { url } = (structured as { tickets: { url: string }[] }).tickets[0] ?? { url: '' };
    const { pathname } = new URL(url);
    const asked = (path: string) => asAnother(serving.port, get(path, serving.port));
    for (let i = 0; i < TRIES; i++) {
      expect(await asked(`/tickets/${randomBytes(24).toString('base64url')}`)).toMatch(/^HTTP\/1.1 404 /);
    }
    const answered = await fetch(url);
    expect([answered.status, answered.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(await asked(pathname)).toMatch(/^HTTP\/1.1 404 /);
  });

  it('gives metrics to no one without their token, and to no one at all if none is set', async () => {
    expect(await asAnother(serving.port, get('/metrics', serving.port))).toMatch(/^HTTP\/1.1 401 /);
    const none = await startHttp(desk.clerk, {
      ...{ version: '0', host: '127.0.0.1', port: 0, caller: CALLER, token: TOKEN, metrics: createMetrics() },
      close: async () => undefined,
    });
    const bearing = get('/metrics', none.port).replace('\r\n\r\n', `\r\nauthorization: Bearer ${TOKEN}\r\n\r\n`);
    expect(await asAnother(none.port, bearing)).toMatch(/^HTTP\/1.1 403 /);
    await none.stop();
  });
});

describe('the approval page', () => {
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

  it('shows another user nothing and takes no yes, by a guess, with the used address, or with page or cookie alone', async () => {
    const approval = await desk.ask();
    const { port, pathname, search } = new URL(page.addressFor(approval));
    const visitor = await enter(`${page.origin}${pathname}${search}`);
    const path = new URL(visitor.url).pathname;
    const body = new URLSearchParams({ token: visitor.token, decision: 'yes' }).toString();
    const posted = (to: string, cookie: string) =>
      [
        `POST ${to} HTTP/1.1`,
        `host: 127.0.0.1:${port}`,
        `origin: ${page.origin}`,
        `cookie: ${cookie}`,
        'content-type: application/x-www-form-urlencoded',
        'connection: close',
        `content-length: ${body.length}\r\n\r\n${body}`,
      ].join('\r\n');
    const guessedCookie = () => `fareclerk_approval=${guess()}`;
    for (let i = 0; i < TRIES; i++) {
      const tries = [
        get(`${pathname}?k=${guess()}`, port),
        get(path, port),
        get(path, port, guessedCookie()),
        get(`${pathname}/${guess()}`, port, visitor.cookie),
        posted(path, guessedCookie()),
        posted(`${pathname}/${guess()}`, visitor.cookie),
        posted(pathname + search, guessedCookie()),
      ];
      const replies = await Promise.all(tries.map((bytes) => asAnother(Number(port), bytes)));
      expect(replies.map((reply) => reply.slice(0, 12))).toEqual(tries.map(() => 'HTTP/1.1 404'));
      const used = await asAnother(Number(port), get(pathname + search, port));
      expect(used).not.toMatch(/name="(token|decision)"|set-cookie/i);
      blindlyAsAnother(Number(port), posted(path, guessedCookie()));
    }
    expect(desk.world.sent).toBe(0);
    expect(await desk.decisionOf(approval)).toBe('pending');
  });

  it('keeps the one-time secret valid for its own user after another user guessed', async () => {
    const approval = await desk.ask('DEF456');
    const address = page.addressFor(approval);
    const { pathname, port } = new URL(address);
    for (let i = 0; i < TRIES; i++) await asAnother(Number(port), get(`${pathname}?k=${guess()}`, port));
    expect((await enter(address)).page.status).toBe(200);
  });
});

describe('the details page', () => {
  it('shows another user who guesses what an address that never was shows, and keeps nothing of theirs', async () => {
    const desk = await detailsDesk();
    const id = await desk.form();
    const { host, port, pathname, origin } = new URL((await desk.local.details.address(id)) ?? '');
    const { token } = await visit(`${origin}${pathname}`);
    const body = new URLSearchParams({ token, action: 'send', ...rightCard(1) }).toString();
    const headers = [
      `host: ${host}`,
      `origin: ${origin}`,
      'content-type: application/x-www-form-urlencoded',
      'connection: close',
      `content-length: ${body.length}`,
    ];
    const posted = (path: string) => `POST ${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${body}`;
    const near = pathname.replace(id, `${id.slice(0, -1)}${id.endsWith('A') ? 'B' : 'A'}`);
    const nowhere = pathname.replace(id, 'x'.repeat(id.length));
    const bodyOf = (reply: string) => reply.split('\r\n\r\n')[1];
    for (const written of [(path: string) => get(path, port), posted]) {
      const [close = '', never = ''] = await Promise.all(
        [near, nowhere].map((path) => asAnother(Number(port), written(path))),
      );
      expect(close).toMatch(/^HTTP\/1.1 404 /);
      expect(bodyOf(close)).toBe(bodyOf(never));
    }
    for (let i = 0; i < TRIES; i++) {
      const reply = await asAnother(Number(port), posted(pathname.replace(id, guess())));
      expect(reply).toMatch(/^HTTP\/1.1 404 /);
    }
    expect(await desk.entered(id)).toEqual({});
    expect((await (await visit(`${origin}${pathname}`)).send(rightCard(1))).status).toBe(200);
    await desk.close();
  });
});
