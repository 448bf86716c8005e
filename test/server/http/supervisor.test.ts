/**
 * A supervisor over HTTP sees what all callers of the tenant did, and can do nothing more than before: no change, no other
 * tenant, no ticket. Every look is logged.
 */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createSignIn } from '../../../src/auth/callers/sign-in.ts';
import type { ClerkLog } from '../../../src/server/context.ts';
import { type HttpServing, startHttp } from '../../../src/server/http/server.ts';
import { listBookings } from '../../../src/tools/list-bookings.ts';
import { reportActivity } from '../../../src/tools/report-activity.ts';
import { type Issuer, startIssuer } from '../../auth/callers/issuer.ts';
import { type Called, type McpCaller, mcpCaller } from '../../support/mcp-http.ts';
import { heldBooking } from '../calls/bookings.ts';
import { type Desk, openDesk } from '../calls/desk.ts';
import { ALL_SCOPES, PUBLIC_URL } from './support/serve.ts';

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

const ROLE = 'desk-lead';
const [ANN, BEN] = ['oauth:ann:desk', 'oauth:ben:desk'];
const looks: { tool: string; caller?: string }[] = [];
const log: ClerkLog = { call() {}, failure() {}, looked: (fields) => looks.push(fields) };

let desk: Desk;
let issuer: Issuer;
let server: HttpServing;
const callers: McpCaller[] = [];
let as: Record<'ann' | 'ben' | 'lead' | 'eve' | 'far', McpCaller>;
let [annOwn, benOwn, farOwn, nobodys] = ['', '', '', ''];

async function serve(deskRole: string | undefined): Promise<HttpServing> {
  const options = { issuer: issuer.issuer, publicUrl: PUBLIC_URL, tenantClaim: 'org', ...(deskRole && { deskRole }) };
  return startHttp(desk.clerk, {
    ...{ version: '0', host: '127.0.0.1', port: 0, publicUrl: PUBLIC_URL, signIn: createSignIn(options) },
    caller: { tenant: 'desk', id: 'ann' },
    close: async () => undefined,
  });
}

async function caller(at: HttpServing, sub: string, claims: object = {}): Promise<McpCaller> {
  const token = await issuer.sign({ sub, org: 'one', aud: `${PUBLIC_URL}/mcp`, scope: ALL_SCOPES, ...claims });
  const fresh = mcpCaller(at.url, token);
  callers.push(fresh);
  return fresh;
}

async function owned(by: McpCaller): Promise<string> {
  const locator = await heldBooking(desk);
  const { travelers } = await desk.parts.airline.read(locator);
  await by.call('read_booking', { locator, surname: travelers[0]?.name?.surname });
  return locator;
}

const listOf = async (by: McpCaller, args: object = {}): Promise<Called['structured'][]> =>
  (await by.call('list_bookings', args)).structured.bookings;
const locatorsOf = async (by: McpCaller, args?: object) => (await listOf(by, args)).map((row) => row.locator).sort();

beforeAll(async () => {
  desk = await openDesk({ approval: 'echo', log });
  issuer = await startIssuer();
  server = await serve(ROLE);
  as = {
    ann: await caller(server, 'ann'),
    ben: await caller(server, 'ben'),
    lead: await caller(server, 'lead', { realm_access: { roles: [ROLE] } }),
    eve: await caller(server, 'eve', {
      ...{ roles: 'desk-lead', realm_access: { roles: ['desk-leader'] } },
      // A role that the application's own administrator defined.
      ...{ azp: 'desk', resource_access: { desk: { roles: [ROLE] } } },
    }),
    far: await caller(server, 'far', { org: 'two', roles: [ROLE] }),
  };
  annOwn = await owned(as.ann);
  benOwn = await owned(as.ben);
  farOwn = await owned(as.far);
  nobodys = await heldBooking(desk);
  const paid = await as.ann.call('pay_booking', { locator: annOwn, payment: { type: 'invoice' } });
  await as.ann.call('pay_booking', {
    ...{ locator: annOwn, payment: { type: 'invoice' } },
    approval_id: paid.structured.approval.id,
  });
});
afterAll(async () => {
  for (const one of callers) one.close();
  await server?.stop();
  await issuer?.close();
  await desk?.close();
});

it('shows a supervisor the bookings of all callers of the tenant, and everybody else their own', async () => {
  looks.length = 0;
  expect(await locatorsOf(as.lead)).toEqual([annOwn, benOwn].sort());
  // A digest, as in access lines: a token's subject may be an address.
  expect(looks).toEqual([{ tool: 'list_bookings', caller: expect.stringMatching(/^[\w-]{16}$/) }]);
  expect(await locatorsOf(as.ann)).toEqual([annOwn]);
  expect(await locatorsOf(as.eve)).toEqual([]);
  expect(await locatorsOf(as.far)).toEqual([farOwn]);
  expect(new Set(looks.map(({ caller: who }) => who)).size).toBe(2);
  expect(looks).toHaveLength(2);
});

