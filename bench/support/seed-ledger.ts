/**
 * Fills a state file with a ledger of so many bookings and a journal of as many operations, in the program's own tables.
 * A thousand operations are entered by the store itself; all others are copies of them, made by SQL, at other times and of other
 * bookings. Only hashes are invented, so that the journal does not verify.
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openSqliteState } from '../../src/store/sqlite/state.ts';
import { seedSqlite } from '../../test/campaigns/load/support/seed-journal.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Operations of the last thirty days, whatever the size of the journal: the others are older. */
export const RECENT = 1_000;
/** Bookings with a deadline on the next day, whatever the size of the ledger. */
const DUE = 20;

/** @param used a state file with one booking in its ledger; @param scratch an empty folder */
export async function seedLedger(used: string, scratch: string, size: number): Promise<void> {
  const models = join(scratch, 'models.sqlite');
  await (await openSqliteState(models)).close();
  await seedSqlite(models, RECENT);
  const db = new DatabaseSync(used);
  db.exec('pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -500000');
  db.exec(`attach '${models}' as model`);
  const indexes = db.prepare("select name, sql from main.sqlite_master where type = 'index' and sql is not null").all();
  for (const { name } of indexes) db.exec(`drop index main.${name}`);
  db.exec('begin');
  const own = db.prepare('select tenant, caller from booking').get();
  const blocks = size / RECENT;
  db.exec(`create temp table own as select '${own?.tenant}' as tenant, '${own?.caller}' as caller;
    create temp table block as with recursive b(b) as (select ${blocks - 1} union all select b - 1 from b where b > 0) select b from b`);
  db.exec(operationsSql(db, size));
  db.exec(eventsSql());
  db.exec(bookingsSql(size));
  db.exec('commit');
  for (const { sql } of indexes) db.exec(String(sql));
  db.exec('detach model; pragma journal_mode = wal');
  db.close();
}

/** An id like no other of its index, and the same for an operation and its events. */
const ID = (n: string, id: string) => `printf('%08x', (${n} * 2654435761) & 4294967295) || substr(${id}, 9)`;

function operationsSql(db: DatabaseSync, size: number): string {
  const columns = db
    .prepare("select name from pragma_table_info('operation')")
    .all()
    .map(({ name }) => String(name));
  const at = `(case b when 0 then ${Date.now() - 30 * DAY_MS} + k * ${(29 * DAY_MS) / RECENT}
    else ${Date.now() - 364 * DAY_MS} + cast(${(333 * DAY_MS) / size} * (${size - RECENT} - b * ${RECENT} + k) as integer) end)`;
  const changed: Record<string, string> = {
    id: ID(`(b * ${RECENT} + k)`, 'o.id'),
    tenant: "case o.tenant when 'desk' then own.tenant else o.tenant end",
    caller: "case o.tenant when 'desk' then own.caller else o.caller end",
    locator: "printf('B%06X', b * 250 + k / 4)",
    outcome: "replace(o.outcome, coalesce(o.locator, '-'), printf('B%06X', b * 250 + k / 4))",
    fingerprint: 'case when o.fingerprint is not null then lower(hex(randomblob(32))) end',
    // A desk has few open operations, however old it is.
    state:
      "case when b > 0 and o.state in ('intent', 'dispatched', 'in_doubt', 'needs_person') then 'resolved' else o.state end",
    created_at: at,
    updated_at: `${at} + o.updated_at - o.created_at`,
  };
  return `insert into main.operation(${columns.join()}) select ${columns.map((name) => changed[name] ?? `o.${name}`).join()}
    from block cross join (select rowid - 1 as k, * from model.operation) o cross join own`;
}

function eventsSql(): string {
  const all = '(select count(*) from model.event)';
  return `insert into main.event(n, operation_id, seq, at, from_state, to_state, actor, content, hash)
    select ((select max(b) from block) - b) * ${all} + e.n, ${ID(`(b * ${RECENT} + o.rowid - 1)`, 'o.id')}, e.seq, e.at, e.from_state,
      e.to_state, e.actor, e.content, lower(hex(randomblob(32)))
    from block cross join model.event e join model.operation o on o.id = e.operation_id;
  update main.chain set n = (select max(n) from main.event), hash = (select hash from main.event order by n desc limit 1)`;
}

function bookingsSql(size: number): string {
  return `with recursive number(n) as (select 0 union all select n + 1 from number where n < ${size - 1}),
    dated as (select n, printf('B%06X', n) as named, case when n < ${DUE} then ${Date.now() + 2 * HOUR_MS} + n * ${HOUR_MS}
      else ${Date.now() + 3 * DAY_MS} + n * 7919 % 8000000 * 3000 end as due from number)
    insert into main.booking(tenant, caller, locator, made_here, seen_at, state, deadline_at, over_at, search, body)
    select tenant, caller, named, 1, seen_at - 60000 - n * 1000, 'ticketed', due, max(over_at, due),
      replace(search, lower(locator), lower(named)),
      json_set(body, '$.locator', named, '$.nextDeadline',
        json_object('what', 'cancel_until', 'at', strftime('%Y-%m-%dT%H:%M:%SZ', due / 1000, 'unixepoch')))
    from dated cross join main.booking where true`;
}
