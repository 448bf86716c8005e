/**
 * Messages that move money: good replies, refusals that prove that nothing happened, and sending only once.
 */

import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { ClerkError } from '../../../src/core/errors.ts';
import { traveler } from '../../support/people.ts';
import { json } from '../support/answers.ts';
import { CERTIFICATE, PRIVATE_KEY } from '../support/certificate.ts';
import { at, failureOf, pay, serve, trustingTransport } from '../support/harness.ts';
import {
  booking,
  cancelReply,
  confirmed,
  LOCATOR,
  newBooking,
  payReply,
  readReply,
  watchedDispatch,
} from '../support/samples.ts';
import { reply } from '../support/wire-server.ts';

describe('a good reply', () => {
  it('stores a good reply as it came and decodes it', async () => {
    const server = await serve(json(200, payReply()));
    const dispatch = watchedDispatch();
    const receipt = await pay(at(server.origin), dispatch);
    expect(receipt.items.map((item) => item.ticketNumber)).toEqual(['9990000000001']);
    expect(dispatch.asked).toBe(1);
    expect(dispatch.kept).toEqual([[LOCATOR]]);
    expect(server.received).toHaveLength(1);
    expect(server.received[0]?.headers).toMatchObject({
      connection: 'close',
      'accept-encoding': 'identity',
      'local-name': 'OTA_AirDemandTicketRQ',
      'x-api-key': 'key-1',
    });
  });

  it('accepts a good reply after an interim one', async () => {
    const server = await serve((_, socket) => {
      socket.write('HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: <x>\r\n\r\n');
      socket.write(reply(200, payReply()));
    });
    await expect(pay(at(server.origin), watchedDispatch())).resolves.toMatchObject({ locator: LOCATOR });
  });

  it('decodes the reply to every kind of send, each over a connection of its own', async () => {
    const replies: Readonly<Record<string, unknown>> = {
      OTA_AirBookRQ: readReply(),
      OTA_AirPriceRQ: { success: {}, bookingReferenceID: { id: LOCATOR, type: '14' } },
      OTA_AirBookModifyRQ: readReply(),
      OTA_CancelRQ: cancelReply(),
    };
    const server = await serve((request, socket) =>
      socket.write(reply(200, replies[request.headers['local-name'] ?? ''] ?? '')),
    );
    const airline = at(server.origin);
    const made = await airline.create(newBooking, watchedDispatch());
    const group = { ...newBooking, passengers: { adults: 12, children: 0, infants: 0 } };
    const counted = await airline.createFromCounts(group, watchedDispatch());
    const modification = { kind: 'cancel_segments', booking, options: booking.options } as const;
    const changed = await airline.modify(confirmed({ modification }, watchedDispatch()));
    const gone = await airline.cancel(confirmed({ cancellation: { locator: LOCATOR } }, watchedDispatch()));
    expect([made, counted, changed, gone].map((result) => result.locator)).toEqual(Array(4).fill(LOCATOR));
    expect(gone.status).toBe('CANCELLED');
    expect(server.received.map((request) => request.headers['local-name'])).toEqual(Object.keys(replies));
    for (const request of server.received) {
      expect(request).toMatchObject({ method: 'POST', path: '/v2015b/OTA', body: { version: '2.001' } });
    }
    expect(server.connections).toBe(4);
  });

  it('discards the reply to a booking if it names other travellers', async () => {
    const text = JSON.stringify(readReply());
    const server = await serve(json(200, text));
    const other = { ...newBooking, travelers: [traveler('1', 'Zoe', 'Quill')] };
    const error = await failureOf(at(server.origin).create(other, watchedDispatch()));
    expect(error).toMatchObject({ code: 'E_AIRLINE_REPLY', effect: 'unknown', retry: 'never' });
    expect(error.message).toContain('other travellers');
  });
});

describe('a token', () => {
  it('does not repeat a send after a 401', async () => {
    const server = await serve(json(401, {}));
    const invalidated: string[] = [];
    const tokens = {
      token: async () => 'token-1',
      ensureLife: async (ms: number) => `token-for-${ms}`,
      invalidate: (value: string) => void invalidated.push(value),
    };
    const airline = at(server.origin, { credentials: { mode: 'token', tokens } });
    const error = await failureOf(pay(airline, watchedDispatch()));
    expect(error).toMatchObject({ code: 'E_AUTH', effect: 'none', retry: 'never' });
    expect(server.received.map((request) => request.headers.authorization)).toEqual(['Bearer token-for-600000']);
    expect(invalidated).toEqual(['token-for-600000']);
  });

  it('sends nothing if there is no token', async () => {
    const server = await serve(json(200, payReply()));
    const gone = new ClerkError('E_AUTH', 'refused', { next: 'operator' });
    const tokens = { token: () => Promise.reject(gone), ensureLife: () => Promise.reject(gone), invalidate: () => {} };
    const dispatch = watchedDispatch();
    const airline = at(server.origin, { credentials: { mode: 'both', apiKey: 'key-1', tokens } });
    expect(await failureOf(pay(airline, dispatch))).toBe(gone);
    expect([dispatch.asked, server.connections]).toEqual([0, 0]);
  });
});

describe('sending only once', () => {
  it('never takes a duplicate reply to one payment as the reply to another', async () => {
    const server = await serve((request, socket) => {
      const { id } = (request.body.demandTicketDetail as { bookingReferenceID: { id: string } }).bookingReferenceID;
      socket.write(reply(200, payReply(id), { connection: 'keep-alive' }));
      socket.write(reply(200, payReply(id), { connection: 'keep-alive' }));
    });
    const airline = at(server.origin);
    for (const locator of ['AAAAA1', 'BBBBB2', 'CCCCC3']) {
      await expect(pay(airline, watchedDispatch(), locator)).resolves.toMatchObject({ locator });
    }
    expect(server.connections).toBe(3);
  });

  it.each(['goaway', 'refused_stream'])(
    'sends once over HTTP/1.1 to an airline whose HTTP/2 would commit and answer %s',
    async (fault) => {
      let commits = 0;
      const secure = createSecureServer({ cert: CERTIFICATE, key: PRIVATE_KEY, allowHTTP1: true });
      secure.on('stream', (stream) => {
        commits += 1;
        if (fault === 'goaway') stream.session?.goaway(0, 0);
        else stream.close(7);
      });
      secure.on('request', (request, response) => {
        if (request.httpVersion !== '1.1') return;
        commits += 1;
        response.destroy();
      });
      await new Promise<void>((done) => secure.listen(0, '127.0.0.1', done));
      const transport = trustingTransport();
      const airline = at(`https://127.0.0.1:${(secure.address() as AddressInfo).port}`, { transport });
      const error = await failureOf(pay(airline, watchedDispatch()));
      expect(error.effect).toBe('unknown');
      expect(commits).toBe(1);
      secure.close();
    },
  );
});
