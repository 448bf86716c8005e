/**
 * Every message with an id is answered, however it is malformed: a host that waits for its answer waits for ever. As lines to the
 * program on stdio and as bodies over HTTP, in both eras. Clients of both generations go on after an answer without an id.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Writable } from 'node:stream';
import { Client as V2Client } from '@modelcontextprotocol/client';
import { StdioClientTransport as V2Stdio } from '@modelcontextprotocol/client/stdio';
import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as V1Stdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshState } from '../cli/screen.ts';
import { goodHeaders, messageIn, raw } from '../http/support/raw.ts';
import { type Served, serve, UNLIMITED } from '../http/support/serve.ts';
import { BIN } from './clients.ts';

/** Stands for the id, which a test replaces by one of its own. */
const ID = 'ID';
const BOM = '\uFEFF';
const MODERN = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const CODES = [-32_700, -32_600, -32_601, -32_602];

type Era = 'handshake' | 'modern';
type Message = Readonly<Record<string, unknown>>;

/** What is malformed in a message, with its text: a readable id is ID. */
function malformed(era: Era): readonly (readonly [what: string, text: string])[] {
  const _meta = era === 'modern' ? { _meta: MODERN } : {};
  const line = (message: Message) => JSON.stringify({ jsonrpc: '2.0', id: ID, ...message });
  const list = (over: Message) => line({ method: 'tools/list', ...over });
  const call = (params: Message, over: Message = {}) =>
    line({ method: 'tools/call', params: { ..._meta, ...params }, ...over });
  const { jsonrpc: _, ...unnamed } = JSON.parse(list({ params: _meta })) as Message;
  return [
    ['params: null', list({ params: null })],
    ['params: []', list({ params: [] })],
    ['params: a text', list({ params: 'all' })],
    ['params: a number', list({ params: 7 })],
    ['params: false', list({ params: false })],
    ['_meta: null', list({ params: { _meta: null } })],
    ['_meta: []', list({ params: { _meta: [] } })],
    ['_meta: a text', list({ params: { _meta: 'x' } })],
    ['a progress token that is an object', list({ params: { _meta: { ...MODERN, progressToken: {} } } })],
    ['a field too many', list({ params: _meta, extra: 1 })],
    ['a field too many, null', list({ params: _meta, context: null })],
    ['no jsonrpc', JSON.stringify(unnamed)],
    ['jsonrpc 1.0', list({ jsonrpc: '1.0', params: _meta })],
    ['jsonrpc a number', list({ jsonrpc: 2, params: _meta })],
    ['jsonrpc null', list({ jsonrpc: null, params: _meta })],
    ['no method', line({ params: _meta })],
    ['method: null', line({ method: null, params: _meta })],
    ['method: a number', line({ method: 5, params: _meta })],
    ['method: a list', line({ method: ['tools/list'], params: _meta })],
    ['method: empty', line({ method: '', params: _meta })],
    ['an unknown method', line({ method: 'tools/lists', params: _meta })],
    ['a method of its prototype', line({ method: '__proto__', params: _meta })],
    ['a notification with an id', line({ method: 'notifications/initialized', params: _meta })],
    ['a cursor that is a number', list({ params: { ..._meta, cursor: 5 } })],
    ['a call without a name', call({})],
    ['a call without params', line({ method: 'tools/call' })],
    ['a call whose name is null', call({ name: null })],
    ['a call of an unknown tool', call({ name: 'nothing' })],
    ['arguments: null', call({ name: 'list_routes', arguments: null })],
    ['arguments: []', call({ name: 'list_routes', arguments: [] })],
    ['arguments: a text', call({ name: 'list_routes', arguments: '{}' })],
    ['arguments: a number', call({ name: 'list_routes', arguments: 3 })],
    ['a field beside the arguments', call({ name: 'list_routes', arguments: {}, extra: 1 })],
    ['a resource without an address', line({ method: 'resources/read', params: _meta })],
    ['a resource whose address is a number', line({ method: 'resources/read', params: { ..._meta, uri: 4 } })],
    ['a prompt without a name', line({ method: 'prompts/get', params: _meta })],
    ['a byte order mark', `${BOM}${list({ params: _meta })}`],
    ['blanks around', `  ${list({ params: _meta })} \t`],
    ['the same key twice', list({ params: _meta }).replace('"method"', '"method":"x","method"')],
    ['a task that is null', call({ name: 'list_routes', arguments: {}, task: null })],
    ['an id with a fraction', list({ params: _meta, id: 1.5 })],
    ['an id that is null', list({ params: _meta, id: null })],
    ['an id that is a list', list({ params: _meta, id: [1] })],
    ['an id that is true', list({ params: _meta, id: true })],
    ['half a message', list({ params: _meta }).slice(0, -3)],
    ['a word', 'hello'],
    ['a number', '7'],
    ['null', 'null'],
  ];
}

