/**
 * Functions of the database for the journal as a whole: what stops sending, what was lost, and a change of state that
 * tells its link of the chain.
 */
import { ACTIVE, CLOCK, type Migration } from './functions.ts';

/** SQLSTATE of our own: sending is held or paused. */
export const STOPPED = 'FC003';

/**
 * The journal as a whole has events too: they are of no operation. `note` says what was said of them, `lost` what
 * another journal had that stood here before. Instances of an earlier version obey a hold and a pause as well: they ask
 * `move_operation`.
 */
export const OF_THE_WHOLE: Migration = (s) => `
alter table ${s}.event drop constraint event_operation_id_fkey;
create table ${s}.note (
  n bigint primary key,
  body text not null
);
create table ${s}.lost (
  n bigint not null,
  hash text not null,
  body text,
  noticed_at bigint not null,
  place bigint generated always as identity,
  recovered_at bigint,
  primary key (n, hash)
);
create index lost_open on ${s}.lost(place) where recovered_at is null;

create or replace function ${s}.move_operation(
  of_id text, allowed text, target text, patch json, at bigint, by_actor text, checked boolean
) returns boolean language plpgsql as $$
declare
  o ${s}.operation;
  was text;
  content text;
begin
  perform ${s}.hold_chain(at, checked);
  select * into o from ${s}.operation where id = of_id for update;
  if not found or o.state <> all (string_to_array(allowed, ',')) then
    return false;
  end if;
  if target = 'dispatched' and exists (select from ${s}.meta where key in ('hold', 'pause')) then
    raise exception 'sending is stopped' using errcode = '${STOPPED}';
  end if;
  was := o.state;
  o := json_populate_record(o, patch);
  update ${s}.operation set state = target, updated_at = at, events = o.events + 1, locator = o.locator,
    dispatched_at = o.dispatched_at, owner = o.owner, lease_until = o.lease_until, negatives = o.negatives,
    last_read_at = o.last_read_at, outcome = o.outcome
    where id = of_id;
  content := '[' || concat_ws(',', coalesce(to_json(o.locator)::text, 'null'),
    coalesce(o.dispatched_at::text, 'null'), coalesce(o.outcome, 'null')) || ']';
  perform ${s}.append_event(of_id, o.events + 1, at, was, target, by_actor,
    encode(sha256(convert_to(content, 'UTF8')), 'hex'));
  if target not in ${ACTIVE} then
    delete from ${s}.reply where operation_id = of_id;
  end if;
  return true;
end $$;

create function ${s}.has_link(of_n bigint, of_hash text) returns boolean language sql as $$
  select of_n = 0 or exists (select from ${s}.event where n = of_n and hash = of_hash)
$$;

create function ${s}.move_linked(
  of_id text, allowed text, target text, patch json, at bigint, by_actor text, checked boolean,
  of_journal text, seen_n bigint, seen_hash text
) returns json language plpgsql as $$
declare
  head ${s}.chain;
  o ${s}.operation;
begin
  if target = 'dispatched' then
    perform ${s}.hold_chain(at, checked);
    if not ${s}.has_link(seen_n, seen_hash)
      or of_journal is distinct from (select value from ${s}.meta where key = 'journal_id') then
      return json_build_object('kind', 'behind');
    end if;
  end if;
  if not ${s}.move_operation(of_id, allowed, target, patch, at, by_actor, checked) then
    return json_build_object('kind', 'unmoved');
  end if;
  select * into strict head from ${s}.chain;
  if target = 'dispatched' then
    select * into o from ${s}.operation where id = of_id;
    return json_build_object('kind', 'moved', 'n', head.n, 'hash', head.hash, 'operation', row_to_json(o));
  end if;
  return json_build_object('kind', 'moved', 'n', head.n, 'hash', head.hash);
end $$;

create function ${s}.append_note(became text, by_actor text, with_body text, at bigint) returns json
language plpgsql as $$
declare
  last ${s}.event;
  head ${s}.chain;
begin
  select * into last from ${s}.event where operation_id = '' order by seq desc limit 1;
  perform ${s}.append_event('', coalesce(last.seq, 0) + 1, at, coalesce(last.to_state, ''), became, by_actor,
    encode(sha256(convert_to(with_body, 'UTF8')), 'hex'));
  select * into strict head from ${s}.chain;
  insert into ${s}.note(n, body) values (head.n, with_body);
  return json_build_object('n', head.n, 'hash', head.hash);
end $$;

create function ${s}.enter_lost(records json, at bigint) returns void language sql as $$
  insert into ${s}.lost(n, hash, body, noticed_at)
    select r.n, r.hash, r.body, at from json_to_recordset(records) as r(n bigint, hash text, body text)
    where not ${s}.has_link(r.n, r.hash)
    on conflict do nothing
$$;

create function ${s}.hold_lost(hold text, at bigint) returns text language plpgsql as $$
begin
  perform ${s}.hold_chain(at, false);
  if not exists (select from ${s}.lost where recovered_at is null) then
    return 'known';
  end if;
  if exists (select from ${s}.meta where key = 'hold') then
    return 'held';
  end if;
  insert into ${s}.meta(key, value) values ('hold', hold);
  perform ${s}.append_note('held', 'fareclerk', hold, at);
  return 'new';
end $$;

create function ${s}.release_lost(links bigint, by_actor text, with_body text, at bigint) returns json
language plpgsql as $$
begin
  perform ${s}.hold_chain(at, false);
  if links <> (select count(*) from ${s}.lost where recovered_at is null)
    or not exists (select from ${s}.meta where key = 'hold') then
    return null;
  end if;
  update ${s}.lost set recovered_at = at, body = null where recovered_at is null;
  delete from ${s}.meta where key = 'hold';
  return ${s}.append_note('restored', by_actor, with_body, at);
end $$;

create function ${s}.set_pause(pause text, by_actor text, at bigint) returns boolean language plpgsql as $$
declare
  before text;
begin
  perform ${s}.hold_chain(at, false);
  delete from ${s}.meta where key = 'pause' returning value into before;
  if pause is null then
    if before is null then
      return false;
    end if;
    perform ${s}.append_note('resumed', by_actor, before, at);
    return true;
  end if;
  insert into ${s}.meta(key, value) values ('pause', pause);
  perform ${s}.append_note('paused', by_actor, pause, at);
  return true;
end $$;
`;

/** How the journal stands, in one question: parameters are the link that was last seen. */
export function standingIn(s: string): string {
  return `select c.n, c.hash, ${s}.has_link($1::bigint, $2) as fits, ${CLOCK} as at,
    (select value from ${s}.meta where key = 'hold') as hold,
    (select value from ${s}.meta where key = 'pause') as pause,
    (select value from ${s}.meta where key = 'journal_id') as journal from ${s}.chain c`;
}
