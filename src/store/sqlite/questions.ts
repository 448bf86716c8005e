/**
 * Questions on SQLite, about acts and about plans: what is open about the same topic is found or replaced in the
 * transaction that enters a question.
 */
import type { Approval } from '../../approvals/ports.ts';
import {
  type AskingRow,
  type NewQuestionRow,
  openOfPerson,
  replacedByOther,
  toApproval,
  toApprovalRow,
} from '../approvals.ts';
import { ASKED_BEFORE, type AskedPlan, type Before, StoredPlans } from '../plans.ts';
import type { SqliteDatabase } from './database.ts';
import { DIALECT } from './schema.ts';

/** A power failure that undoes it undoes both: the question before is open again, and this one was never asked. */
export async function askInTransaction(db: SqliteDatabase, asked: NewQuestionRow): Promise<AskingRow> {
  return db.lightly(() => db.transaction<AskingRow>(() => enter(db, asked)));
}

function enter(db: SqliteDatabase, { question, row, person, until, limits }: NewQuestionRow): AskingRow {
  const { tenant, caller, topic = null, tool, operationId, createdAt: now } = question;
  const open = openOn(db, question);
  if (open === undefined) {
    const sql = `select count(*) as open from approval where ${openOfPerson(DIALECT)}`;
    if (Number(db.get(sql, tenant, person, `${person}:`, now)?.open) >= limits.open) return { kind: 'too_many_open' };
  } else {
    const { argsDigest, termsDigest, expiresAt } = toApproval(open);
    // The clock was set back after it was asked: nobody can answer it now.
    const isAnswerable = expiresAt <= until;
    const isSameCall = argsDigest === question.argsDigest;
    if (isAnswerable && isSameCall && termsDigest === question.termsDigest) return { kind: 'found', open };
    const before = db.get(
      `select count(*) as replaced, min(decided_at) as oldest from approval gone where ${replacedByOther('', bodyField)}`,
      ...[topic, tenant, caller, limits.since],
    );
    if (isAnswerable && !isSameCall && Number(before?.replaced) >= limits.replaced)
      return { kind: 'replaced_too_often', open, oldest: Number(before?.oldest) };
    db.run(
      `update approval set decision = 'replaced', carried = null, decided_at = ?, replaced_by = ?
       where topic = ? and tool = ? and tenant = ? and caller = ? and decision = 'pending'`,
      ...[now, operationId, topic, tool, tenant, caller],
    );
  }
  const columns = Object.keys(row);
  const values = columns.map(() => '?').join();
  db.run(`insert into approval(${columns.join()}) values (${values})`, ...Object.values(row));
  return open === undefined ? { kind: 'asked' } : { kind: 'asked', replaced: open };
}

/** SQL of a field of an approval's body. */
export const bodyField = (name: string, of = ''): string => DIALECT.text(`${of}body`, [name]);

/** Frees the topic of a question that nobody answered in time. */
function openOn(db: SqliteDatabase, question: Approval) {
  const { tenant, caller, topic = null, tool, createdAt: now } = question;
  const mine = `topic = ? and tool = ? and tenant = ? and caller = ? and decision = 'pending'`;
  const row = db.get(`select * from approval where ${mine}`, topic, tool, tenant, caller);
  if (row === undefined || Number(row.expires_at) > now) return row;
  db.run('update approval set topic = null where handle_hash = ?', String(row.handle_hash));
  return undefined;
}

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
      for (const row of approvals.map(toApprovalRow)) {
        const columns = Object.keys(row);
        const values = columns.map(() => '?').join();
        db.run(`insert into approval(${columns.join()}) values (${values})`, ...Object.values(row));
      }
      return true;
    });
  }
}
