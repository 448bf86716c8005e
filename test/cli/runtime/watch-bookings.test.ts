/** `fareclerk serve --http` as it is run, in front of a sandbox airline that cancels a train: the list shows it. */
import type { ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../../src/sandbox/start.ts';
import { inDays } from '../../e2e/trip.ts';
import { connectHttp } from '../../server/http/support/clients.ts';
import { freePort } from '../../server/http/support/openid.ts';
import { CONTACT, passengerNamed } from '../../support/people.ts';
import { buildProgram, ended, folderFor, type Program } from '../program.ts';

const folder = folderFor('watching');
let program: Program;
let sandbox: Sandbox;
let child: ChildProcess | undefined;

beforeAll(async () => {
  [program, sandbox] = await Promise.all([buildProgram(), startSandbox()]);
}, 60_000);
afterAll(async () => {
  child?.kill('SIGKILL');
  await sandbox.close();
  for (const path of [folder, program.folder]) rmSync(path, { recursive: true, force: true, maxRetries: 5 });
});

it('shows a cancelled train in the list of bookings, without a call that reads it, and stops when asked to', async () => {
  const port = await freePort();
  const env = {
    ...sandbox.settings,
    FARECLERK_STATE_DIR: join(folder, 'state'),
    FARECLERK_HTTP_TOKEN: 'let-me-in',
    FARECLERK_METRICS_TOKEN: 'scrape-me',
    FARECLERK_WATCH_READS_PER_HOUR: '36000',
    FARECLERK_WATCH_HOURS: '0.0002',
  };
  child = program.start(['serve', '--http', '--port', String(port)], env);
  const over = ended(child);
  let log = '';
  child.stderr?.on('data', (chunk) => {
    log += chunk;
  });
  await expect.poll(() => log, { timeout: 10_000 }).toContain('fareclerk serves MCP on');
  const client = await connectHttp('v2-2026', `http://127.0.0.1:${port}/mcp`, { token: 'let-me-in' });
  const { routes } = (await client.call('list_routes')).structuredContent;
  const legs = [{ from: routes[0].from.code, to: routes[0].to[0].code, date: inDays(12) }];
  const { offers } = (await client.call('search_fares', { legs, passengers: { adults: 1 } })).structuredContent;
  const passengers = [passengerNamed('Amal', 'Haddad', 'P100200')];
  const made = await client.call('create_booking', { offer_ids: offers[0].offer_id, contact: CONTACT, passengers });
  const { locator } = made.structuredContent.booking;
  await client.call('read_booking', { locator });

  sandbox.disturb({ kind: 'cancel', locator });
  const attention = async () => {
    const { bookings } = (await client.call('list_bookings', { needs_attention: true })).structuredContent;
    return bookings.find((row: { locator: string }) => row.locator === locator)?.needs_attention;
  };
  await expect.poll(attention, { timeout: 10_000, interval: 100 }).toMatch(/the airline changed it: train \d+ .* /);

  const scrape = await fetch(`http://127.0.0.1:${port}/metrics`, { headers: { authorization: 'Bearer scrape-me' } });
  expect(await scrape.text()).toMatch(/fareclerk_watch_readings_total\{outcome="changed"\} [1-9]/);
  const shown = await program.run(['findings'], env);
  expect(shown.stdout).toContain(locator);
  await client.close();
  child.kill('SIGTERM');
  expect((await over).code).toBe(0);
}, 40_000);

it('watches what other processes book in the state that they made, without any call', async () => {
  const env = {
    ...sandbox.settings,
    FARECLERK_STATE_DIR: join(folder, 'idle'),
    FARECLERK_WATCH_READS_PER_HOUR: '36000',
    FARECLERK_WATCH_HOURS: '0.0002',
  };
  child = program.start(['serve', '--http', '--port', String(await freePort())], { ...env, FARECLERK_HTTP_TOKEN: 'x' });
  let log = '';
  child.stderr?.on('data', (chunk) => {
    log += chunk;
  });
  await expect.poll(() => log, { timeout: 10_000 }).toContain('fareclerk serves MCP on');
  const call = async (tool: string, args: object) =>
    JSON.parse((await program.run(['call', tool, JSON.stringify(args)], env)).stdout);
  const { routes } = await call('list_routes', {});
  const legs = [{ from: routes[0].from.code, to: routes[0].to[0].code, date: inDays(12) }];
  const { offers } = await call('search_fares', { legs, passengers: { adults: 1 } });
  const passengers = [passengerNamed('Amal', 'Haddad', 'P100200')];
  const made = await call('create_booking', { offer_ids: [offers[0].offer_id], contact: CONTACT, passengers });
  const { locator } = made.booking;
  await call('read_booking', { locator });
  sandbox.disturb({ kind: 'cancel', locator });
  const found = async () => (await program.run(['findings'], env)).stdout;
  await expect.poll(found, { timeout: 20_000, interval: 500 }).toContain(locator);
  child.kill('SIGKILL');
}, 60_000);
