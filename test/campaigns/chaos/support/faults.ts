/**
 * Everything that can go wrong with an answer on the wire, played on the raw socket.
 */
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { ErrorCode } from '../../../../src/errors.ts';
import { reply } from '../../../ota/support/wire-server.ts';

export interface Fault {
  readonly name: string;
  /** Writes what the clerk gets. `body` is the airline's own good answer, or a likeness of one. */
  readonly play: (socket: Socket, body: string) => void;
  /**
   * What it is: `whole`, the good answer does come; `refusal`, the airline says in its own form that it did not do it;
   * `doubt`, it proves nothing.
   */
  readonly kind: 'whole' | 'refusal' | 'doubt';
  /** Errors that a reading may end in. */
  readonly reads: readonly ErrorCode[];
  /** What a refusal of an act is. */
  readonly refused?: ErrorCode;
  /** The same in answer to a message that is about no booking yet; default: as above. */
  readonly unbooked?: { readonly reads: readonly ErrorCode[]; readonly refused: ErrorCode };
}

type Playing = (socket: Socket, body: string) => void;

const json =
  (status: number, body: unknown, headers = {}): Playing =>
  (socket) =>
    void socket.write(reply(status, body, headers));
const head = (lines: string): string => `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${lines}\r\n\r\n`;
const half = (body: string): string => body.slice(0, Math.floor(body.length / 2));
const ended =
  (text: (body: string) => string): Playing =>
  (socket, body) =>
    void socket.end(text(body));

const DOWN = ['E_AIRLINE_DOWN'] as const;
const REPLY = ['E_AIRLINE_REPLY'] as const;
const LATE = ['E_AIRLINE_TIMEOUT'] as const;

function doubt(name: string, play: Playing, reads: readonly ErrorCode[]): Fault {
  return { name, play, kind: 'doubt', reads };
}

function refusal(
  name: string,
  play: Playing,
  reads: readonly ErrorCode[],
  refused: ErrorCode,
  unbooked?: Fault['unbooked'],
): Fault {
  return { name, play, kind: 'refusal', reads, refused, ...(unbooked && { unbooked }) };
}

/** An error form that blames a system, under a status that means something else. */
function blaming(name: string, status: number, body: object, reads: readonly ErrorCode[] = DOWN): Fault {
  return doubt(`blames a system: ${name}`, json(status, body), reads);
}

function whole(name: string, play: Playing): Fault {
  return { name, play, kind: 'whole', reads: [] };
}

/** The good answer as if for another booking. */
function foreign(body: string): string {
  return JSON.stringify(JSON.parse(body), (key, value) => {
    if (key !== 'id' || typeof value !== 'string') return value;
    return /^[A-Z0-9]{6}$/.test(value) ? 'ZZ9ZZ9' : `${value}X`;
  });
}

