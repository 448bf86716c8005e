/**
 * The metrics that Prometheus reads over HTTP, after calls and operations that really happened.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { ClerkError } from '../../src/core/errors.ts';
import { createMetrics } from '../../src/metrics/metrics.ts';
import { openSqliteState } from '../../src/store/sqlite/state.ts';
import { heldBooking } from '../clerk/calls/bookings.ts';
import { accept, CALLER, openDesk, PAY } from '../clerk/calls/desk.ts';
import { connectHttp, yes } from '../http/support/clients.ts';
import { goodHeaders, LIST, raw } from '../http/support/raw.ts';
import { type Served, serve, serveSigned } from '../http/support/serve.ts';
import { openTinyClerk } from '../http/support/tiny-clerk.ts';
import { newOperation, SAR } from '../store/support/new-operation.ts';

type Metrics = ReturnType<typeof createMetrics>;
type Headers = readonly (readonly [string, string])[];
const ask = (port: number, headers: Headers) => raw(port, { method: 'GET', path: '/metrics', headers });
const scrape = (port: number) => ask(port, [['host', `127.0.0.1:${port}`]]);

/** The values of series; undefined where one does not exist. */
const seriesIn = (body: string) => (series: string) => {
  const line = body.split('\n').find((one) => one.startsWith(`fareclerk_${series} `));
  return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(' ') + 1));
};
const figuresOf = async (metrics: Metrics) => seriesIn((await metrics.text()).body);
const metricsOf = (state = { freshMs: 0 }) => createMetrics({ process: false, state });

describe('calls, questions and money', () => {
  const metrics = createMetrics({
    ...{ process: false, state: { freshMs: 0 } },
    build: { version: '1.2.3', environment: 'sandbox', store: 'sqlite' },
  });
  let desk: Awaited<ReturnType<typeof openDesk>>;
  let at: Served;
  beforeAll(async () => {
    desk = await openDesk();
    Object.assign(desk.parts, { decided: metrics.countDecision });
    at = (await serve({ caller: CALLER, metrics }, desk)) as never;
  });
  afterAll(() => at.close());
  const figures = async () => seriesIn((await scrape(at.port)).body);

  it('begin at 0, so that the first event counts as an increase', async () => {
    const seen = await figures();
    for (const state of ['succeeded', 'refused', 'not_executed', 'needs_person']) {
      expect(seen(`operation_settle_seconds_count{state="${state}"}`)).toBe(0);
    }
    expect(seen('tool_calls_total{tool="list_routes",outcome="ok"}')).toBeUndefined();
    expect(seen('tool_calls_total{tool="list_routes",outcome="E_INTERNAL"}')).toBe(0);
    expect(seen('http_requests_total{route="/mcp",status="500"}')).toBe(0);
    const build = `version="1.2.3",environment="sandbox",store="sqlite",node="${process.versions.node}"`;
    expect(seen(`build_info{${build}}`)).toBe(1);
  });

  it('are counted by tool and outcome, with pending approvals and requests, and without a locator, name or caller', async () => {
    const locator = await heldBooking(desk);
    let asked = 0;
    const person = (dialog: Parameters<typeof yes>[0]) => (asked++ === 0 ? undefined : yes(dialog));
    const client = await connectHttp('v2-2026', at.url, { person });
    await client.call('list_routes', {});
    await client.call('read_booking', { locator, surname: await desk.surnameIn(locator) });
    await client.call('read_booking', { locator: 'NOSUCH' });
    await client.call('pay_booking', { locator, ...PAY });
    const { body } = await scrape(at.port);
    const seen = seriesIn(body);
    const calls = ['list_routes",outcome="ok', 'read_booking",outcome="ok', 'read_booking",outcome="E_NOT_FOUND'];
    for (const call of [...calls, 'pay_booking",outcome="asked'])
      expect(seen(`tool_calls_total{tool="${call}"}`)).toBe(1);
    expect(seen('tool_call_duration_seconds_count{tool="read_booking"}')).toBe(2);
    expect([seen('approvals_waiting'), seen('operations_in_doubt')]).toEqual([1, 0]);
    expect(seen('http_requests_total{route="/mcp",status="200"}')).toBeGreaterThanOrEqual(5);
    for (const secret of [locator, 'Haddad', 'amal', 'ann', 'desk"']) {
      expect(body).not.toMatch(new RegExp(`(?<!\\w)${secret}(?!\\w)`));
    }
    await client.close();
  });

  it('time each answer by decision and channel, and count questions that lapsed within the hour', async () => {
    desk.advance(3_600_000 * 2);
    const payment = { locator: await heldBooking(desk), ...PAY };
    const count = (seen: ReturnType<typeof seriesIn>, decision: string, channel = 'dialog') =>
      seen(`approval_decision_seconds_count{decision="${decision}",channel="${channel}"}`) ?? 0;
    const before = await figures();
    await desk.say('pay_booking', payment, accept('no'));
    await desk.say('pay_booking', payment, accept);
    await desk.ask('cancel_booking', { locator: payment.locator });
    const waiting = await figures();
    expect(['yes', 'no'].map((one) => count(waiting, one) - count(before, one))).toEqual([1, 1]);
    expect(count(waiting, 'yes', 'page')).toBe(0);
    const open = async () => {
      const seen = await figures();
      return [seen('approvals_waiting'), seen('approvals_lapsed{channel="dialog"}')];
    };
    expect(await open()).toEqual([1, 0]);
    desk.advance(3_600_000 / 4);
    expect(await open()).toEqual([0, 1]);
    desk.advance(3_600_000);
    expect(await open()).toEqual([0, 0]);
  });
});

