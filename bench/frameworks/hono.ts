/** The three routes on Hono. */
import type { Server } from 'node:http';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { tell } from './tell.ts';

const app = new Hono();
app.get('/healthz', (c) => c.json({ status: 'alive' }));
app.post('/mcp', bodyLimit({ maxSize: 256 * 1024 }), async (c) => c.json({ id: (await c.req.json()).id }));
const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, () => tell(server as Server));
