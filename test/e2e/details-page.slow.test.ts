/** The details page of the program as it is published: on stdio and over HTTP on loopback, and on a public address. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { startIssuer } from '../auth/callers/issuer.ts';
import { withoutSettings } from '../campaigns/support/child.ts';
import { serving } from '../cli/program.ts';
import { connectHttp, type ToolResult } from '../http/support/clients.ts';
import { freePort } from '../http/support/openid.ts';
import { ALL_SCOPES } from '../http/support/serve.ts';
import { headingOf } from '../pages/approval/support/page-client.ts';
import { rightCard, visit } from '../pages/details/support/details-desk.ts';
import { CONTACT } from '../support/people.ts';
import { BIN, connect } from './clients.ts';
import { sellable } from './trip.ts';

type Client = Parameters<typeof sellable>[0];

const open: { client?: { close(): Promise<void> }; stop?(): Promise<void>; dirs: string[] } = { dirs: [] };

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'fareclerk-details-'));
  open.dirs.push(dir);
  return dir;
}

afterEach(async () => {
  await open.client?.close();
  await open.stop?.();
  for (const dir of open.dirs.splice(0)) rmSync(dir, { recursive: true, force: true });
  for (const name of ['client', 'stop'] as const) delete open[name];
});

async function onStdio(): Promise<Client> {
  const client = await connect('v2-2026', { env: { FARECLERK_STATE_DIR: folder() } });
  open.client = client;
  return client;
}

async function overHttp(env: Record<string, string> = {}, port = 0, token?: string): Promise<Client> {
  const child = spawn(process.execPath, [BIN, 'serve', '--http', '--port', String(port)], {
    env: { ...withoutSettings(), FARECLERK_STATE_DIR: folder(), ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const { url, stop } = await serving(child);
  open.stop = stop;
  const client = await connectHttp('v2-2026', url, { ...(token !== undefined && { token }) });
  open.client = client;
  return client as unknown as Client;
}

/** Books for one traveller, whose details only the page learns; returns the address of the page. */
async function bookWith(client: Client): Promise<string> {
  const { from, to, out } = await sellable(client);
  const call = async (tool: string, args: Record<string, unknown>): Promise<ToolResult> => client.call(tool, args);
  const found = await call('search_fares', { legs: [{ from, to, date: out }], passengers: { adults: 1 } });
  const args = {
    offer_ids: [found.structuredContent.offers[0].offer_id],
    contact: CONTACT,
    passenger_counts: { adults: 1 },
  };
  const asked = await call('create_booking', { ...args, details: 'page' });
  expect(asked.structuredContent.status).toBe('details_required');
  const { id, url } = asked.structuredContent.details;
  expect(new URL(url).pathname.endsWith(`/details/${id}`)).toBe(true);
  const traveller = await visit(url);
  expect(headingOf(traveller.page)).toBe('Passenger details');
  expect(headingOf(await traveller.send(rightCard(1, { surname: 'Qaddumi' })))).toBe('Thank you');
  const made = await call('create_booking', { ...args, details: id });
  expect(made.structuredContent.status).toBe('done');
  expect(made.content[0]?.text).toContain('Qaddumi');
  expect(JSON.stringify(made)).not.toMatch(/L898901C3|1950/);
  // Used: the address shows nothing any more.
  expect((await traveller.look()).status).toBe(404);
  return url;
}

test('on stdio the page is on loopback', async () => {
  expect(await bookWith(await onStdio())).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/details\//);
});

test('over HTTP on loopback, without a public address, it is there too', async () => {
  const token = 'token-of-this-test-0123456789abcdef';
  expect(await bookWith(await overHttp({ FARECLERK_HTTP_TOKEN: token }, 0, token))).toMatch(
    /^http:\/\/127\.0\.0\.1:\d+\/details\//,
  );
});

test('with a public address it is below that, for travellers who cannot sign in, and with no page for approvals', async () => {
  const issuer = await startIssuer();
  try {
    const port = await freePort();
    const publicUrl = `http://127.0.0.1:${port}/desk`;
    const token = await issuer.sign({ sub: 'ann', aud: `${publicUrl}/mcp`, scope: ALL_SCOPES });
    const env = { FARECLERK_PUBLIC_URL: publicUrl, FARECLERK_ISSUER: issuer.issuer };
    const client = await overHttp(env, port, token);
    expect((await bookWith(client)).startsWith(`${publicUrl}/details/`)).toBe(true);
    const unknown = await fetch(`${publicUrl}/details/${'x'.repeat(43)}`);
    expect([unknown.status, headingOf({ body: await unknown.text() })]).toEqual([404, 'There is nothing here']);
    expect((await fetch(`${publicUrl}/approve/`)).status).toBe(404);
  } finally {
    await issuer.close();
  }
});
