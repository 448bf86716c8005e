/**
 * The state port on one SQLite file, which several processes may share.
 */
import { randomBytes } from 'node:crypto';
import { LightWrites } from './light-writes.ts';
import { keepBlanking } from './names-kept.ts';
import { openCounts } from './sqlite-activity.ts';
import { assertAirline } from './sqlite-airline.ts';
import { SqliteApprovals } from './sqlite-approvals.ts';
import { SqliteClaims } from './sqlite-claims.ts';
import { type OpenOptions, openDatabase, type SqliteDatabase } from './sqlite-database.ts';
import { SqliteLedger } from './sqlite-ledger.ts';
import { SqliteOffers } from './sqlite-offers.ts';
import { SqliteOperations } from './sqlite-operations.ts';
import type { State } from './state.ts';

export interface SqliteOptions extends OpenOptions {
  /** The airline and agency that the journal speaks of: a file that another's is in is refused. */
  readonly airline?: string;
  /** Milliseconds since 1970, for the age of offers and approvals. */
  readonly now?: () => number;
  /** Told when offers or the ledger could not be written: reads go on without. */
  readonly unwritten?: (error: unknown) => void;
}

/** Opens or makes the state file. Throws ClerkError E_CONFIG where it cannot be used, is newer or is another airline's. */
export async function openSqliteState(file: string, options: SqliteOptions = {}): Promise<State> {
  const db = await openDatabase(file, options);
  try {
    if (options.airline !== undefined) assertAirline(db, file, options.airline);
  } catch (error) {
    db.close();
    throw error;
  }
  const { now = Date.now } = options;
  const light = new LightWrites(db, options.unwritten);
  const approvals = new SqliteApprovals(db);
  const key = digestKey(db);
  const stop = await keepBlanking(approvals, now);
  return {
    operations: new SqliteOperations(db),
    approvals,
    offers: new SqliteOffers(db, light, now),
    ledger: new SqliteLedger(db, light),
    claims: new SqliteClaims(db),
    digestKey: key,
    openCounts: async (at) => openCounts(db, at),
    async close() {
      stop();
      light.close();
      db.close();
    },
  };
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
