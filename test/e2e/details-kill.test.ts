/**
 * Processes that die around the details page: what was entered waits, the hold is made once, and a lost answer is settled without
 * asking for details again. The page on one instance, the call on the other.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startIssuer } from '../auth/callers/issuer.ts';
import { newFolder } from '../campaigns/support/folders.ts';
import { seenWithin } from '../campaigns/support/pace.ts';
import { type Cluster, startCluster } from '../campaigns/support/postgres.ts';
import { type Relay, startRelay } from '../campaigns/support/relay.ts';
import { ended, ledgerOf, type Settings, sandboxProcess, startMember, tokenFor } from '../campaigns/support/stage.ts';
import { visit } from '../server/details-page/support/details-desk.ts';
import { freePort } from '../server/http/support/openid.ts';
import { type Fields, type McpCaller, mcpCaller } from '../support/mcp-http.ts';
import { CONTACT, dateIn } from '../support/people.ts';
import { Heard } from './details/desks.ts';
import { cardFor, NINE } from './details/travellers.ts';

const BOOK = 'OTA_AirBookRQ';
/** Seconds after which a hold without an answer is settled. */
const SETTLES = '2';

let cluster: Cluster;
let relay: Relay;
let issuer: Awaited<ReturnType<typeof startIssuer>>;
const books = join(newFolder('airline'), 'airline.sqlite');
const closing: (() => unknown)[] = [];

beforeAll(async () => {
  cluster = await startCluster();
  closing.push(() => cluster.close());
  const sandbox = await sandboxProcess(books);
  closing.push(() => sandbox.close());
  relay = await startRelay(sandbox.settings);
  closing.push(() => relay.close());
  issuer = await startIssuer();
  closing.push(() => issuer.close());
});
afterAll(async () => {
  for (const close of closing.toReversed()) await close();
});

/** Instances that share a state and a public address, which is the first one's. */
async function fleet(size: number, database: string | undefined) {
  const ports = await Promise.all(Array.from({ length: size }, () => freePort()));
  const publicUrl = `http://127.0.0.1:${ports[0]}`;
  const settings: Settings = {
    ...relay.settings,
    ...{ FARECLERK_PUBLIC_URL: publicUrl, FARECLERK_ISSUER: issuer.issuer, REHEARSAL: SETTLES },
    ...(database !== undefined && { FARECLERK_DATABASE_URL: database }),
  };
  const folders = ports.map(() => newFolder('instance'));
  const members = await Promise.all(ports.map((port, i) => startMember(settings, folders[i], port)));
  for (const member of members) closing.push(() => ended(member.process));
  const token = await tokenFor(issuer, publicUrl, 'ann');
  const callers = ports.map((port) => mcpCaller(`http://127.0.0.1:${port}/mcp`, token));
  for (const caller of callers) closing.push(() => caller.close());
  return { members, callers, folders };
}

/** Arguments of a hold for two whose details come from the page. */
async function hold(caller: McpCaller, days: number): Promise<Fields> {
  const [route] = (await caller.call('list_routes')).structured.routes;
  const legs = [{ from: route.from, to: route.to[0], date: dateIn(Date.now(), days) }];
  const found = await caller.call('search_fares', { legs, passengers: { adults: 2 }, max_results: 3 });
  return { offer_ids: [found.structured.offers[0].offer_id], contact: CONTACT, passenger_counts: { adults: 2 } };
}

/** Fills in one card, as a traveller does whose companion comes later. */
async function enterCard(url: string, card: number, who: number): Promise<void> {
  const page = await visit(url);
  const typed = Object.entries(cardFor(NINE[who] ?? { name: '' }, who));
  await page.send(Object.fromEntries(typed.map(([name, value]) => [`${name}-${card}`, value])));
}

const made = async () => (await ledgerOf(books)).filter(({ event }) => event === 'created').length;

