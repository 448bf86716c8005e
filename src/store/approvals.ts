/**
 * Stores approvals. In this order: how an approval is a row; what sqlite/questions.ts, sqlite/journal.ts and
 * postgres/functions.ts need to enter questions and to end them; {@link StoredApprovals}. At the end, apart from
 * approvals: which clients answered dialogs that no person can have seen ({@link StoredUnseenDialogs}).
 *
 * How a row has an approval's fields:
 *
 * | fields                        | stored                                                              |
 * | ----------------------------- | ------------------------------------------------------------------- |
 * | {@link COLUMNS}               | a column each: they change by compare-and-set, or find the approval |
 * | `part` ({@link PART})         | a column each: they find the steps of a plan                        |
 * | {@link TermsField}            | JSON in `terms`: they may have names, so they are blanked together  |
 * | {@link BodyField}             | JSON in `body`: they never change                                   |
 * | `tool`, money ({@link STAKE}) | also a column each, which SQL can read                              |
 *
 * The operation with the approval's id makes sure that it is carried out only once: its insert is in sqlite/journal.ts
 * and postgres/functions.ts.
 */
import type { Approval, AskedBy, Client, PlanPart } from '../approvals/approval.ts';
import { readAct } from '../approvals/asked-act.ts';
import { LONGEST_MS } from '../approvals/expiry.ts';
import type {
  ApprovalStore,
  Asking,
  AskingLimits,
  OpenQuestion,
  StoredAnswer,
  Unseen,
  UnseenDialogs,
} from '../approvals/ports.ts';
import { moneyAtStake } from '../approvals/request.ts';
import type { MoneyAtStake } from '../approvals/terms.ts';
import type { Money } from '../core/money.ts';
import { type Caller, withoutApplication } from '../domain/people/caller.ts';
import {
  type Columns,
  type Database,
  insertParts,
  isOfPerson,
  type Row,
  type SqlDialect,
  toFields,
  toRow,
  type Value,
} from './database.ts';
import { WAITING } from './tables.ts';

/** The fields that never change, as JSON in `body`. */
type BodyField = 'client' | 'tool' | 'locator' | 'argsDigest' | 'termsDigest' | 'ofWholeBooking';

/** The fields that may have names, as JSON in `terms`, so that they can be blanked. */
type TermsField = 'sections' | 'act' | 'about' | 'nature' | 'near' | 'others' | 'after' | 'names';

/** The fields that change, or by which an approval is found. */
const COLUMNS: Columns<Omit<Approval, BodyField | 'part' | TermsField>> = {
  handleHash: ['handle_hash', 'text'],
  operationId: ['operation_id', 'text'],
  tenant: ['tenant', 'text'],
  caller: ['caller', 'text'],
  decision: ['decision', 'text'],
  askedBy: ['asked_by', 'text'],
  askedAt: ['asked_at', 'number'],
  shownAt: ['shown_at', 'number'],
  assurance: ['assurance', 'text'],
  approver: ['approver', 'text'],
  createdAt: ['created_at', 'number'],
  expiresAt: ['expires_at', 'number'],
  decidedAt: ['decided_at', 'number'],
  toldAt: ['told_at', 'number'],
  staleLines: ['stale_lines', 'json'],
  carried: ['carried', 'json'],
  why: ['why', 'text'],
  trace: ['trace', 'text'],
  topic: ['topic', 'text'],
  replacedBy: ['replaced_by', 'text'],
};

/** The place of an approval in a plan. */
const PART: Columns<Omit<PlanPart, 'alone'>> = {
  plan: ['plan', 'text'],
  question: ['plan_question', 'text'],
  line: ['plan_line', 'number'],
  step: ['plan_step', 'number'],
};

/** The money that the question is about. It stays when the arguments are erased. */
const STAKE: Columns<Money & Pick<MoneyAtStake, 'direction'>> = {
  minor: ['amount_minor', 'number'],
  currency: ['currency', 'text'],
  direction: ['direction', 'text'],
};

/** Every column that {@link toApprovalRow} can give. */
export const APPROVAL_COLUMNS: readonly string[] = [
  ...[...Object.values(COLUMNS), ...Object.values(PART), ...Object.values(STAKE)].map(([column]) => column),
  ...['plan_alone', 'tool', 'terms', 'body'],
];

/** What is shown of an approval whose terms were blanked. */
const BLANK_TERMS: Pick<Approval, TermsField> = { sections: [], act: { verb: '' }, nature: 'change' };