describe('operations', () => {
  /** Settles operations as the journal does, whose hook counts each once. */
  async function settling() {
    const metrics = metricsOf();
    const { operations, close } = await openSqliteState(':memory:');
    const begun = { now: 1, owner: 'p', leaseUntil: 10 };
    return {
      metrics,
      close,
      async settle(to: 'succeeded' | 'refused' | 'in_doubt' | 'not_executed', over: object = {}, outcome: object = {}) {
        const id = crypto.randomUUID();
        await operations.insert(newOperation(id, { locator: id.slice(0, 6), ...over }), begun);
        await operations.transition(id, { from: ['intent'], to, patch: { outcome } }, { now: 2, actor: 'test' });
        const read = async () => operations.get(id) as never;
        await metrics.countSettled(read, ['dispatched'], to);
        // A second check without a change is not counted.
        await metrics.countSettled(read, [to], to);
      },
    };
  }

  it('are counted where this process settles them, with the money of successful ones', async () => {
    const { metrics, settle, close } = await settling();
    const others = [
      { minor: 1_234, currency: 'KWD' },
      { minor: 500, currency: 'JPY' },
    ];
    for (const amount of [SAR(17_250), SAR(100), ...others]) await settle('succeeded', { amount });
    await settle('refused', { amount: SAR(99_900) });
    const seen = await figuresOf(metrics);
    const paid = ['SAR', 'KWD', 'JPY'].map((one) => seen(`money_moved_total{currency="${one}",direction="payment"}`));
    expect(paid).toEqual([173.5, 1.234, 500]);
    expect(seen('operations_settled_total{tool="pay_booking",state="succeeded"}')).toBe(4);
    expect(seen('operations_settled_total{tool="pay_booking",state="refused"}')).toBe(1);
    expect(seen('operation_settle_seconds_bucket{le="5",state="succeeded"}')).toBe(4);
    expect(seen('operation_settle_seconds_count{state="needs_person"}')).toBe(0);
    await close();
  });

  it('count as failed if the airline says neither yes nor no, and not again once a reading settles them', async () => {
    const { metrics, settle, close } = await settling();
    const tools = [{ name: 'pay_booking', effect: 'commit' }] as never;
    metrics.watchState({ runtime: () => Promise.reject(new Error('no state')), tools });
    const failed = async () => (await figuresOf(metrics))('operations_failed_total{tool="pay_booking"}');
    const withCode = (code: string) => ({ error: { code, message: '', next: '', effect: 'none', retry: 'never' } });
    expect(await failed()).toBe(0);
    for (const code of ['E_PAYMENT_DECLINED', 'E_TOO_LATE', 'E_PRICE_CHANGED', 'E_NOT_PERMITTED'])
      await settle('refused', {}, withCode(code));
    await settle('succeeded');
    await settle('in_doubt', {}, { receipt: {} });
    await settle('not_executed', { lastReadAt: 1 }, withCode('E_AIRLINE_TIMEOUT'));
    expect(await failed()).toBe(0);
    await settle('in_doubt');
    await settle('not_executed', {}, withCode('E_AIRLINE_DOWN'));
    for (const code of ['E_AIRLINE_BUSY', 'E_AUTH', 'E_AIRLINE_REPLY']) await settle('refused', {}, withCode(code));
    expect(await failed()).toBe(5);
    await close();
  });

  it('count refunds and changes of flights with the amount that the airline stated, else the highest possible one', async () => {
    const { metrics, settle, close } = await settling();
    const rebook = { amount: SAR(66_400), subject: { kind: 'rebook_segment', earlierPayments: [] } };
    const refund = { amount: SAR(66_400), direction: 'refund' };
    const moved = async (direction: string) =>
      (await figuresOf(metrics))(`money_moved_total{currency="SAR",direction="${direction}"}`);
    await settle('succeeded', rebook, { charge: { amount: SAR(9_200) } });
    await settle('succeeded', rebook);
    await settle('succeeded', refund, { refund: { amount: SAR(15_950) } });
    expect([await moved('payment'), await moved('refund')]).toEqual([92, 159.5]);
    await settle('succeeded', refund);
    expect(await moved('refund')).toBe(823.5);
    await close();
  });
});