describe.each(['SQLite', 'PostgreSQL'] as const)('on %s', (kind) => {
  const database = (name: string) => (kind === 'SQLite' ? undefined : cluster.database(name));
  /** A try that is repeated has a database of its own. */
  const fresh = (name: string) => `${name}_${randomUUID().slice(0, 8)}`;

  test('what was entered outlives the process, and the hold is made once', async () => {
    const { members, callers, folders } = await fleet(kind === 'SQLite' ? 1 : 2, await database(fresh('waits')));
    const [first] = callers;
    // The page is the first instance's; the calls come to the last one.
    const caller = callers.at(-1) as McpCaller;
    const args = await hold(caller, kind === 'SQLite' ? 41 : 43);
    const before = await made();
    const { id, url } = (await caller.call('create_booking', { ...args, details: 'page' })).structured.details;
    await enterCard(url, 1, 0);
    for (const member of members) await member.kill();
    for (const member of members) await member.restart();
    const half = await caller.call('create_booking', { ...args, details: 'page' });
    expect(half.structured).toMatchObject({ status: 'details_required', details: { complete: 0 } });
    await enterCard(url, 2, 1);
    for (const member of members) await member.kill();
    for (const member of members) await member.restart();
    const heard = new Heard();
    for (const folder of folders) heard.folder('file', folder);
    expect(heard.leaks).toEqual([]);
    let done = await caller.call('create_booking', { ...args, details: id });
    const isLate = done.structured.status === 'pending';
    // A busy machine may answer later than one call waits.
    while (done.structured.status === 'pending') done = await caller.call('create_booking', { ...args, details: id });
    expect(done.structured, done.text).toMatchObject({ booking: { passengers: [{}, {}] } });
    expect(['done', 'already_done']).toContain(done.structured.status);
    const repeats: Fields[] = [];
    for (const again of [first, caller])
      repeats.push((await again?.call('create_booking', { ...args, details: id }))?.structured ?? {});
    const { locator } = done.structured.booking;
    expect(repeats.map(({ booking }) => booking?.locator)).toEqual([locator, locator]);
    // After a call that had no answer in time, another instance may bring the news a second time.
    const known = repeats.slice(isLate ? 1 : 0);
    expect(known.map(({ status }) => status)).toEqual(known.map(() => 'already_done'));
    expect((await made()) - before).toBe(1);
  });

  test('a lost answer is settled as ever, and asks for no details again', async () => {
    const name = fresh('lost');
    const { members, callers, folders } = await fleet(1, await database(name));
    const [member, caller] = [members[0], callers[0] as McpCaller];
    const args = await hold(caller, kind === 'SQLite' ? 45 : 47);
    const { id, url } = (await caller.call('create_booking', { ...args, details: 'page' })).structured.details;
    await enterCard(url, 1, 2);
    await enterCard(url, 2, 3);
    const before = [await made(), relay.times(BOOK)] as const;
    const killed = Promise.withResolvers<void>();
    relay.interfere(async ({ name, forward, socket }) => {
      if (name !== BOOK) return false;
      await forward();
      await member?.kill();
      socket.destroy();
      killed.resolve();
      return true;
    });
    void caller.call('create_booking', { ...args, details: id });
    await killed.promise;
    relay.interfere(undefined);
    await member?.restart();
    // SQLite knows that the process is gone.
    if (kind === 'PostgreSQL') await cluster.lapse(name);
    const told = async () => (await caller.call('create_booking', { ...args, details: id })).structured.status;
    const statuses = new Set<string>();
    await seenWithin(
      40_000,
      500,
      async () => statuses.add(await told()),
      (all) => all.has('needs_person'),
    );
    expect([...statuses].filter((status) => status !== 'pending')).toEqual(['needs_person']);
    expect([(await made()) - before[0], relay.times(BOOK) - before[1]]).toEqual([1, 1]);
    const heard = new Heard();
    for (const folder of folders) heard.folder('file', folder);
    expect(heard.leaks).toEqual([]);
  });
});
