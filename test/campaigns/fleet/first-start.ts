/**
 * Many processes open a new database at once: all find no tables, and all wait for the one that creates them.
 * Uses the published program: a bundle names the driver's classes differently than the sources.
 */
import { openPostgresState } from '../../../src/store/postgres/state.ts';
import { freePort } from '../../http/support/openid.ts';
import { newFolder } from '../support/folders.ts';
import { seenWithin } from '../support/pace.ts';
import type { Cluster } from '../support/postgres.ts';
import type { Proved } from '../support/report.ts';
import { startInstance } from '../support/stage.ts';

/** The advisory lock under which the tables are made: instances of two versions must take the same. */
const LOCK = 7_211_907_114;
const POOLS = 20;
const ROUNDS = 5;

export async function startFirst(cluster: Cluster): Promise<Proved> {
  const problems: string[] = [];
  const opened = async (url: string) => {
    const ends = await Promise.allSettled(Array.from({ length: POOLS }, () => openPostgresState(url)));
    const states = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
    const keys = new Set(states.map(({ digestKey }) => Buffer.from(digestKey).toString('hex')));
    if (states.length < POOLS || keys.size !== 1)
      problems.push(`${states.length} pools opened, with ${keys.size} keys`);
    await Promise.all(states.map((state) => state.close()));
  };
  for (let round = 0; round < ROUNDS; round++) {
    await held(cluster, `first${round}`, POOLS, opened);
    await opened(await cluster.database(`free${round}`));
  }
  await held(cluster, 'program', 4, async (url) => {
    const told = await Promise.all(Array.from({ length: 4 }, () => serving(url)));
    problems.push(...told.filter((text) => text !== 'serves').map((text) => `an instance did not start: ${text}`));
  });
  for (const url of [cluster.url('nowhere'), cluster.url().replace('fareclerk@', 'stranger@')]) {
    const text = await serving(url);
    if (!text.includes('does not let this program in')) problems.push(`${url}: ${text}`);
  }
  return { seen: `${ROUNDS} × ${POOLS} pools at one moment, as many in any order, and four instances`, problems };
}

/** A new database whose first `count` openers are held where they would make the tables, and then let go at once. */
async function held(cluster: Cluster, name: string, count: number, work: (url: string) => Promise<void>) {
  const url = await cluster.database(name);
  await cluster.sql(name, `select pg_advisory_lock(${LOCK})`);
  const waiting = `select count(*)::int as n from pg_locks l join pg_database d on d.oid = l.database
    where d.datname = '${name}' and l.locktype = 'advisory' and not l.granted`;
  const working = work(url);
  const look = async () => (await cluster.sql('postgres', waiting))[0]?.n;
  const came = await seenWithin(40_000, 20, look, (n) => n === count);
  await cluster.sql(name, 'select pg_advisory_unlock_all()');
  await working;
  if (came !== count) throw new Error(`${came} of ${count} waited`);
}

/** `serves`, or what the program said before it ended. */
async function serving(url: string): Promise<string> {
  try {
    const child = await startInstance(newFolder('first-start'), await freePort(), { FARECLERK_DATABASE_URL: url });
    child.kill('SIGKILL');
    return 'serves';
  } catch (error) {
    return String(error);
  }
}
