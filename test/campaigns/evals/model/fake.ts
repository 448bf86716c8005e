/**
 * A model that is none: an endpoint on loopback that speaks chat completions, and answers by a rule.
 */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the model says to a conversation: all texts so far, and how often it spoke. */
export type Rule = (
  texts: string,
  turn: number,
) => { readonly text?: string; readonly uses?: readonly { readonly name: string; readonly args: unknown }[] };

// biome-ignore lint/suspicious/noExplicitAny: bodies, read field by field
type Body = any;

export async function startFake(rule: Rule) {
  const seen: { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: Body }[] = [];
  /** Answered with these before the next good one. */
  const failures: number[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const body: Body = JSON.parse(text);
    seen.push({ path: request.url ?? '', headers: request.headers, body });
    const failure = failures.shift();
    if (failure !== undefined) {
      response.writeHead(failure).end('{"error": {"message": "not now"}}');
      return;
    }
    const turn = body.messages.filter((one: Body) => one.role === 'assistant').length;
    const { text: words, uses = [] } = rule(textsIn(body).join('\n'), turn);
    const ids = uses.map((use, i) => ({ ...use, id: `call-${seen.length}-${i}` }));
    response.setHeader('content-type', 'application/json');
    const calls = ids.map(({ id, name, args }) => {
      return { id, function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) } };
    });
    const message = { content: words ?? null, ...(calls.length > 0 && { tool_calls: calls }) };
    response.end(JSON.stringify({ choices: [{ message }] }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    seen,
    failures,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function textsIn({ messages }: Body): readonly string[] {
  return messages.flatMap(({ content }: Body) => content ?? []);
}
