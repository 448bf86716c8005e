/**
 * Sizes, depth, slow senders, rates, and who may call without an issuer.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { callBody, exchange, goodHeaders, headOf, LIST, message, messageIn, open, raw } from './support/raw.ts';
import { type Served, type SignedServed, serve, serveSigned, UNLIMITED } from './support/serve.ts';

let at: Served;

beforeAll(async () => {
  at = await serve({ limits: UNLIMITED });
});
afterAll(() => at.close());
afterEach(() => vi.restoreAllMocks());

const post = (body: string | Buffer, headers: [string, string][] = []) =>
  raw(at.port, { headers: [...goodHeaders(at.port), ...headers], body });
/** What the server takes for the address of its callers. */
const comesFrom = (address: () => string | undefined) =>
  vi.spyOn(Socket.prototype as Socket & { _getpeername(): object }, '_getpeername').mockImplementation(() => ({
    address: address(),
  }));
const statusesOf = async (times: number, ask: () => Promise<{ status: number }>) => {
  const seen: number[] = [];
  for (let n = 0; n < times; n++) seen.push((await ask()).status);
  return seen;
};

describe('the body', () => {
  it('accepts a body of 256 KB and refuses one byte more', async () => {
    const empty = callBody('who_am_i', { word: '' });
    const sized = (bytes: number) => callBody('who_am_i', { word: 'x'.repeat(bytes - empty.length) });
    expect((await post(sized(256 * 1024))).status).toBe(200);
    expect(await post(sized(256 * 1024 + 1))).toMatchObject({ status: 413, headers: { connection: 'close' } });
  });

  it('measures a body while it arrives, or refuses it by its length before', async () => {
    const part = 'x'.repeat(64 * 1024);
    const chunks = `${part.length.toString(16)}\r\n${part}\r\n`.repeat(6);
    for (const [how, rest] of [
      [['transfer-encoding', 'chunked'], chunks],
      [['content-length', '900000000'], ''],
    ] as const) {
      const head = headOf({ headers: [...goodHeaders(at.port), how] });
      expect((await exchange(at.port, Buffer.from(head + rest))).status).toBe(413);
    }
  });

  it.each([
    ['nothing', ''],
    ['half a message', '{"jsonrpc":'],
    ['two values', '{} {}'],
    ['a word', 'hello'],
    ['no message', '[]'],
    ['a number', '7'],
    ['a text', '"tools/list"'],
    ['null', 'null'],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])],
    ['a prototype in the arguments', '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"__proto__":{"a":1}}}'],
    ['a prototype in escapes', '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"\\u005f_proto__":{"a":1}}}'],
    ['17 messages at once', `[${Array<string>(17).fill(LIST).join(',')}]`],
  ])('refuses a body with %s', async (_, body) => {
    const reply = await post(body);
    expect(reply.status).toBe(400);
    expect(messageIn(reply.body)).toMatchObject({ jsonrpc: '2.0', error: { code: expect.any(Number) } });
  });

  it('accepts 32 levels of nesting and no more, and counts no brackets in strings', async () => {
    // The message, params, arguments and the field are four.
    const nested = (levels: number, inner = '1') => `${'['.repeat(levels - 3)}${inner}${']'.repeat(levels - 3)}`;
    const deep = (value: string) =>
      post(message('tools/call', { name: 'who_am_i', arguments: { deep: 'X' } }).replace('"X"', value));
    for (const good of [nested(32), nested(32, '"[[{{"'), nested(32, '"\\"[[["'), nested(32, '1,[]'.slice(0, 1))]) {
      expect((await deep(good)).status, good).toBe(200);
    }
    for (const bad of [nested(33), nested(32, '"a\\\\",[1]')]) expect((await deep(bad)).status, bad).toBe(400);
    expect((await deep(`[${'[],'.repeat(40)}1]`)).status).toBe(200);
    expect((await post(`${'['.repeat(100_000)}`)).status).toBe(400);
  });
});

