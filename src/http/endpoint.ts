/**
 * Serves /mcp: authenticates the caller, applies rates and sizes, then lets MCP answer with one server per request. In order: the
 * endpoint, the request under way, the checks before MCP, the server of a request, what is in flight, and the messages of a body.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { requiredScope, SCOPES } from '../access/scopes.ts';
import type { Clerk } from '../clerk/clerk.ts';
import { RequestRates } from '../clerk/request-rates.ts';
import { field } from '../core/own.ts';
import type { Caller } from '../domain/people/caller.ts';
import { answerTo, faultOf, type MessageFault, withoutNulls } from '../mcp/messages.ts';
import { createMcpServer } from '../mcp/server.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Tool } from '../tools/definition/define.ts';
import { refusedFor } from './access-line.ts';
import type { Authenticate, Challenger } from './authenticate.ts';
import { type AuthenticatedCaller, callerClerk } from './caller-clerk.ts';
import { acceptedTypes, EVENTS, errorReply, exchange, JSON_TYPE, readJson, tooMany } from './exchange.ts';
import type { HttpLimits } from './limits.ts';

/** Stands for the answer that MCP has written itself. */
const ANSWERED = new Response();

/**
 * The caller and the noted errors of the request in which the code runs. MCP's handler creates servers and reports errors by callbacks
 * that do not say for which request.
 */
const currentRequest = new AsyncLocalStorage<{ readonly caller: AuthenticatedCaller; readonly errors: unknown[] }>();

interface EndpointOptions {
  readonly clerk: Clerk;
  readonly version: string;
  readonly authenticate: Authenticate;
  /** Absent without an issuer. */
  readonly challenger?: Challenger;
  readonly metrics?: Metrics;
  readonly limits: HttpLimits;
  /** Receives errors of ours that MCP answered with 500. */
  onFailure(error: unknown): void;
}

export interface Endpoint {
  /** Writes MCP's answer itself; otherwise returns the reply to send. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<Response>;
  /** Ends streams that would never end by themselves. */
  endStreams(): Promise<void>;
  /** Resolves when no call is in flight, even if its caller left. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

export function createEndpoint(options: EndpointOptions): Endpoint {
  const { limits } = options;
  const requests = new InFlight();

  const calls = new InFlight();
  const checkCall = createCallCheck(options, calls);
  const createServer = () => serverFor(currentCaller(), options, calls);
  const callHandler = createMcpHandler(createServer, { onerror: noteError });
  const streamHandler = createMcpHandler(createServer, { onerror: noteError, maxSubscriptions: limits.subscriptions });

  return {
    async handle(request, response) {
      const checked = await checkCall(request);
      if (checked instanceof Response) return checked;

      const { caller, body } = checked;
      const messages = messagesIn(body);
      const isStream = isListening(messages);
      const accepted = acceptedTypes(request);
      if (accepted.length === 0 || (isStream && !accepted.includes(EVENTS)))
        return errorReply(406, `Answers are ${isStream ? EVENTS : 'application/json or text/event-stream'}.`);

      const run = async () => {
        const errors: unknown[] = [];
        await currentRequest.run({ caller, errors }, () =>
          exchange(isStream ? streamHandler : callHandler, request, response, { body, accepted }),
        );
        // Mistakes of the caller are noted too, but only ours are logged.
        if (response.statusCode >= 500) for (const error of errors) options.onFailure(error);
      };

      await (isStream ? run() : requests.run(callerKey(caller.caller), run));
      return ANSWERED;
    },

    endStreams: () => streamHandler.close(),

    async idle() {
      await Promise.all([requests.idle(), calls.idle()]);
    },

    close: () => callHandler.close(),
  };
}

function currentCaller(): AuthenticatedCaller {
  const request = currentRequest.getStore();
  if (request === undefined) throw new Error('a call outside of a request');
  return request.caller;
}

function noteError(error: unknown): void {
  currentRequest.getStore()?.errors.push(error);
}

/** Checks who calls, the rates, the body and the scopes, in this order. Returns the reply to a refused request. */
function createCallCheck(
  { clerk, limits, challenger, authenticate }: EndpointOptions,
  inFlight: InFlight,
): (request: IncomingMessage) => Promise<{ readonly caller: AuthenticatedCaller; readonly body: unknown } | Response> {
  const rates = new RequestRates(limits.calls);
  return async (request) => {
    if (request.method !== 'POST') return errorReply(405, 'Only POST is allowed here.', { allow: 'POST' });

    const caller = await authenticate(request);
    if (caller instanceof Response) return caller;

    const key = callerKey(caller.caller);
    const waitForRequest = rates.count(key);
    if (waitForRequest > 0) return slowDown(request, waitForRequest);

    if (inFlight.countFor(key) >= limits.callsAtOnce) {
      return refusedFor(request, 'rate', tooMany('Too many calls at once.', 1));
    }

    const parsed = await readJson(request, limits);
    if (parsed instanceof Response) return parsed;

    const body = fixed(parsed.value);
    if (Array.isArray(body) && body.length > limits.batch)
      return errorReply(400, `More than ${limits.batch} messages at once.`);

    const fault = faultIn(body);
    if (fault !== undefined)
      return new Response(answerTo(fault, null), { status: 400, headers: { 'content-type': JSON_TYPE } });

    const messages = messagesIn(body);
    // The first message was counted as the request.
    const waitForBatch = messages.length > 1 ? rates.count(key, messages.length - 1) : 0;
    if (waitForBatch > 0) return slowDown(request, waitForBatch);

    const challenge = scopeChallenge(caller, messages, clerk.tools, challenger);
    return challenge === undefined ? { caller, body } : refusedFor(request, 'scope', challenge);
  };
}

/** The reply to a caller who lacks a scope of a called tool, or has none of ours at all. Undefined without an issuer. */
function scopeChallenge(
  { scopes }: AuthenticatedCaller,
  messages: readonly JsonRpcMessage[],
  tools: readonly Tool[],
  challenger: Challenger | undefined,
): Response | undefined {
  if (scopes === undefined || challenger === undefined) return undefined;
  const neededScopes = scopesNeeded(messages, tools);
  if (neededScopes.some((scope) => !scopes.has(scope))) return challenger.insufficient(neededScopes, scopes);
  if (!SCOPES.some((scope) => scopes.has(scope))) return challenger.insufficient(SCOPES, scopes);
  return undefined;
}

function slowDown(request: IncomingMessage, seconds: number): Response {
  return refusedFor(request, 'rate', tooMany('Too many calls: slow down.', seconds));
}

/**
 * Creates the MCP server of one request. It counts calls apart from requests: a caller who leaves ends the request, not the call.
 */
function serverFor(authenticated: AuthenticatedCaller, { clerk, metrics, version }: EndpointOptions, calls: InFlight) {
  const { caller, scopes } = authenticated;
  const limitedClerk = callerClerk(clerk, authenticated);

  const countingClerk: Clerk = {
    ...limitedClerk,
    call: (name, args, asker) =>
      calls.run(callerKey(caller), async () => {
        const started = performance.now();
        const answer = await limitedClerk.call(name, args, asker);
        metrics?.countCall(name, (performance.now() - started) / 1000, answer);
        return answer;
      }),
  };

  // The list of tools depends on the granted scopes.
  return createMcpServer(countingClerk, { version, caller, cacheScope: scopes ? 'private' : 'public' });
}

function callerKey({ tenant, id }: Caller): string {
  return JSON.stringify([tenant, id]);
}

/** The requests or calls that are being answered, by caller. The server waits for them when it stops. */
class InFlight {
  readonly #running = new Map<Promise<unknown>, string>();

