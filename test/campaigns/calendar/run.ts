/**
 * Plays `npm test` under moved dates, one after the other: nothing in the tests may rest on the day on which they run.
 *
 * usage: node test/campaigns/calendar/run.ts [DATE …] [-- VITEST ARGUMENTS]
 *        DATE: a name of dates.ts, an instant (RFC 3339), or `today`: the one of the thirty whose turn it is on this day;
 *        default: all thirty
 */
import { runVitest } from '../../support/vitest-run.ts';
import { DAY, movedDates } from './dates.ts';

const MOVED_CLOCK = new URL('../../support/moved-clock.ts', import.meta.url).href;
const ALL = ['--project', 'program', '--project', 'parts'];

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

const argv = process.argv.slice(2);
const divider = argv.indexOf('--');
const args = divider < 0 ? ALL : argv.slice(divider + 1);
const dates = movedDates(Date.now());
const all = [...dates.keys()];
const asked = divider < 0 ? argv : argv.slice(0, divider);
const turn = all[Math.floor(Date.now() / DAY) % all.length];
const names = asked.length === 0 ? all : asked.map((name) => (name === 'today' ? turn : name) ?? '');
const instants = names.map((name) => [name, dates.get(name) ?? Date.parse(name)] as const);
const unknown = instants.find(([, at]) => Number.isNaN(at));
if (unknown) throw new Error(`There is no date ${unknown[0]}. There are ${all.join(', ')}.`);
let greens = 0;
for (const [name, at] of instants) if (await isGreen(name, at, args)) greens++;
process.stdout.write(`${greens} of ${names.length} dates green\n`);
process.exitCode = greens === names.length ? 0 : 1;
