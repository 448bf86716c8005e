/**
 * Bookings are watched for a month by a simulated clock, at airlines of both dialects that disturb a fifth of them, renumber
 * passengers and segments, and leave fields out. Clerks change bookings in between. Exit 1 if a disturbance is not found
 * within its reading interval, anything else is reported, a reading exceeds the budget, or the watcher writes.
 *
 * usage: node test/campaigns/watching/run.ts [--bookings 1000] [--disturbed 200] [--dialect rail] [--days 30] [--reads 600]
 *   [--seed 1] [--verbose]
 *
 * `--bookings`, `--disturbed` and `--reads` (an hour) are for both dialects together, which have a thread and half of each.
 */
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { conclude, type Figure } from '../support/report.ts';
import { judge, mostInAnHour, strays, tableOf } from './judge.ts';
import type { Played, Wanted } from './play.ts';

const { values } = parseArgs({
  options: {
    bookings: { type: 'string', default: '1000' },
    disturbed: { type: 'string', default: '200' },
    dialect: { type: 'string' },
    days: { type: 'string', default: '30' },
    reads: { type: 'string', default: '600' },
    seed: { type: 'string', default: '1' },
    verbose: { type: 'boolean', default: false },
  },
});
const [BOOKINGS, DISTURBED, READS] = [values.bookings, values.disturbed, values.reads].map(Number) as [
  number,
  number,
  number,
];
const dialects = (['rail', 'airline'] as const).filter((one) => (values.dialect ?? one) === one);
const share = (all: number) => Math.ceil(all / dialects.length);

async function play(dialect: Wanted['dialect']): Promise<Played> {
  const wanted: Wanted = {
    ...{ dialect, bookings: share(BOOKINGS), disturbed: share(DISTURBED), readsPerHour: share(READS) },
    ...{ days: Number(values.days), seed: Number(values.seed) },
  };
  const worker = new Worker(new URL('./play.ts', import.meta.url), { workerData: wanted });
  const [played] = (await once(worker, 'message')) as [Played];
  return played;
}

const began = performance.now();
const played = await Promise.all(dialects.map(play));
const judged = played.flatMap(judge);
const stray = played.flatMap(strays);
const reads = played.flatMap((one) => one.reads);
const failures = played.flatMap((one) => one.failures);
const refused = played.flatMap((one) => one.refused.map((kind) => `${one.dialect}: ${kind} could not happen`));
const sum = (of: (one: Played) => number) => played.reduce((all, one) => all + of(one), 0);
const unseen = sum(({ cases }) => cases.length) - judged.length;
const problems = judged.flatMap(({ problem }) => (problem === '' ? [] : [problem]));

process.stdout.write(tableOf(judged));
const figures: Figure[] = [
  { what: 'bookings', value: sum((one) => one.bookings) },
  {
    what: 'disturbed bookings',
    value: sum((one) => new Set(one.cases.map(({ locator }) => locator)).size),
    atLeast: DISTURBED,
  },
  { what: 'disturbances', value: judged.length },
  {
    // The run was cancelled, the hold lapsed or the month ended before the next reading was due.
    what: 'disturbances that no reading could show',
    value: unseen,
    atMost: Math.ceil(judged.length / 10),
  },
  { what: 'mishaps that could not happen', value: refused.length, atMost: 0 },
  { what: 'not found within the reading interval', value: problems.length, atMost: 0 },
  { what: 'false findings', value: stray.length, atMost: 0 },
  { what: 'operations of our own in between', value: sum(({ acts }) => acts.length), atLeast: 5 },
  { what: 'readings', value: reads.length },
  { what: 'readings with other pointers and order', value: reads.filter((one) => one.renumbered).length, atLeast: 1 },
  { what: 'readings with fields left out', value: reads.filter((one) => one.stripped).length, atLeast: 1 },
  ...played.map((one) => ({
    what: `most readings in an hour, of a budget of ${share(READS)} (${one.dialect})`,
    value: mostInAnHour(one.reads),
    atMost: share(READS),
  })),
  { what: 'writes to the airline by watching', value: sum((one) => one.strayWrites), atMost: 0 },
  { what: 'failures inside', value: failures.length, atMost: 0 },
  { what: 'the whole run', value: (performance.now() - began) / 1000, unit: 's' },
];
const lines = [...problems, ...stray, ...refused, ...failures];
for (const line of lines.slice(0, values.verbose ? 1000 : 20)) process.stdout.write(`  ${line}\n`);
conclude(`${BOOKINGS} bookings, ${values.days} days, ${READS} readings an hour at most`, figures, false);