/** The columns of an approval that are defined. */
export function toApprovalRow(approval: Approval): Record<string, Value> {
  const { client, tool, locator, argsDigest, termsDigest, ofWholeBooking, part } = approval;
  const body: Pick<Approval, BodyField> = { client, tool, locator, argsDigest, termsDigest, ofWholeBooking };
  const { amount, direction } = moneyAtStake(approval) ?? {};
  return {
    ...toRow(COLUMNS, approval),
    ...(part && { ...toRow(PART, part), plan_alone: part.alone ? 1 : null }),
    tool,
    ...toRow(STAKE, { ...amount, direction }),
    terms: termsText(approval),
    body: JSON.stringify(body),
  };
}

/** The approval of a row of which every column was read. */
export function toApproval(row: Row): Approval {
  const terms = row.terms === null ? BLANK_TERMS : (JSON.parse(String(row.terms)) as Pick<Approval, TermsField>);
  const act = readAct(terms.act);
  const part = (row.plan ?? null) === null ? undefined : toPlanPart(row);
  return { ...(JSON.parse(String(row.body)) as Approval), ...terms, act, ...toFields(COLUMNS, row), part };
}

function toPlanPart(row: Row): PlanPart {
  const alone = Number(row.plan_alone) === 1 && { alone: true as const };
  return { ...(toFields(PART, row) as Omit<PlanPart, 'alone'>), ...alone };
}

function termsText({ sections, act, about, nature, near, others, after, names }: Pick<Approval, TermsField>): string {
  return JSON.stringify({ sections, act, about, nature, near, others, after, names });
}

/** SQL: the condition of open questions of one person. Its parameters: tenant, id, id with a colon, and now. */
export function isOpenOfPerson(dialect: Pick<SqlDialect, 'position'>): string {
  return `${isOfPerson(dialect)} and ${WAITING} and expires_at > ?`;
}

/** A question to enter in one transaction, and what may prevent it. */
export interface NewQuestionRow {
  readonly row: Readonly<Record<string, Value>>;
  readonly question: Approval;
  /** The caller without the application. */
  readonly person: string;
  /**
   * The latest end that a question asked now can have, milliseconds since 1970. An open question ends later only if the
   * clock was set back after it was asked.
   */
  readonly latestExpiry: number;
  readonly limits: AskingLimits;
}

/** A row of {@link openAboutSql}. */
export type OpenRow = Row & { readonly locators?: string | null };

/** {@link Asking}, with rows. */
export type AskingRow =
  | { readonly kind: 'asked'; readonly replaced?: readonly OpenRow[] }
  | { readonly kind: 'found'; readonly open: Row }
  /** `oldest`: when the first of the questions that count was replaced, milliseconds since 1970. */
  | { readonly kind: 'replaced_too_often'; readonly open: Row; readonly oldest: number }
  | { readonly kind: 'too_many_open' };

/** Enters a question in one transaction. The two databases differ in how. */
export type AskInTransaction = (asked: NewQuestionRow) => Promise<AskingRow>;

/**
 * SQL of a field in an approval's `body`. `of` names the table, with its dot, if the statement has several:
 * `field('argsDigest', 'gone.')` is `json_extract(gone.body, '$.argsDigest')` on SQLite.
 */
type BodyFieldSql = (field: BodyField, of?: string) => string;

/** How SQL of a database reads a field of a body, makes rows (`value`) of a JSON list, and orders rows by their entry. */
export interface QuestionSql {
  readonly field: BodyFieldSql;
  readonly list: SqlDialect['elementsIn'];
  readonly place: string;
  readonly unindexed: string;
}

/** SQL of the values that find open questions. */
export interface OpenAboutSql {
  readonly tenant: string;
  readonly caller: string;
  readonly at: string;
  /** A JSON list. */
  readonly locators: string;
  /** A JSON list of tools. Null: of any. */
  readonly tools: string;
  /** The plan that asks, whose own questions do not count. Null: no plan. */
  readonly plan: string;
}

/** The values of {@link OpenAboutSql} as bound parameters, in its order, if {@link ASKED_ABOUT} begins the statement. */
const ASKED: OpenAboutSql = {
  tenant: 'asked.tenant',
  caller: 'asked.caller',
  at: 'asked.at',
  locators: 'asked.locators',
  tools: 'asked.tools',
  plan: 'asked.plan',
};

