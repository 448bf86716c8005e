/**
 * Host, Origin and the other headers, methods and paths: each row is a request over a real socket, written by hand.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callBody, LIST, META, message, messageIn, raw } from './support/raw.ts';
import { type Served, serve, serveSigned, UNLIMITED } from './support/serve.ts';

type Headers = readonly (readonly [string, string])[];

let at: Served;
const P = '{port}';
/** The value of a usual header that is not sent. */
const ABSENT = '{absent}';
const pages: string[] = [];

beforeAll(async () => {
  at = await serve({
    publicUrl: 'https://air.example/desk',
    limits: UNLIMITED,
    mounts: [
      {
        prefix: '/approve/',
        async handle({ method, url }) {
          pages.push(`${method} ${url}`);
          if (!url?.includes('broken')) return new Response('page');
          return new Response(new ReadableStream({ pull: (it) => it.error(new Error('the page broke')) }));
        },
      },
    ],
  });
});
afterAll(() => at.close());

function ask(headers: Headers = [], more: Omit<Parameters<typeof raw>[1], 'headers'> = {}) {
  const has = (wanted: string) => headers.some(([name]) => name.toLowerCase() === wanted);
  const usual: Headers = [
    ['host', `127.0.0.1:${P}`],
    ['content-type', 'application/json'],
    ['accept', 'application/json, text/event-stream'],
  ];
  const all = [...usual.filter(([name]) => !has(name)), ...headers];
  const filled = all
    .filter(([, value]) => value !== ABSENT)
    .map(([name, value]) => [name, value.replaceAll(P, String(at.port))] as const);
  return raw(at.port, { body: LIST, headers: filled, ...more });
}

const HOSTS = {
  200: [
    ...[`127.0.0.1:${P}`, `localhost:${P}`, `LOCALHOST:${P}`, `[::1]:${P}`],
    ...['air.example', 'AIR.example', 'air.example:443'],
  ],
  403: [
    ...['air.example:80', `air.example:${P}`, 'air.example.', 'www.air.example', 'xair.example', 'app.example'],
    ...['air.example.evil.example', 'air.example@evil.example', 'evil.example', `evil.example:${P}`],
    ...['127.0.0.1', '127.0.0.1:1', `127.0.0.2:${P}`, `127.1:${P}`, `2130706433:${P}`, `0.0.0.0:${P}`, `0x7f.1:${P}`],
    ...['localhost', `localhost.:${P}`, `localhost.evil.example:${P}`, `foo.localhost:${P}`],
    ...[`[::ffff:127.0.0.1]:${P}`, `[0:0:0:0:0:0:0:1]:${P}`, `user@127.0.0.1:${P}`, `127.0.0.1:${P}/`],
    ...[`127.0.0.1:${P}, evil.example`, `127.0.0.1:0${P}`],
  ],
  400: [''],
};

const ORIGINS = {
  200: [...[`http://127.0.0.1:${P}`, `http://localhost:${P}`, `http://[::1]:${P}`], 'https://air.example'],
  403: [
    ...['null', '', 'https://evil.example', 'http://air.example', 'https://air.example/', 'https://air.example/desk'],
    ...['https://AIR.example', 'https://air.example:443', 'https://air.example:8443', 'https://sub.air.example'],
    ...['https://air.example.evil.example', `https://127.0.0.1:${P}`, 'http://127.0.0.1', 'http://localhost'],
    ...['http://localhost:5174', 'https://app.example', 'file://', 'chrome-extension://abcdef'],
    ...['https://app.example https://evil.example', 'https://app.example, https://evil.example'],
  ],
};

describe.each([
  ['Host', HOSTS],
  ['Origin', ORIGINS],
])('%s', (header, values) => {
  it.each(Object.entries(values))('is answered by %s', async (status, all) => {
    for (const value of all) {
      expect([value, (await ask([[header.toLowerCase(), value]])).status]).toEqual([value, Number(status)]);
    }
  });
});

