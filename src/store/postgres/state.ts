/** The state port on PostgreSQL, for several machines: one journal, one clock, one login at the airline. */

import { Cleaning } from '../cleaning.ts';
import { StoredCustomers } from '../customers.ts';
import { digestKey, storeFirst } from '../database.ts';
import { StoredDetails } from '../details.ts';
import { Forgetting } from '../forgetting.ts';
import { type ChainOptions, JournalChain, openChain } from '../journal/journal-chain.ts';
import { openCounts } from '../open-counts.ts';
import { assertSameAirline } from '../opening.ts';
import { announce, type ProgramOptions, unlikeFirstServer } from '../programs.ts';
import { sharedStores } from '../shared-stores.ts';
import type { State } from '../state.ts';
import { PostgresClock } from './clock.ts';
import { type PostgresDatabase, postgresAt } from './database.ts';
import { NAME } from './errors.ts';
import { PostgresOperations, setClock } from './journal.ts';
import type { PoolOptions } from './pool.ts';
import { type PrepareOptions, prepare } from './schema.ts';

export interface PostgresOptions extends PoolOptions, ChainOptions, PrepareOptions, ProgramOptions {
  /** Holds all tables: `fareclerk`. Lower case letters, digits, `_`. */
  readonly schema?: string;
}

/** The longest time between two comparisons of the clock with the database's, milliseconds. */
const LOOK_MS = 30_000;

/**
 * Opens the state, and makes its tables if there are none. Correct behind a transaction pooler
 * (docs/guides/postgres.md).
 * @throws ClerkError E_CONFIG if the database cannot be used, or is of another version or airline.
 */
export async function openPostgresState(url: string, options: PostgresOptions = {}): Promise<State> {
  const { schema = 'fareclerk', airline, now, secondRecords } = options;
  if (!/^[a-z_][a-z0-9_]{0,47}$/.test(schema)) throw new RangeError(`${schema} cannot be the name of a schema`);

  const db = postgresAt(url, schema, { ...options, checksTimes: now === undefined });

  let program: Awaited<ReturnType<typeof announce>> | undefined;
  try {
    await prepare(db, options);
    if (airline !== undefined) assertSameAirline(NAME, await storeFirst(db, 'airline', airline), airline);

    const clock = now === undefined ? new PostgresClock() : undefined;
    if (clock !== undefined) await setClock(db, clock);
    const time = now ?? (() => clock?.now() ?? 0);

    if (!options.reads) program = await announce(db, NAME, options, time);
    const opening = { secondRecords, noticed: options.noticed, place: journalPlace(url, schema), now: time };
    const chain = await openChain(db, opening, (dependencies) => new JournalChain(db, dependencies));

    const key = await digestKey(db);
    const operations = new PostgresOperations(db, clock, chain, options.waited);
    const customers = new StoredCustomers(db, key, time);
    const forgetting = new Forgetting({ db, operations, customers });
    const cleaning = new Cleaning({ db, customers }, time);
    const stopTimers = [await cleaning.start(), clock && keepClock(db, clock)];

    return {
      ...sharedStores(db, customers, time),
      operations,
      chain,
      ends: chain.record.ends,
      forgetting,
      details: new StoredDetails(db),
      digestKey: key,
      unlikeSettings: () => unlikeFirstServer(db, options, program?.name, time()),
      clean: () => cleaning.clean(),
      openCounts: (at, acts) => openCounts(db.withConnectionsFor('counts'), at, acts),
      pools: () => db.pools(),
      unwritable: () => chain.unwritable(() => db.withConnectionsFor('counts').assertWritable()),
      clock,
      async close() {
        for (const stop of stopTimers) stop?.();
        await program?.leave();
        chain.close();
        await db.close();
      },
    };
  } catch (error) {
    await program?.leave();
    await db.close();
    throw error;
  }
}

/** The address of the database without user, password and options. */
function journalPlace(url: string, schema: string): string {
  const [place = ''] = url.replace(/^[a-z]+:\/\/(?:[^@/?]*@)?/, '').split('?', 1);
  return `${place} ${schema}`;
}

function keepClock(db: PostgresDatabase, clock: PostgresClock): () => void {
  const timer = setInterval(() => void setClock(db, clock).catch(() => undefined), LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}
