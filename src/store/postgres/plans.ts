/** Plans on PostgreSQL: a question and its steps enter with one statement. */
import type { Approval } from '../../approvals/ports.ts';
import { rowOf } from '../approvals.ts';
import { ASKED_BEFORE, type AskedPlan, type Before, StoredPlans } from '../plans.ts';
import type { PostgresDatabase } from './database.ts';

export class PostgresPlans extends StoredPlans {
  readonly #postgres: PostgresDatabase;

  constructor(db: PostgresDatabase) {
    super(db);
    this.#postgres = db;
  }

  async ask(plan: AskedPlan, approvals: readonly Approval[], before: Before): Promise<boolean> {
    const s = this.prefix;
    const rows = approvals.map(rowOf);
    const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))].join();
    const sql = `with turn as (
      update ${s}plan p set question = ?, expires_at = ?::bigint, body = ?, stopped_at = null
      where p.id = ? and p.question is not distinct from ?
        and (select a.decision from ${s}approval a where a.operation_id = p.question) is not distinct from ?
      returning p.id
    ), spent as (
      update ${s}approval set decision = 'void', carried = null
      where ${ASKED_BEFORE} and exists (select 1 from turn)
    )
    insert into ${s}approval(${columns})
    select ${columns} from json_populate_recordset(null::${s}approval, ?::text::json) where exists (select 1 from turn)`;
    const { id, question, expiresAt, body } = plan;
    const [was, decision] = [before?.operationId ?? null, before?.decision ?? null];
    const values = [question, expiresAt, JSON.stringify(body), id, was, decision, id, JSON.stringify(rows)];
    return (await this.#postgres.run(sql, ...values)) > 0;
  }
}