it('refuses a request without Host, or for a whole address, whatever Host says', async () => {
  expect((await raw(at.port, { headers: [['content-type', 'application/json']], body: LIST })).status).toBe(400);
  expect((await ask([], { path: 'http://evil.example/mcp' })).status).toBe(400);
  expect((await ask([], { path: `http://127.0.0.1:${at.port}/mcp` })).status).toBe(400);
});

it('answers liveness probes under any name, without details, and HEAD without a body', async () => {
  const probe = (method: string) => raw(at.port, { method, path: '/healthz', headers: [['host', '10.0.0.7']] });
  const [get, head] = [await probe('GET'), await probe('HEAD')];
  expect(get).toMatchObject({ status: 200, body: '{"status":"alive"}' });
  expect(head).toMatchObject({ status: 200, body: '' });
  expect(head.headers['content-length']).toBe(get.headers['content-length']);
});

it('accepts the local names of any bound address, with the port where it is not the usual one', async () => {
  const every = await serveSigned({ host: '0.0.0.0', publicUrl: 'https://air.example:8443/a/' });
  const hosts = [`127.0.0.1:${every.port}`, `localhost:${every.port}`, `[::1]:${every.port}`, 'air.example:8443'];
  for (const host of [...hosts, 'air.example', `0.0.0.0:${every.port}`]) {
    const { status } = await raw(every.port, { method: 'GET', path: '/a/mcp', headers: [['host', host]] });
    expect([host, status]).toEqual([host, hosts.includes(host) ? 405 : 403]);
  }
  await every.close();
});

it('lets no other site call: it sends no CORS headers, and answers no preflight', async () => {
  for (const origin of ['https://air.example', 'https://evil.example']) {
    const { headers } = await ask([['origin', origin]]);
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  }
  const preflight = { method: 'OPTIONS', body: '' };
  expect((await ask([['origin', 'https://air.example']], preflight)).status).toBe(405);
  expect((await ask([], preflight)).status).toBe(405);
});

const modern = (version: string, ...methods: string[]): Headers => [
  ['mcp-protocol-version', version],
  ...methods.map((method) => ['mcp-method', method] as const),
];
const MODERN = { body: message('tools/list', { _meta: META }) };
const NOW = '2026-07-28';

type Row = [name: string, status: number, headers?: Headers, more?: Omit<Parameters<typeof raw>[1], 'headers'>];

const twice = (name: string, one: string, two: string): Headers => [
  [name, one],
  [name, two],
];
const bodiless = (method: string): Row => [method, 405, [], { method, body: '' }];

