/**
 * Canaries over all paths: `node test/campaigns/privacy/run.ts [part of a path's name]`. Plants secrets and personal values, walks
 * every tool through every way that it can go, and looks for them in all that came out. Exit 1 if one was found.
 */
import { buildProgram } from '../../cli/program.ts';
import { PLANTED } from './support/canaries.ts';
import { ALL } from './support/paths.ts';
import { type Leak, Seen } from './support/seen.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

function leakLine({ channel, of, canary, around }: Leak): string {
  return `  ${canary} in ${channel} (${of}): ${JSON.stringify(around)}`;
}

const [wanted = ''] = process.argv.slice(2);
const began = performance.now();
const program = await buildProgram();
const totals = new Map<string, number>();
let leaks = 0;
let failed = 0;
for (const path of ALL.filter(({ name }) => name.includes(wanted))) {
  const seen = new Seen();
  try {
    await path.walk({ program, seen, commands: true });
  } catch (error) {
    failed += 1;
    say(`${path.name}: ${error instanceof Error ? error.stack : String(error)}`);
  }
  const found = seen.leaks();
  leaks += found.length;
  for (const { channel } of seen.sights) totals.set(channel, (totals.get(channel) ?? 0) + 1);
  const kinds = new Map(found.map((leak) => [`${leak.channel} ${leak.of} ${leak.canary}`, leak]));
  say(`${path.name}: ${seen.sights.length} sights, ${found.length} leaks`);
  for (const leak of kinds.values()) say(leakLine(leak));
}
say('');
for (const [channel, count] of totals) say(`${String(count).padStart(8)}  ${channel}`);
const seconds = ((performance.now() - began) / 1000).toFixed(0);
say(`${Object.keys(PLANTED).length + 4} canaries, ${leaks} leaks, ${failed} paths failed, ${seconds} s`);
process.exitCode = leaks + failed === 0 ? 0 : 1;
