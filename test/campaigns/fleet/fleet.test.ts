/**
 * Processes that share one PostgreSQL. The same proofs at full size: `node test/campaigns/fleet/run.ts`.
 */

import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { dateIn } from '../../support/people.ts';
import { proveLimits } from '../chaos/limits.ts';
import { proveOneApproval } from '../chaos/one-approval.ts';
import { paymentsOf, questionsOf } from '../support/instances.ts';
import { type Cluster, startCluster } from '../support/postgres.ts';
import { crossCallers } from './crossing.ts';
import { killDatabase } from './database-kills.ts';
import { dieInMidPayment } from './deaths.ts';
import { lateUnderSkew } from './skew.ts';
import { type Fleet, openFleet } from './support/fleet.ts';
import { tokenStorm } from './tokens.ts';

// Processes start as fast as the machine lets them.
vi.setConfig({ testTimeout: 60_000 });

let cluster: Cluster;
let fleet: Fleet;
beforeAll(async () => {
  cluster = await startCluster();
  fleet = await openFleet(cluster, 'fleet');
});
afterAll(async () => {
  await fleet?.close();
  await cluster?.close();
});

/** Settings of a fleet on a database of its own. */
async function envOf(database: string): Promise<Readonly<Record<string, string>>> {
  return { FARECLERK_DATABASE_URL: await cluster.database(database) };
}

test('requests one new token for a thousand calls in each of four processes', async () => {
  const { first, storm, tokens } = await tokenStorm(fleet, 4, 1_000);
  expect({ first, storm, tokens }).toEqual({ first: 1, storm: 1, tokens: 1 });
});

test('pays once if one approval is presented many times to four instances', async () => {
  const { problems, seen } = await proveOneApproval({ runs: 120, seed: 1 }, await envOf('once'));
  expect(problems, seen).toEqual([]);
});

test('keeps limits under simultaneous payments by four instances, and after a restart', async () => {
  const { problems, seen } = await proveLimits({ runs: 16, seed: 1 }, await envOf('limits'));
  expect(problems, seen).toEqual([]);
});

test('finds a payment done after the instance that sent it died', async () => {
  const { row, paid, sent, told } = await dieInMidPayment(fleet, { arrives: true });
  expect({ state: row?.state, basis: row?.outcome?.basis, paid, sent, told }).toEqual({
    state: 'succeeded',
    basis: 'read',
    paid: 1,
    sent: 1,
    told: 'done',
  });
});

test('finds a payment not done, and does not send it again, after its instance died', async () => {
  const { row, paid, sent } = await dieInMidPayment(fleet, { arrives: false });
  expect({ state: row?.state, paid, sent }).toEqual({ state: 'not_executed', paid: 0, sent: 1 });
});

test('neither expires nor gives up anything early if clocks are ten minutes wrong', async () => {
  const { rows, paid, codes } = await lateUnderSkew(fleet);
  expect(rows.map(({ state }) => state)).toEqual(['succeeded', 'succeeded']);
  expect({ paid, codes }).toEqual({ paid: 2, codes: ['pending', 'pending'] });
});

test('shows no caller another caller’s data on two instances', async () => {
  const { problems } = await crossCallers(fleet, 60);
  expect(problems).toEqual([]);
});

test('reads routes and dates but pays nothing while PostgreSQL is down, and pays once it is back', async () => {
  const [instance] = await fleet.start(1);
  if (instance === undefined) throw new Error('no instance');
  const { from, to } = await fleet.stock.pair();
  const [start_date, end_date] = [15, 20].map((days) => dateIn(fleet.sandbox.now(), days));
  const routes = { tool: 'list_routes', args: { from } };
  const dates = { tool: 'get_calendar_dates', args: { from, to, start_date, end_date } };
  const [payment] = await paymentsOf(fleet.stock, 1);
  if (payment === undefined) throw new Error('no booking');
  const [answered] = await questionsOf(instance, [payment]);
  if (answered === undefined) throw new Error('no question');
  fleet.relay.clear();
  await cluster.kill();
  const away = await instance.calls([routes, dates, payment, answered]);
  expect(away.map(({ code }) => code)).toEqual(['ok', 'ok', 'E_INTERNAL', 'E_INTERNAL']);
  expect(fleet.relay.arrived).not.toContain('OTA_AirDemandTicketRQ');
  await cluster.start();
  expect((await instance.call(answered)).code).toBe('done');
  await instance.close();
});

test('records and settles each payment once if PostgreSQL is killed ten times during payments', async () => {
  const { problems, ...seen } = await killDatabase(fleet, 10, 1);
  expect(problems, JSON.stringify(seen)).toEqual([]);
  expect(seen.paid).toBeGreaterThan(0);
  expect(seen.codes.E_INTERNAL).toBeGreaterThan(0);
});
