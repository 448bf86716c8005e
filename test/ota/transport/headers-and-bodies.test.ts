/**
 * Protects against a careless or hostile airline: limits size, compression and headers, keeps calls apart, follows no
 * redirects and fetches nothing that a reply mentions.
 */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createGrants } from '../../../src/auth/airline/token-request.ts';
import { createTransport, formPoster } from '../../../src/ota/transport/http.ts';
import { json } from '../support/answers.ts';
import { at, closing, failureOf, pay, serve } from '../support/harness.ts';
import { fareQuery, LOCATOR, payReply, readReply, searchReply, watchedDispatch } from '../support/samples.ts';
import { type Answer, reply } from '../support/wire-server.ts';

const MiB = 1 << 20;
const packed = (encoding: string, bytes: Buffer): Answer => json(200, bytes, { 'content-encoding': encoding });
const BLANK = Buffer.alloc(100 * MiB, 0x20);

describe('limits of size', () => {
  it.each<[string, Answer]>([
    ['a brotli bomb', packed('br', brotliCompressSync(BLANK))],
    ['a deflate bomb', packed('deflate', deflateSync(BLANK))],
    ['bytes that were never packed', packed('gzip', Buffer.from('not gzip'))],
    ['packed twice', packed('gzip, gzip', gzipSync(gzipSync(Buffer.from('{}'))))],
    ['a packing that was not asked for', packed('zstd', Buffer.from('x'))],
    ['more than is read, not packed', json(200, `"${'x'.repeat(9 * MiB)}"`)],
    ['65 levels', json(200, `{"airReservation":${'['.repeat(65)}${']'.repeat(65)}}`)],
    ['headers without end', (_, socket) => socket.write(`HTTP/1.1 200 OK\r\n${'x-filler: y\r\n'.repeat(20_000)}`)],
  ])('rejects a reply without using much memory: %s', async (_, answer) => {
    const server = await serve(answer);
    const airline = at(server.origin, { deadlines: { read: 5_000 } });
    const before = process.memoryUsage().rss;
    expect(await failureOf(airline.read(LOCATOR))).toMatchObject({ code: 'E_AIRLINE_REPLY', effect: 'none' });
    expect(process.memoryUsage().rss - before).toBeLessThan(96 * MiB);
  });

  it('reads a reply of a little over seven megabytes', async () => {
    const padded = { ...readReply(), filler: 'x'.repeat(7 * MiB) };
    const server = await serve(json(200, padded));
    await expect(at(server.origin).read(LOCATOR)).resolves.toMatchObject({ locator: LOCATOR });
  });

  it('limits the reply to a send to four megabytes, and asks for it uncompressed', async () => {
    const server = await serve(json(200, { ...payReply(), filler: 'x'.repeat(5 * MiB) }));
    expect(await failureOf(pay(at(server.origin), watchedDispatch()))).toMatchObject({ effect: 'unknown' });
    expect(server.received[0]?.headers['accept-encoding']).toBe('identity');
  });
});

const LOGIN = { tenant: 't', clientId: 'c', clientSecret: 's', username: 'u', password: 'p' };
const loginAt = (authUrl: string, transport: ReturnType<typeof createTransport>) =>
  createGrants({ authUrl, ...LOGIN }, formPoster(transport)).password();

describe('calls that do not block each other', () => {
  it('lets payments and logins through while a hundred reads and searches hang', async () => {
    const server = await serve((request, socket) => {
      if (request.headers['local-name'] === 'OTA_AirDemandTicketRQ') socket.write(reply(200, payReply()));
      else if (request.path.endsWith('/token')) socket.write(reply(200, { access_token: 'a', expires_in: 7200 }));
    });
    const transport = closing(createTransport());
    const airline = at(server.origin, { transport, deadlines: { read: 3_000, fare_search: 3_000 } });
    const ending = new AbortController();
    const call = { signal: ending.signal };
    const hanging = Array.from({ length: 100 }, (_, i) =>
      failureOf(i % 2 === 0 ? airline.read(LOCATOR, call) : airline.searchFares(fareQuery, call)),
    );
    await expect.poll(() => server.received.length).toBeGreaterThan(60);
    await expect(pay(airline, watchedDispatch())).resolves.toMatchObject({ locator: LOCATOR });
    await expect(loginAt(server.origin, transport)).resolves.toMatchObject({ accessToken: 'a' });
    ending.abort();
    await Promise.all(hanging);
  });
});

