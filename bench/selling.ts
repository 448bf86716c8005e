/**
 * What instances of a team sell beside one, at an airline that takes two seconds for each answer: search, hold, question, yes
 * and a reading, again and again, by callers who sign in. All on this machine, so that its processors are the limit in the end.
 */
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startIssuer } from '../test/auth/callers/issuer.ts';
import { putToWork } from '../test/campaigns/support/clerks-at-work.ts';
import { startCluster } from '../test/campaigns/support/postgres.ts';
import { startRelay } from '../test/campaigns/support/relay.ts';
import { ended, sandboxProcess, startMember, tokenFor } from '../test/campaigns/support/stage.ts';
import { pairOf } from '../test/campaigns/support/trip.ts';
import { type McpCaller, mcpCaller } from '../test/support/mcp-http.ts';
import { type Measure, ratio } from './measure.ts';

const AIRLINE_MS = 2_000;
const PUBLIC_URL = 'https://clerk.example';
const CALLERS = 150;
const INSTANCES = 3;

export const selling: Measure = {
  name: 'selling',
  about: `${CALLERS} callers at ${INSTANCES} instances with a PostgreSQL, beside one instance; the airline answers after ${AIRLINE_MS} ms`,
  why: 'A desk that grows adds an instance, and must sell more with it.',
  async run({ folder, short }) {
    const cluster = await startCluster();
    const sandbox = await sandboxProcess(join(folder('airline'), 'airline.sqlite'));
    const relay = await startRelay(sandbox.settings);
    relay.interfere(async () => {
      await wait(AIRLINE_MS);
      return false;
    });
    const issuer = await startIssuer();
    const settings = { ...relay.settings, FARECLERK_PUBLIC_URL: PUBLIC_URL, FARECLERK_ISSUER: issuer.issuer };
    const tokens = await Promise.all(
      Array.from({ length: CALLERS }, (_, n) => tokenFor(issuer, PUBLIC_URL, `caller-${n}`)),
    );
    /** Sales in a second. */
    const soldBy = async (count: number): Promise<number> => {
      const url = await cluster.database(`selling_${count}`);
      const members = await Promise.all(
        Array.from({ length: count }, () => startMember({ ...settings, FARECLERK_DATABASE_URL: url })),
      );
      const callers = tokens.map((token, n) => mcpCaller(`http://127.0.0.1:${members[n % count]?.port}/mcp`, token));
      const work = putToWork(callers, await pairOf(callers[0] as McpCaller));
      const sold = () => work.sales.filter(({ told }) => told).length;
      await wait(short ? 16_000 : 20_000);
      const [before, began] = [sold(), performance.now()];
      await wait(short ? 16_000 : 30_000);
      const rate = (1000 * (sold() - before)) / (performance.now() - began);
      await work.end();
      for (const caller of callers) caller.close();
      await Promise.all(members.map(({ process }) => ended(process)));
      return rate;
    };
    const [one, all] = [await soldBy(1), await soldBy(INSTANCES)];
    await relay.close();
    await Promise.all([issuer.close(), sandbox.close()]);
    await cluster.close();
    return [{ ...ratio(`sales of ${INSTANCES} instances, of those of one`, [all, one], 'a second'), atLeast: 1.8 }];
  },
};
