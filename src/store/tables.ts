/**
 * The tables of a state, as both databases have them. Every change here, in event-triggers.ts, sqlite/schema.ts or
 * postgres/schema.ts needs a new {@link SCHEMA_VERSION} and a migration to it (migrations.ts). After the
 * conditions that several stores use, each function here makes what one subject needs.
 */

import { ACTIVE, ENTERED, OPEN, SPLIT, TRIP_OF_FINGERPRINT } from './database.ts';

export const SCHEMA_VERSION = 26;

/** The hash before that of the first event. */
export const NO_EVENT_YET = '0'.repeat(64);

/** Tables of present and of past bookings: a figure of a closed period needs both. */
export const LEDGERS = ['booking', 'past_booking'] as const;

/** The condition of questions to people. Leaves out steps of plans that the plan's question decides. */
export const QUESTION = '(plan is null or plan_alone = 1)';

/** The condition of questions that wait for an answer. */
export const WAITING = `decision = 'pending' and ${QUESTION}`;

/** The words in which the two databases differ when tables are made. */
export interface TableSyntax {
  /** Precedes the name of a table: empty, or the schema and a dot. */
  readonly prefix: string;
  /** The type of a whole number of 64 bits. */
  readonly int: string;
  /** Precedes `table` for rows that no log or copy of the server may have. A crash empties such a table. */
  readonly unlogged: string;
  /** The type of a key that numbers rows in the order of their entry. Numbers are never reused. */
  readonly numbered: string;
  /** SQL expression of the database's clock, milliseconds since 1970. */
  readonly clock: string;
  /** The type of a text that is compared byte by byte. */
  readonly key: string;
  /** Ends a table's definition. */
  readonly end: string;
  /** Ends the definition of a table that is only read by its key. */
  readonly endKeyed: string;
}

/** Facts about the state as a whole, by name. */
export function metaTable({ prefix: s, endKeyed }: TableSyntax): string {
  return `create table if not exists ${s}meta (key text primary key, value text not null) ${endKeyed};`;
}

export function tablesSql(syntax: TableSyntax): string {
  return [
    operationTables(syntax),
    journalTables(syntax),
    approvalTable(syntax),
    planTable(syntax),
    detailsTable(syntax),
    cardTable(syntax),
    offerTable(syntax),
    ledgerTable(syntax),
    claimTables(syntax),
    ticketKeyTable(syntax),
    leaseTable(syntax),
    loginTable(syntax),
    eventTables(syntax),
    watchingTables(syntax),
    pastTables(syntax),
    customerTable(syntax),
    failureTable(syntax),
  ].join('\n');
}

/**
 * Operations. `negatives` counts readings in a row: above zero those that showed it
 * not done, below zero those that showed nothing. A trigger of each database, and no unique index, admits one active
 * operation of a booking, whoever's: tenants share the airline, and an operation may learn its locator while it is
 * active. `op_open` has tenant and caller, so that few rows are read. `op_entered_…` are for operations whose travellers
 * entered details on the details page, and that no booking finds. `asked`: the people of a hold as salted digests.
 * `reason`: why the customer cancels. `customer`: the desk's key of the customer for a hold, until the table of keys has
 * it. All three are erased. `named`: the locators that a reply named, while the operation is active.
 */
function operationTables({ prefix: s, int, key, end }: TableSyntax): string {
  return `
create table ${s}operation (
  id ${key} primary key,
  tenant text not null, caller text not null, tool text not null,
  locator text, fingerprint text, supersedes text,
  state text not null, outcome text, remark text,
  assurance text not null, approved_by text,
  args_digest text not null, terms_digest text not null, subject text not null,
  amount_minor ${int}, currency text, direction text,
  created_at ${int} not null, updated_at ${int} not null, dispatched_at ${int},
  owner text not null, lease_until ${int} not null,
  negatives ${int} not null, last_read_at ${int}, failing_since ${int},
  trace text, plan text, facts text, asked text, reason text, customer text, named text
) ${end};
create index op_active on ${s}operation(locator) where ${ACTIVE};
create unique index op_one_active_fp on ${s}operation(tenant, fingerprint) where fingerprint is not null and ${ACTIVE};
create index op_with_person on ${s}operation(updated_at) where state = 'needs_person';
create index op_open on ${s}operation(created_at, tenant, caller) where ${OPEN};
create index op_entered_unnamed on ${s}operation(state) where ${ENTERED} and locator is null;
create index op_entered_split on ${s}operation(state) where ${ENTERED} and ${SPLIT};
create index op_by_caller on ${s}operation(tenant, caller, created_at);
create index op_by_currency on ${s}operation(tenant, caller, currency, created_at) where currency is not null;
create index op_by_time on ${s}operation(created_at);
create index op_by_locator on ${s}operation(tenant, locator, created_at);
create index op_by_plan on ${s}operation(plan) where plan is not null;
create index op_by_trip on ${s}operation(tenant, ${TRIP_OF_FINGERPRINT}) where fingerprint is not null;
create index op_asked on ${s}operation(locator) where asked is not null;
create index op_reason on ${s}operation(locator) where reason is not null;
create index op_customer on ${s}operation(tenant, customer) where customer is not null;`;
}

