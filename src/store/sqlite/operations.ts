/** The journal's table of operations on SQLite. */
import { isActive, type NewOperation, type Operation } from '../../journal/operation.ts';
import type { DayLimit, InsertMeta, InsertResult } from '../../journal/ports.ts';
import { overtaking } from '../approvals.ts';
import { ACTIVE, type Value } from '../database.ts';
import { overDayLimit } from '../day-limit.ts';
import { birthContent, changeContent } from '../journal/chain.ts';
import { fieldsOf, newborn, rowOf, toOperation } from '../journal/operation-row.ts';
import { type MoveResult, type OperationMove, StoredOperations } from '../journal/operations.ts';
import type { Witness, WitnessedLink } from '../journal/witness.ts';
import { bodyField } from './approvals.ts';
import { appendEvent, type SqliteChain } from './chain.ts';
import type { SqliteDatabase } from './database.ts';

export class SqliteOperations extends StoredOperations<SqliteDatabase, SqliteChain> {
  /** Forced to the disk with the change to `dispatched`, which is before the first byte: until then nothing is sent. */
  async insert(operation: NewOperation, meta: InsertMeta, limit?: DayLimit): Promise<InsertResult> {
    const entered = newborn(operation, meta);
    const { id, createdAt: at, owner: actor } = entered;
    const row = rowOf(entered);
    const columns = Object.keys(row);
    const sql = `insert into operation(${columns.join()}) values (${columns.map(() => '?').join()}) on conflict do nothing`;
    return this.db.lightly(() =>
      this.db.transaction<InsertResult>(() => {
        const stopped = meta.unlessStopped && this.#stopped();
        if (stopped) return this.#sameAs(operation) ?? stopped;
        if (this.db.run(sql, ...Object.values(row)) === 0) return this.#conflict(operation);
        const over = limit && overDayLimit(this.db, entered, limit);
        if (over !== undefined) {
          this.db.run('delete from operation where id = ?', id);
          return over;
        }
        appendEvent(this.db, { operationId: id, at, from: '', to: 'intent', actor, content: birthContent(entered) });
        return { kind: 'inserted', operation: entered };
      }),
    );
  }

  #stopped(): InsertResult | undefined {
    const rows = this.db.all("select key, value from meta where key in ('hold', 'pause')");
    if (rows.length === 0) return undefined;
    return { kind: 'stopped', ...Object.fromEntries(rows.map(({ key, value }) => [key, JSON.parse(String(value))])) };
  }

  #sameAs({ id }: NewOperation): InsertResult | undefined {
    const same = this.#find('id = ?', id);
    return same && { kind: 'exists', operation: same };
  }

  #conflict(operation: NewOperation): InsertResult {
    const { tenant, locator, fingerprint } = operation;
    const same = this.#sameAs(operation);
    if (same !== undefined) return same;
    const other =
      this.#find(`locator = ? and ${ACTIVE}`, locator ?? null) ??
      this.#find(`tenant = ? and fingerprint = ? and ${ACTIVE}`, tenant, fingerprint ?? null);
    if (other === undefined) throw new Error('an operation was refused by an unknown constraint');
    return { kind: 'busy', operation: other };
  }

  /** The change to `dispatched` is the last commit before the first byte. */
  protected async move({ id, from, to, patch, meta }: OperationMove): Promise<MoveResult> {
    if (to === 'dispatched') this.chain?.refresh();
    return this.db.transaction<MoveResult>(() => {
      const before = this.db.get('select state, locator, dispatched_at, outcome from operation where id = ?', id);
      const fields = before && fieldsOf(before);
      if (fields?.state === undefined || !from.includes(fields.state)) return { kind: 'unmoved' };
      if (to === 'dispatched' && this.chain?.maySend() === false) return { kind: 'behind' };
      const row = { state: to, updated_at: meta.now, ...rowOf(patch) };
      const set = Object.keys(row).map((column) => `${column} = ?`);
      this.db.run(`update operation set ${set.join()} where id = ?`, ...Object.values(row), id);
      const content = changeContent({
        locator: patch.locator ?? fields.locator,
        dispatchedAt: patch.dispatchedAt ?? fields.dispatchedAt,
        outcome: patch.outcome ?? fields.outcome,
      });
      const link = appendEvent(this.db, {
        operationId: id,
        at: meta.now,
        from: fields.state,
        to,
        actor: meta.actor,
        content,
      });
      if (!isActive(to)) this.db.run('delete from reply where operation_id = ?', id);
      if (to === 'succeeded') this.#overtake(id, meta.now);
      const now = this.#find('id = ?', id) as Operation;
      return { kind: 'moved', link, operation: now };
    });
  }

  #overtake(id: string, now: number): void {
    const { locator = null, tool, tenant, caller, argsDigest } = this.#find('id = ?', id) as Operation;
    const values = [argsDigest, now, tenant, caller, id, locator, tool, id];
    const marks = values.map(() => '?');
    this.db.run(overtaking('', marks, bodyField), ...values);
  }

  /** Synchronous, because this store waits for its disk anyway. */
  protected keep(witness: Witness, link: WitnessedLink): void {
    witness.keepNow(link);
  }

  #find(condition: string, value: Value, ...more: Value[]): Operation | undefined {
    const row = this.db.get(`select * from operation where ${condition}`, value, ...more);
    return row && toOperation(row);
  }
}
