/**
 * What the program itself counts of failed calls: commands that run at once on one file, and
 * servers over HTTP on one database, of which one is killed. A supervisor asks for it in SQL.
 */
import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startIssuer } from '../../auth/callers/issuer.ts';
import { startCluster } from '../../campaigns/support/postgres.ts';
import { ended, startMember } from '../../campaigns/support/stage.ts';
import { META, StdioClient } from '../../campaigns/support/stdio-client.ts';
import { freePort } from '../../http/support/openid.ts';
import { mcpCaller } from '../../support/mcp-http.ts';
import { startSandbox } from '../../support/sandbox/start.ts';
import { call, held, payment } from '../desk.ts';
import { buildProgram, type Program } from '../program.ts';
import { freshState, stateFile } from '../screen.ts';

let program: Program;
beforeAll(async () => {
  program = await buildProgram();
});
afterAll(() => rmSync(program.folder, { recursive: true, force: true, maxRetries: 5 }));

/** Said in arguments and by the airline: to be found in no count. */
const CANARIES = ['CANAR1', 'CANARYSON', 'canary@example.com', 'canary_tool', 'no such booking'];

const FAILURES = 'select tool, code, sum(calls) as calls from failure group by tool, code order by tool, code';

const columnsOf = (file: string) => {
  using db = new DatabaseSync(file, { readOnly: true });
  return JSON.stringify(db.prepare('select * from failure').all());
};

it('adds up what commands count that run at once on one file, also of calls that open no state, and nothing said in them', async () => {
  const env = freshState();
  // By the built program: from sources, the two processes of a question take many times as long to start.
  const ask = async (sql: string) => {
    const { stdout } = await program.run(['call', 'query_ledger', JSON.stringify({ sql })], env);
    const result = JSON.parse(stdout);
    return result.rows ?? result;
  };
  // Without a state none is made for it.
  await call(env, 'read_booking', { locator: 7 });
  expect(() => columnsOf(stateFile(env))).toThrow();
  expect(await ask(FAILURES)).toEqual([]);

  const each = [
    ['read_booking', { locator: 'CANAR1' }],
    ['create_booking', { contact: { surname: 'CANARYSON', email: 'canary@example.com' } }],
    ['canary_tool', {}],
  ] as const;
  const runs = Array.from({ length: 4 }, () => each).flat();
  const over = await Promise.all(runs.map(([tool, args]) => program.run(['call', tool, JSON.stringify(args)], env)));
  expect(over.map(({ code }) => code)).toEqual(runs.map(() => 1));
  expect(await ask(FAILURES)).toEqual([
    ['create_booking', 'E_INPUT', 4],
    ['read_booking', 'E_NOT_FOUND', 4],
    ['unknown', 'E_INPUT', 4],
  ]);

  // A server on stdio: what it counts is there for its own question, and for all once it has ended.
  const client = new StdioClient(program.start(['serve'], env));
  const say = async (name: string, args: object) => {
    const { reply } = client.request('tools/call', { name, arguments: args, _meta: META({}) });
    return (await reply).result.structuredContent;
  };
  const ofReads = "select sum(calls) from failure where tool = 'read_booking'";
  await say('read_booking', { locator: 'CANAR1' });
  expect((await say('query_ledger', { sql: ofReads })).rows).toEqual([[5]]);
  await say('read_booking', { locator: 'CANAR1' });
  await client.close();
  expect(await ask(ofReads)).toEqual([[6]]);

  const kept = columnsOf(stateFile(env));
  for (const canary of CANARIES) expect(kept).not.toContain(canary);
});

