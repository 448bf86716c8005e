/**
 * The tables on PostgreSQL, all in one schema, and how one of an earlier version is brought up to date. One entry of
 * {@link MIGRATIONS} for each version; never change an entry that was released.
 *
 * Every name is written with its schema: a search path would be state of a session, which a transaction pooler gives to
 * somebody else.
 */
import { ACTIVE, ENTER, type Migration, MOVE, ONE_FOR_ALL_TENANTS, SHARED, TRIES } from './functions.ts';
import { OF_THE_WHOLE } from './whole.ts';

const TABLES: Migration = (s) => `
create table ${s}.chain (
  single boolean primary key default true check (single),
  n bigint not null,
  hash text not null
);
insert into ${s}.chain(n, hash) values (0, repeat('0', 64));

create table ${s}.operation (
  id text collate "C" primary key,
  tenant text not null,
  caller text not null,
  tool text not null,
  locator text,
  fingerprint text,
  state text not null,
  assurance text not null,
  args_digest text not null,
  terms_digest text not null,
  amount_minor bigint,
  currency text,
  direction text,
  subject text not null,
  created_at bigint not null,
  updated_at bigint not null,
  dispatched_at bigint,
  owner text not null,
  lease_until bigint not null,
  negatives integer not null,
  last_read_at bigint,
  failing_since bigint,
  outcome text,
  supersedes text,
  approved_by text,
  events integer not null,
  place bigint not null unique
);
create sequence ${s}.operation_place owned by ${s}.operation.place;
create unique index op_one_active_loc on ${s}.operation(tenant, locator)
  where locator is not null and state in ${ACTIVE};
create unique index op_one_active_fp on ${s}.operation(tenant, fingerprint)
  where fingerprint is not null and state in ${ACTIVE};
create index op_active on ${s}.operation(lease_until) where state in ${ACTIVE};
create index op_by_caller on ${s}.operation(tenant, caller, created_at);
create index op_by_time on ${s}.operation(created_at);
create index op_by_locator on ${s}.operation(tenant, locator, created_at);
create index op_by_fingerprint on ${s}.operation(tenant, fingerprint, created_at);

create table ${s}.event (
  n bigint primary key,
  operation_id text collate "C" not null references ${s}.operation(id),
  seq integer not null,
  at bigint not null,
  from_state text not null,
  to_state text not null,
  actor text not null,
  content text not null,
  hash text not null,
  unique (operation_id, seq)
);
create function ${s}.event_stays() returns trigger language plpgsql as $$
begin
  raise exception 'events are append-only';
end $$;
create trigger event_never_changes before update or delete on ${s}.event
  for each row execute function ${s}.event_stays();
create trigger event_never_goes before truncate on ${s}.event
  for each statement execute function ${s}.event_stays();

create table ${s}.reply (
  operation_id text collate "C" primary key references ${s}.operation(id),
  status integer not null,
  body text not null
);

create table ${s}.approval (
  handle_hash text collate "C" primary key,
  operation_id text collate "C" not null unique,
  decision text not null,
  asked_by text not null,
  assurance text,
  approver text,
  created_at bigint not null,
  expires_at bigint not null,
  decided_at bigint,
  told_at bigint,
  stale_lines text,
  carried text,
  terms text,
  body text not null,
  place bigint generated always as identity
);
create index approval_waiting on ${s}.approval(created_at) where decision = 'pending';
create index approval_with_names on ${s}.approval(expires_at) where carried is not null or terms is not null;

create table ${s}.offer (
  tenant text not null,
  handle text not null,
  shown_at bigint not null,
  body text not null,
  primary key (tenant, handle)
);
create index offer_by_age on ${s}.offer(shown_at);

create table ${s}.booking (
  tenant text not null,
  caller text not null,
  locator text collate "C" not null,
  made_here boolean not null,
  seen_at bigint not null,
  state text not null,
  deadline_at bigint,
  search text not null,
  body text not null,
  primary key (tenant, caller, locator)
);
create index booking_by_seen on ${s}.booking(tenant, caller, seen_at);

create table ${s}.claim (
  tenant text not null,
  caller text not null,
  locator text not null,
  at bigint not null,
  primary key (tenant, caller, locator)
);
create table ${s}.claim_try (
  id text primary key,
  tenant text not null,
  caller text not null,
  at bigint not null
);
create index claim_try_by_caller on ${s}.claim_try(tenant, caller, at);

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
`;

const FIRST: Migration = (s) => [TABLES, SHARED, ENTER, MOVE, TRIES].map((part) => part(s)).join('\n');

/** Counts what waits for people without looking at all that ever did. */
const OPEN_COUNTED: Migration = (s) => `
create index op_with_person on ${s}.operation(updated_at) where state = 'needs_person';
drop index ${s}.approval_waiting;
create index approval_waiting on ${s}.approval(expires_at) where decision = 'pending';
`;

export const MIGRATIONS: readonly Migration[] = [FIRST, ONE_FOR_ALL_TENANTS, OF_THE_WHOLE, OPEN_COUNTED];
export const SCHEMA_VERSION = MIGRATIONS.length;

export const META: Migration = (s) =>
  `create table if not exists ${s}.meta (key text primary key, value text not null)`;
