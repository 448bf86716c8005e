/**
 * SQL functions for writes that must be one transaction: each is one statement of the client. So no transaction stays
 * open while a process works, sleeps or dies, and a transaction pooler sees only one statement.
 *
 * These functions write the hash chain exactly as journal/hash-chain.ts does, with which `verify` checks it.
 */
import {
  APPROVAL_COLUMNS,
  countReplacedSql,
  type DoneOperationSql,
  type OpenAboutSql,
  openAboutSql,
  overtakeSql,
  type QuestionSql,
  type ReplacedSql,
  replaceSql,
} from '../approvals.ts';
import { ACTIVE, stateIn } from '../database.ts';
import { checkDayLimit } from '../journal/day-limit.ts';
import { EVENT_COLUMNS, PATCH_COLUMNS } from '../journal/hash-chain.ts';
import { hasLink } from '../journal/journal-chain.ts';
import { NOT_DONE } from '../journal/operations.ts';
import { ASKED_BEFORE } from '../plans.ts';
import { WAITING } from '../tables.ts';

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

/** Kinds of advisory locks on one caller or person. Locks of different kinds do not conflict. */
const TRIES_LOCK = 7211;
const QUESTIONS_LOCK = 7212;

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

/** The variables of `too_often` that tell whose replaced questions are counted. */
const ASKED: ReplacedSql = { topic: 'of_topic', tenant: 'q.tenant', caller: 'q.caller', since: 'since' };

/** SQL of all functions here. */
export const functions = (schema: string): string =>
  [chainFunctions, enterFunction, moveFunction, noteFunctions, tryFunction, openFunctions, askFunction, askPlanFunction]
    .map((sqlOf) => sqlOf(`${schema}.`))
    .join('\n');

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
 * journal is `of_journal` and has the link `seen_n`, `seen_hash` (0: none was seen), and that sending is not stopped.
 * `o.${ACTIVE}` stands for the condition on `o`, because ACTIVE begins with the name of its column.
 */
const moveFunction = (s: string): string => `
create or replace function ${s}move_operation(
  of_id text, allowed text, target text, patch json, at bigint, by_actor text, checked boolean,
  of_journal text, seen_n bigint, seen_hash text, of_version text
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
  if target = 'dispatched' and (
    of_journal is distinct from (select value from ${s}meta where key = 'journal_id')
    or seen_n <> 0 and not ${hasLink(s, 'seen_n', 'seen_hash')}
  ) then
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
    ${overtakeSql(s, MOVED, bodyField)};
  end if;
  return json_build_object('kind', 'moved', 'link', link,
    'operation', row_to_json(o));
end $$;
`;

/**
 * Holds or pauses all sending, or ends a hold or pause. Lost links cause a hold, an operator causes a pause. The table at
 * `Changed` (journal/journal-chain.ts) has the rules. `links`: how many must be lost; a hold with a number is forced. A
 * hold also deletes the details of travellers, even if sending is held already, but not if the result is `known`: those
 * of an older copy may have been used or erased meanwhile.
 */
const noteFunctions = (s: string): string => `
create or replace function ${s}add_note(step text, by_actor text, at bigint, body text) returns json language plpgsql as $$
declare
  last ${s}event;
  link json;
begin
  select * into last from ${s}event where operation_id = '' order by seq desc limit 1;
  link := ${s}append_event('', coalesce(last.seq, 0) + 1, at, coalesce(last.to_state, ''), step, by_actor, ${s}digest(body));
  insert into ${s}note(n, body) values ((link->>'n')::bigint, body);
  return link;
end $$;

create or replace function ${s}change_journal(step text, by_actor text, at bigint, body text, links bigint) returns text
language plpgsql as $$
declare
  of_key text := case when step in ('held', 'restored') then 'hold' else 'pause' end;
  before text;
  lost bigint;
begin
  perform ${s}hold_chain(at, false);
  select value into before from ${s}meta where key = of_key;
  select count(*) into lost from ${s}lost where recovered_at is null;
  if step = 'held' and lost = 0 and links is null then
    return 'known';
  end if;
  if step = 'held' then
    delete from ${s}details;
  end if;
  if step = 'held' and before is not null or step in ('restored', 'resumed') and before is null
    or step = 'restored' and lost <> links then
    return 'unchanged';
  end if;
  if step = 'restored' then
    update ${s}lost l set recovered_at = at, body = case when l.body is null then null else '' end where l.recovered_at is null;
  end if;
  body := coalesce(body, before);
  delete from ${s}meta where key = of_key;
  if step in ('held', 'paused') then
    insert into ${s}meta(key, value) values (of_key, body);
  end if;
  perform ${s}add_note(step, by_actor, at, body);
  return 'done';
end $$;
`;

