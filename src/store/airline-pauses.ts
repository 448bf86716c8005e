/** Shares the airline's pauses between the processes of a state: each is a lease that no process holds, and that only ends. */
import { type AirlinePauses, LONGEST_PAUSE_MS, SPREAD_MS } from '../domain/airline-pauses.ts';
import type { Database } from './database.ts';

const PREFIX = 'pause ';

/** SQL: the condition of leases that are pauses. Those that are over are cleaned as other leases are. */
const IS_PAUSE = `name > '${PREFIX}' and name < 'pause!'`;

export class StoredPauses implements AirlinePauses {
  readonly #db: Database;
  readonly #table: string;

  constructor(db: Database) {
    this.#db = db.beforeSending;
    this.#table = `${db.dialect.prefix}lease`;
  }

  async left(): Promise<ReadonlyMap<string, number>> {
    const { clock } = this.#db.dialect;
    const rows = await this.#db.all(
      `select name, lease_until - ${clock} as ms from ${this.#table}
        where ${IS_PAUSE} and lease_until > ${clock} - ${SPREAD_MS}`,
    );
    const left = rows.map(({ name, ms }) => [String(name).slice(PREFIX.length), Number(ms)] as const);
    // One that is longer was kept before the clock was set back.
    return new Map(left.filter(([, ms]) => ms <= LONGEST_PAUSE_MS));
  }

  async keep(kind: string, ms: number): Promise<void> {
    const { clock } = this.#db.dialect;
    const sql = `insert into ${this.#table} as held(name, owner, lease_until) values (?, 'airline', ${clock} + ?)
      on conflict (name) do update set lease_until = excluded.lease_until
      where held.lease_until < excluded.lease_until or held.lease_until > ${clock} + ${LONGEST_PAUSE_MS}`;
    await this.#db.writeInBackground(sql, `${PREFIX}${kind}`, Math.ceil(Math.min(ms, LONGEST_PAUSE_MS)));
  }
}
