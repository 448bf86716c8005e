/** What the SDK costs by itself: a stdio server with ten tools that do nothing. */
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

const text = z.string().describe('any text');
const inputSchema = z.object({ text, count: z.int().min(0).max(9).optional() });

serveStdio(() => {
  const server = new McpServer({ name: 'floor-bare', version: '1.0.0' });
  for (let n = 0; n < 10; n++) {
    const about = { title: `Tool ${n}`, description: `Answers with its text. Number ${n}.`, inputSchema };
    server.registerTool(`tool_${n}`, { ...about, annotations: { readOnlyHint: true } }, async (args) => ({
      content: [{ type: 'text', text: args.text }],
    }));
  }
  return server;
});
