/**
 * Who may see and change which booking over HTTP: callers their own ones, found by a surname; a supervisor sees those of
 * the tenant, and changes none of them.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { inParallel } from '../../campaigns/support/pace.ts';
import type { Called, McpCaller } from '../../support/mcp-http.ts';
import { CONTACT } from '../../support/people.ts';
import { heldBooking, refundableTrip } from '../calls/bookings.ts';
import { openDesk, PAY } from '../calls/desk.ts';
import { serveSigned, UNLIMITED } from './support/serve.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const ROLE = 'desk-lead';
const looks: { tool: string; caller?: string }[] = [];
const desk = await openDesk({
  approval: 'echo',
  log: { call() {}, failure() {}, supervisorRead: (fields) => looks.push(fields) },
});
const at = await serveSigned({ tenantClaim: 'org', deskRole: ROLE, limits: UNLIMITED }, {}, desk);

const callers: McpCaller[] = [];
async function as(sub: string, claims: object = {}, server = at): Promise<McpCaller> {
  const fresh = await server.caller({ sub, org: 'one', ...claims });
  callers.push(fresh);
  return fresh;
}
afterAll(async () => {
  for (const one of callers) one.close();
  await at.close();
});

/** A booking that the caller claimed by its surname. */
async function owned(by: McpCaller): Promise<string> {
  const locator = await heldBooking(desk);
  await by.call('read_booking', { locator, surname: await desk.surnameIn(locator) });
  return locator;
}
const codeOf = async (called: Promise<Called>) => (await called).outcome;
const listOf = async (by: McpCaller, args: object = {}): Promise<Called['structured'][]> =>
  (await by.call('list_bookings', { max_results: 200, ...args })).structured.bookings;
const locatorsOf = async (by: McpCaller, args?: object) =>
  (await listOf(by, args)).map(({ locator }) => locator).sort();

/** The other arguments of each tool: none of them changes anything without a yes. */
const TOOLS = Object.entries({
  read_booking: { detail: 'full', reveal_personal: true },
  quote_cancellation: {},
  get_seat_map: {},
  get_tickets: {},
  pay_booking: PAY,
  cancel_booking: {},
  cancel_segment: { all: true },
  cancel_passenger: { passenger_refs: ['1'] },
  change_names: { changes: [{ passenger_ref: '1', surname: 'Eve' }] },
});

describe('a caller', () => {
  it("has access to their own bookings with every tool, all at once, and others' look like bookings that do not exist", async () => {
    const four = await Promise.all(['amy', 'bob', 'cleo', 'dora'].map((sub) => as(sub)));
    const bookings: { locator: string; surname: string; owner: number }[] = [];
    for (let n = 0; n < 12; n++) {
      const locator = await owned(four[n % 4] as McpCaller);
      bookings.push({ locator, surname: await desk.surnameIn(locator), owner: n % 4 });
    }
    /** The whole answer without the requested locator. */
    const told = async (caller: number, tool: string, locator: string, args: object) => {
      const { status, structured } = await (four[caller] as McpCaller).call(tool, { locator, ...args });
      return JSON.stringify([status, structured]).replaceAll(locator, 'LOCATOR');
    };
    const before = desk.acts().length;
    const unknown = new Map<string, string>();
    for (const [tool, args] of TOOLS) unknown.set(tool, await told(0, tool, 'ZZZ999', args));
    for (const text of unknown.values()) expect(text).toContain('E_NOT_FOUND');
    const all = TOOLS.flatMap((tool) =>
      bookings.flatMap((booking) => [0, 1, 2, 3].map((by) => ({ tool, booking, by }))),
    );
    // Names of an unpaid hold change without a question.
    const tries = all.filter(({ tool: [tool], booking, by }) => tool !== 'change_names' || booking.owner !== by);
    // Interleaved, so that neighbouring calls have different tools, callers and bookings.
    const mixed = tries.map((_, i) => tries[(i * 347) % tries.length] as (typeof tries)[number]);
    expect(new Set(mixed).size).toBe(tries.length);
    const wrong: string[] = [];
    await inParallel(mixed, 24, async ({ tool: [tool, args], by, booking: { locator, owner } }) => {
      const text = await told(by, tool, locator, args);
      const leaked = bookings.filter((other) => other.owner !== by && text.includes(other.surname));
      const same = text === unknown.get(tool);
      if (leaked.length > 0 || same === (owner === by)) wrong.push(`${tool} by ${by} of ${owner}: ${text}`);
    });
    expect(wrong).toEqual([]);
    expect(desk.acts().length).toBe(before);
    for (const [n, caller] of four.entries()) {
      const own = bookings.filter(({ owner }) => owner === n).map(({ locator }) => locator);
      expect(await locatorsOf(caller)).toEqual(own.sort());
    }
  });

  it('claims a booking by its surname permanently, and creates their own', async () => {
    const [ben, eve] = [await as('ben-2'), await as('eve-2')];
    const locator = await heldBooking(desk);
    expect(await codeOf(eve.call('read_booking', { locator, surname: 'Wrong' }))).toBe('E_NOT_FOUND');
    const surname = (await desk.surnameIn(locator)).toLowerCase();
    expect(await codeOf(ben.call('read_booking', { locator, surname }))).toBe('ok');
    expect(await codeOf(ben.call('read_booking', { locator: locator.toLowerCase() }))).toBe('ok');
    expect(await codeOf(eve.call('read_booking', { locator }))).toBe('E_NOT_FOUND');
    const { offer_id } = await refundableTrip(desk, 4);
    const shelved = await desk.parts.state.offers.get({ tenant: 'desk', id: 'ann' }, offer_id);
    const tenant = { tenant: `${at.issuer.issuer}#one`, id: 'oauth:ben-2:desk' };
    const [own] = shelved === undefined ? [] : await desk.parts.state.offers.put(tenant, [shelved]);
    const group = { passenger_counts: { adults: 4 }, group_name: 'ROMAN' };
    const made = await ben.call('create_booking', { offer_ids: [own], contact: CONTACT, ...group });
    expect(await codeOf(ben.call('read_booking', { locator: made.structured.booking.locator }))).toBe('ok');
    expect(await locatorsOf(ben)).toHaveLength(2);
  });
});

