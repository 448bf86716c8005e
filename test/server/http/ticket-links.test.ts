/** One-time addresses of tickets over HTTP: used once, for their caller, and for nobody without the key. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSignIn } from '../../../src/auth/callers/sign-in.ts';
import type { TicketGrant, TicketKeys } from '../../../src/domain/booking/ticket-documents.ts';
import { type HttpServing, startHttp } from '../../../src/server/http/server.ts';
import { createTicketLinks } from '../../../src/server/tickets/ticket-links.ts';
import { type Issuer, startIssuer } from '../../auth/callers/issuer.ts';
import { mcpCaller } from '../../support/mcp-http.ts';
import { ticketedBooking } from '../calls/bookings.ts';
import { type Desk, openDesk } from '../calls/desk.ts';
import { asking, KINDS } from '../support/asking.ts';
import { ALL_SCOPES, PUBLIC_URL } from './support/serve.ts';

let desk: Desk;
let issuer: Issuer;
let servers: HttpServing[];
let locator: string;
let surname: string;
let now = 0;
/** What the shared state holds: keys by their hash. */
let stored: Map<string, TicketGrant>;

beforeAll(async () => {
  stored = new Map();
  const keys = async (): Promise<TicketKeys> => {
    const real = (desk.parts.state as unknown as { ticketKeys: TicketKeys }).ticketKeys;
    return {
      ...{ find: (hash, at) => real.find(hash, at), spend: (hash) => real.spend(hash) },
      put: async (hash, grant, at, until) => {
        stored.set(hash, grant);
        await real.put(hash, grant, at, until);
      },
    };
  };
  const links = () => createTicketLinks({ keys, now: async () => Date.now() + now, publicUrl: () => PUBLIC_URL });
  desk = await openDesk({ tickets: links() });
  issuer = await startIssuer();
  const signIn = createSignIn({ issuer: issuer.issuer, publicUrl: PUBLIC_URL });
  const options = { version: '0', host: '127.0.0.1', port: 0, caller: { tenant: 'desk', id: 'ann' }, signIn };
  // Two instances that share only the state.
  servers = await Promise.all(
    [links(), links()].map((ticketLinks) =>
      startHttp(desk.clerk, { ...options, publicUrl: PUBLIC_URL, ticketLinks, close: async () => undefined }),
    ),
  );
  locator = await ticketedBooking(desk);
  surname = (await desk.parts.airline.read(locator)).travelers[0]?.name?.surname ?? '';
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await issuer.close();
  await desk.close();
});

const tokenOf = (sub: string) => issuer.sign({ sub, aud: `${PUBLIC_URL}/mcp`, scope: ALL_SCOPES });

/** Addresses of all tickets, for a caller who claims the booking. */
async function linksFor(sub: string): Promise<readonly string[]> {
  const caller = mcpCaller(servers[0]?.url ?? '', await tokenOf(sub));
  await caller.call('read_booking', { locator, surname });
  const { structured } = await caller.call('get_tickets', { locator });
  caller.close();
  return structured.tickets.map(({ url }: { url: string }) => url);
}

/** Asks an instance for a public address. */
async function open(address: string, { at = 0, headers = {}, method = 'GET' } = {}) {
  const { port } = servers[at] as HttpServing;
  const reply = await fetch(address.replace(PUBLIC_URL, `http://127.0.0.1:${port}`), { headers, method });
  const body = Buffer.from(await reply.arrayBuffer());
  return { status: reply.status, headers: reply.headers, body, text: body.toString('latin1') };
}

const bearer = async (sub: string) => ({ authorization: `Bearer ${await tokenOf(sub)}` });

