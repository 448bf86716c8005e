/** What a question in SQL costs beside a year of a hundred thousand operations, and that its sums are those of the rows. */
import { setTimeout as pause } from 'node:timers/promises';
import type { SqlQuestion, SqlResult } from '../src/ledger/sql-tables.ts';
import { viewTables } from '../src/ledger/views.ts';
import type { State } from '../src/store/state.ts';
import { startCluster } from '../test/campaigns/support/postgres.ts';
import { ticketedBooking } from '../test/clerk/calls/bookings.ts';
import { openDesk } from '../test/clerk/calls/desk.ts';
import { overState } from '../test/support/run-sql.ts';
import { type Measure, type Row, ratio } from './measure.ts';
import { filledDatabase, filledFile } from './support/filled-states.ts';
import { CLERK, END, manyActs, START, type Words } from './support/many-acts.ts';
import { medianMs } from './support/rounds.ts';

const OPERATIONS = 100_000;
const MONTH = { from: END - 31 * 86_400_000, to: END };
const YEAR = { from: START, to: END };
const TIMES = 5;

const SUMS = `select currency, sum(paid) as paid, sum(refunded) as refunded, count(*) as n
from operation where outcome = 'done' and (paid is not null or refunded is not null) group by currency`;

/** As query_ledger does it for a supervisor. */
async function ask({ ledgerRows }: State, period: typeof MONTH, sql: string): Promise<SqlResult> {
  const question: SqlQuestion = {
    ...{ tables: viewTables(true), sql, now: END, timeZone: 'UTC', mostRows: 500, mostText: 40_000 },
    query: { tenant: CLERK.tenant, ...period },
    prepare: async () => ({}),
  };
  const end = await overState(ledgerRows)(question, 60_000);
  if ('failed' in end) throw new Error(end.failed.why);
  return end;
}

/** @throws if one minor unit differs */
async function assertSameSums(state: State): Promise<void> {
  const { rows } = await ask(state, YEAR, SUMS);
  const due = { payment: 0, refund: 0 };
  for (const { direction, amount, outcome } of await state.operations.list({ ...YEAR, states: ['succeeded'] }))
    if (direction !== undefined) due[direction] += (outcome?.refund?.amount ?? amount)?.minor ?? 0;
  const minor = (amount: unknown) => Math.round(Number(amount ?? 0) * 100);
  const [, paid, refunded] = rows[0] ?? [];
  if (rows.length !== 1 || minor(paid) !== due.payment || minor(refunded) !== due.refund)
    throw new Error(`the sums differ: ${JSON.stringify(rows)}, ${JSON.stringify(due)}`);
}

async function measured(name: string, state: State): Promise<Row[]> {
  await assertSameSums(state);
  const question = await medianMs(() => ask(state, MONTH, SUMS), TIMES);
  await state.close();
  return [{ what: `${name}: a question about a month`, value: question, unit: 'ms', atMost: 1_500 }];
}

const ENDLESS = 'with recursive r(i) as (select 1 union all select i + 1 from r) select count(*) from r';
const CALLS = 800;
const ROUNDS = 3;

/** The slowest of a hundred calls of others, milliseconds. */
async function slowest(desk: Awaited<ReturnType<typeof openDesk>>): Promise<number> {
  const took: number[] = [];
  while (took.length < CALLS) {
    const began = performance.now();
    await desk.result('list_bookings', {});
    took.push(performance.now() - began);
    await pause(2);
  }
  return took.sort((a, b) => a - b)[Math.floor(CALLS * 0.99)] ?? 0;
}

/** Lists while four callers send endless statements, beside lists while nobody does. */
async function besideEndless(): Promise<Row> {
  const desk = await openDesk({ environment: 'sandbox', sql: true });
  await ticketedBooking(desk);
  await slowest(desk);
  const [quiet, busy]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    quiet.push(await slowest(desk));
    let isOver = false;
    const endless = Array.from({ length: 4 }, async () => {
      while (!isOver) await desk.call('query_ledger', { sql: ENDLESS });
    });
    busy.push(await slowest(desk));
    isOver = true;
    await Promise.all(endless);
  }
  await desk.close();
  const middle = (all: number[]) => all.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0;
  return ratio('p99 of list_bookings while four send endless statements', [middle(busy), middle(quiet)], 'ms', 1.5);
}

export const questions: Measure = {
  name: 'questions',
  about: 'a question in SQL about a month, beside a year of a hundred thousand operations',
  why: 'People ask the desk while they speak with somebody. The sums of the year are compared with its operations on the way.',
  async run({ folder }) {
    const fill = (words: Words) => manyActs(words, OPERATIONS);
    const rows = await measured('SQLite', await (await filledFile(folder('questions'), fill)).open());
    const cluster = await startCluster();
    try {
      const { open } = await filledDatabase(cluster, 'questions', fill);
      rows.push(...(await measured('PostgreSQL', await open())));
    } finally {
      await cluster.close();
    }
    return [...rows, await besideEndless()];
  },
};
