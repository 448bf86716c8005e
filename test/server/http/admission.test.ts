/**
 * Host, Origin and the other headers: each row is a request over a real socket, written by hand.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callBody, LIST, raw } from './support/raw.ts';
import { type Served, serve } from './support/serve.ts';

type Header = readonly [string, string];

let at: Served;
const P = '{port}';

beforeAll(async () => {
  at = await serve({
    publicUrl: 'https://air.example/desk',
    origins: ['https://app.example', 'http://localhost:5173'],
    limits: { calls: { burst: 10_000, perSecond: 1 } },
  });
});
afterAll(() => at.close());

const filled = (text: string): string => text.replaceAll(P, String(at.port));

async function ask(headers: readonly Header[], more: Partial<Parameters<typeof raw>[1]> = {}) {
  const has = (wanted: string) => headers.some(([name]) => name.toLowerCase() === wanted);
  const usual: Header[] = [
    ...(has('host') ? [] : [['host', `127.0.0.1:${P}`] as const]),
    ...(has('content-type') ? [] : [['content-type', 'application/json'] as const]),
    ...(has('accept') ? [] : [['accept', 'application/json, text/event-stream'] as const]),
  ];
  const all = [...usual, ...headers].map(([name, value]) => [name, filled(value)] as const);
  return raw(at.port, { body: LIST, headers: all, ...more });
}

const HOSTS: readonly (readonly [string, number])[] = [
  [`127.0.0.1:${P}`, 200],
  [`localhost:${P}`, 200],
  [`LOCALHOST:${P}`, 200],
  [`[::1]:${P}`, 200],
  ['air.example', 200],
  ['AIR.example', 200],
  ['air.example:443', 200],
  ['air.example:80', 403],
  [`air.example:${P}`, 403],
  ['air.example.', 403],
  ['www.air.example', 403],
  ['xair.example', 403],
  ['air.example.evil.example', 403],
  ['air.example@evil.example', 403],
  ['evil.example', 403],
  [`evil.example:${P}`, 403],
  ['127.0.0.1', 403],
  ['127.0.0.1:1', 403],
  [`127.0.0.2:${P}`, 403],
  [`127.1:${P}`, 403],
  [`2130706433:${P}`, 403],
  [`0.0.0.0:${P}`, 403],
  [`0x7f.1:${P}`, 403],
  ['localhost', 403],
  [`localhost.:${P}`, 403],
  [`localhost.evil.example:${P}`, 403],
  [`foo.localhost:${P}`, 403],
  [`[::ffff:127.0.0.1]:${P}`, 403],
  [`[0:0:0:0:0:0:0:1]:${P}`, 403],
  [`user@127.0.0.1:${P}`, 403],
  [`127.0.0.1:${P}/`, 403],
  [`127.0.0.1:${P}, evil.example`, 403],
  [`127.0.0.1:0${P}`, 403],
  ['app.example', 403],
  ['', 400],
];

const ORIGINS: readonly (readonly [string, number])[] = [
  [`http://127.0.0.1:${P}`, 200],
  [`http://localhost:${P}`, 200],
  [`http://[::1]:${P}`, 200],
  ['https://air.example', 200],
  ['https://app.example', 200],
  ['http://localhost:5173', 200],
  ['null', 403],
  ['', 403],
  ['https://evil.example', 403],
  ['http://air.example', 403],
  ['https://air.example/', 403],
  ['https://air.example/desk', 403],
  ['https://AIR.example', 403],
  ['https://air.example:443', 403],
  ['https://air.example:8443', 403],
  ['https://air.example.evil.example', 403],
  ['https://sub.air.example', 403],
  [`https://127.0.0.1:${P}`, 403],
  ['http://127.0.0.1', 403],
  ['http://localhost', 403],
  ['http://localhost:5174', 403],
  ['https://localhost:5173', 403],
  ['file://', 403],
  ['chrome-extension://abcdef', 403],
  ['https://app.example https://evil.example', 403],
  ['https://app.example, https://evil.example', 403],
];

describe('Host and Origin', () => {
  it('tries Host and Origin in at least 40 ways', () =>
    expect(HOSTS.length + ORIGINS.length).toBeGreaterThanOrEqual(40));

  it.each(HOSTS)('answers a request with Host %s by %i', async (host, status) => {
    expect((await ask([['host', host]])).status).toBe(status);
  });

  it.each(ORIGINS)('answers a request with Origin %s by %i', async (origin, status) => {
    expect((await ask([['origin', origin]])).status).toBe(status);
  });

  it('refuses a request without Host', async () => {
    const reply = await raw(at.port, { headers: [['content-type', 'application/json']], body: LIST });
    expect(reply.status).toBe(400);
  });

  it('refuses a whole address in the request line, whatever Host says', async () => {
    expect((await ask([], { path: 'http://evil.example/mcp' })).status).toBe(400);
    expect((await ask([], { path: `http://127.0.0.1:${at.port}/mcp` })).status).toBe(400);
  });

  it('answers liveness probes under any name, without details', async () => {
    const reply = await raw(at.port, { method: 'GET', path: '/healthz', headers: [['host', '10.0.0.7']] });
    expect([reply.status, reply.body]).toEqual([200, '{"status":"alive"}']);
  });

  it('answers HEAD with the headers of GET and no body', async () => {
    const [get, head] = await Promise.all(
      ['GET', 'HEAD'].map((method) => raw(at.port, { method, path: '/healthz', headers: [['host', '10.0.0.7']] })),
    );
    expect(head).toMatchObject({ status: 200, body: '' });
    expect(head?.headers['content-length']).toBe(get?.headers['content-length']);
  });
});

describe('CORS', () => {
  it('sends CORS headers to the configured sites only', async () => {
    const set = await ask([['origin', 'https://app.example']]);
    expect(set.headers['access-control-allow-origin']).toBe('https://app.example');
    expect(set.headers.vary).toBe('Origin');
    const own = await ask([['origin', 'https://air.example']]);
    expect(own.headers['access-control-allow-origin']).toBeUndefined();
    const foreign = await ask([['origin', 'https://evil.example']]);
    expect(foreign.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('answers preflights of the configured sites only', async () => {
    const asked = { method: 'OPTIONS', body: '' };
    const reply = await ask(
      [
        ['origin', 'https://app.example'],
        ['access-control-request-method', 'POST'],
      ],
      asked,
    );
    expect(reply.status).toBe(204);
    expect(reply.headers['access-control-allow-methods']).toBe('POST');
    expect(reply.headers['access-control-allow-headers']).toContain('Authorization');
    expect(reply.headers['access-control-allow-credentials']).toBeUndefined();
    expect((await ask([['origin', 'https://air.example']], asked)).status).toBe(405);
    expect((await ask([], asked)).status).toBe(405);
  });

  it('sends no CORS headers if no site is configured', async () => {
    const plain = await serve();
    const headers: Header[] = [
      ['host', `127.0.0.1:${plain.port}`],
      ['origin', `http://127.0.0.1:${plain.port}`],
    ];
    const reply = await raw(plain.port, { method: 'OPTIONS', headers });
    expect(reply.status).toBe(405);
    expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    await plain.close();
  });
});

interface Row {
  readonly name: string;
  readonly headers?: readonly Header[];
  readonly method?: string;
  readonly path?: string;
  readonly body?: string | Buffer;
  readonly status: number;
  readonly allow?: string;
}

const modern = (version: string, extra: readonly Header[] = []): readonly Header[] => [
  ['mcp-protocol-version', version],
  ...extra,
];
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const MODERN = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: META } });
const LISTS: Header = ['mcp-method', 'tools/list'];

const ROWS: readonly Row[] = [
  { name: 'JSON', status: 200 },
  { name: 'JSON with a charset', headers: [['content-type', 'application/json; charset=utf-8']], status: 200 },
  { name: 'upper case', headers: [['Content-Type', 'Application/JSON']], status: 200 },
  { name: 'no content type', headers: [['content-type', '']], status: 415 },
  { name: 'a form', headers: [['content-type', 'application/x-www-form-urlencoded']], status: 415 },
  { name: 'plain text, as a form of another site can send', headers: [['content-type', 'text/plain']], status: 415 },
  { name: 'text that ends in JSON', headers: [['content-type', 'text/plain; application/json']], status: 415 },
  { name: 'JSON of another kind', headers: [['content-type', 'application/jsonp']], status: 415 },
  { name: 'multipart', headers: [['content-type', 'multipart/form-data; boundary=x']], status: 415 },
  { name: 'gzip', headers: [['content-encoding', 'gzip']], status: 415 },
  { name: 'brotli', headers: [['content-encoding', 'br']], status: 415 },
  { name: 'identity', headers: [['content-encoding', 'identity']], status: 200 },
  {
    name: 'two hosts',
    headers: [
      ['host', `127.0.0.1:${P}`],
      ['host', 'evil.example'],
    ],
    status: 400,
  },
  {
    name: 'two origins',
    headers: [
      ['origin', 'https://air.example'],
      ['origin', 'https://evil.example'],
    ],
    status: 400,
  },
  {
    name: 'two content types',
    headers: [
      ['content-type', 'application/json'],
      ['content-type', 'text/plain'],
    ],
    status: 400,
  },
  {
    name: 'two lengths',
    headers: [
      ['content-length', '60'],
      ['content-length', '61'],
    ],
    status: 400,
  },
  {
    name: 'a length and chunks',
    headers: [
      ['content-length', '5'],
      ['transfer-encoding', 'chunked'],
    ],
    status: 400,
  },
  { name: 'a negative length', headers: [['content-length', '-1']], status: 400 },
  { name: 'a length that is no number', headers: [['content-length', '1e3']], status: 400 },
  { name: 'a header with a space in its name', headers: [['x y', '1']], status: 400 },
  { name: 'a header with a bare CR', headers: [['x-a', 'b\rc']], status: 400 },
  { name: 'a folded header', headers: [['x-a', 'b\r\n c']], status: 400 },
  { name: 'headers of 9 KB', headers: [['x-a', 'a'.repeat(9 * 1024)]], status: 431 },
  { name: 'a token of 9 KB', headers: [['authorization', `Bearer ${'a'.repeat(9 * 1024)}`]], status: 431 },
  { name: 'headers of 6 KB', headers: [['x-a', 'a'.repeat(6 * 1024)]], status: 200 },
  { name: '2026-07-28', headers: modern('2026-07-28', [LISTS]), body: MODERN, status: 200 },
  { name: '2026-07-28 without its method', headers: modern('2026-07-28'), body: MODERN, status: 400 },
  {
    name: 'another method in the header',
    headers: modern('2026-07-28', [['mcp-method', 'tools/call']]),
    body: MODERN,
    status: 400,
  },
  { name: 'another revision in the header', headers: modern('2025-11-25', [LISTS]), body: MODERN, status: 400 },
  { name: 'a revision that nobody knows', headers: modern('2031-01-01', [LISTS]), body: MODERN, status: 400 },
  {
    name: 'the revision twice',
    headers: [...modern('2026-07-28', [LISTS]), ['mcp-protocol-version', '2025-11-25']],
    body: MODERN,
    status: 400,
  },
  {
    name: 'the method twice',
    headers: modern('2026-07-28', [LISTS, ['mcp-method', 'tools/call']]),
    body: MODERN,
    status: 400,
  },
  { name: 'a 2025 call with its revision', headers: modern('2025-06-18'), status: 200 },
  { name: 'a 2025 call with a revision that is none', headers: modern('1999-01-01'), status: 400 },
  { name: 'a session id is not ours, and is nothing', headers: [['mcp-session-id', 'abc']], status: 200 },
  { name: 'accepts only JSON, in a 2025 call', headers: [['accept', 'application/json']], status: 406 },
  { name: 'GET', method: 'GET', body: '', status: 405, allow: 'POST' },
  {
    name: 'GET for a stream',
    method: 'GET',
    body: '',
    headers: [['accept', 'text/event-stream']],
    status: 405,
    allow: 'POST',
  },
  { name: 'DELETE', method: 'DELETE', body: '', headers: [['mcp-session-id', 'abc']], status: 405, allow: 'POST' },
  { name: 'PUT', method: 'PUT', status: 405, allow: 'POST' },
  { name: 'HEAD', method: 'HEAD', body: '', status: 405, allow: 'POST' },
  { name: 'OPTIONS', method: 'OPTIONS', body: '', status: 405, allow: 'POST' },
  { name: 'POST to the probe', path: '/readyz', status: 405, allow: 'GET, HEAD' },
  { name: 'the public path', path: '/desk/mcp', status: 200 },
  { name: 'a path beside it', path: '/mcp/', status: 404 },
  { name: 'a path in another case', path: '/MCP', status: 404 },
  { name: 'an encoded path', path: '/%6dcp', status: 404 },
  { name: 'a path that climbs', path: '/x/../mcp', status: 404 },
  { name: 'a path with two slashes', path: '//mcp', status: 404 },
  { name: 'the public path, encoded', path: '/%64esk/mcp', status: 404 },
  { name: 'the root', path: '/', status: 404 },
  { name: 'a method that nobody knows', method: 'PROPFIND', status: 405, allow: 'POST' },
  { name: 'TRACE', method: 'TRACE', body: '', status: 405, allow: 'POST' },
  {
    name: 'the metadata of a resource, without an issuer',
    method: 'GET',
    path: '/.well-known/oauth-protected-resource',
    body: '',
    status: 404,
  },
  { name: 'metrics where there are none', method: 'GET', path: '/metrics', body: '', status: 404 },
];

describe('headers, methods and paths', () => {
  it('tries headers, methods and paths in at least 30 ways', () => expect(ROWS.length).toBeGreaterThanOrEqual(30));

  it.each(ROWS.map((row) => [row.name, row.status, row] as const))(
    'answers by status: %s: %i',
    async (_, status, row) => {
      const { headers = [], name: _name, status: _status, allow, ...more } = row;
      const reply = await ask(headers, more);
      expect(reply.status, reply.body).toBe(status);
      if (allow !== undefined) expect(reply.headers.allow).toBe(allow);
      if (status !== 431 && !reply.headers['x-content-type-options']) expect(status).toBe(400);
      expect(reply.body).not.toContain('evil.example');
    },
  );

  it('forbids sniffing and storing in every reply', async () => {
    const reply = await ask([], { path: '/nowhere' });
    expect(reply.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
    expect(reply.headers['x-powered-by']).toBeUndefined();
    expect(reply.headers.server).toBeUndefined();
  });

  it('still answers an ordinary call after all refused requests', async () => {
    const reply = await ask([], { body: callBody('who_am_i', { word: 'hello' }) });
    expect(reply.body).toContain('hello');
    expect(at.failures).toEqual([]);
  });
});
