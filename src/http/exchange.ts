/**
 * Reads requests of node:http within limits, lets MCP answer them, and writes the replies. In order: the exchange with MCP, reading a
 * body, and replies of our own.
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import {
  isJsonContentType,
  type McpHttpHandler,
  PROTOCOL_VERSION_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import Negotiator from 'negotiator';
import { field } from '../core/own.ts';
import { nestsDeeper } from '../core/text-limits.ts';
import { RPC_CODES } from '../mcp/messages.ts';
import type { HttpLimits } from './limits.ts';

/** A refusal for a reason that JSON-RPC 2.0 leaves to the server. */
const SERVER_ERROR = -32_000;

export const JSON_TYPE = 'application/json';
export const EVENTS = 'text/event-stream';
/** The types in which an answer is written. */
const TYPES = [JSON_TYPE, EVENTS];

const VERSION = 'mcp-protocol-version';

/** Throws at bytes that are not UTF-8. */
const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/** `__proto__`, or an escape that may hide it. Most bodies have neither, and are parsed faster without a look at each field. */
const PERHAPS_PROTOTYPE = /__proto__|\\u/;

/** Ends parsing at a field `__proto__`. */
class PrototypeKey extends Error {}

/** Headers of every reply: clients must not store it, nor guess its type. */
export const COMMON_HEADERS = new Map([
  ['cache-control', 'no-store'],
  ['x-content-type-options', 'nosniff'],
]);

/** Lets MCP answer a request whose body was parsed already: nothing is written, read and parsed again. */
export async function exchange(
  handler: McpHttpHandler,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { body, accepted }: { readonly body: unknown; readonly accepted: readonly string[] },
): Promise<void> {
  const callerLeft = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableEnded) callerLeft.abort();
  });

  const { signal } = callerLeft;
  const headers: IncomingHttpHeaders = { ...incoming.headers, accept: TYPES.join() };
  const version = headers[VERSION];
  if (version !== undefined) headers[VERSION] = oneVersion(String(version), body);
  const answer = await handler.fetch(webRequest(headers, signal), { parsedBody: body });
  const [type, otherType] = accepted;
  const reply = type === undefined || otherType !== undefined ? answer : await inType(type, answer);

  // MCP always writes `connection: keep-alive`; node:http and the client decide that instead.
  const { connection: _theirs, ...fields } = Object.fromEntries(reply.headers);
  if (outgoing.destroyed) return void reply.body?.cancel().catch(() => undefined);

  if (reply.body !== null && fields['content-type'] === EVENTS) {
    outgoing.writeHead(reply.status, fields);
    await stream(reply.body, outgoing, signal);
  } else {
    const bytes = Buffer.from(await reply.arrayBuffer());
    outgoing.writeHead(reply.status, { ...fields, 'content-length': bytes.byteLength }).end(bytes);
  }
}

/**
 * The types of an answer that the client takes (RFC 9110, section 12.5.1): all where it names none. MCP's library refuses whoever does
 * not name both, though one is enough for nearly every answer.
 */
export function acceptedTypes(request: IncomingMessage): readonly string[] {
  return new Negotiator(request).mediaTypes(TYPES);
}

/**
 * The version that a request names. Hosts and proxies that each add one send several: the message's own counts, then the newest that a
 * handshake can agree on. MCP's library reads them as one unknown version.
 */
function oneVersion(header: string, body: unknown): string {
  const [version = '', ...others] = new Set(header.split(',').map((name) => name.trim()));
  if (others.length === 0) return version;

  const messageVersion = field(field(field(body, 'params'), '_meta'), PROTOCOL_VERSION_META_KEY);
  const versions = [version, ...others];

  return (
    versions.find((name) => name === messageVersion) ??
    SUPPORTED_PROTOCOL_VERSIONS.find((name) => versions.includes(name)) ??
    header
  );
}

/** An answer in the one type that the client takes: the message itself, or as the only event of a stream. */
async function inType(type: string, answer: Response): Promise<Response> {
  if (answer.headers.get('content-type') === type || answer.body === null) return answer;

  const text = await answer.text();
  const headers = new Headers(answer.headers);
  headers.set('content-type', type);

  // The answer is the last event. Reports of progress before it have no place in one message.
  const written =
    type === EVENTS
      ? `event: message\ndata: ${text}\n\n`
      : (text
          .match(/^data: .*$/gm)
          ?.at(-1)
          ?.slice(6) ?? '');
  return new Response(written, { status: answer.status, headers });
}

/** Writes the request as MCP takes it, without its body, which is parsed already. The path is ours: a client's could be invalid. */
function webRequest(headers: IncomingHttpHeaders, signal: AbortSignal): Request {
  const headerList = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value] as [string, string]],
  );
  return new Request('http://127.0.0.1/mcp', { method: 'POST', headers: headerList, signal });
}

