/** A fleet: an airline, a wire to it that can be interfered with, a PostgreSQL, and processes that share it. */
import { isOpen } from '../../support/acts.ts';
import { openAirline } from '../../support/airline.ts';
import { newFolder } from '../../support/folders.ts';
import { type Instance, startInstances } from '../../support/instances.ts';
import { seenWithin } from '../../support/pace.ts';
import type { Cluster } from '../../support/postgres.ts';
import { startRelay } from '../../support/relay.ts';

export type Fleet = Awaited<ReturnType<typeof openFleet>>;
export type Row = Awaited<ReturnType<Fleet['rows']>>[number];

export async function openFleet(cluster: Cluster, database = 'fleet') {
  const airline = await openAirline();
  const relay = await startRelay(airline.settings);
  const env: Readonly<Record<string, string>> = {
    ...relay.settings,
    FARECLERK_DATABASE_URL: await cluster.database(database),
    FARECLERK_STATE_DIR: newFolder('fleet'),
    ...{ TEST_DIALOG_FLOOR_MS: '0', TEST_SETTLE_SECONDS: '1' },
  };
  const instances: Instance[] = [];
  const rows = async () => {
    const all = await cluster.sql(database, 'select * from fareclerk.operation order by place');
    return all.map((row) => ({
      ...{ id: String(row.id), locator: String(row.locator), state: String(row.state) },
      dispatched: row.dispatched_at !== null,
      basis: row.outcome === null ? undefined : (JSON.parse(String(row.outcome)).basis as string | undefined),
    }));
  };
  return {
    ...airline,
    ...{ cluster, relay, database, env, rows },
    /** Started together, on this fleet's database and airline. */
    async start(count: number, more: Readonly<Record<string, string>> = {}) {
      const fresh = await startInstances(count, { ...env, ...more });
      instances.push(...fresh);
      return fresh as readonly [Instance, Instance];
    },
    /** The operations that are meant, when none of them is open any more; as they are after that long. */
    settled(ms: number, isMeant: (row: { locator: string }) => boolean = () => true) {
      const meant = async () => (await rows()).filter(isMeant);
      return seenWithin(ms, 50, meant, (seen) => !seen.some(({ state }) => isOpen(state)));
    },
    /** The minute is over in which a silent process is believed alive. */
    lapse: () => cluster.lapse(database),
    async close() {
      await Promise.all(instances.map((instance) => instance.close()));
      await relay.close();
      await airline.close();
    },
  };
}
