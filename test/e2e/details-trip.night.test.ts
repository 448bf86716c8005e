/**
 * A trip of nine whose details go through the page: no number, birth date or day of expiry is anywhere but on the way from the browser
 * and in messages to the airline. The program as it is published, in each of its doors, on both databases.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, type RunnerTestCase, test } from 'vitest';
import { newFolder } from '../campaigns/support/folders.ts';
import { type Cluster, startCluster } from '../campaigns/support/postgres.ts';
import { type Relay, startRelay } from '../campaigns/support/relay.ts';
import { ended, program, type Settings, sandboxProcess } from '../campaigns/support/stage.ts';
import { startCollector } from '../cli/runtime/support/collector.ts';
import type { Kind } from '../http/support/clients.ts';
import { freePort, PAGE, startOpenId, tokenOf } from '../http/support/openid.ts';
import { reply } from '../ota/support/wire-server.ts';
import { PersonAt } from '../pages/approval/support/person.ts';
import { CONTACT, dateIn } from '../support/people.ts';
import { PLACES, repeating } from '../support/repeated-details.ts';
import { type Door, Heard, onHttp, onStdio, serveHttp, startReceiver, startTap, type Told } from './details/desks.ts';
import { cardFor, LATER, NINE, PARTY, secretsIn } from './details/travellers.ts';

let cluster: Cluster;
let relay: Relay;
let collector: Awaited<ReturnType<typeof startCollector>>;
const closing: (() => unknown)[] = [];

beforeAll(async () => {
  cluster = await startCluster();
  closing.push(() => cluster.close());
  const sandbox = await sandboxProcess(join(newFolder('airline'), 'airline.sqlite'));
  closing.push(() => sandbox.close());
  relay = await startRelay(sandbox.settings);
  repeatAlways();
  closing.push(() => relay.close());
  collector = await startCollector();
  closing.push(() => collector.close());
});
afterAll(async () => {
  for (const close of closing.toReversed()) await close();
});

/** Where the airline repeats details on this trip: one that does so in names and addresses does not know them again when they come back. */
const REPEATED_IN = Object.keys(PLACES).filter(
  (place) => !['surname', 'given name', 'title', 'e-mail', 'telephone'].includes(place),
);
let repeated = 0;
/** Not what is sent back for a change: this sandbox compares it with what it has. */
let isRepeating = true;

/** The airline repeats what it was sent of a traveller, on each trip of another and in another spelling. Those of the first two change. */
function repeatAlways(): void {
  relay.interfere(async ({ name, forward, socket }) => {
    if (name === 'OTA_AirBookRQ') repeated += 3;
    const { status, body, headers } = await forward();
    if (!isRepeating || !body.includes('"airReservation"')) return false;
    const { born = '', number = '', expires = '' } = NINE[2 + (repeated % 7)] ?? {};
    const secret = { birth_date: born, number, expires };
    const text = JSON.stringify(repeating(JSON.parse(body), secret, repeated, { places: REPEATED_IN }));
    socket.write(reply(status, text, headers));
    return true;
  });
}

/** The airline refuses the next change, and repeats what it was sent, as careless services do. */
function refuseOnce(): void {
  relay.interfere(({ name, request, socket }) => {
    if (name !== 'OTA_AirBookModifyRQ') return false;
    repeatAlways();
    const of = (field: string) => new RegExp(`"${field}":"([^"]+)"`).exec(request.text)?.[1] ?? '';
    const [number, born, ends] = [of('docID'), of('birthDate'), of('expireDate')];
    const title = `Bad traveller ${number.replace(/(...)/g, '$1 ').toLowerCase()} born ${born.replaceAll('-', '')} until ${ends}T00:00:00`;
    socket.write(
      reply(422, JSON.stringify({ status: 422, code: number, title, correlationId: `c-${number}-${born}` })),
    );
    return true;
  });
}

/** Of an answer that is no error. */
async function ok(door: Door, tool: string, args: object): Promise<Told> {
  const answer = await door.call(tool, args);
  if (answer.structured.error !== undefined) throw new Error(`${tool}: ${answer.text}`);
  return answer;
}

