/** Everything that can go wrong with an answer on the wire, played on the raw socket. */
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { reply } from '../../../ota/support/wire-server.ts';

/** Writes what the clerk gets. `body` is the airline's own good answer, or a likeness of one. */
type Playing = (socket: Socket, body: string) => unknown;

export interface Fault {
  readonly name: string;
  readonly play: Playing;
  /**
   * What it is: `whole`, the good answer does come; `refusal`, the airline refuses in a way that proves that it did nothing;
   * `unproven`, it refuses in another way; `doubt`, it proves nothing.
   */
  readonly kind: 'whole' | 'refusal' | 'unproven' | 'doubt';
  /** Error codes that a reading may end in, and what a refusal of an act is. */
  readonly reads: readonly string[];
  readonly refused?: string;
  /** The answer names what a message about no booking yet has made. */
  readonly namesBooking?: true;
  /** The airline asks for a pause in so many words: a yes waits for its end. */
  readonly pauses?: true;
  /** The same in answer to a message that is about no booking yet; default: as above. */
  readonly unbooked?: { readonly reads: readonly string[]; readonly refused: string };
}

const json =
  (status: number, body: unknown, headers = {}): Playing =>
  (socket) =>
    socket.write(reply(status, body, headers));
/** The good answer changed, in a whole reply. */
const changed =
  (change: (body: string) => unknown): Playing =>
  (socket, body) =>
    socket.write(reply(200, change(body)));
/** Bytes of which the connection's end is the end. */
const ended =
  (text: (body: string) => string): Playing =>
  (socket, body) =>
    socket.end(text(body));
/** Bytes, and then a reset. */
const cut =
  (text: (body: string) => string): Playing =>
  (socket, body) =>
    socket.write(text(body), () => socket.resetAndDestroy());
const head = (lines: string): string => `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${lines}\r\n\r\n`;
const half = (body: string): string => body.slice(0, Math.floor(body.length / 2));
const lengthOf = (body: string) => `content-length: ${Buffer.byteLength(body)}`;
const headAlone = () => head('content-length: 900');
const halfOfIt = (body: string) => head(lengthOf(body)) + half(body);
const halfToTheEnd = (body: string) => head('x: y') + half(body);
const inAnArray = (body: string) => `[${body}]`;
const HTML = { 'content-type': 'text/html' };

const DOWN = ['E_AIRLINE_DOWN'];
const REPLY = ['E_AIRLINE_REPLY'];
const LATE = ['E_AIRLINE_TIMEOUT'];
const EITHER = [...DOWN, ...REPLY];

const doubt = (name: string, reads: readonly string[], play: Playing): Fault => ({ name, play, kind: 'doubt', reads });
/** An error form that blames a system, under a status that means something else. */
const blaming = (name: string, status: number, body: object, reads: readonly string[] = DOWN): Fault =>
  doubt(`blames a system: ${name}`, reads, json(status, body));
const refusal = (name: string, play: Playing, refused: string, unbooked?: Fault['unbooked']): Fault => ({
  ...{ name, play, kind: 'refusal', reads: [refused], refused },
  ...(unbooked && { unbooked }),
});
const unproven = (name: string, play: Playing, refused: string, reads: readonly string[] = [refused]): Fault => ({
  ...{ name, play, kind: 'unproven', reads, refused },
});
const pause = (name: string, body: unknown): Fault => ({
  ...refusal(name, json(429, body, { 'retry-after': '7' }), 'E_AIRLINE_BUSY'),
  pauses: true,
});
const whole = (name: string, play: Playing): Fault => ({ name, play, kind: 'whole', reads: [] });
const form = (status: number, code?: string) => ({ status, title: 'x', ...(code !== undefined && { code }) });
const errors = (...all: object[]) => ({ errors: all.map((one) => ({ message: 'x', ...one })) });

/** The good answer as if for another booking. */
function foreign(body: string): string {
  return JSON.stringify(JSON.parse(body), (key, value) => {
    if (key !== 'id' || typeof value !== 'string') return value;
    return /^[A-Z0-9]{6}$/.test(value) ? 'ZZ9ZZ9' : `${value}X`;
  });
}

