/**
 * A proxy in front of the sandbox airline, on a real socket, that changes what its rule says.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { KEY } from './certificates.ts';

export interface Call {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is written as JSON. */
  readonly body?: unknown;
}

/** An answer of its own, another call to pass on, or undefined: pass on as it is. */
export type Rule = (call: Call) => Answer | { readonly pass: Partial<Call> } | 'hang' | 'drop' | undefined;

export interface Front {
  readonly origin: string;
  readonly calls: readonly Call[];
  close(): Promise<void>;
}

export interface FrontOptions {
  /** Origin that calls are passed on to. */
  readonly to?: string;
  readonly certificate?: string;
  /** Changes a reply that was passed back. */
  readonly reply?: (answer: Answer, call: Call) => Answer;
  /** Default 127.0.0.1. */
  readonly name?: string;
}

export async function startFront(rule: Rule, options: FrontOptions = {}): Promise<Front> {
  const calls: Call[] = [];
  const listener: RequestListener = (request, response) => {
    answer(request, response).catch(() => response.destroy());
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const call: Call = {
      method: request.method ?? 'GET',
      url: new URL(request.url ?? '/', 'http://front.invalid'),
      headers: request.headers,
      body: Buffer.concat(chunks).toString('utf8'),
    };
    calls.push(call);
    const ruled = rule(call);
    if (ruled === 'hang') return;
    if (ruled === 'drop') {
      request.socket.destroy();
      return;
    }
    const ruling = ruled !== undefined && 'status' in ruled ? ruled : undefined;
    const given =
      ruling ?? (await passOn({ ...call, ...(ruled as { pass?: Partial<Call> } | undefined)?.pass }, options));
    const { status, headers: sent, body = '' } = options.reply?.(given, call) ?? given;
    const headers = ruling === undefined ? sent : { ...DOUBLE, ...sent };
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const type = typeof body === 'string' ? {} : { 'content-type': 'application/json' };
    response.writeHead(status, { ...type, ...headers }).end(text);
  }

  const { certificate } = options;
  const server =
    certificate === undefined ? createServer(listener) : createTlsServer({ cert: certificate, key: KEY }, listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `${certificate === undefined ? 'http' : 'https'}://${options.name ?? '127.0.0.1'}:${port}`,
    calls,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** What a test double says of itself. */
const DOUBLE = { 'fareclerk-test-double': 'front' };
const PASSED_BACK = ['content-type', 'retry-after', 'fareclerk-test-double'];
const NOT_PASSED = ['host', 'connection', 'content-length', 'transfer-encoding', 'accept-encoding'];

async function passOn({ method, url, headers, body }: Call, { to }: FrontOptions): Promise<Answer> {
  if (to === undefined) return { status: 404, headers: { 'content-type': 'text/html' }, body: '<h1>Not Found</h1>' };
  const kept = Object.entries(headers).filter(([name]) => !NOT_PASSED.includes(name));
  const reply = await fetch(new URL(url.pathname + url.search, to), {
    method,
    headers: Object.fromEntries(kept) as Record<string, string>,
    redirect: 'manual',
    ...(method === 'POST' && { body }),
  });
  const passed = [...reply.headers].filter(([name]) => PASSED_BACK.includes(name));
  return { status: reply.status, headers: Object.fromEntries(passed), body: await reply.text() };
}