describe('a one-time address of a ticket', () => {
  it('gives the PDF once, from any instance', async () => {
    const [link = ''] = await linksFor('ann');
    expect(link).toMatch(/^https:\/\/air\.example\/tickets\/[\w-]{32}$/);
    const first = await open(link, { at: 1 });
    expect([first.status, first.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(first.text.startsWith('%PDF-')).toBe(true);
    expect(first.text).toContain(surname);
    expect(first.headers.get('content-disposition')).toMatch(/^attachment; filename="[A-Z0-9]{6}-\d+-1\.pdf"$/);
    expect(first.headers.get('cache-control')).toBe('no-store');
    expect(first.headers.get('referrer-policy')).toBe('no-referrer');
    for (const at of [0, 1]) {
      const again = await open(link, { at });
      expect([again.status, again.text]).toEqual([404, expect.stringContaining('was used, has expired')]);
    }
  });

  it('gives the PDF to one of many who open it at once', async () => {
    const [link = ''] = await linksFor('ann');
    const replies = await Promise.all(Array.from({ length: 8 }, (_, i) => open(link, { at: i % 2 })));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ text }) => text.startsWith('%PDF-'))).toHaveLength(1);
  });

  it('is stored as a hash, and names neither booking nor passenger', async () => {
    const [link = ''] = await linksFor('ann');
    const key = link.split('/').at(-1) ?? '';
    expect(stored.has(createHash('sha256').update(key).digest('base64url'))).toBe(true);
    expect(JSON.stringify([...stored])).not.toContain(key);
    expect(JSON.stringify([...stored])).not.toContain(surname);
    expect(link).not.toContain(locator);
  });

  it('expires after five minutes', async () => {
    const [link = ''] = await linksFor('ann');
    now = 5 * 60_000;
    expect((await open(link)).status).toBe(404);
    now = 5 * 60_000 - 10_000;
    expect((await open(link)).status).toBe(200);
    now = 0;
  });

  it('is kept for a caller who brings their own token, and refused to another', async () => {
    const [link = ''] = await linksFor('ann');
    for (let i = 0; i < 2; i += 1) expect((await open(link, { headers: await bearer('ann') })).status).toBe(200);
    const other = await open(link, { headers: await bearer('ben') });
    expect([other.status, other.text.includes('%PDF')]).toEqual([404, false]);
    expect((await open(link, { headers: { authorization: 'Bearer forged' } })).status).toBe(401);
    expect((await open(link)).status).toBe(200);
    expect((await open(link, { headers: await bearer('ann') })).status).toBe(404);
  });

  it('is kept where the airline fails, so that it can be opened again', async () => {
    const [link = ''] = await linksFor('ann');
    desk.sandbox.order({ message: 'download', kind: 'redirect', times: 2, location: 'https://evil.example/t.pdf' });
    const failed = await open(link);
    expect([failed.status, failed.headers.get('location')]).toEqual([503, null]);
    expect(failed.text).toContain('a redirect, which is not followed');
    expect((await open(link)).status).toBe(200);
  });

  it.each(['', 'x', 'a'.repeat(32), 'a'.repeat(64), '..%2f..%2fhealthz', '%00'])('is not guessed: %j', async (key) => {
    const { status, text } = await open(`${PUBLIC_URL}/tickets/${key}`);
    expect([404, status]).toEqual([status, 404]);
    expect(text).not.toContain('%PDF');
  });

  it('is not used up by HEAD, and takes no other method', async () => {
    const [link = ''] = await linksFor('ann');
    for (const method of ['HEAD', 'POST', 'DELETE']) expect((await open(link, { method })).status).toBe(405);
    expect((await open(link)).status).toBe(200);
  });

  it('is refused under another Host', async () => {
    const [link = ''] = await linksFor('ann');
    const { request } = await import('node:http');
    const { port } = servers[0] as HttpServing;
    const status = await new Promise((resolve) => {
      const path = link.replace(PUBLIC_URL, '');
      request({ port, path, headers: { host: 'evil.example' } }, (reply) => resolve(reply.statusCode)).end();
    });
    expect(status).toBe(403);
  });
});

describe('get_tickets over HTTP', () => {
  it('answers alike for a booking of another and one that does not exist', async () => {
    const eve = mcpCaller(servers[0]?.url ?? '', await tokenOf('eve'));
    const told = async (at: string) =>
      JSON.stringify((await eve.call('get_tickets', { locator: at })).structured).replaceAll(at, 'LOCATOR');
    expect(await told(locator)).toBe(await told('ZZZ999'));
    expect(await told(locator)).toContain('E_NOT_FOUND');
    eve.close();
  });

  it('writes no file for a caller over HTTP', async () => {
    const ann = mcpCaller(servers[0]?.url ?? '', await tokenOf('ann'));
    const { structured } = await ann.call('get_tickets', { locator, save: true });
    expect(structured.error).toMatchObject({ code: 'E_INPUT' });
    expect(structured.error.next).toContain('url');
    ann.close();
  });

  it.each(KINDS)('gives resource links that the %s client reads, and that another caller cannot', async (kind) => {
    await linksFor('ann');
    const client = await asking(kind, { url: servers[0]?.url ?? '', token: await tokenOf('ann') });
    const { content } = await client.callTool({ name: 'get_tickets', arguments: { locator } });
    const links = content.filter((one) => one.type === 'resource_link');
    expect(links).toHaveLength(4);
    const uri = links[0]?.uri ?? '';
    const [read] = (await client.readResource({ uri })).contents;
    const pdf = Buffer.from(read !== undefined && 'blob' in read ? String(read.blob) : '', 'base64').toString('latin1');
    expect(pdf).toMatch(/^%PDF-/);
    expect(pdf).toContain(surname);
    await client.close();
    const eve = await asking(kind, { url: servers[0]?.url ?? '', token: await tokenOf('eve') });
    await expect(eve.readResource({ uri })).rejects.toThrow(/E_NOT_FOUND/);
    await eve.close();
  });
});