it('a supervisor sees why calls at any server failed, and how the airline answered the tenant; a kill loses the last minute alone', async () => {
  const [cluster, sandbox, issuer, port] = await Promise.all([
    startCluster(),
    startSandbox(),
    startIssuer(),
    freePort(),
  ]);
  const publicUrl = `http://127.0.0.1:${port}`;
  const url = await cluster.database('counts');
  const settings = {
    ...sandbox.settings,
    FARECLERK_PUBLIC_URL: publicUrl,
    FARECLERK_ISSUER: issuer.issuer,
    FARECLERK_DESK_ROLE: 'lead',
    FARECLERK_DATABASE_URL: url,
  };
  const members = [await startMember(settings, undefined, port), await startMember(settings)] as const;
  const at = async (member: number, sub: string, roles: readonly string[] = []) => {
    const exp = Math.floor(Date.now() / 1000) + 7200;
    const scope = 'air:read air:book air:pay';
    const token = await issuer.sign({ aud: `${publicUrl}/mcp`, sub, scope, exp, roles }, { kid: 'ES256' });
    return mcpCaller(`http://127.0.0.1:${members[member]?.port}/mcp`, token);
  };
  const [ann, ben] = [await at(0, 'ann'), await at(1, 'ben')];
  const [lead, clerk] = [await at(0, 'lea', ['lead']), ann];
  const rows = async (sql: string) => (await lead.call('query_ledger', { sql })).structured.rows;
  try {
    const locator = await held(async (tool, args) => (await ann.call(tool, args)).structured);
    const decline = { message: 'OTA_AirDemandTicketRQ', kind: 'error-before', code: '241', status: 400 } as const;
    sandbox.order(decline);
    const asked = (await ann.call('pay_booking', payment(locator))).structured;
    const refused = await ann.call('pay_booking', { ...payment(locator), approval_id: asked.approval.id });
    // A plan goes on after a step that is refused, so that no call ends with its error.
    sandbox.order(decline);
    const steps = [{ tool: 'pay_booking', arguments: payment(locator) }];
    const { plan_id } = (await ann.call('propose_plan', { steps })).structured;
    const plan = (await ann.call('run_plan', { plan_id })).structured;
    const ran = await ann.call('run_plan', { plan_id, approval_id: plan.approval.id });
    expect(ran.outcome).toBe('done');
    await Promise.all(
      Array.from({ length: 20 }, (_, i) => (i % 2 ? ann : ben).call('read_booking', { locator: `CAN${100 + i}` })),
    );
    // The other server writes when it ends, or once a minute.
    await members[1].restart();
    expect(await rows(`select asked_by, tool, code, calls from failure order by asked_by, tool`)).toEqual([
      ['oauth:ann:desk', 'pay_booking', refused.outcome, 2],
      ['oauth:ann:desk', 'read_booking', 'E_NOT_FOUND', 10],
      ['oauth:ben:desk', 'read_booking', 'E_NOT_FOUND', 10],
    ]);
    expect(refused.outcome).toBe('E_PAYMENT_DECLINED');
    // Who is no supervisor has no such view.
    expect((await clerk.call('query_ledger', { sql: 'select * from failure' })).outcome).toBe('E_INPUT');

    await ben.call('read_booking', { locator: 'CAN999' });
    await members[1].kill();
    expect(await rows("select sum(calls) from failure where asked_by like '%ben%'")).toEqual([[10]]);

    // Calls fail while the database is away, and that is counted once it is back.
    await cluster.kill();
    expect((await ann.call('list_bookings')).outcome).toBe('E_STATE_DOWN');
    expect((await ann.call('list_bookings')).outcome).toBe('E_STATE_DOWN');
    await cluster.start();
    await expect.poll(async () => (await ann.call('list_bookings')).outcome).toBe('ok');
    const whileAway = "select min(calls) >= 2, max(code) from failure where tool = 'list_bookings'";
    expect(await rows(whileAway)).toEqual([[1, 'E_STATE_DOWN']]);

    const kept = JSON.stringify(await cluster.sql('counts', 'select * from fareclerk.failure'));
    for (const said of ['CAN1', locator, 'eclined']) expect(kept).not.toContain(said);
  } finally {
    for (const one of [ann, ben, lead]) one.close();
    await Promise.all(members.map((member) => ended(member.process)));
    await Promise.all([issuer.close(), sandbox.close()]);
    await cluster.close();
  }
});
