/**
 * The v1 client checks structured content against the output schema on errors too. A mismatch would hide our error from
 * the model. Every error of every tool goes through a v1 client that has listed the tools.
 */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { liveSchemas } from '../../src/clerk/schemas.ts';
import { ClerkError, ERROR_CODES } from '../../src/core/errors.ts';
import { createMcpServer } from '../../src/mcp/server.ts';
import { CATALOG } from '../../src/tools/index.ts';
import { openTinyClerk } from '../http/support/tiny-clerk.ts';

/** How every call fails. */
let next: ClerkError | undefined;
const input = () => {
  if (next) throw next;
  return z.strictObject({});
};
const tools = CATALOG.map((tool) => ({ ...tool, input, inputAlone: undefined }) as never);
const { clerk, close } = await openTinyClerk({ tools, schemas: liveSchemas() });
const client = new Client({ name: 'v1', version: '1' });

beforeAll(async () => {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const server = createMcpServer(clerk, { version: '0', caller: { tenant: 't', id: 'c' } });
  await server.connect(ours as never);
  await client.connect(theirs);
  await client.listTools();
});
afterAll(async () => {
  await client.close();
  await close();
});

const FULL = {
  next: 'Call read_booking.',
  effect: 'unknown',
  retry: 'after_s:30',
  terms: ['Pay SAR 1.00'],
  airline: { status: 422, code: '73', title: 'EXPIRED', correlationId: 'c-1' },
} as const;

test.each(CATALOG.map((tool) => tool.name))('shows every error of %s to a v1 client', async (name) => {
  for (const code of ERROR_CODES) {
    const message = 'It went wrong. Nothing was sent.';
    for (next of [new ClerkError(code, message, FULL), new ClerkError(code, 'Bare.', { next: 'Ask a person.' })]) {
      const result = await client.callTool({ name, arguments: {} });
      expect(result.isError).toBe(true);
      expect(result.structuredContent).toMatchObject({ environment: 'sandbox', error: { code } });
      expect((result.content as { text: string }[])[0]?.text).toContain(`[sandbox] ${code}: `);
    }
  }
});
