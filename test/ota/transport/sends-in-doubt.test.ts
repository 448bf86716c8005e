/**
 * Every way in which a send can end in doubt: `effect: unknown`, sent once, and the bookings that the reply names are kept.
 */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../../src/core/errors.ts';
import { drip, json } from '../support/answers.ts';
import { at, failureOf, pay, serve, trustingTransport } from '../support/harness.ts';
import {
  confirmed,
  LOCATOR,
  newBooking,
  OTHER_LOCATOR,
  payReply,
  readReply,
  watchedDispatch,
} from '../support/samples.ts';
import type { Answer } from '../support/wire-server.ts';

const REPLY = 'E_AIRLINE_REPLY';
const DOWN = 'E_AIRLINE_DOWN';
const TIMEOUT = 'E_AIRLINE_TIMEOUT';

interface More {
  readonly deadlineMs?: number;
  readonly tls?: true;
  /** The bookings that the reply names. */
  readonly named?: readonly string[];
}

/** What the airline does, and the error. */
type Doubt = [name: string, answer: Answer, code: ErrorCode, more?: More];

const half = JSON.stringify(payReply()).slice(0, 60);
const raw =
  (part: string): Answer =>
  (_, socket) =>
    void socket.end(part);
const flood: Answer = (_, socket) => {
  socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9000000\r\n\r\n');
  socket.write(Buffer.alloc(9_000_000, 0x20));
};
const bomb = gzipSync(Buffer.alloc(40 << 20, 0x20));
const error = { code: '73', message: 'expired' };

const DOUBTS: Doubt[] = [
  ['hangs after the request', () => {}, TIMEOUT, { deadlineMs: 1_000 }],
  ['resets after the request', (_, socket) => void socket.resetAndDestroy(), DOWN],
  ['ends after the request', (_, socket) => void socket.end(), DOWN],
  ['cuts TLS after the request', (_, socket) => void socket.destroy(), DOWN, { tls: true }],
  ['drips a byte at a time', drip, TIMEOUT, { deadlineMs: 300 }],
  ['breaks off within content-length', raw(`HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n${half}`), REPLY],
  ['breaks off within chunks', raw(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3c\r\n${half}\r\n`), REPLY],
  ['breaks off where its end is the end of the connection', raw(`HTTP/1.1 200 OK\r\n\r\n${half}`), REPLY],
  ['sends no HTTP', (_, socket) => socket.write('\u0000\u0001 what?\r\n\r\n'), REPLY],
  ['sends nothing with 200', json(200, ''), REPLY],
  ['sends 204', (_, socket) => socket.write('HTTP/1.1 204 No\r\n\r\n'), REPLY],
  ['sends an HTML page', json(200, '<html>'), REPLY],
  ['sends 65 levels', json(200, '['.repeat(65)), REPLY],
  ['names no booking', json(200, { success: {} }), REPLY],
  ['names another booking', json(200, payReply(OTHER_LOCATOR)), REPLY, { named: [OTHER_LOCATOR] }],
  [
    'names the booking in a key of the prototype',
    json(200, `{"success":{},"__proto__":{"bookingReferenceID":{"id":"${LOCATOR}"}}}`),
    REPLY,
  ],
  ['sends wrong types', json(200, { success: {}, bookingReferenceID: LOCATOR, ticketItemInfo: 7 }), REPLY],
  ['sends a bomb', json(200, bomb, { 'content-encoding': 'gzip' }), REPLY],
  ['sends more than is read', flood, REPLY],
  ['redirects', json(307, '', { location: '/v2015b/OTA' }), REPLY],
  ['sends 500 in HTML', json(500, '<h1>'), DOWN],
  ['sends 200 with tickets and an error', json(200, { ...payReply(), errors: [error] }), REPLY, { named: [LOCATOR] }],
];

describe('sent, with an unknown outcome', () => {
  it.each<Doubt>(DOUBTS)(
    'leaves a payment in doubt, and sends it once, if the airline %s',
    async (_name, answer, code, { deadlineMs = 5_000, tls = false, named } = {}) => {
      const server = await serve(answer, { tls });
      const transport = trustingTransport();
      const airline = at(server.origin, { deadlines: { ticket: deadlineMs }, transport });
      const dispatch = watchedDispatch();
      const error = await failureOf(pay(airline, dispatch));
      expect(error).toMatchObject({ code, effect: 'unknown', retry: 'never' });
      expect(error.message).toMatch(/It is not known whether the request was carried out\.$/);
      expect(error.next).toContain('read_booking');
      expect(server.received).toHaveLength(1);
      expect(server.connections).toBe(1);
      expect(dispatch.asked).toBe(1);
      expect(dispatch.kept.flat()).toEqual(named ?? []);
    },
  );

  it.each(['72', '95', '1026'])(
    'leaves a cancellation in doubt after %s, which may report this very message',
    async (code) => {
      const server = await serve(json(422, { status: 422, code, title: 'already cancelled' }));
      const cancellation = confirmed({ cancellation: { locator: LOCATOR } }, watchedDispatch());
      const failure = await failureOf(at(server.origin).cancel(cancellation));
      expect(failure).toMatchObject({ effect: 'unknown', airline: { code } });
    },
  );

  it('connects only once if the airline resets the connection before it reads', async () => {
    const server = await serve(() => {}, { onConnection: (socket) => void socket.resetAndDestroy() });
    const dispatch = watchedDispatch();
    const error = await failureOf(pay(at(server.origin), dispatch));
    // The reset may come before or after the first byte is written; the fence was asked just before that byte.
    expect(error).toMatchObject({ effect: dispatch.asked === 0 ? 'none' : 'unknown', code: 'E_AIRLINE_DOWN' });
    expect(server.connections).toBe(1);
  });

  it('keeps the locator of a new booking before the reply is judged, also beside an error or in its words', async () => {
    const replies = [
      [200, readReply()],
      [500, { ...readReply(), status: 500, code: '448' }],
      [422, { status: 422, code: '9', title: `Booking ${LOCATOR} was created` }],
    ] as const;
    for (const [status, body] of replies) {
      const server = await serve(json(status, body));
      const dispatch = watchedDispatch();
      await at(server.origin)
        .create(newBooking, dispatch)
        .catch(() => undefined);
      expect(dispatch.kept).toEqual([[LOCATOR]]);
    }
  });

  it('leaves a send in doubt if the adapter closes before the reply', async () => {
    const server = await serve(() => {});
    const airline = at(server.origin);
    const dispatch = watchedDispatch();
    const outcome = failureOf(pay(airline, dispatch));
    await expect.poll(() => server.received.length).toBe(1);
    await airline.close();
    expect((await outcome).effect).toBe('unknown');
    const after = await failureOf(pay(airline, dispatch));
    expect(after.effect).toBe('none');
  });
});
