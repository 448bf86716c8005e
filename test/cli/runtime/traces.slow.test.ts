/**
 * Traces as operators get them: the program as it is run, a collector, and an airline whose requests are watched.
 */

import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StdioClient } from '../../campaigns/support/stdio-client.ts';
import { enter } from '../../pages/approval/support/page-client.ts';
import { CONTACT } from '../../support/people.ts';
import { startSandbox } from '../../support/sandbox/start.ts';
import { held, payment } from '../desk.ts';
import { startFront } from '../doctor/front.ts';
import { buildProgram, ended, folderFor, type Program } from '../program.ts';
import { ran } from '../screen.ts';
import { startCollector } from './support/collector.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const HOST_SPAN = 'b7ad6b7169203331';
const LATER = '11111111111111111111111111111111';

const folder = folderFor('traces');
const browser = join(folder, 'browser');
const TOKEN = 'let-me-in-0123456789abcdef-01234';
let program: Program;
let sandbox: Awaited<ReturnType<typeof startSandbox>>;

beforeAll(async () => {
  [program, sandbox] = await Promise.all([buildProgram(), startSandbox()]);
  writeFileSync(browser, `#!/bin/sh\necho "$1" > '${browser}.url'\n`);
  chmodSync(browser, 0o755);
});

afterAll(async () => {
  await sandbox.close();
  for (const path of [folder, program.folder]) rmSync(path, { recursive: true, force: true, maxRetries: 5 });
});

