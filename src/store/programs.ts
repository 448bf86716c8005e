/**
 * Leases of work that one process at a time does ({@link StoredLeases}). Each program that works with a state has one
 * too, so that a newer program takes the state over only when all earlier ones have ended.
 */
import { randomUUID } from 'node:crypto';
import { ClerkError } from '../core/errors.ts';
import { MINUTE_MS, SECOND_MS } from '../core/times.ts';
import { counted } from '../core/words.ts';
import { type UnlikeSetting, unlikeSettings, type YesSettings } from '../domain/yes-settings.ts';
import type { Leases } from '../journal/ports.ts';
import type { Database } from './database.ts';
import { checkVersion, StateRefusal, type StoreName } from './opening.ts';
import { SCHEMA_VERSION } from './tables.ts';

/**
 * Prefix of the leases of programs. The owner of such a lease is the version of the tables that the program knows, and
 * {@link ServerFacts} of a server. A program that slept while a newer one took the state over must no longer send.
 */
const PROGRAM = 'program ';
/** How long a program that was killed still counts, milliseconds. */
const COUNTS_MS = MINUTE_MS;
/** The version of the tables that this program knows, as the owner of its lease begins. */
const VERSION = String(SCHEMA_VERSION);
/** How often a program renews its lease, milliseconds. */
const RENEW_MS = 20 * SECOND_MS;

/** How a program works with the state. */
export interface ProgramOptions {
  readonly settings?: YesSettings;
  /** Whether it is a server that others are compared with. */
  readonly isServer?: boolean;
}

/** What the lease of a server says beside the version. */
interface ServerFacts {
  /** When it began, milliseconds since 1970. */
  readonly since: number;
  readonly settings: YesSettings;
}

export class StoredLeases implements Leases {
  readonly #db: Database;
  readonly #table: string;

  constructor(db: Database) {
    this.#db = db.beforeSending;
    this.#table = `${db.dialect.prefix}lease`;
  }

  async take(name: string, owner: string, until: number, now: number): Promise<boolean> {
    const sql = `insert into ${this.#table} as held(name, owner, lease_until) values (?, ?, ?) on conflict (name) do update
      set owner = excluded.owner, lease_until = excluded.lease_until where held.owner = excluded.owner or held.lease_until <= ?`;
    return (await this.#db.write(sql, name, owner, until, now)) === 1;
  }

  async end(name: string, owner: string): Promise<void> {
    await this.#db.write(`delete from ${this.#table} where name = ? and owner = ?`, name, owner);
  }
}

/**
 * Takes a lease that shows that this program works with the state, and of a server its settings. Returns its name, and a
 * function that ends it.
 * @throws ClerkError E_CONFIG if a newer program has taken the state over meanwhile
 */
export async function announce(
  db: Database,
  store: StoreName,
  { settings, isServer }: ProgramOptions,
  now: () => number,
): Promise<{ readonly name: string; leave(): Promise<void> }> {
  const leases = new StoredLeases(db);
  const name = `${PROGRAM}${randomUUID()}`;

  const facts: ServerFacts | undefined = isServer && settings ? { since: now(), settings } : undefined;
  const owner = facts === undefined ? VERSION : `${VERSION} ${JSON.stringify(facts)}`;
  const renew = () => leases.take(name, owner, now() + COUNTS_MS, now());

  // A failure does no harm: on a full disk the state can be read, and nothing can be sent.
  await renew().catch(() => undefined);
  const timer = setInterval(() => void renew().catch(() => undefined), RENEW_MS);
  timer.unref();

  const leave = async () => {
    clearInterval(timer);
    await leases.end(name, owner).catch(() => undefined);
  };

  try {
    // A newer program may have counted programs just before this one took its lease.
    const row = await db.get(`select value from ${db.dialect.prefix}meta where key = 'schema_version'`);
    checkVersion(store, row?.value);
  } catch (error) {
    await leave();
    throw error;
  }

  return { name, leave };
}

/**
 * Compares settings with those of the server that began first, of all that work with the state.
 * @param name of this program's lease, if it has one
 */
export async function unlikeFirstServer(
  db: Database,
  { settings = {} }: ProgramOptions,
  name: string | undefined,
  now: number,
): Promise<readonly UnlikeSetting[]> {
  const sql = `select name, owner from ${db.dialect.prefix}lease
    where name like '${PROGRAM}%' and owner like '${VERSION} %' and lease_until > ?`;
  const servers = (await db.all(sql, now)).map(({ name: of, owner }) => {
    const facts = JSON.parse(String(owner).slice(VERSION.length)) as ServerFacts;
    return { ...facts, of: String(of) };
  });
  const [first] = servers.sort((a, b) => a.since - b.since || (a.of < b.of ? -1 : 1));
  return first === undefined || first.of === name ? [] : unlikeSettings(settings, first.settings);
}

/**
 * SQL: the number of programs of an earlier version that work with the state.
 * @param prefix precedes the name of a table
 * @param now SQL expression
 */
export function earlierPrograms(prefix: string, now: string): string {
  return `(select count(*) from ${prefix}lease where name like '${PROGRAM}%' and owner <> '${VERSION}' and owner not like '${VERSION} %' and lease_until > ${now})`;
}

/**
 * Nothing is taken over while earlier programs use the state.
 * @throws ClerkError E_CONFIG
 */
export function assertAlone({ what }: StoreName, earlier: number): void {
  if (earlier === 0) return;
  throw new StateRefusal(
    what,
    `is still in use by ${counted(earlier, 'program')} of an earlier fareclerk.`,
    'The operator stops every one of them (a host starts its own), then starts this one again, or runs this command with their version. A program that was killed counts for a minute.',
  );
}

/** The error of a program whose state a newer one took over meanwhile. */
export function takenOver(): ClerkError {
  return new ClerkError('E_NOT_PERMITTED', 'A newer fareclerk has taken over the journal. Nothing was sent.', {
    next: 'Tell the operator to end this server; the newer one goes on.',
  });
}
