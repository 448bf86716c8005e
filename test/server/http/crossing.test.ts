/**
 * A thousand callers, interleaved, on two servers of one process: no caller gets another's reply.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSignIn } from '../../../src/auth/callers/sign-in.ts';
import { type HttpServing, startHttp } from '../../../src/server/http/server.ts';
import { type Issuer, startIssuer } from '../../auth/callers/issuer.ts';
import { messageIn } from './support/raw.ts';
import { PUBLIC_URL } from './support/serve.ts';
import { openTinyClerk, type TinyClerk } from './support/tiny-clerk.ts';

const CALLERS = 1_000;
const AT_ONCE = 100;

let issuer: Issuer;
let tiny: TinyClerk;
let servers: HttpServing[];

beforeAll(async () => {
  issuer = await startIssuer();
  tiny = await openTinyClerk();
  const signIn = createSignIn({ issuer: issuer.issuer, publicUrl: PUBLIC_URL });
  const options = {
    version: '0',
    host: '127.0.0.1',
    port: 0,
    caller: { tenant: 't', id: 'i' },
    publicUrl: PUBLIC_URL,
    signIn,
    close: async () => undefined,
  };
  servers = await Promise.all([startHttp(tiny.clerk, options), startHttp(tiny.clerk, options)]);
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await tiny.close();
  await issuer.close();
});

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

async function call(i: number): Promise<{ id: unknown; caller: string; word: string }> {
  const token = await issuer.sign({ sub: `caller-${i}`, aud: `${PUBLIC_URL}/mcp`, scope: 'air:read' });
  const modern = i % 2 === 0;
  const params = { name: 'who_am_i', arguments: { word: `word-${i}` }, ...(modern && { _meta: META }) };
  const reply = await fetch(servers[i % 4 < 2 ? 0 : 1]?.url ?? '', {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(modern && { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'who_am_i' }),
    },
    // Every caller counts its messages from 1, so message ids cannot distinguish callers.
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  const { id, result } = messageIn(await reply.text()) as { id: unknown; result: { structuredContent: object } };
  const { id: caller, word } = result.structuredContent as { id: string; word: string };
  return { id, caller, word };
}

it('gives each of a thousand callers their own replies', async () => {
  const crossed: number[] = [];
  let next = 0;
  const worker = async () => {
    for (let i = next++; i < CALLERS; i = next++) {
      const reply = await call(i);
      const right = reply.id === 1 && reply.caller === `oauth:caller-${i}:desk` && reply.word === `word-${i}`;
      if (!right) crossed.push(i);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  expect(next).toBeGreaterThanOrEqual(CALLERS);
  expect(crossed).toEqual([]);
});
