/**
 * `fareclerk serve --http` as it is run: its own process, a real OpenID provider, the sandbox airline, four eyes and a
 * file of callers. A payment from the question to the books, and what is left of it after a restart.
 */
import { type ChildProcess, execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { VERSION } from '../../../src/core/version.ts';
import { startReceiver } from '../../events/support/receiver.ts';
import { connectHttp, type HttpClient } from '../../http/support/clients.ts';
import { APPROVER_ROLE, freePort, type OpenId, PAGE, startOpenId, tokenOf } from '../../http/support/openid.ts';
import { headingOf, PersonAt } from '../../pages/approval/support/person.ts';
import { dateIn } from '../../support/people.ts';
import { startSandbox } from '../../support/sandbox/start.ts';
import { held, payment } from '../desk.ts';
import { startFront } from '../doctor/front.ts';
import { buildProgram, ended, folderFor, type Program } from '../program.ts';
import { ran } from '../screen.ts';

const folder = folderFor('serve-http');
const SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
/** Without sign-in. */
const CALLS = { FARECLERK_HTTP_TOKEN: 'let-me-in-0123456789abcdef-01234' };
const SCRAPER = 'scrape-me-0123456789abcdef-012345';
let program: Program;
let sandbox: Awaited<ReturnType<typeof startSandbox>>;
let front: Awaited<ReturnType<typeof startFront>>;
let openId: OpenId;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let publicUrl: string;
let port: number;
let running: { readonly child: ChildProcess; readonly over: ReturnType<typeof ended>; log: string };

beforeAll(async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  [program, sandbox, port, receiver] = await Promise.all([buildProgram(), startSandbox(), freePort(), startReceiver()]);
  front = await startFront(() => undefined, { to: sandbox.url });
  publicUrl = `http://127.0.0.1:${port}`;
  openId = await startOpenId(`${publicUrl}/mcp`, { pageRedirect: `${publicUrl}/approve/signed-in` });
});

afterAll(async () => {
  running?.child.kill('SIGKILL');
  await Promise.all([front.close(), sandbox.close(), openId.close(), receiver.close()]);
  for (const path of [folder, program.folder]) rmSync(path, { recursive: true, force: true, maxRetries: 5 });
});

async function start(...more: readonly string[]): Promise<void> {
  const callers = join(folder, 'callers.json');
  const {
    FARECLERK_AGENT_ID: agent_id,
    FARECLERK_AGENCY_ID: agency_id,
    FARECLERK_CURRENCY: currency,
  } = sandbox.settings;
  writeFileSync(
    callers,
    JSON.stringify({ callers: [{ subject: 'ann', client: 'desk', agent_id, agency_id, currency }] }),
  );
  const child = program.start(['serve', '--http', '--port', String(port), ...more], {
    ...sandbox.settings,
    FARECLERK_BASE_URL: `${front.origin}/v2015b/OTA`,
    FARECLERK_AGENT_ID: 'NOBODY',
    FARECLERK_COUNTRY: 'SA',
    FARECLERK_STATE_DIR: join(folder, 'state'),
    FARECLERK_PUBLIC_URL: publicUrl,
    FARECLERK_ISSUER: openId.issuer,
    FARECLERK_PAGE_CLIENT_ID: PAGE.clientId,
    FARECLERK_PAGE_CLIENT_SECRET: PAGE.clientSecret,
    FARECLERK_APPROVER_ROLE: APPROVER_ROLE,
    FARECLERK_FOUR_EYES_ABOVE: '1',
    FARECLERK_CALLERS_FILE: callers,
    FARECLERK_METRICS_TOKEN: SCRAPER,
    FARECLERK_LOG_LEVEL: 'debug',
    FARECLERK_WEBHOOKS: receiver.url,
    FARECLERK_WEBHOOK_SECRET: SECRET,
    FARECLERK_PRIVATE_HOSTS: '127.0.0.1',
  });
  running = { child, over: ended(child), log: '' };
  child.stderr?.on('data', (chunk) => {
    running.log += chunk;
  });
  await expect.poll(() => running.log).toContain('fareclerk serves MCP on');
}

