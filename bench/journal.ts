/**
 * What the journal adds to an act at the airline: entered before it is sent, marked as sent, the reply kept, settled;
 * each a durable transaction on SQLite.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { NewOperation } from '../src/journal/operation.ts';
import type { OperationStore } from '../src/journal/ports.ts';
import { openSqliteState } from '../src/store/sqlite.ts';
import type { Measure } from './measure.ts';
import { median } from './support/statistics.ts';

const AMOUNT = { minor: 17_250, currency: 'SAR' };

export const journal: Measure = {
  name: 'journal',
  about: 'the journal beside one act at the airline, on SQLite',
  async run({ replies, folder, short }) {
    const state = await openSqliteState(join(folder('journal'), 'state.sqlite'));
    const took: number[] = [];
    for (let n = 0; n < (short ? 60 : 300); n++) took.push(await act(state.operations, replies.read));
    const intact = (await state.operations.verify()) === undefined;
    await state.close();
    if (!intact) throw new Error('the journal does not verify');
    return [{ what: 'four durable writes, p50', value: median(took), unit: 'ms', target: { atMost: 1 } }];
  },
};

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
