/** The three routes on node:http alone. */
import { createServer } from 'node:http';
import { tell } from './tell.ts';

const MOST = 256 * 1024;

const server = createServer((request, response) => {
  const reply = (status: number, body: unknown) => {
    const text = JSON.stringify(body);
    response
      .writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
      .end(text);
  };
  if (request.method === 'GET' && request.url === '/healthz') return reply(200, { status: 'alive' });
  if (request.method !== 'POST' || request.url !== '/mcp') return reply(404, {});
  const chunks: Buffer[] = [];
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > MOST) return void reply(413, {});
    chunks.push(chunk);
  });
  request.on('end', () => {
    if (size <= MOST) reply(200, { id: (JSON.parse(Buffer.concat(chunks).toString('utf8')) as { id: number }).id });
  });
});
server.listen(0, '127.0.0.1', () => tell(server));
