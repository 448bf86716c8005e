/**
 * A collector of traces: OTLP over HTTP with protobuf, as far as fareclerk sends it
 * (opentelemetry-proto, trace/v1/trace.proto).
 */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Its own id, its trace and the span above it, in hexadecimal digits. */
export interface Span {
  readonly trace: string;
  readonly id: string;
  readonly parent: string;
  readonly name: string;
}

/** @param answer false: it takes requests and never answers */
export async function startCollector(answer = true) {
  const spans: Span[] = [];
  /** Every body as text, a letter for each byte. */
  const bodies: string[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString('latin1');
    headers.push(request.headers);
    bodies.push(body);
    if (request.url === '/v1/traces') spans.push(...spansIn(body));
    if (answer) response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    headers,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** In hexadecimal digits: trace_id (1), span_id (2), trace_state (3) and parent_span_id (4) where they are, name (5). */
const SPAN = /0a10(\w{32})1208(\w{16})(?:1a(?:\w\w)+?)?(?:2208(\w{16}))?2a(\w\w)/g;

function spansIn(body: string): Span[] {
  const hex = Buffer.from(body, 'latin1').toString('hex');
  const found = [...hex.matchAll(SPAN)].filter(({ index }) => index % 2 === 0);
  return found.map(({ 0: all, 1: trace = '', 2: id = '', 3: parent = '', 4: length = '', index }) => {
    const from = (index + all.length) / 2;
    return { trace, id, parent, name: body.slice(from, from + Number.parseInt(length, 16)) };
  });
}
