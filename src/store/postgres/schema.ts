/**
 * Makes the tables on PostgreSQL, all in one schema, takes them over from an earlier version, and replaces their
 * functions by this program's. Several processes may do so at once. First the SQL of the schema, then how a program prepares it.
 *
 * Every name is written with its schema, because a search path belongs to a session, which a transaction pooler shares.
 */
import { createHash } from 'node:crypto';
import { ClerkError } from '../../core/errors.ts';
import { ACTIVE } from '../database.ts';
import { postgresEventFunctions, postgresEventTriggers } from '../event-triggers.ts';
import { migration } from '../migrations.ts';
import { assertSameAirline, checkVersion, StateRefusal } from '../opening.ts';
import { assertAlone, earlierPrograms } from '../programs.ts';
import { metaTable, SCHEMA_VERSION, type TableSyntax, tablesSql } from '../tables.ts';
import type { PostgresDatabase } from './database.ts';
import { NAME, sqlState, unusable } from './errors.ts';
import { CLOCK, functions, jsonField } from './functions.ts';

/** The oldest major version of PostgreSQL that has `create trigger`, `sha256()` and all else that the tables use. */
const OLDEST_SERVER = 14;

/** Key of our advisory lock. The lock ends with the transaction, so it works behind a pooler. */
const LOCK = 7_211_907_114;
/** SQLSTATE of PostgreSQL: insufficient_privilege. */
const NO_RIGHT = '42501';
/** How long a migration waits for a table, milliseconds. */
const LOCKED_MS = 5_000;
/** Our own SQLSTATE: another process made or changed the tables first. */
const TABLES_THERE = 'FC002';
/** SQLSTATEs if another process made the schema or tables between our check and our lock. */
const OVERTAKEN = [TABLES_THERE, '42P06'];

/** How tables are written for PostgreSQL. */
function syntax(schema: string): TableSyntax {
  return {
    prefix: `${schema}.`,
    int: 'bigint',
    unlogged: 'unlogged ',
    numbered: 'bigint generated always as identity primary key',
    clock: CLOCK,
    key: 'text collate "C"',
    end: '',
    endKeyed: '',
  };
}

/** SQL that makes the table `meta`. */
export function meta(schema: string): string {
  return metaTable(syntax(schema));
}

/** The functions of the triggers on events and operations. */
function triggerFunctions(schema: string): string {
  return `
create or replace function ${schema}.event_stays() returns trigger language plpgsql as $$
begin
  raise exception 'events are append-only';
end $$;

create or replace function ${schema}.booking_takes_one() returns trigger language plpgsql as $$
begin
  if exists (select 1 from ${schema}.operation where locator = new.locator and ${ACTIVE}) then
    return null;
  end if;
  return new;
end $$;
`;
}

/** SQL of every function of the schema. The program that opens a database installs its own. */
function allFunctions(schema: string): string {
  const eventFunctions = postgresEventFunctions({ prefix: `${schema}.`, text: jsonField });
  return [triggerFunctions(schema), eventFunctions, functions(schema)].join('\n');
}

/**
 * Functions of the versions before 25 that later ones do not have, or have with other parameters. Replacing the functions
 * would leave them in a schema that is taken over.
 */
const FUNCTIONS_BEFORE_25 = [
  'add_note',
  'ask_plan',
  'ask_question',
  'begin_try',
  'change_journal',
  'erase_form_keys',
  'hold_open',
  'move_operation',
  'open_about',
  'question_moved_event',
  'replace_open',
  'too_often',
];

/** SQL that drops these functions, whatever their parameters, and their triggers. */
function dropEarlierFunctions(schema: string): string {
  return `do $$ declare earlier regprocedure; begin
  for earlier in select oid from pg_proc where pronamespace = '${schema}'::regnamespace
    and proname in (${FUNCTIONS_BEFORE_25.map((name) => `'${name}'`).join()})
  loop
    execute 'drop function ' || earlier || ' cascade';
  end loop;
end $$;`;
}

function eventTriggers(schema: string): string {
  return postgresEventTriggers({ prefix: `${schema}.`, text: jsonField });
}

/** SQL of all tables, functions and triggers. `place` numbers rows in the order of their entry. */
export function schemaSql(schema: string): string {
  return `${tablesSql(syntax(schema))}
alter table ${schema}.operation add column events integer not null, add column place bigint not null unique;
create sequence ${schema}.operation_place owned by ${schema}.operation.place;
alter table ${schema}.approval add column place bigint generated always as identity;
alter table ${schema}.lost add column place bigint generated always as identity;
${allFunctions(schema)}

create trigger event_never_changes before update or delete on ${schema}.event
  for each row execute function ${schema}.event_stays();
create trigger event_never_goes before truncate on ${schema}.event
  for each statement execute function ${schema}.event_stays();

create trigger booking_takes_one before insert on ${schema}.operation
  for each row when (new.${ACTIVE}) execute function ${schema}.booking_takes_one();

${eventTriggers(schema)}`;
}

export interface PrepareOptions {
  /** Only reads, so that a state of an earlier version is refused. */
  readonly reads?: boolean;
  /** The airline and agency of the journal: a schema of another one is refused. */
  readonly airline?: string;
  /**
   * A clock to use instead of the database's, milliseconds since 1970. No time is then checked against the database's.
   */
  readonly now?: () => number;
  /** Called when a state of this earlier version has become one of the present version. */
  readonly tookOver?: ((from: number) => void) | undefined;
}

/**
 * Prepares the tables.
 * @throws ClerkError E_CONFIG if the database cannot be used, or is of another version
 */
