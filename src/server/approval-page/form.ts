/** The form of the page: its token, and how a submitted form is read. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { readBytes } from '../http/body.ts';

/** The form is a few dozen bytes. */
const MOST_BYTES = 4096;

export interface Submitted {
  readonly token: string;
  /** `look`, `all` and `none` decide nothing: they show the page again, as it is filled in or with all or no ticks. */
  readonly decision: 'yes' | 'no' | 'stop' | 'look' | 'all' | 'none';
  /** The ticked lines of a plan, from 1. */
  readonly lines: readonly number[];
}

/** What the form of a page can say. */
export interface FormFields {
  readonly decisions: readonly Submitted['decision'][];
  /** Lines that can be ticked. */
  readonly lines: readonly number[];
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
 * Reads `application/x-www-form-urlencoded` with exactly the fields `token` and `decision`, once each, and for a plan any of
 * its lines once as `line`.
 * @returns the HTTP status of the reply if the form is refused.
 */
export async function readForm(request: IncomingMessage, may: FormFields): Promise<Submitted | 400 | 413 | 415> {
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded') return 415;
  if (request.headers['content-encoding'] !== undefined) return 415;
  const body = await readBytes(request, MOST_BYTES);
  if (body === undefined) return 413;
  const fields = [...new URLSearchParams(body.toString('utf8'))];
  const token = fields.find(([name]) => name === 'token')?.[1];
  const given = fields.find(([name]) => name === 'decision')?.[1];
  const decision = may.decisions.find((one) => one === given);
  const ticked = fields.filter(([name]) => name === 'line').map(([, value]) => value);
  if (fields.length !== 2 + ticked.length || token === undefined || decision === undefined) return 400;
  const lines = may.lines.filter((line) => ticked.includes(String(line)));
  return lines.length === ticked.length ? { token, decision, lines } : 400;
}
