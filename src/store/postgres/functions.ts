/**
 * SQL functions for the writes that all writers queue for: each is one statement of the client. So nobody holds the head
 * of the chain while a process works, sleeps or dies, or an answer is on its way.
 *
 * These functions write the hash chain exactly as journal/hash-chain.ts does, with which `verify` checks it.
 */
import { type DoneOperationSql, overtakeSql } from '../asking.ts';
import { ACTIVE, stateIn } from '../database.ts';
import { checkDayLimit } from '../journal/day-limit.ts';
import { EVENT_COLUMNS, PATCH_COLUMNS } from '../journal/hash-chain.ts';
import { hasLink } from '../journal/journal-chain.ts';
import { NOT_DONE } from '../journal/operations.ts';

/** SQL: the database's clock, milliseconds since 1970. `now()` would be the start of the transaction. */
export const CLOCK = 'floor(extract(epoch from clock_timestamp()) * 1000)::bigint';

/** How far ahead of the database's clock a process's clock may be for decisions, milliseconds. */
export const AHEAD_MS = 1_000;

/** Our SQLSTATE: the caller's clock is ahead of the database's. */
export const CLOCK_AHEAD = 'FC001';
/** Our SQLSTATE: sending is held or paused. */
export const STOPPED = 'FC003';
/** Our SQLSTATE: a newer program has taken over the state. */
export const TAKEN_OVER = 'FC004';

/** The setting of a transaction that tells how long it waited for the head of the chain, seconds. */
export const WAITED = 'fareclerk.waited';

/** The variables of `move_operation` that have the operation's values. */
const MOVED: DoneOperationSql = {
  argsDigest: 'o.args_digest',
  at: 'at',
  tenant: 'o.tenant',
  caller: 'o.caller',
  id: 'of_id',
  locator: 'o.locator',
  tool: 'o.tool',
};

/** SQL of all functions here. */
export const functions = (schema: string): string =>
  [chainFunctions, enterFunction, moveFunction].map((sqlOf) => sqlOf(`${schema}.`)).join('\n');

/**
 * - `hold_chain` locks the head of the chain, which every writer does first, so that writers queue and never wait for each
 *   other in a ring. A commit is on the disk when it returns, whatever the default of the database.
 * - `digest`: the SHA-256 of a text, in hexadecimal digits.
 * - `append_event` adds an event to the chain that `hold_chain` has locked. Returns its link: `{ n, hash }`.
 */
const chainFunctions = (s: string): string => `
create or replace function ${s}hold_chain(at bigint, checked boolean) returns void language plpgsql as $$
declare
  asked timestamptz := clock_timestamp();
begin
  if checked and at > ${CLOCK} + ${AHEAD_MS} then
    raise exception 'the clock of the caller is ahead' using errcode = '${CLOCK_AHEAD}';
  end if;
  if current_setting('synchronous_commit') = 'off' then
    perform set_config('synchronous_commit', 'on', true);
  end if;
  perform set_config('lock_timeout', '5s', true);
  perform 1 from ${s}chain for update;
  perform set_config('${WAITED}', extract(epoch from clock_timestamp() - asked)::text, true);
end $$;

create or replace function ${s}digest(words text) returns text language sql as $$
  select encode(sha256(convert_to(words, 'UTF8')), 'hex')
$$;

create or replace function ${s}append_event(
  of_id text, of_seq bigint, at bigint, was text, is_now text, by_actor text, with_content text
) returns json language plpgsql as $$
declare
  head ${s}chain;
  fresh ${s}event;
begin
  select * into strict head from ${s}chain;
  fresh := (head.n + 1, of_id, of_seq, at, was, is_now, by_actor, with_content, '');
  fresh.hash := ${s}digest(head.hash || '[' || concat_ws(',', ${EVENT_COLUMNS.map((column) => `to_json(fresh.${column})`).join()}) || ']');
  insert into ${s}event values (fresh.*);
  update ${s}chain set n = fresh.n, hash = fresh.hash;
  return json_build_object('n', fresh.n, 'hash', fresh.hash);
end $$;
`;

/**
 * Enters an operation. `birth`: the content of its first event. `per_day` null: no limit. `checked`: the caller's clock
 * must not be ahead of the database's. Returns JSON like InsertResult.
 */
