/** Plans on SQLite. */
import type { Approval } from '../../approvals/ports.ts';
import { rowOf } from '../approvals.ts';
import { ASKED_BEFORE, type AskedPlan, type Before, StoredPlans } from '../plans.ts';
import type { SqliteDatabase } from './database.ts';

export class SqlitePlans extends StoredPlans {
  readonly #sqlite: SqliteDatabase;

  constructor(db: SqliteDatabase) {
    super(db);
    this.#sqlite = db;
  }

  async ask(plan: AskedPlan, approvals: readonly Approval[], before: Before): Promise<boolean> {
    const db = this.#sqlite;
    return db.transaction<boolean>(() => {
      const last = db.get(
        `select p.question, a.decision from plan p left join approval a on a.operation_id = p.question where p.id = ?`,
        plan.id,
      );
      const isSame = (last?.question ?? undefined) === before?.operationId;
      if (last === undefined || !isSame || (last.decision ?? undefined) !== before?.decision) return false;
      const sql = 'update plan set question = ?, expires_at = ?, body = ?, stopped_at = null where id = ?';
      db.run(sql, plan.question, plan.expiresAt, JSON.stringify(plan.body), plan.id);
      db.run(`update approval set decision = 'void', carried = null where ${ASKED_BEFORE}`, plan.id);
      for (const row of approvals.map(rowOf)) {
        const columns = Object.keys(row);
        const values = columns.map(() => '?').join();
        db.run(`insert into approval(${columns.join()}) values (${values})`, ...Object.values(row));
      }
      return true;
    });
  }
}
