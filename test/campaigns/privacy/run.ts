/**
 * Canaries over all paths: `node test/campaigns/privacy/run.ts [--quick]`. Plants secrets and personal values, walks
 * every tool through every way that it can go, and looks for them in all that came out. Exit 1 if one was found, or if the
 * search misses what is there. `--quick`: every tool once, HTTP, and some errors that repeat the request.
 */
import { CATALOG } from '../../../src/tools/index.ts';
import { buildProgram } from '../../cli/program.ts';
import { counted, flags, print, tell } from '../support/report.ts';
import { ACTS } from './support/acts.ts';
import { CARD, Canaries, PLANTED } from './support/canaries.ts';
import { ALL, QUICK } from './support/paths.ts';
import { Seen } from './support/seen.ts';

const { quick } = flags({ quick: false });

const WRITINGS: Readonly<Record<string, (value: string) => string>> = {
  'as it is': (value) => value,
  'in capitals': (value) => value.toUpperCase(),
  'in base64': (value) => Buffer.from(value).toString('base64'),
  'in hex': (value) => Buffer.from(value).toString('hex'),
  'in a URL': encodeURIComponent,
  'within JSON': (value) => JSON.stringify({ a: JSON.stringify(value) }),
};

/** What the search does not find although it is there, and tools that no path calls. */
function blindness(): readonly string[] {
  const canaries = new Canaries();
  const unseen = Object.entries(WRITINGS).flatMap(([how, written]) =>
    Object.entries(PLANTED)
      .filter(([name, value]) => ![...canaries.foundIn(`{"x":"${written(value)}"}`).keys()].some((one) => one === name))
      .map(([name]) => `${name} is not found ${how}`),
  );
  const seen = new Seen();
  seen.add('stderr', 'serve', `paid with ${CARD.replace(/(.{4})(?=.)/g, '$1-')}`);
  for (const tool of ['read_booking', 'search_fares']) seen.add('result', tool, PLANTED.surname);
  const leaks = seen.leaks().map(({ channel, of, canary }) => `${canary} in ${channel} of ${of}`);
  const due = ['card number in stderr of serve', 'surname in result of search_fares'];
  const uncalled = CATALOG.filter(({ name }) => !ACTS.some(({ tool }) => tool === name));
  return [
    ...unseen,
    ...(leaks.join() === due.join() ? [] : [`leaks are not told from what is allowed: ${leaks}`]),
    ...uncalled.map(({ name }) => `no path calls ${name}`),
  ];
}

await tell('canaries', async () => {
  const program = await buildProgram();
  const problems = [...blindness()];
  const channels: string[] = [];
  for (const [name, walk] of quick ? QUICK : ALL) {
    const seen = new Seen();
    await walk({ program, seen, commands: !quick }).catch((error) => {
      problems.push(`${name}: ${error instanceof Error ? error.stack : String(error)}`);
    });
    channels.push(...seen.sights.map(({ channel }) => channel));
    const leaks = seen.leaks();
    const kinds = new Map(leaks.map((leak) => [`${leak.channel} (${leak.of}): ${leak.canary}`, leak.around]));
    print(`${name}: ${seen.sights.length} sights, ${leaks.length} leaks`);
    problems.push(...[...kinds].map(([where, around]) => `${name}: ${where}: ${JSON.stringify(around)}`));
  }
  return { seen: `${Object.keys(PLANTED).length + 4} canaries; ${counted(channels)}`, problems };
});