/**
 * The chain of events. Events of the journal as a whole have their words in `note`. `lost` has the links that were seen
 * before and that this journal lacks.
 */
function journalTables({ prefix: s, int, key, end }: TableSyntax): string {
  return `
create table ${s}chain (single ${int} primary key default 1 check (single = 1), n ${int} not null, hash text not null) ${end};
insert into ${s}chain(n, hash) values (0, '${NO_EVENT_YET}');

create table ${s}event (
  n ${int} primary key,
  operation_id ${key} not null, seq ${int} not null,
  at ${int} not null,
  from_state text not null, to_state text not null,
  actor text not null,
  content text not null,
  hash text not null,
  unique (operation_id, seq)
) ${end};
create table ${s}note (n ${int} primary key, body text not null) ${end};
create table ${s}lost (
  n ${int} not null, hash text not null,
  body text,
  noticed_at ${int} not null, recovered_at ${int},
  primary key (n, hash)
) ${end};
create index lost_open on ${s}lost(noticed_at) where recovered_at is null;`;
}

/**
 * Questions to people, with their answers. `void_why` says why nothing can come of one any more, `void_lines` in
 * words, `carried` what any process needs to carry it out (erased once spent), and `told_at` when the caller first learned the outcome.
 * `topic` is the booking that one open question of a caller and tool may be about, even if two calls ask at once. `plan_alone` is 1 for the
 * question of a plan.
 */
function approvalTable({ prefix: s, int, key, end }: TableSyntax): string {
  return `
create table ${s}approval (
  handle_hash ${key} primary key,
  operation_id ${key} not null unique,
  tenant text not null, caller text not null,
  decision text not null, asked_by text not null, assurance text, approver text,
  created_at ${int} not null, expires_at ${int} not null, decided_at ${int}, told_at ${int},
  void_why text, void_lines text, carried text, terms text, trace text,
  plan ${key}, plan_question text, plan_line ${int}, plan_step ${int}, plan_alone ${int},
  body text not null,
  topic ${key}, tool text, replaced_by text,
  amount_minor ${int}, currency text, direction text
) ${end};
create index approval_by_end on ${s}approval(expires_at);
create index approval_waiting on ${s}approval(expires_at, tenant, caller, decision, plan, plan_alone) where ${WAITING};
create index approval_of_plan on ${s}approval(plan) where plan is not null;
create index approval_with_names on ${s}approval(expires_at) where carried is not null or terms is not null;
create unique index approval_one_open on ${s}approval(topic, tool, tenant, caller) where decision = 'pending';`;
}

/** Proposed plans. The outcome of their steps is in their approvals and the journal. */
function planTable({ prefix: s, int, key, end }: TableSyntax): string {
  return `
create table ${s}plan (
  id ${key} primary key,
  tenant text not null, caller text not null,
  created_at ${int} not null, expires_at ${int} not null, stopped_at ${int},
  question text,
  body text
) ${end};
create index plan_by_end on ${s}plan(expires_at);
create index plan_kept on ${s}plan(tenant, caller) where body is not null;`;
}

/**
 * Forms that travellers fill in on the details page, and how many cards each has and had (details.ts). `closed_at`: when an
 * upgrade closed it, because the offer that it was opened for is gone.
 */
function detailsTable({ prefix: s, int, key, end }: TableSyntax): string {
  return `
create table ${s}details (
  id_hash ${key} primary key,
  tenant text not null, caller text not null, tool text not null, args_digest text not null, locator text,
  created_at ${int} not null, expires_at ${int} not null,
  operation_id text, used_digest text,
  form text not null,
  asked ${int} not null, entered ${int} not null default 0, closed_at ${int}
) ${end};
create index details_by_end on ${s}details(expires_at);
create index details_of_caller on ${s}details(tenant, caller);`;
}

