/**
 * Fills a journal as the program does: each act is entered and moved by the store's own writes, in the chain. Only the
 * commit is shared, by so many acts: every one alone would be forced to the disk three times.
 */
import { DatabaseSync } from 'node:sqlite';
import type { Sql } from 'postgres';
import { birthContent } from '../../../../src/store/chain.ts';
import { newborn, rowOf } from '../../../../src/store/operation-row.ts';
import { SqliteDatabase } from '../../../../src/store/sqlite/database.ts';
import { SqliteOperations } from '../../../../src/store/sqlite/operations.ts';
import { pendingApproval } from '../../../support/approvals.ts';
import type { State } from '../../support/office.ts';
import { inParallel } from '../../support/pace.ts';
import { type InventedAct, inventedAct, inventedEntries, READER, START } from './invented-acts.ts';

const OWNER = 'desk:1';
const CONNECTIONS = 10;
const metaOf = ({ at }: InventedAct) => ({ now: at, owner: OWNER, leaseUntil: at + 60_000 });

/** The store's transactions, one within another. */
class Shared extends SqliteDatabase {
  override transaction<T>(work: () => T): T {
    return work();
  }

  override lightly<T>(work: () => T): T {
    return work();
  }
}

/** By the store's own code. The file has its tables already. */
export async function seedSqlite(file: string, total: number): Promise<void> {
  const raw = new DatabaseSync(file);
  raw.exec('pragma synchronous = off; pragma foreign_keys = on; pragma secure_delete = on');
  const db = new Shared(raw, 5_000);
  const operations = new SqliteOperations(db);
  for (let n = 0; n < total; n++) {
    if (n % 1_000 === 0) raw.exec('begin immediate');
    const act = inventedAct(n, total);
    const { kind } = await operations.insert(act.operation, metaOf(act));
    if (kind !== 'inserted') throw new Error(`act ${n} is ${kind}`);
    for (const { from, to, patch, at } of act.moves) {
      const moved = await operations.transition(act.operation.id, [from], to, patch, { now: at, actor: OWNER });
      if (!moved) throw new Error(`act ${n} did not move to ${to}`);
    }
    if (n % 1_000 === 999 || n === total - 1) raw.exec('commit');
  }
  db.close();
}

/**
 * The versions of the chain's one row that a transaction makes must fit on its page: else each adds pages to the table, which
 * every write of the journal reads from end to end.
 */
const AT_ONCE = 15;

/** By the functions of the database that each are one write of the store. */
export async function seedPostgres(sql: Sql, schema: string, total: number): Promise<void> {
  await sql.unsafe(`create function ${schema}.seed(acts json) returns void as $$
    declare a json; m json;
    begin
      for a in select json_array_elements(acts) loop
        if ${schema}.enter_operation(a->'row', a->>'birth', null, null, null, false)->>'kind' <> 'inserted' then
          raise exception '% was not entered', a->'row'->>'id';
        end if;
        for m in select json_array_elements(a->'moves') loop
          if ${schema}.move_operation(a->'row'->>'id', m->>'from', m->>'to', m->'patch', (m->>'at')::bigint, '${OWNER}', false,
            (select value from ${schema}.meta where key = 'journal_id'), 0, '')->>'kind' <> 'moved' then
            raise exception '% did not move to %', a->'row'->>'id', m->>'to';
          end if;
        end loop;
      end loop;
    end $$ language plpgsql`);
  for (let n = 0; n < total; n += AT_ONCE) {
    const acts = Array.from({ length: Math.min(AT_ONCE, total - n) }, (_, i) => {
      const act = inventedAct(n + i, total);
      const entered = newborn(act.operation, metaOf(act));
      const moves = act.moves.map((move) => ({ ...move, patch: rowOf(move.patch) }));
      return { row: rowOf(entered), birth: birthContent(entered), moves };
    });
    await sql.unsafe(`select ${schema}.seed($1::text::json)`, [JSON.stringify(acts)]);
  }
  await sql.unsafe(`drop function ${schema}.seed(json)`);
}

/** The ledger, and questions that nobody answered, which stay: one for every twenty acts. */
export async function seedBeside(state: State, total: number): Promise<void> {
  await inParallel(inventedEntries(total), CONNECTIONS, (entry) => state.ledger.record(READER, entry));
  const asked = Array.from({ length: Math.ceil(total / 20) }, (_, i) =>
    pendingApproval({
      ...{ handleHash: `h${i}`, operationId: `never-${i}`, tenant: READER.tenant, caller: 'c01' },
      ...{ createdAt: START + i, expiresAt: START + i + 600_000 },
    }),
  );
  await inParallel(asked, CONNECTIONS, (one) => state.approvals.put(one));
}
