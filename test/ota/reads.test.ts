/**
 * Reads on the wire: what is tried again and what is not, one total deadline, a token renewed after a 401, a breaker
 * before an airline that is down, and no reply that belongs to somebody else.
 */
import type { Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { ClerkError, type ErrorCode } from '../../src/errors.ts';
import type { OtaOptions } from '../../src/ota/options.ts';
import { airlineAt, type TestAirline } from './support/airlines.ts';
import {
  fareQuery,
  LOCATOR,
  OPERATOR_LOCATOR,
  OTHER_LOCATOR,
  readReply,
  searchReply,
  seatMapQuery,
  seatMapReply,
} from './support/samples.ts';
import { type Answer, type Received, reply, startWire, type WireServer } from './support/wire-server.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

async function serve(answer: Answer): Promise<WireServer> {
  const server = await startWire(answer);
  open.push(server);
  return server;
}

function at(origin: string, options: Partial<OtaOptions> = {}): TestAirline {
  const airline = airlineAt(origin, options);
  open.push(airline);
  return airline;
}

async function failureOf(promise: Promise<unknown>): Promise<ClerkError> {
  const error = await promise.then(
    () => undefined,
    (caught: unknown) => caught,
  );
  expect(error).toBeInstanceOf(ClerkError);
  return error as ClerkError;
}

/** undici gives a connection free one turn of the event loop after its reply. */
async function connectionIsFree(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((done) => setImmediate(done));
}

const locatorAsked = (request: Received): string =>
  (request.body.readRequests as { readRequest: [{ uniqueID: { id: string } }] }).readRequest[0].uniqueID.id;

const json =
  (status: number, body: unknown, headers = {}): Answer =>
  (_, socket) =>
    socket.write(reply(status, body, headers));

/** Answers in turn; the last one for all further calls. */
const inTurn =
  (...answers: readonly Answer[]): Answer =>
  (request, socket) =>
    answers[Math.min(request.index, answers.length - 1)]?.(request, socket);

describe('a good read', () => {
  it('decodes a booking and shares its connection with the next', async () => {
    const server = await serve(json(200, readReply()));
    const airline = at(server.origin);
    const booking = await airline.read(LOCATOR);
    expect(booking.locator).toBe(LOCATOR);
    expect(booking.source).toEqual(readReply().airReservation);
    await connectionIsFree();
    await airline.read(LOCATOR);
    expect(server.connections).toBe(1);
    expect(server.received[0]).toMatchObject({
      path: '/v2015b/OTA',
      headers: { 'local-name': 'OTA_ReadRQ', 'x-api-key': 'key-1', 'content-type': 'application/json' },
      body: {
        version: '2.001',
        pos: { source: [{ requestorID: { type: '5', id: 'agent-7', name: 'agency-9' }, isocurrency: 'SAR' }] },
        readRequests: { readRequest: [{ uniqueID: { id: LOCATOR, type: '14' } }] },
      },
    });
    expect(airline.log).toMatchObject([
      { operation: 'read', attempt: 1, status: 200 },
      { operation: 'read', attempt: 1, status: 200 },
    ]);
  });

  it('accepts the operator’s longer locator for the same booking', async () => {
    const server = await serve(json(200, readReply()));
    const booking = await at(server.origin).read(OPERATOR_LOCATOR);
    expect(booking.locator).toBe(LOCATOR);
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ] as const)('unpacks %s', async (encoding, pack) => {
    const packed = pack(Buffer.from(JSON.stringify(readReply())));
    const server = await serve(json(200, packed, { 'content-encoding': encoding }));
    await expect(at(server.origin).read(LOCATOR)).resolves.toMatchObject({ locator: LOCATOR });
  });

  it('starts with a byte order mark', async () => {
    const server = await serve(json(200, `\uFEFF${JSON.stringify(readReply())}`));
    await expect(at(server.origin).read(LOCATOR)).resolves.toMatchObject({ locator: LOCATOR });
  });

  it('drops keys that reach a prototype', async () => {
    const text = JSON.stringify(readReply()).replace(
      '"travelerInfo"',
      '"\\u005f_proto__":{"admin":true},"travelerInfo"',
    );
    const server = await serve(json(200, text));
    const { source } = await at(server.origin).read(LOCATOR);
    expect(Object.keys(source as object)).not.toContain('__proto__');
    expect({ ...(source as object) }).not.toHaveProperty('admin');
  });

  it('of fares: the carrier comes from the settings where the reply names none', async () => {
    const availability = {
      availability: {
        referenceId: 'r-1',
        travellers: [{ profileId: 1, quantity: 1 }],
        segments: [
          {
            id: 1,
            offers: [
              {
                transport: {
                  id: 't-1',
                  code: '1301',
                  journeyDate: '2026-12-01',
                  departureStation: 'MKX',
                  arrivalStation: 'JED',
                  departureTime: '2026-12-01T05:00:00.000Z',
                  arrivalTime: '2026-12-01T06:00:00.000Z',
                  categories: [{ class: 'Y', availableQty: 0 }],
                },
                pricing: [],
              },
            ],
          },
        ],
      },
    };
    const server = await serve(json(200, availability));
    const found = await at(server.origin, { carrier: 'HHR' }).searchFares({ ...fareQuery, includeSoldOut: true });
    expect(found.form).toBe('availability');
    expect(found.soldOut[0]?.segment.operating).toEqual({ carrier: 'HHR', number: '1301' });
    const bare = await at(server.origin).searchFares({ ...fareQuery, includeSoldOut: true });
    expect(bare.soldOut[0]?.segment.operating).toBeUndefined();
  });

  it('of schedules: GET with the documented parameters', async () => {
    const calendar = { departureAirport: 'MKX', arrivalAirport: 'JED', dates: ['2026-12-02'] };
    const server = await serve((request, socket) =>
      socket.write(
        reply(200, request.path.includes('/routes') ? [{ origin: { code: 'MKX' }, destinations: [] }] : calendar),
      ),
    );
    const airline = at(server.origin);
    expect(await airline.routes()).toMatchObject([{ from: { code: 'MKX' } }]);
    const query = { from: 'MKX', to: 'JED', startDate: '2026-12-01', endDate: '2026-12-31', direct: true };
    expect((await airline.calendar(query)).dates).toEqual(['2026-12-02']);
    const [routes, dates] = server.received.map((request) => new URL(request.path, server.origin));
    expect(routes?.pathname + (routes?.search ?? '')).toBe('/gateway/schedule/routes?sales_channel=OTA');
    expect(dates?.pathname).toBe('/gateway/schedule/calendar/availability');
    expect(Object.fromEntries(dates?.searchParams ?? [])).toEqual({
      start_date: '2026-12-01T00:00:00',
      end_date: '2026-12-31T23:59:59',
      departure_airport: 'MKX',
      arrival_airport: 'JED',
      direct: 'true',
    });
    expect(server.received.map((request) => [request.method, request.headers['x-api-key']])).toEqual([
      ['GET', 'key-1'],
      ['GET', 'key-1'],
    ]);
  });

  it('of seats: at its own address, without local-name', async () => {
    const server = await serve(json(200, seatMapReply()));
    await expect(at(server.origin).seatMap(seatMapQuery)).resolves.toEqual([]);
    expect(server.received[0]).toMatchObject({ method: 'POST', path: '/v2015b/OTA/OTA_AirSeatMapRQ' });
    expect(server.received[0]?.headers['local-name']).toBeUndefined();
  });
});

describe('a failed read', () => {
  interface Failure {
    readonly name: string;
    readonly answer: Answer;
    readonly code: ErrorCode;
    readonly calls: 1 | 2;
    readonly deadlineMs?: number;
  }
  const FAILURES: readonly Failure[] = [
    { name: 'silence', answer: () => {}, code: 'E_AIRLINE_TIMEOUT', calls: 1, deadlineMs: 150 },
    { name: 'a reset', answer: (_, socket) => socket.resetAndDestroy(), code: 'E_AIRLINE_DOWN', calls: 2 },
    { name: 'an end', answer: (_, socket) => socket.end(), code: 'E_AIRLINE_DOWN', calls: 2 },
    {
      name: 'half a reply',
      answer: (_, socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"succ'),
      code: 'E_AIRLINE_REPLY',
      calls: 2,
    },
    {
      name: 'a drip',
      answer: (_, socket) => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n');
        const timer = setInterval(() => socket.write(' '), 20);
        socket.on('close', () => clearInterval(timer));
      },
      code: 'E_AIRLINE_TIMEOUT',
      calls: 1,
      deadlineMs: 250,
    },
    { name: 'HTML', answer: json(200, '<html>'), code: 'E_AIRLINE_REPLY', calls: 1 },
    { name: 'a foreign booking', answer: json(200, readReply(OTHER_LOCATOR)), code: 'E_AIRLINE_REPLY', calls: 2 },
    { name: 'no booking', answer: json(200, { success: {} }), code: 'E_AIRLINE_REPLY', calls: 2 },
    { name: '500', answer: json(500, { status: 500, code: '448' }), code: 'E_AIRLINE_DOWN', calls: 1 },
    { name: '502', answer: json(502, 'bad gateway'), code: 'E_AIRLINE_DOWN', calls: 2 },
    { name: '503', answer: json(503, { status: 503, code: '187' }), code: 'E_AIRLINE_DOWN', calls: 2 },
    {
      name: '503 for an hour',
      answer: json(503, { status: 503, code: '187' }, { 'retry-after': '3600' }),
      code: 'E_AIRLINE_DOWN',
      calls: 1,
    },
    { name: '404 in HTML', answer: json(404, '<html>'), code: 'E_AIRLINE_REPLY', calls: 1 },
    { name: 'not found', answer: json(404, { status: 404, code: '97' }), code: 'E_NOT_FOUND', calls: 1 },
    { name: 'a redirect', answer: json(302, '', { location: '/v2015b/OTA' }), code: 'E_AIRLINE_REPLY', calls: 1 },
    { name: 'throttling', answer: json(429, '', { 'retry-after': '1' }), code: 'E_AIRLINE_BUSY', calls: 2 },
    { name: 'long throttling', answer: json(429, '', { 'retry-after': '90' }), code: 'E_AIRLINE_BUSY', calls: 1 },
    { name: 'throttling without a time', answer: json(429, ''), code: 'E_AIRLINE_BUSY', calls: 1 },
    { name: '401 for a key', answer: json(401, ''), code: 'E_AUTH', calls: 1 },
  ];

  it.each(FAILURES)('$name', async ({ answer, code, calls, deadlineMs = 5_000 }) => {
    const server = await serve(answer);
    const began = performance.now();
    const error = await failureOf(at(server.origin, { deadlines: { read: deadlineMs } }).read(LOCATOR));
    expect(error).toMatchObject({ code, effect: 'none' });
    expect(server.received).toHaveLength(calls);
    expect(performance.now() - began).toBeLessThan(deadlineMs + 500);
  });

  it('says how long to wait', async () => {
    const server = await serve(json(429, '', { 'retry-after': '90' }));
    expect((await failureOf(at(server.origin).read(LOCATOR))).retry).toBe('after_s:90');
    const date = new Date(Date.now() + 60_000).toUTCString();
    const dated = await serve(json(503, '', { 'retry-after': date }));
    expect((await failureOf(at(dated.origin).read(LOCATOR))).retry).toMatch(/^after_s:(59|60)$/);
  });

  it('is tried again, and that is that', async () => {
    const server = await serve(inTurn((_, socket) => socket.resetAndDestroy(), json(200, readReply())));
    const airline = at(server.origin);
    await expect(airline.read(LOCATOR)).resolves.toMatchObject({ locator: LOCATOR });
    expect(airline.log).toMatchObject([
      { attempt: 1, code: 'closed' },
      { attempt: 2, status: 200 },
    ]);
  });

  it('a bomb is stopped', async () => {
    const bomb = gzipSync(Buffer.alloc(200 << 20, 0x20));
    const server = await serve(json(200, bomb, { 'content-encoding': 'gzip' }));
    const before = process.memoryUsage().rss;
    expect(await failureOf(at(server.origin).read(LOCATOR))).toMatchObject({ code: 'E_AIRLINE_REPLY' });
    expect(process.memoryUsage().rss - before).toBeLessThan(64 << 20);
  });

  it('the caller gives up: at once, and the connection ends', async () => {
    const ended: Promise<unknown>[] = [];
    const server = await serve((_, socket) => {
      ended.push(new Promise((done) => socket.on('close', done)));
    });
    const caller = new AbortController();
    const outcome = failureOf(at(server.origin).read(LOCATOR, { signal: caller.signal }));
    await expect.poll(() => server.received.length).toBe(1);
    caller.abort();
    expect(await outcome).toMatchObject({ code: 'E_AIRLINE_TIMEOUT', effect: 'none' });
    await Promise.all(ended);
    const before = await failureOf(at(server.origin).read(LOCATOR, { signal: AbortSignal.abort() }));
    expect(before.effect).toBe('none');
    expect(server.received).toHaveLength(1);
  });
});

describe('whose reply', () => {
  it('a duplicate reply on a shared connection never answers another read', async () => {
    // Every reply comes twice, the second time when the next request is already waiting on the same connection.
    const last = new WeakMap<Socket, Buffer>();
    const server = await serve((request, socket) => {
      const mine = reply(200, readReply(locatorAsked(request)), { connection: 'keep-alive' });
      const owed = last.get(socket);
      last.set(socket, mine);
      socket.write(owed === undefined ? mine : Buffer.concat([owed, mine]));
    });
    const airline = at(server.origin);
    const results = await Promise.allSettled(
      Array.from({ length: 40 }, async (_, index) => {
        const locator = `AAA${String(index % 8).padStart(3, '0')}`;
        const booking = await airline.read(locator);
        return booking.locator === locator;
      }),
    );
    expect(results.every((result) => result.status === 'rejected' || result.value)).toBe(true);
    for (let index = 0; index < 6; index += 1) {
      await connectionIsFree();
      const locator = `BBB00${index}`;
      const booking = await airline.read(locator).catch((error: ClerkError) => error);
      expect(booking instanceof ClerkError ? booking.code : booking.locator).toBe(
        booking instanceof ClerkError ? 'E_AIRLINE_REPLY' : locator,
      );
    }
    // Some replies were not their own, or there would have been no second tries.
    expect(server.received.length).toBeGreaterThan(46);
  });

  it('a foreign reply empties the connections, and the read is made again on a new one', async () => {
    const server = await serve((request, socket) => {
      const foreign = request.connection === 0 && request.index === 1;
      socket.write(reply(200, readReply(foreign ? OTHER_LOCATOR : locatorAsked(request))));
    });
    const airline = at(server.origin);
    await airline.read(LOCATOR);
    await connectionIsFree();
    await expect(airline.read(LOCATOR)).resolves.toMatchObject({ locator: LOCATOR });
    expect(server.received.map((request) => request.connection)).toEqual([0, 0, 1]);
  });

  it('searches, whose replies name nothing, share no connection', async () => {
    const server = await serve((_, socket) => {
      socket.write(reply(200, searchReply(), { connection: 'keep-alive' }));
      socket.write(reply(200, searchReply(), { connection: 'keep-alive' }));
    });
    const airline = at(server.origin);
    for (let index = 0; index < 3; index += 1) await airline.searchFares(fareQuery);
    expect(server.connections).toBe(3);
  });

  it('seat maps and calendars must be of what was asked', async () => {
    const server = await serve((request, socket) => {
      const calendar = { departureAirport: 'RUH', arrivalAirport: 'DMM', dates: [] };
      socket.write(reply(200, request.method === 'GET' ? calendar : seatMapReply(OTHER_LOCATOR)));
    });
    const airline = at(server.origin);
    const query = { from: 'MKX', to: 'JED', startDate: '2026-12-01', endDate: '2026-12-31', direct: true };
    expect((await failureOf(airline.calendar(query))).message).toMatch(/another booking|not about/);
    expect((await failureOf(airline.seatMap(seatMapQuery))).code).toBe('E_AIRLINE_REPLY');
  });

  it('a seat map that names no booking must be of a segment that was asked for', async () => {
    const [first] = seatMapReply().seatMapResponses.seatMapResponse;
    const unnamed = (flightNumber: string) => ({
      seatMapResponses: {
        seatMapResponse: [
          { ...first, bookingReferenceID: [], flightSegmentInfo: { ...first?.flightSegmentInfo, flightNumber } },
        ],
      },
    });
    const server = await serve(inTurn(json(200, unnamed('1301')), json(200, unnamed('9999'))));
    const airline = at(server.origin);
    await expect(airline.seatMap(seatMapQuery)).resolves.toEqual([]);
    expect((await failureOf(airline.seatMap(seatMapQuery))).code).toBe('E_AIRLINE_REPLY');
  });
});

describe('tokens', () => {
  const tokensOf = (...values: string[]) => {
    const invalidated: string[] = [];
    let current = 0;
    const get = async (): Promise<string> => values[Math.min(current, values.length - 1)] ?? '';
    return {
      invalidated,
      token: get,
      ensureLife: get,
      invalidate: (value: string) => {
        invalidated.push(value);
        current += 1;
      },
    };
  };
  const bearer = (server: WireServer) => server.received.map((request) => request.headers.authorization);

  it('go with every call, beside the key or alone', async () => {
    const server = await serve(json(200, readReply()));
    const tokens = tokensOf('t-1');
    await at(server.origin, { credentials: { mode: 'both', apiKey: 'k', tokens } }).read(LOCATOR);
    const extraHeaders = { 'x-realm': 'hhr' };
    await at(server.origin, { credentials: { mode: 'token', apiKey: 'k', tokens, extraHeaders } }).read(LOCATOR);
    await at(server.origin, { credentials: { mode: 'key', apiKey: 'k', tokens } }).read(LOCATOR);
    expect(bearer(server)).toEqual(['Bearer t-1', 'Bearer t-1', undefined]);
    expect(server.received.map((request) => request.headers['x-api-key'])).toEqual(['k', undefined, 'k']);
    expect(server.received[1]?.headers['x-realm']).toBe('hhr');
  });

  it('a 401 renews the token and reads once more', async () => {
    const server = await serve(inTurn(json(401, ''), json(200, readReply())));
    const tokens = tokensOf('old', 'new');
    const airline = at(server.origin, { credentials: { mode: 'both', apiKey: 'k', tokens } });
    await expect(airline.read(LOCATOR)).resolves.toMatchObject({ locator: LOCATOR });
    expect(bearer(server)).toEqual(['Bearer old', 'Bearer new']);
    expect(tokens.invalidated).toEqual(['old']);
  });

  it('a second 401, or no other token, ends it', async () => {
    const server = await serve(json(401, ''));
    const airline = at(server.origin, { credentials: { mode: 'both', apiKey: 'k', tokens: tokensOf('old', 'new') } });
    expect(await failureOf(airline.read(LOCATOR))).toMatchObject({ code: 'E_AUTH', retry: 'never' });
    expect(server.received).toHaveLength(2);
    const same = at(server.origin, { credentials: { mode: 'both', apiKey: 'k', tokens: tokensOf('same') } });
    expect(await failureOf(same.read(LOCATOR))).toMatchObject({ code: 'E_AUTH' });
    expect(server.received).toHaveLength(3);
  });

  it('a token that does not come in time: nothing is sent', async () => {
    const server = await serve(json(200, readReply()));
    const never = new Promise<string>(() => {});
    const tokens = { token: () => never, ensureLife: () => never, invalidate: () => {} };
    const airline = at(server.origin, { credentials: { mode: 'token', tokens }, deadlines: { read: 60 } });
    expect(await failureOf(airline.read(LOCATOR))).toMatchObject({ code: 'E_AIRLINE_TIMEOUT' });
    expect(server.connections).toBe(0);
  });
});

describe('an airline that is down', () => {
  it('is asked a tenth more often at most, then not at all, and again once it is back', async () => {
    let down = true;
    const server = await serve((request, socket) =>
      down ? socket.resetAndDestroy() : socket.write(reply(200, readReply(locatorAsked(request)))),
    );
    let clock = 1_000_000;
    const airline = at(server.origin, { now: () => clock });
    for (let index = 0; index < 100; index += 1) await failureOf(airline.read(LOCATOR));
    expect(server.received.length).toBeLessThanOrEqual(20 + 3);
    const error = await failureOf(airline.read(LOCATOR));
    expect(error).toMatchObject({ code: 'E_AIRLINE_DOWN', retry: 'after_s:5' });
    expect(error.message).toMatch(/Nothing was sent\.$/);
    const asked = server.received.length;
    down = false;
    clock += 4_999;
    await failureOf(airline.read(LOCATOR));
    expect(server.received).toHaveLength(asked);
    clock += 1;
    await expect(airline.read(LOCATOR)).resolves.toMatchObject({ locator: LOCATOR });
    await expect(airline.read(LOCATOR)).resolves.toMatchObject({ locator: LOCATOR });
  });
});