  /** Counts what is in flight for this caller. */
  countFor(key: string): number {
    return [...this.#running.values()].filter((callersKey) => callersKey === key).length;
  }

  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const running = work();
    this.#running.set(running, key);
    return running.finally(() => this.#running.delete(running));
  }

  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running.keys());
  }
}

interface JsonRpcMessage {
  readonly method?: unknown;
  readonly params?: unknown;
}

/** The body without the nulls that stand for what a host leaves out. */
function fixed(body: unknown): unknown {
  return Array.isArray(body) ? body.map(fixed) : (withoutNulls(body) ?? body);
}

/** What is wrong with a body. A batch is refused whole: nobody has to find out which of its messages were carried out. */
function faultIn(body: unknown): MessageFault | undefined {
  if (!Array.isArray(body)) return faultOf(body);
  const faults = body.map((message) => faultOf(message));
  const at = faults.findIndex((fault) => fault !== undefined);
  const { error } = faults[at] ?? {};
  return error && { error: { ...error, message: `Message ${at + 1} of ${body.length}: ${error.message}` } };
}

function messagesIn(body: unknown): readonly JsonRpcMessage[] {
  const list: readonly unknown[] = Array.isArray(body) ? body : [body];
  return list.filter((message): message is JsonRpcMessage => typeof message === 'object' && message !== null);
}

/** Scopes of the called tools. Unknown names need none: MCP refuses them. */
function scopesNeeded(messages: readonly JsonRpcMessage[], tools: readonly Tool[]): readonly string[] {
  const calls = messages.filter(({ method }) => method === 'tools/call');
  const calledNames = calls.map(({ params }) => field(params, 'name'));
  return tools.filter(({ name }) => calledNames.includes(name)).map(requiredScope);
}

/** Whether the body opens an endless stream of changes. */
function isListening(messages: readonly JsonRpcMessage[]): boolean {
  return messages.some(({ method }) => method === 'subscriptions/listen');
}
