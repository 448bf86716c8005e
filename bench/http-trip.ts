/**
 * A whole trip over HTTP by one MCP client who signed in: search, hold, pay, read and cancel, each act with its approval.
 * The processor time of the instance, beside the version before, which `--before` names: a folder where it was built.
 * Both play in turns against one sandbox airline, each with a state of its own.
 */
import { resolve } from 'node:path';
import { pairOf } from '../test/campaigns/support/trip.ts';
import { type McpCaller, mcpCaller, type Revision } from '../test/support/mcp-http.ts';
import type { Bench, Measure, Row } from './measure.ts';
import { openStage, type Stage, trip } from './support/http-stage.ts';
import { programAt } from './support/program.ts';
import { type Running, startRunning, stopRunning } from './support/running.ts';
import { median } from './support/statistics.ts';
import { canMeasureUsage, cpuMs } from './support/usage.ts';

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
      const stage = await openStage(bench.program, bench.folder('airline'));
      try {
        const rows: Row[] = [];
        for (const store of STORES) rows.push(...(await inTurns(store, bench, stage, before)));
        return rows;
      } finally {
        await stage.close();
      }
    },
  };
}

async function inTurns(
  store: (typeof STORES)[number],
  bench: Bench,
  stage: Stage,
  before: string | undefined,
): Promise<Row[]> {
  const { program, folder, short } = bench;
  const programs = { now: program, ...(before !== undefined && { before: programAt(resolve(before)) }) };
  const instances = new Map<string, Instance>();
  try {
    for (const [name, each] of Object.entries(programs)) {
      const shared = store === 'PostgreSQL' ? await stage.database(`trips_${name}`) : {};
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