const lines = () =>
  running.log
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const connectAs = async (name: string): Promise<HttpClient> =>
  connectHttp('v2-2026', `${publicUrl}/mcp`, { token: await tokenOf(openId, name, `${publicUrl}/mcp`) });

/** How many addresses get events from now on. */
function addresses(): number {
  const raw = new DatabaseSync(join(folder, 'state', 'fareclerk.sqlite'), { readOnly: true });
  const { n } = raw.prepare('select count(*) as n from webhook').get() ?? {};
  raw.close();
  return Number(n);
}

/** What the receiver got, checked as it would, oldest first. */
const told = () =>
  receiver.got.map(({ id, body, headers }) => {
    const { type, data } = new Webhook(SECRET).verify(body, headers as Record<string, string>) as {
      type: string;
      data: { locator: string };
    };
    return [id.replace(/[0-9a-f-]{36}/, 'ID'), type, data.locator];
  });

const call = (client: HttpClient) => async (tool: string, args: object) =>
  (await client.call(tool, { ...args })).structuredContent;

/** A payment that ann asks for and her boss approves on the page. Returns what it needs to go on. */
async function approved(ann: HttpClient) {
  const pay = payment(await held(call(ann)));
  const asked = (await ann.call('pay_booking', pay)).structuredContent;
  expect(asked).toMatchObject({ status: 'approval_required' });
  const address = `${publicUrl}/approve/${asked.operation_id}`;
  expect(asked.approval.url).toBe(address);
  const herself = new PersonAt('ann', openId.issuer);
  expect((await herself.press(await herself.open(address), 'yes')).status).toBe(403);
  const boss = new PersonAt('boss-bea', openId.issuer);
  const heading = headingOf(await boss.press(await boss.open(address), 'yes'));
  const again = async () =>
    (await ann.call('pay_booking', { ...pay, approval_id: asked.approval.id })).structuredContent;
  return { locator: pay.locator, id: String(asked.operation_id), heading, again };
}

/** Series that one payment leaves behind. */
const METRICS = [
  'fareclerk_airline_calls_total{operation="ticket",result="2xx"} 1',
  'fareclerk_money_moved_total{currency="SAR",direction="payment"} ',
  'fareclerk_http_requests_total{route="/approve/",status="303"} ',
  `fareclerk_build_info{version="${VERSION}"`,
  'fareclerk_state_store_duration_seconds_count{work="journal_write",result="ok"} ',
  'fareclerk_event_deliveries_total{result="delivered"} 3',
  'fareclerk_events_oldest_seconds 0',
  'fareclerk_journal_wait_seconds_count ',
  'fareclerk_airline_breaker_open 0',
  'fareclerk_airline_pause_seconds{operation="ticket"} 0',
  'fareclerk_operations_failed_total{tool="pay_booking"} 0',
  'fareclerk_operations_settled_total{tool="cancel_booking",state="succeeded"} 0',
  'fareclerk_approval_decision_seconds_count{decision="yes",channel="page"} 1',
  'fareclerk_callers_refused_total{reason="expired"} 0',
  'fareclerk_http_request_duration_seconds_count{route="/approve/"} ',
  'fareclerk_issuer_keys_age_seconds ',
];

