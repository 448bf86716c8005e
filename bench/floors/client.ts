/**
 * The least that can be called a client of the airline: the SDK and undici. No check, no state. What becomes of the
 * airline's replies is given.
 */
import { type CallToolResult, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { Agent, type Dispatcher, request } from 'undici';
import * as z from 'zod';

const { FARECLERK_BASE_URL: base = '', FARECLERK_GATEWAY_URL: gateway = '' } = process.env;
const { FARECLERK_AGENT_ID: id, FARECLERK_AGENCY_ID: name, FARECLERK_API_KEY: key = '' } = process.env;
const pos = { source: [{ bookingChannel: { type: 'OTA' }, requestorID: { type: '5', id, name } }] };
const dispatcher = new Agent({ connections: 64 });

type Options = { method: Dispatcher.HttpMethod; headers?: Record<string, string>; body?: string };

// biome-ignore lint/suspicious/noExplicitAny: whatever the airline sent
async function ask(url: string, { headers, ...options }: Options): Promise<any> {
  const all = { 'x-api-key': key, 'content-type': 'application/json', ...headers };
  const reply = await request(url, { ...options, headers: all, dispatcher });
  if (reply.statusCode !== 200) throw new Error(`upstream ${reply.statusCode}`);
  return reply.body.json();
}

function post(message: string, body: object) {
  const text = JSON.stringify({ version: '2.001', pos, ...body });
  return ask(base, { method: 'POST', headers: { 'local-name': message }, body: text });
}

/** Text and structured content of a result. */
export interface Made {
  readonly text: string;
  readonly reply: unknown;
}

/** What becomes of the replies to a search and to a reading. */
export interface Makes {
  // biome-ignore lint/suspicious/noExplicitAny: whatever the airline sent
  readonly search: (reply: any) => Made;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the airline sent
  readonly read: (reply: any) => Made;
}

/** The reply as it is. */
export const passed = (reply: unknown): Made => ({ text: JSON.stringify(reply).slice(0, 4_000), reply });

const resultOf = ({ text, reply }: Made): CallToolResult => ({
  content: [{ type: 'text', text }],
  structuredContent: { reply },
});

const common = { outputSchema: z.object({ reply: z.unknown() }), annotations: { readOnlyHint: true } };
const leg = z.object({ from: z.string(), to: z.string(), date: z.string() });
const search = z.object({ legs: z.array(leg), passengers: z.object({ adults: z.int() }) });

export function serveClient(own: string, makes: Makes): void {
  serveStdio(() => {
    const server = new McpServer({ name: own, version: '1.0.0' });
    server.registerTool(
      'search_fares',
      { ...common, description: 'Lowest fares.', inputSchema: search },
      async ({ legs }) =>
        resultOf(makes.search(await post('OTA_AirLowFareSearchRQ', { originDestinationInformation: legs }))),
    );
    server.registerTool(
      'read_booking',
      { ...common, description: 'A booking.', inputSchema: z.object({ locator: z.string() }) },
      async ({ locator }) => {
        const readRequests = { readRequest: [{ uniqueID: { type: '14', id: locator } }] };
        return resultOf(makes.read(await post('OTA_ReadRQ', { readRequests })));
      },
    );
    server.registerTool('list_routes', { ...common, description: 'Routes.', inputSchema: z.object({}) }, async () =>
      resultOf(passed(await ask(`${gateway}/schedule/routes?sales_channel=OTA`, { method: 'GET' }))),
    );
    return server;
  });
}
