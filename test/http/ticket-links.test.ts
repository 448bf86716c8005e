/** One-time addresses of tickets over HTTP: used once, for their caller, and for nobody without the key. */
import { createHash, randomBytes } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { createTicketLinks } from '../../src/http/ticket-links.ts';
import { ticketedBooking } from '../clerk/calls/bookings.ts';
import { type Desk, openDesk } from '../clerk/calls/desk.ts';
import { asking, KINDS } from './support/clients.ts';
import { goodHeaders, raw } from './support/raw.ts';
import { PUBLIC_URL, serve, serveSigned, UNLIMITED } from './support/serve.ts';

let later = 0;
/** What the shared state holds, by the hash of the key. */
const stored: string[] = [];
const keys = async () => {
  const { ticketKeys: real } = desk.parts.state;
  return {
    find: real.find.bind(real),
    spend: real.spend.bind(real),
    put: (...[hash, grant, ...rest]: Parameters<typeof real.put>) => {
      stored.push(`${hash} ${JSON.stringify(grant)}`);
      return real.put(hash, grant, ...rest);
    },
  };
};
const links = () => createTicketLinks({ keys, now: async () => Date.now() + later, publicUrl: () => PUBLIC_URL });
let fetched = 0;
const desk: Desk = await openDesk({
  settings: { tickets: links() },
  before: (airline) => ({
    ...airline,
    ticketDocument(query, call) {
      fetched += 1;
      return airline.ticketDocument(query, call);
    },
  }),
});
// Two instances that share only the state.
const one = await serveSigned({ ticketLinks: links(), limits: UNLIMITED }, {}, desk);
const { clerk } = desk;
const two = await serve(
  { publicUrl: PUBLIC_URL, signIn: one.signIn, ticketLinks: links() },
  { clerk, close: async () => undefined },
);
const ports = [one.port, two.port];
const locator = await ticketedBooking(desk);
const surname = await desk.surnameIn(locator);
afterAll(async () => {
  await two.close();
  await one.close();
});

async function callAs(sub: string, tool: string, args: object) {
  const caller = await one.caller({ sub });
  const { structured } = await caller.call(tool, args);
  caller.close();
  return structured;
}

/** The address of the first ticket, for a caller who claims the booking. */
async function linkFor(sub: string): Promise<string> {
  await callAs(sub, 'read_booking', { locator, surname });
  return (await callAs(sub, 'get_tickets', { locator })).tickets[0].url;
}

/** Asks an instance for a public address. */
async function open(address: string, { at = 0, headers = {}, method = 'GET' } = {}) {
  const reply = await fetch(address.replace(PUBLIC_URL, `http://127.0.0.1:${ports[at]}`), { headers, method });
  const text = Buffer.from(await reply.arrayBuffer()).toString('latin1');
  return { status: reply.status, headers: reply.headers, text };
}

