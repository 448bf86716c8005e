/** What /metrics shows of the store, the journal's queue, the airline's lanes, questions and sign-ins. */
import { describe, expect, test } from 'vitest';
import { ClerkError } from '../../../src/errors.ts';
import { BULKHEADS, createBulkheads } from '../../../src/ota/resilience/bulkhead.ts';
import { createReadGuard } from '../../../src/ota/resilience/read-guard.ts';
import { createMetrics, type Metrics } from '../../../src/server/metrics/metrics.ts';
import { countedLogin, countedSignIn } from '../../../src/server/metrics/sign-in-failures.ts';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import { newOperation } from '../../store/new-operation.ts';
import { heldBooking } from '../calls/bookings.ts';
import { accept, openDesk } from '../calls/desk.ts';
import { openTinyClerk } from '../http/support/tiny-clerk.ts';

const HOUR_MS = 3_600_000;

async function figuresOf(metrics: Metrics): Promise<(series: string) => number | undefined> {
  const { body } = await metrics.text();
  return (series) => {
    const line = body.split('\n').find((one) => one.startsWith(`${series} `));
    return line === undefined ? undefined : Number(line.slice(series.length + 1));
  };
}

describe('the state store', () => {
  test('times each kind of work, and counts a failure of the store but not a refusal', async () => {
    const metrics = createMetrics({ process: false });
    const state = metrics.timed(await openSqliteState(':memory:', { waited: metrics.waited }));
    const meta = { now: 1, owner: 'test', leaseUntil: 10 };
    await state.operations.insert(newOperation('a'), meta);
    await state.operations.get('a');
    await state.approvals.waiting(1);
    const seen = await figuresOf(metrics);
    const count = (work: string, result = 'ok') =>
      seen(`fareclerk_state_store_duration_seconds_count{work="${work}",result="${result}"}`);
    expect([count('journal_write'), count('journal_read'), count('approvals')]).toEqual([1, 1, 1]);
    expect(count('journal_write', 'failed')).toBe(0);
    expect(seen('fareclerk_journal_wait_seconds_count')).toBeGreaterThan(0);

    const broken = metrics.timed({
      operations: {
        get: () => Promise.reject(new ClerkError('E_INTERNAL', 'gone', { next: '' })),
        insert: () => Promise.reject(new ClerkError('E_NOT_PERMITTED', 'paused', { next: '' })),
        list: () => {
          throw new Error('a bug');
        },
      },
    });
    await expect(broken.operations.get()).rejects.toThrow('gone');
    await expect(broken.operations.insert()).rejects.toThrow('paused');
    expect(() => broken.operations.list()).toThrow('a bug');
    const failed = await figuresOf(metrics);
    expect(failed('fareclerk_state_store_duration_seconds_count{work="journal_read",result="failed"}')).toBe(2);
    expect(failed('fareclerk_state_store_duration_seconds_count{work="journal_write",result="ok"}')).toBe(2);
    await state.close();
  });
});

describe('the airline', () => {
  test('shows how many calls run and wait in each lane, and whether the breaker is open', async () => {
    const metrics = createMetrics({ process: false });
    const bulkheads = createBulkheads({ ...BULKHEADS, money: { slots: 1, queue: 4, waitMs: 1_000 } });
    const guard = createReadGuard(() => 0);
    metrics.watchAirline(
      () => ({
        lanes: Object.entries(bulkheads).map(([lane, { active, waiting, slots }]) => ({
          ...{ lane, running: active, waiting, slots },
        })),
        openBreakers: guard.openBreakers(),
      }),
      'SAR',
    );
    const done = Promise.withResolvers<void>();
    const calls = [1, 2].map(() => bulkheads.money.run(() => done.promise));
    for (let i = 0; i < 20; i++) guard.breakerOf('https://air.example/ota').record(false);
    const busy = await figuresOf(metrics);
    expect(['running', 'waiting', 'slots'].map((what) => busy(`fareclerk_airline_lane_${what}{lane="money"}`))).toEqual(
      [...[1, 1, 1]],
    );
    expect(busy('fareclerk_airline_breaker_open')).toBe(1);
    expect(busy('fareclerk_money_moved_total{currency="SAR",direction="payment"}')).toBe(0);
    done.resolve();
    await Promise.all(calls);
    expect((await figuresOf(metrics))('fareclerk_airline_lane_running{lane="money"}')).toBe(0);
  });
});