/** Each piece waits for the one before: of timers that start together, a later one may fire first on a busy machine. */
async function inPieces(socket: Socket, body: string): Promise<void> {
  const bytes = reply(200, body);
  const third = Math.ceil(bytes.length / 3);
  for (let at = 0; at < bytes.length; at += third) {
    socket.write(bytes.subarray(at, at + third));
    await sleep(10);
  }
}

function drip(socket: Socket): void {
  socket.write(head('content-length: 5000'));
  const timer = setInterval(() => socket.write(' '), 20);
  socket.on('close', () => clearInterval(timer));
}

export const FAULTS: readonly Fault[] = [
  doubt('never answers', LATE, () => {}),
  doubt('resets after the request', DOWN, (socket) => socket.resetAndDestroy()),
  doubt('ends after the request', DOWN, (socket) => socket.end()),
  doubt('only a head, then a reset', EITHER, cut(headAlone)),
  doubt('a reset within the answer', EITHER, cut(halfOfIt)),
  doubt('drips a byte at a time', LATE, drip),
  doubt('breaks off within content-length', REPLY, ended(halfOfIt)),
  doubt(
    'breaks off within chunks',
    REPLY,
    ended((body) => `${head('transfer-encoding: chunked')}${(body.length + 100).toString(16)}\r\n${half(body)}`),
  ),
  doubt('breaks off where the end of the connection is the end', REPLY, ended(halfToTheEnd)),
  doubt('content-length too small', REPLY, (socket, body) => socket.write(head('content-length: 40') + body)),
  // undici takes an interim answer that it did not ask for as a broken one.
  doubt('comes after a 100 Continue', DOWN, (socket, body) => {
    socket.write('HTTP/1.1 100 Continue\r\n\r\n');
    socket.write(reply(200, body));
  }),
  doubt('is no HTTP', REPLY, (socket) => socket.write('\u0000\u0001 what?\r\n\r\n')),
  doubt('is empty', REPLY, json(200, '')),
  doubt('is 204', REPLY, (socket) => socket.write('HTTP/1.1 204 No\r\n\r\n')),
  doubt('is an HTML page', REPLY, json(200, '<html><h1>Please try again</h1>', HTML)),
  doubt('is not JSON', REPLY, json(200, 'Done!')),
  doubt('is JSON cut by a proxy', REPLY, changed(half)),
  doubt('is too deep', REPLY, json(200, '['.repeat(200))),
  doubt('is an array', REPLY, changed(inAnArray)),
  doubt('is a word', REPLY, json(200, '"ok"')),
  doubt('is an empty object', REPLY, json(200, {})),
  doubt('says success and no more', REPLY, json(200, { success: {} })),
  doubt('is about another booking', REPLY, changed(foreign)),
  doubt('is a bomb', REPLY, json(200, gzipSync(Buffer.alloc(12 << 20, 0x20)), { 'content-encoding': 'gzip' })),
  doubt('is packed in an unknown way', REPLY, json(200, 'xyz', { 'content-encoding': 'zstd-9' })),
  doubt('is larger than is read', REPLY, (socket) => socket.write(head('content-length: 9000000') + ' '.repeat(9e6))),
  doubt('is a redirect', REPLY, json(307, '', { location: '/v2015b/OTA' })),
  doubt('is 500 in HTML', DOWN, json(500, '<h1>', HTML)),
  doubt('is 500 in an error form', DOWN, json(500, form(500, '448'))),
  doubt('is 502', DOWN, json(502, '')),
  doubt('is 503 in an error form', DOWN, json(503, form(503, '187'))),
  doubt('is 504', LATE, json(504, form(504))),
  doubt('is 422 speaking of a failed system', DOWN, json(422, form(422, '9999'))),
  doubt('is 200 with the error form of a failed system', DOWN, json(200, errors({ code: '448' }))),
  doubt('is 200 with a 5xx in its error form', DOWN, json(200, { ...form(500), error: 'Internal Server Error' })),
  blaming('400, type system', 400, errors({ type: 'system', code: 'X17' })),
  blaming('422, type SYSTEM with the code of a rule', 422, errors({ type: 'SYSTEM', code: '73' })),
  blaming('400, TIMEOUT', 400, errors({ type: 'business', code: 'TIMEOUT' }), LATE),
  blaming('409, a word in small letters', 409, form(409, 'service_unavailable')),
  blaming('422, the second error', 422, { errors: { error: [{ code: '172' }, { code: 'SYSTEM_ERROR' }] } }),
  blaming('200, a word', 200, errors({ code: 'INTERNAL_SERVER_ERROR' })),
  blaming('404, the cause', 404, { status: 404, title: '', cause: form(503) }),
  blaming('422, a confirmation that failed', 422, form(422, '1602')),
  {
    ...doubt(
      'is the good answer with an error in it',
      ['E_TOO_LATE', 'E_NOT_PERMITTED'],
      changed((body) => ({ ...JSON.parse(body), ...errors({ code: '73' }) })),
    ),
    namesBooking: true,
  },
  unproven('is 403 in HTML', json(403, '<h1>', HTML), 'E_AUTH'),
  unproven('is 404 without a word', json(404, ''), 'E_NOT_FOUND', REPLY),
  doubt('is 408', [...REPLY, ...LATE, 'E_NOT_PERMITTED'], json(408, form(408))),
  refusal('400', json(400, form(400, '320')), 'E_INPUT'),
  refusal('401', json(401, form(401)), 'E_AUTH'),
  refusal('401 without a word', json(401, ''), 'E_AUTH'),
  unproven('403 in an error form', json(403, form(403, '497')), 'E_AUTH'),
  unproven('404 in an error form', json(404, form(404, '97')), 'E_NOT_FOUND', ['E_NOT_FOUND', 'E_NOT_PERMITTED']),
  unproven('409', json(409, form(409, '172')), 'E_NOT_PERMITTED'),
  unproven('400 with an unknown code', json(400, errors({ type: 'business', code: 'UNHEARD_OF' })), 'E_INPUT'),
  unproven('400, throttling', json(400, errors({ code: 'RATE_LIMIT_EXCEEDED' })), 'E_AIRLINE_BUSY'),
  unproven('402', json(402, form(402, '167')), 'E_PAYMENT_DECLINED', ['E_NOT_PERMITTED']),
  unproven('422 after the payment', json(422, { ...form(422, '1053'), title: 'Payment received' }), 'E_SOLD_OUT', [
    ...['E_SOLD_OUT', 'E_NOT_PERMITTED'],
  ]),
  unproven('424', json(424, form(424)), 'E_NOT_PERMITTED'),
  unproven('200 of a rule', json(200, { errors: { error: [{ type: '3', code: '76' }] } }), 'E_NOT_PERMITTED'),
  pause('429 in words', errors({ code: 'RATE_LIMIT_EXCEEDED' })),
  unproven('422 of a rule', json(422, form(422, '172')), 'E_NOT_PERMITTED'),
  pause('429', ''),
  refusal(
    '200 with an error list',
    json(200, { errors: { error: [{ type: '3', code: '73', shortText: 'expired' }] } }),
    'E_TOO_LATE',
    { reads: ['E_NOT_PERMITTED'], refused: 'E_TOO_LATE' },
  ),
  whole('comes late', (socket, body) => setTimeout(() => socket.write(reply(200, body)), 60)),
  whole('comes twice', (socket, body) => socket.write(Buffer.concat([reply(200, body), reply(200, body)]))),
  whole('after early hints', (socket, body) => {
    socket.write('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n');
    socket.write(reply(200, body));
  }),
  whole('in three pieces', inPieces),
  whole('in chunks, then the connection ends', (socket, body) => {
    const bytes = Buffer.from(body);
    socket.write(`${head('transfer-encoding: chunked')}${bytes.length.toString(16)}\r\n`);
    socket.end(Buffer.concat([bytes, Buffer.from('\r\n0\r\n\r\n')]));
  }),
];
