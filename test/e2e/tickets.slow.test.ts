/** Tickets as PDF from the program as it is published: as resources on stdio, as one-time links over HTTP. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/addresses/start.ts';
import { withoutSettings } from '../campaigns/support/child.ts';
import { serving } from '../cli/program.ts';
import { asking, type ToolResult } from '../http/support/clients.ts';
import { CONTACT, passengerNamed } from '../support/people.ts';
import { BIN, connect, type TestClient, yes } from './clients.ts';
import { inDays, ok } from './trip.ts';

const open: { client?: TestClient; sandbox?: Sandbox; dirs: string[] } = { dirs: [] };

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'fareclerk-e2e-'));
  open.dirs.push(dir);
  return dir;
}

afterEach(async () => {
  await open.client?.close();
  await open.sandbox?.close();
  for (const dir of open.dirs.splice(0)) rmSync(dir, { recursive: true, force: true });
  for (const name of ['client', 'sandbox'] as const) delete open[name];
});

type Call = (tool: string, args: Record<string, unknown>) => Promise<ToolResult>;

/** A paid train for one person; on the first day of the next weeks that has one. */
async function ticketedTrain(call: Call): Promise<string> {
  for (let days = 12; days < 40; days += 1) {
    const legs = [{ from: 'Makkah', to: 'Madinah', date: inDays(days) }];
    const { structuredContent: found } = await call('search_fares', { legs, passengers: { adults: 1 } });
    if (found.offers.length === 0) continue;
    const passengers = [passengerNamed('Laila', 'Haddad', 'P100001')];
    const offer_ids = [found.offers[0].offer_id];
    const made = await call('create_booking', { offer_ids, contact: CONTACT, passengers });
    const { locator } = made.structuredContent.booking;
    const args = { locator, payment: { type: 'invoice' } };
    const asked = await call('pay_booking', args);
    const { status, approval } = asked.structuredContent;
    const paid = status === 'done' ? asked : await call('pay_booking', { ...args, approval_id: approval.id });
    expect(paid.structuredContent.status).toBe('done');
    expect(paid.content[0]?.text).toMatch(
      / {2}1 {2}HHR\d+ Makkah Al Rusayfah → Madinah\n.* Laila Haddad .*segment 1: coach \w+ seat/,
    );
    return locator;
  }
  throw new Error('no train is sold');
}

/** Both generations of clients, the last revision without resource links, and the first with them. */
const READERS = ['v1', 'v2-2026', '2025-03-26', '2025-06-18'] as const;

describe('tickets on stdio', () => {
  test.each(READERS)('%s reads each ticket as a PDF', async (kind) => {
    open.sandbox = await startSandbox();
    const env = { ...open.sandbox.settings, FARECLERK_STATE_DIR: folder() };
    const client = await connect(kind, { env, person: yes });
    open.client = client;
    const locator = await ticketedTrain((tool, args) => ok(client, tool, args));
    const { content, structuredContent } = await ok(client, 'get_tickets', { locator });
    const [ticket] = structuredContent.tickets;
    expect(structuredContent.tickets).toHaveLength(1);

    // Revisions before 2025-06-18 have no resource links; their clients get the address in the text.
    const links = content.filter(({ type }) => type === 'resource_link');
    const old = kind === '2025-03-26';
    expect(links.map(({ uri, name }) => [uri, name])).toEqual(
      old ? [] : [[ticket.uri, 'Ticket Laila Haddad, Makkah Al Rusayfah → Madinah']],
    );
    const { mimeType, bytes } = await client.read(ticket.uri);
    expect(mimeType).toBe('application/pdf');
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
    expect(bytes.toString('latin1')).toContain('Laila Haddad');
    expect(bytes).toHaveLength(ticket.bytes);

    await expect(client.read('fareclerk://tickets/ZZZ999/1/1')).rejects.toThrow(/E_NOT_FOUND/);
  });
});

describe('tickets over HTTP', () => {
  test('each link gives its PDF once', async () => {
    const token = 'let-me-in-0123456789abcdef-01234';
    const child = spawn(process.execPath, [BIN, 'serve', '--http', '--port', '0'], {
      env: {
        ...withoutSettings(),
        FARECLERK_STATE_DIR: folder(),
        FARECLERK_APPROVAL: 'echo',
        FARECLERK_HTTP_TOKEN: token,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const server = await serving(child);
    const { url } = server;
    const client = await asking('v2-2026', { url, token });
    const call: Call = async (name, args) =>
      (await client.callTool({ name, arguments: args })) as unknown as ToolResult;
    const locator = await ticketedTrain(call);
    const { structuredContent } = await call('get_tickets', { locator });
    const [ticket] = structuredContent.tickets;
    expect(ticket.url).toMatch(new RegExp(`^${new URL(url).origin}/tickets/[\\w-]{32}$`));
    const first = await fetch(ticket.url);
    expect([first.status, first.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(Buffer.from(await first.arrayBuffer()).toString('latin1')).toContain('Laila Haddad');
    expect((await fetch(ticket.url)).status).toBe(404);
    await client.close();
    // Neither the key nor a name is in the log.
    expect(server.log()).not.toMatch(/Laila|Haddad|%PDF/);
    expect(server.log()).not.toContain(ticket.url.split('/').at(-1));
    await server.stop();
  });
});
