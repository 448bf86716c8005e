/** Attacks of one member of a team on the others, over HTTP with an issuer: what they tried must not work. */
import { afterAll, expect, it } from 'vitest';
import { createMetrics } from '../../src/metrics/metrics.ts';
import { heldBooking, refundableTrip } from '../clerk/calls/bookings.ts';
import { openDesk } from '../clerk/calls/desk.ts';
import { PUBLIC_URL, serve, serveSigned } from '../http/support/serve.ts';
import { type McpCaller, mcpCaller } from '../support/mcp-http.ts';
import { CONTACT } from '../support/people.ts';

let asked = 0;
const desk = await openDesk({
  approval: 'echo',
  before: (airline) => ({
    ...airline,
    read: (...query) => {
      asked += 1;
      return airline.read(...query);
    },
    searchFares: (...query) => {
      asked += 1;
      return airline.searchFares(...query);
    },
  }),
});
const measures = [createMetrics({ process: false }), createMetrics({ process: false })];
const [first, second] = measures as [(typeof measures)[0], (typeof measures)[0]];
const one = await serveSigned({ tenantClaim: 'org', metrics: first }, {}, desk);
const { issuer, signIn } = one;
const other = { clerk: desk.clerk, close: async () => undefined };
const two = await serve({ publicUrl: PUBLIC_URL, signIn, metrics: second }, other);
const callers: McpCaller[] = [];
afterAll(async () => {
  for (const each of callers) each.close();
  await two.close();
  await one.close();
  for (const each of measures) each.close();
});

/** A caller at one of the two instances. */
async function caller(sub: string, client_id: string, at = 0, org = 'one'): Promise<McpCaller> {
  const fresh = mcpCaller([one, two][at]?.url ?? '', await one.token({ sub, client_id, org }));
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
  const right = { locator, surname: await desk.surnameIn(locator) };
  expect((await (await caller('eve', 'app9')).call('read_booking', right)).outcome).toBe('E_LIMIT');
  expect((await (await caller('ben', 'app0')).call('read_booking', right)).outcome).toBe('ok');
  expect((await (await caller('eve', 'app0', 0, 'two')).call('read_booking', right)).outcome).toBe('ok');
});

it('tells nobody what the change of a booking costs that they may not read, nor that there is one', async () => {
  const victim = await heldBooking(desk);
  const eve = await caller('ivan', 'desk');
  const said = async (locator: string, more: object = {}) => {
    const instead = { instead_of: { locator, segment_ref: '1', ...more } };
    const before = asked;
    const { status, structured } = await eve.call('search_fares', instead);
    const words = JSON.stringify([status, structured]).replaceAll(locator.toUpperCase(), 'LOCATOR');
    return [words, asked - before];
  };
  const unknown = await said('ZZZ999');
  expect(unknown).toEqual([expect.stringContaining('E_NOT_FOUND'), 0]);
  expect(await said(victim)).toEqual(unknown);
  expect(await said(victim.toLowerCase())).toEqual(unknown);
  // A surname claims a booking in read_booking alone.
  expect((await said(victim, { surname: await desk.surnameIn(victim) }))[0]).toContain('E_INPUT');
  expect((await eve.call('read_booking', { locator: victim })).outcome).toBe('E_NOT_FOUND');
});

it('keeps names that a caller made up out of the measures', async () => {
  const eve = await caller('eve', 'desk');
  for (let n = 0; n < 5; n++) await eve.call(`made_up_${n}`, {});
  for (const one of measures) expect((await one.text()).body).not.toContain('made_up');
});

it('opens no booking to whoever names a group by its locator', async () => {
  const victim = await heldBooking(desk);
  const eve = await caller('mallory', 'desk');
  const { offer_id: offer } = await refundableTrip(desk, 4);
  const { offers } = desk.parts.state;
  const shelved = await offers.get({ tenant: 'desk', id: 'ann' }, offer);
  const tenant = { tenant: `${issuer.issuer}#one`, id: 'oauth:mallory:desk' };
  const [offerId] = shelved === undefined ? [] : await offers.put(tenant, [shelved]);
  const group = { offer_ids: [offerId], contact: CONTACT, passenger_counts: { adults: 4 }, group_name: victim };
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
