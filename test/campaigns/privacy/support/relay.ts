/**
 * Between the clerk and the airline: lets all pass, learns the tokens, and on order answers itself with an error that
 * repeats everything it was sent, as careless services do.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Canaries } from './canaries.ts';
import { PLANTED } from './canaries.ts';
import type { Form } from './forms.ts';

export interface Relay {
  readonly origin: string;
  /** Answers the next `times` calls of that message in this form. */
  order(message: string, form: Form, times?: number): void;
  close(): Promise<void>;
}

interface Order {
  readonly message: string;
  readonly form: Form;
  times: number;
}

/** As the sandbox airline names its calls. */
function messageOf({ headers, url = '' }: IncomingMessage): string {
  const named = headers['local-name'];
  if (typeof named === 'string') return named;
  const { pathname } = new URL(url, 'http://relay.invalid');
  if (pathname.endsWith('/token')) return 'token';
  const last = pathname.split('/').at(-1) ?? '';
  if (/^OTA_/.test(last)) return last;
  if (/route/i.test(pathname)) return 'routes';
  if (/calendar|date/i.test(pathname)) return 'calendar';
  return /mail|notification/i.test(pathname) ? 'email' : last;
}

async function textOf(stream: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** All that the clerk sent, and all that the airline knows of its customers. */
function echoOf({ headers, url }: IncomingMessage, body: string): string {
  return `${JSON.stringify(headers)} ${url} ${body} ${PEOPLE.map((name) => PLANTED[name]).join(' ')}`;
}

const PEOPLE = [
  'given name',
  'surname',
  'contact surname',
  'birth date',
  'document number',
  'e-mail',
  'phone',
] as const;

export async function startRelay(target: string, canaries: Canaries): Promise<Relay> {
  const orders: Order[] = [];

  function learn(message: string, reply: string): void {
    if (message !== 'token' || !reply.startsWith('{')) return;
    const { access_token: access, refresh_token: refresh } = JSON.parse(reply) as Record<string, unknown>;
    if (typeof access === 'string') canaries.add('access token', access);
    if (typeof refresh === 'string') canaries.add('refresh token', refresh);
  }

  function pass(incoming: IncomingMessage, body: string, message: string, response: ServerResponse): void {
    const { method, headers, url } = incoming;
    const outgoing = request(`${target}${url}`, { method: method ?? 'GET', headers, agent: false }, (reply) => {
      const chunks: Buffer[] = [];
      response.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        response.write(chunk);
      });
      reply.on('end', () => {
        learn(message, Buffer.concat(chunks).toString('utf8'));
        response.end();
      });
      reply.on('error', () => response.destroy());
    });
    outgoing.on('error', () => response.destroy());
    response.on('close', () => outgoing.destroy());
    outgoing.end(body);
  }

  const server = createServer(async (incoming, response) => {
    const message = messageOf(incoming);
    const body = await textOf(incoming);
    const order = orders.find((one) => one.message === message && one.times > 0);
    if (order === undefined) return pass(incoming, body, message, response);
    order.times -= 1;
    const { status, headers, text } = order.form.reply(echoOf(incoming, body), incoming.headers);
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    order: (message, form, times = 1) => orders.push({ message, form, times }),
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
