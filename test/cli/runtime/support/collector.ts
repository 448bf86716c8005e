/**
 * A collector of traces: OTLP over HTTP with protobuf, as far as fareclerk sends it
 * (opentelemetry-proto, trace/v1/trace.proto).
 */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Span {
  readonly trace: string;
  readonly id: string;
  readonly parent: string;
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly events: readonly string[];
  /** Traces that it links to. */
  readonly links: readonly string[];
  readonly failed: boolean;
  /** Attributes of the process. */
  readonly resource: Readonly<Record<string, string>>;
}

export interface Collector {
  readonly url: string;
  readonly spans: Span[];
  /** Every body as text. */
  readonly bodies: string[];
  readonly headers: IncomingHttpHeaders[];
  close(): Promise<void>;
}

/** @param answer false: it takes requests and never answers */
export async function startCollector(answer = true): Promise<Collector> {
  const [spans, bodies, headers]: [Span[], string[], IncomingHttpHeaders[]] = [[], [], []];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    headers.push(request.headers);
    bodies.push(body.toString('latin1'));
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

type Fields = Readonly<Record<number, readonly (Buffer | bigint)[]>>;

/** One protobuf message: its fields by number. */
function fieldsOf(message: Buffer): Fields {
  const fields: Record<number, (Buffer | bigint)[]> = {};
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[at++] ?? 0;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const bytes = (length: number): Buffer => {
    at += length;
    return message.subarray(at - length, at);
  };
  const readers: Record<number, () => Buffer | bigint> = {
    0: varint,
    1: () => bytes(8),
    2: () => bytes(Number(varint())),
    5: () => bytes(4),
  };
  while (at < message.length) {
    const tag = Number(varint());
    const value = readers[tag & 7]?.();
    if (value === undefined) throw new Error(`wire type ${tag & 7}`);
    const number = tag >> 3;
    fields[number] = [...(fields[number] ?? []), value];
  }
  return fields;
}

const inside = (fields: Fields, number: number): Fields[] =>
  (fields[number] ?? []).map((value) => fieldsOf(value as Buffer));
const text = (fields: Fields | undefined, number: number, as: BufferEncoding = 'utf8'): string =>
  (fields?.[number]?.[0] as Buffer | undefined)?.toString(as) ?? '';

function attributesIn(fields: Fields, number: number): Record<string, string> {
  return Object.fromEntries(
    inside(fields, number).map((pair) => {
      const [value = {}] = inside(pair, 2);
      return [text(pair, 1), value[1] === undefined ? String((value[3] ?? value[2])?.[0]) : text(value, 1)];
    }),
  );
}

function spansIn(body: Buffer): Span[] {
  return inside(fieldsOf(body), 1).flatMap((ofResource) => {
    const [resource = {}] = inside(ofResource, 1);
    return inside(ofResource, 2)
      .flatMap((ofScope) => inside(ofScope, 2))
      .map((span) => ({
        trace: text(span, 1, 'hex'),
        id: text(span, 2, 'hex'),
        parent: text(span, 4, 'hex'),
        name: text(span, 5),
        attributes: attributesIn(span, 9),
        events: inside(span, 11).map((event) => text(event, 2)),
        links: inside(span, 13).map((link) => text(link, 1, 'hex')),
        failed: inside(span, 15)[0]?.[3]?.[0] === 2n,
        resource: attributesIn(resource, 1),
      }));
  });
}
