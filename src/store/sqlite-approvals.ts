/**
 * Approvals on SQLite. What is decided is in columns, and changes by compare-and-set; what never changes is in `body`.
 */
import type { Approval, ApprovalStore, AskedBy, Decision } from '../guard/ports.ts';
import type { Assurance } from '../journal/operation.ts';
import type { Row, SqliteDatabase } from './sqlite-database.ts';

const DAY_MS = 24 * 60 * 60_000;

export class SqliteApprovals implements ApprovalStore {
  readonly #db: SqliteDatabase;

  constructor(db: SqliteDatabase) {
    this.#db = db;
  }

  async put(approval: Approval): Promise<void> {
    const { handleHash, operationId, decision, askedBy, assurance, createdAt, expiresAt } = approval;
    const { decidedAt, staleLines, carried, ...body } = approval;
    // What nobody presented any more: its arguments name people.
    this.#db.run('update approval set carried = null where carried is not null and expires_at < ?', createdAt - DAY_MS);
    this.#db.run(
      `insert into approval(handle_hash, operation_id, decision, asked_by, assurance, created_at, expires_at,
       decided_at, stale_lines, carried, body) values(?,?,?,?,?,?,?,?,?,?,?)`,
      ...[handleHash, operationId, decision, askedBy, assurance ?? null, createdAt, expiresAt],
      ...[decidedAt ?? null, textOf(staleLines), textOf(carried), JSON.stringify(body)],
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
  ): Promise<boolean> {
    const sql = `update approval set decision = ?, assurance = ?, decided_at = ?
      where handle_hash = ? and decision = 'pending' and expires_at > ?`;
    return this.#db.run(sql, decision, assurance, now, handleHash, now) === 1;
  }

  async ask(handleHash: string, by: AskedBy): Promise<boolean> {
    const sql = "update approval set asked_by = ? where handle_hash = ? and decision = 'pending'";
    return this.#db.run(sql, by, handleHash) === 1;
  }

  async markStale(handleHash: string, lines: readonly string[]): Promise<void> {
    this.#db.run('update approval set stale_lines = ? where handle_hash = ?', JSON.stringify(lines), handleHash);
  }

  async erase(handleHash: string): Promise<void> {
    this.#db.run('update approval set carried = null where handle_hash = ?', handleHash);
  }

  async waiting(now: number): Promise<readonly Approval[]> {
    const sql = "select * from approval where decision = 'pending' and expires_at > ? order by created_at, rowid";
    return this.#db.all(sql, now).map(toApproval);
  }

  #find(sql: string, value: string): Approval | undefined {
    const row = this.#db.get(sql, value);
    return row && toApproval(row);
  }
}

function textOf(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

function toApproval(row: Row): Approval {
  return {
    ...(JSON.parse(String(row.body)) as Approval),
    decision: row.decision as Decision,
    askedBy: row.asked_by as AskedBy,
    ...(row.assurance !== null && { assurance: row.assurance as Assurance }),
    ...(row.decided_at !== null && { decidedAt: Number(row.decided_at) }),
    ...(row.stale_lines !== null && { staleLines: JSON.parse(String(row.stale_lines)) as string[] }),
    ...(row.carried !== null && { carried: JSON.parse(String(row.carried)) as unknown }),
  };
}
