/**
 * What a call costs with ever more in the airline's reply: searches of more itineraries, bookings of more passengers and
 * segments. Beside a client that passes the replies through, in turns.
 */
import { endRivals, startRivals } from './calls.ts';
import type { Measure, Row } from './measure.ts';
import { type Point, rowsOf } from './support/curve.ts';
import { makeLargerReplies, type SizedBooking } from './support/larger-replies.ts';
import type { Speaker } from './support/speaker.ts';
import { median } from './support/statistics.ts';
import { canMeasureUsage, cpuMs } from './support/usage.ts';

const ITINERARIES = [10, 100, 1_000];
const BOOKINGS = [
  [1, 1],
  [9, 1],
  [1, 8],
  [9, 8],
] as const;

interface Work {
  readonly size: number;
  readonly tool: string;
  readonly args: object;
  readonly batch: number;
  /** Has the airline give the reply of that size. */
  set(): Promise<void>;
}

export const curves: Measure = {
  name: 'curves',
  about: 'a call with ever more in the reply: CPU, beside a pass-through client',
  async run(bench) {
    if (!canMeasureUsage) return [];
    const { upstream, replies, short } = bench;
    const { searches, bookings } = await makeLargerReplies(ITINERARIES, BOOKINGS);
    const rivals = await startRivals(bench);
    const rounds = short ? 4 : 16;
    const rows: Row[] = [];
    const search = { tool: 'search_fares', args: { legs: [replies.legs.out], passengers: { adults: 1 } } };
    const found = await measured(
      ITINERARIES.map((size) => ({
        ...{ ...search, size, batch: Math.max(2, Math.ceil(200 / size)) },
        set: () => upstream.answer('search', searches.get(size) ?? ''),
      })),
      rivals,
      rounds,
    );
    rows.push(...rowsOf({ what: 'search_fares, itineraries', of: 'CPU', isWork: true, points: found }));
    const read = await measured(
      bookings.map(({ passengers, segments, locator, reply }) => ({
        ...{ tool: 'read_booking', args: { locator }, batch: 40, size: passengers * segments },
        set: () => upstream.answer('read', reply),
      })),
      rivals,
      rounds,
    );
    rows.push(...bookingRows(bookings, read));
    await upstream.answer('read', replies.read);
    await upstream.search('oneWaySearch');
    await endRivals(rivals);
    return rows;
  },
};

/** CPU of a call of each size. */
async function measured(
  works: readonly Work[],
  { ours, through }: { readonly ours: Speaker; readonly through: Speaker },
  rounds: number,
): Promise<Point[]> {
  const seen = works.map(() => ({ ours: [] as number[], through: [] as number[] }));
  // The first rounds warm up code and sockets.
  for (let round = -2; round < rounds; round++) {
    for (const [n, { tool, args, batch, set }] of works.entries()) {
      await set();
      for (const who of round % 2 === 0 ? (['ours', 'through'] as const) : (['through', 'ours'] as const)) {
        const host = who === 'ours' ? ours : through;
        const before = cpuMs(host.pid);
        for (let call = 0; call < batch; call++) await host.call(tool, args);
        if (round >= 0) seen[n]?.[who].push((cpuMs(host.pid) - before) / batch);
      }
    }
  }
  return works.map(({ size }, n) => ({
    size,
    ms: median(seen[n]?.ours ?? []),
    peerMs: median(seen[n]?.through ?? []),
  }));
}

/** By passengers and by segments, each with few and with many of the other. */
function bookingRows(bookings: readonly SizedBooking[], points: readonly Point[]): Row[] {
  const at = (passengers: number, segments: number, size: number): Point => {
    const n = bookings.findIndex((each) => each.passengers === passengers && each.segments === segments);
    return { ...(points[n] as Point), size };
  };
  const curve = (what: string, found: readonly Point[]) => rowsOf({ what, of: 'CPU', isWork: true, points: found });
  return [
    ...curve('read_booking of 1 segment, passengers', [at(1, 1, 1), at(9, 1, 9)]),
    ...curve('… of 8 segments, passengers', [at(1, 8, 1), at(9, 8, 9)]),
    ...curve('read_booking of 1 passenger, segments', [at(1, 1, 1), at(1, 8, 8)]),
    ...curve('… of 9 passengers, segments', [at(9, 1, 1), at(9, 8, 8)]),
  ];
}
