/**
 * A call that found its address: the credentials that it must carry, and what it answers before a fault touches it
 * (docs/wire/interface.md, Authentication; docs/wire/notes.md, Addressing).
 */
import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { SandboxContext } from './carrier.ts';
import { isLiveToken } from './identity.ts';
import { Refusal, refusalBody } from './refusal.ts';

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

function same(given: string, due: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(due)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Checks the method, which `words` name, the key and the token. Throws 320, 175 or 497. */
export function admit(context: SandboxContext, incoming: Incoming, method: 'GET' | 'POST', words: string): void {
  if (incoming.method !== method) throw new Refusal('320', `${words} ${method}`, 405);
  const { 'x-api-key': key, authorization } = incoming.headers;
  if (context.accepts !== 'token' && !(typeof key === 'string' && same(key, context.credentials.apiKey))) {
    throw new Refusal('175', 'header x-api-key missing or unknown');
  }
  if (context.accepts === 'key') return;
  const token = /^Bearer ([\w.~+/-]+=*)$/i.exec(authorization ?? '')?.[1];
  if (token === undefined) throw new Refusal('497', 'header authorization: a bearer token is due');
  if (!isLiveToken(context.state, token, context.clock.now()))
    throw new Refusal('497', 'the access token is unknown or expired');
}