/** @param look at what lies on disks and in tables, while an operation is open too */
async function travel(door: Door, days: number, look: () => Promise<void>): Promise<string> {
  const { routes } = (await ok(door, 'list_routes', {})).structured;
  const legs = [{ from: routes[0].from, to: routes[0].to[0], date: dateIn(Date.now(), days) }];
  const { offers } = (await ok(door, 'search_fares', { legs, passengers: PARTY, max_results: 5 })).structured;
  door.look = look;
  door.cards = NINE.map(cardFor);
  const create = { offer_ids: [offers[0].offer_id], contact: CONTACT, passenger_counts: PARTY, details: 'page' };
  const made = await ok(door, 'create_booking', create);
  expect(made.structured.status).toBe('done');
  const { locator } = made.structured.booking;
  await look();
  const readings = async (...details: readonly string[]) => {
    for (const detail of details) await ok(door, 'read_booking', { locator, detail, reveal_personal: true });
    await ok(door, 'read_booking', { locator, detail: 'full' });
  };
  await readings('concise', 'full', 'history');
  await ok(door, 'pay_booking', { locator, payment: { type: 'cash' } });

  isRepeating = false;
  door.cards = [{ given_name: 'Salma' }];
  const renamed = await ok(door, 'change_names', { locator, changes: [{ passenger_ref: '1' }], details: 'page' });
  expect(renamed.structured, renamed.text).toMatchObject({
    status: 'done',
    changes: [{ now: expect.stringMatching(/salma/i) }],
  });

  const { given_name: _, surname: __, gender: ___, ...document } = cardFor(LATER, 0);
  door.cards = [document];
  const update = { locator, changes: [{ passenger_ref: '2' }], details: 'page' };
  refuseOnce();
  const refused = await door.call('update_passenger', update);
  expect(refused.structured.error?.airline, refused.text).toMatchObject({
    title: 'Bad traveller ••• born ••• until •••',
  });
  await look();
  expect((await ok(door, 'update_passenger', update)).structured.status).toBe('done');
  isRepeating = true;
  await readings('full');

  for (const [tool, args] of [
    ['get_seat_map', { locator }],
    ['quote_cancellation', { locator }],
    ['list_bookings', { locators: [locator], refresh: true }],
    ['propose_plan', { steps: [{ tool: 'cancel_bookings', arguments: { locators: [locator] } }] }],
    ...['booking', 'segment', 'passenger', 'operation', 'question', 'change', 'history'].map(
      (view) => ['query_ledger', { sql: `select * from ${view}` }] as const,
    ),
  ] as const)
    await ok(door, tool, args);
  await door.ask('prompts/list', {});
  await door.ask('prompts/get', { name: 'explain_refund', arguments: { locator } });
  const { booking } = (await ok(door, 'read_booking', { locator })).structured;
  isRepeating = false;
  const segment_refs = booking.segments.map(({ ref }: { ref: string }) => ref);
  expect((await ok(door, 'cancel_segment', { locator, segment_refs })).structured.status).toBe('done');
  isRepeating = true;
  await readings('full');
  await look();
  return locator;
}