/** Counts a try and returns null, or returns when the oldest of `most` tries was made. Tries of one caller queue. */
const tryFunction = (s: string): string => `
create or replace function ${s}begin_try(
  of_tenant text, of_caller text, try_id text, at_ms bigint, since bigint, most integer
) returns bigint language plpgsql as $$
declare
  counted bigint;
  oldest bigint;
begin
  perform pg_advisory_xact_lock(hashtextextended(of_tenant || chr(10) || of_caller, ${TRIES_LOCK}));
  delete from ${s}claim_try where tenant = of_tenant and caller = of_caller and at <= since;
  select count(*), min(at) into counted, oldest from ${s}claim_try where tenant = of_tenant and caller = of_caller;
  if counted > 0 and counted >= most then
    return oldest;
  end if;
  insert into ${s}claim_try(id, tenant, caller, at) values (try_id, of_tenant, of_caller, at_ms);
  return null;
end $$;
`;

/** SQL of a field of an approval's body. */
const bodyField = (name: string, of = ''): string => `${of}body::json->>'${name}'`;

/** SQL: whether the open question `older` has the new one's digest of this name. */
const isEqual = (name: string): string => `(${bodyField(name, 'older.')} = ${bodyField(name, 'q.')})`;

const QUESTIONS: QuestionSql = {
  field: bodyField,
  list: (json) => `json_array_elements_text((${json})::json)`,
  place: 'place',
  unindexed: '',
};

/** The parameters of `open_about`. */
const OPEN_ABOUT: OpenAboutSql = {
  tenant: 'of_tenant',
  caller: 'of_caller',
  at: 'at_ms',
  locators: 'of_locators',
  tools: 'of_tools',
  plan: 'of_plan',
};

/**
 * What `ask_question` and `ask_plan` share:
 *
 * - `open_about`: a JSON list of the caller's open questions about acts that decide a booking, as rows.
 * - `hold_open`: the same, after their answers have come or must wait until this transaction is over.
 * - `too_often`: the answer if one of the topics was replaced too often to replace what is open. Null: it may be.
 * - `replace_open`: replaces these questions by `q`.
 */
const openFunctions = (s: string): string => `
create or replace function ${s}open_about(
  of_tenant text, of_caller text, at_ms bigint, of_locators text, of_tools text, of_plan text
) returns json language sql as $$
  select coalesce(json_agg(row_to_json(found)), '[]') from (${openAboutSql(s, OPEN_ABOUT, QUESTIONS)}) found
$$;

create or replace function ${s}hold_open(q ${s}approval, of_locators text, of_tools text) returns json
language plpgsql as $$
begin
  perform 1 from ${s}approval where operation_id in (
    select value->>'operation_id'
    from json_array_elements(${s}open_about(q.tenant, q.caller, q.created_at, of_locators, of_tools, q.plan)))
    order by operation_id for update;
  return ${s}open_about(q.tenant, q.caller, q.created_at, of_locators, of_tools, q.plan);
end $$;

create or replace function ${s}too_often(
  q ${s}approval, open_now json, topics text, until bigint, most_replaced bigint, since bigint
) returns json language plpgsql as $$
declare
  other json;
  of_topic text;
  counted bigint;
  oldest bigint;
begin
  for of_topic in select value from json_array_elements_text(topics::json) loop
    -- One expires later where the clock was set back after it was asked: nobody can answer it now.
    select value into other from json_array_elements(open_now) where (value->>'expires_at')::bigint <= until
      and (value->>'tool' <> q.tool or ${bodyField('argsDigest', 'q.')} <> (value->>'body')::json->>'argsDigest')
      and (of_topic = value->>'topic' or of_topic = (value->>'body')::json->>'locator'
        or of_topic = any (string_to_array(value->>'locators', chr(10)))) limit 1;
    continue when other is null;
    ${countReplacedSql(s, ASKED, QUESTIONS).replace('as count, min(gone.decided_at) as oldest from gone', 'as count, min(gone.decided_at) as oldest into counted, oldest from gone')};
    if counted >= most_replaced then
      return json_build_object('kind', 'replaced_too_often', 'open', other, 'oldest', oldest);
    end if;
  end loop;
  return null;
end $$;

create or replace function ${s}replace_open(q ${s}approval, open_now json) returns void language plpgsql as $$
declare
  ids text := (select json_agg(value->>'operation_id') from json_array_elements(open_now))::text;
begin
  ${replaceSql(s, QUESTIONS.list, { ids: 'ids', by: 'q.operation_id', at: 'q.created_at' })};
end $$;
`;

