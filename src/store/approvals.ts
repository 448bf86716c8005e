/**
 * Stores approvals. approval-rows.ts has their rows, asking.ts how a question is entered.
 *
 * The operation with the approval's id makes sure that it is carried out only once: its insert is in sqlite/journal.ts
 * and postgres/functions.ts.
 */
import type { Approval } from '../approvals/approval.ts';
import { LONGEST_MS } from '../approvals/expiry.ts';
import type { ApprovalStore, Asking, AskingLimits, OpenQuestion, StoredAnswer } from '../approvals/ports.ts';
import { type Caller, withoutApplication } from '../domain/people/caller.ts';
import { termsText, toApproval, toApprovalRow, toOpenQuestion } from './approval-rows.ts';
import { askQuestion, isOpenOfPerson, openAbout } from './asking.ts';
import { type Database, insertParts, type Value } from './database.ts';
import { WAITING } from './tables.ts';

/** The new values of an approval's columns. */
type NewValues = Readonly<Record<string, Value>>;

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
    const sql = `insert into ${this.#table}(${columns}) select ${marks} where ${this.#db.dialect.lightly}`;
    await this.#db.beforehand.runLightly(sql, ...values);
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
    const answer = { decision, assurance, decided_at: now, approver: approver ?? null };
    const isAnswerable = `decision = 'pending' and expires_at > ? and expires_at <= ?
      and ${this.#db.dialect.isAhead('expires_at')}`;
    const times = [now, now + LONGEST_MS];
    // A no must survive. A yes has no effect without its operation, which is on the disk before anything is sent.
    return decision === 'declined'
      ? this.#changeDurably(handleHash, answer, isAnswerable, ...times)
      : this.#changeLightly(handleHash, answer, isAnswerable, ...times);
  }

  /** Only blanking changes the terms too, and it wins. If a power failure undoes this write, the page says less. */
  async keepTerms(approval: Approval): Promise<void> {
    await this.#changeLightly(approval.handleHash, { terms: termsText(approval) }, 'terms is not null');
  }

  async takeBack(
    handleHash: string,
    { assurance, approver }: Parameters<ApprovalStore['takeBack']>[1],
    now: number,
  ): Promise<void> {
    const no = { decision: 'declined', carried: null, assurance, decided_at: now, approver: approver ?? null };
    const isSent = `select 1 from ${this.#db.dialect.prefix}operation o
      where o.id = operation_id and o.dispatched_at is not null`;
    await this.#changeDurably(handleHash, no, `decision = 'granted' and not exists (${isSent})`);
  }

  async makeVoid(
    handleHash: string,
    why: Parameters<ApprovalStore['makeVoid']>[1],
    lines?: readonly string[],
  ): Promise<void> {
    const change = { decision: 'void', carried: null, void_why: why, void_lines: lines ? JSON.stringify(lines) : null };
    const isUnused = "decision = 'granted' or (void_why = 'not_done' and void_lines is null)";
    await this.#changeDurably(handleHash, change, isUnused);
  }

  /**
   * If a power failure undoes this write, the next call reports `done` again, and cleaning erases what was carried.
   */
  async markTold(handleHash: string, now: number): Promise<boolean> {
    return this.#changeLightly(handleHash, { told_at: now, carried: null }, 'told_at is null');
  }

  /** If a power failure undoes this write, cleaning erases what was carried. */
  async erase(handleHash: string): Promise<void> {
    await this.#changeLightly(handleHash, { carried: null });
  }

  async waiting(now: number): Promise<readonly Approval[]> {
    const sql = `select * from ${this.#table} where ${WAITING} and expires_at > ? and expires_at <= ?
      order by created_at, ${this.#db.dialect.place}`;
    return (await this.#db.all(sql, now, now + LONGEST_MS)).map(toApproval);
  }

  async openAbout(
    { tenant, id: caller }: Caller,
    locators: readonly string[],
    now: number,
    tools?: readonly string[],
  ): Promise<readonly OpenQuestion[]> {
    const rows = await this.#db.all(...openAbout(this.#db.dialect, { tenant, caller, now, locators, tools }));
    return rows.map((row) => toOpenQuestion(row));
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
  async #changeLightly(
    handleHash: string,
    change: NewValues,
    condition = 'true',
    ...times: number[]
  ): Promise<boolean> {
    const sql = `${this.#updateSql(change, condition)} and ${this.#db.dialect.lightly}`;
    return (await this.#db.runLightly(sql, ...Object.values(change), handleHash, ...times)) === 1;
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
