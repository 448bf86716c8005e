/** What an address answers, before a fault touches it. */
import type { IncomingHttpHeaders } from 'node:http';
import { type Refusal, refusalBody } from './refusal.ts';

export interface Incoming {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** A call that found its address. */
export interface Call {
  /** The name that faults are ordered by. */
  readonly name: string;
  /** Throws Refusal. */
  answer(): Reply;
}

export function jsonReply(status: number, body: unknown): Reply {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };
  return { status, headers, body: JSON.stringify(body) };
}

export function refusalReply(refusal: Refusal, at: number): Reply {
  return jsonReply(refusal.status, refusalBody(refusal, at));
}

export function emptyReply(status: number): Reply {
  return { status, headers: {}, body: '' };
}
