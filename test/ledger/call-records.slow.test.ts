/** Why calls failed: counted in memory, added up by both databases, and gone after 30 days. */

import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { ClerkError } from '../../src/core/errors.ts';
import { CallCounter } from '../../src/ledger/call-counter.ts';
import type { LedgerRows } from '../../src/ledger/ports.ts';
import { openSqliteState } from '../../src/store/sqlite/state.ts';
import { newFolder } from '../campaigns/support/folders.ts';
import type { State } from '../store/support/ports.ts';
import { suiteDatabase } from '../store/support/suite-database.ts';
import { allRows } from '../support/ledger-rows.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.parse('2026-03-01T10:00:00Z');
const ANN = { tenant: 't', id: 'ann' };
const BEN = { tenant: 't', id: 'ben' };
const AWAY = new ClerkError('E_STATE_DOWN', 'away', { next: 'wait' });

type Failures = Parameters<State['callRecords']['addFailures']>[0];

const postgres = suiteDatabase();
const folder = newFolder('call-records');
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;

/** Two programs on one state. */
const DATABASES = {
  async SQLite(now: () => number): Promise<readonly [State, State]> {
    files += 1;
    const file = `${folder}/${files}.sqlite`;
    const open = async () => postgres.ends(await openSqliteState(file, { now }));
    return [await open(), await open()];
  },
  async PostgreSQL(now: () => number): Promise<readonly [State, State]> {
    const schema = postgres.freshSchema();
    return [await postgres.open({ schema, now }), await postgres.open({ schema, now })];
  },
};

const rowsOf = (state: State, more: object = {}, kinds?: (keyof LedgerRows)[]) =>
  allRows(state.ledgerRows, { tenant: 't', from: START - 60 * DAY, to: START + 60 * DAY, ...more }, kinds);

describe.each(Object.entries(DATABASES))('on %s', (_name, open) => {
  let now = START;

  const failure = (tool: string, calls: number, more: Partial<Failures[number]> = {}): Failures[number] => ({
    ...{ tenant: 't', caller: 'ann', tool, code: 'E_INPUT', hour: START, calls, lastAt: START + calls },
    ...more,
  });

  test('counts of two programs add up exactly, however often and whenever they write', async () => {
    const states = await open(() => now);
    const tools = ['pay_booking', 'read_booking', 'unknown'];
    await Promise.all(
      Array.from({ length: 60 }, async (_, i) => {
        const records = (states[i % 2] ?? states[0]).callRecords;
        await records.addFailures(tools.map((tool, n) => failure(tool, i + n)));
      }),
    );
    const { failures } = await rowsOf(states[1]);
    const sum = (60 * 59) / 2;
    expect(failures.map(({ tool, calls, lastAt }) => [tool, calls, lastAt - START])).toEqual([
      ['pay_booking', sum, 59],
      ['read_booking', sum + 60, 60],
      ['unknown', sum + 120, 61],
    ]);
  });

  test('keeps apart what differs, and shows a tenant its own, of the period, to who asks of the whole tenant', async () => {
    const [state] = await open(() => now);
    const other = [
      { tenant: 'u' },
      { caller: "o'hara; drop" },
      { tool: 'x' },
      { code: 'E_LIMIT' },
      { hour: START + HOUR },
    ];
    await state.callRecords.addFailures(other.map((more) => failure('pay_booking', 1, more)));
    await state.callRecords.addFailures([]);
    const all = await rowsOf(state);
    expect(all.failures.length).toBe(4);
    expect(all.failures.map(({ caller }) => caller)).toContain("o'hara; drop");
    const later = await rowsOf(state, { from: START + 1, to: START + HOUR + 1 });
    expect(later.failures.length).toBe(1);
    const before = await rowsOf(state, { from: START - HOUR, to: START });
    expect(before.failures.length).toBe(0);
    const ofKind = async (kind: keyof LedgerRows) => (await rowsOf(state, {}, [kind])).failures.length;
    expect(await ofKind('failures')).toBe(4);
    // What is not asked for is not read: most questions are about something else.
    expect(await ofKind('operations')).toBe(0);
    const own = await rowsOf(state, { caller: 'ann' });
    expect(own.failures).toEqual([]);
  });

  test('counts are gone after thirty days', async () => {
    const [state] = await open(() => now);
    await state.callRecords.addFailures([failure('a', 1), failure('b', 1, { hour: START + HOUR })]);
    now = START + 30 * DAY;
    await state.clean();
    expect((await rowsOf(state)).failures.length).toBe(2);
    now += HOUR;
    await state.clean();
    expect((await rowsOf(state)).failures).toMatchObject([{ tool: 'b' }]);
    now = START;
  });
});

