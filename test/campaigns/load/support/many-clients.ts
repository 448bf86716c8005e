/**
 * Many clients of one server at once, in a process of their own: each has one kept connection, shakes hands, lists the
 * tools, searches, reads a booking; some leave a stream of changes open.
 */
import { Agent, request } from 'node:http';

/** What a round of all clients told. */
export interface Round {
  /** Answers by HTTP status and outcome. */
  readonly outcomes: ReadonlyMap<string, number>;
  readonly streams: number;
  readonly ms: readonly number[];
}

export interface ManyClientsOptions {
  readonly url: string;
  readonly tokens: readonly string[];
  /** Arguments of the calls. */
  readonly search: object;
  readonly read: object;
  /** How many of the clients open a stream. */
  readonly streams: number;
}

interface Answer {
  readonly status: number;
  readonly outcome: string;
}

const REVISION = '2026-07-28';
const OLD_REVISION = '2025-06-18';
const META = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientCapabilities': {},
};
/** The server may be slow with so many; a client that gives up is a failure. */
const PATIENCE_MS = 90_000;

/** Connects all at the same moment, plays the mix once, and leaves. */
export async function playRound(options: ManyClientsOptions): Promise<Round> {
  const outcomes = new Map<string, number>();
  const ms: number[] = [];
  const note = (what: string, { status, outcome }: Answer) => {
    const key = `${what} ${status === 200 || status === 202 ? outcome : status === 0 ? outcome : `http ${status}`}`;
    outcomes.set(key, (outcomes.get(key) ?? 0) + 1);
  };
  let streams = 0;
  const play = async (token: string, n: number) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const post = async (what: string, method: string, params?: object, name?: string) => {
      const began = performance.now();
      note(
        what,
        await ask({ url: options.url, token, agent, method, ...(params && { params }), ...(name && { name }) }),
      );
      ms.push(performance.now() - began);
    };
    const info = { protocolVersion: OLD_REVISION, capabilities: {}, clientInfo: { name: 'many', version: '1' } };
    await post('initialize', 'initialize', info);
    await post('tools/list', 'tools/list', { _meta: META });
    const listens = n < options.streams ? listen(options.url, token) : undefined;
    await post(
      'search_fares',
      'tools/call',
      { name: 'search_fares', arguments: options.search, _meta: META },
      'search_fares',
    );
    await post(
      'read_booking',
      'tools/call',
      { name: 'read_booking', arguments: options.read, _meta: META },
      'read_booking',
    );
    if (listens && (await listens.opened)) streams++;
    return () => {
      listens?.leave();
      agent.destroy();
    };
  };
  const leave = await Promise.all(options.tokens.map(play));
  for (const one of leave) one();
  return { outcomes, streams, ms };
}

interface Asked {
  readonly url: string;
  readonly token: string;
  readonly agent: Agent;
  readonly method: string;
  readonly params?: object;
  readonly name?: string;
}

function headersOf(token: string, method: string, name?: string) {
  const modern = method !== 'initialize';
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    authorization: `Bearer ${token}`,
    ...(modern && { 'mcp-protocol-version': REVISION, 'mcp-method': method }),
    ...(name !== undefined && { 'mcp-name': name }),
  };
}

function ask({ url, token, agent, method, params, name }: Asked): Promise<Answer> {
  return new Promise((resolve) => {
    const fail = (outcome: string) => resolve({ status: 0, outcome });
    const headers = headersOf(token, method, name);
    const asked = request(url, { method: 'POST', agent, headers, timeout: PATIENCE_MS }, (reply) => {
      const chunks: Buffer[] = [];
      reply.on('data', (chunk: Buffer) => chunks.push(chunk));
      reply.on('error', () => fail('cut'));
      reply.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: reply.statusCode ?? 0, outcome: reply.statusCode === 200 ? outcomeIn(text) : '' });
      });
    });
    asked.on('timeout', () => asked.destroy(new Error('late')));
    asked.on('error', (error: NodeJS.ErrnoException) => fail(error.code ?? error.message));
    asked.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method, ...(params && { params }) }));
  });
}

function outcomeIn(text: string): string {
  const message = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text);
  return message.result?.structuredContent?.error?.code ?? (message.result ? 'ok' : 'no result');
}

/** A stream of changes on a connection of its own; `opened` says whether the server took it. */
function listen(url: string, token: string): { readonly opened: Promise<boolean>; leave(): void } {
  const { promise: opened, resolve } = Promise.withResolvers<boolean>();
  const method = 'subscriptions/listen';
  const asked = request(url, { method: 'POST', agent: false, headers: headersOf(token, method) }, (reply) => {
    resolve(reply.statusCode === 200);
    reply.on('error', () => undefined);
    reply.resume();
  });
  asked.on('error', () => resolve(false));
  asked.end(
    JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method,
      params: { notifications: { toolsListChanged: true }, _meta: META },
    }),
  );
  return { opened, leave: () => void asked.destroy() };
}