/** The messages whose id nobody can read: the answer has none. */
const UNREADABLE = [
  'an id with a fraction',
  'an id that is null',
  'an id that is a list',
  'an id that is true',
  'half a message',
  'a word',
  'a number',
  'null',
];

/** What MCP takes though it is odd. */
const TAKEN = [
  'params: null',
  'arguments: null',
  'a field beside the arguments',
  'a byte order mark',
  'blanks around',
  'the same key twice',
];

/** A call whose id is written so, with other ids in it. */
const callWithId = (id: string) =>
  `{"jsonrpc":"2.0","params":{"name":"list_routes","arguments":{"id":12345678901234567891}},"id":${id},"method":"tools/call"}`;

const LONG_IDS = ['9007199254740993', '-9007199254740993', '12345678901234567890', '1e400', '0.10'];
const LONG_ID_ERROR = /^id must be a text, or a whole number below 2\^53: a larger number would lose digits\. Nothing/;

test('ids with more digits than a number holds are refused, in an answer without an id', async () => {
  const child = spawn(process.execPath, [BIN, 'serve'], {
    env: { PATH: process.env.PATH ?? '', ...freshState() },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const at = await serve({ limits: UNLIMITED });
  for (const id of LONG_IDS) {
    child.stdin.write(`${callWithId(id)}\n`);
    const onStdio = JSON.parse((await answers.next()).value ?? '');
    const reply = await raw(at.port, { headers: goodHeaders(at.port), body: callWithId(id) });
    expect([reply.status, reply.headers['content-type']]).toEqual([400, 'application/json']);
    const overHttp = messageIn(reply.body) as typeof onStdio;
    expect([onStdio.id, overHttp.id]).toEqual([undefined, null]);
    for (const { error } of [onStdio, overHttp])
      expect(error).toMatchObject({ code: -32_600, message: expect.stringMatching(LONG_ID_ERROR) });
  }
  child.stdin.end();
  await once(child, 'exit');
  await at.close();
});

const withId = (text: string, id: number) => text.replace(`"${ID}"`, String(id));

describe.each(['handshake', 'modern'] as const)('in the era of the %s', (era) => {
  const cases = malformed(era);

  test(`${cases.length} malformed lines on stdio are answered, and responses are not`, async () => {
    const child = spawn(process.execPath, [BIN, 'serve'], {
      env: { PATH: process.env.PATH ?? '', ...freshState() },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const send = (text: string) => child.stdin.write(`${text}\n`);
    const rpc = (message: Message) => send(JSON.stringify({ jsonrpc: '2.0', ...message }));
    const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const next = async () => JSON.parse((await answers.next()).value ?? 'null');
    if (era === 'handshake') {
      const client = { capabilities: {}, clientInfo: { name: 't', version: '1' } };
      rpc({ id: 0, method: 'initialize', params: { protocolVersion: '2025-06-18', ...client } });
      await next();
      rpc({ method: 'notifications/initialized' });
    }
    rpc({ id: 900, result: {} });
    rpc({ id: 901, error: { code: 1, message: 'x' } });
    rpc({ id: 902, error: null });
    for (const [n, [, text]] of cases.entries()) send(withId(text, n + 1));
    send(
      `[${cases
        .map(([, text]) => text)
        .slice(0, 2)
        .join()}]`,
    );
    const came: { id?: number; error?: { code: number; message: string } }[] = [];
    while (came.length < cases.length + 1) came.push(await next());
    child.stdin.end();
    await once(child, 'exit');
    const idless = UNREADABLE.length + 1;
    expect(came.filter(({ id }) => id === undefined)).toHaveLength(idless);
    for (const { id, error } of came) if (id === undefined) expect(CODES).toContain(error?.code);
    for (const [n, [what]] of cases.entries()) {
      const found = came.filter(({ id }) => id === n + 1);
      expect(found, what).toHaveLength(UNREADABLE.includes(what) ? 0 : 1);
      const [{ error } = {}] = found;
      if (TAKEN.includes(what)) expect(error, what).toBeUndefined();
      else if (!UNREADABLE.includes(what)) {
        expect(CODES, what).toContain(error?.code);
        expect(error?.message, what).not.toMatch(/invalid_type|"path"/);
      }
    }
  });

  describe('over HTTP', () => {
    let at: Served;
    beforeAll(async () => {
      at = await serve({ limits: UNLIMITED });
    });
    afterAll(() => at.close());
    const post = (body: string, method = 'tools/list') => {
      const modern = [
        ['mcp-protocol-version', '2026-07-28'],
        ['mcp-method', method],
      ] as [string, string][];
      return raw(at.port, { headers: [...goodHeaders(at.port), ...(era === 'modern' ? modern : [])], body });
    };

    test('each malformed body is answered, with null for an id that cannot be read', async () => {
      for (const [n, [what, text]] of cases.entries()) {
        const { status, body } = await post(withId(text, n + 1), /"method":"([^"]+)"/.exec(text)?.[1]);
        const { id, error } = messageIn(body) as { id: unknown; error?: { code: number; message: string } };
        expect(id, `${what} ${status} ${body}`).toBe(UNREADABLE.includes(what) ? null : n + 1);
        if (what === 'params: null' && era === 'handshake') expect([status, error]).toEqual([200, undefined]);
        if (error) expect(error.message, what).not.toMatch(/invalid_type|"path"/);
      }
    });

    test('a batch is answered whole or refused whole', async () => {
      const good = (id: number) => withId(cases.find(([what]) => what === 'blanks around')?.[1].trim() ?? '', id);
      const bad = withId(cases.find(([what]) => what === 'params: []')?.[1] ?? '', 3);
      const refused = await post(`[${good(1)},${bad},${good(2)}]`);
      expect([refused.status, messageIn(refused.body)]).toMatchObject([
        400,
        { id: null, error: { message: expect.stringMatching(/^Message 2 of 3: params/) } },
      ]);
      const whole = await post(`[${good(1)},${good(2)}]`);
      const ids = [...whole.body.matchAll(/"id":(\d+|null)/g)].map(([, id]) => id);
      expect(ids).toEqual(whole.status === 200 ? ['1', '2'] : ['null']);
    });
  });
});

test.each([
  ['v1', V1Client, V1Stdio],
  ['v2', V2Client, V2Stdio],
] as const)('a client of %s goes on after an answer without an id', async (_, ClientOf, StdioOf) => {
  const transport = new StdioOf({
    command: process.execPath,
    args: [BIN, 'serve'],
    env: freshState(),
    stderr: 'ignore',
  });
  const client = new ClientOf({ name: 't', version: '1' });
  const errors: Error[] = [];
  client.onerror = (error: Error) => errors.push(error);
  await client.connect(transport as never);
  (transport as never as { _process: { stdin: Writable } })._process.stdin.write(
    '{"jsonrpc":"2.0","id":null,"method":\n',
  );
  const { tools } = await client.listTools();
  expect(tools.length).toBeGreaterThan(10);
  // It takes the answer for one of a message that it does not know, and not for a line that it cannot read.
  expect(errors.map(({ message }) => message)).toEqual([expect.stringMatching(/unknown message ID/i)]);
  await client.close();
});
