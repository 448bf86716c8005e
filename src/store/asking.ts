/**
 * Enters questions about acts, and about plans, and ends those that were answered otherwise.
 *
 * A caller has at most one open question about a topic and tool, and about a booking one for all acts that decide it
 * (`deciding`): pay, cancel, move or split it, alone or in a plan. What becomes of a new one, in one transaction:
 *
 * | the open questions                        | the new question                                            |
 * | ----------------------------------------- | ----------------------------------------------------------- |
 * | none, or it has expired                   | is entered, unless the person has too many: `too_many_open` |
 * | was asked before the clock was set back   | replaces it                                                 |
 * | asks the same                             | is not entered: `found`                                     |
 * | is about other terms, arguments or an act | replaces it                                                 |
 *
 * A plan also replaces the question before of its own.
 * One person's questions queue, so that none of them misses another one.
 */
import type { Approval } from '../approvals/approval.ts';
import { LONGEST_MS } from '../approvals/expiry.ts';
import type { Asking, AskingLimits } from '../approvals/ports.ts';
import { withoutApplication } from '../domain/people/caller.ts';
import type { PlanStore } from '../plans/ports.ts';
import { type BodyField, type OpenRow, toApproval, toApprovalRow, toOpenQuestion } from './approval-rows.ts';
import {
  ask,
  type Database,
  finish,
  insertParts,
  isOfPerson,
  type SqlDialect,
  type Statement,
  type Transaction,
  type Value,
} from './database.ts';
import { WAITING } from './tables.ts';

/** A plan whose question is asked. */
export type AskedPlan = Parameters<PlanStore['ask']>[0];
/** The plan's question before, and its decision. */
export type Before = Parameters<PlanStore['ask']>[2];

/** A question to enter, and what may prevent it. */
interface QuestionToEnter {
  readonly question: Approval;
  readonly limits: AskingLimits;
}

/**
 * SQL: the condition of approvals that asking a plan anew replaces: its question and the steps that it decides.
 */
export const ASKED_BEFORE = `plan = ? and decision = 'pending'`;

/** SQL: the condition of the one pending question about a topic. {@link topicValues} gives its parameters. */
const PENDING_ON_TOPIC = `topic = ? and tool = ? and tenant = ? and caller = ? and decision = 'pending'`;

function topicValues({ topic, tool, tenant, caller }: Approval): readonly Value[] {
  return [topic ?? null, tool, tenant, caller];
}

/** SQL of a field in an approval's `body`. `of` names the table, with its dot, if the statement has several. */
function bodyField({ text }: Pick<SqlDialect, 'text'>, name: BodyField, of = ''): string {
  return text(`${of}body`, [name]);
}

/** Which open questions are looked for. */
interface OpenAbout {
  readonly tenant: string;
  /** Absent: of all callers of the tenant. */
  readonly caller?: string | undefined;
  readonly now: number;
  readonly locators: readonly string[];
  /** Absent: about any act. */
  readonly tools?: readonly string[] | undefined;
  /** The plan that asks, whose own questions do not count. */
  readonly plan?: string | undefined;
}

/**
 * The open questions about any of these bookings and acts, oldest first. A question about a plan counts if
 * one of its steps is about them; `locators` then has the bookings of all its steps, a line each.
 *
 * | the question is about      | it names its booking in     |
 * | -------------------------- | --------------------------- |
 * | an act                     | `topic`                     |
 * | a plan                     | the `locator`s of its steps |
 */
