/**
 * The SDK's schemas as the bundle has them: they behave like the SDK's own.
 */
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';
import { deferredSchemas } from '../../scripts/build/deferred-schemas.ts';
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
let deferred: Exports;
beforeAll(async () => {
  [own, deferred] = await Promise.all([exportsWith('own', []), exportsWith('deferred', [deferredSchemas])]);
});

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null && '_zod' in value;

describe('deferred schemas', () => {
  test('every schema of the SDK is exported', () => {
    expect(Object.keys(deferred).sort()).toEqual(Object.keys(own).sort());
    const names = Object.keys(own).filter((name) => isSchema(own[name]));
    expect(names.length).toBeGreaterThan(150);
    expect(names.filter((name) => !isSchema(deferred[name]))).toEqual([]);
  });

  test('deferred schemas accept and refuse the same messages with the same issues', () => {
    let taken = 0;
    for (const [name, schema] of Object.entries(own)) {
      if (!isSchema(schema)) continue;
      for (const message of MESSAGES) {
        const expected = schema.safeParse(message);
        const found = (deferred[name] as Schema).safeParse(message);
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
