/**
 * /mcp: who calls, how much, how large; then MCP itself, one server per request.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type NodeMcpRequestHandler, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { Claims } from '../../approvals/booking-access.ts';
import { SCOPES } from '../../approvals/scopes.ts';
import type { Caller } from '../../domain/people/caller.ts';
import type { Clerk } from '../clerk.ts';
import { createMcpServer } from '../mcp/server.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { type Gatekeeper, tooMany } from './authenticate.ts';
import { readJson } from './body.ts';
import { clerkOf } from './caller-clerk.ts';
import type { Challenger } from './challenge.ts';
import { currentVisit, during, noteError, type Visit } from './current-caller.ts';
import { type Reply, refusal, send } from './error-reply.ts';
import { UnderWay } from './in-flight.ts';
import type { HttpLimits } from './limits.ts';
import { isListening, messagesIn, scopesNeeded, traceIn } from './messages.ts';
import { Buckets } from './rate.ts';

export interface EndpointOptions {
  readonly clerk: Clerk;
  readonly version: string;
  readonly gatekeeper: Gatekeeper;
  /** With an issuer. */
  readonly challenger?: Challenger;
  readonly metrics?: Metrics;
  readonly claims: Claims;
  readonly limits: HttpLimits;
  /** A mistake of ours that MCP answered with 500. */
  failed(error: unknown): void;
}

export interface Endpoint {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Ends streams that would never end by themselves. */
  endStreams(): Promise<void>;
  /** Resolves when no call is under way, whether or not its caller is still there. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

/** Asked before MCP: who is it, may they, and is there room. */
interface Asked {
  readonly visit: Visit;
  readonly body: unknown;
}

export function createEndpoint(options: EndpointOptions): Endpoint {
  const { clerk, limits, challenger, claims } = options;
  const calls = new Buckets(limits.calls);
  const requests = new UnderWay();
  const working = new UnderWay();

  /** Calls are awaited apart from requests: a caller who leaves ends the request, not the call. */
  const awaited = (mine: Clerk, key: string): Clerk => ({
    ...mine,
    call: (name, args, how) =>
      working.run(key, async () => {
        const started = performance.now();
        const answer = await mine.call(name, args, how);
        options.metrics?.called(name, (performance.now() - started) / 1000, answer);
        return answer;
      }),
  });

  const serverOf = () => {
    const visit = currentVisit();
    const mine = awaited(clerkOf({ clerk, visit, claims }), keyOf(visit.caller));
    // Which tools there are follows from what the token was granted.
    const cacheScope = visit.scopes === undefined ? 'public' : 'private';
    return createMcpServer(mine, { version: options.version, caller: () => visit.caller, cacheScope });
  };
  const answering = createMcpHandler(serverOf, { onerror: noteError });
  const listening = createMcpHandler(serverOf, { onerror: noteError, maxSubscriptions: limits.subscriptions });
  const [answer, listen] = [answering, listening].map((handler) => toNodeHandler(handler, { onerror: noteError }));

  async function ask(request: IncomingMessage): Promise<Asked | Reply> {
    if (request.method !== 'POST') return refusal(405, 'Only POST is taken here.', { allow: 'POST' });
    const admitted = await options.gatekeeper(request);
    if ('reply' in admitted) return admitted.reply;
    const { visit } = admitted;
    const key = keyOf(visit.caller);
    const wait = calls.take(key);
    if (wait > 0) return tooMany('Too many calls: slow down.', wait);
    if (working.of(key) >= limits.callsAtOnce) return tooMany('Too many calls at once.', 1);
    const read = await readJson(request, limits);
    if ('reply' in read) return read.reply;
    return mayAsk(visit, read.value) ?? { visit, body: read.value };
  }

  function mayAsk(visit: Visit, body: unknown): Reply | undefined {
    const messages = messagesIn(body);
    if (Array.isArray(body) && body.length > limits.batch)
      return refusal(400, `More than ${limits.batch} messages at once.`);
    const wait = messages.length > 1 ? calls.take(keyOf(visit.caller), messages.length - 1) : 0;
    if (wait > 0) return tooMany('Too many calls: slow down.', wait);
    const { scopes } = visit;
    if (scopes === undefined || challenger === undefined) return undefined;
    const needed = scopesNeeded(messages, clerk.tools);
    const missing = needed.some((scope) => !scopes.has(scope));
    if (!missing && SCOPES.some((scope) => scopes.has(scope))) return undefined;
    return challenger.insufficient(missing ? needed : SCOPES, scopes);
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = await ask(request);
    if ('status' in asked) return send(response, asked);
    const { visit, body } = asked;
    const messages = messagesIn(body);
    const streams = isListening(messages);
    const serve = (streams ? listen : answer) as NodeMcpRequestHandler;
    const run = async () => {
      const trace = traceIn(messages, request.headers);
      const incoming = request as Parameters<NodeMcpRequestHandler>[0];
      const errors = await during(visit, trace, () => serve(incoming, withoutConnection(response), body));
      // What a caller did wrong is noted too; only what we did wrong is told.
      if (response.statusCode >= 500) for (const error of errors) options.failed(error);
    };
    await (streams ? run() : requests.run(keyOf(visit.caller), run));
  }

  return {
    handle,
    endStreams: () => listening.close(),
    async idle() {
      await Promise.all([requests.idle(), working.idle()]);
    },
    close: () => answering.close(),
  };
}

type ResponseLike = Parameters<NodeMcpRequestHandler>[1];

/** Whether the connection stays is between node:http and the client; MCP says `keep-alive` whatever was asked. */
function withoutConnection(response: ServerResponse): ResponseLike {
  return {
    writeHead: (status, { connection: _theirs, ...headers } = {}) => response.writeHead(status, headers),
    write: (chunk) => response.write(chunk),
    end: (chunk) => response.end(chunk),
    on: (event, listener) => response.on(event, listener),
    get destroyed() {
      return response.destroyed;
    },
  };
}

function keyOf({ tenant, id }: Caller): string {
  return JSON.stringify([tenant, id]);
}
