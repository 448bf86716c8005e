/** Lets MCP answer a request of node:http whose body was parsed already: nothing is written, read and parsed again. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { McpHttpHandler } from '@modelcontextprotocol/server';

export async function exchange(
  handler: McpHttpHandler,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  parsedBody: unknown,
): Promise<void> {
  const left = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableEnded) left.abort();
  });
  const reply = await handler.fetch(requestOf(incoming, left.signal), { parsedBody });
  // MCP always writes `connection: keep-alive`; node:http and the client decide that instead.
  const { connection: _theirs, ...headers } = Object.fromEntries(reply.headers);
  if (outgoing.destroyed) return void reply.body?.cancel().catch(() => undefined);
  if (reply.body !== null && headers['content-type'] === 'text/event-stream') {
    outgoing.writeHead(reply.status, headers);
    await stream(reply.body, outgoing, left.signal);
  } else {
    const body = Buffer.from(await reply.arrayBuffer());
    outgoing.writeHead(reply.status, { ...headers, 'content-length': body.byteLength }).end(body);
  }
}

/** Without a body: MCP gets the parsed one. The path is ours, so that nothing of the client's can make it invalid. */
function requestOf({ method = 'POST', headers }: IncomingMessage, signal: AbortSignal): Request {
  const given = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value] as [string, string]],
  );
  return new Request('http://127.0.0.1/mcp', { method, headers: given, signal });
}

/** Events as they come, no faster than the client takes them. */
async function stream(body: ReadableStream<Uint8Array>, outgoing: ServerResponse, left: AbortSignal): Promise<void> {
  try {
    for await (const chunk of body) {
      if (left.aborted) break;
      // An event and the end of the stream, which mostly follows at once, are one packet.
      outgoing.cork();
      const isTaken = outgoing.write(chunk);
      process.nextTick(() => outgoing.uncork());
      if (!isTaken) await drained(outgoing);
    }
  } finally {
    outgoing.end();
  }
}

function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      outgoing.off('drain', go).off('close', go);
      resolve();
    };
    outgoing.on('drain', go).on('close', go);
  });
}
