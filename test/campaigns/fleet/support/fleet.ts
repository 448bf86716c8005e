/**
 * A fleet: an airline, a wire to it that can be interfered with, a PostgreSQL, and processes that share it.
 */
import { rmSync } from 'node:fs';
import type { OperationState } from '../../../../src/journal/operation.ts';
import { isOpen } from '../../support/acts.ts';
import { type OpenAirline, openAirline } from '../../support/airline.ts';
import { newFolder } from '../../support/folders.ts';
import { type Instance, startInstances } from '../../support/instances.ts';
import { seenWithin } from '../../support/pace.ts';
import { type Cluster, startCluster } from '../../support/postgres.ts';
import { type Relay, startRelay } from '../../support/relay.ts';

/** An operation as the database has it. */
export interface Row {
  readonly id: string;
  readonly tool: string;
  readonly locator: string;
  readonly state: OperationState;
  readonly dispatched: boolean;
  readonly outcome: { readonly basis?: string } | null;
}

export interface Fleet extends OpenAirline {
  readonly cluster: Cluster;
  readonly relay: Relay;
  readonly database: string;
  /** Settings of an instance. */
  readonly env: Readonly<Record<string, string>>;
  /** Started together, on this fleet's database and airline. */
  start(count: number, env?: Readonly<Record<string, string>>): Promise<readonly Instance[]>;
  rows(): Promise<readonly Row[]>;
  /** The minute is over in which a silent process is believed alive. */
  lapse(): Promise<void>;
}

export async function openFleet(cluster: Cluster, database: string): Promise<Fleet> {
  const airline = await openAirline();
  const relay = await startRelay(airline.settings);
  const folder = newFolder('fleet');
  const env = {
    ...relay.settings,
    FARECLERK_DATABASE_URL: await cluster.database(database),
    FARECLERK_STATE_DIR: folder,
    FARECLERK_DIALOG_FLOOR_MS: '0',
    FARECLERK_SETTLE_SECONDS: '1',
  };
  const instances: Instance[] = [];
  return {
    ...airline,
    cluster,
    relay,
    database,
    env,
    async start(count, more = {}) {
      const fresh = await startInstances(count, { ...env, ...more });
      instances.push(...fresh);
      return fresh;
    },
    async rows() {
      const rows = await cluster.sql(database, `select * from fareclerk.operation order by place`);
      return rows.map((row) => ({
        id: String(row.id),
        tool: String(row.tool),
        locator: String(row.locator),
        state: row.state as OperationState,
        dispatched: row.dispatched_at !== null,
        outcome: row.outcome === null ? null : JSON.parse(String(row.outcome)),
      }));
    },
    lapse: () => cluster.lapse(database),
    async close() {
      await Promise.all(instances.map((instance) => instance.close()));
      await relay.close();
      await airline.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** With a PostgreSQL of its own. */
export async function openFleetAlone(): Promise<Fleet> {
  const cluster = await startCluster();
  try {
    const fleet = await openFleet(cluster, 'fleet');
    const close = async () => {
      await fleet.close();
      await cluster.close();
    };
    return { ...fleet, close };
  } catch (error) {
    await cluster.close();
    throw error;
  }
}

/** The operations that are meant, when none of them is open any more; as they are after that long. */
export function settled(fleet: Fleet, ms: number, isMeant: (row: Row) => boolean): Promise<readonly Row[]> {
  const rows = async () => (await fleet.rows()).filter(isMeant);
  return seenWithin(ms, 50, rows, (seen) => !seen.some(({ state }) => isOpen(state)));
}