describe('connections', () => {
  it('are closed if the sender is slow with nothing, endless headers or an endless body, while others are served', async () => {
    const strict = await serve({ limits: { ...UNLIMITED, headersMs: 300, requestMs: 900 } });
    const head = 'POST /mcp HTTP/1.1\r\nhost: x\r\n';
    const slow = ['', `${head}x-a: `, `${head}content-length: 9\r\n\r\n{`].flatMap((start) => Array(8).fill(start));
    const closed = slow.map(async (start, n) => {
      const socket = await open(strict.port);
      socket.on('error', () => undefined).resume();
      socket.write(start);
      const drip = setInterval(() => n % 8 === 0 && start !== '' && socket.write('a'), 100);
      await new Promise((resolve) => socket.once('close', resolve));
      clearInterval(drip);
    });
    expect((await raw(strict.port, { headers: goodHeaders(strict.port), body: LIST })).status).toBe(200);
    await Promise.all(closed);
    await strict.close();
  });

  it('make room above the limit, the longest idle one first, and none that is being answered', async () => {
    const few = await serve({ limits: { ...UNLIMITED, connections: 2 } });
    const busy = raw(few.port, { headers: goodHeaders(few.port), body: callBody('wait_for', { word: 'one' }) });
    await expect.poll(() => few.tiny.waiting.size).toBe(1);
    const idle = await open(few.port);
    const replaced = once(idle.resume(), 'close');
    const health = raw(few.port, { method: 'GET', path: '/healthz', headers: goodHeaders(few.port) });
    expect((await health).status).toBe(200);
    await replaced;
    const second = raw(few.port, { headers: goodHeaders(few.port), body: callBody('wait_for', { word: 'two' }) });
    await expect.poll(() => few.tiny.waiting.size).toBe(2);
    await once((await open(few.port)).resume(), 'close');
    for (const end of few.tiny.waiting.values()) end();
    expect([(await busy).status, (await second).status]).toEqual([200, 200]);
    await few.close();
  });

  it('wait in a backlog of 900 and more while the server is busy, or of the length that is set', async () => {
    /** Opens connections while this process is blocked and can accept none; prints how many were made. */
    const crowd = `
      let made = 0;
      for (let n = 0; n < 900; n++)
        require('node:net').connect(Number(process.argv[1]), '127.0.0.1', () => made++).on('error', () => {});
      setTimeout(() => { console.log(made); process.exit(); }, 700);`;
    const short = await serve({ limits: { backlog: 10 } });
    const [many = 0, few = 0] = [at.port, short.port].map((port) =>
      Number(execFileSync(process.execPath, ['-e', crowd, String(port)], { encoding: 'utf8' })),
    );
    expect([many, few < 20]).toEqual([900, true]);
    await short.close();
  });
});

