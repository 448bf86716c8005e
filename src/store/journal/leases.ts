/**
 * Takes, checks and ends leases, the same for both databases: leases of operations, which only the process with the
 * lease may settle, and leases of work that one process at a time does.
 *
 * A lease does not allow sending: whether a process may still send is checked where its operation moves to `dispatched`
 * (postgres/functions.ts, `move_operation`; sqlite/journal.ts, `maySend`).
 */
import { FAR_MS } from '../../journal/operation.ts';
import type { Leases, ReadingNote } from '../../journal/ports.ts';
import { ACTIVE, type Database } from '../database.ts';

/**
 * Takes or renews the lease on an active operation, if it has ended or is this owner's, or if the clock was set back
 * after it was taken. Returns false if another process has it, or if this process's clock is ahead of the database's
 * (`isNotAhead`).
 */
export async function takeOperationLease(
  db: Database,
  id: string,
  owner: string,
  until: number,
  now: number,
): Promise<boolean> {
  const sql = `update ${db.dialect.prefix}operation set owner = ?, lease_until = ? where id = ? and ${ACTIVE}
      and (lease_until <= ? or lease_until > ? or owner = ?) and ${db.dialect.isNotAhead(now)}`;
  return (await db.run(sql, owner, until, id, now, now + FAR_MS, owner)) === 1;
}

/** Stores what a reading showed and ends the lease with it. Returns false if this owner no longer has the lease. */
export async function endLeaseWithReading(
  db: Database,
  id: string,
  owner: string,
  { negatives, lastReadAt, failingSince }: ReadingNote,
): Promise<boolean> {
  const sql = `update ${db.dialect.prefix}operation set negatives = ?, last_read_at = ?, failing_since = ?, lease_until = ?
      where id = ? and owner = ? and state = 'in_doubt' and ${db.dialect.isNotAhead(lastReadAt)}`;
  return (await db.run(sql, negatives, lastReadAt, failingSince ?? null, lastReadAt, id, owner)) === 1;
}

/** Leases on work, by its name. */
export class StoredLeases implements Leases {
  readonly #db: Database;
  readonly #table: string;

  constructor(db: Database) {
    this.#db = db.beforehand;
    this.#table = `${db.dialect.prefix}lease`;
  }

  async take(name: string, owner: string, until: number, now: number): Promise<boolean> {
    const sql = `insert into ${this.#table} as held(name, owner, lease_until) values (?, ?, ?) on conflict (name) do update
      set owner = excluded.owner, lease_until = excluded.lease_until where held.owner = excluded.owner or held.lease_until <= ?`;
    return (await this.#db.run(sql, name, owner, until, now)) === 1;
  }

  async end(name: string, owner: string): Promise<void> {
    await this.#db.run(`delete from ${this.#table} where name = ? and owner = ?`, name, owner);
  }
}