/**
 * Sealed cards of details forms, by their place in the form from 0. They go with their form. Not `without rowid`: there SQLite
 * leaves copies of rows that it moved in unused parts of its pages, which `secure_delete` does not overwrite.
 */
export function cardTable({ prefix: s, int, key, end, unlogged }: TableSyntax): string {
  return `
create ${unlogged}table ${s}card (
  id_hash ${key} not null references ${s}details(id_hash) on delete cascade,
  place ${int} not null,
  sealed text not null,
  primary key (id_hash, place)
) ${end};`;
}

/** Rows of offers shown together, which a search keeps for an hour. Not in the order of their key: it is random, and rows are long. */
export function offerTable({ prefix: s, int, end }: TableSyntax): string {
  return `
create table ${s}offer (
  tenant text not null, handle text not null,
  shown_at ${int} not null,
  body text not null,
  primary key (tenant, handle)
) ${end};
create index offer_by_age on ${s}offer(shown_at);`;
}

/**
 * The bookings that a caller made or read. `over_at`: when its last departure is over. `booking_by_seen` has all that a
 * search compares, so that it reads no row but those found; `booking_of_desk` and `booking_due_of_desk` have it for the
 * whole desk.
 */
function ledgerTable({ prefix: s, int, key, endKeyed }: TableSyntax): string {
  return `
create table ${s}booking (
  tenant text not null, caller text not null, locator ${key} not null,
  made_here ${int} not null, seen_at ${int} not null,
  state text not null,
  deadline_at ${int}, pay_by_at ${int}, names_until_at ${int}, over_at ${int} not null,
  search text not null,
  body text not null,
  people text not null default '',
  primary key (tenant, caller, locator)
) ${endKeyed};
create index booking_by_seen on ${s}booking(tenant, caller, seen_at desc, locator, state, search);
create index booking_by_deadline on ${s}booking(tenant, caller, deadline_at, locator);
create index booking_by_pay_by on ${s}booking(pay_by_at) where pay_by_at is not null;
create index booking_by_names_until on ${s}booking(names_until_at) where names_until_at is not null;
create index booking_by_end on ${s}booking(over_at);
create index booking_of_desk on ${s}booking(tenant, seen_at desc, locator, caller, state, search);
create index booking_due_of_desk on ${s}booking(tenant, deadline_at, locator, caller, state, search) where deadline_at is not null;
create index booking_by_locator on ${s}booking(locator, tenant, seen_at, caller);`;
}

/** The bookings that a caller proved to be theirs, and the tries to prove it. */
function claimTables({ prefix: s, int, endKeyed }: TableSyntax): string {
  return `
create table ${s}claim (
  tenant text not null, caller text not null, locator text not null,
  at ${int} not null,
  primary key (tenant, caller, locator)
) ${endKeyed};
create index claim_by_age on ${s}claim(at);
create table ${s}claim_try (id text primary key, tenant text not null, caller text not null, at ${int} not null) ${endKeyed};
create index claim_try_by_caller on ${s}claim_try(tenant, caller, at);
create index claim_try_by_age on ${s}claim_try(at);`;
}

/** Keys of one-time addresses for tickets. */
function ticketKeyTable({ prefix: s, int, key, endKeyed }: TableSyntax): string {
  return `
create table ${s}ticket_key (hash ${key} primary key, expires_at ${int} not null, body text not null) ${endKeyed};
create index ticket_key_by_age on ${s}ticket_key(expires_at);`;
}

/** Work that one process at a time does, and the programs that work with the state. */
function leaseTable({ prefix: s, int, key, endKeyed }: TableSyntax): string {
  return `
create table ${s}lease (name ${key} primary key, owner text not null, lease_until ${int} not null) ${endKeyed};`;
}

/** The airline's access token of each login, sealed. */
export function loginTable({ prefix: s, int, key, endKeyed }: TableSyntax): string {
  return `
create table ${s}login (name ${key} primary key, token text not null, stored_at ${int} not null) ${endKeyed};`;
}

/**
 * Bookings that are read again, with the last reading, and what such readings found. `reading_at` binds a reading to
 * the one before it. `departs_at` closes a finding; null: no departure does.
 */