describe('rates', () => {
  const asking =
    ({ port, token }: SignedServed) =>
    async (sub: string, body = LIST) =>
      raw(port, { headers: [...goodHeaders(port), ['authorization', `Bearer ${await token({ sub })}`]], body });

  it('limits one caller with 429 and Retry-After until the bucket refills, never above the burst, and serves others', async () => {
    let later = 0;
    const now = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => now() + later);
    const signed = await serveSigned({ limits: { calls: { burst: 3, perSecond: 0.02 } } });
    const ask = asking(signed);
    expect(await statusesOf(4, () => ask('ann'))).toEqual([200, 200, 200, 429]);
    expect(Number((await ask('ann')).headers['retry-after'])).toBeGreaterThan(20);
    expect((await ask('ben')).status).toBe(200);
    // Each message of a batch counts.
    expect((await ask('cleo', `[${LIST},${LIST},${LIST},${LIST}]`)).status).toBe(429);
    later = 50_000;
    expect(await statusesOf(2, () => ask('ann'))).toEqual([200, 429]);
    later = 1_000_000;
    expect(await statusesOf(4, () => ask('ann'))).toEqual([200, 200, 200, 429]);
    await signed.close();
  });

  it('limits the calls of one caller in flight, and serves others', async () => {
    const few = await serveSigned({ limits: { callsAtOnce: 2 } });
    const ask = asking(few);
    const running = ['one', 'two'].map((word) => ask('ann', callBody('wait_for', { word })));
    await expect.poll(() => few.tiny.waiting.size).toBe(2);
    expect((await ask('ann')).status).toBe(429);
    expect((await ask('ben')).status).toBe(200);
    for (const end of few.tiny.waiting.values()) end();
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200]);
    await few.close();
  });

  it('always tells who has no token, or a wrong one, or one that has run out, where to sign in', async () => {
    const signed = await serveSigned();
    const ask = (...more: [string, string][]) =>
      raw(signed.port, { headers: [...goodHeaders(signed.port), ...more], body: LIST });
    const past = Math.floor(Date.now() / 1000) - 600;
    const old = await signed.token({ iat: past - 60, exp: past });
    const wrong: [string, string][][] = [[], [['authorization', 'Bearer a.b.c']], [['authorization', `Bearer ${old}`]]];
    for (const headers of wrong) {
      expect(await statusesOf(30, () => ask(...headers))).toEqual(Array(30).fill(401));
      expect((await ask(...headers)).headers['www-authenticate']).toContain('resource_metadata=');
    }
    await signed.close();
  });
});

describe('without an issuer', () => {
  /** The status of a call on a connection of our own user that seems to come from this address. */
  async function from(port: number, address: string | undefined, ...headers: [string, string][]) {
    const socket = await open(port);
    const answer = async (text: string) => {
      socket.write(text);
      return Number(String((await once(socket, 'data'))[0]).slice(9, 12));
    };
    // While its address can still be looked up.
    const asked = headOf({ headers: [...goodHeaders(port), ['content-length', '0']] });
    expect([400, 401]).toContain(await answer(asked));
    const spy = comesFrom(() => address);
    const length = ['content-length', String(LIST.length)] as const;
    const status = await answer(headOf({ headers: [...goodHeaders(port), ...headers, length] }) + LIST);
    spy.mockRestore();
    socket.destroy();
    return status;
  }

  it('refuses callers on other machines', async () => {
    const elsewhere = ['192.0.2.7', '::ffff:192.0.2.7', '2001:db8::1', '127.0.0.1.evil', undefined];
    for (const address of elsewhere) expect([address, await from(at.port, address)]).toEqual([address, 403]);
    for (const address of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1']) {
      expect([address, await from(at.port, address)]).toEqual([address, 200]);
    }
  });

  it('requires the configured token', async () => {
    const guarded = await serve({ token: 'right-token' });
    const bearing = (token: string) => from(guarded.port, '127.0.0.1', ['authorization', `Bearer ${token}`]);
    expect([await from(guarded.port, '127.0.0.1'), await bearing('wrong-token')]).toEqual([401, 401]);
    expect(await bearing('right-token')).toBe(200);
    await guarded.close();
  });

  it('notes each wrong token in its line, and never refuses the right one of the same address', async () => {
    const lines: object[] = [];
    const log = { answered: (line: object) => lines.push(line), failure() {} };
    const guarded = await serve({ token: 'right-token', log });
    const ask = (token?: string) =>
      raw(guarded.port, {
        headers: [
          ...goodHeaders(guarded.port),
          ...(token === undefined ? [] : [['authorization', `Bearer ${token}`] as [string, string]]),
        ],
        body: LIST,
      });
    expect(await statusesOf(2, () => ask())).toEqual([401, 401]);
    expect(await statusesOf(30, () => ask('guess'))).toEqual(Array(30).fill(401));
    expect((await ask('right-token')).status).toBe(200);
    expect(lines.map((line) => 'refused' in line && line.refused)).toEqual([
      ...Array(2).fill('no_token'),
      ...Array(30).fill('wrong_token'),
      false,
    ]);
    await guarded.close();
  });
});
