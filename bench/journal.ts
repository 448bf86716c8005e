/**
 * What the journal adds to an act at the airline: entered before it is sent, marked as sent, the reply kept, settled;
 * each a transaction on SQLite, two of them forced to the disk, and a second record of the act forced before its first byte. Acts of a busy desk follow one another; one that is alone
 * finds the log emptied, and disk and processor at rest.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { NewOperation } from '../src/journal/operation.ts';
import type { OperationStore } from '../src/journal/ports.ts';
import { openSqliteState } from '../src/store/sqlite/state.ts';
import type { Measure } from './measure.ts';
import { median } from './support/statistics.ts';

const PAGE = Buffer.alloc(4_096, 1);
/** The store empties its log a second after the last act. */
const EMPTIED_MS = 1_150;
const AMOUNT = { minor: 17_250, currency: 'SAR' };

export const journal: Measure = {
  name: 'journal',
  about: 'the journal beside one act at the airline, on SQLite',
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
      { what: 'four writes and a second record, p50', value: journal, unit: 'ms', target: { atMost: 1 } },
      { what: '… one plain write forced to this disk', value: disk, unit: 'ms' },
      { what: '… over two such writes', value: journal / (2 * disk), unit: '×' },
      { what: '… of an act alone, a second after the last', value: median(alone), unit: 'ms' },
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
