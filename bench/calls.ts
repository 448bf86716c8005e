/**
 * What our own work adds to a call, beside a client that passes replies through: the same host, the same airline, in
 * turns. What grows with the journal: journal.ts.
 */
import { inParallel } from '../test/campaigns/support/pace.ts';
import { cpuMs } from '../test/support/usage.ts';
import { type Bench, type Measure, type Row, ratio } from './measure.ts';
import { differingRead, type Replies } from './support/replies.ts';
import { inFlight, inTurns, type Seen } from './support/rounds.ts';
import { Speaker, toolsOf } from './support/speaker.ts';

export const AT_ONCE = 32;

export type Call = readonly [tool: string, args: object];
export type Rivals = Readonly<Record<'ours' | 'through', Speaker>>;

/** The program and the pass-through client, at work; ended when `use` is over. */
export async function withRivals(bench: Bench, use: (rivals: Rivals) => Promise<Row[]>): Promise<Row[]> {
  const { program, floors, upstream, replies, folder } = bench;
  const command = program.start(folder('ours'), upstream.settings);
  // As with most starts, an earlier one has compiled the code.
  await toolsOf(command);
  const ours = await Speaker.open(command);
  const through = await Speaker.open(floors.through.start(folder('through'), upstream.settings));
  await upstream.answer({ search: replies.oneWaySearch });
  const rows = await use({ ours, through });
  await Promise.all([ours.end(), through.end()]);
  return rows;
}

export function mixOf({ locator, aroundOut }: Replies): readonly [read: Call, search: Call, routes: Call] {
  return [
    ['read_booking', { locator }],
    ['search_fares', { legs: [aroundOut], passengers: { adults: 1 } }],
    ['list_routes', {}],
  ];
}

function beside<F extends string>(rivals: Rivals, rounds: number, take: (host: Speaker) => Promise<Seen<F>>) {
  return inTurns(rounds, { ours: () => take(rivals.ours), through: () => take(rivals.through) }, 2);
}

/** A batch of calls: milliseconds of each, and processor time of one. */
export const sampled =
  (call: Call, batch: number, atOnce = 1) =>
  async (host: Speaker) => {
    const before = cpuMs(host.pid);
    const ms = await inParallel(Array.from({ length: batch }), atOnce, async () => (await host.call(...call)).ms);
    return { ms, cpu: (cpuMs(host.pid) - before) / batch };
  };

export const calls: Measure = {
  name: 'calls',
  about: 'a call, as a multiple of a pass-through client (SDK and undici, nothing mapped)',
  why: 'An assistant makes several calls for one answer, and its user waits for each.',
  run: (bench) =>
    withRivals(bench, async (rivals) => {
      const { replies, upstream, short } = bench;
      const rows: Row[] = [];
      const compare = async (name: string, call: Call, batch: number, [p50, cpu]: readonly [number, number]) => {
        const { ours, through } = await beside(rivals, short ? 6 : 20, sampled(call, batch));
        rows.push(ratio(`${name}, p50`, [ours.ms, through.ms], 'ms', p50));
        rows.push(ratio('… CPU', [ours.cpu, through.cpu], 'ms', cpu));
      };
      const mix = mixOf(replies);
      const [read, search, routes] = mix;
      await compare('read_booking', read, 50, [3.8, 4]);
      await upstream.answer({ read: differingRead(replies.read) });
      await compare('… of replies that differ', read, 50, [3.8, 4.8]);
      await upstream.answer({ read: replies.read });
      await compare('search_fares', search, 50, [3.3, 4.8]);
      await compare('list_routes', routes, 50, [0.75, 1.25]);
      await upstream.answer({ search: replies.largeSearch });
      await compare('search_fares, 226 KB', search, 10, [2.5, 2.6]);
      await upstream.answer({ search: replies.leanSearch });
      await compare('… of 500 itineraries', search, 10, [2.6, 2.8]);
      await upstream.answer({ search: replies.oneWaySearch });
      const { ours, through } = await beside(rivals, short ? 3 : 9, (host) =>
        inFlight(AT_ONCE, 480, (n) => host.call(...(mix[n % mix.length] ?? read))),
      );
      const flight = ratio(`${AT_ONCE} calls in flight`, [ours.perSecond, through.perSecond], 'a second');
      return [...rows, { ...flight, atLeast: 0.22 }];
    }),
};

export const curves: Measure = {
  name: 'curves',
  about: 'CPU of a search of ever more itineraries, and the power of their number that it grows with',
  why: 'A flexible search of a busy week finds a thousand itineraries, and its user waits for all of them.',
  run: (bench) =>
    withRivals(bench, async (rivals) => {
      const [, search] = mixOf(bench.replies);
      const rows: Row[] = [];
      let before = { size: 0, cpu: 0 };
      for (const size of [10, 100, 1_000]) {
        await bench.upstream.answer({ search: bench.replies.searchOf(size) });
        const { ours, through } = await beside(rivals, bench.short ? 4 : 16, sampled(search, Math.max(2, 200 / size)));
        const grown = Math.log(ours.cpu / before.cpu) / Math.log(size / before.size);
        const { value, ...row } = ratio(`itineraries: ${size}`, [ours.cpu, through.cpu], 'ms');
        // In proportion, and a tenth for the noise.
        rows.push(before.size === 0 ? { ...row, value } : { ...row, value: grown, unit: 'n^', atMost: 1.1 });
        before = { size, cpu: ours.cpu };
      }
      return rows;
    }),
};
