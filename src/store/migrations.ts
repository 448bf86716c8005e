/** How the tables of an earlier version become those of this one: the step of each version, and all steps from one to the present. */
import { cardTable, customerTable, loginTable, offerTable, SCHEMA_VERSION, type TableSyntax } from './tables.ts';

/**
 * SQL for both databases, by the version that it makes. A program runs it at its start, in one transaction. On SQLite
 * it first copies the file. No program of an earlier version may be using the state.
 *
 * A step that calls a builder of tables.ts makes the table in its present form. Before you change such a builder, write
 * its old SQL out here. `test/support/next-version.ts` has an example of a step. `now` is an SQL expression, milliseconds
 * since 1970.
 */
const MIGRATIONS: Readonly<Record<number, (syntax: TableSyntax, now: string) => string>> = {
  21: ({ prefix: s }) => `alter table ${s}operation add column asked text;
create index op_asked on ${s}operation(locator) where asked is not null;`,

  22: ({ prefix: s }) => `alter table ${s}operation add column reason text;
create index op_reason on ${s}operation(locator) where reason is not null;`,

  23: (syntax) => `alter table ${syntax.prefix}operation add column customer text;
create index op_customer on ${syntax.prefix}operation(tenant, customer) where customer is not null;
${customerTable(syntax)}`,

  24: ({ prefix: s }) => `drop index if exists ${s}booking_unpaid;
drop index if exists ${s}past_booking_unpaid;`,

  25: (syntax) => `drop table if exists ${syntax.prefix}login;
${loginTable(syntax)}
alter table ${syntax.prefix}operation add column named text;
drop table ${syntax.prefix}reply;
drop table if exists ${syntax.prefix}unseen_dialog;
drop table ${syntax.prefix}airline_hour;
drop table if exists ${syntax.prefix}forgotten;
drop table if exists ${syntax.prefix}form_key;
alter table ${syntax.prefix}details add column entered ${syntax.int} not null default 0;
update ${syntax.prefix}details set entered = length(cards) - length(replace(cards, '\n', ''));
alter table ${syntax.prefix}details drop column cards;
drop index if exists ${syntax.prefix}approval_replaced;
drop index ${syntax.prefix}past_question_by_time;
create index past_question_by_time on ${syntax.prefix}past_question(tenant, asked_at, caller, approver);
${cardTable(syntax)}
drop table ${syntax.prefix}offer;
${offerTable(syntax)}
${whyVoid(syntax)}
alter table ${syntax.prefix}approval drop column asked_at;
alter table ${syntax.prefix}approval drop column shown_at;
delete from ${syntax.prefix}meta where key like 'second_record %' or key like 'joining %' or key = 'verified';
update ${syntax.prefix}meta set value = replace(value, '"head":', '"seen":{"n":0,"hash":""},"head":')
  where key = 'hold' and value not like '%"seen"%';
update ${syntax.prefix}plan set body = null where body like '%"act":"%' or body like '%"insteadOf":%';
update ${syntax.prefix}watch set reading = ${flightsNamed('reading')} where reading is not null;`,

  26: (syntax, now) => `${endQuestionsAndPlans(syntax, now)}
${closeFormsWithoutOffers(syntax, now)}
drop index ${syntax.prefix}op_by_fingerprint;
create index op_by_trip on ${syntax.prefix}operation(tenant, substr(fingerprint, 1, 43)) where fingerprint is not null;`,
};

/**
 * Version 26: ends questions without an answer, yeses that nothing was entered for in the journal, and plans without an
 * answer. What is in the journal goes on. A plan's own question stays granted, because its other steps may be on their way.
 */