const enterFunction = (s: string): string => `
create or replace function ${s}enter_operation(
  entered json, birth text, per_day bigint, limit_currency text, since bigint, checked boolean, unless_stopped boolean
) returns json language plpgsql as $$
declare
  o ${s}operation;
  other ${s}operation;
  spent bigint;
  held json;
  paused json;
begin
  select * into other from ${s}operation where id = entered->>'id';
  if found then
    return json_build_object('kind', 'exists', 'operation', row_to_json(other));
  end if;
  perform ${s}hold_chain((entered->>'created_at')::bigint, checked);
  if unless_stopped then
    select value::json into held from ${s}meta where key = 'hold';
    select value::json into paused from ${s}meta where key = 'pause';
    if held is not null or paused is not null then
      return json_build_object('kind', 'stopped', 'hold', held, 'pause', paused);
    end if;
  end if;
  o.events := 1;
  o.place := nextval('${s}operation_place');
  o := json_populate_record(o, entered);
  insert into ${s}operation values (o.*) on conflict do nothing;
  if not found then
    select * into other from ${s}operation where id = o.id;
    if found then
      return json_build_object('kind', 'exists', 'operation', row_to_json(other));
    end if;
    select * into other from ${s}operation where locator = o.locator and ${ACTIVE};
    if not found then
      select * into strict other from ${s}operation
        where tenant = o.tenant and fingerprint = o.fingerprint and ${ACTIVE};
    end if;
    return json_build_object('kind', 'busy', 'operation', row_to_json(other));
  end if;
  ${checkDayLimit({ prefix: s, text: jsonField })}
  perform ${s}append_event(o.id, 1, o.created_at, '', o.state, o.owner, birth);
  return json_build_object('kind', 'inserted');
end $$;
`;

/**
 * Moves an operation by compare-and-set: from one of `allowed`, states separated by commas, to `target`. `patch` has the
 * columns to change. Erases the people of a hold that is paid, and of what was not done. Before an act is marked as sent, checks that the program knows the tables (`of_version`), that the
 * journal has the link `seen_n`, `seen_hash` (0: none was seen), and that sending is not stopped.
 * `o.${ACTIVE}` stands for the condition on `o`, because ACTIVE begins with the name of its column.
 */
const moveFunction = (s: string): string => `
create or replace function ${s}move_operation(
  of_id text, allowed text, target text, patch json, at bigint, by_actor text, checked boolean,
  seen_n bigint, seen_hash text, of_version text
) returns json language plpgsql as $$
declare
  o ${s}operation;
  was text;
  link json;
begin
  perform ${s}hold_chain(at, checked);
  if target = 'dispatched' and of_version is distinct from (select value from ${s}meta where key = 'schema_version') then
    raise exception 'a newer program has taken over' using errcode = '${TAKEN_OVER}';
  end if;
  if target = 'dispatched' and seen_n <> 0 and not ${hasLink(s, 'seen_n', 'seen_hash')} then
    return json_build_object('kind', 'behind');
  end if;
  select * into o from ${s}operation where id = of_id for update;
  if not found or o.state <> all (string_to_array(allowed, ',')) then
    return json_build_object('kind', 'unmoved');
  end if;
  if target = 'dispatched' and exists (select from ${s}meta where key in ('hold', 'pause')) then
    raise exception 'sending is stopped' using errcode = '${STOPPED}';
  end if;
  was := o.state;
  o := json_populate_record(o, patch);
  o.state := target;
  o.updated_at := at;
  o.events := o.events + 1;
  if o.${stateIn(NOT_DONE)} then
    o.asked := null;
  end if;
  if not (o.${ACTIVE}) then
    o.named := null;
  end if;
  update ${s}operation set state = o.state, updated_at = o.updated_at, events = o.events, asked = o.asked, named = o.named,
    ${PATCH_COLUMNS.map((column) => `${column} = o.${column}`).join()} where id = of_id;
  link := ${s}append_event(of_id, o.events, at, was, target, by_actor, ${s}digest('[' || concat_ws(',',
    coalesce(to_json(o.locator)::text, 'null'), coalesce(o.dispatched_at::text, 'null'), coalesce(o.outcome, 'null')) || ']'));
  if target = 'succeeded' and o.direction = 'payment' then
    -- The payment waits for nobody: what another process is changing now, the cleaning erases.
    update ${s}operation set asked = null where id in (
      select id from ${s}operation where locator = o.locator and asked is not null for update skip locked);
  end if;
  if target = 'succeeded' then
    ${overtakeSql({ prefix: s, text: jsonField }, MOVED)};
  end if;
  return json_build_object('kind', 'moved', 'link', link,
    'operation', row_to_json(o));
end $$;
`;

/**
 * SQL: parses a column that has JSON as text. PostgreSQL cannot store U+0000 or half a surrogate pair, which JSON can
 * write as an escape, and could read no field of such JSON. So the escape of an unknown character replaces them.
 * `chr(92)` is the backslash, whatever `standard_conforming_strings` says.
 */
function readableJson(column: string): string {
  const odd = "chr(92) || chr(92) || 'u(0000|[dD][89a-fA-F][0-9a-fA-F]{2})'";
  const tame = `regexp_replace(${column}, ${odd}, chr(92) || chr(92) || 'ufffd', 'g')`;
  return `(case when strpos(${column}, chr(92) || 'u') = 0 then ${column} else ${tame} end)`;
}

/** SQL: a field of a JSON column as text or null. */
export const jsonField = (column: string, path: readonly string[]): string =>
  `(${readableJson(column)}::json #>> '{${path.join()}}')`;
