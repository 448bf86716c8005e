/** Resident memory: at rest, and after many calls. */
import { setTimeout as wait } from 'node:timers/promises';
import { residentMb } from '../test/support/usage.ts';
import { type Call, mixOf, withRivals } from './calls.ts';
import { type Measure, ratio } from './measure.ts';
import { median } from './support/rounds.ts';
import { Speaker } from './support/speaker.ts';

const REST_MS = 500;
const CALLS = 2_000;

export const memory: Measure = {
  name: 'memory',
  about: 'resident memory',
  why: 'Each open conversation keeps a server of its own, on a laptop that has other work.',
  run: (bench) =>
    withRivals(bench, async ({ ours, through }) => {
      const mix = mixOf(bench.replies);
      const node = new Speaker({ args: ['-e', 'process.stdin.resume()'], env: {} });
      await ours.ask('tools/list');
      await wait(REST_MS);
      const rows = [ratio('at rest, over bare Node', [residentMb(ours.pid), residentMb(node.pid)], 'MB', 1.6)];
      await node.end();
      const [used, peer] = [await afterCalls(ours, mix), await afterCalls(through, mix)];
      return [...rows, ratio(`after ${CALLS} calls, over a pass-through client`, [used, peer], 'MB', 1.25)];
    }),
};

/** Garbage comes and goes: the median of what is seen in the last tenth. */
async function afterCalls(host: Speaker, mix: readonly Call[]): Promise<number> {
  const seen: number[] = [];
  for (let n = 0; n < CALLS; n++) {
    await host.call(...(mix[n % mix.length] as Call));
    if (n > 0.9 * CALLS && n % 10 === 0) seen.push(residentMb(host.pid));
  }
  return median(seen);
}
