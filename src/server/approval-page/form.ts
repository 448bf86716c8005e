/**
 * The one form of the page: its token, and the reading of what comes back.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The form is a few dozen bytes. */
const MOST_BYTES = 4096;

export interface Submitted {
  readonly token: string;
  readonly decision: 'yes' | 'no';
}

/** Why a form was not taken, as an HTTP status. */
export interface Unfit {
  readonly status: 400 | 413 | 415;
}

/** Binds the form to this approval and this visit; a page of another visit cannot be sent with it. */
export function formToken(key: Uint8Array, operationId: string, session: string): string {
  return createHmac('sha256', key)
    .update(JSON.stringify([operationId, session]))
    .digest('base64url');
}

export function isToken(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Reads `application/x-www-form-urlencoded` with exactly the fields `token` and `decision`, once each. */
export async function readForm(request: IncomingMessage): Promise<Submitted | Unfit> {
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded') return { status: 415 };
  if (request.headers['content-encoding'] !== undefined) return { status: 415 };
  const body = await readBody(request);
  if (body === undefined) return { status: 413 };
  const fields = [...new URLSearchParams(body)];
  const token = fields.find(([name]) => name === 'token')?.[1];
  const decision = fields.find(([name]) => name === 'decision')?.[1];
  if (fields.length !== 2 || token === undefined || (decision !== 'yes' && decision !== 'no')) return { status: 400 };
  return { token, decision };
}

/** The body, or undefined where it is too long: the rest of it is not read. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > MOST_BYTES) return undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
