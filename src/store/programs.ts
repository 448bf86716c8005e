/**
 * Leases of work that one process at a time does ({@link StoredLeases}). Each program that works with a state has one
 * too, so that a newer program takes the state over only when all earlier ones have ended.
 */
import { randomUUID } from 'node:crypto';
import { ClerkError } from '../core/errors.ts';
import { MINUTE_MS, SECOND_MS } from '../core/times.ts';
import { counted } from '../core/words.ts';
import type { Leases } from '../journal/ports.ts';
import type { Database } from './database.ts';
import { checkVersion, StateRefusal, type StoreName } from './opening.ts';
import { SCHEMA_VERSION } from './tables.ts';

/**
 * Prefix of the leases of programs. The owner of such a lease is the version of the tables that the program knows. A
 * program that slept while a newer one took the state over must no longer send.
 */
const PROGRAM = 'program ';
/** How long a program that was killed still counts, milliseconds. */
const COUNTS_MS = MINUTE_MS;
/** How often a program renews its lease, milliseconds. */
const RENEW_MS = 20 * SECOND_MS;

/** A state of an earlier version that is only read. */
export interface Earlier {
  /** Version of its tables. */
  readonly version: number;
  /** Why it cannot be taken over now. */
  readonly inUse: ClerkError | undefined;
}

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

/**
 * Takes a lease that shows that this program works with the state. Returns a function that ends it.
 * @throws ClerkError E_CONFIG if a newer program has taken the state over meanwhile
 */
export async function announce(db: Database, store: StoreName, now: () => number): Promise<() => Promise<void>> {
  const leases = new StoredLeases(db);
  const name = `${PROGRAM}${randomUUID()}`;
  const version = String(SCHEMA_VERSION);
  const renew = () => leases.take(name, version, now() + COUNTS_MS, now());
  // A failure does no harm: on a full disk the state can be read, and nothing can be sent.
  await renew().catch(() => undefined);
  const timer = setInterval(() => void renew().catch(() => undefined), RENEW_MS);
  timer.unref();
  const leave = async () => {
    clearInterval(timer);
    await leases.end(name, version).catch(() => undefined);
  };
  try {
    // A newer program may have counted programs just before this one took its lease.
    const row = await db.get(`select value from ${db.dialect.prefix}meta where key = 'schema_version'`);
    checkVersion(store, row?.value);
  } catch (error) {
    await leave();
    throw error;
  }
  return leave;
}

/**
 * SQL: the number of programs of an earlier version that work with the state.
 * @param prefix precedes the name of a table
 * @param now SQL expression
 */
export function earlierPrograms(prefix: string, now: string): string {
  return `(select count(*) from ${prefix}lease where name like '${PROGRAM}%' and owner <> '${SCHEMA_VERSION}' and lease_until > ${now})`;
}

/** The error of a take-over while earlier programs use the state. Undefined if there are none. */
function whyInUse({ what }: StoreName, earlier: number): ClerkError | undefined {
  if (earlier === 0) return undefined;
  return new StateRefusal(
    what,
    `is still in use by ${counted(earlier, 'program')} of an earlier fareclerk.`,
    'The operator stops every one of them (a host starts its own), then starts this one again, or runs this command with their version. A program that was killed counts for a minute.',
    { reason: 'in_use' },
  );
}

/** @throws ClerkError E_CONFIG */
export function assertAlone(store: StoreName, earlier: number): void {
  const refusal = whyInUse(store, earlier);
  if (refusal !== undefined) throw refusal;
}

/** Describes a state of an earlier version. Undefined for one of the present version. */
export async function findEarlier(db: Database, store: StoreName, now: number): Promise<Earlier | undefined> {
  if (db.earlierVersion === undefined) return undefined;
  const count = await db.get(`select ${earlierPrograms(db.dialect.prefix, String(now))} as n`);
  return { version: db.earlierVersion, inUse: whyInUse(store, Number(count?.n)) };
}

/** The error of a program whose state a newer one took over meanwhile. */
export function takenOver(): ClerkError {
  return new ClerkError('E_NOT_PERMITTED', 'A newer fareclerk has taken over the journal. Nothing was sent.', {
    next: 'Tell the operator to end this server; the newer one goes on.',
  });
}