it('says who made a booking here, and whose list it is', async () => {
  await desk.parts.state.ledger.record(
    { tenant: `${issuer.issuer}#one`, id: BEN ?? '' },
    { locator: 'MADE01', madeHere: true, seenAt: 1, state: 'held' },
  );
  const [made] = await listOf(as.lead, { query: 'MADE01' });
  expect(made).toMatchObject({ locator: 'MADE01', made_by: BEN });
  expect((await listOf(as.ben, { query: 'MADE01' }))[0]).not.toHaveProperty('made_by');
  const ctx = { wholeDesk: true, airline: {}, settings: {}, now: () => 0 } as never;
  const words = (lines: string | readonly (string | undefined)[]) => [lines].flat().join('\n');
  const bookings = [{ locator: 'MADE01', state: 'held', seen_at: '', made_by: BEN }];
  expect(words(listBookings.text({ bookings, total_found: 1 }, {}, ctx) as never)).toMatch(
    /^1 booking of the whole desk\. .*\n.*made by oauth:ben:desk/s,
  );
  const report = { rows: [], totals: {}, entries: [] };
  expect(words(reportActivity.text(report, {}, ctx) as never)).toMatch(/^The whole desk: operations of all callers\./);
});

it('reports the operations of all callers of the tenant, by caller', async () => {
  await as.ann.call('read_booking', { locator: annOwn });
  const rows = async (by: McpCaller, group_by: string) =>
    (await by.call('report_activity', { group_by })).structured.rows.map(({ key }: { key: string }) => key);
  expect(await rows(as.lead, 'caller')).toContain(ANN);
  expect(await rows(as.lead, 'route')).not.toContain('unknown');
  expect(await rows(as.ben, 'caller')).not.toContain(ANN);
  expect(await rows(as.eve, 'caller')).toEqual([]);
  expect(await rows(as.far, 'caller')).toEqual([]);
  const paid = async (by: McpCaller) => {
    const { totals, entries } = (await by.call('report_activity', { measure: 'paid' })).structured;
    expect(totals.paid?.count ?? 0).toBe(entries.length);
    return entries.map(({ locator }: { locator: string }) => locator);
  };
  expect(await paid(as.lead)).toEqual([annOwn]);
  expect(await paid(as.ann)).toEqual([annOwn]);
  expect(await paid(as.ben)).toEqual([]);
  expect(await paid(as.far)).toEqual([]);
});

it("reads a booking of the tenant's ledger, but no other one and none of another tenant", async () => {
  looks.length = 0;
  for (const locator of [annOwn, benOwn.toLowerCase()]) {
    expect((await as.lead.call('read_booking', { locator })).outcome).toBe('ok');
  }
  expect(looks.map(({ tool }) => tool)).toEqual(['read_booking', 'read_booking']);
  expect((await as.lead.call('get_seat_map', { locator: annOwn })).outcome).toBe('ok');
  for (const locator of [farOwn, nobodys, 'ZZZ999']) {
    expect((await as.lead.call('read_booking', { locator })).outcome).toBe('E_NOT_FOUND');
  }
  expect((await as.eve.call('read_booking', { locator: annOwn })).outcome).toBe('E_NOT_FOUND');
});

it('never lets a supervisor change, pay, cancel or download what they only see, whatever they read before', async () => {
  const before = desk.acts().length;
  await as.lead.call('list_bookings', { refresh: true });
  await as.lead.call('list_bookings', { locators: [annOwn, benOwn] });
  await as.lead.call('read_booking', { locator: benOwn, detail: 'full' });
  const tries: [string, object][] = [
    ['pay_booking', { payment: { type: 'invoice' } }],
    ['cancel_booking', {}],
    ['cancel_segment', { all: true }],
    ['cancel_passenger', { passenger_refs: ['1'] }],
    ['update_contact', { email: 'lead@desk.example' }],
  ];
  for (const [tool, args] of tries) {
    expect((await as.lead.call(tool, { locator: benOwn, ...args })).outcome, tool).toBe('E_NOT_PERMITTED');
  }
  expect((await as.lead.call('get_tickets', { locator: annOwn })).outcome).toBe('E_NOT_PERMITTED');
  // The role has shown the surname, so that it proves nothing.
  const { travelers } = await desk.parts.airline.read(benOwn);
  await as.lead.call('read_booking', { locator: benOwn, surname: travelers[0]?.name?.surname });
  expect((await as.lead.call('cancel_booking', { locator: benOwn })).outcome).toBe('E_NOT_PERMITTED');
  expect(desk.acts()).toHaveLength(before);
  // What a refresh read stays the clerk's: the ledger of the supervisor is empty.
  const lead = { tenant: `${issuer.issuer}#one`, id: 'oauth:lead:desk' };
  expect(await desk.parts.state.ledger.find(lead, { limit: 9 })).toMatchObject({ total: 0 });
});

it('gives nobody the view without the setting', async () => {
  const plain = await serve(undefined);
  const lead = await caller(plain, 'lead', { realm_access: { roles: [ROLE] } });
  expect(await locatorsOf(lead)).toEqual([]);
  expect((await lead.call('read_booking', { locator: annOwn })).outcome).toBe('E_NOT_FOUND');
  await plain.stop();
});
