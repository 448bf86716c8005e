/**
 * The tables on PostgreSQL, all in one schema. Every name is written with its schema: a search path would be state of a
 * session, which a transaction pooler gives to somebody else.
 */
import { ACTIVE } from '../database.ts';
import { postgresEventFunctions, postgresEventTriggers } from '../event-triggers.ts';
import { metaTable, type Types, tables } from '../tables.ts';
import { CLOCK, functions } from './functions.ts';
import { fieldOf } from './json-fields.ts';

export const types = (schema: string): Types => ({
  prefix: `${schema}.`,
  int: 'bigint',
  numbered: 'bigint generated always as identity primary key',
  clock: CLOCK,
  key: 'text collate "C"',
  end: '',
  endKeyed: '',
});

export const meta = (schema: string): string => metaTable(types(schema));

const TRIGGERED = (s: string): string => `
create or replace function ${s}.event_stays() returns trigger language plpgsql as $$
begin
  raise exception 'events are append-only';
end $$;

create or replace function ${s}.booking_takes_one() returns trigger language plpgsql as $$
begin
  if exists (select 1 from ${s}.operation where locator = new.locator and ${ACTIVE}) then
    return null;
  end if;
  return new;
end $$;
`;

/** Every function of the schema. A database gets those of the program that opens it (prepare.ts). */
export const functionsOf = (s: string): string =>
  [TRIGGERED(s), postgresEventFunctions({ prefix: `${s}.`, text: fieldOf }), functions(s)].join('\n');

export const eventTriggersOf = (s: string): string => postgresEventTriggers({ prefix: `${s}.`, text: fieldOf });

/** `place` numbers rows in the order of their entry. */
export const schemaOf = (s: string): string => `${tables(types(s))}
alter table ${s}.operation add column events integer not null, add column place bigint not null unique;
create sequence ${s}.operation_place owned by ${s}.operation.place;
alter table ${s}.approval add column place bigint generated always as identity;
alter table ${s}.lost add column place bigint generated always as identity;
${functionsOf(s)}

create trigger event_never_changes before update or delete on ${s}.event
  for each row execute function ${s}.event_stays();
create trigger event_never_goes before truncate on ${s}.event
  for each statement execute function ${s}.event_stays();

create trigger booking_takes_one before insert on ${s}.operation
  for each row when (new.${ACTIVE}) execute function ${s}.booking_takes_one();

create table ${s}.login (
  name text primary key,
  generation bigint not null default 0,
  token text,
  received_at bigint,
  failures integer not null default 0,
  paused_until bigint not null default 0,
  refusal text,
  refused_at text not null default '[]',
  holder text,
  lease_until bigint not null default 0
);
${eventTriggersOf(s)}`;
