/**
 * What the same work costs after a pause, in one process: a call of a server comes after it waited for the airline and for
 * its host, and a processor that rested is slow at first.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { read } from './floors/words.ts';
import type { Measure, Row } from './measure.ts';
import { median } from './support/statistics.ts';

const BATCH = 20;
/** Milliseconds; 0: none. */
const PAUSES = [0, 1, 3] as const;

export const pause: Measure = {
  name: 'pause',
  about: 'the reading and words of a booking, and JSON.parse of it, by the pause before them',
  async run({ replies, short }) {
    const [rounds, warm] = short ? [15, 3_000] : [40, 8_000];
    for (let n = 0; n < warm; n++) read(JSON.parse(replies.read));
    const seen = PAUSES.map((ms) => ({ ms, parsed: [] as number[], worded: [] as number[] }));
    for (let n = 0; n < rounds; n++) {
      for (const { ms, parsed, worded } of seen) {
        for (let times = 0; times < BATCH; times++) {
          if (ms > 0) await wait(ms);
          const began = performance.now();
          const reply: unknown = JSON.parse(replies.read);
          const between = performance.now();
          read(reply);
          worded.push(performance.now() - between);
          parsed.push(between - began);
        }
      }
    }
    return seen.map(
      ({ ms, parsed, worded }): Row => ({
        ...{ what: ms === 0 ? 'without one' : `after ${ms} ms`, value: median(worded), unit: 'ms' },
        from: `JSON.parse ${median(parsed).toFixed(3)} ms`,
      }),
    );
  },
};
