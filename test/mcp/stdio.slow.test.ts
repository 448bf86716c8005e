/**
 * What only clients of the 2025 handshakes on stdio have: a dialog within a call, and one stream of lines.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createMcpServer } from '../../src/mcp/server.ts';
import { BIN } from '../e2e/clients.ts';
import { CALLER, type TestDesk, testDesk } from '../pages/approval/support/desk-of.ts';

const SILENCE_MS = 800;
const NO = { action: 'decline' };
const YES = { action: 'accept', content: { decision: 'Pay SAR 172.50' } };

let desk: TestDesk;
let client: Client;
/** What the host sends back for the dialog, and how often it was asked. */
let host: () => Promise<unknown>;
let asked: number;
let opened: number;

beforeEach(() => open(SILENCE_MS));
afterEach(() => close());

async function open(silenceMs: number): Promise<void> {
  asked = 0;
  opened = 0;
  desk = await testDesk({
    ...{ approval: 'auto', silenceMs, answerMs: 30_000 },
    page: {
      canOpen: () => true,
      async open() {
        opened += 1;
        return { opened: true };
      },
    },
  });
  client = new Client({ name: 'v1', version: '1' }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, async () => {
    asked += 1;
    return (await host()) as never;
  });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await createMcpServer(desk.clerk, { version: '0', caller: CALLER }).connect(ours as never);
  await client.connect(theirs);
}

async function close(): Promise<void> {
  await client.close();
  await desk.close();
}

async function pay(signal?: AbortSignal): Promise<{ status?: string; code?: string; took: number }> {
  const began = performance.now();
  const call = { name: 'pay_booking', arguments: { locator: 'ABC123' } };
  const { structuredContent } = await client.callTool(call, undefined, signal && { signal });
  const { status, error } = structuredContent as { status?: string; error?: { code: string } };
  return { ...(status && { status }), ...(error && { code: error.code }), took: performance.now() - began };
}
const waiting = async () => (await desk.clerk.waiting())[0];
const decide = async (yes: boolean) =>
  desk.clerk.decide((await waiting())?.operationId ?? '', yes, { assurance: 'page' });

describe('a dialog of the 2025 handshakes', () => {
  test('leads to what its answer says, yes or no', async () => {
    host = () => pause(50, NO);
    expect(await pay()).toMatchObject({ code: 'E_APPROVAL_DECLINED' });
    host = () => pause(50, YES);
    expect(await pay()).toMatchObject({ status: 'done' });
    expect([asked, desk.world.sent]).toEqual([2, 1]);
  });

  test.each([
    ['an error', () => Promise.reject(new Error('Method not found'))],
    ['a result of another form', async () => ({ yes: true })],
  ])('showed nothing if the client answers with %s, so that the page asks', async (_, answer) => {
    host = answer;
    expect(await pay()).toMatchObject({ status: 'approval_required' });
    expect((await waiting())?.decision).toBe('pending');
    expect(opened).toBeGreaterThan(0);
  });

  describe('that stays silent', () => {
    // After it a call waits three eighths as long for the page: enough on a busy machine.
    beforeEach(async () => {
      await close();
      await open(8 * SILENCE_MS);
    });
    const pageAsksToo = () => expect.poll(() => opened, { timeout: 20_000 }).toBeGreaterThan(0);

    test('gives way to an answer on the page', async () => {
      host = () => pause(60_000, NO, { ref: false });
      const paying = pay();
      await pageAsksToo();
      expect((await decide(true)).kind).toBe('done');
      expect(await paying).toMatchObject({ status: 'done' });
      expect(desk.world.sent).toBe(1);
    });

    test('can itself be answered while the page asks too', async () => {
      host = async () => {
        await pageAsksToo();
        return YES;
      };
      expect(await pay()).toMatchObject({ status: 'done' });
      expect([asked, desk.world.sent]).toEqual([1, 1]);
    });
  });

  test.each([
    ['the connection ended', NO, 'pending'],
    ['the host took the call back', NO, 'pending'],
    ['the host took the call back after a yes', YES, 'granted'],
  ] as const)('is not answered if %s, unless with a yes: %j', async (why, answer, decision) => {
    const leaving = new AbortController();
    host = async () => {
      if (why === 'the connection ended') await client.close();
      else leaving.abort();
      await pause(20);
      return answer;
    };
    await expect(pay(leaving.signal)).rejects.toThrow();
    await pause(300);
    const state = async () => [(await waiting())?.decision ?? 'granted', desk.world.sent];
    await expect.poll(state, { timeout: 20_000 }).toEqual([decision, decision === 'granted' ? 1 : 0]);
  });
});

test('answers a line of 20 MB on stdio with an error, however it is cut, and goes on with the session', async () => {
  const home = mkdtempSync(join(tmpdir(), 'clerk-lines-'));
  const child = spawn(process.execPath, [BIN, 'serve'], {
    env: { PATH: process.env.PATH ?? '', HOME: home },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await answers.next()).value ?? 'null');
  const lineOf = (message: object) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  const long = {
    id: 2,
    method: 'tools/call',
    params: { name: 'list_routes', arguments: { q: 'x'.repeat(20_000_000) } },
  };
  const text = [
    lineOf({ id: 1, method: 'initialize', params }),
    lineOf({ method: 'notifications/initialized' }),
    ...[lineOf({ id: 7, method: 'ping' }), lineOf(long), lineOf({ id: 3, method: 'ping' })],
  ].join('');
  // Cut within lines and at their ends.
  const cuts = [5, 40, text.indexOf('\n'), text.indexOf('\n') + 1, text.indexOf('"q"') + 9, text.length - 12];
  for (const [i, cut] of cuts.entries()) {
    child.stdin.write(text.slice(cuts[i - 1] ?? 0, cut));
    await pause(i < 4 ? 20 : 0);
  }
  child.stdin.write(text.slice(cuts.at(-1)));
  expect(await next()).toMatchObject({ id: 1, result: { serverInfo: { name: 'fareclerk' } } });
  expect(await next()).toMatchObject({ id: 7, result: {} });
  const message = 'The message is longer than 1048576 bytes. It was not read, and nothing was sent.';
  expect(await next()).toEqual({ jsonrpc: '2.0', error: { code: -32_600, message } });
  expect(await next()).toMatchObject({ id: 3, result: {} });
  child.stdin.end();
  await once(child, 'exit');
  rmSync(home, { recursive: true, force: true });
});