describe('a one-time address of a ticket', () => {
  it('opens once, however many wrong ones come from the same address', async () => {
    const link = await linkFor('guessed');
    const wrong = Array.from({ length: 70 }, () => `${PUBLIC_URL}/tickets/${randomBytes(24).toString('base64url')}`);
    const guesses = await Promise.all(wrong.map((address) => open(address)));
    expect(new Set(guesses.map(({ status }) => status))).toEqual(new Set([404]));
    expect((await open(link)).status).toBe(200);
    const again = await Promise.all(Array.from({ length: 70 }, () => open(link)));
    expect(new Set(again.map(({ status }) => status))).toEqual(new Set([404]));
  });

  it('gives the PDF once, from any instance', async () => {
    const link = await linkFor('ann');
    expect(link).toMatch(/^https:\/\/air\.example\/tickets\/[\w-]{32}$/);
    const first = await open(link, { at: 1 });
    expect([first.status, first.text.slice(0, 5), first.text.includes(surname)]).toEqual([200, '%PDF-', true]);
    expect(Object.fromEntries(first.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': expect.stringMatching(/^attachment; filename="[A-Z0-9]{6}-\d+-1\.pdf"$/),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'content-security-policy': expect.stringContaining('sandbox'),
      'x-content-type-options': 'nosniff',
    });
    for (const at of [0, 1]) {
      const again = await open(link, { at });
      expect([again.status, again.text]).toEqual([404, expect.stringContaining('was used, has expired')]);
    }
  });

  it('gives the PDF to one of many who open it at once, and asks the airline once on each instance', async () => {
    const link = await linkFor('ann');
    fetched = 0;
    const replies = await Promise.all(Array.from({ length: 8 }, (_, i) => open(link, { at: i % 2 })));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ text }) => text.startsWith('%PDF-'))).toHaveLength(1);
    expect(fetched).toBeLessThanOrEqual(ports.length);
  });

  it('is stored as a hash, and names neither booking nor passenger', async () => {
    const link = await linkFor('ann');
    const key = link.split('/').at(-1) ?? '';
    expect(stored.join('\n')).toContain(createHash('sha256').update(key).digest('base64url'));
    for (const secret of [key, surname]) expect(stored.join('\n')).not.toContain(secret);
    expect(link).not.toContain(locator);
  });

  it('expires after five minutes', async () => {
    const link = await linkFor('ann');
    later = 5 * 60_000;
    expect((await open(link)).status).toBe(404);
    later -= 10_000;
    expect((await open(link)).status).toBe(200);
    later = 0;
  });

  it('is kept where the airline fails, by HEAD and other methods, and under another Host', async () => {
    const link = await linkFor('ann');
    desk.sandbox.order({ message: 'download', kind: 'redirect', times: 2, location: 'https://evil.example/t.pdf' });
    const failed = await open(link);
    expect([failed.status, failed.headers.get('location')]).toEqual([503, null]);
    expect(failed.text).toContain('a redirect, which is not followed');
    for (const method of ['HEAD', 'POST', 'DELETE']) expect((await open(link, { method })).status).toBe(405);
    const headers = [['host', 'evil.example'] as const, ...goodHeaders(one.port).slice(1)];
    expect((await raw(one.port, { method: 'GET', path: new URL(link).pathname, headers })).status).toBe(403);
    expect((await open(link)).status).toBe(200);
  });

  it('opens with the token of its caller, and stays for them where the token is of another or refused', async () => {
    const link = await linkFor('ann');
    const withToken = async (token: string | Promise<string>) =>
      open(link, { headers: { authorization: `Bearer ${await token}` } });

    const eve = await withToken(one.token({ sub: 'eve' }));
    expect([eve.status, eve.text]).toEqual([404, expect.stringContaining('was used, has expired')]);
    expect((await withToken('x.y.z')).status).toBe(401);
    expect((await withToken(one.token({ sub: 'ann', aud: 'https://other.example/mcp' }))).status).toBe(401);

    const own = await withToken(one.token({ sub: 'ann' }));
    expect([own.status, own.text.slice(0, 5)]).toEqual([200, '%PDF-']);
    expect((await withToken(one.token({ sub: 'ann' }))).status).toBe(404);
  });

  it('opens where a proxy adds credentials of its own, which are no token', async () => {
    const link = await linkFor('ann');
    expect((await open(link, { headers: { authorization: 'Basic YW5uOnB3' } })).status).toBe(200);
  });

  it('is not guessed', async () => {
    for (const key of ['', 'x', 'a'.repeat(32), 'a'.repeat(64), '..%2f..%2fhealthz', '%00']) {
      const { status, text } = await open(`${PUBLIC_URL}/tickets/${key}`);
      expect([key, status, text.includes('%PDF')]).toEqual([key, 404, false]);
    }
  });
});

describe('get_tickets over HTTP', () => {
  it('answers alike for a booking of another and one that does not exist', async () => {
    const told = async (at: string) =>
      JSON.stringify(await callAs('eve', 'get_tickets', { locator: at })).replaceAll(at, 'LOCATOR');
    expect(await told(locator)).toBe(await told('ZZZ999'));
    expect(await told(locator)).toContain('E_NOT_FOUND');
  });

  it.each(KINDS)('gives resource links that the %s client reads, and that another caller cannot', async (kind) => {
    await linkFor('ann');
    const client = await asking(kind, { url: one.url, token: await one.token({ sub: 'ann' }) });
    const { content } = await client.callTool({ name: 'get_tickets', arguments: { locator } });
    const uris = content.flatMap((part) => (part.type === 'resource_link' ? [part.uri] : []));
    expect(uris).toHaveLength(4);
    const [read] = (await client.readResource({ uri: uris[0] ?? '' })).contents;
    const pdf = Buffer.from(read !== undefined && 'blob' in read ? String(read.blob) : '', 'base64').toString('latin1');
    expect([pdf.slice(0, 5), pdf.includes(surname)]).toEqual(['%PDF-', true]);
    await client.close();
    const eve = await asking(kind, { url: one.url, token: await one.token({ sub: 'eve' }) });
    await expect(eve.readResource({ uri: uris[0] ?? '' })).rejects.toThrow(/E_NOT_FOUND/);
    await eve.close();
  });
});