/** Writes events as they come, no faster than the client takes them. */
async function stream(
  body: ReadableStream<Uint8Array>,
  outgoing: ServerResponse,
  callerLeft: AbortSignal,
): Promise<void> {
  try {
    for await (const chunk of body) {
      if (callerLeft.aborted) break;
      // An event and the end of the stream, which mostly follows at once, are one packet.
      outgoing.cork();
      const isTaken = outgoing.write(chunk);
      process.nextTick(() => outgoing.uncork());
      if (!isTaken) await waitForDrain(outgoing);
    }
  } finally {
    outgoing.end();
  }
}

/** Resolves when the client takes data again, or has left. */
function waitForDrain(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      outgoing.off('drain', finish).off('close', finish);
      resolve();
    };
    outgoing.on('drain', finish).on('close', finish);
  });
}

/** The parsed body, or the reply to one that is refused. */
type ParsedBody = { readonly value: unknown } | Response;

type BodyLimits = Pick<HttpLimits, 'bodyBytes' | 'jsonDepth'>;

/** Reads and parses a JSON body. */
export async function readJson(request: IncomingMessage, limits: BodyLimits): Promise<ParsedBody> {
  if (!isJsonContentType(request.headers['content-type'] ?? null)) {
    return errorReply(415, 'The content type must be application/json.');
  }

  const coding = request.headers['content-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'identity') {
    return errorReply(415, 'Compressed bodies are not accepted.', { 'accept-encoding': 'identity' });
  }

  const bytes = await readBytes(request, limits.bodyBytes);
  // The rest is not read, so the connection must close.
  if (!bytes) return errorReply(413, `The body is larger than ${limits.bodyBytes} bytes.`, { connection: 'close' });

  const text = decode(bytes);
  if (text === undefined) return errorReply(400, 'The body is not UTF-8.', {}, RPC_CODES.parse);

  if (nestsDeeper(text, limits.jsonDepth)) {
    return errorReply(400, `The body nests deeper than ${limits.jsonDepth} levels.`, {}, RPC_CODES.request);
  }

  return parse(text);
}

/** Reads a body. @returns undefined if it is too large. @throws Error if the caller leaves before its end. */
async function readBytes(request: IncomingMessage, most: number): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > most) return undefined;

  const chunks: Buffer[] = [];
  let bytes = 0;

  // Not `for await`: leaving that loop destroys the socket before the reply is out.
  return new Promise((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.byteLength;
      if (bytes > most) {
        request.pause();
        request.removeAllListeners('data');
        resolve(undefined);
      } else chunks.push(chunk);
    });

    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('error', reject);
    request.once('close', () => reject(new Error('the caller left')));
  });
}

/** How much of a body that is too large is read and dropped: a browser shows the reply only after it could send all of it. */
const MOST_DRAINED_BYTES = 4 * 1024 * 1024;

/** Reads the body of a form. @returns the HTTP status of the reply if the form is refused */
export async function readForm(request: IncomingMessage, most: number): Promise<Buffer | 413 | 415> {
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  const isForm = type === 'application/x-www-form-urlencoded' && request.headers['content-encoding'] === undefined;
  const body = isForm ? await readBytes(request, most) : undefined;
  if (body !== undefined) return body;
  request.resume();
  await readBytes(request, MOST_DRAINED_BYTES);
  return isForm ? 413 : 415;
}

/** Undefined if the bytes are not UTF-8. */
function decode(bytes: Buffer): string | undefined {
  try {
    return UTF_8.decode(bytes);
  } catch {
    return undefined;
  }
}

function parse(text: string): ParsedBody {
  try {
    return { value: PERHAPS_PROTOTYPE.test(text) ? JSON.parse(text, refusePrototype) : JSON.parse(text) };
  } catch (error) {
    return error instanceof PrototypeKey
      ? errorReply(400, 'The body has a forbidden field: __proto__.', {}, RPC_CODES.request)
      : errorReply(400, 'The body is not JSON.', {}, RPC_CODES.parse);
  }
}

/** Refuses a field `__proto__`: copying the object would change the prototype of the copy. */
function refusePrototype(key: string, value: unknown): unknown {
  if (key === '__proto__') throw new PrototypeKey();
  return value;
}

/** Writes a refusal that JSON-RPC clients can read. @param message must repeat nothing of the request */
export function errorReply(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
  code: number = SERVER_ERROR,
): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status, headers });
}

/** Refuses a request that came too soon. @param seconds until the next may come */
export function tooMany(message: string, seconds: number): Response {
  return errorReply(429, message, { 'retry-after': String(seconds) });
}

/** Writes a short reply, unless another reply has begun or the caller has left. */
export async function send(outgoing: ServerResponse, reply: Response): Promise<void> {
  if (outgoing.headersSent) return;
  const body = Buffer.from(await reply.arrayBuffer());
  if (outgoing.headersSent || outgoing.destroyed) return;
  outgoing.setHeaders(reply.headers);
  outgoing.writeHead(reply.status, { 'content-length': body.byteLength });
  outgoing.end(outgoing.req.method === 'HEAD' ? '' : body);
}
