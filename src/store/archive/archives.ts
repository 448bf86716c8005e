/**
 * What the journal knows of its archives: a row for each, and a note in the chain. The chain of the journal begins after the
 * last archived link. What stays of the events before it belongs to operations that are still needed, and to the journal
 * as a whole; the note has a digest of these.
 */
import { createHash, type Hash } from 'node:crypto';
import type { OperationState } from '../../journal/operation.ts';
import type { Link } from '../../journal/ports.ts';
import { type ChainedEvent, eventValues, NO_LINK_YET } from '../chain.ts';
import { type Database, stateIn } from '../database.ts';

/** The note of an archive in the chain. */
export interface ArchiveNote {
  /** The file has the events after `from`, up to `to`. */
  readonly from: Link;
  readonly to: Link;
  /** Every event up to `to` is older, milliseconds since 1970. */
  readonly before: number;
  /** Creations since then stay in the journal until their trip is over, milliseconds since 1970. */
  readonly creationsSince: number;
  /** Operations that the journal no longer has. */
  readonly operations: number;
  readonly kept: Kept;
  readonly file: { readonly name: string; readonly sha256: string };
}

/** The events up to `to` that stay. */
export interface Kept {
  readonly events: number;
  readonly digest: string;
}

const CLOSED: readonly OperationState[] = ['succeeded', 'refused', 'not_executed', 'resolved'];

/**
 * The condition of operations `o` that leave with an archive: the same now and later. The release of a booking stays as long
 * as its creation, which would otherwise seem to be held.
 */
export function leaves(
  { dialect }: Database,
  { to, before, creationsSince }: Pick<ArchiveNote, 'to' | 'before' | 'creationsSince'>,
): string {
  const moved = (id: string) =>
    `exists (select 1 from ${dialect.prefix}event l where l.operation_id = ${id} and l.n > ${to.n})`;
  const until = (subject: string) => dialect.text(subject, ['until']);
  const day = `'${new Date(before).toISOString()}'`;
  const creation = `select 1 from ${dialect.prefix}operation c where c.tenant = o.tenant and c.locator = o.locator
    and c.fingerprint is not null and c.${stateIn(CLOSED)} and c.created_at >= ${creationsSince}
    and (${until('c.subject')} is null or ${until('c.subject')} >= ${day}) and not ${moved('c.id')}`;
  return `o.${stateIn(CLOSED)} and not ${moved('o.id')}
    and (o.fingerprint is null or o.created_at < ${creationsSince} or ${until('o.subject')} < ${day})
    and (o.tool <> 'cancel_booking' or not exists (${creation}))`;
}

/** SQL: events after `seen` of operations that had been closed, and have events up to `to`. */
export function movedAgain(s: string, to: string, seen: string): string {
  const closed = CLOSED.map((state) => `'${state}'`).join();
  return `select 1 from ${s}event e where e.n > ${seen} and e.from_state in (${closed})
    and exists (select 1 from ${s}event f where f.operation_id = e.operation_id and f.n <= ${to})`;
}

/** The last archive; undefined if there is none. */
export async function lastArchive(db: Database): Promise<ArchiveNote | undefined> {
  const row = await db.get(`select body from ${db.dialect.prefix}archive order by n desc limit 1`);
  return row && (JSON.parse(String(row.body)) as ArchiveNote);
}

/** The link after which the journal's chain begins. */
export async function baseOf(db: Database): Promise<Link> {
  return (await lastArchive(db))?.to ?? NO_LINK_YET;
}

/** The digest of events that stay, in the order of the chain. */
export class KeptDigest {
  readonly #hash: Hash = createHash('sha256');
  events = 0;

  add(event: ChainedEvent, hash: string): void {
    this.#hash.update(`${JSON.stringify([...eventValues(event), hash])}\n`);
    this.events += 1;
  }

  get kept(): Kept {
    return { events: this.events, digest: this.#hash.copy().digest('hex') };
  }
}
