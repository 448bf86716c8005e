/**
 * The writes that must be one transaction, as functions of the database: each is one statement of the client. No
 * transaction is ever left open while a process thinks, sleeps or dies, and a transaction pooler sees one statement.
 *
 * What enters the hash chain is written here as `chain.ts` writes it; `verify` reads it back with that.
 */

/** SQL for a schema. */
export type Migration = (schema: string) => string;

/** The database's clock, milliseconds since 1970. Not `now()`: that is the start of the transaction. */
export const CLOCK = 'floor(extract(epoch from clock_timestamp()) * 1000)::bigint';

/** States in which an operation is active. */
export const ACTIVE = "('intent','dispatched','in_doubt')";

/** A process whose clock is ahead of the database's by more than this may not decide by it, milliseconds. */
export const AHEAD_MS = 1_000;

/** SQLSTATE of our own: the caller's clock is ahead. */
export const CLOCK_AHEAD = 'FC001';

/**
 * The head of the chain is locked first by every writer, so that they queue and never wait for each other in a ring. A
 * commit is on disk when it is told, whatever the default of the database.
 */
export const SHARED: Migration = (s) => `
create function ${s}.hold_chain(at bigint, checked boolean) returns void language plpgsql as $$
begin
  if checked and at > ${CLOCK} + ${AHEAD_MS} then
    raise exception 'the clock of the caller is ahead' using errcode = '${CLOCK_AHEAD}';
  end if;
  if current_setting('synchronous_commit') = 'off' then
    perform set_config('synchronous_commit', 'on', true);
  end if;
  perform set_config('lock_timeout', '5s', true);
  perform 1 from ${s}.chain for update;
end $$;

create function ${s}.append_event(
  of_id text, of_seq integer, at bigint, was text, is_now text, by_actor text, with_content text
) returns void language plpgsql as $$
declare
  head ${s}.chain;
  words text;
  hashed text;
begin
  select * into strict head from ${s}.chain;
  words := '[' || concat_ws(',', head.n + 1, to_json(of_id), of_seq, at, to_json(was), to_json(is_now),
    to_json(by_actor), to_json(with_content)) || ']';
  hashed := encode(sha256(convert_to(head.hash || words, 'UTF8')), 'hex');
  insert into ${s}.event(n, operation_id, seq, at, from_state, to_state, actor, content, hash)
    values (head.n + 1, of_id, of_seq, at, was, is_now, by_actor, with_content, hashed);
  update ${s}.chain set n = head.n + 1, hash = hashed;
end $$;
`;

/** Whose sum, as expressions of SQL. */
type Spender = Readonly<Record<'tenant' | 'caller' | 'currency' | 'since' | 'exceptId', string>>;

/** What a caller has moved: the rows that a day's sum adds up. Part of a migration ({@link ENTER}), and so never changed. */
export function spentBy(s: string, by: Spender): string {
  return `from ${s}.operation
      where tenant = ${by.tenant} and caller = ${by.caller} and currency = ${by.currency} and created_at >= ${by.since}
      and id <> ${by.exceptId} and state not in ('not_executed', 'refused')`;
}

const ENTERING: Spender = {
  tenant: 'o.tenant',
  caller: 'o.caller',
  currency: 'limit_currency',
  since: 'since',
  exceptId: 'o.id',
};

