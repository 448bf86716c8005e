/**
 * What the journal adds to an act at the airline: entered before it is sent, marked as sent, the reply kept, settled;
 * each a durable transaction on SQLite.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { NewOperation } from '../src/journal/operation.ts';
import type { OperationStore } from '../src/journal/ports.ts';
import { openSqliteState } from '../src/store/sqlite.ts';
import type { Measure } from './measure.ts';
import { median } from './support/statistics.ts';

const PAGE = Buffer.alloc(4_096, 1);
const AMOUNT = { minor: 17_250, currency: 'SAR' };

export const journal: Measure = {
  name: 'journal',
  about: 'the journal beside one act at the airline, on SQLite',
  async run({ replies, folder, short }) {
    const state = await openSqliteState(join(folder('journal'), 'state.sqlite'));
    const file = openSync(join(folder('disk'), 'plain'), 'w');
    const [took, plain]: [number[], number[]] = [[], []];
    for (let n = 0; n < (short ? 60 : 300); n++) {
      took.push(await act(state.operations, replies.read));
      plain.push(forced(file));
    }
    closeSync(file);
    const intact = (await state.operations.verify()) === undefined;
    await state.close();
    if (!intact) throw new Error('the journal does not verify');
    const [journal, disk] = [median(took), median(plain)];
    return [
      { what: 'four durable writes, p50', value: journal, unit: 'ms', target: { atMost: 1 } },
      { what: '… one plain write forced to this disk', value: disk, unit: 'ms' },
      { what: '… of four such writes', value: journal / (4 * disk), unit: '×' },
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
