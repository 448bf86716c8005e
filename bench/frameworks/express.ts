/** The three routes on Express. */
import type { createRequire } from 'node:module';
import { tell } from './tell.ts';

// It brings no types, and esbuild takes it along all the same.
declare const require: ReturnType<typeof createRequire>;
const express = require('express');

const app = express();
app.disable('x-powered-by');
app.get('/healthz', (_: unknown, response: { json(body: unknown): void }) => response.json({ status: 'alive' }));
app.post(
  '/mcp',
  express.json({ limit: '256kb' }),
  (request: { body: { id: number } }, response: { json(body: unknown): void }) =>
    response.json({ id: request.body.id }),
);
const server = app.listen(0, '127.0.0.1', () => tell(server));