const ASKED_ABOUT = `with asked as (select cast(? as text) as tenant, cast(? as text) as caller, cast(? as bigint) as at,
  cast(? as text) as locators, cast(? as text) as tools, cast(? as text) as plan) `;

/** SQL: {@link openAboutSql} with bound parameters. */
export function openAboutQuery(s: string, sql: QuestionSql): string {
  return ASKED_ABOUT + openAboutSql(s, ASKED, sql, ', asked');
}

/**
 * SQL: the open questions of a caller about any of these bookings and acts, oldest first. A question about a plan counts
 * if one of its steps is about them; `locators` then has the bookings of all its steps, a line each.
 *
 * | the question is about      | it names its booking in     |
 * | -------------------------- | --------------------------- |
 * | an act                     | `topic`                     |
 * | a plan's step, by itself   | the `locator` of its body   |
 * | a plan                     | the `locator`s of its steps |
 *
 * @param from what the names of the values need after `from`
 */
export function openAboutSql(
  s: string,
  { tenant, caller, at, locators, tools, plan }: OpenAboutSql,
  { field, list, place }: QuestionSql,
  from = '',
): string {
  const isWanted = (locator: string, tool: string) =>
    `(${locator} in (select value from ${list(locators)})
      and (${tools} is null or ${tool} in (select value from ${list(tools)})))`;
  const steps = `from ${s}approval step where step.plan = rival.plan and step.plan_question = rival.operation_id
    and step.plan_line > 0 and step.plan_alone is null`;
  const stepLocator = field('locator', 'step.');
  return `select rival.*, case when rival.plan_line = 0 then (
      select string_agg(named.locator, '\n') from (select distinct ${stepLocator} as locator ${steps}) named
    ) end as locators
    from ${s}approval rival${from}
    where rival.tenant = ${tenant} and rival.caller = ${caller} and rival.decision = 'pending' and rival.expires_at > ${at}
    and (rival.plan is null or rival.plan_alone = 1)
    and (
      (rival.plan is null and ${isWanted('rival.topic', 'rival.tool')})
      or (rival.plan_alone = 1 and (${plan} is null or rival.plan <> ${plan}) and (
        (rival.plan_line > 0 and ${isWanted(field('locator', 'rival.'), 'rival.tool')})
        or (rival.plan_line = 0 and exists (select 1 ${steps} and ${isWanted(stepLocator, 'step.tool')}))
      ))
    )
    order by rival.created_at, rival.${place}`;
}

/** SQL of whose replaced questions are counted. As bound parameters they come in this order in {@link countReplacedSql}. */
export interface ReplacedSql {
  readonly topic: string;
  readonly tenant: string;
  readonly caller: string;
  readonly since: string;
}

/**
 * SQL: `count` of the times that questions about a topic were replaced after `since` by a call of another tool or with
 * other arguments, and when the first was, `oldest`. A question that replaces several counts once. Does not count questions that the same
 * call replaced because the airline's terms changed: nobody could have carried out a yes to those.
 */
export function countReplacedSql(
  s: string,
  { topic, tenant, caller, since }: ReplacedSql,
  { field, unindexed }: Pick<QuestionSql, 'field' | 'unindexed'>,
): string {
  const isGone = `decision = 'replaced' and decided_at > asked.since`;
  const ofCaller = (free = '') => `${free}gone.tenant = asked.tenant and ${free}gone.caller = asked.caller`;
  const stepOfTopic = `select 1 from ${s}approval step where step.plan = gone.plan
    and step.plan_question = gone.operation_id and step.plan_line > 0 and ${field('locator', 'step.')} = asked.topic`;
  // The index of ends finds those of plans, which have no topic: a question ends later than it is replaced.
  const ofPlan = `${unindexed}gone.plan_alone = 1 and gone.expires_at > asked.since and (
    (gone.plan_line > 0 and ${field('locator', 'gone.')} = asked.topic) or (gone.plan_line = 0 and exists (${stepOfTopic})))`;
  const columns = 'gone.replaced_by, gone.decided_at, gone.tool, gone.body';
  return `with asked as (select ${topic} as topic, ${tenant} as tenant, ${caller} as caller, ${since} as since),
    gone as (
      select ${columns} from ${s}approval gone, asked where gone.topic = asked.topic and ${ofCaller()} and ${isGone}
      union all select ${columns} from asked cross join ${s}approval gone where ${ofPlan} and ${ofCaller(unindexed)} and ${unindexed}${isGone}
    )
    select count(distinct gone.replaced_by) as count, min(gone.decided_at) as oldest from gone
    where exists (select 1 from ${s}approval newer where newer.operation_id = gone.replaced_by
      and (newer.tool <> gone.tool or ${field('argsDigest', 'newer.')} <> ${field('argsDigest', 'gone.')}))`;
}