const COMMON: Settings = { FARECLERK_ASSUMED_OPERATIONS: 'true' };
const settingsIn = (folder: string): Settings => ({
  ...{ ...relay.settings, ...COMMON, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
  FARECLERK_RECORD_FILE: join(folder, 'record.ndjson'),
});

async function tablesOf(database: string, heard: Heard): Promise<void> {
  for (const schema of ['fareclerk', 'fareclerk_sandbox'])
    for (const table of await cluster.tables(database, schema))
      for (const { row } of await cluster.sql(database, `select t::text as row from ${schema}.${table} t`))
        heard.add(`table ${table}`, String(row));
}

/** What people look at the state with. */
async function runCommands(folder: string, settings: Settings, heard: Heard): Promise<void> {
  const { args, env } = (await program()).start(folder, { FARECLERK_LOG_LEVEL: 'trace', ...settings });
  const { spawnSync } = await import('node:child_process');
  const run = (...argv: string[]) => {
    const { stdout, stderr } = spawnSync(process.execPath, [...args, ...argv], { env, encoding: 'utf8' });
    heard.add(argv.slice(0, 2).join(' '), `${stdout}${stderr}`);
    return stdout;
  };
  const operations = JSON.parse(run('journal', 'list', '--json')) as { operation_id: string; tool: string }[];
  expect(operations.map(({ tool }) => tool)).toEqual(expect.arrayContaining(['create_booking', 'update_passenger']));
  for (const { operation_id: id } of operations) run('journal', 'show', id);
  run('journal', 'export', '--csv');
  for (const argv of [['journal', 'verify'], ['journal', 'plans'], ['approve', '--json'], ['doctor']]) run(...argv);
}

/** The proof would be empty if these were not heard. */
function expectHeard(heard: Heard, ...ways: readonly string[]): void {
  for (const body of collector.bodies.splice(0)) heard.add('traces', body);
  for (const way of [...ways, 'traces'])
    expect([...heard.count].filter(([name]) => name.startsWith(way)).length, `nothing from ${way}`).toBeGreaterThan(0);
  expect(heard.leaks.slice(0, 12)).toEqual([]);
}

test('the search for secrets finds each in every spelling', () => {
  for (const { born = '', number = '', expires = '' } of [...NINE, LATER]) {
    for (const value of [born, expires, number, number.toLowerCase(), Buffer.from(number).toString('base64')])
      expect(secretsIn(`{"x":"${value}"}`), value).not.toEqual([]);
  }
  expect(secretsIn('CNQ 830 027 19K')).not.toEqual([]);
  expect(secretsIn(JSON.stringify({ today: dateIn(Date.now(), 0), locator: 'ABC123' }))).toEqual([]);
});

/** A name for this try alone: a test that is tried again needs another database. */
const databaseOfTry = (name: string, { result }: Readonly<RunnerTestCase>) => `${name}_${result?.retryCount ?? 0}`;

describe('a trip of nine leaves nothing that they entered', () => {
  test('on stdio with SQLite: a client of 2025 that opens addresses', async () => {
    const [heard, folder] = [new Heard(), newFolder('details')];
    const settings = settingsIn(folder);
    const door = await onStdio('stdio, 2025', folder, settings, heard);
    await travel(door, 31, async () => heard.folder('file', folder));
    await door.close();
    heard.folder('file', folder);
    await runCommands(folder, settings, heard);
    expectHeard(heard, 'client', 'server', 'stderr', 'file', 'file record.ndjson', 'journal show', 'journal export');
    expect([...heard.count.keys()].filter((way) => /sqlite-wal|\.log$/.test(way)).length).toBeGreaterThan(1);
  });

  test('on stdio with PostgreSQL: a client of 2026', async ({ task }) => {
    const [heard, folder] = [new Heard(), newFolder('details')];
    const database = databaseOfTry('details', task);
    const tap = await startTap(new URL(await cluster.database(database)), 'database', heard);
    const settings = { ...settingsIn(folder), FARECLERK_DATABASE_URL: tap.url };
    const door = await onStdio('stdio, 2026', folder, settings, heard);
    await travel(door, 33, async () => {
      heard.folder('file', folder);
      await tablesOf(database, heard);
    });
    await door.close();
    tap.close();
    expectHeard(heard, 'client', 'server', 'stderr', 'database', 'table operation', 'table details', 'table approval');
  });

  test('over HTTP with sign-in and PostgreSQL: clients of v1, of 2025 and of 2026 that open nothing', async ({
    task,
  }) => {
    const [heard, folder] = [new Heard(), newFolder('details')];
    const database = databaseOfTry('signed', task);
    const tap = await startTap(new URL(await cluster.database(database)), 'database', heard);
    const receiver = await startReceiver(heard);
    const port = await freePort();
    const publicUrl = `http://127.0.0.1:${port}`;
    const openId = await startOpenId(`${publicUrl}/mcp`, { pageRedirect: `${publicUrl}/approve/signed-in` });
    const server = await serveHttp(
      port,
      folder,
      {
        ...settingsIn(folder),
        ...{ FARECLERK_DATABASE_URL: tap.url, FARECLERK_ISSUER: openId.issuer, FARECLERK_PUBLIC_URL: publicUrl },
        ...{ FARECLERK_PAGE_CLIENT_ID: PAGE.clientId, FARECLERK_PAGE_CLIENT_SECRET: PAGE.clientSecret },
        ...{ FARECLERK_PRIVATE_HOSTS: '127.0.0.1', FARECLERK_WEBHOOKS: `http://127.0.0.1:${receiver.port}/` },
        FARECLERK_WEBHOOK_SECRET: `whsec_${'A'.repeat(32)}`,
      },
      heard,
    );
    const look = async () => {
      heard.folder('file', folder);
      await tablesOf(database, heard);
      heard.add('metrics', await (await fetch(`${publicUrl}/metrics`)).text());
    };
    const token = await tokenOf(openId, 'ann', `${publicUrl}/mcp`);
    for (const [i, kind] of (['v1', 'v2-legacy', 'v2-2026'] as const satisfies readonly Kind[]).entries()) {
      const person = new PersonAt('ann', openId.issuer);
      const door = await onHttp(kind, { url: `${publicUrl}/mcp`, token, person }, heard);
      await travel(door, 35 + 2 * i, look);
      for (const { body } of person.steps) heard.add('approval page', body);
      await door.close();
    }
    await ended(server);
    for (const close of [tap.close, receiver.close, () => openId.close()]) await close();
    expectHeard(
      heard,
      'client',
      'server',
      'stderr',
      'database',
      'table operation',
      'approval page',
      'metrics',
      'posted',
    );
  });
});
