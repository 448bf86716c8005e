/**
 * Turns finished ES module chunks into CommonJS. esbuild splits ES modules only, and Node starts CommonJS faster: no
 * second loader, no facade for each built-in module, less to link (docs/performance.md).
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transform } from 'esbuild';

/** In place, every `.js` of the folder; a package.json says what they are. */
export async function asCommonJs(folder: string): Promise<void> {
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
      writeFileSync(file, code);
    }),
  );
  writeFileSync(join(folder, 'package.json'), '{"type":"commonjs"}\n');
}