function endQuestionsAndPlans({ prefix: s }: TableSyntax, now: string): string {
  const isUnanswered = `decision = 'pending' and expires_at > ${now}`;
  const isNotBegun = `decision = 'granted' and carried is not null and coalesce(plan_line, 1) > 0
    and not exists (select 1 from ${s}operation o where o.id = operation_id)`;

  return `update ${s}plan as p set body = null where expires_at > ${now} and (question is null
  or exists (select 1 from ${s}approval a where a.operation_id = p.question and a.decision = 'pending'));
update ${s}approval set decision = 'void', void_why = 'upgraded', carried = null
  where (${isUnanswered}) or (${isNotBegun});`;
}

/**
 * Version 26: closes the details forms of new bookings (they have no locator) for which no offer is left: the step to
 * version 25 drops all offers. An offer is shown before its form is opened.
 */
function closeFormsWithoutOffers({ prefix: s, int }: TableSyntax, now: string): string {
  return `alter table ${s}details add column closed_at ${int};
update ${s}details as f set closed_at = ${now} where locator is null and operation_id is null
  and not exists (select 1 from ${s}offer o where o.tenant = f.tenant and o.shown_at <= f.created_at);
delete from ${s}card where id_hash in (select id_hash from ${s}details where closed_at is not null);`;
}

/**
 * Version 25: questions that are over without an answer are void like spent yeses, with a reason. The words of why a
 * step of a plan was not done become the one line of the list.
 */
function whyVoid({ prefix: s }: TableSyntax): string {
  const escaped = [
    ['\\', '\\\\'],
    ['"', '\\"'],
    ['\n', '\\n'],
  ].reduce((text, [from, to]) => `replace(${text}, '${from}', '${to}')`, 'why');

  return `alter table ${s}approval rename column stale_lines to void_lines;
alter table ${s}approval add column void_why text;
update ${s}approval set decision = 'replaced', replaced_by = (select p.question from ${s}plan p where p.id = plan)
  where decision = 'void' and decided_at is null and plan is not null;
update ${s}approval set decision = 'void', carried = null, void_why = case
    when void_lines is not null then 'terms_changed'
    when decision = 'withdrawn' then 'stopped'
    when decision = 'overtaken' then 'done_elsewhere'
    when decision = 'outdated' then 'booking_changed'
    else 'not_done' end
  where decision in ('void', 'withdrawn', 'overtaken', 'outdated') or void_lines is not null;
update ${s}approval set void_lines = '["' || ${escaped} || '"]' where why is not null and void_lines is null;
alter table ${s}approval drop column why;
update ${s}past_question set decision = 'void' where decision in ('withdrawn', 'overtaken', 'outdated');
update ${s}approval set asked_by = 'elicit' where asked_by = 'either';
update ${s}past_question set asked_by = 'elicit' where asked_by = 'either';`;
}

/** Version 25: a kept reading names the facts of its flights as an offer does. */
function flightsNamed(reading: string): string {
  const names = [
    ['class', 'bookingClass'],
    ['operatedBy', 'operatingCarrier'],
    ['soldBy', 'marketingCarrier'],
    ['operatedAs', 'operatingNumber'],
  ];
  return names.reduce((text, [was, is]) => `replace(${text}, '"${was}":', '"${is}":')`, reading);
}

/** The oldest version that can be taken over. */
const OLDEST = Math.min(SCHEMA_VERSION, ...Object.keys(MIGRATIONS).map((to) => Number(to) - 1));

/** Whether {@link migration} can take over a state of this version. */
export function isEarlier(version: number): boolean {
  return version >= OLDEST && version < SCHEMA_VERSION;
}

/**
 * Everything from this version to the present one, with the new number.
 * @param now an SQL expression, milliseconds since 1970
 */
export function migration(from: number, syntax: TableSyntax, now: string): string {
  const steps = Object.entries(MIGRATIONS).filter(([to]) => Number(to) > from);
  const setVersion = `update ${syntax.prefix}meta set value = '${SCHEMA_VERSION}' where key = 'schema_version';`;
  return [...steps.map(([, sql]) => sql(syntax, now)), setVersion].join('\n');
}
