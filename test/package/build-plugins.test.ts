/**
 * Each plugin of the build fails when a library changes under it, instead of doing nothing.
 */
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { expect, test } from 'vitest';
import { lineMap } from '../../scripts/build/line-map.ts';
import { noAjv } from '../../scripts/build/no-ajv.ts';
import { replaceModule } from '../../scripts/build/replace-module.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Bundles `text` as if it were a file of the repository. */
async function built(text: string, plugins: Plugin[]) {
  const { outputFiles } = await build({
    stdin: { contents: text, resolveDir: ROOT },
    absWorkingDir: ROOT,
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
    plugins,
  });
  return outputFiles;
}

test("the replacement of AJV exports what the SDK's own module exports", async () => {
  const name = '@modelcontextprotocol/server/_shims';
  const [file] = await built(`export * from '${name}';`, [noAjv]);
  const shim: object = await import(`data:text/javascript,${encodeURIComponent(file?.text ?? '')}`);
  const own: object = await import(name);
  expect(Object.keys(shim).sort()).toEqual(Object.keys(own).sort());
  expect(file?.text).not.toContain('ajvProvider');
});

test('the build fails when the replaced module is not part of the bundle', async () => {
  const plugin = replaceModule(ROOT, 'src/moved.ts', () => '');
  await expect(built('console.log(1);', [plugin])).rejects.toThrow('src/moved.ts is not part of the bundle');
});

test('source maps hold the lines of our own sources and nothing of packages', () => {
  // Columns 0 and 4 are line 1 of a.ts, column 8 is of a package, column 12 is line 3 of a.ts.
  const sources = ['../src/a.ts', '../node_modules/p/src/b.js'];
  const map = lineMap(JSON.stringify({ version: 3, sources, names: ['n'], mappings: 'AAAAA,IAAI,ICAA,IDEA' }));
  expect(JSON.parse(map)).toEqual({
    version: 3,
    sources: ['../src/a.ts'],
    names: [],
    mappings: 'AAAA,QAAA,IAEA'.replace('QAAA', 'Q'),
  });
});