/** SQL of what {@link replaceSql} needs: a JSON list of operation ids, the operation that replaces them, and when. */
interface ReplacementSql {
  readonly ids: string;
  readonly by: string;
  readonly at: string;
}

/**
 * SQL that replaces open questions, and of a plan the steps that its question decides: nothing can be answered or carried
 * out of them. A step keeps no time of an answer, because nobody gave one.
 */
export function replaceSql(s: string, list: QuestionSql['list'], { ids, by, at }: ReplacementSql): string {
  const isOne = (column: string) => `${column} in (select value from ${list(ids)})`;
  // By the plan, which has an index.
  const steps = `select step.operation_id from ${s}approval whole join ${s}approval step on step.plan = whole.plan
    and step.plan_question = whole.operation_id and step.plan_alone is null where ${isOne('whole.operation_id')}`;
  return `update ${s}approval set decision = 'replaced', carried = null, replaced_by = ${by},
      decided_at = case when plan_line > 0 and plan_alone is null then decided_at else ${at} end
    where decision = 'pending' and operation_id in (select value from ${list(ids)} union all ${steps})`;
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
 * | the open question                                                        | becomes     |
 * | ------------------------------------------------------------------------ | ----------- |
 * | has the operation's arguments: both cancel segment 1                     | `overtaken` |
 * | is about the whole booking, whatever its arguments: both pay the booking | `overtaken` |
 * | has other arguments: it would cancel segment 2                           | `outdated`  |
 *
 * `replaced_by` does not name the operation to another caller. A create ends no question: another one about the same
 * trip may be about another fare, or about one more booking.
 */
export function overtakeSql(s: string, operation: DoneOperationSql, field: BodyFieldSql): string {
  const { argsDigest, at, tenant, caller, id, locator, tool } = operation;
  const isSame = `${field('ofWholeBooking')} is not null or ${field('argsDigest')} = ${argsDigest}`;
  return `update ${s}approval set
      decision = case when ${isSame} then 'overtaken' else 'outdated' end,
      carried = null, decided_at = ${at},
      replaced_by = case when tenant = ${tenant} and caller = ${caller} then ${id} end
    where topic = ${locator} and tool = ${tool} and decision = 'pending' and operation_id <> ${id}`;
}

/** The question was entered. @param replaced what it replaced */
export function toEntered(replaced: readonly OpenRow[] = []): Asking & { readonly kind: 'asked' } {
  return replaced.length === 0 ? { kind: 'asked' } : { kind: 'asked', replaced: replaced.map(toOpenQuestion) };
}

/** @param windowMs for how long a replacement counts */
export function toTooOften(
  { open, oldest }: AskingRow & { readonly kind: 'replaced_too_often' },
  windowMs: number,
): Asking & { readonly kind: 'replaced_too_often' } {
  return { kind: 'replaced_too_often', open: toApproval(open), freeAt: oldest + windowMs };
}

/** An open question of a row, with its bookings. */
export function toOpenQuestion({ locators, ...row }: OpenRow): OpenQuestion {
  const question = toApproval(row);
  const ofPlan = locators ? locators.split('\n') : [];
  return { question, locators: question.locator === undefined ? ofPlan.toSorted() : [question.locator] };
}

/** The new values of an approval's columns. */
type NewValues = Readonly<Record<string, Value>>;

export class StoredApprovals implements ApprovalStore {
  readonly #db: Database;
  readonly #table: string;
  readonly #ask: AskInTransaction;

  constructor(db: Database, ask: AskInTransaction) {
    this.#db = db;
    this.#ask = ask;
    this.#table = `${db.dialect.prefix}approval`;
  }

  /**
   * A power failure may undo this write: an approval has no effect without the answer or the operation that follows.
   */
  async put(approval: Approval): Promise<void> {
    const { columns, marks, values } = insertParts(toApprovalRow(approval));
    const sql = `insert into ${this.#table}(${columns}) select ${marks} where ${this.#db.dialect.lightly}`;
    await this.#db.beforehand.runLightly(sql, ...values);
  }

  async ask(question: Approval, limits: AskingLimits): Promise<Asking> {
    const { tenant, caller, createdAt } = question;
    const { id: person } = withoutApplication({ tenant, id: caller });
    const answer = await this.#ask({
      question,
      row: toApprovalRow(question),
      person,
      latestExpiry: createdAt + LONGEST_MS,
      limits,
    });
    switch (answer.kind) {
      case 'asked':
        return toEntered(answer.replaced);
      case 'found':
        return { kind: 'found', open: toApproval(answer.open) };
      case 'replaced_too_often':
        return toTooOften(answer, createdAt - limits.since);
      case 'too_many_open':
        return answer;
    }
  }

  async get(handleHash: string): Promise<Approval | undefined> {
    return this.#find('handle_hash', handleHash);
  }

  async byOperation(operationId: string): Promise<Approval | undefined> {
    return this.#find('operation_id', operationId);
  }

  async decide(handleHash: string, { decision, assurance, approver }: StoredAnswer, now: number): Promise<boolean> {
    const answer = { decision, assurance, decided_at: now, approver: approver ?? null };
    const isAnswerable = `decision = 'pending' and expires_at > ? and expires_at <= ?
      and ${this.#db.dialect.isAhead('expires_at')}`;
    const times = [now, now + LONGEST_MS];
    // A no must survive. A yes has no effect without its operation, which is on the disk before anything is sent.
    return decision === 'declined'
      ? this.#changeDurably(handleHash, answer, isAnswerable, ...times)
      : this.#changeLightly(handleHash, answer, isAnswerable, ...times);
  }

  async changeChannel(
    handleHash: string,
    by: AskedBy,
    times: Parameters<ApprovalStore['changeChannel']>[2] = {},
  ): Promise<boolean> {
    const { askedAt = null, shownAt = null } = times;
    const channel = { asked_by: by, asked_at: askedAt, shown_at: shownAt };
    return this.#changeDurably(handleHash, channel, "decision = 'pending'");
  }

  async markStale(handleHash: string, lines: readonly string[]): Promise<void> {
    await this.#changeDurably(handleHash, { stale_lines: JSON.stringify(lines) });
  }

  /** Only blanking changes the terms too, and it wins. If a power failure undoes this write, the page says less. */
  async keepTerms(approval: Approval): Promise<void> {
    await this.#changeLightly(approval.handleHash, { terms: termsText(approval) }, 'terms is not null');
  }

  async revoke(handleHash: string): Promise<void> {
    await this.#changeDurably(handleHash, { decision: 'void', carried: null }, "decision = 'granted'");
  }

  /**
   * If a power failure undoes this write, the next call reports `done` again, and cleaning erases what was carried.
   */
  async markTold(handleHash: string, now: number): Promise<boolean> {
    return this.#eraseLightly(handleHash, { told_at: now, carried: null }, 'told_at is null');
  }

  /** If a power failure undoes this write, cleaning erases what was carried. */
  async erase(handleHash: string): Promise<void> {
    await this.#eraseLightly(handleHash, { carried: null });
  }

  async skip(handleHash: string, why: string): Promise<void> {
    // Includes a yes that was revoked meanwhile, which has no reason yet.
    const isUnused = "decision = 'granted' or (decision = 'void' and why is null)";
    await this.#changeDurably(handleHash, { decision: 'void', carried: null, why }, isUnused);
  }

  async waiting(now: number): Promise<readonly Approval[]> {
    const sql = `select * from ${this.#table} where ${WAITING} and expires_at > ? and expires_at <= ?
      order by created_at, ${this.#db.dialect.place}`;
    return (await this.#db.all(sql, now, now + LONGEST_MS)).map(toApproval);
  }

  async openAbout(
    { tenant, id }: Caller,
    locators: readonly string[],
    now: number,
    tools?: readonly string[],
  ): Promise<readonly OpenQuestion[]> {
    const { prefix, elementsIn: list, text, place, unindexed } = this.#db.dialect;
    const field: BodyFieldSql = (name, of = '') => text(`${of}body`, [name]);
    const lists = [JSON.stringify(locators), tools === undefined ? null : JSON.stringify(tools)];
    const rows = await this.#db.all(
      openAboutQuery(prefix, { field, list, place, unindexed }),
      tenant,
      id,
      now,
      ...lists,
      null,
    );
    return rows.map((row) => toOpenQuestion(row as OpenRow));
  }

  async openOf(caller: Caller, now: number): Promise<number> {
    const { tenant, id } = withoutApplication(caller);
    const sql = `select count(*) as open from ${this.#table} where ${isOpenOfPerson(this.#db.dialect)}`;
    return Number((await this.#db.beforehand.get(sql, tenant, id, `${id}:`, now))?.open);
  }

  /**
   * Changes one approval, on the disk when this returns. Returns false if it does not fit the condition.
   * @param condition SQL over the values before the change. `times` has the value of each `?` in it
   */
  async #changeDurably(
    handleHash: string,
    change: NewValues,
    condition = 'true',
    ...times: number[]
  ): Promise<boolean> {
    const sql = `${this.#updateSql(change, condition)} and ${this.#db.dialect.durably}`;
    return (await this.#db.run(sql, ...Object.values(change), handleHash, ...times)) === 1;
  }

  /** Like `#changeDurably`, but a power failure may undo the change. */
  async #changeLightly(handleHash: string, change: NewValues, condition: string, ...times: number[]): Promise<boolean> {
    const sql = `${this.#updateSql(change, condition)} and ${this.#db.dialect.lightly}`;
    return (await this.#db.runLightly(sql, ...Object.values(change), handleHash, ...times)) === 1;
  }

  /** Like `#changeLightly`, for erasing: nothing erased stays in a log for long. */
  async #eraseLightly(handleHash: string, change: NewValues, condition = 'true'): Promise<boolean> {
    const sql = `${this.#updateSql(change, condition)} and ${this.#db.dialect.lightly}`;
    return (await this.#db.eraseLightly(sql, ...Object.values(change), handleHash)) === 1;
  }

  /** SQL. Its parameters: the new values, the hash of the handle, and those of the condition. */
  #updateSql(change: NewValues, condition: string): string {
    const assignments = Object.keys(change).map((column) => `${column} = ?`);
    return `update ${this.#table} set ${assignments.join()} where handle_hash = ? and (${condition})`;
  }

  async #find(column: string, value: string): Promise<Approval | undefined> {
    const row = await this.#db.get(`select * from ${this.#table} where ${column} = ?`, value);
    return row && toApproval(row);
  }
}

