/**
 * The campaign of quote-is-refund.test.ts: random airlines and bookings until so many quotes were compared with the terms and
 * with the independent sandbox's own arithmetic, and every fourth booking rebooked. Exit 1 on a difference.
 *
 * usage: node test/campaigns/estimates/run.ts [--cases 10000] [--seed 1]
 */
import * as fc from 'fast-check';
import { world } from '../../ota/against-sandbox/worlds.ts';
import { flags, tell } from '../support/report.ts';
import { emptyQuoteTally, quoteWorld } from './quoted.ts';

const BOOKINGS = 10;

const { cases, seed: first } = flags({ cases: 10_000, seed: 1 });
const tally = emptyQuoteTally();
let seed = first;
await tell('quotes', async () => {
  for (; tally.quotes < cases && tally.differences.length === 0; seed += 1) {
    const [one] = fc.sample(world(BOOKINGS), { numRuns: 1, seed });
    if (one !== undefined) await quoteWorld(tally, one);
  }
  const { differences, ...counts } = tally;
  const seen = `airlines ${seed - first}, ${Object.entries(counts).map(([what, count]) => `${what} ${count}`)}`;
  return { seen, problems: differences.map((one) => `--seed ${seed - 1} --cases 1: ${one}`) };
});
