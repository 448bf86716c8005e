/**
 * Stores approvals. approval-rows.ts has their rows, asking.ts how a question is entered.
 *
 * The operation with the approval's id makes sure that it is carried out only once: its insert is in sqlite/journal.ts
 * and postgres/functions.ts.
 */
import type { Approval } from '../approvals/approval.ts';
import { LONGEST_MS } from '../approvals/expiry.ts';
import type { ApprovalStore, Asking, AskingLimits, OpenQuestion, StoredAnswer } from '../approvals/ports.ts';
import type { Caller } from '../domain/people/caller.ts';
import { termsText, toApproval, toApprovalRow, toOpenQuestion } from './approval-rows.ts';
import { askQuestion, countOpen, openAbout } from './asking.ts';
import { type Database, insertParts, type Value } from './database.ts';
import { WAITING } from './tables.ts';

export class StoredApprovals implements ApprovalStore {
  readonly #db: Database;
  readonly #table: string;

  constructor(db: Database) {
    this.#db = db;
    this.#table = `${db.dialect.prefix}approval`;
  }

  /**
   * A power failure may undo this write: an approval has no effect without the answer or the operation that follows.
   */
  async put(approval: Approval): Promise<void> {
    const { columns, marks, values } = insertParts(toApprovalRow(approval));
    const sql = `insert into ${this.#table}(${columns}) select ${marks} where ${this.#db.dialect.mayBeLost}`;
    await this.#db.beforeSending.writeThatMayBeLost(sql, ...values);
  }

  ask(question: Approval, limits: AskingLimits): Promise<Asking> {
    return askQuestion(this.#db, question, limits);
  }

  async get(handleHash: string): Promise<Approval | undefined> {
    return this.#find('handle_hash', handleHash);
  }

  async byOperation(operationId: string): Promise<Approval | undefined> {
    return this.#find('operation_id', operationId);
  }

  async decide(handleHash: string, { decision, assurance, approver }: StoredAnswer, now: number): Promise<boolean> {
    const sql = `update ${this.#table} set decision = ?, assurance = ?, approver = ?, decided_at = ?
      where handle_hash = ? and decision = 'pending' and expires_at > ? and expires_at <= ?
      and ${this.#db.dialect.isAhead('expires_at')}`;
    const values = [decision, assurance, approver ?? null, now, handleHash, now, now + LONGEST_MS];
    // A no must survive. A yes has no effect without its operation, which is on the disk before anything is sent.
    return decision === 'declined' ? this.#change(sql, ...values) : this.#changeThatMayBeLost(sql, ...values);
  }

  /** Only blanking changes the terms too, and it wins. If a power failure undoes this write, the page says less. */
  async keepTerms(approval: Approval): Promise<void> {
    const sql = `update ${this.#table} set terms = ? where handle_hash = ? and terms is not null`;
    await this.#changeThatMayBeLost(sql, termsText(approval), approval.handleHash);
  }

  async takeBack(
    handleHash: string,
    { assurance, approver }: Parameters<ApprovalStore['takeBack']>[1],
    now: number,
  ): Promise<void> {
    const sql = `update ${this.#table} set decision = 'declined', carried = null, assurance = ?, approver = ?, decided_at = ?
      where handle_hash = ? and decision = 'granted' and not exists (
        select 1 from ${this.#db.dialect.prefix}operation o where o.id = operation_id and o.dispatched_at is not null)`;
    await this.#change(sql, assurance, approver ?? null, now, handleHash);
  }

  async makeVoid(
    handleHash: string,
    why: Parameters<ApprovalStore['makeVoid']>[1],
    lines?: readonly string[],
  ): Promise<void> {
    const sql = `update ${this.#table} set decision = 'void', carried = null, void_why = ?, void_lines = ?
      where handle_hash = ? and (decision = 'granted' or (void_why = 'not_done' and void_lines is null))`;
    await this.#change(sql, why, lines ? JSON.stringify(lines) : null, handleHash);
  }

  /**
   * If a power failure undoes this write, the next call reports `done` again, and cleaning erases what was carried.
   */
  async markTold(handleHash: string, now: number): Promise<boolean> {
    const sql = `update ${this.#table} set told_at = ?, carried = null where handle_hash = ? and told_at is null`;
    return this.#changeThatMayBeLost(sql, now, handleHash);
  }

  /** If a power failure undoes this write, cleaning erases what was carried. */
  async erase(handleHash: string): Promise<void> {
    await this.#changeThatMayBeLost(`update ${this.#table} set carried = null where handle_hash = ?`, handleHash);
  }

  async lastStale(
    { tenant, caller, tool }: Pick<Approval, 'tenant' | 'caller' | 'tool'>,
    locator: string,
    until: number,
  ): Promise<Approval | undefined> {
    const { text, place } = this.#db.dialect;
    // The index of those with names finds the few of the last hour.
    const sql = `select * from ${this.#table} where terms is not null and expires_at > ?
      and tenant = ? and caller = ? and tool = ? and decision = 'void' and void_why = 'terms_changed'
      and ${text('body', ['locator'])} = ? order by created_at desc, ${place} desc limit 1`;
    const row = await this.#db.get(sql, until, tenant, caller, tool, locator);
    return row && toApproval(row);
  }

  async waiting(now: number): Promise<readonly Approval[]> {
    const sql = `select * from ${this.#table} where ${WAITING} and expires_at > ? and expires_at <= ?
      order by created_at, ${this.#db.dialect.place}`;
    return (await this.#db.all(sql, now, now + LONGEST_MS)).map(toApproval);
  }

  async openAbout(
    { tenant, id: caller }: Pick<Caller, 'tenant'> & Partial<Pick<Caller, 'id'>>,
    locators: readonly string[],
    now: number,
    tools?: readonly string[],
  ): Promise<readonly OpenQuestion[]> {
    const rows = await this.#db.all(...openAbout(this.#db.dialect, { tenant, caller, now, locators, tools }));
    return rows.map((row) => toOpenQuestion(row));
  }

  async openOf(caller: Caller, now: number): Promise<number> {
    const asker = { tenant: caller.tenant, caller: caller.id };
    return Number((await this.#db.beforeSending.get(...countOpen(this.#db.dialect, asker, now)))?.open);
  }

  /** Changes an approval, on the disk when this returns. Returns false if none fits the conditions. */
  async #change(sql: string, ...values: Value[]): Promise<boolean> {
    return (await this.#db.write(`${sql} and ${this.#db.dialect.durably}`, ...values)) === 1;
  }

  /** Like `#change`, but a power failure may undo the change. */
  async #changeThatMayBeLost(sql: string, ...values: Value[]): Promise<boolean> {
    return (await this.#db.writeThatMayBeLost(`${sql} and ${this.#db.dialect.mayBeLost}`, ...values)) === 1;
  }

  async #find(column: string, value: string): Promise<Approval | undefined> {
    const row = await this.#db.get(`select * from ${this.#table} where ${column} = ?`, value);
    return row && toApproval(row);
  }
}
