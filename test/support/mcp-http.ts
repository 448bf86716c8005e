/**
 * Tool calls over HTTP as programs make them, with as little of a client as possible: what is measured is the server.
 */
import http from 'node:http';
import https from 'node:https';

/** A JSON object of which a measure or a proof reads whatever the contract names. */
// biome-ignore lint/suspicious/noExplicitAny: results are read by field, not checked here
export type Fields = any;

export interface Called {
  readonly ms: number;
  /** HTTP status; 0 where the connection ended. */
  readonly status: number;
  /** `ok`, a status of a tool that asks, an error code, or `http NNN`. */
  readonly outcome: string;
  readonly structured: Fields;
  /** The text half. */
  readonly text: string;
}

export interface McpCaller {
  call(name: string, args?: object): Promise<Called>;
  close(): void;
}

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo';

/**
 * @param url of the endpoint, `http://127.0.0.1:8765/mcp`; connections are kept, as many as are used at once.
 * @param ca certificate authority of an https address, PEM
 * @param client what the program says of itself
 */
export function mcpCaller(
  url: string,
  token?: string,
  ca?: string,
  client?: { readonly name: string; readonly version: string },
): McpCaller {
  const { Agent, request } = url.startsWith('https:') ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, ...(ca !== undefined && { ca }) });
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  return {
    call(name, args = {}) {
      const params = { name, arguments: args, _meta: { ...META, ...(client && { [CLIENT_INFO]: client }) } };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
      const sent = performance.now();
      return new Promise((resolve) => {
        const end = (status: number, text: string) =>
          resolve({ ms: performance.now() - sent, status, ...told(status, text) });
        const asked = request(url, { method: 'POST', agent, headers: { ...headers, 'mcp-name': name } }, (reply) => {
          const chunks: Buffer[] = [];
          reply.on('data', (chunk: Buffer) => chunks.push(chunk));
          reply.on('end', () => end(reply.statusCode ?? 0, Buffer.concat(chunks).toString('utf8')));
          reply.on('error', () => end(0, ''));
        });
        asked.on('error', () => end(0, ''));
        asked.end(body);
      });
    },
    close: () => agent.destroy(),
  };
}

/** What a message says, as the body of a reply with this status. */
function told(status: number, text: string): Pick<Called, 'outcome' | 'structured' | 'text'> {
  if (status !== 200) return { outcome: `http ${status}`, structured: {}, text: '' };
  const message = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) as Fields;
  const structured = message.result?.structuredContent ?? {};
  const outcome = structured.error?.code ?? structured.status ?? (message.result ? 'ok' : 'no result');
  return { outcome, structured, text: message.result?.content?.[0]?.text ?? '' };
}
