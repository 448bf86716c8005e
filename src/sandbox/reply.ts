/**
 * What an address answers, before a mishap touches it.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { type Fault, faultBody } from './refusal.ts';

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
  /** The name that mishaps are ordered by. */
  readonly name: string;
  /** Throws Fault. */
  answer(): Reply;
}

export function jsonReply(status: number, body: unknown): Reply {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };
  return { status, headers, body: JSON.stringify(body) };
}

export function faultReply(fault: Fault, at: number): Reply {
  return jsonReply(fault.status, faultBody(fault, at));
}

export function emptyReply(status: number): Reply {
  return { status, headers: {}, body: '' };
}
