/**
 * Approvals on PostgreSQL. What is decided is in columns, and changes by compare-and-set; what never changes is in
 * `body`.
 */
import type { Approval, ApprovalStore, AskedBy } from '../../approvals/ports.ts';
import type { Assurance } from '../../journal/operation.ts';
import { bodyOf, KEEP_NAMES_MS, textOf, toApproval } from '../approval-row.ts';
import type { PostgresDatabase, Value } from './database.ts';
import { CLOCK } from './functions.ts';

export class PostgresApprovals implements ApprovalStore {
  readonly #db: PostgresDatabase;
  readonly #in: string;
  /** A yes counts only while the database, too, finds it in time. */
  readonly #inTime: string;

  /** `checked`: the times given are to be those of the database's clock. */
  constructor(db: PostgresDatabase, checked: boolean) {
    this.#db = db;
    this.#in = db.schema;
    this.#inTime = checked ? `expires_at > ${CLOCK}` : 'true';
  }

  async put(approval: Approval): Promise<void> {
    const { handleHash, operationId, decision, askedBy, assurance, approver, createdAt, expiresAt } = approval;
    const { decidedAt, toldAt, staleLines, carried, lines, act } = approval;
    await this.blank(createdAt - KEEP_NAMES_MS);
    await this.#db.beforehand.run(
      `insert into ${this.#in}.approval(handle_hash, operation_id, decision, asked_by, assurance, created_at, expires_at,
       decided_at, told_at, stale_lines, carried, terms, approver, body)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
      ...[handleHash, operationId, decision, askedBy, assurance ?? null, createdAt, expiresAt],
      ...[decidedAt ?? null, toldAt ?? null, textOf(staleLines), textOf(carried), textOf({ lines, act })],
      ...[approver ?? null, bodyOf(approval)],
    );
  }

  async get(handleHash: string): Promise<Approval | undefined> {
    return this.#find('handle_hash = $1', handleHash);
  }

  async byOperation(operationId: string): Promise<Approval | undefined> {
    return this.#find('operation_id = $1', operationId);
  }

  async decide(
    handleHash: string,
    decision: 'granted' | 'declined',
    assurance: Assurance,
    now: number,
    approver?: string,
  ): Promise<boolean> {
    const sql = `update ${this.#in}.approval set decision = $1, assurance = $2, decided_at = $3::bigint, approver = $4
      where handle_hash = $5 and decision = 'pending' and expires_at > $3::bigint and ${this.#inTime}`;
    return (await this.#db.run(sql, decision, assurance, now, approver ?? null, handleHash)) === 1;
  }

  async ask(handleHash: string, by: AskedBy): Promise<boolean> {
    return (await this.#set("asked_by = $2 where handle_hash = $1 and decision = 'pending'", handleHash, by)) === 1;
  }

  async markStale(handleHash: string, lines: readonly string[]): Promise<void> {
    await this.#set('stale_lines = $2 where handle_hash = $1', handleHash, JSON.stringify(lines));
  }

  async revoke(handleHash: string): Promise<void> {
    await this.#set("decision = 'void', carried = null where handle_hash = $1 and decision = 'granted'", handleHash);
  }

  async tell(handleHash: string, now: number): Promise<boolean> {
    const change = 'told_at = $2, carried = null where handle_hash = $1 and told_at is null';
    return (await this.#set(change, handleHash, now)) === 1;
  }

  async erase(handleHash: string): Promise<void> {
    await this.#set('carried = null where handle_hash = $1', handleHash);
  }

  async waiting(now: number): Promise<readonly Approval[]> {
    const sql = `select * from ${this.#in}.approval where decision = 'pending' and expires_at > $1
      order by created_at, place`;
    return (await this.#db.all(sql, now)).map(toApproval);
  }

  #set(change: string, ...values: Value[]): Promise<number> {
    return this.#db.run(`update ${this.#in}.approval set ${change}`, ...values);
  }

  /** Lapsed before that: what names people goes, what is bound stays. Rows that another process is blanking are its. */
  async blank(before: number): Promise<void> {
    await this.#db.beforehand.run(
      `update ${this.#in}.approval set carried = null, terms = null, stale_lines = null where handle_hash in (
       select handle_hash from ${this.#in}.approval where expires_at < $1 and (carried is not null or terms is not null)
       limit 1000 for update skip locked)`,
      before,
    );
  }

  async #find(where: string, value: string): Promise<Approval | undefined> {
    const row = await this.#db.get(`select * from ${this.#in}.approval where ${where}`, value);
    return row && toApproval(row);
  }
}
