/** Opens the journal as a whole, with the second records of this machine. */
import { type Database, once } from './database.ts';
import type { ChainOptions, ChainParts, JournalChain } from './journal-chain.ts';
import { JournalMarker } from './journal-marker.ts';
import { SecondRecords } from './second-records.ts';
import { Witness } from './witness.ts';

/**
 * Opens the journal and compares it with what was last seen. A journal that was in this place before, and is not this one,
 * is lost: what was seen of it counts.
 *
 * `places`: files that name the journal of this place.
 */
export async function openChain<C extends JournalChain<Database>>(
  db: Database,
  places: readonly string[],
  { witnesses, noticed }: ChainOptions,
  now: () => number,
  make: (parts: ChainParts) => C,
): Promise<C> {
  const marker = new JournalMarker(places);
  const id = await once(db, 'journal_id', marker.idOfFresh());
  const formers = marker.others(id).map((other) => new Witness(witnesses, other));
  const witness = new Witness(witnesses, id);
  const records = witnesses === undefined ? undefined : new SecondRecords(db, witness, witnesses, id, now);
  const chain = make({ id, witness, records, marker, formers, now, noticed });
  try {
    await chain.status();
  } catch (error) {
    chain.close();
    throw error;
  }
  if (formers.length === 0) marker.write(id);
  return chain;
}