describe('character sets', () => {
  const named = (surname: string): string =>
    JSON.stringify(readReply()).replaceAll(/"surname":"[^"]*"/g, `"surname":"${surname}"`);
  const typed = (contentType: string) => ({ 'content-type': contentType });
  const MARK = Buffer.from([0xef, 0xbb, 0xbf]);

  it.each<[string, Buffer, string]>([
    ['UTF-8', Buffer.from(named('MÜLLER')), 'application/json'],
    ['UTF-8 that names another', Buffer.from(named('MÜLLER')), 'application/json; charset=ISO-8859-1'],
    ['UTF-8 with a byte order mark', Buffer.concat([MARK, Buffer.from(named('MÜLLER'))]), 'application/json'],
    ['the charset it names', Buffer.from(named('MÜLLER'), 'latin1'), 'application/json;charset="iso-8859-1"'],
    ['UTF-16', Buffer.from(`\uFEFF${named('MÜLLER')}`, 'utf16le'), 'text/json; charset=utf-16le'],
  ])('reads %s', async (_, bytes, contentType) => {
    const server = await serve(json(200, bytes, typed(contentType)));
    const { travelers } = await at(server.origin).read(LOCATOR);
    expect(travelers[0]).toMatchObject({ name: { surname: 'MÜLLER' } });
  });

  it.each([
    ['names none', 'application/json'],
    ['names one that it is not in', 'application/json; charset=utf-8'],
    ['names one that does not exist', 'application/json; charset=latin-99'],
  ])('uses nothing of a reply that is not UTF-8 and %s', async (_, contentType) => {
    const server = await serve(json(200, Buffer.from(named('MÜLLER'), 'latin1'), typed(contentType)));
    const failure = await failureOf(at(server.origin).read(LOCATOR));
    expect(failure).toMatchObject({ code: 'E_AIRLINE_REPLY', effect: 'none' });
    expect(failure.message).toContain('neither UTF-8 nor in the character set that it names');
  });

  it('does not know what became of a payment whose reply cannot be decoded', async () => {
    const paid = Buffer.from(JSON.stringify({ ...payReply(), comment: 'gebühr' }), 'latin1');
    const server = await serve(json(200, paid));
    expect(await failureOf(pay(at(server.origin), watchedDispatch()))).toMatchObject({ effect: 'unknown' });
  });

  it('takes the code of an error whose words cannot be decoded', async () => {
    const refusal = { errors: { error: [{ code: '320', value: 'Fünf' }] } };
    const server = await serve(json(400, Buffer.from(JSON.stringify(refusal), 'latin1')));
    expect(await failureOf(pay(at(server.origin), watchedDispatch()))).toMatchObject({ effect: 'none' });
  });

  it('takes a token that comes with a byte order mark', async () => {
    const token = Buffer.from(JSON.stringify({ access_token: 'a', expires_in: 7200 }));
    const server = await serve(json(200, Buffer.concat([MARK, token])));
    await expect(loginAt(server.origin, closing(createTransport()))).resolves.toMatchObject({ accessToken: 'a' });
  });
});

describe('redirects', () => {
  it.each([301, 302, 303, 307, 308])('never follows a redirect to another host: HTTP %i', async (status) => {
    const other = await serve(json(200, readReply()));
    const server = await serve(json(status, '', { location: `${other.origin}/v2015b/OTA` }));
    const airline = at(server.origin);
    expect(await failureOf(airline.read(LOCATOR))).toMatchObject({ code: 'E_AIRLINE_REPLY', effect: 'none' });
    expect(await failureOf(airline.searchFares(fareQuery))).toMatchObject({ effect: 'none' });
    expect(await failureOf(pay(airline, watchedDispatch()))).toMatchObject({ effect: 'unknown' });
    expect(other.connections).toBe(0);
  });

  it('never follows the redirect of a login', async () => {
    const other = await serve(json(200, { access_token: 'stolen', expires_in: 7200 }));
    const server = await serve(json(307, '', { location: `${other.origin}/token` }));
    const login = loginAt(server.origin, closing(createTransport()));
    await expect(login).rejects.toMatchObject({ kind: 'unavailable', status: 307 });
    expect(other.connections).toBe(0);
  });
});

describe('throttling', () => {
  it.each([
    ['17', /^after_s:17$/],
    ['-5', /^after_s:10$/],
    ['soon', /^after_s:10$/],
    ['99999999999999', /^after_s:10$/],
    ['86400', /^after_s:3600$/],
    ['0', /^after_s:0$/],
    [new Date(Date.now() + 600_000).toUTCString(), /^after_s:(5\d\d|600)$/],
  ])('sends a throttled payment once and says how long to wait, within sensible limits: %s', async (header, retry) => {
    const server = await serve(json(429, { status: 429, code: '888', title: 'Slow' }, { 'retry-after': header }));
    const error = await failureOf(pay(at(server.origin), watchedDispatch()));
    expect(error).toMatchObject({ code: 'E_AIRLINE_BUSY', effect: 'none', retry: expect.stringMatching(retry) });
    expect(server.received).toHaveLength(1);
  });
});

it('reckons a pause until a date by the clock of the airline', async () => {
  const [sent, until] = [Date.now() - 3_600_000, Date.now() - 3_540_000].map((at) => new Date(at).toUTCString());
  const server = await serve(json(429, '', { date: String(sent), 'retry-after': String(until) }));
  expect(await failureOf(at(server.origin).read('ABC123'))).toMatchObject({
    retry: expect.stringMatching(/:(60|61)$/),
  });
});

describe('links in a reply', () => {
  it('never fetches an address that a reply mentions', async () => {
    const elsewhere = await serve(json(200, {}));
    const links = [{ href: `${elsewhere.origin}/tickets/1`, rel: 'downloadTicket' }];
    const ticket = {
      ticketDocumentNbr: '9990000000001',
      tpaextensions: { links, url: links[0]?.href, urls: links[0]?.href },
    };
    const { airReservation } = readReply();
    const body = { success: {}, airReservation: { ...airReservation, ticketing: [ticket], $ref: elsewhere.origin } };
    const server = await serve((request, socket) =>
      json(200, request.headers['local-name'] === 'OTA_ReadRQ' ? body : searchReply())(request, socket),
    );
    const { tickets } = await at(server.origin, { restUrl: elsewhere.origin }).read(LOCATOR);
    expect(tickets[0]?.links.map(({ href }) => href)).toEqual([links[0]?.href]);
    expect(elsewhere.connections).toBe(0);
  });
});
