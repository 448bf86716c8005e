/**
 * The tables, and how a file of an earlier version is brought up to date. One entry of {@link MIGRATIONS} for each
 * version; never change an entry that was released.
 */
const ACTIVE = "('intent','dispatched','in_doubt')";

const FIRST = `
create table operation (
  id text primary key,
  tenant text not null,
  caller text not null,
  tool text not null,
  locator text,
  fingerprint text,
  state text not null,
  assurance text not null,
  args_digest text not null,
  terms_digest text not null,
  amount_minor integer,
  currency text,
  direction text,
  subject text not null,
  created_at integer not null,
  updated_at integer not null,
  dispatched_at integer,
  owner text not null,
  lease_until integer not null,
  negatives integer not null default 0,
  last_read_at integer,
  failing_since integer,
  outcome text,
  supersedes text
) strict;
create unique index op_one_active_loc on operation(tenant, locator) where locator is not null and state in ${ACTIVE};
create unique index op_one_active_fp on operation(tenant, fingerprint)
  where fingerprint is not null and state in ${ACTIVE};
create index op_active on operation(lease_until) where state in ${ACTIVE};
create index op_by_caller on operation(tenant, caller, created_at);
create index op_by_time on operation(created_at);
create index op_by_locator on operation(tenant, locator, created_at);
create index op_by_fingerprint on operation(tenant, fingerprint, created_at);

create table event (
  n integer primary key,
  operation_id text not null references operation(id),
  seq integer not null,
  at integer not null,
  from_state text not null,
  to_state text not null,
  actor text not null,
  content text not null,
  hash text not null,
  unique (operation_id, seq)
) strict;
create trigger event_never_changes before update on event begin select raise(abort, 'events are append-only'); end;
create trigger event_never_goes before delete on event begin select raise(abort, 'events are append-only'); end;

create table reply (
  operation_id text primary key references operation(id),
  status integer not null,
  body text not null
) strict;

create table approval (
  handle_hash text primary key,
  operation_id text not null unique,
  decision text not null,
  asked_by text not null,
  assurance text,
  created_at integer not null,
  expires_at integer not null,
  decided_at integer,
  told_at integer,
  stale_lines text,
  carried text,
  terms text,
  body text not null
) strict;
create index approval_waiting on approval(created_at) where decision = 'pending';

create table offer (
  tenant text not null,
  handle text not null,
  shown_at integer not null,
  body text not null,
  primary key (tenant, handle)
) strict, without rowid;
create index offer_by_age on offer(shown_at);

create table booking (
  tenant text not null,
  caller text not null,
  locator text not null,
  made_here integer not null,
  seen_at integer not null,
  state text not null,
  deadline_at integer,
  search text not null,
  body text not null,
  primary key (tenant, caller, locator)
) strict, without rowid;
create index booking_by_seen on booking(tenant, caller, seen_at);
`;

/** Who said yes on the page. */
const APPROVER = `
alter table approval add column approver text;
alter table operation add column approved_by text;
`;

/** Which caller may reach which booking, and how often one tried. */
const CLAIMS = `
create table claim (
  tenant text not null,
  caller text not null,
  locator text not null,
  at integer not null,
  primary key (tenant, caller, locator)
) strict, without rowid;
create table claim_try (
  id text primary key,
  tenant text not null,
  caller text not null,
  at integer not null
) strict, without rowid;
create index claim_try_by_caller on claim_try(tenant, caller, at);
`;

/**
 * A booking takes one operation at a time, whoever's: tenants share the airline, and the agency's login there. A trigger
 * and no unique index: two tenants may each have one active in a journal from before, and both are to come to an end.
 */
const ONE_FOR_ALL_TENANTS = `
drop index op_one_active_loc;
create index op_active_loc on operation(locator) where locator is not null and state in ${ACTIVE};
create trigger booking_takes_one before insert on operation
when new.state in ${ACTIVE} and exists (select 1 from operation where locator = new.locator and state in ${ACTIVE})
begin select raise(ignore); end;
`;

/** Finds the approvals whose names are to go, without looking at all others. */
const NAMES_TO_GO = `
create index approval_with_names on approval(expires_at) where carried is not null or terms is not null;
`;

/**
 * Fewer pages for each change, which are forced to the disk with it: one index finds what is active, and what has no
 * fingerprint is in no index of them. `reply` needs no index beside its own table.
 */
const FEWER_PAGES = `
drop index op_active;
drop index op_active_loc;
create index op_active on operation(locator) where state in ${ACTIVE};
drop index op_by_fingerprint;
create index op_by_fingerprint on operation(tenant, fingerprint, created_at) where fingerprint is not null;
alter table reply rename to reply_before;
create table reply (
  operation_id text primary key references operation(id),
  status integer not null,
  body text not null
) strict, without rowid;
insert into reply select operation_id, status, body from reply_before;
drop table reply_before;
`;

/**
 * The journal as a whole has events too: they are of no operation, so that none is asked for. `note` says what was said
 * of them, `lost` what another journal had that stood here before.
 */
const OF_THE_WHOLE = `
drop trigger event_never_changes;
drop trigger event_never_goes;
create table event_of_all (
  n integer primary key,
  operation_id text not null,
  seq integer not null,
  at integer not null,
  from_state text not null,
  to_state text not null,
  actor text not null,
  content text not null,
  hash text not null,
  unique (operation_id, seq)
) strict;
insert into event_of_all select n, operation_id, seq, at, from_state, to_state, actor, content, hash from event;
drop table event;
alter table event_of_all rename to event;
create trigger event_never_changes before update on event begin select raise(abort, 'events are append-only'); end;
create trigger event_never_goes before delete on event begin select raise(abort, 'events are append-only'); end;
create table note (
  n integer primary key,
  body text not null
) strict;
create table lost (
  n integer not null,
  hash text not null,
  body text,
  noticed_at integer not null,
  recovered_at integer,
  primary key (n, hash)
) strict, without rowid;
`;

/** Counts what waits for people without looking at all that ever did. */
const OPEN_COUNTED = `
create index op_with_person on operation(updated_at) where state = 'needs_person';
drop index approval_waiting;
create index approval_waiting on approval(expires_at) where decision = 'pending';
`;

export const MIGRATIONS: readonly string[] = [
  FIRST,
  APPROVER,
  CLAIMS,
  ONE_FOR_ALL_TENANTS + NAMES_TO_GO,
  FEWER_PAGES,
  OF_THE_WHOLE,
  OPEN_COUNTED,
];
export const SCHEMA_VERSION = MIGRATIONS.length;

export const META = 'create table if not exists meta (key text primary key, value text not null) strict, without rowid';
