/** Attacks of one member of a team on the others, over HTTP with an issuer: what they tried must not work. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { memoryClaims } from '../../src/approvals/claims.ts';
import { createSignIn } from '../../src/auth/callers/sign-in.ts';
import { type HttpServing, startHttp } from '../../src/server/http/server.ts';
import { createMetrics, type Metrics } from '../../src/server/metrics/metrics.ts';
import { type Issuer, startIssuer } from '../auth/callers/issuer.ts';
import { heldBooking, refundableTrip } from '../server/calls/bookings.ts';
import { type Desk, openDesk } from '../server/calls/desk.ts';
import { ALL_SCOPES, PUBLIC_URL } from '../server/http/support/serve.ts';
import { type McpCaller, mcpCaller } from '../support/mcp-http.ts';
import { CONTACT } from '../support/people.ts';

let desk: Desk;
let issuer: Issuer;
const measures: Metrics[] = [];
const instances: HttpServing[] = [];
const callers: McpCaller[] = [];

/** Shared by the instances, as a database is. */
const claims = memoryClaims();

beforeAll(async () => {
  desk = await openDesk({ approval: 'echo' });
  issuer = await startIssuer();
  for (let n = 0; n < 2; n++) {
    const metrics = createMetrics({ process: false });
    measures.push(metrics);
    instances.push(
      await startHttp(desk.clerk, {
        ...{ version: '0', host: '127.0.0.1', port: 0, publicUrl: PUBLIC_URL, metrics },
        signIn: createSignIn({ issuer: issuer.issuer, publicUrl: PUBLIC_URL, tenantClaim: 'org' }),
        caller: { tenant: 'desk', id: 'ann' },
        claims,
        close: async () => undefined,
      }),
    );
  }
}, 30_000);
afterAll(async () => {
  for (const one of callers) one.close();
  for (const one of instances) await one.stop();
  for (const one of measures) one.close();
  await issuer?.close();
  await desk?.close();
});

/** A caller at one of the two instances. */
async function caller(sub: string, client_id: string, at = 0, org = 'one'): Promise<McpCaller> {
  const token = await issuer.sign({ sub, client_id, org, aud: `${PUBLIC_URL}/mcp`, scope: ALL_SCOPES });
  const fresh = mcpCaller(instances[at]?.url ?? '', token);
  callers.push(fresh);
  return fresh;
}

it('counts the wrong surnames of a person together, whatever application and instance they use', async () => {
  const locator = await heldBooking(desk);
  for (let n = 0; n < 5; n++) {
    const eve = await caller('eve', `app${n}`, n % 2);
    const guess = await eve.call('read_booking', { locator, surname: `Guess${'abcde'[n]}` });
    expect(guess.outcome).toBe('E_NOT_FOUND');
  }
  const { travelers } = await desk.parts.airline.read(locator);
  const right = { locator, surname: travelers[0]?.name?.surname };
  expect((await (await caller('eve', 'app9')).call('read_booking', right)).outcome).toBe('E_LIMIT');
  expect((await (await caller('ben', 'app0')).call('read_booking', right)).outcome).toBe('ok');
  expect((await (await caller('eve', 'app0', 0, 'two')).call('read_booking', right)).outcome).toBe('ok');
});

it('keeps names that a caller made up out of the measures', async () => {
  const eve = await caller('eve', 'desk');
  for (let n = 0; n < 5; n++) await eve.call(`made_up_${n}`, {});
  for (const one of measures) expect((await one.text()).body).not.toContain('made_up');
});

it("takes no approval of another person, application or tenant, and no operation's id instead of it", async () => {
  const locator = await heldBooking(desk);
  const { travelers } = await desk.parts.airline.read(locator);
  const surname = travelers[0]?.name?.surname;
  const ann = await caller('ann', 'desk');
  await ann.call('read_booking', { locator, surname });
  const order = { locator, payment: { type: 'invoice' } };
  const asked = (await ann.call('pay_booking', order)).structured;
  const before = desk.acts().length;
  const others = [
    ['ben', 'desk', 'one'],
    ['ann', 'other', 'one'],
    ['ann', 'desk', 'two'],
  ] as const;
  for (const [sub, client, org] of others) {
    const other = await caller(sub, client, 1, org);
    await other.call('read_booking', { locator, surname });
    const stolen = await other.call('pay_booking', { ...order, approval_id: asked.approval.id });
    expect(stolen.outcome, sub + client + org).toBe('E_APPROVAL_INVALID');
  }
  const named = await ann.call('pay_booking', { ...order, approval_id: asked.approval.operation_id ?? 'x' });
  expect(named.outcome).toMatch(/E_APPROVAL_INVALID|E_INPUT/);
  expect(desk.acts()).toHaveLength(before);
  const again = await caller('ann', 'desk', 1);
  expect((await again.call('pay_booking', { ...order, approval_id: asked.approval.id })).outcome).toBe('done');
});

it('opens no booking to whoever names a group by its locator', async () => {
  const victim = await heldBooking(desk);
  const eve = await caller('mallory', 'desk');
  const { offer_id: offer } = await refundableTrip(desk, 4);
  const { offers } = desk.parts.state;
  const shelved = await offers.get({ tenant: 'desk', id: 'ann' }, offer);
  const tenant = { tenant: `${issuer.issuer}#one`, id: 'oauth:mallory:desk' };
  const [own] = shelved === undefined ? [] : await offers.put(tenant, [shelved]);
  const group = { offer_ids: [own], contact: CONTACT, passenger_counts: { adults: 4 }, group_name: victim };
  const made = await eve.call('create_booking', group);
  expect(made.outcome).toBe('done');
  expect(made.structured.booking.group_name).toBe(victim);
  // A claim takes all names of the booking.
  const again = await caller('mallory', 'other');
  const { locator } = made.structured.booking;
  expect((await again.call('read_booking', { locator, surname: CONTACT.surname })).outcome).toBe('ok');
  for (const one of [eve, again]) {
    expect((await one.call('read_booking', { locator: victim })).outcome).toBe('E_NOT_FOUND');
  }
});
