/**
 * The story of `fareclerk demo --disruption` with nobody at the keyboard: the airline's ledger, run_plan, query_ledger and the journal
 * say the same of its end.
 */
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { openScenery, tell } from '../../src/cli/demo/disruption.ts';
import { Stage } from '../../src/cli/demo/stage.ts';
import { formatMoney, showMoney, sumMoney } from '../../src/core/money.ts';
import type { LedgerEntry } from '../../src/sandbox/addresses/start.ts';
import { buildProgram } from './program.ts';
import { temporary } from './screen.ts';

const SUMS = `select count(*), count(paid) + count(refunded), currency, sum(paid), sum(refunded)
from operation where outcome = 'done' and act = `;

/** A move holds a new booking, pays it and cancels the old one. */
const REQUESTS_OF_MOVE = 3;
const MOVED = [1, 2, 3, 4, 5, 6];
const CANCELLED = [8, 10, 11];

const of = (ledger: readonly LedgerEntry[], event: string) => ledger.filter((entry) => entry.event === event);
const sumOf = (entries: readonly LedgerEntry[]) => {
  const sum = sumMoney(entries.flatMap(({ amount }) => amount ?? []));
  if (sum === undefined) throw new Error('no sum in one currency');
  return sum;
};

it('pays and refunds each ticked booking once, as approved, and all records say the same', {
  timeout: 180_000,
}, async () => {
  const program = await buildProgram();
  const stateDir = temporary('disruption');
  const screen = { stdin: new PassThrough(), stdout: new PassThrough() } as never;
  const terminal = { execPath: process.execPath, argv: ['node', program.bin], env: program.env };
  const scenery = await openScenery(new Stage(screen), terminal, stateDir);
  const { host, sandbox } = scenery;
  try {
    const end = await tell(scenery);
    if (end === undefined) throw new Error('nobody said yes');
    const { sale, planId, lines } = end;
    const inState = (state: string) => lines.filter((line) => line.state === state).map(({ n }) => n);
    expect([inState('done'), inState('not_ticked'), inState('skipped')]).toEqual([
      [...MOVED, ...CANCELLED],
      [7, 12],
      [9],
    ]);

    // What was not done is still on the list.
    const { data: list } = await host.call('list_bookings', { needs_attention: true, refresh: true, max_results: 50 });
    const open = [7, 9, 12].map((n) => sale.parties[n - 1]?.locator);
    expect(list.bookings?.map(({ locator }) => locator).sort()).toEqual(open.sort());

    const ledger = sandbox.ledger();
    // Each party paid once before the story.
    const paid = of(ledger, 'paid').slice(sale.parties.length);
    const refunded = of(ledger, 'refunded');
    expect(new Set(paid.map(({ locator }) => locator)).size).toBe(MOVED.length);
    expect(paid).toHaveLength(MOVED.length);
    const locatorOf = (n: number) => sale.parties[n - 1]?.locator;
    expect(refunded.map(({ locator }) => locator).sort()).toEqual([...MOVED, ...CANCELLED].map(locatorOf).sort());

    const finished = await host.call('run_plan', { plan_id: planId });
    const sums = [paid, refunded].map((entries) => showMoney(sumOf(entries)));
    expect(finished.text).toContain(`In all ${sums[0]} was paid, and ${sums[1]} came back.`);

    const asked = await host.call('query_ledger', { sql: "select count(*) from question where tool = 'run_plan'" });
    expect((asked.data as { rows?: unknown[][] }).rows).toEqual([[1]]);

    // The twelve sales of the day before included.
    for (const [act, entries] of [
      ['payment', of(ledger, 'paid')],
      ['refund', of(ledger, 'refunded')],
    ] as const) {
      const { data } = await host.call('query_ledger', { sql: `${SUMS}'${act}'` });
      const { rows: [row] = [] } = data as { rows?: unknown[][] };
      const [acts, stated, currency, sumPaid, sumRefunded] = row ?? [];
      const sum = sumOf(entries);
      expect([acts, stated, currency]).toEqual([entries.length, entries.length, sum.currency]);
      expect(sumPaid ?? sumRefunded).toBe(Number(formatMoney(sum)));
    }

    const state = { ...sandbox.settings, FARECLERK_STATE_DIR: stateDir, XDG_STATE_HOME: stateDir };
    const listed = await program.run(['journal', 'list', '--limit', '200'], state);
    const operations = JSON.parse(listed.stdout) as { state: string; locator?: string; dispatched_at?: string }[];
    const sent = operations.filter((one) => one.dispatched_at !== undefined);
    const sales = 2 * sale.parties.length;
    expect(sent).toHaveLength(sales + REQUESTS_OF_MOVE * MOVED.length + CANCELLED.length);
    expect(new Set(sent.map((one) => one.state))).toEqual(new Set(['succeeded']));
    const unsent = operations.filter((one) => one.dispatched_at === undefined);
    expect(unsent.map((one) => one.locator)).toEqual([locatorOf(9)]);
    expect((await program.run(['journal', 'verify'], state)).code).toBe(0);
  } finally {
    await scenery.close();
  }
});
