/** Opens the journal as a whole, with the second records of this machine. */
import { type Database, once } from '../database.ts';
import { ofThisUser } from '../errors.ts';
import type { ChainOptions, ChainParts, JournalChain } from './journal-chain.ts';
import { JournalMarker } from './journal-marker.ts';
import { SecondRecords } from './second-records.ts';
import { canMake, Witness } from './witness.ts';

/**
 * Opens the journal and compares it with what was last seen.
 *
 * The table `meta` has the journal's id (`journal_id` → `6f1c…`), and so have the files `places`, outside the database. If a
 * file names another id, that journal was here and is lost: its operations may have been sent, so its witness is compared too.
 */
export async function openChain<C extends JournalChain<Database>>(
  db: Database,
  places: readonly string[],
  { witnesses, noticed }: ChainOptions,
  now: () => number,
  make: (parts: ChainParts) => C,
): Promise<C> {
  const inRecords = <T>(work: () => T): T => ofThisUser('The folder of second records', 'FARECLERK_WITNESS_DIR', work);
  inRecords(() => witnesses === undefined || canMake(witnesses));
  const marker = new JournalMarker(places);
  const id = await once(db, 'journal_id', marker.idOfFresh());
  const witnessOf = (journal: string) => inRecords(() => new Witness(witnesses, journal));
  const formers = marker.others(id).map(witnessOf);
  const witness = witnessOf(id);
  const records = witnesses === undefined ? undefined : new SecondRecords(db, witness, witnesses, id, now);
  const chain = make({ id, witness, records, marker, formers, now, noticed });
  try {
    await chain.status();
  } catch (error) {
    chain.close();
    throw error;
  }
  if (formers.length === 0 && db.earlier === undefined) marker.write(id);
  return chain;
}