const ROWS: readonly Row[] = [
  ['JSON', 200],
  ['JSON with a charset', 200, [['content-type', 'application/json; charset=utf-8']]],
  ['upper case', 200, [['Content-Type', 'Application/JSON']]],
  ['no content type', 415, [['content-type', '']]],
  ['a form', 415, [['content-type', 'application/x-www-form-urlencoded']]],
  ['plain text, as a form of another site can send', 415, [['content-type', 'text/plain']]],
  ['text that ends in JSON', 415, [['content-type', 'text/plain; application/json']]],
  ['JSON of another kind', 415, [['content-type', 'application/jsonp']]],
  ['multipart', 415, [['content-type', 'multipart/form-data; boundary=x']]],
  ['gzip', 415, [['content-encoding', 'gzip']]],
  ['brotli', 415, [['content-encoding', 'br']]],
  ['identity', 200, [['content-encoding', 'identity']]],
  ['two hosts', 400, twice('host', `127.0.0.1:${P}`, 'evil.example')],
  ['two origins', 400, twice('origin', 'https://air.example', 'https://evil.example')],
  ['two content types', 400, twice('content-type', 'application/json', 'text/plain')],
  ['two lengths', 400, twice('content-length', '60', '61')],
  ['a length and chunks', 400, [...twice('content-length', '5', '5').slice(1), ['transfer-encoding', 'chunked']]],
  ['a negative length', 400, [['content-length', '-1']]],
  ['a length that is no number', 400, [['content-length', '1e3']]],
  ['a header with a space in its name', 400, [['x y', '1']]],
  ['a header with a bare CR', 400, [['x-a', 'b\rc']]],
  ['a folded header', 400, [['x-a', 'b\r\n c']]],
  ['headers of 9 KB', 431, [['x-a', 'a'.repeat(9 * 1024)]]],
  ['a token of 9 KB', 431, [['authorization', `Bearer ${'a'.repeat(9 * 1024)}`]]],
  ['headers of 6 KB', 200, [['x-a', 'a'.repeat(6 * 1024)]]],
  [NOW, 200, modern(NOW, 'tools/list'), MODERN],
  [`${NOW} without its method`, 400, modern(NOW), MODERN],
  ['another method in the header', 400, modern(NOW, 'tools/call'), MODERN],
  ['another revision in the header', 400, modern('2025-11-25', 'tools/list'), MODERN],
  ['a revision that nobody knows', 400, modern('2031-01-01', 'tools/list'), MODERN],
  ['the revision twice', 200, [...modern(NOW, 'tools/list'), ['mcp-protocol-version', NOW]], MODERN],
  ['the revision twice, in a list', 200, modern(`${NOW},${NOW}`, 'tools/list'), MODERN],
  ['an older revision too', 200, [...modern(NOW, 'tools/list'), ['mcp-protocol-version', '2025-11-25']], MODERN],
  ['two older revisions', 400, modern('2025-06-18, 2025-11-25', 'tools/list'), MODERN],
  ['the method twice', 400, modern(NOW, 'tools/list', 'tools/call'), MODERN],
  ['a 2025 call with its revision', 200, modern('2025-06-18')],
  ['a 2025 call with a revision that is none', 400, modern('1999-01-01')],
  ['a 2025 call with its revision twice', 200, twice('mcp-protocol-version', '2025-11-25', '2025-11-25')],
  ['a 2025 call with its revision twice, in a list', 200, modern('2025-11-25, 2025-11-25')],
  ['a 2025 call with two revisions', 200, twice('mcp-protocol-version', '2025-06-18', '2025-11-25')],
  ['a 2025 call with a newer revision too', 200, modern(`2025-11-25, ${NOW}`)],
  ['a 2025 call with a revision that is none too', 200, modern('2031-01-01, 2025-03-26')],
  ['a 2025 call with two revisions that are none', 400, modern('2031-01-01, 1999-01-01')],
  ['a session id is not ours, and is nothing', 200, [['mcp-session-id', 'abc']]],
  ['accepts neither JSON nor events', 406, [['accept', 'text/html, image/*']]],
  ['accepts nothing', 406, [['accept', 'application/json;q=0, text/event-stream;q=0']]],
  ['GET for a stream', 405, [['accept', 'text/event-stream']], { method: 'GET', body: '' }],
  ['PUT', 405, [], { method: 'PUT' }],
  ['a method that nobody knows', 405, [], { method: 'PROPFIND' }],
  ...['GET', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE'].map(bodiless),
  ['POST to the probe', 405, [], { path: '/readyz' }],
  ['the public path', 200, [], { path: '/desk/mcp' }],
  ...['/mcp/', '/desk/mcp/'].map((path): Row => [path, 200, [], { path }]),
  ...['/MCP', '/mcp//', '/%6dcp', '/x/../mcp', '//mcp', '/%64esk/mcp', '/desk', '/nowhere'].map(
    (path): Row => [path, 404, [], { path }],
  ),
  ['metadata without an issuer', 404, [], { method: 'GET', path: '/.well-known/oauth-protected-resource', body: '' }],
  ['metrics where there are none', 404, [], { method: 'GET', path: '/metrics', body: '' }],
];

describe('headers, methods and paths', () => {
  describe.each([
    ['2025', [], undefined],
    [NOW, modern(NOW, 'tools/list'), MODERN],
  ] as const)('in the era of %s', (_, era, more) => {
    it.each([
      ['nothing', ABSENT, /json|event-stream/],
      ['*/*', '*/*', /json|event-stream/],
      ['application/*', 'application/*', /^application\/json/],
      ['JSON only', 'application/json', /^application\/json/],
      ['events only', 'text/event-stream', /^text\/event-stream/],
      ['JSON, as people weigh it', 'text/html;q=0.9, application/json; q=0.2', /^application\/json/],
    ])('who accepts %s is answered in that type', async (_, accept, type) => {
      const { status, headers, body } = await ask([...era, ['accept', accept]], more);
      expect([status, headers['content-type']], body).toEqual([200, expect.stringMatching(type)]);
      expect(messageIn(body)).toMatchObject({ id: 1, result: { tools: expect.anything() } });
      if (headers['content-type']?.startsWith('application/json')) expect(JSON.parse(body).id).toBe(1);
    });
  });

  it('tells changes as events alone', async () => {
    const listen = message('subscriptions/listen', { _meta: META });
    const headers = [...modern(NOW, 'subscriptions/listen'), ['accept', 'application/json']] as Headers;
    expect((await ask(headers, { body: listen })).status).toBe(406);
  });

  it.each(ROWS)('answers by status: %s: %i', async (_, status, headers, more) => {
    const reply = await ask(headers, more);
    expect(reply.status, reply.body).toBe(status);
    if (status === 405) expect(reply.headers.allow).toBe(more?.path === '/readyz' ? 'GET, HEAD' : 'POST');
    if (![400, 431].includes(status)) expect(reply.headers['x-content-type-options']).toBe('nosniff');
    if (status > 400 && status !== 431) expect(reply.headers['cache-control']).toBe('no-store');
    for (const name of ['x-powered-by', 'server']) expect(reply.headers).not.toHaveProperty(name);
    expect(reply.body).not.toContain('evil.example');
  });

  it('still answers an ordinary call after all refused requests, and calls beside a list', async () => {
    expect((await ask([], { body: callBody('who_am_i', { word: 'hello' }) })).body).toContain('hello');
    const unknown = messageIn((await ask([], { body: callBody('no_such_tool') })).body);
    expect(unknown).toMatchObject({ error: { message: expect.stringContaining('no_such_tool') } });
    const { body } = await ask([], { body: `[${callBody('who_am_i')},${message('tools/list', {}, 2)}]` });
    expect(body).toMatch(/os:me[\s\S]*wait_for|wait_for[\s\S]*os:me/);
    expect(at.failures).toEqual([]);
  });
});

describe('mounted pages', () => {
  const get = (path: string, headers: Headers = []) =>
    raw(at.port, { method: 'GET', path, headers: [['host', 'air.example'], ...headers] });

  it('serves mounted pages below the public path, after the checks of Host and Origin', async () => {
    expect((await get('/desk/approve/abc?k=1')).body).toContain('page');
    for (const path of ['/approve/abc', '/desk/%61pprove/abc', '/desk/x/../approve/abc']) {
      expect((await get(path)).status, path).toBe(404);
    }
    expect((await get('/desk/approve/abc', [['origin', 'https://evil.example']])).status).toBe(403);
    const elsewhere = { method: 'GET', path: '/desk/approve/x', headers: [['host', 'evil']] as Headers };
    expect((await raw(at.port, elsewhere)).status).toBe(403);
    expect(pages.splice(0)).toEqual(['GET /desk/approve/abc?k=1']);
  });

  it('leads a person who types the address to the inbox', async () => {
    for (const path of ['/', '/approve', '/desk/', '/desk/approve']) {
      const { status, headers } = await get(path);
      expect([path, status, headers.location]).toEqual([path, 302, '/desk/approve/']);
    }
  });

  it('closes the connection if the body of a page fails on its way, and goes on serving', async () => {
    const page = `http://127.0.0.1:${at.port}/desk/approve/broken`;
    await expect(fetch(page).then((reply) => reply.text())).rejects.toThrow();
    expect(at.failures.splice(0)).toEqual([new Error('the page broke')]);
    expect((await fetch(`http://127.0.0.1:${at.port}/healthz`)).status).toBe(200);
  });
});