test('a file that another program holds is left alone: this one goes on meanwhile, and its counts wait', async () => {
  const [state] = await DATABASES.SQLite(() => START);
  using other = new DatabaseSync(`${folder}/${files}.sqlite`);
  other.exec('begin immediate');
  const counts = [
    { ...{ tenant: 't', caller: 'ann', tool: 'x', code: 'E_INPUT' }, hour: START, calls: 1, lastAt: START },
  ];
  let ticks = 0;
  const clock = setInterval(() => {
    ticks += 1;
  }, 10);
  await expect(state.callRecords.addFailures(counts)).rejects.toMatchObject({ code: 'E_STATE_DOWN' });
  expect(ticks).toBeGreaterThan(20);
  clearInterval(clock);
  const waits = state.callRecords.addFailures(counts);
  await new Promise((resolve) => setTimeout(resolve, 100));
  other.exec('commit');
  await waits;
  expect((await rowsOf(state)).failures).toMatchObject([{ calls: 1 }]);
});

describe('a program', () => {
  const counters: CallCounter[] = [];
  afterEach(async () => {
    vi.useRealTimers();
    for (const counter of counters.splice(0)) await counter.close();
  });

  /** Keeps what is written, unless it fails. */
  function counting(options: Partial<ConstructorParameters<typeof CallCounter>[0]> = {}) {
    const failures: Failures[number][] = [];
    let fails: unknown;
    const addFailures = async (counts: Failures) => {
      if (fails !== undefined) throw fails;
      failures.push(...counts);
    };
    const counter = new CallCounter({
      records: async () => ({ addFailures }),
      now: () => START + 5,
      ...options,
    });
    counters.push(counter);
    return { counter, failures, failWith: (error: unknown) => (fails = error) };
  }

  test('writes what it counts within a minute, and nothing when nothing was counted', async () => {
    vi.useFakeTimers();
    const records = vi.fn(async () => undefined);
    const { counter, failures } = counting();
    const idle = counting({ records });
    counter.failed(ANN, 'pay_booking', 'E_INPUT');
    await vi.advanceTimersByTimeAsync(40_000);
    counter.failed(ANN, 'pay_booking', 'E_INPUT');
    expect(failures).toEqual([]);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(failures).toEqual([
      { tenant: 't', caller: 'ann', tool: 'pay_booking', code: 'E_INPUT', hour: START, calls: 2, lastAt: START + 5 },
    ]);
    counter.failed(BEN, 'pay_booking', 'E_LIMIT');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(failures.length).toBe(2);
    await vi.advanceTimersByTimeAsync(600_000);
    await idle.counter.write();
    expect(records).not.toHaveBeenCalled();
  });

  test('keeps its counts while the state is away or not made yet, and never fails', async () => {
    const { counter, failures, failWith } = counting();
    failWith(AWAY);
    counter.failed(ANN, 'pay_booking', 'E_STATE_DOWN');
    await counter.write();
    counter.failed(ANN, 'pay_booking', 'E_STATE_DOWN');
    await counter.write();
    failWith(undefined);
    await counter.write();
    expect(failures.map(({ calls }) => calls)).toEqual([2]);

    const none = counting({ records: async () => undefined });
    const unopened = counting({ records: () => Promise.reject(AWAY) });
    for (const one of [none, unopened]) {
      one.counter.failed(ANN, 'pay_booking', 'E_INPUT');
      await one.counter.close();
    }
  });

  test('a state that does not answer holds up the end for two seconds', async () => {
    vi.useFakeTimers();
    const { counter } = counting({ records: () => new Promise(() => undefined) });
    counter.failed(ANN, 'pay_booking', 'E_INPUT');
    let isClosed = false;
    void counter.close().then(() => {
      isClosed = true;
    });
    await vi.advanceTimersByTimeAsync(1_999);
    expect(isClosed).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(isClosed).toBe(true);
    counters.splice(0);
  });

  test('a flood of callers grows nothing beyond two thousand counts', async () => {
    const { counter, failures } = counting();
    for (let n = 0; n < 10_000; n++) counter.failed({ tenant: 't', id: `caller-${n}` }, 'unknown', 'E_INPUT');
    for (let n = 0; n < 10_000; n++) counter.failed({ tenant: 't', id: 'caller-0' }, 'unknown', 'E_INPUT');
    await counter.write();
    expect(failures.length).toBe(2_000);
    expect(failures.find(({ caller }) => caller === 'caller-0')?.calls).toBe(10_001);
    counter.failed(BEN, 'unknown', 'E_INPUT');
    await counter.write();
    expect(failures.length).toBe(2_001);
  });
});
