/** What the SDK costs with the program's own list, which it reads from a file: a stdio server with as many tools that do nothing. */
import { readFileSync } from 'node:fs';
import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const { tools } = JSON.parse(readFileSync(process.env.FLOOR_TOOLS ?? '', 'utf8'));

serveStdio(() => {
  const server = new McpServer({ name: 'floor-listed', version: '1.0.0' });
  for (const { name, inputSchema, outputSchema, ...about } of tools) {
    const schemas = { inputSchema: fromJsonSchema(inputSchema), outputSchema: fromJsonSchema(outputSchema) };
    server.registerTool(name, { ...about, ...schemas }, async () => ({ content: [] }));
  }
  return server;
});
