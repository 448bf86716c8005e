/** Reads a request's body: limited in size and depth, UTF-8, JSON. */
import type { IncomingMessage } from 'node:http';
import { isJsonContentType } from '@modelcontextprotocol/server';
import { nestsDeeper } from '../../core/json-depth.ts';
import { errorReply } from './error-reply.ts';
import type { HttpLimits } from './limits.ts';

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

/** The parsed body, or the reply to one that is refused. */
type ParsedBody = { readonly value: unknown } | Response;

type BodyLimits = Pick<HttpLimits, 'bodyBytes' | 'jsonDepth'>;

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
  if (text === undefined) return errorReply(400, 'The body is not UTF-8.', {}, PARSE_ERROR);
  if (nestsDeeper(text, limits.jsonDepth)) {
    return errorReply(400, `The body nests deeper than ${limits.jsonDepth} levels.`, {}, INVALID_REQUEST);
  }
  return parse(text);
}

/** @returns undefined if the body is too large. @throws Error if the caller leaves before its end. */
export async function readBytes(request: IncomingMessage, most: number): Promise<Buffer | undefined> {
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

function decode(bytes: Buffer): string | undefined {
  try {
    return UTF_8.decode(bytes);
  } catch {
    return undefined;
  }
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/** The field as it is, or perhaps in escapes. Most bodies have neither, and are parsed faster without looking at each field. */
const PERHAPS_PROTOTYPE = /__proto__|\\u/;

function parse(text: string): ParsedBody {
  try {
    return { value: PERHAPS_PROTOTYPE.test(text) ? JSON.parse(text, refusePrototype) : JSON.parse(text) };
  } catch (error) {
    return error instanceof PrototypeKey
      ? errorReply(400, 'The body has a forbidden field: __proto__.', {}, INVALID_REQUEST)
      : errorReply(400, 'The body is not JSON.', {}, PARSE_ERROR);
  }
}

class PrototypeKey extends Error {}

/** Copying an object with such a field would change the prototype of the copy. */
function refusePrototype(key: string, value: unknown): unknown {
  if (key === '__proto__') throw new PrototypeKey();
  return value;
}
