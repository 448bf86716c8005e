/**
 * No process outlives its host: the host is killed by kill -9, or loses stdin, stdout or stderr, at each of twenty moments of a
 * session with a payment, at three levels of the log. The program ends within five seconds; if it is sending a payment, once
 * that is settled and stored.
 *
 *   node test/campaigns/hosts/die.ts [--runs 240] [--seed S]     needs dist/ (npm run build)
 *
 * All cases are 240 runs, which take some 240 seconds of processor time.
 */

import { startMs } from '../chaos/support/program.ts';
import { openAirline } from '../support/airline.ts';
import { Chance } from '../support/chance.ts';
import { inParallel } from '../support/pace.ts';
import { command, quantile } from '../support/report.ts';
import { dies, LEVELS, MOMENTS, WAYS } from './deaths.ts';

/** Most of the time is computed. */
const AT_ONCE = 3;

const ALL = WAYS.flatMap((way) => LEVELS.flatMap((level) => MOMENTS.map((moment) => ({ way, level, moment }))));

await command('deaths of hosts', ALL.length, async ({ runs, seed }) => {
  const airline = await openAirline();
  const chosen = new Chance(seed).shuffled(ALL).slice(0, runs);
  const ended = await inParallel(chosen, AT_ONCE, async (death) => dies(airline, death, await startMs()));
  await airline.close();
  const slowest = (isSending: boolean) =>
    (
      quantile(
        ended.filter((one) => one.isSending === isSending).map(({ tookMs }) => tookMs),
        1,
      ) / 1000
    ).toFixed(1);
  const paid = ended.filter((one) => one.paid > 0).length;
  return {
    seen: `${ended.length} deaths, ${paid} after a payment had gone out; the last process ended after ${slowest(false)} s, with a payment after ${slowest(true)} s`,
    problems: ended.flatMap(({ problems }) => problems),
  };
});
