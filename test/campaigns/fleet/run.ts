/**
 * The proofs of a fleet, each on a PostgreSQL of its own:
 *
 *   node test/campaigns/fleet/run.ts [--only tokens,once,limits,deaths,skew,callers,kills,away,pauses,
 *     full,unrecorded,first] [--seed S]
 *     [--presentations 10000] [--spends 200] [--callers 1000] [--kills 200] [--pauses 12] [--waits] [--minified]
 *
 * `--waits` waits the minute in which a silent process is believed alive, instead of having it over. `--minified` runs the
 * instances from a bundle, as the program is published: there the classes of libraries have other names.
 */
import { proveOneApproval } from '../chaos/one-approval.ts';
import { type Cluster, startCluster } from '../support/postgres.ts';
import { flags, type Proved, tell, treeSeed } from '../support/report.ts';
import { crossCallers } from './crossing.ts';
import { killDatabase } from './database-kills.ts';
import { startFirst } from './first-start.ts';
import { proveLimits } from './limits.ts';
import { keepPauses } from './pauses.ts';
import { type Fleet, openFleet } from './support/fleet.ts';
import { minifiedInstance } from './support/minified.ts';
import { tokenStorm } from './tokens.ts';
import {
  answeredWithoutDatabase,
  dieInMidPayment,
  lateUnderSkew,
  withFullDatabase,
  withoutDatabase,
} from './trouble.ts';

const { only, seed, presentations, spends, callers, kills, pauses, waits, minified } = flags({
  ...{ only: '', seed: treeSeed, presentations: 10_000, spends: 200, callers: 1_000, kills: 200 },
  ...{ pauses: 12, waits: false, minified: false },
});
if (minified) process.env.FLEET_INSTANCE = await minifiedInstance();

const env = async (cluster: Cluster) => ({ FARECLERK_DATABASE_URL: await cluster.database('proof') });
const PROOFS: Readonly<Record<string, (cluster: Cluster) => Promise<Proved>>> = {
  tokens: onFleet(tokenStorm),
  once: async (cluster) => proveOneApproval({ runs: presentations, seed }, await env(cluster)),
  limits: async (cluster) => {
    const shared = await proveLimits({ runs: spends, seed }, await env(cluster));
    const inFolder = await proveLimits({ runs: spends, seed });
    return {
      seen: `${shared.seen}; in a folder: ${inFolder.seen}`,
      problems: [...shared.problems, ...inFolder.problems],
    };
  },
  deaths: onFleet(async (fleet) => {
    const [paid, unpaid] = [await dieInMidPayment(fleet, true, waits), await dieInMidPayment(fleet, false, waits)];
    return { seen: `${paid.seen}, ${unpaid.seen}`, problems: [...paid.problems, ...unpaid.problems] };
  }),
  skew: onFleet(lateUnderSkew),
  callers: onFleet((fleet) => crossCallers(fleet, callers)),
  kills: onFleet((fleet) => killDatabase(fleet, kills, seed)),
  away: onFleet(withoutDatabase),
  pauses: onFleet((fleet) => keepPauses(fleet, pauses, seed)),
  full: onFleet(withFullDatabase),
  unrecorded: onFleet(answeredWithoutDatabase),
  first: startFirst,
};

function onFleet(prove: (fleet: Fleet) => Promise<Proved>) {
  return async (cluster: Cluster) => {
    const fleet = await openFleet(cluster);
    try {
      return await prove(fleet);
    } finally {
      await fleet.close();
    }
  };
}

for (const name of only === '' ? Object.keys(PROOFS) : only.split(',')) {
  const prove = PROOFS[name];
  if (prove === undefined) throw new RangeError(`--only takes ${Object.keys(PROOFS).join(', ')}`);
  const cluster = await startCluster();
  await tell(name, () => prove(cluster)).finally(() => cluster.close());
}
