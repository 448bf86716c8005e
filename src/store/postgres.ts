/**
 * The state port on PostgreSQL, for several machines: one journal, one clock, one login at the airline.
 */
import { randomBytes } from 'node:crypto';
import { keepBlanking } from './names-kept.ts';
import { openCounts } from './postgres-activity.ts';
import { PostgresApprovals } from './postgres-approvals.ts';
import { PostgresClaims } from './postgres-claims.ts';
import { PostgresClock } from './postgres-clock.ts';
import { type PoolOptions, type PostgresDatabase, postgresAt } from './postgres-database.ts';
import { cannotOpen } from './postgres-errors.ts';
import { PostgresLedger } from './postgres-ledger.ts';
import { PostgresLogins } from './postgres-logins.ts';
import { prepare } from './postgres-migrate.ts';
import { PostgresOffers } from './postgres-offers.ts';
import { PostgresOperations, setClock } from './postgres-operations.ts';
import type { State } from './state.ts';

export interface PostgresOptions extends PoolOptions {
  /** Holds all tables: `fareclerk`. Lower case letters, digits, `_`. */
  readonly schema?: string;
  /** The airline and agency that the journal speaks of: a schema that another's is in is refused. */
  readonly airline?: string;
  /** Milliseconds since 1970, instead of the database's clock: all times given are believed. */
  readonly now?: () => number;
}

/** The clock is compared with the database's at least this often, milliseconds. */
const LOOK_MS = 30_000;

/**
 * Opens the state, and makes or updates its tables. Correct behind a transaction pooler (docs/postgres.md).
 * @throws ClerkError E_CONFIG where the database cannot be used, is from a newer version or is another airline's.
 */
export async function openPostgresState(url: string, options: PostgresOptions = {}): Promise<State> {
  const { schema = 'fareclerk', airline, now } = options;
  if (!/^[a-z_][a-z0-9_]{0,47}$/.test(schema)) throw new RangeError(`${schema} cannot be the name of a schema`);
  const db = postgresAt(url, schema, options);
  try {
    await prepare(db);
    if (airline !== undefined) await assertAirline(db, airline);
    const digestKey = await keptKey(db);
    const clock = now === undefined ? new PostgresClock() : undefined;
    if (clock !== undefined) await setClock(db, clock);
    const time = now ?? (() => clock?.now() ?? 0);
    const approvals = new PostgresApprovals(db, clock !== undefined);
    const stop = [await keepBlanking(approvals, time), clock && keepClock(db, clock)];
    return {
      operations: new PostgresOperations(db, clock),
      approvals,
      offers: new PostgresOffers(db, time),
      ledger: new PostgresLedger(db),
      claims: new PostgresClaims(db),
      logins: new PostgresLogins(db),
      digestKey,
      openCounts: (at) => openCounts(db.aside, at),
      ...(clock !== undefined && { clock }),
      async close() {
        for (const end of stop) end?.();
        await db.close();
      },
    };
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** A value that is kept from when it was first given. */
async function once(db: PostgresDatabase, key: string, value: string): Promise<string> {
  const { schema } = db;
  await db.run(`insert into ${schema}.meta(key, value) values ($1, $2) on conflict do nothing`, key, value);
  const row = await db.get(`select value from ${schema}.meta where key = $1`, key);
  return String(row?.value);
}

/** Made once, by whichever process comes first. */
async function keptKey(db: PostgresDatabase): Promise<Uint8Array> {
  const fresh = randomBytes(32).toString('base64');
  return new Uint8Array(Buffer.from(await once(db, 'digest_key', fresh), 'base64'));
}

/**
 * Operations are settled by reading bookings: at the wrong airline, or with another agency's login, every one of them
 * would look gone.
 */
async function assertAirline(db: PostgresDatabase, airline: string): Promise<void> {
  const there = await once(db, 'airline', airline);
  if (there === airline) return;
  throw cannotOpen(
    `holds the journal of another airline or agency (${there}, not ${airline}).`,
    'The operator names another database; if it is the same airline at a new address, docs/postgres.md says how to tell the database so.',
  );
}

function keepClock(db: PostgresDatabase, clock: PostgresClock): () => void {
  const timer = setInterval(() => void setClock(db, clock).catch(() => undefined), LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}
