/**
 * Bookings are watched for a month by a simulated clock, at airlines of both dialects that disturb a fifth of them, renumber
 * passengers and segments, and leave fields out. Each alteration of altered.ts happens to a booking of its own. Clerks change bookings in between. Exit 1 if a disturbance is not found
 * within its reading interval, anything else is reported, a reading exceeds the budget, or the watcher writes.
 *
 * usage: node test/campaigns/watching/run.ts [--bookings 1000] [--disturbed 200] [--seed S]
 *
 * `--bookings` and `--disturbed` are for both dialects together, which have a thread and half of each.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { conclude, exactly, flags, least, most, none, print, told, treeSeed } from '../support/report.ts';
import { judge, mostInAnHour, strays } from './judge.ts';
import { namedMonths, wrongOf } from './named.ts';
import type { Played, Wanted } from './play.ts';

const { bookings, disturbed, seed } = flags({ bookings: 1000, disturbed: 200, seed: treeSeed });
const days = 30;
/** Readings an hour at most. */
const reads = 600;
const half = (all: number) => Math.ceil(all / 2);
/** A desk whose budget is a quarter of its bookings: when all are due at once, it is the budget that spreads their readings. */
const tight = { bookings: 16, readsPerHour: 4, days: 2 };

interface PlayedDialect {
  readonly played: Played;
  /** The desk with a tight budget. */
  readonly spread: Played;
  readonly wronglyNamed: readonly string[];
}

async function play(dialect: Wanted['dialect']): Promise<PlayedDialect> {
  const share = { bookings: half(bookings), disturbed: half(disturbed), readsPerHour: half(reads) };
  const wanted: Wanted = { dialect, ...share, days, seed, alters: true };
  const workerData: readonly Wanted[] = [wanted, { dialect, ...tight, disturbed: 0, seed }, ...namedMonths(dialect)];
  const worker = new Worker(new URL('./play.ts', import.meta.url), { workerData });
  const [[played, spread, ...named]] = (await once(worker, 'message')) as [[Played, Played, ...Played[]]];
  return { played, spread, wronglyNamed: named.flatMap(wrongOf) };
}

const both = await Promise.all((['rail', 'airline'] as const).map(play));
const played = both.map((one) => one.played);
const wronglyNamed = both.flatMap((one) => one.wronglyNamed);
const judged = played.flatMap(judge);
const stray = played.flatMap(strays);
const all = played.flatMap((one) => one.reads);
const failures = played.flatMap((one) => one.failures);
const refused = played.flatMap((one) => one.refused.map((kind) => `${one.dialect}: ${kind} could not happen`));
const sum = (of: 'bookings' | 'strayWrites') => played.reduce((total, one) => total + one[of], 0);
const cases = played.flatMap((one) => one.cases);
const problems = judged.filter((problem) => problem !== '');
const touched = played.flatMap((one) => [...new Set(one.cases.map(({ locator }) => locator))]);
for (const line of [...wronglyNamed, ...problems, ...stray, ...refused, ...failures].slice(0, 40)) print(`  ${line}`);
conclude(`${bookings} bookings, ${days} days, ${reads} readings an hour at most`, [
  told('bookings', sum('bookings')),
  least('disturbed bookings', touched.length, disturbed),
  told('disturbances', judged.length),
  // The run was cancelled, the hold lapsed or the month ended before the next reading was due.
  most('disturbances that no reading could show', cases.length - judged.length, judged.length / 10),
  none('mishaps that could not happen', refused.length),
  none('not found within the reading interval', problems.length),
  none('false findings', stray.length),
  none('wrong in the named cases', wronglyNamed.length),
  // About a third of the bookings have one.
  least('operations of our own in between', played.flatMap(({ acts }) => acts).length, Math.floor(bookings / 24)),
  told('readings', all.length),
  least('readings with other pointers and order', all.filter((one) => one.renumbered).length, 1),
  least('readings with fields left out', all.filter((one) => one.stripped).length, 1),
  ...played.map((one) => most(`most readings in an hour (${one.dialect})`, mostInAnHour(one.reads), half(reads))),
  // Reached, and not exceeded.
  ...both.map(({ spread }) =>
    exactly(`most readings in an hour (${spread.dialect}, tight)`, mostInAnHour(spread.reads), tight.readsPerHour),
  ),
  none('writes to the airline by watching', sum('strayWrites')),
  none('failures inside', failures.length),
]);
