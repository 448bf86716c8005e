/**
 * An instance of a fleet as a minified bundle.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { newFolder } from '../../support/folders.ts';

/** Its path; gone with this process. */
export async function minifiedInstance(): Promise<string> {
  const folder = newFolder('minified');
  await build({
    entryPoints: { instance: fileURLToPath(new URL('../../support/instance-process.ts', import.meta.url)) },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node22.19',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    logLevel: 'error',
  });
  return join(folder, 'instance.mjs');
}
