/** Stores plans. A question and the approvals of its steps enter, and are decided, together. */

import type { Approval, PlanApproval } from '../approvals/approval.ts';
import { LONGEST_MS } from '../approvals/expiry.ts';
import type { AskingPlan } from '../approvals/ports.ts';
import { type Caller, withoutApplication } from '../domain/people/caller.ts';
import type { StoredPlan } from '../plans/plan.ts';
import type { KeptPlans, PlanAnswer, PlanStore } from '../plans/ports.ts';
import { toApproval } from './approval-rows.ts';
import { ASKED_BEFORE, type AskedPlan, askPlan, type Before } from './asking.ts';
import { type Columns, type Database, insertParts, isOfPerson, type Row, toFields, toRow } from './database.ts';

const COLUMNS: Columns<StoredPlan> = {
  id: ['id', 'text'],
  tenant: ['tenant', 'text'],
  caller: ['caller', 'text'],
  createdAt: ['created_at', 'number'],
  expiresAt: ['expires_at', 'number'],
  stoppedAt: ['stopped_at', 'number'],
  question: ['question', 'text'],
  body: ['body', 'json'],
};

/** SQL: whether plan `p` has a step that was granted after a time (`?`) and has no operation in the journal. */
export function hasStepToBegin(s: string): string {
  return `exists (select 1 from ${s}approval a where a.plan = p.id and a.plan_question = p.question and a.plan_line > 0
    and a.decision = 'granted' and a.decided_at > ?
    and not exists (select 1 from ${s}operation o where o.id = a.operation_id))`;
}

export class StoredPlans implements PlanStore {
  readonly #db: Database;
  readonly #prefix: string;

  constructor(db: Database) {
    this.#db = db;
    this.#prefix = db.dialect.prefix;
  }

  ask(
    plan: AskedPlan,
    approvals: readonly Approval[],
    before: Before,
    deciding: readonly string[],
  ): Promise<AskingPlan> {
    return askPlan(this.#db, { plan, approvals, before, deciding });
  }

  async put(plan: StoredPlan): Promise<void> {
    const { columns, marks, values } = insertParts(toRow(COLUMNS, plan));
    const sql = `insert into ${this.#prefix}plan(${columns}) values (${marks})`;
    await this.#db.beforeSending.write(sql, ...values);
  }

  async get(id: string): Promise<StoredPlan | undefined> {
    const row = await this.#db.get(`select * from ${this.#prefix}plan where id = ?`, id);
    return row && toPlan(row);
  }

  async kept(caller: Caller): Promise<KeptPlans> {
    const { tenant, id } = withoutApplication(caller);
    const sql = `select count(*) as count, min(expires_at) as first from ${this.#prefix}plan
      where ${isOfPerson(this.#db.dialect)} and body is not null`;
    const { count, first } = (await this.#db.get(sql, tenant, id, `${id}:`)) as Row;
    return { count: Number(count), firstExpiresAt: first === null ? undefined : Number(first) };
  }

  async dropProposal(caller: Caller): Promise<boolean> {
    const { tenant, id } = withoutApplication(caller);
    const oldest = `select id from ${this.#prefix}plan
      where ${isOfPerson(this.#db.dialect)} and body is not null and question is null order by created_at, id limit 1`;
    const sql = `update ${this.#prefix}plan set body = null where id = (${oldest})`;
    return (await this.#db.beforeSending.write(sql, tenant, id, `${id}:`)) > 0;
  }

  async decide(plan: string, question: string, answer: PlanAnswer, now: number): Promise<boolean> {
    const { elements, isAhead, durably } = this.#db.dialect;
    const { assurance, approver, granted } = answer;
    const ids = JSON.stringify(granted.length === 0 ? [] : [question, ...granted]);

    // One statement, so that the second of two answers finds nothing that is pending.
    const granting = `operation_id in (select value from ${elements})`;
    const sql = `update ${this.#prefix}approval set assurance = ?, approver = ?, decided_at = ?,
      decision = case when ${granting} then 'granted' else 'declined' end,
      carried = case when ${granting} then carried end
      where plan = ? and plan_question = ? and decision = 'pending' and expires_at > ? and expires_at <= ?
      and ${isAhead('expires_at')} and exists (select 1 from ${this.#prefix}plan p where p.id = ? and p.question = ?
        and (p.stopped_at is null or ${granted.length === 0}))
      and ${durably}`;

    const changes = [assurance, approver ?? null, now, ids, ids];
    const conditions = [plan, question, now, now + LONGEST_MS, plan, question];
    return (await this.#db.write(sql, ...changes, ...conditions)) > 0;
  }

  async approvals(plan: string): Promise<readonly PlanApproval[]> {
    const sql = `select * from ${this.#prefix}approval where plan = ? order by created_at, ${this.#db.dialect.place}`;
    return (await this.#db.all(sql, plan)).map((row) => toApproval(row) as PlanApproval);
  }

  async stop(id: string, now: number): Promise<boolean> {
    const { durably } = this.#db.dialect;
    // In this order: a yes that comes between the two finds the plan stopped.
    const sql = `update ${this.#prefix}plan set stopped_at = ? where id = ? and stopped_at is null and ${durably}`;
    const isFirst = (await this.#db.write(sql, now, id)) === 1;

    // A step keeps no time of an answer, because nobody gave one.
    const withdraw = `update ${this.#prefix}approval set decision = 'void', void_why = 'stopped', carried = null,
      decided_at = case when plan_line = 0 then cast(? as bigint) end where ${ASKED_BEFORE} and ${durably}`;
    await this.#db.write(withdraw, now, id);

    return isFirst;
  }

  async unfinished(since: number): Promise<readonly StoredPlan[]> {
    const { prefix } = this.#db.dialect;
    const sql = `select * from ${prefix}plan p where p.expires_at > ? and p.stopped_at is null
      and ${hasStepToBegin(prefix)}`;
    return (await this.#db.all(sql, since, since)).map(toPlan);
  }
}

function toPlan(row: Row): StoredPlan {
  return toFields(COLUMNS, row) as StoredPlan;
}
