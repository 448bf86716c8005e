/**
 * The SDK's schemas as the bundle has them, beside the SDK's own: the same to whoever uses them.
 */
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';
import { laterSchemas } from '../../scripts/later-schemas.ts';
import { folderFor } from '../cli/program.ts';

interface Schema {
  safeParse(value: unknown): { success: boolean; data?: unknown; error?: { issues: unknown } };
}
type Exports = Readonly<Record<string, unknown>>;

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

async function exportsWith(name: string, plugins: Plugin[]): Promise<Exports> {
  const file = join(folderFor('schemas'), `${name}.mjs`);
  await build({
    stdin: {
      contents: `export * from '@modelcontextprotocol/core/internal';`,
      resolveDir: ROOT,
    },
    bundle: true,
    format: 'esm',
    platform: 'node',
    outfile: file,
    plugins,
  });
  return import(pathToFileURL(file).href);
}

const MESSAGES = [
  { jsonrpc: '2.0', id: 1, method: 'tools/list' },
  {
    jsonrpc: '2.0',
    id: 'a',
    method: 'tools/call',
    params: { name: 'x', arguments: { a: 1 }, _meta: { progressToken: 3 } },
  },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  { jsonrpc: '2.0', id: 2, result: { content: [{ type: 'text', text: 'x' }], structuredContent: {} } },
  { jsonrpc: '2.0', id: 2, error: { code: -32602, message: 'no' } },
  {
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: { elicitation: {} }, clientInfo: {} },
  },
  { uri: 'not an address', name: 7 },
  null,
  'text',
];

let own: Exports;
let later: Exports;
beforeAll(async () => {
  [own, later] = await Promise.all([exportsWith('own', []), exportsWith('later', [laterSchemas])]);
});

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null && '_zod' in value;

describe('schemas made later', () => {
  test('are all there', () => {
    expect(Object.keys(later).sort()).toEqual(Object.keys(own).sort());
    const names = Object.keys(own).filter((name) => isSchema(own[name]));
    expect(names.length).toBeGreaterThan(150);
    expect(names.filter((name) => !isSchema(later[name]))).toEqual([]);
  });

  test('take and refuse the same, in the same words', () => {
    let taken = 0;
    for (const [name, schema] of Object.entries(own)) {
      if (!isSchema(schema)) continue;
      for (const message of MESSAGES) {
        const expected = schema.safeParse(message);
        const found = (later[name] as Schema).safeParse(message);
        expect([found.success, found.data, found.error?.issues], name).toEqual([
          expected.success,
          expected.data,
          expected.error?.issues,
        ]);
        if (expected.success) taken += 1;
      }
    }
    expect(taken).toBeGreaterThan(50);
  });
});
