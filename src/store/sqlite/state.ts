/**
 * The state port on one SQLite file, which several processes may share.
 */
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import type { Hold } from '../../journal/ports.ts';
import { JournalMarker, markerFor } from '../journal-marker.ts';
import { keepBlanking } from '../name-retention.ts';
import type { State } from '../state.ts';
import { Witness } from '../witness.ts';
import { LightWrites } from '../write-behind.ts';
import { openCounts } from './activity.ts';
import { assertAirline } from './airline.ts';
import { SqliteApprovals } from './approvals.ts';
import { SqliteChain } from './chain.ts';
import { SqliteClaims } from './claims.ts';
import { type OpenOptions, openDatabase, type SqliteDatabase } from './database.ts';
import { SqliteLedger } from './ledger.ts';
import { SqliteOffers } from './offers.ts';
import { SqliteOperations } from './operations.ts';

export interface SqliteOptions extends OpenOptions {
  /** The airline and agency that the journal speaks of: a file that another's is in is refused. */
  readonly airline?: string;
  /** Milliseconds since 1970, for the age of offers and approvals. */
  readonly now?: () => number;
  /** Where a second record of each act is kept: not beside the file. Absent: in memory alone. */
  readonly witnesses?: string;
  /** Told when the journal was found to have gone backwards. */
  readonly noticed?: (hold: Hold) => void;
  /** Told when offers or the ledger could not be written: reads go on without. */
  readonly unwritten?: (error: unknown) => void;
}

/** Opens or makes the state file. Throws ClerkError E_CONFIG where it cannot be used, is newer or is another airline's. */
export async function openSqliteState(file: string, options: SqliteOptions = {}): Promise<State> {
  const db = await openDatabase(file, options);
  const { now = Date.now } = options;
  let chain: SqliteChain;
  try {
    if (options.airline !== undefined) assertAirline(db, file, options.airline);
    chain = await openChain(db, file, options, now);
  } catch (error) {
    db.close();
    throw error;
  }
  const light = new LightWrites(db, options.unwritten);
  const approvals = new SqliteApprovals(db);
  const key = digestKey(db);
  const stop = await keepBlanking(approvals, now);
  return {
    operations: new SqliteOperations(db, chain),
    chain,
    approvals,
    offers: new SqliteOffers(db, light, now),
    ledger: new SqliteLedger(db, light),
    claims: new SqliteClaims(db),
    digestKey: key,
    openCounts: async (at) => openCounts(db, at),
    async close() {
      stop();
      light.close();
      chain.close();
      db.close();
    },
  };
}

/** A journal that stood here before, and is not this one, is lost: what was seen of it counts. */
async function openChain(
  db: SqliteDatabase,
  file: string,
  { witnesses, noticed }: SqliteOptions,
  now: () => number,
): Promise<SqliteChain> {
  const lasting = file === ':memory:' ? undefined : witnesses;
  const place = lasting === undefined ? [] : [`${file}.id`, markerFor(lasting, resolve(file))];
  const marker = new JournalMarker(place);
  const id = journalId(db, marker);
  const formers = marker.others(id).map((other) => new Witness(lasting, other));
  const chain = new SqliteChain({
    db,
    id,
    marker,
    formers,
    now,
    witness: new Witness(lasting, id),
    ...(file !== ':memory:' && { file }),
    ...(noticed && { noticed }),
  });
  try {
    await chain.look();
  } catch (error) {
    chain.close();
    throw error;
  }
  if (formers.length === 0) marker.write(id);
  return chain;
}

/** Named once, by whichever process comes first. */
function journalId(db: SqliteDatabase, marker: JournalMarker): string {
  const find = () => db.get("select value from meta where key = 'journal_id'")?.value;
  if (find() === undefined) {
    db.run("insert into meta(key, value) values('journal_id', ?) on conflict do nothing", marker.idOfFresh());
  }
  return String(find());
}

/** Made once, by whichever process comes first. */
function digestKey(db: SqliteDatabase): Uint8Array {
  const find = () => db.get("select value from meta where key = 'digest_key'")?.value;
  if (find() === undefined) {
    const fresh = randomBytes(32).toString('base64');
    db.run("insert into meta(key, value) values('digest_key', ?) on conflict do nothing", fresh);
  }
  return new Uint8Array(Buffer.from(String(find()), 'base64'));
}
