/**
 * Many processes open a new database at once: all find no tables, and all wait for the one that creates them.
 * Uses the published program: a bundle names the driver's classes differently than the sources.
 */
import type { ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { LOCK } from '../../../src/store/postgres/prepare.ts';
import { openPostgresState } from '../../../src/store/postgres/state.ts';
import { buildProgram, ended, folderFor, type Program } from '../../cli/program.ts';
import { freePort } from '../../server/http/support/openid.ts';
import { type Cluster, startCluster } from '../support/postgres.ts';

// Processes start as fast as the machine lets them.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let cluster: Cluster;
let program: Program;
const folder = folderFor('first-start');
const children: ChildProcess[] = [];
let databases = 0;

beforeAll(async () => {
  [cluster, program] = await Promise.all([startCluster(), buildProgram()]);
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await cluster?.close();
  for (const path of [folder, program.folder]) rmSync(path, { recursive: true, force: true, maxRetries: 5 });
});

/** A new database in which the first `count` openers are held where they would make the tables, and then let go at once. */
async function newDatabase(count: number): Promise<{ url: string; allWaited: Promise<void> }> {
  databases += 1;
  const name = `first${databases}`;
  const url = await cluster.database(name);
  await cluster.sql(name, `select pg_advisory_lock(${LOCK})`);
  const waiting = `select count(*)::int as n from pg_locks l join pg_database d on d.oid = l.database
    where d.datname = '${name}' and l.locktype = 'advisory' and not l.granted`;
  const allWaited = vi
    .waitUntil(async () => (await cluster.sql('postgres', waiting))[0]?.n === count, { timeout: 40_000, interval: 20 })
    .finally(() => cluster.sql(name, 'select pg_advisory_unlock_all()'))
    .then(() => undefined);
  return { url, allWaited };
}

test.each([1, 2, 3, 4, 5])('lets twenty pools open a new database at the same moment (%i)', async () => {
  const { url, allWaited } = await newDatabase(20);
  const opening = Array.from({ length: 20 }, () => openPostgresState(url));
  const opened = await Promise.allSettled(opening);
  await allWaited;
  const keys = opened.map((one) =>
    one.status === 'fulfilled' ? Buffer.from(one.value.digestKey).toString('hex') : one,
  );
  expect(new Set(keys).size).toBe(1);
  expect(keys[0]).toMatch(/^[0-9a-f]{64}$/);
  for (const one of opened) if (one.status === 'fulfilled') await one.value.close();
});

test('lets twenty pools open a new database without synchronised starts', async () => {
  for (let round = 0; round < 5; round++) {
    const url = await cluster.database(`free${round}`);
    const opened = await Promise.all(Array.from({ length: 20 }, () => openPostgresState(url)));
    await Promise.all(opened.map((state) => state.close()));
  }
});

async function serving(url: string, name: string): Promise<string> {
  const child = program.start(['serve', '--http', '--port', String(await freePort())], {
    FARECLERK_DATABASE_URL: url,
    FARECLERK_STATE_DIR: `${folder}/${name}`,
  });
  children.push(child);
  let log = '';
  const { promise, resolve } = Promise.withResolvers<string>();
  child.stderr?.on('data', (chunk) => {
    log += chunk;
    if (log.includes('serves MCP on')) resolve('serves');
  });
  void ended(child).then(({ stderr }) => resolve(stderr));
  return promise;
}

test('starts four instances of the published program at once on a new database', async () => {
  const { url, allWaited } = await newDatabase(4);
  const told = await Promise.all([1, 2, 3, 4].map((n) => serving(url, `i${n}`)));
  await allWaited;
  expect(told).toEqual(['serves', 'serves', 'serves', 'serves']);
});

test('reports from the published program that the database or the user does not exist', async () => {
  const [nowhere, stranger] = await Promise.all([
    serving(cluster.url('nowhere'), 'nowhere'),
    serving(cluster.url().replace('fareclerk@', 'stranger@'), 'stranger'),
  ]);
  for (const text of [nowhere, stranger]) expect(text).toContain('does not let this program in');
});
