/**
 * Hosts as they are, in raw messages: whatever a host does with a dialog, the question reaches a person, nobody is said to
 * have declined who did not, and nothing is sent without a yes.
 *
 *   node test/campaigns/hosts/run.ts [--era "stdio 2026"]
 */
import { parseArgs } from 'node:util';
import { playAll, summary, table } from './campaign.ts';
import { ERAS } from './lane.ts';

const { values } = parseArgs({ options: { era: { type: 'string' } } });
const begun = performance.now();
const played = await playAll(ERAS.filter((era) => values.era === undefined || era === values.era));
const seconds = ((performance.now() - begun) / 1000).toFixed(1);
process.stdout.write(`${table(played)}\n${summary(played)}; ${seconds} s\n`);
process.exitCode = played.every(({ problems }) => problems.length === 0) ? 0 : 1;
