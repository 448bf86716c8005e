/**
 * Who may see and change which booking over HTTP: callers their own ones, found by a surname; a supervisor sees those of
 * the tenant, and changes none of them.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { heldBooking } from '../clerk/calls/bookings.ts';
import { openDesk, PAY } from '../clerk/calls/desk.ts';
import type { Called, McpCaller } from '../support/mcp-http.ts';
import { about, BOOKING_TOOLS } from './support/booking-tools.ts';
import { serveSigned, UNLIMITED } from './support/serve.ts';

const ROLE = 'desk-lead';
const looks: { tool: string; caller?: string }[] = [];
const desk = await openDesk({
  approval: 'echo',
  sql: true,
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

it("gives callers their own bookings with every tool, all at once, and others' look like bookings that do not exist", async () => {
  const both = [await as('amy'), await as('bob')] as const;
  const own = [await owned(both[0]), await owned(both[1])] as const;
  const surnames = await Promise.all(own.map((locator) => desk.surnameIn(locator)));
  const before = desk.acts().length;
  const each = async (by: 0 | 1, tool: string, args: object) => {
    /** The whole answer without the requested locator. */
    const told = async (locator: string) => {
      const { status, structured } = await both[by].call(tool, about(tool, locator, args));
      return JSON.stringify([status, structured]).replaceAll(locator, 'LOCATOR');
    };
    const other = by === 0 ? 1 : 0;
    const unknown = await told('ZZZ999');
    expect(unknown).toContain('E_NOT_FOUND');
    expect(await told(own[other])).toBe(unknown);
    // Names of an unpaid hold change without a question.
    if (tool === 'change_names') return;
    const mine = await told(own[by]);
    expect(mine).not.toBe(unknown);
    expect(mine).not.toContain(surnames[other]);
  };
  await Promise.all(BOOKING_TOOLS.flatMap(([tool, args]) => [each(0, tool, args), each(1, tool, args)]));
  expect(desk.acts().length).toBe(before);
  for (const by of [0, 1] as const) expect(await locatorsOf(both[by])).toEqual([own[by]]);
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

  it('does not set the key of a customer of others, whose key of the same name another tenant never sees', async () => {
    const keyed = (by: McpCaller, locator: string) => by.call('update_contact', { locator, customer: 'CRM-1' });
    expect([(await keyed(lead, annOwn)).outcome, (await keyed(ben, annOwn)).outcome]).toEqual([
      'E_NOT_PERMITTED',
      'E_NOT_FOUND',
    ]);
    for (const [by, locator] of [
      [ann, annOwn],
      [far, farOwn],
    ] as const)
      expect((await keyed(by, locator)).structured).toMatchObject({ status: 'done' });
    const ofKey = { customer: 'CRM-1' };
    const seen = await Promise.all([ann, ben, lead, far].map((by) => locatorsOf(by, ofKey)));
    expect(seen).toEqual([[annOwn], [], [annOwn], [farOwn]]);
    looks.length = 0;
  });

  it('reads who made a booking here, and whose list it is', async () => {
    const entry = { locator: 'MADE01', madeHere: true, seenAt: 1, state: 'held' };
    await desk.parts.state.ledger.record({ tenant: `${at.issuer.issuer}#desk`, id: BEN }, entry as never);
    const [made] = await listOf(lead, { query: 'MADE01' });
    expect(made).toMatchObject({ locator: 'MADE01', made_by: BEN });
    expect((await lead.call('list_bookings', { query: 'MADE01' })).text).toMatch(/made by ben\b/);
    expect((await listOf(ben, { query: 'MADE01' }))[0]).not.toHaveProperty('made_by');
  });

  it("finds by a traveller's surname what their list has: a clerk never a colleague's booking, a supervisor everybody's", async () => {
    const query = await desk.surnameIn(benOwn);
    expect([await locatorsOf(ben, { query }), await locatorsOf(ann, { query })]).toEqual([[benOwn], []]);
    expect([await locatorsOf(eve, { query }), await locatorsOf(far, { query })]).toEqual([[], []]);
    expect(await locatorsOf(lead, { query })).toEqual([benOwn]);
    expect(await locatorsOf(lead, { query: `${query} A` })).toEqual([benOwn]);
    const [first] = await listOf(lead, { locators: [annOwn] });
    expect(await locatorsOf(lead, { query: `${first.travelers[0]} ${first.route.slice(0, 3)}` })).toEqual([annOwn]);
    expect((await lead.call('list_bookings', { query: `${query}x` })).text).toContain(
      'nearest name or locator here is',
    );
    expect(await locatorsOf(lead, { query: benOwn })).toEqual([benOwn]);
  });

  it.each(['list_bookings', 'query_ledger'])('reads in %s that it is about the whole desk', async (tool) => {
    const texts = [(await lead.call(tool, {})).text, (await ann.call(tool, {})).text];
    expect(texts.map((text) => /whole desk/.test(text))).toEqual([true, false]);
  });

  it('reads the operations of all callers of the tenant, by caller', async () => {
    const rows = async (by: McpCaller, column: string): Promise<unknown[]> =>
      (await by.call('query_ledger', { sql: `select distinct ${column} from operation` })).structured.rows.flat();
    looks.length = 0;
    expect(await rows(lead, 'asked_by')).toContain(ANN);
    // A look at the whole desk, once for each question.
    expect(looks).toEqual([{ tool: 'query_ledger', caller: expect.stringMatching(/^[\w-]{16}$/) }]);
    expect(await rows(lead, 'route')).not.toContain(null);
    expect(await rows(ann, 'asked_by')).toEqual([ANN]);
    expect(await rows(ben, 'asked_by')).not.toContain(ANN);
    expect([await rows(eve, 'asked_by'), await rows(far, 'asked_by')]).toEqual([[], []]);
    const paid = async (by: McpCaller) => {
      const sql = "select locator from operation where act = 'payment' and outcome = 'done'";
      return (await by.call('query_ledger', { sql })).structured.rows.flat();
    };
    expect([await paid(lead), await paid(ann), await paid(ben), await paid(far)]).toEqual([[annOwn], [annOwn], [], []]);
    looks.length = 0;
    await rows(ann, 'id');
    expect(looks).toEqual([]);
  });

  it("reads a booking of the tenant's ledger, but no other one and none of another tenant", async () => {
    looks.length = 0;
    for (const locator of [annOwn, benOwn.toLowerCase()]) {
      expect(await codeOf(lead.call('read_booking', { locator }))).toBe('ok');
    }
    expect(looks.map(({ tool }) => tool)).toEqual(['read_booking', 'read_booking']);
    const history = { locator: annOwn, detail: 'history' };
    const told = (await lead.call('read_booking', history)).structured.history.map(
      ({ what }: { what: string }) => what,
    );
    expect(told.filter((what: string) => /approv/i.test(what))).toEqual([
      'Approval of the payment requested for ann',
      'ann approved the payment through the assistant',
    ]);
    for (const other of [ben, eve, far]) expect(await codeOf(other.call('read_booking', history))).toBe('E_NOT_FOUND');
    expect(await codeOf(lead.call('get_seat_map', { locator: annOwn }))).toBe('ok');
    looks.length = 0;
    const instead = (locator: string) => ({ instead_of: { locator, segment_ref: '1' } });
    expect(await codeOf(lead.call('search_fares', instead(annOwn)))).toBe('ok');
    expect(looks.map(({ tool }) => tool)).toEqual(['search_fares']);
    for (const other of [ben, eve, far])
      expect(await codeOf(other.call('search_fares', instead(annOwn)))).toBe('E_NOT_FOUND');
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
    const tries = BOOKING_TOOLS.filter(([tool]) => /^(?:pay|cancel|change|get_tickets)/.test(tool));
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