/**
 * Enters a question, finds the same one, or replaces those about the same topic. One person's questions queue. `person`:
 * the caller without an application, `oauth:ann`; so the callers `oauth:ann` and `oauth:ann:desk` are one person.
 * `deciding`: a JSON list of the tools whose questions about a booking replace one another.
 */
const askFunction = (s: string): string => `
drop function if exists ${s}ask_question(json, text, bigint, bigint, bigint, bigint);
create or replace function ${s}ask_question(
  entered json, person text, until bigint, most_open bigint, most_replaced bigint, since bigint, deciding text
) returns json language plpgsql as $$
declare
  q ${s}approval;
  older ${s}approval;
  open_now json := '[]';
  refused json;
  counted bigint;
begin
  q := json_populate_record(null::${s}approval, entered);
  perform pg_advisory_xact_lock(hashtextextended(q.tenant || chr(10) || person, ${QUESTIONS_LOCK}));
  select * into older from ${s}approval where topic = q.topic and tool = q.tool
    and tenant = q.tenant and caller = q.caller and decision = 'pending' for update;
  if found and older.expires_at <= q.created_at then
    update ${s}approval set topic = null where handle_hash = older.handle_hash;
    older := null;
  end if;
  if older.expires_at <= until and ${isEqual('argsDigest')} and ${isEqual('termsDigest')} then
    return json_build_object('kind', 'found', 'open', row_to_json(older));
  end if;
  if q.topic is not null and q.tool in (select value from json_array_elements_text(deciding::json)) then
    open_now := ${s}hold_open(q, json_build_array(q.topic)::text, deciding);
  elsif older.handle_hash is not null then
    open_now := json_build_array(row_to_json(older));
  end if;
  if json_array_length(open_now) = 0 then
    select count(*) into counted from ${s}approval where tenant = q.tenant
      and (caller = person or strpos(caller, person || ':') = 1) and ${WAITING} and expires_at > q.created_at;
    if counted >= most_open then
      return json_build_object('kind', 'too_many_open');
    end if;
  end if;
  refused := ${s}too_often(q, open_now, json_build_array(q.topic)::text, until, most_replaced, since);
  if refused is not null then
    return refused;
  end if;
  perform ${s}replace_open(q, open_now);
  insert into ${s}approval(${APPROVAL_COLUMNS.join()})
    select ${APPROVAL_COLUMNS.map((column) => `q.${column}`).join()};
  return json_build_object('kind', 'asked', 'replaced', open_now);
end $$;
`;

/**
 * Asks a plan's question in place of the one before, and of what is open about the bookings that it decides (`booked`).
 * Nothing changes if the plan's question and its decision are no longer those before.
 */
const askPlanFunction = (s: string): string => `
create or replace function ${s}ask_plan(
  asked json, rows json, person text, question_before text, decision_before text,
  until bigint, most_replaced bigint, since bigint, deciding text, booked text
) returns json language plpgsql as $$
declare
  q ${s}approval := json_populate_record(null::${s}approval, rows->0);
  open_now json;
  refused json;
begin
  perform pg_advisory_xact_lock(hashtextextended(q.tenant || chr(10) || person, ${QUESTIONS_LOCK}));
  perform 1 from ${s}plan p where p.id = q.plan and p.question is not distinct from question_before for update;
  if not found then
    return json_build_object('kind', 'meanwhile');
  end if;
  perform 1 from ${s}approval where operation_id = question_before for update;
  if (select decision from ${s}approval where operation_id = question_before) is distinct from decision_before then
    return json_build_object('kind', 'meanwhile');
  end if;
  open_now := ${s}hold_open(q, booked, deciding);
  refused := ${s}too_often(q, open_now, booked, until, most_replaced, since);
  if refused is not null then
    return refused;
  end if;
  update ${s}plan set question = asked->>'question', expires_at = (asked->>'expires_at')::bigint,
    body = asked->>'body', stopped_at = null where id = q.plan;
  update ${s}approval set decision = 'void', carried = null
    where ${ASKED_BEFORE.replace('?', 'q.plan')};
  perform ${s}replace_open(q, open_now);
  insert into ${s}approval(${APPROVAL_COLUMNS.join()})
    select ${APPROVAL_COLUMNS.map((column) => `fresh.${column}`).join()}
    from json_populate_recordset(null::${s}approval, rows) fresh;
  return json_build_object('kind', 'asked', 'replaced', open_now);
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
