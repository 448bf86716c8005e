/**
 * Successful reads over a socket, replies that belong to another call, and tokens.
 */
import type { Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ClerkError } from '../../../src/core/errors.ts';
import { inTurn, json, locatorAsked } from '../support/answers.ts';
import { at, failureOf, pay, serve } from '../support/harness.ts';
import {
  fareQuery,
  LOCATOR,
  OTHER_LOCATOR,
  payReply,
  readReply,
  searchReply,
  watchedDispatch,
} from '../support/samples.ts';
import { reply, type WireServer } from '../support/wire-server.ts';

/** undici gives a connection free one turn of the event loop after its reply. */
async function connectionIsFree(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((done) => setImmediate(done));
}

describe('a good read', () => {
  it('decodes a booking and uses the connection again for the next read', async () => {
    const server = await serve(json(200, readReply()));
    const airline = at(server.origin);
    const booking = await airline.read(LOCATOR);
    expect(booking.locator).toBe(LOCATOR);
    expect(booking.reading.source).toEqual(readReply().airReservation);
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

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ] as const)('unpacks a reply compressed with %s', async (encoding, pack) => {
    const packed = pack(Buffer.from(JSON.stringify(readReply())));
    const server = await serve(json(200, packed, { 'content-encoding': encoding }));
    await expect(at(server.origin).read(LOCATOR)).resolves.toMatchObject({ locator: LOCATOR });
  });
});

describe('content codings', () => {
  const booking = Buffer.from(JSON.stringify(readReply()));

  it('asks for no deflate, which some services send without its format', async () => {
    const server = await serve(json(200, readReply()));
    await at(server.origin).read(LOCATOR);
    expect(server.received[0]?.headers['accept-encoding']).toBe('gzip, br');
  });

  it.each<[string, Buffer]>([
    ['UTF-8', booking],
    ['none', booking],
    ['', booking],
    ['Identity', booking],
    ['gzip, identity', gzipSync(booking)],
    ['identity,GZIP', gzipSync(booking)],
    ['gzip, gzip', gzipSync(booking)],
    ['gzip, UTF-8', gzipSync(booking)],
    ['utf-8, gzip', gzipSync(booking)],
    ['gzip\r\ncontent-encoding: identity', gzipSync(booking)],
  ])('reads a reply whose content encoding is "%s"', async (encoding, body) => {
    const server = await serve(json(200, body, { 'content-encoding': encoding }));
    await expect(at(server.origin).read(LOCATOR)).resolves.toMatchObject({ locator: LOCATOR });
  });

  it('leaves a payment in doubt whose reply breaks off and calls itself UTF-8', async () => {
    const whole = reply(200, payReply(), { 'content-encoding': 'UTF-8' });
    const server = await serve((_, socket) => socket.end(whole.subarray(0, -5)));
    const dispatch = watchedDispatch();
    expect(await failureOf(pay(at(server.origin), dispatch))).toMatchObject({ effect: 'unknown' });
    expect(dispatch.kept).toEqual([]);
  });
});

describe('replies to somebody else', () => {
  it('never takes a duplicate reply on a shared connection as the reply to another read', async () => {
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

  it('closes the connections after a foreign reply and repeats the read on a new one', async () => {
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

  it('shares a connection between searches, but not one that sent more than was asked', async () => {
    const twice = await serve((_, socket) => {
      socket.write(reply(200, searchReply(), { connection: 'keep-alive' }));
      socket.write(reply(200, searchReply(), { connection: 'keep-alive' }));
    });
    const airline = at(twice.origin);
    for (let index = 0; index < 3; index += 1) await airline.searchFares(fareQuery);
    expect(twice.connections).toBe(3);
    const once = await serve(json(200, searchReply()));
    const other = at(once.origin);
    for (let index = 0; index < 3; index += 1) {
      await other.searchFares(fareQuery);
      await connectionIsFree();
    }
    expect(once.connections).toBe(1);
  });

  it('repeats a search on a new connection if the reply is about other days', async () => {
    const of = (day: string) => {
      const flightSegment = [{ departureDateTime: `${day}T08:00:00.000+03:00` }];
      const airItinerary = { originDestinationOptions: { originDestinationOption: [{ flightSegment }] } };
      const totalFare = { currencyCode: 'SAR', amount: 100 };
      const airItineraryPricingInfo = { itinTotalFare: [{ totalFare }] };
      return { success: {}, pricedItineraries: { pricedItinerary: [{ airItinerary, airItineraryPricingInfo }] } };
    };
    const server = await serve((request, socket) => {
      const foreign = request.connection === 0 && request.index === 1;
      socket.write(reply(200, of(foreign ? '2026-12-05' : '2026-12-01')));
    });
    const airline = at(server.origin);
    await airline.searchFares(fareQuery);
    await connectionIsFree();
    await expect(airline.searchFares(fareQuery)).resolves.toMatchObject({ offers: [{}] });
    expect(server.received.map((request) => request.connection)).toEqual([0, 0, 1]);
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

  it('sends the token with or without the key, as the settings say', async () => {
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

  it('renews the token after a 401 and repeats the read once', async () => {
    const server = await serve(inTurn(json(401, ''), json(200, readReply())));
    const tokens = tokensOf('old', 'new');
    const airline = at(server.origin, { credentials: { mode: 'both', apiKey: 'k', tokens } });
    await expect(airline.read(LOCATOR)).resolves.toMatchObject({ locator: LOCATOR });
    expect(bearer(server)).toEqual(['Bearer old', 'Bearer new']);
    expect(tokens.invalidated).toEqual(['old']);
  });

  it('gives up after a second 401, or at once if there is no other token', async () => {
    const server = await serve(json(401, ''));
    const airline = at(server.origin, { credentials: { mode: 'both', apiKey: 'k', tokens: tokensOf('old', 'new') } });
    expect(await failureOf(airline.read(LOCATOR))).toMatchObject({ code: 'E_AUTH', retry: 'never' });
    expect(server.received).toHaveLength(2);
    const same = at(server.origin, { credentials: { mode: 'both', apiKey: 'k', tokens: tokensOf('same') } });
    expect(await failureOf(same.read(LOCATOR))).toMatchObject({ code: 'E_AUTH' });
    expect(server.received).toHaveLength(3);
  });

  it('sends nothing if the token does not come in time', async () => {
    const server = await serve(json(200, readReply()));
    const never = new Promise<string>(() => {});
    const tokens = { token: () => never, ensureLife: () => never, invalidate: () => {} };
    const airline = at(server.origin, { credentials: { mode: 'token', tokens }, deadlines: { read: 60 } });
    expect(await failureOf(airline.read(LOCATOR))).toMatchObject({ code: 'E_AIRLINE_TIMEOUT' });
    expect(server.connections).toBe(0);
  });
});