it('carries out a call after another person signs in and approves it, also after a restart', async () => {
  await start();
  expect(running.log).not.toContain('undefined');
  await expect
    .poll(() => lines().find(({ msg }) => msg === 'serving'))
    .toMatchObject({
      public: publicUrl,
      issuer: openId.issuer,
      audience: `${publicUrl}/mcp`,
      approvals: `${publicUrl}/approve/`,
      airline: expect.stringContaining('live: '),
    });
  const ready = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status;
  await expect.poll(ready).toBe(200);
  await expect.poll(addresses).toBe(1);
  const ann = await connectAs('ann');
  const { locator, id, heading, again } = await approved(ann);
  expect(heading).toMatch(/^Paid /);
  expect(await again()).toMatchObject({ status: 'done', tickets: [{ total: expect.any(String) }] });
  expect(sandbox.ledger().filter(({ event }) => event === 'paid')).toHaveLength(1);
  // Under her own point of sale, which names no country: not the server's.
  const [sent] = front.calls.filter(({ headers }) => headers['local-name'] === 'OTA_AirDemandTicketRQ');
  const [{ requestorID, ...source }] = JSON.parse(sent?.body ?? '').pos.source;
  expect([requestorID.id, source.isocountry]).toEqual([sandbox.settings.FARECLERK_AGENT_ID, undefined]);

  await expect.poll(() => told().length).toBeGreaterThanOrEqual(3);
  expect(told()).toEqual([
    ['operation/ID/3/succeeded', 'operation.settled', locator],
    ['question/ID/waiting', 'question.waiting', locator],
    ['operation/ID/3/succeeded', 'operation.settled', locator],
  ]);
  expect(receiver.got[2]?.id).toBe(`operation/${id}/3/succeeded`);
  for (const secret of ['Haddad', 'amal@example.com', 'ann'])
    expect(receiver.got.map(({ body }) => body).join()).not.toContain(secret);

  // Somebody without a row sells under the server's own point of sale, which this airline does not know.
  const legs = [{ from: 'XMD', to: 'QCA', date: dateIn(Date.now(), 12) }];
  const bob = await connectAs('bob');
  expect((await bob.call('search_fares', { legs, passengers: { adults: 1 } })).isError).toBe(true);

  const scrape = await fetch(`${publicUrl}/metrics`, { headers: { authorization: `Bearer ${SCRAPER}` } });
  const metrics = await scrape.text();
  for (const series of METRICS) expect(metrics).toContain(`\n${series}`);
  expect((await fetch(`${publicUrl}/metrics`)).status).toBe(401);

  const access = (route: string, method: string) =>
    lines().filter((line) => line.msg === 'http request' && line.route === route && line.method === method);
  await expect
    .poll(() => access('/metrics', 'GET').map(({ level, status }) => [level, status]))
    .toContainEqual([20, 401]);
  expect(access('/approve/', 'POST')).toContainEqual(
    expect.objectContaining({
      ...{ level: 30, status: 303, caller: expect.stringMatching(/^[\w-]{16}$/) },
      trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
    }),
  );

  expect(lines().find(({ msg }) => msg === 'serving')).toMatchObject({ issuer: openId.issuer, sending: 'allowed' });
  const calls = lines().filter(({ msg, tool }) => msg === 'tool call' && tool === 'search_fares');
  expect(calls[0]?.trace_id).toMatch(/^[0-9a-f]{32}$/);
  const upstream = lines().filter(({ msg, trace_id }) => msg === 'airline call' && trace_id === calls[0]?.trace_id);
  expect(upstream.length).toBeGreaterThan(0);
  for (const secret of ['Haddad', 'amal@example.com', locator, SCRAPER]) expect(running.log).not.toContain(secret);

  running.child.kill('SIGTERM');
  expect((await running.over).code).toBe(0);

  await start('--rehearsal', '6');
  const annAgain = await connectAs('ann');
  const find = async (client: HttpClient) => (await client.call('read_booking', { locator })).structuredContent;
  // Whose booking it is was not forgotten: no surname is asked for.
  expect(await find(annAgain)).toMatchObject({ booking: { state: 'ticketed' } });
  expect(await find(await connectAs('eve'))).toMatchObject({ error: { code: 'E_NOT_FOUND' } });

  // A lost answer is settled by reading under her point of sale: the airline does not know the server's own.
  sandbox.order({ message: 'OTA_AirDemandTicketRQ', kind: 'commit-then-lose' });
  const lost = await approved(annAgain);
  expect(lost.heading).not.toMatch(/^Paid /);
  const got = receiver.got.length;
  receiver.answer = () => new Promise(() => undefined);
  await expect.poll(async () => (await lost.again()).status).toMatch(/done$/);
  await expect.poll(() => receiver.got.length).toBeGreaterThan(got);

  // The operator's commands are the ones that run on the machine of the server.
  const settings = { ...sandbox.settings, FARECLERK_BASE_URL: `${front.origin}/v2015b/OTA` };
  const operator = { ...settings, FARECLERK_STATE_DIR: join(folder, 'state') };
  const unpaid = payment(await held(call(annAgain)));
  expect((await ran(operator, ['pause', 'a test'])).code).toBe(0);
  const refused = (await annAgain.call('pay_booking', unpaid)).structuredContent;
  expect(refused.error.next).toMatch(/`\S*node\S* \S+fareclerk\.js resume` \(with the server's FARECLERK_ settings\)/);
  expect((await ran(operator, ['resume'])).code).toBe(0);

  // A receiver that hangs holds up the end of the server for two seconds at most.
  const began = Date.now();
  running.child.kill('SIGTERM');
  expect((await running.over).code).toBe(0);
  expect(Date.now() - began).toBeLessThan(4_000);

  const journal = await ran(operator, ['journal', 'show', id]);
  expect(journal.json()).toMatchObject({
    state: 'succeeded',
    assurance: 'page',
    caller: 'oauth:ann:desk',
    approved_by: 'oauth:boss-bea:page',
  });
});

it('ends on a taken port, without having begun any work that an earlier process left', async () => {
  const state = join(folder, 'taken');
  const env = { FARECLERK_STATE_DIR: state };
  expect((await program.run(['call', 'list_bookings'], env)).code).toBe(0);
  const file = join(state, 'sandbox', 'fareclerk.sqlite');
  const before = readFileSync(file);
  // Is asked for its keys by a server that listens, and never answers.
  const silent = await startReceiver();
  silent.answer = () => new Promise(() => undefined);
  const signIn = { FARECLERK_PUBLIC_URL: publicUrl, FARECLERK_ISSUER: silent.url };
  const { code, stderr } = await program.run(['serve', '--http', '--port', String(silent.port)], { ...env, ...signIn });
  expect([code, stderr]).toEqual([1, expect.stringContaining('is taken by another program.')]);
  expect([silent.got.length, readFileSync(file).equals(before), existsSync(`${file}-wal`)]).toEqual([0, true, false]);
  await silent.close();
});

it.each([
  ['a command that cannot ask a second person', ['call', 'list_routes'], {}, 'cannot ask a second person'],
  ['a server on stdio', ['serve'], {}, 'cannot ask a second person'],
  ['tenants without their claim', ['serve', '--http'], { callers: [{ tenant: 'north' }] }, 'tenant_claim'],
] as const)('refuses to start: %s', async (_what, argv, { callers }: { callers?: readonly object[] }, words) => {
  const file = join(folder, 'wrong.json');
  const row = { agent_id: 'A', agency_id: 'B', currency: 'SAR' };
  writeFileSync(
    file,
    JSON.stringify({ callers: (callers ?? [{ subject: 'ann' }]).map((one) => ({ ...one, ...row })) }),
  );
  const { code, stderr } = await ran(
    {
      ...sandbox.settings,
      FARECLERK_STATE_DIR: join(folder, 'state'),
      FARECLERK_PUBLIC_URL: publicUrl,
      FARECLERK_ISSUER: openId.issuer,
      FARECLERK_PAGE_CLIENT_ID: PAGE.clientId,
      FARECLERK_APPROVER_ROLE: APPROVER_ROLE,
      FARECLERK_FOUR_EYES_ABOVE: '1',
      FARECLERK_CALLERS_FILE: file,
    },
    argv,
  );
  expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
});

it('refuses to serve without sign-in and without a token of calls', async () => {
  const env = { FARECLERK_STATE_DIR: join(folder, 'no-token') };
  const { code, stderr } = await ran(env, ['serve', '--http', '--port', '0']);
  expect([code, stderr]).toEqual([2, expect.stringMatching(/FARECLERK_HTTP_TOKEN is not set, .*FARECLERK_ISSUER/s)]);
});

it('refuses FARECLERK_DETAILS=page where travellers have no address', async () => {
  const env = { FARECLERK_STATE_DIR: join(folder, 'no-address'), FARECLERK_DETAILS: 'page', ...CALLS };
  const { code, stderr } = await ran(env, ['serve', '--http', '--port', '0']);
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(
      /FARECLERK_DETAILS is page, and travellers have no address of this server\..*FARECLERK_PUBLIC_URL/s,
    ),
  ]);
});

