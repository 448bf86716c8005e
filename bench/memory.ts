/**
 * Resident memory: at rest, and after many calls.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { callOf, endRivals, startRivals, type Who } from './calls.ts';
import type { Bench, Measure, Row } from './measure.ts';
import { Speaker } from './support/speaker.ts';
import { interleaved, median } from './support/statistics.ts';
import { canMeasureUsage, residentMb } from './support/usage.ts';

const REST_MS = 500;
const FIRST = 2_000;
const LAST = 12_000;

export const memory: Measure = {
  name: 'memory',
  about: 'resident memory',
  async run(bench) {
    if (!canMeasureUsage) return [];
    return [...(await atRest(bench)), ...(await afterCalls(bench))];
  },
};

/** The tools are listed, and nothing has happened since. */
async function atRest({ program, floors, upstream, folder, short }: Bench): Promise<Row[]> {
  const home = folder('memory');
  const restingAt = async (host: Speaker, talk: boolean): Promise<number> => {
    if (talk) {
      await host.initialize();
      await host.ask('tools/list');
    }
    await wait(REST_MS);
    const mb = residentMb(host.pid);
    await host.kill();
    return mb;
  };
  const mb = await interleaved(short ? 2 : 5, {
    node: () => restingAt(new Speaker({ args: ['-e', 'setInterval(() => {}, 1e6)'], env: {} }), false),
    ours: () => restingAt(new Speaker(program.start(home, upstream.settings)), true),
    bare: () => restingAt(new Speaker(floors.bare(folder('cache'))), true),
  });
  const row = (what: string, value: number, from: string): Row => ({ what, value, unit: '×', from });
  return [
    {
      ...row('at rest, over bare Node', mb.ours / mb.node, `${mb.ours.toFixed(0)} MB of ${mb.node.toFixed(0)}`),
      target: { atMost: 1.6 },
    },
    row('… bare SDK server', mb.bare / mb.node, `${mb.bare.toFixed(0)} MB of ${mb.node.toFixed(0)}`),
  ];
}

/** Reads, searches and routes in turn, to all; the peak of what is seen is not the figure, what stays is. */
async function afterCalls(bench: Bench): Promise<Row[]> {
  const { replies, short } = bench;
  const rivals = await startRivals(bench);
  const mix: readonly [string, object][] = [
    ['read_booking', { locator: replies.locator }],
    ['search_fares', { legs: [replies.legs.out], passengers: { adults: 1 } }],
    ['list_routes', {}],
  ];
  const run = async (who: Who, from: number, to: number): Promise<number> => {
    const seen: number[] = [];
    for (let n = from; n < to; n++) {
      const [tool = '', args = {}] = mix[n % mix.length] ?? [];
      await callOf(who, rivals[who], { tool, args });
      // Garbage comes and goes: the median of the last tenth.
      if (n > to - (to - from) / 10 && n % 10 === 0) seen.push(residentMb(rivals[who].pid));
    }
    return median(seen);
  };
  const all = async (from: number, to: number) => ({
    ours: await run('ours', from, to),
    through: await run('through', from, to),
    bare: await run('bare', from, to),
  });
  const row = (what: string, value: number, seen: Record<Who, number>, atMost?: number): Row => ({
    ...{ what, value, unit: '×', from: mb(seen.ours) },
    ...(atMost !== undefined && { target: { atMost } }),
    ...{ peer: `pass-through ${mb(seen.through)}`, floor: `bare SDK ${mb(seen.bare)}` },
  });
  await bench.upstream.search('oneWaySearch');
  const first = await all(0, FIRST);
  const rows = [row(`after ${FIRST} calls, over a pass-through client`, first.ours / first.through, first, 1.1)];
  if (!short) {
    const last = await all(FIRST, LAST);
    rows.push(
      row(`after ${LAST} calls, over itself after ${FIRST}`, last.ours / first.ours, last, 1.1),
      { what: '… pass-through client', value: last.through / first.through, unit: '×' },
      { what: '… over a pass-through client', value: last.ours / last.through, unit: '×' },
    );
  }
  await endRivals(rivals);
  return rows;
}

const mb = (size: number) => `${size.toFixed(0)} MB`;
