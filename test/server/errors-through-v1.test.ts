/**
 * The v1 client checks structured content against the output schema on errors too. A mismatch would hide our error from
 * the model. Every error of every tool goes through a v1 client that has listed the tools.
 */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ClerkError, ERROR_CODES, type ErrorCode } from '../../src/errors.ts';
import type { Clerk } from '../../src/server/clerk.ts';
import { errorResult } from '../../src/server/error-result.ts';
import { createMcpServer } from '../../src/server/mcp/server.ts';
import { liveSchemas } from '../../src/server/schemas.ts';
import { CATALOG } from '../../src/tools/index.ts';

let next: ClerkError;

/** Answers every call with this error, as the pipeline would. */
const clerk = {
  tools: CATALOG,
  options: { schemas: liveSchemas() },
  call: async () => errorResult(next, 'sandbox'),
} as unknown as Clerk;

const client = new Client({ name: 'v1', version: '1' });

beforeAll(async () => {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const server = createMcpServer(clerk, { version: '0', caller: { tenant: 't', id: 'c' } });
  await server.connect(ours as never);
  await client.connect(theirs);
  await client.listTools();
});
afterAll(() => client.close());

function full(code: ErrorCode): ClerkError {
  return new ClerkError(code, 'It went wrong. Nothing was sent.', {
    next: 'Call read_booking.',
    effect: 'unknown',
    retry: 'after_s:30',
    airline: { status: 422, code: '73', title: 'EXPIRED', correlationId: 'c-1' },
    terms: ['Pay SAR 1.00'],
  });
}

describe.each(CATALOG.map((tool) => tool.name))('%s', (name) => {
  test.each(ERROR_CODES)('shows the error %s to a v1 client', async (code) => {
    for (const error of [full(code), new ClerkError(code, 'Bare.', { next: 'Ask a person.' })]) {
      next = error;
      const result = await client.callTool({ name, arguments: {} });
      expect(result.isError).toBe(true);
      expect(result.structuredContent).toMatchObject({ environment: 'sandbox', error: { code } });
      expect((result.content as { text: string }[])[0]?.text).toContain(`[sandbox] ${code}: `);
    }
  });
});