function watchingTables({ prefix: s, int, key, endKeyed }: TableSyntax): string {
  return `
create table ${s}watch (
  tenant text not null, locator ${key} not null, caller text not null,
  read_at ${int} not null, next_at ${int},
  reading_at ${int} not null, reading text,
  primary key (tenant, locator)
) ${endKeyed};
create index watch_due on ${s}watch(next_at) where next_at is not null;
create index watch_due_of_tenant on ${s}watch(tenant, next_at, locator) where next_at is not null;

create table ${s}finding (
  id ${key} primary key,
  tenant text not null, locator ${key} not null, kind text not null, route text,
  seen_at ${int} not null, departs_at ${int},
  closed_at ${int}, closed_by text,
  body text not null
) ${endKeyed};
create index finding_open on ${s}finding(tenant, seen_at) where closed_at is null;
create index finding_by_time on ${s}finding(tenant, seen_at);
create index finding_by_locator on ${s}finding(locator);`;
}

/**
 * Events for other systems, and which address has received which. `written_at` is when the row got its number, by the
 * database's clock; `at` is when the reported change happened. `webhook` has an address by its digest, because an
 * address may contain a key. `delivery` repeats the columns that order events, so that one look finds the first of each
 * booking.
 */
function eventTables({ prefix: s, int, key, end, endKeyed, numbered, clock }: TableSyntax): string {
  return `
create table ${s}outbox (
  n ${numbered},
  id ${key} not null unique, type text not null,
  at ${int} not null, written_at ${int} not null default (${clock}),
  tenant text not null, caller text, tool text, locator text, operation_id text, finding_id text,
  kind text, due_at ${int}
) ${end};
create index outbox_by_age on ${s}outbox(at);

create table ${s}webhook (receiver ${key} primary key, up_to ${int} not null, stopped_at ${int}) ${endKeyed};

create table ${s}delivery (
  n ${int} not null references ${s}outbox(n) on delete cascade, receiver ${key} not null,
  locator text, operation_id text,
  state text not null,
  tries ${int} not null, next_at ${int} not null, failed_at ${int}, said text,
  primary key (n, receiver)
) ${endKeyed};
create index delivery_due on ${s}delivery(receiver, next_at, n) where state = 'waiting';
create index delivery_of_booking on ${s}delivery(receiver, locator, n) where state = 'waiting';
create index delivery_of_operation on ${s}delivery(receiver, operation_id, n) where state = 'waiting';
create index delivery_dead on ${s}delivery(n) where state = 'dead';`;
}

/**
 * What figures of closed periods need of questions and bookings that are long over, as long as the journal: nobody's
 * name, document or words. `asked_at`: when the question was entered.
 */
function pastTables({ prefix: s, int, key, endKeyed }: TableSyntax): string {
  return `
create table ${s}past_question (
  operation_id ${key} primary key,
  tenant text not null, caller text not null, tool text not null, locator text, plan text,
  asked_by text not null, asked_at ${int} not null, expires_at ${int} not null,
  decision text not null, decided_at ${int}, assurance text, approver text,
  amount_minor ${int}, currency text, direction text
) ${endKeyed};
create index past_question_by_time on ${s}past_question(tenant, asked_at, caller, approver);

create table ${s}past_booking (
  tenant text not null, caller text not null, locator ${key} not null,
  made_here ${int} not null, seen_at ${int} not null,
  state text not null,
  pay_by_at ${int}, over_at ${int} not null,
  body text not null,
  primary key (tenant, caller, locator)
) ${endKeyed};
create index past_booking_by_locator on ${s}past_booking(locator, tenant, seen_at, caller);
create index past_booking_by_seen on ${s}past_booking(tenant, seen_at);
create index past_booking_by_end on ${s}past_booking(tenant, over_at);`;
}

/**
 * The desk's own keys of the customers of bookings, present and past. `booking`: short keyed digests of what tells the
 * bookings of one locator apart (customers.ts).
 */
export function customerTable({ prefix: s, int, key, endKeyed }: TableSyntax): string {
  return `
create table ${s}customer (
  tenant text not null, locator ${key} not null, booking ${key} not null,
  key ${key} not null, set_by text not null, at ${int} not null,
  primary key (tenant, locator, booking)
) ${endKeyed};
create index customer_by_key on ${s}customer(tenant, key);`;
}

/**
 * Why calls failed, by hour (its start, milliseconds since 1970): for 30 days. All programs add to the same rows, of which there are
 * few however many programs start.
 */
function failureTable({ prefix: s, int, endKeyed }: TableSyntax): string {
  return `
create table ${s}failure (
  tenant text not null, caller text not null, tool text not null, code text not null, hour ${int} not null,
  calls ${int} not null, last_at ${int} not null,
  primary key (tenant, caller, tool, code, hour)
) ${endKeyed};
create index failure_by_hour on ${s}failure(hour, tenant);`;
}
