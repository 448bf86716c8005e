/**
 * The pass-through client, which a call of ours is compared with: the SDK and undici. It gives the airline's reply as it
 * is: no mapping, no check, no state.
 */
import { type CallToolResult, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { Agent, type Dispatcher, request } from 'undici';
import * as z from 'zod';

const { FARECLERK_BASE_URL: base = '', FARECLERK_GATEWAY_URL: gateway = '' } = process.env;
const { FARECLERK_AGENT_ID: id, FARECLERK_AGENCY_ID: name, FARECLERK_API_KEY: key = '' } = process.env;
const pos = { source: [{ bookingChannel: { type: 'OTA' }, requestorID: { type: '5', id, name } }] };
const dispatcher = new Agent({ connections: 64 });

// biome-ignore lint/suspicious/noExplicitAny: whatever the airline sent
async function ask(url: string, method: Dispatcher.HttpMethod, more: object = {}, body?: string): Promise<any> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json', ...more };
  const reply = await request(url, { method, headers, body, dispatcher });
  if (reply.statusCode !== 200) throw new Error(`upstream ${reply.statusCode}`);
  return reply.body.json();
}

const post = (message: string, body: object) =>
  ask(base, 'POST', { 'local-name': message }, JSON.stringify({ version: '2.001', pos, ...body }));

const passed = (reply: unknown): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(reply).slice(0, 4_000) }],
  structuredContent: { reply },
});

const common = { outputSchema: z.object({ reply: z.unknown() }), annotations: { readOnlyHint: true } };
const leg = z.object({ from: z.string(), to: z.string(), date: z.string() });
const search = z.object({ legs: z.array(leg), passengers: z.object({ adults: z.int() }) });
const read = z.object({ locator: z.string() });

serveStdio(() => {
  const server = new McpServer({ name: 'floor-through', version: '1.0.0' });
  server.registerTool('search_fares', { ...common, inputSchema: search }, async ({ legs }) => {
    const reply = await post('OTA_AirLowFareSearchRQ', { originDestinationInformation: legs });
    return passed(reply.pricedItineraries?.pricedItinerary?.slice(0, 10));
  });
  server.registerTool('read_booking', { ...common, inputSchema: read }, async ({ locator }) => {
    const readRequests = { readRequest: [{ uniqueID: { type: '14', id: locator } }] };
    return passed((await post('OTA_ReadRQ', { readRequests })).airReservation);
  });
  server.registerTool('list_routes', { ...common, inputSchema: z.object({}) }, async () =>
    passed(await ask(`${gateway}/schedule/routes?sales_channel=OTA`, 'GET')),
  );
  return server;
});
