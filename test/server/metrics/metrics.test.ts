/**
 * The metrics that Prometheus reads over HTTP, after calls and operations that really happened.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Changes, type Context, move } from '../../../src/journal/context.ts';
import type { NewOperation, Outcome } from '../../../src/journal/operation.ts';
import type { OperationStore } from '../../../src/journal/ports.ts';
import { untraced } from '../../../src/journal/tracing.ts';
import { type HttpServing, startHttp } from '../../../src/server/http/server.ts';
import { createMetrics, type Metrics } from '../../../src/server/metrics/metrics.ts';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import { heldBooking } from '../calls/bookings.ts';
import { type Desk, openDesk } from '../calls/desk.ts';
import { connectHttp, yes } from '../http/support/clients.ts';
import { raw } from '../http/support/raw.ts';
import { serve, serveSigned } from '../http/support/serve.ts';

const scrape = (port: number, headers: readonly (readonly [string, string])[] = []) =>
  raw(port, { method: 'GET', path: '/metrics', headers: [['host', `127.0.0.1:${port}`], ...headers] });

/** Value of one series; undefined where it does not exist. */
function value(text: string, series: string): number | undefined {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

describe('counts', () => {
  let desk: Desk;
  let metrics: Metrics;
  let at: HttpServing;

  beforeAll(async () => {
    metrics = createMetrics({ process: false });
    desk = await openDesk();
    at = await startHttp(desk.clerk, {
      version: '0',
      host: '127.0.0.1',
      port: 0,
      caller: { tenant: 'desk', id: 'ann' },
      metrics,
      close: async () => metrics.close(),
    });
  });
  afterAll(async () => {
    await at.stop();
    await desk.close();
  });

  it('counts tool calls by tool and outcome, with pending approvals and requests', async () => {
    const locator = await heldBooking(desk);
    const client = await connectHttp('v2-2026', at.url, {
      person: (dialog) => (asked++ === 0 ? undefined : yes(dialog)),
    });
    let asked = 0;
    await client.call('list_routes', {});
    await client.call('read_booking', { locator });
    await client.call('read_booking', { locator: 'NOSUCH' });
    await client.call('pay_booking', { locator, payment: { type: 'invoice' } });
    const { body } = await scrape(at.port);
    expect(value(body, 'fareclerk_tool_calls_total{tool="list_routes",outcome="ok"}')).toBe(1);
    expect(value(body, 'fareclerk_tool_calls_total{tool="read_booking",outcome="ok"}')).toBe(1);
    expect(value(body, 'fareclerk_tool_calls_total{tool="read_booking",outcome="E_NOT_FOUND"}')).toBe(1);
    expect(value(body, 'fareclerk_tool_calls_total{tool="pay_booking",outcome="asked"}')).toBe(1);
    expect(value(body, 'fareclerk_tool_call_duration_seconds_count{tool="read_booking"}')).toBe(2);
    expect(value(body, 'fareclerk_approvals_waiting')).toBe(1);
    expect(value(body, 'fareclerk_operations_in_doubt')).toBe(0);
    expect(value(body, 'fareclerk_http_requests_total{route="/mcp",status="200"}')).toBeGreaterThanOrEqual(5);
    await client.close();
  });

  it('puts no locator, name or caller in counts', async () => {
    const locator = await heldBooking(desk);
    const client = await connectHttp('v2-2026', at.url, { person: yes });
    await client.call('read_booking', { locator, surname: 'Haddad' });
    await client.call('pay_booking', { locator, payment: { type: 'invoice', holder_name: 'Amal Haddad' } });
    const { body } = await scrape(at.port);
    for (const secret of [locator, 'Haddad', 'amal', 'ann', 'desk"']) {
      expect(body).not.toMatch(new RegExp(`(?<!\\w)${secret}(?!\\w)`));
    }
    await client.close();
  });
});

describe('operations', () => {
  it('counts operations that this process settles, with the money of successful ones', async () => {
    const metrics = createMetrics({ process: false });
    const state = await openSqliteState(':memory:');
    const journal = journalWith(metrics, state.operations);
    const settle = async (id: string, to: 'succeeded' | 'refused', minor: number, currency = 'SAR') => {
      await enter(state.operations, id, minor, currency);
      await move(journal, id, ['intent'], 'dispatched', {});
      await move(journal, id, ['dispatched'], to, {});
      // Another process was first, so it is not counted twice.
      await move(journal, id, ['dispatched'], to, {});
      // A second check without a change is not counted.
      await move(journal, id, [to], to, {});
    };
    await settle(crypto.randomUUID(), 'succeeded', 17_250);
    await settle(crypto.randomUUID(), 'succeeded', 100);
    await settle(crypto.randomUUID(), 'refused', 99_900);
    await settle(crypto.randomUUID(), 'succeeded', 1_234, 'KWD');
    await settle(crypto.randomUUID(), 'succeeded', 500, 'JPY');
    const { body } = await metrics.text();
    expect(value(body, 'fareclerk_money_moved_total{currency="SAR",direction="payment"}')).toBeCloseTo(173.5);
    expect(value(body, 'fareclerk_money_moved_total{currency="KWD",direction="payment"}')).toBeCloseTo(1.234);
    expect(value(body, 'fareclerk_money_moved_total{currency="JPY",direction="payment"}')).toBe(500);
    expect(value(body, 'fareclerk_operations_settled_total{tool="pay_booking",state="succeeded"}')).toBe(4);
    expect(value(body, 'fareclerk_operations_settled_total{tool="pay_booking",state="refused"}')).toBe(1);
    expect(value(body, 'fareclerk_operation_settle_seconds_bucket{le="1",state="succeeded"}')).toBe(4);
    expect(value(body, 'fareclerk_operation_settle_seconds_count{state="needs_person"}')).toBe(0);
    expect(await state.operations.verify()).toBeUndefined();
    await state.close();
  });

  it('counts refunds and changes of flights with the amount that the airline stated', async () => {
    const metrics = createMetrics({ process: false });
    const state = await openSqliteState(':memory:');
    const journal = journalWith(metrics, state.operations);
    const settle = async (changes: Partial<NewOperation>, outcome: Outcome) => {
      const id = crypto.randomUUID();
      await enter(state.operations, id, 66_400, 'SAR', changes);
      await move(journal, id, ['intent'], 'dispatched', {});
      await move(journal, id, ['dispatched'], 'succeeded', { outcome });
    };
    const sar = (minor: number) => ({ amount: { minor, currency: 'SAR' } });
    const rebook = { subject: { kind: 'rebook_segment' } as never };
    await settle(rebook, { charge: sar(9_200) });
    await settle(rebook, {});
    await settle({ direction: 'refund' }, { refund: sar(15_950) });
    const moved = async (direction: string) =>
      value((await metrics.text()).body, `fareclerk_money_moved_total{currency="SAR",direction="${direction}"}`);
    expect([await moved('payment'), await moved('refund')]).toEqual([92, 159.5]);
    // Without a stated amount the highest possible one counts.
    await settle({ direction: 'refund' }, {});
    expect(await moved('refund')).toBe(823.5);
    await state.close();
  });

  it('times airline calls by operation and result', async () => {
    const metrics = createMetrics({ process: false });
    metrics.airlineCall({ operation: 'read', ms: 120, status: 200 });
    metrics.airlineCall({ operation: 'read', ms: 80, status: 503 });
    metrics.airlineCall({ operation: 'ticket', ms: 30_000, code: 'timeout' });
    const { body } = await metrics.text();
    const count = (labels: string) => value(body, `fareclerk_airline_call_duration_seconds_count{${labels}}`);
    expect(count('operation="read",result="2xx"')).toBe(1);
    expect(count('operation="read",result="5xx"')).toBe(1);
    expect(count('operation="ticket",result="timeout"')).toBe(1);
  });
});

describe('/metrics', () => {
  it('serves /metrics only to this machine, under its own name', async () => {
    const metrics = createMetrics();
    const at = await serve({ metrics, publicUrl: 'https://air.example' });
    const good = await scrape(at.port);
    expect(good.status).toBe(200);
    expect(good.headers['content-type']).toContain('text/plain');
    expect(good.body).toContain('process_resident_memory_bytes');
    expect((await raw(at.port, { method: 'GET', path: '/metrics', headers: [['host', 'evil.example']] })).status).toBe(
      403,
    );
    await at.close();
    metrics.close();
  });

  it('serves /metrics with a token to every holder of the token, under any name', async () => {
    const metrics = createMetrics({ process: false });
    const at = await serveSigned({ metrics, metricsToken: 'scrape-me' });
    const ask = (authorization?: string) =>
      raw(at.port, {
        method: 'GET',
        path: '/metrics',
        headers: [['host', '10.1.2.3:9000'], ...(authorization ? [['authorization', authorization] as const] : [])],
      });
    expect((await ask('Bearer scrape-me')).status).toBe(200);
    for (const wrong of [undefined, 'Bearer scrape-m', 'Bearer', 'Basic scrape-me', `Bearer ${await at.token()}`]) {
      const refused = await ask(wrong);
      expect([refused.status, refused.headers['www-authenticate']]).toEqual([401, 'Bearer']);
    }
    await at.close();
  });
});

/** The parts of a journal that move an operation. */
function journalWith(metrics: Metrics, store: OperationStore): Context {
  const clock = { now: () => 2 };
  const log = { info: () => undefined };
  const { settled: moved } = metrics;
  return { store, clock, owner: 'test', log, tracing: untraced, changes: new Changes(), moved } as unknown as Context;
}

async function enter(
  store: OperationStore,
  id: string,
  minor: number,
  currency: string,
  changes: Partial<NewOperation> = {},
): Promise<void> {
  const operation = {
    id,
    tenant: 't',
    caller: 'c',
    tool: 'pay_booking',
    assurance: 'person' as const,
    argsDigest: 'a',
    termsDigest: 'd',
    locator: id.slice(0, 6),
    amount: { minor, currency },
    direction: 'payment' as const,
    subject: { kind: 'pay', people: [], segments: [] } as never,
    ...changes,
  };
  await store.insert(operation, { now: 1, owner: 'test', leaseUntil: 10 });
}
