/** Why calls failed and how the airline answered: counted in memory, added up by both databases, and gone after 30 days. */

import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { ClerkError } from '../../src/core/errors.ts';
import { CallCounter, forCaller, medianMs } from '../../src/ledger/call-counter.ts';
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
type Requests = Parameters<State['callRecords']['addRequests']>[0];

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
  const request = (more: Partial<Requests[number]> = {}): Requests[number] => ({
    ...{ tenant: 't', hour: START, request: 'read', requests: 1, errors: 0, slowestMs: 20, latencies: { 17: 1 } },
    ...more,
  });

  test('counts of two programs add up exactly, however often and whenever they write', async () => {
    const states = await open(() => now);
    const tools = ['pay_booking', 'read_booking', 'unknown'];
    await Promise.all(
      Array.from({ length: 60 }, async (_, i) => {
        const records = (states[i % 2] ?? states[0]).callRecords;
        await records.addFailures(tools.map((tool, n) => failure(tool, i + n)));
        await records.addRequests([
          request({ slowestMs: 10 + i, latencies: { 13: 1 } }),
          request({ request: 'ticket', requests: 3, errors: i % 2, latencies: { [i]: 2, 70: 1 } }),
        ]);
      }),
    );
    const { failures, airlineHours } = await rowsOf(states[1]);
    const sum = (60 * 59) / 2;
    expect(failures.map(({ tool, calls, lastAt }) => [tool, calls, lastAt - START])).toEqual([
      ['pay_booking', sum, 59],
      ['read_booking', sum + 60, 60],
      ['unknown', sum + 120, 61],
    ]);
    expect(airlineHours).toEqual([
      { hour: START, request: 'read', requests: 60, errors: 0, medianMs: 10, slowestMs: 69 },
      // The middle of 180: half of the lower buckets' 120, and a third of all are in the last.
      { hour: START, request: 'ticket', requests: 180, errors: 30, medianMs: 20, slowestMs: 20 },
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
    await state.callRecords.addRequests([request(), request({ tenant: 'u' }), request({ hour: START - HOUR })]);
    await state.callRecords.addFailures([]);
    const all = await rowsOf(state);
    expect([all.failures.length, all.airlineHours.length]).toEqual([4, 2]);
    expect(all.failures.map(({ caller }) => caller)).toContain("o'hara; drop");
    const later = await rowsOf(state, { from: START + 1, to: START + HOUR + 1 });
    expect([later.failures.length, later.airlineHours.length]).toEqual([1, 0]);
    const before = await rowsOf(state, { from: START - HOUR, to: START });
    expect([before.failures.length, before.airlineHours.length]).toEqual([0, 1]);
    const ofKind = async (kind: keyof LedgerRows) => {
      const { failures, airlineHours } = await rowsOf(state, {}, [kind]);
      return [failures.length, airlineHours.length];
    };
    expect(await ofKind('failures')).toEqual([4, 0]);
    expect(await ofKind('airlineHours')).toEqual([0, 2]);
    // What is not asked for is not read: most questions are about something else.
    expect(await ofKind('operations')).toEqual([0, 0]);
    const own = await rowsOf(state, { caller: 'ann' });
    expect([own.failures, own.airlineHours]).toEqual([[], []]);
  });

  test('counts are gone after thirty days', async () => {
    const [state] = await open(() => now);
    await state.callRecords.addFailures([failure('a', 1), failure('b', 1, { hour: START + HOUR })]);
    await state.callRecords.addRequests([request(), request({ hour: START + HOUR })]);
    now = START + 30 * DAY;
    await state.clean();
    expect((await rowsOf(state)).failures.length).toBe(2);
    now += HOUR;
    await state.clean();
    const { failures, airlineHours } = await rowsOf(state);
    expect([failures, airlineHours]).toMatchObject([[{ tool: 'b' }], [{ hour: START + HOUR }]]);
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
    const requests: Requests[number][] = [];
    const left: number[] = [];
    let fails: unknown;
    const take =
      <T>(all: T[]) =>
      async (counts: readonly T[]) => {
        if (fails !== undefined) throw fails;
        all.push(...counts);
      };
    const counter = new CallCounter({
      tenant: 'operator',
      records: async () => ({ addFailures: take(failures), addRequests: take(requests) }),
      onDropped: (calls) => left.push(calls),
      now: () => START + 5,
      ...options,
    });
    counters.push(counter);
    return { counter, failures, requests, left, failWith: (error: unknown) => (fails = error) };
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

  test('requests count for the tenant of the call that makes them, however late, and else for the operator', async () => {
    const { counter, requests } = counting();
    counter.answered({ operation: 'read', ms: 7, status: 200 });
    await forCaller(ANN, async () => {
      counter.answered({ operation: 'read', ms: 400, status: 200 });
      await forCaller({ tenant: 'u', id: 'eve' }, async () => {
        await new Promise((resolve) => setTimeout(resolve, 1));
        counter.answered({ operation: 'read', ms: 1, status: 503 });
      });
      counter.answered({ operation: 'read', ms: 900 });
      counter.answered({ operation: 'read', ms: 410, status: 404 });
    });
    await counter.write();
    expect(requests.map(({ tenant, requests: n, errors, slowestMs }) => [tenant, n, errors, slowestMs])).toEqual([
      ['operator', 1, 0, 7],
      ['t', 3, 2, 900],
      ['u', 1, 1, 1],
    ]);
  });

  test('keeps its counts while the state is away or not made yet, and never fails', async () => {
    const { counter, failures, requests, left, failWith } = counting();
    failWith(AWAY);
    counter.failed(ANN, 'pay_booking', 'E_STATE_DOWN');
    counter.answered({ operation: 'read', ms: 7, status: 200 });
    await counter.write();
    counter.failed(ANN, 'pay_booking', 'E_STATE_DOWN');
    await counter.write();
    failWith(undefined);
    await counter.write();
    expect([failures.map(({ calls }) => calls), requests.map((one) => one.requests), left]).toEqual([[2], [1], []]);
    // A mistake would fail for ever: those counts are lost, and that is said.
    failWith(new TypeError('a mistake'));
    counter.failed(ANN, 'pay_booking', 'E_INPUT');
    counter.answered({ operation: 'read', ms: 7, status: 200 });
    await counter.write();
    failWith(undefined);
    await counter.write();
    expect([failures.length, requests.length, left]).toEqual([1, 1, [2]]);

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

  test('a flood of callers grows nothing beyond two thousand counts, and the log counts the rest', async () => {
    const { counter, failures, requests, left } = counting();
    for (let n = 0; n < 10_000; n++) {
      counter.failed({ tenant: 't', id: `caller-${n}` }, 'unknown', 'E_INPUT');
      forCaller({ tenant: `t${n}`, id: 'x' }, () => counter.answered({ operation: 'read', ms: 1, status: 200 }));
    }
    for (let n = 0; n < 10_000; n++) counter.failed({ tenant: 't', id: 'caller-0' }, 'unknown', 'E_INPUT');
    await counter.write();
    expect([failures.length, requests.length, left]).toEqual([2_000, 2_000, [16_000]]);
    expect(failures.find(({ caller }) => caller === 'caller-0')?.calls).toBe(10_001);
    counter.failed(BEN, 'unknown', 'E_INPUT');
    await counter.write();
    expect([failures.length, left.length]).toEqual([2_001, 1]);
  });
});

test('the median is within a tenth, for times from a millisecond to three minutes', () => {
  const requests: Requests[number][] = [];
  const takes = async (counts: Requests) => void requests.push(...counts);
  const counter = new CallCounter({
    tenant: 't',
    records: async () => ({ addFailures: async () => undefined, addRequests: takes }),
  });
  const lists = [[0], [1], [3], [180_000], [12, 12, 12], [5, 900], [1, 2, 3, 400, 90_000, 180_000]];
  lists.push(Array.from({ length: 1_001 }, (_, i) => 30 + ((i * 7_919) % 1_001)));
  for (const [n, list] of lists.entries())
    for (const ms of list) counter.answered({ operation: String(n), ms, status: 200 });
  return counter.write().then(() => {
    expect(requests.length).toBe(lists.length);
    for (const { request, latencies, slowestMs } of requests) {
      const sorted = (lists[Number(request)] ?? []).toSorted((one, other) => one - other);
      const middle = [sorted[Math.floor((sorted.length - 1) / 2)] ?? 0, sorted[Math.floor(sorted.length / 2)] ?? 0];
      const truth = ((middle[0] ?? 0) + (middle[1] ?? 0)) / 2;
      const found = medianMs(latencies, slowestMs);
      expect([request, Math.abs(found - truth) <= Math.max(0.5, truth / 10)]).toEqual([request, true]);
      expect(Object.keys(latencies).every((at) => Number(at) <= 70)).toBe(true);
    }
  });
});
