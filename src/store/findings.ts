/** Stores findings. What finds and closes them are columns; the rest never changes and is JSON in `body`. */
import type { Finding, FindingQuery, Findings } from '../domain/booking/finding.ts';
import { type Database, type Row, type Value, where } from './database.ts';
import { type Columns, toFields, toRow } from './row-codec.ts';

const MOST_OPEN = 1_000;

type FindingField = 'segment' | 'before' | 'after' | 'since' | 'missed' | 'deadlines';

const COLUMNS: Columns<Omit<Finding, FindingField>> = {
  id: ['id', 'text'],
  tenant: ['tenant', 'text'],
  locator: ['locator', 'text'],
  kind: ['kind', 'text'],
  route: ['route', 'text'],
  seenAt: ['seen_at', 'number'],
  departsAt: ['departs_at', 'number'],
  closedAt: ['closed_at', 'number'],
  closedBy: ['closed_by', 'text'],
};

export class StoredFindings implements Findings {
  readonly #db: Database;
  readonly #table: string;

  constructor(db: Database) {
    this.#db = db.beforehand;
    this.#table = `${db.dialect.prefix}finding`;
  }

  async add(findings: readonly Finding[]): Promise<readonly Finding[]> {
    const added: Finding[] = [];
    for (const finding of findings) {
      const { segment, before, after, since, missed, deadlines } = finding;
      const body = JSON.stringify({ segment, before, after, since, missed, deadlines });
      const row: Record<string, Value> = { ...toRow(COLUMNS, finding), body };
      const columns = Object.keys(row);
      const sql = `insert into ${this.#table}(${columns.join()}) values (${columns.map(() => '?').join()})
        on conflict (id) do nothing`;
      if ((await this.#db.run(sql, ...Object.values(row))) === 1) added.push(finding);
    }
    return added;
  }

  async open(tenant: string | undefined, now: number, locators?: readonly string[]): Promise<readonly Finding[]> {
    const isOpen = 'closed_at is null and (departs_at is null or departs_at > ?)';
    return this.#find([['tenant = ?', tenant], [isOpen, now], this.#of(locators)], MOST_OPEN);
  }

  async close(tenant: string | undefined, ids: readonly string[], by: string, now: number): Promise<number> {
    if (ids.length === 0) return 0;
    const [conditions, values] = where([
      ['tenant = ?', tenant],
      [`id in (select value from ${this.#db.dialect.elements})`, JSON.stringify(ids)],
    ]);
    const sql = `update ${this.#table} set closed_at = ?, closed_by = ? where closed_at is null and ${conditions.join(' and ')}`;
    return this.#db.run(sql, now, by, ...values);
  }

  async list(tenant: string | undefined, { from, to, locators, limit }: FindingQuery): Promise<readonly Finding[]> {
    return this.#find([['tenant = ?', tenant], ['seen_at >= ?', from], ['seen_at < ?', to], this.#of(locators)], limit);
  }

  #of(locators: readonly string[] | undefined): Wanted {
    return [`locator in (select value from ${this.#db.dialect.elements})`, locators && JSON.stringify(locators)];
  }

  async #find(wanted: readonly Wanted[], limit: number): Promise<readonly Finding[]> {
    const [conditions, values] = where(wanted);
    const sql = `select * from ${this.#table} where ${['true', ...conditions].join(' and ')} order by seen_at desc, id limit ${limit}`;
    return (await this.#db.all(sql, ...values)).map(toFinding);
  }
}

type Wanted = readonly [condition: string, value: Value | undefined];

function toFinding(row: Row): Finding {
  return { ...(JSON.parse(String(row.body)) as Finding), ...toFields(COLUMNS, row) };
}