export function openAbout(dialect: SqlDialect, { tenant, caller, now, locators, tools, plan }: OpenAbout): Statement {
  const { prefix: s, elementsIn: list, place } = dialect;
  const isWanted = (locator: string, tool: string) =>
    `(${locator} in (select value from ${list('asked.locators')})
      and (asked.tools is null or ${tool} in (select value from ${list('asked.tools')})))`;

  const steps = `from ${s}approval step where step.plan = rival.plan and step.plan_question = rival.operation_id
    and step.plan_line > 0`;
  const stepLocator = bodyField(dialect, 'locator', 'step.');

  const sql = `with asked as (select cast(? as text) as tenant, cast(? as text) as caller, cast(? as bigint) as at,
      cast(? as text) as locators, cast(? as text) as tools, cast(? as text) as plan)
    select rival.*, case when rival.plan_line = 0 then (
      select string_agg(named.locator, '\n') from (select distinct ${stepLocator} as locator ${steps}) named
    ) end as locators
    from ${s}approval rival, asked
    where rival.tenant = asked.tenant and (asked.caller is null or rival.caller = asked.caller)
    and rival.decision = 'pending'
    and rival.expires_at > asked.at and (rival.plan is null or rival.plan_alone = 1)
    and (
      (rival.plan is null and ${isWanted('rival.topic', 'rival.tool')})
      or (rival.plan_alone = 1 and (asked.plan is null or rival.plan <> asked.plan)
        and exists (select 1 ${steps} and ${isWanted(stepLocator, 'step.tool')}))
    )
    order by rival.created_at, rival.${place}`;

  const lists = [JSON.stringify(locators), tools === undefined ? null : JSON.stringify(tools)];
  return [sql, tenant, caller ?? null, now, ...lists, plan ?? null];
}

/** Locks what {@link openAbout} finds: an answer that is on its way comes first, and any other waits. */
function locked({ prefix: s, forUpdate }: SqlDialect, [found, ...values]: Statement): Statement {
  const sql = `select 1 from ${s}approval where operation_id in (select operation_id from (${found}) found)
    order by operation_id ${forUpdate}`;
  return [sql, ...values];
}

/**
 * SQL: what is replaced by a new question, whose operation and time are the parameters. A step that the question of its
 * plan decides keeps no time of an answer, because nobody gave one.
 */
const REPLACED = `decision = 'replaced', carried = null, replaced_by = ?,
  decided_at = case when plan_line > 0 then decided_at else cast(? as bigint) end`;

/**
 * Replaces open questions, and of a plan the steps that its question decides: nothing can be answered or carried out of
 * them.
 */
function replaceAll(
  { prefix: s, elements }: SqlDialect,
  open: readonly OpenRow[],
  { operationId, createdAt }: Approval,
): readonly Statement[] {
  if (open.length === 0) return [];

  // By the plan, which has an index.
  const steps = `select step.operation_id from ${s}approval whole join ${s}approval step on step.plan = whole.plan
    and step.plan_question = whole.operation_id
    where whole.operation_id in (select value from ${elements})`;
  const sql = `update ${s}approval set ${REPLACED}
    where decision = 'pending' and operation_id in (select value from ${elements} union all ${steps})`;
  const ids = JSON.stringify(open.map(({ operation_id: id }) => id));
  return [[sql, operationId, createdAt, ids, ids]];
}

function insertApproval({ prefix: s }: SqlDialect, approval: Approval): Statement {
  const { columns, marks, values } = insertParts(toApprovalRow(approval));
  return [`insert into ${s}approval(${columns}) values (${marks})`, ...values];
}

/** Asks about an act. A power failure may undo it on SQLite: the question was then never asked. */
export async function askQuestion(db: Database, question: Approval, limits: AskingLimits): Promise<Asking> {
  const asked = { question, limits };
  const options = { turn: turnOf(question), mayBeLost: true } as const;
  const isAlone = await db.beforeSending.transact(() => enterAlone(db.dialect, asked), options);
  return isAlone ? { kind: 'asked' } : db.beforeSending.transact(() => enterQuestion(db.dialect, asked), options);
}

/** The questions of one person queue, from all applications. */
function turnOf({ tenant, caller }: Approval): string {
  return `questions ${tenant} ${withoutApplication({ tenant, id: caller }).id}`;
}

