/**
 * A whole trip over HTTP by one MCP client who signed in: search, hold, pay, read and cancel, each act with its approval.
 * The processor time of the instance, beside the version before, which `--before` names: a folder where it was built.
 * Both play in turns against one sandbox airline, each with a state of its own.
 */
import { resolve } from 'node:path';
import { startIssuer } from '../test/auth/callers/issuer.ts';
import { type Cluster, startCluster } from '../test/campaigns/fleet/support/cluster.ts';
import { type Pair, pairOf } from '../test/campaigns/load/support/trip.ts';
import { newPassenger } from '../test/support/people.ts';
import type { Bench, Measure, Row } from './measure.ts';
import { type Fields, type McpCaller, mcpCaller, type Revision } from './support/mcp-http.ts';
import { programAt } from './support/program.ts';
import { type Running, startRunning, stopRunning } from './support/running.ts';
import { median } from './support/statistics.ts';
import { canMeasureUsage, cpuMs } from './support/usage.ts';

/** Instances are reached at their own addresses; tokens are for the one that a balancer would have. */
const PUBLIC_URL = 'http://127.0.0.1:1';
const SCOPE = 'air:read air:book air:pay air:refund air:names';
const DAY_MS = 86_400_000;
const REVISIONS: readonly Revision[] = ['2026-07-28', '2025-11-25'];
const STORES = ['SQLite', 'PostgreSQL'] as const;

interface Instance {
  readonly running: Running;
  readonly url: string;
  /** By revision, milliseconds of processor time for a trip, one figure a round; and how long a trip took. */
  readonly cpu: Map<Revision, number[]>;
  readonly took: Map<Revision, number[]>;
}

/** `before`: a folder with `bin` and `dist` of the version to compare with. */
export function httpTrip(before: string | undefined): Measure {
  return {
    name: 'http-trip',
    about: 'a trip over HTTP (search, hold, pay, read, cancel; seven calls): processor time of the instance',
    async run(bench) {
      if (!canMeasureUsage) return [];
      const [cluster, issuer] = await Promise.all([startCluster(), startIssuer()]);
      const { program, folder } = bench;
      const command = program.start(folder('airline'));
      const airline = await startRunning(command, ['sandbox', '--port', '0', '--json'], /\}\s*$/m);
      const settings = {
        ...(JSON.parse(/\{[\s\S]*\}/.exec(airline.said)?.[0] ?? '{}') as Record<string, string>),
        FARECLERK_APPROVAL: 'echo',
        FARECLERK_LOG_LEVEL: 'error',
        FARECLERK_PUBLIC_URL: PUBLIC_URL,
        FARECLERK_ISSUER: issuer.issuer,
      };
      let callers = 0;
      const token = () => {
        const exp = Math.floor(Date.now() / 1000) + 3600;
        return issuer.sign({ aud: `${PUBLIC_URL}/mcp`, scope: SCOPE, sub: `caller-${++callers}`, exp });
      };
      const rows: Row[] = [];
      try {
        for (const store of STORES) {
          rows.push(...(await inTurns(store, bench, { before, settings, cluster, token })));
        }
        return rows;
      } finally {
        await stopRunning(airline);
        await issuer.close();
        await cluster.close();
      }
    },
  };
}

interface Stage {
  readonly before: string | undefined;
  readonly settings: Readonly<Record<string, string>>;
  readonly cluster: Cluster;
  token(): Promise<string>;
}

