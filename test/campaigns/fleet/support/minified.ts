/**
 * An instance of a fleet as a minified bundle.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Its path; gone with this process. */
export async function minifiedInstance(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'clerk-minified-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  await build({
    entryPoints: { instance: fileURLToPath(new URL('./fleet-process.ts', import.meta.url)) },
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
