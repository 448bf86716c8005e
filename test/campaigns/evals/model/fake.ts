/**
 * A model that is none: an endpoint on loopback that speaks both APIs, and answers by a rule.
 */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Seen {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of two APIs, read field by field
  readonly body: any;
}

export interface FakeUse {
  readonly name: string;
  readonly args: unknown;
}

/** What the model says to a conversation: all texts so far, oldest first. */
export type Rule = (
  texts: readonly string[],
  turn: number,
) => { readonly text?: string; readonly uses?: readonly FakeUse[] };

export interface Fake {
  readonly address: string;
  readonly seen: Seen[];
  /** Answers with this status before the next good one. */
  fail(status: number, retryAfter?: string): void;
  close(): Promise<void>;
}

export async function startFake(rule: Rule): Promise<Fake> {
  const seen: Seen[] = [];
  const failures: { readonly status: number; readonly retryAfter: string | undefined }[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const body = JSON.parse(text);
    seen.push({ path: request.url ?? '', headers: request.headers, body });
    const failure = failures.shift();
    if (failure !== undefined) {
      response.writeHead(failure.status, failure.retryAfter === undefined ? {} : { 'retry-after': failure.retryAfter });
      response.end('{"error": {"message": "not now"}}');
      return;
    }
    const anthropic = request.url?.endsWith('/messages') ?? false;
    const said = rule(textsIn(body), body.messages.filter((one: { role: string }) => one.role === 'assistant').length);
    const uses = (said.uses ?? []).map((use, i) => ({ ...use, id: `call-${seen.length}-${i}` }));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(anthropic ? asMessages(said.text, uses) : asCompletion(said.text, uses)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    seen,
    fail: (status, retryAfter) => failures.push({ status, retryAfter }),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

type Use = FakeUse & { readonly id: string };

const written = (args: unknown): string => (typeof args === 'string' ? args : JSON.stringify(args));

function asCompletion(text: string | undefined, uses: readonly Use[]) {
  const calls = uses.map(({ id, name, args }) => ({
    id,
    type: 'function',
    function: { name, arguments: written(args) },
  }));
  return {
    choices: [
      { message: { role: 'assistant', content: text ?? null, ...(calls.length > 0 && { tool_calls: calls }) } },
    ],
  };
}

function asMessages(text: string | undefined, uses: readonly Use[]) {
  const words = text === undefined ? [] : [{ type: 'text', text }];
  return { content: [...words, ...uses.map(({ id, name, args }) => ({ type: 'tool_use', id, name, input: args }))] };
}

/** Every text of a body's messages, in either API's words. */
function textsIn(body: { messages: readonly { content?: unknown }[] }): readonly string[] {
  const texts = (content: unknown): readonly string[] => {
    if (typeof content === 'string') return [content];
    if (!Array.isArray(content)) return [];
    return content.flatMap((block: { text?: string; content?: string }) => block.text ?? block.content ?? []);
  };
  return body.messages.flatMap(({ content }) => texts(content));
}
