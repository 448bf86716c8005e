/**
 * What the journal adds to an act at the airline: entered before it is sent, marked as sent, the reply kept, settled;
 * each a transaction, and a second record of the act forced before its first byte. SQLite forces two of them to the disk. Acts of a busy desk follow one another; one that is alone
 * finds the log emptied, and disk and processor at rest.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { NewOperation } from '../src/journal/operation.ts';
import type { OperationStore } from '../src/journal/ports.ts';
import { openPostgresState } from '../src/store/postgres/state.ts';
import { openSqliteState } from '../src/store/sqlite/state.ts';
import { startCluster } from '../test/campaigns/fleet/support/cluster.ts';
import type { Measure, Row } from './measure.ts';
import { median } from './support/statistics.ts';

const PAGE = Buffer.alloc(4_096, 1);
/** The store empties its log a second after the last act. */
const EMPTIED_MS = 1_150;
const AMOUNT = { minor: 17_250, currency: 'SAR' };

export const journal: Measure = {
  name: 'journal',
  about: 'the journal beside one act at the airline, on SQLite and on PostgreSQL',
  async run({ replies, folder, short }) {
    const witnesses = folder('witness');
    const state = await openSqliteState(join(folder('journal'), 'state.sqlite'), { witnesses });
    const file = openSync(join(folder('disk'), 'plain'), 'w');
    const [took, plain]: [number[], number[]] = [[], []];
    for (let n = 0; n < (short ? 60 : 300); n++) {
      took.push(await act(state.operations, replies.read));
      plain.push(forced(file));
    }
    closeSync(file);
    const alone: number[] = [];
    for (let n = 0; n < (short ? 3 : 9); n++) {
      await wait(EMPTIED_MS);
      alone.push(await act(state.operations, replies.read));
    }
    const intact = (await state.operations.verify()) === undefined;
    await state.close();
    if (!intact) throw new Error('the journal does not verify');
    const [journal, disk] = [median(took), median(plain)];
    return [
      { what: 'SQLite: four writes and a second record, p50', value: journal, unit: 'ms', target: { atMost: 1 } },
      { what: '… one plain write forced to this disk', value: disk, unit: 'ms' },
      { what: '… over two such writes', value: journal / (2 * disk), unit: '×' },
      { what: '… of an act alone, a second after the last', value: median(alone), unit: 'ms' },
      await onPostgres(replies.read, folder('witness'), short ? 100 : 500),
    ];
  },
};

/** The server of the tests, on this machine; it forces nothing to the disk, which is the disk's time and not ours. */
async function onPostgres(reply: string, witnesses: string, acts: number): Promise<Row> {
  const cluster = await startCluster();
  try {
    const state = await openPostgresState(await cluster.database('journal'), { witnesses });
    const took: number[] = [];
    for (let n = 0; n < acts; n++) took.push(await act(state.operations, reply));
    await state.close();
    return {
      what: 'PostgreSQL: four statements and a second record, p50',
      value: median(took.slice(acts / 5)),
      unit: 'ms',
      target: { atMost: 3 },
    };
  } finally {
    await cluster.close();
  }
}

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
