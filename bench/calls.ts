/**
 * What our own work adds to a call, beside a client that passes replies through: the same host, the same airline, in
 * turns.
 */
import { join } from 'node:path';
import type { Bench, Measure, Row } from './measure.ts';
import { Speaker } from './support/speaker.ts';
import { median } from './support/statistics.ts';
import type { Searches } from './support/upstream.ts';
import { canMeasureUsage, cpuMs } from './support/usage.ts';

export type Who = 'ours' | 'through' | 'bare';
/** `worded`: what reading the reply, the rules and the text cost by themselves. */
type Contender = Who | 'worded';
const TURNS: readonly Contender[] = ['ours', 'through', 'worded', 'bare'];
type Contenders = Readonly<Record<Contender, Speaker>>;
type Figures = Record<Contender, number[]>;
const noFigures = (): Figures => ({ ours: [], through: [], worded: [], bare: [] });

interface Kind {
  readonly name: string;
  readonly tool: string;
  readonly args: object;
  /** Calls of a round. */
  readonly batch: number;
  readonly search?: Searches;
  readonly p50: number;
  readonly cpu: number;
}

const CALLS_AT_ONCE = 32;

/** `bare` asks no airline: what it takes is the SDK's and the pipe's. */
export type Rivals = Readonly<Record<Who, Speaker>>;

export async function startRivals({ program, floors, upstream, folder }: Bench): Promise<Rivals> {
  const home = folder('calls');
  const ours = new Speaker(program.start(home, upstream.settings));
  const through = new Speaker(floors.through(join(home, 'through'), upstream.settings));
  const bare = new Speaker(floors.bare(join(home, 'bare')));
  await Promise.all([ours.initialize(), through.initialize(), bare.initialize()]);
  return { ours, through, bare };
}

export async function endRivals(rivals: Rivals): Promise<void> {
  await Promise.all(Object.values(rivals).map((rival) => rival.end()));
}

export const callOf = (who: Contender, rival: Speaker, { tool, args }: Pick<Kind, 'tool' | 'args'>) =>
  who === 'bare' ? rival.call('tool_0', { text: 'anything' }) : rival.call(tool, args);

export const calls: Measure = {
  name: 'calls',
  about: 'a call, as a multiple of a pass-through client (SDK and undici, nothing mapped)',
  async run(bench) {
    const { replies, upstream, floors, folder, short } = bench;
    const worded = new Speaker(floors.worded(folder('worded'), upstream.settings));
    await worded.initialize();
    const rivals = { ...(await startRivals(bench)), worded };
    const { locator, legs } = replies;
    const search = { tool: 'search_fares', args: { legs: [legs.out], passengers: { adults: 1 } } };
    const kinds: readonly Kind[] = [
      { name: 'read_booking', tool: 'read_booking', args: { locator }, batch: 50, p50: 1.35, cpu: 1.6 },
      { name: 'search_fares', ...search, batch: 50, p50: 1.35, cpu: 1.6 },
      { name: 'list_routes', tool: 'list_routes', args: {}, batch: 50, p50: 1.15, cpu: 1.5 },
      { name: 'search_fares, 226 KB', ...search, search: 'largeSearch', batch: 10, p50: 1.25, cpu: 1.3 },
      { name: '… of 500 itineraries', ...search, search: 'leanSearch', batch: 10, p50: 1.25, cpu: 1.3 },
    ];
    const rows: Row[] = [];
    for (const kind of kinds) {
      await upstream.search(kind.search ?? 'oneWaySearch');
      rows.push(...(await compare(kind, rivals, short ? 6 : 20)));
    }
    await upstream.search('oneWaySearch');
    rows.push(await throughput(kinds, rivals, short ? 3 : 9));
    await endRivals(rivals);
    return rows;
  },
};

async function compare(kind: Kind, rivals: Contenders, rounds: number): Promise<Row[]> {
  const [times, cpu] = [noFigures(), noFigures()];
  // Routes are read by none but ours.
  const turns = kind.tool === 'list_routes' ? TURNS.filter((who) => who !== 'worded') : TURNS;
  // The first round warms up code and sockets.
  for (let round = -2; round < rounds; round++) {
    for (const who of round % 2 === 0 ? turns : turns.toReversed()) {
      const { pid } = rivals[who];
      const before = canMeasureUsage ? cpuMs(pid) : 0;
      const batch: number[] = [];
      for (let n = 0; n < kind.batch; n++) batch.push((await callOf(who, rivals[who], kind)).ms);
      if (round < 0) continue;
      times[who].push(...batch);
      if (canMeasureUsage) cpu[who].push((cpuMs(pid) - before) / kind.batch);
    }
  }
  const row = (what: string, ms: Figures, atMost: number): Row =>
    besideOthers({ what, target: { atMost } }, ms, (value) => `${value.toFixed(2)} ms`);
  const rows = [row(`${kind.name}, p50`, times, kind.p50)];
  return canMeasureUsage ? [...rows, row('… CPU', cpu, kind.cpu)] : rows;
}

/** Medians as multiples of the pass-through client's. */
function besideOthers(row: Pick<Row, 'what' | 'target'>, seen: Figures, show: (value: number) => string): Row {
  const [ours, through, bare] = [median(seen.ours), median(seen.through), median(seen.bare)];
  const worded = seen.worded.length > 0 && median(seen.worded);
  const alone = worded ? `reading and words alone ${show(worded)} (${(worded / through).toFixed(2)}×); ` : '';
  return {
    ...{ ...row, value: ours / through, unit: '×', from: show(ours), peer: `pass-through ${show(through)}` },
    floor: `${alone}bare SDK ${show(bare)}`,
  };
}

/** Calls answered in a second with many in flight: reads, searches and routes in turn. */
async function throughput(kinds: readonly Kind[], rivals: Contenders, rounds: number): Promise<Row> {
  const mix = kinds.slice(0, 3);
  const perSecond = noFigures();
  const run = async (who: Contender, count: number): Promise<number> => {
    const began = performance.now();
    let next = 0;
    const work = async () => {
      for (let n = next++; n < count; n = next++) {
        const kind = mix[n % mix.length];
        if (kind !== undefined) await callOf(who, rivals[who], kind);
      }
    };
    await Promise.all(Array.from({ length: CALLS_AT_ONCE }, work));
    return (1_000 * count) / (performance.now() - began);
  };
  for (let round = -1; round < rounds; round++) {
    for (const who of round % 2 === 0 ? TURNS : TURNS.toReversed()) {
      const rate = await run(who, 480);
      if (round >= 0) perSecond[who].push(rate);
    }
  }
  const row = { what: `${CALLS_AT_ONCE} calls in flight, calls a second`, target: { atLeast: 0.75 } };
  return besideOthers(row, perSecond, (rate) => rate.toFixed(0));
}