/** `per_day` null: no limit. The answer is what InsertResult says, in columns. */
export const ENTER: Migration = (s) => `
create function ${s}.enter_operation(
  entered json, birth text, per_day bigint, limit_currency text, since bigint, checked boolean
) returns json language plpgsql as $$
declare
  o ${s}.operation;
  other ${s}.operation;
  spent bigint;
begin
  select * into other from ${s}.operation where id = entered->>'id';
  if found then
    return json_build_object('kind', 'exists', 'operation', row_to_json(other));
  end if;
  perform ${s}.hold_chain((entered->>'created_at')::bigint, checked);
  o.negatives := 0;
  o.events := 1;
  o.place := nextval('${s}.operation_place');
  o := json_populate_record(o, entered);
  insert into ${s}.operation values (o.*) on conflict do nothing;
  if not found then
    return ${s}.told_apart(o);
  end if;
  if per_day is not null and coalesce(o.amount_minor, 0) <> 0 then
    select coalesce(sum(amount_minor), 0) into spent ${spentBy(s, ENTERING)};
    if o.currency is distinct from limit_currency or spent + o.amount_minor > per_day then
      delete from ${s}.operation where id = o.id;
      return json_build_object('kind', 'over_limit', 'spent', spent);
    end if;
  end if;
  perform ${s}.append_event(o.id, 1, o.created_at, '', o.state, o.owner, birth);
  return json_build_object('kind', 'inserted');
end $$;

create function ${s}.told_apart(o ${s}.operation) returns json language plpgsql as $$
declare
  other ${s}.operation;
begin
  select * into other from ${s}.operation where id = o.id;
  if found then
    return json_build_object('kind', 'exists', 'operation', row_to_json(other));
  end if;
  select * into other from ${s}.operation where tenant = o.tenant and locator = o.locator and state in ${ACTIVE};
  if not found then
    select * into strict other from ${s}.operation
      where tenant = o.tenant and fingerprint = o.fingerprint and state in ${ACTIVE};
  end if;
  return json_build_object('kind', 'busy', 'operation', row_to_json(other));
end $$;
`;

/**
 * A booking takes one operation at a time, whoever's: tenants share the airline, and the agency's login there. A trigger
 * and no unique index: two tenants may each have one active in a journal from before, and both are to come to an end.
 * Whoever enters an operation holds the chain, so that all others are seen.
 */
export const ONE_FOR_ALL_TENANTS: Migration = (s) => `
drop index ${s}.op_one_active_loc;
create index op_active_loc on ${s}.operation(locator) where locator is not null and state in ${ACTIVE};
create function ${s}.booking_takes_one() returns trigger language plpgsql as $$
begin
  if exists (select 1 from ${s}.operation where locator = new.locator and state in ${ACTIVE}) then
    return null;
  end if;
  return new;
end $$;
create trigger booking_takes_one before insert on ${s}.operation
  for each row when (new.state in ${ACTIVE}) execute function ${s}.booking_takes_one();

create or replace function ${s}.told_apart(o ${s}.operation) returns json language plpgsql as $$
declare
  other ${s}.operation;
begin
  select * into other from ${s}.operation where id = o.id;
  if found then
    return json_build_object('kind', 'exists', 'operation', row_to_json(other));
  end if;
  select * into other from ${s}.operation where locator = o.locator and state in ${ACTIVE};
  if not found then
    select * into strict other from ${s}.operation
      where tenant = o.tenant and fingerprint = o.fingerprint and state in ${ACTIVE};
  end if;
  return json_build_object('kind', 'busy', 'operation', row_to_json(other));
end $$;
`;

/** Compare-and-set. `allowed`: states with commas between. */
export const MOVE: Migration = (s) => `
create function ${s}.move_operation(
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
`;

/** Counts a try; null, or when the oldest of `most` was made. One caller's tries queue. */
export const TRIES: Migration = (s) => `
create function ${s}.begin_try(
  of_tenant text, of_caller text, try_id text, at_ms bigint, since bigint, most integer
) returns bigint language plpgsql as $$
declare
  counted bigint;
  oldest bigint;
begin
  perform pg_advisory_xact_lock(hashtextextended(of_tenant || chr(10) || of_caller, 7211));
  delete from ${s}.claim_try where tenant = of_tenant and caller = of_caller and at <= since;
  select count(*), min(at) into counted, oldest from ${s}.claim_try where tenant = of_tenant and caller = of_caller;
  if counted > 0 and counted >= most then
    return oldest;
  end if;
  insert into ${s}.claim_try(id, tenant, caller, at) values (try_id, of_tenant, of_caller, at_ms);
  return null;
end $$;
`;
