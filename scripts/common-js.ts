/**
 * Turns finished ES module chunks into CommonJS. esbuild splits ES modules only, and Node starts CommonJS faster: no
 * second loader, no facade for each built-in module, less to link (docs/performance.md).
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Metafile, transform } from 'esbuild';

/**
 * Exports as plain values instead of getters, which every call from another chunk would go through. A chunk is whole
 * when another gets hold of it, since none import each other in a circle, and no export is assigned again later.
 */
const PLAIN_EXPORTS = 'module.exports=Object.defineProperty({...module.exports},"__esModule",{value:true});\n';

/** In place, every `.js` of the folder; a package.json says what they are. */
export async function asCommonJs(folder: string, { outputs }: Metafile): Promise<void> {
  assertNoCircle(outputs);
  const chunks = readdirSync(folder).filter((name) => name.endsWith('.js'));
  await Promise.all(
    chunks.map(async (name) => {
      const file = join(folder, name);
      const { code } = await transform(readFileSync(file, 'utf8'), {
        format: 'cjs',
        platform: 'node',
        target: 'node22.19',
        minify: true,
        legalComments: 'none',
        // `import()` becomes a require of its own turn: the other loader stays out of it.
        supported: { 'dynamic-import': false },
      });
      writeFileSync(file, code + PLAIN_EXPORTS);
    }),
  );
  writeFileSync(join(folder, 'package.json'), '{"type":"commonjs"}\n');
}

function assertNoCircle(outputs: Metafile['outputs']): void {
  const seen = new Map<string, 'open' | 'done'>();
  const visit = (path: string): void => {
    const state = seen.get(path);
    if (state === 'open') throw new Error(`chunks import each other in a circle at ${path}`);
    if (state === 'done') return;
    seen.set(path, 'open');
    for (const next of outputs[path]?.imports ?? []) if (next.kind === 'import-statement') visit(next.path);
    seen.set(path, 'done');
  };
  for (const path of Object.keys(outputs)) visit(path);
}