describe('a supervisor', () => {
  const [ANN, BEN] = ['oauth:ann:desk', 'oauth:ben:desk'];
  let ann: McpCaller;
  let ben: McpCaller;
  let lead: McpCaller;
  let eve: McpCaller;
  let far: McpCaller;
  let [annOwn, benOwn, farOwn, nobodys] = ['', '', '', ''];

  beforeAll(async () => {
    [ann, ben] = [await as('ann', { org: 'desk' }), await as('ben', { org: 'desk' })];
    lead = await as('lead', { org: 'desk', realm_access: { roles: [ROLE] } });
    // Roles of another form, of another name, or that the application's own administrator defined.
    const almost = { roles: ROLE, realm_access: { roles: [`${ROLE}er`] }, azp: 'desk' };
    eve = await as('eve', { org: 'desk', ...almost, resource_access: { desk: { roles: [ROLE] } } });
    far = await as('far', { org: 'two', roles: [ROLE] });
    [annOwn, benOwn, farOwn] = [await owned(ann), await owned(ben), await owned(far)];
    nobodys = await heldBooking(desk);
    const asked = await ann.call('pay_booking', { locator: annOwn, ...PAY });
    await ann.call('pay_booking', { locator: annOwn, ...PAY, approval_id: asked.structured.approval.id });
    await ann.call('read_booking', { locator: annOwn });
    looks.length = 0;
  });

  it('sees the bookings of all callers of the tenant, and everybody else their own', async () => {
    expect(await locatorsOf(lead)).toEqual([annOwn, benOwn].sort());
    // A digest, as in access lines: a token's subject may be an address.
    expect(looks).toEqual([{ tool: 'list_bookings', caller: expect.stringMatching(/^[\w-]{16}$/) }]);
    expect([await locatorsOf(ann), await locatorsOf(eve), await locatorsOf(far)]).toEqual([[annOwn], [], [farOwn]]);
    expect(new Set(looks.map(({ caller }) => caller)).size).toBe(2);
    expect(looks).toHaveLength(2);
  });

  it('reads who made a booking here, and whose list it is', async () => {
    const entry = { locator: 'MADE01', madeHere: true, seenAt: 1, state: 'held' };
    await desk.parts.state.ledger.record({ tenant: `${at.issuer.issuer}#desk`, id: BEN }, entry as never);
    const [made] = await listOf(lead, { query: 'MADE01' });
    expect(made).toMatchObject({ locator: 'MADE01', made_by: BEN });
    expect((await listOf(ben, { query: 'MADE01' }))[0]).not.toHaveProperty('made_by');
  });

  it("finds by a traveller's surname what their own list has, and never a colleague's booking", async () => {
    const query = await desk.surnameIn(benOwn);
    expect([await locatorsOf(ben, { query }), await locatorsOf(ann, { query })]).toEqual([[benOwn], []]);
    expect(await locatorsOf(lead, { query })).toEqual([]);
    expect(await locatorsOf(lead, { query: benOwn })).toEqual([benOwn]);
  });

  it.each(['list_bookings', 'report_activity'])('reads in %s that it is about the whole desk', async (tool) => {
    const texts = [(await lead.call(tool, {})).text, (await ann.call(tool, {})).text];
    expect(texts.map((text) => /whole desk/.test(text))).toEqual([true, false]);
  });

  it('reads the operations of all callers of the tenant, by caller', async () => {
    const rows = async (by: McpCaller, group_by: string) =>
      (await by.call('report_activity', { group_by })).structured.rows.map(({ key }: { key: string }) => key);
    expect(await rows(lead, 'caller')).toContain(ANN);
    expect(await rows(lead, 'route')).not.toContain('unknown');
    expect(await rows(ben, 'caller')).not.toContain(ANN);
    expect([await rows(eve, 'caller'), await rows(far, 'caller')]).toEqual([[], []]);
    const paid = async (by: McpCaller) => {
      const { totals, entries } = (await by.call('report_activity', { measure: 'paid' })).structured;
      expect(totals?.paid?.count ?? 0).toBe(entries.length);
      return entries.map(({ locator }: { locator: string }) => locator);
    };
    expect([await paid(lead), await paid(ann), await paid(ben), await paid(far)]).toEqual([[annOwn], [annOwn], [], []]);
  });

  it("reads a booking of the tenant's ledger, but no other one and none of another tenant", async () => {
    looks.length = 0;
    for (const locator of [annOwn, benOwn.toLowerCase()]) {
      expect(await codeOf(lead.call('read_booking', { locator }))).toBe('ok');
    }
    expect(looks.map(({ tool }) => tool)).toEqual(['read_booking', 'read_booking']);
    expect(await codeOf(lead.call('get_seat_map', { locator: annOwn }))).toBe('ok');
    for (const locator of [farOwn, nobodys, 'ZZZ999']) {
      expect(await codeOf(lead.call('read_booking', { locator }))).toBe('E_NOT_FOUND');
    }
    expect(await codeOf(eve.call('read_booking', { locator: annOwn }))).toBe('E_NOT_FOUND');
  });

  it('never changes, pays, cancels or downloads what they only see, whatever they read before', async () => {
    const before = desk.acts().length;
    await lead.call('list_bookings', { refresh: true });
    await lead.call('list_bookings', { locators: [annOwn, benOwn] });
    await lead.call('read_booking', { locator: benOwn, detail: 'full' });
    // The role has shown the surname, so that it proves nothing.
    await lead.call('read_booking', { locator: benOwn, surname: await desk.surnameIn(benOwn) });
    const tries = TOOLS.filter(([tool]) => /^(?:pay|cancel|change|get_tickets)/.test(tool));
    for (const [tool, args] of [...tries, ['update_contact', { email: 'lead@desk.example' }]] as const) {
      const locator = tool === 'get_tickets' ? annOwn : benOwn;
      expect([tool, await codeOf(lead.call(tool, { locator, ...args }))]).toEqual([tool, 'E_NOT_PERMITTED']);
    }
    expect(desk.acts()).toHaveLength(before);
    // What a refresh read stays the clerk's: the ledger of the supervisor is empty.
    const own = { tenant: `${at.issuer.issuer}#desk`, id: 'oauth:lead:desk' };
    expect(await desk.parts.state.ledger.find(own, { limit: 9 })).toMatchObject({ total: 0 });
  });

  it('is nobody without the setting', async () => {
    const plain = await serveSigned({ tenantClaim: 'org' }, {}, { clerk: desk.clerk, close: async () => undefined });
    const same = await as('lead', { org: 'desk', realm_access: { roles: [ROLE] } }, plain as typeof at);
    expect(await locatorsOf(same)).toEqual([]);
    expect(await codeOf(same.call('read_booking', { locator: annOwn }))).toBe('E_NOT_FOUND');
    await plain.close();
  });
});
