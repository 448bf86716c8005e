/** The state port on PostgreSQL, for several machines: one journal, one clock, one login at the airline. */

import type { Approval } from '../../approvals/approval.ts';
import { withoutApplication } from '../../domain/people/caller.ts';
import { type CountTry, StoredClaims } from '../access.ts';
import { type AskInTransaction, type AskingRow, StoredApprovals, toApprovalRow } from '../approvals.ts';
import { Cleaning } from '../cleaning.ts';
import { StoredCustomers } from '../customers.ts';
import { digestKey, storeFirst } from '../database.ts';
import { StoredDetails } from '../details.ts';
import { Forgetting } from '../forgetting.ts';
import { type ChainOptions, openChain } from '../journal/journal-chain.ts';
import { markerFor } from '../journal/recording-machines.ts';
import { StoredLedger } from '../ledger.ts';
import { openCounts } from '../open-counts.ts';
import { assertSameAirline } from '../opening.ts';
import { type AskedPlanRows, type AskingPlanRow, decidedBookings, StoredPlans } from '../plans.ts';
import { announce, findEarlier } from '../programs.ts';
import { sharedStores } from '../shared-stores.ts';
import type { State } from '../state.ts';
import { StoredWatches } from '../watching.ts';
import { PostgresClock } from './clock.ts';
import { type PostgresDatabase, postgresAt } from './database.ts';
import { NAME } from './errors.ts';
import { PostgresChain, PostgresOperations, setClock } from './journal.ts';
import { PostgresOffers } from './offers.ts';
import type { PoolOptions } from './pool.ts';
import { type PrepareOptions, prepare } from './schema.ts';

export interface PostgresOptions extends PoolOptions, ChainOptions, PrepareOptions {
  /** Holds all tables: `fareclerk`. Lower case letters, digits, `_`. */
  readonly schema?: string;
}

/** The longest time between two comparisons of the clock with the database's, milliseconds. */
const LOOK_MS = 30_000;

/**
 * Opens the state, and makes its tables if there are none. Correct behind a transaction pooler
 * (docs/guides/postgres.md).
 * @throws ClerkError E_CONFIG if the database cannot be used, or is of another version or airline.
 */
export async function openPostgresState(url: string, options: PostgresOptions = {}): Promise<State> {
  const { schema = 'fareclerk', airline, now, secondRecords } = options;
  if (!/^[a-z_][a-z0-9_]{0,47}$/.test(schema)) throw new RangeError(`${schema} cannot be the name of a schema`);
  const db = postgresAt(url, schema, { ...options, checksTimes: now === undefined });
  let leave: (() => Promise<void>) | undefined;
  try {
    db.onlyRead(await prepare(db, options));
    if (airline !== undefined) assertSameAirline(NAME, await storeFirst(db, 'airline', airline), airline);
    const clock = now === undefined ? new PostgresClock() : undefined;
    if (clock !== undefined) await setClock(db, clock);
    const time = now ?? (() => clock?.now() ?? 0);
    const markerPaths = secondRecords === undefined ? [] : [markerFor(secondRecords, journalPlace(url, schema))];
    if (!options.reads) leave = await announce(db, NAME, time);
    const opening = { secondRecords, noticed: options.noticed, markerPaths, now: time };
    const chain = await openChain(db, opening, (dependencies) => new PostgresChain(db, dependencies));
    const earlier = await findEarlier(db, NAME, time());
    const key = await digestKey(db);
    const operations = new PostgresOperations(db, clock, chain, options.waited);
    const customers = new StoredCustomers(db, key, time);
    const forgetting = new Forgetting({ db, operations, customers });
    const cleaning = new Cleaning({ db, customers }, time);
    const stopTimers = [earlier ? undefined : await cleaning.start(), clock && keepClock(db, clock)];
    return {
      ...sharedStores(db, customers, secondRecords),
      operations,
      chain,
      forgetting,
      approvals: new StoredApprovals(db, askInTransaction(db)),
      offers: new PostgresOffers(db, time),
      ledger: new StoredLedger(db, customers),
      claims: new StoredClaims(db, countTry(db)),
      watches: new StoredWatches(db),
      plans: new PostgresPlans(db),
      details: new StoredDetails(db),
      digestKey: key,
      earlier,
      clean: () => cleaning.clean(),
      openCounts: (at, acts) => openCounts(db.aside('counts'), at, acts),
      pools: () => db.pools(),
      unwritable: () => chain.unwritable(() => db.aside('counts').assertWritable()),
      clock,
      async close() {
        for (const stop of stopTimers) stop?.();
        await leave?.();
        chain.close();
        await db.close();
      },
    };
  } catch (error) {
    await leave?.();
    await db.close();
    throw error;
  }
}