describe('the state store', () => {
  it('is timed for reads and writes of the journal, with a failure of the store counted, but not a refusal', async () => {
    const metrics = metricsOf();
    const state = metrics.timeState(await openSqliteState(':memory:', { waited: metrics.observeJournalWait }));
    await state.operations.insert(newOperation('a'), { now: 1, owner: 'test', leaseUntil: 10 });
    await state.operations.get('a');
    const count = async (work: string, result = 'ok') =>
      (await figuresOf(metrics))(`state_store_duration_seconds_count{work="${work}",result="${result}"}`);
    for (const work of ['journal_write', 'journal_read']) expect(await count(work)).toBe(1);
    expect(await count('journal_write', 'failed')).toBe(0);
    expect((await figuresOf(metrics))('journal_wait_seconds_count')).toBeGreaterThan(0);
    const fail = (error: Error) => () => Promise.reject(error);
    const broken = metrics.timeState({
      operations: {
        get: fail(new ClerkError('E_INTERNAL', 'gone', { next: '' })),
        insert: fail(new ClerkError('E_NOT_PERMITTED', 'paused', { next: '' })),
        list(): Promise<never> {
          throw new Error('a bug');
        },
      },
    });
    await expect(broken.operations.get()).rejects.toThrow('gone');
    await expect(broken.operations.insert()).rejects.toThrow('paused');
    await expect(broken.operations.list()).rejects.toThrow('a bug');
    expect([await count('journal_read', 'failed'), await count('journal_write')]).toEqual([2, 2]);
    await state.close();
  });

  afterEach(() => vi.restoreAllMocks());

  /** A store whose answers the test gives, and a clock that the test moves. */
  async function watched() {
    const time = { now: 0 };
    const asked: PromiseWithResolvers<unknown>[] = [];
    const metrics = createMetrics({ process: false, state: { freshMs: 1_000, waitMs: 5_000, tick: () => time.now } });
    const tiny = await openTinyClerk();
    const openCounts = () => {
      const answer = Promise.withResolvers<unknown>();
      asked.push(answer);
      return answer.promise;
    };
    const state = { ...tiny.parts.state, openCounts };
    metrics.watchState({ tools: [], runtime: async () => ({ ...tiny.parts, state }) as never });
    const look = async () => {
      const seen = await figuresOf(metrics);
      return [seen('state_store_up'), seen('operations_in_doubt'), seen('state_counts_age_seconds')];
    };
    const answer = async (n: number, inDoubt: number) => {
      await expect.poll(() => asked.length).toBeGreaterThan(n);
      const zero = { needsPerson: 0, needsPersonHolds: 0, approvalsWaiting: 0, findingsOpen: 0 };
      asked[n]?.resolve({ inDoubt, ...zero, approvalsLapsed: { dialog: 0, page: 0 } });
      await new Promise(setImmediate);
    };
    return { time, asked, look, answer, close: tiny.close };
  }

  it('is asked once for concurrent scrapes, not again while the counts are fresh, and again after a failure', async () => {
    const { time, asked, look, answer, close } = await watched();
    const all = Promise.all([look(), look(), look()]);
    await answer(0, 3);
    expect(await all).toEqual(Array(3).fill([1, 3, 0]));
    time.now = 999;
    expect([await look(), asked.length]).toEqual([[1, 3, 0.999], 1]);
    time.now = 1_000;
    const again = look();
    await answer(1, 4);
    expect(await again).toEqual([1, 4, 0]);
    time.now = 3_000;
    const failing = look();
    await expect.poll(() => asked.length).toBe(3);
    asked[2]?.reject(new Error('gone'));
    expect(await failing).toEqual([0, 4, 2]);
    const last = look();
    await answer(3, 5);
    expect(await last).toEqual([1, 5, 0]);
    await close();
  });
});