/** A server of the sandbox airline, in this folder. */
async function startSandboxServer(name: string, more: Readonly<Record<string, string>>) {
  const env = { FARECLERK_STATE_DIR: join(folder, name), ...CALLS, ...more };
  const child = program.start(['serve', '--http', '--port', '0'], env);
  const over = ended(child);
  let said = '';
  child.stderr?.on('data', (chunk) => {
    said += chunk;
  });
  await expect
    .poll(() => said)
    .toMatch(/:\d+\/mcp\nAirline: the sandbox, nothing is real\. State: SQLite \S+\n[\s\S]*"sending":"allowed"/);
  const [, port] = /:(\d+)\/mcp/.exec(said) ?? [];
  return {
    child,
    origin: `http://127.0.0.1:${port}`,
    /** Status and reasons of /readyz. */
    async probe() {
      const reply = await fetch(`http://127.0.0.1:${port}/readyz`);
      return [reply.status, ((await reply.json()) as { reasons?: string[] }).reasons];
    },
    stop() {
      child.kill('SIGTERM');
      return over;
    },
  };
}

/**
 * The limit on the size of files acts as a full disk for a process that is running: what it writes fails, and works again
 * when the limit is lifted.
 */
it.runIf(process.platform === 'linux')(
  'is not ready while the disk is full, and recovers by itself',
  async () => {
    const { child, origin, probe, stop } = await startSandboxServer('full', { FARECLERK_METRICS_TOKEN: SCRAPER });
    const limit = (bytes: string) => execFileSync('prlimit', ['--pid', String(child.pid), `--fsize=${bytes}:`]);
    // Opens the state.
    await fetch(`${origin}/metrics`, { headers: { authorization: `Bearer ${SCRAPER}` } });
    limit('1024');
    expect(await probe()).toEqual([
      503,
      [
        'The state store cannot be written: it is full or read-only.',
        'The second record of the journal cannot be written: its disk is full or read-only.',
      ],
    ]);
    limit('unlimited');
    await expect.poll(probe, { interval: 250 }).toEqual([200, undefined]);
    expect((await stop()).code).toBe(0);
  },
  60_000,
);

it('is not ready beside a server of the same state that has another limit, until that has ended', async () => {
  const start = (limit: string) => startSandboxServer('two-limits', { FARECLERK_LIMIT_PER_DAY: limit });
  const first = await start('150');
  expect(await first.probe()).toEqual([200, undefined]);
  const second = await start('300');
  const unlike = 'FARECLERK_LIMIT_PER_DAY is 300 here, and 150 at a server that works with this state.';
  expect(await second.probe()).toEqual([503, [unlike]]);
  expect(await first.probe()).toEqual([200, undefined]);
  await first.stop();
  await expect.poll(second.probe, { interval: 250 }).toEqual([200, undefined]);
  await second.stop();
}, 60_000);
