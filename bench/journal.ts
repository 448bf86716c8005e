/**
 * What the journal adds to an act at the airline: entered before it is sent, marked as sent, the reply kept, settled;
 * each a transaction, and a second record of the act forced to the disk before its first byte. SQLite forces two of the
 * transactions to the disk, PostgreSQL three. Acts of a busy desk follow one another; one that is alone finds SQLite's log
 * emptied, and disk and processor at rest.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { NewOperation } from '../src/journal/operation.ts';
import type { OperationStore } from '../src/journal/ports.ts';
import { openPostgresState } from '../src/store/postgres/state.ts';
import { openSqliteState } from '../src/store/sqlite/state.ts';
import { startCluster } from '../test/campaigns/support/postgres.ts';
import type { Measure, Row } from './measure.ts';
import { median } from './support/statistics.ts';

const PAGE = Buffer.alloc(4_096, 1);
/** The store empties its log a second after the last act. */
const EMPTIED_MS = 1_150;
const AMOUNT = { minor: 17_250, currency: 'SAR' };

export const journal: Measure = {
  name: 'journal',
  about: 'the journal beside one act at the airline',
  async run({ replies, folder, short }) {
    const cluster = await startCluster({ fsync: 'on' });
    const [onFile, onServer] = [folder('witness'), folder('witness')];
    const sqlite = await openSqliteState(join(folder('journal'), 'state.sqlite'), { witnesses: onFile });
    const postgres = await openPostgresState(await cluster.database('journal'), { witnesses: onServer });
    const file = openSync(join(folder('disk'), 'plain'), 'w');
    const took: Record<'sqlite' | 'postgres' | 'plain', number[]> = { sqlite: [], postgres: [], plain: [] };
    for (let n = 0; n < (short ? 60 : 300); n++) {
      took.sqlite.push(await act(sqlite.operations, replies.read));
      took.plain.push(forced(file));
      took.postgres.push(await act(postgres.operations, replies.read));
    }
    closeSync(file);
    const alone: number[] = [];
    for (let n = 0; n < (short ? 3 : 9); n++) {
      await wait(EMPTIED_MS);
      alone.push(await act(sqlite.operations, replies.read));
    }
    const misfits = [await sqlite.operations.verify(), await postgres.operations.verify()];
    await Promise.all([sqlite.close(), postgres.close()]);
    await cluster.close();
    if (misfits.some((misfit) => misfit !== undefined)) throw new Error('the journal does not verify');
    const disk = median(took.plain);
    const floor = `a plain write forced to this disk ${disk.toFixed(2)} ms`;
    const row = (what: string, value: number): Row => ({ what, value, unit: 'ms', floor });
    return [
      { ...row('SQLite: four writes and a second record, p50', median(took.sqlite)), target: { atMost: 1 } },
      { what: '… over two plain writes', value: median(took.sqlite) / (2 * disk), unit: '×' },
      row('… of an act alone, a second after the last', median(alone)),
      { ...row('PostgreSQL: the same, p50', median(took.postgres)), target: { atMost: 3 } },
    ];
  },
};

/** The least that a durable write can take here: a page and an fsync. Milliseconds. */
function forced(file: number): number {
  const began = performance.now();
  writeSync(file, PAGE, 0, PAGE.length, 0);
  fsyncSync(file);
  return performance.now() - began;
}

async function act(store: OperationStore, reply: string): Promise<number> {
  const operation: NewOperation = {
    id: randomUUID(),
    tenant: 'bench',
    caller: 'bench',
    tool: 'pay_booking',
    locator: 'ABC123',
    assurance: 'page',
    argsDigest: 'args',
    termsDigest: 'terms',
    subject: { kind: 'pay', amount: AMOUNT, coupons: 2 },
    amount: AMOUNT,
    direction: 'payment',
  };
  const began = performance.now();
  const now = Date.now();
  const meta = { now, actor: 'bench' };
  await store.insert(operation, { now, owner: 'bench', leaseUntil: now + 60_000 });
  await store.transition(operation.id, ['intent'], 'dispatched', { dispatchedAt: now }, meta);
  await store.keepReply(operation.id, { status: 200, body: reply });
  await store.transition(operation.id, ['dispatched'], 'succeeded', { outcome: { basis: 'reply' } }, meta);
  return performance.now() - began;
}