async function inTurns(store: (typeof STORES)[number], bench: Bench, stage: Stage): Promise<Row[]> {
  const { program, folder, short } = bench;
  const programs = { now: program, ...(stage.before !== undefined && { before: programAt(resolve(stage.before)) }) };
  const instances = new Map<string, Instance>();
  try {
    for (const [name, each] of Object.entries(programs)) {
      const shared =
        store === 'PostgreSQL' ? { FARECLERK_DATABASE_URL: await stage.cluster.database(`trips_${name}`) } : {};
      const command = each.start(folder(name), { ...stage.settings, ...shared });
      const running = await startRunning(command, ['serve', '--http', '--port', '0'], /serves MCP on/);
      const url = /http:\S+\/mcp/.exec(running.said)?.[0] ?? '';
      instances.set(name, { running, url, cpu: new Map(), took: new Map() });
    }
    const [rounds, trips] = short ? [6, 6] : [16, 10];
    // The first rounds warm up code and sockets.
    for (let round = -3; round < rounds; round++) {
      const turns = [...instances.values()];
      for (const instance of round % 2 === 0 ? turns : turns.toReversed()) {
        for (const revision of REVISIONS) await play(instance, revision, Math.max(round, 0), trips, stage, round >= 0);
      }
    }
  } finally {
    await Promise.all([...instances.values()].map(({ running }) => stopRunning(running)));
  }
  const [now, old] = [instances.get('now'), instances.get('before')];
  return REVISIONS.flatMap((revision) => rowsOf(`${store}, revision ${revision}`, revision, now, old));
}

async function play(
  { running, url, cpu, took }: Instance,
  revision: Revision,
  round: number,
  trips: number,
  { token }: Stage,
  counts: boolean,
): Promise<void> {
  const pair = await pairOf(mcpCaller(url, await token()));
  const callers: McpCaller[] = [];
  for (let n = 0; n < trips; n++) callers.push(mcpCaller(url, await token(), undefined, revision));
  const [before, began] = [cpuMs(running.child.pid ?? 0), performance.now()];
  for (const [n, caller] of callers.entries()) await trip(caller, pair, 10 + ((round * trips + n) % 40));
  const [used, ms] = [cpuMs(running.child.pid ?? 0) - before, performance.now() - began];
  for (const caller of callers) caller.close();
  if (!counts) return;
  cpu.set(revision, [...(cpu.get(revision) ?? []), used / trips]);
  took.set(revision, [...(took.get(revision) ?? []), ms / trips]);
}

/** Every call must do what it is for. */
async function trip(caller: McpCaller, pair: Pair, days: number): Promise<void> {
  const done = async (name: string, args: object, outcome: string): Promise<Fields> => {
    const called = await caller.call(name, args);
    if (called.outcome !== outcome) throw new Error(`${name} ended in ${called.outcome}, not in ${outcome}`);
    return called.structured;
  };
  const approved = async (name: string, args: object): Promise<void> => {
    const { approval } = await done(name, args, 'approval_required');
    await done(name, { ...args, approval_id: approval.id }, 'done');
  };
  const date = new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
  const legs = [{ ...pair, date }];
  const found = await done('search_fares', { legs, passengers: { adults: 1 }, max_results: 5 }, 'ok');
  const contact = { given_name: 'Amal', surname: 'Haddad', email: 'amal@example.com' };
  const passengers = [newPassenger({ surname: 'Haddad' })];
  const made = await done('create_booking', { offer_ids: [found.offers.at(-1).offer_id], contact, passengers }, 'done');
  const { locator } = made.booking;
  await approved('pay_booking', { locator, payment: { type: 'invoice' } });
  await done('read_booking', { locator }, 'ok');
  await approved('cancel_booking', { locator });
}

function rowsOf(name: string, revision: Revision, now?: Instance, old?: Instance): Row[] {
  const of = (figures: Map<Revision, number[]> | undefined) => median(figures?.get(revision) ?? []);
  const [own, ownMs] = [of(now?.cpu), of(now?.took)];
  if (old === undefined)
    return [{ what: `${name}: CPU`, value: own, unit: 'ms', from: `${ownMs.toFixed(1)} ms in all` }];
  const [theirs, theirsMs] = [of(old.cpu), of(old.took)];
  return [
    {
      what: `${name}: CPU, of the version before`,
      value: own / theirs,
      unit: '×',
      target: { atMost: 0.6 },
      from: `${own.toFixed(2)} ms of ${theirs.toFixed(2)}`,
    },
    {
      what: '… from the first call to the last',
      value: ownMs / theirsMs,
      unit: '×',
      from: `${ownMs.toFixed(1)} ms of ${theirsMs.toFixed(1)}`,
    },
  ];
}