describe('questions', () => {
  test('times each answer by decision and channel, and counts questions that lapsed within the hour', async () => {
    const desk = await openDesk();
    const metrics = createMetrics({ process: false, state: { freshMs: 0 } });
    metrics.watchState(desk.clerk);
    Object.assign(desk.parts, { decided: metrics.decided });
    const payment = { locator: await heldBooking(desk), payment: { type: 'invoice' } };
    await desk.say('pay_booking', payment, { action: 'accept', content: { decision: 'no' } });
    await desk.say('pay_booking', payment, accept);
    await desk.call('cancel_booking', { locator: payment.locator }, { canElicit: true });
    const waiting = await figuresOf(metrics);
    const count = (decision: string) =>
      waiting(`fareclerk_approval_decision_seconds_count{decision="${decision}",channel="dialog"}`);
    expect([count('yes'), count('no')]).toEqual([1, 1]);
    expect(waiting('fareclerk_approval_decision_seconds_count{decision="yes",channel="page"}')).toBe(0);
    expect([waiting('fareclerk_approvals_waiting'), waiting('fareclerk_approvals_lapsed{channel="dialog"}')]).toEqual([
      ...[1, 0],
    ]);
    desk.advance(HOUR_MS / 4);
    const lapsed = await figuresOf(metrics);
    expect([lapsed('fareclerk_approvals_waiting'), lapsed('fareclerk_approvals_lapsed{channel="dialog"}')]).toEqual([
      ...[0, 1],
    ]);
    desk.advance(HOUR_MS);
    expect((await figuresOf(metrics))('fareclerk_approvals_lapsed{channel="dialog"}')).toBe(0);
    await desk.close();
  });
});

describe('sign-ins', () => {
  test('counts refused tokens and failed sign-ins on the page by reason', async () => {
    const metrics = createMetrics({ process: false });
    const verdicts = [{ kind: 'bad', problem: 'expired' }, { kind: 'unavailable' }, { kind: 'good' }] as const;
    const signIn = countedSignIn(
      {
        ...{ issuer: 'i', resource: 'r', warm: async () => true, keysAge: () => undefined },
        check: async (token: string) => verdicts[Number(token)] as never,
      },
      metrics.signInFailed,
    );
    for (const token of ['0', '0', '1', '2']) await signIn.check(token);
    const login = countedLogin(
      {
        ...{ ticketSeconds: 1, sessionSeconds: 1, isSame: () => false, person: async () => undefined },
        begin: async () => undefined,
        end: async () => ({ kind: 'denied', place: 'p' }),
      },
      metrics.signInFailed,
    );
    await login.begin('p', false);
    await login.end(new URLSearchParams(), []);
    const seen = await figuresOf(metrics);
    const count = (by: string, reason: string) =>
      seen(`fareclerk_sign_in_failures_total{by="${by}",reason="${reason}"}`);
    expect([count('token', 'expired'), count('token', 'unavailable'), count('token', 'audience')]).toEqual([2, 1, 0]);
    expect([count('page', 'denied'), count('page', 'unavailable'), count('page', 'unfit')]).toEqual([1, 1, 0]);
  });
});

test('begins the series of every tool at 0, so that the first event counts as an increase', async () => {
  const metrics = createMetrics({
    process: false,
    build: { version: '1.2.3', environment: 'sandbox', store: 'sqlite' },
  });
  const desk = await openDesk();
  metrics.watchState(desk.clerk);
  const seen = await figuresOf(metrics);
  for (const state of ['succeeded', 'refused', 'not_executed', 'needs_person']) {
    expect(seen(`fareclerk_operations_settled_total{tool="pay_booking",state="${state}"}`)).toBe(0);
  }
  expect(seen('fareclerk_operations_settled_total{tool="read_booking",state="succeeded"}')).toBeUndefined();
  expect(seen('fareclerk_tool_calls_total{tool="list_routes",outcome="E_INTERNAL"}')).toBe(0);
  expect(seen('fareclerk_http_requests_total{route="/mcp",status="500"}')).toBe(0);
  const build = `version="1.2.3",environment="sandbox",store="sqlite",node="${process.versions.node}"`;
  expect(seen(`fareclerk_build_info{${build}}`)).toBe(1);
  await desk.close();
});

test('a page without a state, an airline or calls is answered too', async () => {
  const metrics = createMetrics({ process: false });
  const { clerk, close } = await openTinyClerk();
  expect((await figuresOf(metrics))('fareclerk_airline_breaker_open')).toBeUndefined();
  await close();
  metrics.watchState(clerk);
  expect((await figuresOf(metrics))('fareclerk_state_store_up')).toBe(0);
});
