import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, expect, test } from 'vitest';
import { bundle, mcpb } from '../../scripts/bundle-mcpb.ts';
import { manifest } from '../../scripts/manifests.ts';

/** As a host leaves them where its user filled nothing in. */
const { env: unfilled } = manifest().server.mcp_config;
const folder = mkdtempSync(join(tmpdir(), 'fareclerk-bundle-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the .mcpb is valid, has its icon, and starts in the folder where a host unpacks it', async () => {
  const file = join(folder, 'fareclerk.mcpb');
  rmSync(bundle(file), { recursive: true });
  const unpacked = join(folder, 'unpacked');
  mcpb('unpack', file, unpacked);
  expect(existsSync(join(unpacked, 'icon.png'))).toBe(true);
  const client = new Client({ name: 'host', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [join(unpacked, 'bin/fareclerk.js'), 'serve'],
      env: { PATH: process.env.PATH ?? '', HOME: folder, ...unfilled },
      stderr: 'ignore',
    }),
  );
  try {
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('search_fares');
    const routes = await client.callTool({ name: 'list_routes', arguments: {} });
    expect(routes.isError).toBeFalsy();
  } finally {
    await client.close();
  }
});
