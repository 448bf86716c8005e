/**
 * Processes that die around the details page: what was entered waits, the hold is made once, and a lost answer is settled without
 * asking for details again. The page on one instance, the call on the other.
 */
import { createDecipheriv, randomUUID } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashId, openCard } from '../../src/details/seal.ts';
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

/** Every file below a folder, as it lies on the disk. */
function filesBelow(folder: string): readonly Buffer[] {
  const paths = readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)));
  return paths.filter((path) => statSync(path).isFile() && !path.includes('/cache')).map((path) => readFileSync(path));
}

/** The bytes of a card that is sealed by the id: nonce, 512 bytes and tag. Once more with the key of its form: with another nonce and tag. */
const CARD_BYTES = 12 + 512 + 16;

/** Every text in these files that could be a sealed card, wherever it may begin. */
function* candidates(files: readonly Buffer[]): Generator<string> {
  const chars = Math.ceil((CARD_BYTES * 4) / 3);
  for (const file of files) {
    for (const [run] of file.toString('latin1').matchAll(/[A-Za-z0-9_-]{720,}/g)) {
      for (let at = 0; at + chars <= run.length; at++) {
        yield run.slice(at, at + chars);
        const twice = run.slice(at, at + Math.ceil(((12 + chars + 16) * 4) / 3));
        for (const key of files.filter(({ length }) => length === 32)) yield* openedOnce(twice, key);
      }
    }
  }
}

function* openedOnce(text: string, key: Uint8Array): Generator<string> {
  const bytes = Buffer.from(text, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12)).setAuthTag(bytes.subarray(-16));
  try {
    yield Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString();
  } catch {
    // It is no card, or of another key.
  }
}

/** What somebody opens who has all files and the details id, which is in the conversation. */
function openable(folder: string, id: string): readonly unknown[] {
  const copy = newFolder('copy');
  cpSync(folder, copy, { recursive: true });
  const files = filesBelow(folder);
  const state = readdirSync(copy, { recursive: true }).find((name) => String(name).endsWith('.sqlite'));
  const db = new DatabaseSync(join(copy, String(state)));
  const row = db.prepare('select * from details where id_hash = ?').get(hashId(id)) as Fields;
  db.close();
  const call = {
    idHash: row.id_hash,
    tenant: row.tenant,
    caller: row.caller,
    tool: row.tool,
    argsDigest: row.args_digest,
  };
  const found: unknown[] = [];
  for (const text of new Set(candidates(files))) {
    for (const card of [0, 1]) {
      try {
        found.push(openCard(id, call, card, text));
      } catch {
        // It is no card, or another one.
      }
    }
  }
  return found;
}

const made = async () => (await ledgerOf(books)).filter(({ event }) => event === 'created').length;

test('a server that is killed right behind the hold leaves nothing that can be opened, also with the id', async () => {
  const { members, callers, folders } = await fleet(1, undefined);
  const [member, caller, folder = ''] = [members[0], callers[0] as McpCaller, folders[0]];
  const args = await hold(caller, 49);
  const { id, url } = (await caller.call('create_booking', { ...args, details: 'page' })).structured.details;
  await enterCard(url, 1, 4);
  await enterCard(url, 2, 5);
  // The search finds what is there: until the details are used, the files and the id together open them.
  expect(openable(folder, id).length).toBeGreaterThanOrEqual(2);
  const { structured } = await caller.call('create_booking', { ...args, details: id });
  await member?.kill();
  expect(structured.status).toBe('done');
  expect(openable(folder, id)).toEqual([]);
});

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
