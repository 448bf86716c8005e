/**
 * The state port on PostgreSQL, for several machines: one journal, one clock, one login at the airline.
 */
import { randomBytes } from 'node:crypto';
import type { Hold } from '../../journal/ports.ts';
import { JournalMarker, markerFor } from '../journal-marker.ts';
import { keepBlanking } from '../name-retention.ts';
import type { State } from '../state.ts';
import { Witness } from '../witness.ts';
import { openCounts } from './activity.ts';
import { PostgresApprovals } from './approvals.ts';
import { PostgresChain } from './chain.ts';
import { PostgresClaims } from './claims.ts';
import { PostgresClock } from './clock.ts';
import { type PoolOptions, type PostgresDatabase, postgresAt } from './database.ts';
import { cannotOpen } from './errors.ts';
import { PostgresLedger } from './ledger.ts';
import { PostgresLogins } from './logins.ts';
import { prepare } from './migrate.ts';
import { PostgresOffers } from './offers.ts';
import { PostgresOperations, setClock } from './operations.ts';

export interface PostgresOptions extends PoolOptions {
  /** Holds all tables: `fareclerk`. Lower case letters, digits, `_`. */
  readonly schema?: string;
  /** The airline and agency that the journal speaks of: a schema that another's is in is refused. */
  readonly airline?: string;
  /** A folder of this machine where a second record of each act is kept. Absent: in memory alone. */
  readonly witnesses?: string;
  /** Told when the journal was found to have gone backwards. */
  readonly noticed?: (hold: Hold) => void;
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
    const chain = await openChain(db, url, options, time);
    const approvals = new PostgresApprovals(db, clock !== undefined);
    const stop = [await keepBlanking(approvals, time), clock && keepClock(db, clock)];
    return {
      operations: new PostgresOperations(db, clock, chain),
      chain,
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
        chain.close();
        await db.close();
      },
    };
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** A journal that stood in this place before, and is not this one, is lost: what was seen of it counts. */
async function openChain(
  db: PostgresDatabase,
  url: string,
  { witnesses, noticed }: PostgresOptions,
  now: () => number,
): Promise<PostgresChain> {
  const marker = new JournalMarker(witnesses === undefined ? [] : [markerFor(witnesses, placeOf(url, db.schema))]);
  const id = await once(db, 'journal_id', marker.idOfFresh());
  const formers = marker.others(id).map((other) => new Witness(witnesses, other));
  const witness = new Witness(witnesses, id);
  const chain = new PostgresChain({ db, id, marker, formers, now, witness, ...(noticed && { noticed }) });
  try {
    await chain.standing();
  } catch (error) {
    chain.close();
    throw error;
  }
  if (formers.length === 0) marker.write(id);
  return chain;
}

/** Whoever signs in there, and however: the same database. */
function placeOf(url: string, schema: string): string {
  return `${url.replace(/^[a-z]+:\/\/(?:[^@/?]*@)?/, '').replace(/\?.*$/, '')} ${schema}`;
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
