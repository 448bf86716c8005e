/**
 * The proofs of a fleet at full size, each on a PostgreSQL of its own:
 *
 *   node test/campaigns/fleet/run.ts [--only tokens,once,limits,deaths,skew,callers,kills] [--seed 1]
 *     [--presentations 10000] [--spends 200] [--callers 1000] [--kills 200] [--minified]
 *
 * `--minified` runs the instances of deaths, skew, callers and kills from a bundle, as the program is published: there
 * the classes of libraries have other names.
 */
import { parseArgs } from 'node:util';
import { proveLimits } from '../chaos/limits.ts';
import { proveOneApproval } from '../chaos/one-approval.ts';
import { startCluster } from '../support/postgres.ts';
import { type Proved, tell, timed } from '../support/report.ts';
import { crossCallers } from './crossing.ts';
import { killDatabase } from './database-kills.ts';
import { dieInMidPayment } from './deaths.ts';
import { lateUnderSkew } from './skew.ts';
import { type Fleet, openFleetAlone } from './support/fleet.ts';
import { minifiedInstance } from './support/minified.ts';
import { tokenStorm } from './tokens.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    seed: { type: 'string', default: '1' },
    presentations: { type: 'string', default: '10000' },
    spends: { type: 'string', default: '200' },
    callers: { type: 'string', default: '1000' },
    kills: { type: 'string', default: '200' },
    minified: { type: 'boolean' },
  },
});
if (values.minified) process.env.FLEET_INSTANCE = await minifiedInstance();
const seed = Number(values.seed);

const PROOFS: Readonly<Record<string, () => Promise<Proved>>> = {
  tokens: () =>
    onFleet(async (fleet) => {
      const storm = await tokenStorm(fleet, 4, 1_000);
      const problems = storm.storm === 1 && storm.tokens === 1 ? [] : [`${storm.storm} token requests`];
      return { seen: `4 × 1000 calls: ${JSON.stringify(storm)}`, problems };
    }),
  once: () => onDatabase((env) => proveOneApproval({ runs: Number(values.presentations), seed }, env)),
  limits: () => onDatabase((env) => proveLimits({ runs: Number(values.spends), seed }, env)),
  deaths: () =>
    onFleet(async (fleet) => {
      const paid = await dieInMidPayment(fleet, { arrives: true, waits: true });
      const unpaid = await dieInMidPayment(fleet, { arrives: false, waits: true });
      const right = paid.row?.state === 'succeeded' && paid.paid === 1 && unpaid.row?.state === 'not_executed';
      const fine = right && unpaid.paid === 0 && paid.sent === 1 && unpaid.sent === 1;
      return { seen: JSON.stringify({ paid, unpaid }), problems: fine ? [] : ['not settled as it was'] };
    }),
  skew: () =>
    onFleet(async (fleet) => {
      const { rows, paid, codes } = await lateUnderSkew(fleet);
      const fine = paid === 2 && rows.length === 2 && rows.every(({ state }) => state === 'succeeded');
      const states = rows.map(({ state }) => state).join(', ');
      return { seen: `two late payments: ${codes.join(', ')}, then ${states}`, problems: fine ? [] : [states] };
    }),
  callers: () =>
    onFleet(async (fleet) => {
      const { callers, problems } = await crossCallers(fleet, Number(values.callers));
      return { seen: `${callers} callers on two instances`, problems };
    }),
  kills: () =>
    onFleet(async (fleet) => {
      const { problems, ...seen } = await killDatabase(fleet, Number(values.kills), seed);
      return { seen: JSON.stringify(seen), problems };
    }),
};

async function onFleet(prove: (fleet: Fleet) => Promise<Proved>): Promise<Proved> {
  const fleet = await openFleetAlone();
  try {
    return await prove(fleet);
  } finally {
    await fleet.close();
  }
}

async function onDatabase(prove: (env: Readonly<Record<string, string>>) => Promise<Proved>): Promise<Proved> {
  const cluster = await startCluster();
  try {
    return await prove({ FARECLERK_DATABASE_URL: await cluster.database('proof') });
  } finally {
    await cluster.close();
  }
}

const wanted = values.only?.split(',') ?? Object.keys(PROOFS);
for (const name of wanted) {
  const prove = PROOFS[name];
  if (prove === undefined) throw new RangeError(`--only takes ${Object.keys(PROOFS).join(', ')}`);
  tell(name, await timed(prove));
}