/** Enters a question if nothing is open that it may clash with, which is the rule: in one trip to the database. */
function* enterAlone(dialect: SqlDialect, asked: QuestionToEnter): Transaction<boolean> {
  const { question, limits } = asked;
  const { prefix: s } = dialect;
  const { columns, marks, values } = insertParts(toApprovalRow(question));
  const [rivals, ...rivalValues] = rivalsOf(dialect, asked) ?? ['select 1 where false'];
  const [counted, ...personValues] = countOpen(dialect, question, question.createdAt);

  const sql = `insert into ${s}approval(${columns}) select ${marks}
    where not exists (select 1 from ${s}approval where ${PENDING_ON_TOPIC}) and not exists (${rivals})
    and (${counted}) < ? returning operation_id`;
  const conditions = [...topicValues(question), ...rivalValues, ...personValues, limits.open];
  const [entered = []] = yield* finish([sql, ...values, ...conditions]);
  return entered.length > 0;
}

/** The open questions that decide the same booking. Undefined if the new one decides none. */
function rivalsOf(dialect: SqlDialect, { question, limits }: QuestionToEnter): Statement | undefined {
  const { topic, tool, tenant, caller, createdAt: now } = question;
  const { deciding: tools } = limits;
  if (topic === undefined || !tools.includes(tool)) return undefined;
  return openAbout(dialect, { tenant, caller, now, locators: [topic], tools });
}

/**
 * Counts the open questions of a person, asked through any application: the caller is the person's id, alone or with a
 * colon and the application behind it.
 */
export function countOpen(
  dialect: SqlDialect,
  { tenant, caller }: Pick<Approval, 'tenant' | 'caller'>,
  now: number,
): Statement {
  const { id } = withoutApplication({ tenant, id: caller });
  const sql = `select count(*) as open from ${dialect.prefix}approval
    where ${isOfPerson(dialect)} and ${WAITING} and expires_at > ?`;
  return [sql, tenant, id, `${id}:`, now];
}

function* enterQuestion(dialect: SqlDialect, asked: QuestionToEnter): Transaction<Asking> {
  const { question, limits } = asked;
  const now = question.createdAt;
  const { prefix: s, forUpdate } = dialect;
  const rivals = rivalsOf(dialect, asked);

  const pending: Statement = [
    `select * from ${s}approval where ${PENDING_ON_TOPIC} ${forUpdate}`,
    ...topicValues(question),
  ];
  const more = rivals === undefined ? [] : [locked(dialect, rivals), rivals];
  const [[own] = [], [counted] = [], , found = []] = yield* ask(pending, countOpen(dialect, question, now), ...more);

  const isExpired = own !== undefined && Number(own.expires_at) <= now;
  const same = own === undefined || isExpired ? undefined : toApproval(own);
  if (same !== undefined && isSameQuestion(same, question)) return { kind: 'found', open: same };

  const ofTool = own === undefined || isExpired ? [] : [own];
  const open = (rivals === undefined ? ofTool : found) as readonly OpenRow[];
  if (open.length === 0 && Number(counted?.open) >= limits.open) return { kind: 'too_many_open' };

  const free = isExpired ? [freeTopic(dialect, String(own.handle_hash))] : [];
  yield* finish(...free, ...replaceAll(dialect, open, question), insertApproval(dialect, question));

  return entered(open);
}

/** Takes the topic from a question that nobody answered in time, because a pending one has its topic alone. */
function freeTopic({ prefix: s }: SqlDialect, handleHash: string): Statement {
  return [`update ${s}approval set topic = null where handle_hash = ?`, handleHash];
}

/** Whether the open question can be answered, and asks what the new one would. */
function isSameQuestion(open: Approval, { argsDigest, termsDigest, createdAt }: Approval): boolean {
  // It ends later than any that is asked now only if the clock was set back after it was asked.
  const isAnswerable = open.expiresAt <= createdAt + LONGEST_MS;
  return isAnswerable && open.argsDigest === argsDigest && open.termsDigest === termsDigest;
}

function entered(replaced: readonly OpenRow[]): Extract<Asking, { readonly kind: 'asked' }> {
  return replaced.length === 0 ? { kind: 'asked' } : { kind: 'asked', replaced: replaced.map(toOpenQuestion) };
}

/** A plan's question, its steps, and the plan's question before. */
interface AskedAnew {
  readonly plan: AskedPlan;
  /** The question, and then its steps. */
  readonly approvals: readonly Approval[];
  readonly before: Before;
  readonly deciding: readonly string[];
}

