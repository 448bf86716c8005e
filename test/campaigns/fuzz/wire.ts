/**
 * A share of the spoilt replies over real HTTP: our transport, a real socket, and HTTP that is spoilt as well.
 */
import { gzipSync } from 'node:zlib';
import { createTransport, type HttpReply } from '../../../src/ota/transport/http.ts';
import { startWire } from '../../ota/support/wire-server.ts';
import { adapter } from '../chaos/support/replay.ts';
import type { Fuzzer } from './drive.ts';
import { pick, type Random } from './random.ts';
import { type Answerer, spoiltReplies, type Theatre } from './replies.ts';

const CRLF = '\r\n';
const DEADLINES = {
  ...{ read: 400, fare_search: 400, seat_map: 400, routes: 400, calendar: 400 },
  ...{ ticket: 400, book: 400, modify: 400 },
};

/** The reply on the wire: mostly as HTTP wants it. */
function written({ status, text, retryAfterSeconds }: HttpReply, random: Random): Buffer | 'reset' | 'end' {
  const body = Buffer.from(text);
  const after = retryAfterSeconds === undefined ? '' : `retry-after: ${retryAfterSeconds}${CRLF}`;
  const start = `HTTP/1.1 ${status} X${CRLF}content-type: application/json${CRLF}${after}`;
  const replyOf = (bytes: Buffer, length = bytes.length, encoding?: string): Buffer => {
    const coded = encoding === undefined ? '' : `content-encoding: ${encoding}${CRLF}`;
    return Buffer.concat([Buffer.from(`${start}content-length: ${length}${CRLF}${coded}${CRLF}`), bytes]);
  };
  switch (random(14)) {
    case 0:
      return 'reset';
    case 1:
      return 'end';
    case 2:
      return replyOf(body, body.length + 1 + random(500));
    case 3:
      return replyOf(body, Math.max(0, body.length - random(200)));
    case 4:
      return replyOf(gzipSync(body), undefined, 'gzip');
    case 5:
      return replyOf(body, undefined, pick(['gzip', 'br', 'zstd', 'x'], random));
    case 6: {
      const chunked = `${start}transfer-encoding: chunked${CRLF}${CRLF}${body.length.toString(16)}${CRLF}`;
      const end = `${CRLF}${pick(['0', 'zz', '0'], random)}${CRLF}${CRLF}`;
      return Buffer.concat([Buffer.from(chunked), body, Buffer.from(end)]);
    }
    case 7: {
      const bytes = replyOf(body);
      bytes[random(bytes.length)] = random(256);
      return bytes;
    }
    default:
      return replyOf(body);
  }
}

export async function spoiltWire(theatres: readonly Theatre[]): Promise<Fuzzer> {
  let current: { readonly random: Random; readonly answer: Answerer } | undefined;
  const server = await startWire(({ headers, path }, socket) => {
    if (current === undefined) return;
    const reply = current.answer({ headers: headers as Record<string, string>, url: `http://airline${path}` });
    const bytes = reply === undefined ? 'end' : written(reply, current.random);
    if (bytes === 'reset') socket.resetAndDestroy();
    else if (bytes === 'end') socket.end();
    else socket.end(bytes);
  });
  const transport = createTransport();
  const replies = spoiltReplies(theatres, (settings, answer, random) => {
    current = { random, answer };
    const { origin } = new URL(settings.FARECLERK_BASE_URL ?? '');
    const moved = Object.entries(settings).map(([name, value]) => [name, value.replace(origin, server.origin)]);
    return adapter(Object.fromEntries(moved), { ...transport, close: async () => undefined }, DEADLINES);
  });
  return {
    draw: replies.draw,
    async close() {
      await transport.close();
      await server.close();
    },
  };
}
