/**
 * The programs that work with a state, each with the version of the tables that it knows. A newer program takes the state over
 * only when those of an earlier version are gone; one that slept meanwhile must send nothing any more.
 */
import { randomUUID } from 'node:crypto';
import { ClerkError } from '../core/errors.ts';
import { MINUTE_MS, SECOND_MS } from '../core/times.ts';
import { counted } from '../core/words.ts';
import type { Database } from './database.ts';
import { cannotOpen, type StoreName } from './errors.ts';
import { StoredLeases } from './leases.ts';
import { SCHEMA_VERSION } from './tables.ts';

/** Before the name of each program among the leases. */
const PROGRAM = 'program ';
/** A program that ended without a word counts so long, and says so often that it is there. */
const COUNTS_MS = MINUTE_MS;
const AGAIN_MS = 20 * SECOND_MS;

/** Says that this program works with the state. Returns a function that ends that. */
export async function announce(db: Database, now: () => number): Promise<() => Promise<void>> {
  const leases = new StoredLeases(db);
  const name = `${PROGRAM}${randomUUID()}`;
  const version = String(SCHEMA_VERSION);
  const say = () => leases.take(name, version, now() + COUNTS_MS, now());
  await say();
  const timer = setInterval(() => void say().catch(() => undefined), AGAIN_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await leases.end(name, version).catch(() => undefined);
  };
}

/** SQL: counts the programs of an earlier version that work with the state. `prefix` precedes a table, `now` is a SQL expression. */
export function earlierPrograms(prefix: string, now: string): string {
  return `(select count(*) from ${prefix}lease where name like '${PROGRAM}%' and owner <> '${SCHEMA_VERSION}' and lease_until > ${now})`;
}

/** @throws ClerkError E_CONFIG */
export function assertAlone({ what }: StoreName, earlier: number): void {
  if (earlier === 0) return;
  throw cannotOpen(
    what,
    `is still in use by ${counted(earlier, 'program')} of an earlier fareclerk.`,
    'The operator stops every one of them (a host starts its own), then starts this one again. One that was killed counts for a minute.',
  );
}

/** A newer program took the state over while this one was not looking. */
export function takenOver(): ClerkError {
  return new ClerkError('E_NOT_PERMITTED', 'A newer fareclerk has taken over the journal. Nothing was sent.', {
    next: 'Tell the operator to end this server; the newer one goes on.',
  });
}
