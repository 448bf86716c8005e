/** The form of the page: its token, and how a submitted form is read. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { readBytes } from '../http/body.ts';

/** The form is a few dozen bytes. */
const MOST_BYTES = 4096;

interface Submitted {
  readonly token: string;
  readonly decision: 'yes' | 'no';
}

/** Binds the form to this approval and this visit. */
export function formToken(key: Uint8Array, operationId: string, session: string): string {
  return createHmac('sha256', key)
    .update(JSON.stringify([operationId, session]))
    .digest('base64url');
}

export function isToken(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/**
 * Reads `application/x-www-form-urlencoded` with exactly the fields `token` and `decision`, once each.
 * @returns the HTTP status of the reply if the form is refused.
 */
export async function readForm(request: IncomingMessage): Promise<Submitted | 400 | 413 | 415> {
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded') return 415;
  if (request.headers['content-encoding'] !== undefined) return 415;
  const body = await readBytes(request, MOST_BYTES);
  if (body === undefined) return 413;
  const fields = [...new URLSearchParams(body.toString('utf8'))];
  const token = fields.find(([name]) => name === 'token')?.[1];
  const decision = fields.find(([name]) => name === 'decision')?.[1];
  if (fields.length !== 2 || token === undefined || (decision !== 'yes' && decision !== 'no')) return 400;
  return { token, decision };
}