/** The address of the database without user, password and options. */
function journalPlace(url: string, schema: string): string {
  const [place = ''] = url.replace(/^[a-z]+:\/\/(?:[^@/?]*@)?/, '').split('?', 1);
  return `${place} ${schema}`;
}

function countTry(db: PostgresDatabase): CountTry {
  return async (id, { tenant, id: caller }, now, { since, max }) => {
    const sql = `select ${db.schema}.begin_try(of_tenant => $1, of_caller => $2, try_id => $3, at_ms => $4::bigint,
      since => $5::bigint, most => $6::integer) as oldest`;
    const oldest = (await db.change(sql, tenant, caller, id, now, since, max))?.oldest ?? null;
    return oldest === null ? undefined : Number(oldest);
  };
}

function askInTransaction(db: PostgresDatabase): AskInTransaction {
  return async ({ row, person, latestExpiry, limits }) => {
    const call = `${db.schema}.ask_question(entered => $1::text::json, person => $2, until => $3::bigint,
      most_open => $4::bigint, most_replaced => $5::bigint, since => $6::bigint, deciding => $7)`;
    const counts = [latestExpiry, limits.open, limits.replaced, limits.since];
    const values = [JSON.stringify(row), person, ...counts, JSON.stringify(limits.deciding ?? [])];
    // The server may crash alone, and a person would answer a question that is gone.
    const sql = `select ${call} as answer where ${db.dialect.durably}`;
    return (await db.beforehand.change(sql, ...values))?.answer as AskingRow;
  };
}

function keepClock(db: PostgresDatabase, clock: PostgresClock): () => void {
  const timer = setInterval(() => void setClock(db, clock).catch(() => undefined), LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}

class PostgresPlans extends StoredPlans {
  readonly #postgres: PostgresDatabase;

  constructor(db: PostgresDatabase) {
    super(db);
    this.#postgres = db;
  }

  protected async enter({ plan, approvals, before, limits, latestExpiry }: AskedPlanRows): Promise<AskingPlanRow> {
    const db = this.#postgres;
    const [{ tenant, caller }] = approvals as [Approval];
    const { id: person } = withoutApplication({ tenant, id: caller });
    const call = `${db.schema}.ask_plan(asked => $1::text::json, rows => $2::text::json, person => $3,
      question_before => $4, decision_before => $5, until => $6::bigint, most_replaced => $7::bigint,
      since => $8::bigint, deciding => $9, booked => $10)`;
    const { id, question, expiresAt: expires_at, body } = plan;
    const asked = { id, question, expires_at, body: JSON.stringify(body) };
    const rows = approvals.map(toApprovalRow);
    const seen = [before?.operationId ?? null, before?.decision ?? null];
    const lists = [limits.deciding ?? [], decidedBookings(approvals, limits)].map((list) => JSON.stringify(list));
    const values = [JSON.stringify(asked), JSON.stringify(rows), person, ...seen, latestExpiry, limits.replaced];
    const sql = `select ${call} as answer where ${db.dialect.durably}`;
    return (await db.change(sql, ...values, limits.since, ...lists))?.answer as AskingPlanRow;
  }
}
