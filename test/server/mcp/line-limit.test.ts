import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { limitedLines, MOST_LINE_BYTES } from '../../../src/server/mcp/line-limit.ts';
import { BIN } from '../../e2e/clients.ts';

test('passes every line on, however it is cut, and drops those that are too long', async () => {
  let dropped = 0;
  const lines = limitedLines(() => {
    dropped += 1;
  });
  const read = buffer(lines);
  for (const part of [
    '{"a":',
    '1}\n{"b":2}\n',
    '"',
    'x'.repeat(MOST_LINE_BYTES),
    'x'.repeat(9),
    '"\n{"c"',
    ':3}\n',
    'rest',
  ])
    lines.write(part);
  lines.end();
  expect(String(await read)).toBe('{"a":1}\n{"b":2}\n{"c":3}\n');
  expect(dropped).toBe(1);
});

test('answers a line of 20 MB on stdio with an error, and goes on with the session', async () => {
  const home = mkdtempSync(join(tmpdir(), 'clerk-lines-'));
  const child = spawn(process.execPath, [BIN, 'serve'], {
    env: { PATH: process.env.PATH ?? '', HOME: home },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await answers.next()).value ?? 'null');
  const say = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  say({ id: 1, method: 'initialize', params });
  expect(await next()).toMatchObject({ id: 1, result: { serverInfo: { name: 'fareclerk' } } });
  say({ method: 'notifications/initialized' });
  say({ id: 2, method: 'tools/call', params: { name: 'list_routes', arguments: { q: 'x'.repeat(20_000_000) } } });
  say({ id: 3, method: 'ping' });
  expect(await next()).toMatchObject({
    id: null,
    error: {
      code: -32_600,
      message: 'The message is longer than 1048576 bytes. It was not read, and nothing was sent.',
    },
  });
  expect(await next()).toMatchObject({ id: 3, result: {} });
  child.stdin.end();
  await once(child, 'exit');
  rmSync(home, { recursive: true, force: true });
});
