/**
 * Which programs work with a state, so that a newer one takes it over only when those of an earlier version are gone.
 */
import { randomUUID } from 'node:crypto';
import { ClerkError } from '../core/errors.ts';
import { MINUTE_MS, SECOND_MS } from '../core/times.ts';
import { counted } from '../core/words.ts';
import type { Database } from './database.ts';
import { StoredLeases } from './journal/leases.ts';
import { cannotOpen, checkVersion, type StoreName } from './opening.ts';
import { SCHEMA_VERSION } from './tables.ts';

/**
 * Precedes the name of each program among the leases. The owner of such a lease is the version of the tables that the
 * program knows. A program that slept while a newer one took the state over must send nothing any more.
 */
const PROGRAM = 'program ';
/** How long a program that ended without a word still counts, milliseconds. */
const COUNTS_MS = MINUTE_MS;
/** How often a program says that it is there, milliseconds. */
const AGAIN_MS = 20 * SECOND_MS;

/** A state that a program took as it is, to read it. */
export interface Earlier {
  /** Of its tables. */
  readonly version: number;
  /** Why it cannot be taken over now. */
  readonly inUse: ClerkError | undefined;
}

/**
 * Says that this program works with the state. Returns a function that ends that.
 * @throws ClerkError E_CONFIG if a newer program has taken the state over meanwhile
 */
export async function announce(db: Database, store: StoreName, now: () => number): Promise<() => Promise<void>> {
  const leases = new StoredLeases(db);
  const name = `${PROGRAM}${randomUUID()}`;
  const version = String(SCHEMA_VERSION);
  const say = () => leases.take(name, version, now() + COUNTS_MS, now());
  // While the disk is full it can be read, and nothing can be sent.
  await say().catch(() => undefined);
  const timer = setInterval(() => void say().catch(() => undefined), AGAIN_MS);
  timer.unref();
  const leave = async () => {
    clearInterval(timer);
    await leases.end(name, version).catch(() => undefined);
  };
  try {
    // A newer one may have looked for programs just before this one said that it is there.
    const row = await db.get(`select value from ${db.dialect.prefix}meta where key = 'schema_version'`);
    checkVersion(store, row?.value);
  } catch (error) {
    await leave();
    throw error;
  }
  return leave;
}

/**
 * SQL: counts the programs of an earlier version that work with the state. `prefix` precedes a table, `now` is a SQL
 * expression.
 */
export function earlierPrograms(prefix: string, now: string): string {
  return `(select count(*) from ${prefix}lease where name like '${PROGRAM}%' and owner <> '${SCHEMA_VERSION}' and lease_until > ${now})`;
}

/** Why a state with so many earlier programs cannot be taken over. Undefined without any. */
function whyInUse({ what }: StoreName, earlier: number): ClerkError | undefined {
  if (earlier === 0) return undefined;
  return cannotOpen(
    what,
    `is still in use by ${counted(earlier, 'program')} of an earlier fareclerk.`,
    'The operator stops every one of them (a host starts its own), then starts this one again, or runs this command with their version. A program that was killed counts for a minute.',
  );
}

/** @throws ClerkError E_CONFIG */
export function assertAlone(store: StoreName, earlier: number): void {
  const refusal = whyInUse(store, earlier);
  if (refusal !== undefined) throw refusal;
}

/** Undefined of a state of the present version. */
export async function findEarlier(db: Database, store: StoreName, now: number): Promise<Earlier | undefined> {
  if (db.earlier === undefined) return undefined;
  const count = await db.get(`select ${earlierPrograms(db.dialect.prefix, String(now))} as n`);
  return { version: db.earlier, inUse: whyInUse(store, Number(count?.n)) };
}

/** A newer program took the state over while this one was not looking. */
export function takenOver(): ClerkError {
  return new ClerkError('E_NOT_PERMITTED', 'A newer fareclerk has taken over the journal. Nothing was sent.', {
    next: 'Tell the operator to end this server; the newer one goes on.',
  });
}
