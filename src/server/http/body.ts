/**
 * Reads a request's body: bounded, UTF-8, JSON, not too deep.
 */
import type { IncomingMessage } from 'node:http';
import { isJsonContentType } from '@modelcontextprotocol/server';
import { type Reply, refusal } from './error-reply.ts';
import type { HttpLimits } from './limits.ts';

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

export type Body = { readonly value: unknown } | { readonly reply: Reply };

type BodyLimits = Pick<HttpLimits, 'bodyBytes' | 'jsonDepth'>;

export async function readJson(request: IncomingMessage, limits: BodyLimits): Promise<Body> {
  if (!isJsonContentType(request.headers['content-type'] ?? null)) {
    return refused(415, 'The content type must be application/json.');
  }
  const coding = request.headers['content-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'identity') {
    return refused(415, 'A compressed body is not taken.', { 'accept-encoding': 'identity' });
  }
  const bytes = await readBytes(request, limits.bodyBytes);
  if (bytes === undefined) return tooLarge(limits.bodyBytes);
  const text = decode(bytes);
  if (text === undefined) return refused(400, 'The body is not UTF-8.', {}, PARSE_ERROR);
  if (isDeeper(text, limits.jsonDepth)) {
    return refused(400, `The body nests deeper than ${limits.jsonDepth} levels.`, {}, INVALID_REQUEST);
  }
  return parse(text);
}

function refused(...args: Parameters<typeof refusal>): Body {
  return { reply: refusal(...args) };
}

/** The rest is not read: the connection goes with the answer. */
function tooLarge(bytes: number): Body {
  return refused(413, `The body is larger than ${bytes} bytes.`, { connection: 'close' });
}

/** undefined: too large. Throws where the caller leaves in the middle. */
async function readBytes(request: IncomingMessage, most: number): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > most) return undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Not `for await`: leaving that loop destroys the socket before the answer is out.
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
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function parse(text: string): Body {
  try {
    return { value: JSON.parse(text, refusePrototype) };
  } catch (error) {
    if (error instanceof PrototypeKey)
      return refused(400, 'The body has a field that is not taken.', {}, INVALID_REQUEST);
    return refused(400, 'The body is not JSON.', {}, PARSE_ERROR);
  }
}

class PrototypeKey extends Error {}

/** A copy of such a field would change the copy's prototype. */
function refusePrototype(key: string, value: unknown): unknown {
  if (key === '__proto__') throw new PrototypeKey();
  return value;
}

/** Counts brackets outside strings, before anything is built of them. */
export function isDeeper(text: string, most: number): boolean {
  let depth = 0;
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (quoted) {
      if (code === BACKSLASH) i++;
      else if (code === QUOTE) quoted = false;
    } else if (code === QUOTE) quoted = true;
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      depth++;
      if (depth > most) return true;
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--;
  }
  return false;
}

const [QUOTE, BACKSLASH, OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [34, 92, 123, 125, 91, 93];