export async function prepare(db: PostgresDatabase, options: PrepareOptions): Promise<void> {
  try {
    await assertFit(db);
    await db.lookForPooler();
    while (!(await areUsable(db, options)));
  } catch (error) {
    throw error instanceof ClerkError && error.code === 'E_CONFIG' ? error : unusable(db.schema, error);
  }
}

/** @throws ClerkError E_CONFIG if the tables cannot be on this server */
async function assertFit(db: PostgresDatabase): Promise<void> {
  const server = await db.get(
    `select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding,
     pg_is_in_recovery() as standby`,
  );

  const refuse = (why: string, next: string): never => {
    throw new StateRefusal(NAME.what, why, next);
  };

  if (Number(server?.version) < OLDEST_SERVER * 10_000)
    refuse(`is older than PostgreSQL ${OLDEST_SERVER}.`, 'The operator upgrades the server.');
  if (server?.encoding !== 'UTF8')
    refuse('is not in UTF8.', "The operator makes a database with encoding 'UTF8' and names that.");
  if (server?.standby === true)
    refuse('is a standby, which cannot be written.', 'The operator names the primary server.');
}

/** Makes the tables if there are none, or brings them up to date. False if this or another process did so just now: look again. */
async function areUsable(db: PostgresDatabase, options: PrepareOptions): Promise<boolean> {
  const { schema } = db;
  const existing = await db.get(
    'select to_regnamespace($1) is not null as schema, to_regclass($2) is not null as meta',
    schema,
    `${schema}.meta`,
  );

  const find = `select value, (select value from ${schema}.meta where key = 'functions') as functions
    from ${schema}.meta where key = 'schema_version'`;
  const found = existing?.meta === true ? await db.get(find) : undefined;

  if (found !== undefined) {
    if (checkVersion(NAME, found.value, options.reads) === 'earlier') {
      await migrate(db, Number(found.value), options);
      return false;
    }

    if (!options.reads && found.functions !== functionsDigest(schema)) await renewFunctions(db);
    return true;
  }

  try {
    await db.script(creationScript(schema, existing?.schema !== true));
  } catch (error) {
    if (!OVERTAKEN.includes(sqlState(error) ?? '')) throw error;
  }

  return false;
}

/**
 * Migrates the tables in one transaction, with the functions of this version. While it counts other programs, none can
 * take its lease: such a program waits, and then finds the new version.
 */
async function migrate(db: PostgresDatabase, from: number, { airline, now, tookOver }: PrepareOptions): Promise<void> {
  const { schema } = db;
  const stored = await db.get(`select value from ${schema}.meta where key = 'airline'`);
  if (airline !== undefined && stored !== undefined) assertSameAirline(NAME, String(stored.value), airline);

  const clock = now === undefined ? CLOCK : String(now());
  const others = earlierPrograms(`${schema}.`, clock);
  assertAlone(NAME, Number((await db.get(`select ${others} as n`))?.n));

  const script = `
select pg_advisory_xact_lock(${LOCK});
set local lock_timeout = ${LOCKED_MS};
lock table ${schema}.lease in share row exclusive mode;
do $$ begin
  if (select value from ${schema}.meta where key = 'schema_version') <> '${from}' or ${others} > 0 then
    raise exception 'another process was first' using errcode = '${TABLES_THERE}';
  end if;
end $$;
${migration(from, syntax(schema), clock)}
${dropEarlierFunctions(schema)}
${allFunctions(schema)}
${eventTriggers(schema)}
${noteFunctions(schema)}`;

  try {
    await db.script(script);
    tookOver?.(from);
  } catch (cause) {
    if (sqlState(cause) === NO_RIGHT) throw mayNotChange(schema, 'tables', cause);
    if (sqlState(cause) !== TABLES_THERE) throw cause;
  }
}

/**
 * Replaces functions that another version of the program made. Other instances call the old or the new ones meanwhile.
 */
async function renewFunctions(db: PostgresDatabase): Promise<void> {
  const { schema } = db;
  try {
    await db.script(`select pg_advisory_xact_lock(${LOCK});\n${allFunctions(schema)}\n${noteFunctions(schema)}`);
  } catch (cause) {
    throw sqlState(cause) === NO_RIGHT ? mayNotChange(schema, 'functions', cause) : cause;
  }
}

function mayNotChange(schema: string, parts: 'tables' | 'functions', cause: unknown): ClerkError {
  const why = `has ${parts} of another version of fareclerk in the schema ${schema}, and this user may not replace them.`;
  const start = parts === 'functions' ? ', for example with `fareclerk doctor`,' : '';
  const next = `The operator starts this version once as the owner of the schema${start} or makes this user the owner of its ${parts}.`;
  return new StateRefusal(NAME.what, why, next, { cause });
}

function functionsDigest(schema: string): string {
  return createHash('sha256').update(allFunctions(schema)).digest('hex');
}

function noteFunctions(schema: string): string {
  return `insert into ${schema}.meta(key, value) values ('functions', '${functionsDigest(schema)}')
    on conflict (key) do update set value = excluded.value;`;
}

/**
 * SQL that makes the tables in one transaction. Makes the schema only if there is none, because `if not exists` would
 * need the right to make it.
 */
function creationScript(schema: string, makesSchema: boolean): string {
  return `
select pg_advisory_xact_lock(${LOCK});
${makesSchema ? `create schema ${schema};` : ''}
${meta(schema)}
do $$ begin
  if exists (select from ${schema}.meta where key = 'schema_version') then
    raise exception 'another process was first' using errcode = '${TABLES_THERE}';
  end if;
end $$;
${schemaSql(schema)}
${noteFunctions(schema)}
insert into ${schema}.meta(key, value) values ('schema_version', '${SCHEMA_VERSION}');`;
}
