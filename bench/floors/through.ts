/**
 * The least that can be called a client of the airline: the SDK, undici, and the reply passed through. No mapping, no
 * check, no state. What our own work per call is judged against.
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

function passed(reply: unknown): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(reply).slice(0, 4_000) }],
    structuredContent: { reply },
  };
}

const common = { outputSchema: z.object({ reply: z.unknown() }), annotations: { readOnlyHint: true } };
const leg = z.object({ from: z.string(), to: z.string(), date: z.string() });
const search = z.object({ legs: z.array(leg), passengers: z.object({ adults: z.int() }) });

serveStdio(() => {
  const server = new McpServer({ name: 'floor-through', version: '1.0.0' });
  server.registerTool(
    'search_fares',
    { ...common, description: 'Lowest fares.', inputSchema: search },
    async ({ legs }) => {
      const reply = await post('OTA_AirLowFareSearchRQ', { originDestinationInformation: legs });
      return passed(reply.pricedItineraries?.pricedItinerary?.slice(0, 10));
    },
  );
  server.registerTool(
    'read_booking',
    { ...common, description: 'A booking.', inputSchema: z.object({ locator: z.string() }) },
    async ({ locator }) => {
      const readRequests = { readRequest: [{ uniqueID: { type: '14', id: locator } }] };
      return passed((await post('OTA_ReadRQ', { readRequests })).airReservation);
    },
  );
  server.registerTool('list_routes', { ...common, description: 'Routes.', inputSchema: z.object({}) }, async () =>
    passed(await ask(`${gateway}/schedule/routes?sales_channel=OTA`, { method: 'GET' })),
  );
  return server;
});
