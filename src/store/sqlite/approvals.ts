/**
 * Approvals on SQLite. What is decided is in columns, and changes by compare-and-set; what never changes is in `body`.
 */
import type { Approval, ApprovalStore, AskedBy } from '../../approvals/ports.ts';
import type { Assurance } from '../../journal/operation.ts';
import { bodyOf, KEEP_NAMES_MS, textOf, toApproval } from '../approval-row.ts';
import type { SqliteDatabase } from './database.ts';

export class SqliteApprovals implements ApprovalStore {
  readonly #db: SqliteDatabase;

  constructor(db: SqliteDatabase) {
    this.#db = db;
  }

  async put(approval: Approval): Promise<void> {
    const { handleHash, operationId, decision, askedBy, assurance, approver, createdAt, expiresAt } = approval;
    const { decidedAt, toldAt, staleLines, carried, lines, act } = approval;
    await this.blank(createdAt - KEEP_NAMES_MS);
    this.#db.run(
      `insert into approval(handle_hash, operation_id, decision, asked_by, assurance, created_at, expires_at,
       decided_at, told_at, stale_lines, carried, terms, approver, body) values(?,?,?,?,?,?,?,?,?,?,?,?,?,?)`,
      ...[handleHash, operationId, decision, askedBy, assurance ?? null, createdAt, expiresAt],
      ...[decidedAt ?? null, toldAt ?? null, textOf(staleLines), textOf(carried), textOf({ lines, act })],
      ...[approver ?? null, bodyOf(approval)],
    );
  }

  async get(handleHash: string): Promise<Approval | undefined> {
    return this.#find('select * from approval where handle_hash = ?', handleHash);
  }

  async byOperation(operationId: string): Promise<Approval | undefined> {
    return this.#find('select * from approval where operation_id = ?', operationId);
  }

  async decide(
    handleHash: string,
    decision: 'granted' | 'declined',
    assurance: Assurance,
    now: number,
    approver?: string,
  ): Promise<boolean> {
    const sql = `update approval set decision = ?, assurance = ?, decided_at = ?, approver = ?
      where handle_hash = ? and decision = 'pending' and expires_at > ?`;
    return this.#db.run(sql, decision, assurance, now, approver ?? null, handleHash, now) === 1;
  }

  async ask(handleHash: string, by: AskedBy): Promise<boolean> {
    const sql = "update approval set asked_by = ? where handle_hash = ? and decision = 'pending'";
    return this.#db.run(sql, by, handleHash) === 1;
  }

  async markStale(handleHash: string, lines: readonly string[]): Promise<void> {
    this.#db.run('update approval set stale_lines = ? where handle_hash = ?', JSON.stringify(lines), handleHash);
  }

  async revoke(handleHash: string): Promise<void> {
    const sql = "update approval set decision = 'void', carried = null where handle_hash = ? and decision = 'granted'";
    this.#db.run(sql, handleHash);
  }

  async tell(handleHash: string, now: number): Promise<boolean> {
    const sql = 'update approval set told_at = ?, carried = null where handle_hash = ? and told_at is null';
    return this.#db.run(sql, now, handleHash) === 1;
  }

  async erase(handleHash: string): Promise<void> {
    this.#db.run('update approval set carried = null where handle_hash = ?', handleHash);
  }

  async waiting(now: number): Promise<readonly Approval[]> {
    const sql = "select * from approval where decision = 'pending' and expires_at > ? order by created_at, rowid";
    return this.#db.all(sql, now).map(toApproval);
  }

  /** Lapsed before that: what names people goes, what is bound stays. */
  async blank(before: number): Promise<void> {
    const sql = `update approval set carried = null, terms = null, stale_lines = null
      where expires_at < ? and (carried is not null or terms is not null)`;
    this.#db.run(sql, before);
  }

  #find(sql: string, value: string): Approval | undefined {
    const row = this.#db.get(sql, value);
    return row && toApproval(row);
  }
}
