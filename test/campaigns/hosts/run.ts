/**
 * Hosts as they are, in raw messages: whatever a host does with a dialog, the question reaches a person, nobody is said to
 * have declined who did not, and nothing is sent without a yes.
 *
 *   node test/campaigns/hosts/run.ts [--era "stdio 2026"]
 */
import { parseArgs } from 'node:util';
import { tell, timed } from '../support/report.ts';
import { playAll, summary, table } from './campaign.ts';
import { ERAS } from './lane.ts';

const { values } = parseArgs({ options: { era: { type: 'string' } } });
const eras = ERAS.filter((era) => values.era === undefined || era === values.era);
const { played, seconds } = await timed(async () => ({ played: await playAll(eras) }));
process.stdout.write(`${table(played)}\n`);
tell('hosts', { ...summary(played), seconds });