export const FAULTS: readonly Fault[] = [
  doubt('never answers', () => {}, LATE),
  doubt('resets after the request', (socket) => void socket.resetAndDestroy(), DOWN),
  doubt('ends after the request', (socket) => void socket.end(), DOWN),
  doubt(
    'only a head, then a reset',
    (socket) => void socket.write(head('content-length: 900'), () => socket.resetAndDestroy()),
    [...DOWN, ...REPLY],
  ),
  doubt(
    'a reset within the answer',
    (socket, body) =>
      void socket.write(head(`content-length: ${Buffer.byteLength(body)}`) + half(body), () =>
        socket.resetAndDestroy(),
      ),
    [...DOWN, ...REPLY],
  ),
  doubt(
    'drips a byte at a time',
    (socket) => {
      socket.write(head('content-length: 5000'));
      const timer = setInterval(() => socket.write(' '), 20);
      socket.on('close', () => clearInterval(timer));
    },
    LATE,
  ),
  doubt(
    'breaks off within content-length',
    ended((body) => head(`content-length: ${Buffer.byteLength(body)}`) + half(body)),
    REPLY,
  ),
  doubt(
    'breaks off within chunks',
    ended((body) => `${head('transfer-encoding: chunked')}${(body.length + 100).toString(16)}\r\n${half(body)}`),
    REPLY,
  ),
  doubt(
    'breaks off where the end of the connection is the end',
    ended((body) => head('x: y') + half(body)),
    REPLY,
  ),
  doubt('content-length too small', (socket, body) => void socket.write(head('content-length: 40') + body), REPLY),
  // undici takes an interim answer that it did not ask for as a broken one.
  doubt(
    'comes after a 100 Continue',
    (socket, body) => {
      socket.write('HTTP/1.1 100 Continue\r\n\r\n');
      socket.write(reply(200, body));
    },
    DOWN,
  ),
  doubt('is no HTTP', (socket) => void socket.write('\u0000\u0001 what?\r\n\r\n'), REPLY),
  doubt('is empty', json(200, ''), REPLY),
  doubt('is 204', (socket) => void socket.write('HTTP/1.1 204 No\r\n\r\n'), REPLY),
  doubt('is an HTML page', json(200, '<html><h1>Please try again</h1>', { 'content-type': 'text/html' }), REPLY),
  doubt('is not JSON', json(200, 'Done!'), REPLY),
  doubt('is JSON cut by a proxy', (socket, body) => void socket.write(reply(200, half(body))), REPLY),
  doubt('is too deep', json(200, '['.repeat(200)), REPLY),
  doubt('is an array', (socket, body) => void socket.write(reply(200, `[${body}]`)), REPLY),
  doubt('is a word', json(200, '"ok"'), REPLY),
  doubt('is an empty object', json(200, {}), REPLY),
  doubt('says success and no more', json(200, { success: {} }), REPLY),
  doubt('is about another booking', (socket, body) => void socket.write(reply(200, foreign(body))), REPLY),
  doubt('is a bomb', json(200, gzipSync(Buffer.alloc(12 << 20, 0x20)), { 'content-encoding': 'gzip' }), REPLY),
  doubt('is packed in an unknown way', json(200, 'xyz', { 'content-encoding': 'zstd-9' }), REPLY),
  doubt(
    'is larger than is read',
    (socket) => {
      socket.write(head('content-length: 9000000'));
      socket.write(Buffer.alloc(9_000_000, 0x20));
    },
    REPLY,
  ),
  doubt('is a redirect', json(307, '', { location: '/v2015b/OTA' }), REPLY),
  doubt('is 500 in HTML', json(500, '<h1>', { 'content-type': 'text/html' }), DOWN),
  doubt('is 500 in an error form', json(500, { status: 500, code: '448', title: 'system' }), DOWN),
  doubt('is 502', json(502, ''), DOWN),
  doubt('is 503 in an error form', json(503, { status: 503, code: '187', title: 'unavailable' }), DOWN),
  doubt('is 504', json(504, { status: 504, title: 'gateway' }), LATE),
  doubt('is 422 speaking of a failed system', json(422, { status: 422, code: '9999', title: 'downstream' }), DOWN),
  doubt(
    'is 200 with the error form of a failed system',
    json(200, { errors: [{ code: '448', message: 'system' }] }),
    DOWN,
  ),
  doubt(
    'is 200 with a 5xx in its error form',
    json(200, { status: 500, error: 'Internal Server Error', path: '/' }),
    DOWN,
  ),
  blaming('400, type system', 400, { errors: [{ type: 'system', code: 'X17', message: 'x' }] }),
  blaming('422, type SYSTEM with the code of a rule', 422, { errors: [{ type: 'SYSTEM', code: '73', message: 'x' }] }),
  blaming('400, TIMEOUT', 400, { errors: [{ type: 'business', code: 'TIMEOUT', message: 'x' }] }, LATE),
  blaming('409, a word in small letters', 409, { status: 409, code: 'service_unavailable', title: 'x' }),
  blaming('422, the second error', 422, { errors: { error: [{ code: '172' }, { code: 'SYSTEM_ERROR' }] } }),
  blaming('200, a word', 200, { errors: [{ code: 'INTERNAL_SERVER_ERROR', message: 'x' }] }),
  blaming('404, the cause', 404, { status: 404, title: '', cause: { status: 503, title: 'x' } }),
  blaming('422, a confirmation that failed', 422, { status: 422, code: '1602', title: 'x' }),
  blaming('400, throttling', 400, { errors: [{ code: 'RATE_LIMIT_EXCEEDED', message: 'x' }] }, ['E_AIRLINE_BUSY']),
  doubt(
    'is the good answer with an error in it',
    (socket, body) =>
      void socket.write(reply(200, { ...JSON.parse(body), errors: [{ code: '73', message: 'expired' }] })),
    ['E_TOO_LATE', 'E_NOT_PERMITTED'],
  ),
  doubt('is 403 in HTML', json(403, '<h1>', { 'content-type': 'text/html' }), ['E_AUTH']),
  doubt('is 404 without a word', json(404, ''), REPLY),
  doubt('is 408', json(408, { status: 408, title: 'timeout' }), [
    'E_AIRLINE_REPLY',
    'E_NOT_PERMITTED',
    'E_AIRLINE_TIMEOUT',
  ]),
  refusal('400', json(400, { status: 400, code: '320', title: 'invalid value' }), ['E_INPUT'], 'E_INPUT'),
  refusal('401', json(401, { status: 401, title: 'unauthorized' }), ['E_AUTH'], 'E_AUTH'),
  refusal('401 without a word', json(401, ''), ['E_AUTH'], 'E_AUTH'),
  refusal('403 in an error form', json(403, { status: 403, code: '497', title: 'denied' }), ['E_AUTH'], 'E_AUTH'),
  refusal(
    '404 in an error form',
    json(404, { status: 404, code: '97', title: 'no booking' }),
    ['E_NOT_FOUND'],
    'E_NOT_FOUND',
    { reads: ['E_NOT_PERMITTED'], refused: 'E_NOT_PERMITTED' },
  ),
  refusal('409', json(409, { status: 409, code: '172', title: 'conflict' }), ['E_NOT_PERMITTED'], 'E_NOT_PERMITTED'),
  refusal(
    '400 with an unknown code',
    json(400, { errors: [{ type: 'business', code: 'UNHEARD_OF', message: 'x' }] }),
    ['E_INPUT'],
    'E_INPUT',
  ),
  refusal(
    '429 in words',
    json(429, { errors: [{ code: 'RATE_LIMIT_EXCEEDED', message: 'x' }] }, { 'retry-after': '7' }),
    ['E_AIRLINE_BUSY'],
    'E_AIRLINE_BUSY',
  ),
  refusal(
    '422 of a rule',
    json(422, { status: 422, code: '172', title: 'not possible' }),
    ['E_NOT_PERMITTED'],
    'E_NOT_PERMITTED',
  ),
  refusal('429', json(429, '', { 'retry-after': '7' }), ['E_AIRLINE_BUSY'], 'E_AIRLINE_BUSY'),
  refusal(
    '200 with an error list',
    json(200, { errors: { error: [{ type: '3', code: '73', shortText: 'expired' }] } }),
    ['E_TOO_LATE'],
    'E_TOO_LATE',
    { reads: ['E_NOT_PERMITTED'], refused: 'E_TOO_LATE' },
  ),
  whole('comes late', (socket, body) => void setTimeout(() => socket.write(reply(200, body)), 60)),
  whole('comes twice', (socket, body) => void socket.write(Buffer.concat([reply(200, body), reply(200, body)]))),
  whole('after early hints', (socket, body) => {
    socket.write('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n');
    socket.write(reply(200, body));
  }),
  whole('in three pieces', (socket, body) => {
    const bytes = reply(200, body);
    const third = Math.floor(bytes.length / 3);
    socket.write(bytes.subarray(0, third));
    setTimeout(() => {
      socket.write(bytes.subarray(third, 2 * third));
      setTimeout(() => socket.write(bytes.subarray(2 * third)), 10);
    }, 10);
  }),
  whole('in chunks, then the connection ends', (socket, body) => {
    const bytes = Buffer.from(body);
    socket.write(`${head('transfer-encoding: chunked')}${bytes.length.toString(16)}\r\n`);
    socket.end(Buffer.concat([bytes, Buffer.from('\r\n0\r\n\r\n')]));
  }),
];
