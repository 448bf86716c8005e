/**
 * Sizes, depth, slow senders, rates.
 */
import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isDeeper } from '../../../src/server/http/body.ts';
import { addressKey, Buckets } from '../../../src/server/http/rate.ts';
import { callBody, exchange, goodHeaders, LIST, messageIn, open, raw } from './support/raw.ts';
import { type Served, serve, serveSigned } from './support/serve.ts';

let at: Served;

beforeAll(async () => {
  at = await serve({ limits: { headersMs: 300, requestMs: 900, calls: { burst: 10_000, perSecond: 1 } } });
});
afterAll(() => at.close());

const post = (body: string | Buffer, headers: [string, string][] = []) =>
  raw(at.port, { headers: [...goodHeaders(at.port), ...headers], body });

const sized = (bytes: number) => {
  const empty = callBody('who_am_i', { word: '' });
  return callBody('who_am_i', { word: 'x'.repeat(bytes - empty.length) });
};

describe('the body', () => {
  it('accepts a body of 256 KB and refuses one byte more', async () => {
    expect((await post(sized(256 * 1024))).status).toBe(200);
    const over = await post(sized(256 * 1024 + 1));
    expect(over.status).toBe(413);
    expect(over.headers.connection).toBe('close');
  });

  it('measures a body without Content-Length while it arrives', async () => {
    const part = 'x'.repeat(64 * 1024);
    const chunk = `${part.length.toString(16)}\r\n${part}\r\n`;
    const head = goodHeaders(at.port).map(([name, value]) => `${name}: ${value}`);
    const text = `POST /mcp HTTP/1.1\r\n${head.join('\r\n')}\r\ntransfer-encoding: chunked\r\n\r\n${chunk.repeat(6)}`;
    const reply = await exchange(at.port, Buffer.from(text));
    expect(reply.status).toBe(413);
  });

  it('refuses a body by its Content-Length before it arrives', async () => {
    const head = goodHeaders(at.port).map(([name, value]) => `${name}: ${value}`);
    const text = `POST /mcp HTTP/1.1\r\n${head.join('\r\n')}\r\ncontent-length: 900000000\r\n\r\n`;
    expect((await exchange(at.port, Buffer.from(text))).status).toBe(413);
  });

  it('never decompresses a body', async () => {
    const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024, ' '));
    expect((await post(bomb, [['content-encoding', 'gzip']])).status).toBe(415);
  });

  it.each([
    ['nothing', '', 400],
    ['half a message', '{"jsonrpc":', 400],
    ['two values', '{} {}', 400],
    ['a word', 'hello', 400],
    ['no message', '[]', 400],
    ['a number', '7', 400],
    ['a text', '"tools/list"', 400],
    ['null', 'null', 400],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), 400],
    [
      'a prototype in the arguments',
      '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"__proto__":{"a":1}}}',
      400,
    ],
    [
      'a prototype in escapes',
      '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"\\u005f_proto__":{"a":1}}}',
      400,
    ],
    ['17 messages at once', `[${Array<string>(17).fill(LIST).join(',')}]`, 400],
  ])('refuses a body with %s', async (_, body, status) => {
    const reply = await post(body);
    expect(reply.status).toBe(status);
    expect(messageIn(reply.body)).toMatchObject({ jsonrpc: '2.0', error: { code: expect.any(Number) } });
  });

  it('accepts 32 levels of nesting and no more', async () => {
    // The message, params, arguments and the field are four.
    const nested = (levels: number) => `${'['.repeat(levels)}1${']'.repeat(levels)}`;
    const deep = (levels: number) =>
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"who_am_i","arguments":{"deep":${nested(levels - 3)}}}}`;
    expect((await post(deep(32))).status).toBe(200);
    expect((await post(deep(33))).status).toBe(400);
    expect((await post(`${'['.repeat(100_000)}`)).status).toBe(400);
  });

  it('counts only brackets outside of strings', () => {
    expect(isDeeper('{"a":"[[[[{{{{"}', 1)).toBe(false);
    expect(isDeeper('{"a":"\\"[[[["}', 1)).toBe(false);
    expect(isDeeper('{"a\\\\":[[1]]}', 2)).toBe(true);
    expect(isDeeper('[][][][]', 1)).toBe(false);
  });
});

describe('slow senders', () => {
  it.each([
    ['nothing', ''],
    ['endless headers', 'POST /mcp HTTP/1.1\r\nhost: x\r\nx-a: '],
    ['an endless body', 'POST /mcp HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n{'],
  ])('closes the connection of a slow sender with %s', async (_, start) => {
    const socket = await open(at.port);
    socket.on('error', () => undefined);
    socket.resume();
    socket.write(start);
    const drip = setInterval(() => start !== '' && socket.write('a'), 100);
    await once(socket, 'close');
    clearInterval(drip);
  });

  it('serves others while slow senders are connected', async () => {
    const slow = await Promise.all(Array.from({ length: 50 }, () => open(at.port)));
    for (const socket of slow) {
      socket.on('error', () => undefined);
      socket.write('POST /mcp HTTP/1.1\r\nhost: x\r\nx-a: ');
    }
    expect((await post(LIST)).status).toBe(200);
    for (const socket of slow) socket.destroy();
  });

  it('refuses connections above the limit', async () => {
    const few = await serve({ limits: { connections: 2 } });
    const [one, two] = [await open(few.port), await open(few.port)];
    const third = await open(few.port);
    await once(third, 'close');
    one.destroy();
    two.destroy();
    await few.close();
  });
});

describe('rates', () => {
  it('limits the rate of one caller with 429 and Retry-After, and serves others', async () => {
    const signed = await serveSigned({ limits: { calls: { burst: 3, perSecond: 0.5 } } });
    const ask = async (sub: string, body = LIST) => {
      const headers = [
        ...goodHeaders(signed.port),
        ['authorization', `Bearer ${await signed.token({ sub })}`] as const,
      ];
      return raw(signed.port, { headers, body });
    };
    const statuses = [];
    for (let i = 0; i < 4; i++) statuses.push((await ask('ann')).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    const refused = await ask('ann');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect((await ask('ben')).status).toBe(200);
    // Each message of a batch counts.
    expect((await ask('cleo', `[${LIST},${LIST},${LIST},${LIST}]`)).status).toBe(429);
    await signed.close();
  });

  it('limits refused tokens of one address, and still accepts valid ones', async () => {
    const signed = await serveSigned({ limits: { refusals: { burst: 3, perSecond: 0.1 } } });
    const ask = (authorization: string) =>
      raw(signed.port, { headers: [...goodHeaders(signed.port), ['authorization', authorization]], body: LIST });
    const statuses = [];
    for (let i = 0; i < 4; i++) statuses.push((await ask('Bearer a.b.c')).status);
    expect(statuses).toEqual([401, 401, 401, 429]);
    expect((await ask('Bearer a.b.c')).headers['retry-after']).toBeDefined();
    expect((await ask(`Bearer ${await signed.token()}`)).status).toBe(200);
    await signed.close();
  });

  it('limits the calls of one caller in flight', async () => {
    const few = await serve({ limits: { callsAtOnce: 2 } });
    const ask = (word: string) =>
      raw(few.port, { headers: goodHeaders(few.port), body: callBody('wait_for', { word }) });
    const [one, two] = [ask('one'), ask('two')];
    await expect.poll(() => few.tiny.waiting.size).toBe(2);
    expect((await ask('three')).status).toBe(429);
    for (const end of few.tiny.waiting.values()) end();
    expect((await Promise.all([one, two])).map(({ status }) => status)).toEqual([200, 200]);
    await few.close();
  });

  it('refills buckets, but never above the burst', () => {
    let now = 0;
    const buckets = new Buckets({ burst: 2, perSecond: 1 }, () => now);
    expect([buckets.take('a'), buckets.take('a'), buckets.take('a')]).toEqual([0, 0, 1]);
    now = 1_000;
    expect([buckets.take('a'), buckets.take('a')]).toEqual([0, 1]);
    now = 1_000_000;
    expect([buckets.take('a', 3), buckets.take('a', 2), buckets.take('a')]).toEqual([1, 0, 1]);
    expect(buckets.take('b')).toBe(0);
  });

  it('drops the longest unused of too many buckets', () => {
    const buckets = new Buckets({ burst: 1, perSecond: 1 }, () => 0);
    buckets.take('first');
    for (let i = 0; i < 10_000; i++) buckets.take(`key ${i}`);
    expect(buckets.take('first')).toBe(0);
    expect(buckets.take('key 9999')).toBe(1);
  });

  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    [undefined, 'unknown'],
  ])('limits the address %s as %s', (address, key) => expect(addressKey(address)).toBe(key));
});