export class StoredUnseenDialogs implements UnseenDialogs {
  readonly #db: Database;
  readonly #table: string;

  constructor(db: Database) {
    this.#db = db.beforehand;
    this.#table = `${db.dialect.prefix}unseen_dialog`;
  }

  async add({ tenant, id }: Caller, { name, version }: Client, { at, tookMs }: Unseen, since: number): Promise<void> {
    const sql = `insert into ${this.#table} as known(tenant, caller, client, version, times, took_ms, at)
      values (?, ?, ?, ?, 1, ?, ?) on conflict (tenant, caller, client, version) do update
      set times = known.times + 1, took_ms = excluded.took_ms, at = excluded.at`;
    // Clients choose their names freely, so old names must not pile up.
    await this.#db.run(`delete from ${this.#table} where at < ?`, since);
    await this.#db.run(sql, tenant, id, name, version, tookMs ?? null, at);
  }

  async clear({ tenant, id }: Caller, { name, version }: Client): Promise<void> {
    // If a power failure undoes this write, the page asks once more instead of the dialog.
    const sql = `delete from ${this.#table} where tenant = ? and caller = ? and client = ? and version = ?
      and ${this.#db.dialect.lightly}`;
    await this.#db.runLightly(sql, tenant, id, name, version);
  }

  async last(
    { tenant, id }: Caller,
    { name, version }: Client,
    since: number,
    times: number,
  ): Promise<Unseen | undefined> {
    const sql = `select * from ${this.#table}
      where tenant = ? and caller = ? and client = ? and version = ? and at >= ? and times >= ?`;
    const row = await this.#db.get(sql, tenant, id, name, version, since, times);
    return row && toUnseen(row);
  }

  async list(since: number): Promise<readonly (Client & Unseen)[]> {
    const sql = `select * from ${this.#table} where at >= ? and times >= 2 order by client, version, caller`;
    const rows = await this.#db.all(sql, since);
    return rows.map((row) => ({ name: String(row.client), version: String(row.version), ...toUnseen(row) }));
  }
}

function toUnseen({ took_ms: tookMs, at }: Row): Unseen {
  return { at: Number(at), tookMs: tookMs === null ? undefined : Number(tookMs) };
}
