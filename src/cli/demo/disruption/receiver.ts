/** Runs a small system of the agency that receives events, and takes only those with a right signature (Standard Webhooks). */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An event that the agency's system received. */
export interface HeardEvent {
  readonly id: string;
  readonly type: string;
  readonly locator?: string;
  readonly kind?: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export interface Receiver {
  readonly url: string;
  /** `whsec_…` */
  readonly secret: string;
  /** Returns each event that came, once, in order. */
  heard(): readonly HeardEvent[];
  /** Returns how many events came with a wrong signature. */
  forged(): number;
  close(): Promise<void>;
}

/** How old a message may be, milliseconds. */
const TOLERANCE_MS = 300_000;

/** Whether a message is signed (Standard Webhooks): an HMAC over id, timestamp and body, which must be fresh. */
function isSigned(secret: string, headers: IncomingHttpHeaders, body: Buffer): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signatures } = headers;
  if (typeof id !== 'string' || typeof at !== 'string' || typeof signatures !== 'string') return false;
  if (!(Math.abs(Date.now() - Number(at) * 1000) < TOLERANCE_MS)) return false;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${at}.`).update(body).digest();
  return signatures.split(' ').some((signature) => {
    const sent = Buffer.from(signature.slice('v1,'.length), 'base64');
    return signature.startsWith('v1,') && sent.length === expected.length && timingSafeEqual(sent, expected);
  });
}

export async function startReceiver(): Promise<Receiver> {
  const secret = `whsec_${randomBytes(24).toString('base64')}`;
  const heard = new Map<string, HeardEvent>();
  let forged = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { headers } = request;
    const id = String(headers['webhook-id']);
    const body = Buffer.concat(chunks);
    if (isSigned(secret, headers, body)) {
      const { type, data } = JSON.parse(body.toString('utf8')) as {
        type: string;
        data: { locator?: string; kind?: string };
      };
      const { locator, kind } = data;
      if (!heard.has(id)) heard.set(id, { id, type, locator, kind, at: Date.now() });
      response.writeHead(204).end();
    } else {
      forged += 1;
      response.writeHead(401).end();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/desk`,
    secret,
    heard: () => [...heard.values()],
    forged: () => forged,
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
