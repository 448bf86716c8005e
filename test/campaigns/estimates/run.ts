/**
 * The campaign of estimate-is-refund.test.ts: random airlines and bookings until so many estimates were compared with the
 * independent sandbox's own arithmetic; `--quotes`: the campaign of quote-is-refund.test.ts. Exit 1 on a difference.
 *
 * usage: node test/campaigns/estimates/run.ts [--cases 10000] [--seed 1] [--quotes]
 */
import { parseArgs } from 'node:util';
import * as fc from 'fast-check';
import { world } from '../../ota/against-sandbox/worlds.ts';
import { emptyTally, runWorld } from './judged.ts';
import { emptyQuoteTally, quoteWorld } from './quoted.ts';

const BOOKINGS = 10;

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    quotes: { type: 'boolean', default: false },
  },
});
const [cases, first] = [Number(values.cases), Number(values.seed)];
const [estimates, quotes] = [emptyTally(), emptyQuoteTally()];
const tally = values.quotes ? quotes : estimates;
let seed = first;
for (; (values.quotes ? quotes.quotes : estimates.estimates) < cases && tally.differences.length === 0; seed += 1) {
  const [one] = fc.sample(world(BOOKINGS), { numRuns: 1, seed });
  if (one !== undefined) await (values.quotes ? quoteWorld(quotes, one) : runWorld(estimates, one));
}
const { differences, ...counts } = tally;
const words = Object.entries(counts).map(([what, count]) => `${what} ${count}`);
process.stdout.write(`airlines ${seed - first}, ${words.join(', ')}, differences ${differences.length}\n`);
if (differences.length > 0) {
  process.stdout.write(`${differences.join('\n')}\nreplay: --seed ${seed - 1} --cases 1\n`);
  process.exitCode = 1;
}
