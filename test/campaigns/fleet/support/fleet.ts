/**
 * A fleet: an airline, a wire to it that can be interfered with, a PostgreSQL, and processes that share it.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OperationState } from '../../../../src/journal/operation.ts';
import { isOpen, payArgs } from '../../support/acts.ts';
import { type OpenAirline, openAirline } from '../../support/airline.ts';
import { seenWithin } from '../../support/pace.ts';
import { type Relay, startRelay } from '../../support/relay.ts';
import type { Stock } from '../../support/stock.ts';
import { startChild } from './child.ts';
import { type Cluster, startCluster } from './cluster.ts';
import type { Call, Came, Order } from './fleet-process.ts';

/** FLEET_INSTANCE: the same, bundled. */
const instance = () => process.env.FLEET_INSTANCE ?? fileURLToPath(new URL('./fleet-process.ts', import.meta.url));

export interface Instance {
  call(call: Call): Promise<Came>;
  /** In order; `width` at once. Rejects when the process dies. */
  calls(calls: readonly Call[], width?: number): Promise<readonly Came[]>;
  /** kill -9 */
  kill(): Promise<void>;
  close(): Promise<void>;
}

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
  const folder = mkdtempSync(join(tmpdir(), 'clerk-fleet-'));
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
      const fresh = await Promise.all(Array.from({ length: count }, () => startInstance({ ...env, ...more })));
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
    async lapse() {
      const now = 'floor(extract(epoch from clock_timestamp()) * 1000)::bigint';
      await cluster.sql(database, `update fareclerk.operation set lease_until = ${now} where lease_until > ${now}`);
    },
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

async function startInstance(env: Readonly<Record<string, string>>): Promise<Instance> {
  const child = await startChild<Order, readonly Came[]>(instance(), env);
  const calls: Instance['calls'] = (all, width = all.length) => child.tell({ calls: all, width });
  return {
    ...child,
    calls,
    async call(one) {
      const [came] = await calls([one]);
      if (came === undefined) throw new Error('no answer');
      return came;
    },
  };
}

/** The operations that are meant, when none of them is open any more; as they are after that long. */
export function settled(fleet: Fleet, ms: number, isMeant: (row: Row) => boolean): Promise<readonly Row[]> {
  const rows = async () => (await fleet.rows()).filter(isMeant);
  return seenWithin(ms, 50, rows, (seen) => !seen.some(({ state }) => isOpen(state)));
}

/** Asks all the questions of one instance; the same calls again, with the yes, are for whomever. */
export async function questionsOf(instance: Instance, calls: readonly Call[]): Promise<readonly Call[]> {
  const asked = await instance.calls(calls);
  return calls.map((call, i) => {
    const { question, code, text } = asked[i] ?? {};
    if (question === undefined) throw new Error(`${call.tool} did not ask: ${code} ${text}`);
    const { handle, raw } = question;
    return { ...call, yes: { handle, raw } };
  });
}

/** Holds to pay for, and the calls that pay. */
export async function paymentsOf(stock: Stock, count: number): Promise<readonly (Call & { locator: string })[]> {
  const payments: (Call & { locator: string })[] = [];
  for (let i = 0; i < count; i++) {
    const { locator } = await stock.held();
    payments.push({ tool: 'pay_booking', args: payArgs(locator), locator });
  }
  return payments;
}
