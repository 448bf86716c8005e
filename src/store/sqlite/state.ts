/** The state port on one SQLite file, which several processes may share. */
import { resolve } from 'node:path';
import { Cleaning } from '../cleaning.ts';
import { StoredCustomers } from '../customers.ts';
import { digestKey, storeFirst } from '../database.ts';
import { StoredDetails } from '../details.ts';
import { Forgetting } from '../forgetting.ts';
import { type ChainOptions, openChain } from '../journal/journal-chain.ts';
import { openCounts } from '../open-counts.ts';
import { assertSameAirline } from '../opening.ts';
import { announce, type ProgramOptions, unlikeFirstServer } from '../programs.ts';
import { sharedStores } from '../shared-stores.ts';
import type { State } from '../state.ts';
import { NAME, type OpenOptions, openDatabase, removeCopies } from './database.ts';
import { SqliteChain, SqliteOperations } from './journal.ts';

interface SqliteOptions extends OpenOptions, ChainOptions, ProgramOptions {}

/**
 * Opens or makes the state file. Throws ClerkError E_CONFIG if it cannot be used, or is of another version or airline.
 * The order matters:
 *
 * 1. The airline is compared: nothing more is written into the state of another one.
 * 2. This program announces itself, so that no newer one takes the state over.
 * 3. The journal is opened. It finds out whether the state is an older copy.
 * 4. Cleaning starts.
 */
export async function openSqliteState(file: string, options: SqliteOptions = {}): Promise<State> {
  const { now = Date.now, airline, noticed } = options;
  const db = await openDatabase(file, options);
  db.waited = options.waited;

  let program: Awaited<ReturnType<typeof announce>> | undefined;
  try {
    if (airline !== undefined) assertSameAirline(NAME, await storeFirst(db, 'airline', airline), airline);
    if (!options.reads) program = await announce(db, NAME, options, now);

    const lasting = file === ':memory:' ? undefined : file;
    const secondRecords = lasting && options.secondRecords;
    const opening = { secondRecords, noticed, place: resolve(file), now };
    const chain = await openChain(db, opening, (dependencies) => new SqliteChain(db, lasting, dependencies));

    const key = await digestKey(db);
    const operations = new SqliteOperations(db, chain);
    const customers = new StoredCustomers(db, key, now);
    const forgetting = new Forgetting({ db, operations, customers }, () => {
      db.emptyLog();
      if (lasting !== undefined) removeCopies(lasting, 'all');
    });

    const cleaning = new Cleaning({ db, customers }, now, () => {
      if (lasting !== undefined) removeCopies(lasting, 'old');
    });
    const stop = await cleaning.start();

    return {
      ...sharedStores(db, customers, now),
      operations,
      chain,
      ends: chain.record.ends,
      forgetting,
      details: new StoredDetails(db, () => db.emptyLog()),
      digestKey: key,
      unlikeSettings: () => unlikeFirstServer(db, options, program?.name, now()),
      clean: () => cleaning.clean(),
      openCounts: (at, acts) => openCounts(db, at, acts),
      unwritable: () => chain.unwritable(() => db.assertWritable()),
      async close() {
        stop();
        await program?.leave();
        chain.close();
        db.close();
      },
    };
  } catch (error) {
    await program?.leave();
    db.close();
    throw error;
  }
}
