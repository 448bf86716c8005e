/**
 * Each plugin of the build fails when a library changes under it, instead of doing nothing.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { expect, test } from 'vitest';
import { commonJs } from '../../scripts/build/common-js.ts';
import { deferredSchemas } from '../../scripts/build/deferred-schemas.ts';
import { joinedMap, lineMap } from '../../scripts/build/line-map.ts';
import { noAjv } from '../../scripts/build/no-ajv.ts';
import { packed } from '../../scripts/build/packs.ts';
import { replaceModule } from '../../scripts/build/replace-module.ts';
import { undiciAgent } from '../../scripts/build/undici-agent.ts';
import { folderFor } from '../cli/program.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Bundles `text` as if it were a file of the repository. */
async function built(text: string, plugins: Plugin[], outdir = folderFor('plugins')) {
  const { outputFiles } = await build({
    stdin: { contents: text, resolveDir: ROOT },
    absWorkingDir: ROOT,
    outdir,
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
    plugins,
  });
  return outputFiles;
}

test('the build fails when a schema module of the SDK declares its schemas in another form', async () => {
  const dist = join(folderFor('sdk'), 'node_modules', '@modelcontextprotocol', 'core', 'dist');
  mkdirSync(dist, { recursive: true });
  const file = join(dist, 'schemas-x.mjs');
  writeFileSync(file, 'export let OtherSchema = z.object({});\n');
  await expect(built(`import ${JSON.stringify(file)};`, [deferredSchemas])).rejects.toThrow(/declares no schema/);
});

test('the build fails when undici keeps its HTTP/2 client in another file', async () => {
  await expect(built('console.log(1);', [undiciAgent(ROOT)])).rejects.toThrow(/HTTP\/2 client/);
});

test("undici's Agent is bundled as a named export, without HTTP/2", async () => {
  const [file] = await built(`export { Agent } from 'undici';`, [undiciAgent(ROOT)]);
  expect(file?.text).toContain('HTTP/2 is not part of this program');
  expect(file?.text).not.toMatch(/["']node:http2["']/);
});

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

test('chunks become CommonJS with plain exports, and load one another without the ES module loader', async () => {
  const folder = folderFor('common-js');
  const text = `export const version = ${'"1"'};\nexport const later = () => import('./src/version.ts');`;
  for (const { path, contents } of await built(text, [commonJs(lineMap)], folder)) writeFileSync(path, contents);
  writeFileSync(join(folder, 'package.json'), '{"type":"commonjs"}');
  const program = createRequire(import.meta.url)(join(folder, 'stdin.js'));
  expect(Object.getOwnPropertyDescriptor(program, 'version')).toMatchObject({ value: '1' });
  expect((await program.later()).VERSION).toMatch(/^\d/);
});

test('chunks of a pack are one file, and each runs once, when it is first required', async () => {
  const folder = folderFor('packs');
  const text = `export const version = () => import('./src/version.ts');\nexport const errors = () => import('./src/errors.ts');`;
  const packs = { both: ['src/version.ts', 'src/errors.ts'] };
  const files = await built(text, [commonJs(lineMap, packs)], folder);
  for (const { path, contents } of files) writeFileSync(path, contents);
  writeFileSync(join(folder, 'package.json'), '{"type":"commonjs"}');
  const names = files.map(({ path }) => basename(path)).filter((name) => name.endsWith('.js'));
  expect(names.map((name) => name.replace(/[0-9a-f]{16}/, 'HASH')).sort()).toEqual([
    'pack-both-HASH.js',
    'parts.js',
    'stdin.js',
  ]);
  const program = createRequire(import.meta.url)(join(folder, 'stdin.js'));
  expect((await program.version()).VERSION).toMatch(/^\d/);
  const { ClerkError } = await program.errors();
  expect((await program.errors()).ClerkError).toBe(ClerkError);
  expect(ClerkError.name).not.toBe('');
});

test('the build fails when a pack begins with a source that is not loaded by itself', async () => {
  const packs = { start: ['src/moved.ts'] };
  await expect(built('console.log(1);', [commonJs(lineMap, packs)])).rejects.toThrow('src/moved.ts is not loaded');
});

test('a joined source map has each map at a line of its own', () => {
  const map = (source: string) =>
    JSON.stringify({ version: 3, sources: [source], names: ['n'], mappings: 'AAAAA;AACA' });
  const joined = joinedMap([
    { map: map('a.ts'), line: 1 },
    { map: map('b.ts'), line: 4 },
  ]);
  expect(JSON.parse(joined)).toEqual({
    version: 3,
    sources: ['a.ts', 'b.ts'],
    names: ['n', 'n'],
    mappings: ';AAAAA;AACA;;ACDAC;AACA',
  });
});

test('the build fails when a regular expression in a pack is not ASCII, which the loader would garble', async () => {
  const outputs = { 'chunk-a.js': { entryPoint: 'src/a.ts', imports: [], exports: [], inputs: {}, bytes: 0 } };
  const script = { path: 'dist/chunk-a.js', code: 'const dash = /[–]/;', map: '' };
  await expect(packed([script], outputs, { start: ['src/a.ts'] })).rejects.toThrow('chunk-a.js: a regular expression');
});

test('source maps hold the lines of our own sources and nothing of packages', () => {
  // Columns 0 and 4 are line 1 of a.ts, column 8 is of a package, column 12 is line 3 of a.ts.
  const sources = ['../src/a.ts', '../node_modules/p/src/b.js'];
  const map = lineMap(JSON.stringify({ version: 3, sources, names: ['n'], mappings: 'AAAAA,IAAI,ICAA,IDEA' }));
  expect(JSON.parse(map ?? '')).toEqual({
    version: 3,
    sources: ['../src/a.ts'],
    names: [],
    mappings: 'AAAA,QAAA,IAEA'.replace('QAAA', 'Q'),
  });
  expect(
    lineMap(JSON.stringify({ version: 3, sources: sources.slice(1), names: [], mappings: 'AAAA' })),
  ).toBeUndefined();
});
