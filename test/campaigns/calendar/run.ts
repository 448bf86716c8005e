/**
 * Plays the tests under moved dates, one after the other: nothing in the tests may rest on the day on which they run.
 *
 * usage: node test/campaigns/calendar/run.ts [DATE …] [-- VITEST ARGUMENTS]
 *        DATE: a name of dates.ts, or an instant (RFC 3339); default: all thirty
 *        node test/campaigns/calendar/run.ts today [-- VITEST ARGUMENTS]
 *        the three of the thirty whose turn it is on this day, each with another sixth of the files: after sixty days each
 *        file was played on each date
 */
import { runVitest } from '../../support/vitest-run.ts';
import { DAY, movedDates } from './dates.ts';

const MOVED_CLOCK = new URL('../../support/moved-clock.ts', import.meta.url).href;
const ALL = ['quick', 'slow*', 'night'].flatMap((project) => ['--project', project]);

/** Runs the tests as if it were `at` (ms epoch). */
async function isGreen(label: string, at: number, args: readonly string[]): Promise<boolean> {
  const began = performance.now();
  const { ok, passed, failed, failures, said } = await runVitest(args, {
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${MOVED_CLOCK}`,
    CLOCK_AHEAD_MS: String(at - Date.now()),
  });
  const seconds = Math.round((performance.now() - began) / 1_000);
  process.stdout.write(`${new Date(at).toISOString()} ${label}: ${passed} passed, ${failed} failed, ${seconds} s\n`);
  for (const failure of failures) process.stdout.write(`  FAILED ${failure}\n`);
  if (!ok && failures.length === 0) process.stdout.write(said);
  return ok;
}

const TODAY = Math.floor(Date.now() / DAY);

/** The dates whose turn it is today: a third of the list between one and the next. */
function turnsOf(all: readonly string[]): readonly string[] {
  return [0, 1, 2].map((n) => all[(TODAY + Math.floor((n * all.length) / 3)) % all.length] ?? '');
}

/** Each of the three has another third of the files: one half of it while the list is gone through, the other the next time. */
function shardOption(n: number, rounds: number): string {
  return `--shard=${2 * n + (rounds % 2) + 1}/6`;
}

const argv = process.argv.slice(2);
const divider = argv.indexOf('--');
const args = divider < 0 ? ALL : argv.slice(divider + 1);
const dates = movedDates(Date.now());
const all = [...dates.keys()];
const asked = divider < 0 ? argv : argv.slice(0, divider);
const isToday = asked[0] === 'today';
const listed = asked.length === 0 ? all : asked;
const names = isToday ? turnsOf(all) : listed;
const instants = names.map((name) => [name, dates.get(name) ?? Date.parse(name)] as const);
const unknown = instants.find(([, at]) => Number.isNaN(at));
if (unknown) throw new Error(`There is no date ${unknown[0]}. There are ${all.join(', ')}.`);
let greens = 0;
for (const [n, [name, at]] of instants.entries()) {
  const share = isToday ? [shardOption(n, Math.floor(TODAY / all.length))] : [];
  if (await isGreen(name, at, [...args, ...share])) greens++;
}
process.stdout.write(`${greens} of ${names.length} dates green\n`);
process.exitCode = greens === names.length ? 0 : 1;