/**
 * Asks a plan's question in place of the one before, and of what is open about its bookings. `meanwhile`: `before` is no
 * longer the plan's question with its decision.
 */
export async function askPlan(db: Database, asked: AskedAnew): ReturnType<PlanStore['ask']> {
  const [question] = asked.approvals as [Approval];
  return db.transact(() => enterPlan(db.dialect, question, asked), { turn: turnOf(question) });
}

function* enterPlan(
  dialect: SqlDialect,
  question: Approval,
  { plan, approvals, before, deciding }: AskedAnew,
): Transaction<Awaited<ReturnType<PlanStore['ask']>>> {
  const { prefix: s, forUpdate } = dialect;
  const { tenant, caller, createdAt: now } = question;
  const locators = decidedBookings(approvals, deciding);
  const rivals = openAbout(dialect, { tenant, caller, now, locators, tools: deciding, plan: plan.id });

  const [[current] = [], [asked] = [], , found = []] = yield* ask(
    [`select question from ${s}plan where id = ? ${forUpdate}`, plan.id],
    [`select decision from ${s}approval where operation_id = ? ${forUpdate}`, before?.operationId ?? null],
    locked(dialect, rivals),
    rivals,
  );

  const isAsSeen =
    current !== undefined &&
    (current.question ?? undefined) === before?.operationId &&
    (asked?.decision ?? undefined) === before?.decision;
  if (!isAsSeen) return { kind: 'meanwhile' };

  const open = found as readonly OpenRow[];
  const update = `update ${s}plan set question = ?, expires_at = ?, body = ?, stopped_at = null where id = ?`;

  yield* finish(
    [update, plan.question, plan.expiresAt, JSON.stringify(plan.body), plan.id],
    [`update ${s}approval set ${REPLACED} where ${ASKED_BEFORE}`, question.operationId, now, plan.id],
    ...replaceAll(dialect, open, question),
    ...approvals.map((approval) => insertApproval(dialect, approval)),
  );

  return entered(open);
}

/** The bookings that steps of a question decide: pay, cancel, move or split. */
function decidedBookings(approvals: readonly Approval[], deciding: readonly string[]): readonly string[] {
  const isDeciding = ({ tool, part }: Approval) => part?.line !== 0 && deciding.includes(tool);
  return [...new Set(approvals.flatMap((step) => (isDeciding(step) ? (step.locator ?? []) : [])))];
}

/**
 * SQL of the values of an operation. As bound parameters they come in this order in {@link overtakeSql}, and then the id
 * once more.
 */
export interface DoneOperationSql {
  readonly argsDigest: string;
  /** When the operation was done. */
  readonly at: string;
  readonly tenant: string;
  readonly caller: string;
  readonly id: string;
  readonly locator: string;
  readonly tool: string;
}

/**
 * SQL that ends the open questions of all callers about the booking and the tool of an operation that was just done:
 * their terms can no longer be true.
 *
 * | the open question                                                        | is void: why      |
 * | ------------------------------------------------------------------------ | ----------------- |
 * | has the operation's arguments: both cancel segment 1                     | `done_elsewhere`  |
 * | is about the whole booking, whatever its arguments: both pay the booking | `done_elsewhere`  |
 * | has other arguments: it would cancel segment 2                           | `booking_changed` |
 *
 * `replaced_by` does not name the operation to another caller. A create ends no question: another one about the same
 * trip may be about another fare, or about one more booking.
 */
export function overtakeSql(dialect: Pick<SqlDialect, 'prefix' | 'text'>, operation: DoneOperationSql): string {
  const { argsDigest, at, tenant, caller, id, locator, tool } = operation;
  const isSame = `${bodyField(dialect, 'ofWholeBooking')} is not null or ${bodyField(dialect, 'argsDigest')} = ${argsDigest}`;
  return `update ${dialect.prefix}approval set
      decision = 'void', void_why = case when ${isSame} then 'done_elsewhere' else 'booking_changed' end,
      carried = null, decided_at = ${at},
      replaced_by = case when tenant = ${tenant} and caller = ${caller} then ${id} end
    where topic = ${locator} and tool = ${tool} and decision = 'pending' and operation_id <> ${id}`;
}
