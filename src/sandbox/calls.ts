/** Calls of the airline, their replies, and the credentials that they need (docs/wire/notes.md, Addressing). */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
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

/** A call whose address is known. */
export interface Call {
  /** Its message, or the name of another address: `token`, `routes`, `download`. */
  readonly name: string;
  /** Lets the airline act, and returns its reply. Throws Refusal. */
  answer(): Reply;
}

/** A call that has arrived, and on which the airline has not acted. */
export interface HeldCall extends Incoming, Pick<Call, 'name'> {
  /** Lets the airline act, and returns its reply. */
  act(): Reply;
  /** ms epoch by the airline's clock. */
  now(): number;
  /** What a hook writes to that answers by itself: in pieces, late, or never. */
  readonly response: ServerResponse;
}

/**
 * Decides how a call is answered: is called with each one before the airline acts. Undefined: the airline acts and
 * answers. A reply: this is sent instead. `taken`: the hook answers by itself.
 */
export type Before = (call: HeldCall) => Reply | 'taken' | undefined;

export function sendReply(response: ServerResponse, reply: Reply): void {
  if (response.destroyed) return;
  response.writeHead(reply.status, { ...reply.headers, 'content-length': Buffer.byteLength(reply.body) });
  response.end(reply.body);
}

export function jsonReply(status: number, body: unknown): Reply {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };
  return { status, headers, body: JSON.stringify(body) };
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal('320', '$: no JSON');
  }
}

export function refusalReply(refusal: Refusal, at: number): Reply {
  return jsonReply(refusal.status, refusalBody(refusal, at));
}

/** Checks method, API key and access token. Throws Refusal. `subject` begins that of another method: `downloads are`. */
export function admit(context: SandboxContext, incoming: Incoming, method: 'GET' | 'POST', subject: string): void {
  const { accepts, credentials, state, clock } = context;
  if (incoming.method !== method) throw new Refusal('320', `${subject} ${method}`, 405);

  const { 'x-api-key': key, authorization } = incoming.headers;
  if (accepts !== 'token' && key !== credentials.apiKey)
    throw new Refusal('175', 'header x-api-key missing or unknown');
  if (accepts === 'key') return;

  const token = /^Bearer ([\w.~+/-]+=*)$/i.exec(authorization ?? '')?.[1];
  if (token === undefined) throw new Refusal('497', 'header authorization: a bearer token is due');
  if (!isLiveToken(state, token, clock.now())) throw new Refusal('497', 'the access token is unknown or expired');
}
