/**
 * Resident memory: at rest, and after many calls.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { endRivals, startRivals } from './calls.ts';
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

/** Reads, searches and routes in turn, to both; the peak of what is seen is not the figure, what stays is. */
async function afterCalls(bench: Bench): Promise<Row[]> {
  const { replies, short } = bench;
  const rivals = await startRivals(bench);
  const mix: readonly [string, object][] = [
    ['read_booking', { locator: replies.locator }],
    ['search_fares', { legs: [replies.legs.out], passengers: { adults: 1 } }],
    ['list_routes', {}],
  ];
  const run = async (host: Speaker, from: number, to: number): Promise<number> => {
    const seen: number[] = [];
    for (let n = from; n < to; n++) {
      const [tool, args] = mix[n % mix.length] ?? ['', {}];
      await host.call(tool, args);
      // Garbage comes and goes: the median of the last tenth.
      if (n > to - (to - from) / 10 && n % 10 === 0) seen.push(residentMb(host.pid));
    }
    return median(seen);
  };
  await bench.upstream.search('oneWaySearch');
  const [ours, through] = [await run(rivals.ours, 0, FIRST), await run(rivals.through, 0, FIRST)];
  const rows: Row[] = [
    {
      what: `after ${FIRST} calls, over a pass-through client`,
      value: ours / through,
      unit: '×',
      target: { atMost: 1.1 },
      from: `${ours.toFixed(0)} MB of ${through.toFixed(0)}`,
    },
  ];
  if (!short) {
    const [later, others] = [await run(rivals.ours, FIRST, LAST), await run(rivals.through, FIRST, LAST)];
    const row = (what: string, value: number, from: string): Row => ({ what, value, unit: '×', from });
    rows.push(
      {
        ...row(
          `after ${LAST} calls, over itself after ${FIRST}`,
          later / ours,
          `${later.toFixed(0)} MB of ${ours.toFixed(0)}`,
        ),
        target: { atMost: 1.1 },
      },
      row('… pass-through client', others / through, `${others.toFixed(0)} MB of ${through.toFixed(0)}`),
      row('… over a pass-through client', later / others, `${later.toFixed(0)} MB of ${others.toFixed(0)}`),
    );
  }
  await endRivals(rivals);
  return rows;
}
