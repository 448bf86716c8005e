/**
 * What the server over HTTP costs and carries: the same searches straight to the airline, and through an instance with a
 * PostgreSQL. All on this machine, so that the instance shares its cores with them, the airline and the callers.
 */
import { join } from 'node:path';
import { airlineAt } from '../test/campaigns/support/airline.ts';
import { startCluster } from '../test/campaigns/support/postgres.ts';
import { openStage, sandboxProcess } from '../test/campaigns/support/stage.ts';
import { pairOf, searchArgs } from '../test/campaigns/support/trip.ts';
import type { McpCaller } from '../test/support/mcp-http.ts';
import { cpuMs } from '../test/support/usage.ts';
import { type Measure, ratio } from './measure.ts';
import { inFlight, inTurns } from './support/rounds.ts';

const AT_ONCE = 32;
/** A caller may ask twenty times a second: as many as never come near that. */
const CALLERS = 100;

export const httpLoad: Measure = {
  name: 'http-load',
  about: `${AT_ONCE} searches at once over HTTP, through an instance with a PostgreSQL`,
  why: 'A team shares one server, and the searches of one colleague must not slow those of the others.',
  async run({ folder, short }) {
    const [total, rounds, warm] = short ? [300, 3, 2] : [500, 5, 5];
    const cluster = await startCluster();
    const sandbox = await sandboxProcess(join(folder('airline'), 'airline.sqlite'));
    const airline = airlineAt({ settings: sandbox.settings });
    const stage = await openStage(sandbox.settings, {
      FARECLERK_DATABASE_URL: await cluster.database('bench'),
      FARECLERK_LOG_LEVEL: 'silent',
    });
    const callers = await Promise.all(Array.from({ length: CALLERS }, (_, n) => stage.caller(`caller-${n}`)));
    const pair = await pairOf(callers[0] as McpCaller);
    const argsOf = (n: number) => searchArgs(pair, 10 + (n % 30));
    const turn = (call: (n: number) => Promise<unknown>) => async () => {
      const before = cpuMs(stage.pid);
      const figures = await inFlight(AT_ONCE, total, call);
      return { ...figures, cpu: (cpuMs(stage.pid) - before) / total };
    };
    const through = async (n: number) => {
      const called = await callers[n % CALLERS]?.call('search_fares', argsOf(n));
      if (called?.outcome !== 'ok') throw new Error(`a search ended in ${called?.outcome}`);
    };
    // The same messages by the adapter alone: no MCP, no state.
    const query = { passengers: { adults: 1, children: 0, infants: 0 }, bookingClasses: [], includeSoldOut: false };
    const direct = (n: number) => {
      const legs = argsOf(n).legs.map((leg) => ({ ...leg, daysBefore: 0, daysAfter: 0 }));
      return airline.searchFares({ ...query, legs });
    };
    const { straight, ours } = await inTurns(rounds, { straight: turn(direct), ours: turn(through) }, warm);
    await Promise.all([airline.close(), stage.close()]);
    await Promise.all([sandbox.close(), cluster.close()]);
    const rate = ratio('searches, of those straight to the airline', [ours.perSecond, straight.perSecond], 'a second');
    return [
      { ...rate, atLeast: 0.58 },
      ratio('… p99 of a search, of one straight', [ours.p99, straight.p99], 'ms'),
      { what: '… CPU of the instance for a search', value: ours.cpu, unit: 'ms' },
    ];
  },
};