it('counts requests whose caller was refused, by reason', async () => {
  const metrics = createMetrics({ process: false });
  const at = await serveSigned({ metrics });
  for (const authorization of ['Bearer forged', undefined])
    await raw(at.port, {
      path: '/mcp',
      headers: [...goodHeaders(at.port), ...(authorization ? [['authorization', authorization] as const] : [])],
      body: LIST,
    });
  const seen = await figuresOf(metrics);
  const count = (reason: string) => seen(`callers_refused_total{reason="${reason}"}`);
  expect(['malformed', 'no_token', 'expired'].map(count)).toEqual([1, 1, 0]);
  await at.close();
});

describe('/metrics', () => {
  it('is served only to this machine, under its own name, also with a state that cannot be read', async () => {
    const metrics = createMetrics();
    const tiny = await openTinyClerk();
    const at = await serveSigned({ metrics }, {}, { ...tiny, close: async () => undefined });
    await tiny.close();
    const good = await scrape(at.port);
    expect([good.status, good.headers['content-type']]).toEqual([200, expect.stringContaining('text/plain')]);
    expect(good.body).toContain('process_resident_memory_bytes');
    expect(seriesIn(good.body)('state_store_up')).toBe(0);
    expect((await ask(at.port, [['host', 'evil.example']])).status).toBe(403);
    await at.close();
    metrics.close();
  });

  it('is served with a token to every holder of it, under any name', async () => {
    const at = await serveSigned({ metrics: metricsOf(), metricsToken: 'scrape-me' });
    const as = (authorization?: string) =>
      ask(at.port, [['host', '10.1.2.3:9000'], ...(authorization ? [['authorization', authorization] as const] : [])]);
    expect((await as('Bearer scrape-me')).status).toBe(200);
    for (const wrong of [undefined, 'Bearer scrape-m', 'Bearer', 'Basic scrape-me', `Bearer ${await at.token()}`]) {
      const refused = await as(wrong);
      expect([refused.status, refused.headers['www-authenticate']]).toEqual([401, 'Bearer']);
    }
    await at.close();
  });

  it('needs a token that opens no call, and is not opened by the token of calls', async () => {
    const at = await serve({ metrics: metricsOf(), metricsToken: 'scrape-me', token: 'book-for-me' });
    const name = ['host', `127.0.0.1:${at.port}`] as const;
    const statuses = async (token: string) => {
      const bearing: [string, string] = ['authorization', `Bearer ${token}`];
      const call = await raw(at.port, { headers: [...goodHeaders(at.port), bearing], body: LIST });
      return [(await ask(at.port, [name, bearing])).status, call.status];
    };
    expect([await statuses('scrape-me'), await statuses('book-for-me')]).toEqual([
      [200, 401],
      [401, 200],
    ]);
    await at.close();
  });
});