async function callOver(url: string, name: string, args: object, trace: string) {
  const reply = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${TOKEN}`,
      traceparent: `00-${trace}-${HOST_SPAN}-01`,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  });
  const [, json = ''] = /(\{.*\})/s.exec(await reply.text()) ?? [];
  return JSON.parse(json).result.structuredContent;
}

async function addressInBrowser(): Promise<string> {
  const address = () => (existsSync(`${browser}.url`) ? readFileSync(`${browser}.url`, 'utf8') : '');
  await expect.poll(address).toContain('http');
  return address().trim();
}

it('the spans of a call, of the yes, of the payment and of the settlement of its lost answer name one operation', async () => {
  const [collector, airline] = await Promise.all([startCollector(), startFront(() => undefined, { to: sandbox.url })]);
  const settings = { ...sandbox.settings, FARECLERK_BASE_URL: `${airline.origin}/v2015b/OTA` };
  const child = program.start(['serve', '--http', '--port', '0', '--rehearsal', '6'], {
    ...settings,
    BROWSER: browser,
    FARECLERK_HTTP_TOKEN: TOKEN,
    FARECLERK_APPROVAL: 'page',
    FARECLERK_STATE_DIR: join(folder, 'state'),
    FARECLERK_LOG_LEVEL: 'debug',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=only%20for%20the%20collector',
    OTEL_SERVICE_NAME: 'desk',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
  });
  const end = ended(child);
  let started = '';
  child.stderr?.on('data', (chunk) => {
    started += chunk;
  });
  await expect.poll(() => started).toMatch(/serves MCP on http:\S+\s/);
  const url = /http:\/\/\S+/.exec(started)?.[0] ?? '';

  const locator = await held((tool, args) => callOver(url, tool, args, LATER));
  sandbox.order({ message: 'OTA_AirDemandTicketRQ', kind: 'commit-then-lose' });
  const asked = await callOver(url, 'pay_booking', payment(locator), TRACE);
  expect(asked.status).toBe('approval_required');
  await (await enter(await addressInBrowser())).decide('yes');
  const again = { ...payment(locator), approval_id: asked.approval.id };
  await expect.poll(async () => (await callOver(url, 'pay_booking', again, LATER)).status).toMatch(/done/);
  child.kill('SIGTERM');
  const { code, stdout, stderr } = await end;
  expect([code, stdout]).toEqual([0, '']);

  const state = { FARECLERK_STATE_DIR: join(folder, 'state') };
  const shown = await ran({ ...settings, ...state }, ['journal', 'show', asked.operation_id]);
  expect(shown.json().trace_id).toBe(TRACE);

  const { spans } = collector;
  const one = (name: string) => {
    const found = spans.filter((span) => span.name === name);
    expect(found, `${name} of ${spans.map((span) => `${span.trace.slice(0, 4)} ${span.name}`)}`).not.toEqual([]);
    return found[0] as (typeof spans)[number];
  };
  const request = spans.find(({ name, trace }) => name === 'POST /mcp' && trace === TRACE);
  const call = spans.find(({ name, trace }) => name === 'tools/call pay_booking' && trace === TRACE);
  const [yes, question, act, settling] = [
    one('POST /approve/'),
    one('approval'),
    one('carry out pay_booking'),
    one('settle pay_booking'),
  ];
  expect([request?.parent, call?.parent]).toEqual([HOST_SPAN, request?.id]);
  expect(question.trace).toBe(spans.find(({ id }) => id === question.parent)?.trace);
  for (const { trace } of [yes, question, act, settling]) expect(trace).not.toBe(TRACE);
  const text = collector.bodies.join('');
  // The call, the answer, the sending and the settlement.
  expect(text.split(asked.operation_id).length - 1).toBeGreaterThanOrEqual(4);
  const facts = [
    'approval asked',
    'approval_required',
    'dispatched',
    'in_doubt',
    'succeeded',
    'closed',
    'granted',
    'page',
  ];
  const resource = ['service.name', 'desk', 'deployment.environment.name', 'fareclerk.store', 'sqlite'];
  // The last one is the status of a failed span (field 15: code 2).
  for (const words of [...facts, ...resource, asked.operation_id, 'z\u0002\u0018\u0002']) expect(text).toContain(words);

  const sent = airline.calls.find(({ headers }) => headers['local-name'] === 'OTA_AirDemandTicketRQ');
  const client = one('POST ticket');
  expect(client.parent).toBe(act.id);
  expect(sent?.headers.traceparent?.slice(0, -3)).toBe(`00-${client.trace}-${client.id}`);
  expect(spans.filter(({ name, parent }) => name === 'POST read' && parent === settling.id)).not.toEqual([]);

  const lines = stderr.split('\n').filter((line) => line.startsWith('{'));
  const ofOperation = lines.map((line) => JSON.parse(line)).filter((line) => line.operation === asked.operation_id);
  const said = ofOperation.map(({ msg, state, call: kind }) => state ?? kind ?? msg);
  expect(new Set(said)).toEqual(
    new Set(['http request', 'tool call', 'read', 'dispatched', 'ticket', 'in_doubt', 'succeeded']),
  );
  for (const secret of ['Haddad', locator, CONTACT.email, 'only for the collector']) {
    for (const body of collector.bodies) expect(body).not.toContain(secret);
    expect(stderr).not.toContain(secret);
  }
  expect(collector.headers[0]?.['api-key']).toBe('only for the collector');
  await airline.close();
  await collector.close();
});

describe.concurrent('a collector', () => {
  /** Calls a tool on stdio, and leaves. */
  async function callAndLeave(env: Record<string, string>) {
    const child = program.start([], env);
    const end = ended(child);
    const client = new StdioClient(child);
    await client.initialize({});
    const _meta = { traceparent: `00-${TRACE}-${HOST_SPAN}-01` };
    await client.request('tools/call', { name: 'list_routes', _meta }).reply;
    await client.close();
    return end;
  }

  it('gets the call of a host on stdio in the trace that its message names', async () => {
    const collector = await startCollector();
    await callAndLeave({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    const call = collector.spans.find(({ name }) => name === 'tools/call list_routes');
    expect(call).toMatchObject({ trace: TRACE, parent: HOST_SPAN });
    for (const words of ['mcp.method.name', 'network.transport', 'pipe', 'fareclerk.tool.effect', 'read'])
      expect(collector.bodies.join('')).toContain(words);
    await collector.close();
  });

  it('that never answers does not keep the program from ending', async () => {
    const collector = await startCollector(false);
    const { code } = await callAndLeave({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    expect([code, collector.spans.length > 0]).toEqual([0, true]);
    await collector.close();
  });

  it('that is away costs one line of the log', async () => {
    const closed = createTcpServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    closed.close();
    const { code, stderr } = await callAndLeave({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` });
    expect(code).toBe(0);
    expect(stderr.match(/traces could not be delivered/g)).toHaveLength(1);
  });

  it('of another protocol gets nothing, and the log says so', async () => {
    const collector = await startCollector();
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' };
    expect((await callAndLeave(env)).stderr).toContain('traces are off');
    expect(collector.headers).toEqual([]);
    await collector.close();
  });

  it('that a variable of earlier versions would turn off are sent, and the log names the variable without its value', async () => {
    const collector = await startCollector();
    const { code, stderr } = await callAndLeave({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_TRACES_EXPORTER: 'none',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'authorization=hunter2',
    });
    expect(code).toBe(0);
    expect(stderr).toMatch(/"variable":"OTEL_TRACES_EXPORTER","instead":"OTEL_SDK_DISABLED=true/);
    expect(stderr).toContain('"variable":"OTEL_EXPORTER_OTLP_TRACES_HEADERS","instead":"OTEL_EXPORTER_OTLP_HEADERS"');
    expect(stderr).not.toContain('hunter2');
    await collector.close();
  });
});
